//! Taking out the keywords that a draw does not follow (rules 3.2).

use crate::value::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Keywords taken out at every level.
const DROPPED: [&str; 20] = [
    "pattern",
    "not",
    "if",
    "then",
    "else",
    "allOf",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "multipleOf",
    "uniqueItems",
];

/// The schema without the keywords that rules 3.2 takes out before drawing. Parts that hold none of them are shared with
/// the schema given, and a part that stands in many places is cleaned once.
pub fn cleaned(schema: &Value) -> Value {
    Cleaner::default().value(schema, Reading::Schema)
}

/// What the keys of a mapping are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Reading {
    /// Keywords.
    Schema,
    /// Names of the user's: none is a keyword.
    Names,
}

#[derive(Default)]
struct Cleaner {
    /// By address; the schema being cleaned keeps them alive.
    done: HashMap<(usize, Reading), Value>,
}

impl Cleaner {
    fn value(&mut self, value: &Value, reading: Reading) -> Value {
        let (address, shared) = match value {
            Value::Object(map) => (Arc::as_ptr(map) as usize, Arc::strong_count(map) > 1),
            Value::Array(list) => (Arc::as_ptr(list) as usize, Arc::strong_count(list) > 1),
            _ => return value.clone(),
        };
        if shared && let Some(done) = self.done.get(&(address, reading)) {
            return done.clone();
        }
        let result = match value {
            Value::Object(map) => self.map(map, reading).map_or_else(|| value.clone(), Value::object),
            Value::Array(list) => self.list(list).map_or_else(|| value.clone(), Value::array),
            _ => value.clone(),
        };
        if shared {
            self.done.insert((address, reading), result.clone());
        }
        result
    }

    /// The list cleaned; `None` when nothing changed.
    fn list(&mut self, list: &[Value]) -> Option<Vec<Value>> {
        let mut result: Option<Vec<Value>> = None;
        for (i, item) in list.iter().enumerate() {
            let clean = self.value(item, Reading::Schema);
            if result.is_none() && !is_identical(&clean, item) {
                result = Some(list[..i].to_vec());
            }
            if let Some(result) = &mut result {
                result.push(clean);
            }
        }
        result
    }

    /// The mapping cleaned; `None` when nothing changed.
    fn map(&mut self, map: &Map, reading: Reading) -> Option<Map> {
        let mut result: Option<Map> = None;
        for (i, (key, value)) in map.iter().enumerate() {
            let name = key.text().filter(|_| reading == Reading::Schema).map_or("", |name| &**name);
            let clean = match name {
                name if DROPPED.contains(&name) => None,
                "const" | "enum" => Some(value.clone()),
                "properties" | "$defs" | "definitions" if value.as_object().is_some() => {
                    Some(self.value(value, Reading::Names))
                }
                _ => Some(self.value(value, Reading::Schema)),
            };
            if result.is_none() && clean.as_ref().is_none_or(|clean| !is_identical(clean, value)) {
                result = Some(map.iter().take(i).map(|(k, v)| (k.clone(), v.clone())).collect());
            }
            if let (Some(result), Some(clean)) = (&mut result, clean) {
                result.insert(key.clone(), clean);
            }
        }
        result
    }
}

/// Whether cleaning gave the very value back.
fn is_identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b),
        // scalars are never changed
        _ => true,
    }
}
