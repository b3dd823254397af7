//! Filters: showing only the rows of a pane that match.

use super::{keep_all, settled};
use crate::engine::Ending;
use crate::tui::action::Action;
use crate::tui::keys::Chord;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::{Effect, Msg};
use crate::tui::overlays::{Overlay, line};
use crate::tui::panes;
use crate::tui::screens;
use crate::tui::widgets::list::{Cursor, Move, Rows};

/// Opens the filter prompt of the focused pane.
pub(super) fn begin(model: &mut Model) {
    if model.broken() {
        return;
    }
    let pane = model.pane();
    let before = model.filter(pane).text().to_owned();
    let cursor = model.cursor(pane);
    line::ask(model, line::Purpose::Filter(pane, before.clone(), cursor), "filter", before);
}

/// Shows only the rows of a pane that have a text in them; the selection stays where it is when its row has it.
pub fn typed(model: &mut Model, pane: Pane, text: &str, from: Cursor) -> Vec<Effect> {
    set(model, pane, text);
    let at = model.filter(pane).nearest(from.at);
    go(model, pane, Move::To(at));
    settled(model, pane)
}

/// Goes back to the rows that were shown before, and to where one stood.
pub fn back(model: &mut Model, pane: Pane, text: &str, from: Cursor) -> Vec<Effect> {
    set(model, pane, text);
    *model.cursor_mut(pane) = from;
    settled(model, pane)
}

fn set(model: &mut Model, pane: Pane, text: &str) {
    let mut filter = std::mem::take(&mut model.filters[pane as usize]);
    let (width, _) = panes::size(model, pane);
    filter.set(text, &panes::sought(model, pane, width));
    model.filters[pane as usize] = filter;
}

/// Shows all rows of these panes again; says whether any were left out.
pub fn clear(model: &mut Model, panes: &[Pane]) -> bool {
    let mut any = false;
    for pane in panes {
        any |= model.filter(*pane).is_on();
        model.filters[*pane as usize].clear();
    }
    if any {
        keep_all(model);
    }
    any
}

/// Moves in a pane, without what follows its selection.
pub(super) fn go(model: &mut Model, pane: Pane, way: Move) {
    with(model, pane, |filter, cursor, len, height| filter.go(cursor, way, len, height));
}

/// Puts the selection of a pane inside the rows shown.
pub(super) fn keep(model: &mut Model, pane: Pane) {
    with(model, pane, |filter, cursor, len, height| filter.keep(cursor, len, height));
}

fn with(
    model: &mut Model,
    pane: Pane,
    change: impl FnOnce(&mut crate::tui::widgets::filter::Filter, &mut Cursor, usize, usize),
) {
    let (width, height) = panes::size(model, pane);
    let len = panes::rows(model, pane, width).len();
    change(&mut model.filters[pane as usize], &mut model.cursors[pane as usize], len, height);
}

/// The pane whose rows a message leaves as they are: it only moves the selection of its list, or narrows the filter, which
/// looks at the rows itself.
pub(super) fn leaves(model: &Model, msg: &Msg) -> Option<Pane> {
    let Msg::Key(event) = msg else { return None };
    let pane = match model.overlays.last() {
        None => {
            let action = model.keymap.action(super::place(model), Chord::of(*event))?;
            let moves = matches!(
                action,
                Action::Up
                    | Action::Down
                    | Action::PageUp
                    | Action::PageDown
                    | Action::First
                    | Action::Last
                    | Action::FindNext
                    | Action::FindPrevious
                    | Action::NextPane
                    | Action::PreviousPane
            );
            Some(model.pane()).filter(|pane| moves && screens::is_list(*pane))
        }
        Some(Overlay::Line(line::Line { purpose: line::Purpose::Filter(pane, ..), .. })) => Some(*pane),
        Some(_) => None,
    };
    pane.filter(|pane| settled_rows(model, *pane))
}

/// Whether moving in a list leaves its rows as they are. Where one stands in the calls is where one stands in the episode:
/// an ending moves with it.
fn settled_rows(model: &Model, pane: Pane) -> bool {
    pane != Pane::Calls || model.step.episode.as_ref().is_none_or(|episode| episode.ending() == Ending::Open)
}

/// After anything happened: the rows of the present screen's panes may be others.
pub(super) fn refresh(model: &mut Model, left: Option<Pane>) {
    for pane in model.screen.panes().iter().copied() {
        if !model.filter(pane).is_on() {
            continue;
        }
        let (width, _) = panes::size(model, pane);
        let len = panes::rows(model, pane, width).len();
        if left == Some(pane) && model.filter(pane).looked_at(len) && settled_rows(model, pane) {
            continue;
        }
        let mut filter = std::mem::take(&mut model.filters[pane as usize]);
        filter.look(&panes::sought(model, pane, width));
        model.filters[pane as usize] = filter;
    }
}
