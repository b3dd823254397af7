//! Media types: which are JSON, which are files or streams.
use super::super::names::key_text;
use crate::value::Key;

/// The bare media type: cut at `;`, trimmed, lower-cased.
pub(super) fn bare(key: &Key) -> String {
    let text = key_text(key);
    text.split(';').next().unwrap_or_default().trim().to_lowercase()
}

/// `application/json` and all that end in `/json` or `+json`.
pub(super) fn is_json(bare: &str) -> bool {
    bare.ends_with("/json") || bare.ends_with("+json")
}

/// Files and streams, which no JSON arguments can stand for.
pub(super) fn is_file_or_stream(bare: &str) -> bool {
    bare == "application/octet-stream" || bare == "text/event-stream" || bare.starts_with("multipart/")
}
