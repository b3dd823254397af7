//! Searching the rows of a pane.

use super::move_in;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::panes;
use crate::tui::screens::{self, broken};
use crate::tui::widgets::filter::{Find, MOST_LOOKED_AT, Sought, seek, sideways};
use crate::tui::widgets::list::{Move, Rows};

/// Goes to a row that holds what is searched for, around the ends.
pub fn find(model: &mut Model, find: Find) -> Vec<Effect> {
    if model.needle.is_empty() {
        return Vec::new();
    }
    if model.broken() {
        broken::find(model, find);
        return Vec::new();
    }
    let pane = model.pane();
    let mut sought = look(model, pane, find);
    // What is folded away is looked at when it is nowhere else.
    if sought.to.is_none() && screens::open_for(model, pane) {
        sought = look(model, pane, find);
    }
    model.live.found = sought.found;
    match sought.to.and_then(|place| model.filter(pane).at(place)) {
        Some(i) => {
            let effects = move_in(model, pane, Move::To(i));
            let (width, _) = panes::size(model, pane);
            let left = {
                let rows = panes::rows(model, pane, width);
                sideways(&rows.row(model.cursor(pane).at), &model.needle, width, model.cursor(pane).left)
            };
            model.cursor_mut(pane).left = left;
            effects
        }
        None => {
            nowhere(model, sought.cut, "no match in this pane");
            Vec::new()
        }
    }
}

fn look(model: &Model, pane: Pane, find: Find) -> Sought {
    let (width, _) = panes::size(model, pane);
    let (rows, filter) = (panes::sought(model, pane, width), model.filter(pane));
    seek(&filter.over(&rows), &model.needle, filter.place(model.cursor(pane).at), find)
}

/// Says that a text was not found.
pub(super) fn nowhere(model: &mut Model, cut: bool, says: &str) {
    if cut {
        model.say(Scope::Notice, format!("no match in the next {} rows", text::group(MOST_LOOKED_AT as u64)));
    } else {
        model.say(Scope::Notice, says);
    }
}
