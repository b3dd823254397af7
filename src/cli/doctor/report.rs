//! What the doctor found: sections of rows, printed as text or as JSON from the same rows.

use super::super::Failure;
use super::super::output::Output;
use crate::text;
use crate::value::{Map, Value};

/// One thing that was looked at.
#[derive(Debug)]
struct Row {
    name: String,
    value: Value,
    origin: Option<String>,
    problem: Option<String>,
}

#[derive(Debug)]
struct Section {
    title: &'static str,
    rows: Vec<Row>,
}

/// Everything that was found, in order.
#[derive(Debug, Default)]
pub struct Report {
    sections: Vec<Section>,
}

impl Report {
    /// Begins a section; rows go to the last one begun.
    pub fn section(&mut self, title: &'static str) {
        self.sections.push(Section { title, rows: Vec::new() });
    }

    /// A value, and where it comes from when that is a question.
    pub fn row(&mut self, name: &str, value: impl Into<Value>, origin: Option<String>) {
        self.push(name, value.into(), origin, None);
    }

    /// A value with something wrong about it.
    pub fn problem(&mut self, name: &str, value: impl Into<Value>, origin: Option<String>, problem: String) {
        self.push(name, value.into(), origin, Some(problem));
    }

    fn push(&mut self, name: &str, value: Value, origin: Option<String>, problem: Option<String>) {
        if let Some(section) = self.sections.last_mut() {
            section.rows.push(Row { name: name.to_owned(), value, origin, problem });
        }
    }

    /// How many rows have something wrong about them.
    pub fn problems(&self) -> usize {
        self.sections.iter().flat_map(|section| &section.rows).filter(|row| row.problem.is_some()).count()
    }

    /// `{section: {row: {value, origin, problem}}}`, and all problems in a list.
    pub fn to_value(&self) -> Value {
        let mut whole = Map::new();
        let mut problems = Vec::new();
        for section in &self.sections {
            let mut rows = Map::new();
            // JSON keeps the names it was published with.
            let key = |name: &str| {
                if section.title == "colors" && name == "colors" { "colours".to_owned() } else { key(name) }
            };
            for row in &section.rows {
                let problem = row.problem.as_ref().map(Value::from);
                problems.extend(problem.clone());
                let fields = Map::from([
                    ("value", row.value.clone()),
                    ("origin", Value::from(row.origin.as_ref().map(Value::from))),
                    ("problem", Value::from(problem)),
                ]);
                rows.insert(key(&row.name), fields);
            }
            whole.insert(key(section.title), rows);
        }
        whole.insert("problems", Value::array(problems));
        whole.into()
    }

    /// The same as text: a heading a section, a line a row.
    pub fn print(&self, out: &mut Output) -> Result<(), Failure> {
        for (i, section) in self.sections.iter().enumerate() {
            if i > 0 {
                out.line("")?;
            }
            out.line(section.title)?;
            let shown: Vec<(String, String)> = section
                .rows
                .iter()
                .map(|row| (text::safe(&row.name).into_owned(), text::safe(&words(&row.value)).into_owned()))
                .collect();
            // One long value must not push every origin off the screen.
            let wide = |of: &dyn Fn(&(String, String)) -> usize, most: usize| {
                shown.iter().map(of).filter(|n| *n <= most).max().unwrap_or(0)
            };
            let names = wide(&|(name, _)| text::width(name), 30);
            let values = wide(&|(_, value)| text::width(value), 56);
            for (row, (name, value)) in section.rows.iter().zip(&shown) {
                let mark = if row.problem.is_some() { '!' } else { ' ' };
                let mut line = format!("{mark} {}", fill(name, names));
                match &row.origin {
                    Some(origin) => line.push_str(&format!("  {}  {origin}", fill(value, values))),
                    None => line.push_str(&format!("  {value}")),
                }
                out.line(line.trim_end())?;
                if let Some(problem) = &row.problem {
                    out.line(format!("!   {problem}"))?;
                }
            }
        }
        Ok(())
    }
}

/// A row's name as a key of JSON.
fn key(name: &str) -> String {
    name.replace(' ', "_")
}

/// Filled up with blanks, never cut.
fn fill(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text::width(text))))
}

/// A value as a person reads it: text without quotes, yes and no, lists with commas.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Str(text) => text.to_string(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
        other => crate::value::canonical::spaced(other),
    }
}
