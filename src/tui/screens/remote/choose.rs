//! What is chosen and written: the harness, the model, an input, a response that the server keeps.

use super::{Ask, Followed, ask, settle, told};
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::line::{self, Purpose as LinePurpose};
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::update;
use crate::uhp::client::TaskInput;
use crate::uhp::wire::Json;
use crate::work::remote::{Listed, OfferedHarness};

/// What is chosen from, by its ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choices {
    /// The harness of the next task.
    Harness(Vec<String>),
    /// The model of the next task; the harness's own at `None`.
    Model(Vec<Option<String>>),
    /// A session of the server.
    Session(Vec<String>),
    /// A task of a session.
    Turn(Vec<Listed>),
}

/// One of them was chosen.
pub fn take(model: &mut Model, choices: Choices, chosen: usize) -> Vec<Effect> {
    let of = |ids: Vec<String>| ids.into_iter().nth(chosen);
    let taken = match choices {
        Choices::Harness(ids) => of(ids).map(|id| take_harness(model, id)),
        Choices::Model(ids) => ids.into_iter().nth(chosen).map(|id| take_model(model, id)),
        Choices::Session(ids) => of(ids).map(|id| ask(model, Ask::Turns(id))),
        Choices::Turn(turns) => turns.into_iter().nth(chosen).map(|turn| take_response(model, turn)),
    };
    taken.unwrap_or_default()
}

fn pick(model: &mut Model, title: &str, purpose: Purpose, items: Vec<(String, String)>) {
    model.overlays.push(Overlay::Pick(Pick::new(title, purpose, items)));
}

/// Without a server, says so.
fn attached(model: &mut Model) -> bool {
    if !model.remote.is_attached() {
        model.say(Scope::Notice, "no server is attached: rehearsal attach URL");
        return false;
    }
    if model.remote.offer.is_none() {
        let says = if model.remote.asking.is_some() {
            "the server has not answered yet"
        } else {
            "the server was not reached"
        };
        model.say(Scope::Notice, says);
    }
    model.remote.offer.is_some()
}

/// Lets a harness be chosen.
pub fn harness(model: &mut Model) -> Vec<Effect> {
    if !attached(model) {
        return Vec::new();
    }
    let harnesses: Vec<OfferedHarness> = model.remote.offer.iter().flat_map(|o| o.harnesses.clone()).collect();
    if harnesses.is_empty() {
        model.say(Scope::Notice, "the server has no harness");
        return Vec::new();
    }
    let items = harnesses.iter().map(|h| (h.name.clone(), h.base.clone())).collect();
    let ids = harnesses.into_iter().map(|h| h.id).collect();
    pick(model, "run on which harness", Purpose::Remote(Choices::Harness(ids)), items);
    Vec::new()
}

/// A harness was chosen.
fn take_harness(model: &mut Model, id: String) -> Vec<Effect> {
    if model.remote.harness.as_ref() != Some(&id) {
        model.remote.model = None;
    }
    model.remote.harness = Some(id);
    settle(model, Pane::Items);
    chosen_harness(model)
}

/// A harness whose tool file lies here has it opened, when nobody named another.
pub(super) fn chosen_harness(model: &mut Model) -> Vec<Effect> {
    if !told::finds_tools(&model.remote.link) {
        return Vec::new();
    }
    let Some(request) = model.remote.harness().and_then(|h| h.tools.clone()) else { return Vec::new() };
    if request.origin == model.request.origin {
        return Vec::new();
    }
    model.say(Scope::Notice, format!("{} lies here: its calls are replayed on it", request.origin.name()));
    model.request = *request;
    update::open_other(model)
}

