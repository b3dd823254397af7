//! Request bodies: which media type's schema gives the arguments.
use super::super::found::{Problem, not_object};
use super::super::names::{brief, key_text};
use super::{Parts, follow, key_step, media};
use crate::schema::{self, RefusalKind};
use crate::value::{Key, Str, Value};

/// A body whose schema describes an object.
pub(super) struct Body {
    /// Inlined.
    pub(super) schema: Value,
    /// The media type as written.
    pub(super) media: Str,
}

/// The body of an operation; `None` when it has none.
pub(super) fn read(parts: &mut Parts<'_>) -> Result<Option<Body>, Problem> {
    let Some(given) = parts.operation.get("requestBody") else { return Ok(None) };
    let at = format!("{}/requestBody", parts.at);
    let followed = follow(given, parts.document, "its request body", &at)?;
    let Some(content) = followed.get("content").and_then(Value::as_object).filter(|content| !content.is_empty()) else {
        return Ok(None);
    };
    let at = format!("{at}/content");
    let mut inlined = |key: &Key, entry: &Value| {
        let at = format!("{}/schema", key_step(&at, key));
        let schema = parts.inliner.inline(entry.get("schema").unwrap_or(&Value::Null));
        schema.map(|schema| (schema, at.clone())).map_err(|error| Problem::schema("the schema of its body", &at, error))
    };
    if let Some((key, entry)) = content.iter().find(|(key, _)| media::is_json(&media::bare(key))) {
        let (schema, at) = inlined(key, entry)?;
        if !schema::is_object_schema(&schema) {
            return Err(not_object("the schema of its body", &at, &schema));
        }
        return Ok(Some(Body { schema, media: key_text(key) }));
    }
    let mut files = Vec::new();
    for (key, entry) in content.iter() {
        if media::is_file_or_stream(&media::bare(key)) {
            files.push(key_text(key));
            continue;
        }
        let (schema, _) = inlined(key, entry)?;
        if schema::is_object_schema(&schema) {
            return Ok(Some(Body { schema, media: key_text(key) }));
        }
    }
    match files.first() {
        Some(file) => {
            let reason = format!("its body is a file or a stream, {} ({at})", brief(file));
            Err(Problem::new(RefusalKind::Binary, reason))
        }
        None => {
            Err(Problem::new(RefusalKind::NotObject, format!("no media type of its body describes an object ({at})")))
        }
    }
}
