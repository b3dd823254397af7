//! The recorded calls of an episode as rows; of a task, what it is.

use super::{Calls, Item, item};
use crate::align::Ended;
use crate::run::{Browse, Trace, TraceStep};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::panes::Stack;
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;
use std::collections::BTreeMap;

/// Rows of one call: the call, its answer, why it was made.
const ROWS: usize = 3;

/// Where a row of the pane is in the stepper: the number of calls before it, one more for the ending.
pub(super) fn call_at(model: &Model, row: usize) -> usize {
    match &model.card.calls {
        Calls::Read(trace) if row / ROWS < trace.steps.len() => row / ROWS + 1,
        _ => usize::MAX,
    }
}

/// The rows of the pane.
pub(super) fn rows<'a>(model: &'a Model, run: &'a Browse, width: usize, stack: &mut Stack<'a>) {
    match (item(model), &model.card.calls) {
        (Some(Item::Task(task)), _) => stack.add(task_rows(run, task, width)),
        (Some(Item::Episode(..)), Calls::Read(trace)) => {
            stack.add(Steps(trace));
            if let Some(words) = trace.broken_words() {
                stack.add(Row::of(Scope::Error, "! ").plain(words).hanging(2).wrap(width));
            }
            stack.add(end_rows(model, trace, width));
        }
        (Some(Item::Episode(..)), Calls::Unrecorded) => {
            let says = "The calls of this card's episodes are not recorded.";
            stack.add(Row::of(Scope::Dim, says).wrap(width));
        }
        (Some(Item::Episode(..)), Calls::Failed(why)) => {
            stack.add(Row::of(Scope::Error, format!("! {why}")).wrap(width));
        }
        (Some(Item::Episode(..)), Calls::None) => stack.add(vec![Row::of(Scope::Dim, "reading its calls")]),
        (None, _) => {}
    }
}

/// The sign of a recorded call: `!` an error, `~` a write no step expects, `+` anything else.
pub(in crate::tui::screens) fn step_sign(code: Option<&str>, stored: Option<crate::align::Stored>) -> (Scope, char) {
    use crate::align::Stored;
    match (code, stored) {
        (Some(_), _) => (Scope::Warn, '!'),
        (None, Some(Stored::SideEffect | Stored::Duplicate)) => (Scope::Error, '!'),
        _ => (Scope::Ok, '+'),
    }
}

/// What a recorded call was answered, in a few words.
pub(in crate::tui::screens) fn answer_words(played: &crate::align::Played) -> String {
    use crate::align::Stored;
    let stored = played.stored.map(|stored| match stored {
        Stored::Expected => "stored, as expected",
        Stored::SideEffect => "stored, a side effect",
        Stored::Duplicate => "stored, a duplicate",
    });
    match (&played.code, stored) {
        (Some(code), None) => code.to_string(),
        (Some(code), Some(stored)) => format!("{code}, but {stored}"),
        (None, Some(stored)) => stored.to_owned(),
        (None, None) => played.answer.to_string(),
    }
}

struct Steps<'a>(&'a Trace);

impl Rows for Steps<'_> {
    fn len(&self) -> usize {
        self.0.steps.len() * ROWS
    }

    /// The rows of a call are found together.
    fn sought(&self, i: usize) -> String {
        let first = i / ROWS * ROWS;
        (first..first + ROWS).fold(String::new(), |all, i| format!("{all}{}\n", self.row(i).text()))
    }

    fn row(&self, i: usize) -> Row {
        let Some(step) = self.0.steps.get(i / ROWS) else { return Row::new() };
        let wide = self.0.steps.len().to_string().len();
        match i % ROWS {
            0 => call_row(step, i / ROWS + 1, wide),
            1 => Row::new().gap(wide + 3).dim("-> ").plain(answer_words(&step.played)),
            _ => Row::new().gap(wide + 3).dim(&*step.reason),
        }
    }
}

fn call_row(step: &TraceStep, number: usize, wide: usize) -> Row {
    let played = &step.played;
    let (scope, sign) = step_sign(played.code.as_deref(), played.stored);
    let row = Row::of(scope, format!("{sign} ")).dim(format!("{number:>wide$} "));
    words::call(row, &played.call)
}

fn end_rows(model: &Model, trace: &Trace, width: usize) -> Vec<Row> {
    let (scope, sign, _) = scale::outcome(&trace.label);
    let ended = match trace.ended {
        Ended::Reply => "reply",
        Ended::Limit => "turn limit",
        Ended::Open => "no end",
    };
    let mut rows = vec![Row::of(scope, format!("{sign} ")).plain(ended).plain("  ").put(scope, &*trace.label)];
    rows.extend(Row::of(Scope::Dim, "  played by ").plain(&*trace.player).wrap(width));
    let key = model.keymap.key(Action::Open).unwrap_or_default();
    rows.push(Row::new());
    rows.extend(
        Row::of(Scope::Dim, format!("{key} opens the stepper at the selected call, with its why.")).wrap(width),
    );
    rows
}

fn task_rows(run: &Browse, task: usize, width: usize) -> Vec<Row> {
    let Some(line) = run.task(task) else { return Vec::new() };
    let episodes = run.episodes_of(task);
    let mut rows = Row::new().dim("seed    ").plain(line.seed.to_string()).wrap(width);
    rows.extend(Row::new().dim("task    ").plain(words::short_hash(&line.task_id)).wrap(width));
    let passed = format!("{} of {}", text::group(line.passed), text::count(episodes.len(), "attempt"));
    rows.extend(Row::new().dim("passed  ").plain(passed).wrap(width));
    let mut labels: BTreeMap<&str, u64> = BTreeMap::new();
    for episode in episodes {
        *labels.entry(run.outcome(episode)).or_default() += 1;
    }
    for (label, n) in labels {
        let (scope, sign, _) = scale::outcome(label);
        rows.push(Row::new().gap(8).put(scope, format!("{sign} ")).plain(text::group(n)).plain(" ").put(scope, label));
    }
    rows
}
