//! Day-to-day use: sessions that survive, tool files that change on disk, opening other files, the person's editor,
//! saving, the palette.
//!
//! Owns what is known of these and what is asked of the world about them ([`Ask`], [`Told`]); the runtime's keeper does
//! what is asked. Pure, as everything that changes the model.

pub mod choice;
pub mod declare;
pub mod edit;
pub mod held;
pub mod open;
pub mod save;
pub mod session;
pub mod svg;
pub mod watch;

use super::model::{Model, Running};
use super::msg::Effect;
use super::widgets::filter::Found;
use crate::record::journal::{Event, Left, Session, Tracker};
use crate::settings::Declared;
use crate::text;
use crate::theme::Scope;
use crate::work::{JobId, OpenRequest};
use std::path::PathBuf;
use std::sync::Arc;

/// A request to the outside world.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Write down what happened, before the next key is answered.
    Journal(Vec<Event>),
    /// Look for a session that was left.
    FindLeft,
    /// Take over a session that was left.
    Take(PathBuf),
    /// Let go of the journal; what happens next is another session's.
    Release,
    /// Look what became of a file that changed on disk, of which these are the hashes of the bytes that are open.
    Inspect {
        /// The job's number.
        id: JobId,
        /// What to read, and how.
        request: Box<OpenRequest>,
        /// File hash and contract hash of what is open.
        was: watch::Hashes,
    },
    /// Hand a text to an editor and read it back.
    Edit {
        /// The editor's command.
        command: String,
        /// Where that comes from, for errors.
        from: String,
        /// The text.
        text: String,
    },
    /// Open a file in an editor at a line.
    EditFile {
        /// The editor's command.
        command: String,
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Write a file.
    Write {
        /// What it says.
        draft: Box<save::Draft>,
        /// Its name as it was typed.
        path: String,
        /// Whether one that is there is replaced.
        replace: bool,
    },
    /// Save declarations beside a tool file.
    Declare {
        /// The settings file.
        config: PathBuf,
        /// The tool file.
        file: PathBuf,
        /// What is declared of it.
        declared: Declared,
    },
    /// Which files were opened before.
    Recent,
    /// A file was opened: it is one of those from now on.
    Remember(PathBuf),
    /// What is in a folder, named as it was typed.
    List(String),
    /// The settings of a file to open.
    Find(PathBuf),
}

/// What the world told.
#[derive(Debug, Clone)]
pub enum Told {
    /// The journal cannot be written: why.
    JournalFailed(String),
    /// A session that was left, when there is one.
    Left(Option<Box<Left>>),
    /// A session was resumed, or could not be.
    Taken(Result<Box<Session>, String>),
    /// The open file changed on disk.
    Touched,
    /// What became of it.
    Inspected(JobId, watch::OnDisk),
    /// The editor is done: its text, or why there is none.
    Edited(Result<String, String>),
    /// The editor is done with a file, or why it was not started.
    EditedFile(Result<(), String>),
    /// A file was written, or not.
    Written(Box<save::Draft>, String, save::Written),
    /// Declarations were saved in this file, or not.
    Declared(Result<PathBuf, String>),
    /// The files opened before, the latest first.
    Recent(Vec<PathBuf>),
    /// What is in a folder: as it was typed, where it is.
    Listed(String, PathBuf, Vec<open::Entry>),
    /// A file with its settings.
    Found(Result<Box<open::Found>, String>),
}

/// What is known.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// What of the episode is written down; `None` before there is one.
    tracker: Option<Tracker>,
    /// Whether the journal failed: it is reported once, and nothing more is written.
    failed: bool,
    /// A session to take over at the start.
    pub(super) resume: Option<PathBuf>,
    /// A session that was left.
    pub left: Option<Box<Left>>,
    /// The session that is being brought back, until its task is there.
    coming: Option<Arc<Session>>,
    /// The job that makes its calls again.
    pub replaying: Option<Running>,
    /// What became of the file on disk since it was read.
    pub disk: Option<watch::OnDisk>,
    /// The job that looks at it.
    looking: Option<JobId>,
    /// The command of the editor, and where it comes from.
    pub editor: Option<(String, String)>,
    /// What the editor has now: where it goes, and what it was.
    editing: Option<(edit::Back, String)>,
    /// The settings file in use beside the tool file.
    pub config: Option<PathBuf>,
    /// Where one stands among the places found, as far as they were counted.
    pub found: Option<Found>,
}

impl Live {
    /// Nothing known yet; with the journal of a session to take over at the start, and the settings file in use.
    pub fn new(resume: Option<PathBuf>, config: Option<PathBuf>) -> Self {
        Self { resume, config, ..Self::default() }
    }
}

/// What to ask for at the start.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![Effect::Live(Ask::FindLeft)];
    effects.extend(model.live.resume.take().map(|path| Effect::Live(Ask::Take(path))));
    effects
}

/// Does what something told asks for.
pub fn told(model: &mut Model, told: Told) -> Vec<Effect> {
    match told {
        Told::JournalFailed(why) => {
            session::failed(model, &why);
            Vec::new()
        }
        Told::Left(left) => {
            model.live.left = left;
            Vec::new()
        }
        Told::Taken(result) => session::taken(model, result),
        Told::Touched => watch::touched(model),
        Told::Inspected(id, disk) => watch::inspected(model, id, disk),
        Told::Edited(result) => {
            edit::edited(model, result);
            Vec::new()
        }
        Told::EditedFile(result) => {
            // What changed in the file is seen by the watch on it.
            if let Err(why) = result {
                model.say(Scope::Error, format!("! {}", text::safe(&why)));
            }
            Vec::new()
        }
        Told::Written(draft, path, written) => {
            save::written(model, draft, path, written);
            Vec::new()
        }
        Told::Declared(result) => {
            declare::saved(model, result);
            Vec::new()
        }
        Told::Recent(recent) => {
            open::recent(model, recent);
            Vec::new()
        }
        Told::Listed(typed, folder, entries) => {
            open::listed(model, typed, folder, entries);
            Vec::new()
        }
        Told::Found(result) => open::found(model, result),
    }
}

/// After any message: what happened is written down, a session that is coming back goes on.
pub fn after(model: &mut Model) -> Vec<Effect> {
    let mut effects = session::arrive(model);
    effects.extend(session::write_down(model));
    effects
}
