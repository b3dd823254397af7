//! JSON values whose numbers keep their spelling class, and everything that turns bytes into them and them into text.
//!
//! Owns: [`Value`] and [`Map`], reading JSON and YAML 1.1 from bytes ([`read()`]), the canonical texts ([`canonical`])
//! and JSON pointers ([`mod@pointer`]). Does not own: what a schema admits (`schema`) or how a value is shown (`text`).
//!
//! ```
//! use rehearsal::value::{contract_hash, read};
//! let json = read(br#"{"b": 1.0, "a": "\u00e9"}"#).unwrap();
//! let yaml = read("a: \u{e9}\nb: 1.0\n".as_bytes()).unwrap();
//! assert_eq!(contract_hash(&json), contract_hash(&yaml));
//! assert_ne!(contract_hash(&json), contract_hash(&read(br#"{"a": "\u00e9", "b": 1}"#).unwrap()));
//! ```

pub mod canonical;
mod decode;
mod intern;
mod json;
mod lines;
mod map;
mod number;
mod part;
pub mod pointer;
pub mod read;
mod scan;
mod serialize;
mod walk;
mod write;
mod yaml;

pub use canonical::{HashRefusal, call_text, contract_hash};
pub use lines::lines_of;
pub use map::{Key, Map};
pub use number::{MAX_DIGITS, float_text};
pub use part::Part;
pub use read::{Document, ReadError, Syntax, read, read_json};

use num_bigint::BigInt;
use std::sync::Arc;

/// How deep lists and objects may nest in a document.
pub const MAX_DEPTH: usize = 400;

/// Shared immutable text. A lone surrogate of the source stands as U+FFFD; its place is kept by the [`Document`].
pub type Str = Arc<str>;

/// A JSON value; cloning is cheap (lists and objects are shared).
///
/// Integers and floats stay apart (`1` is not `1.0`), `-0.0` keeps its sign, objects keep their order.
/// Equality compares spelling classes; `schema::same` compares as the rules do. What two values share is equal without a
/// look inside, so that values of many aliases compare in time.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer that fits 64 bits. Always used when it fits.
    Int(i64),
    /// A larger integer, at most 4,300 digits when it comes from a file.
    BigInt(Arc<BigInt>),
    /// A binary64 float; NaN and infinities can be read and never hashed.
    Float(f64),
    /// Text.
    Str(Str),
    /// A list.
    Array(Arc<Vec<Value>>),
    /// An object, or a YAML mapping whose keys may be other than text.
    Object(Arc<Map>),
    /// What YAML can say and JSON cannot.
    Odd(Arc<Odd>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::BigInt(a), Value::BigInt(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Odd(a), Value::Odd(b)) => a == b,
            _ => false,
        }
    }
}

/// Values of YAML beyond JSON's model.
#[derive(Debug, Clone, PartialEq)]
pub enum Odd {
    /// A date or date-time: its ISO text. Not text for a reader, its ISO text for the hash.
    Time(Str),
    /// `!!binary`: hash refused.
    Binary,
    /// `!!set`: hash refused.
    Set,
    /// `!!omap` or `!!pairs`: hash refused.
    Pairs,
    /// An alias to a node this place lies inside of: hash refused here.
    Cycle,
}

impl Odd {
    /// What it is, as a person would call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Odd::Time(_) => "a date",
            Odd::Binary => "binary data",
            Odd::Set => "a set",
            Odd::Pairs => "a list of pairs",
            Odd::Cycle => "a value inside itself",
        }
    }
}

impl Value {
    /// Text from anything string-like.
    pub fn str(s: impl AsRef<str>) -> Self {
        Value::Str(Arc::from(s.as_ref()))
    }

    /// A list.
    pub fn array(items: Vec<Value>) -> Self {
        Value::Array(Arc::new(items))
    }

    /// An object.
    pub fn object(map: Map) -> Self {
        Value::Object(Arc::new(map))
    }

    /// An integer of any size, in its smallest form.
    pub fn integer(n: BigInt) -> Self {
        i64::try_from(&n).map_or_else(|_| Value::BigInt(Arc::new(n)), Value::Int)
    }

    /// The text, when it is text.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(s) = self { Some(s) } else { None }
    }

    /// The list, when it is one.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Value::Array(a) = self { Some(a) } else { None }
    }

    /// The object, when it is one.
    pub fn as_object(&self) -> Option<&Map> {
        if let Value::Object(m) = self { Some(m) } else { None }
    }

    /// The boolean, when it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    /// The integer as a 64-bit one, when it is an integer that fits.
    pub fn as_i64(&self) -> Option<i64> {
        if let Value::Int(n) = self { Some(*n) } else { None }
    }

    /// The integer as an unsigned 64-bit one, when it is an integer that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(n) => u64::try_from(*n).ok(),
            Value::BigInt(n) => u64::try_from(&**n).ok(),
            _ => None,
        }
    }

    /// The number as binary64 (integers beyond its range become infinities); never a boolean.
    pub fn as_f64(&self) -> Option<f64> {
        use num_traits::ToPrimitive;
        match self {
            Value::Int(n) => Some(*n as f64),
            Value::BigInt(n) => n.to_f64(),
            Value::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Whether it is an integer or a float.
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Int(_) | Value::BigInt(_) | Value::Float(_))
    }

    /// The member `name`, when this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object().and_then(|m| m.get(name))
    }

    /// The item at `index`, when this is a list that has it.
    pub fn at(&self, index: usize) -> Option<&Value> {
        self.as_array().and_then(|a| a.get(index))
    }

    /// What kind of value this is, as a person would call it: "an object", "text", "an integer", ...
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::BigInt(_) => "an integer",
            Value::Float(f) if f.is_nan() => "NaN",
            Value::Float(f) if f.is_infinite() => "an infinity",
            Value::Float(_) => "a number",
            Value::Str(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
            Value::Odd(odd) => odd.kind(),
        }
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Value::str(s)
    }
}
impl From<String> for Value {
    fn from(s: String) -> Self {
        Value::Str(Arc::from(s))
    }
}
impl From<&String> for Value {
    fn from(s: &String) -> Self {
        Value::str(s)
    }
}
impl From<Str> for Value {
    fn from(s: Str) -> Self {
        Value::Str(s)
    }
}
impl From<&Str> for Value {
    fn from(s: &Str) -> Self {
        Value::Str(s.clone())
    }
}
impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}
impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Value::Int(n)
    }
}
impl From<i32> for Value {
    fn from(n: i32) -> Self {
        Value::Int(i64::from(n))
    }
}
impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Value::Int(i64::from(n))
    }
}
impl From<u64> for Value {
    fn from(n: u64) -> Self {
        Value::integer(BigInt::from(n))
    }
}
impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Value::integer(BigInt::from(n))
    }
}
impl From<f64> for Value {
    fn from(f: f64) -> Self {
        Value::Float(f)
    }
}
impl From<Map> for Value {
    fn from(m: Map) -> Self {
        Value::object(m)
    }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::array(items.into_iter().map(Into::into).collect())
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(item: Option<T>) -> Self {
        item.map_or(Value::Null, Into::into)
    }
}
