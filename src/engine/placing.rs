//! Placing values into an answer: a call's or a write's arguments under their names, and served values at their paths
//! (rules 4.6, 7.1).
use crate::schema::{DrawKey, cleaned, conforms, draw};
use crate::value::{Map, Str, Value};
use std::sync::Arc;

/// Places arguments into an answer under their own names (rules 7.1) and gives the names of those placed: with an
/// output schema into the like-named top-level property when the value conforms to it as written, without one beside
/// `ok`. An answer that is not an object stays as it is.
pub(super) fn place_arguments(answer: &mut Value, output_schema: Option<&Value>, arguments: &Map) -> Vec<Str> {
    let Value::Object(answer) = answer else { return Vec::new() };
    let properties = output_schema.map(|schema| schema.get("properties").and_then(Value::as_object));
    let mut placed = Vec::new();
    for (name, value) in arguments.named() {
        let fits = match properties {
            None => **name != *"ok",
            Some(properties) => properties.and_then(|p| p.get(name)).is_some_and(|property| conforms(value, property)),
        };
        if fits {
            Arc::make_mut(answer).insert(name.clone(), value.clone());
            placed.push(name.clone());
        }
    }
    placed
}

/// An answer has no place for a served value: it is not an object where the path names a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoPlace;

/// Places a served value at a path: names joined by `.`, `[]` after a name for the first element of that list (rules
/// 4.6). What is missing on the way is drawn from its schema with the answer's key.
pub(super) fn place_served(
    answer: &mut Value,
    output_schema: Option<&Value>,
    key: &DrawKey,
    path: &str,
    value: &Value,
) -> Result<(), NoPlace> {
    let mut here = answer;
    let mut schema = output_schema;
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let Value::Object(object) = here else { return Err(NoPlace) };
        let object = Arc::make_mut(object);
        let (name, listed) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        let property = schema.and_then(|s| s.get("properties")).and_then(|p| p.get(name));
        if !listed {
            if last {
                object.insert(name, value.clone());
                return Ok(());
            }
            if object.get(name).and_then(Value::as_object).is_none() {
                object.insert(name, drawn_object(property, key, &format!("/placed/{name}")));
            }
            here = field(object, name)?;
            schema = property;
            continue;
        }
        let items = property.and_then(|p| p.get("items"));
        let salt = format!("/placed/{name}/0");
        let element = || draw(&items.map_or_else(|| Map::new().into(), cleaned), key, &salt);
        if object.get(name).and_then(Value::as_array).is_none_or(<[Value]>::is_empty) {
            object.insert(name, Value::array(vec![element()]));
        }
        let Value::Array(list) = field(object, name)? else { return Err(NoPlace) };
        let first = Arc::make_mut(list).first_mut().ok_or(NoPlace)?;
        if last {
            *first = value.clone();
            return Ok(());
        }
        if first.as_object().is_none() {
            *first = element();
        }
        here = first;
        schema = items;
    }
    Err(NoPlace)
}

/// An object drawn from a property's schema; an empty one when the draw is none.
fn drawn_object(property: Option<&Value>, key: &DrawKey, salt: &str) -> Value {
    let drawn = property.map(|p| draw(&cleaned(p), key, salt));
    drawn.filter(|v| v.as_object().is_some()).unwrap_or_else(|| Map::new().into())
}

/// The value of a field, to walk into.
fn field<'a>(object: &'a mut Map, name: &str) -> Result<&'a mut Value, NoPlace> {
    let position = object.position(name).ok_or(NoPlace)?;
    object.value_mut(position).ok_or(NoPlace)
}
