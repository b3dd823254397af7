//! Records of the store, and watches on them: stop when a record, or one field of one, changes.
use super::Made;
use crate::engine::{Change, State};
use crate::task::{StepEffect, Task};
use crate::value::{Str, Value};

/// The record an expected write moves: keyed by the tool and its matched arguments (rules 7.2).
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The write step.
    pub step: usize,
    /// The tool.
    pub tool: Str,
    /// The matched arguments.
    pub key: Vec<(Str, Value)>,
    /// What it holds: nothing before the expected write, its arguments after.
    pub holds: Option<Value>,
    /// The write that moved it, by index in the store.
    pub write: Option<usize>,
}

/// The records of a task at a state, one for each write step, in step order.
pub fn records(task: &Task, state: &State) -> Vec<Record> {
    let writes = task.steps.iter().enumerate().filter(|(_, step)| step.effect == StepEffect::Write);
    let record = |(index, step): (usize, &crate::task::Step)| {
        let write = state.write_of(index);
        Record {
            step: index,
            tool: step.tool.clone(),
            key: step.matching.clone(),
            holds: write.and_then(|w| state.writes().get(w)).map(|w| w.arguments.clone()),
            write,
        }
    };
    writes.map(record).collect()
}

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Watch {
    /// The record of a write step.
    Record(usize),
    /// One field of it.
    Field(usize, Str),
}

impl Watch {
    /// Whether a call changed what this looks at.
    pub fn hits(&self, made: &Made) -> bool {
        made.outcome.changes.iter().any(|change| match (change, self) {
            (Change::Record { step, .. }, Watch::Record(watched)) => step == watched,
            (Change::Record { step, after, .. }, Watch::Field(watched, field)) => {
                step == watched && after.get(field).is_some()
            }
            _ => false,
        })
    }

    /// Reads the number of a write step, or `STEP.FIELD`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('.') {
            None => text.parse().ok().map(Self::Record),
            Some((step, field)) if !field.is_empty() => Some(Self::Field(step.parse().ok()?, field.into())),
            Some(_) => None,
        }
    }

    /// The write step whose record it looks at.
    pub fn step(&self) -> usize {
        match self {
            Watch::Record(step) | Watch::Field(step, _) => *step,
        }
    }

    /// What is looked at, as a person calls it.
    pub fn words(&self) -> String {
        match self {
            Watch::Record(step) => format!("the record of step {step}"),
            Watch::Field(step, field) => format!("{} in the record of step {step}", crate::text::safe(field)),
        }
    }
}
