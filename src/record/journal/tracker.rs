//! What changed in an episode since it was last written down. Nobody has to tell: whatever made calls, moved or returned
//! to a branch, the episode itself says where it stands.

use super::line::Event;
use crate::engine::Engine;
use crate::episode::{Episode, Made};
use crate::task::Ending;
use std::sync::Arc;

/// What is written of an episode.
#[derive(Debug, Clone)]
pub struct Tracker {
    engine: Arc<Engine>,
    /// Calls written, by branch.
    lengths: Vec<usize>,
    /// Where it stood: branch, call, ending.
    place: (usize, usize, Ending),
    /// The last call of the branch it stood on: another one there means another episode.
    last: Option<Arc<Made>>,
}

impl Tracker {
    /// Of a task that has just begun: nothing is written of it yet.
    pub fn new(episode: &Episode) -> Self {
        Self { engine: episode.engine().clone(), lengths: vec![0], place: (0, 0, Ending::Open), last: None }
    }

    /// Of an episode of which everything is written.
    pub fn written(episode: &Episode) -> Self {
        let mut tracker = Self::new(episode);
        tracker.changes(episode);
        tracker
    }

    /// Whether what is written is of this episode.
    pub fn follows(&self, episode: &Episode) -> bool {
        if !Arc::ptr_eq(&self.engine, episode.engine()) {
            return false;
        }
        let branches = episode.branches();
        let kept = self.lengths.len() <= branches.len()
            && self.lengths.iter().zip(&branches).all(|(written, branch)| *written <= branch.length);
        let (branch, ..) = self.place;
        kept && match (&self.last, self.lengths[branch].checked_sub(1)) {
            (Some(last), Some(at)) if branch == episode.branch() => {
                episode.calls().get(at).is_some_and(|made| Arc::ptr_eq(made, last))
            }
            _ => true,
        }
    }

    /// What happened since; it counts as written from now on.
    pub fn changes(&mut self, episode: &Episode) -> Vec<Event> {
        let place = (episode.branch(), episode.cursor(), episode.ending());
        let branches = episode.branches();
        // A branch may have been started, or gone on with, and left again since: every length counts.
        if place == self.place && branches.iter().map(|branch| branch.length).eq(self.lengths.iter().copied()) {
            return Vec::new();
        }
        let mut events = Vec::new();
        for (i, branch) in branches.iter().enumerate() {
            let written = self.lengths.get(i).copied().unwrap_or(branch.parts_at);
            if written < branch.length {
                let other = (i != episode.branch()).then(|| episode.branch_calls(i));
                let calls = other.as_deref().unwrap_or(episode.calls());
                events.extend(calls.iter().enumerate().skip(written).map(|(at, made)| Event::Made {
                    branch: i,
                    parent: branch.parent,
                    at,
                    call: made.call.clone(),
                    answer: made.outcome.answer.text.to_string(),
                    code: made.outcome.answer.code.map(|code| code.word().to_owned()),
                }));
            }
            if i < self.lengths.len() {
                self.lengths[i] = branch.length;
            } else {
                self.lengths.push(branch.length);
            }
        }
        // Making calls again moves, so where one stands is said after them in any case.
        if place != self.place || !events.is_empty() {
            events.push(Event::Place { branch: place.0, call: place.1, ending: place.2 });
        }
        self.place = place;
        self.last = episode.calls().last().cloned();
        events
    }
}
