//! An object: entries in order, with an index once there are many.

use super::{Str, Value};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// From this many entries on a [`Map`] keeps a hash index; below, a scan is quicker and smaller.
const INDEX_FROM: usize = 24;

/// A key of a mapping. JSON has text alone; YAML also integers, booleans, dates and so on.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    /// Text, the only key that [`Map::get`] finds.
    Text(Str),
    /// Any other scalar of a YAML mapping.
    Other(Box<Value>),
}

impl Key {
    /// The text, when the key is text.
    pub fn text(&self) -> Option<&Str> {
        if let Key::Text(s) = self { Some(s) } else { None }
    }
}

impl From<&str> for Key {
    fn from(s: &str) -> Self {
        Key::Text(Arc::from(s))
    }
}
impl From<String> for Key {
    fn from(s: String) -> Self {
        Key::Text(Arc::from(s))
    }
}
impl From<Str> for Key {
    fn from(s: Str) -> Self {
        Key::Text(s)
    }
}
impl From<&Str> for Key {
    fn from(s: &Str) -> Self {
        Key::Text(s.clone())
    }
}

/// An object whose entries keep their order. A key set twice keeps its first position and its last value.
#[derive(Debug, Clone, Default)]
pub struct Map {
    entries: Vec<(Key, Value)>,
    /// Whether a key other than text was ever put in.
    other: bool,
    index: Option<Box<Index>>,
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Map {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty object with room for `n` entries.
    pub fn with_capacity(n: usize) -> Self {
        Self { entries: Vec::with_capacity(n), other: false, index: None }
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether all its keys are text; `true` is sure, `false` may come from a key that has been taken out again.
    pub fn all_text(&self) -> bool {
        !self.other
    }

    /// Where the text key `name` stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.find(&self.entries, name).ok(),
            None => self.entries.iter().position(|(k, _)| matches!(k, Key::Text(s) if &**s == name)),
        }
    }

    /// The value under the text key `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.position(name).map(|i| &self.entries[i].1)
    }

    /// Whether the text key `name` is there.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Sets `key`; a text key already there keeps its position and gives its old value back. Keys other than text are
    /// appended as they are: whoever reads YAML decides which of them are one key.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        let known = match &key {
            Key::Text(name) => self.position(name),
            Key::Other(_) => {
                self.other = true;
                None
            }
        };
        if let Some(i) = known {
            return Some(std::mem::replace(&mut self.entries[i].1, value));
        }
        self.entries.push((key, value));
        if self.entries.len() >= INDEX_FROM {
            match &mut self.index {
                Some(index) if index.has_room(self.entries.len()) => index.add(&self.entries, self.entries.len() - 1),
                _ => self.reindex(),
            }
        }
        None
    }

    /// Takes the text key `name` out, keeping the order of the others.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let i = self.position(name)?;
        let (_, value) = self.entries.remove(i);
        if self.index.is_some() {
            self.reindex();
        }
        Some(value)
    }

    /// The entry at a position.
    pub fn entry(&self, i: usize) -> Option<(&Key, &Value)> {
        self.entries.get(i).map(|(k, v)| (k, v))
    }

    /// The value at a position, to change it in place.
    pub fn value_mut(&mut self, i: usize) -> Option<&mut Value> {
        self.entries.get_mut(i).map(|(_, v)| v)
    }

    /// All entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Value)> + DoubleEndedIterator {
        self.entries.iter().map(|(k, v)| (k, v))
    }

    /// The entries whose key is text, in order.
    pub fn named(&self) -> impl Iterator<Item = (&Str, &Value)> {
        self.entries.iter().filter_map(|(k, v)| k.text().map(|k| (k, v)))
    }

    /// All values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.entries.iter().map(|(_, v)| v)
    }

    fn reindex(&mut self) {
        self.index = Some(Box::new(Index::of(&self.entries, self.entries.capacity())));
    }
}

/// Finds the text keys of many entries: a table of their positions, addressed by the hash of the key.
#[derive(Debug, Clone)]
struct Index {
    hasher: RandomState,
    /// One more than a position, or 0. A power of two of them, at most half in use; a key stands in the first free one
    /// from its hash on.
    slots: Vec<usize>,
}

impl Index {
    fn of(entries: &[(Key, Value)], room: usize) -> Self {
        let slots = vec![0; (room.max(entries.len()) * 2).next_power_of_two()];
        let mut index = Self { hasher: RandomState::new(), slots };
        for i in 0..entries.len() {
            index.add(entries, i);
        }
        index
    }

    fn has_room(&self, entries: usize) -> bool {
        entries * 2 <= self.slots.len()
    }

    /// The position of a key, or the slot where it would stand.
    fn find(&self, entries: &[(Key, Value)], name: &str) -> Result<usize, usize> {
        let mut slot = self.hasher.hash_one(name) as usize & (self.slots.len() - 1);
        loop {
            match self.slots[slot].checked_sub(1) {
                None => return Err(slot),
                Some(i) if matches!(&entries[i].0, Key::Text(known) if **known == *name) => return Ok(i),
                Some(_) => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Takes in the entry at a position, unless its key is known or no text.
    fn add(&mut self, entries: &[(Key, Value)], i: usize) {
        if let Key::Text(name) = &entries[i].0
            && let Err(slot) = self.find(entries, name)
        {
            self.slots[slot] = i + 1;
        }
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let iter = iter.into_iter();
        let mut map = Map::with_capacity(iter.size_hint().0);
        for (k, v) in iter {
            map.insert(k, v);
        }
        map
    }
}

impl<K: Into<Key>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Map {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_objects_find_their_keys() {
        for n in [0, 1, 5, INDEX_FROM as i64 - 1, INDEX_FROM as i64, 1_000] {
            let mut map: Map = (0..n).map(|i| (format!("k{i}"), i)).collect();
            assert_eq!(map.insert("k0", "again").is_some(), n > 0);
            assert_eq!(map.remove("k3"), (n > 3).then_some(Value::Int(3)));
            for i in (1..n).filter(|i| *i != 3) {
                let at = if i > 3 { i - 1 } else { i };
                assert_eq!(map.get(&format!("k{i}")), Some(&Value::Int(i)));
                assert_eq!(map.position(&format!("k{i}")), Some(at as usize));
            }
            assert_eq!((map.get("k3"), map.get("k"), map.get("k1000")), (None, None, None));
        }
    }

    #[test]
    fn keys_other_than_text_are_passed_over() {
        let mut map = Map::new();
        for i in 0..100 {
            map.insert(Key::Other(Box::new(Value::Int(i))), Value::Null);
            map.insert(i.to_string(), i);
        }
        assert_eq!((map.len(), map.position("7"), map.all_text()), (200, Some(15), false));
        assert_eq!(map.named().count(), 100);
    }
}
