//! What the screens about runs, cards and two files asked for and wait for: one job of each sort at a time, the newest.

use super::{card, compare, files, runs};
use crate::run::RunEntry;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::overlays::line;
use crate::tui::view::progress_words;
use crate::work::{Ask, Cancel, JobId, Play, Progress, Report, Spot, Told, ToolFile};
use std::path::PathBuf;

/// What a job was started for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// The list of runs.
    List,
    /// The figures of one of them.
    Figures,
    /// A card, from this path.
    Card(PathBuf),
    /// The calls of an episode of the card.
    Calls,
    /// The stepper at this call.
    Step(Spot, usize),
    /// Two runs or cards.
    Compare([PathBuf; 2]),
    /// Two episodes: the changed attempt with this number.
    Pair,
    /// A run, and the folder it goes on in when it is resumed.
    Play(Option<PathBuf>),
    /// The card of a run, written.
    WriteCard,
    /// Two tool files.
    Files,
}

/// A job that goes on.
#[derive(Debug, Clone)]
struct Asked {
    id: JobId,
    purpose: Purpose,
    progress: Option<Progress>,
    cancel: Option<Cancel>,
}

/// What waits for the path of a tool file.
#[derive(Debug, Clone)]
enum Waiting {
    Step(Spot, usize),
    Resume(PathBuf),
}

/// The jobs that go on.
#[derive(Debug, Clone, Default)]
pub struct Asks {
    open: Vec<Asked>,
    waiting: Option<Waiting>,
}

impl Asks {
    fn of(&self, is: impl Fn(&Purpose) -> bool) -> Option<&Asked> {
        self.open.iter().find(|a| is(&a.purpose))
    }

    /// How far the run has come that goes on.
    pub fn playing(&self) -> Option<Option<&Progress>> {
        self.of(|p| matches!(p, Purpose::Play(_))).map(|a| a.progress.as_ref())
    }

    /// The folder of the run in progress, once it is known.
    pub fn playing_in(&self) -> Option<&PathBuf> {
        let asked = self.of(|p| matches!(p, Purpose::Play(_)))?;
        let told = asked.progress.as_ref().and_then(|progress| progress.folder.as_ref());
        told.or(if let Purpose::Play(folder) = &asked.purpose { folder.as_ref() } else { None })
    }

    /// Whether a job of this kind goes on.
    pub fn waits_for(&self, is: impl Fn(&Purpose) -> bool) -> bool {
        self.of(is).is_some()
    }

    /// Asks the run that goes on to stop; false when there is none, or when it cannot be told yet.
    pub fn stop_run(&self) -> bool {
        let cancel = self.of(|p| matches!(p, Purpose::Play(_))).and_then(|a| a.cancel.as_ref());
        cancel.map(Cancel::cancel).is_some()
    }

    /// Nothing waits for the path of a tool file now.
    pub fn forget_file(&mut self) {
        self.waiting = None;
    }
}

/// Asks for something; an older job of the same kind is of no more use.
pub fn begin(model: &mut Model, purpose: Purpose, ask: Ask) -> Vec<Effect> {
    let kind = std::mem::discriminant(&purpose);
    model.asks.open.retain(|asked| {
        let same = std::mem::discriminant(&asked.purpose) == kind;
        if same && let Some(cancel) = &asked.cancel {
            cancel.cancel();
        }
        !same
    });
    let id = model.next_job();
    model.asks.open.push(Asked { id, purpose, progress: None, cancel: None });
    vec![Effect::Ask { id, ask }]
}

/// A job was started: how to stop it.
pub fn started(model: &mut Model, id: JobId, cancel: &Cancel) {
    if let Some(asked) = model.asks.open.iter_mut().find(|a| a.id == id) {
        asked.cancel = Some(cancel.clone());
    }
}

/// A job reports.
pub fn told(model: &mut Model, id: JobId, report: Report<Result<Told, String>>) -> Vec<Effect> {
    let Some(at) = model.asks.open.iter().position(|a| a.id == id) else { return Vec::new() };
    let result = match report {
        Report::Progress(progress) => {
            model.asks.open[at].progress = Some(progress);
            runs::hide_playing(model);
            return Vec::new();
        }
        Report::Done(result) => result,
        Report::Failed(line) => Err(line),
    };
    let purpose = model.asks.open.remove(at).purpose;
    let quits = matches!(purpose, Purpose::Play(_)) && model.runs.quitting;
    let mut effects = match (result, purpose) {
        (Ok(told), purpose) => arrived(model, told, purpose),
        (Err(why), purpose) => failed(model, &why, purpose),
    };
    if quits {
        effects.push(Effect::Quit(0));
    }
    effects
}

