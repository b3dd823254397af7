//! A session read back from its journal.

use super::line::{Began, Event};
use crate::episode::Episode;
use crate::record::whole_lines;
use crate::task::{Call, Ending};
use std::io;
use std::path::Path;

/// The last task of a session, and everything that happened in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// The task.
    pub began: Began,
    events: Vec<Event>,
    /// Whether it was left by its door.
    pub closed: bool,
}

/// A call as it was written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The branch it was made on.
    pub branch: usize,
    /// Which call of the branch it is, from 1.
    pub number: usize,
    /// The call.
    pub call: Call,
    /// What the agent was answered.
    pub answer: String,
    /// The answer's error code, when it is an error.
    pub code: Option<String>,
}

/// What playing a session again came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Replayed {
    /// How many calls were made.
    pub calls: usize,
    /// The first of them, from 1, whose answer changed.
    pub differs: Option<usize>,
    /// Whether something written did not fit what was played: what followed was left out.
    pub cut: bool,
}

impl Session {
    /// Reads the last task of a journal; `None` when none began in it. What follows a line that says nothing is left out.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        let Some(mut lines) = whole_lines(path)? else { return Ok(None) };
        let mut session: Option<Session> = None;
        while let Some((_, line)) = lines.next_line()? {
            match Event::of_line(line) {
                None => break,
                Some(Event::Began(began)) => {
                    session = Some(Session { began: *began, events: Vec::new(), closed: false });
                }
                Some(Event::Closed) => {
                    if let Some(session) = &mut session {
                        session.closed = true;
                    }
                }
                Some(event) => {
                    if let Some(session) = &mut session {
                        session.closed = false;
                        session.events.push(event);
                    }
                }
            }
        }
        Ok(session)
    }

    /// Where it stood: how many calls lie before.
    pub fn call(&self) -> usize {
        let place = self.events.iter().rev().find_map(|event| match event {
            Event::Place { call, .. } => Some(*call),
            Event::Made { at, .. } => Some(at + 1),
            Event::Began(_) | Event::Closed => None,
        });
        place.unwrap_or(0)
    }

    /// The calls made, in the order they were.
    pub fn calls(&self) -> Vec<Past> {
        let made = self.events.iter().filter_map(|event| match event {
            Event::Made { branch, at, call, answer, code, .. } => Some(Past {
                branch: *branch,
                number: at + 1,
                call: call.clone(),
                answer: answer.clone(),
                code: code.clone(),
            }),
            _ => None,
        });
        made.collect()
    }

    /// Plays everything again on an episode of the same task that has just begun.
    pub fn replay(&self, episode: &mut Episode) -> Replayed {
        self.replay_while(episode, &mut |_, _| true).unwrap_or_default()
    }

    /// The same while `goes_on` allows it; it gets how much is done and of how much. `None` when it was stopped.
    pub fn replay_while(
        &self,
        episode: &mut Episode,
        goes_on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Replayed> {
        let mut replayed = Replayed::default();
        let mut branches = episode.branches().len();
        for (done, event) in self.events.iter().enumerate() {
            if !goes_on(done, self.events.len()) {
                return None;
            }
            let fits = match event {
                Event::Made { branch, parent, at, call, answer, .. } => {
                    let fresh = *branch == branches;
                    let on = if fresh { parent.unwrap_or(0) } else { *branch };
                    if on >= branches || !(on == episode.branch() || episode.return_to(on)) {
                        false
                    } else {
                        episode.go_to(*at);
                        let there = episode.cursor() == *at && (fresh || episode.calls().len() == *at);
                        if there {
                            let made = episode.make(call.clone());
                            replayed.calls += 1;
                            if replayed.differs.is_none() && *made.outcome.answer.text != **answer {
                                replayed.differs = Some(at + 1);
                            }
                            branches += usize::from(fresh);
                        }
                        there && episode.branch() == *branch
                    }
                }
                Event::Place { branch, call, ending } => put(episode, *branch, *call, *ending),
                Event::Began(_) | Event::Closed => true,
            };
            if !fits {
                replayed.cut = true;
                break;
            }
        }
        Some(replayed)
    }
}

/// Goes to the place where a session was; false when there is no such place.
fn put(episode: &mut Episode, branch: usize, call: usize, ending: Ending) -> bool {
    if branch != episode.branch() && !episode.return_to(branch) {
        return false;
    }
    if call != episode.cursor() {
        episode.go_to(call);
    }
    if ending == Ending::Open {
        while episode.ending() != Ending::Open && episode.back() {}
    } else if ending != episode.ending() {
        episode.end(ending);
    }
    episode.cursor() == call && episode.branch() == branch
}
