//! Untrusted text through the protocol: what a client sends comes back, is logged and is stored without anything that a
//! terminal would obey, and is still the same text; what a server sends is printed the same way.

use crate::program::binary;
use crate::support::{KEY, server};
use rehearsal::text::is_hidden;
use serde_json::{Value, json};
use std::time::Duration;

const X: &str = "\u{1b}[31m\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}P+q\u{1b}\\\u{9b}2J\u{9d}0;x\u{9c}\r\n\u{8}\u{7f}\u{85}\u{2028}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}";

fn clean(bytes: &[u8], about: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|e| panic!("{about}: {e}"));
    let found: Vec<char> = text.chars().filter(|c| is_hidden(*c) && *c != '\n').collect();
    assert!(found.is_empty(), "{about}: {found:?} in {text:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_streams_headers_and_notes_hold_nothing_that_acts() {
    let server = server(|_| {}).await;
    let http = server.http();
    let named = json!({"name": format!("n{X}"), "base": "rehearsal/orders", "default_model": "rehearsal/reference"});
    let made = http.post("/v1/harnesses", named).await;
    clean(&made.bytes, "the harness");
    let refusals = [
        http.post("/v1/harnesses", json!({"name": "a", "base": X})).await,
        http.post("/v1/responses", json!({"input": "x", "model": X})).await,
        http.post("/v1/responses", json!({"input": "x", "previous_response_id": X})).await,
        http.post("/v1/responses", json!({"input": "x", X: X})).await,
        http.post("/v1/responses", json!({"input": "x", "metadata": {X: X, "arm": X}})).await,
        http.get("/v1/responses/resp_%1b%5b31m%c2%9b%e2%80%ae").await,
        http.get("/v1/sessions?cursor=%1b%5b31m%e2%80%ae").await,
    ];
    for refusal in &refusals {
        clean(&refusal.bytes, "a refusal");
    }
    let asked = format!("Reply with exactly: a{X}z");
    let answer = http.post("/v1/responses", json!({"input": asked})).await;
    clean(&answer.bytes, "an answer");
    let said = answer.ok();
    assert!(said["output"].to_string().contains("\\u001b[31m"), "the same text, escaped: {said}");
    let file = http
        .post("/v1/responses", json!({"input": format!("Create a file named e{X}.txt containing exactly: x{X}")}))
        .await;
    clean(&file.bytes, "an answer with a file");
    let id = said["id"].as_str().unwrap();
    for path in [format!("/v1/responses/{id}"), format!("/v1/responses/{id}/input_items"), "/v1/sessions".to_owned()] {
        clean(&http.get(&path).await.bytes, &path);
    }
    let stream = http.post("/v1/responses", json!({"input": asked, "stream": true})).await;
    clean(&stream.bytes, "a stream");
    for (name, value) in stream.headers.iter().chain(&answer.headers) {
        assert!(value.to_str().is_ok_and(|v| !v.chars().any(is_hidden)), "{name}: {value:?}");
    }
    for note in server.notes.lock().unwrap().iter() {
        clean(rehearsal::text::safe(&note.text).as_bytes(), "a note");
    }
}

/// What the program prints of a server that says `X` wherever it can.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_sends_is_printed_safely() {
    let server = server(|c| c.pace = Duration::from_millis(1)).await;
    let http = server.http();
    let named = json!({"name": format!("n{X}"), "base": "rehearsal/orders", "default_model": "rehearsal/reference"});
    http.post("/v1/harnesses", named).await;
    let asked = format!("Reply with exactly: a{X}z");
    http.post("/v1/responses", json!({"input": asked})).await;
    let session = http.get("/v1/sessions").await.ok()["sessions"][0]["id"].as_str().unwrap().to_owned();
    let base = server.base.clone();
    let lines: Vec<Vec<String>> = [
        vec!["discover"],
        vec!["harnesses"],
        vec!["harnesses", "--json"],
        vec!["sessions"],
        vec!["turns", &session],
        vec!["turns", &session, "--json"],
        vec!["run", &asked],
        vec!["run", &asked, "--json"],
        vec!["stream", &asked],
        vec!["stream", &asked, "--json"],
        vec!["get", X],
        vec!["run", "x", "--model", X],
    ]
    .into_iter()
    .map(|line| line.into_iter().map(str::to_owned).collect())
    .collect();
    tokio::task::spawn_blocking(move || {
        for line in lines {
            let output = std::process::Command::new(binary())
                .arg("uhp")
                .args(&line)
                .env("UHP_BASE_URL", &base)
                .env("UHP_API_KEY", KEY)
                .output()
                .unwrap();
            clean(&output.stdout, &format!("stdout of {line:?}"));
            clean(&output.stderr, &format!("stderr of {line:?}"));
            assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{line:?}");
            if line.last().is_some_and(|last| last == "--json") {
                let text = String::from_utf8(output.stdout).unwrap();
                let first = text.lines().next().unwrap();
                let whole: Result<Value, _> = serde_json::from_str(&text).or_else(|_| serde_json::from_str(first));
                assert!(whole.is_ok(), "{line:?}: {text}");
            }
        }
    })
    .await
    .unwrap();
}
