//! What every message does to the model. Synchronous and pure: no clock, no file, no terminal; what is to be done outside
//! comes back as effects.

use super::action::{Action, Place};
use super::keys::Chord;
use super::model::{FileState, Model, Pane, Running, Screen};
use super::msg::{Effect, Msg};
use super::overlays::{self, Overlay, line, look, pick};
use super::panes;
use super::screens::{plan, step, tools};
use super::widgets::editor::Edit;
use super::widgets::list::{Move, Rows};
use crate::theme::Scope;
use crate::work::{JobId, OpenError, Opened, Report, Source};
use ratatui::crossterm::event::{KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use std::sync::Arc;

/// The effects a fresh model begins with.
pub fn start(model: &mut Model) -> Vec<Effect> {
    open(model, None)
}

/// Does what a message asks. Whatever it was, every selection is inside what there is afterwards.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let effects = handle(model, msg);
    keep_all(model);
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
        Msg::Mouse(event) => mouse(model, event),
        Msg::Resize(width, height) => {
            model.size = (width, height);
            keep_all(model);
            Vec::new()
        }
        Msg::Started(id, cancel) => {
            for running in [&mut model.opening, &mut model.planning].into_iter().flatten() {
                if running.id == id {
                    running.cancel = Some(cancel.clone());
                }
            }
            Vec::new()
        }
        Msg::Opened(id, report) => opened(model, id, report),
        Msg::Planned(id, report) => {
            plan::planned(model, id, report);
            straight(model)
        }
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
    model.notice = None;
    match action {
        Action::Quit => vec![Effect::Quit(0)],
        Action::Help => {
            look::help(model);
            Vec::new()
        }
        Action::Palette => {
            pick::palette(model);
            Vec::new()
        }
        Action::Copy => {
            pick::copy(model);
            Vec::new()
        }
        Action::ShowTools => show(model, Screen::Tools),
        Action::ShowPlan => show(model, Screen::Plan),
        Action::ShowStep => show(model, Screen::Step),
        Action::NextPane | Action::PreviousPane => {
            let focus = &mut model.focus[model.screen as usize];
            *focus = (*focus + if action == Action::NextPane { 1 } else { 2 }) % 3;
            keep_all(model);
            Vec::new()
        }
        Action::Search => {
            if !model.broken() {
                let pane = model.pane();
                let before = model.cursor(pane);
                let needle = String::new();
                line::ask(model, line::Purpose::Search(pane, before), "search", needle);
            }
            Vec::new()
        }
        Action::FindNext => find(model, Find::Next),
        Action::FindPrevious => find(model, Find::Previous),
        Action::Dismiss => {
            model.needle.clear();
            Vec::new()
        }
        Action::NextTheme => {
            next_theme(model);
            Vec::new()
        }
        Action::Mouse => {
            model.mouse = !model.mouse;
            model.say(Scope::Notice, if model.mouse { "the mouse is on" } else { "the mouse is off" });
            vec![Effect::Mouse(model.mouse)]
        }
        Action::Reload => {
            model.say(Scope::Notice, "reading the file again");
            open(model, None)
        }
        Action::Fold => {
            fold(model);
            Vec::new()
        }
        Action::Up => move_in(model, model.pane(), Move::Up(1)),
        Action::Down => move_in(model, model.pane(), Move::Down(1)),
        Action::PageUp => move_in(model, model.pane(), Move::PageUp),
        Action::PageDown => move_in(model, model.pane(), Move::PageDown),
        Action::First => move_in(model, model.pane(), Move::First),
        Action::Last => move_in(model, model.pane(), Move::Last),
        Action::Left | Action::Right if model.pane() != Pane::Dials => {
            let pane = model.pane();
            let cursor = model.cursor_mut(pane);
            cursor.left =
                if action == Action::Right { (cursor.left + 8).min(4096) } else { cursor.left.saturating_sub(8) };
            Vec::new()
        }
        _ if model.broken() => Vec::new(),
        _ => match model.screen {
            Screen::Tools => tools_act(model, action),
            Screen::Plan => plan::act(model, action),
            Screen::Step => step::act(model, action),
        },
    }
}

fn tools_act(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::Open {
        model.focus[Screen::Tools as usize] = 1;
        return Vec::new();
    }
    tools::act(model, action)
}

fn show(model: &mut Model, screen: Screen) -> Vec<Effect> {
    if model.screen != screen {
        model.needle.clear();
    }
    model.screen = screen;
    keep_all(model);
    if screen == Screen::Plan { plan::settle(model) } else { Vec::new() }
}

/// Moves in a pane; what follows its selection follows.
pub fn move_in(model: &mut Model, pane: Pane, way: Move) -> Vec<Effect> {
    let (width, height) = panes::size(model, pane);
    let len = panes::rows(model, pane, width).len();
    model.cursor_mut(pane).go(way, len, height);
    settled(model, pane)
}

/// After a selection may have moved: what follows it follows.
pub fn settled(model: &mut Model, pane: Pane) -> Vec<Effect> {
    let effects = match pane {
        Pane::Tools => {
            tools::settle(model);
            Vec::new()
        }
        Pane::Dials | Pane::Seeds => plan::settle(model),
        Pane::Calls => {
            step::settle(model);
            Vec::new()
        }
        _ => Vec::new(),
    };
    keep_all(model);
    effects
}

