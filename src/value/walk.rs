//! Looking for the first place of a document that has some property.

use super::{Key, Map, Str, Value, pointer};
use std::collections::HashSet;
use std::sync::Arc;

/// What is looked for: each question gives a finding, or nothing to go on.
pub(super) trait Seek {
    /// A finding.
    type Finding;

    /// Asked of every value before what is inside it.
    fn value(&mut self, value: &Value) -> Option<Self::Finding>;

    /// Asked of every key before its value. The finding's place is the entry, or the object when the key has no text.
    fn key(&mut self, map: &Map, index: usize, key: &Key) -> Option<Self::Finding>;
}

/// The first finding in the order of the document, with the pointer of its place. Shared parts are looked at once.
pub(super) fn first<S: Seek>(root: &Value, seek: &mut S) -> Option<(String, S::Finding)> {
    let mut walk = Walk { seek, done: HashSet::new(), at: String::new() };
    walk.value(root).map(|finding| (walk.at, finding))
}

/// Where a list or object lives that more than one place holds.
pub(super) fn shared_address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) if Arc::strong_count(items) > 1 => Some(Arc::as_ptr(items).addr()),
        Value::Object(map) if Arc::strong_count(map) > 1 => Some(Arc::as_ptr(map).addr()),
        _ => None,
    }
}

struct Walk<'s, S> {
    seek: &'s mut S,
    /// Shared lists and objects without a finding.
    done: HashSet<usize>,
    at: String,
}

impl<S: Seek> Walk<'_, S> {
    fn value(&mut self, value: &Value) -> Option<S::Finding> {
        let shared = shared_address(value);
        if shared.is_some_and(|address| self.done.contains(&address)) {
            return None;
        }
        if let Some(finding) = self.seek.value(value) {
            return Some(finding);
        }
        let length = self.at.len();
        match value {
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    pointer::push(&mut self.at, &pointer::Step::Index(i));
                    if let Some(finding) = self.value(item) {
                        return Some(finding);
                    }
                    self.at.truncate(length);
                }
            }
            Value::Object(map) => {
                for (i, (key, value)) in map.iter().enumerate() {
                    if let Some(name) = key.json_text() {
                        pointer::push_key(&mut self.at, &name);
                    }
                    let finding = self.seek.key(map, i, key).or_else(|| self.value(value));
                    if finding.is_some() {
                        return finding;
                    }
                    self.at.truncate(length);
                }
            }
            _ => {}
        }
        if let Some(address) = shared {
            self.done.insert(address);
        }
        None
    }
}

/// Where one of `texts` stands first as a value or a key: known by its address, not by what it says.
pub(super) fn first_of(root: &Value, texts: &[Str]) -> Option<String> {
    struct Same(HashSet<usize>);
    let address = |text: &Str| Arc::as_ptr(text).addr();
    impl Seek for Same {
        type Finding = ();

        fn value(&mut self, value: &Value) -> Option<()> {
            let Value::Str(text) = value else { return None };
            self.0.contains(&Arc::as_ptr(text).addr()).then_some(())
        }

        fn key(&mut self, _: &Map, _: usize, key: &Key) -> Option<()> {
            self.0.contains(&Arc::as_ptr(key.text()?).addr()).then_some(())
        }
    }
    if texts.is_empty() {
        return None;
    }
    first(root, &mut Same(texts.iter().map(address).collect())).map(|(at, ())| at)
}
