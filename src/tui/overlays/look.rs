//! A text to look at: the keys that mean something here, a value whole.

use super::Overlay;
use super::pick::Copyable;
use super::within::{self, Within};
use crate::theme::Scope;
use crate::tui::action::{Action, Context, Place};
use crate::tui::keymap::Keymap;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::update::place_below;
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
    /// What is searched for in it, and which rows of it are shown.
    pub within: Within,
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
        within: Within::default(),
    }));
}

/// Opens a text.
pub fn text(model: &mut Model, title: impl Into<String>, rows: Vec<Row>) {
    let look =
        Look { title: title.into(), body: Body::Rows(rows), cursor: Cursor::default(), within: Within::default() };
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
    let common = [Context::Always, Context::Main, Context::Rows, Context::Sideways];
    let moves = |action: &Action| action.contexts().iter().any(|c| matches!(c, Context::Rows | Context::Sideways));
    let own = |action: &Action| !action.contexts().iter().any(|c| common.contains(c));
    // What is of this place alone comes first.
    let parts: [(&str, &dyn Fn(&Action) -> bool); 3] = [
        (place.title(), &own),
        ("Every screen", &|action| !own(action) && !moves(action)),
        ("Moving", &|action| !own(action) && moves(action)),
    ];
    let mut rows = Vec::new();
    for (title, among) in parts {
        let actions: Vec<(Action, String)> = Keymap::actions(place)
            .filter(among)
            .map(|action| (action, keymap.keys(action).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
            .filter(|(_, keys)| !keys.is_empty())
            .collect();
        if actions.is_empty() {
            continue;
        }
        if !rows.is_empty() {
            rows.push(Row::new());
        }
        rows.push(Row::of(Scope::Title, title));
        for (action, keys) in actions {
            let row = Row::new().cell(Scope::Key, keys, column).plain(action.title()).hanging(column);
            rows.extend(row.wrap(width));
        }
    }
    rows.push(Row::new());
    let says = "Every key can be changed under keys: in the settings file, by the names that README lists.";
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(effects) = within::act(model, action) {
        return effects;
    }
    // A text is scrolled, not selected in: the top row moves.
    within::scroll(model, |top, height, most| {
        let page = height.saturating_sub(1).max(1);
        match action {
            Action::Up => top.saturating_sub(1),
            Action::Down => top + 1,
            Action::PageUp => top.saturating_sub(page),
            Action::PageDown => top + page,
            Action::First => 0,
            Action::Last => most,
            _ => top,
        }
    });
    match (action, model.overlays.last()) {
        (Action::Close, _) => {
            model.overlays.pop();
        }
        (Action::CopyText, Some(Overlay::Look(look))) => {
            // As it was written, not as it is wrapped.
            let rows = match &look.body {
                Body::Keys(place) => keys(&model.keymap, *place, usize::MAX),
                Body::Rows(rows) => rows.clone(),
            };
            let lines: Vec<String> = rows.iter().map(Row::text).collect();
            let Copyable { what, text, .. } = Copyable::new(&look.title, lines.join("\n"));
            return vec![Effect::Copy { what, text }];
        }
        _ => {}
    }
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
