//! JSON that borrows what it says: described once, made into a value or written as text without one.
use super::write::{self, Style};
use super::{Map, Str, Value};
use std::fmt::Write as _;

/// A part of a JSON text.
#[derive(Debug)]
pub enum Part<'a> {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Number(u64),
    /// A text that is not a [`Str`] yet.
    Word(&'a str),
    /// A text that can be shared.
    Text(&'a Str),
    /// A text made for the purpose.
    Made(String),
    /// A value that is there already.
    Value(&'a Value),
    /// A list.
    List(Vec<Part<'a>>),
    /// An object. Of a name given twice the last counts, but for [`Part::push_compact`], which writes what it is given.
    Object(Vec<(&'a str, Part<'a>)>),
}

impl<'a> Part<'a> {
    /// A list.
    pub fn list(parts: impl IntoIterator<Item = Part<'a>>) -> Self {
        Part::List(parts.into_iter().collect())
    }

    /// An object.
    pub fn object(members: impl IntoIterator<Item = (&'a str, Part<'a>)>) -> Self {
        Part::Object(members.into_iter().collect())
    }

    /// The value it describes.
    pub fn to_value(&self) -> Value {
        match self {
            Part::Null => Value::Null,
            Part::Bool(b) => (*b).into(),
            Part::Number(n) => (*n).into(),
            Part::Word(word) => Value::str(word),
            Part::Text(text) => (*text).into(),
            Part::Made(text) => text.into(),
            Part::Value(value) => (*value).clone(),
            Part::List(parts) => Value::array(parts.iter().map(Part::to_value).collect()),
            Part::Object(members) => members.iter().map(|(k, part)| (*k, part.to_value())).collect::<Map>().into(),
        }
    }

    /// Appends its call text (rules 4.8).
    pub fn push_call_text(mut self, out: &mut String) {
        self.push(out, true);
    }

    /// Appends it as compact JSON in ASCII, the members of its own objects in their order.
    pub fn push_compact(mut self, out: &mut String) {
        self.push(out, false);
    }

    fn push(&mut self, out: &mut String, sorted: bool) {
        match self {
            Part::Null => out.push_str("null"),
            Part::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Part::Number(n) => {
                let _ = write!(out, "{n}");
            }
            Part::Word(word) => write::push_string(out, word, true),
            Part::Text(text) => write::push_string(out, text, true),
            Part::Made(text) => write::push_string(out, text, true),
            Part::Value(value) => write::push(out, value, Style { ascii: true, sorted, ..Style::COMPACT }, 0),
            Part::List(parts) => {
                out.push('[');
                for (i, part) in parts.iter_mut().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    part.push(out, sorted);
                }
                out.push(']');
            }
            Part::Object(members) => {
                if sorted {
                    // A stable sort: of one name the last given stands last.
                    members.sort_by_key(|(name, _)| *name);
                }
                out.push('{');
                let mut first = true;
                for i in 0..members.len() {
                    if sorted && members.get(i + 1).is_some_and(|next| next.0 == members[i].0) {
                        continue;
                    }
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    let (name, part) = &mut members[i];
                    write::push_string(out, name, true);
                    out.push(':');
                    part.push(out, sorted);
                }
                out.push('}');
            }
        }
    }
}

impl From<bool> for Part<'_> {
    fn from(b: bool) -> Self {
        Part::Bool(b)
    }
}

impl From<usize> for Part<'_> {
    fn from(n: usize) -> Self {
        Part::Number(n as u64)
    }
}

impl<'a, T: Into<Part<'a>>> From<Option<T>> for Part<'a> {
    fn from(part: Option<T>) -> Self {
        part.map_or(Part::Null, Into::into)
    }
}

impl<'a> From<&'a Value> for Part<'a> {
    fn from(value: &'a Value) -> Self {
        Part::Value(value)
    }
}

impl<'a> From<&'a Str> for Part<'a> {
    fn from(text: &'a Str) -> Self {
        Part::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Part;
    use crate::value::canonical::compact;
    use crate::value::{Map, Str, Value, call_text};

    #[test]
    fn the_text_is_that_of_the_value() {
        let (text, value) = (Str::from("\u{e9}\"\n"), Value::array(vec![1.5.into(), Value::Null]));
        let part = || {
            Part::object([
                ("z", Part::Number(u64::MAX)),
                ("a", Part::from(&text)),
                ("twice", Part::Word("first")),
                ("m", Part::list([Part::from(&value), Part::from(true), Part::from(None::<usize>)])),
                ("twice", Part::Made("last".to_owned())),
                ("empty", Part::object([])),
            ])
        };
        let mut written = String::new();
        part().push_call_text(&mut written);
        assert_eq!(written, call_text(&part().to_value()));
        assert!(written.contains(r#""twice":"last""#) && !written.contains("first"));
    }

    #[test]
    fn without_sorting_the_order_is_kept() {
        let inner: Value = Map::from([("y", 1), ("x", 2)]).into();
        let part = || Part::object([("z", Part::Null), ("a", Part::from(&inner)), ("b", Part::object([]))]);
        let mut written = String::new();
        part().push_compact(&mut written);
        assert_eq!(written, r#"{"z":null,"a":{"y":1,"x":2},"b":{}}"#);
        assert_eq!(written, compact(&part().to_value(), true));
    }
}
