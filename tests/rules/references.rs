//! Rules 1.7: references, inlining, following, object schemas, and the argument-schema rules.

use crate::schema::value;
use rehearsal::schema::{
    Followed, Inliner, RefusalKind, SchemaError, check_arguments_schema, follow, inline, is_object_schema,
};
use rehearsal::value::{Key, Map, Odd, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Instant;

/// Inlines a document that is its own root, and checks the order of keys as well as the values.
fn inlined(document: &Value) -> Value {
    inline(document, document).unwrap()
}

/// Why a document that is its own root cannot be inlined.
fn refused(document: &Value) -> String {
    let error = inline(document, document).unwrap_err();
    assert_eq!(error.kind, RefusalKind::Schema);
    with_place(&error)
}

fn with_place(error: &SchemaError) -> String {
    if error.at.is_empty() { error.reason.clone() } else { format!("{} at {}", error.reason, error.at) }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Map::from(entries).into()
}

fn reference(to: &str) -> Value {
    map([("$ref", to.into())])
}

#[test]
fn a_reference_is_replaced_by_its_target_at_any_depth() {
    let document = value(&json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"items": [{"$ref": "#/$defs/A"}, 1]}, "c": {"const": {"$ref": "#/$defs/B"}}},
        "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/B"}}, "B": {"type": "integer"}},
        "definitions": {"C": true},
    }));
    let wanted = value(&json!({
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"type": "integer"}},
            "b": {"items": [{"type": "array", "items": {"type": "integer"}}, 1]},
            "c": {"const": {"type": "integer"}},
        },
    }));
    assert_eq!(inlined(&document), wanted);
}

#[test]
fn members_beside_a_reference_win_in_the_targets_position() {
    let target = map([("type", "string".into()), ("title", "target".into()), ("maxLength", 4_i64.into())]);
    let node = map([
        ("description", "beside".into()),
        ("title", "beside".into()),
        ("$ref", "#/t".into()),
        ("default", reference("#/d")),
    ]);
    let root = map([("t", target), ("d", true.into())]);
    let wanted = map([
        ("type", "string".into()),
        ("title", "beside".into()),
        ("maxLength", 4_i64.into()),
        ("description", "beside".into()),
        ("default", true.into()),
    ]);
    // equality of objects looks at the order too
    assert_eq!(inline(&node, &root).unwrap(), wanted);
    let kept = map([
        ("type", "string".into()),
        ("title", "beside".into()),
        ("maxLength", 4_i64.into()),
        ("description", "beside".into()),
        ("default", reference("#/d")),
    ]);
    assert_same(&follow(&node, &root).unwrap(), &kept);
}

/// A followed node has the members of `wanted`, in their order.
fn assert_same(followed: &Followed<'_>, wanted: &Value) {
    let wanted = wanted.as_object().unwrap();
    let order: Vec<_> = wanted.named().map(|(name, _)| followed.order(name).unwrap()).collect();
    assert!(order.is_sorted(), "{order:?}");
    for (name, value) in wanted.named() {
        assert_eq!(followed.get(name), Some(value), "{name}");
    }
    assert_eq!((followed.get("$ref"), followed.order("$ref")), (None, None));
}

#[test]
fn a_target_that_is_no_mapping_replaces_the_whole_node() {
    let root = value(&json!({"no": false, "list": [{"$ref": "#/no"}], "null": null}));
    for (to, wanted) in [("#/no", json!(false)), ("#/list", json!([false])), ("#/null", json!(null))] {
        let node = map([("description", "lost".into()), ("$ref", to.into())]);
        assert_eq!(inline(&node, &root).unwrap(), value(&wanted), "{to}");
    }
    let to = reference("#/list");
    let followed = follow(&to, &root).unwrap();
    assert_eq!(followed.plain(), Some(&value(&json!([{"$ref": "#/no"}]))));
    assert!(followed.get("x").is_none());
}

#[test]
fn a_reference_that_is_not_text_is_an_ordinary_key() {
    let document = value(&json!({"properties": {"$ref": {"type": "integer"}}, "$ref": 5, "x": {"$ref": null}}));
    assert_eq!(inlined(&document), document);
    assert_eq!(follow(&document, &document).unwrap().plain(), Some(&document));
}

