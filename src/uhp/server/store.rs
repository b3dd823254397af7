//! Storage across restarts: a mirror of the world in one embedded database, written by one thread.
//!
//! Changes are sent in the order they happen (under the world's lock) and committed in batches; whoever must not answer
//! before its change is safe waits for the batch. Without a folder there is no store and nothing waits.

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Most changes committed at once.
const BATCH: usize = 10_000;

/// Shape of what is stored; a database of another shape is refused, never guessed at.
const SHAPE: &str = "1";

/// What is stored, each by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// Harnesses by id.
    Harness,
    /// Sessions by id.
    Session,
    /// Tasks by response id.
    Task,
    /// Events by `response id / number`.
    Event,
    /// Files by id, without their bytes.
    File,
    /// Bytes of files by id.
    Blob,
    /// Idempotency keys by `principal / key`.
    Key,
    /// The shape of the database.
    Meta,
}

impl Table {
    const ALL: [Table; 8] =
        [Table::Harness, Table::Session, Table::Task, Table::Event, Table::File, Table::Blob, Table::Key, Table::Meta];

    fn definition(self) -> TableDefinition<'static, &'static str, &'static [u8]> {
        TableDefinition::new(match self {
            Table::Harness => "harness",
            Table::Session => "session",
            Table::Task => "task",
            Table::Event => "event",
            Table::File => "file",
            Table::Blob => "blob",
            Table::Key => "key",
            Table::Meta => "meta",
        })
    }
}

/// One change.
#[derive(Debug)]
pub enum Change {
    /// Writes a row.
    Put(Table, String, Vec<u8>),
    /// Removes a row.
    Remove(Table, String),
    /// Removes every row whose key begins so.
    RemoveAll(Table, String),
}

impl Change {
    /// Writes a row as JSON.
    pub fn row(table: Table, key: impl Into<String>, value: &impl serde::Serialize) -> Self {
        Change::Put(table, key.into(), serde_json::to_vec(value).unwrap_or_default())
    }
}

/// Key of an event.
pub(super) fn event_key(response_id: &str, number: usize) -> String {
    format!("{response_id}/{number:09}")
}

/// Rows read back, by table, in key order.
pub(super) type Rows = HashMap<Table, Vec<(String, Vec<u8>)>>;

struct Batch {
    changes: Vec<Change>,
    done: Option<oneshot::Sender<bool>>,
}

/// The store.
#[derive(Debug)]
pub(super) struct Store {
    sender: Option<mpsc::Sender<Batch>>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch({})", self.changes.len())
    }
}

impl Store {
    /// Opens the database in a folder, made when it is not there, and reads everything in it. `fault` is called when a
    /// commit fails.
    pub(super) fn open(folder: &Path, fault: impl Fn(String) + Send + 'static) -> Result<(Store, Rows), String> {
        let told = |e: &dyn std::fmt::Display| format!("cannot use the state folder {}: {e}", folder.display());
        make_private(folder).map_err(|e| told(&e))?;
        let path = folder.join("state.redb");
        let database = Database::create(&path).map_err(|e| told(&e))?;
        let rows = read_all(&database).map_err(|e| told(&e))?;
        let shape = rows.get(&Table::Meta).and_then(|m| m.iter().find(|(k, _)| k == "shape"));
        if shape.is_some_and(|(_, v)| v != SHAPE.as_bytes()) {
            return Err(told(&"it was written by another version of this program"));
        }
        commit(&database, &[Change::Put(Table::Meta, "shape".into(), SHAPE.into())]).map_err(|e| told(&e))?;
        let (sender, receiver) = mpsc::channel::<Batch>();
        let thread = std::thread::Builder::new()
            .name("uhp-store".into())
            .spawn(move || write_all(Writer { path, database: Some(database) }, &receiver, &fault))
            .map_err(|e| told(&e))?;
        Ok((Store { sender: Some(sender), thread: Some(thread) }, rows))
    }

    /// Sends changes and gives what to wait on: true once they are safe, false when they could not be written.
    pub(super) fn send(&self, changes: Vec<Change>) -> oneshot::Receiver<bool> {
        let (done, waiting) = oneshot::channel();
        if let Some(sender) = &self.sender {
            // A writer that is gone drops `done`, which the one who waits sees.
            let _ = sender.send(Batch { changes, done: Some(done) });
        }
        waiting
    }

    /// Sends a change that nobody waits for.
    pub(super) fn note(&self, change: Change) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(Batch { changes: vec![change], done: None });
        }
    }
}

