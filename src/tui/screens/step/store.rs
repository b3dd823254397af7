//! The state after the calls so far: expected steps, accepted writes, the dial, the verdict.

use super::writes::{Writes, write_words};
use super::{StepScreen, words};
use crate::align::{ChangeKind, changes};
use crate::engine::explain::{self, Place};
use crate::engine::{Change, Ending, Made, State};
use crate::episode::{Difference, Episode, Record, Watch, records};
use crate::task::{Dial, StepEffect, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::overlays::told::Line;
use crate::tui::panes::{self, Stack};
use crate::tui::screens::dials::dial_plan;
use crate::tui::widgets::outline::scalar;
use crate::tui::widgets::row::Row;
use crate::value::{Map, Str, Value, pointer};

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// An expected step.
    Step(usize),
    /// The record of a write step.
    Record(usize),
    /// A field of it.
    Field(usize, Str),
    /// An accepted write, by its index in the store.
    Write(usize),
}

/// The rows of the pane.
pub(in crate::tui::screens) fn rows<'a>(
    step: &'a StepScreen,
    episode: &'a Episode,
    width: usize,
    stack: &mut Stack<'a>,
) {
    let state = episode.state();
    let task = episode.task();
    stack.add(top(step, episode, width).into_iter().map(|(row, _)| row).collect::<Vec<Row>>());
    stack.add(Writes::of(episode, &state, width));
    let mut rows = vec![Row::new(), Row::of(Scope::Dim, format!("dial {}", task.arm))];
    for row in dial_state(episode, task) {
        rows.extend(row.hanging(2).wrap(width));
    }
    rows.push(Row::new());
    rows.push(Row::of(Scope::Dim, "verdict so far"));
    let (scope, words) = verdict_words(episode);
    rows.extend(Row::of(scope, words).hanging(2).wrap(width));
    stack.add(rows);
}

/// What the selected row is about.
pub(super) fn target(model: &Model, episode: &Episode) -> Option<Target> {
    let (width, _) = panes::size(model, Pane::Store);
    let at = model.cursor(Pane::Store).at;
    let top = top(&model.step, episode, width);
    match at.checked_sub(top.len()) {
        None => top.into_iter().nth(at)?.1,
        Some(row) => Writes::of(episode, &episode.state(), width).at(row).map(Target::Write),
    }
}

/// The first row about something, when it is there.
pub(super) fn row_of(model: &Model, episode: &Episode, wanted: &Target) -> Option<usize> {
    let (width, _) = panes::size(model, Pane::Store);
    let top = top(&model.step, episode, width);
    match wanted {
        Target::Write(write) => {
            let row = Writes::of(episode, &episode.state(), width).row_of(*write)?;
            Some(top.len() + row)
        }
        _ => top.iter().position(|(_, target)| target.as_ref() == Some(wanted)),
    }
}

/// The rows above the writes, wrapped: expected steps, records.
fn top(screen: &StepScreen, episode: &Episode, width: usize) -> Vec<(Row, Option<Target>)> {
    let wrapped = |(row, target): (Row, Option<Target>)| {
        row.hanging(4).wrap(width).into_iter().map(move |row| (row, target.clone()))
    };
    unwrapped(screen, episode).into_iter().flat_map(wrapped).collect()
}

fn unwrapped(screen: &StepScreen, episode: &Episode) -> Vec<(Row, Option<Target>)> {
    let state = episode.state();
    let task = episode.task();
    let last = episode.cursor().checked_sub(1).and_then(|i| episode.calls().get(i));
    let done = (0..task.steps.len()).filter(|i| state.passed(*i)).count();
    let mut rows = vec![(Row::of(Scope::Dim, format!("expected steps ({done} of {} done)", task.steps.len())), None)];
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
        // What a write that is done holds stands in its record.
        if !passed || step.effect == StepEffect::Read {
            row = words::pairs(row, &step.matching);
        }
        if !step.needs.is_empty() && !passed {
            let needs: Vec<String> = step.needs.iter().map(ToString::to_string).collect();
            row = row.dim(format!("  needs {}", needs.join(", ")));
        }
        let word = if changed { format!("{word} now") } else { word.to_owned() };
        rows.push((row.end(if changed { Scope::DiffAdded } else { scope }, word), Some(Target::Step(i))));
    }
    let records = records(task, &state);
    if !records.is_empty() {
        let held = records.iter().filter(|r| r.holds.is_some()).count();
        rows.push((Row::new(), None));
        rows.push((Row::of(Scope::Dim, format!("records ({held} of {} written)", records.len())), None));
    }
    let new = last.and_then(|m| stored(m));
    for record in &records {
        record_rows(screen, record, &state, new, &mut rows);
    }
    rows.push((Row::new(), None));
    let (all, side, twice) = (state.writes().len(), state.side_effects(), state.duplicates());
    rows.push((Row::of(Scope::Dim, format!("store ({})", text::count(all, "write"))), None));
    if side > 0 {
        let twice = if twice > 0 { format!(", {}", text::count(twice, "duplicate")) } else { String::new() };
        rows.push((Row::of(Scope::Error, format!("! {}{twice}", text::count(side, "side effect"))), None));
    }
    if state.writes().is_empty() {
        rows.push((Row::of(Scope::Dim, ". empty"), None));
    }
    rows
}

