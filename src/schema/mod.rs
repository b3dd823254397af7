//! What a JSON schema admits and the keyed draw of a value from one (rules chapter 3).
//!
//! Owns: `$ref` inlining, the argument-schema rules, conformance, Python-like patterns, the keyed draw. Does not own
//! tools or tasks.
//!
//! ```
//! use rehearsal::schema::{DrawKey, conforms, draw};
//! use rehearsal::value::read_json;
//! let schema = read_json(br#"{"type": "integer", "minimum": 5, "maximum": 9}"#).unwrap().root;
//! let value = draw(&schema, &DrawKey::new("probe"), "salt");
//! assert!(conforms(&value, &schema));
//! assert_eq!(value, draw(&schema, &DrawKey::new("probe"), "salt"));
//! ```

mod arguments;
mod bounds;
mod clean;
mod conform;
mod draw;
mod follow;
mod formats;
mod hash;
mod inline;
mod keywords;
mod pattern;
mod reference;
mod same;
mod value;
mod weight;

pub use arguments::{check_arguments_schema, is_free_text, is_object_schema};
pub use clean::cleaned;
pub use conform::{Violation, check, conforms};
pub use draw::{draw, draws_object};
pub use follow::{Followed, follow};
pub use hash::{DrawKey, KeyStart, PickKey, prf};
pub use inline::{Inliner, inline};
pub(crate) use pattern::decimal_digit;
pub use pattern::given_up_patterns;
pub use same::same;
pub use value::{PROBE, TRIES, conforming_draw, is_drawable, value_for, value_where};

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
    /// What is wrong, without the place.
    pub reason: String,
    /// JSON pointer of the place, from the schema's top and through its references.
    pub at: String,
    /// What to write instead.
    pub fix: &'static str,
}
