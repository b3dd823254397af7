//! Following a `$ref` at the top of one node (rules 1.7), without copying what it leads to.

use super::SchemaError;
use super::inline::{circle, lost, too_many_in_a_row};
use super::reference::resolve;
use crate::value::{Map, Value};
use std::collections::HashSet;

/// How many references in a row are followed.
pub(super) const LONGEST_CHAIN: usize = 400;

/// A node and what its `$ref` leads to, as one: the members of the nodes passed lie over those of the last one, whose
/// position they take. What stands inside a member is as it was.
#[derive(Debug)]
pub struct Followed<'a> {
    /// The node where no `$ref` follows.
    end: &'a Value,
    /// The nodes passed on the way, first to last, each with the reference it gives.
    passed: Vec<(&'a Map, &'a str)>,
}

impl<'a> Followed<'a> {
    /// The value itself, when nothing had to be merged: the node had no `$ref`, or it ends at something other than a mapping.
    pub fn plain(&self) -> Option<&'a Value> {
        (self.passed.is_empty() || self.end.as_object().is_none()).then_some(self.end)
    }

    /// The member `name`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        let end = self.end.as_object()?;
        let over = self.passed.iter().filter(|_| name != "$ref").find_map(|(map, _)| map.get(name));
        over.or_else(|| end.get(name))
    }

    /// Where the member `name` stands among the others: a key to sort by.
    pub fn order(&self, name: &str) -> Option<(usize, usize)> {
        let end = self.end.as_object()?;
        let passed = self.passed.iter().rev().filter(|_| name != "$ref").map(|(map, _)| *map);
        std::iter::once(end).chain(passed).enumerate().find_map(|(i, map)| Some((i, map.position(name)?)))
    }

    /// The reference that led to the node whose member `name` holds; `None` when it is the first node's own.
    pub fn reference_to(&self, name: &str) -> Option<&'a str> {
        let over = self.passed.iter().position(|(map, _)| map.contains(name)).unwrap_or(self.passed.len());
        self.passed.get(over.checked_sub(1)?).map(|(_, reference)| *reference)
    }
}

/// Follows a `$ref` at the top of one node until there is none. A circle, a reference without a target and more than
/// 400 references in a row are refused, kind `schema`.
pub fn follow<'a>(node: &'a Value, root: &'a Value) -> Result<Followed<'a>, SchemaError> {
    let mut followed = Followed { end: node, passed: Vec::new() };
    let mut seen = HashSet::new();
    while let Value::Object(map) = followed.end
        && let Some(reference) = map.get("$ref").and_then(Value::as_str)
    {
        if !seen.insert(reference) {
            return Err(circle(reference).into());
        }
        if seen.len() > LONGEST_CHAIN {
            return Err(too_many_in_a_row(LONGEST_CHAIN).into());
        }
        followed.passed.push((map, reference));
        followed.end = resolve(root, reference).map_err(|how| lost(reference, how))?;
    }
    Ok(followed)
}
