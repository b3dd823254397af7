//! The form as rows.

use super::{Check, Field, Form, Kind, nested};
use crate::text;
use crate::theme::Scope;
use crate::tui::screens::tools::argument_rows;
use crate::tui::screens::words::{schema_words, short};
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::{Outline, scalar};
use crate::tui::widgets::row::Row;
use crate::value::Value;
use ratatui::layout::Rect;

/// Where the parts of the form are inside its box.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// The arguments, or the JSON.
    pub main: Rect,
    /// What the present argument takes.
    pub about: Rect,
    /// What the check says.
    pub check: Rect,
}

/// From this width on the schema is beside the raw JSON, not below it.
const BESIDE_FROM: u16 = 56;

/// Divides the inside of the box.
pub fn parts(form: &Form, inside: Rect) -> Parts {
    let check = 2.min(inside.height);
    let rest = inside.height - check;
    let below = Rect { y: inside.y + rest, height: check, ..inside };
    let schema = form.raw.is_some() && !form.outline.is_empty() && form.listed;
    if schema && inside.width >= BESIDE_FROM {
        let left = inside.width * 11 / 20;
        return Parts {
            main: Rect { width: left, height: rest, ..inside },
            about: Rect { x: inside.x + left + 2, width: inside.width - left - 2, height: rest, ..inside },
            check: below,
        };
    }
    let about = match (rest, schema) {
        (8.., true) => rest / 2,
        (8.., false) => (rest / 3).min(6),
        _ => 0,
    };
    let main = Rect { height: rest - about, ..inside };
    Parts { main, about: Rect { y: main.bottom(), height: about, ..inside }, check: below }
}

/// The rows of the arguments, and where in them the cursor stands: row and column.
pub fn rows(form: &Form, width: usize) -> (Vec<Row>, (usize, usize)) {
    if let Some(raw) = &form.raw {
        let rows = text::safe_lines(raw.text()).iter().map(|line| Row::of(Scope::Input, line)).collect();
        return (rows, raw.position());
    }
    let wide = |f: &Field| 2 * f.parents.len() + text::width(&text::safe(&f.name));
    let names = form.fields.iter().map(wide).max().unwrap_or(0).min(width / 3).max(4);
    let mut rows = Vec::new();
    let mut cursor = (form.at, 0);
    for (i, field) in form.fields.iter().enumerate() {
        // Members of an object that is left out are left out too.
        let reached = nested::reached(&form.fields, i);
        let sign = match (field.present && reached, field.required && reached) {
            (true, _) if field.wrong.is_some() && form.touched => Row::of(Scope::Error, "! "),
            (true, _) => Row::of(Scope::Ok, "+ "),
            (false, true) if form.touched => Row::of(Scope::Warn, "! "),
            (false, _) => Row::of(Scope::Dim, ". "),
        };
        let name = if field.required { Scope::Strong } else { Scope::Text };
        // What must be there has a star.
        let star = if field.required { "*" } else { "" };
        let indent = "  ".repeat(field.parents.len());
        let row = sign.cell(name, format!("{indent}{}{star}", field.name), names + 1).plain(" ");
        if i == form.at {
            cursor.1 = row.width() + field.editor.position().1 + usize::from(matches!(field.kind, Kind::Text));
        }
        let row = written(row, field, width);
        rows.push(if reached { row } else { row.all(Scope::Dim) });
    }
    if form.fields.is_empty() {
        rows.push(Row::of(Scope::Dim, "this tool takes no arguments"));
    }
    (rows, cursor)
}

/// Whether words alone do not say what a schema takes.
fn is_deep(schema: &Value) -> bool {
    let kind = schema.get("type").and_then(Value::as_str);
    schema.as_object().is_some_and(|schema| !schema.is_empty()) && matches!(kind, None | Some("array" | "object"))
}

/// What is written in a field.
fn written(row: Row, field: &Field, width: usize) -> Row {
    if let Some(other) = field.kept().filter(|_| field.present) {
        return row.put(scalar(other).0, short(other));
    }
    match &field.kind {
        Kind::Choice(choices) => {
            let all: usize = choices.iter().map(|choice| text::width(&short(choice)) + 3).sum();
            if row.width() + all > width {
                // Too many to stand side by side: the one chosen, and which it is.
                let Some(choice) = choices.get(field.choice).filter(|_| field.present) else {
                    return row.dim(format!("one of {}: left, right or its first letter", choices.len()));
                };
                let of = format!("  {} of {}", field.choice + 1, choices.len());
                return row.put(Scope::Accent, format!("[{}]", short(choice))).dim(of);
            }
            let mut row = row;
            for (i, choice) in choices.iter().enumerate() {
                let on = field.present && i == field.choice;
                let shown = if on { format!("[{}] ", short(choice)) } else { format!(" {}  ", short(choice)) };
                row = row.put(if on { Scope::Accent } else { Scope::Dim }, shown);
            }
            row
        }
        _ if !field.present => row.dim(schema_words(&field.schema)),
        Kind::Group => row.dim(schema_words(&field.schema)),
        Kind::Text => row.put(Scope::ValueMark, "\"").put(Scope::Input, field.text()).put(Scope::ValueMark, "\""),
        Kind::Json => row.put(Scope::Input, field.text()),
    }
}

impl Form {
    /// What the present argument takes; beside raw JSON the schema, as many lines as are seen.
    pub fn about(&self, width: usize, height: usize) -> Vec<Row> {
        if self.raw.is_some() && self.listed {
            let (len, seen) = (self.outline.len(), height.saturating_sub(1));
            let end = len.min(self.top + seen);
            let cut = end - self.top.min(end) < len;
            let of = format!("schema, {}-{end} of {len}: pgup, pgdn scroll", self.top + 1);
            let mut rows = vec![Row::of(Scope::Dim, if cut { &of } else { "schema" })];
            rows.extend((self.top..end).map(|i| self.outline.row(i)));
            return rows;
        }
        match self.fields.get(self.at).filter(|_| self.raw.is_none()) {
            Some(field) => {
                let mut rows = argument_rows(&field.path(), &field.schema, field.required, width);
                if let Some(wrong) = field.wrong.as_ref().filter(|_| self.touched) {
                    let row = Row::of(Scope::Error, "! ").plain(wrong).hanging(2);
                    rows.splice(0..0, row.wrap(width));
                }
                // What JSON may stand there is best said by the schema itself.
                if field.kind == Kind::Json && is_deep(&field.schema) && rows.len() < height {
                    let outline = Outline::new(field.schema.clone());
                    let lines = outline.len().min(height - rows.len());
                    rows.extend((0..lines).map(|i| Row::new().plain("    ").join(&outline.row(i))));
                }
                rows
            }
            None => Vec::new(),
        }
    }

    /// What the check says.
    pub fn verdict(&self) -> Row {
        match &self.check {
            Check::Fits if !self.listed => Row::of(Scope::Warn, "! not a tool of this task: the harness answers"),
            Check::Fits => Row::of(Scope::Ok, "+ the arguments fit the schema"),
            // Nothing was typed yet, so nothing is wrong yet.
            _ if !self.touched => Row::of(Scope::Dim, "fill in the arguments; those with * are required"),
            Check::Breaks { at, expected } => {
                let at = if at.is_empty() { "the arguments" } else { at.as_str() };
                Row::of(Scope::Error, "! ").put(Scope::Strong, at).plain(" ").plain(expected)
            }
            Check::NoObject => Row::of(Scope::Error, "! the arguments are not an object"),
            Check::NoJson(line) => Row::of(Scope::Error, "! ").plain(line),
        }
    }
}
