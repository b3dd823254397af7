//! Searching the rows of a pane.

use super::move_in;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::panes;
use crate::tui::screens::broken;
use crate::tui::widgets::filter::{Find, MOST_LOOKED_AT, seek};
use crate::tui::widgets::list::Move;

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
    let (width, _) = panes::size(model, pane);
    let filter = model.filter(pane);
    let sought = {
        let rows = panes::sought(model, pane, width);
        seek(&filter.over(&rows), &model.needle, filter.place(model.cursor(pane).at), find)
    };
    let to = sought.to.and_then(|place| filter.at(place));
    model.live.found = sought.found;
    match to {
        Some(i) => move_in(model, pane, Move::To(i)),
        None => {
            nowhere(model, sought.cut, "found nowhere in this pane");
            Vec::new()
        }
    }
}

/// Says that a text was not found.
pub(super) fn nowhere(model: &mut Model, cut: bool, says: &str) {
    if cut {
        model.say(Scope::Notice, format!("not found in the next {} rows", text::group(MOST_LOOKED_AT as u64)));
    } else {
        model.say(Scope::Notice, says);
    }
}
