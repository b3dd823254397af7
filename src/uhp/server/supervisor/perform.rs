//! A play told into a task's log: paced, counted against its budgets, stopped at any point.

use super::super::app::App;
use super::super::mint;
use super::super::plain;
use super::super::stage::{Cue, Play, Scene};
use super::super::store::{Change, Table, event_key};
use super::super::world::{FileKind, FileRow, Task};
use super::Stop;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::event::{Beat, Step};
use crate::uhp::wire::file::File;
use crate::uhp::wire::response::Annotation;
use axum::body::Bytes;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How often a task without a pace lets others run, in events.
const BREATH: u32 = 16;

/// What a supervisor is given beside the task.
#[derive(Debug)]
pub(super) struct Part {
    /// What is asked of the stage.
    pub cue: Cue,
    /// Most calls.
    pub max_step: Option<u64>,
    /// Longest run that was asked for.
    pub budget: Option<Duration>,
    /// Where download addresses begin.
    pub address: String,
}

struct Teller<'a> {
    app: &'a Arc<App>,
    task: &'a Arc<Task>,
    started: Instant,
    budget: Option<Duration>,
    address: String,
    told: u32,
}

/// Performs a task to its end or to what stops it; an open item is closed either way.
pub(super) async fn perform(app: &Arc<App>, task: &Arc<Task>, part: Part) -> Result<(), Stop> {
    let mut teller = Teller { app, task, started: Instant::now(), budget: part.budget, address: part.address, told: 0 };
    let mut outcome = teller.play(part.cue, part.max_step).await;
    for beat in task.log.compose(|c| c.closers()) {
        if outcome.is_ok() {
            outcome = teller.pause().await;
        }
        teller.put(beat, outcome.is_ok(), false)?;
    }
    if outcome.is_ok() { teller.pause().await } else { outcome }
}