/// Lets a model be chosen; asks for the models first when they are not known.
pub fn model(model: &mut Model) -> Vec<Effect> {
    if !attached(model) {
        return Vec::new();
    }
    let Some(harness) = model.remote.harness() else {
        model.say(Scope::Notice, "the server has no harness to run on");
        return Vec::new();
    };
    let id = harness.id.clone();
    let Some(models) = model.remote.models.get(&id).cloned() else {
        model.remote.choosing = true;
        return ask(model, Ask::Models(id));
    };
    let mut items = vec![("the harness's own".to_owned(), String::new())];
    let mut ids = vec![None];
    for one in models {
        // A label that begins with the name says it twice.
        let name = one.id.rsplit('/').next().unwrap_or_default();
        let label = one.label.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&one.label);
        let tail = match (one.available, one.default) {
            (false, _) => format!("{label}  ! not now"),
            (true, true) => format!("{label}  its own"),
            (true, false) => label.to_owned(),
        };
        items.push((one.id.clone(), tail));
        ids.push(Some(one.id));
    }
    pick(model, "run with which model", Purpose::Remote(Choices::Model(ids)), items);
    Vec::new()
}

/// A model was chosen.
fn take_model(model: &mut Model, id: Option<String>) -> Vec<Effect> {
    model.remote.model = id;
    settle(model, Pane::Items);
    Vec::new()
}

/// Lets an input be written, for a new session or for that of the task.
pub fn write(model: &mut Model, goes_on: bool) -> Vec<Effect> {
    if !attached(model) {
        return Vec::new();
    }
    let task = model.remote.task.as_ref().map(|task| &task.transcript);
    if goes_on && task.and_then(|t| t.head_text("id")).is_none() {
        model.say(Scope::Notice, "there is no task to go on with yet: i writes an input");
        return Vec::new();
    }
    if goes_on && task.is_some_and(|t| !t.is_over()) {
        model.say(Scope::Notice, "the task still runs; x stops it");
        return Vec::new();
    }
    let label = if goes_on { "go on with" } else { "input" };
    line::ask(model, LinePurpose::Input(goes_on), label, String::new());
    Vec::new()
}

/// An input was written: runs it.
pub fn run(model: &mut Model, text: &str, goes_on: bool) -> Vec<Effect> {
    if text.trim().is_empty() {
        model.say(Scope::Notice, "nothing was written");
        return Vec::new();
    }
    let remote = &model.remote;
    let previous =
        remote.task.as_ref().filter(|_| goes_on).and_then(|t| t.transcript.head_text("id")).map(str::to_owned);
    let input = TaskInput {
        text: text.to_owned(),
        // A session stays on its harness.
        harness: remote.harness().filter(|_| !goes_on).map(|h| h.id.clone()),
        model: remote.model.clone(),
        previous,
        ..TaskInput::default()
    };
    let task = Followed { asked: Some(text.to_owned()), ..Followed::default() };
    told::begin(model, |id| Effect::Remote { id, ask: Ask::Run(Box::new(input)) }, task)
}

/// Lets one of the sessions that the server keeps be chosen.
pub fn stored(model: &mut Model) -> Vec<Effect> {
    if !attached(model) {
        return Vec::new();
    }
    ask(model, Ask::Sessions)
}

pub(super) fn session(model: &mut Model, sessions: Vec<Listed>) -> Vec<Effect> {
    if sessions.is_empty() {
        model.say(Scope::Notice, "the server keeps no session");
        return Vec::new();
    }
    let (ids, items) = sessions.into_iter().map(|one| (one.id, (one.title, one.status))).unzip();
    pick(model, "open a task of which session", Purpose::Remote(Choices::Session(ids)), items);
    Vec::new()
}

pub(super) fn turn(model: &mut Model, mut turns: Vec<Listed>) -> Vec<Effect> {
    match turns.len() {
        0 => {
            model.say(Scope::Notice, "the session has no task that is kept");
            Vec::new()
        }
        1 => take_response(model, turns.swap_remove(0)),
        _ => {
            let items = turns.iter().map(|turn| (turn.title.clone(), turn.status.clone())).collect();
            pick(model, "open which task", Purpose::Remote(Choices::Turn(turns)), items);
            Vec::new()
        }
    }
}

/// A stored response was chosen: reads it, again and again while it runs.
fn take_response(model: &mut Model, Listed { id, title, .. }: Listed) -> Vec<Effect> {
    let mut task = Followed { asked: Some(title).filter(|title| !title.is_empty()), ..Followed::default() };
    task.transcript.head.insert("id".into(), Json::String(id.clone()));
    told::begin(model, |job| Effect::Remote { id: job, ask: Ask::Read(id) }, task)
}
