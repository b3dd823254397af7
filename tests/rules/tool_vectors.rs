//! The tools, refusals and hashes of the vectors.
#![expect(clippy::unwrap_used, reason = "a file that should be there and is not fails the test")]

use rehearsal::toolfile::{ReadOptions, read, rename};
use rehearsal::value::canonical::compact;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn as_json(value: &rehearsal::value::Value) -> Value {
    serde_json::from_str(&compact(value, true)).unwrap()
}

/// Checks one vectors file against the tool file it names.
fn check_vectors(vectors: &Path, tool_files: &Path) {
    let expected: Value = serde_json::from_slice(&fs::read(vectors).unwrap()).unwrap();
    let file = expected["file"].as_str().unwrap();
    let declared = expected["declared_read"].as_array().unwrap();
    let options = ReadOptions {
        read: declared.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
        ..ReadOptions::default()
    };
    let reading = read(&fs::read(tool_files.join(file)).unwrap(), &options);
    assert_eq!(reading.error, None, "{file}");
    let refused: Vec<Value> = reading.refused.iter().map(|r| json!({"name": *r.name, "kind": r.kind.word()})).collect();
    if let Some(format) = expected.get("format") {
        assert_eq!(reading.format.unwrap().word(), format.as_str().unwrap(), "{file}");
        assert_eq!(&*reading.file_hash, expected["file_hash"].as_str().unwrap(), "{file}");
        assert_eq!(&**reading.contract_hash().unwrap(), expected["contract_hash"].as_str().unwrap(), "{file}");
        assert_eq!(Value::Array(refused), expected["refused"], "{file}");
    }
    let Some(tools) = expected.get("tools") else { return };
    let found: Vec<Value> = reading
        .tools
        .iter()
        .map(|tool| {
            json!({
                "name": *tool.name,
                "title": tool.title.as_deref(),
                "effect": tool.effect.word(),
                "input_schema": as_json(&tool.input_schema),
                "output_schema": tool.output_schema.as_ref().map(as_json),
            })
        })
        .collect();
    assert_eq!(found.len(), tools.as_array().unwrap().len(), "{file}");
    for (found, expected) in found.iter().zip(tools.as_array().unwrap()) {
        assert_eq!(found, expected, "{file}");
        let order = |value: &Value| value["input_schema"].to_string();
        assert_eq!(order(found), order(expected), "{file}: the order of members");
    }
}

fn vectors_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "json"));
    paths.sort();
    paths
}

fn check_all(vectors: &[PathBuf], tool_files: &Path) {
    for path in vectors {
        check_vectors(path, tool_files);
    }
}

#[test]
fn tools_of_the_vectors_agree() {
    let tests = home().join("tests");
    let own = vectors_in(&tests.join("vectors"));
    assert!(own.len() >= 6, "{own:?}");
    check_all(&own, &tests.join("toolfiles"));
    let random = vectors_in(&tests.join("random/vectors"));
    assert!(random.len() >= 10, "{random:?}");
    check_all(&random, &tests.join("random"));
}

#[test]
fn tools_of_all_vectors_agree() {
    let shared = home().join("../shared");
    if !shared.join("vectors").exists() {
        println!("skipped: {} is not there", shared.display());
        return;
    }
    for path in vectors_in(&shared.join("vectors")) {
        let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let folder = ["toolfiles", "corpus"].map(|name| shared.join(name));
        let folder = folder.iter().find(|folder| folder.join(file["file"].as_str().unwrap()).exists());
        match folder {
            Some(folder) => check_vectors(&path, folder),
            None => println!("skipped: the tool file of {}", path.display()),
        }
    }
    check_all(&vectors_in(&shared.join("random/vectors")), &shared.join("random"));
}

#[test]
fn names_of_the_vectors_agree() {
    let names: Vec<[String; 2]> =
        serde_json::from_slice(&fs::read(home().join("tests/vectors/unit/names.json")).unwrap()).unwrap();
    assert!(names.len() > 40);
    for [original, renamed] in names {
        assert_eq!(rename(&original), renamed, "{original:?}");
    }
}

#[test]
fn the_first_file_has_its_published_contract_hash() {
    let reading = read(&fs::read(home().join("tests/toolfiles/orders.openai.json")).unwrap(), &ReadOptions::default());
    assert_eq!(
        reading.contract_hash().map(|hash| &**hash),
        Some("cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157")
    );
}
