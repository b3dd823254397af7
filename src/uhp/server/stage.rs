//! The narrow door between the server and the rehearsal: a stage opens a play for a cue, and a play gives its scenes.

use crate::uhp::wire::Fields;
use crate::uhp::wire::error::Problem;
use crate::uhp::wire::event::Step;
use crate::uhp::wire::harness::Rehearsal;
use crate::uhp::wire::plain::Attachment;
use std::fmt::Debug;

/// A base that harnesses can be made on: a tool file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// `rehearsal/<file stem>`
    pub id: String,
    /// What it is, in a few words.
    pub label: String,
}

/// A player, which the protocol calls a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// Canonical id, `rehearsal/reference`.
    pub id: String,
    /// What it does, in a line.
    pub label: String,
}

/// Which planned task a request asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// An arm named in the metadata.
    pub arm: Option<String>,
    /// A seed named in the metadata.
    pub seed: Option<u64>,
    /// The number of a planned task, named in the metadata, from 1.
    pub task: Option<usize>,
    /// The input's text.
    pub text: String,
    /// How many tasks the session had before.
    pub turn: usize,
}

/// What a task asks of the stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Cue {
    /// The harness's base.
    pub base: String,
    /// The harness's planned tasks.
    pub rehearsal: Rehearsal,
    /// The player's id.
    pub player: String,
    /// Which planned task.
    pub choice: Choice,
    /// Tools whose calls are refused.
    pub disabled_tools: Vec<String>,
    /// Files of the session's folder that came with inputs, the latest last.
    pub attachments: Vec<Attachment>,
}

/// One thing that happens in a play.
#[derive(Debug, Clone, PartialEq)]
pub enum Scene {
    /// The play says something.
    Tell(Step),
    /// A file is written into the session's folder. The message open at that time names it.
    Write {
        /// The path it asks for.
        name: String,
        /// Its content.
        bytes: Vec<u8>,
    },
}

/// A play: one task as it is performed. It may take its time over a scene: it is never asked on a thread that others
/// wait for.
pub trait Play: Send {
    /// The next scene; `None` when it is done, an error when it cannot go on.
    fn next(&mut self) -> Result<Option<Scene>, Problem>;
}

/// Where plays are performed.
pub trait Stage: Send + Sync + Debug {
    /// The bases, the default first.
    fn bases(&self) -> Vec<Base>;

    /// The players, the default first.
    fn cast(&self) -> Vec<Cast>;

    /// Whether a harness of this base can be configured so; the error's `param` is relative to the harness.
    fn check_harness(&self, base: &str, rehearsal: &Rehearsal) -> Result<(), Problem>;

    /// What a harness configured so plays: the arm and the seeds, where it names none the base's own.
    fn rehearsal(&self, base: &str, configured: &Rehearsal) -> Rehearsal;

    /// Whether the task that a request's metadata names can be played on a harness configured so.
    fn check_choice(&self, base: &str, rehearsal: &Rehearsal, choice: &Choice) -> Result<(), Problem>;

    /// Opens a play, and says which task it is (for `metadata.rehearsal` of the response).
    fn open(&self, cue: &Cue) -> Result<(Box<dyn Play>, Fields), Problem>;
}
