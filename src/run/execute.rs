//! Playing a plan: episodes on all cores, committed whole in plan order, so that files do not depend on how many cores
//! the machine has or which was quicker.

use super::folder::{OpenFolder, RunFolder};
use super::plan::{GENERATOR, Own, RunPlan};
use super::play::play;
use super::trace::{record, trace_line};
use crate::card::MOST_ATTEMPTS;
use crate::card::produced::Produced;
use crate::engine::Engine;
use crate::episode::players::PlayerSpec;
use crate::plan::{PlanSettings, Planner};
use crate::task::{Arm, Task};
use crate::toolfile::{ReadOptions, Reading};
use crate::value::Str;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What to run.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The tool file, read once.
    pub reading: Arc<Reading>,
    /// Where it lies.
    pub file: PathBuf,
    /// How it was read.
    pub options: ReadOptions,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// The arms.
    pub arms: Vec<Arm>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Attempts at every task.
    pub attempts: u64,
    /// Who plays.
    pub player: PlayerSpec,
    /// The run folder.
    pub out: PathBuf,
    /// How many threads play; 0 for all cores.
    pub threads: usize,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// Tasks are being planned: how many of how many.
    Planning(u64, u64),
    /// Episodes are being played.
    Playing {
        /// Recorded, those of earlier segments included.
        done: u64,
        /// Of how many.
        total: u64,
        /// Episodes a second, in this segment.
        rate: f64,
        /// Time left, as far as the rate tells.
        left: Option<Duration>,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finished {
    /// Episodes recorded in all.
    pub recorded: u64,
    /// Of how many.
    pub total: u64,
    /// Recorded before this segment.
    pub resumed_from: u64,
    /// Time taken.
    pub took: Duration,
    /// Stopped before the end: the same command goes on.
    pub cancelled: bool,
}

/// Planned tasks kept from the check to the play, when there are at most this many.
const TASKS_KEPT: usize = 4096;
/// Episodes of one task that are played in one go.
const CHUNK: u64 = 64;
/// How many chunks may wait for their turn to be committed, for each thread.
const WINDOW: u64 = 8;
/// How long episodes may wait to be committed, and how many bytes of them.
const COMMIT_EVERY: Duration = Duration::from_millis(200);
const COMMIT_BYTES: usize = 1 << 20;
/// How often progress is reported.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// A plan that may be run: every task of it can be planned and played.
#[derive(Debug)]
pub struct Ready {
    request: RunRequest,
    planner: Planner,
    plan: RunPlan,
    produced: Produced,
    tasks: Vec<Arc<Task>>,
    /// Things to know before it starts, one line each.
    pub notes: Vec<String>,
}

/// Checks a request whole, before anything is written. The error is one line; `None` when it was cancelled.
pub fn prepare(
    mut request: RunRequest,
    tell: &mut dyn FnMut(Progress),
    cancel: &AtomicBool,
) -> Result<Option<Ready>, String> {
    once(&mut request.arms);
    once(&mut request.seeds);
    contract(&request.reading)?;
    if request.arms.is_empty() || request.seeds.is_empty() {
        return Err("there is nothing to run: name at least one arm and one seed".to_owned());
    }
    if !(1..=MOST_ATTEMPTS).contains(&request.attempts) {
        return Err(format!("attempts must be from 1 to {MOST_ATTEMPTS}"));
    }
    let planner = Planner::new(request.reading.clone(), request.settings.clone()).map_err(|e| e.0)?;
    let own = Own::of(&request.file, &request.reading, &request.options, &request.settings);
    let plan = RunPlan::new(request.arms.clone(), request.seeds.clone(), request.attempts, &request.player, own);
    let produced = produced(&request.reading, &plan)?;
    let Some((tasks, notes)) = check_tasks(&request, &planner, &plan, tell, cancel)? else { return Ok(None) };
    Ok(Some(Ready { request, planner, plan, produced, tasks, notes }))
}

/// The contract hash of the file, which every run names.
fn contract(reading: &Reading) -> Result<String, String> {
    match &reading.contract {
        Some(Ok(hash)) => Ok(hash.to_string()),
        Some(Err(refusal)) => {
            let place = crate::value::pointer::name(&refusal.at);
            Err(format!(
                "the file has no contract hash ({} at {place}), so no run can say what it was on",
                refusal.what
            ))
        }
        None => Err("the file could not be read".to_owned()),
    }
}

/// What produces a run of a plan.
pub(super) fn produced(reading: &Reading, plan: &RunPlan) -> Result<Produced, String> {
    Ok(Produced {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        generator: GENERATOR.to_owned(),
        generator_hash: super::generator_hash().to_owned(),
        tool_format: reading.format.map_or("", |f| f.word()).to_owned(),
        contract_hash: contract(reading)?,
        file_hash: reading.file_hash.to_string(),
        plan_hash: plan.hash(),
        player: plan.player.clone(),
        seeds: plan.seeds.clone(),
    })
}

/// Leaves what is there twice where it stands first.
fn once<T: Copy + Eq + std::hash::Hash>(list: &mut Vec<T>) {
    let mut seen = HashSet::new();
    list.retain(|item| seen.insert(*item));
}

/// Plans every task once: a refused seed must be known before the first is played.
#[expect(clippy::type_complexity, reason = "two lists that only prepare() takes apart")]
fn check_tasks(
    request: &RunRequest,
    planner: &Planner,
    plan: &RunPlan,
    tell: &mut dyn FnMut(Progress),
    cancel: &AtomicBool,
) -> Result<Option<(Vec<Arc<Task>>, Vec<String>)>, String> {
    let total = plan.arms.len() * plan.seeds.len();
    let keep = total <= TASKS_KEPT;
    let next = AtomicUsize::new(0);
    let longest: Vec<AtomicUsize> = plan.arms.iter().map(|_| AtomicUsize::new(0)).collect();
    let kept: Mutex<Vec<(usize, Arc<Task>)>> = Mutex::new(Vec::new());
    let refused: Mutex<Option<(usize, String)>> = Mutex::new(None);
    std::thread::scope(|scope| {
        let (working, all_done) = channel::<()>();
        for _ in 0..threads(request.threads) {
            let working = working.clone();
            let (next, longest, kept, refused) = (&next, &longest, &kept, &refused);
            scope.spawn(move || {
                // Dropped when the thread is done: that is what the wait below ends with.
                let _working = working;
                {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= total || cancel.load(Ordering::Relaxed) || lock(refused).is_some() {
                            return;
                        }
                        // Seed after seed: the arms of one seed share most of their draws.
                        let (at, of_seed) = (index % plan.arms.len(), index / plan.arms.len());
                        let (arm, seed) = (plan.arms[at], plan.seeds[of_seed]);
                        let index = at * plan.seeds.len() + of_seed;
                        let task = planner.plan(arm, seed).map_err(|e| format!("{arm}, seed {seed}: {}", e.0));
                        match task.and_then(|task| request.player.check(&task).map(|()| task)) {
                            Ok(task) => {
                                longest[at].fetch_max(task.reference_calls.len() + 1, Ordering::Relaxed);
                                if keep {
                                    lock(kept).push((index, Arc::new(task)));
                                }
                            }
                            Err(why) => {
                                let mut first = lock(refused);
                                if first.as_ref().is_none_or(|(i, _)| index < *i) {
                                    *first = Some((index, why));
                                }
                            }
                        }
                    }
                }
            });
        }
        drop(working);
        while all_done.recv_timeout(TELL_EVERY) == Err(RecvTimeoutError::Timeout) {
            tell(Progress::Planning((next.load(Ordering::Relaxed)).min(total) as u64, total as u64));
        }
    });
    if let Some((_, why)) = lock(&refused).take() {
        return Err(why);
    }
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let over = |(arm, turns): (&Arm, &AtomicUsize)| {
        let turns = turns.load(Ordering::Relaxed);
        (turns > plan.max_turns).then(|| {
            format!("{arm}: its reference solution takes {turns} turns, more than the limit of {}", plan.max_turns)
        })
    };
    let notes = plan.arms.iter().zip(&longest).filter_map(over).collect();
    let mut kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    kept.sort_by_key(|(index, _)| *index);
    Ok(Some((kept.into_iter().map(|(_, task)| task).collect(), notes)))
}

