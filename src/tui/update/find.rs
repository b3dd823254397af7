//! Searching the rows of a pane.

use super::move_in;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::panes;
use crate::tui::widgets::list::{Move, Rows};

/// Which place of those found to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// The first from here on.
    Here,
    /// The next after this one.
    Next,
    /// The one before this one.
    Previous,
}

/// Goes to a row that holds what is searched for, around the ends.
pub fn find(model: &mut Model, find: Find) -> Vec<Effect> {
    if model.needle.is_empty() || model.broken() {
        return Vec::new();
    }
    let pane = model.pane();
    let (width, _) = panes::size(model, pane);
    let rows = panes::rows(model, pane, width);
    let (len, at) = (rows.len(), model.cursor(pane).at);
    let holds = |i: &usize| rows.row(*i).text().to_lowercase().contains(&model.needle);
    let found = match find {
        Find::Here => (0..len).map(|n| (at + n) % len).find(holds),
        Find::Next => (1..=len).map(|n| (at + n) % len).find(holds),
        Find::Previous => (1..=len).map(|n| (at + len - n) % len).find(holds),
    };
    drop(rows);
    match found {
        Some(i) => move_in(model, pane, Move::To(i)),
        None => {
            model.say(Scope::Notice, "found nowhere in this pane");
            Vec::new()
        }
    }
}
