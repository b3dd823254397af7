//! A server of the Unified Harness Protocol as the screens follow it: what it offers, a task as it runs, what it keeps.
//!
//! Each [`Ask`] is answered by one or more [`Told`]s. The work waits for the network, so it runs on a thread of its own
//! with an event loop of its own; a screen that is slow to take what comes makes the reading wait, not the memory grow.

use super::{Control, OpenRequest, Origin};
use crate::settings::{self, Config, Flags};
use crate::text;
use crate::uhp::client::events::is_final;
use crate::uhp::client::{Client, Heard, TaskInput};
use crate::uhp::wire::Json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

/// How long events are gathered before they are sent together.
const GATHER: Duration = Duration::from_millis(25);

/// How often a wait looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// Most events told together.
const MOST_TOGETHER: usize = 256;

/// Most batches told and not taken yet.
const MOST_AHEAD: usize = 8;

/// How often a running response is read again where its events cannot be read.
const AGAIN: Duration = Duration::from_secs(1);

/// Most harnesses, models, sessions or turns that are listed.
const MOST_LISTED: usize = 1_000;

/// What is asked of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// What it is and which harnesses it has.
    Offer,
    /// The models of a harness.
    Models(String),
    /// Runs a task and tells its events.
    Run(Box<TaskInput>),
    /// Asks a task to stop.
    Stop(String),
    /// The latest sessions.
    Sessions,
    /// The turns of a session.
    Turns(String),
    /// A stored response; one that runs is read again until it has ended.
    Read(String),
}

/// What a server said.
#[derive(Debug, Clone)]
pub enum Told {
    /// What it is and which harnesses it has.
    Offer(Box<Offer>),
    /// The models of a harness.
    Models(String, Vec<OfferedModel>),
    /// What a stream gave, in order.
    Heard(Batch),
    /// The stream is over.
    Over,
    /// The response of a task that was asked to stop.
    Stopped(Box<Json>),
    /// The latest sessions, newest first.
    Sessions(Vec<Listed>),
    /// The turns of a session, oldest first.
    Turns(Vec<Listed>),
    /// A response read.
    Read(Box<Json>),
    /// It could not be done: why, in a line.
    Failed(String),
}

/// What a stream gave since the last time.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// In order.
    pub heard: Vec<Heard>,
    /// Held until the batch is taken, which limits how many wait.
    _ticket: Option<Arc<OwnedSemaphorePermit>>,
}

/// Limits how many batches wait.
#[derive(Debug, Clone)]
pub(super) struct Gate(Arc<Semaphore>);

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST_AHEAD)))
    }
}

impl Gate {
    /// A batch, once it may be told.
    pub(super) async fn pass(&self, heard: Vec<Heard>) -> Batch {
        Batch { heard, _ticket: self.0.clone().acquire_owned().await.ok().map(Arc::new) }
    }
}

impl Batch {
    /// A batch that nobody waits for.
    pub fn of(heard: Vec<Heard>) -> Self {
        Self { heard, _ticket: None }
    }
}

/// What a server is and has.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// Its name and version.
    pub name: String,
    /// `core`, `extended` or `full`.
    pub class: String,
    /// The version spoken with it.
    pub version: String,
    /// What it can do and what it cannot.
    pub capabilities: Vec<(String, bool)>,
    /// Its harnesses, the default first.
    pub harnesses: Vec<OfferedHarness>,
}

/// A harness.
#[derive(Debug, Clone, Default)]
pub struct OfferedHarness {
    /// `chrn_...`
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is made on.
    pub base: String,
    /// Its model when a task names none.
    pub default_model: String,
    /// The tool file it names, when that lies in the present folder: how to open it.
    pub tools: Option<Box<OpenRequest>>,
}

/// A model of a harness.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OfferedModel {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Whether it can be run now.
    pub available: bool,
    /// Whether it is the harness's own.
    pub default: bool,
}

/// Most sessions listed.
const MOST_SESSIONS: usize = 1_000;

/// A session or a turn in a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// What was asked.
    pub title: String,
    /// Where it stands.
    pub status: String,
}

