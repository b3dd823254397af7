//! The canonical texts of values (skeleton; the owner of `value` fills it in).
use super::{Document, Value};

/// Why a contract hash is refused, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct HashRefusal {
    /// JSON pointer of the place; empty for the top.
    pub at: String,
    /// The kind of value met there: "NaN", "an infinity", "binary data", "two keys that become one", ...
    pub what: String,
}

/// The contract text of rules 2.2 (raw UTF-8, sorted keys), or the first place that has none.
pub fn contract_text(_doc: &Document) -> Result<String, HashRefusal> {
    todo!()
}

/// SHA-256 of the contract text, lower-case hex, without building the whole text.
pub fn contract_hash(_doc: &Document) -> Result<String, HashRefusal> {
    todo!()
}

/// The call text of rules 4.8 (JSONc): sorted keys, ASCII escapes, U+007F escaped. NaN and infinities are bare words.
pub fn call_text(_value: &Value) -> String {
    todo!()
}

/// Compact JSON in the value's own key order; ASCII-escaped when `ascii`. Separators `,` and `:`.
pub fn compact(_value: &Value, _ascii: bool) -> String {
    todo!()
}

/// JSON with separators `, ` and `: ` and ASCII escapes, in key order: how requests show values (rules 5.8).
pub fn spaced(_value: &Value) -> String {
    todo!()
}

/// Indented JSON (2 spaces) in key order, UTF-8 raw, for people and `--json`; keys sorted when `sorted`.
pub fn pretty(_value: &Value, _sorted: bool) -> String {
    todo!()
}
