//! The run folder: its files, what they say of a run, and where a run that was cut off goes on.

use super::plan::RunPlan;
use crate::card::produced::{Produced, row};
use crate::record::{Lines, keep_lines, whole_lines};
use crate::value::Value;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a run folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// The folder at a path, there or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }
    /// What is planned.
    pub fn plan(&self) -> PathBuf {
        self.0.join("plan.json")
    }
    /// What produced it, one line a segment.
    pub fn produced_by(&self) -> PathBuf {
        self.0.join("produced_by.jsonl")
    }
    /// One record an episode.
    pub fn episodes(&self) -> PathBuf {
        self.0.join("episodes.jsonl")
    }
    /// Every call and answer, one line an episode.
    pub fn traces(&self) -> PathBuf {
        self.0.join("traces.jsonl")
    }
    /// The card.
    pub fn card(&self) -> PathBuf {
        self.0.join("card")
    }

    /// Whether one of its files ends in a line that was torn off while it was being written.
    pub fn is_torn(&self) -> io::Result<bool> {
        for path in [self.produced_by(), self.episodes(), self.traces()] {
            if crate::record::is_torn(&path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it holds a plan: whether it is a run folder.
    pub fn is_run(&self) -> bool {
        self.plan().is_file()
    }

    /// The plan. A relative path to a tool file starts at the folder, so that both can be moved and
    /// handed on together. The error is one line.
    pub fn read_plan(&self) -> Result<RunPlan, String> {
        let path = self.plan();
        let bytes = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let mut plan = RunPlan::read(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        plan.own.file = self.0.join(&plan.own.file);
        Ok(plan)
    }

    /// The records of what produced it, one a segment. Torn lines and lines that do not parse are skipped.
    pub fn read_produced(&self) -> io::Result<Vec<Value>> {
        let mut segments = Vec::new();
        if let Some(mut lines) = whole_lines(&self.produced_by())? {
            while let Some((_, line)) = lines.next_line()? {
                if let Ok(document) = crate::value::read::read_json(line) {
                    segments.push(document.root);
                }
            }
        }
        Ok(segments)
    }

    /// How many whole episodes are recorded: lines that both files have.
    pub fn recorded(&self) -> io::Result<u64> {
        Ok(count_lines(&self.episodes())?.min(count_lines(&self.traces())?))
    }
}

fn count_lines(path: &Path) -> io::Result<u64> {
    let mut n = 0;
    if let Some(mut lines) = whole_lines(path)? {
        while lines.next_line()?.is_some() {
            n += 1;
        }
    }
    Ok(n)
}

/// A run folder open for appending: nobody else writes in it.
#[derive(Debug)]
pub(super) struct OpenFolder {
    /// What produced the run; whoever holds it writes in the folder.
    _record: Lines,
    episodes: Lines,
    traces: Lines,
    /// Episodes recorded when it was opened.
    pub(super) kept: u64,
}

impl OpenFolder {
    /// Opens or makes a folder for a plan; everything is checked before anything is written. The error is one line.
    pub(super) fn open(folder: &RunFolder, plan: &RunPlan, produced: &Produced, at: &str) -> Result<Self, String> {
        let fail = |what: &str, error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock => format!("{} is being written by another run", folder.path().display()),
            _ => format!("cannot {what} {}: {error}", folder.path().display()),
        };
        let segments = folder.read_produced().map_err(|e| fail("read", e))?;
        let recorded = folder.recorded().map_err(|e| fail("read", e))?;
        let existing = folder.is_run();
        if existing {
            check_resume(folder, plan, produced, &segments)?;
        } else {
            check_new(folder)?;
        }
        let kept = if existing { check_records(folder, plan, recorded)? } else { 0 };

        std::fs::create_dir_all(folder.path()).map_err(|e| fail("make", e))?;
        let mut record = Lines::open(&folder.produced_by()).map_err(|e| fail("write in", e))?;
        if folder.recorded().map_err(|e| fail("read", e))? != recorded {
            return Err(format!("{} was written by another run just now", folder.path().display()));
        }
        if !existing {
            crate::settings::write_whole(&folder.plan(), plan.text().as_bytes()).map_err(|e| fail("write in", e))?;
        }
        if kept < plan.episodes() {
            let resumed = !segments.is_empty() || kept > 0;
            record.append(&produced.line(at, resumed)).map_err(|e| fail("write in", e))?;
            record.commit().map_err(|e| fail("write in", e))?;
        }
        let open = |path: PathBuf| {
            keep_lines(&path, kept)?;
            Lines::open(&path)
        };
        let episodes = open(folder.episodes()).map_err(|e| fail("write in", e))?;
        let traces = open(folder.traces()).map_err(|e| fail("write in", e))?;
        std::fs::File::open(folder.path()).and_then(|f| f.sync_all()).map_err(|e| fail("write in", e))?;
        Ok(Self { _record: record, episodes, traces, kept })
    }

    /// Opens the folder of a run as it is, to append to it.
    pub(super) fn reopen(folder: &RunFolder) -> io::Result<Self> {
        let record = Lines::open(&folder.produced_by())?;
        let kept = folder.recorded()?;
        let open = |path: PathBuf| {
            keep_lines(&path, kept)?;
            Lines::open(&path)
        };
        Ok(Self { _record: record, episodes: open(folder.episodes())?, traces: open(folder.traces())?, kept })
    }

    /// Appends whole episodes and returns when they are on the disk: the traces first, so that a record says that its
    /// trace is there.
    pub(super) fn commit(&mut self, traces: &[u8], records: &[u8]) -> io::Result<()> {
        self.traces.append_block(traces)?;
        self.traces.commit()?;
        self.episodes.append_block(records)?;
        self.episodes.commit()
    }
}

/// A new run wants a folder that is empty or not there.
fn check_new(folder: &RunFolder) -> Result<(), String> {
    match std::fs::read_dir(folder.path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("cannot read {}: {error}", folder.path().display())),
        Ok(mut entries) => {
            // A run that was stopped before its plan was written left its own files alone behind.
            let ours = |name: &std::ffi::OsStr| {
                let name = name.to_string_lossy();
                name == "produced_by.jsonl" || (name.starts_with(".rehearsal-") && name.ends_with(".tmp"))
            };
            let foreign = entries.find_map(|e| e.ok().filter(|e| !ours(&e.file_name())));
            foreign.map_or(Ok(()), |_| {
                Err(format!("{} is not a run folder and not empty: name another with --out", folder.path().display()))
            })
        }
    }
}

/// A resume needs the same tools, the same bytes, the same generator and the same plan, or not at all.
fn check_resume(folder: &RunFolder, plan: &RunPlan, produced: &Produced, segments: &[Value]) -> Result<(), String> {
    let at = folder.path().display();
    let now = produced.to_value();
    if let Some(started) = segments.first() {
        for (name, what) in [
            ("generator hash", "another generator of tasks"),
            ("contract hash", "another tool contract"),
            ("file hash", "a tool file of other bytes"),
        ] {
            let (then, now) = (row(started, name), row(&now, name));
            if then != now {
                let word = |v: Option<&Value>| {
                    let text = v.and_then(Value::as_str).unwrap_or("none");
                    text.get(..12).unwrap_or(text).to_owned()
                };
                return Err(format!(
                    "{at} was started on {what} ({} then, {} now): nothing is written; run into another folder with --out",
                    word(then),
                    word(now)
                ));
            }
        }
    }
    let before = folder.read_plan()?;
    let differences = before.differences(plan);
    if differences.is_empty() && before.hash() == plan.hash() {
        return Ok(());
    }
    Err(format!(
        "{at} holds another run (it differs in {}): repeat the command it was started with, or run into another folder \
         with --out",
        if differences.is_empty() { "the tool file".to_owned() } else { differences.join(", ") }
    ))
}

/// The records there are must be the first of the plan's; gives how many they are.
fn check_records(folder: &RunFolder, plan: &RunPlan, recorded: u64) -> Result<u64, String> {
    let path = folder.episodes();
    let bad = |why: String| format!("{}: {why}: not a record of this run", path.display());
    let mut interner = crate::card::Interner::default();
    let Some(mut lines) = whole_lines(&path).map_err(|e| bad(e.to_string()))? else { return Ok(0) };
    let mut n = 0;
    while n < recorded {
        let Some((_, line)) = lines.next_line().map_err(|e| bad(e.to_string()))? else { break };
        let record =
            crate::card::Record::parse(line, &mut interner).map_err(|e| bad(format!("line {}: {e}", n + 1)))?;
        let planned = plan.episode(n).map(|(arm, seed, attempt)| (arm.to_string(), seed, attempt));
        if planned != Some((record.arm_id.to_string(), record.seed, record.attempt)) {
            let found = format!("{}, seed {}, attempt {}", record.arm_id, record.seed, record.attempt);
            return Err(bad(format!("line {} is {found}, which the plan does not have there", n + 1)));
        }
        n += 1;
    }
    Ok(n)
}