/// Does what is asked and tells what comes of it, until it is done or cancelled.
pub fn perform(client: &Client, ask: Ask, control: &Control, tell: &dyn Fn(Told)) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return tell(Told::Failed(format!("cannot start: {error}"))),
    };
    let done = runtime.block_on(async {
        tokio::select! {
            biased;
            done = answer(client, ask, control, tell) => done,
            () = cancelled(control) => Ok(()),
        }
    });
    if let Err(why) = done {
        tell(Told::Failed(why));
    }
}

async fn cancelled(control: &Control) {
    while !control.is_cancelled() {
        tokio::time::sleep(LOOK).await;
    }
}

async fn answer(client: &Client, ask: Ask, control: &Control, tell: &dyn Fn(Told)) -> Result<(), String> {
    let get = async |parts: &[&str], query: &[(&str, &str)]| client.get(parts, query).await.map_err(|e| e.to_string());
    match ask {
        Ask::Offer => {
            let document = client.discover().await.map_err(|e| e.to_string())?;
            let harnesses = get(&["v1", "harnesses"], &[]).await?;
            tell(Told::Offer(Box::new(offer(&document, &harnesses, client.version()))));
        }
        Ask::Models(id) => {
            let body = get(&["v1", "harnesses", &id, "models"], &[]).await?;
            tell(Told::Models(id, list(&body, "models").map(model).collect()));
        }
        Ask::Run(input) => follow(client, *input, tell).await?,
        Ask::Stop(id) => tell(Told::Stopped(Box::new(client.cancel(&id).await.map_err(|e| e.to_string())?))),
        Ask::Sessions => {
            let (mut sessions, mut cursor) = (Vec::new(), None::<String>);
            loop {
                let mut query = vec![("limit", "100")];
                query.extend(cursor.iter().map(|cursor| ("cursor", cursor.as_str())));
                let body = get(&["v1", "sessions"], &query).await?;
                let before = sessions.len();
                sessions.extend(list(&body, "sessions").map(|s| listed(s, "title")));
                cursor = body.get("next_cursor").and_then(Json::as_str).map(str::to_owned);
                // A server that names a next page of nothing would never end.
                if cursor.is_none() || sessions.len() == before || sessions.len() >= MOST_SESSIONS {
                    break;
                }
            }
            tell(Told::Sessions(sessions));
        }
        Ask::Turns(id) => {
            let body = get(&["v1", "sessions", &id, "turns"], &[]).await?;
            tell(Told::Turns(list(&body, "turns").map(|t| listed(t, "user")).collect()));
        }
        Ask::Read(id) => loop {
            let response = client.response(&id).await.map_err(|e| e.to_string())?;
            let is_over = response.get("status").and_then(Json::as_str).is_none_or(is_final);
            tell(Told::Read(Box::new(response)));
            if is_over || control.is_cancelled() {
                break;
            }
            tokio::time::sleep(AGAIN).await;
        },
    }
    Ok(())
}

/// Runs a task and tells what its stream gives, gathered for a moment.
async fn follow(client: &Client, input: TaskInput, tell: &dyn Fn(Told)) -> Result<(), String> {
    let mut events = client.stream(&input).await.map_err(|e| e.to_string())?;
    let (sender, mut receiver) = mpsc::channel(MOST_TOGETHER);
    // On a task of its own: reading must not be broken off in the middle of taking a stream up again.
    let reading = tokio::spawn(async move {
        while let Some(heard) = events.next().await {
            if sender.send(heard).await.is_err() {
                return;
            }
        }
    });
    let gate = Gate::default();
    let mut trouble = None;
    while let Some(first) = receiver.recv().await {
        let due = Instant::now() + GATHER;
        let mut batch = Vec::new();
        let mut next = Some(first);
        while let Some(heard) = next {
            match heard {
                Ok(heard) => batch.push(heard),
                Err(error) => trouble = Some(error.to_string()),
            }
            if batch.len() >= MOST_TOGETHER {
                break;
            }
            next = timeout_at(due, receiver.recv()).await.ok().flatten();
        }
        tell(Told::Heard(gate.pass(batch).await));
    }
    drop(reading.await);
    match trouble {
        Some(why) => Err(why),
        None => {
            tell(Told::Over);
            Ok(())
        }
    }
}

