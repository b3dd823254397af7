//! Arguments that are objects: their members are fields of their own below them.

use super::field::{Field, Kind};
use crate::schema;
use crate::value::{Map, Str, Value};

/// Deeper members are written as JSON.
const DEEPEST: usize = 4;
/// From this many fields on objects are written as JSON.
const MOST: usize = 200;
/// So are those that name more members.
const MOST_MEMBERS: usize = 64;

/// The fields of an object's members in schema order, each object's own members behind it.
pub(super) fn fields(schema: &Value) -> Vec<Field> {
    let mut all = Vec::new();
    members(schema, &[], &mut all);
    all
}

fn members(schema: &Value, parents: &[Str], all: &mut Vec<Field>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (name, schema) in properties.named() {
        let mut field = Field::new(name.clone(), schema.clone(), required.contains(&&**name));
        field.parents = parents.to_vec();
        let group = is_group(schema) && parents.len() < DEEPEST && all.len() < MOST;
        if !group {
            all.push(field);
            continue;
        }
        field.kind = Kind::Group;
        all.push(field);
        let mut path = parents.to_vec();
        path.push(name.clone());
        members(schema, &path, all);
    }
}

/// Whether a schema asks for an object whose members it names.
fn is_group(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
        && schema.get("enum").is_none()
        && schema.get("const").is_none()
        && schema.get("properties").and_then(Value::as_object).is_some_and(|p| (1..=MOST_MEMBERS).contains(&p.len()))
}

/// How many fields behind the one at an index are members of it.
fn below(fields: &[Field], at: usize) -> usize {
    let Some(group) = fields.get(at) else { return 0 };
    let depth = group.parents.len();
    fields[at + 1..].iter().take_while(|field| field.parents.len() > depth).count()
}

/// Writes a value into the field at an index. An object goes into the fields of its members; one that has others, and
/// anything else in an object's place, is written as JSON.
pub(super) fn put(fields: &mut Vec<Field>, at: usize, value: &Value) {
    let count = below(fields, at);
    let Some(field) = fields.get_mut(at) else { return };
    if field.kind != Kind::Group {
        field.set(value);
        return;
    }
    let depth = field.parents.len() + 1;
    let own: Vec<usize> = (at + 1..=at + count).filter(|i| fields[*i].parents.len() == depth).collect();
    let known = |map: &Map| map.named().all(|(name, _)| own.iter().any(|i| fields[*i].name == *name));
    let Some(map) = value.as_object().filter(|map| known(map)) else {
        fields.drain(at + 1..=at + count);
        fields[at].kind = Kind::Json;
        fields[at].set(value);
        return;
    };
    fields[at].present = true;
    // From the last to the first: one that becomes JSON takes fields behind it away.
    for i in own.into_iter().rev() {
        let name = fields[i].name.clone();
        match map.get(&name) {
            Some(value) => put(fields, i, value),
            None => {
                let last = i + below(fields, i);
                for field in &mut fields[i..=last] {
                    field.present = false;
                }
            }
        }
    }
}

/// Puts the objects that a field is in into the call.
pub(super) fn reach(fields: &mut [Field], at: usize) {
    let Some(parents) = fields.get(at).map(|field| field.parents.clone()) else { return };
    for i in (0..at).rev() {
        let depth = fields[i].parents.len();
        let holds =
            depth < parents.len() && fields[i].parents[..] == parents[..depth] && fields[i].name == parents[depth];
        if holds {
            fields[i].present = true;
        }
    }
}

/// Whether all objects that a field is in are in the call.
pub(super) fn reached(fields: &[Field], at: usize) -> bool {
    let Some(field) = fields.get(at) else { return false };
    let mut wanted = field.parents.len();
    for other in fields[..at].iter().rev() {
        if wanted == 0 {
            break;
        }
        if other.parents.len() + 1 == wanted {
            if !other.present {
                return false;
            }
            wanted -= 1;
        }
    }
    true
}

/// The object that the fields from an index on make, as far as they are members of `parents`; gives where it ends. Text
/// that is not JSON is an error, or is kept as text.
pub(super) fn object(fields: &[Field], mut at: usize, depth: usize, keep_text: bool) -> Result<(Map, usize), String> {
    let mut map = Map::new();
    while let Some(field) = fields.get(at).filter(|field| field.parents.len() == depth) {
        if field.kind == Kind::Group {
            let (members, end) = object(fields, at + 1, depth + 1, keep_text || !field.present)?;
            if field.present {
                map.insert(field.name.clone(), Value::object(members));
            }
            at = end;
            continue;
        }
        if field.present {
            let value = match field.value() {
                Ok(value) => value,
                Err(_) if keep_text => field.text().into(),
                Err(why) => return Err(format!("{}: {why}", field.path())),
            };
            map.insert(field.name.clone(), value);
        }
        at += 1;
    }
    Ok((map, at))
}

/// Looks at each field alone: whether what it holds fits its own schema.
pub(super) fn check(fields: &mut [Field]) {
    for at in 0..fields.len() {
        let held = fields[at].present && reached(fields, at);
        let value = match fields[at].kind {
            _ if !held => None,
            Kind::Group => {
                let depth = fields[at].parents.len() + 1;
                Some(object(fields, at + 1, depth, true).map(|(map, _)| Value::object(map)))
            }
            _ => Some(fields[at].value()),
        };
        let field = &mut fields[at];
        field.wrong = match value {
            None => None,
            Some(Err(why)) => Some(why),
            Some(Ok(value)) => schema::check(&value, &field.schema).err().map(|found| {
                if found.at.is_empty() { found.expected } else { format!("{} {}", found.at, found.expected) }
            }),
        };
    }
}
