//! A run folder or a card, opened to be looked at: records, figures, traces.

use super::folder::RunFolder;
use super::plan::RunPlan;
use super::provenance::provenance;
use super::trace::Trace;
use crate::card::{About, Artifact, Episodes, Gather, Interner, Record, Tallies, nearest_descriptions, nearest_names};
use crate::record::{WholeLines, whole_lines};
use crate::toolfile::{Reading, read};
use crate::value::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The largest tool file that is read.
const LARGEST: u64 = 256 << 20;

/// What was opened.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceKind {
    /// A run folder and its plan.
    Run(RunFolder, Box<RunPlan>),
    /// A card folder, ours or the reference's.
    Card(PathBuf),
}

/// A run or a card with its figures.
#[derive(Debug)]
pub struct Source {
    /// The path as given.
    pub label: String,
    /// What it is.
    pub kind: SourceKind,
    /// What lists and comparisons need of every record, in order.
    pub episodes: Episodes,
    /// Its figures, worked out from the records.
    pub artifact: Artifact,
    traces: Option<PathBuf>,
    /// The plan of the run folder that a card lies in.
    around: Option<Box<RunPlan>>,
    offsets: OnceLock<Result<Vec<u64>, String>>,
}

/// The folder of a card at or in a path: the folder itself, its `card`, or that of an `artifact.json`.
pub fn card_folder(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        let named = path.file_name().is_some_and(|name| name == "artifact.json");
        return named.then(|| folder_of(path));
    }
    let folder = path.to_owned();
    [folder.clone(), folder.join("card")].into_iter().find(|f| f.join("artifact.json").is_file())
}

/// The folder of a file, `.` when it is named without one.
fn folder_of(file: &Path) -> PathBuf {
    file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new(".")).to_owned()
}

/// The run folder at a path, or that of a `plan.json` with the files of a run beside it.
pub fn run_folder(path: &Path) -> Option<RunFolder> {
    if path.is_file() {
        let folder = RunFolder::at(folder_of(path));
        let named = path.file_name().is_some_and(|name| name == "plan.json");
        return (named && folder.produced_by().is_file()).then_some(folder);
    }
    Some(RunFolder::at(path)).filter(RunFolder::is_run)
}

/// Whether a path is a run folder or a card.
pub fn is_source(path: &Path) -> bool {
    run_folder(path).is_some() || card_folder(path).is_some()
}

/// Hears what is being done, and how much of how much; false stops it.
pub type Tell<'a> = dyn FnMut(&'static str, u64, u64) -> bool + 'a;

/// Whether intervals are worked out, which takes most of the time of a run of many tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intervals {
    Drawn,
    LeftOut,
}

