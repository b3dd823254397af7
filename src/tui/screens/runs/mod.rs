//! The Runs screen: run folders and cards that were found or named, and a run that goes on.
//!
//! Owns the list, which of them are marked, and what only reading a run whole tells, asked for one run after the other. A
//! run is played, opened and compared by jobs; this screen only asks for them.

mod about;

use super::{asks, compare};
use crate::run::{RunEntry, RunFigures, RunState};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::live::{self, choice::Choice};
use crate::tui::model::{Aim, FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::{self, Copyable, Pick};
use crate::tui::overlays::{Overlay, line, run_form};
use crate::tui::panes::Stack;
use crate::tui::screens::asks::Purpose;
use crate::tui::screens::{card, files};
use crate::tui::update;
use crate::tui::view::progress_words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::work::{Ask, Played};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where runs are looked for when nobody says.
const FOLDER: &str = "runs";

/// What the Runs screen knows.
#[derive(Debug, Clone, Default)]
pub struct RunsScreen {
    /// What was named on the command line or on the screen.
    named: Vec<PathBuf>,
    /// What is shown first.
    aim: Aim,
    /// The runs, once they were looked for.
    entries: Option<Vec<RunEntry>>,
    /// What reading a run whole told, and when it was last written in then.
    figures: HashMap<PathBuf, (Option<SystemTime>, Result<RunFigures, String>)>,
    marked: Vec<PathBuf>,
    /// The run to select once it is in the list.
    select: Option<PathBuf>,
    /// The screen of this tab that was shown last.
    last: Option<Screen>,
    /// Whether the program quits once the run in progress has stopped.
    pub(in crate::tui::screens) quitting: bool,
    /// A run that was stopped here: its folder, episodes recorded, of how many.
    stopped: Option<(PathBuf, u64, u64)>,
}

impl RunsScreen {
    /// With what was named beside `runs/`.
    pub fn new(named: Vec<PathBuf>, aim: Aim) -> Self {
        Self { named, aim, ..Self::default() }
    }

    fn entries(&self) -> &[RunEntry] {
        self.entries.as_deref().unwrap_or_default()
    }

    /// What is known of a run beside its line, when it was not written in since.
    fn figures(&self, entry: &RunEntry) -> Option<&Result<RunFigures, String>> {
        let (touched, figures) = self.figures.get(&entry.path)?;
        (*touched == entry.touched).then_some(figures)
    }
}

/// What the screens begin with: the list of runs, and what the command line asked for.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    match std::mem::take(&mut model.runs.aim) {
        Aim::File => Vec::new(),
        Aim::Runs => show(model),
        Aim::Card(path) => card::open(model, path),
        Aim::Compare(paths) => compare::open(model, paths),
        Aim::Files(other) => files::open(model, *other),
        Aim::Choose(held) => {
            live::held::begin(model, held);
            Vec::new()
        }
    }
}

/// Goes to the screen of this tab that was shown last; from one of them, to the list.
pub fn show(model: &mut Model) -> Vec<Effect> {
    let mut to = Screen::Runs;
    if model.screen.tab() != Screen::Runs {
        to = model.runs.last.unwrap_or(Screen::Runs);
    }
    let mut effects = update::show(model, to);
    if model.runs.entries.is_none() {
        effects.extend(reload(model));
    }
    effects
}

/// Notes which screen of this tab is shown, for the way back.
pub fn note(model: &mut Model) {
    if model.screen.tab() == Screen::Runs {
        model.runs.last = Some(model.screen);
    }
}

/// Looks for runs again.
pub fn reload(model: &mut Model) -> Vec<Effect> {
    let folders = std::iter::once(PathBuf::from(FOLDER)).chain(model.runs.named.iter().cloned()).collect();
    asks::begin(model, Purpose::List, Ask::List(folders))
}

/// The runs there are.
pub fn listed(model: &mut Model, mut entries: Vec<RunEntry>) -> Vec<Effect> {
    entries.retain(|entry| !is_playing(model, &entry.path));
    let before = model.runs.select.take().or_else(|| selected(model).map(|e| e.path.clone()));
    model.runs.marked.retain(|path| entries.iter().any(|e| e.path == *path));
    let first = going(model);
    if let Some(at) = before.and_then(|path| entries.iter().position(|e| e.path == path)) {
        model.cursor_mut(Pane::Runs).at = at + first;
    }
    model.runs.entries = Some(entries);
    ask_figures(model)
}

/// Whether this is the folder of the run in progress, which has a row of its own.
fn is_playing(model: &Model, path: &Path) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    model.asks.playing_in().is_some_and(|folder| plain(folder) == plain(path))
}

