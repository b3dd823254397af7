//! What real clients sent, frame by frame, and what is answered; frames that no client should send.

use crate::support::{HOTEL, opening};
use rehearsal::engine::Engine;
use rehearsal::mcp::{Announce, Dialog, Headers, MAX_FRAME, Reaction, ToolList};
use serde_json::{Value, json};
use std::path::Path;

fn capture(name: &str) -> Vec<Value> {
    let path = Path::new("tests/live/frames").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer to a frame, as a value; calls are told by what they ask for.
fn answered(dialog: &mut Dialog, list: &ToolList, frame: &Value, headers: Option<&Headers>) -> Option<Value> {
    let reply = match dialog.take(frame.to_string().as_bytes(), headers).only() {
        Reaction::Answer(reply) => reply,
        Reaction::List(asked) => asked.list(list.json()),
        Reaction::Call { asked, tool, .. } => asked.unknown_tool(&tool),
        Reaction::Cancel(_) | Reaction::Nothing => return None,
    };
    assert!(!reply.text.contains('\n'), "a frame is one line");
    Some(serde_json::from_str(&reply.text).unwrap())
}

fn list() -> ToolList {
    let opening = opening(Path::new(HOTEL), "faults:f1", 0).unwrap();
    let engine = Engine::new(opening.request.task.clone());
    ToolList::new(&opening.bytes, &opening.document, &engine, Announce::Fitting)
}

#[test]
fn every_request_of_a_real_client_is_answered_in_its_era() {
    let list = list();
    for name in
        ["codex", "langgraph-adapters", "pydantic-ai", "python-mcp-1.30", "python-mcp-2.3", "typescript-sdk-1.32"]
    {
        let (mut dialog, mut asked) = (Dialog::new(), 0);
        for line in capture(&format!("{name}.jsonl")) {
            if line["kind"] == "start" {
                dialog = Dialog::new();
            }
            if line["kind"] != "recv" {
                continue;
            }
            let frame = &line["msg"];
            let answer = answered(&mut dialog, &list, frame, None);
            let Some(id) = frame.get("id") else {
                assert_eq!(answer, None, "{name}: {frame}");
                continue;
            };
            asked += 1;
            let answer = answer.unwrap_or_else(|| panic!("{name}: no answer to {frame}"));
            assert_eq!(&answer["id"], id, "{name}");
            let modern = frame["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
            match frame["method"].as_str().unwrap() {
                "initialize" => {
                    assert_eq!(answer["result"]["protocolVersion"], frame["params"]["protocolVersion"], "{name}");
                }
                "server/discover" => {
                    assert_eq!(answer["result"]["supportedVersions"], json!(["2026-07-28"]));
                    assert_eq!(answer["result"]["capabilities"], json!({"tools": {}}));
                }
                "tools/list" if frame["params"].get("cursor").is_some() => assert_eq!(answer["error"]["code"], -32602),
                "tools/list" => {
                    assert_eq!(answer["result"]["tools"][0]["name"], "find_guest");
                    assert!(answer["result"].get("nextCursor").is_none(), "one page");
                    assert_eq!(answer["result"].get("ttlMs").is_some(), modern, "{name}");
                }
                "tools/call" => assert_eq!(answer["error"]["code"], -32602, "{name}: the tool is not in the list"),
                other => panic!("{name} asks {other}"),
            }
            if let Some(result) = answer.get("result") {
                assert_eq!(result.get("resultType").is_some(), modern, "{name}: {result}");
            }
        }
        assert!(asked > 3, "{name}");
    }
}

#[test]
fn requests_over_http_are_answered_with_their_headers() {
    let list = list();
    for name in ["http-a", "http-b"] {
        let mut dialog = Dialog::new();
        for line in capture(&format!("{name}.jsonl")).into_iter().filter(|line| line["kind"] == "POST") {
            let pairs = line["headers"].as_object().unwrap().iter();
            let headers = Headers::new(pairs.map(|(k, v)| (k.clone(), v.as_str().unwrap().to_owned())));
            let answer = answered(&mut dialog, &list, &line["msg"], Some(&headers));
            if line["msg"].get("id").is_some() {
                let code = answer.unwrap()["error"]["code"].clone();
                let expected = if line["msg"]["method"] == "tools/call" || line["msg"]["params"].get("cursor").is_some()
                {
                    json!(-32602)
                } else {
                    Value::Null
                };
                assert_eq!(code, expected, "{name}: {line}");
            }
        }
    }
}

fn modern(method: &str, meta: Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "a", "_meta": meta}}).to_string()
}