/// Puts every selection of the present screen inside what there is.
pub fn keep_all(model: &mut Model) {
    for pane in model.screen.panes() {
        let (width, height) = panes::size(model, pane);
        let len = panes::rows(model, pane, width).len();
        model.cursor_mut(pane).keep(len, height);
    }
}

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
    let found = match find {
        Find::Here => (0..len).map(|n| (at + n) % len).find(holds),
        Find::Next => (1..=len).map(|n| (at + n) % len).find(holds),
        Find::Previous => (1..=len).map(|n| (at + len - n) % len).find(holds),
    };
    drop(rows);
    match found {
        Some(i) => move_in(model, pane, Move::To(i)),
        None => {
            model.say(Scope::Notice, "found nowhere in this pane");
            Vec::new()
        }
    }
}

/// The text of the selected row of the pane that has the keys.
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
            let at = model.cursor(Pane::Schema).at;
            model.tools.schema.toggle(at)
        }
        Pane::Call => step::fold(model),
        _ => false,
    };
    if !folded {
        model.say(Scope::Notice, "there is nothing to fold in this row");
    }
    keep_all(model);
}

fn next_theme(model: &mut Model) {
    let names = model.look.themes.names();
    let at = names.iter().position(|n| *n == model.look.theme.name).map_or(0, |i| i + 1);
    // A user's theme that is wrong is passed over, with its reason.
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

/// Opens the file, or reads it again as the request says now.
fn open(model: &mut Model, source: Option<Arc<Source>>) -> Vec<Effect> {
    if let Some(cancel) = model.opening.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    let id = model.next_job();
    model.opening = Some(Running { id, progress: None, cancel: None });
    vec![Effect::Open { id, request: Box::new(model.request.clone()), source }]
}

/// Reads the file again after what is declared beside it changed.
pub fn reread(model: &mut Model) -> Vec<Effect> {
    let source = match &model.file {
        FileState::Open(opened) => Some(opened.source.clone()),
        _ => None,
    };
    open(model, source)
}

fn opened(model: &mut Model, id: JobId, report: Report<Result<Opened, OpenError>>) -> Vec<Effect> {
    if model.opening.as_ref().is_none_or(|running| running.id != id) {
        return Vec::new();
    }
    let result = match report {
        Report::Progress(progress) => {
            if let Some(running) = &mut model.opening {
                running.progress = Some(progress);
            }
            return Vec::new();
        }
        Report::Done(result) => result.map_err(|e| e.to_string()),
        Report::Failed(line) => Err(line),
    };
    model.opening = None;
    match result {
        Ok(opened) => {
            // What was declared by hand and is refused is taken back; what was there before stays.
            if let (Err(why), None, FileState::Open(before)) = (&opened.sheet, &opened.reading.error, &model.file) {
                let declared = opened.plan != before.plan && before.sheet.is_ok();
                if declared {
                    let why = why.clone();
                    model.request.plan = before.plan.clone();
                    model.request.read = before.read.clone();
                    model.say(Scope::Error, format!("! {why}"));
                    return Vec::new();
                }
            }
            let before = tools::selected_name(model);
            let first = !matches!(model.file, FileState::Open(_));
            model.file = FileState::Open(Box::new(opened));
            if first {
                plan::preselect(model);
            }
            tools::refresh(model, before);
            model.plan.of = None;
        }
        Err(line) => model.file = FileState::Failed(line),
    }
    keep_all(model);
    let mut effects = plan::settle(model);
    effects.extend(straight(model));
    effects
}

/// On the way straight into the stepper: selects the wanted arm, tries the seeds in turn.
fn straight(model: &mut Model) -> Vec<Effect> {
    let Some((arm, mut seeds)) = model.straight.take() else { return Vec::new() };
    if matches!(model.file, FileState::Opening) {
        model.straight = Some((arm, seeds));
        return Vec::new();
    }
    if model.planning.is_some() && model.plan.then_step {
        model.straight = Some((arm, seeds));
        return Vec::new();
    }
    if model.screen == Screen::Step {
        return Vec::new();
    }
    if !plan::select_arm(model, arm) {
        model.screen = Screen::Plan;
        model.say(Scope::Error, format!("! {arm} is not reached on this set"));
        return plan::settle(model);
    }
    let Some(seed) = seeds.pop_front() else {
        model.screen = Screen::Plan;
        return Vec::new();
    };
    plan::select_seed(model, seed);
    model.plan.then_step = true;
    model.straight = Some((arm, seeds));
    plan::settle(model)
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

/// The wheel scrolls the pane under the pointer, a click selects a row there.
fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    if !model.mouse {
        return Vec::new();
    }
    let way = match event.kind {
        MouseEventKind::ScrollUp => Some(Move::Up(3)),
        MouseEventKind::ScrollDown => Some(Move::Down(3)),
        MouseEventKind::Down(MouseButton::Left) => None,
        _ => return Vec::new(),
    };
    if let Some(Overlay::Look(_)) = model.overlays.last() {
        if let Some(way) = way {
            look::wheel(model, way);
        }
        return Vec::new();
    }
    if !model.overlays.is_empty() || model.broken() {
        return Vec::new();
    }
    let at = Position { x: event.column, y: event.row };
    let layout = model.layout();
    let Some((pane, rect)) = layout.panes.iter().find(|(_, rect)| rect.contains(at)).copied() else {
        return Vec::new();
    };
    if let Some(way) = way {
        return move_in(model, pane, way);
    }
    click(model, pane, rect, at)
}

fn click(model: &mut Model, pane: Pane, rect: Rect, at: Position) -> Vec<Effect> {
    if let Some(focus) = model.screen.panes().iter().position(|p| *p == pane) {
        model.focus[model.screen as usize] = focus;
    }
    let Some(line) = at.y.checked_sub(rect.y + 1) else { return Vec::new() };
    let (width, height) = panes::size(model, pane);
    let len = panes::rows(model, pane, width).len();
    let row = model.cursor(pane).shown_top(len, height) + usize::from(line);
    if row < len { move_in(model, pane, Move::To(row)) } else { Vec::new() }
}
