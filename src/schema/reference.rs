//! Where a `$ref` points (rules 1.7).

use super::pattern::python_integer;
use crate::value::Value;

/// Why a `$ref` has no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// It does not begin with `#`.
    Outside,
    /// Nothing stands where it points.
    Nowhere,
}

/// The node of `root` that a `$ref` points at.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Result<&'a Value, Lost> {
    let pointer = percent_decoded(reference.strip_prefix('#').ok_or(Lost::Outside)?);
    if pointer.is_empty() {
        return Ok(root);
    }
    let parts = pointer.strip_prefix('/').ok_or(Lost::Nowhere)?;
    let mut node = root;
    for part in parts.split('/') {
        let part = part.replace("~1", "/").replace("~0", "~");
        node = match node {
            Value::Object(map) => map.get(&part),
            Value::Array(list) => index(&part, list.len()).and_then(|i| list.get(i)),
            _ => None,
        }
        .ok_or(Lost::Nowhere)?;
    }
    Ok(node)
}

/// Text with `%xx` decoded as UTF-8; a `%` without two hex digits behind it stays, bytes that are no UTF-8 become U+FFFD.
fn percent_decoded(text: &str) -> String {
    let hex = |b: Option<&u8>| b.and_then(|b| char::from(*b).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(byte) = bytes.get(i) {
        if *byte == b'%'
            && let (Some(high), Some(low)) = (hex(bytes.get(i + 1)), hex(bytes.get(i + 2)))
        {
            out.push((high << 4 | low) as u8);
            i += 3;
        } else {
            out.push(*byte);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A part as a place in a list of `length` items, read as Python reads an integer; negative numbers count from the end.
fn index(part: &str, length: usize) -> Option<usize> {
    match python_integer(part)? {
        (true, number) if number > 0 => length.checked_sub(number),
        (_, number) => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;

    fn root() -> Value {
        let odd: Map = Map::from([("a/b", 1_i64), ("m~n", 2), ("", 3), ("é x", 4), ("~1", 5), ("%41", 6)]);
        Map::from([("odd", Value::object(odd)), ("list", vec![10_i64, 11, 12].into()), ("", true.into())]).into()
    }

    #[test]
    fn pointers_reach_every_spelling_of_a_name() {
        for (reference, wanted) in [
            ("#/odd/a~1b", 1),
            ("#/odd/m~0n", 2),
            ("#/odd/", 3),
            ("#/odd/%C3%A9%20x", 4),
            ("#/odd/é x", 4),
            ("#/odd/~01", 5),
            ("#/odd/%2541", 6),
            ("#%2Fodd%2fa~1b", 1),
            ("#/list/0", 10),
            ("#/list/-1", 12),
            ("#/list/+1", 11),
            ("#/list/ 002 ", 12),
            ("#/list/0_1", 11),
            ("#/list/\u{662}", 12),
            ("#/list/-0", 10),
        ] {
            assert_eq!(resolve(&root(), reference), Ok(&Value::Int(wanted)), "{reference}");
        }
        assert_eq!(resolve(&root(), "#"), Ok(&root()));
        assert_eq!(resolve(&root(), "#/"), Ok(&Value::Bool(true)));
    }

    #[test]
    fn what_does_not_resolve_says_so() {
        for reference in [
            "#odd",
            "#/nope",
            "#/list/3",
            "#/list/-4",
            "#/list/1_",
            "#/list/1__0",
            "#/list/x",
            "#/list/",
            "#/list/--1",
            "#/list/+-1",
            "#/list/99999999999999999999999999",
            "#/list/-99999999999999999999999999",
            "#/odd/a/b",
            "#/list/0/x",
            "#/odd/%4",
            "#/list/1.0",
        ] {
            assert_eq!(resolve(&root(), reference), Err(Lost::Nowhere), "{reference}");
        }
        for reference in ["", "/odd", "other.json#/odd", "https://example.com/#/odd", " #/odd"] {
            assert_eq!(resolve(&root(), reference), Err(Lost::Outside), "{reference}");
        }
    }
}
