//! When two keys of a mapping are one key (rules 2.5): `1`, `1.0` and `true` are, as Python counts them equal.

use super::time;
use crate::value::{Odd, Str, Value};
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::sync::Arc;

/// Equal for keys that are one key.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    Null,
    /// Booleans and whole floats too.
    Int(i64),
    BigInt(Arc<BigInt>),
    /// The bits of a float that is not a whole number.
    Float(u64),
    Text(Str),
    /// The ISO text of a date, or of a date-time without an offset.
    Time(Str),
    /// Microseconds of a date-time with an offset.
    Instant(i64),
    Bytes(Vec<u8>),
    /// Equal to nothing else, told apart by a number.
    Alone(usize),
}

impl Identity {
    /// The identity of a scalar; NaN has none, being equal to nothing.
    pub(super) fn of(value: &Value) -> Option<Identity> {
        Some(match value {
            Value::Null => Identity::Null,
            Value::Bool(b) => Identity::Int(i64::from(*b)),
            Value::Int(n) => Identity::Int(*n),
            Value::BigInt(n) => Identity::BigInt(n.clone()),
            Value::Float(f) if f.is_nan() => return None,
            Value::Float(f) if f.is_finite() && f.fract() == 0.0 => match Value::integer(BigInt::from_f64(*f)?) {
                Value::BigInt(n) => Identity::BigInt(n),
                Value::Int(n) => Identity::Int(n),
                _ => return None,
            },
            Value::Float(f) => Identity::Float(f.to_bits()),
            Value::Str(text) => Identity::Text(text.clone()),
            Value::Odd(odd) => match &**odd {
                Odd::Time(iso) => time::instant(iso).map_or_else(|| Identity::Time(iso.clone()), Identity::Instant),
                _ => return None,
            },
            Value::Array(_) | Value::Object(_) => return None,
        })
    }
}
