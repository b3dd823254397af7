//! A large OpenAPI document that the benchmarks put together themselves, so that they need no file of anybody's.
use rehearsal::value::{Key, Map, Value, canonical};
use std::fmt::Write as _;

/// The words that made up texts take turns in.
const WORDS: [&str; 24] = [
    "list", "the", "items", "of", "a", "project", "with", "their", "state", "and", "owner", "as", "they", "were",
    "when", "it", "was", "last", "read", "by", "an", "account", "under", "review",
];

/// A sentence of so many words, another for each `n`.
fn sentence(n: usize, words: usize) -> String {
    let word = |i: usize| WORDS[(n * 7 + i * 5 + i * i) % WORDS.len()];
    let mut text = String::from(word(0));
    for i in 1..words {
        text.push(' ');
        text.push_str(word(i));
    }
    text
}

fn object(entries: Vec<(String, Value)>) -> Value {
    entries.into_iter().collect::<Map>().into()
}

fn text(text: impl Into<String>) -> Value {
    Value::from(text.into())
}

/// One property of a schema.
fn property(n: usize) -> Value {
    let mut map = Map::new();
    match n % 5 {
        0 => drop(map.insert("type", "integer")),
        1 => drop(map.insert("type", "boolean")),
        2 => {
            map.insert("type", "string");
            map.insert("format", "date-time");
        }
        3 => {
            map.insert("type", "string");
            map.insert("enum", vec!["open", "closed", "under review"]);
        }
        _ => drop(map.insert("type", "string")),
    }
    map.insert("description", sentence(n, 9));
    map.insert(
        "example",
        if n.is_multiple_of(5) { Value::from(n * 37) } else { text(format!("https://example.org/{n}")) },
    );
    map.into()
}

fn schema(n: usize, properties: usize) -> Value {
    let named: Vec<(String, Value)> = (0..properties).map(|i| (format!("field_{i}"), property(n + i))).collect();
    let required: Vec<String> = (0..properties).step_by(2).map(|i| format!("field_{i}")).collect();
    Map::from([("title", text(format!("Item {n}"))), ("type", text("object")), ("required", required.into())])
        .named()
        .map(|(k, v)| (k.to_string(), v.clone()))
        .chain([("properties".to_owned(), object(named))])
        .collect::<Map>()
        .into()
}

/// An example answer: lists and objects a few levels deep.
fn example(n: usize) -> Value {
    let item = |i: usize| -> Value {
        Map::from([
            ("id", Value::from(n * 100 + i)),
            ("node_id", text(format!("MDU6SXNzdWU{n}x{i}"))),
            ("url", text(format!("https://api.example.org/projects/{n}/items/{i}"))),
            ("share", Value::Float(i as f64 / 8.0)),
            ("open", Value::Bool(i.is_multiple_of(2))),
            ("closed_at", Value::Null),
            (
                "owner",
                Map::from([
                    ("login", text(sentence(i, 1))),
                    ("avatar_url", text(format!("https://example.org/images/{i}/happy.gif"))),
                    ("site_admin", Value::Bool(false)),
                ])
                .into(),
            ),
            ("labels", vec!["bug", "later", "help wanted"].into()),
        ])
        .into()
    };
    (0..4).map(item).collect::<Vec<Value>>().into()
}

