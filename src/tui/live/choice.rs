//! The lists of this folder: what is chosen from them, and what choosing does.

use super::edit::{self, Text};
use super::open::{self, Files};
use super::save::{self, Draft};
use super::session::{self, Recorded};
use super::{Ask, declare};
use crate::settings::Declared;
use crate::task::Arm;
use crate::text;
use crate::tui::action::Action;
use crate::tui::keymap::Keymap;
use crate::tui::model::{FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::screens::step::{self, Whole};
use crate::tui::screens::{plan, tools};
use crate::tui::update;
use crate::tui::widgets::list::Move;
use crate::value::Str;
use std::path::PathBuf;
use std::sync::Arc;

/// What a list is for.
#[derive(Debug, Clone)]
pub enum Choice {
    /// Something to do, or somewhere to go.
    Palette(Vec<Goal>),
    /// What was written down of a session that cannot go on.
    Recorded(Arc<Recorded>),
    /// Something to save.
    Save(Vec<(Draft, Option<Whole>)>),
    /// Whether a file that is there is replaced: first no, then yes.
    Replace(Box<Draft>, String),
    /// Whether declarations are saved: first yes, then no.
    Declare(Box<(PathBuf, PathBuf, Declared)>),
    /// A text for the editor.
    Edit(Vec<Text>),
    /// A file to open.
    Open(Files),
}

/// Where the palette leads.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// To an action.
    Do(Action),
    /// To a tool.
    Tool(Str),
    /// To a task on an arm.
    Arm(Arm),
    /// To a task on a seed.
    Seed(u64),
}

/// Opens the list of everything that can be done here, and of the tools, arms and seeds one can go to.
pub fn palette(model: &mut Model) {
    let place = update::place_below(model);
    let quiet = [Action::Palette, Action::Up, Action::Down, Action::Dismiss];
    let offered = |action: &Action| !quiet.contains(action) && (*action != Action::SkipStep || model.tour.is_some());
    let mut goals: Vec<Goal> = Keymap::actions(place).filter(offered).map(Goal::Do).collect();
    let mut items: Vec<(String, String)> = goals
        .iter()
        .map(|goal| match goal {
            Goal::Do(action) => (action.title().to_owned(), model.keymap.key(*action).unwrap_or_default()),
            _ => (String::new(), String::new()),
        })
        .collect();
    if let Some(opened) = model.file.usable() {
        for tool in &opened.reading.tools {
            items.push((format!("go to the tool {}", tool.name), "tool".to_owned()));
            goals.push(Goal::Tool(tool.name.clone()));
        }
        for arm in plan::arms(model) {
            items.push((format!("plan {arm}"), "arm".to_owned()));
            goals.push(Goal::Arm(arm));
        }
        if opened.sheet.is_ok() {
            for seed in &model.plan.seeds {
                items.push((format!("plan on seed {seed}"), "seed".to_owned()));
                goals.push(Goal::Seed(*seed));
            }
        }
    }
    let choice = Choice::Palette(goals);
    model.overlays.push(Overlay::Pick(Pick::new("do, or go to", Purpose::Live(choice), items)));
}

/// Goes where the palette leads.
pub fn go(model: &mut Model, goal: &Goal) -> Vec<Effect> {
    match goal {
        Goal::Do(action) => update::act(model, *action),
        Goal::Tool(name) => {
            let mut effects = update::show(model, Screen::Tools);
            model.focus[Screen::Tools as usize] = 0;
            update::filter::clear(model, &[Pane::Tools]);
            let at = match &model.file {
                FileState::Open(opened) => opened.reading.tools.iter().position(|tool| tool.name == *name),
                _ => None,
            };
            let at = at.and_then(|i| model.tools.items.iter().position(|item| *item == tools::Item::Tool(i)));
            if let Some(at) = at {
                effects.extend(update::move_in(model, Pane::Tools, Move::To(at)));
            }
            effects
        }
        Goal::Arm(arm) => {
            plan::select_arm(model, *arm);
            update::show(model, Screen::Plan)
        }
        Goal::Seed(seed) => {
            plan::select_seed(model, *seed);
            update::show(model, Screen::Plan)
        }
    }
}

/// Something was chosen from a list.
pub fn chosen(model: &mut Model, pick: Pick, chosen: usize) -> Vec<Effect> {
    let Purpose::Live(choice) = pick.purpose.clone() else { return Vec::new() };
    match choice {
        Choice::Palette(goals) => goals.get(chosen).map(|goal| go(model, goal)).unwrap_or_default(),
        Choice::Recorded(recorded) => {
            // What is chosen is looked at above the list, which stays.
            model.overlays.push(Overlay::Pick(pick));
            session::look_at(model, &recorded, chosen);
            Vec::new()
        }
        Choice::Save(mut drafts) => {
            if chosen < drafts.len() {
                let (mut draft, whole) = drafts.swap_remove(chosen);
                if let Some(whole) = whole {
                    draft.text = step::whole(model, whole);
                    if !draft.text.ends_with('\n') {
                        draft.text.push('\n');
                    }
                }
                save::name(model, draft);
            }
            Vec::new()
        }
        Choice::Replace(draft, path) => {
            if chosen == 0 {
                save::name(model, Draft { name: path, ..*draft });
                return Vec::new();
            }
            vec![Effect::Live(Ask::Write { draft, path, replace: true })]
        }
        Choice::Declare(what) => {
            if chosen == 0 {
                let (config, file, declared) = *what;
                return vec![Effect::Live(Ask::Declare { config, file, declared })];
            }
            declare::left(model);
            Vec::new()
        }
        Choice::Edit(mut texts) => {
            if chosen < texts.len() {
                return edit::begin(model, texts.swap_remove(chosen));
            }
            Vec::new()
        }
        Choice::Open(_) => open::chosen(model, pick, chosen),
    }
}

/// Enter, and nothing in the list matches what was typed.
pub fn nothing(model: &mut Model) -> Vec<Effect> {
    match model.overlays.last() {
        Some(Overlay::Pick(Pick { purpose: Purpose::Live(Choice::Open(_)), .. })) => open::typed_name(model),
        _ => Vec::new(),
    }
}

/// What was typed above a list changed.
pub fn typed(model: &mut Model) -> Vec<Effect> {
    match model.overlays.last() {
        Some(Overlay::Pick(Pick { purpose: Purpose::Live(Choice::Open(_)), .. })) => open::typed(model),
        _ => Vec::new(),
    }
}

/// The beginning of a text, in one line.
pub(super) fn preview(shown: &str) -> String {
    let line = shown.lines().next().unwrap_or_default();
    text::cut(line, 32).into_owned()
}
