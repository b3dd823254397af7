//! Sessions: continuing, busy, mismatch, listing, cancelling, deleting, sharing, expiring (chapter 7).

use crate::schema;
use crate::support::{Http, id_of, server, session_of};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_runs_one_task_at_a_time_and_sessions_run_beside_each_other() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let first = http.say("Reply with exactly: ok").await;
    let slow = json!({"input": "Count slowly from 1 to 100000", "previous_response_id": first["id"]});
    let running = http.begin(slow.clone()).await;
    for previous in [&first["id"], &running["id"]] {
        let busy = http.post("/v1/responses", json!({"input": "x", "previous_response_id": previous})).await;
        busy.refused(409, "session_busy");
    }
    let other = http.begin(json!({"input": "Count slowly from 1 to 100000"})).await;
    assert_eq!(other["status"], "in_progress");
    assert_ne!(session_of(&other), session_of(&running));
    http.post_empty(&format!("/v1/responses/{}/cancel", id_of(&running))).await.ok();
    let next = http.run(json!({"input": "Reply with exactly: on", "previous_response_id": running["id"]})).await;
    assert_eq!((&next["status"], session_of(&next)), (&json!("completed"), session_of(&first)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_exactly_one_takes_the_session() {
    let server = server(|c| c.pace = Duration::from_millis(5)).await;
    let http = server.http();
    let mut previous = http.say("Reply with exactly: ok").await["id"].clone();
    for _ in 0..5 {
        let tries: Vec<_> = (0..24)
            .map(|_| {
                let (http, body) = (
                    http.clone(),
                    json!({"input": "Count slowly from 1 to 100000", "previous_response_id": previous, "background": true}),
                );
                tokio::spawn(async move { http.post("/v1/responses", body).await })
            })
            .collect();
        let mut won = Vec::new();
        for tried in tries {
            let answer = tried.await.unwrap();
            match answer.status {
                200 => won.push(id_of(&answer.json())),
                _ => {
                    answer.refused(409, "session_busy");
                }
            }
        }
        assert_eq!(won.len(), 1);
        previous = http.post_empty(&format!("/v1/responses/{}/cancel", won[0])).await.ok()["id"].clone();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_stays_with_its_harness_and_may_change_its_model() {
    let server = server(|_| {}).await;
    let http = server.http();
    let harnesses = http.get("/v1/harnesses").await.ok()["harnesses"].clone();
    let first =
        http.run(json!({"input": "Reply with exactly: ok", "metadata": {"harness_id": harnesses[1]["id"]}})).await;
    assert_eq!(first["metadata"]["harness_id"], harnesses[1]["id"]);
    let next = |harness: &Value| {
        json!({"input": "Reply with exactly: ok", "previous_response_id": first["id"],
        "model": "rehearsal/once", "metadata": {"harness_id": harness}})
    };
    http.post("/v1/responses", next(&harnesses[0]["id"])).await.refused(409, "harness_mismatch");
    http.post("/v1/responses", next(&json!("chrn_none"))).await.refused(409, "harness_mismatch");
    let same = http.run(next(&harnesses[1]["id"])).await;
    assert_eq!((&same["model"], session_of(&same)), (&json!("rehearsal/once"), session_of(&first)));
    let unnamed = http.run(json!({"input": "Reply with exactly: ok", "previous_response_id": first["id"]})).await;
    assert_eq!(unnamed["metadata"]["harness_id"], harnesses[1]["id"]);
    let turns = http.get(&format!("/v1/sessions/{}/turns", session_of(&first))).await.ok();
    assert_eq!(turns["turns"].as_array().unwrap().len(), 3, "a refused task is no turn");
    let default = http.say("Reply with exactly: ok").await;
    assert_eq!(default["metadata"]["harness_id"], harnesses[0]["id"], "the default is reported");
}

#[tokio::test(flavor = "multi_thread")]
async fn listing_pages_through_all_even_when_pages_are_exactly_full() {
    let server = server(|_| {}).await;
    let http = server.http();
    let mut made = Vec::new();
    for n in 0..6 {
        made.push(session_of(&http.say(&format!("Reply with exactly: {n}")).await));
    }
    made.reverse();
    for limit in [1, 2, 3, 6, 7, 100] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
        loop {
            let page = http.get(&format!("/v1/sessions?limit={limit}{cursor}")).await.ok();
            schema::valid("SessionList", &page);
            let sessions = page["sessions"].as_array().unwrap();
            assert!(sessions.len() <= limit && !sessions.is_empty());
            seen.extend(sessions.iter().map(id_of));
            pages += 1;
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(seen, made, "limit {limit}");
        assert_eq!(pages, 6usize.div_ceil(limit));
    }
    let harnesses = http.get("/v1/harnesses").await.ok()["harnesses"].clone();
    let of = async |id: &Value| {
        let list = http.get(&format!("/v1/sessions?harness={}", id.as_str().unwrap())).await.ok();
        list["sessions"].as_array().unwrap().len()
    };
    assert_eq!((of(&harnesses[0]["id"]).await, of(&harnesses[1]["id"]).await), (6, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_session_stops_what_runs_in_it() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let running = http.begin(json!({"input": "Count slowly from 1 to 100000"})).await;
    let session = session_of(&running);
    assert_eq!(http.get(&format!("/v1/sessions/{session}")).await.ok()["status"], "in_progress");
    let answer = http.post_empty(&format!("/v1/sessions/{session}/cancel")).await.ok();
    assert_eq!(answer, json!({"id": session, "status": "cancelled"}));
    assert_eq!(http.ended(&id_of(&running)).await["status"], "cancelled");
    assert_eq!(http.post_empty(&format!("/v1/sessions/{session}/cancel")).await.ok(), answer);
    assert_eq!(http.get(&format!("/v1/sessions/{session}")).await.status, 200, "the session is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_session_is_gone_with_everything_in_it() {
    let server = server(|c| c.pace = Duration::from_millis(20)).await;
    let http = server.http();
    let made = http.say("Create a file named a.txt containing exactly: x").await;
    let session = session_of(&made);
    let file = http.get(&format!("/v1/sessions/{session}/files")).await.ok()["files"][0].clone();
    let content = format!("/v1/containers/{}/files/{}/content", file["container_id"].as_str().unwrap(), id_of(&file));
    let share = http.post_empty(&format!("/v1/sessions/{session}/share")).await.ok();
    let running =
        http.begin(json!({"input": "Count slowly from 1 to 100000", "previous_response_id": made["id"]})).await;
    let request = http.request(
        reqwest::Method::GET,
        &format!(
            "/v1/harnesses/{}/events?response_id={}",
            made["metadata"]["harness_id"].as_str().unwrap(),
            id_of(&running)
        ),
    );
    let reading = tokio::spawn(crate::support::read_stream(request));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(http.delete(&format!("/v1/sessions/{session}")).await.status, 200);
    let told: Vec<Value> = crate::support::frames(&reading.await.unwrap()).into_iter().map(|(_, e)| e).collect();
    assert_eq!(schema::events(&told)["status"], "cancelled", "its reader is told the end");
    for path in [
        format!("/v1/sessions/{session}"),
        format!("/v1/sessions/{session}/turns"),
        format!("/v1/sessions/{session}/files"),
        format!("/v1/sessions/{session}/files/archive"),
        format!("/v1/responses/{}", id_of(&made)),
        format!("/v1/responses/{}", id_of(&running)),
        content,
        share["url"].as_str().unwrap().to_owned(),
    ] {
        assert_eq!(http.get(&path).await.status, 404, "{path}");
    }
    let next = json!({"input": "x", "previous_response_id": made["id"]});
    http.post("/v1/responses", next).await.refused(404, "response_not_found");
    let list = http.get("/v1/sessions").await.ok();
    assert_eq!(list["sessions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_beyond_the_bounds_expire_and_say_so() {
    let server = server(|c| c.limits.sessions = 3).await;
    let http = server.http();
    let first = http.say("Reply with exactly: 0").await;
    let mut later = Vec::new();
    for n in 1..4 {
        later.push(http.say(&format!("Reply with exactly: {n}")).await);
    }
    let next = |id: &Value| json!({"input": "Reply with exactly: ok", "previous_response_id": id});
    http.post("/v1/responses", next(&first["id"])).await.refused(404, "session_expired");
    http.get(&format!("/v1/responses/{}", id_of(&first))).await.refused(404, "response_not_found");
    http.get(&format!("/v1/sessions/{}", session_of(&first))).await.refused(404, "session_not_found");
    assert_eq!(http.run(next(&later[0]["id"])).await["status"], "completed");
    http.say("Reply with exactly: 4").await;
    assert_eq!(http.get(&format!("/v1/responses/{}", id_of(&later[0]))).await.status, 200, "one in use stays");
    http.get(&format!("/v1/responses/{}", id_of(&later[1]))).await.refused(404, "response_not_found");
    let other = server.other();
    other.post("/v1/responses", next(&first["id"])).await.refused(404, "response_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_share_shows_the_talk_and_nothing_else_until_it_is_revoked() {
    let server = server(|_| {}).await;
    let http = server.http();
    let open = Http::new(&server.base, None);
    let secret = format!("Reply with exactly: my key is {} and Bearer abcdefghijklmnop1234", crate::support::KEY);
    let made = http.run(json!({"input": secret, "metadata": {"token": "t0p"}})).await;
    http.run(json!({"input": "faults:f1 seed 0", "previous_response_id": made["id"]})).await;
    let at = format!("/v1/sessions/{}/share", session_of(&made));
    http.get(&at).await.refused(404, "session_not_found");
    http.delete(&at).await.refused(404, "session_not_found");
    let share = http.post(&at, json!({"enabled": true})).await.ok();
    let url = share["url"].as_str().unwrap().to_owned();
    let view = open.get(&url).await.ok();
    crate::conformance::no_secret_keys(&view);
    assert_eq!(view["turns"].as_array().unwrap().len(), 2);
    assert!(view["turns"][1]["tools"].as_array().unwrap().len() > 1);
    let shown = view.to_string();
    for hidden in [crate::support::KEY, "abcdefghijklmnop1234", "t0p", "resp_", "hsess", "cntr_", "chrn_", "file_"] {
        assert!(!shown.contains(hidden), "{hidden} in {shown}");
    }
    assert!(shown.contains("[redacted]"));
    let off = http.post(&at, json!({"enabled": false})).await.ok();
    assert_eq!(off["enabled"], false);
    assert_eq!(open.get(&url).await.status, 404);
    http.get(&at).await.refused(404, "session_not_found");
    let body =
        http.request(reqwest::Method::POST, &at).header("content-type", "application/json").body("{\"enabled\": 3}");
    assert_eq!(http.send(body).await.refused(400, "invalid_input")["param"], "enabled");
}
