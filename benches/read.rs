//! Reading and hashing tool files. The large ones are read from `../shared/corpus` where it is there (they may not be
//! part of this project); elsewhere a file of about the same make is put together.

use divan::Bencher;
use divan::counter::BytesCount;
use rehearsal::value::{contract_hash, read};
use std::path::Path;

fn main() {
    divan::main();
}

/// A file of the corpus, or one that is put together: an OpenAPI document with so many operations.
fn file(name: &str, operations: usize, yaml: bool) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus").join(name);
    if let Ok(bytes) = std::fs::read(path) {
        return bytes;
    }
    let mut text = String::from(if yaml { "openapi: 3.1.0\npaths:\n" } else { "{\"openapi\":\"3.1.0\",\"paths\":{\n" });
    for i in 0..operations {
        if yaml {
            text.push_str(&format!(
                "  /items/{i}:\n    get:\n      operationId: get_item_{i}\n      description: |-\n        One item, as it is kept.\n      \
                 parameters:\n      - name: id\n        in: query\n        required: true\n        schema: {{type: integer, minimum: 1}}\n"
            ));
        } else {
            let comma = if i == 0 { "" } else { ",\n" };
            text.push_str(&format!(
                "{comma}\"/items/{i}\":{{\"get\":{{\"operationId\":\"get_item_{i}\",\"description\":\"One item,\\nas it is kept.\",\
                 \"parameters\":[{{\"name\":\"id\",\"in\":\"query\",\"required\":true,\"schema\":{{\"type\":\"integer\",\"minimum\":1}}}}]}}}}"
            ));
        }
    }
    text.push_str(if yaml { "" } else { "}}" });
    text.into_bytes()
}

fn json() -> Vec<u8> {
    file("github-api.json", 50_000, false)
}

fn yaml() -> Vec<u8> {
    file("github-api.yaml", 40_000, true)
}

/// The yardstick: our JSON reading and hashing together may take at most three times this.
#[divan::bench(sample_count = 10)]
fn json_by_serde_json(bencher: Bencher) {
    let bytes = json();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| serde_json::from_slice::<serde_json::Value>(&bytes).is_ok());
}

#[divan::bench(sample_count = 10)]
fn json_read(bencher: Bencher) {
    let bytes = json();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| read(&bytes).is_ok());
}

#[divan::bench(sample_count = 10)]
fn json_read_and_hash(bencher: Bencher) {
    let bytes = json();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| read(&bytes).map(|doc| contract_hash(&doc).is_ok()));
}

#[divan::bench(sample_count = 10)]
fn yaml_read(bencher: Bencher) {
    let bytes = yaml();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| read(&bytes).is_ok());
}

#[divan::bench(sample_count = 10)]
fn yaml_read_and_hash(bencher: Bencher) {
    let bytes = yaml();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| read(&bytes).map(|doc| contract_hash(&doc).is_ok()));
}
