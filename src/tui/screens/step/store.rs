//! What the calls so far left behind: expected steps, accepted writes, the dial, the verdict so far.

use super::words;
use crate::engine::{Change, Ending, Made, Write, WriteKind, explain};
use crate::episode::Episode;
use crate::task::{Dial, StepEffect, Task};
use crate::theme::Scope;
use crate::tui::panes::Stack;
use crate::tui::screens::plan::dial_plan;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;

/// The rows of the pane.
pub(super) fn rows<'a>(episode: &'a Episode, width: usize, stack: &mut Stack<'a>) {
    let state = episode.state();
    let task = episode.task();
    let last = episode.cursor().checked_sub(1).and_then(|i| episode.calls().get(i));
    let done = task.steps.iter().enumerate().filter(|(i, _)| state.passed(*i)).count();
    let mut rows = vec![Row::of(Scope::Dim, format!("expected steps ({done} of {} done)", task.steps.len()))];
    for (i, step) in task.steps.iter().enumerate() {
        let passed = state.passed(i);
        let changed = last.is_some_and(|m| passes(m, i));
        let word = match (step.effect, passed) {
            (StepEffect::Read, true) => "served",
            (StepEffect::Write, true) => "done",
            (_, false) => "open",
        };
        let (scope, sign) = if passed { (Scope::Ok, '+') } else { (Scope::Dim, '.') };
        let mut row = Row::new().put(scope, format!("{sign} ")).dim(format!("{i} ")).plain(&*step.tool).plain(" ");
        row = words::pairs(row, &step.matching);
        if !step.needs.is_empty() && !passed {
            let needs: Vec<String> = step.needs.iter().map(ToString::to_string).collect();
            row = row.dim(format!("  needs {}", needs.join(", ")));
        }
        let word = if changed { format!("{word} now") } else { word.to_owned() };
        rows.push(row.end(if changed { Scope::DiffAdded } else { scope }, word));
    }
    rows.push(Row::new());
    rows.push(Row::of(Scope::Dim, format!("store ({} written)", state.writes().len())));
    if state.writes().is_empty() {
        rows.push(Row::of(Scope::Dim, ". nothing yet"));
    }
    stack.add(rows);
    let new = last.and_then(|m| stored(m));
    stack.add(Writes { writes: state.writes().clone(), new });
    let mut rows = vec![Row::new(), Row::of(Scope::Dim, format!("dial {}", task.arm))];
    for row in dial_state(episode, task) {
        rows.extend(row.hanging(2).wrap(width));
    }
    rows.push(Row::new());
    rows.push(Row::of(Scope::Dim, "verdict so far"));
    let (scope, words) = verdict_words(episode);
    rows.extend(Row::of(scope, words).hanging(2).wrap(width));
    if episode.ending() == Ending::Open {
        for (ending, word) in [(Ending::Reply, "a reply here"), (Ending::Limit, "the limit here")] {
            let verdict = episode.engine().verdict(&state, ending);
            rows.push(Row::new().dim(format!("  {word}: ")).plain(verdict.label));
        }
    }
    stack.add(rows);
}

/// Whether a call passed a step.
fn passes(made: &Made, step: usize) -> bool {
    made.outcome
        .changes
        .iter()
        .any(|c| matches!(c, Change::Done { step: s } | Change::Served { step: s } if *s == step))
}

/// The write a call stored.
fn stored(made: &Made) -> Option<usize> {
    made.outcome.changes.iter().find_map(|c| if let Change::Stored { index } = c { Some(*index) } else { None })
}

/// The writes: only those seen are looked at.
struct Writes {
    writes: crate::engine::Writes,
    new: Option<usize>,
}

impl Rows for Writes {
    fn len(&self) -> usize {
        self.writes.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(write) = self.writes.get(i) else { return Row::new() };
        let (scope, sign, word) = write_words(write);
        let new = self.new == Some(i);
        let row = Row::new()
            .put(if new { Scope::DiffAdded } else { scope }, format!("{sign} "))
            .plain(&*write.tool)
            .plain(" ");
        let tail = if new { format!("{word} now") } else { format!("{word}, call {}", write.call) };
        words::arguments(row, &write.arguments).end(if new { Scope::DiffAdded } else { scope }, tail)
    }
}

fn write_words(write: &Write) -> (Scope, char, String) {
    match write.kind {
        WriteKind::Expected(step) => (Scope::Ok, '+', format!("step {step}")),
        WriteKind::SideEffect => (Scope::DiffChanged, '~', "side effect".to_owned()),
        WriteKind::Duplicate(step) => (Scope::DiffChanged, '~', format!("duplicate of {step}")),
    }
}

/// What is left of what the dial planned.
fn dial_state(episode: &Episode, task: &Task) -> Vec<Row> {
    let state = episode.state();
    let used = |tool: &str| episode.engine().index(tool).map_or(0, |i| state.count(i));
    let mut rows = Vec::new();
    for (plan, word) in
        [(&task.fault_plan, "unavailable"), (&task.timeout_plan, "timeout"), (&task.rate_limit_plan, "rate_limited")]
    {
        for (tool, n) in plan {
            let left = n.saturating_sub(used(tool));
            let (scope, sign) = if left > 0 { (Scope::Warn, '!') } else { (Scope::Dim, '.') };
            rows.push(
                Row::of(scope, format!("{sign} "))
                    .plain(&**tool)
                    .dim(format!(" {word}: "))
                    .put(scope, format!("{left} of {n} left")),
            );
        }
    }
    let once = |armed: bool, scope: Scope, sign: char, what: String, spent: Option<usize>| {
        if armed {
            Row::of(scope, format!("{sign} {what}: ")).put(scope, "armed")
        } else {
            let at = spent.map_or_else(|| "spent".to_owned(), |call| format!("spent at call {call}"));
            Row::of(Scope::Dim, format!(". {what}: ")).put(scope, at)
        }
    };
    if let Some(step) = task.landed_step {
        let what = format!("a timeout hides step {step}");
        rows.push(once(state.landed_call().is_none(), Scope::Warn, '!', what, state.landed_call()));
    }
    if let Some(bad) = &task.bad_read {
        let what = format!("bad read of step {}, level {}", bad.step, bad.level);
        rows.push(once(state.bad_call().is_none(), Scope::Odd, '?', what, state.bad_call()));
    }
    if let Some(step) = task.lagged_step {
        let what = format!("stale read of step {step}");
        rows.push(once(state.lagged_call().is_none(), Scope::Odd, '?', what, state.lagged_call()));
    }
    if rows.is_empty() {
        rows = dial_plan(task);
    }
    if task.arm.dial == Dial::History && task.history.is_none() {
        rows = vec![Row::of(Scope::Dim, "no earlier conversation")];
    }
    rows
}

/// The verdict so far in words, with its style.
pub(super) fn verdict_words(episode: &Episode) -> (Scope, String) {
    let verdict = episode.verdict();
    let ending = episode.ending();
    let words = explain::verdict(episode.task(), &episode.state(), &verdict, ending);
    match ending {
        Ending::Open => (Scope::VerdictOpen, format!(". {words}")),
        _ if verdict.strict => (Scope::VerdictPassed, format!("+ {words}")),
        _ => (Scope::VerdictFailed, format!("! {words}")),
    }
}
