//! What a schema admits (rules 3.4).
//!
//! One walk serves both questions: [`conforms`] asks whether, with a [`Quiet`] listener that costs nothing, and [`check`]
//! asks what failed first, with one that keeps the place and the words.

use super::bounds::Bounds;
use super::formats;
use super::keywords::{Keywords, list};
use super::pattern;
use super::same::same;
use crate::value::{Map, Value, canonical};
use std::fmt::Write as _;

/// conforms(value, schema) of rules 3.4.
pub fn conforms(value: &Value, schema: &Value) -> bool {
    walk(value, schema, &mut Quiet)
}

/// Like [`conforms`], looking at no more than `left` nodes of the schema, which go down; once there are none left, nothing
/// conforms.
pub(super) fn conforms_within(value: &Value, schema: &Value, left: &mut usize) -> bool {
    walk(value, schema, &mut Bounded { left })
}

/// The first failing check, in the order of rules 3.4.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// JSON pointer into the arguments; a missing name points at the name.
    pub at: String,
    /// The schema keyword that failed: `required`, `type`, `enum`, `minLength`, ... (`false` for a schema that is false).
    pub keyword: String,
    /// What was expected, in words: "must be an integer", "order_id is required", ...
    pub expected: String,
}

/// Like [`conforms`], but says what failed first.
pub fn check(value: &Value, schema: &Value) -> Result<(), Violation> {
    let mut telling = Telling { path: Vec::new(), found: None };
    if walk(value, schema, &mut telling) {
        return Ok(());
    }
    Err(telling.found.unwrap_or_else(|| Violation {
        at: String::new(),
        keyword: "false".to_owned(),
        expected: "nothing is admitted here".to_owned(),
    }))
}

/// One step of the way to a value.
#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

/// Hears where the walk is and what failed.
trait Listener<'a> {
    /// The listener of a walk whose failures are not of interest.
    type Muted<'m>: Listener<'a>
    where
        Self: 'm;
    fn muted(&mut self) -> Self::Muted<'_>;
    /// A node of the schema is looked at; false ends the walk.
    fn visit(&mut self) -> bool {
        true
    }
    fn enter(&mut self, step: Step<'a>);
    fn leave(&mut self);
    /// A check failed; always false, so that a walk can end with it.
    fn fail(&mut self, keyword: &'static str, expected: impl FnOnce() -> String) -> bool;
}

struct Quiet;

impl<'a> Listener<'a> for Quiet {
    type Muted<'m> = Quiet;
    fn muted(&mut self) -> Quiet {
        Quiet
    }
    fn enter(&mut self, _: Step<'a>) {}
    fn leave(&mut self) {}
    fn fail(&mut self, _: &'static str, _: impl FnOnce() -> String) -> bool {
        false
    }
}

/// A quiet listener that ends a walk which looks at too much.
struct Bounded<'l> {
    left: &'l mut usize,
}

impl<'a> Listener<'a> for Bounded<'_> {
    type Muted<'m>
        = Bounded<'m>
    where
        Self: 'm;
    fn muted(&mut self) -> Bounded<'_> {
        Bounded { left: self.left }
    }
    fn visit(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => {
                *self.left = left;
                true
            }
            None => false,
        }
    }
    fn enter(&mut self, _: Step<'a>) {}
    fn leave(&mut self) {}
    fn fail(&mut self, _: &'static str, _: impl FnOnce() -> String) -> bool {
        false
    }
}

struct Telling<'a> {
    path: Vec<Step<'a>>,
    found: Option<Violation>,
}

impl<'a> Listener<'a> for Telling<'a> {
    type Muted<'m>
        = Quiet
    where
        Self: 'm;
    fn muted(&mut self) -> Quiet {
        Quiet
    }
    fn enter(&mut self, step: Step<'a>) {
        self.path.push(step);
    }
    fn leave(&mut self) {
        self.path.pop();
    }
    fn fail(&mut self, keyword: &'static str, expected: impl FnOnce() -> String) -> bool {
        if self.found.is_none() {
            let mut at = String::new();
            for step in &self.path {
                at.push('/');
                match step {
                    Step::Name(name) => at.push_str(&name.replace('~', "~0").replace('/', "~1")),
                    Step::Index(i) => {
                        let _ = write!(at, "{i}");
                    }
                }
            }
            self.found = Some(Violation { at, keyword: keyword.to_owned(), expected: expected() });
        }
        false
    }
}

