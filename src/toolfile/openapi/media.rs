//! Media types: which are JSON, which are files or streams.
use super::super::names::key_text;
use crate::value::Key;

/// The bare media type: cut at `;`, trimmed, lower-cased.
pub(super) fn bare(key: &Key) -> String {
    let text = key_text(key);
    // what Python trims: besides white space the four separators of ASCII
    let blank = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    text.split(';').next().unwrap_or_default().trim_matches(blank).to_lowercase()
}

/// `application/json` and all that end in `/json` or `+json`.
pub(super) fn is_json(bare: &str) -> bool {
    bare.ends_with("/json") || bare.ends_with("+json")
}

/// Files and streams, which no JSON arguments can stand for.
pub(super) fn is_file_or_stream(bare: &str) -> bool {
    bare == "application/octet-stream" || bare == "text/event-stream" || bare.starts_with("multipart/")
}
