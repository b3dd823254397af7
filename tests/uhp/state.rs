//! What is kept across restarts, clean and not.

use crate::schema;
use crate::support::{Server, frames, id_of, read_stream, server, session_of, text};
use reqwest::Method;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

async fn start(folder: &Path) -> Server {
    let folder = folder.to_owned();
    server(move |c| {
        c.state = Some(folder);
        c.pace = Duration::from_millis(5);
    })
    .await
}

fn keyed(http: &crate::support::Http, key: &str, body: &Value) -> reqwest::RequestBuilder {
    http.request(Method::POST, "/v1/responses").header("Idempotency-Key", key).json(body)
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_comes_back_after_a_clean_stop() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path()).await;
    let http = first.http();
    let harness = http
        .post("/v1/harnesses", json!({"base": "rehearsal/orders", "skills": [{"name": "s", "content": "x"}]}))
        .await
        .ok();
    let upload = http.upload("t.txt", b"token: stored").await.ok();
    let body = json!({"input": "faults:f1 seed 0", "stream": true});
    let told = read_stream(keyed(&http, "k", &body)).await;
    let response = schema::events(&frames(&told).into_iter().map(|(_, e)| e).collect::<Vec<_>>());
    let session = session_of(&response);
    let made = http.run(json!({"input": "Create a file named a.txt containing exactly: kept", "previous_response_id": response["id"]})).await;
    let share = http.post_empty(&format!("/v1/sessions/{session}/share")).await.ok();
    let unkept = http.run(json!({"input": "Reply with exactly: x", "store": false})).await;
    let deleted = http.say("Reply with exactly: gone").await;
    http.delete(&format!("/v1/sessions/{}", session_of(&deleted))).await.ok();
    let paths = [
        "/v1/harnesses".to_owned(),
        "/v1/sessions".to_owned(),
        format!("/v1/sessions/{session}"),
        format!("/v1/sessions/{session}/turns"),
        format!("/v1/sessions/{session}/files"),
        format!("/v1/responses/{}", id_of(&made)),
        format!("/v1/responses/{}/input_items", id_of(&made)),
        format!("/v1/harnesses/{}", id_of(&harness)),
        share["url"].as_str().unwrap().to_owned(),
    ];
    let mut before = Vec::new();
    for path in &paths {
        before.push(http.get(path).await.ok());
    }
    first.stop().await;

    let second = start(folder.path()).await;
    let http = second.http();
    for (path, was) in paths.iter().zip(before) {
        assert_eq!(http.get(path).await.ok(), was, "{path}");
    }
    assert_eq!(read_stream(keyed(&http, "k", &body)).await, told, "the key attaches to the same events");
    let file = http.get(&format!("/v1/sessions/{session}/files")).await.ok()["files"][2].clone();
    let content = format!("/v1/containers/{}/files/{}/content", file["container_id"].as_str().unwrap(), id_of(&file));
    assert_eq!(http.get(&content).await.text(), "kept");
    let next = http
        .run(json!({"input": [{"role": "user", "content": [
        {"type": "input_text", "text": "What is the token in the attached file?"},
        {"type": "input_file", "file_id": upload["id"]}]}], "previous_response_id": made["id"]}))
        .await;
    assert_eq!((text(&next).as_str(), session_of(&next)), ("stored", session.clone()));
    for gone in [&unkept, &deleted] {
        http.get(&format!("/v1/responses/{}", id_of(gone))).await.refused(404, "response_not_found");
    }
    let turn = http.run(json!({"input": "next", "previous_response_id": next["id"]})).await;
    assert_eq!(turn["metadata"]["rehearsal"]["seed"], 3, "the session's turn goes on counting");
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_running_at_a_stop_ends_failed_with_its_output_and_its_reader_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path()).await;
    let http = first.http();
    let body = json!({"input": "Count slowly from 1 to 100000", "stream": true});
    let reading = tokio::spawn(read_stream(keyed(&http, "k", &body)));
    tokio::time::sleep(Duration::from_millis(300)).await;
    first.stop().await;
    let told: Vec<Value> = frames(&reading.await.unwrap()).into_iter().map(|(_, e)| e).collect();
    let last = schema::events(&told);
    assert_eq!((&last["status"], &last["error"]["code"]), (&json!("failed"), &json!("harness_error")));
    assert!(text(&last).starts_with("1\n2\n"));
    let second = start(folder.path()).await;
    assert_eq!(second.http().get(&format!("/v1/responses/{}", id_of(&last))).await.ok(), last);
    second.stop().await;
}

/// The server as a process of its own, to be killed.
struct Process {
    child: std::process::Child,
    base: String,
}

