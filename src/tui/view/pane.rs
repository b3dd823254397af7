//! The panes side by side, each below its title.

use super::bars;
use crate::text;
use crate::theme::Scope;
use crate::tui::layout::Layout;
use crate::tui::model::{FileState, Model, Pane};
use crate::tui::panes;
use crate::tui::screens;
use crate::tui::widgets::list::{Rows, thumb};
use crate::tui::widgets::row::{Brush, Lit, Place, Row};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// All panes of the present screen.
pub(super) fn panes(model: &Model, layout: &Layout, buf: &mut Buffer) {
    for (pane, rect) in &layout.panes {
        one(model, *pane, *rect, buf);
    }
    // The rules between panes that stand side by side.
    let style = model.look.theme.style(Scope::Border);
    for (_, rect) in layout.panes.iter().filter(|(_, rect)| rect.right() < layout.header.width) {
        for y in rect.y..rect.bottom() {
            buf.set_stringn(rect.right(), y, if y == rect.y { "┬" } else { "│" }, 1, style);
        }
    }
}

fn one(model: &Model, pane: Pane, rect: Rect, buf: &mut Buffer) {
    let focused = model.pane() == pane;
    let (width, height) = (rect.width.saturating_sub(2), rect.height.saturating_sub(1));
    let rows = panes::rows(model, pane, usize::from(width));
    let cursor = model.cursor(pane);
    let top = cursor.shown_top(rows.len(), usize::from(height));
    let cut = rows.len() > usize::from(height);
    title(model, pane, rect, focused, cut.then(|| (cursor.at + 1, rows.len())), buf);
    let needle = (!model.needle.is_empty() && focused).then_some(model.needle.as_str());
    let brush = Brush { theme: &model.look.theme, needle };
    for line in 0..height {
        let i = top + usize::from(line);
        if i >= rows.len() {
            break;
        }
        let y = rect.y + 1 + line;
        let on = i == cursor.at;
        let lit = match (on, focused) {
            (true, true) => Lit::Focus,
            (true, false) if screens::is_list(pane) => Lit::Idle,
            _ => Lit::No,
        };
        if lit != Lit::No {
            let mark = if lit == Lit::Focus { "▌" } else { "▏" };
            let scope = if lit == Lit::Focus { Scope::Accent } else { Scope::Dim };
            buf.set_stringn(rect.x, y, mark, 1, model.look.theme.style(scope));
        }
        brush.row(buf, Place { x: rect.x + 1, y, width }, &rows.row(i), lit, cursor.left);
    }
    if let Some((start, size)) = thumb(rows.len(), usize::from(height), top) {
        let style = model.look.theme.style(if focused { Scope::BorderFocus } else { Scope::Border });
        for line in start..start + size {
            buf.set_stringn(rect.right() - 1, rect.y + 1 + line as u16, "▐", 1, style);
        }
    }
}

fn title(model: &Model, pane: Pane, rect: Rect, focused: bool, of: Option<(usize, usize)>, buf: &mut Buffer) {
    let (border, scope) = if focused { (Scope::BorderFocus, Scope::TitleFocus) } else { (Scope::Border, Scope::Title) };
    let brush = Brush { theme: &model.look.theme, needle: None };
    let width = usize::from(rect.width);
    brush.row(buf, Place { x: rect.x, y: rect.y, width: rect.width }, &Row::of(border, "─".repeat(width)), Lit::No, 0);
    let of = of.map(|(at, len)| format!(" {} of {} ", text::group(at as u64), text::group(len as u64)));
    let of = of.filter(|of| of.len() + 12 < width).unwrap_or_default();
    let room = width.saturating_sub(of.len() + 4);
    let name = text::safe(&panes::title(model, pane)).into_owned();
    let name = format!(" {} ", text::cut(&name, room.saturating_sub(2)));
    let at = Place { x: rect.x + 1, y: rect.y, width: rect.width.saturating_sub(1).min(text::width(&name) as u16) };
    brush.row(buf, at, &Row::of(scope, name), Lit::No, 0);
    if !of.is_empty() {
        let at = Place { x: rect.right() - of.len() as u16 - 1, y: rect.y, width: of.len() as u16 };
        brush.row(buf, at, &Row::of(Scope::Dim, of), Lit::No, 0);
    }
}

/// While the file is being opened for the first time.
pub(super) fn opening(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let running = model.opening.as_ref();
    let words = bars::progress(running.and_then(|r| r.progress.as_ref()));
    let row = Row::new().plain(" ").dim(words);
    let y = rect.y + rect.height / 3;
    brush.row(buf, Place { x: rect.x, y, width: rect.width }, &row, Lit::No, 0);
    let Some(p) = running.and_then(|r| r.progress.as_ref()) else { return };
    if let Some(total) = p.total.filter(|t| *t > 0) {
        let wide = u64::from(rect.width.saturating_sub(2).min(60));
        let done = (p.done.min(total) * wide / total) as usize;
        let bar = Row::new().plain(" ").put(Scope::Accent, "━".repeat(done)).dim("─".repeat(wide as usize - done));
        brush.row(buf, Place { x: rect.x, y: y + 1, width: rect.width }, &bar, Lit::No, 0);
    }
}

/// The error screen of a file that cannot be opened.
pub(super) fn broken(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let width = usize::from(rect.width.saturating_sub(2));
    let mut rows = broken_rows(model, width);
    let height = usize::from(rect.height);
    if rows.len() > height && height > 0 {
        let hidden = rows.len() + 1 - height;
        rows.truncate(height - 1);
        rows.push(Row::of(Scope::Dim, format!("… {}", text::count(hidden, "more line"))));
    }
    for (i, row) in rows.iter().enumerate() {
        let place = Place { x: rect.x + 1, y: rect.y + i as u16, width: rect.width.saturating_sub(2) };
        brush.row(buf, place, row, Lit::No, 0);
    }
}

fn broken_rows(model: &Model, width: usize) -> Vec<Row> {
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
        rows.extend(Row::of(Scope::Text, "The file is watched: it opens as soon as it is mended.").wrap(width));
    }
    let says = "A tool file is an OpenAI tools list, an MCP tools/list result or an OpenAPI 3.0 or 3.1 document, as JSON or YAML.";
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}
