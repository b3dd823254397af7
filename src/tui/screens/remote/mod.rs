//! The Remote screen: a task on a UHP server, or a saved response, item by item.
//!
//! Owns: what the screen knows of the server, of the task it follows and of where one stands in it. The list of items is
//! `items`, the selected one `item`, the calls replayed on the tool file here `local`, what comes from the server
//! `told`, what is chosen and written [`choose`].

pub mod choose;
mod entry;
mod item;
mod items;
mod local;
mod told;

pub use told::{grounded, told};

use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Running, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::{self, Stack};
use crate::tui::screens::step::{self, StepScreen};
use crate::tui::update;
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::row::Row;
use crate::uhp::client::events::is_final;
use crate::uhp::client::replay::{Ground, Replay};
use crate::uhp::client::steps::Steps;
use crate::uhp::client::transcript::Transcript;
use crate::uhp::wire::Json;
use crate::work::JobId;
use crate::work::remote::{Ask, Offer, OfferedHarness, OfferedModel};
use entry::{Entry, SETUP};
use item::Shown;
use std::collections::HashMap;

/// Where what is shown comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Link {
    /// From nowhere: nothing is open.
    #[default]
    None,
    /// From a server that was attached to.
    Attached {
        /// Its address.
        address: String,
        /// Whether a tool file that a harness names and that lies here is opened by itself.
        finds_tools: bool,
    },
    /// From a file.
    Saved {
        /// The file's name.
        name: String,
    },
    /// From our own server: a task of it is looked at.
    Served,
    /// From two that stand side by side: one of them is looked at.
    Beside {
        /// What it is called there.
        name: String,
    },
}

/// A task as it is followed.
#[derive(Debug, Clone, Default)]
pub struct Followed {
    /// What was asked, when it was asked here.
    pub asked: Option<String>,
    /// The response so far.
    pub transcript: Transcript,
    /// Its steps.
    pub steps: Steps,
    /// Its calls replayed here.
    pub replay: Option<Replay>,
    /// Why they are not, when they are not.
    pub no_replay: Option<String>,
    /// What happened to the stream on the way.
    pub notes: Vec<String>,
    /// What the replay was last looked for with: what the response says of its task, and which set.
    ground: Option<(Option<Json>, usize)>,
}

impl Followed {
    /// A response as it stands.
    pub fn of(transcript: Transcript) -> Self {
        Self { steps: Steps::of(&transcript), transcript, ..Self::default() }
    }
}

/// What the Remote screen knows.
#[derive(Debug, Clone, Default)]
pub struct RemoteScreen {
    /// Where what is shown comes from.
    pub link: Link,
    /// The task.
    pub task: Option<Followed>,
    /// What the server offers.
    pub offer: Option<Offer>,
    /// Models of harnesses, as far as they were asked for.
    pub models: HashMap<String, Vec<OfferedModel>>,
    /// The harness chosen, by its id.
    pub harness: Option<String>,
    /// The model chosen; the harness's own without one.
    pub model: Option<String>,
    /// The job that follows the task.
    pub following: Option<Running>,
    /// The job that asks something else.
    pub asking: Option<JobId>,
    /// The job that looks for a ground.
    grounding: Option<JobId>,
    /// Why the server could not be reached.
    trouble: Option<String>,
    /// The selected item, ready to be shown.
    shown: Option<Shown>,
    /// A stepper without watches: what the store of a replay is drawn with.
    bare: StepScreen,
    /// What to do when the models that were asked for are there: let one be chosen.
    choosing: bool,
}

impl RemoteScreen {
    /// A server to attach to, with a harness and a model that are wanted from the start.
    pub fn attached(address: String, finds_tools: bool, harness: Option<String>, model: Option<String>) -> Self {
        Self { link: Link::Attached { address, finds_tools }, harness, model, ..Self::default() }
    }

    /// A response that was saved in a file.
    pub fn saved(name: String, transcript: Transcript) -> Self {
        Self { link: Link::Saved { name }, task: Some(Followed::of(transcript)), ..Self::default() }
    }

