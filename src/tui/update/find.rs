//! Searching the rows of a pane.

use super::move_in;
use crate::theme::Scope;
use crate::tui::live::Found;
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

/// So many rows are looked at for the next place.
const MOST_LOOKED_AT: usize = 50_000;
/// So many rows are counted in to say how many places there are.
const MOST_COUNTED: usize = 5_000;

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
    // A value may have more lines than anybody waits for.
    let reach = len.min(MOST_LOOKED_AT);
    let found = match find {
        Find::Here => (0..reach).map(|n| (at + n) % len).find(holds),
        Find::Next => (1..=reach).map(|n| (at + n) % len).find(holds),
        Find::Previous => (1..=reach).map(|n| (at + len - n) % len).find(holds),
    };
    let counted = len.min(MOST_COUNTED);
    let place = found.filter(|i| *i < counted).map(|found| {
        let (mut of, mut nth) = (0, 0);
        for i in (0..counted).filter(holds) {
            of += 1;
            if i <= found {
                nth = of;
            }
        }
        Found { at: nth, of, more: counted < len }
    });
    drop(rows);
    model.live.found = place;
    match found {
        Some(i) => move_in(model, pane, Move::To(i)),
        None if reach < len => {
            model.say(Scope::Notice, format!("not found in the next {} rows", crate::text::group(reach as u64)));
            Vec::new()
        }
        None => {
            model.say(Scope::Notice, "found nowhere in this pane");
            Vec::new()
        }
    }
}
