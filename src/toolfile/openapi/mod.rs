//! OpenAPI 3.0 and 3.1 documents: one tool an operation (rules 1.6).
//!
//! [`parameters`], [`body`] and [`responses`] read the parts of an operation; this file walks the paths and merges the
//! parts into one argument schema. Does not own the checks that follow in every format (`found`).

mod body;
mod media;
mod parameters;
mod responses;

use self::body::Body;
use self::parameters::Parameter;
use super::found::{Found, Problem, Root, Schemas, Sieve, text_at};
use super::names::{key_text, text_of};
use super::tool::{Effect, HttpShape, Place};
use crate::schema::{Inliner, RefusalKind};
use crate::value::{Key, Map, Str, Value, pointer};
use std::collections::HashMap;

/// A node of the document and the JSON pointer it is reached by.
struct Node<'a> {
    value: &'a Value,
    at: &'a str,
}

/// Reads every operation of every path, in document order.
pub(super) fn read(document: &Value, sieve: &mut Sieve) {
    let Some(paths) = document.get("paths").and_then(Value::as_object) else { return };
    for (key, item) in paths.iter() {
        let path = key_text(key);
        let at = key_step("/paths", key);
        let followed = match sieve.inliner.follow(item) {
            Ok(followed) => followed,
            Err(error) => {
                sieve.refuse(path, Problem::schema("its path item", &at, error), at);
                continue;
            }
        };
        let Some(item_map) = followed.as_object() else { continue };
        for (word, operation) in item_map.named() {
            if let (Some(effect), Some(operation)) = (effect_of(word), operation.as_object()) {
                let at = origin(item, document, &at, word);
                sieve.inliner.next_tool();
                let path_item = PathItem { path: &path, map: item_map };
                let found = path_item.tool(word, effect, operation, at, &mut sieve.inliner);
                sieve.take(found);
            }
        }
    }
}

/// The effect of a method word; `None` when it is no method.
fn effect_of(word: &str) -> Option<Effect> {
    match word {
        "get" | "head" => Some(Effect::Read),
        "post" | "put" | "patch" | "delete" => Some(Effect::Write),
        "options" | "trace" => Some(Effect::Unknown),
        _ => None,
    }
}

/// JSON pointer of the operation `word`: in the path item itself or in what its `$ref` leads to.
fn origin(item: &Value, document: &Value, at: &str, word: &str) -> String {
    /// More hops than any document needs; a cycle was refused before.
    const HOPS: usize = 64;
    let (mut node, mut node_at) = (item, at.to_owned());
    for _ in 0..HOPS {
        if node.get(word).is_some() {
            return pointer::join(&node_at, word);
        }
        let Some(target) = node.get("$ref").and_then(Value::as_str).and_then(fragment) else { break };
        let Some(next) = pointer::resolve(document, &target) else { break };
        (node, node_at) = (next, target);
    }
    pointer::join(at, word)
}

/// The JSON pointer of a reference into the same file, percent-decoded.
fn fragment(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix('#')?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let [first, after @ ..] = left {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), left = &after[2..]).1,
            None => (bytes.push(*first), left = after).1,
        }
    }
    String::from_utf8(bytes).ok()
}

/// What the operations of one path share.
struct PathItem<'a> {
    path: &'a Str,
    map: &'a Map,
}

impl PathItem<'_> {
    fn tool(&self, word: &str, effect: Effect, operation: &Map, at: String, inliner: &mut Inliner) -> Found {
        let name = match operation.get("operationId") {
            Some(Value::Str(id)) if !id.is_empty() => Value::Str(id.clone()),
            _ => Value::str(format!("{word}_{}", self.path)),
        };
        let description = text_at(operation, "summary")
            .filter(|summary| !summary.is_empty())
            .or_else(|| text_at(operation, "description"))
            .unwrap_or_else(|| Str::from(""));
        let mut http = HttpShape {
            method: word.to_ascii_uppercase().into(),
            path: self.path.clone(),
            places: Vec::new(),
            media: None,
        };
        let schemas = self.schemas(operation, &at, &mut http, inliner);
        Found { name, title: None, description, effect, at, schemas, http: Some(http) }
    }

    fn schemas(
        &self,
        operation: &Map,
        at: &str,
        http: &mut HttpShape,
        inliner: &mut Inliner,
    ) -> Result<Schemas, Problem> {
        let parameters = parameters::read(inliner, self.map, operation, at)?;
        let body = body::read(inliner, operation, at)?;
        let (arguments, places) = merge(parameters, body.as_ref(), at)?;
        http.places = places;
        http.media = body.map(|body| body.media);
        let output = responses::read(inliner, operation, at)?;
        let (output, output_at) = output.unzip();
        Ok(Schemas {
            arguments,
            arguments_at: at.to_owned(),
            output,
            output_at: output_at.unwrap_or_default(),
            root: Root::Document,
        })
    }
}

/// Parameters and body as one object schema.
fn merge(parameters: Vec<Parameter>, body: Option<&Body>, at: &str) -> Result<(Value, Vec<(Str, Place)>), Problem> {
    let mut properties = Map::new();
    let mut places: Vec<(Str, Place)> = Vec::new();
    let mut seen: HashMap<Str, Place> = HashMap::new();
    let mut required: Vec<Value> = Vec::new();
    let mut add = |name: &Str, place: Place, schema: Value| -> Result<(), Problem> {
        if let Some(earlier) = seen.insert(name.clone(), place) {
            let reason = format!("the name {name} stands in its {} and in its {} ({at})", earlier.word(), place.word());
            return Err(Problem::new(RefusalKind::Merge, reason));
        }
        places.push((name.clone(), place));
        properties.insert(name, schema);
        Ok(())
    };
    for parameter in parameters {
        add(&parameter.name, parameter.place, parameter.schema)?;
        if parameter.required {
            required.push(parameter.name.into());
        }
    }
    let body = body.and_then(|body| body.schema.as_object());
    for (key, schema) in
        body.and_then(|map| map.get("properties")).and_then(Value::as_object).iter().flat_map(|m| m.iter())
    {
        add(&key_text(key), Place::Body, schema.clone())?;
    }
    if let Some(list) = body.and_then(|map| map.get("required")).and_then(Value::as_array) {
        required.extend(list.iter().map(|entry| Value::from(text_of(entry))));
    }
    let mut schema = Map::from([("type", Value::str("object")), ("properties", Value::object(properties))]);
    if !required.is_empty() {
        schema.insert("required", Value::array(required));
    }
    if let Some(additional) = body.and_then(|map| map.get("additionalProperties")) {
        schema.insert("additionalProperties", additional.clone());
    }
    Ok((Value::object(schema), places))
}

impl Node<'_> {
    /// Follows a `$ref` at the top of the node.
    fn follow(&self, inliner: &Inliner, what: &str) -> Result<Value, Problem> {
        inliner.follow(self.value).map_err(|error| Problem::schema(what, self.at, error))
    }
}

/// The JSON pointer of the entry `key` of what stands at `at`.
fn key_step(at: &str, key: &Key) -> String {
    pointer::join(at, &key.json_text().unwrap_or_default())
}
