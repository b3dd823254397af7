//! Rules 3.2 and 3.3 clause by clause: what is taken out before a draw, and what is drawn.

use crate::schema::value;
use num_bigint::BigInt;
use proptest::prelude::*;
use rehearsal::schema::{DrawKey, cleaned, conforms, draw, same};
use rehearsal::value::{Map, Value};
use serde_json::{Value as Json, json};
use std::time::Instant;

fn drawn(schema: &Json, salt: &str) -> Value {
    draw(&value(schema), &DrawKey::new("probe"), salt)
}

/// The word at a salt.
fn word(salt: &str, n: usize) -> Value {
    DrawKey::new("probe").word(salt, n, "abcdefghijklmnopqrstuvwxyz").into()
}

fn choice(salt: &str, n: u64) -> u64 {
    DrawKey::new("probe").choice(salt, n)
}

#[test]
fn keywords_are_taken_out_at_every_level_and_names_are_not() {
    let dropped = [
        "pattern",
        "not",
        "if",
        "then",
        "else",
        "allOf",
        "contains",
        "minContains",
        "maxContains",
        "propertyNames",
        "dependentSchemas",
        "dependentRequired",
        "dependencies",
        "unevaluatedProperties",
        "unevaluatedItems",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "multipleOf",
        "uniqueItems",
    ];
    for keyword in dropped {
        let schema = json!({
            keyword: 1, "items": {keyword: 1, "anyOf": [{keyword: 1, "type": "null"}]}, "properties": {keyword: {keyword: 1}},
            "$defs": {keyword: {}}, "definitions": {keyword: [{keyword: 1}]}, "const": {keyword: 1}, "enum": [{keyword: 1}],
            "x": {"properties": [{keyword: 1}]},
        });
        let wanted = json!({
            "items": {"anyOf": [{"type": "null"}]}, "properties": {keyword: {}}, "$defs": {keyword: {}},
            "definitions": {keyword: [{}]}, "const": {keyword: 1}, "enum": [{keyword: 1}], "x": {"properties": [{}]},
        });
        assert_eq!(cleaned(&value(&schema)), value(&wanted), "{keyword}");
    }
    for kept in ["minLength", "nullable", "anyOf", "oneOf", "format", "required", "additionalProperties", "minItems"] {
        assert_eq!(cleaned(&value(&json!({kept: 1}))), value(&json!({kept: 1})));
    }
}

#[test]
fn cleaning_a_shared_schema_does_not_unfold_it() {
    let mut node = value(&json!({"type": "string", "pattern": "x"}));
    for _ in 0..60 {
        let members: Map = (0..10).map(|i| (format!("p{i}"), node.clone())).collect();
        node = Map::from([("properties", Value::from(members)), ("not", node.clone())]).into();
    }
    let start = Instant::now();
    let clean = cleaned(&node);
    assert!(start.elapsed().as_millis() < 500);
    assert!(!clean.as_object().unwrap().contains("not"));
    let again = cleaned(&clean);
    // nothing to take out: the very same schema
    assert!(std::ptr::eq(clean.as_object().unwrap(), again.as_object().unwrap()));
}

#[test]
fn what_is_no_mapping_draws_a_word() {
    for schema in [json!(true), json!(false), json!(null), json!([]), json!("string"), json!(5)] {
        assert_eq!(drawn(&schema, "s"), word("s/any", 4), "{schema}");
    }
}

#[test]
fn constants_and_lists_come_before_types() {
    assert_eq!(drawn(&json!({"const": null, "enum": [1], "type": "string"}), ""), Value::Null);
    assert_eq!(drawn(&json!({"const": {"type": "string"}}), ""), value(&json!({"type": "string"})));
    let list = drawn(&json!({"enum": [1, 1.0, "a", null], "anyOf": [{"type": "null"}]}), "s");
    assert_eq!(list, value(&json!([1, 1.0, "a", null])).at(choice("s/enum", 4) as usize).cloned().unwrap());
    // an empty list, or none, says nothing
    for nothing in [json!([]), json!({}), json!("a"), json!(null)] {
        let schema = json!({"enum": nothing, "anyOf": nothing, "oneOf": nothing, "type": "boolean"});
        assert_eq!(drawn(&schema, "s"), Value::Bool(choice("s/bool", 2) == 1), "{schema}");
    }
}

