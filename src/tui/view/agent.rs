//! What the agent sees: the list of messages, the selected one whole, and beside it what only the engine knows.

use super::boxes::{frame, list_with};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::overlays::agent::Agent;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::{Brush, Lit, Place, Row};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Columns inside from which the list is on the left.
const LIST_FROM: u16 = 66;
/// Columns inside from which the engine's part is beside the message, not below it.
const BESIDE_FROM: u16 = 104;

/// Where its parts are; the line above the message and the one above the engine's part are their titles.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// The box.
    pub area: Rect,
    /// The messages.
    pub list: Rect,
    /// The selected one.
    pub text: Rect,
    /// What only the engine knows.
    pub engine: Rect,
}

/// Divides a screen of this size.
pub fn parts((width, height): (u16, u16)) -> Parts {
    let area = Rect::new(0, 0, width, height.saturating_sub(1));
    let inside = Rect::new(2, 1, width.saturating_sub(4), height.saturating_sub(3));
    let below = |rect: Rect, top: u16| Rect { y: rect.y + top, height: rect.height.saturating_sub(top), ..rect };
    if inside.width < LIST_FROM {
        let list = (inside.height / 4).clamp(2, 8);
        let engine = inside.height.saturating_sub(list) * 2 / 5;
        let rest = inside.height.saturating_sub(list + engine);
        return Parts {
            area,
            list: Rect { height: list, ..inside },
            text: below(Rect { y: inside.y + list, height: rest, ..inside }, 1),
            engine: below(Rect { y: inside.y + list + rest, height: engine, ..inside }, 1),
        };
    }
    let left = (inside.width * 3 / 10).min(40);
    let right = Rect { x: inside.x + left + 2, width: inside.width - left - 2, ..inside };
    let list = Rect { width: left, ..inside };
    if inside.width >= BESIDE_FROM {
        let half = right.width * 11 / 20;
        let text = below(Rect { width: half, ..right }, 1);
        let engine = below(Rect { x: right.x + half + 2, width: right.width - half - 2, ..right }, 1);
        return Parts { area, list, text, engine };
    }
    let engine = right.height * 2 / 5;
    let text = below(Rect { height: right.height - engine, ..right }, 1);
    let engine = below(Rect { y: right.y + right.height - engine, height: engine, ..right }, 1);
    Parts { area, list, text, engine }
}

/// Paints it.
pub(super) fn paint(model: &Model, agent: &Agent, buf: &mut Buffer) {
    let parts = parts(model.size);
    if parts.area.height < 6 || parts.list.width < 4 {
        return;
    }
    let of = format!("{} of {}", text::group(agent.cursor.at as u64 + 1), text::group(agent.len() as u64));
    let within = &agent.within;
    frame(model, parts.area, &format!("what the agent sees, {of}{}", within.words()), buf);
    let (shown, cursor) = (within.filter.over(agent), within.filter.seen(agent.cursor));
    list_with(model, parts.list, &shown, cursor, true, within.marked(), buf);
    let rows = agent.text(usize::from(parts.text.width));
    let height = usize::from(parts.text.height);
    let top = agent.top().min(rows.len().saturating_sub(height));
    let cut = if rows.len() > height { format!(", line {} of {}", top + 1, rows.len()) } else { String::new() };
    heading(model, parts.text, &format!("{}{cut}", agent.title()), buf);
    block(model, parts.text, &rows, top, within.marked(), buf);
    // What does not fit scrolls with the message.
    let rows = agent.engine(usize::from(parts.engine.width));
    let height = usize::from(parts.engine.height);
    let top = agent.top().min(rows.len().saturating_sub(height));
    let cut = if rows.len() > height { format!(", line {} of {}", top + 1, rows.len()) } else { String::new() };
    heading(model, parts.engine, &format!("only the engine knows{cut}"), buf);
    block(model, parts.engine, &rows, top, None, buf);
}

/// The line above a part.
fn heading(model: &Model, below: Rect, title: &str, buf: &mut Buffer) {
    if below.height == 0 {
        return;
    }
    let brush = Brush { theme: &model.look.theme, needle: None };
    let width = usize::from(below.width);
    let title = text::safe(title);
    let title = text::cut(&title, width.saturating_sub(4));
    let rule = width.saturating_sub(text::width(&title) + 3);
    let row =
        Row::of(Scope::Border, "─ ").put(Scope::Title, &*title).put(Scope::Border, format!(" {}", "─".repeat(rule)));
    brush.row(buf, Place { x: below.x, y: below.y - 1, width: below.width }, &row, Lit::No, 0);
}

fn block(model: &Model, area: Rect, rows: &[Row], top: usize, needle: Option<&str>, buf: &mut Buffer) {
    let shown = rows.get(top..).unwrap_or_default();
    let cut = area.height > 1 && shown.len() > usize::from(area.height);
    let more = Row::of(Scope::Dim, "… more");
    let brush = Brush { theme: &model.look.theme, needle };
    for (line, row) in shown.iter().take(usize::from(area.height)).enumerate() {
        let last = cut && line + 1 == usize::from(area.height);
        let place = Place { x: area.x, y: area.y + line as u16, width: area.width };
        brush.row(buf, place, if last { &more } else { row }, Lit::No, 0);
    }
}
