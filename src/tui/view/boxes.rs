//! Popups, each in a box in the middle of the screen.

use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::overlays::{Overlay, form, look, pick, run_form, told};
use crate::tui::view::agent;
use crate::tui::widgets::list::{Cursor, Rows, thumb};
use crate::tui::widgets::row::{Brush, Lit, Place, Row};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The box of a popup on a screen of this size.
pub fn boxed((width, height): (u16, u16)) -> Rect {
    let wide = if width < 72 { width } else { (width * 4 / 5).min(110) };
    let high = if height < 20 { height.saturating_sub(2) } else { (height * 4 / 5).min(34) };
    Rect::new((width - wide) / 2, (height.saturating_sub(high + 1)) / 2, wide, high)
}

/// A box no taller than what is in it needs, in the middle of where it may stand.
fn fitted(area: Rect, rows: usize) -> Rect {
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).clamp(3, area.height);
    Rect { y: area.y + (area.height - height) / 3, height, ..area }
}

/// Paints an overlay; gives the place where text is typed.
pub(super) fn overlay(model: &Model, overlay: &Overlay, buf: &mut Buffer) -> Option<Position> {
    let area = boxed(model.size);
    if area.height < 3 || area.width < 8 {
        return None;
    }
    match overlay {
        Overlay::Look(look) => {
            let rows = look::rows(look, &model.keymap, usize::from(area.width - 4));
            let area = fitted(area, rows.len());
            let inside = frame(model, area, &format!("{}{}", look.title, look.within.words()), buf);
            list_with(model, inside, &look.within.filter.over(&rows), look.cursor, false, look.within.marked(), buf);
            None
        }
        Overlay::Pick(pick) => {
            // The typed text and an empty line are above the list; an unlisted name may be below it.
            let area = fitted(area, pick.total().max(3) + 3);
            let inside = frame(model, area, &pick.title, buf);
            Some(pick_list(model, inside, pick, buf))
        }
        Overlay::Form(form) => {
            let title = format!("call {}{}", form.tool, if form.raw.is_some() { ", as JSON" } else { "" });
            let inside = frame(model, area, &title, buf);
            form_box(model, inside, form, buf)
        }
        Overlay::Told(told) => {
            let rows = told::rows(told, usize::from(area.width - 4));
            let area = fitted(area, rows.len());
            let inside = frame(model, area, &format!("{}{}", told.title, told.within.words()), buf);
            let filter = &told.within.filter;
            let cursor = filter.seen(told.cursor);
            list_with(model, inside, &filter.over(&*rows), cursor, true, told.within.marked(), buf);
            None
        }
        Overlay::Agent(agent) => {
            agent::paint(model, agent, buf);
            None
        }
        Overlay::RunForm(form) => {
            let inside = frame(model, area, "run", buf);
            run_form_box(model, inside, form, buf)
        }
        Overlay::Line(_) => None,
    }
}

