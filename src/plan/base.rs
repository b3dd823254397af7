//! The base task that most dials vary: one write with every argument stated (rules 5.3).
use super::Planner;
use super::draft::Draft;
use super::draws::Draws;
use super::words::Detail;
use crate::task::Arm;
use crate::value::Value;

/// The target of a seed.
pub(super) fn target(planner: &Planner, draws: &Draws) -> usize {
    planner.set.targets[draws.pick("target", planner.set.targets.len())]
}

/// The base task of an arm and seed.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Draft {
    let target = target(planner, draws);
    let tool = &planner.set.tools[target];
    write(planner, arm, draws, target, &draws.target_values(target, tool))
}

/// A task of one write of `target` with these values, all of them stated.
pub(super) fn write(planner: &Planner, arm: Arm, draws: &Draws, target: usize, values: &[Option<Value>]) -> Draft {
    let tool = &planner.set.tools[target];
    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let stated = tool.stated(None);
    let call = tool.call(&tool.tool.name, &tool.called(&stated, None), values);
    draft.expect(tool, call, tool.pairs(&tool.matched(&stated, None), values), Vec::new());
    draft.task.stated = tool.pairs(&stated, values);
    draft.task.request = planner.words.write(&planner.ask(target), &draft.task.stated, Detail::None);
    draft
}
