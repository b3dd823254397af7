//! `$ref` inlining (rules 1.7), by sharing: a target that stands in a thousand places is inlined once and shared.
//!
//! Whether a target can be inlined does not depend on where it is met: one that reaches a circle always fails, one that
//! does not never meets one. So both outcomes are kept, by the address of the target, for as long as the [`Inliner`] lives.

use super::reference::{Lost, resolve};
use super::weight::Scale;
use super::{RefusalKind, SchemaError};
use crate::value::{Key, Map, Odd, Value, canonical};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How large all schemas of one tool may be together, in bytes of compact JSON once inlined.
const LARGEST: u64 = 64 << 20;
/// How deep an inlined schema may nest.
const DEEPEST: u32 = 400;
/// How many containers and references deep inlining walks; it keeps the stack bounded where references lead to references.
const LONGEST_WALK: u32 = 1000;

/// Inlines schemas against one root and remembers every target it has met.
#[derive(Debug)]
pub struct Inliner {
    root: Value,
    /// By the address of the source container.
    done: HashMap<usize, Kept>,
    /// Targets being expanded.
    open: HashSet<usize>,
    scale: Scale,
    /// Bytes of the current tool's schemas so far.
    total: u64,
    /// Bytes of the targets that the current tool has merged members over: each is a copy.
    copied: u64,
}

/// A source container and what became of it; holding the source keeps its address from being used again.
#[derive(Debug)]
struct Kept {
    _source: Value,
    result: Result<Walked, Fault>,
}

/// An inlined value, and how many containers and references deep the walk to it went.
type Walked = (Value, u32);

/// What to do about a schema that grows too large.
const REFER_LESS: &str = "Simplify it: keep only the parts a caller needs.";

/// A failure on its way up.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    reason: String,
    fix: &'static str,
    /// The way from the failing place up to here, innermost first.
    path: Vec<String>,
    /// Whether it depends on where the walk began: how deep it already was, how much was copied before.
    by_start: bool,
}

impl Fault {
    fn new(reason: String, fix: &'static str) -> Self {
        Self { reason, fix, path: Vec::new(), by_start: false }
    }

    fn inside(mut self, step: impl FnOnce() -> String) -> Self {
        self.path.push(step());
        self
    }
}

impl From<Fault> for SchemaError {
    fn from(fault: Fault) -> Self {
        let at = fault.path.iter().rev().map(|step| format!("/{}", escaped(step))).collect();
        SchemaError { kind: RefusalKind::Schema, reason: fault.reason, at, fix: fault.fix }
    }
}

/// A name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A reference as a message shows it.
fn quoted(reference: &str) -> String {
    const LONGEST: usize = 200;
    match reference.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}...\"", &reference[..end]),
        None => format!("\"{reference}\""),
    }
}

pub(super) fn lost(reference: &str, how: Lost) -> Fault {
    match how {
        Lost::Outside => Fault::new(
            format!("the reference {} points outside this file", quoted(reference)),
            "Copy the definition into this file and refer to it with `#/...`.",
        ),
        Lost::Nowhere => Fault::new(
            format!("the reference {} points to nothing", quoted(reference)),
            "Add the definition, or correct the reference.",
        ),
    }
}

/// The reference of a node, when it is one.
fn reference_of(node: &Map) -> Option<&str> {
    node.get("$ref").and_then(Value::as_str)
}

/// The target's members, then those beside the `$ref`, which win in the target's position.
fn merged(target: &Map, beside: impl Iterator<Item = (Key, Value)>) -> Map {
    let mut result = target.clone();
    for (key, value) in beside {
        result.insert(key, value);
    }
    result
}

/// The address of a container.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Object(map) => Some(Arc::as_ptr(map) as usize),
        Value::Array(list) => Some(Arc::as_ptr(list) as usize),
        _ => None,
    }
}

/// Whether a container stands in more than one place.
fn is_shared(value: &Value) -> bool {
    match value {
        Value::Object(map) => Arc::strong_count(map) > 1,
        Value::Array(list) => Arc::strong_count(list) > 1,
        _ => false,
    }
}

/// Whether inlining gave a value back as it was.
fn is_unchanged(before: &Value, after: &Value) -> bool {
    !matches!(before, Value::Odd(_)) && address(before) == address(after)
}

