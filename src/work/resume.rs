//! Bringing back a session that was left: everything that was written down of it, played again.

use super::Control;
use crate::episode::Episode;
use crate::record::journal::{Replayed, Session};
use std::sync::Arc;

/// How many events pass between two reports of progress.
const APART: usize = 256;

/// A session, and its task that has just begun.
#[derive(Debug, Clone)]
pub struct ResumeRequest {
    /// What was written down.
    pub session: Arc<Session>,
    /// The task at its beginning.
    pub episode: Episode,
}

/// A session that was brought back.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// The episode, where it was left.
    pub episode: Episode,
    /// What playing it again came to.
    pub replayed: Replayed,
}

/// Plays everything again; nothing when it is cancelled.
pub fn resume(request: ResumeRequest, control: &Control) -> Option<Resumed> {
    let ResumeRequest { session, mut episode } = request;
    let mut goes_on = |done: usize, total: usize| {
        if done.is_multiple_of(APART) {
            control.progress("bringing the session back", done as u64, Some(total as u64));
        }
        !control.is_cancelled()
    };
    let replayed = session.replay_while(&mut episode, &mut goes_on)?;
    Some(Resumed { episode, replayed })
}
