//! A value that a schema admits, drawn (value() of rules 5.1).

use super::clean::cleaned;
use super::conform::conforms;
use super::draw::draw;
use super::hash::{DrawKey, decimal};
use crate::value::Value;

/// How many times a value is drawn before the search for one that fits is given up.
pub const TRIES: usize = 8;

/// The salt of the key of checks that need no seed, and that of the check whether a value can be drawn.
pub const PROBE: &str = "probe";
const DRAWABLE: &str = "drawable";

/// One draw, unless it is null or does not conform to the schema as written; `clean` is the schema cleaned for drawing.
pub fn conforming_draw(schema: &Value, clean: &Value, key: &DrawKey, salt: &str) -> Option<Value> {
    Some(draw(clean, key, salt)).filter(|value| !value.is_null() && conforms(value, schema))
}

/// The first of eight draws that is not null, conforms to the schema as written and passes `fits`; `clean` is the schema
/// cleaned for drawing.
pub fn value_where(
    schema: &Value,
    clean: &Value,
    key: &DrawKey,
    salt: &str,
    fits: impl Fn(&Value) -> bool,
) -> Option<Value> {
    let mut numbered = String::with_capacity(salt.len() + 2);
    numbered.push_str(salt);
    numbered.push('/');
    let length = numbered.len();
    (0..TRIES).find_map(|attempt| {
        numbered.truncate(length);
        numbered.push_str(decimal(attempt, &mut [0; 20]));
        conforming_draw(schema, clean, key, &numbered).filter(&fits)
    })
}

/// [`value_where`] that fits whatever conforms.
pub fn value_for(schema: &Value, clean: &Value, key: &DrawKey, salt: &str) -> Option<Value> {
    value_where(schema, clean, key, salt, |_| true)
}

/// Whether a value of an argument schema can be drawn (rules 5.1).
pub fn is_drawable(schema: &Value) -> bool {
    value_for(schema, &cleaned(schema), &DrawKey::new(PROBE), DRAWABLE).is_some()
}
