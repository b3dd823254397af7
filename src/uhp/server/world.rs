//! Everything the server knows, under one lock: harnesses, sessions, tasks, files, keys. Whatever must be atomic is
//! one call here; nothing in this file waits.

use super::config::Limits;
use super::log::Log;
use super::store::{Change, Table};
use crate::uhp::wire::Json;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::file::File;
use crate::uhp::wire::harness::Harness;
use crate::uhp::wire::response::Status;
use crate::uhp::wire::session::Session;
use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Most ended sessions remembered as expired.
const MOST_EXPIRED: usize = 20_000;

/// One task: who asked, what, and its log. Shared by the supervisor and every reader.
#[derive(Debug)]
pub struct Task {
    /// `resp_...`
    pub id: String,
    /// The principal it belongs to.
    pub owner: Arc<str>,
    /// Its session.
    pub session_id: String,
    /// Its harness.
    pub harness_id: String,
    /// The text of its input.
    pub user: String,
    /// The input as sent.
    pub raw_input: Json,
    /// Whether it is kept for reading.
    pub store: bool,
    /// Whether it began under an idempotency key, which may ask for it again.
    pub keyed: bool,
    /// Its events and its response.
    pub log: Log,
    /// Asks it to stop.
    pub cancel: CancellationToken,
}

/// A task as stored; its events are stored beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct TaskRow {
    pub owner: Arc<str>,
    pub session_id: String,
    pub harness_id: String,
    pub user: String,
    pub raw_input: Json,
    pub store: bool,
    pub keyed: bool,
    pub response: crate::uhp::wire::response::Response,
}

impl Task {
    /// The row to store.
    pub fn row(&self) -> TaskRow {
        TaskRow {
            owner: self.owner.clone(),
            session_id: self.session_id.clone(),
            harness_id: self.harness_id.clone(),
            user: self.user.clone(),
            raw_input: self.raw_input.clone(),
            store: self.store,
            keyed: self.keyed,
            response: self.log.response(),
        }
    }
}

/// A harness with its owner and its place in the order of making.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HarnessRow {
    pub owner: Arc<str>,
    pub order: u64,
    pub harness: Harness,
}

/// A session's share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub token: String,
    pub enabled: bool,
}

/// A session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionRow {
    pub owner: Arc<str>,
    /// Place in the order of making; listings and cursors go by it.
    pub order: u64,
    /// When it was last used, as a place in one order with all others.
    pub touched: u64,
    pub session: Session,
    pub container_id: String,
    /// Response ids, oldest first.
    pub turns: Vec<String>,
    /// How many tasks it has had, those not kept included.
    pub turn_count: usize,
    /// Ids of artifacts, oldest first.
    pub files: Vec<String>,
    /// Ids of files that came with inputs, oldest first.
    pub attached: Vec<String>,
    pub share: Option<Share>,
    /// Bytes of its tasks and files.
    pub bytes: usize,
    /// The task that runs now, whether or not its response was deleted meanwhile.
    #[serde(skip)]
    pub running: Option<Arc<Task>>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileKind {
    /// Uploaded by itself.
    Upload,
    /// Written by a task.
    Artifact,
    /// Came with an input.
    Attached,
}

/// A file and its bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileRow {
    pub owner: Arc<str>,
    pub order: u64,
    pub kind: FileKind,
    pub file: File,
    #[serde(skip)]
    pub bytes: Bytes,
}

/// An idempotency key's first response.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeyRow {
    pub response_id: String,
    pub at_ms: u64,
}

/// Where a response id leads.
#[derive(Debug, Clone)]
struct Link {
    owner: Arc<str>,
    session_id: String,
}

/// Everything the server knows.
#[derive(Debug, Default)]
pub struct World {
    pub harnesses: HashMap<String, HarnessRow>,
    pub sessions: HashMap<String, SessionRow>,
    pub tasks: HashMap<String, Arc<Task>>,
    pub files: HashMap<String, FileRow>,
    pub keys: HashMap<(Arc<str>, String), KeyRow>,
    pub shares: HashMap<String, String>,
    links: HashMap<String, Link>,
    key_order: VecDeque<(u64, (Arc<str>, String))>,
    expired: HashSet<(Arc<str>, String)>,
    expired_order: VecDeque<(Arc<str>, String)>,
    upload_bytes: HashMap<Arc<str>, usize>,
    kept_bytes: usize,
    /// Tasks that run now.
    pub running: usize,
    next_order: u64,
}

fn missing(code: Code) -> Problem {
    let what = match code {
        Code::HarnessNotFound => "harness",
        Code::ResponseNotFound => "response",
        Code::SessionNotFound => "session",
        _ => "file",
    };
    Problem::new(code, format!("There is no such {what}."))
}

impl World {
    /// The next place in the order of making.
    pub fn order(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order
    }

    /// Orders begin behind those read back.
    pub fn order_from(&mut self, seen: u64) {
        self.next_order = self.next_order.max(seen);
    }

    /// A principal's harness.
    pub fn harness(&self, owner: &str, id: &str) -> Result<&HarnessRow, Problem> {
        self.harnesses.get(id).filter(|h| &*h.owner == owner).ok_or_else(|| missing(Code::HarnessNotFound))
    }

