//! One JSON-RPC frame, read.

use super::error::Problem;
use crate::value::{Value, canonical};

/// The largest frame that is read, in bytes.
pub const MAX_FRAME: usize = 4 << 20;

/// The id of a request: text or a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Id(Value);

impl Id {
    fn of(value: &Value) -> Option<Self> {
        let fits = match value {
            Value::Str(text) => text.len() <= LONGEST_ID,
            Value::Float(f) => f.is_finite(),
            other => other.is_number(),
        };
        fits.then(|| Self(value.clone()))
    }

    /// As JSON.
    pub fn json(&self) -> String {
        canonical::compact(&self.0, false)
    }

    /// The id a `notifications/cancelled` names.
    pub(super) fn named(value: &Value) -> Option<Self> {
        Self::of(value)
    }
}

/// A longer id is refused: it is echoed and remembered.
const LONGEST_ID: usize = 1024;

/// What a frame is.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    /// Wants an answer.
    Request { id: Id, method: String, params: Value },
    /// Wants none.
    Notification { method: String, params: Value },
    /// Answers something this side never asked.
    Reply,
    /// Several frames.
    Batch(Vec<Value>),
    /// No frame; the id is kept where it could be read.
    Broken(Option<Id>, Problem),
}

/// Reads the bytes of a frame.
pub(super) fn read(bytes: &[u8]) -> Frame {
    if bytes.len() > MAX_FRAME {
        return too_large(bytes.len());
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Frame::Broken(None, Problem::parse("Parse error: not UTF-8"));
    };
    match Value::parse_json(text) {
        Ok(Value::Array(items)) => Frame::Batch(items.to_vec()),
        Ok(value) => of_value(&value),
        Err(error) => Frame::Broken(None, Problem::parse(format!("Parse error: {}", error.message))),
    }
}

/// A frame beyond the bound.
pub(super) fn too_large(bytes: usize) -> Frame {
    let message = format!("The frame has {bytes} bytes; at most {MAX_FRAME} are read");
    Frame::Broken(None, Problem::request(message))
}

/// A frame that is a value already.
pub(super) fn of_value(value: &Value) -> Frame {
    let broken = |id: Option<Id>, message: &str| Frame::Broken(id, Problem::request(message));
    let Some(frame) = value.as_object() else { return broken(None, "Invalid request: a frame is an object") };
    let id = frame.get("id").and_then(Id::of);
    if frame.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return broken(id, "Invalid request: jsonrpc must be \"2.0\"");
    }
    let Some(method) = frame.get("method") else {
        let reply = frame.contains("result") || frame.contains("error");
        return if reply { Frame::Reply } else { broken(id, "Invalid request: it has no method") };
    };
    let Some(method) = method.as_str() else { return broken(id, "Invalid request: method must be text") };
    let params = frame.get("params").cloned().unwrap_or_default();
    if !matches!(params, Value::Null | Value::Object(_)) {
        return broken(id, "Invalid request: params must be an object");
    }
    let method = method.to_owned();
    match (frame.get("id"), id) {
        (None, _) => Frame::Notification { method, params },
        (Some(_), Some(id)) => Frame::Request { id, method, params },
        (Some(_), None) => broken(None, "Invalid request: id must be text or a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_apart() {
        let code = |text: &str| match read(text.as_bytes()) {
            Frame::Broken(id, problem) => (id.map(|id| id.json()), problem.code),
            other => panic!("{text} is {other:?}"),
        };
        assert_eq!(code("{"), (None, -32700));
        assert_eq!(code("1"), (None, -32600));
        assert_eq!(code(r#"{"id":7}"#), (Some("7".into()), -32600));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":"a","method":5}"#), (Some("\"a\"".into()), -32600));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), (None, -32600));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#), (Some("1".into()), -32600));
        assert!(matches!(read(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Frame::Reply));
        assert!(matches!(read(br#"{"jsonrpc":"2.0","method":"x"}"#), Frame::Notification { .. }));
        assert!(matches!(read(b"[]"), Frame::Batch(items) if items.is_empty()));
        assert_eq!(code(&" ".repeat(MAX_FRAME + 1)), (None, -32600));
        let big = r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}"#;
        let Frame::Request { id, .. } = read(big.as_bytes()) else { panic!("a large id is an id") };
        assert_eq!(id.json(), "123456789012345678901234567890");
    }
}
