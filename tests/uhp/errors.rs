//! Every code and its status, and the errors that a framework makes by itself (chapter 5). The helper holds each against
//! the envelope.

use crate::support::{Http, frames, id_of, server, server_of, session_of};
use rehearsal::uhp::server::stage::{Base, Cast, Choice, Cue, Play, Scene, Stage};
use rehearsal::uhp::wire::Fields;
use rehearsal::uhp::wire::error::Problem;
use rehearsal::uhp::wire::harness::Rehearsal;
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn framework_errors_are_in_the_envelope_too() {
    let server = server(|c| c.limits.body_bytes = 2_000).await;
    let http = server.http();
    http.get("/").await.refused(404, "rehearsal_no_such_route");
    http.get("/v1/nothing").await.refused(404, "rehearsal_no_such_route");
    http.get("/v1/harnesses/").await;
    let wrong = http.send(http.request(Method::PATCH, "/v1/harnesses")).await;
    wrong.refused(405, "rehearsal_method_not_allowed");
    assert!(wrong.header("allow").contains("GET"));
    http.get("/v1/responses/%ff%fe").await.refused(404, "rehearsal_no_such_route");
    http.get("/v1/sessions?limit=%ff%zz&%ff").await;
    for body in ["", "{", "[]", "null", "\"x\"", "{\"input\": 1e999}", "{\"input\":\"\\ud800\"}", "\u{feff}{}"] {
        let request = http.request(Method::POST, "/v1/responses").body(body);
        http.send(request).await.refused(400, "invalid_input");
        let request = http.request(Method::POST, "/v1/harnesses").header("content-type", "text/xml").body(body);
        http.send(request).await.refused(400, "invalid_input");
    }
    let deep = "[".repeat(100_000);
    http.send(http.request(Method::POST, "/v1/responses").body(deep)).await.refused(413, "file_too_large");
    let deep = format!("{{\"input\":{}", "[".repeat(1_000));
    http.send(http.request(Method::POST, "/v1/responses").body(deep)).await.refused(400, "invalid_input");
    let large = json!({"input": "x".repeat(3_000)});
    let error = http.post("/v1/responses", large.clone()).await.refused(413, "file_too_large");
    assert_eq!(error["detail"]["max_bytes"], 2_000);
    http.post("/v1/harnesses", large).await.refused(413, "file_too_large");
    http.send(http.request(Method::POST, "/v1/files").body("x")).await.refused(400, "invalid_input");
    let broken = http.request(Method::POST, "/v1/files").header("content-type", "multipart/form-data; boundary=b");
    http.send(broken.body("--b\r\nno")).await.refused(400, "invalid_input");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_fields_are_named() {
    let server = server(|_| {}).await;
    let http = server.http();
    let param = async |body| http.post("/v1/responses", body).await.refused(400, "invalid_input")["param"].clone();
    assert_eq!(param(json!({})).await, "input");
    assert_eq!(param(json!({"input": {}})).await, "input");
    assert_eq!(param(json!({"input": "x", "stream": 1})).await, "stream");
    assert_eq!(param(json!({"input": "x", "max_step": -1})).await, "max_step");
    assert_eq!(param(json!({"input": "x", "metadata": {"arm": "faults:f99"}})).await, "metadata.arm");
    assert_eq!(param(json!({"input": "x", "metadata": {"arm": "nonsense"}})).await, "metadata.arm");
    assert_eq!(param(json!({"input": "x", "metadata": {"task": 99}})).await, "metadata.task");
    assert_eq!(http.get("/v1/sessions?limit=0").await.refused(400, "invalid_input")["param"], "limit");
    assert_eq!(http.get("/v1/sessions?limit=101").await.refused(400, "invalid_input")["param"], "limit");
    assert_eq!(http.get("/v1/sessions?cursor=zzz").await.refused(400, "invalid_input")["param"], "cursor");
    let none = http.get("/v1/sessions").await.ok();
    assert_eq!(none["sessions"], json!([]), "refused requests leave no session behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_objects_have_their_own_codes() {
    let server = server(|_| {}).await;
    let http = server.http();
    let unknown = async |body| http.post("/v1/responses", body).await;
    unknown(json!({"input": "x", "metadata": {"harness_id": "chrn_no"}})).await.refused(404, "harness_not_found");
    unknown(json!({"input": "x", "previous_response_id": "resp_no"})).await.refused(404, "response_not_found");
    let file = json!([{"role": "user", "content": [{"type": "input_file", "file_id": "file_no"}]}]);
    assert_eq!(
        unknown(json!({"input": file})).await.refused(404, "file_not_found")["param"],
        "input[0].content[0].file_id"
    );
    let model = unknown(json!({"input": "x", "model": "gpt-9"})).await.refused(422, "model_unavailable");
    assert_eq!((&model["param"], &model["type"]), (&json!("model"), &json!("invalid_request_error")));
    for path in
        ["sessions/no", "sessions/no/turns", "sessions/no/files", "sessions/no/files/archive", "sessions/no/share"]
    {
        http.get(&format!("/v1/{path}")).await.refused(404, "session_not_found");
    }
    http.post_empty("/v1/sessions/no/cancel").await.refused(404, "session_not_found");
    http.post_empty("/v1/sessions/no/share").await.refused(404, "session_not_found");
    http.post_empty("/v1/responses/no/cancel").await.refused(404, "response_not_found");
    http.delete("/v1/responses/no").await.refused(404, "response_not_found");
    http.delete("/v1/sessions/no").await.refused(404, "session_not_found");
    http.delete("/v1/harnesses/no").await.refused(404, "harness_not_found");
    http.get("/v1/containers/no/files/no/content").await.refused(404, "file_not_found");
    http.get("/v1/containers/no/files/no/pdf").await.refused(404, "file_not_found");
    let id = id_of(&http.get("/v1/harnesses").await.ok()["harnesses"][0]);
    http.get(&format!("/v1/harnesses/{id}/plugins/no/files")).await.refused(404, "plugin_not_found");
    http.get(&format!("/v1/harnesses/{id}/skills/no/files")).await.refused(404, "file_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn capacity_is_503_and_streams_beyond_it_429_both_with_a_wait() {
    let server = server(|c| {
        c.limits.tasks = 2;
        c.limits.streams = 1;
        c.pace = std::time::Duration::from_millis(50);
    })
    .await;
    let http = server.http();
    let count = json!({"input": "Count slowly from 1 to 500"});
    let running = [http.begin(count.clone()).await, http.begin(count.clone()).await];
    let full = http.post("/v1/responses", count.clone()).await;
    full.refused(503, "harness_unavailable");
    assert_eq!(full.header("retry-after"), "1");
    http.post_empty(&format!("/v1/responses/{}/cancel", id_of(&running[0]))).await.ok();
    let mut held = http
        .request(Method::POST, "/v1/responses")
        .json(&json!({"input": "Count slowly from 1 to 500", "stream": true}));
    held = held.header("idempotency-key", "held");
    let mut stream = held.send().await.unwrap();
    stream.chunk().await.unwrap();
    let harness = id_of(&http.get("/v1/harnesses").await.ok()["harnesses"][0]);
    let refused = http.get(&format!("/v1/harnesses/{harness}/events")).await;
    refused.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "1");
    let sessions = async || http.get("/v1/sessions").await.ok()["sessions"].as_array().unwrap().len();
    let (before, body) = (sessions().await, json!({"input": "Reply with exactly: late", "stream": true}));
    http.post_empty(&format!("/v1/responses/{}/cancel", id_of(&running[1]))).await.ok();
    let late = || http.request(Method::POST, "/v1/responses").json(&body).header("idempotency-key", "late");
    http.send(late()).await.refused(429, "rate_limited");
    assert_eq!(sessions().await, before, "a stream that is refused starts nothing");
    drop(stream);
    let told = loop {
        // The server sees a moment later that the reader left.
        let answer = late().send().await.unwrap();
        if answer.status().as_u16() == 200 {
            break answer.text().await.unwrap();
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    assert!(told.contains("late") && told.contains("response.completed"), "nor takes the key: {told}");
    for running in http.get("/v1/sessions").await.ok()["sessions"].as_array().unwrap() {
        http.post_empty(&format!("/v1/sessions/{}/cancel", id_of(running))).await.ok();
    }
    assert_eq!(http.say("Reply with exactly: ok").await["status"], "completed", "what was taken is given back");
}

/// A stage whose plays go wrong in the way that the input names.
#[derive(Debug)]
struct Broken;

struct Play1(String, bool);

impl Play for Play1 {
    fn next(&mut self) -> Result<Option<Scene>, Problem> {
        if !std::mem::replace(&mut self.1, true) {
            return Ok(Some(Scene::Tell(rehearsal::uhp::wire::event::Step::Reasoning("So far.".into()))));
        }
        match self.0.as_str() {
            "panic" => panic!("secret /root/path"),
            "refuse" => Err(Problem::new(rehearsal::uhp::wire::error::Code::ProviderError, "The work failed.")),
            _ => Ok(None),
        }
    }
}

impl Stage for Broken {
    fn bases(&self) -> Vec<Base> {
        vec![Base { id: "rehearsal/broken".into(), label: "broken".into() }]
    }
    fn cast(&self) -> Vec<Cast> {
        vec![Cast { id: "rehearsal/reference".into(), label: "x".into() }]
    }
    fn check_harness(&self, _: &str, _: &Rehearsal) -> Result<(), Problem> {
        panic!("a panic while a harness is checked")
    }
    fn rehearsal(&self, _: &str, configured: &Rehearsal) -> Rehearsal {
        configured.clone()
    }

    fn check_choice(&self, _: &str, _: &Rehearsal, _: &Choice) -> Result<(), Problem> {
        Ok(())
    }
    fn open(&self, cue: &Cue) -> Result<(Box<dyn Play>, Fields), Problem> {
        Ok((Box::new(Play1(cue.choice.text.clone(), false)), Fields::new()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_fails_is_a_failed_response_with_its_output_so_far() {
    let server = server_of(Arc::new(Broken), |_| {}).await;
    let http = server.http();
    for (input, code) in [("panic", "harness_error"), ("refuse", "provider_error")] {
        let failed = http.say(input).await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!(code)));
        assert_eq!(failed["error"]["type"], "harness_error");
        assert_eq!(failed["output"][0]["status"], "completed", "output so far is kept");
        assert!(!failed.to_string().contains("secret"));
        let again = http.run(json!({"input": "fine", "previous_response_id": failed["id"]})).await;
        assert_eq!(
            (&again["status"], session_of(&again)),
            (&json!("completed"), session_of(&failed)),
            "the session goes on"
        );
    }
    let events = http.stream(json!({"input": "panic"})).await;
    assert_eq!(crate::schema::events(&events)["status"], "failed");
    let error =
        http.post("/v1/harnesses", json!({"base": "rehearsal/broken"})).await.refused(500, "rehearsal_internal");
    assert!(error["detail"]["correlation_id"].as_str().unwrap().starts_with("err_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planned_task_that_does_not_exist_fails_as_work_when_the_input_names_it() {
    let server = server(|_| {}).await;
    let failed = server.http().say("faults:f99 seed 0").await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("harness_error")));
    assert!(failed["error"]["message"].as_str().unwrap().contains("faults:f99 is not reached"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_dawdles_is_given_up() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = server(|c| c.limits.body_wait = std::time::Duration::from_millis(200)).await;
    let mut socket = tokio::net::TcpStream::connect(server.base.strip_prefix("http://").unwrap()).await.unwrap();
    let head = format!(
        "POST /v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Length: 100\r\n\r\n{{",
        crate::support::KEY
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(std::time::Duration::from_secs(5), socket.read_to_end(&mut answer)).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        read.is_ok() && answer.starts_with("HTTP/1.1 400") && answer.contains("did not arrive in time"),
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_a_refused_request_is_a_plain_refusal() {
    let server = server(|_| {}).await;
    let http: Http = server.http();
    let answer = http.post("/v1/responses", json!({"input": "x", "stream": true, "model": "gpt-9"})).await;
    answer.refused(422, "model_unavailable");
    assert!(frames("data: {}\n\n").len() == 1);
}
