//! block: how many tools are shown; smaller blocks nest in larger ones (rules 5.4).
use super::draft::Draft;
use super::draws::Draws;
use super::{Planner, base};
use crate::task::Arm;
use std::sync::Arc;

/// The sizes a block may have.
const SIZES: [u32; 4] = [8, 16, 32, 64];

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let tools = planner.set.tools.len();
    let levels: Vec<u32> = SIZES.into_iter().filter(|&k| k as usize <= tools).collect();
    if levels.is_empty() {
        return Err(format!("needs at least 8 tools; this file has {tools}"));
    }
    Ok(levels)
}

/// The base task shown with the target and the best ranked of the others, in file order.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Draft {
    let mut draft = base::draft(planner, arm, draws);
    let mut ranked: Vec<(bool, u64, usize)> = planner
        .set
        .tools
        .iter()
        .enumerate()
        .map(|(i, t)| (i != draft.target, draws.rank(&format!("block/{}", t.tool.name)), i))
        .collect();
    let name = |i: usize| &planner.set.tools[i].tool.name;
    ranked.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| name(a.2).cmp(name(b.2))));
    ranked.truncate(arm.level as usize);
    let mut shown: Vec<usize> = ranked.into_iter().map(|r| r.2).collect();
    shown.sort_unstable();
    draft.task.block = Arc::new(shown.into_iter().map(|i| planner.block[i].clone()).collect());
    draft
}