#[test]
fn any_of_takes_its_first_and_one_of_the_first_alone() {
    let any = json!({"anyOf": [{"type": "boolean"}, true], "oneOf": [{"const": 1}]});
    assert_eq!(drawn(&any, "s"), Value::Bool(choice("s/anyOf/bool", 2) == 1));
    // an integer is a number too, so the number stands alone only if it has a fraction
    let one = json!({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]});
    let number = drawn(&json!({"type": "number"}), "s/oneOf/1");
    let wanted = if conforms(&number, &value(&json!({"type": "integer"}))) { Value::Null } else { number };
    assert_eq!(drawn(&one, "s"), wanted);
    // none alone: the first
    let none = json!({"oneOf": [{"type": "boolean"}, {"type": "boolean"}]});
    assert_eq!(drawn(&none, "s"), Value::Bool(choice("s/oneOf/0/bool", 2) == 1));
}

#[test]
fn kinds_are_chosen_among_the_types_as_written() {
    for (schema, wanted) in [
        (json!({"type": ["null"]}), Value::Null),
        (json!({"type": []}), word("s/any", 4)),
        (json!({"type": "thing"}), word("s/any", 4)),
        (json!({"type": [5]}), word("s/any", 4)),
        (json!({"type": 5}), word("s/any", 4)),
        (json!({"type": {"a": 1}, "items": {}}), drawn(&json!({"type": "array"}), "s")),
        (json!({"properties": {}}), value(&json!({}))),
        (json!({"properties": []}), word("s/any", 4)),
        (json!({"prefixItems": null}), drawn(&json!({"type": "array"}), "s")),
        (json!({"items": false}), value(&json!([]))),
        (json!({"properties": {}, "items": {}}), value(&json!({}))),
        (json!({"nullable": true, "type": "null"}), Value::Null),
    ] {
        assert_eq!(drawn(&schema, "s"), wanted, "{schema}");
    }
    let kinds = json!({"type": ["boolean", "null", "boolean"]});
    let wanted = if choice("s/type", 3) == 1 { Value::Null } else { Value::Bool(choice("s/bool", 2) == 1) };
    assert_eq!(drawn(&kinds, "s"), wanted);
}

#[test]
fn lengths_follow_their_bounds() {
    let length = |low: i64, high: i64| low + choice("s/length", (high - low + 1) as u64) as i64;
    for (bounds, low, high) in [
        (json!({}), 4, 12),
        (json!({"maxLength": 30}), 0, 12),
        (json!({"maxLength": 3}), 0, 3),
        (json!({"maxLength": 0}), 0, 0),
        (json!({"maxLength": -5}), 0, 0),
        (json!({"minLength": 3}), 3, 11),
        (json!({"minLength": 0}), 0, 8),
        (json!({"minLength": 20, "maxLength": 30}), 20, 30),
        (json!({"minLength": 9, "maxLength": 2}), 9, 9),
        (json!({"minLength": 2.9, "maxLength": 3.9}), 2, 3),
        (json!({"minLength": true, "maxLength": false}), 4, 12),
        (json!({"minLength": "3", "maxLength": null}), 4, 12),
        (json!({"minLength": -3}), -3, 5),
        (json!({"minLength": 1e300, "maxLength": 3}), 1 << 40, 1 << 40),
    ] {
        let mut schema = bounds.clone();
        schema["type"] = json!("string");
        let n = length(low, high).clamp(0, 1 << 20);
        if n < 100 {
            assert_eq!(drawn(&schema, "s"), word("s/word", n as usize), "{schema}");
        } else {
            // what would fill the memory is cut
            assert!(drawn(&schema, "s").as_str().unwrap().len() < 1 << 20);
        }
    }
    for format in ["uuid", "email", "date", "date-time"] {
        let plain = drawn(&json!({"type": "string", "format": format}), "s");
        assert_eq!(drawn(&json!({"type": "string", "format": format, "minLength": 90, "maxLength": 1}), "s"), plain);
    }
    assert_eq!(drawn(&json!({"type": "string", "format": "ipv4"}), "s"), drawn(&json!({"type": "string"}), "s"));
}

