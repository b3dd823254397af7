//! The panes side by side, each below its title.

use super::bars;
use crate::text;
use crate::theme::Scope;
use crate::tui::layout::Layout;
use crate::tui::model::{Model, Pane};
use crate::tui::panes;
use crate::tui::screens::{self, broken};
use crate::tui::widgets::list::{Cursor, Rows, thumb};
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
            let corner = if rect.y == layout.header.bottom() { "┬" } else { "┤" };
            buf.set_stringn(rect.right(), y, if y == rect.y { corner } else { "│" }, 1, style);
        }
    }
}

fn one(model: &Model, pane: Pane, rect: Rect, buf: &mut Buffer) {
    let focused = model.pane() == pane;
    let spacing = model.layout().spacing(pane);
    let (width, height) = (rect.width.saturating_sub(2), rect.height.saturating_sub(1).div_ceil(spacing));
    let whole = panes::rows(model, pane, usize::from(width));
    let filter = model.filter(pane);
    let rows = filter.over(&whole);
    let cursor = filter.seen(model.cursor(pane));
    let top = cursor.shown_top(rows.len(), usize::from(height));
    let cut = rows.len() > usize::from(height);
    title(model, pane, rect, focused, cut.then(|| (cursor.at + 1, rows.len())), buf);
    // What a list is searched for or filtered by is marked beside it too: a tool is found by its description.
    let sought = (!model.needle.is_empty()).then_some(model.needle.as_str());
    let beside = || (!screens::is_list(pane)).then(|| model.filter(model.pane()).needle()).flatten();
    let needle = sought.or(filter.needle()).or_else(beside);
    let brush = Brush { theme: &model.look.theme, needle };
    for line in 0..height {
        let i = top + usize::from(line);
        if i >= rows.len() {
            break;
        }
        let y = rect.y + 1 + line * spacing;
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
        for line in start * usize::from(spacing)..(start + size) * usize::from(spacing) {
            let y = rect.y + 1 + line as u16;
            if y < rect.bottom() {
                buf.set_stringn(rect.right() - 1, y, "▐", 1, style);
            }
        }
    }
}

fn title(model: &Model, pane: Pane, rect: Rect, focused: bool, of: Option<(usize, usize)>, buf: &mut Buffer) {
    let (border, scope) = if focused { (Scope::BorderFocus, Scope::TitleFocus) } else { (Scope::Border, Scope::Title) };
    let brush = Brush { theme: &model.look.theme, needle: None };
    let width = usize::from(rect.width);
    brush.row(buf, Place { x: rect.x, y: rect.y, width: rect.width }, &Row::of(border, "─".repeat(width)), Lit::No, 0);
    let of = of.map(|(at, len)| format!(" row {} of {} ", text::group(at as u64), text::group(len as u64)));
    let mut of = of.filter(|of| of.len() + 12 < width).unwrap_or_default();
    let name = text::safe(&panes::title(model, pane)).into_owned();
    let name = match model.filter(pane).needle() {
        Some(needle) => {
            let needle = text::safe(needle);
            let counts = model.filter(pane).words();
            let whole = format!("{name} with \"{needle}\": {counts}");
            if text::width(&whole) + of.len() + 6 <= width {
                whole
            } else {
                // How many rows are shown of how many says more than which of those is selected.
                let room = width.saturating_sub(counts.len() + "\"\": ".len() + 4);
                of = format!(" \"{}\": {counts} ", text::cut(&needle, room.max(1)));
                let left = width.saturating_sub(text::width(&of) + 5);
                if left < 4 { String::new() } else { text::cut(&name, left).into_owned() }
            }
        }
        None => text::cut(&name, width.saturating_sub(of.len() + 6)).into_owned(),
    };
    let name = if name.is_empty() { name } else { format!(" {name} ") };
    let at = Place { x: rect.x + 1, y: rect.y, width: rect.width.saturating_sub(1).min(text::width(&name) as u16) };
    brush.row(buf, at, &Row::of(scope, name), Lit::No, 0);
    if !of.is_empty() {
        let wide = (text::width(&of) as u16).min(rect.width.saturating_sub(1));
        let at = Place { x: rect.right() - wide - 1, y: rect.y, width: wide };
        brush.row(buf, at, &Row::of(Scope::Dim, of), Lit::No, 0);
    }
}

/// While the file is being opened for the first time.
pub(super) fn opening(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let running = model.opening.as_ref();
    // Before its file, a session that comes back is read itself.
    let words = match running {
        None => "bringing the session back".to_owned(),
        Some(running) => bars::progress(running.progress.as_ref()),
    };
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

/// The error screen of a file that cannot be opened, as far as it is seen; what is seen of it stands in the status line.
pub(super) fn broken(model: &Model, rect: Rect, status: Rect, buf: &mut Buffer) {
    let needle = (!model.needle.is_empty()).then_some(model.needle.as_str());
    let brush = Brush { theme: &model.look.theme, needle };
    let rows = broken::rows(model, usize::from(rect.width.saturating_sub(2)));
    let height = usize::from(rect.height);
    let Cursor { top, left, .. } = model.error_at;
    let top = top.min(rows.len().saturating_sub(height));
    for (i, row) in rows.iter().skip(top).take(height).enumerate() {
        let place = Place { x: rect.x + 1, y: rect.y + i as u16, width: rect.width.saturating_sub(2) };
        brush.row(buf, place, row, Lit::No, left);
    }
    if let Some((start, size)) = thumb(rows.len(), height, top) {
        let style = model.look.theme.style(Scope::BorderFocus);
        for line in start..start + size {
            buf.set_stringn(rect.right() - 1, rect.y + line as u16, "▐", 1, style);
        }
        let says = format!(" {}-{} of {} ", top + 1, top + height, rows.len());
        let at =
            Place { x: status.right().saturating_sub(says.len() as u16 + 1), y: status.y, width: says.len() as u16 };
        Brush { needle: None, ..brush }.row(buf, at, &Row::of(Scope::Dim, says), Lit::No, 0);
    }
}
