//! File objects, the media type and the disposition a download is served with.

use serde::{Deserialize, Serialize};

/// A file: an upload, or an artifact in a session's container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// `file_...`
    pub id: String,
    /// Always `file`.
    pub object: String,
    /// `cntr_...`; an upload has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub container_id: Option<String>,
    /// Its name; in a container, its path.
    pub filename: String,
    /// Full length.
    pub bytes: u64,
    /// Unix seconds.
    pub created_at: u64,
    /// What an upload said it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub purpose: Option<String>,
}

/// The media type a file is served with, by the ending of its name. Nothing is sniffed; what a browser would run is
/// kept apart by `nosniff` and by being served as an attachment.
pub fn media_type(filename: &str) -> &'static str {
    let ending = filename.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "txt" | "log" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" => "application/json",
        "jsonl" => "application/x-ndjson",
        "yaml" | "yml" => "application/yaml",
        "html" | "htm" => "text/html; charset=utf-8",
        "xml" => "application/xml",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// `attachment` with the file's name: once in ASCII for old clients, once as it is.
pub fn disposition(filename: &str) -> String {
    let name = filename.rsplit('/').next().unwrap_or(filename);
    let ascii: String = name
        .chars()
        .map(|c| if c.is_ascii() && !c.is_ascii_control() && !matches!(c, '"' | '\\') { c } else { '_' })
        .collect();
    let mut whole = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            whole.push(byte as char);
        } else {
            whole.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{whole}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_go_by_the_ending() {
        assert_eq!(media_type("a.TXT"), "text/plain; charset=utf-8");
        assert_eq!(media_type("episode.json"), "application/json");
        assert_eq!(media_type("noending"), "application/octet-stream");
        assert_eq!(media_type("x.exe"), "application/octet-stream");
    }

    #[test]
    fn names_cannot_break_the_header() {
        assert_eq!(disposition("d/a.txt"), "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt");
        assert_eq!(disposition("é\"\r\n"), "attachment; filename=\"____\"; filename*=UTF-8''%C3%A9%22%0D%0A");
    }
}