/// A value as a short text of JSON.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = canonical::compact(value, false);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Several values, the first few of them.
fn shown_all(values: &[Value]) -> String {
    const MOST: usize = 12;
    let mut text = values.iter().take(MOST).map(shown).collect::<Vec<_>>().join(", ");
    if values.len() > MOST {
        let _ = write!(text, ", ... ({} in all)", values.len());
    }
    text
}

fn walk<'a, L: Listener<'a>>(value: &'a Value, schema: &'a Value, listener: &mut L) -> bool {
    if !listener.visit() {
        return false;
    }
    let node = match schema {
        Value::Bool(false) => return listener.fail("false", || "no value is admitted here".to_owned()),
        Value::Object(node) => Keywords::of(node),
        _ => return true,
    };
    if value.is_null() && node.nullable == Some(&Value::Bool(true)) {
        return true;
    }
    if let Some(constant) = node.constant
        && !same(value, constant)
    {
        return listener.fail("const", || format!("must be {}", shown(constant)));
    }
    if let Some(choices) = list(node.choices)
        && !choices.iter().any(|choice| same(value, choice))
    {
        return listener.fail("enum", || match choices {
            [] => "no value is admitted: the list of values is empty".to_owned(),
            [only] => format!("must be {}", shown(only)),
            _ => format!("must be one of {}", shown_all(choices)),
        });
    }
    if !has_type(value, node.kind) {
        return listener.fail("type", || type_words(node.kind));
    }
    combined(value, &node, listener)
        && match value {
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) => number(value, &node, listener),
            Value::Str(text) => string(text, &node, listener),
            Value::Array(items) => array(items, &node, listener),
            Value::Object(members) => object(members, &node, listener),
            Value::Null | Value::Bool(_) | Value::Odd(_) => true,
        }
}

/// Whether a value is of the type or one of the types; words that name none of the seven admit everything.
fn has_type(value: &Value, kind: Option<&Value>) -> bool {
    let is = |word: &Value| match (word.as_str().unwrap_or_default(), value) {
        ("null", _) => value.is_null(),
        ("boolean", _) => value.as_bool().is_some(),
        ("integer", Value::Float(f)) => f.fract() == 0.0,
        ("integer", _) => matches!(value, Value::Int(_) | Value::BigInt(_)),
        ("number", _) => value.is_number(),
        ("string", _) => value.as_str().is_some(),
        ("array", _) => value.as_array().is_some(),
        ("object", _) => value.as_object().is_some(),
        _ => true,
    };
    match kind {
        Some(word @ Value::Str(_)) => is(word),
        Some(Value::Array(words)) => words.iter().any(is),
        _ => true,
    }
}

fn type_words(kind: Option<&Value>) -> String {
    let word = |word: &Value| match word.as_str().unwrap_or_default() {
        "integer" => "an integer",
        "array" => "a list",
        "object" => "an object",
        "number" => "a number",
        "string" => "text",
        "boolean" => "true or false",
        _ => "null",
    };
    match kind {
        Some(Value::Array(words)) if words.is_empty() => "no value is admitted: the list of types is empty".to_owned(),
        Some(Value::Array(words)) => {
            format!("must be {}", words.iter().map(word).collect::<Vec<_>>().join(" or "))
        }
        _ => format!("must be {}", kind.map_or("text", word)),
    }
}

/// `anyOf`, `oneOf`, `allOf`, `not`.
fn combined<'a, L: Listener<'a>>(value: &'a Value, node: &Keywords<'a>, listener: &mut L) -> bool {
    if let Some(branches) = list(node.any_of)
        && !branches.iter().any(|branch| walk(value, branch, &mut listener.muted()))
    {
        return listener.fail("anyOf", || format!("must fit one of the {} alternatives", branches.len()));
    }
    if let Some(branches) = list(node.one_of) {
        let fitting = branches.iter().filter(|branch| walk(value, branch, &mut listener.muted())).take(2).count();
        if fitting != 1 {
            let how = if fitting == 0 { "fits none" } else { "fits more than one" };
            return listener
                .fail("oneOf", || format!("must fit exactly one of the {} alternatives, and {how}", branches.len()));
        }
    }
    // what an `allOf` branch refuses is the most telling answer
    if let Some(branches) = list(node.all_of)
        && !branches.iter().all(|branch| walk(value, branch, listener))
    {
        return false;
    }
    if let Some(other) = node.not
        && walk(value, other, &mut listener.muted())
    {
        return listener.fail("not", || "must not fit the schema under `not`".to_owned());
    }
    true
}