#[test]
fn modern_requests_that_lack_or_contradict_something_are_refused() {
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    let refused = |frame: &str, headers: Option<Vec<(&str, &str)>>| {
        let headers = headers.map(|h| Headers::new(h.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned()))));
        match Dialog::new().take(frame.as_bytes(), headers.as_ref()).only() {
            Reaction::Answer(reply) => {
                let value: Value = serde_json::from_str(&reply.text).unwrap();
                (value["error"]["code"].as_i64().unwrap_or(0), reply.status)
            }
            _ => (0, 200),
        }
    };
    let whole = json!({VERSION: "2026-07-28", CAPABILITIES: {}});
    let sent =
        |method, name| Some(vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", name)]);
    assert_eq!(refused(&modern("tools/call", whole.clone()), None), (0, 200));
    assert_eq!(refused(&modern("tools/call", whole.clone()), sent("tools/call", "a")), (0, 200));
    assert_eq!(refused(&modern("tools/call", whole.clone()), sent("tools/call", "=?base64?YQ==?=")), (0, 200));
    assert_eq!(refused(&modern("tools/call", whole.clone()), sent("tools/call", "b")), (-32020, 400));
    assert_eq!(refused(&modern("tools/call", whole.clone()), sent("tools/list", "a")), (-32020, 400));
    assert_eq!(refused(&modern("tools/call", whole.clone()), Some(vec![])), (-32020, 400));
    assert_eq!(refused(&modern("tools/call", json!({VERSION: "2026-07-28"})), None), (-32602, 400));
    assert_eq!(refused(&modern("server/discover", json!({})), None), (-32602, 400));
    assert_eq!(refused(&modern("tools/list", json!({VERSION: "2027-01-01", CAPABILITIES: {}})), None), (-32022, 400));
    assert_eq!(refused(&modern("ping", whole.clone()), None), (-32601, 404));
    assert_eq!(refused(&modern("initialize", whole), None), (-32601, 404));
}

#[test]
fn broken_frames_are_refused_and_the_dialog_goes_on() {
    let mut dialog = Dialog::new();
    let mut code = |frame: &[u8]| match dialog.take(frame, None).only() {
        Reaction::Answer(reply) => {
            serde_json::from_str::<Value>(&reply.text).unwrap()["error"]["code"].as_i64().unwrap_or(0)
        }
        _ => 1,
    };
    assert_eq!(code(b"{"), -32700);
    assert_eq!(code(b"\xff"), -32700);
    assert_eq!(code(&vec![b' '; MAX_FRAME + 1]), -32600);
    assert_eq!(code(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#), -32600, "no batches before a version has them");
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), -32600, "an answer nobody asked for");
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), 0);
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), -32600, "an id used twice");
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":2,"method":"resources/list"}"#), -32601);
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}"#), -32602);
    let nested = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(code(nested.as_bytes()), -32700);
    assert_eq!(code(br#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#), 0);
}

#[test]
fn only_one_version_takes_batches() {
    let open = |version: &str| {
        let mut dialog = Dialog::new();
        let params =
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        let frame = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        dialog.take(frame.to_string().as_bytes(), None);
        dialog
    };
    let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},5]"#;
    let reactions = open("2025-03-26").take(batch, None);
    assert!(reactions.batch && reactions.all.len() == 3);
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let reactions = open(version).take(batch, None);
        assert!(!reactions.batch && matches!(reactions.only(), Reaction::Answer(_)), "{version}");
    }
    assert_eq!(open("1999-01-01").version().unwrap().word(), "2025-11-25");
}
