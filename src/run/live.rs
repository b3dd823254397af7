//! The record of a live episode: a run folder of one episode, whose calls are written down one by one before their answers
//! leave, so that what was answered outlives the process.
//!
//! Beside the files of every run it has `calls.jsonl`, a line a call, and `wire.jsonl`, a line a frame. When the episode
//! ends, or when a folder is found whose process is gone, the calls are played again and become its trace, its record and
//! its card.

use super::execute::produced;
use super::folder::{OpenFolder, RunFolder};
use super::plan::{Own, RunPlan};
use super::play::{Episode, Turn};
use super::trace::{record, trace_line};
use super::{MAX_TURNS, Source, planner_of, write_card};
use crate::engine::{Ending, Engine, Outcome, State};
use crate::episode::chain::Chain;
use crate::plan::PlanSettings;
use crate::record::{Lines, whole_lines};
use crate::task::{Call, Task};
use crate::toolfile::{ReadOptions, Reading};
use crate::value::{Map, Part, Str, Value};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The player of a live episode, as plans and records name it.
pub const LIVE: &str = "live";

/// A call beyond this one is refused: nobody plays on for so long.
pub const MOST_CALLS: usize = 1_000_000;

/// What a live episode is on.
#[derive(Debug, Clone)]
pub struct LiveRequest {
    /// The tool file, read.
    pub reading: Arc<Reading>,
    /// Where it is.
    pub file: PathBuf,
    /// How it was read.
    pub options: ReadOptions,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// The task.
    pub task: Arc<Task>,
}

impl LiveRequest {
    /// The plan its folder holds.
    pub fn plan(&self) -> RunPlan {
        RunPlan {
            arms: vec![self.task.arm],
            seeds: vec![self.task.seed],
            attempts: 1,
            player: LIVE.to_owned(),
            scripts: Vec::new(),
            max_turns: MAX_TURNS,
            own: Own::of(&self.file, &self.reading, &self.options, &self.settings),
        }
    }
}

/// A live episode being played and recorded.
#[derive(Debug)]
pub struct LiveRun {
    folder: RunFolder,
    open: OpenFolder,
    calls: Lines,
    wire: Lines,
    engine: Arc<Engine>,
    state: State,
    chain: Chain,
    made: usize,
    caller: Option<String>,
}

fn calls_file(folder: &RunFolder) -> PathBuf {
    folder.path().join("calls.jsonl")
}

fn wire_file(folder: &RunFolder) -> PathBuf {
    folder.path().join("wire.jsonl")
}

fn name_file(folder: &RunFolder) -> PathBuf {
    folder.path().join("live.json")
}

/// The name a live episode was opened under, of a folder that holds one.
pub fn live_name(folder: &Path) -> Option<String> {
    let bytes = std::fs::read(name_file(&RunFolder::at(folder))).ok()?;
    let root = crate::value::read_json(&bytes).ok()?.root;
    root.get("name").and_then(Value::as_str).filter(|name| is_name(name)).map(str::to_owned)
}

/// Whether a person held calls of the live episode in a folder: its `touch.jsonl` has a line.
pub fn was_held(folder: &Path) -> bool {
    std::fs::metadata(folder.join("touch.jsonl")).is_ok_and(|file| file.len() > 0)
}

