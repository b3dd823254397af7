//! `rehearsal held`: look at a call that a live episode holds, and decide on it.

use super::Failure;
use super::output::Output;
use crate::live::{Order, code, order, shown_all};
use crate::text;
use crate::value::{Value, canonical};
use clap::{Args, Subcommand};

/// Shows the calls that live episodes hold, and releases, changes, answers or drops them.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal held list\n  \
        rehearsal held rule writes --deadline 50s\n  \
        rehearsal held show --json\n  \
        rehearsal held release --edit '{\"nights\": 2}'\n  \
        rehearsal held answer --error timeout")]
pub struct HeldArgs {
    #[command(subcommand)]
    what: What,
    /// The live episode (default: the only one that is open).
    #[arg(long, value_name = "NAME", global = true)]
    episode: Option<String>,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the open episodes and what each holds.
    #[command(before_help = "Examples:\n  rehearsal held list --json")]
    List,
    /// Show the held call: its arguments, what it would be answered and why, when it is let go.
    #[command(before_help = "Examples:\n  rehearsal held show")]
    Show,
    /// Let the held call pass.
    #[command(before_help = "Examples:\n  rehearsal held release\n  rehearsal held release --edit '{\"nights\": 2}'")]
    Release {
        /// The calls that wait behind it, too.
        #[arg(long, conflicts_with = "edit")]
        all: bool,
        /// Pass it with these arguments (held at the call, JSON) or with this answer (held at the answer).
        #[arg(long, value_name = "TEXT")]
        edit: Option<String>,
        /// Send an answer that breaks the tool's output schema.
        #[arg(long, requires = "edit")]
        force: bool,
    },
    /// Answer the held call with something else.
    #[command(
        before_help = "Examples:\n  rehearsal held answer --error timeout\n  rehearsal held answer --text '{\"ok\": true}'"
    )]
    #[command(group = clap::ArgGroup::new("given").required(true).args(["error", "text"]))]
    Answer {
        /// An error: not_found, invalid_arguments, not_ready, unavailable, timeout or rate_limited.
        #[arg(long, value_name = "CODE")]
        error: Option<String>,
        /// A text.
        #[arg(long, value_name = "TEXT")]
        text: Option<String>,
        /// Send a text that breaks the tool's output schema.
        #[arg(long, requires = "text")]
        force: bool,
    },
    /// Never answer the held call.
    #[command(before_help = "Examples:\n  rehearsal held drop")]
    Drop,
    /// Add or remove rules that hold calls: TOOL, TOOL.ARG, TOOL.ARG=VALUE, writes, reads, errors, bad-read or all; with
    /// answer: before it, at the answer.
    #[command(
        before_help = "Examples:\n  rehearsal held rule writes answer:bad-read --deadline 50s\n  rehearsal held rule --clear"
    )]
    Rule {
        /// Rules to add.
        #[arg(value_name = "RULE")]
        add: Vec<String>,
        /// Rules to remove.
        #[arg(long, value_name = "RULE")]
        remove: Vec<String>,
        /// Remove all rules first.
        #[arg(long)]
        clear: bool,
        /// After how long a caller gives up, as in 50s; a held call is let go shortly before.
        #[arg(long, value_name = "TIME")]
        deadline: Option<String>,
    },
}

/// Runs the command.
pub fn run(args: &HeldArgs, out: &mut Output) -> Result<(), Failure> {
    let wanted = match &args.what {
        What::List => {
            let all = shown_all().map_err(Failure::Refused)?;
            if args.json {
                return out.json(&Value::array(all));
            }
            if all.is_empty() {
                return out.line("no live episode is open: open one with rehearsal live FILE");
            }
            return all.iter().try_for_each(|shown| summary(shown, out));
        }
        What::Show => Order::Show,
        What::Release { edit: Some(text), force, .. } => Order::Edit { text: text.clone(), force: *force },
        What::Release { all, .. } => Order::Release { all: *all },
        What::Answer { error: Some(word), .. } => Order::Fail(code(word).ok_or_else(|| {
            let words = "not_found, invalid_arguments, not_ready, unavailable, timeout or rate_limited";
            Failure::Usage(format!("\"{word}\" is not an error; use {words}"))
        })?),
        What::Answer { text, force, .. } => Order::Say { text: text.clone().unwrap_or_default(), force: *force },
        What::Drop => Order::Drop,
        What::Rule { add, remove, clear, deadline } => {
            Order::Rules { add: add.clone(), remove: remove.clone(), clear: *clear, deadline: deadline.clone() }
        }
    };
    let shown = order(args.episode.as_deref(), &wanted).map_err(Failure::Refused)?;
    if args.json {
        return out.json(&shown);
    }
    match &args.what {
        What::Show => details(&shown, out),
        What::Rule { .. } => summary(&shown, out),
        _ => Ok(()),
    }
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn seconds(value: &Value, name: &str) -> String {
    let ms = value.get(name).and_then(Value::as_i64).unwrap_or_default();
    format!("{:.1} s", ms as f64 / 1000.0)
}

/// An episode in a line or two.
fn summary(shown: &Value, out: &mut Output) -> Result<(), Failure> {
    let number = |name: &str| shown.get(name).and_then(Value::as_i64).unwrap_or_default();
    let held = match shown.get("held").filter(|held| **held != Value::Null) {
        Some(held) => {
            format!("holds call {} {}, let go in {}", call(held), word(held, "tool"), seconds(held, "lets_go_ms"))
        }
        None => "holds nothing".to_owned(),
    };
    let waiting = text::count(number("waiting") as usize, "call");
    out.line(format!(
        "{}  {} seed {}  {held}, {waiting} waiting",
        word(shown, "episode"),
        word(shown, "arm"),
        number("seed")
    ))?;
    let rules = shown.get("rules").and_then(Value::as_array).unwrap_or_default();
    let rules: Vec<&str> = rules.iter().filter_map(Value::as_str).collect();
    out.line(format!("  rules: {}", if rules.is_empty() { "none".to_owned() } else { rules.join(", ") }))
}

fn call(held: &Value) -> i64 {
    held.get("call").and_then(Value::as_i64).unwrap_or_default()
}

/// The held call.
fn details(shown: &Value, out: &mut Output) -> Result<(), Failure> {
    let Some(held) = shown.get("held").filter(|held| **held != Value::Null) else { return summary(shown, out) };
    out.line(format!("call {}  {}  held at the {}", call(held), word(held, "tool"), word(held, "stage")))?;
    out.line(format!("rule       {}", word(held, "rule")))?;
    if !word(held, "caller").is_empty() {
        out.line(format!("caller     {}", word(held, "caller")))?;
    }
    let arguments = held.get("arguments").map(canonical::spaced).unwrap_or_default();
    out.line(format!("arguments  {arguments}"))?;
    let invalid = word(held, "invalid");
    out.line(format!("           {}", if invalid.is_empty() { "valid" } else { invalid }))?;
    let would = if word(held, "stage") == "call" { "would answer" } else { "answers" };
    out.line(format!("{would:<10} {}", word(held, "answer")))?;
    out.line(format!("why        {}", word(held, "why")))?;
    out.line(format!(
        "let go in  {} (gives up after {}: {})",
        seconds(held, "lets_go_ms"),
        seconds(held, "deadline_ms"),
        word(held, "deadline_source")
    ))
}
