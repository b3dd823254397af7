//! Holding: a call stopped before the engine sees it, or its answer before it leaves, until a person decides or the
//! caller's deadline comes near.
//!
//! Owns: the rules of an episode, the one call it holds, the deadline, and the record of each held call. Does not own the
//! queue (`turn`) or what a person sees (`tui`, `cli`).

mod deadline;
mod rule;
mod touch;

pub use deadline::{Deadline, parse_time};
pub use rule::{HoldRule, Stage};
pub use touch::{LetOut, Touch};

use super::episode::Watch;
use super::event::{Event, What};
use super::hub::lock;
use crate::engine::{Answer, Code, Made, Outcome, error_answer, success_answer};
use crate::schema;
use crate::task::{Call, Task};
use crate::value::{Str, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use touch::TouchFile;

/// What holds calls, and for how long.
#[derive(Debug, Clone, Default)]
pub struct HoldSettings {
    /// A call that one of them matches is held.
    pub rules: Vec<HoldRule>,
    /// Whether every call is held, whatever the rules say.
    pub everything: bool,
    /// After how long every caller is taken to give up; nothing for what is known of each.
    pub deadline: Option<Duration>,
}

/// A call that is held.
#[derive(Debug, Clone)]
pub struct Held {
    /// Its number, from 1.
    pub number: usize,
    /// Where it is held.
    pub stage: Stage,
    /// The call, and what the engine answers or would answer.
    pub made: Made,
    /// The rule that holds it.
    pub rule: String,
    /// Who called.
    pub caller: Option<String>,
    /// Since when it is held.
    pub since: Instant,
    /// When it arrived.
    pub arrived: Instant,
    /// When it is let go.
    pub lets_go: Instant,
    /// When its caller gives up.
    pub deadline: Deadline,
}

/// What a person decides on a held call.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Let it pass as it is.
    Release,
    /// Let it pass with these arguments (held at the call), or with this text as its answer (held at the answer).
    Edit(Value),
    /// Answer one of the six errors instead.
    Fail(Code),
    /// Answer this text instead.
    Say(String),
    /// Never answer.
    Drop,
}

/// What became of a held call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kept {
    /// It goes on, with these arguments or this answer where they were changed.
    On(Option<Value>),
    /// It is answered with this instead.
    Instead(Answer),
    /// It is never answered.
    Never,
    /// Its caller gave up.
    GivenUp,
}

/// Where progress notes of one call go: each beat is a count, from 1.
pub(super) type Beat = Arc<dyn Fn(u64) + Send + Sync>;

struct Current {
    held: Held,
    decide: oneshot::Sender<(Decision, &'static str)>,
}

#[derive(Default)]
struct Inner {
    settings: HoldSettings,
    current: Option<Current>,
    /// Calls that wait for their turn.
    waiting: usize,
    /// How many calls pass without being held: those that waited when all were released.
    passing: usize,
    /// After how long a client of a name gave up.
    gave_up: HashMap<String, Duration>,
}

/// Clients whose give-ups are remembered.
const MOST_CLIENTS: usize = 256;

/// What an episode holds.
pub struct Hold {
    inner: Mutex<Inner>,
    touches: Mutex<TouchFile>,
    task: Arc<Task>,
    episode: String,
    watch: Watch,
}

impl std::fmt::Debug for Hold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hold").field("episode", &self.episode).finish_non_exhaustive()
    }
}

impl Hold {
    pub(super) fn new(task: Arc<Task>, episode: &str, folder: &Path, watch: Watch) -> Self {
        let touches = Mutex::new(TouchFile::of(folder));
        Self { inner: Mutex::default(), touches, task, episode: episode.to_owned(), watch }
    }

    /// What holds calls now.
    pub fn settings(&self) -> HoldSettings {
        lock(&self.inner).settings.clone()
    }

    /// Changes what holds calls. A rule that names no tool of the task is refused, and nothing changes.
    pub fn set(&self, settings: HoldSettings) -> Result<(), String> {
        settings.rules.iter().try_for_each(|rule| rule.check(&self.task))?;
        lock(&self.inner).settings = settings;
        self.tell(What::Rules);
        Ok(())
    }

