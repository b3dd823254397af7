//! An episode played and its verdict asserted, with the crate as a library: `cargo run --example assert_verdict`.
//!
//! This is the shape of a test of an agent's own loop: ask it for the next call, hand the call to the episode, give the
//! answer's text back, and judge when it replies. Here the agent is a function of two lines.

use rehearsal::episode::Episode;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::task::{Arm, Call, Ending};
use rehearsal::toolfile::{ReadOptions, read};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

const HOTEL: &[u8] = include_bytes!("hotel/hotel.mcp.json");

/// An agent: it is told what its last call was answered, and makes a call or, with `None`, replies.
type Agent = fn(request: &Call, last_answer: Option<&str>) -> Option<Call>;

/// Makes its call, and makes it again as long as it is told that it was not answered in time.
fn impatient(wanted: &Call, last_answer: Option<&str>) -> Option<Call> {
    let again = last_answer.is_none_or(|text| text.contains("did not answer in time"));
    again.then(|| wanted.clone())
}

/// Makes its call once.
fn trusting(wanted: &Call, last_answer: Option<&str>) -> Option<Call> {
    last_answer.is_none().then(|| wanted.clone())
}

/// The label of the verdict on an agent: one task of an arm on the hotel's tools.
fn judge(agent: Agent, arm: &str, seed: u64) -> Result<String, String> {
    let reading = Arc::new(read(HOTEL, &ReadOptions::default()));
    let planner = Planner::new(reading, PlanSettings::default()).map_err(|error| error.to_string())?;
    let arm = Arm::parse(arm).ok_or("no such arm")?;
    let task = Arc::new(planner.plan(arm, seed).map_err(|error| error.to_string())?);
    // An agent would read task.request; this one is told the call that the request asks for.
    let wanted = task.reference_calls.first().ok_or("nothing to do")?.clone();
    let mut episode = Episode::new(task);
    let mut last = None;
    while let Some(call) = agent(&wanted, last.as_deref()) {
        last = Some(episode.make(call).outcome.answer.text.to_string());
    }
    episode.end(Ending::Reply);
    Ok(episode.verdict().label.to_owned())
}

fn main() -> ExitCode {
    let mut failed = false;
    for (name, agent) in [("impatient", impatient as Agent), ("trusting", trusting)] {
        for arm in ["timeouts:o2", "landed:l1"] {
            let verdict = judge(agent, arm, 20);
            failed |= verdict.is_err();
            let verdict = verdict.unwrap_or_else(|why| why);
            failed |= writeln!(std::io::stdout(), "{name:<10} {arm:<12} {verdict}").is_err();
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_timed_out_is_made_again_only_when_nothing_landed() {
        assert_eq!(judge(impatient, "timeouts:o2", 20).unwrap(), "passed");
        assert_eq!(judge(impatient, "landed:l1", 20).unwrap(), "collateral_mutation");
    }

    #[test]
    fn giving_up_is_right_only_when_it_landed() {
        assert_eq!(judge(trusting, "timeouts:o2", 20).unwrap(), "wrong_state");
        assert_eq!(judge(trusting, "landed:l1", 20).unwrap(), "passed");
    }
}
