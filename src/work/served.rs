//! Our own server as a screen follows it: the tasks it runs, and any of them event by event. Only logs are read: nothing
//! here reaches a task.

use super::Control;
use super::remote::{Gate, Told};
use crate::uhp::client::Heard;
use crate::uhp::server::{App, Task};
use crate::uhp::wire::{Fields, Json};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;

/// How often running tasks are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How often the rest is looked at while nothing runs.
const REST: Duration = Duration::from_millis(500);

/// Most events read from one log at once.
const AT_ONCE: usize = 256;

/// A server that runs in this process.
#[derive(Debug, Clone)]
pub struct Serving {
    /// The server.
    pub app: Arc<App>,
    /// Its faults, a line each.
    pub faults: Arc<Mutex<Receiver<String>>>,
}

/// A task in the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedTask {
    /// The response's id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// Whose it is.
    pub owner: String,
    /// The base it runs on, once that is known.
    pub base: String,
    /// Who plays.
    pub player: String,
    /// What was asked.
    pub asked: String,
    /// The planned task, `faults:f2 seed 0`; nothing for a plain one.
    pub planned: Option<String>,
    /// Calls so far.
    pub calls: usize,
    /// Where it stands.
    pub status: String,
    /// The verdict in its last message.
    pub verdict: Option<String>,
}

/// What changed since the last time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// Tasks that are new or have changed, each as it stands now.
    pub tasks: Vec<ServedTask>,
    /// Faults of the server.
    pub faults: Vec<String>,
}

struct Watched {
    task: Arc<Task>,
    next: usize,
    row: ServedTask,
}

impl Watched {
    fn new(app: &App, task: Arc<Task>) -> Self {
        let base = app.world().harnesses.get(&task.harness_id).map(|row| row.harness.config.base.clone());
        let row = ServedTask {
            id: task.id.clone(),
            session: task.session_id.clone(),
            owner: task.owner.to_string(),
            base: base.unwrap_or_default(),
            asked: crate::text::cut(task.user.trim().lines().next().unwrap_or_default(), 200).into_owned(),
            status: "in_progress".to_owned(),
            ..ServedTask::default()
        };
        Self { task, next: 0, row }
    }

    /// Reads on; says whether anything changed and whether the task has ended.
    fn read(&mut self) -> (bool, bool) {
        let before = self.row.clone();
        loop {
            let (events, ended) = self.task.log.read(self.next, AT_ONCE);
            self.next += events.len();
            for event in &events {
                if let Ok(event) = serde_json::from_str::<Json>(event) {
                    self.row.take(&event);
                }
            }
            if ended || events.len() < AT_ONCE {
                return (self.row != before, ended);
            }
        }
    }
}

impl ServedTask {
    fn take(&mut self, event: &Json) {
        if event["type"] == "response.output_item.added" && event["item"]["type"] == "function_call" {
            self.calls += 1;
        }
        let Some(response) = event.get("response") else { return };
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        self.player = text(&response["model"]);
        self.status = text(&response["status"]);
        let about = &response["metadata"]["rehearsal"];
        if let (Some(arm), Some(seed)) = (about["arm"].as_str(), about["seed"].as_u64()) {
            self.planned = Some(format!("{arm} seed {seed}"));
        }
        let items = response["output"].as_array().into_iter().flatten().rev();
        let said = items.filter(|i| i["type"] == "message").find_map(|i| i["content"][0]["text"].as_str());
        self.verdict = said.and_then(|said| said.lines().find_map(|l| l.strip_prefix("Verdict: "))).map(str::to_owned);
    }
}

/// Tells the tasks that begin, how they come along and how they end, until cancelled or the server stops.
pub fn watch(serving: &Serving, control: &Control, tell: &dyn Fn(Seen)) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    let mut arrivals = serving.app.arrivals.subscribe();
    let mut running: Vec<Watched> = Vec::new();
    while !control.is_cancelled() {
        let wait = if running.is_empty() { REST } else { LOOK };
        let arrived = runtime.block_on(async { tokio::time::timeout(wait, arrivals.recv()).await });
        let mut seen = Seen::default();
        match arrived {
            Ok(Ok(task)) => running.push(Watched::new(&serving.app, task)),
            Ok(Err(RecvError::Closed)) => return,
            Ok(Err(RecvError::Lagged(n))) => seen.faults.push(format!("{n} tasks began too fast to be listed")),
            Err(_) => {}
        }
        while let Ok(task) = arrivals.try_recv() {
            running.push(Watched::new(&serving.app, task));
        }
        running.retain_mut(|watched| {
            let fresh = watched.next == 0;
            let (changed, ended) = watched.read();
            if changed || fresh {
                seen.tasks.push(watched.row.clone());
            }
            !ended
        });
        let faults = serving.faults.lock().unwrap_or_else(PoisonError::into_inner);
        seen.faults.extend(faults.try_iter());
        drop(faults);
        if seen != Seen::default() {
            tell(seen);
        }
    }
}

/// Tells the events of one task from its first on, as a stream would.
pub fn follow(serving: &Serving, id: &str, control: &Control, tell: &dyn Fn(Told)) {
    let task = serving.app.world().tasks.get(id).cloned();
    let Some(task) = task else { return tell(Told::Failed("the server no longer keeps this task".to_owned())) };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    runtime.block_on(async {
        let gate = Gate::default();
        let (mut head, mut next) = (task.log.watch(), 0);
        while !control.is_cancelled() {
            head.borrow_and_update();
            let (events, ended) = task.log.read(next, AT_ONCE);
            next += events.len();
            let heard: Vec<Heard> =
                events.iter().filter_map(|e| serde_json::from_str::<Fields>(e).ok()).map(Heard::Event).collect();
            if !heard.is_empty() {
                tell(Told::Heard(gate.pass(heard).await));
            }
            if ended {
                return tell(Told::Over);
            }
            if events.len() < AT_ONCE {
                // A log whose task is gone changes no more; then the wait ends by itself.
                let _ = tokio::time::timeout(LOOK, head.changed()).await;
            }
        }
    });
}
