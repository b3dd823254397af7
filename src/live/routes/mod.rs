//! The routes of an OpenAPI document: an HTTP request becomes the call it stands for, an answer the response.

mod value;

use crate::schema::conforms;
use crate::task::Task;
use crate::toolfile::{Format, HttpShape, Place, Reading, StyleForm};
use crate::value::{Map, Str, Value, pointer};
use value::{coerced, from_entries, shape_of};

/// The routes of a task's document.
#[derive(Debug)]
pub struct Routes {
    operations: Vec<Operation>,
    refused: Vec<Refused>,
    /// Paths that stand before the document's own: none, and that of its first server.
    bases: Vec<String>,
}

#[derive(Debug)]
struct Operation {
    tool: Str,
    method: String,
    template: Vec<Piece>,
    http: HttpShape,
    schema: Value,
    success: u16,
}

#[derive(Debug)]
struct Refused {
    method: String,
    template: Vec<Piece>,
    reason: String,
}

/// A piece of a path template.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Parameter(String),
}

/// A request, taken apart.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    /// `GET`, ...
    pub method: &'a str,
    /// The path after what names the episode, still encoded.
    pub path: &'a str,
    /// The query, still encoded.
    pub query: &'a str,
    /// Headers by lower-case name.
    pub headers: &'a [(String, String)],
    /// The body.
    pub body: &'a [u8],
}

/// What a request stands for.
#[derive(Debug, PartialEq)]
pub(super) enum Route {
    /// A call, and the status of its success.
    Call { tool: Str, arguments: Value, success: u16 },
    /// An operation that cannot be used, and why.
    Refused(String),
    /// The path is there, with these methods.
    OtherMethod(Vec<String>),
    /// There is no such path.
    None,
}

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

impl Routes {
    /// The routes of a task, when its file is an OpenAPI document. A task that shows lookalikes has none: they share the route
    /// of the tool they look like, so a request cannot say which one it means.
    pub fn of(task: &Task, reading: &Reading, root: &Value) -> Option<Self> {
        let mut places: Vec<&str> = task.block.iter().map(|shown| shown.tool.at.as_str()).collect();
        places.sort_unstable();
        if task.format != Format::OpenApi || places.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut bases = vec![String::new()];
        let operation = |shown: &crate::task::ShownTool| {
            let http = shown.tool.http.clone()?;
            Some(Operation {
                tool: shown.name.clone(),
                method: http.method.to_string(),
                template: pieces(&http.path),
                schema: shown.tool.input_schema.clone(),
                success: success(root, &shown.tool.at),
                http,
            })
        };
        let mut operations: Vec<Operation> = task.block.iter().filter_map(operation).collect();
        // A path that says more in plain text wins over one with more parameters.
        operations.sort_by_key(|o| o.template.iter().filter(|p| matches!(p, Piece::Parameter(_))).count());
        if let Some(base) = operations.iter().find_map(|o| o.http.server.as_deref()).map(path_of)
            && !base.is_empty()
        {
            bases.insert(0, base);
        }
        let outside = reading.tools.iter().filter(|tool| !task.block.iter().any(|shown| shown.tool.at == tool.at));
        let outside = outside.map(|tool| (&tool.at, "it is not one of the tools of this task".to_owned()));
        let refused = reading.refused.iter().map(|refused| (&refused.at, refused.reason.clone()));
        let refused = refused.chain(outside).filter_map(|(at, reason)| {
            let parts = pointer::parts(at)?;
            let [paths, path, method, ..] = parts.as_slice() else { return None };
            let known = paths == "paths" && METHODS.contains(&&*method.to_ascii_lowercase());
            known.then(|| Refused { method: method.to_ascii_uppercase(), template: pieces(path), reason })
        });
        Some(Self { refused: refused.collect(), operations, bases })
    }

    /// What a request stands for.
    pub(super) fn find(&self, asked: &Asked<'_>) -> Route {
        let method = if asked.method == "HEAD" { "GET" } else { asked.method };
        let mut methods = Vec::new();
        for base in &self.bases {
            let Some(path) = asked.path.strip_prefix(base.as_str()).filter(|p| p.is_empty() || p.starts_with('/'))
            else {
                continue;
            };
            let path = if path.is_empty() { "/" } else { path };
            for operation in &self.operations {
                let Some(found) = matched(&operation.template, path) else { continue };
                if operation.method == method || operation.method == asked.method {
                    let arguments = operation.arguments(asked, &found);
                    return Route::Call { tool: operation.tool.clone(), arguments, success: operation.success };
                }
                methods.push(operation.method.clone());
            }
            for refused in &self.refused {
                if matched(&refused.template, path).is_none() {
                    continue;
                }
                if refused.method == method {
                    return Route::Refused(refused.reason.clone());
                }
                methods.push(refused.method.clone());
            }
        }
        methods.sort();
        methods.dedup();
        if methods.is_empty() { Route::None } else { Route::OtherMethod(methods) }
    }
}

