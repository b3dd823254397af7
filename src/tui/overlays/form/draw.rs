//! The form as rows.

use super::{Check, Field, Form, Kind};
use crate::text;
use crate::theme::Scope;
use crate::tui::screens::tools::argument_rows;
use crate::tui::screens::words::{schema_words, short};
use crate::tui::widgets::outline::scalar;
use crate::tui::widgets::row::Row;
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

/// Divides the inside of the box.
pub fn parts(inside: Rect) -> Parts {
    let check = 2.min(inside.height);
    let rest = inside.height - check;
    let about = if rest >= 8 { (rest / 3).min(6) } else { 0 };
    let main = Rect { height: rest - about, ..inside };
    Parts {
        main,
        about: Rect { y: main.bottom(), height: about, ..inside },
        check: Rect { y: main.bottom() + about, height: check, ..inside },
    }
}

/// The rows of the arguments, and where in them the cursor stands: row and column.
pub fn rows(form: &Form, width: usize) -> (Vec<Row>, (usize, usize)) {
    if let Some(raw) = &form.raw {
        let rows = text::safe_lines(raw.text()).iter().map(|line| Row::of(Scope::Input, line)).collect();
        return (rows, raw.position());
    }
    let names = form.fields.iter().map(|f| text::width(&text::safe(&f.name))).max().unwrap_or(0).min(width / 3).max(4);
    let mut rows = Vec::new();
    let mut cursor = (form.at, 0);
    for (i, field) in form.fields.iter().enumerate() {
        let sign = match (field.present, field.required) {
            (true, _) => Row::of(Scope::Ok, "+ "),
            (false, true) => Row::of(Scope::Warn, "! "),
            (false, false) => Row::of(Scope::Dim, ". "),
        };
        let name = if field.required { Scope::Strong } else { Scope::Text };
        let row = sign.cell(name, &*field.name, names).plain("  ");
        if i == form.at {
            cursor.1 = row.width() + field.editor.position().1 + usize::from(matches!(field.kind, Kind::Text));
        }
        rows.push(written(row, field));
    }
    if form.fields.is_empty() {
        rows.push(Row::of(Scope::Dim, "this tool takes no arguments"));
    }
    (rows, cursor)
}

/// What is written in a field.
fn written(row: Row, field: &Field) -> Row {
    if let Some(other) = field.kept().filter(|_| field.present) {
        return row.put(scalar(other).0, short(other));
    }
    match &field.kind {
        Kind::Choice(choices) => {
            let mut row = row;
            for (i, choice) in choices.iter().enumerate() {
                let on = field.present && i == field.choice;
                let shown = if on { format!("[{}] ", short(choice)) } else { format!(" {}  ", short(choice)) };
                row = row.put(if on { Scope::Accent } else { Scope::Dim }, shown);
            }
            row
        }
        _ if !field.present => row.dim(schema_words(&field.schema)),
        Kind::Text => row.put(Scope::ValueMark, "\"").put(Scope::Input, field.text()).put(Scope::ValueMark, "\""),
        Kind::Json => row.put(Scope::Input, field.text()),
    }
}

impl Form {
    /// What the present argument takes.
    pub fn about(&self, width: usize) -> Vec<Row> {
        match self.fields.get(self.at).filter(|_| self.raw.is_none()) {
            Some(field) => argument_rows(&field.name, &field.schema, field.required, width),
            None => Vec::new(),
        }
    }

    /// What the check says.
    pub fn verdict(&self) -> Row {
        match &self.check {
            Check::Fits => Row::of(Scope::Ok, "+ the arguments fit the schema"),
            Check::Breaks { at, expected } => {
                let at = if at.is_empty() { "the arguments" } else { at.as_str() };
                Row::of(Scope::Error, "! ").put(Scope::Strong, at).plain(" ").plain(expected)
            }
            Check::NoObject => Row::of(Scope::Error, "! the arguments are no object"),
            Check::NoJson(line) => Row::of(Scope::Error, "! ").plain(line),
        }
    }
}
