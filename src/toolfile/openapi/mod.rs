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
use super::names::{brief, key_text, text_of};
use super::places::fragment;
use super::tool::{Effect, HttpShape, Place, Style};
use crate::schema::{self, Followed, Inliner, RefusalKind};
use crate::value::{Key, Map, Str, Value, pointer};
use std::collections::HashMap;

/// Reads every operation of every path, in document order.
pub(super) fn read(document: &Value, sieve: &mut Sieve) {
    let Some(paths) = document.get("paths").and_then(Value::as_object) else { return };
    for (key, item) in paths.iter() {
        let path = key_text(key);
        let at = key_step("/paths", key);
        let item = match follow(item, document, "path item", &at) {
            Ok(item) => item,
            Err(problem) => {
                sieve.refuse(path, problem, at);
                continue;
            }
        };
        let mut methods: Vec<_> =
            METHODS.into_iter().filter_map(|method| Some((item.order(method.0)?, method))).collect();
        methods.sort_unstable_by_key(|(order, _)| *order);
        for (_, (word, effect)) in methods {
            let Some(operation) = item.get(word).and_then(Value::as_object) else { continue };
            let item_at = item.reference_to(word).and_then(fragment);
            let at = pointer::join(item_at.as_deref().unwrap_or(&at), word);
            sieve.inliner.next_tool();
            let mut parts = Parts { document, item: &item, operation, at: &at, inliner: &mut sieve.inliner };
            let found = parts.tool(word, effect, &path);
            sieve.take(found);
        }
    }
}

/// A longer address of a server is left out of what is shown.
const LONGEST_URL: usize = 2_000;

/// The methods that make a tool, and its effect.
const METHODS: [(&str, Effect); 8] = [
    ("get", Effect::Read),
    ("head", Effect::Read),
    ("post", Effect::Write),
    ("put", Effect::Write),
    ("patch", Effect::Write),
    ("delete", Effect::Write),
    ("options", Effect::Unknown),
    ("trace", Effect::Unknown),
];

/// What the parts of one operation are read from.
struct Parts<'a> {
    document: &'a Value,
    /// The path item, followed.
    item: &'a Followed<'a>,
    operation: &'a Map,
    /// JSON pointer of the operation.
    at: &'a str,
    inliner: &'a mut Inliner,
}

impl Parts<'_> {
    fn tool(&mut self, word: &str, effect: Effect, path: &Str) -> Found {
        let operation = self.operation;
        let name = match operation.get("operationId") {
            Some(Value::Str(id)) if !id.is_empty() => Value::Str(id.clone()),
            _ => Value::str(format!("{word}_{path}")),
        };
        let description = text_at(operation, "summary")
            .filter(|summary| !summary.is_empty())
            .or_else(|| text_at(operation, "description"))
            .unwrap_or_else(|| Str::from(""));
        let mut http = HttpShape {
            method: word.to_ascii_uppercase().into(),
            path: path.clone(),
            places: Vec::new(),
            media: None,
            server: self.server(),
        };
        let schemas = self.schemas(&mut http);
        Found { name, title: None, description, effect, at: self.at.to_owned(), schemas, http: Some(http) }
    }

    /// The address of the first server: the operation's, else the path item's, else the document's.
    fn server(&self) -> Option<Str> {
        let all = [self.operation.get("servers"), self.item.get("servers"), self.document.get("servers")];
        let server = all.into_iter().flatten().find_map(|servers| servers.at(0))?;
        let mut url = server.get("url").and_then(Value::as_str)?.to_owned();
        for (name, variable) in server.get("variables").and_then(Value::as_object).iter().flat_map(|map| map.named()) {
            if let Some(value) = variable.get("default").and_then(Value::as_str).filter(|_| url.len() < LONGEST_URL) {
                url = url.replace(&format!("{{{name}}}"), value);
            }
        }
        (url.len() < LONGEST_URL).then(|| url.into())
    }

    fn schemas(&mut self, http: &mut HttpShape) -> Result<Schemas, Problem> {
        let parameters = parameters::read(self)?;
        let body = body::read(self)?;
        let Merged { arguments, places, origins } = merge(parameters, body.as_ref(), self.at)?;
        http.places = places;
        http.media = body.map(|body| body.media);
        let (output, output_at) = responses::read(self)?.unzip();
        Ok(Schemas {
            arguments,
            arguments_at: self.at.to_owned(),
            output,
            output_at: output_at.unwrap_or_default(),
            root: Root::Document,
            origins,
        })
    }
}

/// The arguments of an operation as one object schema.
struct Merged {
    arguments: Value,
    /// Where each argument goes in the HTTP request.
    places: Vec<(Str, Place, Style)>,
    /// Where each argument's schema is written.
    origins: Vec<(Str, String)>,
}

/// Parameters and body as one object schema.
fn merge(parameters: Vec<Parameter>, body: Option<&Body>, at: &str) -> Result<Merged, Problem> {
    let mut properties = Map::new();
    let mut places: Vec<(Str, Place, Style)> = Vec::new();
    let mut origins: Vec<(Str, String)> = Vec::new();
    let mut seen: HashMap<Str, Place> = HashMap::new();
    let mut required: Vec<Value> = Vec::new();
    let mut add = |name: &Str, place: Place, style: Style, schema: Value, origin: String| -> Result<(), Problem> {
        if let Some(earlier) = seen.insert(name.clone(), place) {
            let name = brief(name);
            let reason =
                format!("the name {name} is used in its {} and in its {} ({at})", earlier.word(), place.word());
            return Err(Problem::new(RefusalKind::Merge, reason, "Rename one of the two arguments.").at(&origin));
        }
        places.push((name.clone(), place, style));
        origins.push((name.clone(), origin));
        properties.insert(name, schema);
        Ok(())
    };
    for parameter in parameters {
        add(&parameter.name, parameter.place, parameter.style, parameter.schema, parameter.at)?;
        if parameter.required {
            required.push(parameter.name.into());
        }
    }
    let body_at = body.map_or("", |body| &body.at);
    let body = body.and_then(|body| body.schema.as_object());
    for (key, schema) in
        body.and_then(|map| map.get("properties")).and_then(Value::as_object).iter().flat_map(|m| m.iter())
    {
        let origin = key_step(&format!("{body_at}/properties"), key);
        add(&key_text(key), Place::Body, Style::of(Place::Body), schema.clone(), origin)?;
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
    Ok(Merged { arguments: Value::object(schema), places, origins })
}

/// Follows a `$ref` at the top of a node.
fn follow<'a>(node: &'a Value, document: &'a Value, what: &str, at: &str) -> Result<Followed<'a>, Problem> {
    schema::follow(node, document).map_err(|error| Problem::schema(what, at, error))
}

/// The JSON pointer of the entry `key` of what stands at `at`.
fn key_step(at: &str, key: &Key) -> String {
    pointer::join(at, &key.json_text().unwrap_or_default())
}