/// The path of a server's address, without a slash at its end.
fn path_of(server: &str) -> String {
    let path = match server.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => server,
    };
    path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').to_owned()
}

/// The first 2xx status an operation declares; 200 when it declares none.
fn success(root: &Value, at: &str) -> u16 {
    let responses = pointer::resolve(root, at).and_then(|operation| operation.get("responses"));
    let mut codes = responses.and_then(Value::as_object).into_iter().flat_map(|map| map.iter());
    let code = |text: &str| text.parse::<u16>().ok().filter(|code| (200..300).contains(code));
    codes.find_map(|(key, _)| code(&key.json_text()?)).unwrap_or(200)
}

fn pieces(path: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Parameter(name.to_owned()));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}

/// The raw values of a template's parameters in a path. A parameter takes no slash, and as little as the rest allows.
fn matched<'p>(template: &[Piece], path: &'p str) -> Option<Vec<(String, &'p str)>> {
    let Some((first, rest)) = template.split_first() else { return path.is_empty().then(Vec::new) };
    match first {
        Piece::Text(text) => path.strip_prefix(text.as_str()).and_then(|left| matched(rest, left)),
        Piece::Parameter(name) => {
            let most = path.find('/').unwrap_or(path.len());
            // The next piece is text or the end: only where that text begins is it worth a try.
            let next = match rest.first() {
                Some(Piece::Text(text)) => text.as_str(),
                _ => "",
            };
            (1..=most).filter(|end| path.is_char_boundary(*end) && path[*end..].starts_with(next)).find_map(|end| {
                let mut found = matched(rest, &path[end..])?;
                found.insert(0, (name.clone(), &path[..end]));
                Some(found)
            })
        }
    }
}

