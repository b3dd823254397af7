//! The rule that decided an answer, in words.
use super::words::{Words, name, pairs, shown};
use super::{Explanation, shaping};
use crate::engine::{Made, Mismatch, Nearest, Rule};
use crate::schema::check;
use crate::task::{StepEffect, Task};
use crate::text;
use crate::value::{Value, pointer};

/// Why a call was answered as it was: the rule that decided first, then what shaped the answer.
pub fn why(task: &Task, made: &Made) -> Explanation {
    let mut words = Words::default();
    rule(&mut words, task, made);
    shaping::shaping(&mut words, task, made);
    words.done()
}

fn rule(words: &mut Words, task: &Task, made: &Made) {
    let call = &made.call;
    let tool = name(&call.tool);
    match &made.outcome.rule {
        Rule::NotAnObject => {
            let kind = call.arguments.kind();
            words.line(format!("The arguments are {kind}, not an object, so no tool got this call (clause 2)."));
        }
        Rule::OutsideBlock => {
            words.line("This task has no tool of that name (clause 3).");
            if let Some(near) = text::nearest(&call.tool, task.block.iter().map(|t| &*t.name)) {
                words.say(format!(" The nearest name is {}.", name(near)));
            }
        }
        Rule::Fault { k, n } => planned(words, task, made, "fault", "checked before anything else", *k, *n),
        Rule::PlannedTimeout { k, n } => planned(words, task, made, "timeout", "so nothing changed", *k, *n),
        Rule::RateLimit { k, n } => planned(words, task, made, "rate limit", "so the call did nothing", *k, *n),
        Rule::Invalid(_) => {
            words.line(format!("The arguments do not fit the schema of {tool} "));
            violation(words, task, made);
            words.say(" (clause 4).");
        }
        Rule::NotFound { nearest } => {
            words.line(format!("No step and no write has these arguments for {tool}."));
            near(words, task, made, Some(nearest));
        }
        Rule::NotReady { step, need } => {
            words.line("It matches ").step(*step).say(", which needs ").step(*need);
            let need = task.steps.get(*need);
            let verb = if need.is_some_and(|n| n.effect == StepEffect::Read) { "served" } else { "done" };
            let of = need.map(|n| format!(" ({})", name(&n.tool))).unwrap_or_default();
            words.say(format!("{of} to be {verb} first."));
        }
        Rule::ReadServed { step, again: false } => {
            words.line("This is the read ").step(*step).say(" asks for; it now counts as done.");
        }
        Rule::ReadServed { step, again: true } => {
            words.line("This is the read ").step(*step).say(" asks for; it was already done.");
        }
        Rule::PlainRead => {
            let shaping = &made.outcome.shaping;
            let drawn = shaping.reflects.is_none() && shaping.stale.is_none();
            let from = if drawn { "with a value drawn for these arguments" } else { "from the store" };
            words.line(format!("The task does not need this read; it is answered {from}."));
        }
        Rule::ReadReflected { nearest } => {
            words.line("No step asks for this read, but a write has these arguments.");
            near(words, task, made, Some(nearest));
        }
        Rule::WriteDone { step, landed: false } => {
            words.line("It is the write that ").step(*step).say(" expects.");
        }
        Rule::WriteDone { step, landed: true } => {
            words.line("It is the write that ").step(*step);
            words.say(" expects, and it went through; the timeout only hides that (landed dial).");
        }
        Rule::SideEffect { nearest } => {
            words.line("No step expects this write, so it is a side effect.");
            near(words, task, made, nearest.as_ref());
            believed(words, task, made, nearest.as_ref());
        }
        Rule::Duplicate { step } => {
            words.line("It repeats ").step(*step);
            let state = &made.outcome.state;
            if let Some(first) = state.write_of(*step).and_then(|write| state.writes().get(write)) {
                words.say(", which ").call(first.call).say(" did");
                if state.landed_call() == Some(first.call) {
                    words.say(" despite its timeout");
                }
            }
            words.say(": a duplicate write, which is also a side effect.");
        }
    }
}

