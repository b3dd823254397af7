//! `rehearsal completions` and `rehearsal man`: made from the same definitions as the help.

use super::output::Output;
use super::{Arguments, Failure};
use clap::{Args, CommandFactory};

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        mkdir -p ~/.local/share/bash-completion/completions && \\\n    \
        rehearsal completions bash > \\\n    \
        ~/.local/share/bash-completion/completions/rehearsal\n  \
        mkdir -p ~/.zfunc && rehearsal completions zsh > ~/.zfunc/_rehearsal")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Print the manual page, or one of a subcommand.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  rehearsal man > rehearsal.1\n  rehearsal man step > rehearsal-step.1")]
pub struct ManArgs {
    /// The subcommand; the whole program without it.
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Runs `completions`.
pub fn completions(args: &CompletionsArgs, out: &mut Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "rehearsal", &mut script);
    out.raw(&script)
}

/// Runs `man`.
pub fn man(args: &ManArgs, out: &mut Output) -> Result<(), Failure> {
    let whole = Arguments::command();
    let command = match &args.subcommand {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::Refused(format!("no such subcommand: {name}; rehearsal --help lists them")))?,
    };
    let title = args.subcommand.as_ref().map_or_else(|| "rehearsal".to_owned(), |name| format!("rehearsal-{name}"));
    let mut page = Vec::new();
    clap_mangen::Man::new(command).title(title).render(&mut page)?;
    out.raw(&page)
}
