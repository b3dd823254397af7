//! An OpenAPI call as the HTTP request it stands for, each argument where its parameter lives.
use crate::toolfile::{HttpShape, Place, Style, StyleForm};
use crate::value::{Map, Str, Value, canonical};
use std::fmt::Write as _;

/// The request: path parameters filled in, query, headers, body, each parameter written in its style.
pub(super) fn request(http: &HttpShape, arguments: &Value) -> String {
    let none = Map::new();
    let arguments = arguments.as_object().unwrap_or(&none);
    // An argument no parameter declares goes with the body, where there is one.
    let spare = if http.media.is_some() { Place::Body } else { Place::Query };
    let all: Vec<(&Str, &Value, Place, Style)> = arguments
        .named()
        .map(|(name, value)| match http.places.iter().find(|(declared, ..)| declared == name) {
            Some((_, place, style)) => (name, value, *place, *style),
            None => (name, value, spare, Style::of(spare)),
        })
        .collect();
    let at = |wanted: Place| all.iter().copied().filter(move |(.., place, _)| *place == wanted);
    let (host, base) = server(http.server.as_deref().unwrap_or_default());
    let mut target = http.path.to_string();
    for (name, value, _, style) in at(Place::Path) {
        target = target.replace(&format!("{{{name}}}"), &in_path(name, value, style));
    }
    target.insert_str(0, &base);
    let query: Vec<String> = at(Place::Query).flat_map(|(name, value, _, style)| pairs(name, value, style)).collect();
    if !query.is_empty() {
        let _ = write!(target, "{}{}", if target.contains('?') { '&' } else { '?' }, query.join("&"));
    }
    let mut out = format!("{} {target} HTTP/1.1\n", http.method);
    if let Some(host) = host {
        let _ = writeln!(out, "Host: {host}");
    }
    for (name, value, _, style) in at(Place::Header) {
        let value = if style.form == StyleForm::Json {
            header(&canonical::compact(value, true))
        } else {
            simple(value, style.explode, header)
        };
        let _ = writeln!(out, "{}: {value}", header(name));
    }
    let body: Map = at(Place::Body).map(|(name, value, ..)| (name.clone(), value.clone())).collect();
    if let Some(media) = http.media.as_ref().filter(|_| !body.is_empty()) {
        let _ = writeln!(out, "Content-Type: {}\n", header(media));
        if media.contains("x-www-form-urlencoded") {
            let fields = body.named().flat_map(|(name, value)| pairs(name, value, Style::of(Place::Body)));
            out.push_str(&fields.collect::<Vec<_>>().join("&"));
        } else {
            out.push_str(&canonical::pretty(&Value::object(body), false));
        }
        out.push('\n');
    }
    out
}

/// The host of a server's address, when it names one, and the path that stands before every other.
fn server(url: &str) -> (Option<String>, String) {
    let (host, path) = match url.split_once("://") {
        Some((_, rest)) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, url),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let path: String = path.split('/').map(encoded_segment).collect::<Vec<_>>().join("/");
    let path = if path.is_empty() || path.starts_with('/') { path } else { format!("/{path}") };
    (host.filter(|host| !host.is_empty()).map(header), path)
}

/// A segment of a server's own path: what is percent-encoded already stays.
fn encoded_segment(segment: &str) -> String {
    segment.split('%').map(encoded).collect::<Vec<_>>().join("%")
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

/// A value in the `simple` style: lists joined by commas, objects as name and value in turn or, exploded, as pairs; each
/// part written by `write`.
fn simple(value: &Value, explode: bool, write: impl Fn(&str) -> String) -> String {
    entries(value, explode, &write).join(",")
}

/// The entries of a list or of an object: its names and values in turn or, exploded, as pairs; anything else is the only
/// one.
fn entries(value: &Value, explode: bool, write: &impl Fn(&str) -> String) -> Vec<String> {
    match value {
        Value::Null => vec![String::new()],
        Value::Array(items) => items.iter().map(|item| write(&scalar(item))).collect(),
        Value::Object(map) if explode => {
            map.named().map(|(name, member)| format!("{}={}", write(name), write(&scalar(member)))).collect()
        }
        Value::Object(map) => map.named().flat_map(|(name, member)| [write(name), write(&scalar(member))]).collect(),
        other => vec![write(&scalar(other))],
    }
}

/// A value in the place of a path's parameter.
fn in_path(name: &str, value: &Value, style: Style) -> String {
    let name = encoded(name);
    match style.form {
        StyleForm::Json => encoded(&canonical::compact(value, true)),
        StyleForm::Label => {
            let parted = if style.explode { "." } else { "," };
            format!(".{}", entries(value, style.explode, &encoded).join(parted))
        }
        StyleForm::Matrix => match value {
            Value::Object(_) if style.explode => format!(";{}", entries(value, true, &encoded).join(";")),
            Value::Array(_) if style.explode => {
                entries(value, true, &encoded).iter().map(|entry| format!(";{name}={entry}")).collect()
            }
            _ => format!(";{name}={}", entries(value, false, &encoded).join(",")),
        },
        _ => simple(value, style.explode, encoded),
    }
}

/// A value as it stands inside a list or an object.
fn scalar(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        other => canonical::compact(other, true),
    }
}

