//! Which planned task a request means.

use super::super::stage::Choice;
use super::{File, House};
use crate::task::Arm;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::harness::Rehearsal;

/// Longest input that is looked up among planned requests, in bytes.
const LONGEST_REQUEST: usize = 64 * 1024;

/// A planned task and why it was this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) arm: Arm,
    pub(super) seed: u64,
    pub(super) how: How,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The metadata named it.
    Metadata,
    /// The input named it.
    Named,
    /// The input is its request.
    Request,
    /// Nothing did: it is the session's next.
    Turn,
}

impl How {
    pub(super) fn word(self) -> &'static str {
        match self {
            How::Metadata => "metadata",
            How::Named => "input",
            How::Request => "request",
            How::Turn => "turn",
        }
    }

    /// Why this task, as the message says it.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            How::Metadata => "The metadata named this task.",
            How::Named => "The input named this task.",
            How::Request => "The input is this task's request.",
            How::Turn => "The input names no planned task, so this is the one at the session's turn.",
        }
    }
}

/// An input that names an arm, a seed or a planned task and says nothing else: `faults:f2 seed 0`, `task 3`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Named {
    pub(super) arm: Option<Arm>,
    pub(super) seed: Option<u64>,
    pub(super) task: Option<usize>,
}

/// Reads such an input.
pub(super) fn named(text: &str) -> Option<Named> {
    let text = text.trim().trim_end_matches('.');
    if text.len() > 100 {
        return None;
    }
    let mut words = text.split([' ', ',', '=', '\t', '\n']).filter(|w| !w.is_empty());
    let mut named = Named::default();
    let mut first = words.next()?;
    if let Some(arm) = Arm::parse(first) {
        named.arm = Some(arm);
        let Some(next) = words.next() else { return Some(named) };
        first = next;
    }
    let number = words.next()?;
    match first.to_ascii_lowercase().as_str() {
        "seed" => named.seed = Some(number.parse().ok()?),
        "task" => named.task = Some(number.parse().ok()?),
        _ => return None,
    }
    words.next().is_none().then_some(named)
}

/// The seed of a planned task by its number from 1.
pub(super) fn planned(seeds: &[u64], task: usize) -> Option<u64> {
    seeds.get(task.checked_sub(1)?).copied()
}

/// The refusal of a number that no planned task has.
pub(super) fn no_such_task(seeds: &[u64]) -> Problem {
    let message = format!("The harness plans {} tasks, counted from 1.", seeds.len());
    Problem::new(Code::HarnessError, message)
}

/// The planned task: what the metadata names, what the input names, whose request the input is, or the one at the
/// session's turn.
pub(super) fn choose(house: &House, file: &File, rehearsal: &Rehearsal, choice: &Choice) -> Result<Chosen, Problem> {
    let seeds = file.seeds(rehearsal);
    let at = |task: usize| planned(seeds, task).ok_or_else(|| no_such_task(seeds));
    let by_turn = || seeds.get(choice.turn % seeds.len().max(1)).copied().unwrap_or(0);
    let own_arm = || file.arm(rehearsal);
    let failed = |p: Problem| Problem::new(Code::HarnessError, p.message);
    if choice.arm.is_some() || choice.seed.is_some() || choice.task.is_some() {
        let arm = choice.arm.as_deref().map_or_else(own_arm, |a| file.reached(a)).map_err(failed)?;
        let seed = match (choice.seed, choice.task) {
            (Some(seed), _) => seed,
            (None, Some(task)) => at(task)?,
            (None, None) => by_turn(),
        };
        return Ok(Chosen { arm, seed, how: How::Metadata });
    }
    if let Some(named) = named(&choice.text) {
        let arm = match named.arm {
            Some(arm) => file.reached(&arm.to_string()),
            None => own_arm(),
        };
        let seed = match (named.seed, named.task) {
            (Some(seed), _) => seed,
            (None, Some(task)) => at(task)?,
            (None, None) => by_turn(),
        };
        return Ok(Chosen { arm: arm.map_err(failed)?, seed, how: How::Named });
    }
    let arm = own_arm().map_err(failed)?;
    let text = choice.text.trim();
    if !text.is_empty()
        && text.len() <= LONGEST_REQUEST
        && let Some(seed) = house.requests(file, arm, seeds).get(text)
    {
        return Ok(Chosen { arm, seed: *seed, how: How::Request });
    }
    Ok(Chosen { arm, seed: by_turn(), how: How::Turn })
}
