//! Connections themselves: a byte a moment, a reader that takes nothing, requests that are not HTTP, more than the server
//! takes. Nobody holds the server up, and every refusal arrives whole and in the envelope.

use crate::schema;
use crate::support::{KEY, Server, server};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Long enough for anything that is bounded, short enough for a test.
const BOUND: Duration = Duration::from_secs(30);

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.base.strip_prefix("http://").unwrap()).await.unwrap()
}

/// Sends bytes on a connection of their own and reads until the server closes it.
async fn answer(server: &Server, request: &[u8]) -> String {
    let mut socket = connect(server).await;
    socket.write_all(request).await.unwrap();
    let mut told = Vec::new();
    tokio::time::timeout(BOUND, socket.read_to_end(&mut told)).await.unwrap().unwrap();
    String::from_utf8(told).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_come_a_byte_a_moment_end_the_connection_and_free_its_place() {
    let server = server(|c| {
        c.limits.header_wait = Duration::from_millis(300);
        c.limits.connections = 1;
    })
    .await;
    let mut slow = connect(&server).await;
    let started = Instant::now();
    let feed = async {
        for byte in b"GET /v1/uhp HTTP/1.1\r\nx-slow: ".iter().chain(std::iter::repeat(&b'a')) {
            if slow.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ask = async { server.http().get("/v1/uhp").await.ok() };
    let ((), discovery) = tokio::time::timeout(BOUND, async { tokio::join!(feed, ask) }).await.unwrap();
    assert_eq!(discovery["protocol"], "uhp", "the one place was free again");
    assert!(started.elapsed() >= Duration::from_millis(300));
    let mut idle = connect(&server).await;
    let mut told = Vec::new();
    tokio::time::timeout(BOUND, idle.read_to_end(&mut told)).await.unwrap().unwrap();
    assert!(told.is_empty(), "one that sends nothing is let go too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_takes_nothing_is_let_go() {
    let server = server(|c| c.limits.write_wait = Duration::from_millis(300)).await;
    let all = server.app.streams.available_permits();
    let text = "x".repeat(12 << 20);
    let body = json!({ "input": format!("Reply with exactly: {text}"), "stream": true }).to_string();
    let mut socket = connect(&server).await;
    let head = format!(
        "POST /v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {KEY}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(body.as_bytes()).await.unwrap();
    let started = Instant::now();
    let mut taken = false;
    while started.elapsed() < BOUND {
        let free = server.app.streams.available_permits();
        taken |= free < all;
        if taken && free == all {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the stream was {}", if taken { "never let go" } else { "never begun" });
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_http_is_refused_in_the_envelope() {
    let server = server(|_| {}).await;
    let long = "a".repeat(700_000);
    let many: String = (0..300).map(|n| format!("x-{n}: a\r\n")).collect();
    for (request, status) in [
        ("GARBAGE\r\n\r\n".to_owned(), 400),
        ("GET /v1/uhp HTTP/3.0\r\n\r\n".to_owned(), 400),
        (format!("GET /v1/uhp HTTP/1.1\r\nx: {long}\r\n\r\n"), 431),
        (format!("GET /v1/uhp HTTP/1.1\r\n{many}\r\n"), 431),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000)), 414),
        ("POST /v1/responses HTTP/1.1\r\ncontent-length: some\r\n\r\n".to_owned(), 400),
    ] {
        let told = answer(&server, request.as_bytes()).await;
        let shown: String = request.chars().take(60).collect();
        let (head, body) = told.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{shown}: {told:?}"));
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{shown}: {head}");
        assert!(head.contains("\r\nuhp-version: 2026-09-12"), "{shown}: {head}");
        let body: Value = serde_json::from_str(body).unwrap();
        schema::envelope(&body);
        assert_eq!(body["error"]["code"], "invalid_input");
        assert!(body["error"]["param"].is_null() && body["error"]["detail"].is_null(), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_looks_like_a_bare_refusal_is_left_alone() {
    let server = server(|_| {}).await;
    let http = server.http();
    let text = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
    let upload = http.upload("a.txt", text.as_bytes()).await.ok();
    assert_eq!(upload["bytes"], text.len());
    let input = format!("Create a file named a.txt containing exactly: {text}.");
    let made = http.say(&input).await;
    let url = made["output"][0]["content"][0]["annotations"][0]["download_url"].as_str().unwrap().to_owned();
    let bytes = http.client.get(url).bearer_auth(KEY).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(bytes, format!("{text}."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_all_before_it_reads_gets_its_refusal() {
    let server = server(|c| c.limits.file_bytes = 10_000).await;
    let file = "x".repeat(40 << 20);
    let form =
        format!("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n{file}\r\n--b--\r\n");
    for (key, status, code) in [(KEY, 413, "file_too_large"), ("wrong", 401, "invalid_credential")] {
        let head = format!(
            "POST /v1/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
            form.len()
        );
        let told = answer(&server, format!("{head}{form}").as_bytes()).await;
        assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{}", &told[..told.len().min(300)]);
        assert!(told.contains(code), "{told}");
    }
    let ended = server.http().request(Method::GET, "/v1/uhp").send().await.unwrap();
    assert_eq!(ended.status().as_u16(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_client_does_not_hold_the_end_up() {
    let server = server(|_| {}).await;
    let http = server.http();
    http.get("/v1/uhp").await.ok();
    let (_idle, started) = (connect(&server).await, Instant::now());
    server.stop().await;
    assert!(started.elapsed() < Duration::from_millis(1_900), "it took {:?}", started.elapsed());
    drop(http);
}