/// Leaves the run in progress out of the list below its own row.
pub fn hide_playing(model: &mut Model) {
    let Some(at) = model.runs.entries().iter().position(|entry| is_playing(model, &entry.path)) else { return };
    if let Some(entries) = &mut model.runs.entries {
        entries.remove(at);
    }
    let cursor = model.cursor_mut(Pane::Runs);
    if cursor.at > at {
        cursor.at -= 1;
    }
}

/// The run in progress in a few words, for the header of every screen.
pub fn progress(model: &Model) -> Option<String> {
    let progress = model.asks.playing()?;
    let share = progress.and_then(|p| Some((p.done, p.total?)));
    Some(share.map_or_else(
        || "run starting".to_owned(),
        |(done, total)| format!("run {} of {}", text::group(done), text::group(total)),
    ))
}

/// Quits; while a run is in progress, asks first.
pub fn quit(model: &mut Model) -> Vec<Effect> {
    if model.asks.playing().is_none() || model.runs.quitting {
        return vec![Effect::Quit(0)];
    }
    let items = [("stop the run and quit", "it can be resumed later"), ("keep running", "do not quit")];
    let items = items.map(|(what, note)| (what.to_owned(), note.to_owned())).to_vec();
    let pick = Pick::new("a run is in progress", pick::Purpose::Live(Choice::Quit), items);
    model.overlays.push(Overlay::Pick(pick));
    Vec::new()
}

/// Stops the run in progress and quits once its current episodes are recorded.
pub fn stop_and_quit(model: &mut Model) -> Vec<Effect> {
    if !model.asks.stop_run() {
        return vec![Effect::Quit(0)];
    }
    model.runs.quitting = true;
    model.say(Scope::Notice, "stopping after the current episodes, then quitting");
    Vec::new()
}

/// What to say after the program has quit: what is left of a run, and the command that resumes it.
pub fn farewell(model: &Model) -> Option<String> {
    let playing = model.asks.playing_in().zip(model.asks.playing().flatten());
    let playing = playing.and_then(|(folder, p)| Some((folder.clone(), p.done, p.total?)));
    let (folder, done, total) = playing.or_else(|| model.runs.stopped.clone())?;
    let folder = crate::tui::live::save::quoted(&text::safe(&folder.display().to_string()));
    let (done, total) = (text::group(done), text::group(total));
    Some(format!("{folder}: stopped at {done} of {total} episodes; resume with: rehearsal run {folder}"))
}

/// Asks for the figures of the selected run, else of the next whose figures are not known.
fn ask_figures(model: &mut Model) -> Vec<Effect> {
    if model.asks.waits_for(|p| matches!(p, Purpose::Figures)) {
        return Vec::new();
    }
    let unknown =
        |entry: &&RunEntry| !matches!(entry.state, RunState::Broken(_)) && model.runs.figures(entry).is_none();
    let next = selected(model).filter(unknown).or_else(|| model.runs.entries().iter().find(unknown)).cloned();
    match next {
        Some(entry) => asks::begin(model, Purpose::Figures, Ask::Figures(entry)),
        None => Vec::new(),
    }
}

/// The figures of a run.
pub fn figured(model: &mut Model, path: PathBuf, figures: Result<RunFigures, String>) -> Vec<Effect> {
    if let Some(entry) = model.runs.entries().iter().find(|e| e.path == path) {
        let touched = entry.touched;
        model.runs.figures.insert(path, (touched, figures));
    }
    ask_figures(model)
}

/// A run ended or was stopped.
pub fn played(model: &mut Model, played: &Played) -> Vec<Effect> {
    let finished = &played.finished;
    model.runs.stopped = finished.cancelled.then(|| (played.folder.clone(), finished.recorded, finished.total));
    let folder = played.folder.display();
    let (scope, says) = if finished.cancelled {
        let key = model.keymap.key(Action::ResumeRun).unwrap_or_default();
        let (n, of) = (text::group(finished.recorded), text::group(finished.total));
        (Scope::Notice, format!("~ {folder}: stopped at {n} of {of}; {key} resumes it"))
    } else if finished.resumed_from == finished.total {
        (Scope::Notice, format!("+ {folder}: already finished"))
    } else {
        let n = usize::try_from(finished.total - finished.resumed_from).unwrap_or(usize::MAX);
        let took = text::seconds(finished.took);
        let note = played.notes.first().map_or_else(String::new, |note| format!(" (! {note})"));
        (Scope::Ok, format!("+ {folder}: {} in {took}{note}", text::count(n, "episode")))
    };
    model.say(scope, says);
    model.runs.select = Some(played.folder.clone());
    if !under_runs(&played.folder) && !model.runs.named.contains(&played.folder) {
        model.runs.named.push(played.folder.clone());
    }
    reload(model)
}

