//! Tasks: the request of one, running it in each of the three ways, always under an idempotency key.

use super::Error;
use super::events::Events;
use super::http::{Client, Request};
use super::retry::Again;
use crate::uhp::wire::{Fields, Json};
use crate::value::canonical;
use base64::Engine as _;
use reqwest::Method;
use reqwest::header::{ACCEPT, HeaderValue};
use serde_json::json;
use std::sync::Arc;

/// What to run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskInput {
    /// The text.
    pub text: String,
    /// Files that go along: name and bytes.
    pub inline: Vec<(String, Vec<u8>)>,
    /// Files uploaded before, by id.
    pub uploaded: Vec<String>,
    /// The harness; the server's default when `None`.
    pub harness: Option<String>,
    /// The model; the harness's default when `None`.
    pub model: Option<String>,
    /// The response to continue.
    pub previous: Option<String>,
    /// Metadata beside the harness.
    pub metadata: Fields,
    /// Most steps.
    pub max_step: Option<u64>,
    /// Most seconds.
    pub timeout_seconds: Option<u64>,
    /// False asks the server not to keep the response.
    pub store: Option<bool>,
}

impl TaskInput {
    /// The request's body. Only what was asked for is in it, so that a server ignores nothing unasked.
    pub fn body(&self) -> Json {
        let mut body = Fields::new();
        if self.inline.is_empty() && self.uploaded.is_empty() {
            body.insert("input".into(), json!(self.text));
        } else {
            let mut content = vec![json!({ "type": "input_text", "text": self.text })];
            content.extend(self.inline.iter().map(|(name, bytes)| {
                let data = base64::engine::general_purpose::STANDARD.encode(bytes);
                let data = format!("data:application/octet-stream;base64,{data}");
                json!({ "type": "input_file", "filename": name, "file_data": data })
            }));
            content.extend(self.uploaded.iter().map(|id| json!({ "type": "input_file", "file_id": id })));
            body.insert("input".into(), json!([{ "role": "user", "content": content }]));
        }
        let mut metadata = self.metadata.clone();
        if let Some(harness) = &self.harness {
            metadata.insert("harness_id".into(), json!(harness));
        }
        let fields = [
            ("metadata", (!metadata.is_empty()).then(|| json!(metadata))),
            ("model", self.model.as_ref().map(|v| json!(v))),
            ("previous_response_id", self.previous.as_ref().map(|v| json!(v))),
            ("max_step", self.max_step.map(|v| json!(v))),
            ("timeout_seconds", self.timeout_seconds.map(|v| json!(v))),
            ("store", self.store.map(|v| json!(v))),
        ];
        body.extend(fields.into_iter().filter_map(|(k, v)| Some((k.to_owned(), v?))));
        Json::Object(body)
    }
}

/// A new idempotency key.
fn new_key() -> Result<String, Error> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| Error::Connect(format!("no random number for a key: {e}")))?;
    Ok(canonical::hex(&bytes))
}

impl Client {
    /// Runs a task and waits for its end; a request that breaks is repeated under its key where the server keeps keys.
    pub async fn run(&self, input: &TaskInput) -> Result<Json, Error> {
        let mut request = self.task_request(input.body()).await?;
        request.answer = None;
        self.json(request).await
    }

    /// Begins a task and gives its response as accepted.
    pub async fn begin(&self, input: &TaskInput) -> Result<Json, Error> {
        let mut body = input.body();
        body["background"] = json!(true);
        self.json(self.task_request(body).await?).await
    }

    /// Runs a task and gives its events as they come.
    pub async fn stream(&self, input: &TaskInput) -> Result<Events, Error> {
        let mut body = input.body();
        body["stream"] = json!(true);
        let mut request = self.task_request(body).await?;
        request.answer = None;
        request.headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        Events::open(self.clone(), request).await
    }

    /// A task's request under a new key. It may be repeated only where the server says that it keeps keys.
    async fn task_request(&self, body: Json) -> Result<Request, Error> {
        let again = if self.can("idempotency").await { Again::Harmless } else { Again::Doubles };
        let mut request = self.request(Method::POST, &["v1", "responses"], again);
        let key = HeaderValue::from_str(&new_key()?).map_err(|e| Error::Connect(e.to_string()))?;
        request.headers.insert("idempotency-key", key);
        request.body = Some(Arc::new(body));
        Ok(request)
    }

    /// A response read back.
    pub async fn response(&self, id: &str) -> Result<Json, Error> {
        self.get(&["v1", "responses", id], &[]).await
    }

    /// Asks a task to stop.
    pub async fn cancel(&self, id: &str) -> Result<Json, Error> {
        self.send(Method::POST, &["v1", "responses", id, "cancel"], None).await
    }

    /// Asks whatever runs in a session to stop.
    pub async fn cancel_session(&self, id: &str) -> Result<Json, Error> {
        self.send(Method::POST, &["v1", "sessions", id, "cancel"], None).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_holds_what_was_asked_and_nothing_else() {
        let plain = TaskInput { text: "hi".into(), ..TaskInput::default() };
        assert_eq!(plain.body(), json!({"input": "hi"}));
        let full = TaskInput {
            text: "read".into(),
            inline: vec![("a.txt".into(), b"hi".to_vec())],
            uploaded: vec!["file_1".into()],
            harness: Some("chrn_1".into()),
            store: Some(false),
            max_step: Some(2),
            ..TaskInput::default()
        };
        assert_eq!(
            full.body(),
            json!({"input": [{"role": "user", "content": [
                {"type": "input_text", "text": "read"},
                {"type": "input_file", "filename": "a.txt", "file_data": "data:application/octet-stream;base64,aGk="},
                {"type": "input_file", "file_id": "file_1"},
            ]}], "metadata": {"harness_id": "chrn_1"}, "store": false, "max_step": 2})
        );
    }
}