#[test]
fn integers_follow_their_bounds() {
    for (bounds, low, high) in [
        (json!({}), 0, 1000),
        (json!({"minimum": 2.5}), 3, 1003),
        (json!({"maximum": 2.5}), -998, 2),
        (json!({"minimum": 3, "exclusiveMinimum": true}), 4, 1004),
        (json!({"minimum": 2.5, "exclusiveMinimum": true, "maximum": 9}), 3, 9),
        (json!({"exclusiveMinimum": 3, "exclusiveMaximum": 5.5}), 4, 5),
        (json!({"exclusiveMaximum": 5}), -996, 4),
        (json!({"minimum": 5, "exclusiveMinimum": 3}), 5, 1005),
        (json!({"minimum": 5, "exclusiveMinimum": 5}), 6, 1006),
        (json!({"minimum": 5, "exclusiveMinimum": false}), 5, 1005),
        (json!({"exclusiveMinimum": true}), 0, 1000),
        (json!({"minimum": 5, "maximum": 2}), 5, 5),
        (json!({"minimum": true, "maximum": "7"}), 0, 1000),
        (json!({"minimum": -1.5, "maximum": -0.5}), -1, -1),
    ] {
        let mut schema = bounds.clone();
        schema["type"] = json!("integer");
        let wanted = low + choice("s/int", (high - low + 1) as u64) as i64;
        assert_eq!(drawn(&schema, "s"), Value::Int(wanted), "{schema}");
    }
}

#[test]
fn integers_may_be_of_any_size() {
    let power = |n: u32| BigInt::from(2).pow(n);
    for (low, high) in [
        (power(80), power(80) + BigInt::from(7) * power(40)),
        (-power(70), power(70)),
        (power(62), power(63)),
        (-power(1000), power(1000)),
    ] {
        let schema: Value = Map::from([
            ("type", Value::from("integer")),
            ("minimum", Value::integer(low.clone())),
            ("maximum", Value::integer(high.clone())),
        ])
        .into();
        let key = DrawKey::new("probe");
        let bits = BigInt::from_bytes_be(num_bigint::Sign::Plus, &key.bits("s/int"));
        let wanted = &low + bits % (&high - &low + 1);
        assert_eq!(draw(&schema, &key, "s"), Value::integer(wanted));
    }
    // a bound passes through binary64: 2^53 + 1 is 2^53
    let schema = json!({"type": "integer", "minimum": 9_007_199_254_740_993_i64, "maximum": 9_007_199_254_740_993_i64});
    assert_eq!(drawn(&schema, "s"), Value::Int(9_007_199_254_740_992));
}

#[test]
fn numbers_follow_their_bounds() {
    let number = |low: f64, high: f64| {
        let v = low + (high - low) * (choice("s/num", 199) + 1) as f64 / 200.0;
        (v * 100.0).round() / 100.0
    };
    for (bounds, wanted) in [
        (json!({}), number(0.0, 100.0)),
        (json!({"minimum": 20}), number(20.0, 120.0)),
        (json!({"maximum": 20}), number(-80.0, 20.0)),
        (json!({"minimum": 3, "maximum": 3}), 3.0),
        (json!({"minimum": 3, "maximum": 1}), 3.0),
        (json!({"minimum": 3, "exclusiveMinimum": true, "maximum": 3}), 3.0),
        (json!({"minimum": 1000, "maximum": 2000}), number(1000.0, 2000.0)),
    ] {
        let mut schema = bounds.clone();
        schema["type"] = json!("number");
        assert_eq!(drawn(&schema, "s"), Value::Float(wanted), "{schema}");
    }
    // what rounding would push out of the bounds is not rounded
    let schema = json!({"type": "number", "exclusiveMinimum": 0, "maximum": 0.004});
    let Value::Float(v) = drawn(&schema, "s") else { panic!("no number") };
    assert!(v > 0.0 && v < 0.004 && conforms(&Value::Float(v), &value(&schema)));
}

