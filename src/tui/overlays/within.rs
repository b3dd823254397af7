//! Searching in a text or list above a screen, and showing only some of its rows.

use super::{Overlay, line, look, told};
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::keymap::Keymap;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::view::{agent_parts, boxed};
use crate::tui::widgets::filter::{self, Filter, Find, Found, seek};
use crate::tui::widgets::list::{Cursor, Move, Rows};

/// What is searched for in it, and which of its rows are shown.
#[derive(Debug, Clone, Default)]
pub struct Within {
    /// What is searched for, in small letters.
    pub needle: String,
    /// Where one stands among the places found.
    found: Option<Found>,
    /// Which rows are shown.
    pub filter: Filter,
    /// The width of the rows that the filter looked at.
    width: usize,
}

impl Within {
    /// What is marked in the rows.
    pub fn marked(&self) -> Option<&str> {
        (!self.needle.is_empty()).then_some(self.needle.as_str()).or(self.filter.needle())
    }

    /// What is said of it behind a title.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if let Some(text) = self.filter.needle() {
            words.push_str(&format!(" with \"{text}\": {}", self.filter.words()));
        }
        if let Some(found) = self.found {
            let more = if found.more { " and more" } else { "" };
            words.push_str(&format!(", \"{}\" {} of {}{more}", self.needle, found.at, found.of));
        }
        words
    }
}

/// Columns and lines of the list or text of an overlay.
fn size(model: &Model, overlay: &Overlay) -> (usize, usize) {
    let area = boxed(model.size);
    match overlay {
        Overlay::Agent(_) => {
            let list = agent_parts(model.size).list;
            (usize::from(list.width), usize::from(list.height))
        }
        _ => (usize::from(area.width.saturating_sub(4)), usize::from(area.height.saturating_sub(2))),
    }
}

/// The rows of an overlay that can be searched.
fn rows<'a>(overlay: &'a Overlay, keymap: &Keymap, width: usize) -> Option<Box<dyn Rows + 'a>> {
    match overlay {
        Overlay::Look(look) => Some(Box::new(look::rows(look, keymap, width))),
        Overlay::Told(told) => Some(told::rows(told, width)),
        Overlay::Agent(agent) => Some(Box::new(&**agent)),
        _ => None,
    }
}

fn parts(overlay: &mut Overlay) -> Option<(&mut Cursor, &mut Within)> {
    match overlay {
        Overlay::Look(look) => Some((&mut look.cursor, &mut look.within)),
        Overlay::Told(told) => Some((&mut told.cursor, &mut told.within)),
        Overlay::Agent(agent) => Some((&mut agent.cursor, &mut agent.within)),
        _ => None,
    }
}

/// Where the topmost overlay that can be searched is: the line in which one types stands above it.
fn place(model: &Model) -> Option<usize> {
    model.overlays.iter().rposition(|o| matches!(o, Overlay::Look(_) | Overlay::Told(_) | Overlay::Agent(_)))
}

/// Changes what is known of the topmost overlay that can be searched, with its rows and its height.
fn with<R>(model: &mut Model, change: impl FnOnce(&dyn Rows, &mut Cursor, &mut Within, usize) -> R) -> Option<R> {
    let i = place(model)?;
    let (width, height) = size(model, &model.overlays[i]);
    let (cursor, within) = parts(&mut model.overlays[i])?;
    let (mut cursor, mut within) = (*cursor, std::mem::take(within));
    let changed = {
        let rows = rows(&model.overlays[i], &model.keymap, width)?;
        change(&*rows, &mut cursor, &mut within, height)
    };
    let overlay = &mut model.overlays[i];
    let (old, kept) = parts(overlay)?;
    let moved = old.at != cursor.at;
    (*old, *kept) = (cursor, within);
    if let (Overlay::Agent(agent), true) = (overlay, moved) {
        agent.look(usize::from(agent_parts(model.size).text.width));
    }
    Some(changed)
}

/// Whether the topmost one is a text that is scrolled, not a list that is selected in.
fn scrolls(model: &Model) -> bool {
    place(model).is_some_and(|i| matches!(model.overlays[i], Overlay::Look(_)))
}

/// Selects a row.
fn stand(cursor: &mut Cursor, filter: &mut Filter, at: usize, len: usize, height: usize, scrolls: bool) {
    if scrolls {
        cursor.at = at;
        // Some rows before it give it a context.
        cursor.top = filter.place(at).saturating_sub(height / 3).min(filter.len(len).saturating_sub(height));
    } else {
        filter.go(cursor, Move::To(at), len, height);
    }
}

