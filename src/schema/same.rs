//! Whether two values are the same (rules 3.4).

use crate::value::{Map, Value};

/// same(a, b) of rules 3.4: booleans only with booleans, numbers by binary64 value, text exactly, lists and objects member
/// by member, null with null. NaN and integers beyond binary64 equal nothing; neither does what only YAML can say.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => same_members(a, b),
        _ => match (finite(a), finite(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
    }
}

/// The binary64 value of a number; an integer without one counts as not a number.
fn finite(value: &Value) -> Option<f64> {
    let number = value.as_f64()?;
    if matches!(value, Value::BigInt(_)) && number.is_infinite() { None } else { Some(number) }
}

fn same_members(a: &Map, b: &Map) -> bool {
    a.len() == b.len()
        && a.iter().all(|(key, value)| key.text().and_then(|name| b.get(name)).is_some_and(|other| same(value, other)))
}
