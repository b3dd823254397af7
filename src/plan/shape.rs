//! shape: four runs of one chain, and how many of them may go on at once (rules 5.4).
use super::draft::Draft;
use super::draws::Draws;
use super::flows::Chain;
use super::{PlanError, Planner, depth};
use crate::task::{Arm, Form};
use crate::value::call_text;
use std::collections::HashSet;

/// Runs of a task, at every level.
const RUNS: usize = 4;

/// Attempts made at finding them.
const ATTEMPTS: usize = 256;

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let chain = planner
        .chain(|c| c.checkable.as_ref())?
        .ok_or("no usable chain of flows starts with a tool that takes an argument that can be checked")?;
    let draws = Draws::new(&planner.reading.file_hash, 0);
    match runs(planner, &draws, chain) {
        Ok(_) => Ok(vec![1, 2, 4]),
        Err(PlanError(why)) => Err(why),
    }
}

/// Four runs of a chain whose first calls differ and whose last calls differ.
fn runs(planner: &Planner, draws: &Draws, chain: &Chain) -> Result<Vec<Vec<depth::Link>>, PlanError> {
    let (mut firsts, mut lasts) = (HashSet::new(), HashSet::new());
    let mut found = Vec::with_capacity(RUNS);
    let mut missing = None;
    for j in 0..ATTEMPTS {
        let calls = match depth::calls(planner, draws, chain, &format!("shape/{j}")) {
            Ok(calls) => calls,
            Err(null) => {
                missing.get_or_insert(null);
                continue;
            }
        };
        let text = |link: Option<&depth::Link>| link.map(|l| call_text(&l.call.arguments)).unwrap_or_default();
        let (first, last) = (text(calls.first()), text(calls.last()));
        if firsts.contains(&first) || lasts.contains(&last) {
            continue;
        }
        firsts.insert(first);
        lasts.insert(last);
        found.push(calls);
        if found.len() == RUNS {
            return Ok(found);
        }
    }
    let why =
        missing.map_or_else(String::new, |(tool, name)| format!(": no value could be drawn for {name} of {tool}"));
    Err(PlanError(format!("could not make four different runs of the chain{why}")))
}

/// The step that the first step of run `run` waits for, given how many steps a run has.
fn waits(width: u32, run: usize, steps: usize) -> Vec<usize> {
    let after = match width {
        1 => run > 0,
        2 => run % 2 == 1,
        _ => false,
    };
    if after { vec![run * steps - 1] } else { Vec::new() }
}

/// Four runs, run after run.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let chain = planner.chain(|c| c.checkable.as_ref()).ok().flatten().ok_or_else(|| PlanError("no chain".into()))?;
    let runs = draws.shape.get_or_init(|| runs(planner, draws, chain)).as_ref().map_err(Clone::clone)?;
    let target = chain.tools.last().copied().unwrap_or_default();
    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let words: Vec<_> = runs.iter().map(|calls| depth::words(planner, chain, calls)).collect();
    draft.task.form = Form::Flow;
    draft.task.request = planner.words.jobs(&words, arm.level);
    for (run, calls) in runs.iter().enumerate() {
        if let Some(last) = calls.last() {
            draft.task.stated.extend(last.stated.iter().cloned());
        }
        depth::expect(planner, &mut draft, chain, calls.iter().cloned(), waits(arm.level, run, chain.tools.len()));
    }
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::waits;

    #[test]
    fn runs_wait_for_the_last_step_of_the_run_before() {
        let all = |width| (0..4).map(|run| waits(width, run, 3)).collect::<Vec<_>>();
        assert_eq!(all(1), [vec![], vec![2], vec![5], vec![8]]);
        assert_eq!(all(2), [vec![], vec![2], vec![], vec![8]]);
        assert_eq!(all(4), vec![Vec::<usize>::new(); 4]);
    }
}
