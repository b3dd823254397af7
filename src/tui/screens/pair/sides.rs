//! The rows of two paired episodes: the list of pairs, and each side of the selected one.

use super::{Aligned, Opens, Side, half, outline};
use crate::align::{ChangeKind, Ended, Played, RowKind, StoreEntry, Stored, changes, store_diff};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::panes::Stack;
use crate::tui::screens::card::{answer_words, step_sign};
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::{Mark, Outline};
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;
use crate::tui::widgets::wrapped::Wrapped;
use crate::value::Value;

/// A call's values as lines, with what the other side has otherwise marked.
#[derive(Debug, Clone)]
pub(super) struct Values {
    arguments: Outline,
    /// The answer, when it is JSON.
    answer: Option<Outline>,
}

/// The values of both sides of a row.
pub(super) fn values(aligned: &Aligned, row: usize) -> [Option<Values>; 2] {
    let Some(pair) = aligned.rows.get(row) else { return [None, None] };
    let played = |side: usize, i: Option<usize>| i.and_then(|i| aligned.sides[side].calls.get(i));
    // A call that stands alone because it was moved is held against where it was moved to.
    let (mut a, mut b) = (played(0, pair.a), played(1, pair.b));
    let alone = (a.is_none(), b.is_none());
    match pair.kind {
        RowKind::MovedA(to) => b = played(1, Some(to)),
        RowKind::MovedB(from) => a = played(0, Some(from)),
        _ => {}
    }
    let values = |own: Option<&Played>, other: Option<&Played>| {
        let own = own?;
        let mut arguments = Outline::new(own.call.arguments.clone());
        let mut answer = outline(&own.answer);
        if let Some(other) = other {
            mark(&mut arguments, &other.call.arguments);
            if let (Some(answer), Ok(other)) = (&mut answer, Value::parse_json(&other.answer)) {
                mark(answer, &other);
            }
        }
        Some(Values { arguments, answer })
    };
    [values(a, b).filter(|_| !alone.0), values(b, a).filter(|_| !alone.1)]
}

/// Marks the places that the other side has otherwise.
fn mark(outline: &mut Outline, other: &Value) {
    let marks: Vec<(String, Mark)> = changes(outline.value(), other)
        .into_iter()
        .map(|change| {
            let (sign, scope, note) = match change.kind {
                ChangeKind::Removed => ('-', Scope::DiffRemoved, "only here".to_owned()),
                ChangeKind::Added => {
                    ('+', Scope::DiffAdded, format!("{} is missing", crate::value::pointer::name(&change.at)))
                }
                ChangeKind::Changed => {
                    let there = change.b.as_ref().map_or_else(String::new, words::long);
                    ('~', Scope::DiffChanged, format!("other side: {there}"))
                }
            };
            // What is missing has no line of its own: the place above it tells.
            let above = change.at.rfind('/').map_or("", |at| &change.at[..at]).to_owned();
            (if change.kind == ChangeKind::Added { above } else { change.at }, Mark { sign, scope, note })
        })
        .collect();
    for (at, mark) in marks {
        outline.mark(at, mark);
    }
}

/// The list of pairs.
pub(super) struct Calls<'a> {
    pub(super) aligned: &'a Aligned,
    pub(super) width: usize,
}

impl Rows for Calls<'_> {
    fn len(&self) -> usize {
        self.aligned.rows.len() + 1
    }

    fn row(&self, i: usize) -> Row {
        let column = self.width.saturating_sub(5) / 2;
        let [a, b] = &self.aligned.sides;
        let Some(pair) = self.aligned.rows.get(i) else {
            let differs = self.aligned.differs(i);
            let (scope, word) = if differs { (Scope::DiffChanged, "~ ") } else { (Scope::Dim, "= ") };
            let row = Row::of(scope, word).join(&ending(a).fit(column));
            return row.put(Scope::Border, " │ ").join(&ending(b).fit(column));
        };
        let scope = match pair.kind {
            RowKind::Same => Scope::Dim,
            RowKind::Answer | RowKind::Arguments => Scope::DiffChanged,
            RowKind::OnlyA { .. } => Scope::DiffRemoved,
            RowKind::OnlyB { .. } => Scope::DiffAdded,
            RowKind::MovedA(_) | RowKind::MovedB(_) => Scope::Odd,
        };
        let first = self.aligned.first == Some(i);
        let row = Row::of(
            if first { Scope::Strong } else { scope },
            String::from(if first { '»' } else { pair.kind.sign() }),
        );
        let row = row.plain(" ");
        let one = |side: &Side, i: Option<usize>| match i.and_then(|i| Some((i, side.calls.get(i)?))) {
            Some((i, played)) => call(played, i),
            None => Row::of(Scope::Dim, absent(pair.kind)),
        };
        row.join(&one(a, pair.a).fit(column)).put(Scope::Border, " │ ").join(&one(b, pair.b).fit(column))
    }
}

/// What stands where a side has no call.
fn absent(kind: RowKind) -> String {
    match kind {
        RowKind::OnlyA { repeated: true } | RowKind::OnlyB { repeated: true } => "(a repeat)".to_owned(),
        RowKind::MovedA(to) | RowKind::MovedB(to) => format!("(as call {})", to + 1),
        _ => String::new(),
    }
}

fn call(played: &Played, i: usize) -> Row {
    let (scope, sign) = step_sign(played.code.as_deref(), played.stored);
    let row = Row::of(scope, format!("{sign} ")).dim(format!("{} ", i + 1));
    let row = words::call(row, &played.call);
    match &played.code {
        Some(code) => row.put(Scope::Warn, format!("  {code}")),
        None => row,
    }
}

