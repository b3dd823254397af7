//! Writing values as JSON text in one of several layouts.

use super::scan::{ascii_end, plain_end};
use super::{Key, Map, Odd, Value, number};

/// A layout of JSON text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) comma: &'static str,
    pub(super) colon: &'static str,
    /// Everything but printable ASCII is escaped, U+007F too.
    pub(super) ascii: bool,
    /// Keys by code point instead of in their own order.
    pub(super) sorted: bool,
    /// Spaces a level, one item a line.
    pub(super) indent: Option<usize>,
    /// NaN and infinities as bare words instead of as text.
    pub(super) words: bool,
}

impl Style {
    pub(super) const COMPACT: Style =
        Style { comma: ",", colon: ":", ascii: false, sorted: false, indent: None, words: true };
    pub(super) const CALL: Style = Style { ascii: true, sorted: true, ..Style::COMPACT };
}

/// A value's text.
pub(super) fn text(value: &Value, style: Style) -> String {
    let mut out = String::with_capacity(128);
    push(&mut out, value, style, 0);
    out
}

/// Appends the text of a value at this depth.
pub(super) fn push(out: &mut String, value: &Value, style: Style, level: usize) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                separate(out, style, i == 0, level + 1);
                push(out, item, style, level + 1);
            }
            close(out, style, items.is_empty(), level);
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            if style.sorted && !is_sorted(map) {
                let mut entries: Vec<_> = map.iter().map(|(key, value)| (name(key), value)).collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                for (i, (name, value)) in entries.iter().enumerate() {
                    push_entry(out, name, value, style, i == 0, level + 1);
                }
            } else {
                for (i, (key, value)) in map.iter().enumerate() {
                    push_entry(out, &name(key), value, style, i == 0, level + 1);
                }
            }
            close(out, style, map.is_empty(), level);
            out.push('}');
        }
        Value::Float(f) if !f.is_finite() && !style.words => push_string(out, &number::float_text(*f), style.ascii),
        scalar => push_scalar(out, scalar, style.ascii),
    }
}

fn push_entry(out: &mut String, name: &str, value: &Value, style: Style, first: bool, level: usize) {
    separate(out, style, first, level);
    push_string(out, name, style.ascii);
    out.push_str(style.colon);
    push(out, value, style, level);
}

/// Whether every key is text and above the one before it.
fn is_sorted(map: &Map) -> bool {
    let names = map.iter().map(|(key, _)| key.text());
    map.all_text() && names.is_sorted()
}

/// A key as text; where JSON's model has none, words for what it is.
pub(super) fn name(key: &Key) -> std::borrow::Cow<'_, str> {
    key.json_text().unwrap_or_else(|| match key {
        Key::Other(value) => match &**value {
            Value::Float(f) => number::float_text(*f).into(),
            other => format!("({})", other.kind()).into(),
        },
        Key::Text(text) => (&**text).into(),
    })
}

fn separate(out: &mut String, style: Style, first: bool, level: usize) {
    if !first {
        out.push_str(style.comma);
    }
    new_line(out, style, level);
}

fn close(out: &mut String, style: Style, empty: bool, level: usize) {
    if !empty {
        new_line(out, style, level);
    }
}

fn new_line(out: &mut String, style: Style, level: usize) {
    if let Some(indent) = style.indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent * level));
    }
}

/// Appends a scalar; what JSON cannot say is text in round brackets.
pub(super) fn push_scalar(out: &mut String, value: &Value, ascii: bool) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(n) => number::push_integer(out, *n),
        Value::BigInt(n) => number::push_big(out, n),
        Value::Float(f) => number::push_float(out, *f),
        Value::Str(text) => push_string(out, text, ascii),
        Value::Array(_) | Value::Object(_) => {}
        Value::Odd(odd) => push_string(out, &odd_text(odd), ascii),
    }
}

/// A date's ISO text; words for anything else that JSON cannot say.
pub(super) fn odd_text(odd: &Odd) -> std::borrow::Cow<'_, str> {
    match odd {
        Odd::Time(iso) => (&**iso).into(),
        other => format!("({})", other.kind()).into(),
    }
}

/// Appends a text in double quotes. Only `"`, `\` and controls below U+0020 are escaped, or, when `ascii`, also U+007F
/// and everything above.
pub(super) fn push_string(out: &mut String, text: &str, ascii: bool) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let end = if ascii { ascii_end(bytes, from) } else { plain_end(bytes, from) };
        out.push_str(&text[from..end]);
        let Some(c) = text[end..].chars().next() else { break };
        push_escape(out, c);
        from = end + c.len_utf8();
    }
    out.push('"');
}

fn push_escape(out: &mut String, c: char) {
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{c}' => "\\f",
        '\r' => "\\r",
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str("\\u");
                for shift in [12, 8, 4, 0] {
                    out.extend(char::from_digit(u32::from(*unit >> shift & 15), 16));
                }
            }
            return;
        }
    };
    out.push_str(short);
}