    /// A principal's harnesses, oldest first.
    pub fn harnesses_of(&self, owner: &str) -> Vec<&HarnessRow> {
        let mut list: Vec<_> = self.harnesses.values().filter(|h| &*h.owner == owner).collect();
        list.sort_unstable_by_key(|h| h.order);
        list
    }

    /// A principal's session.
    pub fn session(&self, owner: &str, id: &str) -> Result<&SessionRow, Problem> {
        self.sessions.get(id).filter(|s| &*s.owner == owner).ok_or_else(|| missing(Code::SessionNotFound))
    }

    /// A principal's session, to change it.
    pub fn session_mut(&mut self, owner: &str, id: &str) -> Result<&mut SessionRow, Problem> {
        self.sessions.get_mut(id).filter(|s| &*s.owner == owner).ok_or_else(|| missing(Code::SessionNotFound))
    }

    /// A principal's response that can be read: one that is kept, or one that still runs.
    pub fn task(&self, owner: &str, id: &str) -> Result<&Arc<Task>, Problem> {
        let readable = |t: &&Arc<Task>| &*t.owner == owner && (t.store || !t.log.is_done());
        self.tasks.get(id).filter(readable).ok_or_else(|| missing(Code::ResponseNotFound))
    }

    /// The session that a response belongs to, kept or not: what a continuation continues.
    pub fn session_of(&self, owner: &Arc<str>, response_id: &str) -> Result<&SessionRow, Problem> {
        let link = self.links.get(response_id).filter(|l| l.owner == *owner);
        if let Some(row) = link.and_then(|l| self.sessions.get(&l.session_id)) {
            return Ok(row);
        }
        if self.expired.contains(&(owner.clone(), response_id.to_owned())) {
            let message = "The session of this response is no longer kept; start a new one.";
            return Err(Problem::new(Code::SessionExpired, message).param("previous_response_id"));
        }
        Err(missing(Code::ResponseNotFound).param("previous_response_id"))
    }

    /// A principal's file that a task may name by id.
    pub fn file(&self, owner: &str, id: &str) -> Result<&FileRow, Problem> {
        let usable = |f: &&FileRow| &*f.owner == owner && f.kind != FileKind::Attached;
        self.files.get(id).filter(usable).ok_or_else(|| missing(Code::FileNotFound))
    }

    /// An artifact, only by its own container.
    pub fn artifact(&self, owner: &str, container_id: &str, id: &str) -> Result<&FileRow, Problem> {
        let row = self.file(owner, id)?;
        let inside = row.kind == FileKind::Artifact && row.file.container_id.as_deref() == Some(container_id);
        inside.then_some(row).ok_or_else(|| missing(Code::FileNotFound))
    }

    /// Puts a task in, with the way from its id to its session.
    pub fn add_task(&mut self, task: Arc<Task>) {
        let link = Link { owner: task.owner.clone(), session_id: task.session_id.clone() };
        self.links.insert(task.id.clone(), link);
        self.tasks.insert(task.id.clone(), task);
    }

    /// Remembers a key's first response, forgetting the oldest beyond the bounds.
    pub fn add_key(&mut self, owner: Arc<str>, key: String, row: KeyRow, limits: &Limits) -> Vec<Change> {
        let at = (owner, key);
        let mut changes = vec![Change::row(Table::Key, key_name(&at), &row)];
        self.key_order.push_back((row.at_ms, at.clone()));
        let now = row.at_ms;
        self.keys.insert(at, row);
        let oldest = now.saturating_sub(u64::try_from(limits.key_age.as_millis()).unwrap_or(u64::MAX));
        while self.key_order.front().is_some_and(|(at, _)| *at < oldest) || self.key_order.len() > limits.keys {
            let Some((at_ms, at)) = self.key_order.pop_front() else { break };
            if self.keys.get(&at).is_some_and(|row| row.at_ms == at_ms) {
                self.keys.remove(&at);
                changes.push(Change::Remove(Table::Key, key_name(&at)));
            }
        }
        changes
    }

    /// Adds a file and counts its bytes; uploads beyond the bound push the oldest out.
    pub fn add_file(&mut self, row: FileRow, limits: &Limits) -> Vec<Change> {
        let id = row.file.id.clone();
        let mut changes =
            vec![Change::row(Table::File, id.clone(), &row), Change::Put(Table::Blob, id.clone(), row.bytes.to_vec())];
        let (owner, is_upload) = (row.owner.clone(), row.kind == FileKind::Upload);
        if is_upload {
            *self.upload_bytes.entry(owner.clone()).or_default() += row.bytes.len();
        }
        self.files.insert(id.clone(), row);
        while is_upload && self.upload_bytes.get(&owner).is_some_and(|b| *b > limits.upload_bytes) {
            let mine = self.files.values().filter(|f| f.owner == owner && f.kind == FileKind::Upload);
            let Some(oldest) = mine.min_by_key(|f| f.order).map(|f| f.file.id.clone()).filter(|o| *o != id) else {
                break;
            };
            changes.extend(self.remove_file(&oldest));
        }
        changes
    }

