//! JSON text taken apart without being read: members and items as the bytes they are, blanks left out.
//!
//! The texts come from a document that was parsed before, so what is met is well-formed; on anything else the walk ends
//! early and gives what it has.

/// The members of an object's text: key as text and value as raw text. Of a key given twice the last counts, in the place
/// of the first, as for every reader of the file.
pub(super) fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let mut found: Vec<(String, &str)> = Vec::new();
    parts(text, b'{', |key, value| {
        let Some(key) = key.and_then(|key| serde_json::from_str::<String>(key).ok()) else { return };
        match found.iter_mut().find(|(name, _)| *name == key) {
            Some(member) => member.1 = value,
            None => found.push((key, value)),
        }
    })?;
    Some(found)
}

/// The items of a list's text.
pub(super) fn items(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    parts(text, b'[', |_, value| found.push(value))?;
    Some(found)
}

/// Walks the entries of the object or list that a text is.
fn parts<'a>(text: &'a str, opening: u8, mut each: impl FnMut(Option<&'a str>, &'a str)) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = blanks(bytes, 0);
    if bytes.get(at) != Some(&opening) {
        return None;
    }
    at = blanks(bytes, at + 1);
    while !matches!(bytes.get(at)?, b'}' | b']') {
        let mut key = None;
        if opening == b'{' {
            let end = value_end(bytes, at)?;
            key = Some(&text[at..end]);
            at = blanks(bytes, end);
            at = blanks(bytes, at + 1);
        }
        let end = value_end(bytes, at)?;
        each(key, &text[at..end]);
        at = blanks(bytes, end);
        if bytes.get(at) == Some(&b',') {
            at = blanks(bytes, at + 1);
        }
    }
    Some(())
}

fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// Where the value that begins at a place ends.
fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = at;
    loop {
        match bytes.get(i) {
            Some(b'"') => {
                i = string_end(bytes, i)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            Some(b'{' | b'[') => {
                depth += 1;
                i += 1;
            }
            Some(b'}' | b']') if depth > 1 => {
                depth -= 1;
                i += 1;
            }
            Some(b'}' | b']') if depth == 1 => return Some(i + 1),
            Some(b',' | b' ' | b'\n' | b'\r' | b'\t' | b'}' | b']' | b':') | None if depth == 0 => {
                return (i > at).then_some(i);
            }
            Some(_) => i += 1,
            None => return None,
        }
    }
}

/// Where the string that begins at a place ends, its closing quote included.
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut i = at + 1;
    loop {
        match bytes.get(i)? {
            b'"' => return Some(i + 1),
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
}

/// The text without the blanks between its tokens: what is said stays to the byte, and it fits one line.
pub(super) fn minified(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        if bytes[i] == b'"' {
            i = string_end(bytes, i).unwrap_or(bytes.len());
            out.push_str(&text[start..i]);
        } else if blanks(bytes, i) > i {
            i = blanks(bytes, i);
        } else {
            while i < bytes.len() && bytes[i] != b'"' && blanks(bytes, i) == i {
                i += 1;
            }
            out.push_str(&text[start..i]);
        }
    }
    out
}

/// Whether a text holds a number that JSON does not have (`NaN`, `Infinity`), which some readers take all the same.
pub(super) fn has_words(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => i = string_end(bytes, i).unwrap_or(bytes.len()),
            b'N' | b'I' => return true,
            _ => i += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_apart_to_the_byte() {
        let text = r#" { "a" : 1.0 , "b":[ 1 , {"x": "}\"," } ], "c\u0041":"q","a": 123456789012345678901234567890 , "e": {}, "f": [] } "#;
        let members = members(text).unwrap();
        let named: Vec<(&str, String)> = members.iter().map(|(k, v)| (k.as_str(), minified(v))).collect();
        assert_eq!(
            named,
            [
                ("a", "123456789012345678901234567890".to_owned()),
                ("b", r#"[1,{"x":"}\","}]"#.to_owned()),
                ("cA", "\"q\"".to_owned()),
                ("e", "{}".to_owned()),
                ("f", "[]".to_owned()),
            ]
        );
        assert_eq!(items(members[1].1).unwrap().len(), 2);
        assert_eq!(items("[1, 2 ,3]").unwrap(), ["1", "2", "3"]);
        assert!(items("{}").is_none() && super::members("[").is_none() && super::members("{\"a\":").is_none());
        assert!(has_words("[NaN]") && !has_words(r#"["NaN"]"#));
    }
}
