//! The Served screen: the tasks of our own server as they run: session, player, calls, verdict. Enter steps one.

use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::{self, Stack};
use crate::tui::screens::remote;
use crate::tui::update;
use crate::tui::widgets::list::{Move, Rows};
use crate::tui::widgets::row::Row;
use crate::work::OpenRequest;
use crate::work::served::{Seen, ServedTask};
use std::collections::{HashMap, VecDeque};

/// Most tasks in the list; the oldest give way.
const MOST_TASKS: usize = 10_000;

/// Most faults kept.
const MOST_FAULTS: usize = 50;

/// Columns from which the list shows sessions.
const SESSION_FROM: usize = 96;

/// A tool file that is served.
#[derive(Debug, Clone)]
pub struct ServedBase {
    /// `rehearsal/<file stem>`
    pub id: String,
    /// What it is, in a few words.
    pub label: String,
    /// How it is opened; the example has nothing.
    pub tools: Option<OpenRequest>,
}

/// What the Served screen knows.
#[derive(Debug, Clone, Default)]
pub struct ServedScreen {
    /// Where the server listens; empty when there is none.
    address: String,
    /// The key that was made for this start.
    key: Option<String>,
    bases: Vec<ServedBase>,
    tasks: VecDeque<ServedTask>,
    /// Place of each task, counted from the first ever.
    places: HashMap<String, usize>,
    /// How many tasks gave way.
    gone: usize,
    faults: VecDeque<String>,
}

impl ServedScreen {
    /// A server that listens, with the key that was made for it when nobody gave one.
    pub fn new(address: String, key: Option<String>, bases: Vec<ServedBase>) -> Self {
        Self { address, key, bases, ..Self::default() }
    }

    /// Whether there is a server.
    pub fn is_open(&self) -> bool {
        !self.address.is_empty()
    }

    /// What stands above the tasks.
    fn head(&self) -> Vec<Row> {
        if !self.is_open() {
            return vec![Row::of(
                Scope::Dim,
                "Nothing is served: rehearsal serve --screen serves tool files and shows the tasks here.",
            )];
        }
        let mut rows = vec![Row::new().cell(Scope::Dim, "address", 9).put(Scope::Strong, &self.address)];
        if let Some(key) = &self.key {
            rows.push(Row::new().cell(Scope::Dim, "key", 9).plain(key).dim("  made for this start"));
        }
        for base in &self.bases {
            rows.push(Row::new().cell(Scope::Dim, "serves", 9).plain(&base.id).dim("  ").dim(&base.label));
        }
        rows.extend(self.faults.iter().map(|fault| Row::of(Scope::Error, format!("! {fault}"))));
        rows.push(Row::new());
        if self.tasks.is_empty() {
            rows.push(Row::of(Scope::Dim, "No task has begun. Run one: rehearsal attach, or rehearsal uhp run."));
        }
        rows
    }

    fn running(&self) -> usize {
        self.tasks.iter().filter(|task| task.status == "in_progress").count()
    }
}

/// The list of tasks.
struct Tasks<'a> {
    served: &'a ServedScreen,
    width: usize,
}

impl Rows for Tasks<'_> {
    fn len(&self) -> usize {
        self.served.tasks.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(task) = self.served.tasks.get(i) else { return Row::new() };
        let (scope, sign) = sign(task);
        let number = (self.served.gone + i + 1).to_string();
        let widest = (self.served.gone + self.served.tasks.len()).to_string().len();
        let mut row = Row::of(scope, format!("{sign} ")).dim(format!("{number:>widest$} "));
        if self.width >= SESSION_FROM {
            row = row.cell(Scope::Dim, text::cut(&task.session, 14), 15);
        }
        let player = task.player.strip_prefix("rehearsal/").unwrap_or(&task.player);
        row = row.cell(Scope::Text, text::cut(player, 12), 13);
        row = row.plain(task.planned.as_deref().unwrap_or(&task.asked));
        let end = match (&task.verdict, task.status.as_str()) {
            (Some(verdict), "completed") => verdict.trim_end_matches('.').to_owned(),
            (_, "in_progress") => "running".to_owned(),
            (_, status) => status.to_owned(),
        };
        let calls = format!("{}  ", text::count(task.calls, "call"));
        let free = self.width.saturating_sub(row.width() + 1);
        // With less room the word of a verdict must stand; why, and how many calls, need not.
        let fits = |end: &str| calls.len() + text::width(end) <= free;
        let short = end.split(':').next().unwrap_or_default();
        let end = if fits(&end) { end.as_str() } else { short };
        if fits(end) {
            row = row.end(Scope::Dim, &calls);
        }
        row.end(scope, text::cut(end, self.width / 2))
    }
}

