//! Streams: numbers, ends, left and taken up, alive when quiet, and the feed (chapter 8).

use crate::schema;
use crate::support::{Http, frames, id_of, read_stream, server, session_of};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn streams_of_every_ending_keep_every_rule() {
    let server = server(|_| {}).await;
    let http = server.http();
    for (body, status) in [
        (json!({"input": "faults:f2 seed 1"}), "completed"),
        (json!({"input": "Reply with exactly: ok"}), "completed"),
        (json!({"input": "Reply with exactly:"}), "completed"),
        (json!({"input": "Create a file named a.txt containing exactly: x"}), "completed"),
        (json!({"input": "Count slowly from 1 to 300"}), "completed"),
        (json!({"input": "faults:f2 seed 1", "max_step": 1}), "incomplete"),
        (json!({"input": "faults:f77"}), "failed"),
    ] {
        let last = schema::events(&http.stream(body.clone()).await);
        assert_eq!(last["status"], status, "{body}");
        let read = http.get(&format!("/v1/responses/{}", id_of(&last))).await.ok();
        assert_eq!(read, last, "reading back gives what the last event said");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_says_at_its_beginning_which_task_is_played() {
    let server = server(|_| {}).await;
    let events = server.http().stream(json!({"input": "faults:f2 seed 1"})).await;
    assert_eq!(events[1]["type"], "response.in_progress");
    let about = &events[1]["response"]["metadata"]["rehearsal"];
    assert_eq!((&about["arm"], &about["seed"]), (&json!("faults:f2"), &json!(1)));
    assert_eq!(about, &events.last().unwrap()["response"]["metadata"]["rehearsal"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_and_blocking_give_the_same_output() {
    let server = server(|_| {}).await;
    let http = server.http();
    for input in ["faults:f2 seed 1", "timeouts:t1 seed 0", "Count slowly from 1 to 20", "whatever"] {
        let blocking = http.say(input).await;
        let streamed = schema::events(&http.stream(json!({ "input": input })).await);
        let same = |r: &Value| {
            let mut output = r["output"].clone();
            for item in output.as_array_mut().unwrap() {
                for part in item["content"].as_array_mut().into_iter().flatten() {
                    for a in part["annotations"].as_array_mut().unwrap() {
                        *a = a["filename"].clone();
                    }
                }
            }
            (r["status"].clone(), output)
        };
        assert_eq!(same(&blocking), same(&streamed), "{input}");
    }
    // To the letter: the last event holds the response as it is read back, its keys in the same order.
    let body = json!({"input": "faults:f2 seed 1", "stream": true});
    let told = read_stream(http.request(Method::POST, "/v1/responses").json(&body)).await;
    let last = told.trim_end().rsplit_once("data: ").unwrap().1;
    let id = frames(&told)[0].1["response"]["id"].as_str().unwrap().to_owned();
    assert!(last.contains(&http.get(&format!("/v1/responses/{id}")).await.text()), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_stream_ends_in_failed_whose_response_says_cancelled() {
    let server = server(|c| c.pace = Duration::from_millis(10)).await;
    let http = server.http();
    let request = http
        .request(Method::POST, "/v1/responses")
        .json(&json!({"input": "Count slowly from 1 to 100000", "stream": true}));
    let reading = tokio::spawn(read_stream(request));
    let session = loop {
        let list = http.get("/v1/sessions").await.ok();
        match list["sessions"].get(0) {
            Some(s) => break id_of(s),
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    http.post_empty(&format!("/v1/sessions/{session}/cancel")).await.ok();
    let events: Vec<Value> = frames(&reading.await.unwrap()).into_iter().map(|(_, e)| e).collect();
    let last = schema::events(&events);
    assert_eq!((&last["status"], &last["error"]), (&json!("cancelled"), &Value::Null));
    assert_eq!(events.last().unwrap()["type"], "response.failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_leaves_stops_nothing() {
    let server = server(|c| c.pace = Duration::from_millis(10)).await;
    let http = server.http();
    let body = json!({"input": "Count slowly from 1 to 40", "stream": true});
    let mut response = http.request(Method::POST, "/v1/responses").json(&body).send().await.unwrap();
    let mut text = String::new();
    while !text.contains("output_text.delta") {
        text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
    drop(response);
    let id = id_of(&frames(&format!("{}\n\n", text.split("\n\n").next().unwrap()))[0].1["response"]);
    let ended = http.ended(&id).await;
    assert_eq!(ended["status"], "completed");
    assert!(crate::support::text(&ended).ends_with("\n40"));

    let blocking = http.request(Method::POST, "/v1/responses").json(&json!({"input": "Count slowly from 1 to 40"}));
    let left = tokio::time::timeout(Duration::from_millis(100), blocking.send()).await;
    assert!(left.is_err(), "the blocking reader leaves too");
    let session = id_of(&http.get("/v1/sessions?limit=1").await.ok()["sessions"][0]);
    let turn = http.get(&format!("/v1/sessions/{session}/turns")).await.ok()["turns"][0].clone();
    assert_eq!(http.ended(&id_of(&turn)).await["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_taken_up_behind_what_was_seen() {
    let server = server(|_| {}).await;
    let http = server.http();
    let body = json!({"input": "faults:f2 seed 1", "stream": true});
    let post = |last: Option<String>| {
        let request = http.request(Method::POST, "/v1/responses").json(&body).header("Idempotency-Key", "take-up");
        match last {
            Some(last) => request.header("Last-Event-ID", last),
            None => request,
        }
    };
    let whole = frames(&read_stream(post(None)).await);
    schema::events(&whole.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>());
    for (i, (id, _)) in whole.iter().enumerate() {
        assert_eq!(*id, i.to_string(), "the id of a frame is its event's number");
    }
    for seen in [0, 1, 7, whole.len() - 2] {
        assert_eq!(frames(&read_stream(post(Some(seen.to_string()))).await), whole[seen + 1..]);
    }
    assert_eq!(frames(&read_stream(post(Some("not a number".into()))).await), whole);
    let end = read_stream(post(Some((whole.len() - 1).to_string()))).await;
    assert_eq!(end, "", "who saw the last event is told nothing again");
    assert_eq!(frames(&read_stream(post(Some("99999".into()))).await), whole[whole.len() - 1..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_stream_says_that_it_is_alive() {
    let server = server(|c| {
        c.pace = Duration::from_millis(700);
        c.keep_alive = Duration::from_millis(100);
    })
    .await;
    let http = server.http();
    let body = json!({"input": "Reply with exactly: ok", "stream": true});
    let mut response = http.request(Method::POST, "/v1/responses").json(&body).send().await.unwrap();
    let mut text = String::new();
    while text.matches(": keep-alive\n\n").count() < 4 {
        text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert!(frames(&text).len() >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_not_held_back() {
    let server = server(|c| c.pace = Duration::from_millis(100)).await;
    let http = server.http();
    let body = json!({"input": "Count slowly from 1 to 10", "stream": true});
    let mut response = http.request(Method::POST, "/v1/responses").json(&body).send().await.unwrap();
    let mut pieces = 0;
    while response.chunk().await.unwrap().is_some() {
        pieces += 1;
    }
    assert!(pieces >= 10, "each event comes by itself: {pieces}");
}

/// Reads a feed until as many tasks ended.
async fn follow(
    http: Http,
    path: String,
    ends: usize,
    opened: tokio::sync::oneshot::Sender<()>,
) -> Vec<(String, Value)> {
    let mut response = http.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let (mut text, mut opened) = (String::new(), Some(opened));
    loop {
        text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
        if let Some(opened) = opened.take() {
            opened.send(()).unwrap();
        }
        let done = ["response.completed", "response.failed", "response.incomplete"];
        if done.iter().map(|d| text.matches(&format!("\"type\":\"{d}\"")).count()).sum::<usize>() >= ends
            && text.ends_with("\n\n")
        {
            return frames(&text);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_tells_every_task_of_its_harness_from_its_beginning() {
    let server = server(|c| c.pace = Duration::from_millis(5)).await;
    let http = server.http();
    let harnesses = http.get("/v1/harnesses").await.ok()["harnesses"].clone();
    let on = |n: usize, input: &str| json!({"input": input, "background": true, "metadata": {"harness_id": harnesses[n]["id"]}});
    let early = http.run(on(0, "Count slowly from 1 to 30")).await;
    let path = format!("/v1/harnesses/{}/events", id_of(&harnesses[0]));
    let (opened, open) = tokio::sync::oneshot::channel();
    let feed = tokio::spawn(follow(http.clone(), path.clone(), 3, opened));
    open.await.unwrap();
    let late = http.run(on(0, "faults:f1 seed 0")).await;
    let elsewhere = http.run(on(1, "Reply with exactly: no")).await;
    let foreign = server.other().begin(json!({"input": "Reply with exactly: no"})).await;
    let last = http.run(on(0, "Reply with exactly: ok")).await;
    let told = feed.await.unwrap();
    for task in [&early, &late, &last] {
        let mine: Vec<Value> =
            told.iter().filter(|(_, e)| e["response_id"] == task["id"]).map(|(_, e)| e.clone()).collect();
        assert_eq!(schema::events(&mine)["id"], task["id"], "whole and in order");
    }
    for task in [&elsewhere, &foreign] {
        assert!(!told.iter().any(|(_, e)| e["response_id"] == task["id"]));
    }
    let (id, event) = &told[0];
    assert_eq!(*id, format!("{}:{}", event["response_id"].as_str().unwrap(), event["sequence_number"]));

    let one = format!("{path}?response_id={}", id_of(&early));
    let whole = frames(&read_stream(http.request(Method::GET, &one)).await);
    schema::events(&whole.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>());
    let rest = http.request(Method::GET, &one).header("Last-Event-ID", "3");
    assert_eq!(frames(&read_stream(rest).await), whole[4..]);
    http.get(&format!("{path}?response_id={}", id_of(&elsewhere))).await.refused(404, "response_not_found");
    server.other().get(&path).await.refused(404, "harness_not_found");
    assert_ne!(session_of(&early), session_of(&late));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_ends_with_its_harness() {
    let server = server(|c| c.keep_alive = Duration::from_millis(50)).await;
    let http = server.http();
    let made = http.post("/v1/harnesses", json!({"base": "rehearsal/orders"})).await.ok();
    let at = format!("/v1/harnesses/{}", id_of(&made));
    let reading = tokio::spawn(read_stream(http.request(Method::GET, &format!("{at}/events"))));
    tokio::time::sleep(Duration::from_millis(100)).await;
    http.delete(&at).await.ok();
    let text = tokio::time::timeout(Duration::from_secs(5), reading).await.unwrap().unwrap();
    assert!(text.starts_with(": keep-alive\n\n"));
}
