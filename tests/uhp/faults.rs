//! Faults between client and server: what is lost is found, what broke is taken up, and the work is never done twice.

use crate::proxy::{Fault, Proxy};
use crate::support::{Server, id_of, server, text};
use rehearsal::uhp::client::transcript::{Applied, Transcript};
use rehearsal::uhp::client::{Address, Client, Error, Heard, Settings, TaskInput};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub fn client_of(base: &str) -> Client {
    let mut settings = Settings::new(Address::parse(base).unwrap(), Some(crate::support::KEY.to_owned()));
    settings.silence = Duration::from_secs(20);
    Client::new(settings).unwrap()
}

fn input(text: &str) -> TaskInput {
    TaskInput { text: text.to_owned(), ..TaskInput::default() }
}

fn is_stream(headers: &axum::http::HeaderMap, path: &str) -> bool {
    path == "/v1/responses" && headers.contains_key("idempotency-key")
}

/// Reads a stream to its end as a screen would: what was heard, and the transcript of it.
async fn follow(client: &Client, text: &str) -> (Vec<Heard>, Transcript) {
    let mut events = client.stream(&input(text)).await.unwrap();
    let (mut heard, mut transcript) = (Vec::new(), Transcript::default());
    while let Some(next) = events.next().await {
        let next = next.unwrap();
        match &next {
            Heard::Event(event) => assert_ne!(transcript.apply(event), Applied::Seen, "no event comes twice"),
            Heard::ReadBack { response, .. } => transcript.replace(response),
            Heard::TakenUp => {}
        }
        heard.push(next);
    }
    (heard, transcript)
}

async fn sessions(server: &Server) -> usize {
    server.http().get("/v1/sessions?limit=100").await.ok()["sessions"].as_array().unwrap().len()
}

