//! `rehearsal compare`: two runs or cards side by side.

use super::card::write_html;
use super::output::Output;
use super::{Failure, response, ticker};
use crate::card::html::html;
use crate::run::Compared;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Compares two runs or cards: one sentence with the totals, the pass rate of every level, the tasks whose outcome
/// changed, call by call, and what produced each.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal compare examples/runs/careful examples/runs/hasty\n  \
        rehearsal compare examples/runs/careful examples/runs/hasty --fail-on worse\n  \
        rehearsal compare examples/runs/careful examples/runs/hasty --markdown \\\n    \
        > compare.md")]
pub struct CompareArgs {
    /// The baseline: a run folder, a card folder, or a saved response of a server.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The one to compare with it; better and worse are said of this one.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Exit 4 when a level of B is significantly worse, when an outcome changed, or when the two cannot be compared. Two
    /// that cannot be compared fail all three (repeatable, or with commas).
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    /// How many changed attempts to show call by call.
    #[arg(long, value_name = "N", default_value_t = 10)]
    episodes: usize,
    /// Also write the comparison to FILE as one self-contained HTML page with plots.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a build fails on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A level of B is significantly worse than A's.
    Worse,
    /// An outcome changed.
    Changed,
    /// The two cannot be compared.
    Different,
}

/// Runs the command.
pub fn run(args: &CompareArgs, out: &mut Output) -> Result<(), Failure> {
    if let Some(pair) = response::pair(&args.a, &args.b)? {
        response::print_pair(&pair, args.json, args.markdown, out)?;
        let failed = args.fail_on.contains(&FailOn::Changed) && !pair.is_same();
        return if failed { Err(Failure::Check("the responses are not the same".to_owned())) } else { Ok(()) };
    }
    let compared = Compared::of(ticker::open(&args.a)?, ticker::open(&args.b)?);
    if let Some(path) = &args.html {
        let page = compared.page(args.episodes).map_err(Failure::Refused)?;
        write_html(path, &html(&page, &compared.plots()))?;
    }
    if args.json {
        out.json(&compared.to_value().map_err(Failure::Refused)?)?;
    } else {
        let page = compared.page(args.episodes).map_err(Failure::Refused)?;
        if args.markdown {
            out.raw(page.markdown().as_bytes())?;
        } else {
            for line in page.lines() {
                out.line(line)?;
            }
        }
    }
    let comparison = &compared.comparison;
    let different = !comparison.verdict.is_ok();
    let failed = args.fail_on.iter().find(|on| match on {
        FailOn::Worse => comparison.is_worse(),
        FailOn::Changed => comparison.is_changed(),
        FailOn::Different => different,
    });
    let Some(failed) = failed else { return Ok(()) };
    Err(Failure::Check(match failed {
        _ if different => comparison.verdict.sentence.clone(),
        FailOn::Worse => {
            let worse: Vec<&str> = comparison.levels.iter().filter(|l| l.is_worse()).map(|l| &*l.arm_id).collect();
            format!("B is worse on {}", worse.join(", "))
        }
        _ => {
            let only = comparison.only.iter().map(Vec::len).sum::<usize>();
            let arms = if only > 0 {
                format!(", {} only on one side", crate::text::count(only, "arm"))
            } else {
                String::new()
            };
            format!("{} changed{arms}", crate::text::count(comparison.changed.len(), "outcome"))
        }
    }))
}