fn under_runs(folder: &Path) -> bool {
    folder.parent() == Some(Path::new(FOLDER))
}

/// Lists what a person named.
pub fn add(model: &mut Model, path: &str) -> Vec<Effect> {
    let path = PathBuf::from(path.trim());
    if path.as_os_str().is_empty() {
        return Vec::new();
    }
    model.runs.select = Some(path.clone());
    if !model.runs.named.contains(&path) {
        model.runs.named.push(path);
    }
    reload(model)
}

/// How many rows stand above the runs: that of a run that goes on.
fn going(model: &Model) -> usize {
    usize::from(model.asks.playing().is_some())
}

/// The selected run.
fn selected(model: &Model) -> Option<&RunEntry> {
    let at = model.cursor(Pane::Runs).at.checked_sub(going(model))?;
    model.runs.entries().get(at)
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    if pane == Pane::Run {
        match selected(model) {
            Some(entry) => stack.add(about::rows(model, entry, width)),
            None if model.cursor(Pane::Runs).at < going(model) => stack.add(about::going(model, width)),
            None => {}
        }
        return stack;
    }
    if let Some(progress) = model.asks.playing() {
        let words = progress_words(progress);
        let folder = model.asks.playing_in().map_or_else(String::new, |f| format!("{}  ", f.display()));
        stack.add(vec![Row::of(Scope::Accent, "> ").plain(folder).dim(words)]);
    }
    match &model.runs.entries {
        None => stack.add(vec![Row::of(Scope::Dim, "looking for runs")]),
        Some(entries) if entries.is_empty() && going(model) > 0 => {}
        Some(entries) if entries.is_empty() => stack.add(about::nothing(model, width)),
        Some(_) => stack.add(List { model, width }),
    }
    stack
}

struct List<'a> {
    model: &'a Model,
    width: usize,
}

impl Rows for List<'_> {
    fn len(&self) -> usize {
        self.model.runs.entries().len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(entry) = self.model.runs.entries().get(i) else { return Row::new() };
        let mark = if self.model.runs.marked.contains(&entry.path) { "* " } else { "  " };
        let read = self.model.runs.figures(entry);
        let (scope, sign) = if matches!(read, Some(Err(_))) { (Scope::Error, '!') } else { state_sign(&entry.state) };
        // The end of a path says most; figures need their columns first, in words where there is room for them.
        let (done_columns, figure_columns) = match self.width {
            0..44 => (9, 0),
            44..64 => (9, 13),
            _ => (13, 21),
        };
        let name = self.width.saturating_sub(done_columns + figure_columns + 5).clamp(8, 60);
        let path = entry.path.display().to_string();
        let row = Row::of(Scope::Accent, mark).put(scope, format!("{sign} "));
        let row = row.cell(Scope::Text, text::cut_middle(&text::safe(&path), name), name).plain(" ");
        let row = row.put(scope, text::pad_start(&done(entry), done_columns));
        let figures = match read {
            Some(figures) if figure_columns > 0 => figures,
            _ => return row,
        };
        let row = row.plain("  ");
        let in_words = figure_columns > 13;
        match figures {
            Err(_) => row.put(Scope::Error, if in_words { "! cannot be read" } else { "! unread" }),
            Ok(figures) => {
                let share = |[passed, of]: [u64; 2]| if of == 0 { "-".to_owned() } else { percent(passed, of) };
                let row =
                    row.plain(text::pad_start(&share(figures.passed), 5)).dim(if in_words { " pass  " } else { "  " });
                match (figures.gates.len(), in_words) {
                    (0, true) => row.put(Scope::Ok, "+").dim(" valid"),
                    (0, false) => row.put(Scope::Ok, "+"),
                    (_, true) => row.put(Scope::Error, "! not valid"),
                    (n, false) => row.put(Scope::Error, format!("! {n}")),
                }
            }
        }
    }
}

fn percent(passed: u64, of: u64) -> String {
    format!("{:.0} %", passed as f64 * 100.0 / of as f64)
}

/// What stands for a state.
fn state_sign(state: &RunState) -> (Scope, char) {
    match state {
        RunState::Finished => (Scope::Ok, '+'),
        RunState::Held => (Scope::Odd, '*'),
        RunState::Unfinished(..) => (Scope::Warn, '~'),
        RunState::Torn(..) => (Scope::Odd, '?'),
        RunState::Broken(_) => (Scope::Error, '!'),
        RunState::CardOnly => (Scope::Text, '='),
    }
}

