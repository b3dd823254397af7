//! Many episodes played on all cores, committed whole in plan order.
//!
//! Owns: playing a planned run with a player, its folder's contents, resuming, the card of a run, opening and comparing runs
//! and cards. Does not own: figures (`card`), lines and files (`record`), or what is printed (`cli`).

mod clock;
mod execute;
mod folder;
mod plan;
mod play;
mod trace;

pub use clock::utc;
pub use execute::{Finished, Progress, Ready, RunRequest, prepare};
pub use folder::RunFolder;
pub use plan::{GENERATOR, MOST_ATTEMPTS, Own, RunPlan};
pub use play::{Episode, MAX_TURNS, Slips, Turn, play};
pub use trace::{Trace, TraceStep, record, trace_line};

/// The published hash of the generator of tasks (rules 7.10).
pub fn generator_hash() -> &'static str {
    "unpublished"
}
