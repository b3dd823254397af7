//! `rehearsal doctor`: what the program finds around it, and where each value comes from.

mod look;
mod report;

use super::output::Output;
use super::{Failure, SetFlags};
use crate::text;
use clap::Args;
use report::Report;
use std::path::PathBuf;

/// Prints the terminal, colours, settings, themes and folders as the program finds them, each value with its origin. With a
/// tool file also the settings that hold for it. Exit 1 when something is to be mended.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  rehearsal doctor\n  rehearsal doctor examples/orders/orders.openai.json\n  \
                         rehearsal doctor --json")]
pub struct DoctorArgs {
    /// The tool file to settle the settings of.
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
        n => Err(Failure::Refused(format!("{} to mend, each marked with !", text::count(n, "thing")))),
    }
}
