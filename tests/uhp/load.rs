//! Many tasks and many streams at once: still right, and within bounds.

use crate::schema;
use crate::support::{frames, id_of, server};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_tasks_at_once_are_each_right() {
    let server = server(|_| {}).await;
    let http = server.http();
    let expected: Vec<Value> = {
        let mut all = Vec::new();
        for seed in 0..8 {
            all.push(kinds(&http.say(&format!("faults:f2 seed {seed}")).await));
        }
        all
    };
    let tasks: Vec<_> = (0..200)
        .map(|n| {
            let http = http.clone();
            tokio::spawn(async move {
                let body = json!({"input": format!("faults:f2 seed {}", n % 8)});
                match n % 3 {
                    0 => http.run(body).await,
                    1 => schema::events(&http.stream(body).await),
                    _ => {
                        let begun = http.begin(body).await;
                        http.ended(&id_of(&begun)).await
                    }
                }
            })
        })
        .collect();
    let (mut ids, mut sessions) = (HashSet::new(), HashSet::new());
    for (n, task) in tasks.into_iter().enumerate() {
        let response = task.await.unwrap();
        assert_eq!(response["status"], "completed");
        assert_eq!(kinds(&response), expected[n % 8], "task {n}");
        ids.insert(id_of(&response));
        sessions.insert(crate::support::session_of(&response));
    }
    assert_eq!((ids.len(), sessions.len()), (200, 200));
    assert_eq!(http.say("Reply with exactly: ok").await["status"], "completed", "every slot is given back");
}

/// The output without what is new in every session.
fn kinds(response: &Value) -> Value {
    let items = response["output"].as_array().unwrap().iter();
    items.map(|i| json!([i["type"], i["name"], i["arguments"], i["output"], i["summary"]])).collect()
}

/// Resident memory of this process in MiB, where the system says it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Most files that this process may have open, where the system says it.
fn most_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|l| l.starts_with("Max open files")).unwrap_or_default();
    line.split_whitespace().nth(3).and_then(|n| n.parse().ok()).unwrap_or(256)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_idle_streams_hear_the_next_task_whole() {
    // Both ends of every stream are in this process.
    let streams = (most_files().saturating_sub(200) / 2).min(1_000);
    if streams < 1_000 {
        eprintln!("only {streams} streams: this process may open {} files", most_files());
    }
    let server = server(|c| c.keep_alive = Duration::from_millis(500)).await;
    let http = server.http();
    let harness = id_of(&http.get("/v1/harnesses").await.ok()["harnesses"][0]);
    let path = format!("/v1/harnesses/{harness}/events");
    let before = resident();
    let mut open = Vec::new();
    for _ in 0..streams {
        let mut response = http.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        response.chunk().await.unwrap();
        open.push(response);
    }
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    if let (Some(before), Some(now)) = (before, resident()) {
        assert!(now.saturating_sub(before) < 400, "{streams} idle streams took {} MiB on both ends", now - before);
    }
    let ran = http.say("faults:f1 seed 0").await;
    let readers: Vec<_> = open
        .into_iter()
        .map(|mut response| {
            tokio::spawn(async move {
                let mut text = String::new();
                while !(text.contains("response.completed") && text.ends_with("\n\n")) {
                    text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
                }
                frames(&text).into_iter().map(|(_, e)| e).collect::<Vec<Value>>()
            })
        })
        .collect();
    for (n, reader) in readers.into_iter().enumerate() {
        let events = tokio::time::timeout(Duration::from_secs(60), reader).await.unwrap().unwrap();
        if n % 50 == 0 {
            assert_eq!(schema::events(&events), ran);
        } else {
            assert_eq!(events.last().unwrap()["response"]["id"], ran["id"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_stays_within_its_bounds() {
    let server = server(|c| c.limits.kept_bytes = 2 << 20).await;
    let http = server.http();
    let mut first = None;
    for n in 0..60 {
        let ran = http.say(&format!("Reply with exactly: {n} {}", "x".repeat(100_000))).await;
        first.get_or_insert(id_of(&ran));
    }
    http.get(&format!("/v1/responses/{}", first.unwrap())).await.refused(404, "response_not_found");
    let kept = http.get("/v1/sessions?limit=100").await.ok()["sessions"].as_array().unwrap().len();
    assert!((1..20).contains(&kept), "{kept}");
}
