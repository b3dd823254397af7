//! The keyed draw of a value from a schema (rules 3.3).

use super::bounds::{Bounds, round2};
use super::conform::conforms_within;
use super::hash::{DrawKey, decimal, modulo_big};
use super::keywords::{Keywords, list};
use crate::value::{Map, Str, Value};
use num_bigint::{BigInt, BigUint};
use num_traits::FromPrimitive;

/// What one draw may build at most: a letter counts 1, a value [`VALUE_COST`]. A schema that asks for more (`minLength`
/// or `minItems` of 10^9, which the rules would build) gets a shorter text and fewer items; nothing else changes.
const BUDGET: usize = 1 << 20;
/// What a value counts against [`BUDGET`]: at most 131,072 values in one draw.
const VALUE_COST: usize = 8;
/// How many schema nodes a draw looks at to find the `oneOf` branches that stand alone; a schema that needs more takes the
/// first branch from there on.
const MOST_LOOKED_AT: usize = 1 << 21;
/// The letters of every drawn word.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// draw(schema, K, salt) of rules 3.3; the schema is already cleaned. Total: any value is a schema here, and what one
/// draw builds is bounded.
pub fn draw(schema: &Value, key: &DrawKey, salt: &str) -> Value {
    let mut salt_room = String::with_capacity(salt.len() + 64);
    salt_room.push_str(salt);
    Drawer { key, salt: salt_room, budget: BUDGET, looks: MOST_LOOKED_AT }.value(schema)
}

/// Whether it is plain that [`draw`] gives an object, whatever the key; the schema is cleaned.
pub fn draws_object(schema: &Value) -> bool {
    let Value::Object(node) = schema else { return false };
    let node = Keywords::of(node);
    node.constant.or(node.choices).or(node.any_of).or(node.one_of).is_none()
        && node.kind.and_then(Value::as_str) == Some("object")
}

struct Drawer<'k> {
    key: &'k DrawKey,
    /// The salt of the value being drawn; grown and cut back as the draw descends.
    salt: String,
    budget: usize,
    /// Schema nodes that may still be looked at.
    looks: usize,
}

