//! Tasks as they run: admission in one atomic step, then a supervisor for each that tells its play into its log,
//! keeps its budgets, and settles its end. No request owns a task.

mod admit;
mod perform;

pub(super) use admit::{admit, by_key};

use super::app::App;
use super::store::{Change, Table};
use super::world::Task;
use crate::uhp::wire::error::{ErrorBody, Problem};
use crate::uhp::wire::response::Status;
use std::sync::Arc;

/// Something that happened, for the log of the command that serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// One line without keys.
    pub text: String,
}

/// Kinds of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A task began.
    Began,
    /// A task ended.
    Ended,
    /// The server failed at something.
    Fault,
}

/// Why a task stops before its play is over.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The client asked for it.
    Cancelled,
    /// A budget ran out: its name.
    Budget(&'static str),
    /// It cannot go on.
    Failed(Problem),
}

impl Stop {
    /// The response's end: status, error, reason.
    fn end(self) -> (Status, Option<ErrorBody>, Option<&'static str>) {
        match self {
            Stop::Cancelled => (Status::Cancelled, None, None),
            Stop::Budget(reason) => (Status::Incomplete, None, Some(reason)),
            Stop::Failed(problem) => (Status::Failed, Some(problem.body()), None),
        }
    }
}

/// Settles a task: stored first, then told, its session released in the same moment as the last event is there.
async fn settle(app: &App, task: &Arc<Task>, outcome: Result<(), Stop>) {
    let (status, error, reason) = outcome.map_or_else(Stop::end, |()| (Status::Completed, None, None));
    let (ended, event) = task.log.compose(|composer| {
        let mut ended = composer.clone();
        let event = ended.finish(status, error, reason);
        (ended, event)
    });
    let number = task.log.count();
    let saved = {
        let world = app.world();
        if world.tasks.contains_key(&task.id) {
            let mut row = task.row();
            row.response = ended.response().clone();
            let key = super::store::event_key(&task.id, number);
            app.save(vec![
                Change::row(Table::Task, task.id.clone(), &row),
                Change::Put(Table::Event, key, event.clone().into_bytes()),
            ])
        } else {
            app.save(Vec::new())
        }
    };
    if saved.safe().await.is_err() {
        app.note(NoteKind::Fault, format!("{} ended but could not be stored", task.id));
    }
    let mut world = app.world();
    let is_kept = world.tasks.contains_key(&task.id);
    task.log.end(ended, event);
    world.running = world.running.saturating_sub(1);
    if let Some(row) = world.sessions.get_mut(&task.session_id) {
        row.running = None;
        row.session.status = status.word().to_owned();
        row.session.updated_at = super::mint::now();
    }
    let mut changes = Vec::new();
    if is_kept {
        world.count_bytes(&task.session_id, task.log.bytes());
    }
    if !task.store && !task.keyed {
        changes.extend(world.drop_unkept(&task.id));
    }
    if let Some(row) = world.sessions.get(&task.session_id) {
        changes.push(Change::row(Table::Session, task.session_id.clone(), row));
    }
    changes.extend(world.trim(&app.config.limits));
    drop(app.save(changes));
    drop(world);
    app.note(NoteKind::Ended, format!("{} {}", task.id, status.word()));
}
