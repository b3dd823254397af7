//! Which calls of the reference solution are still to come.
use super::same_call;
use crate::engine::State;
use crate::schema::same;
use crate::task::{Call, Task};
use crate::value::{Str, Value};

/// The reference calls of a task, each with what would make it needless.
#[derive(Debug)]
pub(super) struct Reference {
    calls: Vec<Planned>,
}

#[derive(Debug)]
struct Planned {
    call: Call,
    /// Steps this call is for. Once all are done or served it has nothing left to do. Empty for calls that no step
    /// names (a read-back) and for those of the bad read, which are made again on purpose.
    steps: Vec<usize>,
}

impl Reference {
    pub(super) fn new(task: &Task) -> Self {
        let bad = task.bad_read.as_ref().map(|bad| bad.step);
        let plan = |call: &Call| {
            let serves = |i: usize| {
                let step = &task.steps[i];
                let carries =
                    |(name, value): &(Str, Value)| call.arguments.get(name).is_some_and(|got| same(got, value));
                step.tool == call.tool && Some(i) != bad && step.matching.iter().all(carries)
            };
            Planned { call: call.clone(), steps: (0..task.steps.len()).filter(|i| serves(*i)).collect() }
        };
        Self { calls: task.reference_calls.iter().map(plan).collect() }
    }

    /// How many reference calls are covered after one more call, made at `state`.
    pub(super) fn covered(&self, before: usize, state: &State, call: &Call) -> usize {
        let next = self.needed(before, state).next();
        next.filter(|(_, planned)| same_call(&planned.call, call)).map_or(before, |(i, _)| i + 1)
    }

    /// The reference calls from the first not covered on, without those that have nothing left to do.
    pub(super) fn left(&self, covered: usize, state: &State) -> impl Iterator<Item = &Call> {
        self.needed(covered, state).map(|(_, planned)| &planned.call)
    }

    fn needed(&self, from: usize, state: &State) -> impl Iterator<Item = (usize, &Planned)> {
        self.calls
            .iter()
            .enumerate()
            .skip(from)
            .filter(|(_, planned)| planned.steps.is_empty() || !planned.steps.iter().all(|step| state.passed(*step)))
    }
}