    /// Whether any call can be held.
    pub(super) fn is_on(&self) -> bool {
        let inner = lock(&self.inner);
        inner.settings.everything || !inner.settings.rules.is_empty()
    }

    /// The call that is held.
    pub fn held(&self) -> Option<Held> {
        lock(&self.inner).current.as_ref().map(|current| current.held.clone())
    }

    /// How many calls wait for their turn, the held one not counted.
    pub fn waiting(&self) -> usize {
        lock(&self.inner).waiting
    }

    /// Decides on the held call. `by` is `screen` or `script`. The error is one line.
    pub fn decide(&self, decision: Decision, by: &'static str) -> Result<(), String> {
        let mut inner = lock(&self.inner);
        let current = inner.current.take().ok_or("no call is held")?;
        current.decide.send((decision, by)).map_err(|_| "the call was let go just now".to_owned())
    }

    /// Releases the held call and those that wait behind it. Gives how many there are.
    pub fn release_all(&self, by: &'static str) -> usize {
        let mut inner = lock(&self.inner);
        let waiting = inner.waiting;
        let Some(current) = inner.current.take() else { return 0 };
        inner.passing = waiting;
        // One that was let go just now passes too.
        let _ = current.decide.send((Decision::Release, by));
        waiting + 1
    }

    /// What an edited answer breaks of the tool's output schema, with the place: `/id: must be text`.
    pub fn breaks(&self, tool: &str, text: &str) -> Option<String> {
        let schema = self.task.shown(tool)?.tool.output_schema.clone()?;
        let value = Value::parse_json(text).unwrap_or_else(|_| text.into());
        let broken = schema::check(&value, &schema).err()?;
        Some(format!("{}: {}", if broken.at.is_empty() { "the answer" } else { &broken.at }, broken.expected))
    }

    fn tell(&self, what: What) {
        (self.watch)(Event { episode: self.episode.clone(), what });
    }

    /// Writes a held call down.
    fn record(&self, touch: &Touch) {
        if let Err(why) = lock(&self.touches).push(touch) {
            self.tell(What::Refused { why });
        }
    }

    /// A call waits for its turn until the guard goes.
    pub(super) fn wait(&self) -> Waiting<'_> {
        lock(&self.inner).waiting += 1;
        Waiting(self)
    }

    /// Whether the call whose turn it is passes unheld, because all that waited were released.
    pub(super) fn passes(&self) -> bool {
        let mut inner = lock(&self.inner);
        let passes = inner.passing > 0;
        inner.passing = inner.passing.saturating_sub(1);
        passes
    }

    /// The rule that holds a call at a stage.
    pub(super) fn rule(&self, stage: Stage, call: &Call, outcome: &Outcome) -> Option<String> {
        let inner = lock(&self.inner);
        let found = inner
            .settings
            .rules
            .iter()
            .find(|rule| rule.holds(stage, &self.task, &call.tool, &call.arguments, outcome));
        let everything = inner.settings.everything && stage == Stage::Call;
        found.map(ToString::to_string).or_else(|| everything.then(|| "all".to_owned()))
    }

    /// When a caller gives up.
    pub(super) fn deadline(&self, config: Option<Duration>, caller: Option<&str>, http: bool) -> Deadline {
        let inner = lock(&self.inner);
        let seen = caller.and_then(|name| inner.gave_up.get(name).copied());
        Deadline::of(inner.settings.deadline, config, seen, caller, http)
    }

    /// Holds a call until something becomes of it; whatever it is, it is written down before this returns. When the caller
    /// goes away, this future is dropped, and that is written down too.
    pub(super) async fn keep(&self, held: Held, cancel: &CancellationToken, beat: Option<Beat>) -> Kept {
        let (decide, mut decided) = oneshot::channel();
        let guard = Keeping { hold: self, held: held.clone(), written: false };
        lock(&self.inner).current = Some(Current { held: held.clone(), decide });
        self.tell(What::Held {
            number: held.number,
            stage: held.stage,
            tool: held.made.call.tool.to_string(),
            rule: held.rule.clone(),
            lets_go_ms: held.lets_go.saturating_duration_since(held.since).as_millis() as u64,
        });
        let every = (held.deadline.after / 3).max(Duration::from_millis(100));
        let mut lets_go = held.lets_go;
        let mut beats = 0;
        let mut next_beat = Instant::now() + every;
        loop {
            let until = if beat.is_some() { lets_go.min(next_beat) } else { lets_go };
            tokio::select! {
                biased;
                decision = &mut decided => return match decision {
                    Ok((decision, by)) => guard.decided(decision, by),
                    Err(_) => guard.done(LetOut::Released, None, None, Kept::On(None)),
                },
                () = cancel.cancelled() => {
                    drop(guard);
                    return Kept::GivenUp;
                }
                () = tokio::time::sleep_until(until.into()) => {}
            }
            let now = Instant::now();
            if now >= lets_go {
                return guard.done(LetOut::LetGo, None, None, Kept::On(None));
            }
            if let Some(beat) = &beat
                && now >= next_beat
            {
                beats += 1;
                beat(beats);
                next_beat = now + every;
                if held.deadline.resets {
                    lets_go = now + held.deadline.lets_go_after();
                    if let Some(current) = &mut lock(&self.inner).current {
                        current.held.lets_go = lets_go;
                    }
                }
            }
        }
    }
}

