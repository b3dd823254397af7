//! What happens to the screens ([`Msg`]) and what they want done ([`Effect`]). A recorded list of messages replays to the
//! same screen.

use super::live::{Ask, Told};
use crate::live::{Seen as HubSeen, Wish};
use crate::plan::PlanError;
use crate::task::Task;
use crate::uhp::client::replay::{Ground, GroundRequest};
use crate::work::served::Seen;
use crate::work::{
    self, Cancel, JobId, OpenError, OpenRequest, Opened, PlanRequest, Report, ResumeRequest, Resumed, Sides,
    SidesRequest, Source, TurnRequest, Turned,
};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use std::sync::Arc;
use std::time::Duration;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The terminal has this many columns and lines.
    Resize(u16, u16),
    /// A job was started: how to stop it.
    Started(JobId, Cancel),
    /// A job that opens a file reports.
    Opened(JobId, Report<Result<Opened, OpenError>>),
    /// A job that plans a task reports.
    Planned(JobId, Report<Result<Arc<Task>, PlanError>>),
    /// A job about runs, cards or two files reports.
    Told(JobId, Report<Result<work::Told, String>>),
    /// A job that works out what turning a dial would do reports.
    Turned(JobId, Report<Result<Box<Turned>, PlanError>>),
    /// A job that plays two sides reports.
    Sides(JobId, Report<Result<Arc<Sides>, PlanError>>),
    /// A job that brings a session back reports.
    Resumed(JobId, Report<Option<Box<Resumed>>>),
    /// Something was copied, or could not be: what to say.
    Copied(Result<String, String>),
    /// The world told something of the session or the file on disk.
    Live(Told),
    /// A server that was asked something says this.
    Remote(JobId, work::remote::Told),
    /// Tasks of our own server began, came along or ended.
    Served(Seen),
    /// A beat of auto-play.
    Beat(JobId),
    /// Calls arrived in live episodes, were held or let go.
    Hub(HubSeen),
    /// What a person wanted of a live episode could not be done: one line.
    Unwished(String),
    /// A job that looks what a response's calls can be replayed on reports.
    Grounded(JobId, Report<Result<Ground, String>>),
}

/// Something for the runtime to do.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Quit, with this exit code.
    Quit(u8),
    /// Go to sleep until woken.
    Suspend,
    /// Redraw everything.
    Redraw,
    /// Listen to the mouse or not.
    Mouse(bool),
    /// Copy a text.
    Copy {
        /// What it is, for the message.
        what: String,
        /// The text, safe.
        text: String,
    },
    /// Open a file; with its bytes parsed already, only read it again.
    Open {
        /// The job's number.
        id: JobId,
        /// What to open, and how.
        request: Box<OpenRequest>,
        /// Its bytes, parsed.
        source: Option<Arc<Source>>,
    },
    /// Do what the screens about runs, cards and two files ask for.
    Ask {
        /// The job's number.
        id: JobId,
        /// What is asked for.
        ask: work::Ask,
    },
    /// Plan a task.
    Plan {
        /// The job's number.
        id: JobId,
        /// What to plan.
        request: PlanRequest,
    },
    /// Keep the session, look at the disk.
    Live(Ask),
    /// Ask a server something.
    Remote {
        /// The job's number.
        id: JobId,
        /// What to ask.
        ask: work::remote::Ask,
    },
    /// Watch the tasks of our own server.
    Watch {
        /// The job's number.
        id: JobId,
    },
    /// Send a beat after a while: auto-play.
    Beat {
        /// Its number.
        id: JobId,
        /// After how long.
        after: Duration,
    },
    /// Follow the live episodes.
    FollowHub {
        /// The job's number.
        id: JobId,
    },
    /// Do something in a live episode.
    Wish {
        /// Its place.
        episode: usize,
        /// What.
        wish: Wish,
    },
    /// Follow one of them; its reports are those of a remote server.
    Follow {
        /// The job's number.
        id: JobId,
        /// The response's id.
        response: String,
    },
    /// Look what a response's calls can be replayed on.
    Ground {
        /// The job's number.
        id: JobId,
        /// What to look at.
        request: GroundRequest,
    },
    /// Work out what turning a dial would do.
    Turn {
        /// The job's number.
        id: JobId,
        /// Where to, and from what.
        request: TurnRequest,
    },
    /// Bring a session back.
    Resume {
        /// The job's number.
        id: JobId,
        /// Which, and its task.
        request: Box<ResumeRequest>,
    },
    /// Play two sides.
    Sides {
        /// The job's number.
        id: JobId,
        /// Which, and whose calls.
        request: Box<SidesRequest>,
    },
}
