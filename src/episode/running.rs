//! Going on until something happens: the end, an error, a change in the store, a breakpoint, a watch.
use super::watch::Watch;
use super::{Episode, Made};
use crate::engine::{Change, Code, Ending, Rule};
use crate::value::Str;
use std::sync::Arc;

/// How far to go on, breakpoints and watches aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To the end of the kept future and of the reference solution.
    End,
    /// To the next error answer.
    Error,
    /// To the next write stored or step served.
    StoreChange,
}

/// What to stop at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Breakpoint {
    /// A call of a tool.
    Tool(Str),
    /// An answer with this error code.
    Code(Code),
    /// A write no step expects, duplicates included.
    SideEffect,
    /// The bad read.
    BadRead,
    /// The stale read.
    StaleRead,
}

impl Breakpoint {
    /// Whether a call made is one to stop at.
    pub fn hits(&self, made: &Made) -> bool {
        let outcome = &made.outcome;
        match self {
            Breakpoint::Tool(tool) => made.call.tool == *tool,
            Breakpoint::Code(code) => outcome.answer.code == Some(*code),
            Breakpoint::SideEffect => matches!(outcome.rule, Rule::SideEffect { .. } | Rule::Duplicate { .. }),
            Breakpoint::BadRead => outcome.changes.contains(&Change::BadUsed),
            Breakpoint::StaleRead => outcome.changes.contains(&Change::LaggedUsed),
        }
    }

    /// Reads `tool:NAME`, an error code's word, `side-effect`, `bad-read` or `stale-read`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(tool) = text.strip_prefix("tool:").filter(|tool| !tool.is_empty()) {
            return Some(Self::Tool(tool.into()));
        }
        match text {
            "side-effect" => Some(Self::SideEffect),
            "bad-read" => Some(Self::BadRead),
            "stale-read" => Some(Self::StaleRead),
            word => Code::ALL.into_iter().find(|code| code.word() == word).map(Self::Code),
        }
    }

    /// The breakpoint as a person calls it: "a call of pay", "an answer not_found", ...
    pub fn words(&self) -> String {
        match self {
            Breakpoint::Tool(tool) => format!("a call of {}", crate::text::safe(tool)),
            Breakpoint::Code(code) => format!("an answer {}", code.word()),
            Breakpoint::SideEffect => "a side effect".to_owned(),
            Breakpoint::BadRead => "the bad read".to_owned(),
            Breakpoint::StaleRead => "the stale read".to_owned(),
        }
    }
}

/// Why going on stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Nothing is left to do.
    End,
    /// The last call was answered with an error.
    Error,
    /// The last call changed the store or served a step.
    StoreChange,
    /// The breakpoint of that index was hit by the last call.
    Breakpoint(usize),
    /// What the watch of that index looks at was changed by the last call.
    Watch(usize),
}

/// How far going on came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran {
    /// How many calls were passed or made.
    pub calls: usize,
    /// Why it stopped.
    pub stop: Stop,
}

impl Episode {
    /// One call on: the next of the kept future, else the next reference call. `None` when there is neither, or when the
    /// episode has ended here.
    pub fn advance(&mut self) -> Option<Arc<Made>> {
        if self.ending() != Ending::Open {
            return None;
        }
        if self.cursor < self.line.len() {
            self.step_over();
            return Some(self.line[self.cursor - 1].clone());
        }
        self.next_reference().map(|call| self.make(call))
    }

    /// Goes on, at least one call, until `until`, a breakpoint or a watch stops it: through the kept future first, then
    /// with the reference calls still to come.
    pub fn run(&mut self, until: Until, breakpoints: &[Breakpoint], watches: &[Watch]) -> Ran {
        let mut calls = 0;
        while let Some(made) = self.advance() {
            calls += 1;
            if let Some(stop) = stop(&made, until, breakpoints, watches) {
                return Ran { calls, stop };
            }
        }
        Ran { calls, stop: Stop::End }
    }
}

/// Why going on stops at a call, if it does.
pub fn stop(made: &Made, until: Until, breakpoints: &[Breakpoint], watches: &[Watch]) -> Option<Stop> {
    if let Some(i) = breakpoints.iter().position(|b| b.hits(made)) {
        return Some(Stop::Breakpoint(i));
    }
    if let Some(i) = watches.iter().position(|w| w.hits(made)) {
        return Some(Stop::Watch(i));
    }
    match until {
        Until::Error if made.outcome.is_failure() => Some(Stop::Error),
        Until::StoreChange if changes_store(made) => Some(Stop::StoreChange),
        _ => None,
    }
}

impl Stop {
    /// Why, in words, given what was looked for.
    pub fn words(self, breakpoints: &[Breakpoint], watches: &[Watch]) -> String {
        match self {
            Stop::End => "nothing left to do".to_owned(),
            Stop::Error => "an error".to_owned(),
            Stop::StoreChange => "a change in the store".to_owned(),
            Stop::Breakpoint(i) => breakpoints.get(i).map_or_else(String::new, Breakpoint::words),
            Stop::Watch(i) => watches.get(i).map_or_else(String::new, |watch| format!("{} changed", watch.words())),
        }
    }
}

/// Whether a call stored a write or served a step.
fn changes_store(made: &Made) -> bool {
    let change = |c: &Change| matches!(c, Change::Stored { .. } | Change::Done { .. } | Change::Served { .. });
    made.outcome.changes.iter().any(change)
}
