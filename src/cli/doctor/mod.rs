//! `rehearsal doctor`: what the program finds, and where each value comes from.

mod look;
mod report;

use super::output::Output;
use super::{Failure, SetFlags};
use crate::text;
use clap::Args;
use report::Report;
use std::path::PathBuf;

/// Prints the terminal, colors, settings, themes and folders as the program finds them, each value with its origin. With a
/// tool file also its settings. Exits with 1 when something needs fixing.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  rehearsal doctor\n  rehearsal doctor examples/orders/orders.openai.json\n  \
                         rehearsal doctor --json")]
pub struct DoctorArgs {
    /// The tool file whose settings to show.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    flags: SetFlags,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &DoctorArgs, out: &mut Output) -> Result<(), Failure> {
    let mut report = Report::default();
    look::around(&mut report);
    if let Some(file) = &args.file {
        look::tool_file(&mut report, file, &args.flags)?;
    }
    if args.json {
        out.json(&report.to_value())?;
    } else {
        report.print(out)?;
    }
    match report.problems() {
        0 => Ok(()),
        n => Err(Failure::Refused(format!("{}, each marked with !", text::count(n, "problem")))),
    }
}
