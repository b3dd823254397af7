//! Rules chapter 2 and 4.8: bytes to values, values to canonical texts.
#![expect(clippy::unwrap_used, reason = "a vector that is not there is a failed test")]

use base64::Engine as _;
use rehearsal::value::{Document, Syntax, Value, call_text, canonical, read, read_json};
use std::path::{Path, PathBuf};

fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn vectors(name: &str) -> Vec<Value> {
    let path = tests_folder().join("vectors/unit").join(name);
    read_json(&std::fs::read(path).unwrap()).unwrap().root.as_array().unwrap().to_vec()
}

fn text<'a>(vector: &'a Value, name: &str) -> Option<&'a str> {
    vector.get(name).and_then(Value::as_str)
}

/// What the vectors call refused: "shape" while reading, "hash" while hashing.
fn outcome(bytes: &[u8], hash: impl Fn(&Document) -> Option<String>) -> Result<String, &'static str> {
    hash(&read(bytes).map_err(|_| "shape")?).ok_or("hash")
}

fn expected<'a>(vector: &'a Value, name: &str) -> Result<String, &'a str> {
    text(vector, name).map(str::to_owned).ok_or_else(|| text(vector, "refused").unwrap())
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

#[test]
fn json_bytes_vectors_agree() {
    let vectors = vectors("json-bytes.json");
    assert!(vectors.len() > 40, "{}", vectors.len());
    for vector in &vectors {
        let bytes = base64::prelude::BASE64_STANDARD.decode(text(vector, "base64").unwrap()).unwrap();
        let found = outcome(&bytes, |doc| canonical::contract_hash(doc).ok());
        assert_eq!(found, expected(vector, "contract_hash"), "{:?}", vector.get("what"));
    }
}

#[test]
fn yaml_vectors_agree() {
    let vectors = vectors("yaml.json");
    assert!(vectors.len() > 400, "{}", vectors.len());
    for vector in &vectors {
        let source = text(vector, "yaml").unwrap();
        let found = outcome(source.as_bytes(), |doc| canonical::contract_text(doc).ok());
        assert_eq!(found, expected(vector, "contract_text"), "{source:?}");
    }
}

#[test]
fn every_case_has_its_hash_or_the_place_of_its_refusal() {
    let folder = tests_folder().join("cases");
    let lines = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    for line in lines.lines() {
        let case = Value::parse_json(line).unwrap();
        let file = text(&case, "file").unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        assert_eq!(canonical::file_hash(&bytes), text(&case, "file_hash").unwrap(), "{file}");
        let read = read(&bytes);
        let hash = read.as_ref().ok().map(canonical::contract_hash);
        let found_hash = hash.as_ref().and_then(|hash| hash.as_ref().ok().map(String::as_str));
        assert_eq!(found_hash, text(&case, "contract_hash"), "{file}: {read:?}");
        if let Some(at) = text(&case, "contract_refused_at") {
            assert_eq!(hash.as_ref().unwrap().as_ref().unwrap_err().at, at, "{file}");
        }
        if text(&case, "error") == Some("shape") && found_hash.is_none() {
            assert!(read.unwrap_err().message.starts_with("neither JSON ("), "{file}");
        } else if let Some(syntax @ ("json" | "yaml")) = text(&case, "parsed_as") {
            let found = if read.unwrap().syntax == Syntax::Json { "json" } else { "yaml" };
            assert_eq!(found, syntax, "{file}");
        }
    }
}

#[test]
fn cases_without_an_answer_elsewhere_get_one_here() {
    let case = |file: &str| read(&std::fs::read(tests_folder().join("cases").join(file)).unwrap());
    let refusal = |file: &str| canonical::contract_hash(&case(file).unwrap()).unwrap_err().to_string();
    let deep = case("07-nesting-outside-schema.json").unwrap_err();
    assert_eq!(deep.message, "nested more than 400 levels deep at line 1, column 860");
    assert_eq!(
        refusal("34-yaml-alias-loop.yaml"),
        "no contract hash: a value inside itself at /tools/1/function/x-self"
    );
    assert_eq!(
        refusal("35-yaml-alias-loop-schema.yaml"),
        "no contract hash: a value inside itself at /tools/0/function/parameters/properties/row"
    );
    assert_eq!(refusal("68-surrogate-lone.json"), "no contract hash: a lone surrogate at /tools/0/description");
    assert_eq!(refusal("69-surrogate-lone-name.json"), "no contract hash: a lone surrogate at /tools/0/name");
}
