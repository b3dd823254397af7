//! Schemas, calls and numbers in few words.

use crate::task::Call;
use crate::text;
use crate::theme::Scope;
use crate::tui::widgets::outline::scalar;
use crate::tui::widgets::row::Row;
use crate::value::{Str, Value};

/// So much of one value is shown where several stand in a row.
const SHORT: usize = 40;

/// What a schema asks for: "text, 6 letters", "one of "email", "sms"", "number, at least 0".
pub fn schema_words(schema: &Value) -> String {
    if let Value::Bool(any) = schema {
        return if *any { "anything".to_owned() } else { "nothing".to_owned() };
    }
    if let Some(value) = schema.get("const") {
        return format!("always {}", short(value));
    }
    if let Some(list) = schema.get("enum").and_then(Value::as_array) {
        let shown: Vec<String> = list.iter().take(6).map(short).collect();
        let more =
            if list.len() > shown.len() { format!(", {} more", list.len() - shown.len()) } else { String::new() };
        return format!("one of {}{more}", shown.join(", "));
    }
    let mut words = match schema.get("type") {
        Some(Value::Str(kind)) => kind_word(kind),
        Some(Value::Array(kinds)) => {
            let kinds: Vec<String> = kinds.iter().filter_map(Value::as_str).map(kind_word).collect();
            kinds.join(" or ")
        }
        _ => ["anyOf", "oneOf"].into_iter().find_map(|word| schema.get(word).and_then(Value::as_array)).map_or_else(
            || "anything".to_owned(),
            |list| list.iter().take(4).map(schema_words).collect::<Vec<_>>().join(", or "),
        ),
    };
    if let Some(items) = schema.get("items").filter(|_| words == "list") {
        words = format!("list of {}", plural(&schema_words(items)));
    }
    if let Some(fields) = schema.get("properties").and_then(Value::as_object).filter(|_| words == "object") {
        words = format!("object with {}", text::count(fields.len(), "field"));
    }
    let mut bounds = Vec::new();
    if let Some(format) = schema.get("format").and_then(Value::as_str) {
        bounds.push(format.to_owned());
    }
    range(&mut bounds, schema, "minLength", "maxLength", "letter");
    range(&mut bounds, schema, "minItems", "maxItems", "entry");
    for (word, says) in [
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("exclusiveMinimum", "above"),
        ("exclusiveMaximum", "below"),
        ("multipleOf", "a multiple of"),
    ] {
        if let Some(bound) = schema.get(word).filter(|v| v.is_number()) {
            bounds.push(format!("{says} {}", short(bound)));
        }
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        bounds.push(format!("like {}", text::cut(pattern, SHORT)));
    }
    if bounds.is_empty() { words } else { format!("{words}, {}", bounds.join(", ")) }
}

fn kind_word(kind: &str) -> String {
    match kind {
        "string" => "text",
        "array" => "list",
        other => other,
    }
    .to_owned()
}

/// A list of texts, of numbers: the first word alone changes.
fn plural(words: &str) -> String {
    match words.split_once(',') {
        Some((first, rest)) => format!("{} ({})", plural(first), rest.trim()),
        None if matches!(words, "text" | "anything" | "nothing") || words.starts_with("one of") => words.to_owned(),
        None if words.contains(' ') => words.to_owned(),
        None => format!("{words}s"),
    }
}

fn range(bounds: &mut Vec<String>, schema: &Value, least: &str, most: &str, noun: &str) {
    let get = |word| schema.get(word).and_then(Value::as_i64);
    let many = if noun == "entry" { "entries" } else { "letters" };
    match (get(least).filter(|n| *n > 0), get(most)) {
        (Some(a), Some(b)) if a == b => bounds.push(format!("{a} {}", if a == 1 { noun } else { many })),
        (Some(a), Some(b)) => bounds.push(format!("{a} to {b} {many}")),
        (Some(a), None) => bounds.push(format!("at least {a} {}", if a == 1 { noun } else { many })),
        (None, Some(b)) => bounds.push(format!("at most {b} {}", if b == 1 { noun } else { many })),
        (None, None) => {}
    }
}

/// A value in one short piece.
pub fn short(value: &Value) -> String {
    match value {
        Value::Array(list) if !list.is_empty() => format!("[{}]", text::count_of(list.len(), "entry", "entries")),
        Value::Object(map) if !map.is_empty() => format!("{{{}}}", text::count(map.len(), "field")),
        other => text::cut(&scalar(other).1, SHORT).into_owned(),
    }
}

/// The same with text in full, for rows that wrap.
pub fn long(value: &Value) -> String {
    match value {
        Value::Array(list) if !list.is_empty() => short(value),
        Value::Object(map) if !map.is_empty() => short(value),
        other => scalar(other).1,
    }
}

/// Arguments by name, as in a list of calls: `order_id "ulbifi" amount 49.5`.
pub fn arguments(mut row: Row, arguments: &Value) -> Row {
    match arguments {
        Value::Object(map) => {
            for (i, (name, value)) in map.named().enumerate() {
                row.push(Scope::Dim, format!("{}{name} ", if i > 0 { " " } else { "" }));
                row.push(scalar(value).0, short(value));
            }
            row
        }
        other => row.put(Scope::Error, short(other)),
    }
}

/// A call in one row: the tool, then its arguments.
pub fn call(row: Row, call: &Call) -> Row {
    arguments(row.plain(&*call.tool).plain(" "), &call.arguments)
}

/// Pairs of names and values, as in what a request states.
pub fn pairs(mut row: Row, pairs: &[(Str, Value)]) -> Row {
    for (i, (name, value)) in pairs.iter().enumerate() {
        row.push(Scope::Dim, format!("{}{name} ", if i > 0 { " " } else { "" }));
        row.push(scalar(value).0, short(value));
    }
    row
}

/// The first eight letters of a hash.
pub fn short_hash(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_in_words() {
        for (schema, words) in [
            (r#"{"type":"string","minLength":6,"maxLength":6}"#, "text, 6 letters"),
            (r#"{"type":"number","minimum":0}"#, "number, at least 0"),
            (r#"{"enum":["email","sms"]}"#, "one of \"email\", \"sms\""),
            (r#"{"type":"array","items":{"type":"integer"},"minItems":1}"#, "list of integers, at least 1 entry"),
            (r#"{"type":["string","null"],"format":"date"}"#, "text or null, date"),
            (r#"{"type":"object","properties":{"a":{}}}"#, "object with 1 field"),
            (r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, "text, or integer"),
            (r#"{"const":7}"#, "always 7"),
            (r"{}", "anything"),
            (r"false", "nothing"),
        ] {
            assert_eq!(schema_words(&Value::parse_json(schema).unwrap()), words, "{schema}");
        }
    }

    #[test]
    fn calls_in_a_row() {
        let arguments = Value::parse_json(r#"{"id":"a","n":1.5,"tags":["x"],"o":{}}"#).unwrap();
        let shown = call(Row::new(), &Call { tool: "get".into(), arguments });
        assert_eq!(shown.text(), "get id \"a\" n 1.5 tags [1 entry] o {}");
    }
}
