//! The error screen: why a file cannot be opened, with the place in it. A text that is scrolled and searched; the file is
//! watched meanwhile.

use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{FileState, Model};
use crate::tui::widgets::filter::{Find, seek};
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::row::Row;

/// Columns and lines of the text.
fn size(model: &Model) -> (usize, usize) {
    let body = model.layout().body();
    (usize::from(body.width.saturating_sub(2)), usize::from(body.height))
}

/// What the screen says, wrapped.
pub fn rows(model: &Model, width: usize) -> Vec<Row> {
    let what = match &model.file {
        FileState::Nothing => Row::of(Scope::Text, "no tool file is open"),
        _ => Row::of(Scope::Error, "! this file cannot be opened"),
    };
    let mut rows = vec![Row::new(), what, Row::new()];
    match &model.file {
        FileState::Failed(line) => rows.extend(Row::of(Scope::Text, line).wrap(width)),
        FileState::Open(opened) => {
            if let Some(path) = opened.origin.path() {
                rows.extend(Row::of(Scope::Dim, path.display().to_string()).wrap(width));
                rows.push(Row::new());
            }
            if let Some(error) = &opened.reading.error {
                rows.extend(Row::of(Scope::Text, &error.message).wrap(width));
                if let Some((line, column)) = error.place {
                    rows.push(Row::of(Scope::Strong, format!("line {line}, column {column}")));
                }
            }
            if let Some(excerpt) = &opened.excerpt {
                rows.push(Row::new());
                let widest = (excerpt.first + excerpt.lines.len()).to_string().len();
                for (i, line) in excerpt.lines.iter().enumerate() {
                    let number = excerpt.first + i;
                    let here = number == excerpt.line;
                    let row =
                        Row::new().put(if here { Scope::Error } else { Scope::Dim }, if here { "! " } else { "  " });
                    let row = row.dim(format!("{number:>widest$}  "));
                    let before = row.width();
                    rows.push(row.put(if here { Scope::Strong } else { Scope::Text }, line));
                    if here {
                        let column =
                            text::width(&line.chars().take(excerpt.column.saturating_sub(1)).collect::<String>());
                        rows.push(Row::new().gap(before + column).put(Scope::Error, "^"));
                    }
                }
            }
            rows.push(Row::new());
            rows.extend(Row::new().dim("file hash  ").plain(&*opened.reading.file_hash).wrap(width));
        }
        FileState::Nothing | FileState::Opening => {}
    }
    rows.push(Row::new());
    if model.request.origin.path().is_some() {
        rows.extend(Row::of(Scope::Text, "The file is watched: it opens as soon as it is fixed.").wrap(width));
    }
    let says = "A tool file is an OpenAI tools list, an MCP tools/list result or an OpenAPI 3.0 or 3.1 document, as JSON or YAML.";
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}

/// Scrolls it, up and down and sideways; says whether the action is one that scrolls.
pub fn scroll(model: &mut Model, action: Action) -> bool {
    let (width, height) = size(model);
    let rows = rows(model, width);
    let most = rows.len().saturating_sub(height);
    let Cursor { top, left, .. } = model.error_at;
    let goes_on = rows.iter().skip(top).take(height).any(|row| row.width() > left + width);
    let page = height.saturating_sub(1).max(1);
    let (top, left) = match action {
        Action::Up => (top.saturating_sub(1), left),
        Action::Down => (top + 1, left),
        Action::PageUp => (top.saturating_sub(page), left),
        Action::PageDown => (top + page, left),
        Action::First => (0, left),
        Action::Last => (most, left),
        Action::Left => (top, left.saturating_sub(8)),
        Action::Right => (top, if goes_on { (left + 8).min(4096) } else { left }),
        _ => return false,
    };
    let top = top.min(most);
    model.error_at = Cursor { at: top, top, left };
    true
}

/// Puts the first line seen inside the text.
pub fn keep(model: &mut Model) {
    let (width, height) = size(model);
    let most = rows(model, width).len().saturating_sub(height);
    model.error_at.top = model.error_at.top.min(most);
}

/// Goes to a line that holds what is searched for.
pub fn find(model: &mut Model, find: Find) {
    let (width, height) = size(model);
    let rows = rows(model, width);
    let sought = seek(&rows, &model.needle, model.error_at.at, find);
    model.live.found = sought.found;
    match sought.to {
        Some(at) => {
            let top = at.saturating_sub(height / 3).min(rows.len().saturating_sub(height));
            model.error_at = Cursor { at, top, ..model.error_at };
        }
        None => model.say(Scope::Notice, "no match in this text"),
    }
}

/// Where a search begins: what is seen first.
pub fn from(model: &Model) -> Cursor {
    Cursor { at: model.error_at.top, ..model.error_at }
}
