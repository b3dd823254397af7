//! One argument of the form.

use crate::tui::widgets::editor::{Edit, Editor};
use crate::value::{Str, Value, canonical};

/// How an argument is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// One of some values.
    Choice(Vec<Value>),
    /// Text as it is typed.
    Text,
    /// JSON.
    Json,
    /// An object, its members fields of their own behind it.
    Group,
}

/// One argument.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Str,
    /// The objects it is in, from the outermost.
    pub parents: Vec<Str>,
    /// Its schema.
    pub schema: Value,
    /// Whether the tool asks for it.
    pub required: bool,
    /// Whether the schema names it.
    pub known: bool,
    /// Whether the call has it.
    pub present: bool,
    /// How it is written.
    pub kind: Kind,
    /// What was typed.
    pub editor: Editor,
    /// Which of the choices it is.
    pub choice: usize,
    /// How what it holds breaks its own schema.
    pub wrong: Option<String>,
    /// A value that its kind cannot write: kept as it is until something is typed.
    other: Option<Value>,
}

impl Field {
    /// An argument the schema names, not in the call yet.
    pub fn new(name: Str, schema: Value, required: bool) -> Self {
        let kind = kind_of(&schema);
        Self {
            name,
            parents: Vec::new(),
            schema,
            required,
            known: true,
            present: false,
            kind,
            editor: Editor::line(""),
            choice: 0,
            wrong: None,
            other: None,
        }
    }

    /// Its name with those of the objects it is in.
    pub fn path(&self) -> String {
        let names: Vec<&str> = self.parents.iter().chain([&self.name]).map(|name| &**name).collect();
        names.join(".")
    }

    /// An argument the schema does not name.
    pub fn unknown(name: Str) -> Self {
        Self { known: false, kind: Kind::Json, ..Self::new(name, Value::Bool(true), false) }
    }

    /// Writes a value.
    pub fn set(&mut self, value: &Value) {
        self.present = true;
        self.other = None;
        match (&self.kind, value) {
            (Kind::Choice(choices), value) => match choices.iter().position(|c| c == value) {
                Some(at) => self.choice = at,
                None => self.other = Some(value.clone()),
            },
            (Kind::Text, Value::Str(text)) if !text.contains(['\n', '\r']) => self.editor = Editor::line(&**text),
            (Kind::Text, value) => self.other = Some(value.clone()),
            (Kind::Json | Kind::Group, value) => self.editor = Editor::line(canonical::compact(value, false)),
        }
    }

    /// Into the call, or out of it.
    pub fn toggle(&mut self) {
        self.present = !self.present;
    }

    /// Its value; the error is one line about text that is not JSON.
    pub fn value(&self) -> Result<Value, String> {
        if let Some(other) = &self.other {
            return Ok(other.clone());
        }
        match &self.kind {
            Kind::Choice(choices) => Ok(choices.get(self.choice).cloned().unwrap_or_default()),
            Kind::Text => Ok(self.editor.text().into()),
            Kind::Json | Kind::Group => Value::parse_json(self.editor.text()).map_err(|e| e.message),
        }
    }

    /// What is written, as text.
    pub fn text(&self) -> &str {
        self.editor.text()
    }

    /// A value kept as it is.
    pub fn kept(&self) -> Option<&Value> {
        self.other.as_ref()
    }

    /// Types text: it puts the argument into the call.
    pub fn insert(&mut self, text: &str) {
        self.present = true;
        if self.kind == Kind::Group {
            return;
        }
        self.other = None;
        if let Kind::Choice(choices) = &self.kind {
            // The next choice that begins with the letter; space goes on to the next one.
            let begins = |v: &Value| v.as_str().map_or_else(|| canonical::compact(v, false), ToOwned::to_owned);
            let low = text.to_lowercase();
            let after = (1..=choices.len()).map(|n| (self.choice + n) % choices.len());
            let mut after = after.filter(|i| text == " " || begins(&choices[*i]).to_lowercase().starts_with(&low));
            if let Some(at) = after.next() {
                self.choice = at;
            }
            return;
        }
        self.editor.insert(text);
    }

    /// Edits or moves; an argument whose text was taken out whole is out of the call.
    pub fn edit(&mut self, edit: Edit) {
        if self.kind == Kind::Group {
            self.present &= !matches!(edit, Edit::Backspace | Edit::Delete);
            return;
        }
        if let Kind::Choice(choices) = &self.kind {
            let n = choices.len().max(1);
            match edit {
                Edit::Left | Edit::Right if !self.present => self.present = true,
                Edit::Left => self.choice = (self.choice + n - 1) % n,
                Edit::Right => self.choice = (self.choice + 1) % n,
                Edit::Backspace | Edit::Delete => self.present = false,
                _ => return,
            }
            self.other = None;
            return;
        }
        if self.other.is_some() && matches!(edit, Edit::Backspace | Edit::Delete | Edit::DeleteWord) {
            self.other = None;
            self.present = false;
            return;
        }
        let was = !self.editor.text().is_empty();
        self.editor.edit(edit);
        if was && self.editor.text().is_empty() {
            self.present = false;
        }
    }
}

fn kind_of(schema: &Value) -> Kind {
    if let Some(list) = schema.get("enum").and_then(Value::as_array).filter(|l| !l.is_empty()) {
        return Kind::Choice(list.to_vec());
    }
    if let Some(value) = schema.get("const") {
        return Kind::Choice(vec![value.clone()]);
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Kind::Choice(vec![Value::Bool(true), Value::Bool(false)]),
        Some("string") => Kind::Text,
        Some("null") => Kind::Choice(vec![Value::Null]),
        _ => Kind::Json,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(schema: &str) -> Field {
        Field::new("x".into(), Value::parse_json(schema).unwrap(), true)
    }

    #[test]
    fn text_is_typed_as_it_is_and_numbers_as_json() {
        let mut text = field(r#"{"type":"string"}"#);
        text.insert("1.0");
        assert_eq!(text.value(), Ok(Value::str("1.0")));
        let mut number = field(r#"{"type":"number"}"#);
        number.insert("1.0");
        assert_eq!(number.value(), Ok(Value::Float(1.0)));
        number.insert("x");
        assert!(number.value().is_err());
    }

    #[test]
    fn choices_are_turned_and_typed() {
        let mut f = field(r#"{"enum":["damaged","late","other"]}"#);
        f.edit(Edit::Right);
        assert_eq!((f.present, f.value()), (true, Ok(Value::str("damaged"))));
        f.edit(Edit::Left);
        assert_eq!(f.value(), Ok(Value::str("other")));
        f.insert("l");
        assert_eq!(f.value(), Ok(Value::str("late")));
        f.insert(" ");
        assert_eq!(f.value(), Ok(Value::str("other")));
    }

    #[test]
    fn what_a_kind_cannot_write_is_kept() {
        let mut f = field(r#"{"type":"string"}"#);
        f.set(&Value::Int(7));
        assert_eq!(f.value(), Ok(Value::Int(7)));
        f.insert("a");
        assert_eq!(f.value(), Ok(Value::str("a")));
        f.edit(Edit::Backspace);
        assert!(!f.present);
    }
}
