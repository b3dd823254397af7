//! Journals on disk: one file a session, in the order they were begun.

use super::left::Left;
use super::line::Event;
use super::session::Session;
use crate::record::Lines;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Most sessions kept; older ones that no program holds are deleted.
const KEPT: usize = 30;
/// Most sessions searched for one that can be resumed.
const LOOKED_AT: usize = 20;

/// The journal of the session that is open. Its file is held: no other program writes into it.
#[derive(Debug)]
pub struct Journal {
    lines: Lines,
    path: PathBuf,
}

impl Journal {
    /// Begins a journal in a folder, made when missing; old ones go.
    pub fn begin(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        prune(folder);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        let id = std::process::id();
        for again in 0..1000_u32 {
            let path = folder.join(format!("{now:014}-{id}-{again:03}.jsonl"));
            // A name that is there already belongs to somebody else, whether they hold it or not.
            match File::options().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(Self { lines: Lines::open(&path)?, path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name for a journal"))
    }

    /// Takes the journal of an unfinished session, to resume it. `WouldBlock` when another program holds it.
    pub fn take(path: &Path) -> io::Result<(Self, Session)> {
        if !path.is_file() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no such session"));
        }
        let mut tries = 0;
        let lines = loop {
            match Lines::open(path) {
                // Somebody may be looking whether it is held, which takes no time.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && tries < 5 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
                other => break other?,
            }
        };
        let session = Session::read(path)?;
        let session = session.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no task began in it"))?;
        Ok((Self { lines, path: path.to_owned() }, session))
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what happened, in one go.
    pub fn append(&mut self, events: &[Event]) -> io::Result<()> {
        let mut block = String::new();
        for event in events {
            block.push_str(&event.to_line());
            block.push('\n');
        }
        self.lines.append_block(block.as_bytes())
    }
}

/// The journals of a folder, the newest first.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    // Their names begin with the time.
    paths.sort_by(|a, b| b.file_name().cmp(&a.file_name()));
    paths
}

/// Whether a program holds a journal just now.
pub fn taken(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Whether any program holds a journal of the folder.
pub fn any_taken(folder: &Path) -> bool {
    journals(folder).iter().take(LOOKED_AT).any(|path| taken(path))
}

/// The newest session that was left without closing it and has made a call.
pub fn left(folder: &Path) -> Option<Left> {
    sessions(folder).find(|left| !left.closed)
}

/// The newest session that nobody holds: one that was left before one that was closed; of one tool file when it is given.
pub fn newest(folder: &Path, file: Option<&Path>) -> Option<Left> {
    let file = file.map(|file| file.canonicalize().unwrap_or_else(|_| file.to_owned()));
    let of = |left: &Left| match (&file, &left.began.from) {
        (None, _) => true,
        (Some(file), super::From::File(path)) => path.canonicalize().unwrap_or_else(|_| path.clone()) == *file,
        (Some(_), _) => false,
    };
    let mut closed = None;
    for left in sessions(folder).filter(of) {
        if !left.closed {
            return Some(left);
        }
        closed.get_or_insert(left);
    }
    closed
}

/// The sessions with calls that nobody holds, the newest first, looked at one by one.
fn sessions(folder: &Path) -> impl Iterator<Item = Left> {
    journals(folder)
        .into_iter()
        .take(LOOKED_AT)
        .filter(|path| !taken(path))
        .filter_map(|path| Left::look(&path).ok()?.filter(|left| left.calls > 0))
}

/// Takes away the oldest journals that nobody holds. One that cannot be taken away stays; it does no harm.
fn prune(folder: &Path) {
    for path in journals(folder).into_iter().skip(KEPT - 1) {
        let free = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if free {
            drop(fs::remove_file(path));
        }
    }
}