/// How a task stands: its style and its sign.
fn sign(task: &ServedTask) -> (Scope, char) {
    match (task.status.as_str(), &task.verdict) {
        ("in_progress", _) => (Scope::VerdictOpen, '.'),
        ("completed", Some(verdict)) if !verdict.starts_with("passed") => (Scope::VerdictFailed, '!'),
        ("completed", _) => (Scope::VerdictPassed, '+'),
        ("cancelled", _) => (Scope::Warn, '-'),
        _ => (Scope::VerdictFailed, '!'),
    }
}

/// The effects that the screen begins with.
pub fn start(model: &mut Model) -> Vec<Effect> {
    if !model.served.is_open() {
        return Vec::new();
    }
    let id = model.next_job();
    vec![Effect::Watch { id }]
}

/// Tasks began, came along or ended. Who stands at the end of the list stays at its end.
pub fn seen(model: &mut Model, seen: Seen) -> Vec<Effect> {
    let at_end = model.served.tasks.is_empty() || model.cursor(Pane::Served).at + 1 >= len(model);
    let before = place(model).map(|at| at + model.served.gone);
    let served = &mut model.served;
    for task in seen.tasks {
        match served.places.get(&task.id).and_then(|place| place.checked_sub(served.gone)) {
            Some(at) => served.tasks[at] = task,
            None => {
                served.places.insert(task.id.clone(), served.gone + served.tasks.len());
                served.tasks.push_back(task);
            }
        }
        while served.tasks.len() > MOST_TASKS {
            if let Some(old) = served.tasks.pop_front() {
                served.places.remove(&old.id);
            }
            served.gone += 1;
        }
    }
    served.faults.extend(seen.faults);
    while served.faults.len() > MOST_FAULTS {
        served.faults.pop_front();
    }
    if at_end {
        return update::move_in(model, Pane::Served, Move::Last);
    }
    // Faults above the list, and tasks that leave it at its top, move the rows.
    if let Some(at) = before {
        let above = len(model) - model.served.tasks.len();
        model.cursor_mut(Pane::Served).at = above + at.saturating_sub(model.served.gone);
    }
    Vec::new()
}

fn len(model: &Model) -> usize {
    let (width, _) = panes::size(model, Pane::Served);
    rows(model, Pane::Served, width).len()
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, _pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    stack.add(model.served.head().iter().flat_map(|row| row.wrap(width)).collect::<Vec<Row>>());
    stack.add(Tasks { served: &model.served, width });
    stack
}

/// The title of a pane.
pub fn title(_model: &Model, _pane: Pane) -> String {
    "tasks".to_owned()
}

/// What the header calls this screen's subject.
pub fn name(model: &Model) -> Option<String> {
    model.served.is_open().then(|| format!("serving {}", model.served.address))
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let served = &model.served;
    let ended = served.gone + served.tasks.len() - served.running();
    served.is_open().then(|| {
        Row::new().plain(served.running().to_string()).dim(" running  ").plain(ended.to_string()).dim(" ended")
    })
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(_model: &mut Model, _pane: Pane) -> Vec<Effect> {
    Vec::new()
}

/// Where the task of the selected row stands among those listed.
fn place(model: &Model) -> Option<usize> {
    let (width, _) = panes::size(model, Pane::Served);
    let (part, at) = rows(model, Pane::Served, width).part(model.cursor(Pane::Served).at)?;
    (part == 1).then_some(at)
}

/// The task of the selected row.
fn selected(model: &Model) -> Option<&ServedTask> {
    model.served.tasks.get(place(model)?)
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if action != Action::Open {
        return Vec::new();
    }
    let Some(task) = selected(model).cloned() else {
        model.say(Scope::Notice, "go down to a task; enter steps it");
        return Vec::new();
    };
    let tools = model.served.bases.iter().find(|base| base.id == task.base).and_then(|base| base.tools.clone());
    let mut effects = remote::look_at(model, task.id, task.asked);
    // The tool file the task runs on is the one its calls are replayed on.
    if let Some(tools) = tools.filter(|tools| tools.origin != model.request.origin) {
        model.request = tools;
        effects.extend(update::open_other(model));
    }
    effects
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let served = &model.served;
    if !served.is_open() {
        return Vec::new();
    }
    let mut copies = vec![Copyable::new("address", &served.address)];
    copies.extend(served.key.as_ref().map(|key| Copyable::new("key", key)));
    if let Some(key) = &served.key {
        let attach = format!("UHP_API_KEY={key} rehearsal attach {}", served.address);
        copies.push(Copyable::new("a command that attaches to it", attach));
    }
    if let Some(task) = selected(model) {
        copies.push(Copyable::new("response id", &task.id));
        copies.push(Copyable::new("session id", &task.session));
    }
    copies
}
