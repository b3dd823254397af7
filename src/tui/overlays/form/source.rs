//! Where the values of a call come from: what the task states, fields of earlier answers.

use super::Field;
use crate::episode::Episode;
use crate::schema::conforms;
use crate::value::{Value, pointer};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The value.
    pub value: Value,
    /// Where it stands: "stated", "call 2 /items/0/id".
    pub from: String,
    /// What is to be known of it: whether it fits.
    pub note: &'static str,
}

/// So many values of one answer are offered.
const MOST: usize = 500;

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
    let last = episode.past().iter().rev().find(|m| m.outcome.answer.code.is_none())?;
    last.outcome.answer.value.get(name).filter(|v| v.as_object().is_none()).cloned()
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
    for (i, made) in episode.past().iter().enumerate().rev().take(50) {
        let mut leaves = Vec::new();
        walk(&made.outcome.answer.value, String::new(), &mut leaves);
        for (at, value) in leaves {
            add(&mut found, value, format!("call {} {at}", i + 1));
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
