//! Responses: which one's schema is the output schema.
use super::super::found::Problem;
use super::super::names::key_text;
use super::{Parts, follow, key_step, media};
use crate::schema::decimal_digit;
use crate::value::Value;

/// The schema, not yet inlined, of the first response of success that has a JSON one, and its JSON pointer.
pub(super) fn read(parts: &Parts<'_>) -> Result<Option<(Value, String)>, Problem> {
    let Some(responses) = parts.operation.get("responses").and_then(Value::as_object) else { return Ok(None) };
    for (key, given) in responses.iter().filter(|(key, _)| is_success(&key_text(key))) {
        let at = key_step(&format!("{}/responses", parts.at), key);
        let followed = follow(given, parts.document, "response", &at)?;
        let content = followed.get("content").and_then(Value::as_object);
        let json =
            content.iter().flat_map(|content| content.iter()).filter(|(key, _)| media::is_json(&media::bare(key)));
        for (key, entry) in json {
            if let Some(schema) = entry.get("schema") {
                let at = format!("{}/schema", key_step(&format!("{at}/content"), key));
                // a schema that is null says nothing: the tool has no output schema, and no later response is asked
                return Ok((!schema.is_null()).then(|| (schema.clone(), at)));
            }
        }
    }
    Ok(None)
}

/// Whether a response code is `2` and two decimal digits of any script, or `2XX` in any case.
fn is_success(code: &str) -> bool {
    let Some(rest) = code.strip_prefix('2') else { return false };
    rest.eq_ignore_ascii_case("XX") || rest.chars().count() == 2 && rest.chars().all(|c| decimal_digit(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::is_success;

    #[test]
    fn success_codes() {
        for code in ["200", "201", "299", "2XX", "2xx", "2Xx", "2\u{660}\u{661}", "20\u{ff10}"] {
            assert!(is_success(code), "{code}");
        }
        for code in ["", "2", "20", "2000", "default", "2X0", "20X", "100", "XX2", "2\u{bd}\u{bd}", "\u{662}00", "200 "]
        {
            assert!(!is_success(code), "{code}");
        }
    }
}
