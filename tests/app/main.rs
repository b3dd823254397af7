//! The whole program: subcommands, screens, keys, the binary in a terminal.

mod cli;
mod driver;
mod keys;
mod program;
mod random;
mod screens;
mod vectors;
mod vt;
