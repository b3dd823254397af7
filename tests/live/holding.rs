//! Calls that are held: released, changed, answered otherwise, dropped, let go, given up.

use crate::support::{HOTEL, Served, opening, serve};
use proptest::prelude::*;
use rehearsal::engine::Code;
use rehearsal::live::{Decision, Held, Hold, HoldRule, HoldSettings, Stage};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A client of one session, over HTTP.
#[derive(Clone)]
struct Caller {
    http: reqwest::Client,
    url: String,
    session: String,
}

impl Caller {
    async fn join(url: &str) -> Self {
        // Nothing here speaks TLS, but a client is made with it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::new();
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let frame = json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params});
        let answer = http.post(url).json(&frame).send().await.unwrap();
        let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        Self { http, url: url.to_owned(), session }
    }

    async fn send(&self, frame: &Value) -> reqwest::Response {
        let accept = "application/json, text/event-stream";
        let request = self.http.post(&self.url).header("mcp-session-id", &self.session).header("accept", accept);
        request.json(frame).send().await.unwrap()
    }

    async fn call(&self, id: u64, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
        if answer.status() == 202 { Value::Null } else { answer.json().await.unwrap() }
    }

    fn start(&self, id: u64, tool: &'static str, arguments: Value) -> tokio::task::JoinHandle<Value> {
        let caller = self.clone();
        tokio::spawn(async move { caller.call(id, tool, arguments).await })
    }

    async fn cancel(&self, id: u64) {
        let params = json!({"requestId": id});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }
}

fn hold(served: &Served) -> Arc<Hold> {
    served.hub.watched().remove(0).hold
}

fn holding(rules: &[&str], deadline: f64) -> HoldSettings {
    let rules = rules.iter().map(|rule| HoldRule::parse(rule).unwrap()).collect();
    HoldSettings { rules, everything: false, deadline: Some(Duration::from_secs_f64(deadline)) }
}