fn number<'a, L: Listener<'a>>(value: &Value, node: &Keywords<'a>, listener: &mut L) -> bool {
    let bounds = Bounds::of(node);
    match (bounds.above_low(value), bounds.below_high(value)) {
        (false, _) if bounds.open_low => listener.fail("exclusiveMinimum", || bound("must be above", bounds.low)),
        (false, _) => listener.fail("minimum", || bound("must be at least", bounds.low)),
        (_, false) if bounds.open_high => listener.fail("exclusiveMaximum", || bound("must be below", bounds.high)),
        (_, false) => listener.fail("maximum", || bound("must be at most", bounds.high)),
        (true, true) => true,
    }
}

/// A bound as a person would write it: a whole number without its `.0`.
fn bound(words: &str, limit: Option<f64>) -> String {
    let limit = limit.unwrap_or_default();
    let whole = limit.fract() == 0.0 && limit.abs() < 1e15;
    format!("{words} {}", shown(&if whole { Value::Int(limit as i64) } else { Value::Float(limit) }))
}

/// A length that only an integer gives; `None` when it cannot be exceeded or undercut.
fn length(value: Option<&Value>) -> Option<i128> {
    match value? {
        Value::Int(n) => Some(i128::from(*n)),
        Value::BigInt(n) if n.sign() == num_bigint::Sign::Minus => Some(i128::MIN),
        Value::BigInt(_) => Some(i128::MAX),
        _ => None,
    }
}

fn counted(n: i128, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

fn string<'a, L: Listener<'a>>(text: &str, node: &Keywords<'a>, listener: &mut L) -> bool {
    let (low, high) = (length(node.min_length), length(node.max_length));
    if low.is_some() || high.is_some() {
        let n = text.chars().count() as i128;
        if let Some(low) = low.filter(|low| n < *low) {
            return listener
                .fail("minLength", || format!("must have at least {}", counted(low, "character", "characters")));
        }
        if let Some(high) = high.filter(|high| n > *high) {
            return listener
                .fail("maxLength", || format!("must have at most {}", counted(high, "character", "characters")));
        }
    }
    if let Some(Value::Str(source)) = node.pattern
        && !pattern::admits(source, text)
    {
        return listener.fail("pattern", || format!("must match the pattern {source}"));
    }
    if let Some(format) = node.format.and_then(Value::as_str)
        && !formats::admits(format, text)
    {
        return listener.fail("format", || formats::expectation(format).to_owned());
    }
    true
}

fn array<'a, L: Listener<'a>>(items: &'a [Value], node: &Keywords<'a>, listener: &mut L) -> bool {
    let n = items.len() as i128;
    if let Some(low) = length(node.min_items).filter(|low| n < *low) {
        return listener.fail("minItems", || format!("must have at least {}", counted(low, "item", "items")));
    }
    if let Some(high) = length(node.max_items).filter(|high| n > *high) {
        return listener.fail("maxItems", || format!("must have at most {}", counted(high, "item", "items")));
    }
    let first = list(node.prefix_items).unwrap_or_default();
    for (i, item) in items.iter().enumerate() {
        let Some(schema) = first.get(i).or(node.items) else { break };
        listener.enter(Step::Index(i));
        let fits = if i >= first.len() && schema == &Value::Bool(false) {
            listener.fail("items", || format!("must have at most {}", counted(first.len() as i128, "item", "items")))
        } else {
            walk(item, schema, listener)
        };
        listener.leave();
        if !fits {
            return false;
        }
    }
    true
}

fn object<'a, L: Listener<'a>>(members: &'a Map, node: &Keywords<'a>, listener: &mut L) -> bool {
    for name in list(node.required).unwrap_or_default().iter().filter_map(Value::as_str) {
        if !members.contains(name) {
            listener.enter(Step::Name(name));
            let fits = listener.fail("required", || format!("{name} is required"));
            listener.leave();
            return fits;
        }
    }
    let known = node.properties.and_then(Value::as_object);
    for (name, schema) in known.into_iter().flat_map(Map::named) {
        if let Some(member) = members.get(name) {
            listener.enter(Step::Name(name));
            let fits = walk(member, schema, listener);
            listener.leave();
            if !fits {
                return false;
            }
        }
    }
    if node.additional == Some(&Value::Bool(false)) {
        for (key, _) in members.iter() {
            let name = key.text().map_or("", |name| &**name);
            if !known.is_some_and(|known| known.contains(name)) {
                listener.enter(Step::Name(name));
                let fits = listener.fail("additionalProperties", || format!("{name} is not a known name"));
                listener.leave();
                return fits;
            }
        }
    }
    true
}
