//! Every row of the table of endpoints, and the headers of every answer (chapters 2 to 4).

use crate::schema;
use crate::support::{Http, id_of, server, session_of};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_answers_with_its_object() {
    let server = server(|_| {}).await;
    let http = server.http();
    let open = Http::new(&server.base, None);
    schema::valid("Discovery", &open.get("/v1/uhp").await.ok());
    let harness = id_of(&http.get("/v1/harnesses").await.ok()["harnesses"][0]);
    let first = http.say("faults:f1 seed 0").await;
    let (id, session) = (id_of(&first), session_of(&first));

    let items = http.get(&format!("/v1/responses/{id}/input_items")).await.ok();
    assert_eq!(
        items,
        json!({"object": "list", "data": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "faults:f1 seed 0"}]}]})
    );

    let turns = http.get(&format!("/v1/sessions/{session}/turns")).await.ok();
    let turn = &turns["turns"][0];
    schema::valid("TurnItem", turn);
    assert_eq!(
        (&turn["id"], &turn["status"], &turn["user"]),
        (&json!(id), &json!("completed"), &json!("faults:f1 seed 0"))
    );
    assert!(turn["assistant"].as_str().unwrap().contains("Verdict: passed"));
    assert!(turn["tools"].as_array().unwrap().len() > 1 && turn["tools"][0]["output"].is_string());
    assert_eq!(turn["files"].as_array().unwrap().len(), 2);

    let files = http.get(&format!("/v1/sessions/{session}/files")).await.ok();
    files["files"].as_array().unwrap().iter().for_each(|f| schema::valid("File", f));
    let cancel = http.post_empty(&format!("/v1/sessions/{session}/cancel")).await.ok();
    assert_eq!(cancel, json!({"id": session, "status": "completed"}));
    schema::valid("HarnessModels", &http.get(&format!("/v1/harnesses/{harness}/models")).await.ok());
    let gone = http.delete(&format!("/v1/responses/{id}")).await.ok();
    assert_eq!((&gone["id"], &gone["deleted"]), (&json!(id), &json!(true)));
    http.get(&format!("/v1/responses/{id}")).await.refused(404, "response_not_found");
    http.get(&format!("/v1/responses/{id}/input_items")).await.refused(404, "response_not_found");
    let turns = http.get(&format!("/v1/sessions/{session}/turns")).await.ok();
    assert_eq!(turns["turns"], json!([]), "a deleted response is no turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_but_discovery_and_shared_views_need_a_key() {
    let server = server(|_| {}).await;
    let open = Http::new(&server.base, None);
    let paths = [
        (Method::GET, "/v1/harnesses"),
        (Method::POST, "/v1/harnesses"),
        (Method::GET, "/v1/harnesses/x"),
        (Method::PUT, "/v1/harnesses/x"),
        (Method::DELETE, "/v1/harnesses/x"),
        (Method::GET, "/v1/harnesses/x/models"),
        (Method::GET, "/v1/harnesses/x/skills/y/files"),
        (Method::GET, "/v1/harnesses/x/plugins/y/files"),
        (Method::GET, "/v1/harnesses/x/plugin"),
        (Method::GET, "/v1/harnesses/x/events"),
        (Method::GET, "/v1/models"),
        (Method::POST, "/v1/responses"),
        (Method::GET, "/v1/responses/x"),
        (Method::DELETE, "/v1/responses/x"),
        (Method::GET, "/v1/responses/x/input_items"),
        (Method::POST, "/v1/responses/x/cancel"),
        (Method::GET, "/v1/sessions"),
        (Method::GET, "/v1/sessions/x"),
        (Method::DELETE, "/v1/sessions/x"),
        (Method::GET, "/v1/sessions/x/turns"),
        (Method::POST, "/v1/sessions/x/cancel"),
        (Method::GET, "/v1/sessions/x/share"),
        (Method::POST, "/v1/sessions/x/share"),
        (Method::DELETE, "/v1/sessions/x/share"),
        (Method::GET, "/v1/sessions/x/files"),
        (Method::GET, "/v1/sessions/x/files/archive"),
        (Method::DELETE, "/v1/traces/x"),
        (Method::POST, "/v1/files"),
        (Method::GET, "/v1/containers/x/files/y/content"),
        (Method::GET, "/v1/containers/x/files/y/pdf"),
    ];
    for (method, path) in paths {
        let answer = open.send(open.request(method.clone(), path)).await;
        answer.refused(401, "missing_credential");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let scheme = open.request(method, path).header("Authorization", "Basic dXNlcjpwYXNz");
        open.send(scheme).await.refused(401, "invalid_credential");
    }
    open.get("/v1/shared/none").await.refused(404, "session_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_is_negotiated_and_stamped_on_every_answer() {
    let server = server(|_| {}).await;
    let http = server.http();
    let made = http.say("Create a file named a.txt containing exactly: x").await;
    let file = &http.get(&format!("/v1/sessions/{}/files", session_of(&made))).await.ok()["files"][0];
    let content = format!("/v1/containers/{}/files/{}/content", file["container_id"].as_str().unwrap(), id_of(file));
    for path in ["/v1/uhp", "/v1/harnesses", "/v1/responses/none", "/nowhere", &content] {
        for version in ["2026-08-11", "2026-09-12"] {
            let answer = http.send(http.request(Method::GET, path).header("UHP-Version", version)).await;
            assert_eq!(answer.header("uhp-version"), version, "{path}");
        }
        assert_eq!(http.get(path).await.header("uhp-version"), "2026-09-12");
        for unknown in ["2020-01-01", "", "latest", "2026-09-12 "] {
            let answer = http.send(http.request(Method::GET, path).header("UHP-Version", unknown)).await;
            if unknown.trim() == "2026-09-12" {
                assert_ne!(answer.status, 400);
                continue;
            }
            let error = answer.refused(400, "unsupported_protocol_version");
            assert_eq!(error["detail"]["supported"], json!(["2026-09-12", "2026-08-11"]));
        }
    }
    let request = http.request(Method::POST, "/v1/responses").header("UHP-Version", "2026-08-11");
    let stream = request.json(&json!({"input": "Reply with exactly: ok", "stream": true})).send().await.unwrap();
    assert_eq!(stream.headers()["uhp-version"], "2026-08-11");
}

#[tokio::test(flavor = "multi_thread")]
async fn json_answers_say_so_and_bodies_need_no_content_type() {
    let server = server(|_| {}).await;
    let http = server.http();
    assert_eq!(http.get("/v1/harnesses").await.header("content-type"), "application/json; charset=utf-8");
    let bare = http.request(Method::POST, "/v1/responses").body("{\"input\":\"Reply with exactly: ok\"}");
    assert_eq!(http.send(bare).await.ok()["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_players_and_availability_is_computed() {
    let server = server(|_| {}).await;
    let http = server.http();
    let catalog = http.get("/v1/models").await.ok();
    let models = catalog["backends"]["rehearsal"]["models"].as_array().unwrap().clone();
    let ids: Vec<&Value> = models.iter().map(|m| &m["id"]).collect();
    assert_eq!(
        ids,
        ["rehearsal/reference", "rehearsal/once", "rehearsal/blind-retry", "rehearsal/trusting", "rehearsal/checking"]
    );
    for model in &models {
        assert_eq!(model["available"], true);
        let ran = http.run(json!({"input": "faults:f1 seed 0", "model": model["id"]})).await;
        assert_eq!((&ran["status"], &ran["model"]), (&json!("completed"), &model["id"]), "an available model runs");
    }
}