fn threads(asked: usize) -> usize {
    if asked > 0 { asked } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A stretch of episodes of one task, played.
struct Chunk {
    first: u64,
    episodes: u64,
    traces: Vec<u8>,
    records: Vec<u8>,
}

/// Where the threads are in the plan.
struct Queue {
    /// The next episode nobody plays yet.
    next: u64,
    /// Every episode before this one is handed over for committing.
    handed: u64,
}

/// What the threads share.
struct Shared<'a> {
    ready: &'a Ready,
    queue: Mutex<Queue>,
    /// Told when the queue moved.
    moved: Condvar,
    stop: &'a AtomicBool,
    failed: AtomicBool,
    window: u64,
    model: Str,
}

impl Ready {
    /// The plan.
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// The run folder.
    pub fn out(&self) -> &Path {
        &self.request.out
    }

    /// The same in another folder.
    #[must_use]
    pub fn at(mut self, out: PathBuf) -> Self {
        self.request.out = out;
        self
    }

    /// Whether a folder holds this run, begun or finished.
    pub fn is_in(&self, folder: &Path) -> bool {
        RunFolder::at(folder).read_plan().is_ok_and(|plan| plan.hash() == self.plan.hash())
    }

    /// Plays what is not recorded yet. `at` is the time of day in UTC, to the second, for the record. The error is one line.
    pub fn run(&self, at: &str, tell: &mut dyn FnMut(Progress), cancel: &AtomicBool) -> Result<Finished, String> {
        let started = Instant::now();
        let folder = RunFolder::at(&self.request.out);
        let mut open = OpenFolder::open(&folder, &self.plan, &self.produced, at)?;
        let (total, kept) = (self.plan.episodes(), open.kept);
        let threads = threads(self.request.threads);
        let shared = Shared {
            ready: self,
            queue: Mutex::new(Queue { next: kept, handed: kept }),
            moved: Condvar::new(),
            stop: cancel,
            failed: AtomicBool::new(false),
            window: threads as u64 * WINDOW * CHUNK,
            model: self.plan.player.as_str().into(),
        };
        let mut recorded = kept;
        let result = std::thread::scope(|scope| {
            let (sender, chunks) = channel();
            for _ in 0..threads {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || shared.work(&sender));
            }
            drop(sender);
            let result = shared.commit(&chunks, &mut open, &mut recorded, started, tell);
            shared.failed.store(result.is_err(), Ordering::Relaxed);
            result
        });
        result.map_err(|e| format!("cannot write in {}: {e}", folder.path().display()))?;
        let took = started.elapsed();
        Ok(Finished { recorded, total, resumed_from: kept, took, cancelled: recorded < total })
    }

    fn task(&self, arm: Arm, seed: u64, index: u64) -> Result<Arc<Task>, String> {
        match self.tasks.get(index as usize) {
            Some(task) => Ok(task.clone()),
            None => self.planner.plan(arm, seed).map(Arc::new).map_err(|e| format!("{arm}, seed {seed}: {}", e.0)),
        }
    }
}

