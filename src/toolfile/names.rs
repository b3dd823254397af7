//! Legal names (rules 1.8), and the text of a value that stands where text was meant.
use crate::value::canonical::hex;

use crate::value::{Key, Odd, Str, Value, float_text};
use sha2::{Digest, Sha256};

/// Longest legal name, in characters.
const LONGEST: usize = 64;
/// How much of a name that is too long is kept before its suffix.
const KEPT: usize = 55;
/// Where the text of a value that is not text is cut, in bytes: it is only shown.
const TEXT_LIMIT: usize = 2_000;

/// The legal name for `original`: each character outside `A-Z a-z 0-9 _ -` becomes `_`; beyond 64 characters the first
/// 55 stay, followed by `_` and the first 8 hex digits of the original's SHA-256.
pub fn rename(original: &str) -> String {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = original.chars().map(|c| if legal(c) { c } else { '_' }).collect();
    if name.len() <= LONGEST {
        return name;
    }
    let digest = hex(&Sha256::digest(original.as_bytes()));
    format!("{}_{}", &name[..KEPT], &digest[..8])
}

/// The text with each line break, of any kind, as one space.
pub(super) fn one_line(text: &str) -> String {
    if !text.contains(is_break) {
        return text.to_owned();
    }
    text.replace("\r\n", " ").replace(is_break, " ")
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A name in a sentence: whole when it is short.
pub(super) fn brief(name: &str) -> std::borrow::Cow<'_, str> {
    crate::text::cut(name, 80)
}

/// A mapping's key as text: what a path, a response code or a media type reads as when YAML made it a number.
pub(super) fn key_text(key: &Key) -> Str {
    match key {
        Key::Text(text) => text.clone(),
        Key::Other(value) => Str::from(text_of(value)),
    }
}

/// A value as text, the way Python's `str` writes it: how the reference names what is not text (`True`, `['x']`).
pub(super) fn text_of(value: &Value) -> String {
    if let Value::Str(text) = value {
        return text.to_string();
    }
    let mut out = String::new();
    write_repr(value, &mut out);
    if out.len() > TEXT_LIMIT {
        let end = (0..=TEXT_LIMIT).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0);
        out.truncate(end);
        out.push('…');
    }
    out
}

/// Writes until [`TEXT_LIMIT`] is passed; shared values may repeat without bound, the text may not.
fn write_repr(value: &Value, out: &mut String) {
    if out.len() > TEXT_LIMIT {
        return;
    }
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::BigInt(n) => out.push_str(&n.to_string()),
        Value::Float(f) if f.is_nan() => out.push_str("nan"),
        Value::Float(f) if f.is_infinite() => out.push_str(if *f > 0.0 { "inf" } else { "-inf" }),
        Value::Float(f) => out.push_str(&float_text(*f)),
        Value::Str(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_repr(item, out);
                if out.len() > TEXT_LIMIT {
                    return;
                }
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                match key {
                    Key::Text(text) => quote(text, out),
                    Key::Other(value) => write_repr(value, out),
                }
                out.push_str(": ");
                write_repr(item, out);
                if out.len() > TEXT_LIMIT {
                    return;
                }
            }
            out.push('}');
        }
        Value::Odd(odd) => match &**odd {
            Odd::Time(text) => out.push_str(text),
            Odd::Binary | Odd::Set | Odd::Pairs | Odd::Cycle => out.push_str(value.kind()),
        },
    }
}

/// Quoted as Python quotes: single quotes unless the text holds those and no double ones.
fn quote(text: &str, out: &mut String) {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == mark => out.extend(['\\', c]),
            c if c < ' ' || ('\u{7f}'..='\u{a0}').contains(&c) || c == '\u{ad}' => {
                out.push_str(&format!("\\x{:02x}", u32::from(c)));
            }
            c => out.push(c),
        }
        if out.len() > TEXT_LIMIT {
            return;
        }
    }
    out.push(mark);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_short() {
        assert_eq!(rename("tray count/é"), "tray_count__");
        assert_eq!(rename(&"a".repeat(64)), "a".repeat(64));
        assert_eq!(rename(&"a".repeat(65)), format!("{}_635361c4", "a".repeat(55)));
        assert_eq!(rename(""), "");
    }

    #[test]
    fn what_is_no_text_reads_as_the_reference_writes_it() {
        let list = Value::array(vec![Value::str("x"), Value::Bool(true), Value::Null, Value::str("it's")]);
        assert_eq!(text_of(&list), "['x', True, None, \"it's\"]");
        assert_eq!(text_of(&Value::Int(7)), "7");
        assert_eq!(text_of(&Value::str("a'b")), "a'b");
        assert_eq!(text_of(&Value::object(crate::value::Map::from([("k", 1i64)]))), "{'k': 1}");
    }

    #[test]
    fn a_value_that_repeats_itself_is_cut() {
        let mut value = Value::str("x");
        for _ in 0..60 {
            value = Value::array(vec![value.clone(), value]);
        }
        assert!(text_of(&value).len() < TEXT_LIMIT + 100);
    }

    #[test]
    fn a_reason_is_one_line() {
        assert_eq!(one_line("a\r\nb\nc\u{2028}d"), "a b c d");
    }
}
