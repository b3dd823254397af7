//! Real tool files, where `../shared/corpus` lies beside the project.

use crate::cases::{check_lines, differences};
use rehearsal::toolfile::{ReadOptions, Source};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn every_real_file_reads_as_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let Ok(lines) = std::fs::read_to_string(folder.join("expected.jsonl")) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut wrong = String::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["file"].as_str().unwrap();
        let source = Source::new(&std::fs::read(folder.join(name)).unwrap());
        let reading = source.read(&ReadOptions::default());
        check_lines(&reading, &source);
        assert!(reading.extensions.is_empty(), "{name}: {:?}", reading.extensions);
        let found = differences(&reading, &line);
        if !found.is_empty() {
            writeln!(wrong, "{name}\n{found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
