//! Calls of a real process: a frame in, its answer out, everything recorded.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

use divan::Bencher;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

/// A call over stdio: the engine's own time is in the benchmark `engine`.
#[divan::bench(sample_count = 100, sample_size = 100)]
fn call_over_stdio(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::canonicalize("examples/hotel/hotel.mcp.json").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehearsal"))
        .args(["mcp", file.to_str().unwrap(), "--arm", "landed:l1", "--seed", "20"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut id = 0;
    bencher.bench_local(|| {
        id += 1;
        let call = r#""method":"tools/call","params":{"name":"get_booking","arguments":{"booking_id":"pelrpv"}}"#;
        writeln!(input, r#"{{"jsonrpc":"2.0","id":{id},{call}}}"#).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains("result"));
        answer
    });
    drop(input);
    child.wait().unwrap();
}