fn operation(n: usize, schemas: usize) -> Value {
    let described = format!(
        "{}.\n\n{}: \"quoted\", `code`, 100 % of it.\n\n* {}\n* {}",
        sentence(n, 14),
        sentence(n + 1, 22),
        sentence(n + 2, 12),
        sentence(n + 3, 17)
    );
    let parameter = |i: usize| -> Value {
        Map::from([
            ("name", text(if i == 0 { "id".to_owned() } else { format!("filter_{i}") })),
            ("in", text(if i == 0 { "path" } else { "query" })),
            ("description", text(sentence(n + i, 11))),
            ("required", Value::Bool(i == 0)),
            ("schema", property(n + i)),
        ])
        .into()
    };
    let reference = |i: usize| Map::from([("$ref", text(format!("#/components/schemas/item-{}", i % schemas)))]);
    let json = |schema: Value, example: Value| {
        let examples = Map::from([("default", Map::from([("value", example)]))]);
        Map::from([("application/json", Map::from([("schema", schema), ("examples", examples.into())]))])
    };
    let answer =
        Map::from([("description", text("Response")), ("content", json(reference(n).into(), example(n)).into())]);
    let missing = Map::from([("description", text("Not found: there is no such item"))]);
    Map::from([
        ("summary", text(sentence(n, 5))),
        ("description", text(described)),
        ("tags", vec![text(sentence(n, 1))].into()),
        ("operationId", text(format!("items/{}-{n}", sentence(n, 1)))),
        ("parameters", (0..5).map(parameter).collect::<Vec<Value>>().into()),
        ("requestBody", Map::from([("content", json(schema(n, 8), example(n + 1)))]).into()),
        ("responses", Map::from([("200", answer), ("404", missing)]).into()),
    ])
    .into()
}

/// An OpenAPI document of the make of large published ones: many operations with descriptions, parameters, bodies and
/// examples, and schemas that they share.
pub fn openapi(operations: usize) -> Value {
    let schemas = operations / 3 + 1;
    let paths = (0..operations).map(|n| {
        let method = ["get", "post", "patch"][n % 3];
        (format!("/projects/{{id}}/items-{n}"), object(vec![(method.to_owned(), operation(n, schemas))]))
    });
    let shared = (0..schemas).map(|n| (format!("item-{n}"), schema(n, 24)));
    Map::from([
        ("openapi", text("3.0.3")),
        ("info", Map::from([("title", text("A made up service")), ("version", text("1.2.3"))]).into()),
        ("paths", object(paths.collect())),
        ("components", Map::from([("schemas", object(shared.collect()))]).into()),
    ])
    .into()
}

/// How many operations make a document of 13 MB as indented JSON.
pub const OPERATIONS: usize = 960;

/// The document as indented JSON.
pub fn json(document: &Value) -> Vec<u8> {
    canonical::pretty(document, false).into_bytes()
}

/// The document as YAML in blocks, texts plain where they may be.
pub fn yaml(document: &Value) -> Vec<u8> {
    let mut out = String::new();
    block(&mut out, document, 0);
    out.into_bytes()
}

fn block(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (i, (key, value)) in map.iter().enumerate() {
                if i > 0 {
                    out.extend(std::iter::repeat_n(' ', indent));
                }
                let Key::Text(key) = key else { continue };
                push_text(out, key, indent);
                out.push(':');
                under(out, value, indent);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.extend(std::iter::repeat_n(' ', indent));
                }
                out.push_str("- ");
                block(out, item, indent + 2);
            }
        }
        scalar => {
            match scalar {
                Value::Str(text) => push_text(out, text, indent),
                other => out.push_str(&canonical::compact(other, false)),
            }
            out.push('\n');
        }
    }
}

/// What stands behind a key: on the lines below, or on its own.
fn under(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let _ = write!(out, "\n{:1$}", "", indent + 2);
            block(out, value, indent + 2);
        }
        Value::Array(items) if !items.is_empty() => {
            let _ = write!(out, "\n{:1$}", "", indent);
            block(out, value, indent);
        }
        scalar => {
            out.push(' ');
            block(out, scalar, indent + 2);
        }
    }
}

fn push_text(out: &mut String, text: &str, indent: usize) {
    if text.contains('\n') {
        out.push_str("|-");
        for line in text.split('\n') {
            let width = if line.is_empty() { 0 } else { indent };
            let _ = write!(out, "\n{:width$}{line}", "");
        }
        return;
    }
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b" _/.-:".contains(&b))
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&&*text.to_ascii_lowercase());
    if plain {
        out.push_str(text);
    } else {
        let _ = write!(out, "'{}'", text.replace('\'', "''"));
    }
}
