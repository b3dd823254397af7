//! What lets one live in the program: a session that survives, a tool file that changes on disk.
//!
//! Owns what is known of these and what is asked of the world about them ([`Ask`], [`Told`]); the runtime's keeper does
//! what is asked. Pure, as everything that changes the model.

pub mod session;
pub mod watch;

use super::model::Model;
use super::msg::Effect;
use crate::record::journal::{Event, Left, Session, Tracker};
use crate::work::{JobId, OpenRequest};
use std::path::PathBuf;
use std::sync::Arc;

/// What is to be done in the world.
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
}

/// What the world told.
#[derive(Debug, Clone)]
pub enum Told {
    /// The journal cannot be written: why.
    JournalFailed(String),
    /// A session that was left, when there is one.
    Left(Option<Box<Left>>),
    /// A session was taken over, or could not be.
    Taken(Result<Box<Session>, String>),
    /// The open file changed on disk.
    Touched,
    /// What became of it.
    Inspected(JobId, watch::OnDisk),
}

/// What is known.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// What of the episode is written down; `None` before there is one.
    tracker: Option<Tracker>,
    /// Whether the journal failed: it is told once, and nothing more is written.
    failed: bool,
    /// A session to take over at the start.
    pub(super) resume: Option<PathBuf>,
    /// A session that was left.
    pub left: Option<Box<Left>>,
    /// The session that is being brought back, until its task is there.
    coming: Option<Arc<Session>>,
    /// What became of the file on disk since it was read.
    pub disk: Option<watch::OnDisk>,
    /// The job that looks at it.
    looking: Option<JobId>,
}

impl Live {
    /// Nothing known yet; with the journal of a session to take over at the start.
    pub fn new(resume: Option<PathBuf>) -> Self {
        Self { resume, ..Self::default() }
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
    }
}

/// After any message: what happened is written down, a session that is coming back goes on.
pub fn after(model: &mut Model) -> Vec<Effect> {
    let mut effects = session::arrive(model);
    effects.extend(session::write_down(model));
    effects
}
