//! Rules chapter 3: the keyed draw, conformance, free text, patterns.

use rehearsal::schema::{DrawKey, cleaned, conforms, draw, is_free_text, same};
use rehearsal::value::{Map, Value};
use serde_json::{Value as Json, json};

/// A vector's JSON as a value of ours; vectors hold no integer beyond 64 bits.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(n), _) => Value::Int(n),
            (None, Some(n)) => Value::from(n),
            (None, None) => Value::Float(n.as_f64().unwrap()),
        },
        Json::String(s) => Value::str(s),
        Json::Array(items) => Value::array(items.iter().map(value).collect()),
        Json::Object(members) => members.iter().map(|(k, v)| (k.as_str(), value(v))).collect::<Map>().into(),
    }
}

fn drawn(schema: &Json, key: &str, salt: &str) -> Value {
    draw(&cleaned(&value(schema)), &DrawKey::new(key), salt)
}

#[test]
fn draws_agree_with_the_vectors() {
    let vectors: Vec<Json> = serde_json::from_str(include_str!("../vectors/unit/draws.json")).unwrap();
    assert_eq!(vectors.len(), 1200);
    for vector in &vectors {
        let (schema, wanted) = (value(&vector["schema"]), value(&vector["value"]));
        let got = drawn(&vector["schema"], vector["key"].as_str().unwrap(), vector["salt"].as_str().unwrap());
        assert!(same(&got, &wanted), "{vector}\n{got:?}");
        assert_eq!(conforms(&got, &schema), vector["conforms"], "{vector}");
        assert_eq!(is_free_text(&schema), vector["free_text"], "{vector}");
    }
}

#[test]
fn conformance_agrees_with_the_vectors() {
    let vectors: Vec<(Json, Json, bool)> = serde_json::from_str(include_str!("../vectors/unit/conforms.json")).unwrap();
    assert_eq!(vectors.len(), 2400);
    for (instance, schema, wanted) in &vectors {
        assert_eq!(conforms(&value(instance), &value(schema)), *wanted, "{instance} in {schema}");
    }
}

#[test]
fn the_worked_draws_are_reproduced() {
    for (schema, wanted) in [
        (json!({"type": "string"}), json!("zkzragdmhxaa")),
        (json!({"type": "string", "minLength": 6, "maxLength": 6}), json!("zkzrag")),
        (json!({"type": "string", "format": "uuid"}), json!("4bdf08b5-29da-4d23-9f19-d3be731cc331")),
        (json!({"type": "string", "format": "email"}), json!("rqenlz69@example.com")),
        (json!({"type": "string", "format": "date"}), json!("2026-08-26")),
        (json!({"type": "string", "format": "date-time"}), json!("2026-08-26T23:32:24Z")),
        (json!({"type": "integer"}), json!(644)),
        (json!({"type": "integer", "minimum": 5}), json!(649)),
        (json!({"type": "integer", "maximum": 5}), json!(-351)),
        (json!({"type": "number"}), json!(47.0)),
        (json!({"type": "number", "minimum": 0, "maximum": 0.01}), json!(0.0)),
        (json!({"type": "number", "exclusiveMinimum": 0, "maximum": 0.004}), json!(0.00188)),
        (json!({"type": "boolean"}), json!(false)),
        (json!({"type": ["null", "integer"]}), json!(null)),
        (json!({"enum": ["a", "b", "c"]}), json!("a")),
        (json!({"type": "array", "items": {"type": "integer"}}), json!([757])),
        (
            json!({"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{"type": "boolean"}]}),
            json!([false, "bsqz"]),
        ),
        (
            json!({"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "string"}}, "required": ["z"]}),
            json!({"a": "fnchwdx", "b": 136, "z": "texl"}),
        ),
        (json!({}), json!("zomb")),
        (json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), json!(855)),
        (json!({"oneOf": [{"type": "number"}, {"type": "integer"}]}), json!(72.5)),
    ] {
        assert_eq!(drawn(&schema, "probe", ""), value(&wanted), "{schema}");
    }
}