#[test]
fn circles_are_refused_wherever_they_lie() {
    for document in [
        json!({"properties": {"a": {"$ref": "#"}}}),
        json!({"properties": {"a": {"$ref": "#/properties/a"}}}),
        json!({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}}),
        json!({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"items": {"$ref": "#/$defs/A"}}}}),
        // inside its own target's siblings
        json!({"$defs": {"A": {"$ref": "#/$defs/B", "x": {"$ref": "#/$defs/A"}}, "B": {}}, "$ref": "#/$defs/A"}),
        // under another spelling of the same place
        json!({"$defs": {"A": {"items": {"$ref": "#/%24defs/A"}}}}),
    ] {
        let reason = refused(&value(&document));
        assert!(reason.contains("leads back to itself"), "{document}: {reason}");
    }
    // the same target twice, side by side or one inside the other's siblings, is no circle
    let twice = json!({
        "a": {"$ref": "#/d", "x": {"$ref": "#/d"}}, "b": {"$ref": "#/e"}, "d": {"type": "null"}, "e": {"items": {"$ref": "#/d"}},
    });
    let wanted = json!({
        "a": {"type": "null", "x": {"type": "null"}}, "b": {"items": {"type": "null"}}, "d": {"type": "null"},
        "e": {"items": {"type": "null"}},
    });
    assert_eq!(inlined(&value(&twice)), value(&wanted));
}

#[test]
fn a_failure_names_the_reference_and_the_place() {
    let document = json!({"properties": {"a/b": {"items": {"$ref": "#/$defs/gone"}}}});
    let reason = refused(&value(&document));
    assert_eq!(reason, "the reference \"#/$defs/gone\" points to nothing at /properties/a~1b/items");
    let outside = refused(&value(&json!({"$ref": "other.json#/x"})));
    assert_eq!(outside, "the reference \"other.json#/x\" points outside this file");
    // the second time the failure is remembered, with its place
    let root = value(&json!({"bad": {"items": {"$ref": "#/gone"}}}));
    let mut inliner = Inliner::new(&root);
    let node = map([("properties", map([("p", reference("#/bad"))]))]);
    let first = inliner.inline(&node).unwrap_err();
    assert_eq!(with_place(&first), "the reference \"#/gone\" points to nothing at /properties/p/items");
    assert_eq!(inliner.inline(&node).unwrap_err(), first);
}

#[test]
fn following_stops_at_circles_and_goes_through_chains() {
    let root = value(&json!({
        "a": {"$ref": "#/b", "x": 1}, "b": {"$ref": "#/c", "y": 2}, "c": {"z": {"$ref": "#/a"}, "x": 3},
        "loop": {"$ref": "#/pool"}, "pool": {"$ref": "#/loop", "k": 1}, "self": {"$ref": "#/self"},
    }));
    let to = reference("#/a");
    let followed = follow(&to, &root).unwrap();
    assert_same(&followed, &map([("x", 1_i64.into()), ("z", reference("#/a")), ("y", 2_i64.into())]));
    let from = ["x", "y", "z", "no"].map(|name| followed.reference_to(name));
    assert_eq!(from, [Some("#/a"), Some("#/b"), Some("#/c"), Some("#/c")]);
    for to in ["#/loop", "#/self", "#/nowhere", "x"] {
        assert_eq!(follow(&reference(to), &root).unwrap_err().kind, RefusalKind::Schema, "{to}");
    }
}

#[test]
fn what_only_yaml_says_becomes_json() {
    let odd = |odd: Odd| Value::Odd(Arc::new(odd));
    let mut codes = Map::new();
    for (key, n) in [(Value::Int(200), 1_i64), (Value::Bool(true), 2), (odd(Odd::Time("2026-10-26".into())), 3)] {
        codes.insert(Key::Other(Box::new(key)), n);
    }
    let document = map([
        ("enum", Value::array(vec![odd(Odd::Time("2026-10-26T00:00:00".into()))])),
        ("properties", Value::object(codes)),
    ]);
    let wanted = map([
        ("enum", Value::array(vec!["2026-10-26T00:00:00".into()])),
        ("properties", map([("200", 1_i64.into()), ("true", 2_i64.into()), ("2026-10-26", 3_i64.into())])),
    ]);
    assert_eq!(inlined(&document), wanted);
    // the text of such a key reaches nothing
    assert!(inline(&reference("#/properties/200"), &document).is_err());
    // and following leaves everything inside as it is
    assert_eq!(follow(&document, &document).unwrap().plain(), Some(&document));
    assert!(refused(&map([("items", odd(Odd::Cycle))])).contains("alias"));
}

