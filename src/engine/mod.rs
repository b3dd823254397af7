//! The state machine: (task, state, call) to state, answer, rule, changes (rules chapters 4, 6, 7).
//!
//! Owns: matching, the store, dials at play, answers in each format's idiom, the verdict, `explain`. Does not own: how a
//! task is drawn (`plan`) or which calls were made before (`episode`). Pure: no clock, no files.
//!
//! An [`Engine`] holds a task made ready to play; a [`State`] is what the calls so far left behind and is cheap to keep;
//! [`Engine::step`] gives an [`Outcome`] whose [`Rule`], [`Shaping`] and [`Change`]s are data. Words for them are made by
//! [`explain`] when somebody asks.
//!
//! ```
//! # use rehearsal::plan::{PlanSettings, Planner};
//! # use rehearsal::toolfile::{ReadOptions, read};
//! # use std::sync::Arc;
//! # let bytes = std::fs::read("examples/hotel/hotel.mcp.json")?;
//! # let planner = Planner::new(Arc::new(read(&bytes, &ReadOptions::default())), PlanSettings::default()).unwrap();
//! use rehearsal::engine::{Ending, Engine};
//! use rehearsal::task::Dial;
//! let task = Arc::new(planner.plan(Dial::Faults.at(1), 0).unwrap());
//! let engine = Engine::new(task.clone());
//! let call = &task.reference_calls[0];
//! let first = engine.step(&engine.start(), call);
//! assert_eq!(first.answer.code.unwrap().word(), "unavailable");
//! let second = engine.step(&first.state, call);
//! assert!(second.answer.code.is_none());
//! assert_eq!(engine.verdict(&second.state, Ending::Reply).label, "passed");
//! # Ok::<(), std::io::Error>(())
//! ```
mod answer;
mod cache;
pub mod explain;
mod idiom;
mod json;
mod matching;
mod persist;
mod placing;
mod respond;
mod rule;
mod state;
mod step;
mod store;
mod tools;
mod verdict;

pub use crate::task::Ending;
pub use answer::{Answer, Code};
pub use idiom::{error as error_answer, success as success_answer};
pub use respond::{read_answer, respond};
pub use rule::{BadTold, Change, Made, Mismatch, Nearest, Outcome, Rule, Shaping, Stale};
pub use state::State;
pub use store::{Write, WriteKind, Writes};
pub use verdict::Verdict;

use crate::task::{StepEffect, Task};
use crate::value::Str;
use cache::{Cache, Drawn};
use state::{Counts, Fields, Flags};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use tools::Shown;

/// A task made ready to play: draws keyed, schemas cleaned, answers cached by (tool, arguments). Shared between threads.
#[derive(Debug)]
pub struct Engine {
    task: Arc<Task>,
    /// By place in the block, each made ready when it is first called.
    tools: Vec<OnceLock<Box<Shown>>>,
    /// Where the tools of a large block stand.
    index: OnceLock<HashMap<Str, usize>>,
    cache: Cache,
}

/// Tools of a block up to this many are looked for one by one.
const SMALL_BLOCK: usize = 16;

impl Engine {
    /// Prepares a task. Cheap: what a tool needs is worked out when it is first called.
    pub fn new(task: Arc<Task>) -> Self {
        let tools = task.block.iter().map(|_| OnceLock::new()).collect();
        Self { task, tools, index: OnceLock::new(), cache: Cache::default() }
    }

    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    /// The state before the first call.
    pub fn start(&self) -> State {
        let steps = &self.task.steps;
        State::from_fields(Fields {
            counts: Counts::new(self.tools.len()),
            passed: Flags::new(steps.len()),
            open_writes: steps.iter().filter(|s| s.effect == StepEffect::Write).count(),
            ..Fields::default()
        })
    }

    /// Where a tool stands in the block; a name shown twice is the first of its name.
    pub fn index(&self, tool: &str) -> Option<usize> {
        let block = &self.task.block;
        if block.len() <= SMALL_BLOCK {
            return block.iter().position(|shown| *shown.name == *tool);
        }
        let index = || block.iter().enumerate().rev().map(|(i, shown)| (shown.name.clone(), i)).collect();
        self.index.get_or_init(index).get(tool).copied()
    }

    /// The tool at a place of the block, made ready.
    fn tool(&self, index: usize) -> Option<&Shown> {
        let (kept, shown) = (self.tools.get(index)?, self.task.block.get(index)?);
        Some(kept.get_or_init(|| Box::new(Shown::new(&self.task, shown))))
    }

    /// The checkable arguments of a shown tool, in schema order (rules 5.1).
    pub fn checkable(&self, tool: &str) -> &[Str] {
        self.task.shown(tool).map_or(&[], |shown| shown.tool.checkable())
    }

    /// The base answer of a call, drawn once and kept.
    fn drawn(&self, tool: &Shown, arguments_text: &str) -> Arc<Drawn> {
        self.cache.get_or_draw(&tool.name, arguments_text, || {
            let key = tool.key(arguments_text);
            Drawn { value: tool.base(&key), key, text: OnceLock::new() }
        })
    }
}
