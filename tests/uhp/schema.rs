//! Values held against the published schema, and against what the text demands beyond it.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::from_str(include_str!("uhp-2026-09-12.schema.json")).unwrap())
}

/// Fails unless `value` is valid as the definition `name`.
pub fn valid(name: &str, value: &Value) {
    static VALIDATORS: OnceLock<Mutex<HashMap<String, &'static Validator>>> = OnceLock::new();
    let mut known = VALIDATORS.get_or_init(Mutex::default).lock().unwrap();
    let validator = *known.entry(name.to_owned()).or_insert_with(|| {
        let schema =
            json!({"$schema": document()["$schema"], "$defs": document()["$defs"], "$ref": format!("#/$defs/{name}")});
        Box::leak(Box::new(jsonschema::validator_for(&schema).unwrap()))
    });
    drop(known);
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "not a valid {name}: {errors:?}\n{value:#}");
}

/// A response that is valid and has every field that the text demands.
pub fn response(value: &Value) {
    valid("Response", value);
    for key in [
        "id",
        "object",
        "created_at",
        "status",
        "error",
        "output",
        "model",
        "usage",
        "metadata",
        "previous_response_id",
        "store",
        "incomplete_details",
    ] {
        assert!(value.get(key).is_some(), "the response lacks {key}: {value:#}");
    }
    assert!(value["metadata"]["session_id"].is_string() && value["metadata"]["harness_id"].is_string());
    assert_eq!(value["error"].is_object(), value["status"] == "failed", "{value:#}");
    assert_eq!(value["usage"], Value::Null, "nothing is metered");
}

/// A harness that is valid and has every field.
pub fn harness(value: &Value) {
    valid("Harness", value);
    for key in [
        "object",
        "baseLabel",
        "defaultModel",
        "systemPrompt",
        "mcpServers",
        "skills",
        "plugins",
        "disabledTools",
        "maxStep",
        "timeoutSeconds",
        "createdAt",
    ] {
        assert!(value.get(key).is_some(), "the harness lacks {key}: {value:#}");
    }
}

/// An error envelope with `param` and `detail` there and a message that gives nothing away.
pub fn envelope(value: &Value) {
    valid("ErrorEnvelope", value);
    let error = value["error"].as_object().unwrap();
    assert!(error.contains_key("param") && error.contains_key("detail"), "{value:#}");
    let message = error["message"].as_str().unwrap();
    assert!(message.len() < 300 && message.ends_with('.') && !message.contains('\n'), "{message}");
    for mark in ["panicked", "src/", ".rs:", "/root", "/home", "/tmp", "Traceback", "stack", "::", "Err("] {
        assert!(!message.contains(mark), "{message}");
    }
}

/// A stream of events that keeps every rule of the streaming chapter; gives the last event's response.
pub fn events(events: &[Value]) -> Value {
    for (i, event) in events.iter().enumerate() {
        valid("Event", event);
        assert_eq!(event["sequence_number"], i, "numbers count from 0 without holes");
    }
    assert_eq!(events[0]["type"], "response.created");
    assert_eq!(events[0]["response"]["status"], "in_progress");
    let is_last = |e: &&Value| {
        ["response.completed", "response.failed", "response.incomplete"].contains(&e["type"].as_str().unwrap())
    };
    assert_eq!(events.iter().filter(is_last).count(), 1, "one last event");
    let last = events.last().unwrap();
    assert!(is_last(&last));
    let status = last["response"]["status"].as_str().unwrap();
    let name = match status {
        "completed" => "response.completed",
        "incomplete" => "response.incomplete",
        _ => "response.failed",
    };
    assert_eq!(last["type"], name, "{status}");
    response(&last["response"]);
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut done = Vec::new();
    for event in events {
        let kind = event["type"].as_str().unwrap();
        match kind {
            "response.output_item.added" => {
                let id = event["item"]["id"].as_str().unwrap().to_owned();
                assert_eq!(event["output_index"], open.len() + done.len());
                open.insert(id, usize::try_from(event["output_index"].as_u64().unwrap()).unwrap());
            }
            "response.output_item.done" => {
                let id = event["item"]["id"].as_str().unwrap();
                assert_eq!(open.remove(id).map(|i| json!(i)), Some(event["output_index"].clone()));
                done.push(event["item"].clone());
            }
            _ => {
                if let Some(id) = event["item_id"].as_str() {
                    assert!(open.contains_key(id), "{kind} names an item that is not open");
                }
            }
        }
    }
    assert!(open.is_empty(), "every item is closed");
    assert_eq!(json!(done), last["response"]["output"], "the closed items are the output");
    last["response"].clone()
}
