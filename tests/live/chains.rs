//! The reference solution over every transport is one and the same episode.

use crate::support::{open, opening, record, serve};
use rehearsal::engine::{Engine, Made};
use rehearsal::episode::messages::{Body, Role, exchange};
use rehearsal::episode::players::PlayerSpec;
use rehearsal::live::{Opening, alone};
use rehearsal::run::{Source, play};
use serde_json::{Value, json};
use std::io::Cursor;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const FILES: [&str; 3] =
    ["examples/hotel/hotel.mcp.json", "examples/orders/orders.openai.json", "examples/clinic/clinic.openapi.yaml"];

/// Twenty tasks, those of the document last.
fn tasks() -> Vec<Opening> {
    let arms =
        ["faults:f2", "landed:l1", "baddata:b1", "timeouts:o1", "ratelimits:r1", "arguments:a1", "similarity:s2"];
    let one = |(n, arm): (usize, &&str)| FILES.map(|file| opening(Path::new(file), arm, n as u64));
    let found: Vec<Opening> = arms.iter().chain(&arms).enumerate().flat_map(one).flatten().take(20).collect();
    assert_eq!(found.len(), 20);
    found
}

fn direct(opening: &Opening) -> String {
    let spec = PlayerSpec::parse("reference", &mut |_| Err(String::new())).unwrap();
    play(&Engine::new(opening.request.task.clone()), &spec, 0, 10_000).chain.hex()
}

fn frames(opening: &Opening) -> Vec<Value> {
    let info =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let mut frames = vec![json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": info})];
    for (n, call) in opening.request.task.reference_calls.iter().enumerate() {
        let params = json!({"name": &*call.tool, "arguments": call.arguments});
        frames.push(json!({"jsonrpc": "2.0", "id": n + 1, "method": "tools/call", "params": params}));
    }
    frames
}

#[test]
fn over_stdio() {
    for opening in tasks() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let lines: Vec<String> = frames(&opening).iter().map(ToString::to_string).collect();
        let (of, at, mut output) = (opening.clone(), run.clone(), Vec::new());
        let stop = sync_channel(1).1;
        let input = Cursor::new(lines.join("\r\n").into_bytes());
        let episode = alone(input, &mut output, stop, move || Ok(open(&of, &at))).unwrap();
        let label = episode.end().unwrap();
        assert_eq!(output.iter().filter(|b| **b == b'\n').count(), lines.len());
        assert_eq!((&*label, record(&run)["chain"].as_str().unwrap()), ("passed", direct(&opening).as_str()));
        assert!(record(&run)["turns"].is_null() && record(&run)["prompt_tokens"].is_null(), "not known, so not 0");
        let source = Source::open(&run).unwrap();
        assert_eq!((source.episodes.passed(), source.trace(0).unwrap().unwrap().broken), (1, None));
        let artifact = std::fs::read_to_string(run.join("card/artifact.json")).unwrap();
        assert!(artifact.contains("\"model_calls\": null"), "{artifact}");
    }
}

#[tokio::test]
async fn over_http() {
    let client = plain_client();
    for opening in tasks() {
        let served = serve(&opening).await;
        let mut session = None;
        for frame in frames(&opening) {
            let mut request =
                client.post(&served.mcp).json(&frame).header("accept", "application/json, text/event-stream");
            if let Some(id) = &session {
                request = request.header("mcp-session-id", id);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 200);
            if let Some(id) = response.headers().get("mcp-session-id") {
                session = Some(id.clone());
            }
            let answer: Value = response.json().await.unwrap();
            assert!(answer.get("result").is_some(), "{answer}");
        }
        let (_kept, run) = served.end().await;
        assert_eq!(record(&run)["chain"].as_str().unwrap(), direct(&opening));
    }
}

pub fn plain_client() -> reqwest::Client {
    // Whoever was first has installed it for all.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[tokio::test]
async fn over_the_routes_of_the_document() {
    let mut played = 0;
    for opening in tasks() {
        let task = opening.request.task.clone();
        let served = serve(&opening).await;
        let Some(routes) = served.routes.clone() else { continue };
        let (address, base) = routes.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let engine = Engine::new(task.clone());
        let mut state = engine.start();
        for call in &task.reference_calls {
            let outcome = engine.step(&state, call);
            state = outcome.state.clone();
            let made = Made { call: call.clone(), outcome };
            let messages = exchange(&task, 0, &made);
            let http = |role| {
                messages.iter().find(|m| m.role == role).map(|m| match &m.body {
                    Body::Http(text) => text.clone(),
                    other => panic!("{other:?}"),
                })
            };
            let (request, expected) = (http(Role::Assistant).unwrap(), http(Role::Tool).unwrap());
            let (status, text) = send(address, base, &request).await;
            // A success declared as 204 has no body.
            assert!(status == 204 || expected.ends_with(&format!("\n\n{text}\n")), "{text}\n{expected}");
            match made.outcome.answer.code {
                Some(code) => assert_eq!(status, code.status()),
                None => assert!((200..300).contains(&status), "{status}"),
            }
        }
        let (_kept, run) = served.end().await;
        assert_eq!(record(&run)["chain"].as_str().unwrap(), direct(&opening), "{}", task.request);
        played += 1;
    }
    assert!(played >= 4, "{played}");
}

/// Sends a request as the agent's view shows it, below `base`.
async fn send(address: &str, base: &str, request: &str) -> (u16, String) {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let mut lines = head.lines();
    let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
    let others: Vec<&str> = lines.filter(|line| !line.starts_with("Host:")).collect();
    let mut text = format!("{method} /{base}{target}\r\nHost: {address}\r\nConnection: close\r\n");
    for line in others {
        text.push_str(&format!("{line}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

#[tokio::test]
async fn what_is_no_route_is_refused_and_makes_no_call() {
    let opening = opening(Path::new(FILES[2]), "faults:f0", 0).unwrap();
    let served = serve(&opening).await;
    let (client, base) = (plain_client(), served.routes.clone().unwrap());
    let status = |method: &str, path: &str| {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let request = client.request(method, format!("{base}{path}"));
        async move { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(status("GET", "/nowhere").await, 404);
    assert_eq!(status("DELETE", "/slots").await, 405);
    assert_eq!(status("POST", "/uploads").await, 501);
    assert_eq!(status("OPTIONS", "/slots").await, 204);
    let foreign = client.get(format!("{base}/slots")).header("origin", "http://evil.example").send().await.unwrap();
    assert_eq!(foreign.status(), 403);
    let foreign = client.get(format!("{base}/slots")).header("host", "evil.example").send().await.unwrap();
    assert_eq!(foreign.status(), 403);
    assert_eq!(client.post(&served.mcp).body("{}").send().await.unwrap().status(), 415);
    let large = client.post(&served.mcp).header("content-type", "application/json").body(vec![b' '; 5 << 20]);
    // The answer may be lost when the connection is closed while it is still being sent to.
    if let Ok(answer) = large.send().await {
        assert_eq!(answer.status(), 413);
    }
    let unknown = served.mcp.replace("/mcp/", "/mcp/x");
    assert_eq!(client.post(unknown).json(&json!({})).send().await.unwrap().status(), 404);
    let (_kept, run) = served.end().await;
    assert_eq!(std::fs::read_to_string(run.join("calls.jsonl")).unwrap(), "");
}
