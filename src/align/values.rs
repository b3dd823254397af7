//! What differs between two values, down to the place.

use crate::schema::same;
use crate::value::{Map, Value, pointer};

/// How a place differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Only b has it.
    Added,
    /// Only a has it.
    Removed,
    /// Both have it, with different values.
    Changed,
}

/// One place where two values differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// JSON pointer of the place.
    pub at: String,
    /// How it differs.
    pub kind: ChangeKind,
    /// What a has there.
    pub a: Option<Value>,
    /// What b has there.
    pub b: Option<Value>,
}

/// Deeper than this a difference is given whole.
const DEEPEST: usize = 64;

/// Every place where two values differ, in the order of a's entries, then of those only b has. Numbers compare by value:
/// `1` and `1.0` are no difference; the order of an object's entries is none.
pub fn changes(a: &Value, b: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    walk(a, b, String::new(), 0, &mut found);
    found
}

fn walk(a: &Value, b: &Value, at: String, depth: usize, found: &mut Vec<Change>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if depth < DEEPEST => objects(a, b, &at, depth, found),
        (Value::Array(a), Value::Array(b)) if depth < DEEPEST => {
            for i in 0..a.len().max(b.len()) {
                one(a.get(i), b.get(i), format!("{at}/{i}"), depth, found);
            }
        }
        _ if same(a, b) => {}
        _ => found.push(Change { at, kind: ChangeKind::Changed, a: Some(a.clone()), b: Some(b.clone()) }),
    }
}

fn objects(a: &Map, b: &Map, at: &str, depth: usize, found: &mut Vec<Change>) {
    for (key, value) in a.named() {
        one(Some(value), b.get(key), pointer::join(at, key), depth, found);
    }
    for (key, value) in b.named().filter(|(key, _)| !a.contains(key)) {
        one(None, Some(value), pointer::join(at, key), depth, found);
    }
}

fn one(a: Option<&Value>, b: Option<&Value>, at: String, depth: usize, found: &mut Vec<Change>) {
    let kind = match (a, b) {
        (Some(a), Some(b)) => return walk(a, b, at, depth + 1, found),
        (Some(_), None) => ChangeKind::Removed,
        _ => ChangeKind::Added,
    };
    found.push(Change { at, kind, a: a.cloned(), b: b.cloned() });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        Value::parse_json(text).unwrap()
    }

    #[test]
    fn names_every_place() {
        let a = json(r#"{"x":1,"gone":true,"list":[1,{"k/e":"v"},3],"same":[1.0]}"#);
        let b = json(r#"{"list":[1,{"k/e":"w"}],"x":1.0,"same":[1],"new":null}"#);
        let found: Vec<(String, ChangeKind)> = changes(&a, &b).into_iter().map(|c| (c.at, c.kind)).collect();
        assert_eq!(
            found,
            [
                ("/gone".to_owned(), ChangeKind::Removed),
                ("/list/1/k~1e".to_owned(), ChangeKind::Changed),
                ("/list/2".to_owned(), ChangeKind::Removed),
                ("/new".to_owned(), ChangeKind::Added),
            ]
        );
    }

    #[test]
    fn kinds_that_differ_are_one_change_at_their_place() {
        let found = changes(&json(r#"{"a":[1]}"#), &json(r#"{"a":{"0":1}}"#));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, "/a");
        assert!(changes(&json("[]"), &json("[]")).is_empty());
        assert_eq!(changes(&json("1"), &json("2"))[0].at, "");
    }

    #[test]
    fn deep_values_end() {
        let deep = |leaf: &str| json(&format!("{}{leaf}{}", "[".repeat(300), "]".repeat(300)));
        assert_eq!(changes(&deep("1"), &deep("2")).len(), 1);
        assert!(changes(&deep("1"), &deep("1.0")).is_empty());
    }
}
