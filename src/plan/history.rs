//! history: earlier reads and their answers before the request, up to a number of tokens (rules 5.4).
use super::draft::Draft;
use super::draws::{Draws, SPLIT, args};
use super::{Planner, base, tokens};
use crate::engine::respond;
use crate::task::{Arm, HistoryPair};
use crate::value::{call_text, canonical::compact};
use std::sync::PoisonError;

/// The levels, in tokens.
const LEVELS: [u32; 5] = [0, 300, 600, 1200, 2400];

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    if planner.set.reads.is_empty() {
        return Err(super::planner::NO_READ.into());
    }
    Ok(LEVELS.to_vec())
}

/// The base task behind `level` tokens of reads.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Draft {
    let mut draft = base::draft(planner, arm, draws);
    if arm.level > 0 {
        draft.task.history = Some(pairs(planner, draws, arm.level));
    }
    draft
}

/// Pairs until their tokens reach `level`; those of a lower level begin those of a higher one. A pair counts one token or
/// more, so there is an end.
fn pairs(planner: &Planner, draws: &Draws, level: u32) -> Vec<HistoryPair> {
    let reads = &planner.set.reads;
    let mut drawn = draws.history.lock().unwrap_or_else(PoisonError::into_inner);
    let mut pairs = Vec::new();
    let mut total: u32 = 0;
    while total < level {
        let i = pairs.len();
        if i == drawn.len() {
            let at = reads[draws.pick(&format!("history/tool/{i}"), reads.len())];
            drawn.push(pair(planner, draws, at, i));
        }
        total = total.saturating_add(drawn[i].tokens.max(1));
        pairs.push(drawn[i].clone());
    }
    pairs
}

fn pair(planner: &Planner, draws: &Draws, at: usize, i: usize) -> HistoryPair {
    let tool = &planner.set.tools[at];
    let required: Vec<usize> = (0..tool.props.len()).filter(|&p| tool.props[p].required).collect();
    let values = args(draws.key(), tool, &format!("history/args/{i}"), &required);
    let call = tool.call(&tool.tool.name, &required, &values);
    let key = (&*planner.reading.file_hash, draws.seed, SPLIT);
    let answer = respond(key, &planner.block[at], &call.arguments);
    let tokens =
        planner.name_tokens(at) + tokens::count(&compact(&call.arguments, true)) + tokens::count(&call_text(&answer));
    HistoryPair { call, answer, tokens }
}
