//! Values inside records that serde writes and reads.

use super::{Value, number, write};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// As JSON with the number classes kept: `1.0` stays `1.0`, large integers stay exact. What JSON cannot carry (NaN, an
/// infinity, binary data) is written as text. Numbers beyond 64 bits need serde_json's serializer.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(b) => serializer.serialize_bool(*b),
            Value::Int(n) => serializer.serialize_i64(*n),
            Value::BigInt(n) => raw(n.to_string(), serializer),
            Value::Float(f) if !f.is_finite() => serializer.serialize_str(&number::float_text(*f)),
            Value::Float(f) => raw(number::float_text(*f), serializer),
            Value::Str(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items.iter()),
            Value::Object(map) => {
                let mut entries = serializer.serialize_map(Some(map.len()))?;
                for (key, value) in map.iter() {
                    entries.serialize_entry(&*write::name(key), value)?;
                }
                entries.end()
            }
            Value::Odd(odd) => serializer.serialize_str(&write::odd_text(odd)),
        }
    }
}

/// A number by its own text, which serde_json writes as it is.
fn raw<S: Serializer>(text: String, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
}

/// From JSON text by this module's own reader, so that number classes and order stay. Needs serde_json's deserializer, and
/// a field that is neither flattened nor untagged.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Value::parse_json(raw.get()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::value::Value;

    #[test]
    fn records_keep_number_classes_and_order() {
        let source = r#"{"b":1.0,"a":[1,-0.0,1e+16,1e-05,123456789012345678901234567890,null,true],"é":"\u0001"}"#;
        let value = Value::parse_json(source).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), source);
        assert_eq!(serde_json::from_str::<Value>(source).unwrap(), value);
    }

    #[test]
    fn what_json_cannot_carry_is_text() {
        let value = Value::parse_json("[NaN,Infinity,-Infinity]").unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"["NaN","Infinity","-Infinity"]"#);
    }
}
