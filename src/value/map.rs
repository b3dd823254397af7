//! An object: entries in order, with an index once there are many.

use super::{Str, Value};
use std::collections::HashMap;
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
    index: Option<Box<HashMap<Str, usize>>>,
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
            Some(index) => index.get(name).copied(),
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
        if let Key::Text(name) = &key {
            if let Some(i) = self.position(name) {
                return Some(std::mem::replace(&mut self.entries[i].1, value));
            }
            if let Some(index) = &mut self.index {
                index.insert(name.clone(), self.entries.len());
            }
        }
        self.other |= matches!(key, Key::Other(_));
        self.entries.push((key, value));
        if self.index.is_none() && self.entries.len() >= INDEX_FROM {
            self.reindex();
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
        let places = self.entries.iter().enumerate().filter_map(|(i, (k, _))| k.text().map(|k| (k.clone(), i)));
        self.index = Some(Box::new(places.collect()));
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
