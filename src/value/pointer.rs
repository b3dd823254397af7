//! JSON pointers: the places of values inside a document.

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

/// A pointer's keys, unescaped; nothing when it is no pointer (neither empty nor beginning with `/`).
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