/// The box itself, cleared, with its title; gives its inside.
pub(super) fn frame(model: &Model, area: Rect, title: &str, buf: &mut Buffer) -> Rect {
    let theme = &model.look.theme;
    let style = theme.style(Scope::BorderFocus);
    let width = usize::from(area.width);
    for y in area.y..area.bottom() {
        for x in area.x..area.right() {
            if let Some(cell) = buf.cell_mut((x, y)) {
                cell.reset();
            }
        }
        // A wide character cut by the box's left edge would draw into it.
        mend(buf, area.x, y);
        let (left, fill, right) = match y {
            y if y == area.y => ("┌", "─", "┐"),
            y if y + 1 == area.bottom() => ("└", "─", "┘"),
            _ => ("│", " ", "│"),
        };
        buf.set_stringn(area.x, y, format!("{left}{}{right}", fill.repeat(width - 2)), width, style);
    }
    let title = format!(" {} ", text::cut(&text::safe(title), width.saturating_sub(6)));
    let brush = Brush { theme, needle: None };
    let place = Place { x: area.x + 2, y: area.y, width: area.width.saturating_sub(4) };
    brush.row(buf, place, &Row::of(Scope::TitleFocus, title), Lit::No, 0);
    Rect::new(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
}

fn mend(buf: &mut Buffer, x: u16, y: u16) {
    if x == 0 {
        return;
    }
    if let Some(cell) = buf.cell_mut((x - 1, y))
        && text::width(cell.symbol()) > 1
    {
        cell.set_symbol(" ");
    }
}

fn list(model: &Model, area: Rect, rows: &dyn Rows, cursor: Cursor, selects: bool, buf: &mut Buffer) {
    list_with(model, area, rows, cursor, selects, None, buf);
}

/// The same with what is searched for marked.
pub(super) fn list_with(
    model: &Model,
    area: Rect,
    rows: &dyn Rows,
    cursor: Cursor,
    selects: bool,
    needle: Option<&str>,
    buf: &mut Buffer,
) {
    let brush = Brush { theme: &model.look.theme, needle };
    let height = usize::from(area.height);
    let len = rows.len();
    let top = if selects { cursor.shown_top(len, height) } else { cursor.top.min(len.saturating_sub(height)) };
    for line in 0..height.min(len - top.min(len)) {
        let i = top + line;
        let lit = if selects && i == cursor.at { Lit::Focus } else { Lit::No };
        let y = area.y + line as u16;
        if lit == Lit::Focus {
            buf.set_stringn(area.x.saturating_sub(1), y, "▌", 1, model.look.theme.style(Scope::Accent));
        }
        brush.row(buf, Place { x: area.x, y, width: area.width }, &rows.row(i), lit, cursor.left);
    }
    bar(model, area, area.right() + 1, (top, len), buf);
    extent(model, area, (top, len), buf);
}

/// The thumb of a scrollbar at a column, beside something of which only a part is seen.
fn bar(model: &Model, area: Rect, x: u16, (top, len): (usize, usize), buf: &mut Buffer) {
    let Some((start, size)) = thumb(len, usize::from(area.height), top) else { return };
    for line in start..start + size {
        let style = model.look.theme.style(Scope::BorderFocus);
        buf.set_stringn(x, area.y + line as u16, "▐", 1, style);
    }
}

/// Which part of it is seen, on the edge below it.
fn extent(model: &Model, area: Rect, (top, len): (usize, usize), buf: &mut Buffer) {
    let height = usize::from(area.height);
    if thumb(len, height, top).is_none() {
        return;
    }
    let [from, to, len] = [top + 1, top + height, len].map(|n| text::group(n as u64));
    let of = format!(" rows {from}-{to} of {len} ");
    if of.len() + 4 < usize::from(area.width) {
        let at = Place { x: area.right() - of.len() as u16, y: area.bottom(), width: of.len() as u16 };
        let brush = Brush { theme: &model.look.theme, needle: None };
        brush.row(buf, at, &Row::of(Scope::Dim, of), Lit::No, 0);
    }
}

fn pick_list(model: &Model, area: Rect, pick: &pick::Pick, buf: &mut Buffer) -> Position {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let typed = Row::of(Scope::Accent, "> ").put(Scope::Input, pick.editor.text());
    let of = format!("{} of {} rows", text::group(pick.found() as u64), text::group(pick.total() as u64));
    brush.row(buf, Place { x: area.x, y: area.y, width: area.width }, &typed.end(Scope::Dim, of), Lit::No, 0);
    let rest = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    list(model, rest, pick, pick.cursor, true, buf);
    if pick.is_empty() && rest.height > 0 {
        let says = if pick.total() == 0 { "nothing to choose from" } else { "no match" };
        brush.row(buf, Place { x: rest.x, y: rest.y, width: rest.width }, &Row::of(Scope::Dim, says), Lit::No, 0);
    }
    let x = area.x + 2 + pick.editor.position().1 as u16;
    Position { x: x.min(area.right().saturating_sub(1)), y: area.y }
}

fn form_box(model: &Model, area: Rect, form: &form::Form, buf: &mut Buffer) -> Option<Position> {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let parts = form::parts(form, area);
    let (rows, (row, column)) = form::rows(form, usize::from(parts.main.width));
    let height = usize::from(parts.main.height);
    let cursor = Cursor { at: row, top: 0, left: 0 };
    let top = cursor.shown_top(rows.len().max(row + 1), height);
    let left = column.saturating_sub(usize::from(parts.main.width).saturating_sub(1));
    for (line, i) in (top..rows.len()).take(height).enumerate() {
        let on = i == row && form.raw.is_none();
        let place = Place { x: parts.main.x, y: parts.main.y + line as u16, width: parts.main.width };
        if on {
            let style = model.look.theme.style(Scope::Accent);
            buf.set_stringn(place.x.saturating_sub(1), place.y, "▌", 1, style);
        }
        brush.row(buf, place, &rows[i], Lit::No, if i == row { left } else { 0 });
    }
    // On the box's edge, or between the two halves.
    let x = if parts.main.right() == area.right() { area.right() + 1 } else { parts.main.right() };
    let edge = Rect { y: area.bottom().saturating_sub(parts.main.height), ..parts.main };
    bar(model, parts.main, x, (top, rows.len()), buf);
    extent(model, edge, (top, rows.len()), buf);
    // A line parts it from the arguments above it; the schema of JSON has a heading of its own.
    let skip = u16::from(parts.about.y > parts.main.y && form.raw.is_none());
    let seen = usize::from(parts.about.height.saturating_sub(skip));
    let about = form.about(usize::from(parts.about.width), seen);
    for (line, row) in about.iter().take(seen).enumerate() {
        let place = Place { x: parts.about.x, y: parts.about.y + skip + line as u16, width: parts.about.width };
        brush.row(buf, place, row, Lit::No, 0);
    }
    if parts.check.height > 1 {
        let rule = Row::of(Scope::Border, "─".repeat(usize::from(area.width)));
        brush.row(buf, Place { x: parts.check.x, y: parts.check.y, width: parts.check.width }, &rule, Lit::No, 0);
    }
    let y = parts.check.bottom().saturating_sub(1);
    // Enter ends a line of raw JSON, so what sends it is said.
    let send = model.keymap.key(Action::Send).filter(|_| form.raw.is_some());
    let verdict = match send {
        Some(key) => form.verdict().end(Scope::Dim, format!("{key} sends")),
        None => form.verdict(),
    };
    brush.row(buf, Place { x: parts.check.x, y, width: parts.check.width }, &verdict, Lit::No, 0);
    let line = row.checked_sub(top).filter(|l| *l < height)?;
    Some(Position { x: parts.main.x + (column - left) as u16, y: parts.main.y + line as u16 })
}

fn run_form_box(model: &Model, area: Rect, form: &run_form::RunForm, buf: &mut Buffer) -> Option<Position> {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let (rows, (row, column)) = run_form::rows(form, usize::from(area.width));
    let height = usize::from(area.height);
    let top = Cursor { at: row, top: 0, left: 0 }.shown_top(rows.len(), height);
    let left = column.saturating_sub(usize::from(area.width).saturating_sub(1));
    for (line, i) in (top..rows.len()).take(height).enumerate() {
        let place = Place { x: area.x, y: area.y + line as u16, width: area.width };
        if i == row {
            buf.set_stringn(place.x.saturating_sub(1), place.y, "▌", 1, model.look.theme.style(Scope::Accent));
        }
        brush.row(buf, place, &rows[i], Lit::No, if i == row { left } else { 0 });
    }
    bar(model, area, area.right() + 1, (top, rows.len()), buf);
    extent(model, area, (top, rows.len()), buf);
    let line = row.checked_sub(top).filter(|l| *l < height)?;
    Some(Position { x: area.x + (column - left) as u16, y: area.y + line as u16 })
}