/// How much of a run is there.
fn done(entry: &RunEntry) -> String {
    match &entry.state {
        RunState::Held => "held".to_owned(),
        RunState::Finished => text::group(entry.size.iter().product::<u64>()),
        RunState::Unfinished(n, of) | RunState::Torn(n, of) => format!("{}/{}", text::group(*n), text::group(*of)),
        RunState::Broken(_) => "broken".to_owned(),
        RunState::CardOnly => "card".to_owned(),
    }
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    match (pane, selected(model)) {
        (Pane::Run, Some(entry)) => entry.path.display().to_string(),
        (Pane::Run, None) => "run".to_owned(),
        _ => "runs".to_owned(),
    }
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let entries = model.runs.entries.as_ref()?;
    let marked = model.runs.marked.len();
    let row = Row::of(Scope::Dim, format!("{} in {FOLDER}/ and named", text::count(entries.len(), "run")));
    Some(if marked > 0 { row.put(Scope::Accent, format!("  * {marked} marked")) } else { row })
}

/// After the selection may have moved: its figures are asked for.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    ask_figures(model)
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::NewRun if going(model) > 0 => {
            let key = model.keymap.key(Action::StopRun).unwrap_or_default();
            model.say(Scope::Notice, format!("a run is in progress; {key} stops it"));
        }
        Action::NewRun => run_form::open(model),
        Action::AddRun => line::ask(model, line::Purpose::AddRun, "run, card or folder:", String::new()),
        Action::StopRun => {
            let says = if model.asks.stop_run() { "stopping after the current episodes" } else { "no run in progress" };
            model.say(Scope::Notice, says);
        }
        Action::Open => {
            let Some(path) = selected(model).map(|e| e.path.clone()) else { return Vec::new() };
            return card::open(model, path);
        }
        Action::MarkRun => mark(model),
        Action::CompareRuns => return compare_marked(model),
        Action::ResumeRun => return resume(model),
        _ => {}
    }
    Vec::new()
}

fn mark(model: &mut Model) {
    let Some(path) = selected(model).map(|e| e.path.clone()) else { return };
    let marked = &mut model.runs.marked;
    if let Some(at) = marked.iter().position(|m| *m == path) {
        marked.remove(at);
        return;
    }
    // Two are compared: a third takes the place of the first.
    if marked.len() == 2 {
        marked.remove(0);
    }
    marked.push(path);
}

fn compare_marked(model: &mut Model) -> Vec<Effect> {
    let here = selected(model).map(|e| e.path.clone());
    let pair = match (model.runs.marked.as_slice(), here) {
        ([a, b], _) => Some([a.clone(), b.clone()]),
        ([a], Some(b)) if *a != b => Some([a.clone(), b]),
        _ => None,
    };
    let Some(pair) = pair else {
        let key = model.keymap.key(Action::MarkRun).unwrap_or_default();
        model.say(Scope::Notice, format!("mark two runs with {key}, or mark one and select another"));
        return Vec::new();
    };
    compare::open(model, pair)
}

fn resume(model: &mut Model) -> Vec<Effect> {
    if going(model) > 0 {
        model.say(Scope::Notice, "a run is already in progress");
        return Vec::new();
    }
    let Some(entry) = selected(model).cloned() else { return Vec::new() };
    match &entry.state {
        RunState::Unfinished(..) | RunState::Torn(..) => asks::resume(model, &entry),
        RunState::Finished | RunState::Held => {
            model.say(Scope::Notice, "this run is finished");
            Vec::new()
        }
        RunState::CardOnly => {
            model.say(Scope::Notice, "this is a card without its run");
            Vec::new()
        }
        RunState::Broken(why) => {
            let why = format!("! {why}");
            model.say(Scope::Error, why);
            Vec::new()
        }
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(entry) = selected(model) else { return Vec::new() };
    let mut copies = vec![Copyable::new("path", entry.path.display().to_string())];
    for (what, hash) in ["contract hash", "file hash", "plan hash"].iter().zip(&entry.hashes) {
        copies.extend(hash.as_ref().map(|hash| Copyable::new(what, hash)));
    }
    if let Some(Ok(RunFigures { chain: Some(chain), .. })) = model.runs.figures(entry) {
        copies.push(Copyable::new("run chain", chain.hex()));
    }
    copies
}

/// The hashes of the file that is open: contract and file.
fn open_hashes(model: &Model) -> Option<(Option<String>, String)> {
    let FileState::Open(opened) = &model.file else { return None };
    let contract = opened.reading.contract.as_ref()?.as_ref().ok().map(ToString::to_string);
    Some((contract, opened.reading.file_hash.to_string()))
}