fn word(body: &Json, key: &str) -> String {
    body.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn list<'a>(body: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    body.get(key).and_then(Json::as_array).into_iter().flatten().take(MOST_LISTED)
}

fn listed(body: &Json, title: &str) -> Listed {
    let title = word(body, title);
    let line = title.lines().next().unwrap_or_default();
    Listed { id: word(body, "id"), title: text::cut(line, 200).into_owned(), status: word(body, "status") }
}

fn model(body: &Json) -> OfferedModel {
    let flag = |key: &str| body.get(key) == Some(&Json::Bool(true));
    OfferedModel {
        id: word(body, "id"),
        label: word(body, "label"),
        available: flag("available"),
        default: flag("default"),
    }
}

fn offer(document: &Json, harnesses: &Json, version: &str) -> Offer {
    let made = document.get("implementation").cloned().unwrap_or_default();
    let capabilities = document.get("capabilities").and_then(Json::as_object).into_iter().flatten();
    let harness = |body: &Json| {
        let base = word(body, "base");
        OfferedHarness {
            id: word(body, "id"),
            name: word(body, "name"),
            default_model: word(body, "defaultModel"),
            tools: lying_here(&base).map(|path| Box::new(open_request(path))),
            base,
        }
    };
    Offer {
        name: format!("{} {}", word(&made, "name"), word(&made, "version")).trim().to_owned(),
        class: word(document, "conformance_class"),
        version: version.to_owned(),
        capabilities: capabilities.take(MOST_LISTED).map(|(k, v)| (k.clone(), *v == Json::Bool(true))).collect(),
        harnesses: list(harnesses, "harnesses").map(harness).collect(),
    }
}

/// The tool file that a base of a rehearsal server names, when one lies in the present folder. A name that leads out of
/// it names none.
fn lying_here(base: &str) -> Option<PathBuf> {
    let stem = base.strip_prefix("rehearsal/")?;
    if stem.is_empty() || stem.starts_with('.') || stem.contains(['/', '\\', ':', '\0']) {
        return None;
    }
    ["json", "yaml", "yml"].iter().map(|ending| PathBuf::from(format!("{stem}.{ending}"))).find(|path| path.is_file())
}

/// How a tool file that lies here is opened: with the settings beside it.
fn open_request(path: PathBuf) -> OpenRequest {
    let config = settings::find_config(Some(&path), None).unwrap_or(Config::Absent);
    let resolved = settings::resolve(Some(&path), &config, &Flags::default());
    OpenRequest { origin: Origin::File(path), read: resolved.read_options(), plan: resolved.plan_settings() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_server_says_is_read_whatever_it_is() {
        let document = json!({"conformance_class": "core", "capabilities": {"streaming": true, "x": "yes"},
            "implementation": {"name": "n", "version": "1"}});
        let offered = offer(&document, &json!({"harnesses": [{"id": "chrn_1", "base": 3}, 7]}), "2026-09-12");
        assert_eq!((offered.name.as_str(), offered.class.as_str()), ("n 1", "core"));
        assert_eq!(offered.capabilities, [("streaming".to_owned(), true), ("x".to_owned(), false)]);
        assert_eq!(offered.harnesses.len(), 2);
        assert_eq!(offered.harnesses[0].id, "chrn_1");
        assert!(offer(&json!(null), &json!([]), "").harnesses.is_empty());
        assert_eq!(listed(&json!({"id": "a", "title": "x\ny", "status": 3}), "title").title, "x");
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for base in
            ["rehearsal/../Cargo", "rehearsal//etc/passwd", "rehearsal/", "rehearsal/.x", "Cargo", "rehearsal/a\\b"]
        {
            assert_eq!(lying_here(base), None, "{base}");
        }
    }
}
