//! An OpenAPI call as the HTTP request it stands for, each argument where its parameter lives.
use crate::toolfile::{HttpShape, Place};
use crate::value::{Map, Str, Value, canonical};
use std::fmt::Write as _;

/// The request: path parameters filled in, query, headers, body. Lists and objects are written as the default styles of
/// OpenAPI say: `simple` in path and headers, `form` exploded in the query.
pub(super) fn request(http: &HttpShape, arguments: &Value) -> String {
    let none = Map::new();
    let arguments = arguments.as_object().unwrap_or(&none);
    let place = |name: &str| {
        let declared = http.places.iter().find(|(n, _)| **n == *name).map(|(_, place)| *place);
        // An argument no parameter declares goes with the body, where there is one.
        declared.unwrap_or(if http.media.is_some() { Place::Body } else { Place::Query })
    };
    let at = |wanted: Place| arguments.named().filter(move |(name, _)| place(name) == wanted);
    let mut target = http.path.to_string();
    for (name, value) in at(Place::Path) {
        target = target.replace(&format!("{{{name}}}"), &simple(value, encoded));
    }
    let query: Vec<String> = at(Place::Query).flat_map(|(name, value)| form(name, value)).collect();
    if !query.is_empty() {
        let _ = write!(target, "{}{}", if target.contains('?') { '&' } else { '?' }, query.join("&"));
    }
    let mut out = format!("{} {target} HTTP/1.1\n", http.method);
    for (name, value) in at(Place::Header) {
        let _ = writeln!(out, "{}: {}", header(name), simple(value, header));
    }
    let body: Map = at(Place::Body).map(|(name, value)| (name.clone(), value.clone())).collect();
    if let Some(media) = http.media.as_ref().filter(|_| !body.is_empty()) {
        let _ = writeln!(out, "Content-Type: {}\n", header(media));
        if media.contains("x-www-form-urlencoded") {
            let fields: Vec<String> = body.named().flat_map(|(name, value)| form(name, value)).collect();
            out.push_str(&fields.join("&"));
        } else {
            out.push_str(&canonical::pretty(&Value::object(body), false));
        }
        out.push('\n');
    }
    out
}

/// The response: status line, type, the answer's text.
pub(super) fn response(status: u16, text: &str) -> String {
    let reason = match status {
        404 => "Not Found",
        409 => "Conflict",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "OK",
    };
    format!("HTTP/1.1 {status} {reason}\nContent-Type: application/json\n\n{text}\n")
}

/// A value in the `simple` style: lists joined by commas, objects as name and value in turn, each part written by
/// `write`.
fn simple(value: &Value, write: impl Fn(&str) -> String) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(|item| write(&scalar(item))).collect::<Vec<_>>().join(","),
        Value::Object(map) => {
            let pairs = map.named().map(|(name, member)| format!("{},{}", write(name), write(&scalar(member))));
            pairs.collect::<Vec<_>>().join(",")
        }
        other => write(&scalar(other)),
    }
}

/// A value as it stands inside a list or an object.
fn scalar(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        other => canonical::compact(other, true),
    }
}

/// A value in a query or a form: one pair for each item of a list and each member of an object.
fn form(name: &Str, value: &Value) -> Vec<String> {
    let pair = |name: &str, value: &str| format!("{}={}", encoded(name), encoded(value));
    match value {
        Value::Array(items) => items.iter().map(|item| pair(name, &scalar(item))).collect(),
        Value::Object(map) => map.named().map(|(member, v)| pair(member, &scalar(v))).collect(),
        Value::Null => vec![pair(name, "")],
        other => vec![pair(name, &scalar(other))],
    }
}

/// Percent-encoded: everything but letters, digits and `-._~`.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A header's name or value: printable ASCII, the rest percent-encoded, so that no value can end its line.
fn header(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == ' ' || c.is_ascii_graphic() {
            out.push(c);
        } else {
            out.push_str(&encoded(c.encode_utf8(&mut [0; 4])));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(method: &str, path: &str, media: Option<&str>, places: &[(&str, Place)]) -> HttpShape {
        HttpShape {
            method: method.into(),
            path: path.into(),
            places: places.iter().map(|(name, place)| ((*name).into(), *place)).collect(),
            media: media.map(Into::into),
        }
    }

    fn sent(http: &HttpShape, arguments: &str) -> String {
        request(http, &Value::parse_json(arguments).unwrap())
    }

    #[test]
    fn each_argument_goes_where_its_parameter_lives() {
        let http = shape(
            "POST",
            "/orders/{id}/items/{no}",
            Some("application/json"),
            &[
                ("id", Place::Path),
                ("no", Place::Path),
                ("tag", Place::Query),
                ("X-Trace", Place::Header),
                ("n", Place::Body),
            ],
        );
        let arguments = r#"{"id":"a/b é","no":7,"tag":["x y","&"],"X-Trace":"one\r\ntwo","n":1.0,"more":null}"#;
        assert_eq!(
            sent(&http, arguments),
            "POST /orders/a%2Fb%20%C3%A9/items/7?tag=x%20y&tag=%26 HTTP/1.1\nX-Trace: one%0D%0Atwo\n\
             Content-Type: application/json\n\n{\n  \"n\": 1.0,\n  \"more\": null\n}\n"
        );
    }

    #[test]
    fn lists_and_objects_take_the_default_styles() {
        let http = shape("GET", "/x/{p}", None, &[("p", Place::Path), ("q", Place::Query), ("H", Place::Header)]);
        let arguments = r#"{"p":["a","b,c"],"q":{"k":1,"l":"v"},"H":{"m":true},"free":false}"#;
        assert_eq!(sent(&http, arguments), "GET /x/a,b%2Cc?k=1&l=v&free=false HTTP/1.1\nH: m,true\n");
    }

    #[test]
    fn a_form_body_is_encoded_as_one() {
        let http = shape("PUT", "/x", Some("application/x-www-form-urlencoded"), &[("a", Place::Body)]);
        assert_eq!(
            sent(&http, r#"{"a":"1&2","b":[1,2]}"#),
            "PUT /x HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\na=1%262&b=1&b=2\n"
        );
    }
}
