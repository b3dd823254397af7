//! A server of this crate on a socket of its own, and plain requests to it.

use crate::schema;
use rehearsal::plan::PlanSettings;
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::uhp::server::house::{House, Served};
use rehearsal::uhp::server::stage::Stage;
use rehearsal::uhp::server::{App, Config, Note, Principal, serve};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

pub const KEY: &str = "key-of-ann-0123456789";
pub const OTHER_KEY: &str = "key-of-bob-0123456789";

/// A running server.
pub struct Server {
    pub app: Arc<App>,
    pub base: String,
    pub notes: Arc<Mutex<Vec<Note>>>,
    serving: tokio::task::JoinHandle<()>,
}

pub fn house() -> House {
    let file = |stem: &str, bytes: &[u8]| Served {
        stem: stem.into(),
        reading: Arc::new(read(bytes, &ReadOptions { name: stem.into(), ..ReadOptions::default() })),
        settings: PlanSettings::default(),
        seeds: vec![0, 1, 2, 3],
        measure: None,
    };
    House::new(vec![
        file("orders", include_bytes!("../../examples/orders/orders.openai.json")),
        file("warehouse", include_bytes!("../../examples/warehouse/warehouse.mcp.json")),
    ])
    .unwrap()
}

/// A server of two principals at pace 0, changed as the test needs.
pub async fn server(change: impl FnOnce(&mut Config)) -> Server {
    server_of(Arc::new(house()), change).await
}

pub async fn server_of(stage: Arc<dyn Stage>, change: impl FnOnce(&mut Config)) -> Server {
    let principal = |name: &str, key: &str| Principal { name: name.into(), key: key.into() };
    let mut config = Config::new(vec![principal("ann", KEY), principal("bob", OTHER_KEY)]);
    config.pace = Duration::ZERO;
    change(&mut config);
    let notes: Arc<Mutex<Vec<Note>>> = Arc::default();
    let noted = notes.clone();
    let app = App::new(config, stage, move |note| noted.lock().unwrap().push(note)).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let served = app.clone();
    let serving = tokio::spawn(async move { serve(served, listener).await.unwrap() });
    Server { app, base, notes, serving }
}

impl Server {
    pub fn http(&self) -> Http {
        Http::new(&self.base, Some(KEY))
    }

    pub fn other(&self) -> Http {
        Http::new(&self.base, Some(OTHER_KEY))
    }

    /// Ends it as a signal would, and waits until everything is stored.
    pub async fn stop(self) {
        self.app.shutdown.cancel();
        self.serving.await.unwrap();
        // A connection that is just being closed may hold it a moment longer, and with it the lock of the state folder.
        let held = Arc::downgrade(&self.app);
        drop(self.app);
        for _ in 0..10_000 {
            if held.strong_count() == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        panic!("something holds on to the server after its end");
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|e| panic!("not JSON ({e}): {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// The JSON of a 200.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// The error of a refusal with this status and code.
    pub fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status, body["error"]["code"].as_str()), (status, Some(code)), "{body:#}");
        body["error"].clone()
    }
}

/// Plain requests to a server, with a key.
#[derive(Debug, Clone)]
pub struct Http {
    pub base: String,
    pub key: Option<String>,
    pub client: reqwest::Client,
}

pub fn raw_client() -> reqwest::Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

impl Http {
    pub fn new(base: &str, key: Option<&str>) -> Self {
        Self { base: base.to_owned(), key: key.map(str::to_owned), client: raw_client() }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// Sends a request and holds its answer against what every answer must be.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, bytes: response.bytes().await.unwrap().to_vec() };
        assert!(["2026-09-12", "2026-08-11"].contains(&answer.header("uhp-version")), "no version: {answer:?}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        if status >= 300 {
            assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
            schema::envelope(&answer.json());
        }
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PUT, path).json(&body)).await
    }

    pub async fn post_empty(&self, path: &str) -> Answer {
        self.send(self.request(Method::POST, path)).await
    }

    /// Runs a task to its end.
    pub async fn run(&self, body: Value) -> Value {
        let response = self.post("/v1/responses", body).await.ok();
        schema::response(&response);
        response
    }

    /// Runs a task with just an input.
    pub async fn say(&self, input: &str) -> Value {
        self.run(json!({ "input": input })).await
    }

    /// Begins a task in the background.
    pub async fn begin(&self, mut body: Value) -> Value {
        body["background"] = json!(true);
        self.run(body).await
    }

    /// Runs a task as a stream and gives its events.
    pub async fn stream(&self, mut body: Value) -> Vec<Value> {
        body["stream"] = json!(true);
        let request = self.request(Method::POST, "/v1/responses").json(&body);
        frames(&read_stream(request).await).into_iter().map(|(_, event)| event).collect()
    }

    /// The response once it has ended.
    pub async fn ended(&self, id: &str) -> Value {
        for _ in 0..600 {
            let response = self.get(&format!("/v1/responses/{id}")).await.ok();
            schema::response(&response);
            if response["status"] != "in_progress" {
                return response;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{id} does not end");
    }

    pub async fn upload(&self, name: &str, bytes: &[u8]) -> Answer {
        let part = reqwest::multipart::Part::bytes(bytes.to_vec()).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().part("file", part);
        self.send(self.request(Method::POST, "/v1/files").multipart(form)).await
    }
}

/// The whole text of an event stream, its headers checked.
pub async fn read_stream(request: reqwest::RequestBuilder) -> String {
    let response = request.send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    assert_eq!(response.headers()["cache-control"], "no-cache");
    assert!(response.headers().contains_key("uhp-version"));
    response.text().await.unwrap()
}

/// The frames of a stream, cut as the simplest clients cut them: at blank lines, `\n` only.
pub fn frames(text: &str) -> Vec<(String, Value)> {
    assert!(!text.contains('\r'), "frames end in LF");
    assert!(text.ends_with("\n\n"));
    let mut frames = Vec::new();
    for frame in text.split("\n\n").filter(|f| !f.is_empty()) {
        if frame.starts_with(':') {
            continue;
        }
        let field = |name: &str| frame.lines().find_map(|l| l.strip_prefix(name)).map(str::trim_start);
        let data = field("data:").unwrap_or_else(|| panic!("a frame without data: {frame:?}"));
        assert_eq!(frame.lines().filter(|l| l.starts_with("data:")).count(), 1);
        frames.push((field("id:").unwrap_or_default().to_owned(), serde_json::from_str(data).unwrap()));
    }
    frames
}

pub fn text(response: &Value) -> String {
    let items = response["output"].as_array().unwrap().iter().filter(|i| i["type"] == "message");
    let parts = items.flat_map(|i| i["content"].as_array().unwrap().clone());
    parts.map(|p| p["text"].as_str().unwrap().to_owned()).collect()
}

pub fn session_of(response: &Value) -> String {
    response["metadata"]["session_id"].as_str().unwrap().to_owned()
}

pub fn id_of(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}
