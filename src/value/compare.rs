//! Where the contracts of two documents differ.

use super::pointer::{self, Step};
use super::{Map, Odd, Value, walk};
use std::borrow::Cow;
use std::collections::HashMap;

/// A place at which two documents differ; on one side it may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// JSON pointer of the place.
    pub at: String,
    /// What stands there on the left.
    pub left: Option<Value>,
    /// What stands there on the right.
    pub right: Option<Value>,
}

/// The places where two values differ in JSON's model (rules 2.4), at most `limit` of them in the left one's order, and
/// how many more there are. The order of keys does not count, the spelling of numbers does: `1` is not `1.0`. A place is
/// named as far down as both sides are lists or objects.
pub fn differences(left: &Value, right: &Value, limit: usize) -> (Vec<Difference>, u64) {
    let mut search = Search { limit, found: Vec::new(), known: HashMap::new(), at: String::new() };
    let count = search.value(left, right);
    let more = count.saturating_sub(search.found.len() as u64);
    (search.found, more)
}

struct Search {
    limit: usize,
    found: Vec<Difference>,
    /// Of pairs of shared lists and objects, by their addresses: how many differences are inside.
    known: HashMap<(usize, usize), u64>,
    at: String,
}

impl Search {
    /// How many differences there are here and inside; those below the limit are kept.
    fn value(&mut self, left: &Value, right: &Value) -> u64 {
        let pair = walk::shared_address(left).zip(walk::shared_address(right));
        if pair.is_some_and(|(left, right)| left == right) {
            return 0;
        }
        if let Some(&count) = pair.and_then(|pair| self.known.get(&pair))
            && (count == 0 || self.found.len() >= self.limit)
        {
            return count;
        }
        let count = match (left, right) {
            (Value::Array(left), Value::Array(right)) => self.lists(left, right),
            (Value::Object(left), Value::Object(right)) => self.objects(left, right),
            _ if same_scalar(left, right) => 0,
            _ => self.differ(Some(left), Some(right)),
        };
        if let Some(pair) = pair {
            self.known.insert(pair, count);
        }
        count
    }

    fn differ(&mut self, left: Option<&Value>, right: Option<&Value>) -> u64 {
        if self.found.len() < self.limit {
            self.found.push(Difference { at: self.at.clone(), left: left.cloned(), right: right.cloned() });
        }
        1
    }

    fn sides(&mut self, step: &Step, left: Option<&Value>, right: Option<&Value>) -> u64 {
        let length = self.at.len();
        pointer::push(&mut self.at, step);
        let count = match (left, right) {
            (Some(left), Some(right)) => self.value(left, right),
            _ => self.differ(left, right),
        };
        self.at.truncate(length);
        count
    }

    fn lists(&mut self, left: &[Value], right: &[Value]) -> u64 {
        (0..left.len().max(right.len()))
            .fold(0, |sum: u64, i| sum.saturating_add(self.sides(&Step::Index(i), left.get(i), right.get(i))))
    }

    fn objects(&mut self, left: &Map, right: &Map) -> u64 {
        let left_names = Names::of(left);
        let right_names = Names::of(right);
        let mut sum: u64 = 0;
        for (name, value) in entries(left) {
            sum = sum.saturating_add(self.sides(&Step::Key(name.as_ref().into()), Some(value), right_names.get(&name)));
        }
        for (name, value) in entries(right) {
            if left_names.get(&name).is_none() {
                sum = sum.saturating_add(self.sides(&Step::Key(name.as_ref().into()), None, Some(value)));
            }
        }
        sum
    }
}

/// An object's entries by the text their keys have in JSON's model; a key without one has no part in a contract.
fn entries(map: &Map) -> impl Iterator<Item = (Cow<'_, str>, &Value)> {
    map.iter().filter_map(|(key, value)| key.json_text().map(|name| (name, value)))
}

/// Finds entries by their keys' text.
enum Names<'a> {
    Text(&'a Map),
    Any(HashMap<Cow<'a, str>, &'a Value>),
}

impl<'a> Names<'a> {
    fn of(map: &'a Map) -> Self {
        if map.all_text() { Names::Text(map) } else { Names::Any(entries(map).collect()) }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        match self {
            Names::Text(map) => map.get(name),
            Names::Any(names) => names.get(name).copied(),
        }
    }
}

/// Whether two values that are not both lists or both objects have the same text.
fn same_scalar(left: &Value, right: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::Str(text) => Some(text.clone()),
        Value::Odd(odd) => match &**odd {
            Odd::Time(iso) => Some(iso.clone()),
            _ => None,
        },
        _ => None,
    };
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => {
            left.to_bits() == right.to_bits() || (left.is_nan() && right.is_nan())
        }
        _ => match (text(left), text(right)) {
            (Some(left), Some(right)) => left == right,
            (None, None) => left == right,
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: &str, right: &str, limit: usize) -> (Vec<String>, u64) {
        let side = |value: &Option<Value>| {
            value.as_ref().map_or("-".to_owned(), |v| crate::value::canonical::compact(v, false))
        };
        let read = |text: &str| crate::value::read(text.as_bytes()).unwrap().root;
        let (found, more) = differences(&read(left), &read(right), limit);
        (found.iter().map(|d| format!("{}: {} {}", d.at, side(&d.left), side(&d.right))).collect(), more)
    }

    #[test]
    fn the_same_contract_in_other_spellings_has_none() {
        let left = "{\"b\": [1, \"2026-10-26\", {}], \"200\": null}";
        let right = "200: ~\nb:\n- 1\n- 2026-10-26\n- {}\n";
        assert_eq!(compare(left, right, 50), (vec![], 0));
    }

    #[test]
    fn places_are_named_as_far_down_as_both_sides_go() {
        let (found, more) = compare(
            r#"{"a": 1, "b": {"c": [1, 2], "d": "x"}, "e": 0.0, "f/": null}"#,
            r#"{"a": 1.0, "b": {"d": ["x"], "c": [1, 3, 4]}, "e": -0.0, "g": true}"#,
            50,
        );
        let expected = [
            "/a: 1 1.0",
            "/b/c/1: 2 3",
            "/b/c/2: - 4",
            "/b/d: \"x\" [\"x\"]",
            "/e: 0.0 -0.0",
            "/f~1: null -",
            "/g: - true",
        ];
        assert_eq!((found, more), (expected.map(str::to_owned).to_vec(), 0));
        assert_eq!(compare("1", "[1]", 50), (vec![": 1 [1]".to_owned()], 0));
    }

    #[test]
    fn beyond_the_limit_they_are_counted() {
        let list = |n: i64, from: i64| (from..from + n).map(|i| format!("{i}.5")).collect::<Vec<_>>().join(",");
        let (found, more) = compare(&format!("[{}]", list(120, 0)), &format!("[{}]", list(130, 1)), 50);
        assert_eq!((found.len(), more), (50, 80));
    }

    #[test]
    fn shared_parts_are_compared_once() {
        let bomb = |leaf: &str| {
            let mut text = format!("a0: &a0 [{leaf}]\n");
            for i in 1..100 {
                text.push_str(&format!("a{i}: &a{i} [*a{0}, *a{0}, *a{0}]\n", i - 1));
            }
            text
        };
        assert_eq!(compare(&bomb("1"), &bomb("1"), 50), (vec![], 0));
        let (found, more) = compare(&bomb("1"), &bomb("2"), 50);
        assert_eq!((found.len(), more), (50, u64::MAX - 50));
    }
}
