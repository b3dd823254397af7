//! Two principals, keys that are shown nowhere, bounds (chapter 13).

use crate::support::{Http, KEY, OTHER_KEY, id_of, server, session_of};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn what_one_owns_does_not_exist_for_the_other() {
    let server = server(|c| c.pace = Duration::from_millis(10)).await;
    let (ann, bob) = (server.http(), server.other());
    let harness = ann
        .post("/v1/harnesses", json!({"base": "rehearsal/orders", "skills": [{"name": "s", "content": "x"}]}))
        .await
        .ok();
    let made = ann.say("Create a file named a.txt containing exactly: x").await;
    let (id, session) = (id_of(&made), session_of(&made));
    let file = ann.get(&format!("/v1/sessions/{session}/files")).await.ok()["files"][0].clone();
    let upload = ann.upload("u.txt", b"x").await.ok();
    ann.post_empty(&format!("/v1/sessions/{session}/share")).await.ok();
    let running = ann.begin(json!({"input": "Count slowly from 1 to 100000"})).await;

    let at = format!("/v1/harnesses/{}", id_of(&harness));
    let container = file["container_id"].as_str().unwrap();
    for (method, path, code) in [
        (Method::GET, at.clone(), "harness_not_found"),
        (Method::DELETE, at.clone(), "harness_not_found"),
        (Method::GET, format!("{at}/models"), "harness_not_found"),
        (Method::GET, format!("{at}/skills/s/files"), "harness_not_found"),
        (Method::GET, format!("{at}/plugin"), "harness_not_found"),
        (Method::GET, format!("{at}/events"), "harness_not_found"),
        (Method::GET, format!("/v1/responses/{id}"), "response_not_found"),
        (Method::DELETE, format!("/v1/responses/{id}"), "response_not_found"),
        (Method::GET, format!("/v1/responses/{id}/input_items"), "response_not_found"),
        (Method::POST, format!("/v1/responses/{}/cancel", id_of(&running)), "response_not_found"),
        (Method::GET, format!("/v1/sessions/{session}"), "session_not_found"),
        (Method::GET, format!("/v1/sessions/{session}/turns"), "session_not_found"),
        (Method::GET, format!("/v1/sessions/{session}/files"), "session_not_found"),
        (Method::GET, format!("/v1/sessions/{session}/files/archive"), "session_not_found"),
        (Method::GET, format!("/v1/sessions/{session}/share"), "session_not_found"),
        (Method::POST, format!("/v1/sessions/{session}/share"), "session_not_found"),
        (Method::DELETE, format!("/v1/sessions/{session}/share"), "session_not_found"),
        (Method::POST, format!("/v1/sessions/{}/cancel", session_of(&running)), "session_not_found"),
        (Method::DELETE, format!("/v1/sessions/{session}"), "session_not_found"),
        (Method::DELETE, format!("/v1/traces/{session}"), "session_not_found"),
        (Method::GET, format!("/v1/containers/{container}/files/{}/content", id_of(&file)), "file_not_found"),
        (Method::GET, format!("/v1/containers/{container}/files/{}/pdf", id_of(&file)), "file_not_found"),
    ] {
        let foreign = bob.send(bob.request(method.clone(), &path)).await;
        let refused = foreign.refused(404, code);
        // The very same words as for what never was.
        let never = path.replace(&id_of(&harness), "chrn_x").replace(&id, "resp_x").replace(&session, "hsessx");
        let never = never
            .replace(&id_of(&running), "resp_x")
            .replace(&session_of(&running), "hsessx")
            .replace(&id_of(&file), "file_x");
        assert_eq!(bob.send(bob.request(method, &never)).await.json()["error"], refused, "{path}");
    }
    bob.put(&at, json!({"base": "rehearsal/orders"})).await.refused(404, "harness_not_found");
    let body = |key: &str, value: &serde_json::Value| {
        let mut body = json!({"input": "x"});
        body[key] = value.clone();
        body
    };
    bob.post("/v1/responses", body("previous_response_id", &made["id"])).await.refused(404, "response_not_found");
    bob.post("/v1/responses", body("metadata", &json!({"harness_id": harness["id"]})))
        .await
        .refused(404, "harness_not_found");
    for file in [&upload, &file] {
        let input = json!([{"role": "user", "content": [{"type": "input_file", "file_id": file["id"]}]}]);
        bob.post("/v1/responses", json!({ "input": input })).await.refused(404, "file_not_found");
    }
    assert_eq!(bob.get("/v1/sessions").await.ok()["sessions"], json!([]));
    let ids = |list: serde_json::Value| list["harnesses"].as_array().unwrap().iter().map(id_of).collect::<Vec<_>>();
    let (of_ann, of_bob) = (ids(ann.get("/v1/harnesses").await.ok()), ids(bob.get("/v1/harnesses").await.ok()));
    assert!(of_bob.len() == 2 && of_bob.iter().all(|id| !of_ann.contains(id)), "each has harnesses of their own");
    let still = ann.get(&format!("/v1/responses/{}", id_of(&running))).await.ok();
    assert_eq!(still["status"], "in_progress", "nothing of it reached the running task");
    assert_eq!(ann.get(&at).await.ok(), harness);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_is_in_any_answer_event_or_note() {
    let server = server(|_| {}).await;
    let http = server.http();
    let events = http.stream(json!({"input": "faults:f1 seed 0"})).await;
    let mut seen = format!("{events:?}");
    let session = session_of(&events.last().unwrap()["response"]);
    for path in
        ["/v1/uhp", "/v1/harnesses", "/v1/models", "/v1/sessions", &format!("/v1/sessions/{session}/turns"), "/nowhere"]
    {
        let answer = http.get(path).await;
        seen.push_str(&format!("{:?}{}", answer.headers, answer.text()));
    }
    let wrong = Http::new(&server.base, Some("wrong-key-123")).get("/v1/models").await;
    seen.push_str(&wrong.text());
    for file in http.get(&format!("/v1/sessions/{session}/files")).await.ok()["files"].as_array().unwrap() {
        let path = format!("/v1/containers/{}/files/{}/content", file["container_id"].as_str().unwrap(), id_of(file));
        seen.push_str(&http.get(&path).await.text());
    }
    seen.push_str(&format!("{:?}{:?}", server.notes.lock().unwrap(), server.app));
    for key in [KEY, OTHER_KEY, "wrong-key-123"] {
        assert!(!seen.contains(key));
    }
    assert_eq!(server.notes.lock().unwrap().len(), 2, "one line when a task begins, one when it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_cannot_be_framed_or_sniffed_and_https_is_remembered() {
    let server = server(|c| c.public_url = Some("https://uhp.example.org/base".into())).await;
    let http = server.http();
    let answer = http.get("/v1/uhp").await;
    assert_eq!(answer.header("x-frame-options"), "DENY");
    assert!(answer.header("strict-transport-security").starts_with("max-age="));
    let made = http.say("Create a file named a.html containing exactly: <script>alert(1)</script>").await;
    let url = made["output"][0]["content"][0]["annotations"][0]["download_url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("https://uhp.example.org/base/v1/containers/"));
    let got = http.get(url.strip_prefix("https://uhp.example.org/base").unwrap()).await;
    assert!(got.header("content-disposition").starts_with("attachment;"));
    assert!(got.header("content-security-policy").contains("sandbox"));
    let hostile = http.request(Method::POST, "/v1/responses").header("Host", "evil\"><x").json(&json!({"input": "x"}));
    assert!(hostile.send().await.is_ok());
}
