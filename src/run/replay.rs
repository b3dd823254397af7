//! Recorded episodes played again on the tool file of their run, so that every call can be looked at with its why.

use super::plan::RunPlan;
use super::trace::Trace;
use crate::align::Ended;
use crate::engine::Ending;
use crate::episode::Episode;
use crate::plan::Planner;
use crate::task::Arm;
use crate::toolfile::Source;
use crate::value::canonical::file_hash;
use std::sync::Arc;

/// A recorded episode, played again.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// The episode, at its end.
    pub episode: Episode,
    /// The first call whose answer is not the recorded one.
    pub parted: Option<usize>,
}

/// The tools a run was on, read as it read them. The error is one line.
pub fn planner_of(plan: &RunPlan, bytes: &[u8]) -> Result<Planner, String> {
    let hash = file_hash(bytes);
    if hash != plan.own.file_digest {
        let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
        let (was, is) = (short(&plan.own.file_digest), short(&hash));
        return Err(format!("the run was on a file with file hash {was}, this one has {is}"));
    }
    planner_on(plan, &Source::new(bytes))
}

/// The same on a file that is parsed already and known to have the run's bytes.
pub fn planner_on(plan: &RunPlan, source: &Source) -> Result<Planner, String> {
    let reading = source.read(&plan.own.options);
    if let Some(error) = &reading.error {
        return Err(error.message.clone());
    }
    Planner::new(Arc::new(reading), plan.own.settings.clone()).map_err(|e| e.0)
}

/// Plays the calls of a record. The error is one line.
pub fn replay(trace: &Trace, planner: &Planner) -> Result<Replayed, String> {
    let arm = Arm::parse(&trace.arm_id).ok_or_else(|| format!("{} is not an arm of this program", trace.arm_id))?;
    let task = planner.plan(arm, trace.seed).map_err(|e| format!("{arm}, seed {}: {}", trace.seed, e.0))?;
    if task.task_id != trace.task_id {
        return Err(format!("the tool file now gives another task for {arm}, seed {}", trace.seed));
    }
    let mut episode = Episode::new(Arc::new(task));
    let mut parted = None;
    for (i, step) in trace.steps.iter().enumerate() {
        let made = episode.make(step.played.call.clone());
        if made.outcome.answer.text != step.played.answer && parted.is_none() {
            parted = Some(i);
        }
    }
    episode.end(match trace.ended {
        Ended::Reply => Ending::Reply,
        Ended::Limit => Ending::Limit,
        Ended::Open => Ending::Open,
    });
    Ok(Replayed { episode, parted })
}
