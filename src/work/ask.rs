//! What the screens about runs, cards and two tool files ask for, and what they get back.

use super::play::{Play, Played, play};
use super::{Control, OpenError, OpenRequest, Origin, Source};
use crate::card::card_page;
use crate::plan::Planner;
use crate::run::{
    Both, Browse, EpisodePair, Replayed, RunEntry, RunFigures, RunPlan, Source as Recorded, Trace, list_runs,
    planner_of, planner_on, replay, write_card,
};
use crate::settings::example;
use crate::text;
use crate::toolfile::Reading;
use crate::toolfile::compare::{Comparison, ToolChanges, compare, compare_tools};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something asked for.
#[derive(Debug, Clone)]
pub enum Ask {
    /// The runs in these folders.
    List(Vec<PathBuf>),
    /// What only reading every record of a run tells.
    Figures(RunEntry),
    /// A run or card, to be looked through.
    Open(PathBuf),
    /// The recorded calls of an episode.
    Calls(Spot),
    /// The same played again, for the stepper.
    Replay(Spot, ToolFile),
    /// Two runs or cards.
    Compare([PathBuf; 2]),
    /// The two episodes of a changed attempt, by its number.
    Pair(Arc<Both>, usize),
    /// A run, begun or resumed.
    Play(Box<Play>),
    /// The card of a run, written.
    WriteCard(PathBuf),
    /// Two tool files.
    Files(Box<[OpenRequest; 2]>),
}

/// An episode of a run: the number of its task, and which of the task's episodes it is.
#[derive(Debug, Clone)]
pub struct Spot {
    /// The run.
    pub run: Arc<Browse>,
    /// The task.
    pub task: usize,
    /// The episode.
    pub episode: usize,
}

/// Where the tool file of a run is looked for: in what is open, where a person says, where the run says.
#[derive(Debug, Clone, Default)]
pub struct ToolFile {
    /// The file that is open.
    pub open: Option<Arc<Source>>,
    /// The path a person gave.
    pub named: Option<PathBuf>,
}

/// What was asked for.
#[derive(Debug, Clone)]
pub enum Told {
    /// The runs.
    List(Vec<RunEntry>),
    /// Of which run, and its figures.
    Figures(PathBuf, Result<RunFigures, String>),
    /// A run or card.
    Open(Arc<Browse>),
    /// The calls of an episode; nothing when they were not recorded.
    Calls(Option<Arc<Trace>>),
    /// The episode.
    Replay(Box<Replayed>),
    /// The tool file of the run is not found: why, in one line.
    NoFile(String),
    /// Two runs or cards.
    Compare(Arc<Both>),
    /// Two episodes; nothing when a side did not record its calls.
    Pair(Option<Box<EpisodePair>>),
    /// How a run ended.
    Play(Box<Played>),
    /// Where the card was written.
    WriteCard(PathBuf),
    /// Two tool files.
    Files(Arc<TwoFiles>),
}

/// Two tool files compared.
#[derive(Debug)]
pub struct TwoFiles {
    /// What they are called.
    pub names: [String; 2],
    /// Their bytes, parsed.
    pub sources: [Arc<Source>; 2],
    /// What they say.
    pub readings: [Arc<Reading>; 2],
    /// Bytes, contracts, the places that differ.
    pub comparison: Comparison,
    /// Their tools.
    pub tools: ToolChanges,
}

