//! The canonical texts of values: the contract text and its hash (rules 2.2), the call text (4.8), and JSON for people.
//!
//! ```
//! use rehearsal::value::{canonical, read_json};
//! let value = read_json(br#"{"b": [1, 2.50], "a": "\u00e9"}"#).unwrap().root;
//! assert_eq!(canonical::call_text(&value), r#"{"a":"\u00e9","b":[1,2.5]}"#);
//! assert_eq!(canonical::spaced(&value), r#"{"b": [1, 2.5], "a": "\u00e9"}"#);
//! ```

use super::write::{self, Style};
use super::{Document, Key, Map, Odd, Value, pointer, walk};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The longest contract text that is hashed, in bytes: 1 GiB.
pub const MAX_CONTRACT_TEXT: u64 = 1 << 30;

/// A contract text of this length is measured before the rest is written: shared values can make it grow without end.
const MEASURE_FROM: u64 = 16 << 20;

/// Why a contract hash is refused, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct HashRefusal {
    /// JSON pointer of the place; empty for the top.
    pub at: String,
    /// The kind of value met there: "NaN", "an infinity", "binary data", "two keys that become one", ...
    pub what: String,
}

impl HashRefusal {
    fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self { at: at.into(), what: what.into() }
    }
}

impl fmt::Display for HashRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no contract hash: {} at {}", self.what, pointer::name(&self.at))
    }
}

impl std::error::Error for HashRefusal {}

/// The contract text of rules 2.2 (raw UTF-8, sorted keys), or the first place that has none.
pub fn contract_text(doc: &Document) -> Result<String, HashRefusal> {
    let mut text = String::new();
    write_contract(doc, |piece| text.push_str(piece))?;
    Ok(text)
}

/// SHA-256 of the contract text, lower-case hex, without building the whole text.
pub fn contract_hash(doc: &Document) -> Result<String, HashRefusal> {
    let mut sha = Sha256::new();
    write_contract(doc, |piece| sha.update(piece.as_bytes()))?;
    Ok(hex(&sha.finalize()))
}

/// SHA-256 of bytes as they are, lower-case hex: the file hash of rules 2.1.
pub fn file_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for b in bytes {
        text.push(char::from(DIGITS[usize::from(b >> 4)]));
        text.push(char::from(DIGITS[usize::from(b & 15)]));
    }
    text
}

/// The call text of rules 4.8 (JSONc): sorted keys, ASCII escapes, U+007F escaped. NaN and infinities are bare words.
pub fn call_text(value: &Value) -> String {
    write::text(value, Style::CALL)
}

/// Compact JSON in the value's own key order; ASCII-escaped when `ascii`. Separators `,` and `:`.
pub fn compact(value: &Value, ascii: bool) -> String {
    write::text(value, Style { ascii, ..Style::COMPACT })
}

/// JSON with separators `, ` and `: ` and ASCII escapes, in key order: how requests show values (rules 5.8).
pub fn spaced(value: &Value) -> String {
    write::text(value, Style { ascii: true, comma: ", ", colon: ": ", ..Style::COMPACT })
}

/// Indented JSON (2 spaces) in key order, UTF-8 raw, for people and `--json`; keys sorted when `sorted`. Always valid
/// JSON: what JSON cannot carry (NaN, an infinity, binary data) stands there as text.
pub fn pretty(value: &Value, sorted: bool) -> String {
    write::text(value, Style { sorted, colon: ": ", indent: Some(2), words: false, ..Style::COMPACT })
}

impl Key {
    /// The key's text in JSON's model (rules 2.4), when it has one.
    pub fn json_text(&self) -> Option<Cow<'_, str>> {
        let Key::Other(value) = self else { return self.text().map(|text| Cow::Borrowed(&**text)) };
        match &**value {
            Value::Odd(odd) => match &**odd {
                Odd::Time(iso) => Some(Cow::Borrowed(iso)),
                _ => None,
            },
            Value::Float(f) if !f.is_finite() => None,
            Value::Str(text) => Some(Cow::Borrowed(text)),
            Value::Array(_) | Value::Object(_) => None,
            other => Some(Cow::Owned(write::text(other, Style::COMPACT))),
        }
    }
}

/// Gives the contract text to `out` piece by piece.
fn write_contract(doc: &Document, out: impl FnMut(&str)) -> Result<(), HashRefusal> {
    if let Some(at) = &doc.surrogate {
        // the model is made before any text is: its refusals come first
        return Err(first_fault(&doc.root).unwrap_or_else(|| HashRefusal::new(at.clone(), "a lone surrogate")));
    }
    let buffer = String::with_capacity(BUFFER * 2);
    let mut writer = Writer { root: &doc.root, out, buffer, sorting: Vec::new(), done: 0, measured: false };
    match writer.value(&doc.root) {
        Ok(()) => {
            (writer.out)(&writer.buffer);
            Ok(())
        }
        Err(Stop::TooLong) => Err(HashRefusal::new("", "a contract text over 1 GiB")),
        // the text is written in the order of sorted keys, but the first fault is the first of the document
        Err(Stop::Fault) => Err(first_fault(&doc.root).unwrap_or_else(|| HashRefusal::new("", "no JSON text"))),
    }
}

/// Bytes of text gathered before they are passed on.
const BUFFER: usize = 64 << 10;

enum Stop {
    /// There is a place without a contract text.
    Fault,
    /// The text would be longer than [`MAX_CONTRACT_TEXT`].
    TooLong,
}

struct Writer<'a, F> {
    root: &'a Value,
    out: F,
    buffer: String,
    /// Entries of the objects that are being written whose keys had to be sorted.
    sorting: Vec<(Cow<'a, str>, &'a Value)>,
    /// Bytes given to `out`.
    done: u64,
    measured: bool,
}

