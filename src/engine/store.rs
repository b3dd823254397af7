//! The store: every accepted write in order, and which of them a read reflects (rules 7.2).
use super::persist::{List, Table};
use crate::schema::same;
use crate::value::{Map, Odd, Str, Value};

/// How an accepted write counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    /// Did step i.
    Expected(usize),
    /// No step expects it.
    SideEffect,
    /// Repeats step i; a side effect too.
    Duplicate(usize),
}

impl WriteKind {
    /// The step it did or repeats.
    pub fn step(self) -> Option<usize> {
        match self {
            WriteKind::Expected(step) | WriteKind::Duplicate(step) => Some(step),
            WriteKind::SideEffect => None,
        }
    }

    /// The word in JSON: a duplicate is a side effect too.
    pub fn word(self) -> &'static str {
        match self {
            WriteKind::Expected(_) => "expected",
            WriteKind::SideEffect | WriteKind::Duplicate(_) => "side_effect",
        }
    }
}

/// One accepted write of the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// Number of the call that made it, from 1.
    pub call: usize,
    /// Tool as shown.
    pub tool: Str,
    /// Arguments.
    pub arguments: Value,
    /// How it counts.
    pub kind: WriteKind,
}

/// All accepted writes, in order. Cheap to clone; a longer one shares a shorter one's writes.
#[derive(Clone, Default)]
pub struct Writes {
    items: List<Stored>,
    /// From the hash of an argument's name and value to the latest write that carried it, among the first `indexed`.
    carried: Table<usize>,
    indexed: usize,
}

/// Writes are indexed this many at a time; the newest, fewer than these, are looked through.
const BATCH: usize = 32;

/// A write with its place in the chain of each of its arguments.
#[derive(Debug)]
struct Stored {
    write: Write,
    /// The hash of each argument and the write before this one that carried it too, sorted by hash.
    carries: Vec<(u64, Option<usize>)>,
}

impl Stored {
    /// The write before this one that carried an argument this one carries; `None` when this one does not.
    fn before(&self, hash: u64) -> Option<Option<usize>> {
        let found = self.carries.binary_search_by_key(&hash, |(carried, _)| *carried).ok()?;
        self.carries.get(found).map(|(_, before)| *before)
    }
}

impl Writes {
    /// How many.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.items.len() == 0
    }

    /// The write at an index.
    pub fn get(&self, index: usize) -> Option<&Write> {
        self.items.get(index).map(|s| &s.write)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Write> {
        self.items.iter().map(|s| &s.write)
    }

    /// How many of the first writes two stores have in common.
    pub fn shared_with(&self, other: &Writes) -> usize {
        let most = self.len().min(other.len());
        let same = |i: usize| match (self.items.get(i), other.items.get(i)) {
            (Some(a), Some(b)) => std::sync::Arc::ptr_eq(a, b) || a.write == b.write,
            _ => false,
        };
        (0..most).find(|i| !same(*i)).unwrap_or(most)
    }

    /// The store with one more write.
    pub(super) fn with(&self, write: Write) -> Self {
        let arguments = write.arguments.as_object().into_iter().flat_map(Map::named);
        let hashes = arguments.filter_map(|(name, value)| argument_hash(name, value));
        let mut carries: Vec<_> = hashes.map(|hash| (hash, self.latest(hash))).collect();
        carries.sort_unstable_by_key(|(hash, _)| *hash);
        let mut next = self.clone();
        next.items = next.items.push(Stored { write, carries });
        if next.len() - next.indexed >= BATCH {
            for index in next.indexed..next.len() {
                for (hash, _) in next.items.get(index).iter().flat_map(|stored| &stored.carries) {
                    next.carried.insert(*hash, index);
                }
            }
            next.indexed = next.len();
        }
        next
    }

    /// The latest write that carried an argument.
    fn latest(&self, hash: u64) -> Option<usize> {
        let newest = (self.indexed..self.len()).rev();
        let mut carrying = newest.filter(|i| self.items.get(*i).is_some_and(|s| s.before(hash).is_some()));
        carrying.next().or_else(|| self.carried.get(hash))
    }

    /// The latest write that carried every one of these arguments with a `same` value, leaving out those that `hidden`
    /// says; none for no arguments.
    pub(super) fn carrying(&self, wanted: &[(&Str, &Value)], hidden: impl Fn(&Write) -> bool) -> Option<usize> {
        // The argument carried last the longest ago: no write after that one can carry all.
        let mut oldest: Option<(u64, usize)> = None;
        for (name, value) in wanted {
            let hash = argument_hash(name, value)?;
            let latest = self.latest(hash)?;
            if oldest.is_none_or(|(_, index)| latest < index) {
                oldest = Some((hash, latest));
            }
        }
        let (hash, latest) = oldest?;
        let mut next = Some(latest);
        while let Some(index) = next {
            let stored = self.items.get(index)?;
            let carries = |(name, value): &(&Str, &Value)| {
                stored.write.arguments.get(name).is_some_and(|written| same(written, value))
            };
            if !hidden(&stored.write) && wanted.iter().all(carries) {
                return Some(index);
            }
            next = stored.before(hash).flatten();
        }
        None
    }
}

impl PartialEq for Writes {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for Writes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A hash that `same` values share; `None` for what is `same` as nothing (NaN).
fn argument_hash(name: &str, value: &Value) -> Option<u64> {
    let mut hash = mix_text(SEED, name);
    hash = mix(hash, value_hash(value)?);
    Some(hash)
}

const SEED: u64 = 0xCBF2_9CE4_8422_2325;

/// A quick mix of one word into a hash; equal inputs give equal outputs on every machine.
fn mix(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ word.rotate_left(23)) * u128::from(0x9E37_79B9_7F4A_7C15_u64);
    (wide as u64) ^ ((wide >> 64) as u64)
}

fn mix_text(hash: u64, text: &str) -> u64 {
    let mut hash = mix(hash, text.len() as u64);
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}

fn value_hash(value: &Value) -> Option<u64> {
    Some(match value {
        Value::Null => 1,
        Value::Bool(b) => 2 + u64::from(*b),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
            let number = value.as_f64().filter(|n| !n.is_nan())?;
            mix(4, if number == 0.0 { 0 } else { number.to_bits() })
        }
        Value::Str(s) => mix_text(5, s),
        Value::Array(items) => items.iter().try_fold(6, |hash, item| Some(mix(hash, value_hash(item)?)))?,
        // Members count in any order.
        Value::Object(map) => map.named().try_fold(7u64, |hash, (name, member)| {
            Some(hash.wrapping_add(mix(mix_text(8, name), value_hash(member)?)))
        })?,
        Value::Odd(odd) => match &**odd {
            Odd::Time(text) => mix_text(5, text),
            _ => 9,
        },
    })
}
