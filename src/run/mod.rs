//! Many episodes played on all cores, committed whole in plan order.
//!
//! Owns: playing a planned run with a player, its folder's contents, resuming, the card of a run, opening and comparing runs
//! and cards. Does not own: figures (`card`), lines and files (`record`), or what is printed (`cli`).
//!
//! ```
//! use rehearsal::run::{Compared, Source};
//! use std::path::Path;
//! let open = |name: &str| Source::open(&Path::new("examples/runs").join(name)).unwrap();
//! assert_eq!(open("careful").episodes.passed(), 30);
//! let compared = Compared::of(open("careful"), open("hasty"));
//! assert!(compared.comparison.verdict.is_ok() && compared.comparison.is_worse());
//! ```

mod browse;
mod clock;
mod diff;
mod execute;
mod folder;
mod list;
mod live;
mod make_card;
mod page;
mod plan;
mod play;
mod plots;
mod provenance;
mod replay;
mod source;
mod trace;

pub use browse::{Browse, EpisodeLine, TaskLine};
pub use clock::utc;
pub use diff::{Both, Compared, EpisodePair};
pub use execute::{Finished, Progress, Ready, RunRequest, prepare};
pub use folder::RunFolder;
pub use list::{RunEntry, RunFigures, RunState, default_folder, folder_safe, list_runs};
pub use live::{LIVE, LiveRequest, LiveRun, MOST_CALLS, is_left, is_name, live_name, settle_left, was_held};
pub use make_card::{Checked, check_card, check_card_telling, write_card};
pub use plan::{GENERATOR, Own, RunPlan};
pub use play::{Episode, MAX_TURNS, Slips, Turn, play};
pub use plots::card_plots;
pub use provenance::provenance;
pub use replay::{Replayed, planner_of, planner_on, replay};
pub use source::{Source, SourceKind, Tell, card_folder, is_source, run_folder, same_file};
pub use trace::{Trace, TraceStep, record, trace_line};

/// The published hash of the generator of tasks (rules 7.10).
pub fn generator_hash() -> &'static str {
    crate::plan::golden::HASH
}
