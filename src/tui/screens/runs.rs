//! The Runs screen: run folders, and runs that go on.

use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::Stack;
use crate::tui::widgets::row::Row;

/// What the Runs screen knows.
#[derive(Debug, Clone, Default)]
pub struct RunsScreen {}

/// The rows of a pane of this screen.
pub fn rows(_model: &Model, _pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    stack.add(Row::of(Scope::Dim, "Nothing is open here.").wrap(width));
    stack
}

/// The title of a pane.
pub fn title(_model: &Model, _pane: Pane) -> String {
    "runs".to_owned()
}

/// What the header says of it.
pub fn facts(_model: &Model) -> Option<Row> {
    None
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(_model: &mut Model, _pane: Pane) -> Vec<Effect> {
    Vec::new()
}

/// What the keys of this screen do.
pub fn act(_model: &mut Model, _action: Action) -> Vec<Effect> {
    Vec::new()
}

/// What can be copied here.
pub fn copies(_model: &Model) -> Vec<Copyable> {
    Vec::new()
}
