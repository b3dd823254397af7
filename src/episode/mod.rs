//! One task being played: the calls made, where one stands in them, branches, the ending, the players.
//!
//! (Skeleton: the owner of `episode` splits it into files and fills it in.)
use crate::engine::{Ending, Engine, Outcome, State, Verdict};
use crate::task::{Call, Task};
use std::sync::Arc;

/// A call made, and what it did.
#[derive(Debug, Clone)]
pub struct Made {
    /// The call.
    pub call: Call,
    /// What it did.
    pub outcome: Outcome,
}

/// A task being played. Calls after the cursor are the future: kept until another call is made there, which starts a
/// branch.
#[derive(Debug, Clone)]
pub struct Episode {}

impl Episode {
    /// Starts a task.
    pub fn new(_task: Arc<Task>) -> Self {
        todo!()
    }
    /// The engine at play.
    pub fn engine(&self) -> &Arc<Engine> {
        todo!()
    }
    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        todo!()
    }
    /// Every call of the current branch, the future included.
    pub fn calls(&self) -> &[Arc<Made>] {
        todo!()
    }
    /// How many of them lie before the cursor.
    pub fn cursor(&self) -> usize {
        todo!()
    }
    /// The state at the cursor.
    pub fn state(&self) -> State {
        todo!()
    }
    /// The state after the first `n` calls.
    pub fn state_at(&self, _n: usize) -> State {
        todo!()
    }
    /// Makes a call at the cursor. The same call as the next of the future only moves forward; another starts a branch.
    pub fn make(&mut self, _call: Call) -> Arc<Made> {
        todo!()
    }
    /// One call back; false at the start. An ending is undone first.
    pub fn back(&mut self) -> bool {
        todo!()
    }
    /// One call forward; false at the end.
    pub fn forward(&mut self) -> bool {
        todo!()
    }
    /// Puts the cursor after `n` calls (clamped).
    pub fn go_to(&mut self, _n: usize) {
        todo!()
    }
    /// Ends the episode here; [`Ending::Open`] undoes it.
    pub fn end(&mut self, _ending: Ending) {
        todo!()
    }
    /// How it ended at the cursor.
    pub fn ending(&self) -> Ending {
        todo!()
    }
    /// The verdict at the cursor.
    pub fn verdict(&self) -> Verdict {
        todo!()
    }
    /// The next call of the reference solution from here: the first that the calls made do not cover in order.
    pub fn next_reference(&self) -> Option<Call> {
        todo!()
    }
    /// The reference calls still to come.
    pub fn reference_left(&self) -> Vec<Call> {
        todo!()
    }
}
