//! The graph of a document's nodes, between the parser's events and the values.

use super::resolve::{self, Resolved, ScalarTag};
use crate::value::Value;
use granit_parser::Tag as SourceTag;
use std::rc::Rc;

/// The number of a node.
pub(super) type Id = usize;

/// Line and column, both from 1.
pub(super) type Place = (u32, u32);

/// A node. An alias is not a node of its own: it is the number of the node it names.
pub(super) enum Node {
    /// A scalar with a value.
    Scalar(Value),
    /// The bytes of a `!!binary`.
    Binary(Vec<u8>),
    /// A plain `<<`: merges as a key, nothing as a value.
    Merge(Place),
    /// A plain `=`: text as a key, nothing as a value.
    Equals(Place),
    /// A scalar without a value, which is a failure only where a value is made of it.
    Bad(&'static str, Place),
    List(Box<List>),
    Mapping(Box<Mapping>),
}

pub(super) struct List {
    pub(super) items: Vec<Id>,
    pub(super) tag: Tag,
    pub(super) place: Place,
    pub(super) built: Built,
}

pub(super) struct Mapping {
    pub(super) pairs: Pairs,
    pub(super) tag: Tag,
    pub(super) place: Place,
    pub(super) built: Built,
}

/// The entries of a mapping.
pub(super) enum Pairs {
    /// As written.
    Raw(Vec<(Id, Id)>),
    /// With merged mappings in their place.
    Merged(Rc<[(Id, Id)]>),
}

/// How far a value has been made of a list or mapping.
pub(super) enum Built {
    Not,
    /// Its inside is being made: whoever meets it now is inside it.
    Begun,
    /// The value, and how many lists and mappings stand inside one another in it.
    Done(Value, usize),
}

/// What a tag asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tag {
    /// No tag.
    None,
    /// `!` alone: typed by form, quoted or not.
    ByForm,
    Str,
    Scalar(ScalarTag),
    Binary,
    Merge,
    Equals,
    List,
    Mapping,
    Set,
    Omap,
    Pairs,
    /// A tag that no value is made for.
    Unknown,
}

impl Tag {
    pub(super) fn of(tag: Option<&SourceTag>) -> Tag {
        let Some((handle, suffix)) = tag.map(SourceTag::parts) else { return Tag::None };
        let whole = format!("{handle}{suffix}");
        if whole == "!" {
            return Tag::ByForm;
        }
        match whole.strip_prefix("tag:yaml.org,2002:") {
            Some("str") => Tag::Str,
            Some("int") => Tag::Scalar(ScalarTag::Int),
            Some("float") => Tag::Scalar(ScalarTag::Float),
            Some("bool") => Tag::Scalar(ScalarTag::Bool),
            Some("null") => Tag::Scalar(ScalarTag::Null),
            Some("timestamp") => Tag::Scalar(ScalarTag::Time),
            Some("binary") => Tag::Binary,
            Some("merge") => Tag::Merge,
            Some("value") => Tag::Equals,
            Some("seq") => Tag::List,
            Some("map") => Tag::Mapping,
            Some("set") => Tag::Set,
            Some("omap") => Tag::Omap,
            Some("pairs") => Tag::Pairs,
            _ => Tag::Unknown,
        }
    }
}

/// The node of a scalar; `text` makes shared text of its own text.
pub(super) fn scalar(tag: Tag, plain: bool, source: &str, place: Place, text: impl FnOnce() -> Value) -> Node {
    match tag {
        Tag::None if !plain => Node::Scalar(text()),
        Tag::None | Tag::ByForm => {
            // a form may end with one line feed, which only a quoted text can have
            let form = source.strip_suffix('\n').filter(|form| !form.is_empty()).unwrap_or(source);
            match resolve::plain(form) {
                Resolved::Text => Node::Scalar(text()),
                Resolved::Value(Value::Bool(_)) if form.len() < source.len() => Node::Bad("no boolean", place),
                Resolved::Value(value) => Node::Scalar(value),
                Resolved::Merge => Node::Merge(place),
                Resolved::Equals => Node::Equals(place),
                Resolved::Bad(what) => Node::Bad(what, place),
            }
        }
        Tag::Str => Node::Scalar(text()),
        Tag::Scalar(tag) => {
            resolve::tagged(tag, source).map_or(Node::Bad("text that does not fit its tag", place), Node::Scalar)
        }
        Tag::Binary => resolve::binary(source).map_or(Node::Bad("text that is not base 64", place), Node::Binary),
        Tag::Merge => Node::Merge(place),
        Tag::Equals => Node::Equals(place),
        Tag::List | Tag::Mapping | Tag::Set | Tag::Omap | Tag::Pairs => {
            Node::Bad("a scalar under the tag of a list or mapping", place)
        }
        Tag::Unknown => Node::Bad("a tag that YAML 1.1 does not have", place),
    }
}
