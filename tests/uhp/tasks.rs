//! The task's states, budgets, ignored fields, models, and which task an input means (chapter 6 and the tasks text).

use crate::schema;
use crate::support::{id_of, server, session_of, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn an_episode_is_told_as_reasoning_calls_answers_and_a_verdict() {
    let server = server(|_| {}).await;
    let http = server.http();
    let ran = http.say("faults:f2 seed 0").await;
    let kinds: Vec<&str> = ran["output"].as_array().unwrap().iter().map(|i| i["type"].as_str().unwrap()).collect();
    assert_eq!(kinds[..2], ["reasoning", "reasoning"]);
    assert_eq!(kinds.last(), Some(&"message"));
    let calls: Vec<&Value> =
        ran["output"].as_array().unwrap().iter().filter(|i| i["type"] == "function_call").collect();
    assert_eq!(calls.len(), 3, "two planned faults and the call");
    for call in &calls {
        assert!(serde_json::from_str::<Value>(call["arguments"].as_str().unwrap()).unwrap().is_object());
        let answer = ran["output"]
            .as_array()
            .unwrap()
            .iter()
            .find(|i| i["type"] == "function_call_output" && i["call_id"] == call["call_id"]);
        assert!(answer.unwrap()["output"].is_string());
    }
    assert!(text(&ran).contains("Verdict: passed"));
    let parts = &ran["output"].as_array().unwrap().last().unwrap()["content"][0];
    let names: Vec<&Value> = parts["annotations"].as_array().unwrap().iter().map(|a| &a["filename"]).collect();
    assert_eq!(names, ["episode.json", "card.md"]);
    for a in parts["annotations"].as_array().unwrap() {
        let said: Vec<char> = parts["text"].as_str().unwrap().chars().collect();
        let (from, to) = (a["start_index"].as_u64().unwrap(), a["end_index"].as_u64().unwrap());
        let named: String = said[usize::try_from(from).unwrap()..usize::try_from(to).unwrap()].iter().collect();
        assert_eq!(named, a["filename"].as_str().unwrap());
        let path = a["download_url"].as_str().unwrap().strip_prefix(&http.base).unwrap();
        assert_eq!(http.get(path).await.status, 200, "the address that it names works");
    }
    assert_eq!(ran["metadata"]["rehearsal"]["arm"], "faults:f2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_input_or_the_metadata_choose_the_task() {
    let server = server(|_| {}).await;
    let http = server.http();
    let chosen = async |body: Value| {
        let about = http.run(body).await["metadata"]["rehearsal"].clone();
        (
            about["arm"].as_str().unwrap().to_owned(),
            about["seed"].as_u64().unwrap(),
            about["chosen_by"].as_str().unwrap().to_owned(),
        )
    };
    let is = |arm: &str, seed: u64, by: &str| (arm.to_owned(), seed, by.to_owned());
    let arm = chosen(json!({"input": "hello"})).await.0;
    assert_eq!(chosen(json!({"input": "hello"})).await, is(&arm, 0, "turn"));
    assert_eq!(chosen(json!({"input": "task 3"})).await, is(&arm, 2, "input"));
    assert_eq!(chosen(json!({"input": "faults:f1 seed 77"})).await, is("faults:f1", 77, "input"));
    let named = json!({"input": "faults:f1 seed 77", "metadata": {"arm": "faults:f2", "seed": 5}});
    assert_eq!(chosen(named).await, is("faults:f2", 5, "metadata"));
    assert_eq!(
        chosen(json!({"input": "Reply with exactly: ok", "metadata": {"task": 2}})).await,
        is(&arm, 1, "metadata")
    );
    let request = http.say("task 4").await["metadata"]["rehearsal"]["request"].clone();
    assert_eq!(chosen(json!({"input": request})).await, is(&arm, 3, "request"));
    assert!(text(&http.say("please play task 3 for me").await).contains("names no planned task"));
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_sessions_are_equal() {
    let server = server(|_| {}).await;
    let http = server.http();
    let mut transcripts = Vec::new();
    for _ in 0..2 {
        let mut previous = Value::Null;
        let mut outputs = Vec::new();
        for turn in 0..6 {
            let ran =
                http.run(json!({"input": format!("turn {turn} of my own"), "previous_response_id": previous})).await;
            previous = ran["id"].clone();
            let mut output = ran["output"].clone();
            strip_ids(&mut output);
            outputs.push(output);
        }
        assert_ne!(outputs[0], outputs[1]);
        transcripts.push(outputs);
    }
    assert_eq!(transcripts[0], transcripts[1]);
}

/// Takes out what is new in every session: containers, files, addresses.
fn strip_ids(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["container_id", "file_id", "download_url"] {
                map.remove(key);
            }
            map.values_mut().for_each(strip_ids);
        }
        Value::Array(list) => list.iter_mut().for_each(strip_ids),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_not_acted_on_is_named() {
    let server = server(|_| {}).await;
    let http = server.http();
    let ran = http
        .run(json!({"input": "Reply with exactly: ok", "tools": "wrong type", "include": 3, "temperature": 0.5,
        "instructions": "x", "max_output_tokens": 5, "harness": "x", "model": null, "metadata": {"note": "mine"}}))
        .await;
    assert_eq!(
        ran["metadata"]["ignored_fields"],
        json!(["harness", "include", "instructions", "max_output_tokens", "temperature", "tools"])
    );
    assert_eq!(ran["metadata"]["note"], "mine", "the client's own metadata comes back");
    let acted = http
        .run(json!({"input": "Reply with exactly: ok", "stream": false, "store": true, "background": false,
        "max_step": 5, "timeout_seconds": 60, "metadata": {}, "model": "rehearsal/once"}))
        .await;
    assert!(acted["metadata"].get("ignored_fields").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_budget_ends_incomplete_with_what_was_done() {
    let server = server(|_| {}).await;
    let http = server.http();
    for (budget, calls) in [(0, 0), (1, 1), (2, 2)] {
        let ran = http.run(json!({"input": "faults:f2 seed 0", "max_step": budget})).await;
        assert_eq!(
            (&ran["status"], &ran["incomplete_details"]),
            (&json!("incomplete"), &json!({"reason": "max_step"}))
        );
        let count = ran["output"].as_array().unwrap().iter().filter(|i| i["type"] == "function_call").count();
        assert_eq!(count, calls);
        let next = http.run(json!({"input": "Reply with exactly: on", "previous_response_id": ran["id"]})).await;
        assert_eq!(next["status"], "completed");
    }
    let enough = http.run(json!({"input": "faults:f2 seed 0", "max_step": 3})).await;
    assert_eq!(enough["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_budget_ends_incomplete() {
    let server = server(|c| c.pace = Duration::from_millis(30)).await;
    let http = server.http();
    let started = Instant::now();
    let ran = http.run(json!({"input": "Count slowly from 1 to 1000", "timeout_seconds": 1})).await;
    assert!(started.elapsed() >= Duration::from_secs(1), "not before its budget is used up");
    assert_eq!(
        (&ran["status"], &ran["incomplete_details"]["reason"]),
        (&json!("incomplete"), &json!("timeout_seconds"))
    );
    assert!(text(&ran).starts_with("1\n2\n"), "partial output stays");
    assert_eq!(ran["output"][0]["status"], "incomplete");
    let none = http.run(json!({"input": "Count slowly from 1 to 1000", "timeout_seconds": 0})).await;
    assert_eq!(none["status"], "incomplete");
    let events = http.stream(json!({"input": "Count slowly from 1 to 1000", "timeout_seconds": 1})).await;
    assert_eq!(schema::events(&events)["status"], "incomplete");
}

#[tokio::test(flavor = "multi_thread")]
async fn budgets_of_the_harness_hold_where_the_task_names_none() {
    let server = server(|_| {}).await;
    let http = server.http();
    let made = http.post("/v1/harnesses", json!({"base": "rehearsal/orders", "max_step": 1})).await.ok();
    let on = |extra: Value| {
        let mut body = json!({"input": "faults:f2 seed 0", "metadata": {"harness_id": made["id"]}});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    assert_eq!(http.run(on(json!({}))).await["status"], "incomplete");
    assert_eq!(http.run(on(json!({"max_step": 9}))).await["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_servers_own_bounds_end_incomplete_too() {
    let server = server(|c| {
        c.limits.log_events = 100;
        c.limits.task_time = Duration::from_secs(1);
    })
    .await;
    let http = server.http();
    let long = http.run(json!({"input": "Count slowly from 1 to 900000000000"})).await;
    assert_eq!((&long["status"], &long["incomplete_details"]["reason"]), (&json!("incomplete"), &json!("log_limit")));
    let events = http.stream(json!({"input": "Count slowly from 1 to 900000000000"})).await;
    schema::events(&events);
    assert!(events.len() < 110);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_task_is_cancelled_not_failed() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let running = http.begin(json!({"input": "Count slowly from 1 to 100000"})).await;
    let id = id_of(&running);
    while text(&http.get(&format!("/v1/responses/{id}")).await.ok()).is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let cancelled = http.post_empty(&format!("/v1/responses/{id}/cancel")).await.ok();
    schema::response(&cancelled);
    assert_eq!((&cancelled["status"], &cancelled["error"]), (&json!("cancelled"), &Value::Null));
    assert!(text(&cancelled).starts_with('1'));
    for _ in 0..2 {
        let again = http.post_empty(&format!("/v1/responses/{id}/cancel")).await.ok();
        assert_eq!(again, cancelled, "an ended task never changes");
    }
    assert_eq!(http.ended(&id).await, cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_background_task_answers_at_acceptance_and_runs_on() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let accepted = http.begin(json!({"input": "faults:f1 seed 0"})).await;
    assert_eq!((&accepted["status"], &accepted["background"]), (&json!("in_progress"), &json!(true)));
    assert_eq!(http.ended(&id_of(&accepted)).await["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unkept_response_is_gone_and_its_session_goes_on() {
    let server = server(|c| c.pace = Duration::from_millis(10)).await;
    let http = server.http();
    let ran = http.run(json!({"input": "Reply with exactly: ok", "store": false})).await;
    assert_eq!((&ran["store"], text(&ran).as_str()), (&json!(false), "ok"));
    let id = id_of(&ran);
    http.get(&format!("/v1/responses/{id}")).await.refused(404, "response_not_found");
    http.get(&format!("/v1/responses/{id}/input_items")).await.refused(404, "response_not_found");
    let turns = http.get(&format!("/v1/sessions/{}/turns", session_of(&ran))).await.ok();
    assert_eq!(turns["turns"], json!([]));
    let next = http.run(json!({"input": "Reply with exactly: two", "previous_response_id": id})).await;
    assert_eq!(session_of(&next), session_of(&ran));
    let running = http.begin(json!({"input": "Count slowly from 1 to 1000", "store": false})).await;
    let stopped = http.post_empty(&format!("/v1/responses/{}/cancel", id_of(&running))).await.ok();
    assert_eq!(stopped["status"], "cancelled", "while it runs it can be reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_response_does_not_stop_its_task() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let running = http.begin(json!({"input": "Create a file named kept.txt containing exactly: x"})).await;
    let (id, session) = (id_of(&running), session_of(&running));
    http.delete(&format!("/v1/responses/{id}")).await.ok();
    http.get(&format!("/v1/responses/{id}")).await.refused(404, "response_not_found");
    let files = format!("/v1/sessions/{session}/files");
    for _ in 0..200 {
        if !http.get(&files).await.ok()["files"].as_array().unwrap().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the task was stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_none_is_refused_or_substituted_and_said() {
    let strict = server(|_| {}).await;
    strict.http().post("/v1/responses", json!({"input": "x", "model": ""})).await.refused(422, "model_unavailable");
    let server = server(|c| c.substitute = true).await;
    let http = server.http();
    let ran = http.run(json!({"input": "Reply with exactly: ok", "model": "gpt-9"})).await;
    assert_eq!(ran["model"], "rehearsal/reference");
    let said = &ran["metadata"];
    assert_eq!((&said["requested_model"], &said["model_fallback"]), (&json!("gpt-9"), &json!(true)));
    assert!(said["model_fallback_reason"].as_str().unwrap().contains("gpt-9"));
    let made =
        http.post("/v1/harnesses", json!({"base": "rehearsal/orders", "default_model": "rehearsal/once"})).await.ok();
    let on = http
        .run(json!({"input": "Reply with exactly: ok", "model": "gpt-9", "metadata": {"harness_id": made["id"],
        "model_fallback": false}}))
        .await;
    assert_eq!((&on["model"], &on["metadata"]["model_fallback"]), (&json!("rehearsal/once"), &json!(true)));
    let own = http.run(json!({"input": "Reply with exactly: ok", "model": "rehearsal/trusting", "metadata": {"model_fallback": true}})).await;
    assert!(own["metadata"].get("model_fallback").is_none(), "only a substitution says so");
}

#[tokio::test(flavor = "multi_thread")]
async fn players_differ_in_what_they_are_worth() {
    let server = server(|_| {}).await;
    let http = server.http();
    let verdict = async |model: &str| {
        let ran = http.run(json!({"input": "faults:f1 seed 0", "model": model})).await;
        assert_eq!(ran["status"], "completed");
        text(&ran)
    };
    assert!(verdict("rehearsal/reference").await.contains("Verdict: passed"));
    assert!(!verdict("rehearsal/once").await.contains("Verdict: passed"), "a player that never repeats a call fails");
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_tasks_do_as_they_say() {
    let server = server(|_| {}).await;
    let http = server.http();
    assert_eq!(text(&http.say("Reply with exactly: a  b, c.").await), "a  b, c.");
    assert_eq!(text(&http.say("Count slowly from 3 to 1").await), "3\n2\n1");
    assert_eq!(
        text(&http.say("Reply with only the secret token from the attached file.").await),
        "No file is attached."
    );
    let made = http.say("Create a file named notes/todo.md containing exactly: # é\nline").await;
    let file = http.get(&format!("/v1/sessions/{}/files", session_of(&made))).await.ok()["files"][0].clone();
    assert_eq!((&file["filename"], &file["bytes"]), (&json!("notes/todo.md"), &json!(9)));
    let path = format!("/v1/containers/{}/files/{}/content", file["container_id"].as_str().unwrap(), id_of(&file));
    let got = http.get(&path).await;
    assert_eq!((got.text().as_str(), got.header("content-type")), ("# é\nline", "text/markdown; charset=utf-8"));
}
