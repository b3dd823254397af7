//! A saved response of the Unified Harness Protocol: on a screen, or without a terminal as text.

use super::output::Output;
use super::set::Loaded;
use super::uhp::print;
use super::{Failure, open, set};
use crate::card::page::Page;
use crate::cli::args::OpenArgs;
use crate::run::is_source;
use crate::text;
use crate::tui;
use crate::tui::screens::pair::Aligned;
use crate::tui::screens::remote::RemoteScreen;
use crate::uhp::client::replay::{Agreement, Ground, Replay, replay};
use crate::uhp::client::transcript::Transcript;
use crate::work::response::{self, Half};
use std::path::Path;

/// The response that a file holds, when it holds one.
pub(super) fn read(path: &Path) -> Option<Transcript> {
    if set::is_stdin(path) { None } else { response::read(path) }
}

/// Opens a saved response, its calls replayed on the tool file of `--tools`, else on the example that comes with the
/// program.
pub(super) fn run(args: &OpenArgs, path: &Path, transcript: Transcript, out: &mut Output) -> Result<(), Failure> {
    if args.arm.is_some() || args.seed.is_some() {
        let says = format!("{}: this is a response, so it has no arm and no seed to start on", path.display());
        return Err(Failure::Usage(says));
    }
    if open::has_terminal() {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        let screen = RemoteScreen::saved(name, transcript);
        let link = tui::Link::Remote { screen: Box::new(screen), client: None };
        return open::screens(args.tools.as_deref(), &args.set, None, None, link);
    }
    print::transcript(&transcript, out)?;
    let Some(tools) = &args.tools else { return Ok(()) };
    let loaded = set::load(tools, &args.set)?;
    out.line("")?;
    match replay(&transcript, &loaded.planner()?) {
        Ok(replay) => replayed(&loaded, &replay, out),
        Err(why) => out.line(format!("not replayed on {}: {why}", loaded.label)),
    }
}

fn replayed(loaded: &Loaded, replay: &Replay, out: &mut Output) -> Result<(), Failure> {
    let on = match &replay.ground {
        Ground::Planned(task) => format!("the same task: {} seed {}", task.arm, task.seed),
        Ground::Free(_) => "free play: nothing planned, no dial".to_owned(),
    };
    out.line(format!("replayed on {}, {on}", loaded.label))?;
    for (n, call) in replay.calls.iter().enumerate() {
        let (sign, word) = match call.agreement {
            Agreement::Same => ('+', "the same here"),
            Agreement::Differs => ('~', "differs here"),
            Agreement::Unanswered => ('.', "no answer of the server"),
            Agreement::Foreign => ('?', "no such tool here"),
        };
        let Some(made) = replay.made(n) else { continue };
        out.line(format!("{sign} {} {}: {word}", n + 1, made.call.tool))?;
        if call.agreement == Agreement::Differs {
            out.line(format!("    server  {}", call.remote.as_deref().unwrap_or_default()))?;
            out.line(format!("    here    {}", made.outcome.answer.text))?;
        }
        if call.agreement != Agreement::Foreign {
            out.line(format!("    {}", replay.why(n)))?;
        }
    }
    let (same, differ) = replay.tally();
    let same = text::count_of(same, "answer the same", "answers the same");
    out.line(format!("{same}, {} differ", text::group(differ as u64)))
}

/// Two beside each other, when one of them is a response: both are, or the other is a run with an episode of its task.
pub(super) fn pair(a: &Path, b: &Path) -> Result<Option<response::Pair>, Failure> {
    let name = |path: &Path| path.display().to_string();
    let response = |path: &Path, t: Transcript| (name(path), Half::Response(Box::new(t)));
    let recorded = |path: &Path, beside: &Transcript, which: &str| {
        if !is_source(path) {
            let (is, other) = if which == "A" { ("B", "A") } else { ("A", "B") };
            let says = format!("{is} is a response and {other} is none: compare it with another or with a run");
            return Err(Failure::Refused(says));
        }
        Ok((name(path), Half::recorded(path, beside).map_err(Failure::Refused)?))
    };
    Ok(match (read(a), read(b)) {
        (Some(of_a), Some(of_b)) => Some(response::Pair::of(response(a, of_a), response(b, of_b))),
        (Some(of_a), None) => {
            let of_b = recorded(b, &of_a, "B")?;
            Some(response::Pair::of(response(a, of_a), of_b))
        }
        (None, Some(of_b)) => {
            let of_a = recorded(a, &of_b, "A")?;
            Some(response::Pair::of(of_a, response(b, of_b)))
        }
        (None, None) => None,
    })
}

/// Opens two on a screen, or prints them without a terminal.
pub(super) fn open_pair(args: &OpenArgs, pair: response::Pair, out: &mut Output) -> Result<(), Failure> {
    if args.arm.is_some() || args.seed.is_some() {
        return Err(Failure::Usage("--arm and --seed are for one tool file, not for responses".to_owned()));
    }
    if !open::has_terminal() {
        return print_pair(&pair, false, false, out);
    }
    let link = tui::Link::Pair { aligned: Box::new(Aligned::of_pair(pair)) };
    open::screens(args.tools.as_deref(), &args.set, None, None, link)
}

/// Prints them as a page, as Markdown or as JSON.
pub(super) fn print_pair(pair: &response::Pair, json: bool, markdown: bool, out: &mut Output) -> Result<(), Failure> {
    if json {
        return out.json(&pair.to_value());
    }
    let page: Page = pair.page();
    if markdown {
        return out.raw(page.markdown().as_bytes());
    }
    page.lines().into_iter().try_for_each(|line| out.line(line))
}
