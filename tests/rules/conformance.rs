//! Rules 3.4 clause by clause: what conforms, what failed first, and what is the same; free text (1.9).

use crate::schema::value;
use num_bigint::BigInt;
use rehearsal::schema::{Violation, check, conforms, given_up_patterns, is_free_text, same};
use rehearsal::value::{Map, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

fn fits(instance: Json, schema: Json) -> bool {
    let (instance, schema) = (value(&instance), value(&schema));
    let fits = conforms(&instance, &schema);
    assert_eq!(check(&instance, &schema).is_ok(), fits);
    fits
}

fn first(instance: Json, schema: Json) -> (String, String, String) {
    let Violation { at, keyword, expected } = check(&value(&instance), &value(&schema)).unwrap_err();
    (at, keyword, expected)
}

#[test]
fn schemas_that_are_no_mapping() {
    for schema in [json!(true), json!(null), json!([]), json!("x"), json!(0), json!({})] {
        assert!(fits(json!(5), schema));
    }
    assert!(!fits(json!(null), json!(false)));
}

#[test]
fn null_passes_at_once_where_it_is_allowed() {
    for rest in [json!({"type": "string"}), json!({"const": 1}), json!({"enum": []}), json!({"not": {}})] {
        let mut schema = rest.clone();
        assert!(!fits(json!(null), schema.clone()), "{rest}");
        schema["nullable"] = json!(true);
        assert!(fits(json!(null), schema), "{rest}");
    }
    // only true is true
    for nullable in [json!(1), json!("true"), json!(null), json!(false)] {
        assert!(!fits(json!(null), json!({"type": "string", "nullable": nullable})));
    }
}

#[test]
fn constants_and_lists() {
    assert!(fits(json!(1), json!({"const": 1.0})));
    assert!(!fits(json!(1), json!({"const": true})));
    assert!(fits(json!(null), json!({"const": null})));
    assert!(fits(json!({"a": [1]}), json!({"enum": [5, {"a": [1.0]}]})));
    assert!(!fits(json!(5), json!({"enum": []})));
    assert!(fits(json!(5), json!({"enum": "5"})));
    assert!(fits(json!(5), json!({"enum": null})));
}

#[test]
fn types() {
    for (instance, types) in [
        (json!(null), vec!["null"]),
        (json!(true), vec!["boolean"]),
        (json!(1), vec!["integer", "number"]),
        (json!(1.0), vec!["integer", "number"]),
        (json!(-0.0), vec!["integer", "number"]),
        (json!(1e300), vec!["integer", "number"]),
        (json!(1.5), vec!["number"]),
        (json!("a"), vec!["string"]),
        (json!([]), vec!["array"]),
        (json!({}), vec!["object"]),
    ] {
        for word in ["null", "boolean", "integer", "number", "string", "array", "object"] {
            let wanted = types.contains(&word);
            assert_eq!(fits(instance.clone(), json!({"type": word})), wanted, "{instance} {word}");
            assert_eq!(fits(instance.clone(), json!({"type": [word]})), wanted, "{instance} [{word}]");
        }
        assert!(fits(instance.clone(), json!({"type": "thing"})));
        assert!(fits(instance.clone(), json!({"type": ["thing", "null"]})));
        assert!(fits(instance.clone(), json!({"type": 5})));
        assert!(!fits(instance, json!({"type": []})));
    }
    for float in [f64::NAN, f64::INFINITY] {
        assert!(!conforms(&Value::Float(float), &value(&json!({"type": "integer"}))));
        assert!(conforms(&Value::Float(float), &value(&json!({"type": "number"}))));
    }
}

#[test]
fn combinations() {
    let integer = json!({"type": "integer"});
    let number = json!({"type": "number"});
    let text = json!({"type": "string"});
    for (instance, any, one, all) in
        [(json!(1), true, false, true), (json!(1.5), true, true, false), (json!(true), false, false, false)]
    {
        assert_eq!(fits(instance.clone(), json!({"anyOf": [integer, number]})), any);
        assert_eq!(fits(instance.clone(), json!({"oneOf": [integer, number, text]})), one);
        assert_eq!(fits(instance.clone(), json!({"allOf": [integer, number]})), all);
        assert_eq!(fits(instance, json!({"not": number})), !any);
    }
    // some of none and one of none are no; all of none is yes
    assert!(!fits(json!(1), json!({"anyOf": []})));
    assert!(!fits(json!(1), json!({"oneOf": []})));
    assert!(fits(json!(1), json!({"allOf": []})));
    assert!(!fits(json!(1), json!({"not": true})));
    assert!(fits(json!(1), json!({"not": false})));
    assert!(!fits(json!(1), json!({"not": null})));
    for nothing in [json!({}), json!("x"), json!(null)] {
        assert!(fits(json!(1), json!({"anyOf": nothing, "oneOf": nothing, "allOf": nothing})));
    }
}

#[test]
fn bounds_of_numbers() {
    for (schema, inside, outside) in [
        (json!({"minimum": 2}), json!([2, 2.0, 3]), json!([1, 1.999])),
        (json!({"maximum": 2}), json!([2, 1, -5.5]), json!([2.001, 3])),
        (json!({"minimum": 2, "exclusiveMinimum": true}), json!([2.001]), json!([2, 2.0])),
        (json!({"maximum": 2, "exclusiveMaximum": true}), json!([1.999]), json!([2])),
        (json!({"minimum": 2, "exclusiveMinimum": false}), json!([2]), json!([1])),
        (json!({"exclusiveMinimum": 2}), json!([3, 2.001]), json!([2, 1])),
        (json!({"exclusiveMaximum": 2}), json!([1]), json!([2, 3])),
        (json!({"minimum": 5, "exclusiveMinimum": 2}), json!([5]), json!([4])),
        (json!({"minimum": 2, "exclusiveMinimum": 5}), json!([6]), json!([5, 3])),
        (json!({"minimum": 5, "exclusiveMinimum": 5}), json!([6]), json!([5])),
        (json!({"exclusiveMinimum": true, "exclusiveMaximum": true}), json!([0, 1, -1]), json!([])),
        (json!({"minimum": "5", "maximum": null}), json!([0, 1e300]), json!([])),
        (json!({"minimum": true, "maximum": false}), json!([-5, 5]), json!([])),
    ] {
        for (list, wanted) in [(inside, true), (outside, false)] {
            for instance in list.as_array().unwrap() {
                assert_eq!(fits(instance.clone(), schema.clone()), wanted, "{instance} in {schema}");
            }
        }
    }
    // bounds are for numbers alone
    assert!(fits(json!("a"), json!({"minimum": 5})));
    assert!(fits(json!(true), json!({"minimum": 5})));
}

#[test]
fn bounds_of_integers_beyond_binary64() {
    let huge = Value::integer(BigInt::from(10).pow(400));
    let below = |max: Value| conforms(&huge, &Map::from([("maximum", max)]).into());
    assert!(!below(Value::Float(f64::MAX)));
    // a bound beyond binary64 is an infinity, a bound that is not a number is none
    assert!(below(huge.clone()));
    assert!(below(Value::Float(f64::NAN)));
    let odd = Value::Int(9_007_199_254_740_993);
    assert!(!conforms(&odd, &value(&json!({"maximum": 9_007_199_254_740_992.0}))));
    assert!(conforms(&odd, &value(&json!({"exclusiveMinimum": 9_007_199_254_740_992.0}))));
}

#[test]
fn lengths_of_texts_count_code_points_and_need_integers() {
    for (text, schema, wanted) in [
        ("é😀", json!({"minLength": 2, "maxLength": 2}), true),
        ("é😀", json!({"maxLength": 1}), false),
        ("e\u{301}", json!({"maxLength": 1}), false),
        ("", json!({"minLength": 1}), false),
        ("", json!({"minLength": 0, "maxLength": 0}), true),
        ("a", json!({"maxLength": 0}), false),
        ("a", json!({"maxLength": 0.0, "minLength": 5.0}), true),
        ("a", json!({"maxLength": false, "minLength": true}), true),
        ("", json!({"minLength": true}), true),
        ("a", json!({"maxLength": -1}), false),
        ("a", json!({"minLength": -1}), true),
        ("a", json!({"minLength": "5"}), true),
    ] {
        assert_eq!(fits(json!(text), schema.clone()), wanted, "{text:?} in {schema}");
    }
    let huge: Value = Map::from([("maxLength", Value::integer(BigInt::from(10).pow(30)))]).into();
    assert!(conforms(&"a".into(), &huge));
    let huge: Value = Map::from([("minLength", Value::integer(BigInt::from(10).pow(30)))]).into();
    assert!(!conforms(&"a".into(), &huge));
}

#[test]
fn patterns_that_are_none_admit_everything() {
    for pattern in [json!("["), json!("\\p{L}"), json!("a**"), json!(5), json!(null), json!(["x"])] {
        assert!(fits(json!("zzz"), json!({"pattern": pattern})));
    }
    assert!(!fits(json!("zzz"), json!({"pattern": "^a"})));
    assert!(fits(json!("bab"), json!({"pattern": "a"})));
    assert!(fits(json!("abc\n"), json!({"pattern": "^abc$"})));
    assert!(!fits(json!("abc\n"), json!({"pattern": "^abc\\Z"})));
    assert!(fits(json!(5), json!({"pattern": "^a"})));
    // `^\w{1,1000}$` and the like are ordinary here
    assert!(!fits(json!("a b"), json!({"pattern": "^\\w{1,4000}$"})));
    // so is what another engine would try for ever
    assert!(!fits(json!("a".repeat(5000) + "!"), json!({"pattern": "^(a+)+$"})));
}

#[test]
fn a_pattern_that_tries_too_long_is_given_up_and_remembered() {
    let pattern = "^(?:(a+)+)+(?!a)\\1{3}b$";
    assert!(fits(json!("a".repeat(40)), json!({"pattern": pattern})));
    assert!(given_up_patterns().iter().any(|given_up| &**given_up == pattern));
    assert!(!fits(json!("c"), json!({"pattern": pattern})));
}

#[test]
fn patterns_of_any_depth_are_taken_or_refused() {
    for (open, close) in [("(", ")"), ("(?:", ")"), ("(?:a|", ")"), ("(?=", ")"), ("(?>", ")"), ("(?i:", ")*")] {
        for levels in [100, 495, 496, 100_000] {
            let pattern = format!("{}b{}", open.repeat(levels), close.repeat(levels));
            // deeper ones Python gives up to compile, and what does not compile admits everything
            assert_eq!(fits(json!("x"), json!({"pattern": pattern})), levels > 495 || close == ")*", "{open} {levels}");
        }
    }
}

#[test]
fn formats() {
    for (format, good, bad) in [
        (
            "email",
            vec!["a@b.co", "a.b+c@d.e", "é@é.é", "a@b.c\n", "\"@b.c", "a@b.c.d", "a@..b", "a@b..", "a@..."],
            vec![
                "",
                "a",
                "a@b",
                "@b.c",
                "a@.c",
                "a@b.",
                "a b@c.d",
                "a@b@c.d",
                "a@b.c\n\n",
                " a@b.c",
                "a@b.c\u{a0}",
                "a@b\t.c",
                "a@.",
            ],
        ),
        (
            "uuid",
            vec![
                "4bdf08b5-29da-4d23-9f19-d3be731cc331",
                "4BDF08B529DA4D239F19D3BE731CC331",
                "{4bdf08b529da4d239f19d3be731cc331}",
                "urn:uuid:4bdf08b5-29da-4d23-9f19-d3be731cc331",
                "4-b-d-f08b529da4d239f19d3be731cc331",
                "}}4bdf08b529da4d239f19d3be731cc331{{",
                "4bdf08b529da4d239f19d3be731cc33uurn:uid:1",
                "0x4bdf08b529da4d239f19d3be731cc3",
                "+bdf08b529da4d239f19d3be731cc331",
                "4_df08b529da4d239f19d3be731cc331",
                "４bdf08b529da4d239f19d3be731cc331",
                " bdf08b529da4d239f19d3be731cc33\n",
                "0X_df08b529da4d239f19d3be731cc33",
            ],
            vec![
                "",
                "4bdf08b5-29da-4d23-9f19-d3be731cc33",
                "4bdf08b5-29da-4d23-9f19-d3be731cc331a",
                "gbdf08b529da4d239f19d3be731cc331",
                "_bdf08b529da4d239f19d3be731cc331",
                "4bdf08b529da4d239f19d3be731cc33_",
                "4b__8b529da4d239f19d3be731cc3310",
                "4bdf08b5 29da4d239f19d3be731cc331",
                "URN:UUID:4bdf08b5-29da-4d23-9f19-d3be731cc331",
                "\u{1c}bdf08b529da4d239f19d3be731cc331",
            ],
        ),
        (
            "date",
            vec!["2026-10-26", "2026-99-99", "0000-00-00", "٢٠٢٦-١٠-٢٦", "2026-10-26\n"],
            vec![
                "",
                "2026-1-26",
                "26-10-26",
                "2026-10-26 ",
                "2026/10/26",
                "2026-10-26\n\n",
                "²026-10-26",
                "2026-10-261",
            ],
        ),
        (
            "date-time",
            vec![
                "2026-10-26T10:00:00Z",
                "2026-10-26T10:00:00.5Z",
                "2026-10-26T10:00:00+02:00",
                "2026-99-99T99:99:99-99:99",
                "2026-10-26T10:00:00Z\n",
                "2026-10-26T10:00:00.123456789٣-01:30",
            ],
            vec![
                "2026-10-26",
                "2026-10-26t10:00:00Z",
                "2026-10-26T10:00:00z",
                "2026-10-26 10:00:00Z",
                "2026-10-26T10:00Z",
                "2026-10-26T10:00:00",
                "2026-10-26T10:00:00.Z",
                "2026-10-26T10:00:00+0200",
                "2026-10-26T10:00:00+02",
                "2026-10-26T10:00:00+02:00Z",
                "2026-10-26T10:00:00Z\n\n",
            ],
        ),
    ] {
        for (texts, wanted) in [(good, true), (bad, false)] {
            for text in texts {
                assert_eq!(fits(json!(text), json!({"format": format})), wanted, "{format} {text:?}");
            }
        }
    }
    for format in [json!("ipv4"), json!("uri"), json!("time"), json!("Email"), json!(5), json!(["uuid"])] {
        assert!(fits(json!("x"), json!({"format": format})));
    }
    assert!(fits(json!(5), json!({"format": "uuid"})));
}

#[test]
fn lists() {
    for (instance, schema, wanted) in [
        (json!([1]), json!({"minItems": 2}), false),
        (json!([1]), json!({"minItems": 2.0}), true),
        (json!([1, 2]), json!({"maxItems": 1}), false),
        (json!([1, 2]), json!({"maxItems": true}), true),
        (json!([1, "a"]), json!({"items": {"type": "integer"}}), false),
        (json!([1, "a"]), json!({"prefixItems": [{"type": "integer"}]}), true),
        (json!([1, "a"]), json!({"prefixItems": [{"type": "integer"}], "items": false}), false),
        (json!([1]), json!({"prefixItems": [{"type": "integer"}, {}], "items": false}), true),
        (json!([]), json!({"items": false}), true),
        (json!([1]), json!({"items": false}), false),
        (json!([1]), json!({"items": [{"type": "null"}]}), true),
        (json!([1]), json!({"prefixItems": {"a": false}}), true),
        (json!([1, 1]), json!({"uniqueItems": true, "contains": {"type": "null"}}), true),
    ] {
        assert_eq!(fits(instance.clone(), schema.clone()), wanted, "{instance} in {schema}");
    }
}

#[test]
fn objects() {
    for (instance, schema, wanted) in [
        (json!({}), json!({"required": ["a"]}), false),
        (json!({"a": null}), json!({"required": ["a"]}), true),
        (json!({}), json!({"required": [1, null, ["a"]]}), true),
        (json!({}), json!({"required": "a"}), true),
        (json!({"a": 1}), json!({"properties": {"a": {"type": "null"}}}), false),
        (json!({"b": 1}), json!({"properties": {"a": false}}), true),
        (json!({"a": 1}), json!({"properties": {"a": false}}), false),
        (json!({"b": 1}), json!({"properties": {"a": {}}, "additionalProperties": false}), false),
        (json!({"b": 1}), json!({"additionalProperties": false}), false),
        (json!({"b": 1}), json!({"additionalProperties": {"type": "null"}}), true),
        (json!({"b": 1}), json!({"additionalProperties": 0}), true),
        (json!({"b": 1}), json!({"properties": ["b"], "additionalProperties": false}), false),
        (json!({"b": 1}), json!({"minProperties": 5, "patternProperties": {".": false}}), true),
    ] {
        assert_eq!(fits(instance.clone(), schema.clone()), wanted, "{instance} in {schema}");
    }
}

#[test]
fn the_first_failing_check_is_named() {
    let order = json!({
        "type": "object", "required": ["order id", "a/b"], "additionalProperties": false,
        "properties": {
            "a/b": {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^x"},
            "order id": {"type": "integer", "minimum": 1, "exclusiveMaximum": 5.5},
            "list": {"items": {"properties": {"~": {"enum": ["a", 1, null]}}}, "maxItems": 2},
        },
    });
    let case = |instance: Json, at: &str, keyword: &str, expected: &str| {
        let got = first(instance, order.clone());
        assert_eq!(got, (at.to_owned(), keyword.to_owned(), expected.to_owned()));
    };
    case(json!([]), "", "type", "must be an object");
    case(json!({}), "/order id", "required", "order id is required");
    case(json!({"order id": "x", "z": 1}), "/a~1b", "required", "a/b is required");
    // properties in the schema's order, which is sorted here, then names that are not known
    case(json!({"order id": "x", "a/b": 5, "z": 1}), "/a~1b", "type", "must be text");
    case(json!({"order id": "x", "a/b": "x"}), "/a~1b", "minLength", "must have at least 2 characters");
    case(json!({"order id": "x", "a/b": "xxxx"}), "/a~1b", "maxLength", "must have at most 3 characters");
    case(json!({"order id": "x", "a/b": "yy"}), "/a~1b", "pattern", "must match the pattern ^x");
    case(json!({"order id": "x", "a/b": "xx"}), "/order id", "type", "must be an integer");
    case(json!({"order id": 0, "a/b": "xx"}), "/order id", "minimum", "must be at least 1");
    case(json!({"order id": 6, "a/b": "xx"}), "/order id", "exclusiveMaximum", "must be below 5.5");
    case(json!({"order id": 1, "a/b": "xx", "z": 1}), "/z", "additionalProperties", "z is not a known name");
    case(json!({"order id": 1, "a/b": "xx", "list": [1, 2, 3]}), "/list", "maxItems", "must have at most 2 items");
    case(
        json!({"order id": 1, "a/b": "xx", "list": [1, {"~": true}]}),
        "/list/1/~0",
        "enum",
        "must be one of \"a\", 1, null",
    );
    assert_eq!(first(json!(1), json!({"allOf": [{}, {"type": "string"}]})).1, "type");
    assert_eq!(first(json!(1), json!({"anyOf": [{"type": "string"}]})).1, "anyOf");
    assert_eq!(first(json!(1), json!({"type": "string", "const": 2})).1, "const");
    assert_eq!(first(json!([1]), json!({"items": false})).0, "/0");
    assert_eq!(first(json!("x"), json!({"format": "date"})).2, "must be a date like 2026-01-31");
    assert_eq!(first(json!(1), json!(false)).1, "false");
}

#[test]
fn sameness() {
    for (a, b, wanted) in [
        (json!(1), json!(1.0), true),
        (json!(0), json!(-0.0), true),
        (json!(1), json!(true), false),
        (json!(0), json!(false), false),
        (json!(0), json!(null), false),
        (json!("1"), json!(1), false),
        (json!("é"), json!("e\u{301}"), false),
        (json!([1, 2]), json!([1.0, 2]), true),
        (json!([1, 2]), json!([2, 1]), false),
        (json!([1]), json!([1, 1]), false),
        (json!({"a": 1, "b": 2}), json!({"b": 2.0, "a": 1}), true),
        (json!({"a": 1}), json!({"a": 1, "b": 2}), false),
        (json!({"a": null}), json!({"b": null}), false),
        (json!([]), json!({}), false),
        (json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64), true),
    ] {
        assert_eq!(same(&value(&a), &value(&b)), wanted, "{a} {b}");
        assert_eq!(same(&value(&b), &value(&a)), wanted, "{b} {a}");
    }
    let nan = Value::Float(f64::NAN);
    assert!(!same(&nan, &nan));
    let huge = Value::BigInt(Arc::new(BigInt::from(10).pow(400)));
    assert!(!same(&huge, &huge));
    let large = Value::BigInt(Arc::new(BigInt::from(10).pow(30)));
    assert!(same(&large, &Value::Float(1e30)));
}

#[test]
fn free_text() {
    for (schema, wanted) in [
        (json!(true), true),
        (json!(null), true),
        (json!([]), true),
        (json!({}), true),
        (json!({"description": "x", "pattern": "x"}), true),
        (json!({"type": "string"}), true),
        (json!({"type": ["string"]}), true),
        (json!({"type": ["null", "string"]}), true),
        (json!({"type": ["null"]}), true),
        (json!({"type": []}), true),
        (json!({"type": "null"}), false),
        (json!({"type": "integer"}), false),
        (json!({"type": ["string", "integer"]}), false),
        (json!({"type": 5}), false),
        (json!({"type": "string", "format": null}), false),
        (json!({"enum": []}), false),
        (json!({"const": 1}), false),
        (json!({"type": "string", "minLength": null}), false),
        (json!({"maxLength": 0}), false),
        (json!({"type": "string", "minimum": 1, "nullable": true, "default": "x"}), true),
        (json!({"type": "object", "properties": {}}), false),
        (json!({"properties": {}}), true),
    ] {
        assert_eq!(is_free_text(&value(&schema)), wanted, "{schema}");
    }
}
