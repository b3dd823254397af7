//! The Card screen: the pass rate of each level of a run, down to its tasks, their episodes and the calls of one of them.
//!
//! Owns what is selected on the way down. The run is an index of a few bytes an episode; the calls of an episode are read
//! when it is selected, and played again for the stepper when a call of it is opened.

mod calls;
mod levels;
mod tasks;

pub(in crate::tui::screens) use calls::{answer_words, step_sign};

use super::asks::{self, Purpose};
use super::step;
use crate::card::Cell;
use crate::engine::Ending;
use crate::run::{Browse, Replayed, SourceKind, Trace};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::look;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::Stack;
use crate::tui::screens::words::short_hash;
use crate::tui::update;
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::row::Row;
use crate::work::{Ask, Spot, page_lines};
use std::path::PathBuf;
use std::sync::Arc;

/// What the Card screen knows.
#[derive(Debug, Clone, Default)]
pub struct CardScreen {
    run: Option<Arc<Browse>>,
    path: PathBuf,
    /// Why it could not be opened.
    error: Option<String>,
    failed_only: bool,
    /// The level whose tasks are listed.
    cell: usize,
    /// Its rows.
    items: Vec<Item>,
    /// The episode whose calls are shown: its task, and which of the task's episodes.
    episode: Option<(usize, usize)>,
    calls: Calls,
}

/// A row of the list of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// A task.
    Task(usize),
    /// An episode of a task.
    Episode(usize, usize),
}

/// The calls of the selected episode.
#[derive(Debug, Clone, Default)]
enum Calls {
    /// None is selected, or they are being read.
    #[default]
    None,
    /// They were not recorded.
    Unrecorded,
    /// Here they are.
    Read(Arc<Trace>),
    /// They cannot be read.
    Failed(String),
}

impl CardScreen {
    fn cell(&self) -> Option<&Cell> {
        self.run.as_ref()?.artifact().cells.get(self.cell)
    }

    /// Lists the tasks of the selected level again.
    fn list(&mut self) {
        self.items.clear();
        let Some(run) = &self.run else { return };
        for task in run.tasks_of(self.cell) {
            let episodes = run.episodes_of(task);
            let listed = |i: &usize| !self.failed_only || !episodes[*i].strict;
            // A task with one attempt is its episode.
            if episodes.len() > 1 && (0..episodes.len()).any(|i| listed(&i)) {
                self.items.push(Item::Task(task));
            }
            self.items.extend((0..episodes.len()).filter(listed).map(|i| Item::Episode(task, i)));
        }
    }
}

/// Opens the card of a run.
pub fn open(model: &mut Model, path: PathBuf) -> Vec<Effect> {
    let mut effects = update::show(model, Screen::Card);
    // Opened again, it is read again: the run may have gone on.
    if model.card.path != path {
        model.card = CardScreen { path: path.clone(), ..CardScreen::default() };
        update::filter::clear(model, Screen::Card.panes());
        for pane in Screen::Card.panes() {
            *model.cursor_mut(*pane) = Cursor::default();
        }
        model.focus[Screen::Card as usize] = 0;
    }
    effects.extend(asks::begin(model, Purpose::Card(path.clone()), Ask::Open(path)));
    effects
}

/// A run or card was opened.
pub fn opened(model: &mut Model, path: PathBuf, run: Arc<Browse>) -> Vec<Effect> {
    if model.card.path != path {
        return Vec::new();
    }
    model.card.run = Some(run);
    model.card.error = None;
    model.card.list();
    settle(model, Pane::Tasks)
}

/// It could not be.
pub fn failed(model: &mut Model, why: &str) {
    model.card.run = None;
    model.card.items.clear();
    model.card.error = Some(why.to_owned());
}

/// The calls of the selected episode were read.
pub fn calls(model: &mut Model, calls: Result<Option<Arc<Trace>>, String>) {
    model.card.calls = match calls {
        Ok(Some(trace)) => Calls::Read(trace),
        Ok(None) => Calls::Unrecorded,
        Err(why) => Calls::Failed(why),
    };
}

/// A recorded episode was played again.
pub fn stepped(model: &mut Model, replayed: Replayed, at: usize) -> Vec<Effect> {
    let mut episode = replayed.episode;
    if at == episode.calls().len() && episode.ending() != Ending::Open {
        // The last call itself, not how the episode ended after it.
        episode.back();
    }
    step::open_episode(model, episode, at);
    if let Some(parted) = replayed.parted {
        let says = format!("! call {} gets a different answer now than when it was recorded", parted + 1);
        model.say(Scope::Warn, says);
    }
    Vec::new()
}

