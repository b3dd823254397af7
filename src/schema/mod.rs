//! What a JSON schema admits and the keyed draw of a value from one (rules chapter 3).
//!
//! Owns: `$ref` inlining, the argument-schema rules, conformance, Python-like patterns, the keyed draw. Does not own
//! tools or tasks.

mod arguments;
mod bounds;
mod clean;
mod conform;
mod draw;
mod formats;
mod hash;
mod keywords;
mod pattern;
mod same;

pub use arguments::{is_free_text, is_object_schema};
pub use clean::cleaned;
pub use conform::{Violation, check, conforms};
pub use draw::draw;
pub use hash::{DrawKey, PickKey, prf};
pub use same::same;

use crate::value::Value;

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
