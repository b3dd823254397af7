//! One task being played: the calls made, where one stands in them, branches, the ending, the players.
//!
//! Owns: history and time travel, breakpoints and watches, blame, the difference of two points, sending calls again on
//! another task, exports, the messages an agent would see. Does not own: what a call does (`engine`), what is drawn on a
//! screen, or where an episode is saved.
//!
//! ```
//! # use rehearsal::plan::{PlanSettings, Planner};
//! # use rehearsal::toolfile::{ReadOptions, read};
//! # use std::sync::Arc;
//! # let bytes = std::fs::read("examples/hotel/hotel.mcp.json")?;
//! # let planner = Planner::new(Arc::new(read(&bytes, &ReadOptions::default())), PlanSettings::default()).unwrap();
//! use rehearsal::engine::Ending;
//! use rehearsal::episode::Episode;
//! use rehearsal::task::Dial;
//! let mut episode = Episode::new(Arc::new(planner.plan(Dial::Landed.at(1), 20).unwrap()));
//! let call = episode.next_reference().unwrap();
//! episode.make(call.clone());
//! episode.make(call);
//! episode.end(Ending::Reply);
//! assert_eq!(episode.verdict().label, "collateral_mutation", "it had gone through the first time");
//! assert!(episode.back());
//! # Ok::<(), std::io::Error>(())
//! ```
mod blame;
mod branch;
pub mod chain;
mod difference;
mod export;
pub mod messages;
pub mod players;
mod reference;
mod repeats;
mod running;
mod transfer;
mod watch;

pub use blame::{Blame, Source, blame_answer, blame_sent, blame_write};
pub use branch::Branch;
pub use difference::{Difference, difference};
pub use running::{Breakpoint, Ran, Stop, Until, stop};
pub use transfer::{Transfer, shown_name, transfer};
pub use watch::{Record, Watch, records};

pub use crate::engine::Made;

use crate::engine::{Ending, Engine, State, Verdict};
use crate::task::{Call, Task};
use crate::value::call_text;
use branch::Branches;
use reference::Reference;
use repeats::Repeats;
use std::sync::Arc;

/// Whether two calls are the same: one tool, arguments of one call text (so `1` and `1.0` are two calls, and the order
/// of the arguments does not matter).
pub fn same_call(a: &Call, b: &Call) -> bool {
    a.tool == b.tool && (a.arguments == b.arguments || call_text(&a.arguments) == call_text(&b.arguments))
}

/// A task being played. Calls after the cursor are the future: kept until another call is made there, which starts a
/// branch. Cheap to clone, however long: the calls are shared until one of the two makes another.
#[derive(Debug, Clone)]
pub struct Episode {
    engine: Arc<Engine>,
    reference: Arc<Reference>,
    branches: Arc<Branches>,
    /// The calls of the current branch.
    line: Arc<Vec<Arc<Made>>>,
    /// At `i`: how many reference calls the first `i` calls of the line cover.
    covered: Arc<Vec<usize>>,
    repeats: Arc<Repeats>,
    cursor: usize,
    /// How it is ended at the cursor.
    ended: Ending,
    /// How the current branch was ended behind its last call: kept when it is undone, as the future of calls is.
    last: Ending,
}

impl Episode {
    /// Starts a task.
    pub fn new(task: Arc<Task>) -> Self {
        Self::on(Arc::new(Engine::new(task)))
    }

    /// Starts a task on an engine that is there already; answers drawn by one are drawn for both.
    pub fn on(engine: Arc<Engine>) -> Self {
        let reference = Arc::new(Reference::new(engine.task()));
        Self {
            engine,
            reference,
            branches: Arc::default(),
            line: Arc::default(),
            covered: Arc::new(vec![0]),
            repeats: Arc::default(),
            cursor: 0,
            ended: Ending::Open,
            last: Ending::Open,
        }
    }