impl Drop for Store {
    /// Waits until everything sent is written.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

fn read_all(database: &Database) -> Result<Rows, redb::Error> {
    let transaction = database.begin_read()?;
    let mut rows = Rows::new();
    for table in Table::ALL {
        let open = match transaction.open_table(table.definition()) {
            Ok(open) => open,
            Err(redb::TableError::TableDoesNotExist(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let list = rows.entry(table).or_default();
        for row in open.iter()? {
            let (key, value) = row?;
            list.push((key.value().to_owned(), value.value().to_vec()));
        }
    }
    Ok(rows)
}

/// The database as the writing thread has it.
struct Writer {
    path: PathBuf,
    /// Gone after a failure, until it opens again.
    database: Option<Database>,
}

impl Writer {
    /// Commits changes. A database that failed once (a full disk) takes nothing more until it is reopened, so that is
    /// tried before the next changes.
    fn commit(&mut self, changes: &[Change]) -> Result<(), redb::Error> {
        let database = match self.database.take() {
            Some(database) => database,
            None => Database::create(&self.path)?,
        };
        commit(&database, changes)?;
        self.database = Some(database);
        Ok(())
    }
}

fn write_all(mut writer: Writer, receiver: &mpsc::Receiver<Batch>, fault: &dyn Fn(String)) {
    let mut failing = false;
    while let Ok(first) = receiver.recv() {
        let mut changes = first.changes;
        let mut waiting: Vec<_> = first.done.into_iter().collect();
        while changes.len() < BATCH {
            let Ok(next) = receiver.try_recv() else { break };
            changes.extend(next.changes);
            waiting.extend(next.done);
        }
        let safe = match writer.commit(&changes) {
            Ok(()) => true,
            Err(error) => {
                // Said once, not for every event of every task.
                if !failing {
                    fault(format!("the state could not be written: {error}"));
                }
                false
            }
        };
        if failing && safe {
            fault("the state can be written again; what came in between is not in it".to_owned());
        }
        failing = !safe;
        for done in waiting {
            let _ = done.send(safe);
        }
    }
}

fn commit(database: &Database, changes: &[Change]) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    for table in Table::ALL {
        let of_table = |c: &&Change| match c {
            Change::Put(t, ..) | Change::Remove(t, _) | Change::RemoveAll(t, _) => *t == table,
        };
        let mut mine = changes.iter().filter(of_table).peekable();
        if mine.peek().is_none() {
            continue;
        }
        let mut open = transaction.open_table(table.definition())?;
        for change in mine {
            match change {
                Change::Put(_, key, value) => {
                    open.insert(key.as_str(), value.as_slice())?;
                }
                Change::Remove(_, key) => {
                    open.remove(key.as_str())?;
                }
                Change::RemoveAll(_, prefix) => {
                    // The character after the last of a prefix bounds it; keys are ASCII.
                    let end = format!("{prefix}\u{7f}");
                    open.retain_in(prefix.as_str()..end.as_str(), |_, _| false)?;
                }
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_removed_by_prefix() {
        let folder = tempfile::tempdir().unwrap();
        {
            let (store, rows) = Store::open(folder.path(), |_| {}).unwrap();
            assert!(rows.values().all(Vec::is_empty));
            store.note(Change::Put(Table::Event, event_key("resp_a", 0), b"x".to_vec()));
            store.note(Change::Put(Table::Event, event_key("resp_a", 10), b"y".to_vec()));
            store.note(Change::Put(Table::Event, event_key("resp_ab", 0), b"z".to_vec()));
            let done = store.send(vec![Change::RemoveAll(Table::Event, "resp_a/".into())]);
            assert!(done.blocking_recv().unwrap());
        }
        let (_, rows) = Store::open(folder.path(), |_| {}).unwrap();
        let keys: Vec<_> = rows[&Table::Event].iter().map(|(k, _)| k.as_str()).collect();
        assert_eq!(keys, ["resp_ab/000000000"]);
    }

    #[test]
    fn a_failure_is_told_once_and_writing_goes_on_when_it_can_again() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let writer = Writer { path: gone.join("state.redb"), database: None };
        let (sender, receiver) = mpsc::channel::<Batch>();
        let (told, tells) = mpsc::channel();
        let thread = std::thread::spawn(move || write_all(writer, &receiver, &move |text| told.send(text).unwrap()));
        let put = |key: &str| {
            let (done, waiting) = oneshot::channel();
            let changes = vec![Change::Put(Table::Meta, key.into(), b"x".to_vec())];
            sender.send(Batch { changes, done: Some(done) }).unwrap();
            waiting.blocking_recv().unwrap()
        };
        assert!(!put("a") && !put("b"));
        std::fs::create_dir(&gone).unwrap();
        assert!(put("c") && put("d"));
        drop(sender);
        thread.join().unwrap();
        let told: Vec<String> = tells.iter().collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("could not be written") && told[1].contains("can be written again"), "{told:?}");
        let (_, rows) = Store::open(&gone, |_| {}).unwrap();
        let keys: Vec<_> = rows[&Table::Meta].iter().map(|(k, _)| k.as_str()).collect();
        assert_eq!(keys, ["c", "d"]);
    }

    #[test]
    fn one_folder_serves_one_server() {
        let folder = tempfile::tempdir().unwrap();
        let _held = Store::open(folder.path(), |_| {}).unwrap();
        assert!(Store::open(folder.path(), |_| {}).unwrap_err().contains("state folder"));
    }

    #[test]
    fn a_file_that_is_no_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("state.redb"), b"not a database at all").unwrap();
        assert!(Store::open(folder.path(), |_| {}).is_err());
    }
}
