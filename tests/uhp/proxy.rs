//! A proxy between client and server that does to each request what a test tells it to.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What happens to one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// It passes.
    Pass,
    /// It is answered with this status, these headers and this body, and the server never sees it.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// The server sees it; its answer is lost and the connection broken.
    LoseAnswer,
    /// The answer's stream is cut after so many events.
    CutAfter(usize),
    /// Events with these numbers never arrive.
    Drop(Vec<usize>),
    /// Every event arrives twice.
    Twice,
    /// The stream goes silent after so many events, the connection stays.
    HangAfter(usize),
}

/// What a request was.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub headers: axum::http::HeaderMap,
}

type Plan = Box<dyn Fn(&Seen, usize) -> Fault + Send + Sync>;

pub struct Proxy {
    pub base: String,
    pub seen: Arc<Mutex<Vec<Seen>>>,
    target: Arc<Mutex<String>>,
}

struct Inner {
    target: Arc<Mutex<String>>,
    seen: Arc<Mutex<Vec<Seen>>>,
    plan: Plan,
    client: reqwest::Client,
}

impl Proxy {
    /// Starts one in front of `target`. `plan` is asked with each request and how many of the same method and path came
    /// before.
    pub async fn start(target: &str, plan: impl Fn(&Seen, usize) -> Fault + Send + Sync + 'static) -> Self {
        let (seen, target): (Arc<Mutex<Vec<Seen>>>, _) = (Arc::default(), Arc::new(Mutex::new(target.to_owned())));
        let inner = Inner {
            target: target.clone(),
            seen: seen.clone(),
            plan: Box::new(plan),
            client: crate::support::raw_client(),
        };
        let app = axum::Router::new().fallback(forward).with_state(Arc::new(inner));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, seen, target }
    }

    /// Requests go to another server from now on.
    pub fn retarget(&self, target: &str) {
        target.clone_into(&mut self.target.lock().unwrap());
    }

    pub fn count(&self, method: &str, path: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|s| s.method == method && s.path == path).count()
    }
}

async fn forward(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let seen =
        Seen { method: parts.method.to_string(), path: parts.uri.path().to_owned(), headers: parts.headers.clone() };
    let before = {
        let mut all = inner.seen.lock().unwrap();
        let before = all.iter().filter(|s| s.method == seen.method && s.path == seen.path).count();
        all.push(seen.clone());
        before
    };
    let fault = (inner.plan)(&seen, before);
    if let Fault::Answer(status, headers, body) = &fault {
        let mut response = Response::builder().status(*status);
        for (name, value) in headers {
            response = response.header(*name, value);
        }
        return response.body(Body::from(body.clone())).unwrap();
    }
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let target = inner.target.lock().unwrap().clone();
    let query = parts.uri.path_and_query().map_or("", |p| p.as_str());
    let mut headers = parts.headers;
    headers.remove("host");
    headers.remove("content-length");
    let sent = inner.client.request(parts.method, format!("{target}{query}")).headers(headers).body(bytes).send().await;
    let Ok(answer) = sent else { return broken().into_response() };
    let mut response = Response::builder().status(answer.status());
    for (name, value) in answer.headers().iter().filter(|(n, _)| *n != "content-length" && *n != "transfer-encoding") {
        response = response.header(name, value);
    }
    if matches!(fault, Fault::LoseAnswer) {
        let _ = answer.bytes().await;
        return response.body(broken()).unwrap();
    }
    response.body(Body::from_stream(tampered(answer, fault))).unwrap()
}

/// A body whose connection breaks at once.
fn broken() -> Body {
    Body::from_stream(futures_util::stream::iter([Err::<Bytes, _>(std::io::Error::other("cut"))]))
}

fn tampered(
    answer: reqwest::Response,
    fault: Fault,
) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> {
    let is_stream =
        answer.headers().get("content-type").is_some_and(|t| t.to_str().unwrap().starts_with("text/event-stream"));
    let pieces = answer.bytes_stream().map(|p| p.map_err(std::io::Error::other));
    let (sender, receiver) = tokio::sync::mpsc::channel(16);
    tokio::spawn(async move {
        let mut pieces = Box::pin(pieces);
        let (mut text, mut n) = (String::new(), 0usize);
        while let Some(Ok(piece)) = pieces.next().await {
            if !is_stream || matches!(fault, Fault::Pass) {
                let _ = sender.send(Ok(piece)).await;
                continue;
            }
            text.push_str(std::str::from_utf8(&piece).unwrap());
            while let Some(end) = text.find("\n\n") {
                let frame: String = text.drain(..end + 2).collect();
                let copies = match &fault {
                    Fault::CutAfter(most) if n >= *most => {
                        let _ = sender.send(Err(std::io::Error::other("cut"))).await;
                        return;
                    }
                    Fault::HangAfter(most) if n >= *most => {
                        tokio::time::sleep(Duration::from_secs(600)).await;
                        return;
                    }
                    Fault::Drop(numbers) if numbers.contains(&n) => 0,
                    Fault::Twice => 2,
                    _ => 1,
                };
                n += 1;
                for _ in 0..copies {
                    if sender.send(Ok(Bytes::from(frame.clone()))).await.is_err() {
                        return;
                    }
                }
            }
        }
    });
    futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece, receiver))
    })
}
