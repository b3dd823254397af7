//! What the screens ask of the disk: the journal, the watch on the tool file, files saved, listed and remembered.

use super::files;
use super::watch::Watch;
use crate::record::journal::{self, Event, Journal};
use crate::settings;
use crate::tui::live::watch::{Hashes, OnDisk};
use crate::tui::live::{Ask, Told};
use crate::tui::msg::Msg;
use crate::work::{self, Control, JobId, OpenRequest, Report, job};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use tokio::sync::mpsc::UnboundedSender;

/// Keeps what outlives the screens. Without a state folder nothing is kept.
#[derive(Debug, Default)]
pub struct Keeper {
    state: Option<PathBuf>,
    home: Option<PathBuf>,
    journal: Option<Journal>,
    /// The journal of a session that is being resumed: it arrives before the session.
    taking: Option<Receiver<Journal>>,
    watch: Option<Watch>,
}

impl Keeper {
    /// Keeps things below a folder, made when needed; `~` is this home.
    pub fn new(state: Option<PathBuf>, home: Option<PathBuf>) -> Self {
        Self { state, home, ..Self::default() }
    }

    /// Where a typed path leads.
    fn real(&self, typed: &str) -> PathBuf {
        match (&self.home, typed.strip_prefix('~')) {
            (Some(home), Some(rest)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => PathBuf::from(typed),
        }
    }

    /// The folder of the journals.
    pub fn journals(state: &Path) -> PathBuf {
        state.join("journal")
    }

    /// Does what is asked; what comes of it at once is given back, the rest is sent.
    pub(super) fn perform(&mut self, ask: Ask, send: &UnboundedSender<Msg>) -> Option<Told> {
        match ask {
            Ask::Journal(events) => self.write(&events).err().map(|e| Told::JournalFailed(e.to_string())),
            Ask::FindLeft => {
                let folder = Self::journals(self.state.as_ref()?);
                let send = send.clone();
                std::thread::spawn(move || {
                    let left = journal::left(&folder).map(Box::new);
                    drop(send.send(Msg::Live(Told::Left(left))));
                });
                None
            }
            Ask::Take(path) => {
                self.take(path, send);
                None
            }
            Ask::Release => {
                self.journal = None;
                self.taking = None;
                None
            }
            Ask::Inspect { id, request, was } => {
                inspect(id, *request, was, send);
                None
            }
            // The loop does this itself: the terminal goes with it.
            Ask::Edit { .. } | Ask::EditFile { .. } => None,
            Ask::Write { draft, path, replace } => {
                let written = files::write(&self.real(&path), &draft.text, replace);
                Some(Told::Written(draft, path, written))
            }
            Ask::Declare { config, file, declared } => {
                let saved = settings::save(&config, &file, &declared);
                Some(Told::Declared(saved.map(|()| config).map_err(|error| error.to_string())))
            }
            Ask::Recent => Some(Told::Recent(self.state.as_deref().map(files::recent).unwrap_or_default())),
            Ask::Remember(path) => {
                if let Some(state) = &self.state {
                    files::remember(state, &path);
                }
                None
            }
            Ask::List(typed) => {
                let folder = self.real(if typed.is_empty() { "." } else { &typed });
                let send = send.clone();
                // A folder far away may take its time.
                std::thread::spawn(move || {
                    let entries = files::list(&folder);
                    drop(send.send(Msg::Live(Told::Listed(typed, folder, entries))));
                });
                None
            }
            Ask::Find(path) => Some(Told::Found(files::find(path).map(Box::new))),
        }
    }

    fn write(&mut self, events: &[Event]) -> io::Result<()> {
        self.taken();
        let Some(state) = &self.state else { return Ok(()) };
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => none.insert(Journal::begin(&Self::journals(state))?),
        };
        journal.append(events)
    }

    /// Takes a session over, on a thread of its own: it may be long.
    fn take(&mut self, path: PathBuf, send: &UnboundedSender<Msg>) {
        // A session of one's own that is open stays behind as one that was left.
        self.journal = None;
        let (give, taking) = channel();
        self.taking = Some(taking);
        let send = send.clone();
        let report = move |report| {
            let taken = match report {
                Report::Done(taken) => taken,
                Report::Failed(line) => Err(line),
                Report::Progress(_) => return,
            };
            drop(send.send(Msg::Live(Told::Taken(taken))));
        };
        let work = move |_: &Control| match Journal::take(&path) {
            Ok((journal, session)) => {
                drop(give.send(journal));
                Ok(Box::new(session))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Err("it is open in another rehearsal".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        drop(job::spawn("take", report, work));
    }

    /// The journal resumed meanwhile is the one to write to.
    fn taken(&mut self) {
        if let Some(journal) = self.taking.as_ref().and_then(|taking| taking.try_recv().ok()) {
            self.journal = Some(journal);
            self.taking = None;
        }
    }

    /// The session is left by its door.
    pub(super) fn close(&mut self) {
        self.taken();
        if let Some(mut journal) = self.journal.take() {
            // Where even this cannot be written, the session only looks as if it had been left.
            drop(journal.append(&[Event::Closed]));
        }
    }

    /// What watches the tool file.
    pub(super) fn watch(&mut self, send: &UnboundedSender<Msg>) -> Watch {
        self.watch.get_or_insert_with(|| Watch::start(send.clone())).clone()
    }
}

/// Looks what became of a file, as a job.
fn inspect(id: JobId, request: OpenRequest, was: Hashes, send: &UnboundedSender<Msg>) {
    let send = send.clone();
    let report = move |report| {
        let disk = match report {
            Report::Done(disk) => disk,
            Report::Failed(line) => OnDisk::Bad(line),
            Report::Progress(_) => return,
        };
        // The loop may be gone by now: then nobody listens.
        drop(send.send(Msg::Live(Told::Inspected(id, disk))));
    };
    drop(job::spawn("look", report, move |control| on_disk(&request, &was, control)));
}

fn on_disk(request: &OpenRequest, was: &Hashes, control: &Control) -> OnDisk {
    let bytes = match work::load(&request.origin, control) {
        Ok(bytes) => bytes,
        Err(error) => return OnDisk::Bad(error.to_string()),
    };
    if crate::value::canonical::file_hash(&bytes) == was.file {
        return OnDisk::Same;
    }
    let reading = work::Source::new(&bytes).read(&request.read);
    if reading.format.is_none() {
        let error = reading.error;
        return OnDisk::Bad(error.map_or_else(
            || "no tool file".to_owned(),
            |error| match error.place {
                Some((line, column)) => format!("{} (line {line}, column {column})", error.message),
                None => error.message,
            },
        ));
    }
    let now =
        Hashes { file: reading.file_hash.to_string(), contract: reading.contract_hash().map(ToString::to_string) };
    if now.contract.is_some() && now.contract == was.contract { OnDisk::Bytes(now) } else { OnDisk::Contract(now) }
}