/// Whether a text can be the name of a live episode: it becomes a part of paths and addresses.
pub fn is_name(text: &str) -> bool {
    (8..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// Whether a folder holds a live episode of that plan that was not ended and that nobody plays.
pub fn is_left(folder: &Path, plan: &RunPlan) -> bool {
    let at = RunFolder::at(folder);
    let free = || Lines::open(&at.produced_by()).is_ok();
    let ended = || at.recorded().is_ok_and(|n| n > 0);
    live_name(folder).is_some() && at.read_plan().is_ok_and(|p| p.hash() == plan.hash()) && free() && !ended()
}

impl LiveRun {
    /// Opens the folder of a live episode, or goes on in one that was left. `at` is the time of day in UTC. The error is one
    /// line.
    pub fn open(request: &LiveRequest, out: &Path, name: &str, at: &str) -> Result<Self, String> {
        let plan = request.plan();
        let produced = produced(&request.reading, &plan)?;
        let folder = RunFolder::at(out);
        let open = OpenFolder::open(&folder, &plan, &produced, at)?;
        let failed = |e: io::Error| format!("cannot write in {}: {e}", out.display());
        if open.kept > 0 {
            return Err(format!("the live episode in {} has ended: name another folder with --out", out.display()));
        }
        let about = Value::from(Map::from([("name", name)]));
        let about = format!("{}\n", crate::value::canonical::compact(&about, true));
        crate::settings::write_whole(&name_file(&folder), about.as_bytes()).map_err(failed)?;
        let calls = Lines::open(&calls_file(&folder)).map_err(failed)?;
        let wire = Lines::open(&wire_file(&folder)).map_err(failed)?;
        let engine = Arc::new(Engine::new(request.task.clone()));
        let state = engine.start();
        let chain = Chain::start(&request.task.task_id);
        let mut live = Self { folder, open, calls, wire, engine, state, chain, made: 0, caller: None };
        live.catch_up()?;
        Ok(live)
    }

    /// Plays what was recorded before.
    fn catch_up(&mut self) -> Result<(), String> {
        for entry in read_calls(&calls_file(&self.folder))? {
            let Entry { call, chain, caller } = entry;
            let outcome = self.engine.step(&self.state, &call);
            self.advance(&call, &outcome);
            if self.chain != chain {
                return Err(format!("{}: call {} was answered otherwise", self.folder.path().display(), self.made));
            }
            self.caller = caller.or(self.caller.take());
        }
        Ok(())
    }

    fn advance(&mut self, call: &Call, outcome: &Outcome) {
        let task_id = &self.engine.task().task_id;
        self.chain = self.chain.step(task_id, call, &outcome.answer.text, &outcome.changes);
        self.state = outcome.state.clone();
        self.made += 1;
    }

    /// The engine at play.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How many calls were made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Who made the last call.
    pub fn caller(&self) -> Option<&str> {
        self.caller.as_deref()
    }

    /// The calls made so far, as they are recorded. The error is one line.
    pub fn recorded(&self) -> Result<Vec<Call>, String> {
        Ok(read_calls(&calls_file(&self.folder))?.into_iter().map(|entry| entry.call).collect())
    }

    /// The chained hash after the last call.
    pub fn chain(&self) -> Chain {
        self.chain
    }

    /// What a call would do now; nothing moves.
    pub fn preview(&self, call: &Call) -> Outcome {
        self.engine.step(&self.state, call)
    }

    /// Plays a call and writes it down; the answer may leave when this returns. What cannot be written down was not made.
    /// The error is one line.
    pub fn call(&mut self, call: &Call, caller: Option<&str>) -> Result<Outcome, String> {
        if self.made >= MOST_CALLS {
            return Err(format!("the episode has {MOST_CALLS} calls already"));
        }
        let outcome = self.engine.step(&self.state, call);
        let task_id = &self.engine.task().task_id;
        let chain = self.chain.step(task_id, call, &outcome.answer.text, &outcome.changes);
        let mut line = String::with_capacity(256);
        let caller = caller.or(self.caller.as_deref()).map(str::to_owned);
        Part::object([
            ("call", Part::from(self.made + 1)),
            ("tool", (&call.tool).into()),
            ("arguments", (&call.arguments).into()),
            ("by", caller.clone().map_or(Part::Null, Part::Made)),
            ("chain", Part::Made(chain.hex())),
        ])
        .push_compact(&mut line);
        self.calls.append(&line).map_err(|e| format!("cannot write {}: {e}", calls_file(&self.folder).display()))?;
        self.caller = caller;
        self.advance(call, &outcome);
        Ok(outcome)
    }

    /// Writes frames down, whole lines each.
    pub fn wire(&mut self, lines: &[u8]) -> Result<(), String> {
        self.wire.append_block(lines).map_err(|e| format!("cannot write {}: {e}", wire_file(&self.folder).display()))
    }

    /// Ends the episode: its trace, its record and its card. Gives the label, and why there is no card where its gates refuse
    /// one. The error is one line.
    pub fn end(mut self, ending: Ending, why: &str) -> Result<(Str, Option<String>), String> {
        let path = self.folder.path().display().to_string();
        let entries = read_calls(&calls_file(&self.folder))?;
        let label = commit(&mut self.open, &self.engine, entries, ending, why).map_err(|e| format!("{path}: {e}"))?;
        let folder = self.folder.path().to_owned();
        drop(self);
        let card = Source::open(&folder).and_then(|source| write_card(&source));
        Ok((label, card.err()))
    }
}

/// Ends the live episode in a folder whose process is gone, if it holds one. Says whether it did. The error is one line.
pub fn settle_left(folder: &RunFolder) -> Result<bool, String> {
    let ended = folder.recorded().map_err(|e| format!("{}: {e}", folder.path().display()))? > 0;
    if ended || live_name(folder.path()).is_none() {
        return Ok(false);
    }
    let plan = folder.read_plan()?;
    let fail = |what: &dyn std::fmt::Display| format!("{}: {what}", folder.path().display());
    // Whoever still plays it ends it.
    let Ok(mut open) = OpenFolder::reopen(folder) else { return Ok(false) };
    let bytes = std::fs::read(&plan.own.file).map_err(|e| fail(&format!("{}: {e}", plan.own.file.display())))?;
    let planner = planner_of(&plan, &bytes).map_err(|e| fail(&e))?;
    let (arm, seed, _) = plan.episode(0).ok_or_else(|| fail(&"its plan has no episode"))?;
    let task = planner.plan(arm, seed).map_err(|e| fail(&e.0))?;
    let entries = read_calls(&calls_file(folder))?;
    commit(&mut open, &Engine::new(Arc::new(task)), entries, Ending::Reply, "The process was gone.")
        .map_err(|e| fail(&e))?;
    Ok(true)
}

/// A line of `calls.jsonl`.
struct Entry {
    call: Call,
    chain: Chain,
    caller: Option<String>,
}

fn read_calls(path: &Path) -> Result<Vec<Entry>, String> {
    let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let mut entries = Vec::new();
    let Some(mut lines) = whole_lines(path).map_err(|e| fail(&e))? else { return Ok(entries) };
    while let Some((_, line)) = lines.next_line().map_err(|e| fail(&e))? {
        let root = crate::value::read_json(line).map_err(|e| fail(&e))?.root;
        let read = || {
            let tool = root.get("tool")?.as_str()?.into();
            let call = Call { tool, arguments: root.get("arguments")?.clone() };
            let caller = root.get("by").and_then(Value::as_str).map(str::to_owned);
            Some(Entry { call, chain: Chain::parse(root.get("chain")?.as_str()?)?, caller })
        };
        entries.push(read().ok_or_else(|| fail(&format!("line {} is not a call", entries.len() + 1)))?);
    }
    Ok(entries)
}

/// Plays recorded calls and commits the episode they are; gives its label.
fn commit(
    open: &mut OpenFolder,
    engine: &Engine,
    entries: Vec<Entry>,
    ending: Ending,
    why: &str,
) -> Result<Str, String> {
    let task = engine.task();
    let (mut state, mut chain) = (engine.start(), Chain::start(&task.task_id));
    let mut turns = Vec::with_capacity(entries.len());
    let mut player = None;
    for Entry { call, chain: recorded, caller } in entries {
        let outcome = engine.step(&state, &call);
        chain = chain.step(&task.task_id, &call, &outcome.answer.text, &outcome.changes);
        if chain != recorded {
            return Err(format!(
                "call {} was answered otherwise: the tool file or the program changed",
                turns.len() + 1
            ));
        }
        state = outcome.state.clone();
        player = caller.or(player);
        turns.push(Turn { call, outcome, reason: String::new(), chain });
    }
    let verdict = engine.verdict(&state, ending);
    let label: Str = verdict.label.into();
    let episode = Episode {
        turns,
        ending,
        // The protocol shows calls alone: how often the model was asked, and what it said, is not known.
        model_calls: None,
        reply: None,
        reason: why.to_owned(),
        chain: chain.end(ending, verdict.label),
        verdict,
        player: player.unwrap_or_else(|| LIVE.to_owned()),
    };
    let line = |text: String| format!("{text}\n").into_bytes();
    let trace = line(trace_line(task, 0, &episode));
    let arm: Str = task.arm.to_string().into();
    let record = line(record(task, 0, &LIVE.into(), &arm, &episode).line());
    open.commit(&trace, &record).map_err(|e| e.to_string())?;
    Ok(label)
}
