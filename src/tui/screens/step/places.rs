//! Going from one thing to another it names: why an answer is as it is, where a value comes from, what a step or a write
//! is, what changed between two points.

use super::store::{self, Target};
use super::{Point, call, travel, words};
use crate::engine::explain::Place;
use crate::engine::{State, WriteKind};
use crate::episode::{Blame, Episode, blame_answer, blame_sent, blame_write, difference as between};
use crate::task::{StepEffect, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::overlays::told::{self, Body, Line};
use crate::tui::panes;
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use crate::value::{Value, pointer};

/// Goes to the one place there is, or asks which.
pub fn one_of(model: &mut Model, mut all: Vec<Place>) {
    let mut seen = Vec::new();
    all.retain(|place| {
        let new = !seen.contains(place);
        seen.push(place.clone());
        new
    });
    match &all[..] {
        [] => model.say(Scope::Notice, "nothing to go to here"),
        [only] => jump(model, &only.clone()),
        _ => {
            let Some(episode) = &model.step.episode else { return };
            let items = all.iter().map(|place| said(episode, place)).collect();
            model.overlays.push(Overlay::Pick(Pick::new("go to", Purpose::Go(all), items)));
        }
    }
}

/// What a place is, in a list.
fn said(episode: &Episode, place: &Place) -> (String, String) {
    let task = episode.task();
    match place {
        Place::Step(i) => {
            let row = task.steps.get(*i).map(|s| words::pairs(Row::new().plain(&*s.tool).plain(" "), &s.matching));
            (format!("step {i}  {}", row.unwrap_or_default().text()), "expected step".to_owned())
        }
        Place::Write(i) => {
            let state = episode.state();
            let write = state.writes().get(*i);
            let row = write.map(|w| words::arguments(Row::new().plain(&*w.tool).plain(" "), &w.arguments));
            (format!("write {}  {}", i + 1, row.unwrap_or_default().text()), "write in the store".to_owned())
        }
        Place::Call(i) => {
            let row = episode.calls().get(*i).map(|made| words::call(Row::new(), &made.call));
            (format!("call {}  {}", i + 1, row.unwrap_or_default().text()), "call".to_owned())
        }
        Place::Schema { tool, pointer } => (format!("{tool}  {}", pointer::name(pointer)), "schema".to_owned()),
    }
}

/// Goes to a place.
pub fn jump(model: &mut Model, place: &Place) {
    let Some(episode) = &model.step.episode else { return };
    if let Place::Schema { tool, pointer } = place {
        let Some(shown) = episode.task().shown(tool) else { return };
        let outline = Outline::new(shown.tool.input_schema.clone());
        told::value(model, format!("arguments of {tool}: {}", pointer::name(pointer)), outline, pointer);
        return;
    }
    model.overlays.clear();
    model.screen = Screen::Step;
    let before = std::mem::replace(&mut model.focus[Screen::Step as usize], 2);
    let target = match place {
        Place::Call(i) => {
            model.focus[Screen::Step as usize] = 0;
            travel::go_to_call(model, *i);
            return;
        }
        Place::Step(i) => Target::Step(*i),
        Place::Write(i) => Target::Write(*i),
        Place::Schema { .. } => return,
    };
    // The row is looked for where the pane has its focus: its width decides.
    match model.step.episode.as_ref().and_then(|episode| store::row_of(model, episode, &target)) {
        Some(at) => model.cursor_mut(Pane::Store).at = at,
        None => {
            model.focus[Screen::Step as usize] = before;
            model.say(Scope::Notice, "not in the store at this point");
        }
    }
}

/// Asks which of the places that the explanation of the selected call names to go to.
pub(super) fn why(model: &mut Model) {
    let Some(shown) = &model.step.shown else {
        model.say(Scope::Notice, "select a call that was made");
        return;
    };
    let all: Vec<Place> = shown.why.places().chain(shown.changed.places()).cloned().collect();
    one_of(model, all);
}

/// Enter on a row of the selected call: goes to what an explanation names, or shows where a value comes from.
pub(super) fn open_row(model: &mut Model) {
    let (width, _) = panes::size(model, Pane::Call);
    let part = super::rows(model, Pane::Call, width).part(model.cursor(Pane::Call).at);
    match (part, &model.step.shown) {
        (Some((call::TOLD, line)), Some(shown)) => {
            let places = call::told_rows(shown, width).swap_remove(line).1;
            if !places.is_empty() {
                one_of(model, places);
            }
        }
        (Some((call::ARGUMENTS | call::ANSWER, _)), Some(_)) => origin(model),
        _ => {}
    }
}

/// Shows which call the selected value of the call or of the store comes from.
pub(super) fn origin(model: &mut Model) {
    let hint = "select a value in the answer, the arguments or the store";
    if model.pane() == Pane::Store {
        let target = model.step.episode.as_ref().and_then(|episode| store::target(model, episode));
        match target {
            Some(Target::Field(..) | Target::Record(_) | Target::Write(_)) => open_store_row(model),
            _ => model.say(Scope::Notice, hint),
        }
        return;
    }
    let (width, _) = panes::size(model, Pane::Call);
    let part = super::rows(model, Pane::Call, width).part(model.cursor(Pane::Call).at);
    let (Some(episode), Some(shown)) = (&model.step.episode, &model.step.shown) else {
        model.say(Scope::Notice, hint);
        return;
    };
    let Some((index, _)) = super::selected(model).filter(|_| model.pane() == Pane::Call) else {
        model.say(Scope::Notice, hint);
        return;
    };
    let (outline, row) = match part {
        Some((call::ARGUMENTS, row)) => (&shown.arguments, row),
        Some((call::ANSWER, row)) => (&shown.answer, row),
        _ => {
            model.say(Scope::Notice, hint);
            return;
        }
    };
    let line = Wrapped::new(outline, width).line(row);
    let (at, value) = (outline.pointer(line), outline.at(line).clone());
    let blame = match part {
        Some((call::ARGUMENTS, _)) => blame_sent(episode.past(), index, &at),
        _ => blame_answer(episode.task(), episode.past(), index, &at),
    };
    let Some(blame) = blame else {
        model.say(Scope::Notice, "cannot say where this value comes from");
        return;
    };
    let mut lines = vec![Line::plain(named(pointer::name(&at), &value)), Line::default()];
    lines.extend(blamed(episode.task(), &blame, &value));
    told::open(model, format!("where {} comes from", pointer::name(&at)), Body::Lines(lines));
}

fn named(name: &str, value: &Value) -> Row {
    Row::new().put(Scope::Strong, name).plain("  ").plain(words::short(value))
}

/// A blame as lines; a value that the request states says so.
fn blamed(task: &Task, blame: &Blame, value: &Value) -> Vec<Line> {
    let mut lines = told::lines(&blame.words());
    if let Some(stated) = blame.stated(task, value) {
        lines.push(Line::plain(Row::of(Scope::Text, format!("The request states it as {}.", text::safe(&stated)))));
    }
    lines
}

/// Enter on a row of the store: shows its details.
pub(super) fn open_store_row(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let Some(target) = store::target(model, episode) else { return };
    let state = episode.state();
    let write = match &target {
        Target::Write(write) => Some(*write),
        Target::Record(step) | Target::Field(step, _) => state.write_of(*step),
        Target::Step(_) => None,
    };
    let (title, lines) = match (&target, write) {
        (Target::Field(_, name), Some(write)) => {
            let at = pointer::join("", name);
            (format!("where {name} comes from"), field_lines(episode, &state, write, name, &at))
        }
        (_, Some(write)) => (format!("write {}", write + 1), write_lines(episode, &state, write)),
        (Target::Step(step) | Target::Record(step) | Target::Field(step, _), None) => {
            (format!("step {step}"), step_lines(episode, &state, *step))
        }
        (Target::Write(_), None) => return,
    };
    told::open(model, title, Body::Lines(lines));
}

fn field_lines(episode: &Episode, state: &State, write: usize, name: &str, at: &str) -> Vec<Line> {
    let value = state.writes().get(write).and_then(|w| w.arguments.get(name)).cloned().unwrap_or_default();
    let mut lines = vec![Line::plain(named(name, &value)), Line::default()];
    lines.push(Line {
        row: Row::of(Scope::Accent, format!("It is part of write {}.", write + 1)),
        places: vec![Place::Write(write)],
    });
    if let Some(blame) = blame_write(episode.past(), state, write, at) {
        lines.extend(blamed(episode.task(), &blame, &value));
    }
    lines
}

/// A write: which call made it, how it counts, where each of its values came from.
fn write_lines(episode: &Episode, state: &State, index: usize) -> Vec<Line> {
    let Some(write) = state.writes().get(index) else { return Vec::new() };
    let call = write.call.saturating_sub(1);
    let row = Row::new().put(Scope::Accent, format!("call {}", write.call)).plain(format!(": {}", write.tool));
    let mut lines = vec![Line { row, places: vec![Place::Call(call)] }];
    let (row, places) = match write.kind {
        WriteKind::Expected(step) => {
            (Row::of(Scope::Ok, format!("+ expected by step {step}")), vec![Place::Step(step)])
        }
        WriteKind::SideEffect => (Row::of(Scope::Error, "! side effect: no step expects this write"), Vec::new()),
        WriteKind::Duplicate(step) => {
            (Row::of(Scope::Error, format!("! duplicate: it repeats step {step}")), vec![Place::Step(step)])
        }
    };
    lines.push(Line { row, places });
    if state.landed_call() == Some(write.call) {
        lines.push(Line::plain(Row::of(Scope::Warn, "! it went through, but its answer was a timeout (landed dial)")));
    }
    for (name, value) in write.arguments.as_object().into_iter().flat_map(|map| map.named()) {
        lines.push(Line::default());
        lines.push(Line::plain(named(name, value)));
        if let Some(blame) = blame_write(episode.past(), state, index, &pointer::join("", name)) {
            lines.extend(blamed(episode.task(), &blame, value));
        }
    }
    lines
}

/// A step: what it expects, what it needs and serves, which call passed it.
fn step_lines(episode: &Episode, state: &State, index: usize) -> Vec<Line> {
    let Some(step) = episode.task().steps.get(index) else { return Vec::new() };
    let effect = if step.effect == StepEffect::Read { "a read" } else { "a write" };
    let mut lines =
        vec![Line::plain(Row::new().plain(format!("It expects {effect} with ")).put(Scope::Strong, &*step.tool))];
    for (name, value) in &step.matching {
        lines.push(Line::plain(Row::new().plain("  ").join(&named(name, value))));
    }
    if step.exact {
        lines.push(Line::plain(Row::of(Scope::Text, "and no other checkable argument.")));
    }
    for need in &step.needs {
        let row = Row::new().plain("It needs ").put(Scope::Accent, format!("step {need}")).plain(" first.");
        lines.push(Line { row, places: vec![Place::Step(*need)] });
    }
    for (path, value) in &step.serves {
        let row = Row::new().plain("It serves ").join(&named(path, value));
        lines.push(Line::plain(row));
    }
    lines.push(Line::default());
    if state.passed(index) {
        // States only ever pass more steps, so the call that passed this one is found by halving.
        let (mut open, mut passed) = (0, episode.cursor());
        while open + 1 < passed {
            let middle = usize::midpoint(open, passed);
            if episode.state_at(middle).passed(index) { passed = middle } else { open = middle }
        }
        let word = if step.effect == StepEffect::Read { "served" } else { "done" };
        let row = Row::of(Scope::Ok, format!("+ {word} by ")).put(Scope::Accent, format!("call {passed}"));
        lines.push(Line { row, places: vec![Place::Call(passed.saturating_sub(1))] });
    } else {
        lines.push(Line::plain(Row::of(Scope::Dim, ". open")));
    }
    lines
}

/// Marks where the episode stands; marked already, takes the mark away.
pub(super) fn mark(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let at = episode.cursor();
    let made = at.checked_sub(1).and_then(|i| episode.calls().get(i)).cloned();
    let same = |point: &Point| match (&point.made, &made) {
        (Some(a), Some(b)) => std::sync::Arc::ptr_eq(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    if model.step.marked.as_ref().is_some_and(same) {
        model.step.marked = None;
        model.say(Scope::Notice, "mark removed");
        return;
    }
    model.step.marked = Some(Point { made, state: episode.state(), at, branch: episode.branch() });
    let key = model.keymap.key(Action::Difference).unwrap_or_default();
    model.say(Scope::Notice, format!("marked; move to another call and press {key} to see what changed in the store"));
}

/// What changed in the store from the marked point, or from the start, to where the episode stands.
pub(super) fn difference(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let point = |at: usize, branch: usize| {
        let place = if at == 0 { "the start".to_owned() } else { format!("call {at}") };
        if branch == episode.branch() || at == 0 { place } else { format!("{place} of branch {}", branch + 1) }
    };
    let (from, from_words) = match &model.step.marked {
        Some(mark) => (mark.state.clone(), point(mark.at, mark.branch)),
        None => (episode.state_at(0), "the start".to_owned()),
    };
    let found = between(episode.task(), &from, &episode.state());
    let title = format!("the store from {from_words} to {}", point(episode.cursor(), episode.branch()));
    let lines = store::difference_lines(episode.task(), &found);
    told::open(model, title, Body::List(lines));
}