/// A value in a query or a form, as pairs of a name and a value.
fn pairs(name: &Str, value: &Value, style: Style) -> Vec<String> {
    let pair = |name: &str, value: &str| format!("{}={}", encoded(name), encoded(value));
    let joined = |by: &str| vec![format!("{}={}", encoded(name), entries(value, false, &encoded).join(by))];
    match (value, style.form) {
        (_, StyleForm::Json) => vec![pair(name, &canonical::compact(value, true))],
        (Value::Object(map), StyleForm::DeepObject) => {
            map.named().map(|(member, v)| pair(&format!("{name}[{member}]"), &scalar(v))).collect()
        }
        (Value::Array(_) | Value::Object(_), StyleForm::Spaces) if !style.explode => joined("%20"),
        (Value::Array(_) | Value::Object(_), StyleForm::Pipes) if !style.explode => joined("%7C"),
        (Value::Array(_) | Value::Object(_), _) if !style.explode => joined(","),
        (Value::Array(items), _) => items.iter().map(|item| pair(name, &scalar(item))).collect(),
        (Value::Object(map), _) => map.named().map(|(member, v)| pair(member, &scalar(v))).collect(),
        (Value::Null, _) => vec![pair(name, "")],
        (other, _) => vec![pair(name, &scalar(other))],
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
            places: places.iter().map(|(name, place)| ((*name).into(), *place, Style::of(*place))).collect(),
            media: media.map(Into::into),
            server: None,
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
    #[test]
    fn every_style_is_written_as_openapi_says() {
        // The examples of the specification: a list of colours, an object of three.
        let list = r#"{"color":["blue","black","brown"]}"#;
        let object = r#"{"color":{"R":100,"G":200,"B":150}}"#;
        let said = |place, style: &str, explode: bool, arguments: &str| {
            let mut http = shape("GET", "/x{color}", None, &[]);
            http.places = vec![("color".into(), place, Style::named(place, Some(style), Some(explode)))];
            let text = sent(&http, arguments);
            let (line, rest) = text.split_once(" HTTP/1.1\n").unwrap();
            let line = line.strip_prefix("GET /x").unwrap();
            if place == Place::Header { rest.trim_end().to_owned() } else { line.replace("{color}?", "") }
        };
        for (place, style, explode, a, b) in [
            (Place::Path, "simple", false, "blue,black,brown", "R,100,G,200,B,150"),
            (Place::Path, "simple", true, "blue,black,brown", "R=100,G=200,B=150"),
            (Place::Path, "label", false, ".blue,black,brown", ".R,100,G,200,B,150"),
            (Place::Path, "label", true, ".blue.black.brown", ".R=100.G=200.B=150"),
            (Place::Path, "matrix", false, ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
            (Place::Path, "matrix", true, ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
            (Place::Query, "form", false, "color=blue,black,brown", "color=R,100,G,200,B,150"),
            (Place::Query, "form", true, "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
            (Place::Query, "spaceDelimited", false, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
            (Place::Query, "pipeDelimited", false, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
            (
                Place::Query,
                "deepObject",
                true,
                "color=blue&color=black&color=brown",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
            ),
            (Place::Header, "simple", false, "color: blue,black,brown", "color: R,100,G,200,B,150"),
            (Place::Header, "simple", true, "color: blue,black,brown", "color: R=100,G=200,B=150"),
        ] {
            assert_eq!(said(place, style, explode, list), a, "{place:?} {style} {explode}");
            assert_eq!(said(place, style, explode, object), b, "{place:?} {style} {explode}");
        }
        let mut http = shape("GET", "/x", None, &[]);
        http.places = vec![("q".into(), Place::Query, Style { form: StyleForm::Json, explode: false })];
        assert_eq!(sent(&http, r#"{"q":{"a":[1]}}"#), "GET /x?q=%7B%22a%22%3A%5B1%5D%7D HTTP/1.1\n");
    }

    #[test]
    fn the_server_gives_the_host_and_what_stands_before_the_path() {
        let mut http = shape("GET", "/x", None, &[]);
        for (url, target) in [
            ("https://api.example:8443/v1/", "GET /v1/x HTTP/1.1\nHost: api.example:8443\n"),
            ("https://api.example", "GET /x HTTP/1.1\nHost: api.example\n"),
            ("/base path/%2Fa", "GET /base%20path/%2Fa/x HTTP/1.1\n"),
            ("v2?x#y", "GET /v2/x HTTP/1.1\n"),
            ("http://a\r\nEvil: b/c", "GET /c/x HTTP/1.1\nHost: a%0D%0AEvil: b\n"),
            ("", "GET /x HTTP/1.1\n"),
        ] {
            http.server = Some(url.into());
            assert_eq!(sent(&http, "{}"), target, "{url}");
        }
    }
}
