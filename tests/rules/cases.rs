//! Tool files that broke somebody's tools, each with its right reading (`tests/cases/expected.jsonl`).
#![expect(clippy::unwrap_used, reason = "a file that should be there and is not fails the test")]

use rehearsal::toolfile::{Format, ReadOptions, Reading, Source, read};
use rehearsal::value::Syntax;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Every difference between a reading and its line, one a line.
pub(crate) fn differences(reading: &Reading, line: &Value) -> String {
    let mut out = String::new();
    let mut same = |what: &str, expected: Value, found: Value| {
        if expected != found {
            writeln!(out, "  {what}: expected {expected}, found {found}").unwrap();
        }
    };
    same("file_hash", line["file_hash"].clone(), Value::from(&*reading.file_hash));
    same("contract_hash", line["contract_hash"].clone(), reading.contract_hash().map(|hash| &**hash).into());
    if let Some(at) = line.get("contract_refused_at") {
        same("contract_refused_at", at.clone(), reading.contract_refusal().map(|refusal| refusal.at.clone()).into());
    }
    let word = reading.error.as_ref().map(|error| error.kind.word());
    same("error", line.get("error").cloned().unwrap_or_default(), word.into());
    if let Some(format) = line.get("format") {
        same("format", format.clone(), reading.format.map(Format::word).into());
    }
    if let Some(syntax) = reading.syntax {
        let word = if syntax == Syntax::Json { "json" } else { "yaml" };
        same("parsed_as", line["parsed_as"].clone(), word.into());
    }
    if let Some(usable) = line.get("usable") {
        same("usable", usable.clone(), reading.tools.len().into());
        let counts = reading.effects();
        let found = serde_json::json!({"read": counts.read, "write": counts.write, "unknown": counts.unknown});
        same("effects", line["effects"].clone(), found);
        same("can_target", line["can_target"].clone(), reading.can_target().into());
    }
    if let Some(renamed) = line.get("renamed") {
        let found: Vec<[&str; 2]> = reading.renamed().map(|(from, to)| [&**from, &**to]).collect();
        same("renamed", renamed.clone(), serde_json::json!(found));
    }
    if let Some(refused) = line.get("refused") {
        same("refused", refused.clone(), reading.refused.len().into());
    }
    if line.get("usable").is_some() || line.get("refusals").is_some() {
        let found: Vec<[&str; 2]> =
            reading.refused.iter().map(|refused| [&*refused.name, refused.kind.word()]).collect();
        same(
            "refusals",
            line.get("refusals").cloned().unwrap_or_else(|| Value::Array(vec![])),
            serde_json::json!(found),
        );
    }
    out
}

/// What holds of any reading: lines are lines, places are places of the file.
pub(crate) fn check_lines(reading: &Reading, source: &Source) {
    let one_line = |text: &str| assert!(!text.contains(['\n', '\r']) && !text.is_empty(), "{text:?}");
    reading.error.iter().for_each(|error| one_line(&error.message));
    reading.extensions.iter().for_each(|line| one_line(line));
    let is_place = |at: &str| {
        let root = &source.document().unwrap().root;
        assert!(rehearsal::value::pointer::resolve(root, at).is_some(), "{at} is no place of the file");
    };
    for refused in &reading.refused {
        one_line(&refused.reason);
        is_place(&refused.at);
    }
    reading.tools.iter().for_each(|tool| is_place(&tool.at));
}

#[test]
fn every_case_reads_as_it_should() {
    let lines = std::fs::read_to_string(folder().join("expected.jsonl")).unwrap();
    let mut wrong = String::new();
    let mut checked = 0;
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["file"].as_str().unwrap();
        let source = Source::new(&std::fs::read(folder().join(name)).unwrap());
        let reading = source.read(&ReadOptions::default());
        check_lines(&reading, &source);
        checked += 1;
        if line["ours"] == "extension" {
            assert_eq!(reading.extensions.len(), 1, "{name} says what it is read as");
        } else {
            assert!(reading.extensions.is_empty(), "{name}: {:?}", reading.extensions);
        }
        // where the reference gives no answer, a clear one of ours is right
        let silent = line.get("format").is_none() && line.get("error").is_none();
        let also_fine = name.starts_with("38-") && reading.error.is_none() && reading.tools.len() >= 2;
        let found = differences(&reading, &line);
        if !silent && !also_fine && !found.is_empty() {
            writeln!(wrong, "{name} ({})\n{found}", line["what"]).unwrap();
        }
    }
    assert_eq!(checked, 61);
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn case(name: &str) -> Reading {
    let bytes = std::fs::read(folder().join(name)).unwrap();
    read(&bytes, &ReadOptions::default())
}

/// The cases to which the reference has no answer: what ours is.
#[test]
fn where_the_reference_falls_over_there_is_an_answer() {
    let deep = case("07-nesting-outside-schema.json");
    assert_eq!(deep.error.unwrap().kind.word(), "shape");

    let nested = case("13-type-array-nested-only.json");
    assert_eq!((nested.tools.len(), nested.error), (2, None), "a type that is no word is no free text");

    let loop_outside = case("34-yaml-alias-loop.yaml");
    assert_eq!((loop_outside.tools.len(), loop_outside.error.as_ref()), (2, None));
    assert!(loop_outside.contract_refusal().is_some());
    let loop_inside = case("35-yaml-alias-loop-schema.yaml");
    assert!(loop_inside.refused.iter().any(|refused| refused.kind.word() == "schema"), "{:?}", loop_inside.refused);

    let lone = case("69-surrogate-lone-name.json");
    assert!(lone.contract_refusal().is_some());
    assert!(!lone.tools.is_empty());
}
