//! The accepted writes of the store. A write no step expects, or one made twice, shows its fields: expected against got.

use super::words;
use crate::engine::{Made, Rule, State, Write, WriteKind};
use crate::episode::Episode;
use crate::schema::same;
use crate::task::Step;
use crate::theme::Scope;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::scalar;
use crate::tui::widgets::row::Row;
use crate::value::Map;

/// A store of more writes shows each in one row.
const MOST_DETAILED: usize = 500;

/// The writes as rows.
pub(super) struct Writes {
    all: crate::engine::Writes,
    new: Option<usize>,
    /// Whether the values of a write are shown in rows of their own.
    few: bool,
    /// Each row with the write it belongs to; `None` when there are too many to show in full.
    detailed: Option<Vec<(usize, Row)>>,
}

impl Writes {
    /// The writes where an episode stands, in rows of `width` columns.
    pub(super) fn of(episode: &Episode, state: &State, width: usize) -> Self {
        let writes = state.writes().clone();
        let last = episode.cursor().checked_sub(1).and_then(|i| episode.calls().get(i));
        let new = last.and_then(|made| super::store::stored(made));
        let few = writes.len() <= MOST_DETAILED;
        // Free play has no records to hold the values.
        let free = episode.task().steps.is_empty();
        let mut all = Self { all: writes, new, few: few && !free, detailed: None };
        if few {
            let rows = (0..all.all.len()).flat_map(|i| {
                let mut rows = all.head(i).hanging(4).wrap(width);
                let fields = all.all.get(i).map(|write| fields(episode, state, write)).unwrap_or_default();
                rows.extend(fields.iter().flat_map(|row| row.wrap(width)));
                rows.into_iter().map(move |row| (i, row))
            });
            all.detailed = Some(rows.collect());
        }
        all
    }

    /// The write a row belongs to.
    pub(super) fn at(&self, row: usize) -> Option<usize> {
        match &self.detailed {
            Some(rows) => rows.get(row).map(|(write, _)| *write),
            None => (row < self.all.len()).then_some(row),
        }
    }

    /// The first row of a write.
    pub(super) fn row_of(&self, write: usize) -> Option<usize> {
        match &self.detailed {
            Some(rows) => rows.iter().position(|(at, _)| *at == write),
            None => (write < self.all.len()).then_some(write),
        }
    }

    fn head(&self, i: usize) -> Row {
        let Some(write) = self.all.get(i) else { return Row::new() };
        let (scope, sign, word) = write_words(write);
        let new = self.new == Some(i);
        let scope = if new && scope == Scope::Ok { Scope::DiffAdded } else { scope };
        let row = Row::new().put(scope, format!("{sign} ")).dim(format!("{} ", i + 1));
        let row = row.put(if scope == Scope::Error { scope } else { Scope::Text }, &*write.tool).plain(" ");
        let tail = if new { format!("{word} now") } else { format!("{word}, call {}", write.call) };
        // The fields of a wrong write follow, those of an expected one stand in its record.
        let row = if self.few { row } else { words::arguments(row, &write.arguments) };
        row.end(scope, tail)
    }
}

impl Rows for Writes {
    fn len(&self) -> usize {
        self.detailed.as_ref().map_or_else(|| self.all.len(), Vec::len)
    }

    fn row(&self, i: usize) -> Row {
        match &self.detailed {
            Some(rows) => rows.get(i).map(|(_, row)| row.clone()).unwrap_or_default(),
            None => self.head(i),
        }
    }
}

/// How a write counts: its style, sign and words.
pub fn write_words(write: &Write) -> (Scope, char, String) {
    match write.kind {
        WriteKind::Expected(step) => (Scope::Ok, '+', format!("step {step}")),
        WriteKind::SideEffect => (Scope::Error, '!', "side effect".to_owned()),
        WriteKind::Duplicate(step) => (Scope::Error, '!', format!("duplicate of {step}")),
    }
}

/// The fields of a write that should not be there, each with what was expected. Nothing for an expected write.
fn fields(episode: &Episode, state: &State, write: &Write) -> Vec<Row> {
    let task = episode.task();
    let made = write.call.checked_sub(1).and_then(|i| episode.calls().get(i)).map(|made| &**made);
    let step = match write.kind {
        WriteKind::Expected(_) => return Vec::new(),
        WriteKind::Duplicate(step) => Some(step),
        WriteKind::SideEffect => made.and_then(nearest),
    };
    let mut rows = Vec::new();
    match (write.kind, step.and_then(|step| Some((step, task.steps.get(step)?)))) {
        (WriteKind::Duplicate(step), Some((_, expected))) => {
            let first = state.write_of(step).and_then(|first| state.writes().get(first));
            let already = first.map_or_else(String::new, |first| format!(", already done by call {}", first.call));
            rows.push(Row::new().plain("    ").put(Scope::Error, format!("step {step} expects this once{already}")));
            compared(&mut rows, expected, write);
        }
        (_, Some((step, expected))) => {
            let done = if state.passed(step) { " (already done)" } else { "" };
            rows.push(Row::new().dim(format!("    compared with step {step}{done}:")));
            compared(&mut rows, expected, write);
        }
        (_, None) => {
            let says = format!("no step writes with {}", write.tool);
            rows.push(Row::new().plain("    ").put(Scope::Error, says));
            for (name, value) in write.arguments.as_object().into_iter().flat_map(Map::named) {
                rows.push(Row::new().dim(format!("    {name}: ")).put(scalar(value).0, words::long(value)));
            }
        }
    }
    rows.into_iter().map(|row| row.hanging(6)).collect()
}

/// The step that a side effect comes nearest to.
fn nearest(made: &Made) -> Option<usize> {
    match &made.outcome.rule {
        Rule::SideEffect { nearest } => nearest.as_ref().map(|nearest| nearest.step),
        _ => None,
    }
}

/// A row for each field: what the step expects, what the write has.
fn compared(rows: &mut Vec<Row>, step: &Step, write: &Write) {
    for (name, expected) in &step.matching {
        rows.push(match write.arguments.get(name) {
            Some(got) if same(got, expected) => {
                Row::new().put(Scope::Ok, "  + ").dim(format!("{name}: ")).put(scalar(got).0, words::long(got))
            }
            got => {
                let got = got.map_or_else(|| "nothing".to_owned(), words::long);
                let row = Row::new().put(Scope::Error, "  ! ").dim(format!("{name}: expected "));
                row.put(Scope::Ok, words::long(expected)).dim(", got ").put(Scope::Error, got)
            }
        });
    }
    let others = write.arguments.as_object().into_iter().flat_map(Map::named);
    for (name, value) in others.filter(|(name, _)| !step.matching.iter().any(|(known, _)| known == *name)) {
        rows.push(if step.exact {
            let row = Row::new().put(Scope::Error, "  ! ").dim(format!("{name}: expected nothing, got "));
            row.put(Scope::Error, words::long(value))
        } else {
            Row::new().dim(format!("    {name}: ")).put(scalar(value).0, words::long(value))
        });
    }
}
