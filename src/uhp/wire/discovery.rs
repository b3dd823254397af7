//! The discovery document: versions, capabilities, and the class they amount to.

use super::plugin::PLUGIN_SCHEMA;
use super::{Json, version};
use serde_json::json;

/// A capability and whether this server has it. Every name of the protocol is written out, also when false.
pub const CAPABILITIES: [(&str, bool); 10] = [
    ("streaming", true),
    ("sessions", true),
    ("cancellation", true),
    ("files_input", true),
    ("files_output", true),
    ("session_listing", true),
    ("harness_management", true),
    ("session_sharing", true),
    ("idempotency", true),
    ("plugins", true),
];

/// The class that a set of capabilities amounts to: `full`, `extended`, `core`, or `None` when not even core.
pub fn class(has: impl Fn(&str) -> bool) -> Option<&'static str> {
    let all = |names: &[&str]| names.iter().all(|n| has(n));
    if !all(&["streaming", "sessions", "cancellation"]) {
        None
    } else if !all(&["files_input", "files_output", "session_listing"]) {
        Some("core")
    } else if !has("harness_management") {
        Some("extended")
    } else {
        Some("full")
    }
}

/// This server's document. It says nothing about the caller.
pub fn document() -> Json {
    let has = |name: &str| CAPABILITIES.iter().any(|(n, on)| *n == name && *on);
    let capabilities: super::Fields = CAPABILITIES.iter().map(|(n, on)| ((*n).to_owned(), json!(on))).collect();
    json!({
        "object": "uhp.discovery",
        "protocol": "uhp",
        "versions": version::SUPPORTED,
        "default_version": version::DEFAULT,
        "conformance_class": class(has).unwrap_or("core"),
        "capabilities": capabilities,
        "plugin_schemas": [PLUGIN_SCHEMA],
        "implementation": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_follows_from_the_flags() {
        let core = ["streaming", "sessions", "cancellation"];
        assert_eq!(class(|n| core.contains(&n)), Some("core"));
        assert_eq!(class(|n| n != "harness_management"), Some("extended"));
        assert_eq!(class(|n| n != "files_output"), Some("core"));
        assert_eq!(class(|n| n != "plugins"), Some("full"));
        assert_eq!(class(|n| n != "streaming"), None);
    }

    #[test]
    fn the_document_names_every_capability_and_a_spoken_default() {
        let doc = document();
        assert_eq!(doc["conformance_class"], "full");
        assert_eq!(doc["capabilities"].as_object().unwrap().len(), CAPABILITIES.len());
        assert!(doc["versions"].as_array().unwrap().contains(&doc["default_version"]));
        assert_eq!(doc["plugin_schemas"], json!([PLUGIN_SCHEMA]));
    }
}