/// A key in JSON's terms: a date's ISO text, else the JSON text.
fn json_key(key: &Key) -> Key {
    match key {
        Key::Text(_) => key.clone(),
        Key::Other(value) => match &**value {
            Value::Odd(odd) => match &**odd {
                Odd::Time(text) => Key::Text(text.clone()),
                _ => Key::from(value.kind()),
            },
            Value::Str(text) => Key::Text(text.clone()),
            other => Key::from(canonical::compact(other, false)),
        },
    }
}

impl Inliner {
    /// An inliner of schemas whose references resolve against `root`.
    pub fn new(root: &Value) -> Self {
        Self {
            root: root.clone(),
            done: HashMap::new(),
            open: HashSet::new(),
            scale: Scale::default(),
            total: 0,
            copied: 0,
        }
    }

    /// Begins another tool: the schemas of one tool together may hold 64 MiB once inlined.
    pub fn next_tool(&mut self) {
        self.total = 0;
        self.copied = 0;
    }

    /// Inlines every `$ref` of `schema` (rules 1.7), drops its top-level `$defs` and `definitions`, and turns what only YAML
    /// can say into JSON's terms. A circle, a reference without a target, nesting beyond 400 levels and a tool whose
    /// schemas would take more than 64 MiB are refused, kind `schema`.
    pub fn inline(&mut self, schema: &Value) -> Result<Value, SchemaError> {
        let (mut result, _) = self.walk(schema, 0)?;
        if let Value::Object(map) = &result
            && (map.contains("$defs") || map.contains("definitions"))
        {
            let mut map = Map::clone(map);
            map.remove("$defs");
            map.remove("definitions");
            result = map.into();
        }
        let weight = self.scale.weigh(&result);
        if weight.depth > DEEPEST {
            return Err(too_deep().into());
        }
        self.total = self.total.saturating_add(weight.size);
        if self.total > LARGEST {
            return Err(too_large(self.total).into());
        }
        Ok(result)
    }

    /// A value with its references inlined; a container in many places is walked once.
    fn walk(&mut self, value: &Value, level: u32) -> Result<Walked, Fault> {
        match value {
            Value::Odd(odd) => match &**odd {
                Odd::Time(text) => Ok((Value::Str(text.clone()), 0)),
                Odd::Cycle => Err(Fault::new(
                    "an alias points to a value that contains it".to_owned(),
                    "Write the value out instead of using the alias.",
                )),
                Odd::Binary | Odd::Set | Odd::Pairs => Ok((Value::Null, 0)),
            },
            Value::Object(_) | Value::Array(_) if is_shared(value) => self.once(value, level),
            Value::Object(_) | Value::Array(_) => self.container(value, level),
            scalar => Ok((scalar.clone(), 0)),
        }
    }

    /// A container that is remembered.
    fn once(&mut self, value: &Value, level: u32) -> Result<Walked, Fault> {
        let Some(address) = address(value) else { return self.walk(value, level) };
        if let Some(kept) = self.done.get(&address) {
            return match &kept.result {
                // as if it had been walked again, so that nothing depends on what was met first
                Ok((_, height)) if level + height > LONGEST_WALK => Err(too_long()),
                known => known.clone(),
            };
        }
        let result = self.container(value, level).and_then(|result| {
            // weighed now, so that weighing what holds it need not descend
            if self.scale.keep(&result.0).depth > DEEPEST { Err(too_deep()) } else { Ok(result) }
        });
        if !matches!(&result, Err(fault) if fault.by_start) {
            self.done.insert(address, Kept { _source: value.clone(), result: result.clone() });
        }
        result
    }

    fn container(&mut self, value: &Value, level: u32) -> Result<Walked, Fault> {
        if level >= LONGEST_WALK {
            return Err(too_long());
        }
        match value {
            Value::Array(list) => self.items(list, value, level),
            Value::Object(map) => match reference_of(map) {
                Some(reference) => self.reference(map, reference, level),
                None => self.members(map, value, level),
            },
            scalar => Ok((scalar.clone(), 0)),
        }
    }

    /// The items inlined; `whole` itself when nothing changed.
    fn items(&mut self, list: &[Value], whole: &Value, level: u32) -> Result<Walked, Fault> {
        let mut result: Option<Vec<Value>> = None;
        let mut tallest = 0;
        for (i, item) in list.iter().enumerate() {
            let (new, height) = self.walk(item, level + 1).map_err(|fault| fault.inside(|| i.to_string()))?;
            tallest = tallest.max(height);
            if result.is_none() && !is_unchanged(item, &new) {
                result = Some(list[..i].to_vec());
            }
            if let Some(result) = &mut result {
                result.push(new);
            }
        }
        Ok((result.map_or_else(|| whole.clone(), Value::array), tallest + 1))
    }

