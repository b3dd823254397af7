//! One file or folder a screen: its own state, the rows of its panes, what its keys do. This file hands on to them.

pub mod card;
pub mod compare;
pub mod dials;
pub mod files;
pub mod plan;
pub mod remote;
pub mod runs;
pub mod served;
pub mod sides;
pub mod step;
mod tool_detail;
pub mod tools;
pub mod words;

use super::action::Action;
use super::model::{Model, Pane, Screen};
use super::msg::Effect;
use super::overlays::pick::Copyable;
use super::panes::Stack;
use super::widgets::row::Row;
use crate::theme::Scope;

/// The rows of a pane that is so many columns wide inside.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    match pane {
        Pane::Tools | Pane::Tool | Pane::Schema => tools::rows(model, pane, width),
        Pane::Dials | Pane::Seeds | Pane::Task => plan::rows(model, pane, width),
        Pane::Calls | Pane::Call | Pane::Store => step::rows(model, pane, width),
        Pane::Panel => dials::rows(model, pane, width),
        Pane::Sides => sides::rows(model, pane, width),
        Pane::Runs => runs::rows(model, pane, width),
        Pane::Levels => card::rows(model, pane, width),
        Pane::Pairs => compare::rows(model, pane, width),
        Pane::Changed => files::rows(model, pane, width),
        Pane::Items | Pane::Item | Pane::Local => remote::rows(model, pane, width),
        Pane::Served => served::rows(model, pane, width),
    }
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    match pane {
        Pane::Tools | Pane::Tool | Pane::Schema => tools::title(model, pane),
        Pane::Dials => "dials".to_owned(),
        Pane::Seeds => "seeds".to_owned(),
        Pane::Task => plan::title(model),
        Pane::Calls | Pane::Call | Pane::Store => step::title(model, pane),
        Pane::Panel => dials::title(model, pane),
        Pane::Sides => sides::title(model, pane),
        Pane::Runs => runs::title(model, pane),
        Pane::Levels => card::title(model, pane),
        Pane::Pairs => compare::title(model, pane),
        Pane::Changed => files::title(model, pane),
        Pane::Items | Pane::Item | Pane::Local => remote::title(model, pane),
        Pane::Served => served::title(model, pane),
    }
}

/// Whether a pane's rows are things to choose: their selection is shown when another pane has the keys too.
pub fn is_list(pane: Pane) -> bool {
    matches!(
        pane,
        Pane::Tools
            | Pane::Dials
            | Pane::Seeds
            | Pane::Calls
            | Pane::Panel
            | Pane::Sides
            | Pane::Runs
            | Pane::Levels
            | Pane::Pairs
            | Pane::Changed
            | Pane::Items
            | Pane::Served
    )
}

/// What the second line of the header says on the present screen, when it has something of its own to say.
pub fn facts(model: &Model) -> Option<Row> {
    match model.screen {
        Screen::Tools | Screen::Plan => None,
        Screen::Step => step::facts(model),
        Screen::Dials => dials::facts(model),
        Screen::Sides => sides::facts(model),
        Screen::Runs => runs::facts(model),
        Screen::Card => card::facts(model),
        Screen::Compare => compare::facts(model),
        Screen::Files => files::facts(model),
        Screen::Remote => remote::facts(model),
        Screen::Served => served::facts(model),
    }
}

/// What the header calls the subject of the present screen, when that is not the tool file.
pub fn name(model: &Model) -> Option<String> {
    match model.screen {
        Screen::Remote => remote::name(model),
        Screen::Served => served::name(model),
        _ => None,
    }
}

/// What the status line says on the present screen while nothing else is to be said.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    match model.screen {
        Screen::Step => step::verdict(model),
        Screen::Remote => remote::status(model),
        _ => None,
    }
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(model: &mut Model, pane: Pane) -> Vec<Effect> {
    match pane {
        Pane::Tools => {
            tools::settle(model);
            Vec::new()
        }
        Pane::Dials | Pane::Seeds => plan::settle(model),
        Pane::Calls => {
            step::settle(model);
            Vec::new()
        }
        Pane::Tool | Pane::Schema | Pane::Task | Pane::Call | Pane::Store => Vec::new(),
        Pane::Panel => dials::settle(model, pane),
        Pane::Sides => sides::settle(model, pane),
        Pane::Runs => runs::settle(model, pane),
        Pane::Levels => card::settle(model, pane),
        Pane::Pairs => compare::settle(model, pane),
        Pane::Changed => files::settle(model, pane),
        Pane::Items | Pane::Item | Pane::Local => remote::settle(model, pane),
        Pane::Served => served::settle(model, pane),
    }
}

/// What the keys of the present screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match model.screen {
        Screen::Tools => tools::act(model, action),
        Screen::Plan => plan::act(model, action),
        Screen::Step => step::act(model, action),
        Screen::Dials => dials::act(model, action),
        Screen::Sides => sides::act(model, action),
        Screen::Runs => runs::act(model, action),
        Screen::Card => card::act(model, action),
        Screen::Compare => compare::act(model, action),
        Screen::Files => files::act(model, action),
        Screen::Remote => remote::act(model, action),
        Screen::Served => served::act(model, action),
    }
}

/// What can be copied on the present screen.
pub fn copies(model: &Model) -> Vec<Copyable> {
    match model.screen {
        Screen::Tools => tools::copies(model),
        Screen::Plan => plan::copies(model),
        Screen::Step => step::copies(model),
        Screen::Dials => dials::copies(model),
        Screen::Sides => sides::copies(model),
        Screen::Runs => runs::copies(model),
        Screen::Card => card::copies(model),
        Screen::Compare => compare::copies(model),
        Screen::Files => files::copies(model),
        Screen::Remote => remote::copies(model),
        Screen::Served => served::copies(model),
    }
}
