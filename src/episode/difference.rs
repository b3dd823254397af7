//! The difference of the store between two points of an episode, whatever branches they lie on.
use super::watch::{Record, records};
use crate::engine::{State, Write};
use crate::task::Task;

/// What differs between two states of one task. Going back, what was added is removed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// Writes of the second point that the first has not, with their indices.
    pub added: Vec<(usize, Write)>,
    /// Writes of the first point that the second has not, with their indices.
    pub removed: Vec<(usize, Write)>,
    /// Records that hold something else: at the first point, at the second.
    pub records: Vec<(Record, Record)>,
    /// Steps done or served at the second point alone.
    pub passed: Vec<usize>,
    /// Steps done or served at the first point alone.
    pub reopened: Vec<usize>,
}

impl Difference {
    /// Whether the two stores are the same.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }
}

/// What differs in the store from one state to another of the same task.
pub fn difference(task: &Task, from: &State, to: &State) -> Difference {
    let shared = from.writes().shared_with(to.writes());
    let rest = |state: &State| -> Vec<_> {
        (shared..state.writes().len()).filter_map(|i| Some((i, state.writes().get(i)?.clone()))).collect()
    };
    let pairs = records(task, from).into_iter().zip(records(task, to));
    let only = |a: &State, b: &State| (0..task.steps.len()).filter(|i| a.passed(*i) && !b.passed(*i)).collect();
    Difference {
        added: rest(to),
        removed: rest(from),
        records: pairs.filter(|(a, b)| a.holds != b.holds).collect(),
        passed: only(to, from),
        reopened: only(from, to),
    }
}