impl<'a, F: FnMut(&str)> Writer<'a, F> {
    fn value(&mut self, value: &'a Value) -> Result<(), Stop> {
        match value {
            Value::Float(f) if !f.is_finite() => return Err(Stop::Fault),
            Value::Array(items) => {
                self.buffer.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        self.buffer.push(',');
                    }
                    self.value(item)?;
                }
                self.buffer.push(']');
            }
            Value::Object(map) => self.object(map)?,
            Value::Odd(odd) => match &**odd {
                Odd::Time(iso) => write::push_string(&mut self.buffer, iso, false),
                _ => return Err(Stop::Fault),
            },
            scalar => write::push_scalar(&mut self.buffer, scalar, false),
        }
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn object(&mut self, map: &'a Map) -> Result<(), Stop> {
        self.buffer.push('{');
        let mut before = None;
        let in_order = map.iter().all(|(key, _)| {
            let name = key.text().map(|name| &**name);
            name.is_some() && name > std::mem::replace(&mut before, name)
        });
        if in_order {
            for (i, (name, value)) in map.named().enumerate() {
                self.entry(i > 0, name, value)?;
            }
        } else {
            let start = self.sorting.len();
            for (key, value) in map.iter() {
                self.sorting.push((key.json_text().ok_or(Stop::Fault)?, value));
            }
            self.sorting[start..].sort_unstable_by(|a, b| a.0.cmp(&b.0));
            if self.sorting[start..].windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Err(Stop::Fault);
            }
            for i in start..self.sorting.len() {
                let (name, value) = (std::mem::take(&mut self.sorting[i].0), self.sorting[i].1);
                self.entry(i > start, &name, value)?;
            }
            self.sorting.truncate(start);
        }
        self.buffer.push('}');
        Ok(())
    }

    fn entry(&mut self, comma: bool, name: &str, value: &'a Value) -> Result<(), Stop> {
        if comma {
            self.buffer.push(',');
        }
        write::push_string(&mut self.buffer, name, false);
        self.buffer.push(':');
        self.value(value)
    }

    fn flush(&mut self) -> Result<(), Stop> {
        self.done += self.buffer.len() as u64;
        if self.done >= MEASURE_FROM && !self.measured {
            self.measured = true;
            if Measure::default().value(self.root) > MAX_CONTRACT_TEXT {
                return Err(Stop::TooLong);
            }
        }
        (self.out)(&self.buffer);
        self.buffer.clear();
        Ok(())
    }
}

/// Lengths of contract texts, each shared list or object measured once.
#[derive(Default)]
struct Measure {
    known: HashMap<usize, u64>,
    scratch: String,
}

impl Measure {
    /// The length of a value's contract text in bytes, at most `u64::MAX`.
    fn value(&mut self, value: &Value) -> u64 {
        let shared = walk::shared_address(value);
        if let Some(&length) = shared.and_then(|address| self.known.get(&address)) {
            return length;
        }
        let length = match value {
            Value::Array(items) => {
                let commas = items.len().max(1) as u64 + 1;
                items.iter().fold(commas, |sum, item| sum.saturating_add(self.value(item)))
            }
            Value::Object(map) => map.iter().fold(map.len().max(1) as u64 + 1, |sum, (key, value)| {
                let name = key.json_text().map_or(0, |name| self.text(&name));
                sum.saturating_add(name + 1).saturating_add(self.value(value))
            }),
            Value::Odd(odd) => match &**odd {
                Odd::Time(iso) => self.text(iso),
                _ => 0,
            },
            Value::Str(text) => self.text(text),
            scalar => {
                self.scratch.clear();
                write::push_scalar(&mut self.scratch, scalar, false);
                self.scratch.len() as u64
            }
        };
        if let Some(address) = shared {
            self.known.insert(address, length);
        }
        length
    }

    fn text(&mut self, text: &str) -> u64 {
        self.scratch.clear();
        write::push_string(&mut self.scratch, text, false);
        self.scratch.len() as u64
    }
}

/// The first place, in the order of the document, that JSON's model does not have (rules 2.4).
fn first_fault(root: &Value) -> Option<HashRefusal> {
    let (at, what) = walk::first(root, &mut Faults::default())?;
    Some(HashRefusal::new(at, what))
}

/// Looks for values and keys that JSON's model does not have.
#[derive(Default)]
struct Faults {
    /// Of objects by their address: the first key whose text an earlier one has too.
    repeated: HashMap<usize, usize>,
}

impl walk::Seek for Faults {
    type Finding = String;

    fn value(&mut self, value: &Value) -> Option<String> {
        match value {
            Value::Float(f) if !f.is_finite() => Some(value.kind().to_owned()),
            Value::Odd(odd) if !matches!(**odd, Odd::Time(_)) => Some(odd.kind().to_owned()),
            Value::Object(map) if !map.all_text() => {
                let mut names = HashSet::new();
                let repeated = map.iter().position(|(key, _)| key.json_text().is_some_and(|name| !names.insert(name)));
                self.repeated.extend(repeated.map(|i| (std::ptr::from_ref::<Map>(map).addr(), i)));
                None
            }
            _ => None,
        }
    }

    fn key(&mut self, map: &Map, index: usize, key: &Key) -> Option<String> {
        match key {
            Key::Text(_) if map.all_text() => None,
            Key::Other(other) if key.json_text().is_none() => Some(format!("a key that is {}", other.kind())),
            _ => (self.repeated.get(&std::ptr::from_ref(map).addr()) == Some(&index))
                .then(|| "two keys that become one".to_owned()),
        }
    }
}