#[test]
fn lists_follow_their_bounds() {
    let count = |low: u64, high: u64| (low + choice("s/count", high - low + 1)) as usize;
    for (bounds, low, high) in [
        (json!({}), 0, 3),
        (json!({"minItems": 2}), 2, 5),
        (json!({"maxItems": 9}), 0, 9),
        (json!({"maxItems": 0}), 0, 0),
        (json!({"minItems": 4, "maxItems": 1}), 4, 4),
        (json!({"prefixItems": [{}, {}, {}, {}]}), 0, 7),
        (json!({"minItems": 6, "prefixItems": [{}]}), 6, 9),
        (json!({"minItems": 1.9, "maxItems": 2.9}), 1, 2),
        (json!({"minItems": true, "maxItems": "1"}), 0, 3),
    ] {
        let mut schema = bounds.clone();
        schema["type"] = json!("array");
        let list = drawn(&schema, "s");
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), count(low, high), "{schema}");
        for (i, item) in list.iter().enumerate() {
            assert_eq!(*item, word(&format!("s/{i}/any"), 4));
        }
    }
    // prefixItems shorter than minItems, and nothing more allowed
    let closed = json!({"type": "array", "minItems": 5, "prefixItems": [{"type": "null"}, true], "items": false});
    assert_eq!(drawn(&closed, "s"), vec![Value::Null, word("s/1/any", 4)].into());
    let open =
        json!({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "null"}, "prefixItems": {"a": 1}});
    assert_eq!(drawn(&open, "s"), vec![Value::Null, Value::Null].into());
}

#[test]
fn objects_hold_all_their_properties_in_order_and_what_is_required_beside() {
    let schema = json!({
        "type": "object", "properties": {"b": {"type": "null"}, "a": true, "é": {}, "Z": {}},
        "required": ["z", "a", 5, null, "z", "y"],
    });
    let got = drawn(&schema, "s");
    let got: Vec<(String, Value)> = got.as_object().unwrap().named().map(|(k, v)| (k.to_string(), v.clone())).collect();
    let wanted: Vec<(String, Value)> = [
        ("Z", word("s/Z/any", 4)),
        ("a", word("s/a/any", 4)),
        ("b", Value::Null),
        ("é", word("s/é/any", 4)),
        ("z", word("s/z/required", 4)),
        ("y", word("s/y/required", 4)),
    ]
    .map(|(k, v)| (k.to_owned(), v))
    .into();
    assert_eq!(got, wanted);
    for (closed, has) in [(json!(false), false), (json!(true), true), (json!({}), true), (json!(null), true)] {
        let schema = json!({"type": "object", "required": ["z"], "additionalProperties": closed});
        assert_eq!(drawn(&schema, "s").as_object().unwrap().contains("z"), has, "{schema}");
    }
    assert_eq!(drawn(&json!({"type": "object", "properties": 5, "required": "z"}), "s"), value(&json!({})));
}

#[test]
fn what_would_fill_the_memory_is_cut() {
    let start = Instant::now();
    for schema in [
        json!({"type": "string", "minLength": 4_000_000_000_u64}),
        json!({"type": "array", "minItems": 1_000_000_000}),
        json!({"type": "array", "minItems": 1e308, "items": {"const": 1}}),
        json!({"type": "array", "minItems": 99999, "items": {"type": "array", "minItems": 99999, "items": {"enum": [1]}}}),
        json!({"type": "array", "minItems": 1e18, "items": {"type": "object", "properties": {"a": {"type": "null"}}}}),
        json!({"type": "array", "prefixItems": [{"type": "string", "minLength": 1e9}], "minItems": 1e9}),
    ] {
        let got = drawn(&schema, "s");
        let size = got.as_str().map_or_else(|| got.as_array().unwrap().len(), str::len);
        assert!((1..=1 << 20).contains(&size), "{schema}: {size}");
    }
    assert!(start.elapsed().as_secs() < 60);
    // many alternatives that none stands alone in
    let branches: Vec<Json> = (0..3000).map(|_| json!({"type": "null"})).chain([json!({"type": "null"})]).collect();
    assert_eq!(drawn(&json!({"oneOf": branches}), "s"), Value::Null);
}