/// Goes to a row that holds what is searched for, around the ends; says when there is none.
fn go(model: &mut Model, way: Find) {
    let parts = agent_parts(model.size);
    if let Some(Overlay::Agent(agent)) = place(model).map(|i| &mut model.overlays[i])
        && agent.turn(way, usize::from(parts.text.height))
    {
        return;
    }
    let scrolls = scrolls(model);
    let width = place(model).map_or(0, |i| size(model, &model.overlays[i]).0);
    let nowhere = with(model, |rows, cursor, within, height| {
        if within.needle.is_empty() {
            within.found = None;
            return false;
        }
        let at = within.filter.place(cursor.at);
        let sought = seek(&within.filter.over(rows), &within.needle, at, way);
        within.found = sought.found;
        let to = sought.to.and_then(|place| within.filter.at(place));
        if let Some(to) = to {
            stand(cursor, &mut within.filter, to, rows.len(), height, scrolls);
            cursor.left = filter::sideways(&rows.row(to), &within.needle, width, cursor.left);
        }
        to.is_none()
    });
    if nowhere == Some(true) {
        model.say(Scope::Notice, "no match here");
    }
    if let Some(Overlay::Agent(agent)) = place(model).map(|i| &mut model.overlays[i]) {
        agent.reveal(way, usize::from(parts.text.height));
    }
}

/// Searches for something else from a place on.
pub(super) fn search(model: &mut Model, needle: &str, from: Cursor) {
    with(model, |_, cursor, within, _| {
        within.needle = needle.to_lowercase();
        *cursor = from;
    });
    go(model, Find::Here);
}

/// Shows only the rows that have a text in them.
pub(super) fn filter(model: &mut Model, text: &str, from: Cursor) {
    let scrolls = scrolls(model);
    with(model, |rows, cursor, within, height| {
        within.filter.set(text, rows);
        *cursor = from;
        let at = within.filter.nearest(from.at);
        stand(cursor, &mut within.filter, at, rows.len(), height, scrolls);
    });
}

/// Goes back to the rows that were shown before, and to where one stood.
pub(super) fn back(model: &mut Model, text: &str, from: Cursor) {
    with(model, |rows, cursor, within, _| {
        within.filter.set(text, rows);
        *cursor = from;
    });
    keep(model);
}

/// After anything happened: the selection is inside the rows, which change with the width of the terminal.
pub fn keep(model: &mut Model) {
    let Some(i) = place(model) else { return };
    let (scrolls, width) = (scrolls(model), size(model, &model.overlays[i]).0);
    with(model, |rows, cursor, within, height| {
        if within.width != width {
            within.filter.look(rows);
            within.width = width;
        }
        if scrolls {
            cursor.top = cursor.top.min(within.filter.len(rows.len()).saturating_sub(height));
        } else {
            within.filter.keep(cursor, rows.len(), height);
        }
    });
}

/// Scrolls a list sideways, as long as a row of it goes on there.
pub(super) fn sideways(model: &mut Model, right: bool) {
    let Some(width) = place(model).map(|i| size(model, &model.overlays[i]).0) else { return };
    with(model, |rows, cursor, _, _| {
        let goes_on = rows.row(cursor.at).width() > cursor.left + width;
        cursor.left = match right {
            true if goes_on => cursor.left + 8,
            true => cursor.left,
            false => cursor.left.saturating_sub(8),
        };
    });
}

/// Moves in a list.
pub(super) fn go_to(model: &mut Model, way: Move) {
    with(model, |rows, cursor, within, height| within.filter.go(cursor, way, rows.len(), height));
}

/// Scrolls a text to the line at `top(top, height, most)`.
pub(super) fn scroll(model: &mut Model, top: impl FnOnce(usize, usize, usize) -> usize) {
    with(model, |rows, cursor, within, height| {
        let most = within.filter.len(rows.len()).saturating_sub(height);
        cursor.top = top(cursor.top, height, most).min(most);
        cursor.at = within.filter.at(cursor.top).unwrap_or_default();
    });
}

/// What the keys do that mean the same in all of them; `None` for other keys.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Vec<Effect>> {
    match action {
        Action::Search | Action::Filter => {
            let (cursor, before) = with(model, |_, cursor, within, _| (*cursor, within.filter.text().to_owned()))?;
            if action == Action::Search {
                line::ask(model, line::Purpose::Within(cursor), "search", String::new());
            } else {
                line::ask(model, line::Purpose::Among(before.clone(), cursor), "show rows with", before);
            }
        }
        Action::FindNext => go(model, Find::Next),
        Action::FindPrevious => go(model, Find::Previous),
        Action::Close => {
            let on = with(model, |rows, _, within, _| {
                let on = within.filter.is_on();
                within.filter.set("", rows);
                on
            });
            if on != Some(true) {
                return None;
            }
        }
        _ => return None,
    }
    Some(Vec::new())
}
