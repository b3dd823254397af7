//! Reading and hashing large tool files: an OpenAPI document of 13 MB as JSON and the same document as YAML, which are put
//! together here, and, where `../shared/corpus` is there, the real ones they are made after.
//!
//! `cargo bench --bench read`; with REHEARSAL_BENCH_DOCUMENTS set, the two documents are written into that folder too.
#![expect(clippy::unwrap_used, reason = "a benchmark")]
#[path = "made/documents.rs"]
mod made;

use divan::Bencher;
use divan::counter::BytesCount;
use rehearsal::toolfile::{self, ReadOptions};
use rehearsal::value::{contract_hash, read};
use std::path::Path;
use std::sync::LazyLock;

fn main() {
    // what is measured is one document: its two spellings have one contract
    let hash = |bytes: &[u8]| contract_hash(&read(bytes).unwrap()).unwrap();
    assert_eq!(hash(&MADE.0), hash(&MADE.1));
    if let Ok(folder) = std::env::var("REHEARSAL_BENCH_DOCUMENTS") {
        std::fs::write(Path::new(&folder).join("made.json"), &MADE.0).unwrap();
        std::fs::write(Path::new(&folder).join("made.yaml"), &MADE.1).unwrap();
    }
    divan::main();
}

static MADE: LazyLock<(Vec<u8>, Vec<u8>)> = LazyLock::new(|| {
    let document = made::openapi(made::OPERATIONS);
    (made::json(&document), made::yaml(&document))
});

/// The documents there are: made here, and, where it is at hand, the real one.
const DOCUMENTS: [&str; 2] = ["made", "github-api"];

fn document(name: &str, ending: &str) -> Option<Vec<u8>> {
    match (name, ending) {
        ("made", "json") => Some(MADE.0.clone()),
        ("made", _) => Some(MADE.1.clone()),
        _ => {
            let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
            std::fs::read(corpus.join(format!("{name}.{ending}"))).ok()
        }
    }
}

fn each(bencher: Bencher<'_, '_>, name: &str, ending: &str, work: impl Fn(&[u8]) -> bool + Sync) {
    if let Some(bytes) = document(name, ending) {
        bencher.counter(BytesCount::of_slice(&bytes)).bench(|| assert!(work(&bytes)));
    }
}

fn read_and_hash(bytes: &[u8]) -> bool {
    read(bytes).is_ok_and(|doc| contract_hash(&doc).is_ok())
}

/// The yardstick: our JSON reading and hashing together may take at most three times this.
#[divan::bench(args = DOCUMENTS, sample_count = 10)]
fn json_by_serde_json(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "json", |bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_ok());
}

#[divan::bench(args = DOCUMENTS, sample_count = 10)]
fn json_read(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "json", |bytes| read(bytes).is_ok());
}

#[divan::bench(args = DOCUMENTS, sample_count = 10)]
fn json_read_and_hashed(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "json", read_and_hash);
}

#[divan::bench(args = DOCUMENTS, sample_count = 10)]
fn json_to_tools(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "json", |bytes| !toolfile::read(bytes, &ReadOptions::default()).tools.is_empty());
}

#[divan::bench(args = DOCUMENTS, sample_count = 5)]
fn yaml_read(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "yaml", |bytes| read(bytes).is_ok());
}

#[divan::bench(args = DOCUMENTS, sample_count = 5)]
fn yaml_read_and_hashed(bencher: Bencher<'_, '_>, name: &str) {
    each(bencher, name, "yaml", read_and_hash);
}
