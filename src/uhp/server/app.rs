//! The server's shared parts, how they are built, and how what was stored comes back.

use super::config::Config;
use super::mint;
use super::stage::{Base, Cast, Stage};
use super::store::{Change, Rows, Store, Table};
use super::supervisor::{Note, NoteKind};
use super::world::{FileRow, HarnessRow, KeyRow, SessionRow, Task, TaskRow, World};
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::event::Composer;
use crate::uhp::wire::harness::{Config as HarnessConfig, Harness};
use crate::uhp::wire::response::Status;
use axum::body::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, broadcast, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The server's shared parts.
pub struct App {
    /// What it was started with.
    pub config: Config,
    /// Where plays are performed.
    pub stage: Arc<dyn Stage>,
    /// Bases, the default first.
    pub bases: Vec<Base>,
    /// Players, the default first.
    pub cast: Vec<Cast>,
    /// Permits of open streams.
    pub streams: Arc<Semaphore>,
    /// Asks everything to stop.
    pub shutdown: CancellationToken,
    /// Tasks that run.
    pub tracker: TaskTracker,
    /// Says each task that begins.
    pub arrivals: broadcast::Sender<Arc<Task>>,
    world: Mutex<World>,
    store: Option<Store>,
    notes: Arc<dyn Fn(Note) + Send + Sync>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("config", &self.config).finish_non_exhaustive()
    }
}

/// Changes on their way into storage.
#[must_use = "an answer must not be given before what it says is safe"]
pub struct Saved(Option<oneshot::Receiver<bool>>);

impl Saved {
    /// Waits until the changes are safe.
    pub async fn safe(self) -> Result<(), Problem> {
        let Some(waiting) = self.0 else { return Ok(()) };
        if waiting.await == Ok(true) {
            return Ok(());
        }
        Err(Problem::new(Code::Internal, "The server could not store this."))
    }
}

impl App {
    /// Builds the server, reads back what is stored, and sees that each principal has a harness for each base.
    /// `notes` gets what happens, line by line; no note holds a key.
    pub fn new(
        config: Config,
        stage: Arc<dyn Stage>,
        notes: impl Fn(Note) + Send + Sync + 'static,
    ) -> Result<Arc<App>, String> {
        let (bases, cast) = (stage.bases(), stage.cast());
        if bases.is_empty() || cast.is_empty() {
            return Err("there is nothing to serve: no tool file could be planned on".to_owned());
        }
        let notes: Arc<dyn Fn(Note) + Send + Sync> = Arc::new(notes);
        let (store, rows) = match &config.state {
            None => (None, Rows::new()),
            Some(folder) => {
                let of_store = notes.clone();
                let fault = move |text| of_store(Note { kind: NoteKind::Fault, text });
                let (store, rows) = Store::open(folder, fault)?;
                (Some(store), rows)
            }
        };
        let app = App {
            streams: Arc::new(Semaphore::new(config.limits.streams)),
            shutdown: CancellationToken::new(),
            tracker: TaskTracker::new(),
            arrivals: broadcast::Sender::new(1_024),
            world: Mutex::new(World::default()),
            notes,
            store,
            stage,
            bases,
            cast,
            config,
        };
        app.restore(rows)?;
        app.first_harnesses();
        Ok(Arc::new(app))
    }

    /// The world, locked. Never held over an await.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends changes to storage; call it while the world they were made in is still locked.
    pub fn save(&self, changes: Vec<Change>) -> Saved {
        Saved(self.store.as_ref().filter(|_| !changes.is_empty()).map(|s| s.send(changes)))
    }

    /// Sends a change of a task that nobody waits for. `make` is only called when there is storage and the task has not been
    /// forgotten meanwhile: what was deleted must not come back at the next start.
    pub fn save_later(&self, task: &Task, make: impl FnOnce() -> Change) {
        if let Some(store) = &self.store {
            let world = self.world();
            if world.tasks.contains_key(&task.id) {
                store.note(make());
            }
        }
    }

    /// Tells what happens.
    pub fn note(&self, kind: NoteKind, text: impl Into<String>) {
        (self.notes)(Note { kind, text: text.into() });
    }

    /// The label of a base; a base whose file is not served now is shown by its id.
    pub fn base_label<'a>(&'a self, base: &'a str) -> &'a str {
        self.bases.iter().find(|b| b.id == base).map_or(base, |b| &b.label)
    }

    /// The id of the default player.
    pub fn default_model(&self) -> &str {
        self.cast.first().map_or("", |c| &c.id)
    }

    /// Whether a base can be played now.
    pub fn has_base(&self, base: &str) -> bool {
        self.bases.iter().any(|b| b.id == base)
    }

