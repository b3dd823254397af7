//! Parameters: the path item's, then the operation's, each name and place once.
use super::super::found::Problem;
use super::super::tool::Place;
use super::Node;
use crate::schema::{Inliner, RefusalKind};
use crate::value::{Map, Str, Value};
use std::collections::HashMap;

/// A parameter that becomes an argument.
pub(super) struct Parameter {
    pub(super) name: Str,
    pub(super) place: Place,
    pub(super) required: bool,
    /// Inlined, with the parameter's description when the schema has none.
    pub(super) schema: Value,
}

/// Headers that HTTP itself gives their value; compared without case.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// Reads both lists. A later parameter of the same name and place replaces the earlier one where that stands.
pub(super) fn read(inliner: &mut Inliner, item: &Map, operation: &Map, at: &str) -> Result<Vec<Parameter>, Problem> {
    let mut order: Vec<(Str, Str, Value, String)> = Vec::new();
    let mut index: HashMap<(Str, Str), usize> = HashMap::new();
    let item_at = at.rsplit_once('/').map_or(at, |(item_at, _)| item_at);
    for (list, at) in [(item.get("parameters"), item_at), (operation.get("parameters"), at)] {
        for (i, given) in list.and_then(Value::as_array).unwrap_or_default().iter().enumerate() {
            let at = format!("{at}/parameters/{i}");
            let followed = Node { value: given, at: &at }.follow(inliner, "one of its parameters")?;
            let text = |key| match followed.get(key) {
                Some(Value::Str(text)) => Ok(text.clone()),
                _ => Err(Problem::new(RefusalKind::Merge, format!("a parameter has no {key} that is text ({at})"))),
            };
            let key = (text("name")?, text("in")?);
            match index.get(&key) {
                Some(&earlier) => order[earlier] = (key.0, key.1, followed, at),
                None => {
                    index.insert(key.clone(), order.len());
                    order.push((key.0, key.1, followed, at));
                }
            }
        }
    }
    let kept = order.into_iter().filter_map(|(name, place, node, at)| Some((place_of(&name, &place)?, name, node, at)));
    kept.map(|(place, name, node, at)| parameter(inliner, name, place, &node, &at)).collect()
}

/// Where an argument of it would live; `None` for what is no argument: cookies and HTTP's own headers.
fn place_of(name: &str, place: &str) -> Option<Place> {
    match place {
        "path" => Some(Place::Path),
        "query" => Some(Place::Query),
        "header" if !OWN_HEADERS.contains(&name.to_lowercase().as_str()) => Some(Place::Header),
        _ => None,
    }
}

fn parameter(inliner: &mut Inliner, name: Str, place: Place, node: &Value, at: &str) -> Result<Parameter, Problem> {
    let empty = Value::object(Map::new());
    let (given, at) = schema_of(node, at);
    let inlined = inliner
        .inline(given.unwrap_or(&empty))
        .map_err(|error| Problem::schema(&format!("the schema of its parameter {name}"), &at, error))?;
    let required = place == Place::Path || node.get("required") == Some(&Value::Bool(true));
    Ok(Parameter { name, place, required, schema: described(inlined, node) })
}

/// `schema`, or that of the first media entry of `content`.
fn schema_of<'a>(node: &'a Value, at: &str) -> (Option<&'a Value>, String) {
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
fn described(schema: Value, node: &Value) -> Value {
    match (&schema, node.get("description")) {
        (Value::Object(map), Some(text @ Value::Str(_))) if !map.contains("description") => {
            let mut map = (**map).clone();
            map.insert("description", text.clone());
            Value::object(map)
        }
        _ => schema,
    }
}