    /// Whether there is anything to show.
    pub fn is_open(&self) -> bool {
        self.link != Link::None
    }

    /// Whether a response was opened by itself, so that nothing can be run here.
    pub fn is_response(&self) -> bool {
        self.is_open() && !self.is_attached()
    }

    fn is_attached(&self) -> bool {
        matches!(self.link, Link::Attached { .. })
    }

    /// The harness that a task would run on, when the server names any.
    fn harness(&self) -> Option<&OfferedHarness> {
        let harnesses = &self.offer.as_ref()?.harnesses;
        match &self.harness {
            Some(id) => harnesses.iter().find(|h| h.id == *id),
            None => harnesses.first(),
        }
    }
}

/// The effects that the screen begins with.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    if model.remote.is_attached() {
        effects.extend(ask(model, Ask::Offer));
    }
    settle(model, Pane::Items);
    effects.extend(refresh(model));
    effects
}

/// Looks at a task of our own server.
pub fn look_at(model: &mut Model, id: String, asked: String) -> Vec<Effect> {
    model.remote.link = Link::Served;
    let mut effects = update::show(model, Screen::Remote);
    model.focus[Screen::Remote as usize] = 0;
    let task = Followed { asked: Some(asked).filter(|a| !a.is_empty()), ..Followed::default() };
    effects.extend(told::begin(model, |job| Effect::Follow { id: job, response: id }, task));
    effects
}

/// Looks at a response that stands beside another, at one of its calls or at its end.
pub fn look_beside(model: &mut Model, name: String, transcript: Transcript, call: Option<usize>) -> Vec<Effect> {
    let task = Followed::of(transcript);
    let step = call.and_then(|call| task.steps.calls().get(call).copied());
    model.remote = RemoteScreen { link: Link::Beside { name }, task: Some(task), ..RemoteScreen::default() };
    let row = step.map_or_else(|| model.remote.len().saturating_sub(1), |step| model.remote.row_of_step(step));
    let mut effects = update::show(model, Screen::Remote);
    model.focus[Screen::Remote as usize] = 0;
    effects.extend(refresh(model));
    effects.extend(update::move_in(model, Pane::Items, Move::To(row)));
    effects
}

/// Asks the server something beside following a task.
fn ask(model: &mut Model, ask: Ask) -> Vec<Effect> {
    let id = model.next_job();
    model.remote.asking = Some(id);
    model.remote.trouble = None;
    vec![Effect::Remote { id, ask }]
}

