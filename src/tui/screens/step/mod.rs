//! The Step screen: an episode, one call at a time.
//!
//! Where one stands in the list of calls is where one stands in the episode: going up goes back in time, and a call made
//! there starts a branch. Below the calls made stand the reference calls still to come.

mod branches;
mod call;
mod calls;
mod store;

pub use branches::{Line, open_episode, return_to};

use super::words;
use crate::engine::{Ending, Made};
use crate::episode::Episode;
use crate::task::{Call, Task};
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::{form, pick};
use crate::tui::panes::{self, Stack};
use crate::tui::screens::plan;
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::value::canonical;
use std::sync::Arc;

/// What the Step screen knows.
#[derive(Debug, Clone, Default)]
pub struct StepScreen {
    /// The episode, once a task was chosen.
    pub episode: Option<Episode>,
    /// The episodes it took the place of, the latest last: they can be returned to.
    pub kept: Vec<Episode>,
    /// The reference calls still to come from where one stands.
    left: Vec<Call>,
    /// The selected call, ready to be shown.
    shown: Option<Shown>,
}

/// A call made, with its values as lines.
#[derive(Debug, Clone)]
struct Shown {
    made: Arc<Made>,
    arguments: Outline,
    answer: Outline,
}

/// What a row of the list of calls stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// Before the first call.
    Start,
    /// The call at this index.
    Made(usize),
    /// The ending.
    End(Ending),
    /// The reference call at this index of those still to come.
    Left(usize),
}

impl StepScreen {
    /// What row `i` of the list stands for.
    fn entry(&self, i: usize) -> Entry {
        let Some(episode) = &self.episode else { return Entry::Start };
        let made = episode.calls().len();
        if i == 0 {
            return Entry::Start;
        }
        if i <= made {
            return Entry::Made(i - 1);
        }
        if episode.ending() != Ending::Open && i == made + 1 {
            return Entry::End(episode.ending());
        }
        Entry::Left(i - made - 1)
    }

    /// How many rows the list has.
    fn len(&self) -> usize {
        let Some(episode) = &self.episode else { return 0 };
        let after = if episode.ending() == Ending::Open { self.left_shown(episode) } else { 1 };
        1 + episode.calls().len() + after
    }

    /// Reference calls to come are shown below the end of the history only: elsewhere the future stands there.
    fn left_shown(&self, episode: &Episode) -> usize {
        if episode.cursor() == episode.calls().len() { self.left.len() } else { 0 }
    }
}

/// Starts a task from its beginning.
pub fn start(model: &mut Model, task: Arc<Task>) {
    branches::keep(model);
    model.step.episode = Some(Episode::new(task));
    branches::fresh(model);
}

/// Puts the selection where the episode stands, after the episode moved.
pub fn follow(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let at = if episode.ending() == Ending::Open { episode.cursor() } else { episode.calls().len() + 1 };
    model.step.left = episode.reference_left();
    model.cursor_mut(Pane::Calls).at = at;
    show(model);
}

/// After the selection may have moved: the episode follows it.
pub fn settle(model: &mut Model) {
    let at = model.cursor(Pane::Calls).at;
    let entry = model.step.entry(at);
    let Some(episode) = &mut model.step.episode else { return };
    match entry {
        Entry::Start => episode.go_to(0),
        Entry::Made(i) if i + 1 != episode.cursor() || episode.ending() != Ending::Open => {
            if episode.ending() != Ending::Open {
                episode.back();
            }
            episode.go_to(i + 1);
        }
        Entry::Made(_) | Entry::End(_) | Entry::Left(_) => {}
    }
    model.step.left = episode.reference_left();
    show(model);
}

