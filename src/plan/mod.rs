//! Planning: a tool set and settings to the arms it reaches and the tasks planned on it (rules chapters 5 and 7.5).
//!
//! Owns: what a set can be asked for, one file a dial, flows and chains, the words of requests and prompts, wrong
//! answers, token counts, the published hash of all of it. Does not own: reading files (`toolfile`), the keyed draw
//! (`schema`), or playing a task (`engine`), which it only uses to check that every reference solution passes.
//!
//! Everything is drawn by key: the same file, settings, arm and seed give the same task, whoever plans it and when.
//!
//! ```
//! use rehearsal::plan::{PlanSettings, Planner};
//! use rehearsal::task::Dial;
//! use rehearsal::toolfile::{ReadOptions, read};
//! use std::sync::Arc;
//! let bytes = std::fs::read("examples/hotel/hotel.mcp.json")?;
//! let planner = Planner::new(Arc::new(read(&bytes, &ReadOptions::default())), PlanSettings::default()).unwrap();
//! assert_eq!(planner.levels(Dial::Block).unwrap(), [8, 16]);
//! assert!(planner.levels(Dial::Depth).is_err(), "needs a flow");
//! let task = planner.plan(Dial::BadData.at(2), 0).unwrap();
//! assert_eq!(task, planner.plan(Dial::BadData.at(2), 0).unwrap(), "drawn by key");
//! # Ok::<(), std::io::Error>(())
//! ```

mod arguments;
mod baddata;
mod base;
mod block;
mod depth;
mod draft;
mod draws;
mod failures;
mod flows;
pub mod golden;
mod history;
mod near_miss;
mod path;
mod planner;
mod prompt;
mod readback;
mod set;
mod shape;
mod similarity;
mod spread;
mod suggest;
pub mod tokens;
mod verify;
mod words;
mod wrong;

pub use flows::Flow;
pub use planner::{NO_FLOWS, NO_READ, Planner};
pub use suggest::{fits, likely_flows, likely_reads};

/// What a user declares beside the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanSettings {
    /// Tool and the sentence to ask for it with.
    pub intents: Vec<(String, String)>,
    /// Flows.
    pub flows: Vec<Flow>,
}

/// A refusal of a level, a seed or a setting: one line.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanError(pub String);

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}
