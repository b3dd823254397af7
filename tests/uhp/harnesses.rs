//! Managing harnesses, their skills and plugins, and disabled tools (chapters 11 and 12).

use crate::schema;
use crate::support::{id_of, server, session_of, text};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_round_trip_loses_nothing() {
    let server = server(|_| {}).await;
    let http = server.http();
    let sent = json!({"name": "n", "base": "rehearsal/warehouse", "default_model": "rehearsal/checking",
        "system_prompt": "be kind\n", "disabled_tools": ["WebSearch", "x"], "max_step": 7, "timeout_seconds": 60,
        "mcp_servers": [{"name": "a", "url": "https://x.invalid/", "transport": "sse", "enabled": true,
            "headers": {"X": "y"}, "auth": "vault://a", "extra": [1, 2.5]}],
        "skills": [{"name": "s", "enabled": true, "files": [{"path": "SKILL.md", "content": "é\r\n\u{0}"}, {"path": "b", "content_b64": "AAE="}]},
            {"name": "inherited", "enabled": false}],
        "rehearsal": {"arm": "faults:f1", "seeds": [9, 8]}});
    let made = http.post("/v1/harnesses", sent.clone()).await.ok();
    schema::harness(&made);
    let back = json!({"name": made["name"], "base": made["base"], "default_model": made["defaultModel"],
        "system_prompt": made["systemPrompt"], "disabled_tools": made["disabledTools"], "max_step": made["maxStep"],
        "timeout_seconds": made["timeoutSeconds"], "mcp_servers": made["mcpServers"], "skills": made["skills"],
        "plugins": made["plugins"], "rehearsal": made["rehearsal"]});
    for key in sent.as_object().unwrap().keys() {
        assert_eq!(back[key], sent[key], "{key}");
    }
    let at = format!("/v1/harnesses/{}", id_of(&made));
    assert_eq!(http.put(&at, back).await.ok(), made);
    assert_eq!(http.get(&at).await.ok(), made);
    assert_eq!(http.put(&at, made.clone()).await.ok(), made, "as it was read, under the names it was read");
    let bare = http.put(&at, json!({"base": "rehearsal/warehouse"})).await.ok();
    assert_eq!((&bare["skills"], &bare["maxStep"], &bare["createdAt"]), (&json!([]), &Value::Null, &made["createdAt"]));
    assert!(bare["rehearsal"]["arm"].is_string(), "what it plays is said though nobody wrote it: {bare}");
    assert_eq!(bare["rehearsal"]["seeds"], json!([0, 1, 2, 3]));
    http.put(&at, json!({"base": "rehearsal/orders"})).await.refused(400, "invalid_input");
    assert_eq!(http.get(&at).await.ok(), bare, "a refused write changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_run_is_refused_when_it_is_written() {
    let server = server(|_| {}).await;
    let http = server.http();
    let with = async |key: &str, value: Value| {
        let mut body = json!({"base": "rehearsal/orders"});
        body[key] = value;
        http.post("/v1/harnesses", body).await
    };
    let base = http.post("/v1/harnesses", json!({"base": "nope"})).await.refused(422, "unsupported_base");
    assert_eq!(base["detail"]["supported"], json!(["rehearsal/orders", "rehearsal/warehouse"]));
    with("default_model", json!("gpt-9")).await.refused(422, "model_unavailable");
    let arm = with("rehearsal", json!({"arm": "faults:f99"})).await.refused(400, "invalid_input");
    assert_eq!(arm["param"], "rehearsal.arm");
    assert!(arm["detail"]["reached"].as_array().unwrap().len() > 1);
    let stdio = json!([{"name": "a", "url": "http://x/", "transport": "stdio"}]);
    let refused = with("mcp_servers", stdio).await.refused(422, "unsupported_transport");
    assert_eq!(
        (&refused["detail"]["transport"], &refused["detail"]["base"]),
        (&json!("stdio"), &json!("rehearsal/orders"))
    );
    with(
        "skills",
        json!([{"name": "s", "files": [{"path": "SKILL.md", "content": ""}, {"path": "../../x", "content": ""}]}]),
    )
    .await
    .refused(400, "invalid_input");
    with("plugins", json!([{"blob": "b"}])).await.refused(422, "plugin_invalid");
    assert_eq!(http.get("/v1/harnesses").await.ok()["harnesses"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_harness_plays_its_own_arm_and_seeds() {
    let server = server(|_| {}).await;
    let http = server.http();
    let made = http
        .post(
            "/v1/harnesses",
            json!({"base": "rehearsal/warehouse", "rehearsal": {"arm": "faults:f1", "seeds": [9, 8]}}),
        )
        .await
        .ok();
    let mut previous = Value::Null;
    for seed in [9, 8, 9] {
        let ran = http
            .run(json!({"input": "go", "previous_response_id": previous, "metadata": {"harness_id": made["id"]}}))
            .await;
        let about = &ran["metadata"]["rehearsal"];
        assert_eq!(
            (&about["base"], &about["arm"], &about["seed"]),
            (&json!("rehearsal/warehouse"), &json!("faults:f1"), &json!(seed))
        );
        previous = ran["id"].clone();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_tool_is_refused_by_the_harness() {
    let server = server(|_| {}).await;
    let http = server.http();
    let tool = {
        let ran = http.say("faults:f0 seed 0").await;
        let output = ran["output"].as_array().unwrap().clone();
        output.iter().find(|i| i["type"] == "function_call").unwrap()["name"].clone()
    };
    let made = http
        .post("/v1/harnesses", json!({"base": "rehearsal/orders", "disabled_tools": [tool, "WebSearch"]}))
        .await
        .ok();
    let ran = http.run(json!({"input": "faults:f0 seed 0", "metadata": {"harness_id": made["id"]}})).await;
    assert_eq!(ran["status"], "completed");
    assert!(ran["output"].to_string().contains("is disabled on this harness"));
    assert!(!text(&ran).contains("Verdict: passed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_harness_keeps_what_it_made() {
    let server = server(|_| {}).await;
    let http = server.http();
    let made = http.post("/v1/harnesses", json!({"base": "rehearsal/orders"})).await.ok();
    let ran = http.run(json!({"input": "Reply with exactly: ok", "metadata": {"harness_id": made["id"]}})).await;
    let gone = http.delete(&format!("/v1/harnesses/{}", id_of(&made))).await.ok();
    assert_eq!((&gone["id"], &gone["deleted"]), (&made["id"], &json!(true)));
    assert_eq!(http.get(&format!("/v1/responses/{}", id_of(&ran))).await.ok(), ran);
    assert_eq!(http.get(&format!("/v1/sessions/{}", session_of(&ran))).await.ok()["harness_id"], made["id"]);
    let next = json!({"input": "x", "previous_response_id": ran["id"]});
    http.post("/v1/responses", next).await.refused(404, "harness_not_found");
    http.get(&format!("/v1/harnesses/{}/models", id_of(&made))).await.refused(404, "harness_not_found");
    for harness in http.get("/v1/harnesses").await.ok()["harnesses"].as_array().unwrap() {
        http.delete(&format!("/v1/harnesses/{}", id_of(harness))).await.ok();
    }
    assert_eq!(http.get("/v1/harnesses").await.ok(), json!({"harnesses": []}));
    http.post("/v1/responses", json!({"input": "x"})).await.refused(404, "harness_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn harnesses_are_bounded() {
    let server = server(|c| c.limits.harnesses = 3).await;
    let http = server.http();
    http.post("/v1/harnesses", json!({"base": "rehearsal/orders"})).await.ok();
    http.post("/v1/harnesses", json!({"base": "rehearsal/orders"})).await.refused(429, "quota_exhausted");
}
