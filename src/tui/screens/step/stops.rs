//! What running stops at: breakpoints on tools, error codes, side effects and odd reads, watches on records and fields.

use super::store::{self, Target};
use crate::engine::Code;
use crate::episode::{Breakpoint, Episode, Watch};
use crate::task::StepEffect;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use std::collections::HashSet;

/// One thing that running can stop at.
#[derive(Debug, Clone, PartialEq)]
pub enum StopAt {
    /// What a call is or is answered.
    Breakpoint(Breakpoint),
    /// A change of a record or a field.
    Watch(Watch),
    /// Nothing: takes all away.
    Nothing,
}

/// Opens the list of all that running can stop at.
pub(super) fn list(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let all = choices(episode, &model.step.breakpoints);
    let items = all.iter().map(|stop| label(model, stop)).collect();
    let title = "stop running at (enter turns on or off)";
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Stops(all), items)));
}

fn choices(episode: &Episode, set: &[Breakpoint]) -> Vec<StopAt> {
    let task = episode.task();
    let mut all: Vec<StopAt> = [Breakpoint::SideEffect, Breakpoint::BadRead, Breakpoint::StaleRead]
        .into_iter()
        .chain(Code::ALL.map(Breakpoint::Code))
        .map(StopAt::Breakpoint)
        .collect();
    let mut seen = HashSet::new();
    let shown = task.block.iter().map(|tool| &tool.name);
    // A breakpoint set on a tool of another task can be taken away here too.
    let others = set.iter().filter_map(|b| if let Breakpoint::Tool(tool) = b { Some(tool) } else { None });
    for tool in shown.chain(others) {
        if seen.insert(tool) {
            all.push(StopAt::Breakpoint(Breakpoint::Tool(tool.clone())));
        }
    }
    for (i, step) in task.steps.iter().enumerate().filter(|(_, step)| step.effect == StepEffect::Write) {
        all.push(StopAt::Watch(Watch::Record(i)));
        let fields = task.shown(&step.tool).map(|shown| shown.tool.properties()).unwrap_or_default();
        all.extend(fields.into_iter().map(|(name, _)| StopAt::Watch(Watch::Field(i, name))));
    }
    all.push(StopAt::Nothing);
    all
}

/// What the list says of one.
fn label(model: &Model, stop: &StopAt) -> (String, String) {
    let (words, set) = match stop {
        StopAt::Breakpoint(b) => (b.words(), model.step.breakpoints.contains(b)),
        StopAt::Watch(w) => (format!("a change of {}", w.words()), model.step.watches.contains(w)),
        StopAt::Nothing => ("nothing: remove all".to_owned(), false),
    };
    (format!("{} {words}", if set { '*' } else { ' ' }), if set { "stops" } else { "" }.to_owned())
}

/// Sets what running stops at, or takes it away; the open list says so.
pub fn toggle(model: &mut Model, stop: &StopAt) {
    let step = &mut model.step;
    match stop {
        StopAt::Breakpoint(b) => flip(&mut step.breakpoints, b),
        StopAt::Watch(w) => flip(&mut step.watches, w),
        StopAt::Nothing => {
            step.breakpoints.clear();
            step.watches.clear();
            step.stopped.clear();
        }
    }
    let Some(Overlay::Pick(mut pick)) = model.overlays.pop() else { return };
    if let Purpose::Stops(all) = &pick.purpose {
        let items = all.iter().map(|stop| label(model, stop)).collect();
        pick.relabel(items);
    }
    model.overlays.push(Overlay::Pick(pick));
}

fn flip<T: PartialEq + Clone>(all: &mut Vec<T>, one: &T) {
    match all.iter().position(|other| other == one) {
        Some(at) => {
            all.remove(at);
        }
        None => all.push(one.clone()),
    }
}

/// Watches the record or field that the selected row of the store shows, or stops watching it; in other panes the list is opened.
pub(super) fn watch(model: &mut Model) {
    if model.pane() != Pane::Store {
        list(model);
        return;
    }
    let Some(episode) = &model.step.episode else { return };
    let watch = match store::target(model, episode) {
        Some(Target::Field(step, name)) => Watch::Field(step, name),
        Some(Target::Record(step)) => Watch::Record(step),
        Some(Target::Step(step)) if episode.task().steps[step].effect == StepEffect::Write => Watch::Record(step),
        _ => {
            model.say(Scope::Notice, "select a record, or a field of one, to watch it");
            return;
        }
    };
    let words = watch.words();
    flip(&mut model.step.watches, &watch);
    let on = model.step.watches.contains(&watch);
    model.say(
        Scope::Notice,
        if on {
            format!("watching {words}: running stops when it changes")
        } else {
            format!("{words} is not watched anymore")
        },
    );
}
