//! Servers that are not well: a byte a moment, answers and events without end. The client says so in one line, in bounded
//! time, and keeps a bounded part.

use crate::faults::client_of;
use crate::support::KEY;
use rehearsal::uhp::client::transcript::Transcript;
use rehearsal::uhp::client::{Address, Client, Error, Heard, Settings, TaskInput};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Answers every connection with `head` at once and then with `body` again and again, a piece each `pause`.
async fn serves(head: &'static str, body: &'static [u8], pause: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                if socket.read(&mut request).await.is_err() || socket.write_all(head.as_bytes()).await.is_err() {
                    return;
                }
                while socket.write_all(body).await.is_ok() {
                    tokio::time::sleep(pause).await;
                }
            });
        }
    });
    base
}

/// A client with little patience.
fn hasty(base: &str) -> Client {
    let mut settings = Settings::new(Address::parse(base).unwrap(), Some(KEY.to_owned()));
    settings.silence = Duration::from_millis(250);
    settings.answer = Duration::from_secs(5);
    Client::new(settings).unwrap()
}

const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const REFUSED: &str = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const DRIP: Duration = Duration::from_millis(40);
/// Retries included.
const BOUND: Duration = Duration::from_secs(60);

fn within(started: Instant) {
    assert!(started.elapsed() < BOUND, "it took {:?}", started.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_a_moment_is_given_up() {
    let started = Instant::now();
    let base = serves(JSON, b" ", DRIP).await;
    let client = hasty(&base);
    match client.discover().await {
        Err(Error::Silent(why)) => assert!(why.contains("B came in"), "{why}"),
        other => panic!("{other:?}"),
    }
    let download = client.download(&format!("{base}/a/file")).await;
    assert!(matches!(&download, Err(Error::Silent(_))), "{download:?}");

    let base = serves(REFUSED, b" ", DRIP).await;
    match hasty(&base).discover().await {
        // What it would have said is not waited for.
        Err(Error::Refused { status: 404, error, .. }) => assert!(error.message.contains("without saying why")),
        other => panic!("{other:?}"),
    }
    within(started);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_drips_is_given_up() {
    let started = Instant::now();
    for head in [STREAM, ""] {
        let base = serves(head, b"x", DRIP).await;
        let client = hasty(&base);
        let input = TaskInput { text: "task 1".to_owned(), ..TaskInput::default() };
        let error = match client.stream(&input).await {
            Err(error) => error,
            Ok(mut events) => loop {
                match events.next().await {
                    Some(Err(error)) => break error,
                    Some(Ok(Heard::TakenUp)) => {}
                    other => panic!("{other:?}"),
                }
            },
        };
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    within(started);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_end_is_cut_off() {
    let started = Instant::now();
    let piece: &[u8] = Box::leak(vec![b' '; 1 << 20].into_boxed_slice());
    let base = serves(JSON, piece, Duration::ZERO).await;
    match client_of(&base).discover().await {
        Err(Error::Protocol(why)) => assert!(why.contains("larger than"), "{why}"),
        other => panic!("{other:?}"),
    }
    // One event without end.
    let base = serves(STREAM, piece, Duration::ZERO).await;
    let input = TaskInput { text: "task 1".to_owned(), ..TaskInput::default() };
    let mut events = client_of(&base).stream(&input).await.unwrap();
    let error = loop {
        match events.next().await {
            Some(Err(error)) => break error,
            Some(Ok(Heard::TakenUp)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert!(error.to_string().contains("larger than") || error.to_string().contains("no event named"), "{error}");
    within(started);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_without_end_fill_no_memory() {
    let event = format!("data: {{\"type\":\"response.noise\",\"text\":\"{}\"}}\n\n", "x".repeat(1 << 20));
    let base = serves(STREAM, Box::leak(event.into_bytes().into_boxed_slice()), Duration::ZERO).await;
    let input = TaskInput { text: "task 1".to_owned(), ..TaskInput::default() };
    let mut events = client_of(&base).stream(&input).await.unwrap();
    let mut transcript = Transcript::default();
    let (mut taken, started) = (0_usize, Instant::now());
    while taken < 320 {
        match events.next().await {
            Some(Ok(Heard::Event(event))) => {
                transcript.apply(&event);
                taken += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    let kept = transcript.unknown.len();
    assert!((200..=257).contains(&kept), "256 MiB are kept, and no more: {kept} of {taken}");
    within(started);
}
