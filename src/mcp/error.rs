//! JSON-RPC errors, and the HTTP status each goes with.

use crate::value::{Map, Value, canonical};

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The code.
    pub code: i64,
    /// One line for whoever reads the client's log.
    pub message: String,
    /// More, for a program.
    pub data: Option<Value>,
}

impl Problem {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
    /// The bytes are not JSON.
    pub fn parse(message: impl Into<String>) -> Self {
        Self::new(-32700, message)
    }
    /// The JSON is not a request.
    pub fn request(message: impl Into<String>) -> Self {
        Self::new(-32600, message)
    }
    /// There is no such method.
    pub fn method(method: &str) -> Self {
        Self::new(-32601, format!("Method not found: {}", crate::text::cut(method, 80)))
    }
    /// The parameters do not fit.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }
    /// This side failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(-32603, message)
    }
    /// The episode cannot be reached or refuses this caller.
    pub fn unreachable(message: impl Into<String>) -> Self {
        Self::new(-32000, message)
    }
    /// A header says something else than the body.
    pub(super) fn header(message: impl Into<String>) -> Self {
        Self::new(-32020, message)
    }
    /// A version that is not served.
    pub(super) fn version(requested: &str) -> Self {
        let supported = vec![super::Version::V2026_07_28.word()];
        let data = Map::from([("supported", Value::from(supported)), ("requested", Value::from(requested))]);
        Self { data: Some(data.into()), ..Self::new(-32022, "Unsupported protocol version") }
    }

    /// The HTTP status of an answer that carries it.
    pub fn status(&self, modern: bool) -> u16 {
        match self.code {
            -32700 | -32600 | -32020 | -32022 => 400,
            -32602 if modern => 400,
            -32601 if modern => 404,
            _ => 200,
        }
    }

    /// The error object as JSON.
    pub fn json(&self) -> String {
        let mut map = Map::from([("code", Value::Int(self.code)), ("message", Value::from(&self.message))]);
        if let Some(data) = &self.data {
            map.insert("data", data.clone());
        }
        canonical::compact(&map.into(), false)
    }
}
