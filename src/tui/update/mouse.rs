//! The mouse.

use super::{act, move_in};
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::{Overlay, agent, look, told};
use crate::tui::panes;
use crate::tui::screens::broken;
use crate::tui::view;
use crate::tui::widgets::list::{Move, Rows};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// The wheel scrolls the pane under the pointer; a click selects a row there, opens a tab or does what the footer says.
pub(super) fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    if !model.mouse {
        return Vec::new();
    }
    let way = match event.kind {
        MouseEventKind::ScrollUp => Some(Move::Up(3)),
        MouseEventKind::ScrollDown => Some(Move::Down(3)),
        MouseEventKind::Down(MouseButton::Left) => None,
        _ => return Vec::new(),
    };
    let at = Position { x: event.column, y: event.row };
    let layout = model.layout();
    if way.is_none() {
        if at.y == layout.footer.y
            && let Some(action) = view::footer_action(model, at.x)
        {
            return act(model, action);
        }
        if model.overlays.is_empty()
            && at.y == layout.header.y
            && let Some(action) = view::tab_action(model, at.x)
        {
            return act(model, action);
        }
    }
    if let (Some(overlay), Some(way)) = (model.overlays.last(), way) {
        match overlay {
            Overlay::Look(_) => look::wheel(model, way),
            Overlay::Told(_) => told::wheel(model, way),
            Overlay::Agent(_) => agent::wheel(model, way),
            _ => {}
        }
        return Vec::new();
    }
    if let (true, Some(way)) = (model.broken(), way) {
        let action = if matches!(way, Move::Up(_)) { Action::Up } else { Action::Down };
        for _ in 0..3 {
            broken::scroll(model, action);
        }
    }
    if !model.overlays.is_empty() || model.broken() {
        return Vec::new();
    }
    let Some((pane, rect)) = layout.panes.iter().find(|(_, rect)| rect.contains(at)).copied() else {
        return Vec::new();
    };
    if let Some(way) = way {
        return move_in(model, pane, way);
    }
    click(model, pane, rect, at)
}

fn click(model: &mut Model, pane: Pane, rect: Rect, at: Position) -> Vec<Effect> {
    if let Some(focus) = model.screen.panes().iter().position(|p| *p == pane) {
        model.focus[model.screen as usize] = focus;
    }
    let Some(line) = at.y.checked_sub(rect.y + 1) else { return Vec::new() };
    let line = line / model.layout().spacing(pane);
    let (width, height) = panes::size(model, pane);
    let len = panes::rows(model, pane, width).len();
    let filter = model.filter(pane);
    let len = filter.len(len);
    let place = filter.seen(model.cursor(pane)).shown_top(len, height) + usize::from(line);
    match filter.at(place).filter(|_| place < len) {
        Some(row) => move_in(model, pane, Move::To(row)),
        None => Vec::new(),
    }
}