async fn until_held(hold: &Hold) -> Held {
    loop {
        if let Some(held) = hold.held() {
            return held;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn touches(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("touch.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn made(run: &Path) -> usize {
    std::fs::read_to_string(run.join("calls.jsonl")).unwrap().lines().count()
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

fn stay() -> Value {
    json!({"stay_id": "abcdefg"})
}

#[tokio::test]
async fn a_held_call_waits_for_a_decision_and_is_written_down() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["get_stay"], 60.0)).unwrap();
    assert!(hold.decide(Decision::Release, "screen").is_err(), "nothing is held");

    let call = caller.start(1, "get_stay", stay());
    let held = until_held(&hold).await;
    assert_eq!((held.number, held.stage, &*held.made.call.tool), (1, Stage::Call, "get_stay"));
    assert_eq!(held.caller.as_deref(), Some("test 1"));
    hold.decide(Decision::Release, "screen").unwrap();
    let plain = call.await.unwrap();
    assert_eq!(text(&plain), &*held.made.outcome.answer.text, "it is answered as it was foreseen");

    let call = caller.start(2, "get_stay", stay());
    until_held(&hold).await;
    hold.decide(Decision::Edit(rehearsal::value::Value::parse_json(r#"{"stay_id": 5}"#).unwrap()), "script").unwrap();
    assert_eq!(call.await.unwrap()["result"]["isError"], true, "the engine saw the other arguments");

    let call = caller.start(3, "get_stay", stay());
    until_held(&hold).await;
    hold.decide(Decision::Fail(Code::Timeout), "screen").unwrap();
    assert_eq!(call.await.unwrap()["result"]["isError"], true);

    let call = caller.start(4, "get_stay", stay());
    until_held(&hold).await;
    hold.decide(Decision::Say("gone fishing".to_owned()), "screen").unwrap();
    let said = call.await.unwrap();
    assert_eq!((text(&said), &said["result"]["isError"]), ("gone fishing", &json!(false)));

    hold.set(holding(&["answer:get_stay"], 60.0)).unwrap();
    let call = caller.start(5, "get_stay", stay());
    let held = until_held(&hold).await;
    assert_eq!((held.number, held.stage), (3, Stage::Answer));
    hold.decide(Decision::Edit("edited".into()), "screen").unwrap();
    assert_eq!(text(&call.await.unwrap()), "edited");

    let (_folder, run) = served.end().await;
    let told: Vec<(u64, String, String, Value)> = touches(&run)
        .iter()
        .map(|t| {
            let word = |name: &str| t[name].as_str().unwrap().to_owned();
            (t["call"].as_u64().unwrap(), word("stage"), word("outcome"), t["by"].clone())
        })
        .collect();
    let line = |call, stage: &str, outcome: &str, by: &str| (call, stage.to_owned(), outcome.to_owned(), json!(by));
    assert_eq!(
        told,
        [
            line(1, "call", "released", "screen"),
            line(2, "call", "edited", "script"),
            line(3, "call", "answered", "screen"),
            line(3, "call", "answered", "screen"),
            line(3, "answer", "edited", "screen"),
        ]
    );
    assert_eq!(touches(&run)[1]["after"], json!({"stay_id": 5}));
    assert_eq!(made(&run), 3);
    // It is recorded and can be stepped, but no card counts it.
    let source = rehearsal::run::Source::open(&run).unwrap();
    assert_eq!(source.artifact.gates()[0], "1 episode left out: a person held calls of it");
    assert!(!run.join("card").exists());
    assert!(matches!(rehearsal::run::list_runs(&run)[0].state, rehearsal::run::RunState::Held));
}

#[tokio::test]
async fn the_answer_leaves_before_the_caller_gives_up() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["all"], 1.3)).unwrap();
    let begun = std::time::Instant::now();
    let answer = caller.call(1, "get_stay", stay()).await;
    assert!(begun.elapsed() >= Duration::from_millis(290) && begun.elapsed() < Duration::from_millis(1300));
    assert!(text(&answer).contains("get_stay"));
    let (_folder, run) = served.end().await;
    assert_eq!((&touches(&run)[0]["outcome"], &touches(&run)[0]["deadline_ms"]), (&json!("let_go"), &json!(1300)));
}

#[tokio::test]
async fn a_caller_that_gives_up_makes_no_call_before_the_engine_and_loses_the_answer_after_it() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["get_stay"], 60.0)).unwrap();
    let call = caller.start(1, "get_stay", stay());
    until_held(&hold).await;
    caller.cancel(1).await;
    assert_eq!(call.await.unwrap(), Value::Null);

    // Another goes away without a word.
    let call = caller.start(2, "get_stay", stay());
    until_held(&hold).await;
    call.abort();
    while hold.held().is_some() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }

    hold.set(holding(&["answer:get_stay"], 60.0)).unwrap();
    let call = caller.start(3, "get_stay", stay());
    until_held(&hold).await;
    caller.cancel(3).await;
    assert_eq!(call.await.unwrap(), Value::Null);
    hold.set(HoldSettings::default()).unwrap();
    assert!(text(&caller.call(4, "get_stay", stay()).await).contains("get_stay"), "the episode goes on");

    let (_folder, run) = served.end().await;
    let told: Vec<Value> = touches(&run).iter().map(|t| json!([t["call"], t["stage"], t["outcome"]])).collect();
    let given_up = |call, stage| json!([call, stage, "given_up"]);
    assert_eq!(told, [given_up(1, "call"), given_up(1, "call"), given_up(1, "answer")]);
    assert_eq!(made(&run), 2);
}

#[tokio::test]
async fn a_dropped_call_is_never_answered_and_holds_nobody_up() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["get_stay.stay_id=abcdefg"], 60.0)).unwrap();
    let mut lost = caller.start(1, "get_stay", stay());
    until_held(&hold).await;
    let next = caller.start(2, "get_stay", json!({"stay_id": "hijklmn"}));
    while hold.waiting() == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    hold.decide(Decision::Drop, "screen").unwrap();
    assert_eq!(next.await.unwrap()["id"], 2);
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut lost).await.is_err());
    lost.abort();
    let (_folder, run) = served.end().await;
    assert_eq!(touches(&run)[0]["outcome"], "dropped");
}

#[tokio::test]
async fn all_that_wait_pass_when_all_are_released() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["all"], 60.0)).unwrap();
    let calls: Vec<_> = (1..=4).map(|id| caller.start(id, "get_stay", stay())).collect();
    until_held(&hold).await;
    while hold.waiting() < 3 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(hold.release_all("screen"), 4);
    for call in calls {
        assert!(text(&call.await.unwrap()).contains("get_stay"));
    }
    let later = caller.start(9, "get_stay", stay());
    until_held(&hold).await;
    hold.decide(Decision::Release, "screen").unwrap();
    later.await.unwrap();
    let (_folder, run) = served.end().await;
    assert_eq!(touches(&run).len(), 2, "three passed unheld");
}

