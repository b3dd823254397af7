//! What a JSON schema admits and the keyed draw of a value from one (rules chapter 3).
//!
//! Owns: `$ref` inlining, the argument-schema rules, conformance, Python-like patterns, the keyed draw. Does not own
//! tools or tasks. (Skeleton: the owner of `schema` splits it into files and fills it in.)
use crate::value::Value;

/// A BLAKE2b midstate for one draw key K (rules 3.1); cheap to clone.
#[derive(Debug, Clone)]
pub struct DrawKey {}

impl DrawKey {
    /// The key of every `choice`, `word` and `draw`.
    pub fn new(_key: &str) -> Self {
        todo!()
    }
    /// bits(K, salt), 32 bytes big-endian.
    pub fn bits(&self, _salt: &str) -> [u8; 32] {
        todo!()
    }
    /// bits mod n; n > 0.
    pub fn choice(&self, _salt: &str, _n: u64) -> u64 {
        todo!()
    }
    /// n letters: character i from `alphabet` by choice(`salt/i`).
    pub fn word(&self, _salt: &str, _n: usize, _alphabet: &str) -> String {
        todo!()
    }
}

/// The generator draw `pick(K, salt, n)` of rules 3.1.
#[derive(Debug, Clone)]
pub struct PickKey {}

impl PickKey {
    /// The generator key K.
    pub fn new(_key: &str) -> Self {
        todo!()
    }
    /// The draw mod n; n > 0.
    pub fn pick(&self, _salt: &str, _n: u64) -> u64 {
        todo!()
    }
}

/// prf(domain, seed, split): a 256-bit number (rules 3.1), big-endian bytes.
pub fn prf(_domain: &str, _seed: u64, _split: &str) -> [u8; 32] {
    todo!()
}

/// The schema without the keywords that rules 3.2 takes out before drawing.
pub fn cleaned(_schema: &Value) -> Value {
    todo!()
}

/// draw(schema, K, salt) of rules 3.3; the schema is already cleaned.
pub fn draw(_schema: &Value, _key: &DrawKey, _salt: &str) -> Value {
    todo!()
}

/// conforms(value, schema) of rules 3.4.
pub fn conforms(_value: &Value, _schema: &Value) -> bool {
    todo!()
}

/// The first failing check, in the order of rules 3.4.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// JSON pointer into the arguments; a missing name points at the name.
    pub at: String,
    /// The schema keyword that failed: `required`, `type`, `enum`, `minLength`, ...
    pub keyword: String,
    /// What was expected, in words: "must be an integer", "order_id is required", ...
    pub expected: String,
}

/// Like [`conforms`], but says what failed first.
pub fn check(_value: &Value, _schema: &Value) -> Result<(), Violation> {
    todo!()
}

/// same(a, b) of rules 3.4.
pub fn same(_a: &Value, _b: &Value) -> bool {
    todo!()
}

/// Whether an argument schema is free text (rules 1.9).
pub fn is_free_text(_schema: &Value) -> bool {
    todo!()
}

/// Whether it is an object schema (rules 1.7).
pub fn is_object_schema(_schema: &Value) -> bool {
    todo!()
}

/// Kinds of a refused tool (rules 1.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// `name`
    Name,
    /// `duplicate`
    Duplicate,
    /// `not_object`
    NotObject,
    /// `schema`
    Schema,
    /// `binary`
    Binary,
    /// `merge`
    Merge,
    /// `builtin`
    Builtin,
}

impl RefusalKind {
    /// The word in JSON and on the screen.
    pub fn word(self) -> &'static str {
        match self {
            RefusalKind::Name => "name",
            RefusalKind::Duplicate => "duplicate",
            RefusalKind::NotObject => "not_object",
            RefusalKind::Schema => "schema",
            RefusalKind::Binary => "binary",
            RefusalKind::Merge => "merge",
            RefusalKind::Builtin => "builtin",
        }
    }
}

/// A failure of inlining or of the argument-schema rules.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaError {
    /// `Schema` or `Binary`.
    pub kind: RefusalKind,
    /// One plain sentence with the place, safe to show after `text`.
    pub reason: String,
}

/// Inlines every `$ref` of `schema` against `root`, sharing, with cycles and over-large results refused (rules 1.7);
/// top-level `$defs` and `definitions` dropped; YAML-only values turned into JSON's terms.
pub fn inline(_schema: &Value, _root: &Value) -> Result<Value, SchemaError> {
    todo!()
}

/// Follows a `$ref` at the top of one node until there is none (rules 1.7).
pub fn follow(_node: &Value, _root: &Value) -> Result<Value, SchemaError> {
    todo!()
}

/// The argument-schema rules of 1.7, on an inlined schema.
pub fn check_arguments_schema(_schema: &Value) -> Result<(), SchemaError> {
    todo!()
}