/// After the tool file or the task changed: looks for what the calls can be replayed on, when that is not known yet.
pub fn refresh(model: &mut Model) -> Vec<Effect> {
    let planner = model.file.usable().and_then(|opened| opened.planner().cloned());
    let Some(task) = &mut model.remote.task else { return Vec::new() };
    let Some(planner) = planner else {
        task.replay = None;
        task.no_replay = None;
        task.ground = None;
        return Vec::new();
    };
    let about = task.transcript.metadata("rehearsal");
    let set = std::sync::Arc::as_ptr(&planner) as usize;
    let looked = task.ground.as_ref().is_some_and(|(of, on)| of.as_ref() == about && *on == set);
    if task.steps.calls().is_empty() || looked {
        return Vec::new();
    }
    let about = about.cloned();
    task.ground = Some((about.clone(), set));
    let id = model.next_job();
    model.remote.grounding = Some(id);
    vec![Effect::Ground { id, request: crate::uhp::client::replay::GroundRequest { about, planner } }]
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    match pane {
        Pane::Items => {
            if !model.remote.is_open() {
                let says = "No server is attached: rehearsal attach URL runs tasks on one and steps them here.";
                stack.add(Row::of(Scope::Dim, says).wrap(width));
            }
            stack.add(items::Items { remote: &model.remote, width });
        }
        Pane::Item => item::rows(model, width, &mut stack),
        _ => local::rows(model, width, &mut stack),
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    match pane {
        Pane::Items => "items".to_owned(),
        Pane::Item => item::title(model),
        _ => "replayed here".to_owned(),
    }
}

/// What the header calls this screen's subject.
pub fn name(model: &Model) -> Option<String> {
    match &model.remote.link {
        Link::None => None,
        Link::Attached { address, .. } => Some(address.clone()),
        Link::Saved { name } | Link::Beside { name } => Some(name.clone()),
        Link::Served => Some("a task of our server".to_owned()),
    }
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let remote = &model.remote;
    let Some(task) = &remote.task else {
        return Some(match &remote.offer {
            Some(offer) => Row::of(Scope::Dim, format!("{}, class {}", offer.name, offer.class)),
            None => Row::of(Scope::Dim, "a server of the Unified Harness Protocol"),
        });
    };
    let t = &task.transcript;
    let mut row = Row::new();
    if let Some(id) = t.head_text("id") {
        row = row.dim(id).plain("  ");
    }
    if let Some(model) = t.head_text("model") {
        row = row.dim("model ").plain(model);
    }
    if let Some(asked) = t.metadata("requested_model").and_then(Json::as_str) {
        row = row.put(Scope::Warn, format!("  ! not {asked}"));
    }
    Some(row)
}

/// Where the task stands, for the status line.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    let remote = &model.remote;
    if let Some(trouble) = &remote.trouble {
        return Some((Scope::Error, format!("! {trouble}")));
    }
    let Some(task) = &remote.task else {
        return remote.asking.map(|_| (Scope::Dim, "asking the server".to_owned()));
    };
    let steps = crate::text::count(task.steps.list().len(), "step");
    Some(match task.transcript.status() {
        "in_progress" => (Scope::VerdictOpen, format!(". running, {steps}")),
        "completed" => (Scope::VerdictPassed, format!("+ completed, {steps}")),
        "cancelled" => (Scope::Warn, format!("- cancelled after {steps}")),
        "incomplete" => (Scope::Warn, format!("! incomplete after {steps}")),
        other => (Scope::VerdictFailed, format!("! {other} after {steps}")),
    })
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(model: &mut Model, pane: Pane) -> Vec<Effect> {
    if pane == Pane::Items && model.remote.is_open() {
        let at = model.cursor(Pane::Items).at;
        let entry = model.remote.entry(at);
        if item::show(&mut model.remote, entry) {
            *model.cursor_mut(Pane::Item) = Cursor::default();
        }
        local::stand(&mut model.remote, entry);
    }
    Vec::new()
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if !model.remote.is_open() {
        model.say(Scope::Notice, "attach to a server first: rehearsal attach URL");
        return Vec::new();
    }
    match action {
        Action::RemoteInput => choose::write(model, false),
        Action::RemoteContinue => choose::write(model, true),
        Action::RemoteHarness => choose::harness(model),
        Action::RemoteModel => choose::model(model),
        Action::RemoteStored => choose::stored(model),
        Action::RemoteStop => stop(model),
        Action::RemoteNextCall => next_call(model, true),
        Action::RemotePreviousCall => next_call(model, false),
        Action::RemoteReplay => replay(model),
        Action::RemoteBack => match back(model) {
            Some(screen) => update::show(model, screen),
            None => Vec::new(),
        },
        Action::Open => open(model),
        _ => Vec::new(),
    }
}

/// Where what is looked at was opened from.
pub fn back(model: &Model) -> Option<Screen> {
    match model.remote.link {
        Link::Served => Some(Screen::Served),
        Link::Beside { .. } => Some(Screen::Pair),
        _ => None,
    }
}

/// Enter: what the row is there for, else to look at it.
fn open(model: &mut Model) -> Vec<Effect> {
    if model.pane() == Pane::Items {
        let entry = model.remote.entry(model.cursor(Pane::Items).at);
        if model.remote.trouble.is_some() && model.remote.offer.is_none() && SETUP.contains(&entry) {
            return ask(model, Ask::Offer);
        }
        match entry {
            Entry::Harness => return choose::harness(model),
            Entry::Model => return choose::model(model),
            Entry::Input => return choose::write(model, false),
            _ => {}
        }
    }
    model.focus[Screen::Remote as usize] = 1;
    Vec::new()
}

fn stop(model: &mut Model) -> Vec<Effect> {
    let running = model.remote.task.as_ref().map(|task| &task.transcript).filter(|t| !is_final(t.status()));
    let id = running.and_then(|t| t.head_text("id")).map(str::to_owned);
    if !model.remote.is_attached() || running.is_none() {
        model.say(Scope::Notice, "nothing runs here that could be stopped");
        return Vec::new();
    }
    let Some(id) = id else {
        model.say(Scope::Notice, "the server has not accepted the task yet");
        return Vec::new();
    };
    model.say(Scope::Notice, "asking the server to stop the task");
    ask(model, Ask::Stop(id))
}

fn next_call(model: &mut Model, forward: bool) -> Vec<Effect> {
    let remote = &model.remote;
    let at = model.cursor(Pane::Items).at;
    let mut calls = remote.task.iter().flat_map(|task| task.steps.calls()).map(|call| remote.row_of_step(*call));
    let found = if forward { calls.find(|row| *row > at) } else { calls.rfind(|row| *row < at) };
    match found {
        Some(row) => update::move_in(model, Pane::Items, Move::To(row)),
        None => {
            model.say(Scope::Notice, if forward { "no call follows" } else { "no call before this one" });
            Vec::new()
        }
    }
}

/// Opens the replayed calls as a local episode.
fn replay(model: &mut Model) -> Vec<Effect> {
    let replay = model.remote.task.as_ref().and_then(|task| task.replay.as_ref()).filter(|r| r.says_something());
    let Some(replay) = replay else {
        model.say(Scope::Notice, "the calls are not replayed here: see the pane on the right");
        return Vec::new();
    };
    if matches!(replay.ground, Ground::Free(_)) {
        model.say(Scope::Notice, "these calls are free play, no planned task: there is no episode to step");
        return Vec::new();
    }
    let episode = replay.episode.clone();
    let at = episode.cursor();
    step::open_episode(model, episode, at);
    Vec::new()
}

/// Folds the part of a value that the selected row shows, or opens it.
pub fn fold(model: &mut Model) -> bool {
    let (width, _) = panes::size(model, Pane::Item);
    let part = rows(model, Pane::Item, width).part(model.cursor(Pane::Item).at);
    model.remote.shown.as_mut().zip(part).is_some_and(|(shown, (part, row))| shown.toggle(part, row, width))
}

/// Opens the folds of the selected item that hide a text; says whether it found any.
pub fn open_for(model: &mut Model, text: &str) -> bool {
    model.remote.shown.as_mut().is_some_and(|shown| shown.open_for(text))
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let mut copies = Vec::new();
    let Some(task) = &model.remote.task else { return copies };
    let t = &task.transcript;
    if let Some(shown) = &model.remote.shown {
        copies.extend(shown.copies());
    }
    let pretty = serde_json::to_string_pretty(&t.to_json()).unwrap_or_default();
    copies.push(Copyable::new("the response as JSON", crate::text::safe_json(&pretty)));
    for (what, id) in [
        ("response id", t.head_text("id")),
        ("session id", t.metadata("session_id").and_then(Json::as_str)),
        ("harness id", t.metadata("harness_id").and_then(Json::as_str)),
    ] {
        copies.extend(id.map(|id| Copyable::new(what, id)));
    }
    let said: Vec<String> = t.items.iter().filter(|i| i.kind() == "message").map(|i| i.text()).collect();
    if !said.is_empty() {
        copies.push(Copyable::new("what was said", said.join("\n\n")));
    }
    copies
}

/// How many rows the list has.
fn len(model: &Model) -> usize {
    let (width, _) = panes::size(model, Pane::Items);
    rows(model, Pane::Items, width).len()
}
