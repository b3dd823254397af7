//! The verdict of rules 6, read off the state.
use super::Engine;
use super::state::State;
use super::store::Writes;
use crate::task::Ending;

/// The verdict of rules 6.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Strict pass.
    pub strict: bool,
    /// Leaky pass.
    pub leaky: bool,
    /// The strict label.
    pub label: &'static str,
    /// The lowest clause that fired, if one did.
    pub clause: Option<u8>,
    /// Every write step done.
    pub goal: bool,
    /// No side effect.
    pub clean: bool,
    /// Accepted writes: tool, arguments, expected or side effect.
    pub mutations: Writes,
    /// How many were duplicates.
    pub duplicates: usize,
}

impl Engine {
    /// The verdict at a state, given how the episode ended.
    pub fn verdict(&self, state: &State, ending: Ending) -> Verdict {
        let (goal, clean) = (state.goal(), state.side_effects() == 0);
        let judged = ending != Ending::Open
            && !state.defective()
            && !self.task().block.is_empty()
            && !self.task().steps.is_empty();
        let label = if !judged {
            "verifier_error"
        } else if goal && clean && ending == Ending::Reply {
            "passed"
        } else if state.clause().is_some() {
            "malformed_call"
        } else if ending == Ending::Limit {
            "turn_limit"
        } else if !goal {
            "wrong_state"
        } else {
            "collateral_mutation"
        };
        Verdict {
            strict: label == "passed",
            leaky: judged && goal,
            label,
            clause: state.clause(),
            goal,
            clean,
            mutations: state.writes().clone(),
            duplicates: state.duplicates(),
        }
    }
}
