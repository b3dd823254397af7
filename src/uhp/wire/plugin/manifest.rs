//! `plugin.json`: what makes a package a package, and what of it is only skipped.

use super::package::Package;
use super::{PLUGIN_SCHEMA, Skipped, is_name};
use crate::uhp::wire::{Fields, Json};

/// Why a manifest refuses its package.
#[derive(Debug)]
pub(super) enum Fault {
    /// It names another schema.
    Schema(String),
    /// It is not a manifest.
    Invalid {
        /// Where.
        path: String,
        /// One sentence.
        reason: String,
    },
}

fn invalid<T>(path: &str, reason: &str) -> Result<T, Fault> {
    Err(Fault::Invalid { path: path.to_owned(), reason: reason.to_owned() })
}

/// Reads `plugin.json`. Unknown fields and an `extensions` other than an object are skipped; anything else wrong refuses
/// the package.
pub(super) fn read(package: &Package<'_>) -> Result<(Fields, Vec<Skipped>), Fault> {
    let Some(bytes) = package.bytes("plugin.json") else {
        return invalid("plugin.json", "there is no plugin.json at the package's root.");
    };
    let Ok(Json::Object(manifest)) = serde_json::from_slice::<Json>(strip_bom(&bytes)) else {
        return invalid("plugin.json", "plugin.json is not a JSON object.");
    };
    match manifest.get("$schema") {
        Some(Json::String(schema)) if schema == PLUGIN_SCHEMA => {}
        Some(Json::String(other)) => return Err(Fault::Schema(other.clone())),
        _ => return invalid("plugin.json#/$schema", "the manifest names no schema."),
    }
    if !manifest.get("name").and_then(Json::as_str).is_some_and(is_name) {
        return invalid(
            "plugin.json#/name",
            "the name must be 1 to 64 of a-z, 0-9, dot and hyphen, none doubled, a letter or digit at both ends.",
        );
    }
    let mut skipped = Vec::new();
    for (key, value) in &manifest {
        let at = format!("plugin.json#/{}", pointer(key));
        match key.as_str() {
            "$schema" | "name" => {}
            "version" | "description" | "homepage" | "repository" | "license" => {
                if !value.is_string() {
                    return invalid(&at, "this field must be text.");
                }
            }
            "keywords" => {
                if !value.as_array().is_some_and(|list| list.iter().all(Json::is_string)) {
                    return invalid(&at, "the keywords must be a list of text.");
                }
            }
            "author" => {
                let known = |(k, v): (&String, &Json)| matches!(k.as_str(), "name" | "email" | "url") && v.is_string();
                if !value.as_object().is_some_and(|map| map.iter().all(known)) {
                    return invalid(&at, "the author must be an object of name, email and url as text.");
                }
            }
            "extensions" => match value.as_object() {
                None => skipped.push(Skipped::new(at, "The extensions are not an object.")),
                Some(map) => {
                    if let Some((namespace, _)) = map.iter().find(|(_, v)| !v.is_object()) {
                        let at = format!("{at}/{}", pointer(namespace));
                        return invalid(&at, "an extension's data must be an object.");
                    }
                }
            },
            _ => skipped.push(Skipped::new(at, "The manifest's schema does not know this field.")),
        }
    }
    Ok((manifest, skipped))
}

/// A key as one part of a JSON pointer.
pub(super) fn pointer(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The bytes without a UTF-8 byte order mark.
pub(super) fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