/// A record and, once written, its fields.
fn record_rows(
    screen: &StepScreen,
    record: &Record,
    state: &State,
    new: Option<usize>,
    rows: &mut Vec<(Row, Option<Target>)>,
) {
    let watched = |watch: &Watch, row: Row| {
        if screen.watches.contains(watch) { row.end(Scope::Accent, "* watched ") } else { row }
    };
    let moved = record.write.is_some() && record.write == new;
    let (scope, sign) = match record.holds {
        Some(_) if moved => (Scope::DiffAdded, '+'),
        Some(_) => (Scope::Ok, '+'),
        None => (Scope::Dim, '.'),
    };
    let row =
        Row::new().put(scope, format!("{sign} ")).dim(format!("{} ", record.step)).plain(&*record.tool).plain(" ");
    let row = if record.holds.is_some() { row } else { words::pairs(row, &record.key) };
    let row = watched(&Watch::Record(record.step), row);
    let call = record.write.and_then(|write| state.writes().get(write)).map(|write| write.call);
    let tail = match call {
        Some(_) if moved => "new record".to_owned(),
        Some(call) => format!("call {call}"),
        // There is no room for more beside the word that it is watched.
        None if screen.watches.contains(&Watch::Record(record.step)) => String::new(),
        None => "not written".to_owned(),
    };
    rows.push((row.end(scope, tail), Some(Target::Record(record.step))));
    let mut fields: Vec<(Str, Option<&Value>)> = Vec::new();
    if let Some(map) = record.holds.as_ref().and_then(Value::as_object) {
        fields.extend(map.named().map(|(name, value)| (name.clone(), Some(value))));
    }
    // A watched field is shown even before it is written.
    for watch in &screen.watches {
        if let Watch::Field(step, name) = watch
            && *step == record.step
            && !fields.iter().any(|(known, _)| known == name)
        {
            fields.push((name.clone(), None));
        }
    }
    for (name, value) in fields {
        let sign = if moved && value.is_some() { "  + " } else { "    " };
        let row = Row::new().put(Scope::DiffAdded, sign).dim(&*name).dim(": ");
        let row = match value {
            Some(value) => row.put(if moved { Scope::DiffAdded } else { scalar(value).0 }, words::long(value)),
            None => row.dim("not written"),
        };
        let row = watched(&Watch::Field(record.step, name.clone()), row);
        rows.push((row, Some(Target::Field(record.step, name))));
    }
}

/// What differs between two points, one row an entry.
pub(super) fn difference_lines(task: &Task, found: &Difference) -> Vec<Line> {
    let mut lines = Vec::new();
    if found.is_empty() {
        lines.push(Line::plain(Row::of(Scope::Text, "no changes: the store is the same at both points")));
        return lines;
    }
    let heading = |lines: &mut Vec<Line>, text: &str| {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::plain(Row::of(Scope::Dim, text)));
    };
    if !found.passed.is_empty() || !found.reopened.is_empty() {
        heading(&mut lines, "steps");
    }
    for (all, scope, sign, word) in
        [(&found.passed, Scope::DiffAdded, '+', "passed"), (&found.reopened, Scope::DiffRemoved, '-', "open again")]
    {
        for i in all {
            let Some(step) = task.steps.get(*i) else { continue };
            let row = Row::new().put(scope, format!("{sign} ")).dim(format!("{i} ")).plain(&*step.tool).plain(" ");
            let row = words::pairs(row, &step.matching).end(scope, word);
            lines.push(Line { row, places: vec![Place::Step(*i)] });
        }
    }
    if !found.records.is_empty() {
        heading(&mut lines, "records");
    }
    for (before, after) in &found.records {
        let row =
            Row::new().put(Scope::DiffChanged, "~ ").dim(format!("{} ", before.step)).plain(&*before.tool).plain(" ");
        let row = words::pairs(row, &before.key);
        lines.push(Line { row, places: vec![Place::Step(before.step)] });
        for change in changed_fields(before.holds.as_ref(), after.holds.as_ref()) {
            lines.push(Line { row: change, places: vec![Place::Step(before.step)] });
        }
    }
    for (all, scope, sign, word) in
        [(&found.added, Scope::DiffAdded, '+', "new writes"), (&found.removed, Scope::DiffRemoved, '-', "writes gone")]
    {
        if !all.is_empty() {
            heading(&mut lines, &format!("{word} ({})", all.len()));
        }
        for (index, write) in all {
            let (_, _, kind) = write_words(write);
            let row =
                Row::new().put(scope, format!("{sign} ")).dim(format!("{} ", index + 1)).plain(&*write.tool).plain(" ");
            let row = words::arguments(row, &write.arguments).end(scope, format!("{kind}, call {}", write.call));
            // A write that is gone cannot be opened.
            lines.push(Line { row, places: if sign == '+' { vec![Place::Write(*index)] } else { Vec::new() } });
        }
    }
    lines
}

