//! The model as cells. Only reads.

mod agent;
mod band;
mod bars;
mod boxes;
mod pane;

pub use agent::{Parts as AgentParts, parts as agent_parts};
pub use bars::{footer_action, progress as progress_words, tab_action};
pub use boxes::boxed;

use super::layout::LEAST;
use super::model::Model;
use super::overlays::Overlay;
use super::widgets::row::{Brush, Lit, Place, Row};
use crate::theme::Scope;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    if let Some(at) = paint(model, frame.buffer_mut()) {
        frame.set_cursor_position(at);
    }
}

/// Paints the whole screen into a buffer of the model's size; gives the place where text is typed.
pub fn paint(model: &Model, buf: &mut Buffer) -> Option<Position> {
    let layout = model.layout();
    let area = Rect::new(0, 0, model.size.0, model.size.1).intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    if layout.too_small {
        too_small(model, area, buf);
        return None;
    }
    bars::header(model, layout.header, buf);
    bars::status(model, layout.status, buf);
    if model.broken() {
        pane::broken(model, layout.body(), layout.status, buf);
    } else if model.waits() {
        pane::opening(model, layout.body(), buf);
    } else {
        pane::panes(model, &layout, buf);
    }
    let mut cursor = None;
    if model.overlays.iter().any(|o| !matches!(o, Overlay::Line(_))) {
        // What is below steps back.
        let dim = model.look.theme.style(Scope::Dim);
        for cell in &mut buf.content {
            cell.set_style(ratatui::style::Style::reset().patch(dim));
        }
    }
    for (i, overlay) in model.overlays.iter().enumerate() {
        let top = i + 1 == model.overlays.len();
        let at = match overlay {
            Overlay::Line(line) => Some(bars::line_at(model, line, layout.status, buf)),
            overlay => boxes::overlay(model, overlay, buf),
        };
        if top {
            cursor = at;
        }
    }
    band::band(model, layout.band, buf);
    bars::notice(model, layout.status, buf);
    bars::footer(model, layout.footer, buf);
    cursor.filter(|at| area.contains(*at))
}

fn too_small(model: &Model, area: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let says = format!("too small: {}x{} needed", LEAST.0, LEAST.1);
    let rows = Row::of(Scope::Text, says).wrap(usize::from(area.width));
    let skip = usize::from(area.height).saturating_sub(rows.len()) / 2;
    for (i, row) in rows.iter().enumerate() {
        let y = area.y + (skip + i) as u16;
        if y < area.bottom() {
            brush.row(buf, Place { x: area.x, y, width: area.width }, row, Lit::No, 0);
        }
    }
}
