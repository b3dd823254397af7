//! The pickers of this folder: what they list, and what choosing does.

use super::edit::{self, Text};
use super::held::{self, Held};
use super::open::{self, Files};
use super::save::{self, Draft};
use super::session::{self, Recorded};
use super::{Ask, declare};
use crate::settings::Declared;
use crate::task::Arm;
use crate::text;
use crate::tui::action::{Action, Context, Place};
use crate::tui::keymap::Keymap;
use crate::tui::model::{FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::screens::step::{self, Whole};
use crate::tui::screens::{self, plan, runs, tools};
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
    /// What to do with the run in progress when quitting: first stop it, then stay.
    Quit,
    /// What a folder holds.
    Held(Vec<Held>),
}

/// Where the palette leads.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// To an action here.
    Do(Action),
    /// To an action of another screen.
    There(Screen, Action),
    /// To a tool.
    Tool(Str),
    /// To a task on an arm.
    Arm(Arm),
    /// To a task on a seed.
    Seed(u64),
}

/// Opens the palette: what works here in the footer's order, what works on other screens, the tools, arms and seeds to go
/// to, and quitting last.
pub fn palette(model: &mut Model) {
    let here = actions(model);
    let mut goals: Vec<Goal> = here.iter().filter(|action| !LAST.contains(action)).copied().map(Goal::Do).collect();
    goals.extend(elsewhere(model));
    if let Some(opened) = model.file.usable() {
        goals.extend(opened.reading.tools.iter().map(|tool| Goal::Tool(tool.name.clone())));
        goals.extend(plan::arms(model).into_iter().map(Goal::Arm));
        if opened.sheet.is_ok() {
            goals.extend(model.plan.seeds.iter().copied().map(Goal::Seed));
        }
    }
    goals.extend(LAST.into_iter().filter(|action| here.contains(action)).map(Goal::Do));
    let items = goals.iter().map(|goal| says(model, goal)).collect();
    let also = goals.iter().map(also).collect();
    let pick = Pick::new("palette", Purpose::Live(Choice::Palette(goals)), items).also(also);
    model.overlays.push(Overlay::Pick(pick));
}

/// Listed after everything else.
const LAST: [Action; 4] = [Action::Redraw, Action::Suspend, Action::Interrupt, Action::Quit];

/// The actions that work on this screen: those of the footer, the screen's other ones, then those of every screen.
fn actions(model: &Model) -> Vec<Action> {
    let place = update::place_below(model);
    let quiet = [Action::Palette, Action::Up, Action::Down, Action::Dismiss];
    let offered = |action: &Action| !quiet.contains(action) && (*action != Action::SkipStep || model.tour.is_some());
    let mut all: Vec<Action> = Keymap::actions(place).filter(offered).collect();
    let footer: Vec<Action> = place.footer().iter().flat_map(|hint| hint.0.iter().copied()).collect();
    let shared = |action: &Action| {
        let common = [Context::Always, Context::Main, Context::Rows, Context::Sideways];
        action.contexts().iter().any(|context| common.contains(context))
    };
    all.sort_by_key(|action| {
        let place = footer.iter().position(|shown| shown == action).unwrap_or(footer.len());
        (place, shared(action))
    });
    all
}

/// What other screens offer: choosing it goes there and does it.
fn elsewhere(model: &Model) -> Vec<Goal> {
    let places = [
        (Screen::Tools, Place::Tools, Context::Tools),
        (Screen::Plan, Place::Plan, Context::Plan),
        (Screen::Step, Place::Step, Context::Step),
        (Screen::Runs, Place::Runs, Context::Runs),
    ];
    let here = update::place_below(model);
    let works = |screen| match screen {
        Screen::Step => model.step.episode.is_some(),
        Screen::Runs => true,
        _ => model.file.usable().is_some(),
    };
    let there = places.into_iter().filter(|(screen, place, _)| *place != here && works(*screen));
    let goals = there.flat_map(|(screen, place, context)| {
        let own = Keymap::actions(place).filter(move |action| action.contexts() == [context]);
        own.map(move |action| Goal::There(screen, action))
    });
    goals.collect()
}

/// A row of the palette.
fn says(model: &Model, goal: &Goal) -> (String, String) {
    match goal {
        Goal::Do(action) => (action.title().to_owned(), model.keymap.key(*action).unwrap_or_default()),
        Goal::There(screen, action) => (action.title().to_owned(), format!("on {}", screen.title())),
        Goal::Tool(name) => (format!("go to tool {name}"), "tool".to_owned()),
        Goal::Arm(arm) => (format!("plan {arm}"), "arm".to_owned()),
        Goal::Seed(seed) => (format!("plan on seed {seed}"), "seed".to_owned()),
    }
}

/// Other names of it.
fn also(goal: &Goal) -> String {
    match goal {
        Goal::Do(action) | Goal::There(_, action) => {
            format!("{}, {}, {}", action.name(), action.short(), action.synonyms())
        }
        Goal::Tool(name) => name.to_string(),
        Goal::Arm(arm) => arm.to_string(),
        Goal::Seed(seed) => seed.to_string(),
    }
}

/// Goes where the palette leads.
pub fn go(model: &mut Model, goal: &Goal) -> Vec<Effect> {
    match goal {
        Goal::Do(action) => update::act(model, *action),
        Goal::There(screen, action) => {
            let mut effects = match screen {
                Screen::Runs => screens::runs::show(model),
                screen => update::show(model, *screen),
            };
            effects.extend(update::act(model, *action));
            effects
        }
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
        Choice::Quit if chosen == 0 => runs::stop_and_quit(model),
        Choice::Quit => Vec::new(),
        Choice::Open(_) => open::chosen(model, pick, chosen),
        Choice::Held(held) => held::chosen(model, &held, chosen),
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