fn planned(words: &mut Words, task: &Task, made: &Made, what: &str, how: &str, k: u32, n: u32) {
    words.line(format!("This is planned {what} {k} of {n} of {}, {how}.", name(&made.call.tool)));
    let schema = task.shown(&made.call.tool).map(|shown| &shown.tool.input_schema);
    if schema.is_some_and(|schema| check(&made.call.arguments, schema).is_err()) {
        words.say(" It counts as used even though the arguments do not fit the schema ");
        violation(words, task, made);
        words.say(" (clause 4).");
    }
}

/// The first check of the schema that fails, its place a place to jump to.
fn violation(words: &mut Words, task: &Task, made: &Made) {
    let violation = match &made.outcome.rule {
        Rule::Invalid(violation) => Some(violation.clone()),
        _ => task.shown(&made.call.tool).and_then(|shown| check(&made.call.arguments, &shown.tool.input_schema).err()),
    };
    let Some(violation) = violation else { return };
    let place = pointer::name(&violation.at);
    let schema = task.shown(&made.call.tool).map(|shown| &shown.tool.input_schema);
    let at = schema.map(|schema| schema_place(schema, &violation.at)).unwrap_or_default();
    words.say("at ").schema(name(place), &made.call.tool, at);
    words.say(": ").say(text::safe(&violation.expected));
}

/// The place in a schema that rules a place in a value, as far as names and list positions lead.
pub fn schema_place(schema: &Value, at: &str) -> String {
    let mut here = schema;
    let mut place = String::new();
    for part in pointer::parts(at).unwrap_or_default() {
        let below = here.get("properties").and_then(|p| p.get(&part)).map(|s| (s, "properties", part.clone()));
        let listed = || {
            let index: usize = part.parse().ok()?;
            here.get("prefixItems").and_then(|p| p.at(index)).map(|s| (s, "prefixItems", part.clone()))
        };
        match below.or_else(listed) {
            Some((schema, keyword, key)) => {
                pointer::push_key(&mut place, keyword);
                pointer::push_key(&mut place, &key);
                here = schema;
            }
            None => match here.get("items").filter(|_| part.parse::<usize>().is_ok()) {
                Some(items) => {
                    pointer::push_key(&mut place, "items");
                    here = items;
                }
                None => break,
            },
        }
    }
    place
}

/// The nearest step and the argument that keeps the call from matching it.
fn near(words: &mut Words, task: &Task, made: &Made, nearest: Option<&Nearest>) {
    let Some(nearest) = nearest else { return };
    words.line("The nearest is ").step(nearest.step);
    let is_write = task.steps.get(nearest.step).is_some_and(|step| step.effect == StepEffect::Write);
    if is_write && made.outcome.state.passed(nearest.step) {
        words.say(", already done");
    }
    words.say(": ");
    match &nearest.mismatch {
        Mismatch::Missing { name: argument, expected } => {
            words.say(format!("{} is missing, expected {}.", name(argument), shown(expected)))
        }
        Mismatch::Differs { name: argument, expected, got } => {
            words.say(format!("{} is {}, expected {}.", name(argument), shown(got), shown(expected)))
        }
        Mismatch::Extra { name: argument } => {
            words.say(format!("it takes only {}, not {}.", matched(task, nearest.step), name(argument)))
        }
    };
}

fn matched(task: &Task, step: usize) -> String {
    task.steps.get(step).map(|step| pairs(&step.matching)).unwrap_or_default()
}

/// A wrong value that is the one a bad read told.
fn believed(words: &mut Words, task: &Task, made: &Made, nearest: Option<&Nearest>) {
    let (Some(bad), Some(call)) = (&task.bad_read, made.outcome.state.bad_call()) else { return };
    if let Some(Nearest { mismatch: Mismatch::Differs { got, .. }, .. }) = nearest
        && crate::schema::same(got, &bad.value)
    {
        words.line("That value comes from ").call(call).say(", the bad read.");
    }
}
