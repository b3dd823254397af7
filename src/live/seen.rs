//! A hub as a screen follows it: what happened, what is held, and orders from a person.

use super::event::Event;
use super::hold::{Decision, Held, HoldSettings};
use super::hub::Hub;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a screen looks whether it goes on.
const LOOK: Duration = Duration::from_millis(100);
/// How often the countdown of a held call moves.
const TICK: Duration = Duration::from_secs(1);
/// Most events told at once.
const AT_ONCE: usize = 4096;

/// A hub that runs in this process.
#[derive(Clone)]
pub struct Watching {
    /// The hub.
    pub hub: Arc<Hub>,
    /// What happens in its episodes.
    pub events: Arc<Mutex<Receiver<Event>>>,
}

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watching").finish_non_exhaustive()
    }
}

/// What an episode holds now.
#[derive(Debug, Clone)]
pub struct Holding {
    /// The held call, and how long it is held before it is let go.
    pub held: Option<(Held, Duration)>,
    /// How many calls wait behind it.
    pub waiting: usize,
    /// What holds calls.
    pub settings: HoldSettings,
}

/// What happened since the last time, and what each episode holds now, in the order in which they were opened.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The events, in their order.
    pub events: Vec<Event>,
    /// An entry an episode.
    pub holding: Vec<Holding>,
}

/// What a person wants done in an episode.
#[derive(Debug, Clone)]
pub enum Wish {
    /// A decision on the held call.
    Decide(Decision),
    /// The held call and all that wait behind it are let pass.
    ReleaseAll,
    /// Other rules, or another deadline.
    Settings(HoldSettings),
    /// The episode ends with a reply.
    End,
}

impl Watching {
    /// Tells what happens until it is told to stop; every second while a call is held.
    pub fn follow(&self, stopped: &dyn Fn() -> bool, tell: &dyn Fn(Seen)) {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        tell(self.seen(Vec::new()));
        let mut told = Instant::now();
        while !stopped() {
            let mut fresh = match events.recv_timeout(LOOK) {
                Ok(event) => vec![event],
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                // All episodes ended: nothing happens any more.
                Err(RecvTimeoutError::Disconnected) => return,
            };
            while fresh.len() < AT_ONCE
                && let Ok(event) = events.try_recv()
            {
                fresh.push(event);
            }
            let ticks =
                told.elapsed() >= TICK && self.hub.watched().iter().any(|episode| episode.hold.held().is_some());
            if ticks || !fresh.is_empty() {
                tell(self.seen(fresh));
                told = Instant::now();
            }
        }
    }

    fn seen(&self, events: Vec<Event>) -> Seen {
        let holding = |episode: super::Watched| Holding {
            held: episode.hold.held().map(|held| {
                let left = held.lets_go.saturating_duration_since(Instant::now());
                (held, left)
            }),
            waiting: episode.hold.waiting(),
            settings: episode.hold.settings(),
        };
        Seen { events, holding: self.hub.watched().into_iter().map(holding).collect() }
    }

    /// Does what a person wants in an episode, by its place. Blocks while an ending is written. The error is one line.
    pub fn wish(&self, episode: usize, wish: Wish) -> Result<(), String> {
        const BY: &str = "screen";
        let watched = self.hub.watched();
        let hold = &watched.get(episode).ok_or("no such live episode")?.hold;
        match wish {
            Wish::Decide(decision) => hold.decide(decision, BY),
            Wish::ReleaseAll => match hold.release_all(BY) {
                0 => Err("no call is held".to_owned()),
                _ => Ok(()),
            },
            Wish::Settings(settings) => hold.set(settings),
            Wish::End => self.hub.end_one(episode),
        }
    }
}