/// A call that waits for its turn.
pub(super) struct Waiting<'a>(&'a Hold);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        lock(&self.0.inner).waiting -= 1;
    }
}

/// A held call, written down as given up unless something else becomes of it.
struct Keeping<'a> {
    hold: &'a Hold,
    held: Held,
    written: bool,
}

impl Keeping<'_> {
    fn decided(self, decision: Decision, by: &'static str) -> Kept {
        let by = Some(by);
        match decision {
            Decision::Release => self.done(LetOut::Released, by, None, Kept::On(None)),
            Decision::Edit(value) => self.done(LetOut::Edited, by, Some(value.clone()), Kept::On(Some(value))),
            Decision::Fail(code) => {
                let answer = error_answer(self.hold.task.format, code, &self.held.made.call.tool);
                self.done(LetOut::Answered, by, Some(Value::Str(answer.text.clone())), Kept::Instead(answer))
            }
            Decision::Say(text) => {
                let answer = self.said(&text);
                self.done(LetOut::Answered, by, Some(text.into()), Kept::Instead(answer))
            }
            Decision::Drop => self.done(LetOut::Dropped, by, None, Kept::Never),
        }
    }

    fn said(&self, text: &str) -> Answer {
        said(&self.hold.task, &self.held.made.call.tool, text)
    }

    fn done(mut self, outcome: LetOut, by: Option<&'static str>, after: Option<Value>, kept: Kept) -> Kept {
        self.write(outcome, by, after);
        kept
    }

    fn write(&mut self, outcome: LetOut, by: Option<&'static str>, after: Option<Value>) {
        self.written = true;
        let before = match self.held.stage {
            Stage::Call => self.held.made.call.arguments.clone(),
            Stage::Answer => Value::Str(self.held.made.outcome.answer.text.clone()),
        };
        self.hold.record(&Touch {
            call: self.held.number,
            stage: self.held.stage,
            by,
            rule: self.held.rule.clone(),
            held_ms: self.held.since.elapsed().as_millis() as u64,
            deadline_ms: self.held.deadline.after.as_millis() as u64,
            outcome,
            before,
            after,
        });
        lock(&self.hold.inner).current = None;
        self.hold.tell(What::Let { number: self.held.number, outcome });
    }
}

impl Drop for Keeping<'_> {
    fn drop(&mut self) {
        if self.written {
            return;
        }
        if let Some(caller) = self.held.caller.clone() {
            let mut inner = lock(&self.hold.inner);
            if inner.gave_up.len() < MOST_CLIENTS || inner.gave_up.contains_key(&caller) {
                inner.gave_up.insert(caller, self.held.arrived.elapsed());
            }
        }
        self.write(LetOut::GivenUp, None, None);
    }
}

/// An answer with a text that a person wrote, as the file's format tells a success.
pub(super) fn said(task: &Task, tool: &str, text: &str) -> Answer {
    let value = Value::parse_json(text).unwrap_or_else(|_| text.into());
    let has_schema = task.shown(tool).is_some_and(|shown| shown.tool.output_schema.is_some());
    success_answer(task.format, has_schema, value, Some(Str::from(text)))
}
