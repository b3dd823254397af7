//! Parameters: the path item's, then the operation's, each name and place once.
use super::super::found::Problem;
use super::super::names::brief;
use super::super::tool::{Place, Style, StyleForm};
use super::{Parts, follow, media};
use crate::schema::{Followed, Inliner, RefusalKind};
use crate::value::{Map, Str, Value};
use std::collections::HashMap;

/// A parameter that becomes an argument.
pub(super) struct Parameter {
    pub(super) name: Str,
    pub(super) place: Place,
    /// How it is written there.
    pub(super) style: Style,
    pub(super) required: bool,
    /// Inlined, with the parameter's description when the schema has none.
    pub(super) schema: Value,
    /// JSON pointer of the schema.
    pub(super) at: String,
}

/// Headers that HTTP itself gives their value; compared without case.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// A parameter as given, with its JSON pointer.
struct Given<'a> {
    name: Str,
    place: Str,
    node: Followed<'a>,
    at: String,
}

/// Reads both lists. A later parameter of the same name and place replaces the earlier one where that stands.
pub(super) fn read(parts: &mut Parts<'_>) -> Result<Vec<Parameter>, Problem> {
    let mut given: Vec<Given<'_>> = Vec::new();
    let mut index: HashMap<(Str, Str), usize> = HashMap::new();
    let item_at = parts.at.rsplit_once('/').map_or(parts.at, |(item_at, _)| item_at);
    for (list, at) in [(parts.item.get("parameters"), item_at), (parts.operation.get("parameters"), parts.at)] {
        for (i, node) in list.and_then(Value::as_array).unwrap_or_default().iter().enumerate() {
            let at = format!("{at}/parameters/{i}");
            let node = follow(node, parts.document, "parameter", &at)?;
            let text = |key| match node.get(key) {
                Some(Value::Str(text)) => Ok(text.clone()),
                _ => {
                    let reason = format!("a parameter has no `{key}` that is a string ({at})");
                    Err(Problem::new(RefusalKind::Merge, reason, "Give the parameter a `name` and an `in`.").at(&at))
                }
            };
            let (name, place) = (text("name")?, text("in")?);
            let position = *index.entry((name.clone(), place.clone())).or_insert(given.len());
            let one = Given { name, place, node, at };
            match given.get_mut(position) {
                Some(earlier) => *earlier = one,
                None => given.push(one),
            }
        }
    }
    let kept = given.into_iter().filter_map(|given| Some((place_of(&given.name, &given.place)?, given)));
    kept.map(|(place, given)| parameter(parts.inliner, place, &given)).collect()
}

/// Where an argument of it would live; `None` for what is not an argument: cookies and HTTP's own headers.
fn place_of(name: &str, place: &str) -> Option<Place> {
    match place {
        "path" => Some(Place::Path),
        "query" => Some(Place::Query),
        "header" if !OWN_HEADERS.contains(&name.to_lowercase().as_str()) => Some(Place::Header),
        _ => None,
    }
}

fn parameter(inliner: &mut Inliner, place: Place, given: &Given<'_>) -> Result<Parameter, Problem> {
    let empty = Value::object(Map::new());
    let (schema, at) = schema_of(&given.node, &given.at);
    let inlined = inliner
        .inline(schema.unwrap_or(&empty))
        .map_err(|error| Problem::schema(&format!("schema of the parameter {}", brief(&given.name)), &at, error))?;
    let required = place == Place::Path || given.node.get("required") == Some(&Value::Bool(true));
    let style = style_of(place, &given.node);
    Ok(Parameter { name: given.name.clone(), place, style, required, schema: described(inlined, &given.node), at })
}

/// How it is written where it lives.
fn style_of(place: Place, node: &Followed<'_>) -> Style {
    let given = |value: Option<&Value>| value.is_some_and(|value| !value.is_null());
    let media = node.get("content").and_then(Value::as_object).and_then(|content| content.entry(0));
    if !given(node.get("schema")) && media.is_some_and(|(key, _)| media::is_json(&media::bare(key))) {
        return Style { form: StyleForm::Json, explode: false };
    }
    let explode = match node.get("explode") {
        Some(Value::Bool(explode)) => Some(*explode),
        _ => None,
    };
    Style::named(place, node.get("style").and_then(Value::as_str), explode)
}

/// `schema`, or that of the first media entry of `content`.
fn schema_of<'a>(node: &Followed<'a>, at: &str) -> (Option<&'a Value>, String) {
    let given = |schema: Option<&'a Value>| schema.filter(|schema| !schema.is_null());
    if let Some(schema) = given(node.get("schema")) {
        return (Some(schema), format!("{at}/schema"));
    }
    let first = node.get("content").and_then(Value::as_object).and_then(|content| content.entry(0));
    match first {
        Some((key, media)) => {
            let at = super::key_step(&format!("{at}/content"), key);
            (given(media.get("schema")), format!("{at}/schema"))
        }
        None => (None, at.to_owned()),
    }
}

/// The schema with the parameter's description as its last key, when it has none of its own.
fn described(schema: Value, node: &Followed<'_>) -> Value {
    match (&schema, node.get("description")) {
        (Value::Object(map), Some(text @ Value::Str(_))) if !map.contains("description") => {
            let mut map = (**map).clone();
            map.insert("description", text.clone());
            Value::object(map)
        }
        _ => schema,
    }
}