#[test]
fn deep_and_tangled_schemas_are_drawn_in_time() {
    let start = Instant::now();
    for (keyword, listed) in [("items", false), ("anyOf", true), ("oneOf", true), ("allOf", true), ("not", false)] {
        let mut node = value(&json!({"type": "null"}));
        for _ in 0..200 {
            node = Map::from([(keyword, if listed { vec![node].into() } else { node })]).into();
        }
        let got = draw(&cleaned(&node), &DrawKey::new("k"), "");
        let _ = conforms(&got, &node);
        assert!(same(&got, &got));
    }
    // every level admits what the other admits too: without a limit this would take for ever
    let mut node = value(&json!({"type": "null"}));
    for _ in 0..60 {
        node = Map::from([("oneOf", Value::from(vec![node.clone(), node]))]).into();
    }
    let _ = draw(&node, &DrawKey::new("k"), "");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Any value, numbers of every size among them.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        prop_oneof![any::<i64>(), -3..30_i64].prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        prop_oneof![
            "integer",
            "number",
            "string",
            "array",
            "object",
            "null",
            "boolean",
            "uuid",
            "email",
            "date-time",
            "[a-c]{0,3}"
        ]
        .prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let key = prop::sample::select(vec![
            "type",
            "const",
            "enum",
            "anyOf",
            "oneOf",
            "allOf",
            "not",
            "properties",
            "items",
            "prefixItems",
            "required",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "format",
            "additionalProperties",
            "nullable",
            "pattern",
            "a",
            "b",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|members| Json::Object(members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

/// A schema that something fits, without patterns.
fn satisfiable() -> impl Strategy<Value = Json> {
    let text = prop_oneof![
        Just(json!({"type": "string"})),
        (0..9_u32, 0..9_u32)
            .prop_map(|(low, more)| json!({"type": "string", "minLength": low, "maxLength": low + more})),
        (0..20_u32).prop_map(|high| json!({"type": "string", "maxLength": high})),
        prop::sample::select(vec!["uuid", "email", "date", "date-time", "hostname"])
            .prop_map(|format| json!({"type": "string", "format": format})),
    ];
    let number = prop_oneof![
        (-1e9..1e9_f64, 1.0..1e6_f64)
            .prop_map(|(low, more)| json!({"type": "integer", "minimum": low, "maximum": low + more})),
        (-1e9..1e9_f64, 0.0..1e6_f64)
            .prop_map(|(low, more)| json!({"type": "number", "minimum": low, "maximum": low + more})),
        (-1e9..1e9_f64).prop_map(|low| json!({"type": "number", "exclusiveMinimum": low})),
        (-1e9..1e9_f64).prop_map(|high| json!({"type": "integer", "exclusiveMaximum": high})),
        (0.0..1e-3_f64, 1e-9..1e-3_f64)
            .prop_map(|(low, more)| json!({"type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + more})),
    ];
    let leaf = prop_oneof![
        text,
        number,
        Just(json!({"type": "boolean"})),
        Just(json!({"type": ["null", "integer"]})),
        Just(json!({"enum": ["a", 1, null, [true]]})),
        Just(json!({"const": {"k": 1.5}})),
        Just(json!({})),
        Just(json!(true)),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        let names = prop::sample::select(vec!["a", "b", "z z", "é", "x/y"]);
        prop_oneof![
            (inner.clone(), 0..4_u32, 0..4_u32)
                .prop_map(|(items, low, more)| json!({"type": "array", "items": items, "minItems": low, "maxItems": low + more})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|first| json!({"type": "array", "prefixItems": first, "items": false})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|branches| json!({"anyOf": branches})),
            (prop::collection::btree_map(names, inner, 0..4), any::<bool>()).prop_map(|(properties, closed)| {
                let required: Vec<&str> = properties.keys().copied().chain((!closed).then_some("more")).collect();
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": !closed})
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn a_drawn_value_conforms(schema in satisfiable(), key in "[a-z]{1,6}", salt in "[a-z/]{0,4}") {
        let schema = value(&schema);
        let got = draw(&cleaned(&schema), &DrawKey::new(&key), &salt);
        prop_assert!(conforms(&got, &schema), "{:?}", got);
        prop_assert!(same(&got, &draw(&schema, &DrawKey::new(&key), &salt)));
    }

    #[test]
    fn no_schema_stops_a_draw(schema in any_json(), other in any_json()) {
        let schema = value(&schema);
        let got = draw(&cleaned(&schema), &DrawKey::new("k"), "");
        let _ = conforms(&got, &schema);
        let _ = conforms(&value(&other), &schema);
        prop_assert_eq!(rehearsal::schema::check(&got, &schema).is_ok(), conforms(&got, &schema));
    }
}
