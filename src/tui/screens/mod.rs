//! One file or folder a screen: its own state, the rows of its panes, what its keys do. This file hands on to them.

pub mod asks;
pub mod broken;
pub mod card;
pub mod compare;
pub mod dials;
pub mod files;
pub mod hub;
pub mod pair;
pub mod plan;
pub mod refused;
pub mod remote;
pub mod runs;
pub mod served;
pub mod sides;
pub mod step;
mod tool_detail;
pub mod tools;
pub mod words;

use super::action::Action;
use super::live;
use super::model::{Model, Pane, Screen};
use super::msg::Effect;
use super::overlays::pick::Copyable;
use super::panes::Stack;
use super::update;
use super::widgets::row::Row;
use crate::theme::Scope;

/// The rows of a pane of this width inside.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    match pane {
        Pane::Tools | Pane::Tool | Pane::Schema => tools::rows(model, pane, width),
        Pane::Dials | Pane::Seeds | Pane::Task => plan::rows(model, pane, width),
        Pane::Calls | Pane::Call | Pane::Store => step::rows(model, pane, width),
        Pane::Panel | Pane::Turned => dials::rows(model, pane, width),
        Pane::Sides | Pane::Both => sides::rows(model, pane, width),
        Pane::Runs | Pane::Run => runs::rows(model, pane, width),
        Pane::Levels | Pane::Tasks | Pane::Episode => card::rows(model, pane, width),
        Pane::Pairs | Pane::Beside => compare::rows(model, pane, width),
        Pane::Aligned | Pane::SideA | Pane::SideB => pair::rows(model, pane, width),
        Pane::Changed | Pane::Change => files::rows(model, pane, width),
        Pane::Items | Pane::Item | Pane::Local => remote::rows(model, pane, width),
        Pane::Served => served::rows(model, pane, width),
        Pane::Arrivals | Pane::Arrival | Pane::Kept => hub::rows(model, pane, width),
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
        Pane::Panel | Pane::Turned => dials::title(model, pane),
        Pane::Sides | Pane::Both => sides::title(model, pane),
        Pane::Runs | Pane::Run => runs::title(model, pane),
        Pane::Levels | Pane::Tasks | Pane::Episode => card::title(model, pane),
        Pane::Pairs | Pane::Beside => compare::title(model, pane),
        Pane::Aligned | Pane::SideA | Pane::SideB => pair::title(model, pane),
        Pane::Changed | Pane::Change => files::title(model, pane),
        Pane::Items | Pane::Item | Pane::Local => remote::title(model, pane),
        Pane::Served => served::title(model, pane),
        Pane::Arrivals | Pane::Arrival | Pane::Kept => hub::title(model, pane),
    }
}

/// Whether a pane's rows are things to choose: their selection is shown when another pane has the focus too.
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
            | Pane::Tasks
            | Pane::Episode
            | Pane::Pairs
            | Pane::Aligned
            | Pane::Changed
            | Pane::Items
            | Pane::Served
            | Pane::Arrivals
    )
}

/// What the second line of the header says on the present screen, when it has something of its own to say.
pub fn facts(model: &Model) -> Option<Row> {
    match model.screen {
        Screen::Tools | Screen::Plan => None,
        Screen::Step => step::facts(model),
        Screen::Dials => step::facts(model),
        Screen::Sides => sides::facts(model),
        Screen::Runs => runs::facts(model),
        Screen::Card => card::facts(model),
        Screen::Compare => compare::facts(model),
        Screen::Pair => pair::facts(model),
        Screen::Files => files::facts(model),
        Screen::Remote => remote::facts(model),
        Screen::Served => served::facts(model),
        Screen::Live => hub::facts(model),
    }
}

/// What the header calls the subject of the present screen, when that is not the tool file.
pub fn name(model: &Model) -> Option<String> {
    match model.screen {
        Screen::Remote => remote::name(model),
        Screen::Served => served::name(model),
        Screen::Live => hub::name(model),
        _ => None,
    }
}

/// What the status line says on the present screen when there is nothing else to say.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    match model.screen {
        Screen::Step | Screen::Dials => step::verdict(model),
        Screen::Sides => sides::status(model),
        Screen::Remote => remote::status(model),
        Screen::Live => hub::status(model),
        Screen::Runs | Screen::Card | Screen::Compare | Screen::Pair | Screen::Files => asks::status(model),
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
        Pane::Panel => dials::settle(model),
        Pane::Turned => Vec::new(),
        Pane::Sides | Pane::Both => {
            sides::settle(model, pane);
            Vec::new()
        }
        Pane::Runs => runs::settle(model),
        Pane::Levels | Pane::Tasks => card::settle(model, pane),
        Pane::Pairs => compare::settle(model),
        Pane::Aligned => pair::settle(model),
        Pane::Changed => files::settle(model),
        Pane::Run | Pane::Episode | Pane::Beside | Pane::SideA | Pane::SideB | Pane::Change => Vec::new(),
        Pane::Items | Pane::Item | Pane::Local => remote::settle(model, pane),
        Pane::Served => served::settle(model, pane),
        Pane::Arrivals => {
            hub::settle(model, pane);
            Vec::new()
        }
        Pane::Arrival | Pane::Kept => Vec::new(),
    }
}

/// Opens what is folded away in a pane and hides what is searched for; says whether there was any.
pub fn open_for(model: &mut Model, pane: Pane) -> bool {
    let needle = model.needle.clone();
    match pane {
        Pane::Schema => model.tools.schema.open_for(&needle),
        Pane::Call => step::open_for(model, &needle),
        Pane::Item => remote::open_for(model, &needle),
        _ => false,
    }
}

/// Goes back to where the present screen was opened from, one pane at a time first.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    let to = match model.screen {
        Screen::Card | Screen::Compare => Screen::Runs,
        Screen::Files => Screen::Tools,
        Screen::Pair => model.pair.from(),
        Screen::Sides => model.sides.from(),
        Screen::Step => match model.step.from {
            Some(screen) => screen,
            None => return Vec::new(),
        },
        Screen::Remote => match remote::back(model) {
            Some(screen) => screen,
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let focus = &mut model.focus[model.screen as usize];
    if *focus > 0 {
        *focus -= 1;
        return Vec::new();
    }
    update::show(model, to)
}

/// What the keys of the present screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let plays = matches!(model.screen, Screen::Plan | Screen::Step | Screen::Dials | Screen::Sides);
    if plays && live::session::holds(model) {
        return Vec::new();
    }
    match model.screen {
        Screen::Tools => tools::act(model, action),
        Screen::Plan => plan::act(model, action),
        Screen::Step => step::act(model, action),
        Screen::Dials => dials::act(model, action),
        Screen::Sides => sides::act(model, action),
        Screen::Runs => runs::act(model, action),
        Screen::Card => card::act(model, action),
        Screen::Compare => compare::act(model, action),
        Screen::Pair => pair::act(model, action),
        Screen::Files => files::act(model, action),
        Screen::Remote => remote::act(model, action),
        Screen::Served => served::act(model, action),
        Screen::Live => hub::act(model, action),
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
        Screen::Pair => pair::copies(model),
        Screen::Files => files::copies(model),
        Screen::Remote => remote::copies(model),
        Screen::Served => served::copies(model),
        Screen::Live => hub::copies(model),
    }
}