impl Process {
    fn start(folder: &Path) -> Self {
        use std::io::BufRead;
        let mut child = std::process::Command::new(crate::program::binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--key-env", "K", "--pace", "10", "--state"])
            .arg(folder)
            .env("K", crate::support::KEY)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Self { child, base }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_running_at_a_crash_comes_back_failed_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let process = Process::start(folder.path());
        let http = crate::support::Http::new(&process.base, Some(crate::support::KEY));
        let done = http.say("faults:f1 seed 0").await;
        let running = http.begin(json!({"input": "Count slowly from 1 to 100000"})).await;
        tokio::time::sleep(Duration::from_millis(100 + round * 130)).await;
        let seen = http.get(&format!("/v1/responses/{}", id_of(&running))).await.ok();
        tokio::time::sleep(Duration::from_millis(100)).await;
        process.kill();

        let process = Process::start(folder.path());
        let http = crate::support::Http::new(&process.base, Some(crate::support::KEY));
        assert_eq!(http.get(&format!("/v1/responses/{}", id_of(&done))).await.ok(), done);
        let failed = http.get(&format!("/v1/responses/{}", id_of(&running))).await.ok();
        schema::response(&failed);
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("harness_error")));
        assert!(text(&failed).starts_with(&text(&seen)), "what was read before the crash is still there");
        let path = format!(
            "/v1/harnesses/{}/events?response_id={}",
            failed["metadata"]["harness_id"].as_str().unwrap(),
            id_of(&failed)
        );
        let told = frames(&read_stream(http.request(Method::GET, &path)).await);
        assert_eq!(schema::events(&told.into_iter().map(|(_, e)| e).collect::<Vec<_>>()), failed);
        let next = http.run(json!({"input": "Reply with exactly: on", "previous_response_id": running["id"]})).await;
        assert_eq!((&next["status"], session_of(&next)), (&json!("completed"), session_of(&failed)));
        process.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_or_not_kept_while_it_ran_does_not_come_back_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path());
    let http = crate::support::Http::new(&process.base, Some(crate::support::KEY));
    let mut gone = Vec::new();
    for n in 0..6 {
        // An episode is opened before it tells, a count tells at once: both ways of being deleted early.
        let input = if n % 2 == 0 { "faults:f2 seed 1" } else { "Count slowly from 1 to 100000" };
        let running = http.begin(json!({ "input": input })).await;
        if n > 3 {
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        http.delete(&format!("/v1/responses/{}", id_of(&running))).await.ok();
        gone.push(running);
    }
    let unkept = http.begin(json!({"input": "Count slowly from 1 to 100000", "store": false})).await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    process.kill();

    let process = Process::start(folder.path());
    let http = crate::support::Http::new(&process.base, Some(crate::support::KEY));
    for response in gone.iter().chain([&unkept]) {
        http.get(&format!("/v1/responses/{}", id_of(response))).await.refused(404, "response_not_found");
        let session = http.get(&format!("/v1/sessions/{}", session_of(response))).await.ok();
        assert_ne!(session["status"], "in_progress", "nothing runs in it: {session}");
    }
    let next = http.run(json!({"input": "Reply with exactly: on", "previous_response_id": unkept["id"]})).await;
    assert_eq!(session_of(&next), session_of(&unkept));
    process.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_that_is_no_longer_served_is_kept_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path()).await;
    let warehouse = first.http().get("/v1/harnesses").await.ok()["harnesses"][1].clone();
    first.stop().await;
    let orders = rehearsal::uhp::server::house::House::new(vec![rehearsal::uhp::server::house::Served {
        stem: "orders".into(),
        reading: std::sync::Arc::new(rehearsal::toolfile::read(
            include_bytes!("../../examples/orders/orders.openai.json"),
            &rehearsal::toolfile::ReadOptions::default(),
        )),
        settings: rehearsal::plan::PlanSettings::default(),
        seeds: vec![0],
        measure: None,
    }])
    .unwrap();
    let path = folder.path().to_owned();
    let second = crate::support::server_of(std::sync::Arc::new(orders), move |c| c.state = Some(path)).await;
    let http = second.http();
    assert_eq!(http.get("/v1/harnesses").await.ok()["harnesses"].as_array().unwrap().len(), 2);
    let models = http.get(&format!("/v1/harnesses/{}/models", id_of(&warehouse))).await.ok();
    assert!(models["models"].as_array().unwrap().iter().all(|m| m["available"] == false), "available is computed");
    let on = json!({"input": "x", "metadata": {"harness_id": warehouse["id"]}});
    http.post("/v1/responses", on).await.refused(503, "harness_unavailable");
    second.stop().await;
}