impl Drawer<'_> {
    /// Does `action` with `/part` behind the salt.
    fn under<R>(&mut self, part: &str, action: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.salt.len();
        self.salt.push('/');
        self.salt.push_str(part);
        let result = action(self);
        self.salt.truncate(length);
        result
    }

    fn choice(&mut self, part: &str, n: u64) -> u64 {
        self.under(part, |this| this.key.choice(&this.salt, n))
    }

    fn word(&mut self, part: &str, n: usize) -> Value {
        let n = n.min(self.budget);
        self.budget -= n;
        self.under(part, |this| this.key.word(&this.salt, n, LETTERS).into())
    }

    fn any(&mut self) -> Value {
        self.word("any", 4)
    }

    fn value(&mut self, schema: &Value) -> Value {
        self.budget = self.budget.saturating_sub(VALUE_COST);
        let Value::Object(node) = schema else { return self.any() };
        let node = Keywords::of(node);
        if let Some(constant) = node.constant {
            return constant.clone();
        }
        if let Some(choices) = list(node.choices).filter(|choices| !choices.is_empty()) {
            let at = self.choice("enum", choices.len() as u64);
            return choices.get(at as usize).cloned().unwrap_or_default();
        }
        if let Some(first) = list(node.any_of).and_then(<[Value]>::first) {
            return self.under("anyOf", |this| this.value(first));
        }
        if let Some(branches) = list(node.one_of).filter(|branches| !branches.is_empty()) {
            return self.under("oneOf", |this| this.one_of(branches));
        }
        match self.kind(&node) {
            "null" => Value::Null,
            "boolean" => Value::Bool(self.choice("bool", 2) == 1),
            "integer" => self.integer(Bounds::of(&node).finite()),
            "number" => Value::Float(self.number(Bounds::of(&node).finite())),
            "string" => self.string(&node),
            "array" => self.array(&node),
            "object" => self.object(&node),
            _ => self.any(),
        }
    }

    /// The first branch's value that no other branch admits, else the first value.
    fn one_of(&mut self, branches: &[Value]) -> Value {
        let mut first = None;
        for (i, branch) in branches.iter().enumerate() {
            let value = self.under(decimal(i, &mut [0; 20]), |this| this.value(branch));
            let mut others = branches.iter().enumerate().filter(|(j, _)| *j != i);
            let alone = others.all(|(_, other)| !conforms_within(&value, other, &mut self.looks));
            if self.looks == 0 {
                return first.unwrap_or(value);
            }
            if alone {
                return value;
            }
            first.get_or_insert(value);
        }
        first.unwrap_or_default()
    }

    /// The kind to draw; a word other than the seven draws like no word at all.
    fn kind<'a>(&mut self, node: &Keywords<'a>) -> &'a str {
        match node.kind {
            Some(Value::Str(word)) => word,
            Some(Value::Array(words)) => {
                let at = if words.len() > 1 { self.choice("type", words.len() as u64) as usize } else { 0 };
                words.get(at).and_then(Value::as_str).unwrap_or_default()
            }
            _ if node.properties.and_then(Value::as_object).is_some() => "object",
            _ if node.items.is_some() || node.prefix_items.is_some() => "array",
            _ => "",
        }
    }

    fn integer(&mut self, bounds: Bounds) -> Value {
        let low = bounds.low.map(|low| if bounds.open_low { low.floor() } else { low.ceil() });
        let high = bounds.high.map(|high| if bounds.open_high { high.ceil() } else { high.floor() });
        let (above, below) = (i64::from(bounds.open_low), i64::from(bounds.open_high));
        if low.is_none_or(is_small) && high.is_none_or(is_small) {
            let (low, high) = span(low.map(|f| f as i64 + above), high.map(|f| f as i64 - below), 1000_i64);
            return Value::Int(low + self.choice("int", (high - low) as u64 + 1) as i64);
        }
        let whole = |f: f64| BigInt::from_f64(f).unwrap_or_default();
        let (low, high) = span(low.map(|f| whole(f) + above), high.map(|f| whole(f) - below), BigInt::from(1000));
        let size = (high - &low).magnitude() + 1_u32;
        let bits = self.under("int", |this| this.key.bits(&this.salt));
        Value::integer(low + BigInt::from(modulo_big(&bits, &size)))
    }

    fn number(&mut self, bounds: Bounds) -> f64 {
        let (bottom, top) = match (bounds.low, bounds.high) {
            (None, None) => (0.0, 100.0),
            (Some(low), None) => (low, low + 100.0),
            (None, Some(high)) => (high - 100.0, high),
            (Some(low), Some(high)) => (low, if high < low { low } else { high }),
        };
        if bottom == top {
            return bottom;
        }
        let k = self.choice("num", 199);
        let value = bottom + ((top - bottom) * (k + 1) as f64) / 200.0;
        let rounded = Value::Float(round2(value));
        if bounds.above_low(&rounded) && bounds.below_high(&rounded) { round2(value) } else { value }
    }

    fn string(&mut self, node: &Keywords) -> Value {
        match node.format.and_then(Value::as_str) {
            Some("uuid") => self.under("uuid", |this| uuid(this.key.bits(&this.salt))),
            Some("email") => {
                let user = self.word("user", 6);
                format!("{}{}@example.com", user.as_str().unwrap_or_default(), self.choice("n", 100)).into()
            }
            Some("date") => self.date().into(),
            Some("date-time") => {
                let (date, second) = (self.date(), self.choice("second", 86_400));
                format!("{date}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60).into()
            }
            _ => {
                let n = match (count(node.min_length), count(node.max_length)) {
                    (None, None) => self.between("length", 4, 12),
                    (None, Some(high)) => self.between("length", 0, high.min(12)),
                    (Some(low), None) => self.between("length", low, low + 8),
                    (Some(low), Some(high)) => self.between("length", low, high),
                };
                self.word("word", n)
            }
        }
    }

    /// A day of 2026.
    fn date(&mut self) -> String {
        let mut day = self.choice("day", 365);
        for (month, days) in (1..).zip([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            if day < days {
                return format!("2026-{month:02}-{:02}", day + 1);
            }
            day -= days;
        }
        // a choice below 365 has met its month above
        "2026-12-31".to_owned()
    }

    /// A length from low to high, at least 0; `high` below `low` counts as `low`.
    fn between(&mut self, part: &str, low: i128, high: i128) -> usize {
        let size = high.max(low) - low + 1;
        let drawn = match u64::try_from(size) {
            Ok(size) => i128::from(self.choice(part, size)),
            Err(_) => {
                let bits = self.under(part, |this| this.key.bits(&this.salt));
                i128::try_from(modulo_big(&bits, &BigUint::from(size.unsigned_abs()))).unwrap_or_default()
            }
        };
        usize::try_from((low + drawn).max(0)).unwrap_or(usize::MAX)
    }

    fn array(&mut self, node: &Keywords) -> Value {
        let first = list(node.prefix_items).unwrap_or_default();
        let low = count(node.min_items).unwrap_or(0);
        let high = count(node.max_items).unwrap_or_else(|| low.max(first.len() as i128) + 3);
        let n = self.between("count", low, high);
        let mut items = Vec::new();
        for i in 0..n {
            if self.budget == 0 {
                break;
            }
            let schema = match (first.get(i), node.items) {
                (Some(schema), _) => schema,
                (None, Some(Value::Bool(false))) => break,
                (None, Some(schema)) => schema,
                (None, None) => &Value::Null,
            };
            items.push(self.under(decimal(i, &mut [0; 20]), |this| this.value(schema)));
        }
        items.into()
    }

    fn object(&mut self, node: &Keywords) -> Value {
        let mut properties: Vec<(&Str, &Value)> =
            node.properties.and_then(Value::as_object).map(|map| map.named().collect()).unwrap_or_default();
        properties.sort_unstable_by_key(|(name, _)| *name);
        let mut members = Map::with_capacity(properties.len());
        for (name, schema) in properties {
            if self.budget == 0 {
                break;
            }
            let value = self.under(name, |this| this.value(schema));
            members.insert(name, value);
        }
        if node.additional != Some(&Value::Bool(false)) {
            for name in list(node.required).unwrap_or_default().iter().filter_map(Value::as_str) {
                if self.budget > 0 && !members.contains(name) {
                    let word = self.under(name, |this| this.word("required", 4));
                    members.insert(name, word);
                }
            }
        }
        members.into()
    }
}

/// Whether integer arithmetic around a bound stays well inside 64 bits.
fn is_small(bound: f64) -> bool {
    bound.abs() < 1e18
}

/// Both ends from those given: none is 0 to 1000, one is a span of 1000 from it, and a high end below the low one is it.
fn span<N>(low: Option<N>, high: Option<N>, width: N) -> (N, N)
where
    N: Clone + PartialOrd + Default + std::ops::Sub<Output = N> + std::ops::Add<Output = N>,
{
    match (low, high) {
        (None, None) => (N::default(), width),
        (Some(low), None) => (low.clone(), low + width),
        (None, Some(high)) => (high.clone() - width, high),
        (Some(low), Some(high)) => (low.clone(), if high < low { low } else { high }),
    }
}

/// A length or count: a number cut to an integer, held within what 64 bits can say.
fn count(value: Option<&Value>) -> Option<i128> {
    match value? {
        Value::Int(n) => Some(i128::from(*n)),
        Value::BigInt(n) => Some(i128::try_from(&**n).unwrap_or(if n.sign() == num_bigint::Sign::Minus {
            -COUNT_LIMIT
        } else {
            COUNT_LIMIT
        }))
        .map(|n| n.clamp(-COUNT_LIMIT, COUNT_LIMIT)),
        Value::Float(f) if f.is_finite() => Some((*f as i128).clamp(-COUNT_LIMIT, COUNT_LIMIT)),
        _ => None,
    }
}

/// Counts beyond it mean the same: far more than is ever built.
const COUNT_LIMIT: i128 = 1 << 100;

/// The first 16 bytes as a version 4 UUID of the RFC variant.
fn uuid(bits: [u8; 32]) -> Value {
    let mut text = String::with_capacity(36);
    for (i, byte) in bits.iter().take(16).enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let byte = match i {
            6 => byte & 0x0f | 0x40,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        for half in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
        }
    }
    text.into()
}