impl Source {
    /// Opens a run folder or a card folder (or `plan.json` or `artifact.json` in one). The error is one line.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::open_telling(path, &mut |_, _, _| true)
    }

    /// The same, telling how far it is; being stopped is an error too.
    pub fn open_telling(path: &Path, tell: &mut Tell<'_>) -> Result<Self, String> {
        Self::open_with(path, Intervals::Drawn, tell)
    }

    /// The same without intervals: rates, outcomes and gates need none.
    pub fn open_without_intervals(path: &Path, tell: &mut Tell<'_>) -> Result<Self, String> {
        Self::open_with(path, Intervals::LeftOut, tell)
    }

    fn open_with(path: &Path, intervals: Intervals, tell: &mut Tell<'_>) -> Result<Self, String> {
        let label = path.display().to_string();
        if let Some(folder) = run_folder(path) {
            return Self::open_run(label, folder, intervals, tell);
        }
        match card_folder(path) {
            Some(card) => Self::open_card(label, card, intervals, tell),
            None if path.exists() => {
                Err(format!("{label} is neither a run folder (no plan.json) nor a card (no artifact.json)"))
            }
            None => Err(format!("{label} is not there")),
        }
    }

    fn open_run(label: String, folder: RunFolder, intervals: Intervals, tell: &mut Tell<'_>) -> Result<Self, String> {
        let plan = folder.read_plan()?;
        if plan.player == super::LIVE {
            // A live episode whose process was killed ends now.
            super::settle_left(&folder)?;
        }
        let segments = folder.read_produced().map_err(|e| format!("{}: {e}", folder.produced_by().display()))?;
        // A record without its trace is of an episode that was being committed.
        let recorded = folder.recorded().map_err(|e| format!("{label}: {e}"))?;
        let (episodes, gather) = read_episodes(&folder.episodes(), recorded, tell)?;
        let provenance = provenance(&plan, &segments);
        let mut artifact = figures(gather, provenance, &Tallies::new(), intervals, tell)?;
        // A live run has one episode.
        artifact.held = u64::from(super::was_held(folder.path()));
        let traces = Some(folder.traces());
        let kind = SourceKind::Run(folder, Box::new(plan));
        Ok(Self { label, kind, episodes, artifact, traces, around: None, offsets: OnceLock::new() })
    }

    fn open_card(label: String, folder: PathBuf, intervals: Intervals, tell: &mut Tell<'_>) -> Result<Self, String> {
        let (provenance, tallies) = (card_provenance(&folder)?, read_tallies(&folder)?);
        let (episodes, gather) = read_episodes(&folder.join("episodes.jsonl"), u64::MAX, tell)?;
        let artifact = figures(gather, provenance, &tallies, intervals, tell)
            .map_err(|e| format!("{}: {e}", folder.join("artifact.json").display()))?;
        // A card inside its run folder can show the run's traces.
        let run = folder.parent().map(RunFolder::at).filter(RunFolder::is_run);
        let traces = run.as_ref().map(RunFolder::traces).filter(|t| t.is_file());
        let around = run.and_then(|run| run.read_plan().ok()).map(Box::new);
        let kind = SourceKind::Card(folder);
        Ok(Self { label, kind, episodes, artifact, traces, around, offsets: OnceLock::new() })
    }

    /// Opens the card in a folder, also where a run is around it.
    pub(super) fn open_card_at(folder: &Path, tell: &mut Tell<'_>) -> Result<Self, String> {
        Self::open_card(folder.display().to_string(), folder.to_owned(), Intervals::Drawn, tell)
    }

    /// The file of its records.
    pub fn records_file(&self) -> PathBuf {
        match &self.kind {
            SourceKind::Run(folder, _) => folder.episodes(),
            SourceKind::Card(folder) => folder.join("episodes.jsonl"),
        }
    }

    /// The plan, of a run folder or of a card inside one.
    pub fn plan(&self) -> Option<&RunPlan> {
        if let SourceKind::Run(_, plan) = &self.kind { Some(plan) } else { self.around.as_deref() }
    }

    /// Whether calls were recorded.
    pub fn has_traces(&self) -> bool {
        self.traces.is_some()
    }

    /// The recorded calls of an episode by its place among the records; nothing when calls were not recorded. The error
    /// is one line.
    pub fn trace(&self, index: usize) -> Result<Option<Trace>, String> {
        let Some(mark) = self.episodes.get(index) else { return Ok(None) };
        self.trace_of(index, &self.episodes.task(mark).task_id, u64::from(mark.attempt))
    }

    /// The same of a source whose episodes were let go: the task and the attempt that it must be of.
    pub(super) fn trace_of(&self, index: usize, task_id: &str, attempt: u64) -> Result<Option<Trace>, String> {
        let Some(path) = &self.traces else { return Ok(None) };
        let fail = |e: &dyn std::fmt::Display| format!("{}: line {}: {e}", path.display(), index + 1);
        let offsets = self.offsets.get_or_init(|| line_starts(path)).as_ref().map_err(Clone::clone)?;
        let Some(&offset) = offsets.get(index) else { return Ok(None) };
        let Some(mut lines) = whole_lines(path).map_err(|e| fail(&e))? else { return Ok(None) };
        lines.go_to(offset).map_err(|e| fail(&e))?;
        let Some((_, line)) = lines.next_line().map_err(|e| fail(&e))? else { return Ok(None) };
        let trace = Trace::read(line).map_err(|e| fail(&e))?;
        if &*trace.task_id != task_id || trace.attempt != attempt {
            return Err(fail(&"it is not the trace of that record"));
        }
        Ok(Some(trace))
    }

    /// What the card's page knows beside the figures. The tool file is read again for its nearest names, when its bytes
    /// are still those of the run.
    pub fn about(&self) -> About {
        let mut about = About { chain: self.episodes.run_chain(), ..About::default() };
        if let Some(reading) = self.plan().and_then(same_file) {
            let names: Vec<&str> = reading.tools.iter().map(|t| &*t.name).collect();
            let descriptions: Vec<&str> = reading.tools.iter().map(|t| &*t.description).collect();
            about.names = nearest_names(&names);
            about.descriptions = nearest_descriptions(&names, &descriptions);
        }
        about
    }
}

