//! The Step screen: an episode, one call at a time.
//!
//! Where one stands in the list of calls is where one stands in the episode: going up goes back in time, and a call made
//! there starts a branch. Below the calls made stand the reference calls still to come. Owns what is shown of an episode
//! and what its keys do; what a call does, why, and what may be said of it is worked out in `engine` and `episode`.

mod branches;
mod call;
mod calls;
mod copies;
pub mod places;
mod playing;
mod stops;
mod store;
mod travel;
mod writes;

pub use branches::{Line, keep as put_away, open_episode, return_to};
pub(super) use calls::outcome_words;
pub use copies::{Whole, copies, whole};
pub use playing::{Playing, beat};
pub use stops::{StopAt, toggle};
pub(super) use store::{dial_state, rows as after, written};
pub use travel::{follow, make, settle, wrong_answer};
pub(super) use writes::write_words;

use super::words;
use crate::engine::explain::Explanation;
use crate::engine::{Ending, Made, State};
use crate::episode::{Breakpoint, Episode, Watch};
use crate::task::{Call, Task};
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::{agent, form};
use crate::tui::panes::{self, Stack};
use crate::tui::screens::dials;
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// What the Step screen knows.
#[derive(Debug, Clone, Default)]
pub struct StepScreen {
    /// The episode, once a task was chosen.
    pub episode: Option<Episode>,
    /// The screen that the episode was opened from: esc goes back there.
    pub from: Option<Screen>,
    /// The episodes it took the place of, the latest last: they can be returned to.
    pub kept: Vec<Episode>,
    /// What running stops at.
    pub breakpoints: Vec<Breakpoint>,
    /// The records and fields at whose change running stops.
    pub watches: Vec<Watch>,
    /// Auto-play.
    playing: Playing,
    /// Where running stopped, and why, by the call's index.
    stopped: HashMap<usize, (Arc<Made>, String)>,
    /// The point marked, to see what changed from there on.
    pub marked: Option<Point>,
    /// The reference calls still to come from where one stands.
    left: Vec<Call>,
    /// The selected call, ready to be shown.
    shown: Option<Shown>,
}

/// A point of the history.
#[derive(Debug, Clone)]
pub struct Point {
    /// The last call before it; `None` for the start.
    pub made: Option<Arc<Made>>,
    /// The state there.
    pub state: State,
    /// How many calls lie before it.
    pub at: usize,
    /// The branch it was marked on.
    pub branch: usize,
}

/// A call made, with its values as lines.
#[derive(Debug, Clone)]
struct Shown {
    made: Arc<Made>,
    arguments: Outline,
    answer: Outline,
    why: Explanation,
    changed: Explanation,
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
    /// The ending behind the last call, which was undone: future, as calls are that were taken back.
    Undone(Ending),
    /// The reference call at this index of those still to come.
    Left(usize),
}

impl StepScreen {
    /// What row `i` of the list stands for. An ending stands below the last call before it, wherever that is.
    fn entry(&self, i: usize) -> Entry {
        let Some(episode) = &self.episode else { return Entry::Start };
        let made = episode.calls().len();
        let (i, ending) = match episode.ending() {
            Ending::Open => (i, None),
            ending if i == episode.cursor() + 1 => return Entry::End(ending),
            ending if i > episode.cursor() + 1 => (i - 1, Some(ending)),
            ending => (i, Some(ending)),
        };
        match i {
            0 => Entry::Start,
            i if i <= made => Entry::Made(i - 1),
            i => match (i - made - 1, episode.undone(), ending) {
                (0, undone @ (Ending::Reply | Ending::Limit), _) => Entry::Undone(undone),
                (_, _, Some(ending)) => Entry::End(ending),
                (after, Ending::Open, None) => Entry::Left(after),
                (after, _, None) => Entry::Left(after - 1),
            },
        }
    }

    /// The row of the call at an index.
    fn row_of(&self, call: usize) -> usize {
        let Some(episode) = &self.episode else { return 0 };
        call + 1 + usize::from(episode.ending() != Ending::Open && call >= episode.cursor())
    }

    /// How many rows the list has.
    fn len(&self) -> usize {
        let Some(episode) = &self.episode else { return 0 };
        let after = if episode.ending() == Ending::Open { self.left_shown(episode) } else { 1 };
        let undone = usize::from(episode.undone() != Ending::Open);
        1 + episode.calls().len() + undone + after
    }

    /// Reference calls to come are shown below the end of the history only: at other places the future is there.
    fn left_shown(&self, episode: &Episode) -> usize {
        if episode.cursor() == episode.calls().len() { self.left.len() } else { 0 }
    }

    /// Whether running would stop at a call.
    fn stops_at(&self, made: &Made) -> bool {
        self.breakpoints.iter().any(|b| b.hits(made)) || self.watches.iter().any(|w| w.hits(made))
    }

    /// Why running stopped at the call of an index.
    fn stopped_at(&self, index: usize, made: &Arc<Made>) -> Option<&str> {
        self.stopped.get(&index).filter(|(at, _)| Arc::ptr_eq(at, made)).map(|(_, why)| why.as_str())
    }
}

/// Starts a task from its beginning.
pub fn start(model: &mut Model, task: Arc<Task>) {
    branches::keep(model);
    model.step.episode = Some(Episode::new(task));
    model.step.from = None;
    branches::fresh(model);
}

