//! The list of calls: made, undone, and to come.

use super::{Entry, StepScreen, words};
use crate::engine::{Ending, Made, Rule};
use crate::episode::Episode;
use crate::theme::Scope;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use std::sync::Arc;

/// The list.
pub(super) struct Calls<'a> {
    pub(super) step: &'a StepScreen,
    pub(super) episode: &'a Episode,
    pub(super) width: usize,
}

impl Rows for Calls<'_> {
    fn len(&self) -> usize {
        self.step.len()
    }

    fn row(&self, i: usize) -> Row {
        match self.step.entry(i) {
            Entry::Start => {
                let row = Row::new().dim("  start");
                let marked = self.step.marked.as_ref().is_some_and(|point| point.made.is_none());
                if marked { row.end(Scope::Accent, "marked") } else { row }
            }
            Entry::Made(at) => {
                let Some(made) = self.episode.calls().get(at) else { return Row::new() };
                let row = self.made(at, made);
                if at >= self.episode.cursor() { row.all(Scope::Future) } else { row }
            }
            Entry::End(ending) => {
                let verdict = self.episode.verdict();
                let word = if ending == Ending::Reply { "reply" } else { "turn limit" };
                let scope = if verdict.strict { Scope::VerdictPassed } else { Scope::VerdictFailed };
                let sign = if verdict.strict { "+ " } else { "! " };
                Row::new().put(scope, sign).put(Scope::Strong, word).end(scope, verdict.label)
            }
            Entry::Undone(ending) => {
                let state = self.episode.state_at(self.episode.calls().len());
                let verdict = self.episode.engine().verdict(&state, ending);
                let word = if ending == Ending::Reply { "reply" } else { "turn limit" };
                Row::new().plain(format!(". {word}")).end(Scope::Text, verdict.label).all(Scope::Future)
            }
            Entry::Left(at) => {
                let Some(call) = self.step.left.get(at) else { return Row::new() };
                let number = self.episode.calls().len() + at + 1;
                words::call(Row::new().plain(format!(". {} ", self.number(number))), call)
                    .all(Scope::Future)
                    .end(Scope::Dim, if at == 0 { "next" } else { "" })
            }
        }
    }
}

impl Calls<'_> {
    fn made(&self, at: usize, made: &Arc<Made>) -> Row {
        let (scope, sign, word) = outcome_words(made);
        let stops = self.step.stops_at(made);
        // A call that running stops at has a mark beside its sign.
        let row = Row::new().put(scope, sign.to_string()).put(Scope::Accent, if stops { "*" } else { " " });
        let row = words::call(row.dim(format!("{} ", self.number(at + 1))), &made.call);
        let marked = self.step.marked.as_ref().and_then(|point| point.made.as_ref());
        let marked = marked.is_some_and(|other| Arc::ptr_eq(other, made));
        let row = if marked { row.end(Scope::Accent, "marked ") } else { row };
        match self.step.stopped_at(at, made) {
            // Half a row is left for the call; the whole reason stands above the call itself.
            Some(why) if why.len() + 2 <= self.width / 2 => row.end(Scope::Accent, format!("* {why}")),
            Some(_) if self.width >= 30 => row.end(Scope::Accent, "* stopped"),
            _ if self.width < 30 => row,
            _ => row.end(scope, word),
        }
    }

    /// Numbers of one width.
    fn number(&self, n: usize) -> String {
        let widest = (self.episode.calls().len() + self.step.left.len()).max(1).to_string().len();
        format!("{n:>widest$}")
    }
}

/// What became of a call: its style, sign and a word.
pub fn outcome_words(made: &Made) -> (Scope, char, &'static str) {
    let outcome = &made.outcome;
    if outcome.shaping.bad.is_some() {
        return (Scope::Odd, '?', "bad read");
    }
    if outcome.shaping.stale.is_some() {
        return (Scope::Odd, '?', "stale read");
    }
    match &outcome.rule {
        Rule::NotAnObject => (Scope::Error, '!', "not an object"),
        Rule::OutsideBlock => (Scope::Error, '!', "no such tool"),
        Rule::Fault { .. } => (Scope::Warn, '!', "unavailable"),
        Rule::PlannedTimeout { .. } => (Scope::Warn, '!', "timeout"),
        Rule::RateLimit { .. } => (Scope::Warn, '!', "rate limited"),
        Rule::Invalid(_) => (Scope::Error, '!', "invalid"),
        Rule::NotFound { .. } => (Scope::Error, '!', "not found"),
        Rule::NotReady { .. } => (Scope::Error, '!', "not ready"),
        Rule::ReadServed { again: false, .. } => (Scope::Ok, '+', "served"),
        Rule::ReadServed { again: true, .. } => (Scope::Ok, '+', "served again"),
        Rule::PlainRead | Rule::ReadReflected { .. } => (Scope::Ok, '+', "read"),
        Rule::WriteDone { landed: false, .. } => (Scope::Ok, '+', "done"),
        Rule::WriteDone { landed: true, .. } => (Scope::Warn, '!', "landed, timeout"),
        Rule::SideEffect { .. } => (Scope::Error, '!', "side effect"),
        Rule::Duplicate { .. } => (Scope::Error, '!', "duplicate"),
    }
}