#[tokio::test]
async fn a_held_call_beats_where_its_caller_gave_a_token() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let caller = Caller::join(&served.mcp).await;
    hold.set(holding(&["all"], 4.0)).unwrap();
    let params = json!({"name": "get_stay", "arguments": stay(), "_meta": {"progressToken": "t-1"}});
    let answer = caller.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let body = answer.text().await.unwrap();
    let frames: Vec<Value> = body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert!(frames.len() >= 2, "{body}");
    let (answer, notes) = frames.split_last().unwrap();
    assert_eq!(answer["id"], 1);
    for (i, note) in notes.iter().enumerate() {
        assert_eq!(
            (&note["method"], &note["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("t-1"))
        );
        assert_eq!(note["params"]["progress"], i + 1);
    }
    served.end().await;
}

#[tokio::test]
async fn a_rule_must_name_a_tool_of_the_task() {
    let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
    let hold = hold(&served);
    let refused = hold.set(holding(&["get_sty"], 60.0)).unwrap_err();
    assert_eq!(refused, "hold rule \"get_sty\": the task has no such tool");
    assert!(hold.settings().rules.is_empty());
    served.end().await;
}

/// What a schedule does to the call that is held.
#[derive(Debug, Clone, Copy)]
enum Do {
    Release,
    Fail,
    Drop,
    GiveUp,
    ReleaseAll,
    LetGo,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every call is answered once, or dropped, or given up; the engine's state is what the recorded calls replay to.
    #[test]
    fn every_call_comes_to_one_end(
        schedule in prop::collection::vec(
            (0usize..3, prop_oneof![
                Just(Do::Release), Just(Do::Fail), Just(Do::Drop), Just(Do::GiveUp), Just(Do::ReleaseAll), Just(Do::LetGo)
            ]), 1..8),
        at_answer in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let served = serve(&opening(Path::new(HOTEL), "landed:l1", 20).unwrap()).await;
            let hold = hold(&served);
            let caller = Caller::join(&served.mcp).await;
            let rule = if at_answer { "answer:all" } else { "all" };
            let mut id = 0;
            let mut open: Vec<(u64, tokio::task::JoinHandle<Value>)> = Vec::new();
            let (mut answered, mut lost) = (0, 0);
            for (more, what) in &schedule {
                let deadline = if matches!(what, Do::LetGo) { 1.02 } else { 60.0 };
                hold.set(holding(&[rule], deadline)).unwrap();
                for _ in 0..=*more {
                    id += 1;
                    open.push((id, caller.start(id, "get_stay", stay())));
                    // It is in the queue before the next one starts.
                    while !matches!(what, Do::LetGo) && hold.held().map_or(0, |_| 1) + hold.waiting() < open.len() {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                }
                let ends = if matches!(what, Do::ReleaseAll | Do::LetGo) { open.len() } else { 1 };
                match what {
                    Do::Release => hold.decide(Decision::Release, "screen").unwrap(),
                    Do::Fail => hold.decide(Decision::Fail(Code::Unavailable), "screen").unwrap(),
                    Do::Drop => hold.decide(Decision::Drop, "screen").unwrap(),
                    Do::GiveUp => caller.cancel(open[0].0).await,
                    Do::ReleaseAll => drop(hold.release_all("screen")),
                    // One that is held since a longer deadline was set does not go by itself.
                    Do::LetGo => if hold.held().is_some_and(|held| held.deadline.after > Duration::from_secs(2)) {
                        hold.decide(Decision::Release, "screen").unwrap();
                    },
                }
                for (id, call) in open.drain(..ends) {
                    match what {
                        Do::Drop => { call.abort(); lost += 1; }
                        Do::GiveUp => { assert_eq!(call.await.unwrap(), Value::Null); lost += 1; }
                        _ => { assert_eq!(call.await.unwrap()["id"], id); answered += 1; }
                    }
                }
                // The next one is held before anything is decided on it.
                while !open.is_empty() && hold.held().is_none() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            if !open.is_empty() {
                hold.release_all("screen");
            }
            for (id, call) in open {
                assert_eq!(call.await.unwrap()["id"], id);
                answered += 1;
            }
            assert_eq!(answered + lost, id);
            let (_folder, run) = served.end().await;
            let made = made(&run) as u64;
            assert!(made <= id && (!at_answer || made == id));
        });
    }
}
