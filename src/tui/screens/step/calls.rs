//! The list of calls: made, undone, and to come.

use super::{Entry, StepScreen, words};
use crate::engine::{Ending, Made, Rule};
use crate::episode::Episode;
use crate::theme::Scope;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;

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
            Entry::Start => Row::new().dim("  start"),
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
    fn made(&self, at: usize, made: &Made) -> Row {
        let (scope, sign, word) = outcome_words(made);
        let row = Row::new().put(scope, format!("{sign} ")).dim(format!("{} ", self.number(at + 1)));
        let row = words::call(row, &made.call);
        if self.width < 30 { row } else { row.end(scope, word) }
    }

    /// Numbers of one width.
    fn number(&self, n: usize) -> String {
        let widest = (self.episode.calls().len() + self.step.left.len()).max(1).to_string().len();
        format!("{n:>widest$}")
    }
}

/// What became of a call: its style, sign and a word.
pub(super) fn outcome_words(made: &Made) -> (Scope, char, &'static str) {
    let outcome = &made.outcome;
    if outcome.shaping.bad.is_some() {
        return (Scope::Odd, '?', "bad read");
    }
    if outcome.shaping.stale.is_some() {
        return (Scope::Odd, '?', "stale read");
    }
    match &outcome.rule {
        Rule::NotAnObject => (Scope::Error, '!', "no object"),
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
        Rule::SideEffect { .. } => (Scope::DiffChanged, '~', "side effect"),
        Rule::Duplicate { .. } => (Scope::DiffChanged, '~', "duplicate"),
    }
}
