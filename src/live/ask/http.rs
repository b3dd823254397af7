//! A server at an address.

use super::{LARGEST, Request, WAIT, Way, answers, message};
use crate::mcp::Version;
use crate::value::Value;
use reqwest::header::{ACCEPT, CONTENT_TYPE};

pub(super) struct Endpoint {
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    url: reqwest::Url,
    session: Option<String>,
}

impl Endpoint {
    pub(super) fn new(url: &str) -> Result<Self, String> {
        let url = reqwest::Url::parse(url).map_err(|e| format!("{url} is not an address: {e}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("{url} is not an address of http or https"));
        }
        // Whoever was first has installed it for all.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().connect_timeout(WAIT).build();
        let client = client.map_err(|e| format!("cannot speak HTTP: {e}"))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| format!("cannot start: {e}"))?;
        Ok(Self { runtime, client, url, session: None })
    }

    fn post(&self, frame: &Request<'_>) -> reqwest::RequestBuilder {
        let version = if frame.modern { Version::V2026_07_28 } else { Version::NEWEST_LEGACY };
        let mut post = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(frame.text.clone());
        if frame.method != "initialize" {
            post = post.header("mcp-protocol-version", version.word());
        }
        if frame.modern {
            post = post.header("mcp-method", frame.method);
        }
        if let Some(session) = &self.session {
            post = post.header("mcp-session-id", session);
        }
        post
    }
}

/// Sends a request; gives the session it opened and the object that answers it.
async fn ask(post: reqwest::RequestBuilder, id: u64) -> Result<(Option<String>, Value), String> {
    let failed = |e: reqwest::Error| format!("the server cannot be reached: {}", deepest(&e));
    let mut response = post.send().await.map_err(failed)?;
    let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let (session, kind, status) =
        (header("mcp-session-id"), header("content-type").unwrap_or_default(), response.status());
    let stream = kind.starts_with("text/event-stream");
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        body.extend_from_slice(&chunk);
        if body.len() > LARGEST {
            return Err("the server's answer is too large".to_owned());
        }
        if stream && let Some(found) = in_stream(&body, id) {
            return Ok((session, found));
        }
    }
    if stream {
        return Err("the server's stream ended without an answer".to_owned());
    }
    match message(&body) {
        Ok(value) => Ok((session, value)),
        Err(why) => Err(format!("{why} (status {})", status.as_u16())),
    }
}

/// The answer among the whole events of a stream.
fn in_stream(body: &[u8], id: u64) -> Option<Value> {
    let text = String::from_utf8_lossy(body).replace("\r\n", "\n");
    let (whole, _) = text.rsplit_once("\n\n")?;
    whole.split("\n\n").find_map(|event| {
        let data: Vec<&str> =
            event.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_start).collect();
        message(data.join("\n").as_bytes()).ok().filter(|said| answers(said, id))
    })
}

/// The innermost reason of an error, which says the most.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

impl Way for Endpoint {
    fn ask(&mut self, id: u64, frame: &Request<'_>) -> Result<Value, String> {
        let post = self.post(frame);
        let late = |_| format!("the server did not answer {} in {} s", frame.method, WAIT.as_secs());
        let answer = self.runtime.block_on(async { tokio::time::timeout(WAIT, ask(post, id)).await });
        let (session, answer) = answer.map_err(late)??;
        self.session = session.or(self.session.take());
        Ok(answer)
    }

    fn tell(&mut self, frame: &Request<'_>) -> Result<(), String> {
        let post = self.post(frame);
        let sent = self.runtime.block_on(async { tokio::time::timeout(WAIT, post.send()).await });
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(e)) => Err(format!("the server cannot be reached: {}", deepest(&e))),
            Err(_) => Err(format!("the server did not take {} in {} s", frame.method, WAIT.as_secs())),
        }
    }
}