impl Shared<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// The next stretch to play, once it is near enough to what is handed over.
    fn take(&self) -> Option<(u64, u64)> {
        let (plan, total) = (&self.ready.plan, self.ready.plan.episodes());
        let mut queue = lock(&self.queue);
        while !self.stopped() && queue.next < total {
            if queue.next < queue.handed + self.window {
                let first = queue.next;
                let episodes = CHUNK.min(plan.attempts - first % plan.attempts);
                queue.next += episodes;
                return Some((first, episodes));
            }
            // A stop is not told here, so it is looked for now and then.
            queue = self.moved.wait_timeout(queue, TELL_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    fn work(&self, chunks: &Sender<Chunk>) {
        let plan = &self.ready.plan;
        while let Some((first, episodes)) = self.take() {
            let Some((arm, seed, _)) = plan.episode(first) else { return };
            // A task that was planned in the check is planned the same again.
            let Ok(task) = self.ready.task(arm, seed, first / plan.attempts) else { return };
            let arm_id: Str = arm.to_string().into();
            let engine = Engine::new(task);
            let mut chunk = Chunk { first, episodes, traces: Vec::new(), records: Vec::new() };
            for attempt in (first..first + episodes).map(|e| e % plan.attempts) {
                let task = engine.task();
                let episode = play(&engine, &self.ready.request.player, attempt, plan.max_turns);
                chunk.traces.extend_from_slice(trace_line(task, attempt, &episode).as_bytes());
                chunk.traces.push(b'\n');
                let record = record(task, attempt, &self.model, &arm_id, &episode);
                chunk.records.extend_from_slice(record.line().as_bytes());
                chunk.records.push(b'\n');
            }
            if chunks.send(chunk).is_err() {
                return;
            }
        }
    }

    /// Commits chunks in plan order until all have come or the threads stopped.
    fn commit(
        &self,
        chunks: &Receiver<Chunk>,
        open: &mut OpenFolder,
        recorded: &mut u64,
        started: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> std::io::Result<()> {
        let mut waiting: BTreeMap<u64, Chunk> = BTreeMap::new();
        let (mut traces, mut records, mut in_block) = (Vec::new(), Vec::new(), 0);
        let (mut committed, mut told) = (Instant::now(), Instant::now());
        let mut open_for_more = true;
        while open_for_more {
            match chunks.recv_timeout(TELL_EVERY) {
                Ok(chunk) => drop(waiting.insert(chunk.first, chunk)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => open_for_more = false,
            }
            while let Some(chunk) = waiting.remove(&(*recorded + in_block)) {
                traces.extend_from_slice(&chunk.traces);
                records.extend_from_slice(&chunk.records);
                in_block += chunk.episodes;
                lock(&self.queue).handed += chunk.episodes;
                self.moved.notify_all();
            }
            let due = !open_for_more || committed.elapsed() >= COMMIT_EVERY || traces.len() >= COMMIT_BYTES;
            if due && in_block > 0 {
                open.commit(&traces, &records)?;
                *recorded += in_block;
                (in_block, committed) = (0, Instant::now());
                traces.clear();
                records.clear();
            }
            if told.elapsed() >= TELL_EVERY || !open_for_more {
                told = Instant::now();
                tell(self.progress(*recorded + in_block, open.kept, started));
            }
        }
        Ok(())
    }

    fn progress(&self, done: u64, kept: u64, started: Instant) -> Progress {
        let total = self.ready.plan.episodes();
        let seconds = started.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { (done - kept) as f64 / seconds } else { 0.0 };
        let left = (rate > 0.0).then(|| Duration::from_secs_f64((total - done) as f64 / rate));
        Progress::Playing { done, total, rate, left }
    }
}