/// `l0` is a text, and every `l(i+1)` holds `l(i)` `width` times.
fn bomb(levels: usize, width: usize) -> Value {
    let mut defs = Map::new();
    defs.insert("l0", map([("type", "string".into())]));
    for i in 1..=levels {
        let to = format!("#/defs/l{}", i - 1);
        let members: Map = (0..width).map(|j| (format!("p{j}"), reference(&to))).collect();
        defs.insert(format!("l{i}"), map([("properties", members.into())]));
    }
    map([("defs", defs.into())])
}

#[test]
fn reference_bombs_are_cheap_and_refused() {
    let start = Instant::now();
    let root = bomb(60, 10);
    let reason = inline(&reference("#/defs/l60"), &root).unwrap_err().reason;
    assert!(reason.contains("MiB"), "{reason}");
    assert!(inline(&reference("#/defs/l5"), &root).is_ok());
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    // dropped definitions count for nothing
    let mut document = Map::new();
    document.insert("$defs", root.get("defs").cloned().unwrap_or_default());
    let document: Value = document.into();
    assert!(inline(&document, &bomb(60, 10)).is_ok());
}

#[test]
fn one_tools_schemas_count_together() {
    let big = map([("description", "x".repeat(40 << 20).into())]);
    let root = map([("big", big)]);
    let mut inliner = Inliner::new(&root);
    assert!(inliner.inline(&reference("#/big")).is_ok());
    assert!(inliner.inline(&reference("#/big")).is_err());
    inliner.next_tool();
    assert!(inliner.inline(&reference("#/big")).is_ok());
}

/// A chain of definitions, each holding the next one level deeper.
fn tower(levels: usize, hold: impl Fn(Value) -> Value) -> Value {
    let mut root = Map::new();
    root.insert("d0", map([]));
    for i in 1..=levels {
        root.insert(format!("d{i}"), hold(reference(&format!("#/d{}", i - 1))));
    }
    root.into()
}

#[test]
fn inlined_nesting_is_bounded() {
    let held = |inner: Value| map([("items", inner)]);
    for (levels, fits) in [(300, true), (399, true), (400, false), (401, false), (50_000, false)] {
        let root = tower(levels, held);
        let to = reference(&format!("#/d{levels}"));
        // 399 levels above an empty mapping are 400 containers
        assert_eq!(inline(&to, &root).is_ok(), fits, "{levels} from the top");
        let mut upwards = Inliner::new(&root);
        for i in 0..levels.min(600) {
            assert_eq!(upwards.inline(&reference(&format!("#/d{i}"))).is_ok(), i < 400, "{i} of {levels}");
        }
        assert_eq!(upwards.inline(&to).is_ok(), fits, "{levels} from the bottom");
    }
}

#[test]
fn how_far_references_lead_does_not_depend_on_what_was_met_first() {
    // every level is a container and two references
    let mut root = Map::new();
    root.insert("d0", map([]));
    for i in 1..=399 {
        root.insert(format!("r{i}"), reference(&format!("#/d{}", i - 1)));
        root.insert(format!("d{i}"), map([("items", reference(&format!("#/r{i}")))]));
    }
    let root: Value = root.into();
    let mut upwards = Inliner::new(&root);
    for i in 0..=399 {
        let to = reference(&format!("#/d{i}"));
        assert_eq!(upwards.inline(&to).is_ok(), inline(&to, &root).is_ok(), "{i}");
    }
    assert!(inline(&reference("#/d399"), &root).is_err());
}

#[test]
fn chains_of_references_end() {
    for levels in [100_usize, 100_000] {
        let root = tower(levels, |inner| inner);
        let to = reference(&format!("#/d{levels}"));
        assert_eq!(inline(&to, &root).is_ok(), levels == 100);
        assert_eq!(follow(&to, &root).is_ok(), levels == 100);
    }
}

#[test]
fn a_thousand_operations_share_their_targets() {
    let mut schemas = Map::new();
    for i in 0..400 {
        // groups of eight, or the last of them would be too large
        let members: Map = (i + 1..i / 8 * 8 + 8).map(|j| (format!("m{j}"), reference(&format!("#/s/s{j}")))).collect();
        schemas.insert(format!("s{i}"), map([("properties", members.into())]));
    }
    let root = map([("s", schemas.into())]);
    let mut inliner = Inliner::new(&root);
    let start = Instant::now();
    let mut taken = 0;
    for i in 0..1200 {
        inliner.next_tool();
        taken += usize::from(inliner.inline(&map([("items", reference(&format!("#/s/s{}", i % 400)))])).is_ok());
    }
    assert_eq!(taken, 1200);
    assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
}