/// The transcript is the very response that the server has.
async fn is_right(server: &Server, transcript: &Transcript) {
    let id = transcript.head_text("id").unwrap();
    assert_eq!(transcript.to_json(), server.http().get(&format!("/v1/responses/{id}")).await.ok());
    assert!(transcript.is_over());
    assert_eq!(sessions(server).await, 1, "the work was done once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_is_taken_up_without_a_hole() {
    for cut in [0, 1, 2, 9, 30] {
        let server = server(|c| c.pace = Duration::from_millis(2)).await;
        let proxy = Proxy::start(&server.base, move |seen, before| match before {
            0..3 if is_stream(&seen.headers, &seen.path) => Fault::CutAfter(cut),
            _ => Fault::Pass,
        })
        .await;
        let (heard, transcript) = follow(&client_of(&proxy.base), "faults:f2 seed 1").await;
        is_right(&server, &transcript).await;
        let numbers: Vec<u64> = heard
            .iter()
            .filter_map(|h| if let Heard::Event(e) = h { e["sequence_number"].as_u64() } else { None })
            .collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>(), "cut after {cut}");
        let taken_up = heard.iter().filter(|h| matches!(h, Heard::TakenUp)).count();
        assert!(if cut < 10 { taken_up == 3 } else { taken_up > 0 }, "cut after {cut}: taken up {taken_up} times");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_events_are_found_and_the_response_read_back() {
    let server = server(|c| c.pace = Duration::from_millis(5)).await;
    let proxy = Proxy::start(&server.base, |_, _| Fault::Drop(vec![4, 5, 11])).await;
    let (heard, transcript) = follow(&client_of(&proxy.base), "Count slowly from 1 to 20").await;
    is_right(&server, &transcript).await;
    let gaps: Vec<&String> =
        heard.iter().filter_map(|h| if let Heard::ReadBack { why, .. } = h { Some(why) } else { None }).collect();
    assert_eq!(gaps, ["events 4 to 5 are missing", "events 11 to 11 are missing"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_events_are_passed_over() {
    let server = server(|_| {}).await;
    let proxy = Proxy::start(&server.base, |_, _| Fault::Twice).await;
    let (_, transcript) = follow(&client_of(&proxy.base), "faults:f2 seed 1").await;
    is_right(&server, &transcript).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_goes_silent_is_left_and_taken_up() {
    let server = server(|c| c.pace = Duration::from_millis(2)).await;
    let proxy = Proxy::start(&server.base, |seen, before| {
        if before == 0 && is_stream(&seen.headers, &seen.path) { Fault::HangAfter(5) } else { Fault::Pass }
    })
    .await;
    let mut settings = Settings::new(Address::parse(&proxy.base).unwrap(), Some(crate::support::KEY.to_owned()));
    settings.silence = Duration::from_millis(300);
    let (_, transcript) = follow(&Client::new(settings).unwrap(), "faults:f2 seed 1").await;
    is_right(&server, &transcript).await;
}

fn refusal(status: u16, code: &str, kind: &str) -> Fault {
    let body = json!({"error": {"type": kind, "code": code, "message": "Not now.", "param": null, "detail": null}});
    Fault::Answer(
        status,
        vec![("content-type", "application/json".into()), ("retry-after", "0".into())],
        body.to_string(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_for_want_of_capacity_are_waited_out() {
    let server = server(|_| {}).await;
    let proxy = Proxy::start(&server.base, |seen, before| match before {
        0 if seen.path == "/v1/responses" => refusal(429, "rate_limited", "rate_limit_error"),
        1 if seen.path == "/v1/responses" => refusal(503, "harness_unavailable", "server_error"),
        2 if seen.path == "/v1/responses" => refusal(500, "acme_oops", "server_error"),
        _ => Fault::Pass,
    })
    .await;
    let ran = client_of(&proxy.base).run(&input("Reply with exactly: ok")).await.unwrap();
    assert_eq!(text(&ran), "ok");
    assert_eq!((proxy.count("POST", "/v1/responses"), sessions(&server).await), (4, 1));
    let keys: Vec<_> = proxy
        .seen
        .lock()
        .unwrap()
        .iter()
        .filter(|s| s.path == "/v1/responses")
        .map(|s| s.headers["idempotency-key"].clone())
        .collect();
    assert!(keys.iter().all(|k| *k == keys[0]), "every retry is under the same key");
}

#[tokio::test(flavor = "multi_thread")]
async fn final_refusals_are_not_repeated() {
    let server = server(|_| {}).await;
    for (status, code, kind) in [
        (429, "quota_exhausted", "rate_limit_error"),
        (409, "session_busy", "invalid_request_error"),
        (401, "invalid_credential", "authentication_error"),
        (422, "model_unavailable", "invalid_request_error"),
    ] {
        let proxy = Proxy::start(&server.base, move |seen, _| {
            if seen.path == "/v1/responses" { refusal(status, code, kind) } else { Fault::Pass }
        })
        .await;
        let error = client_of(&proxy.base).run(&input("x")).await.unwrap_err();
        assert_eq!((error.code(), proxy.count("POST", "/v1/responses")), (Some(code), 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_lost_is_asked_for_again_under_its_key() {
    let server = server(|_| {}).await;
    let proxy = Proxy::start(&server.base, |seen, before| {
        if seen.path == "/v1/responses" && before < 2 { Fault::LoseAnswer } else { Fault::Pass }
    })
    .await;
    let ran = client_of(&proxy.base).run(&input("Create a file named a.txt containing exactly: x")).await.unwrap();
    assert_eq!(ran["status"], "completed");
    assert_eq!((proxy.count("POST", "/v1/responses"), sessions(&server).await), (3, 1));
}

/// A server that keeps no keys, as far as its discovery says.
fn keyless() -> Fault {
    let doc = json!({"object": "uhp.discovery", "protocol": "uhp", "versions": ["2026-09-12"], "default_version": "2026-09-12",
        "conformance_class": "core", "capabilities": {"streaming": true, "sessions": true, "cancellation": true}});
    Fault::Answer(200, vec![("content-type", "application/json".into())], doc.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_nothing_is_run_again() {
    let server = server(|c| c.pace = Duration::from_millis(5)).await;
    let proxy = Proxy::start(&server.base, |seen, _| match seen.path.as_str() {
        "/v1/uhp" => keyless(),
        "/v1/responses" => Fault::LoseAnswer,
        _ => Fault::Pass,
    })
    .await;
    let error = client_of(&proxy.base).run(&input("Reply with exactly: ok")).await.unwrap_err();
    assert!(matches!(error, Error::Broken(_)), "{error:?}");
    assert_eq!((proxy.count("POST", "/v1/responses"), sessions(&server).await), (1, 1));

    let server = crate::support::server(|c| c.pace = Duration::from_millis(5)).await;
    let proxy = Proxy::start(&server.base, |seen, _| match seen.path.as_str() {
        "/v1/uhp" => keyless(),
        "/v1/responses" => Fault::CutAfter(6),
        _ => Fault::Pass,
    })
    .await;
    let (heard, transcript) = follow(&client_of(&proxy.base), "Count slowly from 1 to 50").await;
    is_right(&server, &transcript).await;
    assert_eq!(proxy.count("POST", "/v1/responses"), 1, "the response is read back instead");
    assert!(heard.iter().any(|h| matches!(h, Heard::ReadBack { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_restarts_under_a_stream_is_heard_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let begin = async || {
        let path = folder.path().to_owned();
        server(move |c| {
            c.state = Some(path);
            c.pace = Duration::from_millis(10);
        })
        .await
    };
    let first = begin().await;
    let proxy = Proxy::start(&first.base, |seen, before| {
        if before == 0 && is_stream(&seen.headers, &seen.path) { Fault::CutAfter(10) } else { Fault::Pass }
    })
    .await;
    let client = client_of(&proxy.base);
    let mut events = client.stream(&input("Count slowly from 1 to 100000")).await.unwrap();
    let mut transcript = Transcript::default();
    for _ in 0..10 {
        let Some(Ok(Heard::Event(event))) = events.next().await else { panic!("an event") };
        transcript.apply(&event);
    }
    first.stop().await;
    let second = begin().await;
    proxy.retarget(&second.base);
    while let Some(next) = events.next().await {
        match next.unwrap() {
            Heard::Event(event) => {
                transcript.apply(&event);
            }
            Heard::ReadBack { response, .. } => transcript.replace(&response),
            Heard::TakenUp => {}
        }
    }
    assert_eq!(transcript.status(), "failed");
    is_right(&second, &transcript).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_server_brings_the_version_down_once() {
    let server = server(|_| {}).await;
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = asked.clone();
    let proxy = Proxy::start(&server.base, move |seen, _| {
        let version = seen.headers["uhp-version"].to_str().unwrap().to_owned();
        noted.lock().unwrap().push(version.clone());
        if version == "2026-08-11" {
            return Fault::Pass;
        }
        let body = json!({"error": {"type": "invalid_request_error", "code": "unsupported_protocol_version", "message": "No.",
            "param": null, "detail": {"supported": ["2026-08-11", "2025-01-01"]}}});
        Fault::Answer(400, vec![], body.to_string())
    })
    .await;
    let client = client_of(&proxy.base);
    client.discover().await.unwrap();
    client.run(&input("Reply with exactly: ok")).await.unwrap();
    assert_eq!(client.version(), "2026-08-11");
    assert_eq!(*asked.lock().unwrap(), ["2026-09-12", "2026-08-11", "2026-08-11"]);
    let never = Proxy::start(&server.base, |_, _| {
        let body = json!({"error": {"type": "invalid_request_error", "code": "unsupported_protocol_version", "message": "No.",
            "detail": {"supported": ["2099-01-01"]}}});
        Fault::Answer(400, vec![], body.to_string())
    })
    .await;
    let error = client_of(&never.base).discover().await.unwrap_err();
    assert_eq!((error.code(), never.count("GET", "/v1/uhp")), (Some("unsupported_protocol_version"), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_never_goes_to_another_host() {
    let server = server(|_| {}).await;
    let elsewhere = Proxy::start(&server.base, |_, _| Fault::Answer(200, vec![], "their bytes".into())).await;
    let there = elsewhere.base.clone();
    let home = Proxy::start(&server.base, move |seen, _| match seen.path.as_str() {
        "/redirect" => Fault::Answer(302, vec![("location", format!("{there}/moved"))], String::new()),
        "/own" => Fault::Answer(200, vec![], "own bytes".into()),
        "/round" => Fault::Answer(302, vec![("location", "/round".into())], String::new()),
        "/v1/models" => Fault::Answer(302, vec![("location", format!("{there}/models"))], String::new()),
        _ => Fault::Pass,
    })
    .await;
    let client = client_of(&home.base);
    assert_eq!(client.download("/own").await.unwrap(), b"own bytes");
    assert_eq!(client.download(&format!("{}/direct", elsewhere.base)).await.unwrap(), b"their bytes");
    assert_eq!(client.download("/redirect").await.unwrap(), b"their bytes");
    assert!(client.download("/round").await.is_err(), "a circle ends");
    assert!(client.download("file:///etc/passwd").await.is_err());
    assert!(client.get(&["v1", "models"], &[]).await.is_err(), "a request is never led away");
    let seen = elsewhere.seen.lock().unwrap();
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|s| !s.headers.contains_key("authorization")));
    let own = home.seen.lock().unwrap();
    assert!(own.iter().all(|s| s.headers.contains_key("authorization")));
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_told_in_words() {
    let server = server(|_| {}).await;
    let answers = ["", "<html>", "[1,2", "{\"protocol\":\"other\"}", "\u{0}\u{1}"];
    for body in answers {
        let proxy = Proxy::start(&server.base, move |_, _| Fault::Answer(200, vec![], body.to_owned())).await;
        assert!(matches!(client_of(&proxy.base).discover().await, Err(Error::Protocol(_))), "{body:?}");
    }
    for (status, body) in [(500, "<html>"), (404, ""), (418, "{}")] {
        let proxy = Proxy::start(&server.base, move |_, _| Fault::Answer(status, vec![], body.to_owned())).await;
        let error =
            client_of(&proxy.base).send(reqwest::Method::POST, &["v1", "x"], Some(json!({}))).await.unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
    }
    let stream = json!({"type": "response.created", "sequence_number": 0, "response": {"id": "resp_gone"}}).to_string();
    let frames = format!("data: [DONE]\n\ndata: {stream}\n\ndata: nonsense\n\n");
    let proxy = Proxy::start(&server.base, move |seen, _| match seen.path.as_str() {
        "/v1/uhp" => keyless(),
        "/v1/responses" => Fault::Answer(200, vec![("content-type", "text/event-stream".into())], frames.clone()),
        _ => Fault::Pass,
    })
    .await;
    let mut events = client_of(&proxy.base).stream(&input("x")).await.unwrap();
    assert!(matches!(events.next().await, Some(Ok(Heard::Event(_)))));
    let error = events.next().await.unwrap().unwrap_err();
    assert_eq!(error.code(), Some("response_not_found"));
    assert!(events.next().await.is_none(), "it ends");
    let nobody = client_of("http://127.0.0.1:1");
    let nobody = tokio::time::timeout(Duration::from_secs(30), nobody.discover()).await.unwrap().unwrap_err();
    assert!(matches!(nobody, Error::Connect(_)), "{nobody:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_begun_in_the_background_is_found_again() {
    let server = server(|c| c.pace = Duration::from_millis(5)).await;
    let client = client_of(&server.base);
    let begun: Value = client.begin(&input("Count slowly from 1 to 100000")).await.unwrap();
    assert_eq!(begun["status"], "in_progress");
    let cancelled = client.cancel(&id_of(&begun)).await.unwrap();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(client.response(&id_of(&begun)).await.unwrap(), cancelled);
}