/// Makes the selected call ready to be shown.
fn show(model: &mut Model) {
    let entry = model.step.entry(model.cursor(Pane::Calls).at);
    let Some(episode) = &model.step.episode else { return };
    let Entry::Made(i) = entry else {
        if model.step.shown.take().is_some() {
            *model.cursor_mut(Pane::Call) = Cursor::default();
        }
        return;
    };
    let Some(made) = episode.calls().get(i) else { return };
    if model.step.shown.as_ref().is_some_and(|s| Arc::ptr_eq(&s.made, made)) {
        return;
    }
    let shown = Shown {
        arguments: Outline::new(made.call.arguments.clone()),
        answer: call::answer(episode, i, made),
        made: made.clone(),
    };
    model.step.shown = Some(shown);
    *model.cursor_mut(Pane::Call) = Cursor::default();
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(episode) = &model.step.episode else {
        if pane == Pane::Calls {
            let says = "Choose a task on the Plan screen: press 2, then enter.";
            stack.add(Row::of(Scope::Dim, says).wrap(width));
        }
        return stack;
    };
    match pane {
        Pane::Calls => stack.add(calls::Calls { step: &model.step, episode, width }),
        Pane::Call => call::rows(model, episode, width, &mut stack),
        _ => store::rows(episode, width, &mut stack),
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let step = &model.step;
    match pane {
        Pane::Calls => "calls".to_owned(),
        Pane::Call => match step.entry(model.cursor(Pane::Calls).at) {
            Entry::Start => "before the first call".to_owned(),
            Entry::Made(i) => {
                let tool = step.episode.as_ref().and_then(|e| e.calls().get(i)).map(|m| m.call.tool.clone());
                format!("call {}: {}", i + 1, tool.unwrap_or_default())
            }
            Entry::End(_) => "verdict".to_owned(),
            Entry::Left(_) => "not made yet".to_owned(),
        },
        _ => "steps, store, dial".to_owned(),
    }
}

/// What the header says of the episode.
pub fn facts(model: &Model) -> Option<Row> {
    let task = model.step.episode.as_ref()?.task();
    let row = Row::of(Scope::Accent, task.arm.to_string()).dim("  seed ").plain(task.seed.to_string());
    Some(row.dim("  ").plain(&*task.request))
}

/// The verdict so far in a few words, for the status line.
pub fn verdict(model: &Model) -> Option<(Scope, String)> {
    model.step.episode.as_ref().map(store::verdict_words)
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.step.episode.is_none() {
        model.say(Scope::Notice, "choose a task on the Plan screen first: press 2, then enter");
        return Vec::new();
    }
    match action {
        Action::NextCall => next_call(model),
        Action::OwnCall => form::begin(model),
        Action::Back => {
            moved(model, |e| e.back(), "this is the start");
        }
        Action::Forward => {
            moved(model, |e| e.forward(), "nothing was made after this");
        }
        Action::Reply => end(model, Ending::Reply),
        Action::Limit => end(model, Ending::Limit),
        Action::Restart => {
            moved(
                model,
                |e| {
                    let was = e.cursor() > 0 || e.ending() != Ending::Open;
                    while e.ending() != Ending::Open && e.back() {}
                    e.go_to(0);
                    was
                },
                "this is the start",
            );
        }
        Action::RunToEnd => run_to_end(model),
        Action::Branches => branches::list(model),
        Action::Open => open(model),
        _ => {}
    }
    Vec::new()
}

fn moved(model: &mut Model, step: impl FnOnce(&mut Episode) -> bool, otherwise: &str) {
    if model.step.episode.as_mut().is_some_and(step) {
        follow(model);
    } else {
        model.say(Scope::Notice, otherwise);
    }
}

/// Makes a call where the episode stands.
pub fn make(model: &mut Model, call: Call) {
    let Some(episode) = &mut model.step.episode else { return };
    let branches = episode.branches().len();
    episode.make(call);
    let started = episode.branches().len() > branches;
    follow(model);
    if started {
        model.say(Scope::Notice, "a branch starts here; the calls that followed are kept on the other one");
    }
}

fn next_call(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    if episode.ending() != Ending::Open {
        model.say(Scope::Notice, "the episode has ended; b undoes that");
        return;
    }
    match episode.next_reference() {
        Some(call) => make(model, call),
        None => model.say(Scope::Notice, "the reference solution has no more calls: r replies"),
    }
}

/// So many calls are made in one go at most.
const MOST_AT_ONCE: usize = 10_000;

fn run_to_end(model: &mut Model) {
    let Some(episode) = &mut model.step.episode else { return };
    if episode.ending() == Ending::Open {
        for _ in 0..MOST_AT_ONCE {
            let Some(call) = episode.next_reference() else { break };
            episode.make(call);
        }
        episode.end(Ending::Reply);
    }
    follow(model);
}

fn end(model: &mut Model, ending: Ending) {
    let Some(episode) = &mut model.step.episode else { return };
    let open = episode.ending() == Ending::Open;
    if open && episode.cursor() < episode.calls().len() {
        model.say(Scope::Notice, "calls follow here: go to the last one, or make another call to start a branch");
        return;
    }
    if episode.ending() == ending {
        episode.back();
    } else {
        episode.end(ending);
    }
    follow(model);
}

/// Enter on a reference call still to come makes all up to it.
fn open(model: &mut Model) {
    match model.step.entry(model.cursor(Pane::Calls).at) {
        Entry::Left(n) if model.pane() == Pane::Calls => {
            let Some(episode) = &mut model.step.episode else { return };
            for _ in 0..=n {
                let Some(call) = episode.next_reference() else { break };
                episode.make(call);
            }
            follow(model);
        }
        _ => model.focus[model.screen as usize] = 1,
    }
}

/// Folds the part of a value that the selected row of the call shows, or opens it.
pub fn fold(model: &mut Model) -> bool {
    let (width, _) = panes::size(model, Pane::Call);
    let part = rows(model, Pane::Call, width).part(model.cursor(Pane::Call).at);
    let Some(shown) = &mut model.step.shown else { return false };
    match part {
        Some((call::ARGUMENTS, line)) => shown.arguments.toggle(line),
        Some((call::ANSWER, line)) => shown.answer.toggle(line),
        _ => false,
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<pick::Copyable> {
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let mut copies = Vec::new();
    if let Some(shown) = &model.step.shown {
        let call = &shown.made.call;
        let script = format!(
            "[{}, {}]",
            canonical::compact(&(&call.tool).into(), false),
            canonical::compact(&call.arguments, false)
        );
        copies.push(pick::Copyable::new("call", script));
        copies.push(pick::Copyable::json("arguments", &call.arguments));
        copies.push(pick::Copyable::new("answer as the agent sees it", &*shown.made.outcome.answer.text));
    }
    let calls: Vec<String> = episode.calls()[..episode.cursor()]
        .iter()
        .map(|m| {
            format!(
                "[{}, {}]",
                canonical::compact(&(&m.call.tool).into(), false),
                canonical::compact(&m.call.arguments, false)
            )
        })
        .collect();
    copies.push(pick::Copyable::new("calls so far as a call script", format!("[{}]", calls.join(",\n "))));
    let task = episode.task();
    copies.push(pick::Copyable::new("arm and seed", format!("--arm {} --seed {}", task.arm, task.seed)));
    copies.extend(plan::task_copies(task));
    copies
}