#[test]
fn what_an_object_schema_is() {
    for (schema, wanted) in [
        (json!({"type": "object"}), true),
        (json!({"properties": {}}), true),
        (json!({"type": "object", "properties": 5}), true),
        (json!({"type": ["object"], "properties": {}}), false),
        (json!({"type": null, "properties": {}}), false),
        (json!({"type": "string", "properties": {}}), false),
        (json!({"properties": []}), false),
        (json!({}), false),
        (json!(true), false),
        (json!([]), false),
        (json!(null), false),
    ] {
        assert_eq!(is_object_schema(&value(&schema)), wanted, "{schema}");
    }
}

fn verdict(schema: &Json) -> Option<(RefusalKind, String)> {
    check_arguments_schema(&value(schema)).err().map(|e| (e.kind, with_place(&e)))
}

#[test]
fn argument_schemas_may_not_use_everything() {
    let forbidden = [
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "patternProperties",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependentRequired",
        "dependencies",
        "propertyNames",
        "contains",
        "minContains",
        "maxContains",
        "uniqueItems",
        "multipleOf",
        "unevaluatedProperties",
        "unevaluatedItems",
        "minProperties",
        "maxProperties",
        "$dynamicRef",
        "$recursiveRef",
        "contentSchema",
    ];
    for (i, keyword) in forbidden.iter().enumerate() {
        let (kind, reason) = verdict(&json!({"properties": {"a": {*keyword: null}}})).unwrap();
        assert_eq!(kind, RefusalKind::Schema);
        assert_eq!(reason, format!("`{keyword}` is not supported in arguments at /properties/a"));
        // the name of a property is no keyword
        assert_eq!(verdict(&json!({"properties": {*keyword: {"type": "string"}}})), None);
        // the first in order is named, whatever the order written
        if let Some(next) = forbidden.get(i + 1) {
            let (_, reason) = verdict(&json!({*next: 1, *keyword: 1})).unwrap();
            assert!(reason.contains(&format!("`{keyword}`")), "{reason}");
        }
    }
}

#[test]
fn argument_rules_go_depth_first_in_their_order() {
    let kind = |schema: Json| verdict(&schema).map(|(kind, _)| kind);
    assert_eq!(kind(json!({"format": "binary", "not": {}})), Some(RefusalKind::Binary));
    assert_eq!(kind(json!({"contentEncoding": null, "not": {}})), Some(RefusalKind::Binary));
    assert_eq!(kind(json!({"format": ["binary"]})), None);
    assert_eq!(kind(json!({"additionalProperties": {}})), Some(RefusalKind::Schema));
    assert_eq!(kind(json!({"additionalProperties": false})), None);
    // the first child in order decides
    let two = json!({"properties": {"a": {"items": {"format": "binary"}}, "b": {"not": {}}}});
    assert_eq!(kind(two), Some(RefusalKind::Binary));
    let items_first = json!({"prefixItems": [{"format": "binary"}], "items": {"not": {}}});
    assert_eq!(kind(items_first), Some(RefusalKind::Schema));
    assert_eq!(kind(json!({"items": [true, {"format": "binary"}]})), Some(RefusalKind::Binary));
    assert_eq!(kind(json!({"prefixItems": {"format": "binary"}})), Some(RefusalKind::Binary));
    // what is no mapping is passed over, and only the children named are looked at
    assert_eq!(kind(json!({"properties": [{"not": {}}], "default": {"not": {}}, "items": 5})), None);
    assert_eq!(kind(json!(true)), None);
}

#[test]
fn argument_schemas_may_be_four_levels_deep() {
    let nested = |levels: usize, leaf: Json| {
        (0..levels).fold(leaf, |inner, i| match i % 3 {
            0 => json!({"properties": {"p": inner}}),
            1 => json!({"items": inner}),
            _ => json!({"prefixItems": [inner]}),
        })
    };
    assert_eq!(verdict(&nested(3, json!({"type": "string"}))), None);
    let (kind, reason) = verdict(&nested(4, json!({"format": "binary"}))).unwrap();
    assert_eq!(kind, RefusalKind::Schema);
    assert!(reason.contains("deep"), "{reason}");
    assert_eq!(verdict(&nested(4, json!(true))), None);
}
