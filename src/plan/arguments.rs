//! arguments: how many arguments the request states, each of them exactly once and no other (rules 5.4).
use super::draft::Draft;
use super::draws::Draws;
use super::planner::NO_TARGET;
use super::words::Detail;
use super::{PlanError, Planner, set::Prepared};
use crate::task::Arm;

/// The most arguments a request states.
const MOST: usize = 8;

/// The target with the most checkable arguments, the first of them on ties.
fn best(planner: &Planner) -> Option<usize> {
    let tools = &planner.set.tools;
    planner.set.targets.iter().copied().rev().max_by_key(|&i| tools[i].checkable.len())
}

/// Positions of the required checkable arguments, in the order of the `required` list.
fn required(tool: &Prepared) -> Vec<usize> {
    tool.required.iter().copied().filter(|&i| tool.props[i].checkable).collect()
}

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let Some(target) = best(planner) else { return Err(NO_TARGET.into()) };
    let tool = &planner.set.tools[target];
    let (low, high) = (required(tool).len().max(2), tool.checkable.len().min(MOST));
    if low <= high {
        return Ok((low..=high).map(|a| a as u32).collect());
    }
    Err(if tool.checkable.len() < 2 {
        "no goal tool takes two or more arguments that can be checked".into()
    } else {
        format!("{} requires {low} arguments that can be checked; a request states at most {MOST}", tool.tool.name)
    })
}

/// The base task of the best target with `level` arguments stated; optional ones enter in a drawn order.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let target = best(planner).ok_or_else(|| PlanError(NO_TARGET.into()))?;
    let tool = &planner.set.tools[target];
    let mut stated = required(tool);
    let mut left: Vec<usize> = tool.checkable.iter().copied().filter(|i| !stated.contains(i)).collect();
    for d in 0..left.len() {
        stated.push(left.remove(draws.pick(&format!("arguments/order/{d}"), left.len())));
    }
    stated.truncate(arm.level as usize);
    let values = draws.target_values(target, tool);
    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let call = tool.call(&tool.tool.name, &tool.called(&stated, None), &values);
    draft.expect(tool, call, tool.pairs(&tool.matched(&stated, None), &values), Vec::new());
    if let Some(step) = draft.task.steps.last_mut() {
        step.exact = true;
    }
    draft.task.stated = tool.pairs(&stated, &values);
    draft.task.request = planner.words.write(&planner.ask(target), &draft.task.stated, Detail::None);
    Ok(draft)
}
