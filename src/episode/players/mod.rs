//! Players: small deterministic policies that stand in for an agent.
//!
//! A player sees what an agent sees, the task as asked and the answers so far, and says the next move with its reason. Its
//! moves are a function of those alone, so stepping back and asking again gives the same move. Players own no rule of the
//! engine and look at no state; that they know what the request wants is taken from the task's reference solution, with
//! every value that an answer serves replaced by what the answer really said.
//!
//! ```
//! use rehearsal::episode::players::PlayerSpec;
//! let none = &mut |file: &str| Err(format!("no script {file}"));
//! assert_eq!(PlayerSpec::parse("mix:checking=3,once=1", none).unwrap().to_string(), "mix:checking=3,once=1");
//! assert!(PlayerSpec::parse("script:calls.yaml", none).is_err());
//! ```

mod intent;
mod policy;
mod spec;

pub use spec::{NAMES, PlayerSpec};

use crate::engine::Answer;
use crate::task::{Call, Task};
use crate::value::Str;

/// What a player sees.
#[derive(Debug)]
pub struct View<'a> {
    /// The task.
    pub task: &'a Task,
    /// Every call made so far and its answer.
    pub made: Vec<(&'a Call, &'a Answer)>,
}

/// What a player does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Makes a call.
    Call(Call),
    /// Replies in plain text: the episode ends.
    Reply(Str),
    /// Goes on until the turn limit stops it: the episode ends without a reply.
    Limit,
}

/// A move and why it was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// What is done.
    pub act: Act,
    /// One plain sentence.
    pub reason: String,
}

impl Move {
    fn call(call: Call, reason: impl Into<String>) -> Self {
        Self { act: Act::Call(call), reason: reason.into() }
    }

    fn reply(text: &str, reason: impl Into<String>) -> Self {
        Self { act: Act::Reply(text.into()), reason: reason.into() }
    }
}

/// A policy playing one attempt at one task.
pub trait Player: Send {
    /// The next move. Asked again with the same view it gives the same move.
    fn next(&mut self, view: &View<'_>) -> Move;
}

/// Plays given calls in order, whatever is answered.
#[derive(Debug)]
struct Fixed {
    calls: Vec<Call>,
    limit: bool,
    what: String,
}

impl Player for Fixed {
    fn next(&mut self, view: &View<'_>) -> Move {
        let n = view.made.len();
        match self.calls.get(n) {
            Some(call) => Move::call(call.clone(), format!("Call {} of {} of {}.", n + 1, self.calls.len(), self.what)),
            None if self.limit => Move {
                act: Act::Limit,
                reason: format!("{} never replies; it runs into the turn limit.", capital(&self.what)),
            },
            None => Move::reply(
                "Done.",
                match self.calls.len() {
                    1 => format!("The one call of {} is made.", self.what),
                    n => format!("All {n} calls of {} are made.", self.what),
                },
            ),
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
