//! A task is only given out when its reference solution passes (rules 5.9).
use super::draft::Draft;
use super::{PlanError, path};
use crate::engine::{Ending, Engine, Rule};
use crate::schema::same;
use crate::task::Task;
use std::sync::Arc;

/// Plays the reference and gives the task back, or says in one line why the seed is refused.
pub(super) fn verified(draft: Draft) -> Result<Task, PlanError> {
    let Draft { task, missing, .. } = draft;
    let task = Arc::new(task);
    match replay(&task) {
        Ok(()) => Ok(Arc::unwrap_or_clone(task)),
        Err(why) => Err(PlanError(match missing {
            Some((tool, name)) => format!("no value could be drawn for {name} of {tool}"),
            None => why,
        })),
    }
}

/// Whether the reference passes strict and leaky, every served value being in its answers.
fn replay(task: &Arc<Task>) -> Result<(), String> {
    let engine = Engine::new(task.clone());
    let mut state = engine.start();
    for call in &task.reference_calls {
        let outcome = engine.step_served(&state, call);
        if let Rule::ReadServed { step, .. } | Rule::WriteDone { step, landed: false } = outcome.rule {
            let told_badly = outcome.shaping.bad.is_some();
            for (field, value) in &task.steps[step].serves {
                let there = path::find(&outcome.answer.value, field).is_some_and(|found| same(found, value));
                if !there && !told_badly {
                    return Err(format!("the answer of {} has no place for {field}", call.tool));
                }
            }
        }
        state = outcome.state;
    }
    let verdict = engine.verdict(&state, Ending::Reply);
    if verdict.strict && verdict.leaky {
        return Ok(());
    }
    Err(format!("the reference solution for {} does not pass: {}", task.target_tool, verdict.label))
}
