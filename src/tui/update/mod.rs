//! What every message does to the model. Synchronous and pure: no clock, no file, no terminal; work outside comes back as
//! effects.

mod file;
pub mod filter;
mod find;
mod mouse;

pub use file::{open_other, reopen, reread};
pub use find::find;

use super::action::{Action, Place};
use super::keys::Chord;
use super::live;
use super::model::{FileState, Model, Pane, Screen};
use super::msg::{Effect, Msg};
use super::overlays::{self, Overlay, line, look, pick, tour, within};
use super::panes;
use super::screens::{self, asks, broken, dials, hub, plan, remote, served, sides, step};
use super::widgets::editor::Edit;
use super::widgets::filter::Find;
use super::widgets::list::{Move, Rows};
use crate::theme::Scope;
use ratatui::crossterm::event::{KeyEvent, KeyEventKind};

/// The effects a fresh model begins with.
pub fn start(model: &mut Model) -> Vec<Effect> {
    // A session that comes back brings its file with it.
    let comes_back = model.live.resume.is_some();
    let mut effects = live::start(model);
    effects.extend(screens::runs::begin(model));
    if !comes_back && !matches!(model.file, FileState::Nothing) {
        effects.extend(file::open(model, None));
    }
    effects.extend(remote::start(model));
    effects.extend(served::start(model));
    effects.extend(hub::start(model));
    effects.extend(screens::pair::start(model));
    effects
}

/// Does what a message asks. Whatever it was, every selection is inside what there is afterwards.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let left = filter::leaves(model, &msg);
    let mut effects = handle(model, msg);
    effects.extend(live::after(model));
    screens::runs::note(model);
    tour::follow(model);
    filter::refresh(model, left);
    keep_all(model);
    within::keep(model);
    effects
}

fn handle(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Key(event) => key(model, event),
        Msg::Paste(text) => {
            if model.overlays.last().is_some_and(|o| o.place().types()) {
                overlays::insert(model, &text)
            } else {
                Vec::new()
            }
        }
        Msg::Mouse(event) => mouse::mouse(model, event),
        Msg::Resize(width, height) => {
            model.size = (width, height);
            keep_all(model);
            Vec::new()
        }
        Msg::Started(id, cancel) => {
            let jobs = [
                &mut model.opening,
                &mut model.planning,
                &mut model.remote.following,
                &mut model.dials.job,
                &mut model.sides.job,
                &mut model.live.replaying,
            ];
            for running in jobs.into_iter().flatten() {
                if running.id == id {
                    running.cancel = Some(cancel.clone());
                }
            }
            asks::started(model, id, &cancel);
            Vec::new()
        }
        Msg::Live(told) => live::told(model, told),
        Msg::Told(id, report) => asks::told(model, id, report),
        Msg::Opened(id, report) => {
            let mut effects = file::opened(model, id, report);
            effects.extend(remote::refresh(model));
            effects
        }
        Msg::Served(seen) => served::seen(model, seen),
        Msg::Beat(id) => step::beat(model, id),
        Msg::Hub(seen) => hub::seen(model, seen),
        Msg::Unwished(why) => {
            model.say(Scope::Error, format!("! {why}"));
            Vec::new()
        }
        Msg::Remote(id, told) => remote::told(model, id, told),
        Msg::Grounded(id, report) => remote::grounded(model, id, report),
        Msg::Planned(id, report) => {
            let mut effects = plan::planned(model, id, report);
            effects.extend(file::straight(model));
            effects
        }
        Msg::Turned(id, report) => dials::looked_ahead(model, id, report),
        Msg::Sides(id, report) => {
            sides::played(model, id, report);
            Vec::new()
        }
        Msg::Resumed(id, report) => live::session::resumed(model, id, report),
        Msg::Copied(result) => {
            match result {
                Ok(line) => model.say(Scope::Notice, line),
                Err(line) => model.say(Scope::Error, format!("! {line}")),
            }
            Vec::new()
        }
    }
}

/// The place whose keys mean something now.
pub fn place(model: &Model) -> Place {
    model.overlays.last().map_or_else(|| place_below(model), Overlay::place)
}

