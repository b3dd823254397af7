//! The dials that plan failures: faults, timeouts, ratelimits (rules 5.4, 7.5).
use super::draft::Draft;
use super::draws::Draws;
use super::{Planner, base};
use crate::task::{Arm, Call, Dial, FaultPlan};
use crate::value::Str;

/// The levels of all three: failures planned.
pub(super) const LEVELS: [u32; 4] = [0, 1, 2, 4];

/// The base task with `level` failures planned on the way of its reference, which makes each failed call again.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Draft {
    let mut draft = base::draft(planner, arm, draws);
    let task = &mut draft.task;
    let plan = split(arm.level, &task.reference_calls);
    task.reference_calls = with_repeats(std::mem::take(&mut task.reference_calls), &plan);
    match arm.dial {
        Dial::Timeouts => task.timeout_plan = plan,
        Dial::RateLimits => task.rate_limit_plan = plan,
        _ => task.fault_plan = plan,
    }
    draft
}

/// Splits `level` failures over the distinct tools of a path as evenly as can be, the earlier ones taking what is over;
/// tools that get none are left out.
fn split(level: u32, path: &[Call]) -> FaultPlan {
    let mut tools: Vec<Str> = Vec::new();
    for call in path {
        if !tools.contains(&call.tool) {
            tools.push(call.tool.clone());
        }
    }
    let n = tools.len().max(1) as u32;
    tools
        .into_iter()
        .zip(0..)
        .map(|(tool, i)| (tool, level / n + u32::from(i < level % n)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// The path with each tool's first call made again for each failure planned for it.
fn with_repeats(path: Vec<Call>, plan: &FaultPlan) -> Vec<Call> {
    let mut left = plan.clone();
    let mut made = Vec::with_capacity(path.len() + 4);
    for call in path {
        if let Some(at) = left.iter().position(|(tool, _)| *tool == call.tool) {
            let (_, count) = left.remove(at);
            made.extend((0..count).map(|_| call.clone()));
        }
        made.push(call);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{split, with_repeats};
    use crate::task::Call;
    use crate::value::{Map, Str, Value};

    fn path(tools: &[&str]) -> Vec<Call> {
        tools.iter().map(|t| Call { tool: Str::from(*t), arguments: Value::object(Map::new()) }).collect()
    }

    #[test]
    fn failures_are_split_evenly_and_earlier_tools_take_what_is_over() {
        let counts = |level, tools: &[&str]| split(level, &path(tools)).into_iter().map(|p| p.1).collect::<Vec<_>>();
        assert_eq!(counts(4, &["a", "b", "c"]), [2, 1, 1]);
        assert_eq!(counts(4, &["a", "a"]), [4]);
        assert_eq!(counts(1, &["a", "b", "c"]), [1]);
        assert_eq!(counts(0, &["a"]), Vec::<u32>::new());
    }

    #[test]
    fn each_tool_s_first_call_is_made_again() {
        let calls = path(&["a", "b", "a"]);
        let names: Vec<Str> = with_repeats(calls.clone(), &split(3, &calls)).into_iter().map(|c| c.tool).collect();
        assert_eq!(names.iter().map(|n| &**n).collect::<Vec<_>>(), ["a", "a", "a", "b", "b", "a"]);
    }
}