fn ending(side: &Side) -> Row {
    let ended = match side.ended {
        Ended::Reply => "reply",
        Ended::Limit => "turn limit",
        Ended::Open => "no end",
    };
    match &side.outcome {
        Some(status) if matches!(side.opens, Opens::Response(_)) => {
            let (scope, sign) = half::sign(status);
            Row::of(scope, format!("{sign} ")).put(scope, &**status)
        }
        Some(label) => {
            let (scope, sign, _) = scale::outcome(label);
            Row::of(scope, format!("{sign} ")).plain(format!("{ended}  ")).put(scope, &**label)
        }
        None => Row::new().plain(format!("  {ended}")),
    }
}

/// One side of the selected pair, and what only its store holds after it.
pub(super) fn rows<'a>(model: &'a Model, aligned: &'a Aligned, side: usize, width: usize, stack: &mut Stack<'a>) {
    let row = model.cursor(Pane::Aligned).at;
    let own = &aligned.sides[side];
    if let Some(words) = &own.broken {
        stack.add(Row::of(Scope::Error, "! ").plain(words).hanging(2).wrap(width));
    }
    let place = aligned.rows.get(row).and_then(|r| if side == 0 { r.a } else { r.b });
    match (place.and_then(|i| Some((i, own.calls.get(i)?))), aligned.rows.get(row)) {
        (Some((i, played)), _) => call_rows(model, own, side, i, played, width, stack),
        (None, Some(pair)) => {
            let name = ["A", "B"][side];
            let says = match pair.kind {
                RowKind::MovedA(to) | RowKind::MovedB(to) => format!("{name} made this call as call {}.", to + 1),
                RowKind::OnlyA { repeated: true } | RowKind::OnlyB { repeated: true } => {
                    format!("{name} did not repeat the call.")
                }
                _ => format!("{name} did not make this call."),
            };
            stack.add(Row::of(Scope::Dim, says).wrap(width));
        }
        (None, None) => {
            stack.add(vec![ending(own)]);
            if let Some(said) = own.said() {
                stack.add(vec![Row::new(), Row::of(Scope::Dim, "said at its end")]);
                let lines = text::safe_lines(&said);
                stack.add(lines.iter().flat_map(|line| Row::of(Scope::Text, line).wrap(width)).collect::<Vec<_>>());
            }
        }
    }
    if aligned.knows_stores() {
        stack.add(store_rows(aligned, row, side, width));
    }
}

fn call_rows<'a>(
    model: &'a Model,
    own: &'a Side,
    side: usize,
    i: usize,
    played: &'a Played,
    width: usize,
    stack: &mut Stack<'a>,
) {
    let (scope, sign) = step_sign(played.code.as_deref(), played.stored);
    let mut rows = vec![
        Row::of(scope, format!("{sign} ")).dim(format!("call {}  ", i + 1)).put(Scope::Strong, &*played.call.tool),
    ];
    if let Some(reason) = own.reasons.get(i).filter(|r| !r.is_empty()) {
        rows.extend(Row::of(Scope::Dim, &**reason).wrap(width));
    }
    rows.push(Row::of(Scope::Dim, "arguments"));
    stack.add(rows);
    let values = model.pair.values.as_ref().and_then(|(_, values)| values[side].as_ref());
    match values {
        Some(values) => stack.add(Wrapped::new(&values.arguments, width)),
        None => stack.add(vec![words::arguments(Row::new(), &played.call.arguments)]),
    }
    let mut rows = vec![Row::of(Scope::Dim, "answer")];
    if played.code.is_some() || played.stored.is_some() {
        rows.push(Row::of(scope, format!("{sign} ")).plain(answer_words(played)));
    }
    stack.add(rows);
    match values.and_then(|v| v.answer.as_ref()) {
        Some(answer) => stack.add(Wrapped::new(answer, width)),
        None => {
            let lines = text::safe_lines(&played.answer);
            stack.add(lines.iter().flat_map(|line| Row::of(Scope::Text, line).wrap(width)).collect::<Vec<_>>());
        }
    }
}

/// How the stores compare after the row, as this side sees it.
fn store_rows(aligned: &Aligned, row: usize, side: usize, width: usize) -> Vec<Row> {
    let [a, b] = &aligned.sides;
    let upto = (row + 1).min(aligned.rows.len());
    let diff = store_diff(&aligned.rows[..upto], &a.calls, &b.calls);
    let (own, other) = if side == 0 { (&diff.only_a, &diff.only_b) } else { (&diff.only_b, &diff.only_a) };
    let mut rows = vec![Row::new(), Row::of(Scope::Dim, "store after it")];
    let both = text::count(diff.both, "write");
    if diff.is_same() {
        rows.push(Row::of(Scope::Dim, "= ").plain(format!("{both}, the same in both")));
        return rows;
    }
    rows.push(Row::of(Scope::Dim, "= ").plain(format!("{both} in both")));
    let (mine, theirs) = if side == 0 { ('-', '+') } else { ('+', '-') };
    for entry in own {
        rows.extend(write(mine, entry, "").hanging(2).wrap(width));
    }
    for entry in other {
        rows.extend(write(theirs, entry, "  (not here)").hanging(2).wrap(width));
    }
    rows
}

fn write(sign: char, entry: &StoreEntry, note: &str) -> Row {
    let scope = if sign == '-' { Scope::DiffRemoved } else { Scope::DiffAdded };
    let kind = match entry.kind {
        Stored::Expected => "expected",
        Stored::SideEffect => "side effect",
        Stored::Duplicate => "duplicate",
    };
    let row = Row::of(scope, format!("{sign} ")).plain(&*entry.tool).plain(" ");
    words::arguments(row, &entry.arguments).dim(format!("  {kind}{note}"))
}
