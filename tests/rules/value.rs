//! Rules chapter 2 and 4.8: bytes to values, values to canonical texts.
#![expect(clippy::unwrap_used, reason = "a vector that is not there is a failed test")]

use rehearsal::value::{Value, call_text, canonical, read, read_json};
use std::path::Path;

fn vectors(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/unit").join(name);
    read_json(&std::fs::read(path).unwrap()).unwrap().root.as_array().unwrap().to_vec()
}

fn text<'a>(vector: &'a Value, name: &str) -> Option<&'a str> {
    vector.get(name).and_then(Value::as_str)
}

#[test]
fn canonical_vectors_agree() {
    let vectors = vectors("canonical.json");
    assert!(vectors.len() > 300, "{}", vectors.len());
    for vector in &vectors {
        let source = text(vector, "json").unwrap();
        let doc = read(source.as_bytes()).unwrap();
        assert_eq!(canonical::contract_text(&doc).unwrap(), text(vector, "contract_text").unwrap(), "{source}");
        assert_eq!(call_text(&doc.root), text(vector, "call_text").unwrap(), "{source}");
    }
}
