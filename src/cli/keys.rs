//! `rehearsal keys`: the key table, from the same source as the screens' footers and help.

use super::Failure;
use super::output::Output;
use crate::tui;
use clap::Args;

/// Print the keys of the screens as a Markdown table.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  rehearsal keys")]
pub struct KeysArgs {}

/// Runs the command.
pub fn run(_: &KeysArgs, out: &mut Output) -> Result<(), Failure> {
    out.lines(&tui::keys_markdown())
}
