//! What an argument schema may be: the argument-schema rules and object schemas (rules 1.7), free text (rules 1.9).

use super::inline::escaped;
use super::{RefusalKind, SchemaError};
use crate::value::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// From this level on a node is too deep; the root is level 0.
const TOO_DEEP: usize = 4;

/// Keywords that an argument schema may not use, in the order they are looked for.
const FORBIDDEN: [&str; 24] = [
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "patternProperties",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "multipleOf",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minProperties",
    "maxProperties",
    "$dynamicRef",
    "$recursiveRef",
    "contentSchema",
];

/// What to write where an argument is bytes.
const NO_BYTES: &str = "Take an id, a path or a URL instead of the bytes.";

/// What to write instead of a keyword that an argument schema may not use.
fn instead_of(keyword: &str) -> &'static str {
    match keyword {
        "anyOf" | "oneOf" => "Write one schema (a single `type`, or an `enum`), or make one tool for each case.",
        "allOf" => "Merge the parts into one schema.",
        "patternProperties" | "propertyNames" | "minProperties" | "maxProperties" | "unevaluatedProperties" => {
            "List the properties by name."
        }
        "contains" | "minContains" | "maxContains" | "uniqueItems" | "unevaluatedItems" => {
            "Remove it: `items`, `minItems` and `maxItems` can stay."
        }
        "multipleOf" => "Remove it: `minimum` and `maximum` can stay.",
        "$dynamicRef" | "$recursiveRef" => "Use `$ref`.",
        _ => "Remove it, and say the condition in the description.",
    }
}

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

/// The argument-schema rules of 1.7, on an inlined schema: depth first, the node before its children; `Err` holds the first
/// rule broken and where.
pub fn check_arguments_schema(schema: &Value) -> Result<(), SchemaError> {
    Checker { passed: HashSet::new(), path: Vec::new() }.node(schema, 0)
}

struct Checker {
    /// Nodes that passed, with the level they stood at: a shared node is checked once a level.
    passed: HashSet<(usize, usize)>,
    path: Vec<String>,
}

impl Checker {
    fn refused(&self, kind: RefusalKind, reason: &str, fix: &'static str) -> SchemaError {
        let at = self.path.iter().map(|step| format!("/{step}")).collect();
        SchemaError { kind, reason: reason.to_owned(), at, fix }
    }

    fn node(&mut self, node: &Value, level: usize) -> Result<(), SchemaError> {
        let Value::Object(node) = node else { return Ok(()) };
        if level >= TOO_DEEP {
            let fix = "Flatten it: move the inner properties up, or take the object as a JSON string.";
            return Err(self.refused(RefusalKind::Schema, "the arguments nest more than three levels deep", fix));
        }
        let seen = (Arc::as_ptr(node) as usize, level);
        if self.passed.contains(&seen) {
            return Ok(());
        }
        self.keywords(node)?;
        self.children(node, level + 1)?;
        self.passed.insert(seen);
        Ok(())
    }

    fn keywords(&self, node: &Map) -> Result<(), SchemaError> {
        if node.get("format").and_then(Value::as_str) == Some("binary") {
            return Err(self.refused(
                RefusalKind::Binary,
                "`format: binary`: a call cannot carry binary data",
                NO_BYTES,
            ));
        }
        if node.contains("contentEncoding") {
            let reason = "`contentEncoding`: a call cannot carry encoded data";
            return Err(self.refused(RefusalKind::Binary, reason, NO_BYTES));
        }
        if let Some(keyword) = FORBIDDEN.iter().find(|keyword| node.contains(keyword)) {
            let reason = format!("`{keyword}` is not supported in arguments");
            return Err(self.refused(RefusalKind::Schema, &reason, instead_of(keyword)));
        }
        if node.get("additionalProperties").is_some_and(|schema| schema.as_object().is_some()) {
            let reason = "a schema under `additionalProperties` is not supported in arguments";
            let fix = "List the properties by name, or set `additionalProperties` to true or false.";
            return Err(self.refused(RefusalKind::Schema, reason, fix));
        }
        Ok(())
    }

    fn children(&mut self, node: &Map, level: usize) -> Result<(), SchemaError> {
        if let Some(properties) = node.get("properties").and_then(Value::as_object) {
            for (name, child) in properties.named() {
                self.child(&["properties", name], child, level)?;
            }
        }
        for keyword in ["items", "prefixItems"] {
            match node.get(keyword) {
                Some(Value::Array(children)) => {
                    for (i, child) in children.iter().enumerate() {
                        self.child(&[keyword, &i.to_string()], child, level)?;
                    }
                }
                Some(child) => self.child(&[keyword], child, level)?,
                None => {}
            }
        }
        Ok(())
    }

    fn child(&mut self, steps: &[&str], child: &Value, level: usize) -> Result<(), SchemaError> {
        let length = self.path.len();
        self.path.extend(steps.iter().map(|step| escaped(step)));
        self.node(child, level)?;
        self.path.truncate(length);
        Ok(())
    }
}