    fn first_harnesses(&self) {
        let mut world = self.world();
        let mut changes = Vec::new();
        for principal in &self.config.principals {
            for base in &self.bases {
                let id = mint::first_harness(&principal.name, &base.id);
                if world.harnesses.contains_key(&id) {
                    continue;
                }
                let mut config = HarnessConfig::of_base(&base.id);
                config.name = base.id.rsplit('/').next().map(str::to_owned);
                let harness = Harness { id: id.clone(), created_at_ms: mint::now_ms(), config };
                let row = HarnessRow { owner: principal.name.clone(), order: world.order(), harness };
                changes.push(Change::row(Table::Harness, id.clone(), &row));
                world.harnesses.insert(id, row);
            }
        }
        // Nobody asks for these before the next start makes them again.
        drop(self.save(changes));
    }

    fn restore(&self, mut rows: Rows) -> Result<(), String> {
        let mut take = |table| rows.remove(&table).unwrap_or_default();
        let mut world = self.world();
        for (id, bytes) in take(Table::Harness) {
            let row: HarnessRow = parse(&id, &bytes)?;
            world.order_from(row.order);
            world.harnesses.insert(id, row);
        }
        let mut blobs: HashMap<String, Vec<u8>> = take(Table::Blob).into_iter().collect();
        for (id, bytes) in take(Table::File) {
            let mut row: FileRow = parse(&id, &bytes)?;
            row.bytes = Bytes::from(blobs.remove(&id).unwrap_or_default());
            world.restore_file(row);
        }
        for (id, bytes) in take(Table::Session) {
            world.add_session(parse::<SessionRow>(&id, &bytes)?);
        }
        let mut events: HashMap<String, Vec<Arc<str>>> = HashMap::new();
        for (key, bytes) in take(Table::Event) {
            let id = key.split('/').next().unwrap_or_default();
            events.entry(id.to_owned()).or_default().push(Arc::from(String::from_utf8_lossy(&bytes)));
        }
        let mut changes = Vec::new();
        for (id, bytes) in take(Table::Task) {
            let row: TaskRow = parse(&id, &bytes)?;
            let (task, more) = restore_task(&id, row, events.remove(&id).unwrap_or_default());
            if let Some(session) = world.sessions.get_mut(&task.session_id).filter(|_| !more.is_empty()) {
                task.log.response().status.word().clone_into(&mut session.session.status);
                changes.push(Change::row(Table::Session, task.session_id.clone(), session));
            }
            changes.extend(more);
            let unkept = (!task.store && !task.keyed).then(|| task.id.clone());
            world.add_task(Arc::new(task));
            changes.extend(unkept.map(|id| world.drop_unkept(&id)).into_iter().flatten());
        }
        changes.extend(world.settle_all());
        // What belongs to nothing any more: the server ended between the two.
        changes.extend(events.into_keys().map(|id| Change::RemoveAll(Table::Event, format!("{id}/"))));
        changes.extend(blobs.into_keys().map(|id| Change::Remove(Table::Blob, id)));
        let mut keys: Vec<_> = Vec::new();
        for (name, bytes) in take(Table::Key) {
            let row: KeyRow = parse(&name, &bytes)?;
            let (owner, key) = name.split_once('\n').unwrap_or(("", &name));
            keys.push((Arc::from(owner), key.to_owned(), row));
        }
        keys.sort_by_key(|(_, _, row)| row.at_ms);
        for (owner, key, row) in keys {
            changes.extend(world.add_key(owner, key, row, &self.config.limits));
        }
        changes.extend(world.trim(&self.config.limits));
        drop(self.save(changes));
        Ok(())
    }
}

fn parse<T: serde::de::DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|e| format!("the state folder holds a row that cannot be read ({key}): {e}"))
}

/// A task read back. One that was running when the server stopped is closed as failed, its output so far kept.
fn restore_task(id: &str, row: TaskRow, mut events: Vec<Arc<str>>) -> (Task, Vec<Change>) {
    let mut changes = Vec::new();
    let mut response = row.response;
    if !response.status.is_final() {
        let mut composer = Composer::replay(response, &events);
        let mut told: Vec<String> = Vec::new();
        for beat in composer.closers() {
            told.push(composer.apply(beat, false));
        }
        let problem = Problem::new(Code::HarnessError, "The server stopped while this task was running.");
        told.push(composer.finish(Status::Failed, Some(problem.body()), None));
        response = composer.response().clone();
        for event in told {
            changes.push(Change::Put(
                Table::Event,
                super::store::event_key(id, events.len()),
                event.clone().into_bytes(),
            ));
            events.push(Arc::from(event));
        }
    }
    let task = Task {
        id: id.to_owned(),
        owner: row.owner,
        session_id: row.session_id,
        harness_id: row.harness_id,
        user: row.user,
        raw_input: row.raw_input,
        store: row.store,
        keyed: row.keyed,
        log: super::log::Log::restored(response, events),
        cancel: CancellationToken::new(),
    };
    if !changes.is_empty() {
        changes.push(Change::row(Table::Task, id, &task.row()));
    }
    (task, changes)
}