/// The call made that is selected, and its index.
fn selected(model: &Model) -> Option<(usize, &Arc<Made>)> {
    let Entry::Made(i) = model.step.entry(model.cursor(Pane::Calls).at) else { return None };
    Some((i, model.step.episode.as_ref()?.calls().get(i)?))
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(episode) = &model.step.episode else {
        if pane == Pane::Calls {
            stack.add(Row::of(Scope::Dim, super::plan::nothing_at_play(model)).wrap(width));
        }
        return stack;
    };
    match pane {
        Pane::Calls => stack.add(calls::Calls { step: &model.step, episode, width }),
        Pane::Call => call::rows(model, episode, width, &mut stack),
        _ => store::rows(&model.step, episode, width, &mut stack),
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let step = &model.step;
    match pane {
        Pane::Calls => match &step.episode {
            Some(episode) if episode.branch_count() > 1 => {
                format!("calls, branch {} of {}", episode.branch() + 1, episode.branch_count())
            }
            _ => "calls".to_owned(),
        },
        Pane::Call => match step.entry(model.cursor(Pane::Calls).at) {
            Entry::Start => "before the first call".to_owned(),
            Entry::Made(i) => {
                let tool = step.episode.as_ref().and_then(|e| e.calls().get(i)).map(|m| m.call.tool.clone());
                format!("call {}: {}", i + 1, tool.unwrap_or_default())
            }
            Entry::End(_) => "verdict".to_owned(),
            Entry::Undone(_) => "ending, undone".to_owned(),
            Entry::Left(_) => "not made yet".to_owned(),
        },
        _ => "store".to_owned(),
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
    if let Some(says) = playing::status(model) {
        return Some((Scope::Accent, says));
    }
    model.step.episode.as_ref().map(store::verdict_words)
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.step.episode.is_none() {
        let key = |action| model.keymap.key(action).unwrap_or_default();
        let (plan, open) = (key(Action::ShowPlan), key(Action::Open));
        model.say(Scope::Notice, format!("choose a task on the Plan screen first: press {plan}, then {open}"));
        return Vec::new();
    }
    match action {
        Action::Play => return playing::toggle(model),
        Action::Faster | Action::Slower => return playing::change(model, action == Action::Faster),
        _ => {}
    }
    // Whoever moves by hand has paused.
    playing::pause(model);
    match action {
        Action::OwnCall => form::begin(model),
        Action::Repeat => travel::repeat(model),
        Action::ChangeCall => match selected(model).map(|(_, made)| made.call.clone()) {
            Some(call) => form::edit(model, &call),
            None => model.say(Scope::Notice, "select a call that was made"),
        },
        Action::WrongAnswer => travel::wrong_answers(model),
        Action::TurnUp | Action::TurnDown => return dials::turn_by_one(model, action == Action::TurnUp),
        Action::Branches => branches::list(model),
        Action::Stops => stops::list(model),
        Action::Watch => stops::watch(model),
        Action::Why => places::why(model),
        Action::Origin => places::origin(model),
        Action::MarkPoint => places::mark(model),
        Action::Difference => places::difference(model),
        Action::Agent => agent::open(model),
        Action::Open => open(model),
        _ => travel::act(model, action),
    }
    Vec::new()
}

/// Enter: makes the reference calls up to the selected one, goes to the selected call, to what a row names.
fn open(model: &mut Model) {
    match model.pane() {
        Pane::Calls => match model.step.entry(model.cursor(Pane::Calls).at) {
            Entry::Left(n) => travel::up_to(model, n),
            Entry::Undone(_) => travel::end_again(model),
            _ => model.focus[model.screen as usize] = 1,
        },
        Pane::Call => places::open_row(model),
        _ => places::open_store_row(model),
    }
}

/// Folds the part of a value that the selected row of the call shows, or opens it.
pub fn fold(model: &mut Model) -> bool {
    let (width, _) = panes::size(model, Pane::Call);
    let part = rows(model, Pane::Call, width).part(model.cursor(Pane::Call).at);
    let Some(shown) = &mut model.step.shown else { return false };
    match part {
        Some((call::ARGUMENTS, row)) => shown.arguments.toggle(Wrapped::new(&shown.arguments, width).line(row)),
        Some((call::ANSWER, row)) => shown.answer.toggle(Wrapped::new(&shown.answer, width).line(row)),
        _ => false,
    }
}

/// Opens the folds of the arguments and of the answer that hide a text; says whether it found any.
pub fn open_for(model: &mut Model, text: &str) -> bool {
    let Some(shown) = &mut model.step.shown else { return false };
    shown.arguments.open_for(text) | shown.answer.open_for(text)
}

/// The place of the arguments or of the answer that is selected: its pointer and its value.
fn selected_place(model: &Model) -> Option<(String, Value)> {
    if model.pane() != Pane::Call {
        return None;
    }
    let shown = model.step.shown.as_ref()?;
    let (width, _) = panes::size(model, Pane::Call);
    let (part, row) = rows(model, Pane::Call, width).part(model.cursor(Pane::Call).at)?;
    let outline = match part {
        call::ARGUMENTS => &shown.arguments,
        call::ANSWER => &shown.answer,
        _ => return None,
    };
    let line = Wrapped::new(outline, width).line(row);
    Some((outline.pointer(line), outline.at(line).clone()))
}

/// The call that is selected, when it was made.
pub fn selected_call(model: &Model) -> Option<Call> {
    model.step.shown.as_ref().map(|shown| shown.made.call.clone())
}