/// Does what is asked. The error is one line.
pub fn ask(ask: Ask, control: &Control) -> Result<Told, String> {
    match ask {
        Ask::List(folders) => {
            control.progress("looking for runs", 0, None);
            let mut found: Vec<RunEntry> = Vec::new();
            let mut places = HashSet::new();
            for entry in folders.iter().flat_map(|folder| list_runs(folder)) {
                // One folder may be named in several ways.
                let place = std::fs::canonicalize(&entry.path).unwrap_or_else(|_| entry.path.clone());
                if places.insert(place) {
                    found.push(entry);
                }
            }
            Ok(Told::List(found))
        }
        Ask::Figures(entry) => {
            let figures = entry.figures(&mut |_, _, _| !control.is_cancelled());
            Ok(Told::Figures(entry.path, figures))
        }
        Ask::Open(path) => Ok(Told::Open(Arc::new(Browse::of(open(&path, control)?)))),
        Ask::Calls(spot) => Ok(Told::Calls(spot.run.trace(spot.task, spot.episode)?.map(Arc::new))),
        Ask::Replay(spot, file) => replay_spot(&spot, &file, control),
        Ask::Compare([a, b]) => {
            let (a, b) = (open(&a, control)?, open(&b, control)?);
            control.progress("comparing", 0, None);
            Ok(Told::Compare(Arc::new(Both::of(a, b))))
        }
        Ask::Pair(both, at) => match both.comparison.changed.get(at) {
            Some(changed) => Ok(Told::Pair(both.pair(changed)?.map(Box::new))),
            None => Ok(Told::Pair(None)),
        },
        Ask::Play(what) => play(*what, control),
        Ask::WriteCard(path) => Ok(Told::WriteCard(write_card(&open(&path, control)?)?)),
        Ask::Files(requests) => two_files(&requests, control),
    }
}

/// Opens a run or card, telling how far it is.
fn open(path: &Path, control: &Control) -> Result<Recorded, String> {
    Recorded::open_telling(path, &mut |what, done, of| {
        control.progress(what, done, Some(of));
        !control.is_cancelled()
    })
}

fn replay_spot(spot: &Spot, file: &ToolFile, control: &Control) -> Result<Told, String> {
    let Some(trace) = spot.run.trace(spot.task, spot.episode)? else {
        return Err("the calls of this episode are not recorded".to_owned());
    };
    let Some(plan) = spot.run.plan() else {
        return Err("this card does not say how its tool file was read, so its episodes cannot be stepped".to_owned());
    };
    match find_planner(plan, file, control) {
        Ok(planner) => Ok(Told::Replay(Box::new(replay(&trace, &planner)?))),
        Err(why) => Ok(Told::NoFile(why)),
    }
}

/// The tools of a run, from the first place that has its bytes. The error says where they were looked for.
fn find_planner(plan: &RunPlan, file: &ToolFile, control: &Control) -> Result<Planner, String> {
    let shown = |path: &Path| text::safe(&path.display().to_string()).into_owned();
    let read = |path: &Path| super::load(&Origin::File(path.to_owned()), control).map_err(|e| e.to_string());
    if let Some(path) = &file.named {
        return planner_of(plan, &read(path)?).map_err(|why| format!("{}: {why}", shown(path)));
    }
    if let Some(open) = file.open.as_ref().filter(|open| **open.file_hash() == *plan.own.file_digest) {
        return planner_on(plan, open);
    }
    if crate::value::canonical::file_hash(example::BYTES) == plan.own.file_digest {
        return planner_of(plan, example::BYTES);
    }
    let path = &plan.own.file;
    planner_of(plan, &read(path)?).map_err(|why| format!("{}: {why}", shown(path)))
}

fn two_files(requests: &[OpenRequest; 2], control: &Control) -> Result<Told, String> {
    let mut sources = Vec::with_capacity(2);
    for request in requests {
        let (source, _) = super::read(&request.origin, control).map_err(|e: OpenError| e.to_string())?;
        if let Err(error) = source.document() {
            return Err(format!("{}: {}", text::safe(&request.origin.name()), error.message));
        }
        sources.push(source);
    }
    control.progress("comparing", 0, None);
    let names = requests.each_ref().map(|request| match request.origin.path() {
        Some(path) => path.display().to_string(),
        None => request.origin.name(),
    });
    let Ok(sources) = <[Arc<Source>; 2]>::try_from(sources) else { return Err("two files are needed".to_owned()) };
    let reading = |i: usize| Arc::new(sources[i].read(&requests[i].read));
    let readings = [reading(0), reading(1)];
    Ok(Told::Files(Arc::new(TwoFiles {
        comparison: compare(&sources[0], &sources[1]),
        tools: compare_tools(&readings[0], &readings[1]),
        names,
        sources,
        readings,
    })))
}

/// The page of a run's or card's figures, as lines.
pub fn page_lines(run: &Browse) -> Vec<String> {
    card_page(run.artifact(), run.about()).lines()
}