    /// Puts a file in that was read back.
    pub fn restore_file(&mut self, row: FileRow) {
        self.order_from(row.order);
        if row.kind == FileKind::Upload {
            *self.upload_bytes.entry(row.owner.clone()).or_default() += row.bytes.len();
        }
        self.files.insert(row.file.id.clone(), row);
    }

    fn remove_file(&mut self, id: &str) -> Vec<Change> {
        let Some(row) = self.files.remove(id) else { return Vec::new() };
        if row.kind == FileKind::Upload
            && let Some(bytes) = self.upload_bytes.get_mut(&row.owner)
        {
            *bytes = bytes.saturating_sub(row.bytes.len());
        }
        vec![Change::Remove(Table::File, id.to_owned()), Change::Remove(Table::Blob, id.to_owned())]
    }

    /// Counts bytes for a session.
    pub fn count_bytes(&mut self, session_id: &str, bytes: usize) {
        if let Some(row) = self.sessions.get_mut(session_id) {
            row.bytes += bytes;
            self.kept_bytes += bytes;
        }
    }

    /// Puts a session in that was read back or just made.
    pub fn add_session(&mut self, row: SessionRow) {
        self.order_from(row.order.max(row.touched));
        self.kept_bytes += row.bytes;
        if let Some(share) = row.share.as_ref().filter(|s| s.enabled) {
            self.shares.insert(share.token.clone(), row.session.id.clone());
        }
        self.sessions.insert(row.session.id.clone(), row);
    }

    /// Removes a response that its owner deletes. A running task is not stopped; its session stays busy until it ends.
    pub fn remove_task(&mut self, id: &str) -> Vec<Change> {
        let Some(task) = self.tasks.remove(id) else { return Vec::new() };
        self.links.remove(id);
        let mut changes =
            vec![Change::Remove(Table::Task, id.to_owned()), Change::RemoveAll(Table::Event, format!("{id}/"))];
        let freed = task.log.bytes();
        if let Some(row) = self.sessions.get_mut(&task.session_id) {
            row.turns.retain(|t| t != id);
            row.bytes = row.bytes.saturating_sub(freed);
            changes.push(Change::row(Table::Session, row.session.id.clone(), row));
        }
        self.kept_bytes = self.kept_bytes.saturating_sub(freed);
        changes
    }

    /// Drops the events and the record of a response that is not to be kept, while its session goes on.
    pub fn drop_unkept(&mut self, id: &str) -> Vec<Change> {
        self.tasks.remove(id);
        vec![Change::Remove(Table::Task, id.to_owned()), Change::RemoveAll(Table::Event, format!("{id}/"))]
    }

    /// Settles sessions read back as running whose task is gone: it was deleted while it ran, and then the server ended.
    pub fn settle_all(&mut self) -> Vec<Change> {
        let running = Status::InProgress.word();
        let left = self.sessions.values_mut().filter(|s| s.session.status == running);
        left.map(|row| {
            Status::Failed.word().clone_into(&mut row.session.status);
            Change::row(Table::Session, row.session.id.clone(), row)
        })
        .collect()
    }

    /// Removes a session with all that hangs on it. With `expire`, its responses are remembered as expired.
    pub fn remove_session(&mut self, id: &str, expire: bool) -> Vec<Change> {
        let Some(row) = self.sessions.remove(id) else { return Vec::new() };
        self.kept_bytes = self.kept_bytes.saturating_sub(row.bytes);
        let mut changes = vec![Change::Remove(Table::Session, id.to_owned())];
        if let Some(share) = row.share {
            self.shares.remove(&share.token);
        }
        for file in row.files.iter().chain(&row.attached) {
            changes.extend(self.remove_file(file));
        }
        let linked: Vec<String> =
            self.links.iter().filter(|(_, l)| l.session_id == id).map(|(r, _)| r.clone()).collect();
        for response_id in linked {
            self.links.remove(&response_id);
            self.tasks.remove(&response_id);
            changes.push(Change::Remove(Table::Task, response_id.clone()));
            changes.push(Change::RemoveAll(Table::Event, format!("{response_id}/")));
            if expire {
                let at = (row.owner.clone(), response_id);
                self.expired_order.push_back(at.clone());
                self.expired.insert(at);
            }
        }
        while self.expired_order.len() > MOST_EXPIRED {
            if let Some(at) = self.expired_order.pop_front() {
                self.expired.remove(&at);
            }
        }
        changes
    }

    /// Removes the longest unused idle sessions until the bounds hold.
    pub fn trim(&mut self, limits: &Limits) -> Vec<Change> {
        let mut changes = Vec::new();
        while self.sessions.len() > limits.sessions || self.kept_bytes > limits.kept_bytes {
            let idle = self.sessions.values().filter(|s| s.running.is_none());
            let Some(oldest) = idle.min_by_key(|s| s.touched).map(|s| s.session.id.clone()) else { break };
            changes.extend(self.remove_session(&oldest, true));
        }
        changes
    }
}

/// The stored name of an idempotency key.
pub(super) fn key_name((owner, key): &(Arc<str>, String)) -> String {
    format!("{owner}\n{key}")
}