/// What differs between what a record held and holds, a row a field.
fn changed_fields(before: Option<&Value>, after: Option<&Value>) -> Vec<Row> {
    let empty = Value::object(Map::new());
    let rows = changes(before.unwrap_or(&empty), after.unwrap_or(&empty)).into_iter().map(|change| {
        let (scope, sign) = match change.kind {
            ChangeKind::Added => (Scope::DiffAdded, '+'),
            ChangeKind::Removed => (Scope::DiffRemoved, '-'),
            ChangeKind::Changed => (Scope::DiffChanged, '~'),
        };
        let side = |value: &Option<Value>| value.as_ref().map(words::long).unwrap_or_default();
        let row = Row::new().plain("    ").put(scope, format!("{sign} ")).dim(pointer::name(&change.at)).dim(": ");
        match change.kind {
            ChangeKind::Added => row.put(scope, side(&change.b)).dim(" (new)"),
            ChangeKind::Removed => row.put(scope, side(&change.a)).dim(" (gone)"),
            ChangeKind::Changed => row.plain(side(&change.a)).dim(" -> ").put(scope, side(&change.b)),
        }
    });
    rows.collect()
}

/// The writes so far alone, as where nothing is expected.
pub(in crate::tui::screens) fn written(episode: &Episode, width: usize, stack: &mut Stack<'_>) {
    let state = episode.state();
    let mut rows = vec![Row::of(Scope::Dim, format!("store ({})", text::count(state.writes().len(), "write")))];
    if state.writes().is_empty() {
        rows.push(Row::of(Scope::Dim, ". empty"));
    }
    stack.add(rows);
    stack.add(Writes::of(episode, &state, width));
}

/// Whether a call passed a step.
fn passes(made: &Made, step: usize) -> bool {
    made.outcome
        .changes
        .iter()
        .any(|c| matches!(c, Change::Done { step: s } | Change::Served { step: s } if *s == step))
}

/// The write a call stored.
pub(super) fn stored(made: &Made) -> Option<usize> {
    made.outcome.changes.iter().find_map(|c| if let Change::Stored { index } = c { Some(*index) } else { None })
}

/// What the dial planned, and what of it has happened.
pub fn dial_state(episode: &Episode, task: &Task) -> Vec<Row> {
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
    let once = |scope: Scope, sign: char, what: String, happened: Option<usize>| match happened {
        None => Row::of(scope, format!("{sign} {what}: will happen")),
        Some(call) => Row::of(Scope::Dim, format!(". {what}: ")).put(scope, format!("happened at call {call}")),
    };
    if let Some(step) = task.landed_step {
        let what = format!("a timeout hides step {step}");
        rows.push(once(Scope::Warn, '!', what, state.landed_call()));
    }
    if let Some(bad) = &task.bad_read {
        let what = format!("bad read of step {}, level {}", bad.step, bad.level);
        rows.push(once(Scope::Odd, '?', what, state.bad_call()));
    }
    if let Some(step) = task.lagged_step {
        let what = format!("stale read of step {step}");
        rows.push(once(Scope::Odd, '?', what, state.lagged_call()));
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
        Ending::Open => {
            let reply = episode.engine().verdict(&episode.state(), Ending::Reply).label;
            (Scope::VerdictOpen, format!("{words}; replying now would be {reply}"))
        }
        _ if verdict.strict => (Scope::VerdictPassed, format!("+ {words}")),
        _ => (Scope::VerdictFailed, format!("! {words}")),
    }
}
