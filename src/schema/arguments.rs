//! What kind of argument schema one is: an object schema (rules 1.7), free text (rules 1.9).

use crate::value::Value;

/// Keys that say more about a text than that it is one; any value of theirs counts.
const TELLING: [&str; 5] = ["format", "enum", "const", "minLength", "maxLength"];

/// Whether an argument schema is free text (rules 1.9): no mapping at all, or text (or of no type) of which nothing more is
/// said. `pattern` says nothing here.
pub fn is_free_text(schema: &Value) -> bool {
    let Value::Object(node) = schema else { return true };
    let is_text = match node.get("type") {
        None | Some(Value::Null) => true,
        Some(Value::Str(word)) => &**word == "string",
        Some(Value::Array(words)) => words.iter().all(|word| matches!(word.as_str(), Some("null" | "string"))),
        Some(_) => false,
    };
    is_text && !TELLING.iter().any(|key| node.contains(key))
}

/// Whether it is an object schema (rules 1.7): `type` is the text `object`, or there is no `type` and `properties` is a
/// mapping.
pub fn is_object_schema(schema: &Value) -> bool {
    let Value::Object(node) = schema else { return false };
    match node.get("type") {
        Some(kind) => kind.as_str() == Some("object"),
        None => node.get("properties").is_some_and(|properties| properties.as_object().is_some()),
    }
}
