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
    /// JSON pointer of the schema.
    pub(super) at: String,
}

/// The body of an operation; `None` when it has none.
pub(super) fn read(parts: &mut Parts<'_>) -> Result<Option<Body>, Problem> {
    let Some(given) = parts.operation.get("requestBody") else { return Ok(None) };
    let at = format!("{}/requestBody", parts.at);
    let followed = follow(given, parts.document, "request body", &at)?;
    let Some(content) = followed.get("content").and_then(Value::as_object).filter(|content| !content.is_empty()) else {
        return Ok(None);
    };
    let at = format!("{at}/content");
    let mut inlined = |key: &Key, entry: &Value| {
        let at = format!("{}/schema", key_step(&at, key));
        let schema = parts.inliner.inline(entry.get("schema").unwrap_or(&Value::Null));
        schema.map(|schema| (schema, at.clone())).map_err(|error| Problem::schema("body schema", &at, error))
    };
    if let Some((key, entry)) = content.iter().find(|(key, _)| media::is_json(&media::bare(key))) {
        let (schema, at) = inlined(key, entry)?;
        if !schema::is_object_schema(&schema) {
            return Err(not_object("body schema", &at, &schema));
        }
        return Ok(Some(Body { schema, media: key_text(key), at }));
    }
    let mut files = Vec::new();
    for (key, entry) in content.iter() {
        if media::is_file_or_stream(&media::bare(key)) {
            files.push(key_text(key));
            continue;
        }
        let (schema, at) = inlined(key, entry)?;
        if schema::is_object_schema(&schema) {
            return Ok(Some(Body { schema, media: key_text(key), at }));
        }
    }
    match files.first() {
        Some(file) => {
            let reason = format!("its body is a file or a stream: {} ({at})", brief(file));
            Err(Problem::new(RefusalKind::Binary, reason, "Add a JSON body that describes the same fields.").at(&at))
        }
        None => {
            let reason = format!("no media type of its body describes an object ({at})");
            Err(Problem::new(RefusalKind::NotObject, reason, "Add a JSON body whose schema is an object.").at(&at))
        }
    }
}
