//! Where in a file a place of an inlined schema is written.
use crate::value::{Value, pointer};

/// References followed for one step at most.
const MOST_REFERENCES: usize = 400;

/// The JSON pointer in the file of what `path` leads to from `from`, through references: they resolve against the value
/// at `root`. Ends at the last place that the file has.
pub(super) fn through_references(document: &Value, root: &str, from: &str, path: &str) -> String {
    let mut here = from.to_owned();
    for step in pointer::parts(path).unwrap_or_default() {
        let Some(next) = next(document, root, &here, &step) else { break };
        here = next;
    }
    here
}

fn next(document: &Value, root: &str, from: &str, step: &str) -> Option<String> {
    let mut here = from.to_owned();
    for _ in 0..MOST_REFERENCES {
        let there = pointer::join(&here, step);
        if pointer::resolve(document, &there).is_some() {
            return Some(there);
        }
        let reference = pointer::resolve(document, &here)?.get("$ref")?.as_str()?;
        here = format!("{root}{}", fragment(reference)?);
    }
    None
}

/// The JSON pointer of a reference into the same file, percent-decoded.
pub(super) fn fragment(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix('#')?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let [first, after @ ..] = left {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), left = &after[2..]).1,
            None => (bytes.push(*first), left = after).1,
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_behind_references() {
        let text = br##"{"tools": [{"inputSchema": {"properties": {"a": {"$ref": "#/$defs/x%79"}},
            "$defs": {"xy": {"items": {"not": {}}}}}}]}"##;
        let document = crate::value::read(text).unwrap().root;
        let at = "/tools/0/inputSchema";
        let place = |path| through_references(&document, at, at, path);
        assert_eq!(place("/properties/a/items"), "/tools/0/inputSchema/$defs/xy/items");
        assert_eq!(place("/properties/a"), "/tools/0/inputSchema/properties/a");
        assert_eq!(place("/properties/gone/items"), "/tools/0/inputSchema/properties");
    }
}