/// The place of the screen, whatever is open above it.
pub fn place_below(model: &Model) -> Place {
    if model.broken() {
        return Place::Broken;
    }
    match model.screen {
        Screen::Tools => Place::Tools,
        Screen::Plan => Place::Plan,
        Screen::Step => Place::Step,
        Screen::Dials => Place::Dials,
        Screen::Sides => Place::Sides,
        Screen::Runs => Place::Runs,
        Screen::Card => Place::Card,
        Screen::Compare => Place::Compare,
        Screen::Pair => Place::Pair,
        Screen::Files => Place::Files,
        Screen::Remote if model.remote.is_response() => Place::Response,
        Screen::Remote => Place::Remote,
        Screen::Served => Place::Served,
        Screen::Live => Place::Live,
    }
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    if event.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let chord = Chord::of(event);
    let place = place(model);
    if let Some(action) = model.keymap.action(place, chord) {
        return act(model, action);
    }
    match chord.typed() {
        Some(letter) if place.types() => overlays::insert(model, letter.encode_utf8(&mut [0; 4])),
        _ => Vec::new(),
    }
}

/// Does an action, wherever it came from: a key, the palette, the mouse.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Interrupt => return vec![Effect::Quit(130)],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Redraw],
        _ => {}
    }
    if !model.overlays.is_empty() {
        return overlays::act(model, action);
    }
    let said = model.notice.take().is_some();
    match action {
        Action::Quit => screens::runs::quit(model),
        Action::Help => {
            look::help(model);
            Vec::new()
        }
        Action::Palette => {
            live::choice::palette(model);
            Vec::new()
        }
        Action::Copy => {
            pick::copy(model);
            Vec::new()
        }
        Action::ShowTools => show(model, Screen::Tools),
        Action::ShowPlan => show(model, Screen::Plan),
        Action::ShowStep => show(model, Screen::Step),
        Action::ShowDials | Action::OpenDials => show(model, Screen::Dials),
        Action::ShowRuns => screens::runs::show(model),
        Action::ShowRemote => show(model, Screen::Remote),
        Action::ShowServed => show(model, Screen::Served),
        Action::ShowLive => show(model, Screen::Live),
        Action::NextPane | Action::PreviousPane => {
            let count = model.screen.panes().len();
            let focus = &mut model.focus[model.screen as usize];
            *focus = (*focus + if action == Action::NextPane { 1 } else { count - 1 }) % count;
            keep_all(model);
            Vec::new()
        }
        Action::Search => {
            let pane = model.pane();
            let before = if model.broken() { broken::from(model) } else { model.cursor(pane) };
            line::ask(model, line::Purpose::Search(pane, before), "search", String::new());
            Vec::new()
        }
        Action::Filter => {
            filter::begin(model);
            Vec::new()
        }
        Action::FindNext => find(model, Find::Next),
        Action::FindPrevious => find(model, Find::Previous),
        Action::Edit => live::edit::ask(model),
        Action::Save => {
            live::save::list(model);
            Vec::new()
        }
        Action::OpenFile => live::open::begin(model),
        Action::Dismiss => {
            if model.live.replaying.is_some() {
                return live::session::stop(model);
            }
            // One thing after the other: what is found among some rows can be cleared with the rows left as they are.
            let searched = !model.needle.is_empty() || model.live.found.is_some();
            model.needle.clear();
            model.live.found = None;
            let cleared = searched || filter::clear(model, model.screen.panes()) || said;
            if model.tour.is_some() {
                return tour::leave(model);
            }
            if cleared { Vec::new() } else { screens::leave(model) }
        }
        Action::SkipStep => tour::skip(model),
        Action::NextTheme => {
            next_theme(model);
            Vec::new()
        }
        Action::SideBySide => sides::begin(model),
        Action::Present => {
            model.presenting = !model.presenting;
            keep_all(model);
            Vec::new()
        }
        Action::Mouse => {
            model.mouse = !model.mouse;
            model.say(Scope::Notice, if model.mouse { "the mouse is on" } else { "the mouse is off" });
            vec![Effect::Mouse(model.mouse)]
        }
        Action::Reload if model.screen.tab() == Screen::Runs => screens::runs::reload(model),
        Action::Reload => {
            model.say(Scope::Notice, "reloading the file");
            file::open(model, None)
        }
        Action::Fold => {
            fold(model);
            Vec::new()
        }
        _ if model.broken() && broken::scroll(model, action) => Vec::new(),
        Action::Up => move_in(model, model.pane(), Move::Up(1)),
        Action::Down => move_in(model, model.pane(), Move::Down(1)),
        Action::PageUp => move_in(model, model.pane(), Move::PageUp),
        Action::PageDown => move_in(model, model.pane(), Move::PageDown),
        Action::First => move_in(model, model.pane(), Move::First),
        Action::Last => move_in(model, model.pane(), Move::Last),
        Action::Left | Action::Right if !matches!(model.pane(), Pane::Dials | Pane::Panel | Pane::Sides) => {
            sideways(model, action == Action::Right);
            Vec::new()
        }
        _ if model.broken() => Vec::new(),
        _ => screens::act(model, action),
    }
}

