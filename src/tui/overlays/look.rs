//! A text to look at: the keys that mean something here, a value whole.

use super::{Overlay, line};
use crate::theme::Scope;
use crate::tui::action::{Action, Place};
use crate::tui::keymap::Keymap;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::update::{Find, place_below};
use crate::tui::view::boxed;
use crate::tui::widgets::list::{Cursor, Move};
use crate::tui::widgets::row::Row;

/// What is looked at.
#[derive(Debug, Clone)]
pub struct Look {
    /// What stands above it.
    pub title: String,
    /// What it says.
    pub body: Body,
    /// Where one is in it.
    pub cursor: Cursor,
    /// What is searched for in it, in small letters.
    pub needle: String,
}

/// Where its rows come from.
#[derive(Debug, Clone)]
pub enum Body {
    /// The keys of a place.
    Keys(Place),
    /// Rows of its own.
    Rows(Vec<Row>),
}

/// Opens the keys of the present place.
pub fn help(model: &mut Model) {
    let place = place_below(model);
    model.overlays.push(Overlay::Look(Look {
        title: format!("keys: {}", place.title()),
        body: Body::Keys(place),
        cursor: Cursor::default(),
        needle: String::new(),
    }));
}

/// Opens a text.
pub fn text(model: &mut Model, title: impl Into<String>, rows: Vec<Row>) {
    let look = Look { title: title.into(), body: Body::Rows(rows), cursor: Cursor::default(), needle: String::new() };
    model.overlays.push(Overlay::Look(look));
}

/// Its rows.
pub fn rows(look: &Look, keymap: &Keymap, width: usize) -> Vec<Row> {
    match &look.body {
        Body::Keys(place) => keys(keymap, *place, width),
        Body::Rows(rows) => rows.iter().flat_map(|row| row.wrap(width)).collect(),
    }
}

fn keys(keymap: &Keymap, place: Place, width: usize) -> Vec<Row> {
    let column = if width < 44 { 13 } else { 20 };
    let mut rows = Vec::new();
    for action in Keymap::actions(place) {
        let keys: Vec<String> = keymap.keys(action).iter().map(ToString::to_string).collect();
        if keys.is_empty() {
            continue;
        }
        let row = Row::new().cell(Scope::Key, keys.join(" "), column).plain(action.title()).hanging(column);
        rows.extend(row.wrap(width));
    }
    rows.push(Row::new());
    let says = "Every key can be changed under keys: in the settings file, by the names that README lists.";
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}

/// Goes to a row that holds what is searched for, around the ends; says when there is none.
pub fn seek(model: &mut Model, way: Find) {
    let area = boxed(model.size);
    let (width, height) = (usize::from(area.width.saturating_sub(4)), usize::from(area.height.saturating_sub(2)));
    let keymap = model.keymap.clone();
    let looks = model.overlays.iter_mut().rev().find_map(|overlay| match overlay {
        Overlay::Look(look) => Some(look),
        _ => None,
    });
    let Some(look) = looks.filter(|look| !look.needle.is_empty()) else { return };
    let rows = rows(look, &keymap, width);
    let len = rows.len();
    let holds = |i: &usize| rows[*i].text().to_lowercase().contains(&look.needle);
    let at = look.cursor.at.min(len.saturating_sub(1));
    let found = match way {
        Find::Here => (0..len).map(|n| (at + n) % len).find(holds),
        Find::Next => (1..=len).map(|n| (at + n) % len).find(holds),
        Find::Previous => (1..=len).map(|n| (at + len - n) % len).find(holds),
    };
    match found {
        Some(i) => {
            look.cursor.at = i;
            // Some rows before it give it a context.
            look.cursor.top = i.saturating_sub(height / 3).min(len.saturating_sub(height));
        }
        None => model.say(Scope::Notice, "found nowhere in this text"),
    }
}

/// Searches for something else from a place on.
pub fn search(model: &mut Model, needle: &str, from: Cursor) {
    if let Some(Overlay::Look(look)) = model.overlays.iter_mut().rev().find(|o| matches!(o, Overlay::Look(_))) {
        look.needle = needle.to_lowercase();
        look.cursor = from;
    }
    seek(model, Find::Here);
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Search => {
            let Some(Overlay::Look(look)) = model.overlays.last() else { return Vec::new() };
            let from = look.cursor;
            line::ask(model, line::Purpose::Within(from), "search", String::new());
            return Vec::new();
        }
        Action::FindNext => {
            seek(model, Find::Next);
            return Vec::new();
        }
        Action::FindPrevious => {
            seek(model, Find::Previous);
            return Vec::new();
        }
        _ => {}
    }
    let area = boxed(model.size);
    let (width, height) = (usize::from(area.width.saturating_sub(4)), usize::from(area.height.saturating_sub(2)));
    let keymap = model.keymap.clone();
    let Some(Overlay::Look(look)) = model.overlays.last_mut() else { return Vec::new() };
    let len = rows(look, &keymap, width).len();
    // A text is scrolled, not selected in: the top row moves.
    let top = look.cursor.top;
    let most = len.saturating_sub(height);
    let page = height.saturating_sub(1).max(1);
    look.cursor.top = match action {
        Action::Up => top.saturating_sub(1),
        Action::Down => top + 1,
        Action::PageUp => top.saturating_sub(page),
        Action::PageDown => top + page,
        Action::First => 0,
        Action::Last => most,
        Action::Close => {
            model.overlays.pop();
            return Vec::new();
        }
        _ => top,
    }
    .min(most);
    look.cursor.at = look.cursor.top;
    Vec::new()
}

/// How far a move of the wheel goes.
pub fn wheel(model: &mut Model, way: Move) {
    let action = match way {
        Move::Up(_) => Action::Up,
        _ => Action::Down,
    };
    for _ in 0..3 {
        act(model, action);
    }
}
