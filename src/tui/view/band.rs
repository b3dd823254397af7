//! The band above the status line: what the guided tour says.

use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::overlays::tour;
use crate::tui::widgets::row::{Brush, Lit, Place, Row};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Paints the band, when there is one.
pub(super) fn band(model: &Model, rect: Rect, buf: &mut Buffer) {
    let Some(tour) = &model.tour else { return };
    let brush = Brush { theme: &model.look.theme, needle: None };
    // A box open above the screen may reach down here.
    for y in rect.top()..rect.bottom() {
        buf.set_stringn(rect.x, y, " ".repeat(usize::from(rect.width)), usize::from(rect.width), Style::reset());
    }
    let mut y = rect.y;
    if rect.height > 1 {
        let title = format!("━ {} ", tour::title(tour));
        let room = usize::from(rect.width).saturating_sub(text::width(&title));
        let ways = tour::ways(model, tour, room.saturating_sub(4));
        let rest = "━".repeat(room.saturating_sub(text::width(&ways) + if ways.is_empty() { 0 } else { 3 }));
        let row = Row::of(Scope::Accent, title + &rest);
        let row = if ways.is_empty() { row } else { row.dim(format!(" {ways} ")).put(Scope::Accent, "━") };
        brush.row(buf, Place { x: rect.x, y, width: rect.width }, &row, Lit::No, 0);
        y += 1;
    }
    let width = rect.width.saturating_sub(2);
    for row in tour::rows(model, tour, usize::from(width), usize::from(rect.bottom() - y)) {
        if y < rect.bottom() {
            brush.row(buf, Place { x: rect.x + 1, y, width }, &row, Lit::No, 0);
            y += 1;
        }
    }
}