/// The tool file of a plan read again, when its bytes have not changed.
pub fn same_file(plan: &RunPlan) -> Option<Reading> {
    // Whoever wrote the plan may have named anything: only a file of a bearable size is read.
    let about = std::fs::metadata(&plan.own.file).ok()?;
    let bytes = (about.is_file() && about.len() <= LARGEST).then(|| std::fs::read(&plan.own.file).ok())??;
    let same = crate::value::canonical::file_hash(&bytes) == plan.own.file_digest;
    same.then(|| read(&bytes, &plan.own.options))
}

fn line_starts(path: &Path) -> Result<Vec<u64>, String> {
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut starts = Vec::new();
    if let Some(mut lines) = whole_lines(path).map_err(fail)? {
        while let Some((at, _)) = lines.next_line().map_err(fail)? {
            starts.push(at);
        }
    }
    Ok(starts)
}

/// The figures of records that were added up.
fn figures(
    gather: Gather,
    provenance: Value,
    tallies: &Tallies,
    intervals: Intervals,
    tell: &mut Tell<'_>,
) -> Result<Artifact, String> {
    match intervals {
        Intervals::Drawn => {
            Artifact::of(gather, provenance, tallies, &mut |done, of| tell("working out intervals", done, of))
        }
        Intervals::LeftOut => Artifact::without_intervals(gather, provenance, tallies),
    }
}

/// The first `most` records of a file, added up and noted in few bytes each.
fn read_episodes(path: &Path, most: u64, tell: &mut Tell<'_>) -> Result<(Episodes, Gather), String> {
    let (mut episodes, mut gather) = (Episodes::new(), Gather::new());
    each_record(path, most, tell, &mut |record| {
        let cell = gather.add(record)?;
        episodes.add(record, cell);
        Ok(())
    })?;
    Ok((episodes, gather))
}

/// How many records are read between two words on how far it is.
const BETWEEN: u64 = 2_000;

/// Hands on the first `most` records of a file, read line by line. The error names the file and the line.
pub(super) fn each_record(
    path: &Path,
    most: u64,
    tell: &mut Tell<'_>,
    each: &mut dyn FnMut(&Record) -> Result<(), String>,
) -> Result<(), String> {
    let mut records = Records::open(path)?;
    while records.read < most {
        records.tell("reading episodes", tell)?;
        let Some(record) = records.next()? else { break };
        each(&record).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The records of a file, one after the other.
pub(super) struct Records {
    path: PathBuf,
    lines: WholeLines,
    interner: Interner,
    line: u64,
    /// How many were read.
    read: u64,
    /// Bytes before the line that was read last.
    at: u64,
    /// Bytes of the file.
    bytes: u64,
}

impl Records {
    /// Tells now and then how far it is; being stopped is an error.
    pub(super) fn tell(&self, what: &'static str, tell: &mut Tell<'_>) -> Result<(), String> {
        if self.read.is_multiple_of(BETWEEN) && !tell(what, self.at, self.bytes) {
            return Err("stopped".to_owned());
        }
        Ok(())
    }

    /// Opens a file that must be there.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let Some(lines) = whole_lines(path).map_err(|e| fail(&e))? else { return Err(fail(&"it is not there")) };
        let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
        let path = path.to_owned();
        Ok(Self { path, lines, interner: Interner::default(), line: 0, read: 0, at: 0, bytes })
    }

    /// The next one; empty lines are skipped. The error names the file and the line.
    pub(super) fn next(&mut self) -> Result<Option<Record>, String> {
        let fail = |path: &Path, e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        while let Some((at, line)) = self.lines.next_line().map_err(|e| fail(&self.path, &e))? {
            (self.at, self.line) = (at, self.line + 1);
            if !line.iter().all(u8::is_ascii_whitespace) {
                self.read += 1;
                let record = Record::parse(line, &mut self.interner);
                return record.map(Some).map_err(|e| fail(&self.path, &format!("line {}: {e}", self.line)));
            }
        }
        Ok(None)
    }
}

/// The provenance that a card's own artifact carries.
pub(super) fn card_provenance(folder: &Path) -> Result<Value, String> {
    let path = folder.join("artifact.json");
    let bytes = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let root = crate::value::read::read_json(&bytes).map_err(|e| format!("{}: {}", path.display(), e.message))?.root;
    root.get("provenance").cloned().ok_or_else(|| format!("{}: it has no provenance", path.display()))
}

/// Failures of the instrument that a card's folder counts, when it does.
pub(super) fn read_tallies(folder: &Path) -> Result<Tallies, String> {
    let path = folder.join("tallies.json");
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Tallies::new()),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}
