//! The policies that react: `once`, `blind-retry`, `trusting`, `checking`.

use super::intent::{Intent, answers_another, is_read, may_have_landed, read_back, same_call, shows};
use super::{Move, Player, View};
use crate::engine::{Answer, Code};
use crate::task::{Call, Task};
use crate::value::Value;

/// How often `blind-retry` repeats what failed.
const BLIND_REPEATS: usize = 3;
/// How often a call is made at most that is answered "not now".
const PATIENCE: usize = 12;
/// How often `checking` reads at most before it goes by what it has.
const READINGS: usize = 3;

/// What a player believes and repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// Never makes a call twice.
    Once,
    /// Repeats whatever failed, at most three times, and believes every answer.
    BlindRetry,
    /// Repeats a call when the error says so, and believes every first read.
    Trusting,
    /// Repeats a call when the error says so, reads back before it repeats a write that timed out, and reads again what
    /// answers another question.
    Checking,
}

/// A policy with its understanding of one task.
#[derive(Debug)]
pub(super) struct Reacting {
    policy: Policy,
    intent: Intent,
}

impl Reacting {
    pub(super) fn new(policy: Policy, task: &Task) -> Self {
        Self { policy, intent: Intent::of(task) }
    }
}

/// The calls of the view that equal one call: their places and answers.
struct Tries<'a>(Vec<(usize, &'a Answer)>);

impl<'a> Tries<'a> {
    fn of(view: &View<'a>, call: &Call) -> Self {
        let made = view.made.iter().enumerate();
        Self(made.filter(|(_, (c, _))| same_call(c, call)).map(|(i, (_, answer))| (i, *answer)).collect())
    }

    fn last(&self) -> Option<(usize, &'a Answer)> {
        self.0.last().copied()
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    /// Those made after a place.
    fn after(&self, place: usize) -> Self {
        Self(self.0.iter().filter(|(i, _)| *i > place).copied().collect())
    }
}

impl Player for Reacting {
    fn next(&mut self, view: &View<'_>) -> Move {
        let told = |call: &Call| self.told(view, call);
        for index in 0..self.intent.items.len() {
            let call = match self.intent.call(index, &told) {
                Ok(call) => call,
                Err(tool) => {
                    let reason = format!("{tool} never gave a value that the next call needs, so it cannot be made.");
                    return Move::reply("I could not finish: a value I needed was not given.", reason);
                }
            };
            if let Some(next) = self.on_item(view, index, call) {
                return next;
            }
        }
        Move::reply("Done.", "Everything the request asks for has been called.")
    }
}

impl Reacting {
    /// The answer a player goes by: the first one; `checking` takes the last that answers the question asked.
    fn told(&self, view: &View<'_>, call: &Call) -> Option<Value> {
        let tries = Tries::of(view, call);
        let mut given = tries.0.iter().map(|(_, answer)| *answer).filter(|a| a.code.is_none());
        let answer = if self.policy == Policy::Checking {
            let given: Vec<&Answer> = given.collect();
            let right = given.iter().rev().find(|a| !doubtful(view.task, call, a));
            right.or(given.last()).copied()?
        } else {
            given.next()?
        };
        Some(answer.value.clone())
    }

    /// What an item still needs; `None` when the player is done with it.
    fn on_item(&self, view: &View<'_>, index: usize, call: Call) -> Option<Move> {
        let item = &self.intent.items[index];
        let tries = Tries::of(view, &call);
        let tool = call.tool.clone();
        let Some((place, answer)) = tries.last() else {
            let reason = match item.reads_back {
                Some(_) => format!("{tool} reads back what the change left behind."),
                None if item.read => format!("{tool} is asked for: its answer is needed or named by the request."),
                None => format!("{tool} is what the request asks for, and everything it needs is known."),
            };
            return Some(Move::call(call, reason));
        };
        match answer.code {
            Some(code) => self.on_error(view, index, call, &tries, place, code),
            None => match item.reads_back {
                Some(write) => self.on_read_back(view, write, call, &tries, place, answer),
                None if self.policy == Policy::Checking && item.read && doubtful(view.task, &call, answer) => {
                    let reason = format!("{tool} answered for other arguments than it was asked with: reading again.");
                    (tries.count() < READINGS).then(|| Move::call(call, reason))
                }
                None => None,
            },
        }
    }

