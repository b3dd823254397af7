//! `Mcp-Param-*` headers: an argument that its schema marks with `x-mcp-header` is repeated in a header, and the two must
//! agree (version 2026-07-28, HTTP only).

use super::error::Problem;
use super::modern::{Headers, decoded};
use crate::value::{Str, Value};

const MARK: &str = "x-mcp-header";

/// Checks a call's headers against its arguments. A schema whose marks are not as they must be checks nothing: clients drop
/// such a tool's marks.
pub(super) fn check(schema: &Value, arguments: &Value, headers: &Headers) -> Result<(), Problem> {
    let mut marks = Vec::new();
    if !collect(schema, &mut Vec::new(), &mut marks, 0) {
        return Ok(());
    }
    for (path, token, kind) in marks {
        let name = format!("Mcp-Param-{token}");
        let argument = path.join(".");
        let sent = match headers.all(&name).as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            _ => return Err(Problem::header(format!("{name} header appears more than once"))),
        };
        let value = path.iter().try_fold(arguments, |at, key| at.get(key)).filter(|value| !value.is_null());
        let written = value.and_then(text_of);
        match (sent, written) {
            (None, None) => {}
            (Some(_), None) => {
                return Err(Problem::header(format!("{name} header is sent without the argument {argument}")));
            }
            (None, Some(_)) => {
                return Err(Problem::header(format!("{name} header is missing for the argument {argument}")));
            }
            (Some(sent), Some(written)) => {
                let sent = decoded(&sent).ok_or_else(|| Problem::header(format!("{name} header is not base64")))?;
                if !agree(&sent, &written, value, kind.as_deref()) {
                    return Err(Problem::header(format!("{name} header is not the argument {argument}")));
                }
            }
        }
    }
    Ok(())
}

type Marked = (Vec<Str>, Str, Option<Str>);

/// Collects the marks along `properties`; false for a schema that marks something wrongly.
fn collect(schema: &Value, path: &mut Vec<Str>, marks: &mut Vec<Marked>, depth: usize) -> bool {
    if let Some(mark) = schema.get(MARK) {
        let kind = schema.get("type").and_then(Value::as_str);
        let token = mark.as_str().filter(|token| is_token(token));
        let (Some(token), Some("string" | "integer" | "boolean")) = (token, kind) else { return false };
        if path.is_empty() || marks.iter().any(|(_, other, _)| other.eq_ignore_ascii_case(token)) {
            return false;
        }
        marks.push((path.clone(), token.into(), kind.map(Str::from)));
    }
    if depth > 32 {
        return true;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|map| map.named()).all(|(name, inner)| {
        path.push(name.clone());
        let fine = collect(inner, path, marks, depth + 1);
        path.pop();
        fine
    })
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.to_string()),
        Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
            Some(crate::value::canonical::compact(value, true))
        }
        _ => None,
    }
}

/// Whether a header says what the argument says; whole numbers are compared as numbers.
fn agree(sent: &str, written: &str, value: Option<&Value>, kind: Option<&str>) -> bool {
    let whole = |text: &str| -> Option<String> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let fine = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (fine && fraction.bytes().all(|b| b == b'0')).then(|| whole.to_owned())
    };
    if kind == Some("integer") && value.is_some_and(Value::is_number) {
        return whole(sent).is_some_and(|sent| whole(written) == Some(sent));
    }
    sent == written
}
