//! JSON pointers: the places of values inside a document.
//!
//! ```
//! use rehearsal::value::{pointer, read_json};
//! let value = read_json(br#"{"a/b": [10, 20]}"#).unwrap().root;
//! assert_eq!(pointer::resolve(&value, "/a~1b/1").and_then(|v| v.as_i64()), Some(20));
//! ```

use super::{Str, Value};

/// One step of a pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// An item of a list, counted from 0.
    Index(usize),
    /// An entry of an object, by its key's text.
    Key(Str),
}

/// Appends one step to a pointer.
pub fn push(pointer: &mut String, step: &Step) {
    match step {
        Step::Index(i) => {
            pointer.push('/');
            super::number::push_integer(pointer, *i as i64);
        }
        Step::Key(key) => push_key(pointer, key),
    }
}

/// Appends a key to a pointer: `~` becomes `~0`, `/` becomes `~1`.
pub fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// The pointer of the entry `key` of the object at `base`.
pub fn join(base: &str, key: &str) -> String {
    let mut pointer = String::with_capacity(base.len() + key.len() + 1);
    pointer.push_str(base);
    push_key(&mut pointer, key);
    pointer
}

/// How a place is called in a sentence: its pointer, or "the top".
pub fn name(pointer: &str) -> &str {
    if pointer.is_empty() { "the top" } else { pointer }
}

/// A pointer's keys, unescaped; nothing when it is not a pointer (neither empty nor beginning with `/`).
pub fn parts(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect())
}

/// The value at a pointer: keys by their text, items by their number.
pub fn resolve<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let mut here = root;
    for part in parts(pointer)? {
        here = match here {
            Value::Object(map) => match map.get(&part) {
                Some(value) => value,
                None => map.iter().find(|(key, _)| key.json_text().as_deref() == Some(&*part))?.1,
            },
            Value::Array(items) => {
                let plain = part == "0" || !part.starts_with(['0', '+']);
                items.get(part.parse::<usize>().ok().filter(|_| plain)?)?
            }
            _ => return None,
        };
    }
    Some(here)
}

/// The places directly inside a list or object, in order; keys by their text, those without one by words for them.
pub fn children(value: &Value) -> impl Iterator<Item = (Step, &Value)> {
    let items = value.as_array().unwrap_or_default().iter().enumerate().map(|(i, item)| (Step::Index(i), item));
    let entries = value.as_object().into_iter().flat_map(super::Map::iter);
    let entries = entries.map(|(key, value)| {
        let name = key.text().cloned().unwrap_or_else(|| Str::from(&*super::write::name(key)));
        (Step::Key(name), value)
    });
    items.chain(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_escape_and_unescape() {
        let mut pointer = String::new();
        push(&mut pointer, &Step::Key("a/b~c".into()));
        push(&mut pointer, &Step::Index(3));
        push(&mut pointer, &Step::Key("".into()));
        assert_eq!(pointer, "/a~1b~0c/3/");
        assert_eq!(parts(&pointer), Some(vec!["a/b~c".to_owned(), "3".to_owned(), String::new()]));
        assert_eq!(join("/x", "~1"), "/x/~01");
        assert_eq!(parts("/~01"), Some(vec!["~1".to_owned()]));
        assert_eq!(parts(""), Some(vec![]));
        assert_eq!(parts("a"), None);
        assert_eq!(name(""), "the top");
        assert_eq!(name("/a"), "/a");
    }

    #[test]
    fn pointers_find_what_they_name() {
        let doc = crate::value::read(b"a: [x, {200: y, '': z}]\n").unwrap();
        assert_eq!(resolve(&doc.root, ""), Some(&doc.root));
        assert_eq!(resolve(&doc.root, "/a/0"), Some(&Value::str("x")));
        assert_eq!(resolve(&doc.root, "/a/1/200"), Some(&Value::str("y")));
        assert_eq!(resolve(&doc.root, "/a/1/"), Some(&Value::str("z")));
        for nowhere in ["/b", "/a/2", "/a/00", "/a/+0", "/a/-", "/a/0/x", "a"] {
            assert_eq!(resolve(&doc.root, nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn children_are_the_next_steps() {
        let doc = crate::value::read(b"{a: [1, 2], 3: b}").unwrap();
        let steps = |value: &Value| children(value).map(|(step, _)| step).collect::<Vec<_>>();
        assert_eq!(steps(&doc.root), [Step::Key("a".into()), Step::Key("3".into())]);
        assert_eq!(steps(doc.root.get("a").unwrap()), [Step::Index(0), Step::Index(1)]);
        assert_eq!(steps(&Value::Int(1)), []);
    }
}