    /// The engine at play.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        self.engine.task()
    }

    /// Every call of the current branch, the future included.
    pub fn calls(&self) -> &[Arc<Made>] {
        &self.line
    }

    /// The calls before the cursor.
    pub fn past(&self) -> &[Arc<Made>] {
        &self.line[..self.cursor]
    }

    /// How many of the calls lie before the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The state at the cursor.
    pub fn state(&self) -> State {
        self.state_at(self.cursor)
    }

    /// The state after the first `n` calls (clamped).
    pub fn state_at(&self, n: usize) -> State {
        match n.min(self.line.len()).checked_sub(1) {
            Some(last) => self.line[last].outcome.state.clone(),
            None => self.engine.start(),
        }
    }

    /// Makes a call at the cursor. The same call as the next of the future only moves forward, the same call as that of
    /// another branch that parts here returns to it; any other call starts a branch when there is a future. An ending
    /// at the cursor is undone.
    pub fn make(&mut self, call: Call) -> Arc<Made> {
        if self.line.get(self.cursor).is_some_and(|next| same_call(&next.call, &call)) {
            self.step_over();
        } else if self.line.len() > self.cursor {
            match self.branches.parting(&self.line, self.cursor, &call) {
                Some(branch) => {
                    self.return_to(branch);
                    self.step_over();
                }
                None => {
                    let line = Arc::make_mut(&mut self.line);
                    Arc::make_mut(&mut self.branches).part(line, &mut self.last, self.cursor);
                    Arc::make_mut(&mut self.covered).truncate(self.cursor + 1);
                    Arc::make_mut(&mut self.repeats).truncate(self.cursor);
                    self.append(call);
                }
            }
        } else {
            self.append(call);
        }
        self.line[self.cursor - 1].clone()
    }

    /// Moves over the next call of the line.
    fn step_over(&mut self) {
        self.ended = Ending::Open;
        self.cursor += 1;
    }

    /// Plays a call at the end of the line; the ending there is dropped.
    fn append(&mut self, call: Call) {
        let state = self.state();
        let outcome = self.engine.step(&state, &call);
        let covered = self.reference.covered(self.covered[self.cursor], &state, &call);
        Arc::make_mut(&mut self.covered).push(covered);
        Arc::make_mut(&mut self.repeats).push(&call);
        Arc::make_mut(&mut self.line).push(Arc::new(Made { call, outcome }));
        self.last = Ending::Open;
        self.step_over();
    }

    /// One step back: an ending at the cursor is undone first, then calls; false at the start.
    pub fn back(&mut self) -> bool {
        if self.ended != Ending::Open {
            self.ended = Ending::Open;
            return true;
        }
        self.cursor = match self.cursor.checked_sub(1) {
            Some(cursor) => cursor,
            None => return false,
        };
        true
    }

    /// One step forward: the next call, after the last one an ending that was undone; false when there is neither.
    pub fn forward(&mut self) -> bool {
        if self.cursor < self.line.len() {
            self.step_over();
            return true;
        }
        let goes_on = self.ended == Ending::Open && self.last != Ending::Open;
        if goes_on {
            self.ended = self.last;
        }
        goes_on
    }

    /// Puts the cursor after `n` calls (clamped); an ending at another place is undone.
    pub fn go_to(&mut self, n: usize) {
        let n = n.min(self.line.len());
        if n != self.cursor {
            self.ended = Ending::Open;
            self.cursor = n;
        }
    }

    /// Ends the episode here. After the last call the branch ends this way from now on, before it only as long as the cursor
    /// stays there; [`Ending::Open`] takes the ending at the cursor away for good.
    pub fn end(&mut self, ending: Ending) {
        self.ended = ending;
        if self.cursor == self.line.len() {
            self.last = ending;
        }
    }

    /// How it ended at the cursor.
    pub fn ending(&self) -> Ending {
        self.ended
    }

    /// The ending behind the last call of the branch that was undone and can be returned to; open when there is none.
    pub fn undone(&self) -> Ending {
        if self.cursor == self.line.len() && self.ended != Ending::Open { Ending::Open } else { self.last }
    }

    /// The verdict at the cursor.
    pub fn verdict(&self) -> Verdict {
        self.engine.verdict(&self.state(), self.ending())
    }

    /// The next call of the reference solution from here: the first that the calls made do not cover in order, passing
    /// over those whose step is done or served already.
    pub fn next_reference(&self) -> Option<Call> {
        self.reference.left(self.covered[self.cursor], &self.state()).next().cloned()
    }

    /// The reference calls still to come.
    pub fn reference_left(&self) -> Vec<Call> {
        self.reference.left(self.covered[self.cursor], &self.state()).cloned().collect()
    }

    /// The last call before the one at an index that is the same call, by index.
    pub fn same_before(&self, index: usize) -> Option<usize> {
        self.repeats.before(index, &self.line)
    }

    /// How many branches there are.
    pub fn branch_count(&self) -> usize {
        self.branches.count()
    }

    /// The branches, the current one too, in the order they were started.
    pub fn branches(&self) -> Vec<Branch> {
        self.branches.list(self.line.len(), self.last)
    }

    /// Which of the branches is the current one.
    pub fn branch(&self) -> usize {
        self.branches.current()
    }

    /// The calls of a branch, all of them; none for an unknown one.
    pub fn branch_calls(&self, branch: usize) -> Vec<Arc<Made>> {
        self.branches.calls(branch, &self.line)
    }

    /// The call of a branch at an index.
    pub fn branch_call(&self, branch: usize, index: usize) -> Option<&Arc<Made>> {
        self.branches.call(branch, index, &self.line)
    }

    /// Returns to a branch, the cursor where the two diverge; false for an unknown one.
    pub fn return_to(&mut self, branch: usize) -> bool {
        if branch >= self.branches.count() {
            return false;
        }
        if branch == self.branches.current() {
            return true;
        }
        self.ended = Ending::Open;
        let line = Arc::make_mut(&mut self.line);
        let shared = Arc::make_mut(&mut self.branches).switch(branch, line, &mut self.last);
        Arc::make_mut(&mut self.covered).truncate(shared + 1);
        Arc::make_mut(&mut self.repeats).truncate(shared);
        for i in shared..self.line.len() {
            let covered = self.reference.covered(self.covered[i], &self.state_at(i), &self.line[i].call);
            Arc::make_mut(&mut self.repeats).push(&self.line[i].call);
            Arc::make_mut(&mut self.covered).push(covered);
        }
        self.cursor = self.cursor.min(shared);
        true
    }
}
