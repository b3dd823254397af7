//! Where the values of a call come from: what the task states, fields of earlier answers.

use super::Field;
use crate::engine::{Made, Rule};
use crate::episode::Episode;
use crate::schema::{conforms, same};
use crate::value::{Value, canonical, pointer};
use std::collections::HashSet;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The value.
    pub value: Value,
    /// Where it stands: "stated", "call 2 /items/0/id".
    pub from: String,
    /// Whether it fits.
    pub note: &'static str,
}

/// At most this many values of one answer are offered.
const MOST: usize = 500;
/// At most this many values are offered in all.
const MOST_IN_ALL: usize = 50_000;

/// The value an argument begins with: what the task states for the target, else the field of the last answer with its
/// name.
pub(super) fn default_of(episode: &Episode, tool: &str, name: &str) -> Option<Value> {
    let task = episode.task();
    if *task.target == *tool
        && let Some((_, value)) = task.stated.iter().find(|(n, _)| **n == *name)
    {
        return Some(value.clone());
    }
    if let Some(read) = task.named_reads.iter().find(|r| *r.tool == *tool)
        && let Some(value) = read.arguments.get(name)
    {
        return Some(value.clone());
    }
    if let Some(value) = told(episode, tool, name) {
        return Some(value);
    }
    let last = episode.past().iter().rev().find(|m| !m.outcome.is_failure())?;
    last.outcome.answer.value.get(name).filter(|v| v.as_object().is_none()).cloned()
}

/// What an earlier answer told of the value that an open step of this tool takes: true or not, as the agent was told.
fn told(episode: &Episode, tool: &str, name: &str) -> Option<Value> {
    let (task, state) = (episode.task(), episode.state());
    let open = task.steps.iter().enumerate().filter(|(i, step)| *step.tool == *tool && !state.passed(*i));
    let mut wanted =
        open.filter_map(|(_, step)| Some((step, step.matching.iter().find(|(n, _)| **n == *name).map(|(_, v)| v)?)));
    let (step, value) = wanted.next()?;
    let (need, path) = step.needs.iter().find_map(|need| {
        let serves = &task.steps.get(*need)?.serves;
        serves.iter().find(|(_, served)| same(served, value)).map(|(path, _)| (*need, path))
    })?;
    let served =
        |made: &&std::sync::Arc<Made>| matches!(made.outcome.rule, Rule::ReadServed { step, .. } if step == need);
    let answer = &episode.past().iter().rev().find(served)?.outcome.answer.value;
    at_path(answer, path).cloned()
}

/// The value at the path of a served value: names joined by `.`, `[]` after a name for the first of a list.
fn at_path<'a>(answer: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(answer, |here, part| match part.strip_suffix("[]") {
        Some(name) => here.get(name)?.at(0),
        None => here.get(part),
    })
}

/// Every value that could stand in a field, those that fit its schema first.
pub(super) fn sources(episode: &Episode, field: &Field) -> Vec<Source> {
    let mut found = Vec::new();
    let task = episode.task();
    let add = |found: &mut Vec<Source>, value: &Value, from: String| {
        let fits = conforms(value, &field.schema);
        found.push(Source { value: value.clone(), from, note: if fits { "fits" } else { "does not fit" } });
    };
    for (name, value) in &task.stated {
        add(&mut found, value, format!("stated as {name}"));
    }
    for read in &task.named_reads {
        for (name, value) in read.arguments.as_object().into_iter().flat_map(|m| m.named()) {
            add(&mut found, value, format!("asked of {} as {name}", read.tool));
        }
    }
    // The newest first; a value that was told again is offered once.
    let mut seen = HashSet::new();
    for (i, made) in episode.past().iter().enumerate().rev().filter(|(_, made)| !made.outcome.is_failure()) {
        let mut leaves = Vec::new();
        walk(&made.outcome.answer.value, String::new(), &mut leaves);
        for (at, value) in leaves {
            if seen.insert(canonical::compact(value, true)) {
                add(&mut found, value, format!("call {} {at}", i + 1));
            }
        }
        if found.len() >= MOST_IN_ALL {
            break;
        }
    }
    found.sort_by_key(|s| s.note != "fits");
    found
}

/// Every value without entries, with its place.
fn walk<'a>(value: &'a Value, at: String, leaves: &mut Vec<(String, &'a Value)>) {
    if leaves.len() >= MOST {
        return;
    }
    match value {
        Value::Object(map) => {
            for (name, child) in map.named() {
                walk(child, pointer::join(&at, name), leaves);
            }
        }
        Value::Array(list) => {
            for (i, child) in list.iter().enumerate() {
                walk(child, format!("{at}/{i}"), leaves);
            }
        }
        leaf => leaves.push((at, leaf)),
    }
}
