//! The response object and its output items, as this server writes them.

use super::error::ErrorBody;
use super::{Fields, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Where a task stands. The last four are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It runs.
    InProgress,
    /// It was done.
    Completed,
    /// It could not be done.
    Failed,
    /// A budget stopped it.
    Incomplete,
    /// The client stopped it.
    Cancelled,
}

impl Status {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Incomplete => "incomplete",
            Status::Cancelled => "cancelled",
        }
    }

    /// Whether it never changes again.
    pub fn is_final(self) -> bool {
        self != Status::InProgress
    }
}

/// A part of a message: text with annotations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Always `output_text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text.
    pub text: String,
    /// Artifacts it names.
    pub annotations: Vec<Annotation>,
}

impl Part {
    /// An empty text part.
    pub fn empty() -> Self {
        Self { kind: "output_text".to_owned(), text: String::new(), annotations: Vec::new() }
    }
}

/// A file of the session's container that a message names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// Always `container_file_citation`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The container.
    pub container_id: String,
    /// The file in it.
    pub file_id: String,
    /// Its name.
    pub filename: String,
    /// Where it can be downloaded, with the caller's credential.
    pub download_url: String,
    /// Where the text names it: first character, in code points.
    pub start_index: usize,
    /// One past the last character.
    pub end_index: usize,
}

/// One output item. Which fields are there depends on `kind`; absent ones are not written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Item {
    /// Unique in its response.
    pub id: String,
    /// `message`, `reasoning`, `function_call` or `function_call_output`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `in_progress`, `completed`, or `incomplete` when the task was stopped inside it.
    pub status: String,
    /// Of a message: `assistant`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub role: Option<String>,
    /// Of a message.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content: Option<Vec<Part>>,
    /// Of reasoning: `summary_text` parts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<Vec<Json>>,
    /// Of a call and its answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call_id: Option<String>,
    /// Of a call: the tool.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Of a call: JSON as text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arguments: Option<String>,
    /// Of an answer: its text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
}

/// A response: one task, running or done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// `resp_...`
    pub id: String,
    /// Always `response`.
    pub object: String,
    /// Unix seconds.
    pub created_at: u64,
    /// Where it stands.
    pub status: Status,
    /// There when it failed, and only then.
    pub error: Option<ErrorBody>,
    /// Which budget stopped it, when one did.
    pub incomplete_details: Option<Fields>,
    /// The response it continues.
    pub previous_response_id: Option<String>,
    /// The model that ran.
    pub model: String,
    /// What came out, in order.
    pub output: Vec<Item>,
    /// Whether it is kept for reading.
    pub store: bool,
    /// Whether it was asked to run in the background.
    pub background: bool,
    /// Always null: nothing is metered here.
    pub usage: Option<Fields>,
    /// `session_id`, `harness_id`, what was ignored or substituted, and the client's own.
    pub metadata: Fields,
}

impl Response {
    /// Text of all its messages.
    pub fn text(&self) -> String {
        let parts = self.output.iter().filter(|i| i.kind == "message").flat_map(|i| i.content.iter().flatten());
        parts.map(|p| p.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The object on the wire.
    pub fn json(&self) -> Json {
        json!(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_fields_of_items_are_not_written_and_nulls_of_responses_are() {
        let item = Item { id: "rs_1".into(), kind: "reasoning".into(), status: "completed".into(), ..Item::default() };
        assert_eq!(json!(item), json!({"id": "rs_1", "type": "reasoning", "status": "completed"}));
        let response = Response {
            id: "resp_1".into(),
            object: "response".into(),
            created_at: 1,
            status: Status::InProgress,
            error: None,
            incomplete_details: None,
            previous_response_id: None,
            model: "m".into(),
            output: vec![],
            store: true,
            background: false,
            usage: None,
            metadata: Fields::new(),
        };
        let body = response.json();
        for key in ["error", "incomplete_details", "previous_response_id", "usage"] {
            assert!(body.as_object().unwrap().contains_key(key) && body[key].is_null(), "{key}");
        }
        assert_eq!(serde_json::from_value::<Response>(body).unwrap(), response);
    }
}
