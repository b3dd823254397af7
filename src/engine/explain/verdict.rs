//! The verdict in words.
use crate::engine::{State, Verdict};
use crate::task::{Ending, Task};
use crate::text;

/// The verdict as one line: the label, why, and the leaky label where it differs.
pub fn verdict(task: &Task, state: &State, verdict: &Verdict, ending: Ending) -> String {
    let done = progress(task, state);
    if ending == Ending::Open {
        return format!("in progress: {done}");
    }
    let clause = match verdict.clause {
        Some(1) => "a reply that looks like a tool call (clause 1)",
        Some(2) => "arguments that are not an object (clause 2)",
        Some(3) => "a call to an unknown tool (clause 3)",
        _ => "arguments that break a schema (clause 4)",
    };
    let why = match verdict.label {
        "passed" if verdict.clause.is_some() => format!("{done}, despite {clause}"),
        "verifier_error" if state.defective() => "a tool's answer has no field for a served value".to_owned(),
        "verifier_error" => "the task has no tools or no expected steps".to_owned(),
        "malformed_call" => format!("{clause}; {done}"),
        "turn_limit" => format!("the turn limit came before a reply; {done}"),
        _ => done,
    };
    let leaky = if verdict.leaky && !verdict.strict { " (leaky: passed)" } else { "" };
    format!("{}{leaky}: {why}", verdict.label)
}

/// How far the episode is: missing writes, side effects, duplicates.
pub fn progress(task: &Task, state: &State) -> String {
    let expected = task.steps.iter().filter(|s| s.effect == crate::task::StepEffect::Write).count();
    let mut parts = vec![match state.open_writes() {
        0 if expected == 1 => "the expected write is done".to_owned(),
        0 => format!("all {expected} expected writes are done"),
        open => format!("{open} of {expected} writes missing"),
    }];
    match (state.side_effects(), state.duplicates()) {
        (0, _) => {}
        (all, 0) => parts.push(text::count(all, "side effect")),
        (all, repeated) if all == repeated => parts.push(text::count(repeated, "duplicate write")),
        (all, repeated) => {
            parts.push(format!("{}, {} of them duplicates", text::count(all, "side effect"), repeated));
        }
    }
    parts.join(", ")
}
