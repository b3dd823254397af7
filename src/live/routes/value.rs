//! Texts of a request made into the values their schemas ask for.

use crate::schema::conforms;
use crate::value::{Map, Value};

/// What a schema asks for, as far as the way a value is written goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    List,
    Object,
}

pub(super) fn shape_of(schema: &Value) -> Shape {
    let names = |word: &str| match schema.get("type") {
        Some(Value::Str(one)) => **one == *word,
        Some(Value::Array(several)) => several.iter().any(|one| one.as_str() == Some(word)),
        _ => false,
    };
    if names("array") {
        Shape::List
    } else if names("object") {
        Shape::Object
    } else {
        Shape::Plain
    }
}

/// A text as its schema asks for it: text where that fits, else the number, boolean or null it spells; text when nothing
/// does, so that the schema refuses it.
pub(super) fn coerced(text: &str, schema: &Value) -> Value {
    let plain = Value::str(text);
    if conforms(&plain, schema) {
        return plain;
    }
    let spelled = Value::parse_json(text).ok();
    let Some(read) = spelled.filter(|value| value.is_number() || value.is_null() || value.as_bool().is_some()) else {
        return plain;
    };
    // A number out of its bounds is still a number: the schema says what is wrong with it.
    let kind = match &read {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        _ => "number",
    };
    let asked = schema.get("type").and_then(Value::as_str);
    let asked_for = asked == Some(kind) || (kind == "number" && asked == Some("integer"));
    if asked_for || conforms(&read, schema) { read } else { plain }
}

/// A value out of the entries it is written as; `whole` is its text when it is neither a list nor an object.
pub(super) fn from_entries(
    entries: impl Iterator<Item = String>,
    whole: &str,
    exploded: bool,
    schema: &Value,
) -> Value {
    match shape_of(schema) {
        Shape::Plain => coerced(whole, schema),
        Shape::List => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            let anything = Value::from(Map::new());
            let items = if items.is_null() { &anything } else { items };
            Value::array(entries.map(|entry| coerced(&entry, items)).collect())
        }
        Shape::Object => {
            let mut object = Map::new();
            let mut insert = |name: &str, text: &str| {
                let inner = schema.get("properties").and_then(|p| p.get(name)).unwrap_or(&Value::Null);
                object.insert(name, coerced(text, inner));
            };
            let entries: Vec<String> = entries.collect();
            if exploded {
                for entry in &entries {
                    let (name, text) = entry.split_once('=').unwrap_or((entry, ""));
                    insert(name, text);
                }
            } else {
                for pair in entries.chunks(2) {
                    insert(&pair[0], pair.get(1).map_or("", String::as_str));
                }
            }
            object.into()
        }
    }
}
