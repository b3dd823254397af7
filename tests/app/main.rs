//! The whole program: subcommands, screens, the binary in a terminal.

mod cli;
mod program;