/// Text out of percent encoding; `+` is a blank in queries and forms.
fn decoded(text: &str, plus: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
        match (bytes[i], hex(i + 1), hex(i + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 3;
            }
            (b'+', ..) if plus => {
                out.push(b' ');
                i += 1;
            }
            (other, ..) => {
                out.push(other);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The pairs of a query or a form: decoded names, raw values.
fn pairs(text: &str) -> Vec<(String, &str)> {
    let pair = |part: &'_ str| -> Option<(String, usize)> {
        let at = part.find('=').unwrap_or(part.len());
        (!part.is_empty()).then(|| (decoded(&part[..at], true), at))
    };
    text.split('&').filter_map(|part| pair(part).map(|(name, at)| (name, part.get(at + 1..).unwrap_or("")))).collect()
}

impl Operation {
    /// The argument object a request stands for.
    fn arguments(&self, asked: &Asked<'_>, found: &[(String, &str)]) -> Value {
        let mut arguments = Map::new();
        let mut used = Vec::new();
        let query = pairs(asked.query);
        for (name, place, style) in &self.http.places {
            let none = Value::Null;
            let schema = self.schema.get("properties").and_then(|p| p.get(name)).unwrap_or(&none);
            let value = match place {
                Place::Path => {
                    let raw = found.iter().find(|(given, _)| **given == **name).map(|(_, raw)| *raw);
                    raw.map(|raw| in_path(raw, name, style.form, style.explode, schema))
                }
                Place::Query => from_pairs(&query, name, style.form, style.explode, schema, &mut used),
                Place::Header => {
                    let header = asked.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
                    header.map(|(_, raw)| match style.form {
                        StyleForm::Json => json_or_text(raw),
                        _ => {
                            from_entries(raw.split(',').map(|part| part.trim().to_owned()), raw, style.explode, schema)
                        }
                    })
                }
                Place::Body => None,
            };
            if let Some(value) = value {
                arguments.insert(name.clone(), value);
            }
        }
        // What no parameter declares is an argument too: the schema says whether it may be there.
        for (name, raw) in &query {
            if !used.contains(name) && !arguments.contains(name) {
                arguments.insert(name.as_str(), decoded(raw, true));
            }
        }
        self.body(asked, &mut arguments);
        arguments.into()
    }

    /// Adds the fields of the body.
    fn body(&self, asked: &Asked<'_>, arguments: &mut Map) {
        if asked.body.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(asked.body);
        let sent =
            asked.headers.iter().find(|(name, _)| name == "content-type").map_or("", |(_, value)| value.as_str());
        if sent.to_ascii_lowercase().contains("x-www-form-urlencoded") {
            let form = pairs(&text);
            let mut used = Vec::new();
            let properties = self.schema.get("properties").and_then(Value::as_object);
            for (name, schema) in properties.into_iter().flat_map(|map| map.named()) {
                let in_body = self.http.places.iter().any(|(n, place, _)| n == name && *place == Place::Body);
                if let Some(value) =
                    from_pairs(&form, name, StyleForm::Form, true, schema, &mut used).filter(|_| in_body)
                {
                    arguments.insert(name.clone(), value);
                }
            }
            for (name, raw) in &form {
                if !used.contains(name) {
                    arguments.insert(name.as_str(), decoded(raw, true));
                }
            }
            return;
        }
        match Value::parse_json(&text) {
            Ok(Value::Object(fields)) => {
                for (name, value) in fields.named() {
                    arguments.insert(name.clone(), value.clone());
                }
            }
            // No object: it is kept as it is, and the schema does not know it.
            Ok(other) => drop(arguments.insert("body", other)),
            Err(_) => drop(arguments.insert("body", text.into_owned())),
        }
    }
}

fn json_or_text(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|_| Value::str(text))
}

/// A path's parameter.
fn in_path(raw: &str, name: &str, form: StyleForm, explode: bool, schema: &Value) -> Value {
    let plain = |text: &str| decoded(text, false);
    match form {
        StyleForm::Json => json_or_text(&plain(raw)),
        StyleForm::Label => {
            let inner = raw.strip_prefix('.').unwrap_or(raw);
            let parted = if explode { '.' } else { ',' };
            from_entries(inner.split(parted).map(plain), &plain(inner), explode, schema)
        }
        StyleForm::Matrix => {
            let inner = raw.strip_prefix(';').unwrap_or(raw);
            let own = format!("{name}=");
            if explode {
                let part = |part: &str| plain(part.strip_prefix(own.as_str()).unwrap_or(part));
                return from_entries(inner.split(';').map(part), &part(inner), true, schema);
            }
            let inner = inner.strip_prefix(own.as_str()).unwrap_or(inner);
            from_entries(inner.split(',').map(plain), &plain(inner), false, schema)
        }
        _ => from_entries(raw.split(',').map(plain), &plain(raw), explode, schema),
    }
}

/// A parameter of a query or a form. The names it takes are added to `used`.
fn from_pairs(
    pairs: &[(String, &str)],
    name: &str,
    form: StyleForm,
    explode: bool,
    schema: &Value,
    used: &mut Vec<String>,
) -> Option<Value> {
    let plain = |text: &str| decoded(text, true);
    let shape = shape_of(schema);
    if form == StyleForm::DeepObject {
        let mut object = Map::new();
        for (given, raw) in pairs {
            let inner = given.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            if let Some(member) = inner {
                used.push(given.clone());
                let inner = schema.get("properties").and_then(|p| p.get(member)).unwrap_or(&Value::Null);
                object.insert(member, coerced(&plain(raw), inner));
            }
        }
        return (!object.is_empty()).then(|| object.into());
    }
    if form == StyleForm::Form && explode && shape == value::Shape::Object {
        let properties = schema.get("properties").and_then(Value::as_object)?;
        let mut object = Map::new();
        for (given, raw) in pairs {
            if let Some(inner) = properties.get(given) {
                used.push(given.clone());
                object.insert(given.as_str(), coerced(&plain(raw), inner));
            }
        }
        return (!object.is_empty()).then(|| object.into());
    }
    let sent: Vec<&str> = pairs.iter().filter(|(given, _)| given == name).map(|(_, raw)| *raw).collect();
    let first = *sent.first()?;
    used.push(name.to_owned());
    if form == StyleForm::Json {
        return Some(json_or_text(&plain(first)));
    }
    if shape == value::Shape::List && explode {
        return Some(from_entries(sent.iter().map(|raw| plain(raw)), "", false, schema));
    }
    if sent.len() > 1 {
        // One value was declared and several came: a list, which the schema refuses or not.
        return Some(sent.iter().map(|raw| plain(raw)).collect::<Vec<String>>().into());
    }
    let entries: Vec<String> = match form {
        StyleForm::Spaces => plain(first).split(' ').map(str::to_owned).collect(),
        StyleForm::Pipes => plain(first).split('|').map(str::to_owned).collect(),
        _ => first.split(',').map(plain).collect(),
    };
    let value = from_entries(entries.into_iter(), &plain(first), false, schema);
    // A JSON text in the place of an object is taken for what it says.
    if shape == value::Shape::Object && !conforms(&value, schema) {
        let read = json_or_text(&plain(first));
        return Some(if read.as_object().is_some() { read } else { value });
    }
    Some(value)
}

#[cfg(test)]
mod tests;