    /// The members inlined; `whole` itself when nothing changed.
    fn members(&mut self, map: &Map, whole: &Value, level: u32) -> Result<Walked, Fault> {
        let mut result: Option<Map> = None;
        let mut tallest = 0;
        for (i, (key, value)) in map.iter().enumerate() {
            let (new, height) =
                self.walk(value, level + 1).map_err(|fault| fault.inside(|| key_text(&json_key(key))))?;
            tallest = tallest.max(height);
            if result.is_none() && (key.text().is_none() || !is_unchanged(value, &new)) {
                result = Some(map.iter().take(i).map(|(k, v)| (k.clone(), v.clone())).collect());
            }
            if let Some(result) = &mut result {
                result.insert(json_key(key), new);
            }
        }
        Ok((result.map_or_else(|| whole.clone(), Value::object), tallest + 1))
    }

    /// A node with a `$ref`: its target inlined, and the members beside the `$ref` over it.
    fn reference(&mut self, map: &Map, reference: &str, level: u32) -> Result<Walked, Fault> {
        // a root is cheap to clone, and what the target is taken from must not be borrowed while it is expanded
        let root = self.root.clone();
        let target = resolve(&root, reference).map_err(|how| lost(reference, how))?;
        let (expanded, mut tallest) = match address(target) {
            None => self.walk(target, level + 1)?,
            Some(address) if self.open.insert(address) => {
                let expanded = self.once(target, level + 1);
                self.open.remove(&address);
                expanded?
            }
            Some(_) => return Err(circle(reference)),
        };
        let Value::Object(target) = &expanded else { return Ok((expanded, tallest + 1)) };
        if map.len() == 1 {
            return Ok((expanded, tallest + 1));
        }
        // a copy of the target's members: weighed before it is made, or a small file could fill the memory with them
        self.copied = self.copied.saturating_add(self.scale.weigh(&expanded).size);
        if self.copied > LARGEST {
            return Err(Fault { by_start: true, ..too_large(self.copied) });
        }
        let mut beside = Vec::with_capacity(map.len() - 1);
        for (key, value) in map.iter() {
            if key.text().is_some_and(|name| &**name == "$ref") {
                continue;
            }
            let key = json_key(key);
            let (new, height) = self.walk(value, level + 1).map_err(|fault| fault.inside(|| key_text(&key)))?;
            tallest = tallest.max(height);
            beside.push((key, new));
        }
        Ok((merged(target, beside.into_iter()).into(), tallest + 1))
    }
}

fn key_text(key: &Key) -> String {
    key.text().map(|text| text.to_string()).unwrap_or_default()
}

fn too_deep() -> Fault {
    Fault::new(format!("with its references inlined it nests more than {DEEPEST} levels deep"), REFER_LESS)
}

fn too_large(size: u64) -> Fault {
    Fault::new(format!("with its references inlined it takes {} MiB", size >> 20), REFER_LESS)
}

/// The walk itself went too far; that depends on where it began.
fn too_long() -> Fault {
    let reason = format!("its references lead more than {LONGEST_WALK} steps deep");
    Fault { by_start: true, ..Fault::new(reason, REFER_LESS) }
}

/// A chain that [`super::follow`] does not follow to its end.
pub(super) fn too_many_in_a_row(most: usize) -> Fault {
    Fault::new(format!("more than {most} references follow one another"), REFER_LESS)
}

pub(super) fn circle(reference: &str) -> Fault {
    Fault::new(
        format!("the reference {} leads back to itself", quoted(reference)),
        "Write the repeated part out as deep as it is needed: a schema cannot contain itself.",
    )
}

/// Inlines every `$ref` of `schema` against `root`, sharing, with circles and over-large results refused (rules 1.7);
/// top-level `$defs` and `definitions` dropped; YAML-only values turned into JSON's terms. For many schemas of one root,
/// use one [`Inliner`].
pub fn inline(schema: &Value, root: &Value) -> Result<Value, SchemaError> {
    Inliner::new(root).inline(schema)
}
