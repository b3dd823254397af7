//! Idempotency keys (chapter 9): the first request's result, never a second run.

use crate::schema;
use crate::support::{Answer, Http, frames, id_of, read_stream, server};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

async fn post(http: &Http, key: &str, body: Value) -> Answer {
    http.send(http.request(Method::POST, "/v1/responses").header("Idempotency-Key", key).json(&body)).await
}

async fn sessions(http: &Http) -> usize {
    http.get("/v1/sessions?limit=100").await.ok()["sessions"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_gives_the_first_result_and_runs_nothing() {
    let server = server(|_| {}).await;
    let http = server.http();
    let first = post(&http, "k", json!({"input": "Create a file named a.txt containing exactly: x"})).await.ok();
    assert_eq!(post(&http, "k", json!({"input": "Create a file named a.txt containing exactly: x"})).await.ok(), first);
    assert_eq!(post(&http, "k", json!({"input": "Reply with exactly: another body"})).await.ok(), first);
    assert_eq!(post(&http, "k", json!({"input": 3, "model": "none"})).await.ok(), first, "the body is not looked at");
    assert_eq!(post(&http, "k", json!({"input": "x", "background": true})).await.ok(), first);
    let broken = http.request(Method::POST, "/v1/responses").header("Idempotency-Key", "k").body("{");
    assert_eq!(http.send(broken).await.ok(), first, "not even whether it is JSON");
    let stream = http
        .request(Method::POST, "/v1/responses")
        .header("Idempotency-Key", "k")
        .json(&json!({"input": "x", "stream": true}));
    let events: Vec<Value> = frames(&read_stream(stream).await).into_iter().map(|(_, e)| e).collect();
    assert_eq!(schema::events(&events), first);
    assert_eq!(sessions(&http).await, 1);
    let files = http.get(&format!("/v1/sessions/{}/files", crate::support::session_of(&first))).await.ok();
    assert_eq!(files["files"].as_array().unwrap().len(), 1);
    assert_ne!(id_of(&post(&http, "other", json!({"input": "Reply with exactly: x"})).await.ok()), id_of(&first));
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_first_runs_others_wait_attach_or_see_it_as_it_is() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let body = json!({"input": "Count slowly from 1 to 30"});
    let mut begin = body.clone();
    begin["background"] = json!(true);
    let accepted = post(&http, "k", begin.clone()).await.ok();
    assert_eq!(accepted["status"], "in_progress");
    let now = post(&http, "k", begin).await.ok();
    assert_eq!((&now["id"], &now["status"]), (&accepted["id"], &json!("in_progress")));
    let waiting = {
        let (http, body) = (http.clone(), body.clone());
        tokio::spawn(async move { post(&http, "k", body).await.ok() })
    };
    let mut streamed = body;
    streamed["stream"] = json!(true);
    let request = http.request(Method::POST, "/v1/responses").header("Idempotency-Key", "k").json(&streamed);
    let events: Vec<Value> = frames(&read_stream(request).await).into_iter().map(|(_, e)| e).collect();
    let last = schema::events(&events);
    assert_eq!(last["id"], accepted["id"]);
    assert_eq!(waiting.await.unwrap(), last);
    assert_eq!(sessions(&http).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_runs() {
    let server = server(|c| c.pace = Duration::from_millis(2)).await;
    let http = server.http();
    let tries: Vec<_> = (0..40)
        .map(|_| {
            let http = http.clone();
            tokio::spawn(async move { post(&http, "same", json!({"input": "faults:f1 seed 0"})).await.ok() })
        })
        .collect();
    let mut results = Vec::new();
    for tried in tries {
        results.push(tried.await.unwrap());
    }
    assert!(results.iter().all(|r| *r == results[0] && r["status"] == "completed"));
    assert_eq!(sessions(&http).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_does_not_take_the_key_and_keys_are_each_principals_own() {
    let server = server(|_| {}).await;
    let http = server.http();
    post(&http, "k", json!({"input": "x", "model": "none"})).await.refused(422, "model_unavailable");
    post(&http, "k", json!({"input": 3})).await.refused(400, "invalid_input");
    let mine = post(&http, "k", json!({"input": "Reply with exactly: mine"})).await.ok();
    let theirs = post(&server.other(), "k", json!({"input": "Reply with exactly: theirs"})).await.ok();
    assert_ne!(mine["id"], theirs["id"]);
    assert_eq!(crate::support::text(&theirs), "theirs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_outlives_what_it_made_without_running_again() {
    let server = server(|_| {}).await;
    let http = server.http();
    let unkept = post(&http, "unkept", json!({"input": "Reply with exactly: x", "store": false})).await.ok();
    http.get(&format!("/v1/responses/{}", id_of(&unkept))).await.refused(404, "response_not_found");
    assert_eq!(post(&http, "unkept", json!({"input": "Reply with exactly: x", "store": false})).await.ok(), unkept);
    let deleted = post(&http, "deleted", json!({"input": "Reply with exactly: x"})).await.ok();
    http.delete(&format!("/v1/responses/{}", id_of(&deleted))).await.ok();
    let count = sessions(&http).await;
    post(&http, "deleted", json!({"input": "Reply with exactly: x"})).await.refused(404, "response_not_found");
    assert_eq!(sessions(&http).await, count);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_bounded_in_length_number_and_age() {
    let server = server(|c| {
        c.limits.keys = 2;
        c.limits.key_age = Duration::from_secs(24 * 3600);
    })
    .await;
    let http = server.http();
    let body = || json!({"input": "Reply with exactly: x"});
    let longest = "k".repeat(255);
    let first = post(&http, &longest, body()).await.ok();
    assert_eq!(post(&http, &longest, body()).await.ok(), first);
    for bad in ["k".repeat(256), String::new(), "  ".into()] {
        assert_eq!(post(&http, &bad, body()).await.refused(400, "invalid_input")["param"], "Idempotency-Key");
    }
    post(&http, "b", body()).await.ok();
    post(&http, "c", body()).await.ok();
    assert_ne!(id_of(&post(&http, &longest, body()).await.ok()), id_of(&first), "the oldest key made room");
}
