//! Bytes to values (skeleton; the owner of `value` fills it in).
use super::Value;

/// What the bytes were read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON as Python reads bytes (rules 2.3).
    Json,
    /// YAML 1.1 (rules 2.5).
    Yaml,
}

/// A parsed document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its value.
    pub root: Value,
    /// The grammar that took it.
    pub syntax: Syntax,
    /// JSON pointer of the first lone surrogate, when there is one; the contract hash is refused there.
    pub surrogate: Option<String>,
}

/// Why bytes are no document: one line, with the place.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadError {
    /// One line: what is wrong and where.
    pub message: String,
    /// Line and column (from 1) in the decoded text, when known.
    pub at: Option<(usize, usize)>,
}

/// Reads bytes as JSON, on any failure as YAML 1.1, as rules 1.2 says.
pub fn read(_bytes: &[u8]) -> Result<Document, ReadError> {
    todo!()
}
