//! The JSON form of a task and its id (rules 7.10, 5.9).
use crate::hand::{bad_read, call, pay_step, shop, step, task, value};
use rehearsal::task::{HistoryPair, NamedRead, StepEffect, Task, WrongAnswer};
use rehearsal::toolfile::Format;
use rehearsal::value::{Value, call_text, canonical};
use std::sync::Arc;

fn whole() -> Task {
    let read = step("get_order", StepEffect::Read, r#"{"order_id":"aaaaaa"}"#, &[], r#"{"id":"part"}"#);
    Task {
        stated: vec![("amount".into(), Value::Float(1.0)), ("note".into(), Value::Null)],
        named_reads: vec![NamedRead {
            tool: "get_order".into(),
            arguments: value(r#"{"order_id":"aaaaaa"}"#),
            field: "id".into(),
        }],
        fault_plan: vec![("pay".into(), 2), ("get_order".into(), 1)],
        bad_read: Some(bad_read(0, 1, "id", Some(r#"{"order_id":"b"}"#), "\"x\"")),
        landed_step: Some(1),
        echo_reads: true,
        reference_calls: vec![call("pay", r#"{"amount":1.0}"#)],
        history: Some(vec![HistoryPair { call: call("list_channels", "{}"), answer: value("[1]"), tokens: 3 }]),
        wrong_answers: vec![WrongAnswer { name: "wrong_state", calls: vec![], limit: false, label: "wrong_state" }],
        ..task(Format::OpenAi, shop(), vec![read, pay_step()])
    }
}

#[test]
fn a_task_has_the_json_form_that_plan_prints() {
    let json = whole().to_value();
    let field = |name: &str| canonical::compact(json.get(name).unwrap_or_else(|| panic!("no {name}")), true);
    for (name, expected) in [
        ("arm", r#""faults:f0""#),
        ("seed", "404"),
        ("split", r#""eval""#),
        ("form", r#""call""#),
        ("target", r#""pay""#),
        ("target_tool", r#""pay""#),
        ("stated", r#"[["amount",1.0],["note",null]]"#),
        ("named_reads", r#"[["get_order",{"order_id":"aaaaaa"},"id"]]"#),
        ("fault_plan", r#"{"pay":2,"get_order":1}"#),
        ("timeout_plan", "{}"),
        ("rate_limit_plan", "{}"),
        ("landed_step", "1"),
        ("lagged_step", "null"),
        ("bad_read", r#"{"step":0,"level":1,"field":"id","arguments":{"order_id":"b"},"value":"x"}"#),
        ("block", r#"["get_order","list_channels","pay","tell"]"#),
        (
            "steps",
            r#"[{"tool":"get_order","effect":"read","match":{"order_id":"aaaaaa"},"needs":[],"serves":[["id","part"]],"exact":false},{"tool":"pay","effect":"write","match":{"order_id":"ulbifi","amount":49.5},"needs":[],"serves":[],"exact":false}]"#,
        ),
        ("reference_calls", r#"[["pay",{"amount":1.0}]]"#),
        ("history", r#"[["list_channels",{},[1]]]"#),
        ("wrong_answers", r#"{"wrong_state":[]}"#),
        ("echo_reads", "true"),
        ("task_id", r#""0""#),
        ("request", r#""Do it.""#),
    ] {
        assert_eq!(field(name), expected, "{name}");
    }
    assert!(json.get("system_prompt").is_some());
}

#[test]
fn the_id_is_the_hash_of_all_other_fields() {
    let task = whole();
    let Value::Object(fields) = task.to_value() else { panic!() };
    let mut fields = (*fields).clone();
    fields.remove("task_id");
    let text = format!("rehearsal/task-id/1\n{}", call_text(&Value::object(fields)));
    assert_eq!(*task.id(), canonical::file_hash(text.as_bytes()));
    let renamed = Task { task_id: "another".into(), ..task.clone() };
    assert_eq!(renamed.id(), task.id(), "the id does not depend on itself");
}

#[test]
fn every_field_moves_the_id() {
    let task = whole();
    let mut declared = shop();
    let mut tool = (*declared[1].tool).clone();
    tool.effect = rehearsal::toolfile::Effect::Write;
    declared[1].tool = Arc::new(tool);
    let others = [
        Task { seed: 405, ..task.clone() },
        Task { request: "Do it now.".into(), ..task.clone() },
        Task { system_prompt: "Other.".into(), ..task.clone() },
        Task { file_digest: "00".into(), ..task.clone() },
        Task { lagged_step: Some(1), ..task.clone() },
        Task { echo_reads: false, ..task.clone() },
        Task { stated: vec![("amount".into(), Value::Int(1))], ..task.clone() },
        Task { history: None, ..task.clone() },
        Task { block: Arc::new(declared), ..task.clone() },
    ];
    let mut ids: Vec<_> = others.iter().map(Task::id).chain([task.id()]).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), others.len() + 1);
}