fn arrived(model: &mut Model, told: Told, purpose: Purpose) -> Vec<Effect> {
    match (told, purpose) {
        (Told::List(entries), _) => runs::listed(model, entries),
        (Told::Figures(path, figures), _) => runs::figured(model, path, figures),
        (Told::Open(run), Purpose::Card(path)) => card::opened(model, path, run),
        (Told::Calls(trace), _) => {
            card::calls(model, Ok(trace));
            Vec::new()
        }
        (Told::Replay(replayed), Purpose::Step(_, at)) => card::stepped(model, *replayed, at),
        (Told::NoFile(why), Purpose::Step(spot, at)) => ask_file(model, &why, Waiting::Step(spot, at)),
        (Told::NoFile(why), Purpose::Play(Some(folder))) => ask_file(model, &why, Waiting::Resume(folder)),
        (Told::Compare(both), Purpose::Compare(paths)) => compare::opened(model, paths, both),
        (Told::Pair(pair), _) => {
            compare::paired(model, pair);
            Vec::new()
        }
        (Told::Play(played), _) => runs::played(model, &played),
        (Told::WriteCard(path), _) => {
            model.say(Scope::Ok, format!("+ written to {}", path.display()));
            runs::reload(model)
        }
        (Told::Files(files), _) => {
            files::opened(model, files);
            Vec::new()
        }
        (Told::Open(_) | Told::Replay(_) | Told::NoFile(_) | Told::Compare(_), _) => Vec::new(),
    }
}

fn failed(model: &mut Model, why: &str, purpose: Purpose) -> Vec<Effect> {
    match purpose {
        Purpose::Card(_) => card::failed(model, why),
        Purpose::Compare(_) => compare::failed(model, why),
        Purpose::Files => files::failed(model, why),
        Purpose::Calls => {
            card::calls(model, Err(why.to_owned()));
            return Vec::new();
        }
        _ => {}
    }
    model.say(Scope::Error, format!("! {why}"));
    if matches!(purpose, Purpose::Play(_)) { runs::reload(model) } else { Vec::new() }
}

/// The tool file that is open, as a place where that of a run may be found.
pub fn open_file(model: &Model) -> ToolFile {
    ToolFile { open: model.file.usable().map(|opened| opened.source.clone()), named: None }
}

/// Opens the stepper on a recorded episode.
pub fn step(model: &mut Model, spot: Spot, at: usize) -> Vec<Effect> {
    let file = open_file(model);
    begin(model, Purpose::Step(spot.clone(), at), Ask::Replay(spot, file))
}

/// Resumes a run.
pub fn resume(model: &mut Model, entry: &RunEntry) -> Vec<Effect> {
    let file = open_file(model);
    let folder = entry.path.clone();
    let effects = begin(model, Purpose::Play(Some(folder.clone())), Ask::Play(Box::new(Play::Resume(folder, file))));
    runs::hide_playing(model);
    effects
}

fn ask_file(model: &mut Model, why: &str, waiting: Waiting) -> Vec<Effect> {
    model.asks.waiting = Some(waiting);
    model.say(Scope::Warn, format!("! {why}"));
    line::ask(model, line::Purpose::ToolFile, "the tool file of this run:", String::new());
    Vec::new()
}

/// A person said where the tool file is.
pub fn file_named(model: &mut Model, path: &str) -> Vec<Effect> {
    let file = ToolFile { open: None, named: Some(PathBuf::from(path.trim())) };
    match model.asks.waiting.take() {
        Some(Waiting::Step(spot, at)) => begin(model, Purpose::Step(spot.clone(), at), Ask::Replay(spot, file)),
        Some(Waiting::Resume(folder)) => {
            begin(model, Purpose::Play(Some(folder.clone())), Ask::Play(Box::new(Play::Resume(folder, file))))
        }
        None => Vec::new(),
    }
}

/// What goes on, for the status line.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    if model.asks.waiting.is_some() {
        return None;
    }
    let shown = model.asks.open.iter().rev().find(|a| a.progress.is_some())?;
    let words = progress_words(shown.progress.as_ref());
    Some((Scope::Dim, text::safe(&words).into_owned()))
}