/// Scrolls the focused pane sideways, as long as a visible row continues there.
fn sideways(model: &mut Model, right: bool) {
    let pane = model.pane();
    let goes_on = {
        let (width, height) = panes::size(model, pane);
        let whole = panes::rows(model, pane, width);
        let rows = model.filter(pane).over(&whole);
        let seen = model.filter(pane).seen(model.cursor(pane));
        let top = seen.shown_top(rows.len(), height);
        (top..rows.len().min(top + height)).any(|i| rows.row(i).width() > seen.left + width)
    };
    let cursor = model.cursor_mut(pane);
    cursor.left = match right {
        true if goes_on => (cursor.left + 8).min(4096),
        true => cursor.left,
        false => cursor.left.saturating_sub(8),
    };
}

/// Goes to a screen.
pub fn show(model: &mut Model, screen: Screen) -> Vec<Effect> {
    if model.screen != screen {
        model.needle.clear();
    }
    model.screen = screen;
    keep_all(model);
    if !matches!(screen, Screen::Step | Screen::Dials) {
        model.step.from = None;
    }
    if model.straight.is_none() {
        model.plan.then = None;
    }
    match screen {
        // What is asked for is to play: the task that the Plan screen would play.
        Screen::Step | Screen::Dials if model.step.episode.is_none() && model.straight.is_none() => {
            plan::play(model, screen)
        }
        Screen::Plan => plan::settle(model),
        Screen::Dials => dials::settle(model),
        _ => Vec::new(),
    }
}

/// Moves in a pane; what follows its selection follows.
pub fn move_in(model: &mut Model, pane: Pane, way: Move) -> Vec<Effect> {
    filter::go(model, pane, way);
    settled(model, pane)
}

/// After a selection may have moved: what follows it follows.
pub fn settled(model: &mut Model, pane: Pane) -> Vec<Effect> {
    let effects = screens::settle(model, pane);
    keep_all(model);
    effects
}

/// Puts every selection of the present screen inside what there is.
pub fn keep_all(model: &mut Model) {
    for pane in model.screen.panes().iter().copied() {
        filter::keep(model, pane);
    }
    if model.broken() {
        broken::keep(model);
    }
}

/// The text of the selected row of the focused pane.
pub fn selected_row(model: &Model) -> Option<String> {
    let pane = model.pane();
    let (width, _) = panes::size(model, pane);
    let rows = panes::rows(model, pane, width);
    let at = model.cursor(pane).at;
    (at < rows.len()).then(|| rows.row(at).text()).filter(|t| !t.trim().is_empty())
}

fn fold(model: &mut Model) {
    let folded = match model.pane() {
        Pane::Schema => {
            let line = screens::tools::schema_line(model);
            model.tools.schema.toggle(line)
        }
        Pane::Call => step::fold(model),
        Pane::Item => remote::fold(model),
        _ => false,
    };
    if !folded {
        model.say(Scope::Notice, "nothing to fold in this row");
    }
    keep_all(model);
}

fn next_theme(model: &mut Model) {
    let names = model.look.themes.names();
    let at = names.iter().position(|n| *n == model.look.theme.name).map_or(0, |i| i + 1);
    // A broken theme of the user's is skipped, with its reason.
    for step in 0..names.len() {
        let name = &names[(at + step) % names.len()];
        match model.look.themes.load(name, model.look.depth) {
            Ok(theme) => {
                model.look.theme = theme;
                if step == 0 {
                    model.say(Scope::Notice, format!("theme {name}"));
                }
                return;
            }
            Err(error) => model.say(Scope::Error, format!("! {error}")),
        }
    }
}

/// The edit a typing action stands for.
pub fn edit_of(action: Action) -> Option<Edit> {
    Some(match action {
        Action::TypeLeft => Edit::Left,
        Action::TypeRight => Edit::Right,
        Action::TypeWordLeft => Edit::WordLeft,
        Action::TypeWordRight => Edit::WordRight,
        Action::TypeHome => Edit::Home,
        Action::TypeEnd => Edit::End,
        Action::TypeBackspace => Edit::Backspace,
        Action::TypeDelete => Edit::Delete,
        Action::TypeDeleteWord => Edit::DeleteWord,
        Action::TypeDeleteToStart => Edit::DeleteToStart,
        Action::TypeDeleteToEnd => Edit::DeleteToEnd,
        Action::TypeUp => Edit::Up,
        Action::TypeDown => Edit::Down,
        _ => return None,
    })
}