impl Teller<'_> {
    async fn play(&mut self, cue: Cue, max_step: Option<u64>) -> Result<(), Stop> {
        let stage = self.app.stage.clone();
        let opening = move || {
            if let Some(play) = plain::open(&cue) {
                return Ok((play, None));
            }
            stage.open(&cue).map(|(play, said)| (play, Some(said)))
        };
        let (mut play, said) = self.away(opening).await?.map_err(Stop::Failed)?;
        if let Some(said) = said {
            self.task.log.compose(|c| c.metadata().insert("rehearsal".into(), json!(said)));
            self.app.save_later(self.task, || Change::row(Table::Task, self.task.id.clone(), &self.task.row()));
        }
        // Told only now, so that a reader learns at the start which task is played.
        self.put(Beat::Begin, true, false)?;
        let mut calls = 0;
        loop {
            let next;
            (play, next) = self.away(move || next_scene(play)).await?;
            match next.map_err(Stop::Failed)? {
                None => return Ok(()),
                Some(Scene::Tell(step)) => {
                    if matches!(step, Step::Call { .. }) {
                        if max_step.is_some_and(|most| calls >= most) {
                            return Err(Stop::Budget("max_step"));
                        }
                        calls += 1;
                    }
                    for beat in self.task.log.compose(|c| c.beats(step)) {
                        self.tell(beat).await?;
                    }
                }
                Some(Scene::Write { name, bytes }) => {
                    let beat = self.write(name, bytes).unwrap_or_else(Beat::Warn);
                    self.tell(beat).await?;
                }
            }
        }
    }

    /// Does something that may take time on a thread made for that, unless the task is stopped first.
    async fn away<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Stop> {
        let work = tokio::task::spawn_blocking(work);
        tokio::select! {
            biased;
            stop = self.stopped() => Err(stop),
            done = work => done.map_err(|_| {
                Stop::Failed(Problem::new(Code::HarnessError, "The rehearsal failed at this task."))
            }),
        }
    }

    async fn tell(&mut self, beat: Beat) -> Result<(), Stop> {
        self.pause().await?;
        self.put(beat, true, true)
    }

    /// Tells a beat without waiting, and sends it to storage.
    fn put(&mut self, beat: Beat, whole: bool, bounded: bool) -> Result<(), Stop> {
        let limits = bounded.then_some(&self.app.config.limits);
        let (number, event) = self.task.log.tell(beat, whole, limits).map_err(|_| Stop::Budget("log_limit"))?;
        self.app.save_later(self.task, || {
            Change::Put(Table::Event, event_key(&self.task.id, number), event.as_bytes().to_vec())
        });
        Ok(())
    }

    /// Waits one pace, or says what stopped the task meanwhile.
    async fn pause(&mut self) -> Result<(), Stop> {
        let pace = self.app.config.pace;
        self.told = self.told.wrapping_add(1);
        if pace.is_zero() {
            if self.told.is_multiple_of(BREATH) {
                tokio::task::yield_now().await;
            }
            return self.stop_now().map_or(Ok(()), Err);
        }
        tokio::select! {
            biased;
            stop = self.stopped() => Err(stop),
            () = tokio::time::sleep(pace) => Ok(()),
        }
    }

    /// What stops the task now, if anything does.
    fn stop_now(&self) -> Option<Stop> {
        if self.task.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        if self.app.shutdown.is_cancelled() {
            return Some(shut_down());
        }
        let (most, reason) = self.deadline();
        (self.started.elapsed() >= most).then_some(Stop::Budget(reason))
    }

    /// Waits for what stops the task.
    async fn stopped(&self) -> Stop {
        let (most, reason) = self.deadline();
        tokio::select! {
            biased;
            () = self.task.cancel.cancelled() => Stop::Cancelled,
            () = self.app.shutdown.cancelled() => shut_down(),
            () = tokio::time::sleep_until(self.started + most) => Stop::Budget(reason),
        }
    }

    fn deadline(&self) -> (Duration, &'static str) {
        let most = self.app.config.limits.task_time;
        match self.budget {
            Some(budget) if budget <= most => (budget, "timeout_seconds"),
            _ => (most, "server_time_limit"),
        }
    }

    /// Writes a file into the session's folder and gives the annotation that names it; a file that cannot be kept is a
    /// warning, not the end.
    fn write(&self, filename: String, bytes: Vec<u8>) -> Result<Beat, Problem> {
        let limits = &self.app.config.limits;
        let mut world = self.app.world();
        let refused = |message: String| Problem::new(Code::HarnessError, message);
        if bytes.len() > limits.file_bytes {
            return Err(refused(format!("A file was not kept: it is larger than {} bytes.", limits.file_bytes)));
        }
        let Some(session) = world.sessions.get(&self.task.session_id) else {
            return Err(refused("A file was not kept: its session was deleted.".to_owned()));
        };
        if session.files.len() >= limits.session_files {
            return Err(refused(format!("A file was not kept: the session has {} already.", limits.session_files)));
        }
        let container_id = session.container_id.clone();
        let size = bytes.len();
        let file = File {
            id: mint::id("file_")?,
            object: "file".to_owned(),
            container_id: Some(container_id.clone()),
            filename,
            bytes: size as u64,
            created_at: mint::now(),
            purpose: None,
        };
        let annotation = self.annotation(&file, &container_id);
        let row = FileRow {
            owner: self.task.owner.clone(),
            order: world.order(),
            kind: FileKind::Artifact,
            bytes: Bytes::from(bytes),
            file,
        };
        let file_id = row.file.id.clone();
        let mut changes = world.add_file(row, limits);
        world.count_bytes(&self.task.session_id, size);
        if let Some(session) = world.sessions.get_mut(&self.task.session_id) {
            session.files.push(file_id);
            changes.push(Change::row(Table::Session, self.task.session_id.clone(), session));
        }
        drop(self.app.save(changes));
        Ok(Beat::Annotate(annotation))
    }

    /// The annotation of a file, at the place where the message names it.
    fn annotation(&self, file: &File, container_id: &str) -> Annotation {
        let said = file.filename.as_str();
        let text = self.task.log.compose(|c| c.response().text());
        let start = text.rfind(said).map_or(0, |at| text[..at].chars().count());
        let length = if text.contains(said) { said.chars().count() } else { 0 };
        Annotation {
            kind: "container_file_citation".to_owned(),
            container_id: container_id.to_owned(),
            file_id: file.id.clone(),
            filename: file.filename.clone(),
            download_url: format!("{}/v1/containers/{container_id}/files/{}/content", self.address, file.id),
            start_index: start,
            end_index: start + length,
        }
    }
}

fn next_scene(mut play: Box<dyn Play>) -> (Box<dyn Play>, Result<Option<Scene>, Problem>) {
    let scene = play.next();
    (play, scene)
}

fn shut_down() -> Stop {
    Stop::Failed(Problem::new(Code::HarnessError, "The server was stopped while this task was running."))
}