    fn on_error(
        &self,
        view: &View<'_>,
        index: usize,
        call: Call,
        tries: &Tries<'_>,
        place: usize,
        code: Code,
    ) -> Option<Move> {
        let tool = call.tool.clone();
        let again = tries.count() + 1;
        match self.policy {
            Policy::Once => None,
            Policy::BlindRetry => (tries.count() <= BLIND_REPEATS).then(|| {
                Move::call(call, format!("{tool} answered {}: the same call again, try {again}.", code.word()))
            }),
            Policy::Trusting | Policy::Checking => match code {
                Code::Unavailable | Code::RateLimited => (tries.count() < PATIENCE).then(|| {
                    let reason = format!("{tool} answered {}, so it was not made: try {again}.", code.word());
                    Move::call(call, reason)
                }),
                Code::Timeout if is_read(view.task, &tool) => (tries.count() < PATIENCE)
                    .then(|| Move::call(call, format!("{tool} timed out; reading again changes nothing."))),
                Code::Timeout => self.on_timed_out_write(view, index, call, tries, place),
                Code::NotFound | Code::InvalidArguments | Code::NotReady => None,
            },
        }
    }

    fn on_timed_out_write(
        &self,
        view: &View<'_>,
        index: usize,
        call: Call,
        tries: &Tries<'_>,
        place: usize,
    ) -> Option<Move> {
        let tool = call.tool.clone();
        let patient = tries.count() < PATIENCE;
        let read = match self.policy {
            Policy::Checking => read_back(view.task, &self.intent, index, &call),
            _ => None,
        };
        let Some(read) = read else {
            // Nothing can show whether it went through: go by what the agent was told.
            let reason = format!("{tool} timed out and did not go through: the same call again.");
            return (patient && !may_have_landed(view.task)).then(|| Move::call(call, reason));
        };
        let reads = Tries::of(view, &read).after(place);
        match reads.last() {
            None => Some(Move::call(read, format!("{tool} timed out: reading back whether it went through."))),
            Some((_, answer)) if matches!(answer.code, Some(Code::Unavailable | Code::RateLimited | Code::Timeout)) => {
                let reason = "The read back failed: try again.";
                (reads.count() < PATIENCE).then(|| Move::call(read, reason))
            }
            Some((_, answer)) if answer.code.is_none() && shows(view.task, &call, &read, answer) => None,
            Some(_) => {
                let reason = format!("The read back does not show {tool}: it did not go through, so it is made again.");
                patient.then(|| Move::call(call, reason))
            }
        }
    }

    /// After a read back was answered: what a change that it does not show leads to.
    fn on_read_back(
        &self,
        view: &View<'_>,
        write: usize,
        read: Call,
        tries: &Tries<'_>,
        place: usize,
        answer: &Answer,
    ) -> Option<Move> {
        let told = |call: &Call| self.told(view, call);
        let write = self.intent.call(write, &told).ok()?;
        if shows(view.task, &write, &read, answer) {
            return None;
        }
        match self.policy {
            Policy::Once | Policy::BlindRetry => None,
            Policy::Trusting => Tries::of(view, &write).after(place).last().is_none().then(|| {
                let reason = format!("{} does not show the change, so it is made again.", read.tool);
                Move::call(write, reason)
            }),
            Policy::Checking => (tries.count() < READINGS).then(|| {
                let reason =
                    format!("{} does not show the change yet: a read may be behind, so reading again.", read.tool);
                Move::call(read, reason)
            }),
        }
    }
}

/// Whether an answer is not the one asked for, where answers say what they were asked.
fn doubtful(task: &Task, call: &Call, answer: &Answer) -> bool {
    task.echo_reads && answers_another(task, call, answer)
}
