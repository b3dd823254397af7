//! Runs and cards: figures, folders, resuming, comparing.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should stop where it is")]

mod cli;
mod compare;
mod damaged;
mod players;
mod published;
mod resume;
mod sets;