/// The item that is selected in the list of tasks.
fn item(model: &Model) -> Option<Item> {
    model.card.items.get(model.cursor(Pane::Tasks).at).copied()
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(run) = &model.card.run else {
        if pane == Pane::Levels {
            stack.add(match &model.card.error {
                Some(why) => Row::of(Scope::Error, format!("! {why}")).wrap(width),
                None if model.card.path.as_os_str().is_empty() => {
                    Row::of(Scope::Dim, "no run selected: open one in the list of runs").wrap(width)
                }
                None => vec![Row::of(Scope::Dim, "reading its episodes")],
            });
        }
        return stack;
    };
    match pane {
        Pane::Levels => {
            stack.add(levels::Levels { run, width });
            stack.add(levels::below(run, width));
        }
        Pane::Tasks => stack.add(tasks::Tasks { card: &model.card, run, width }),
        _ => calls::rows(model, run, width, &mut stack),
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let card = &model.card;
    match (pane, &card.run, item(model)) {
        (Pane::Levels, Some(run), _) => {
            let (width, _) = model.layout().inside(Pane::Levels);
            levels::heading(run, usize::from(width))
        }
        (Pane::Tasks, Some(_), _) => {
            let arm = card.cell().map_or_else(String::new, |c| c.arm_id.to_string());
            let only = if card.failed_only { ", failed only" } else { "" };
            format!("{arm}: tasks and episodes{only}")
        }
        (Pane::Episode, Some(run), Some(Item::Episode(task, i))) => {
            let seed = run.task(task).map_or(0, |t| t.seed);
            let attempt = run.episodes_of(task).get(i).map_or(0, |e| e.attempt);
            format!("seed {seed}, attempt {attempt}")
        }
        (Pane::Episode, Some(_), Some(Item::Task(_))) => "task".to_owned(),
        (Pane::Episode, ..) => "episode".to_owned(),
        (Pane::Tasks, ..) => "tasks".to_owned(),
        _ => "levels".to_owned(),
    }
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let run = model.card.run.as_ref()?;
    let kind = if matches!(run.kind(), SourceKind::Run(..)) { "run" } else { "card" };
    let row = Row::of(Scope::Dim, format!("{kind} ")).put(Scope::Strong, run.label());
    let gates = run.artifact().gates().len();
    let row = match gates {
        0 => row.put(Scope::Ok, "  + valid"),
        n => row.put(Scope::Error, format!("  ! not valid: {} failed", text::count(n, "check"))),
    };
    let episodes = text::count(run.len(), "episode");
    let owed = run.artifact().owed();
    let row = row.dim(format!("  {episodes}"));
    let row = if owed > 0 { row.put(Scope::Warn, format!("  ~ {} owed", text::group(owed))) } else { row };
    Some(match run.about().chain {
        Some(chain) => row.dim(format!("  chain {}", short_hash(&chain.hex()))),
        None => row,
    })
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(model: &mut Model, pane: Pane) -> Vec<Effect> {
    let Some(run) = model.card.run.clone() else { return Vec::new() };
    let cells = run.artifact().cells.len();
    let at = model.cursor(Pane::Levels).at;
    if pane == Pane::Levels && at < cells && at != model.card.cell {
        model.card.cell = at;
        model.card.list();
        *model.cursor_mut(Pane::Tasks) = Cursor::default();
    }
    let selected = match item(model) {
        Some(Item::Episode(task, episode)) => Some((task, episode)),
        _ => None,
    };
    let again = matches!(model.card.calls, Calls::None);
    if selected == model.card.episode && !again {
        return Vec::new();
    }
    if selected != model.card.episode {
        *model.cursor_mut(Pane::Episode) = Cursor::default();
    }
    model.card.episode = selected;
    model.card.calls = Calls::None;
    match selected {
        Some((task, episode)) if run.has_calls() => {
            asks::begin(model, Purpose::Calls, Ask::Calls(Spot { run, task, episode }))
        }
        Some(_) => {
            model.card.calls = Calls::Unrecorded;
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(run) = model.card.run.clone() else { return Vec::new() };
    match action {
        Action::Open => match model.pane() {
            Pane::Episode => return step_here(model, &run),
            pane => {
                let deeper = if pane == Pane::Levels { 1 } else { 2 };
                model.focus[Screen::Card as usize] = deeper;
            }
        },
        Action::OnlyFailed => {
            model.card.failed_only = !model.card.failed_only;
            model.card.list();
            *model.cursor_mut(Pane::Tasks) = Cursor::default();
            return settle(model, Pane::Tasks);
        }
        Action::CardPage => {
            let rows = page_lines(&run).iter().map(|line| Row::of(Scope::Text, line)).collect();
            look::text(model, run.label(), rows);
        }
        Action::WriteCard => match run.kind() {
            SourceKind::Run(folder, _) => {
                let path = folder.path().to_owned();
                return asks::begin(model, Purpose::WriteCard, Ask::WriteCard(path));
            }
            SourceKind::Card(_) => model.say(Scope::Notice, "this is already a card"),
        },
        _ => {}
    }
    Vec::new()
}

/// Opens the stepper at the selected call of the selected episode.
fn step_here(model: &mut Model, run: &Arc<Browse>) -> Vec<Effect> {
    let Some((task, episode)) = model.card.episode else {
        model.say(Scope::Notice, "select an episode of this task");
        return Vec::new();
    };
    if !run.has_calls() {
        model.say(Scope::Notice, "the calls of this card's episodes are not recorded");
        return Vec::new();
    }
    let at = calls::call_at(model, model.cursor(Pane::Episode).at);
    asks::step(model, Spot { run: run.clone(), task, episode }, at)
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(run) = &model.card.run else { return Vec::new() };
    let mut copies = vec![Copyable::new("path", run.label())];
    copies.push(Copyable::new("the card as text", page_lines(run).join("\n")));
    if let Some(cell) = model.card.cell() {
        copies.push(Copyable::json("figures of the level", &cell.to_value()));
    }
    if let Some(chain) = run.about().chain {
        copies.push(Copyable::new("run chain", chain.hex()));
    }
    if let (Some((task, _)), Some(cell)) = (model.card.episode, model.card.cell())
        && let Some(task) = run.task(task)
    {
        copies.push(Copyable::new("arm and seed", format!("--arm {} --seed {}", cell.arm_id, task.seed)));
        copies.push(Copyable::new("task id", &*task.task_id));
    }
    copies
}
