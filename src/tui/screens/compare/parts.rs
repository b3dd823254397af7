//! The parts of a comparison as rows.

use crate::card::page::{interval, rate, signed};
use crate::card::produced::shown;
use crate::card::{Call, Cell, Changed, LevelRow};
use crate::run::Both;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;
use std::collections::BTreeMap;

/// The comparison in one sentence, with a reservation where there is one.
pub(super) fn opening(both: &Both, width: usize) -> Vec<Row> {
    let comparison = &both.comparison;
    let row = if comparison.verdict.is_ok() { Row::new() } else { Row::of(Scope::Error, "! ").hanging(2) };
    let mut rows = row.put(Scope::Strong, comparison.headline()).wrap(width);
    if let Some(note) = &comparison.verdict.note {
        rows.extend(Row::of(Scope::Warn, "! ").plain(note).hanging(2).wrap(width));
    }
    rows.push(Row::new());
    rows
}

/// The color of a changed attempt: better or worse in B, else neither.
pub(super) fn flipped(changed: &Changed) -> Scope {
    match (&*changed.a, &*changed.b) {
        (_, "passed") => Scope::DiffAdded,
        ("passed", _) => Scope::DiffRemoved,
        _ => Scope::Dim,
    }
}

/// What the signs of changed attempts mean.
pub(super) fn legend(both: &Both, width: usize) -> Vec<Row> {
    let changed = &both.comparison.changed;
    if changed.is_empty() {
        return Vec::new();
    }
    let mut row = Row::new().dim("A>B:  ");
    let mut shown: Vec<char> = Vec::new();
    for label in changed.iter().flat_map(|one| [&one.a, &one.b]) {
        let (scope, sign, word) = scale::outcome(label);
        if !shown.contains(&sign) {
            shown.push(sign);
            row = row.put(scope, sign.to_string()).dim(format!(" {word}  "));
        }
    }
    let mut rows = vec![Row::new()];
    rows.extend(row.wrap(width));
    rows
}

/// The two sides, and what else is known of both.
pub(super) fn sides(both: &Both, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.push(Row::new());
    for (name, side) in [("A", &both.a), ("B", &both.b)] {
        rows.extend(Row::of(Scope::Accent, format!("{name}  ")).plain(side.label()).hanging(3).wrap(width));
        for gate in side.artifact().gates() {
            rows.extend(Row::of(Scope::Error, "   ! not valid: ").plain(gate).hanging(5).wrap(width));
        }
    }
    for (name, arms) in ["A", "B"].iter().zip(&both.comparison.only) {
        if !arms.is_empty() {
            let says = format!("Only in {name}: {}", arms.iter().map(|a| &**a).collect::<Vec<_>>().join(", "));
            rows.extend(Row::of(Scope::DiffChanged, "~  ").plain(says).hanging(3).wrap(width));
        }
    }
    let [known, same] = both.comparison.chains;
    if known > 0 {
        let (scope, sign) = if same == known { (Scope::Ok, "=  ") } else { (Scope::DiffChanged, "~  ") };
        let says = format!("{} of {} took the same steps", text::group(same as u64), text::count(known, "episode"));
        rows.extend(Row::of(scope, sign).plain(says).hanging(3).wrap(width));
    }
    if let Some(parted) = &both.parted {
        rows.extend(Row::new().gap(3).dim(parted).hanging(3).wrap(width));
    }
    rows.push(Row::new());
    rows
}

/// What produced each, a row a key, those that differ marked; both values one below the other where they are long.
pub(super) fn produced(both: &Both, width: usize) -> Vec<Row> {
    const NAME: usize = 24;
    let mut rows = vec![Row::of(Scope::Dim, "what produced each")];
    if both.comparison.verdict.is_ok() {
        rows.extend(Row::of(Scope::Ok, "+ ").plain(&both.comparison.verdict.sentence).hanging(2).wrap(width));
    }
    let value = |v: &Option<crate::value::Value>| v.as_ref().map_or_else(|| "-".to_owned(), |v| shown(v).into_owned());
    let name = NAME.min(width / 3);
    for row in &both.comparison.verdict.rows {
        let (scope, sign) = if row.differs() { (Scope::DiffChanged, "~ ") } else { (Scope::Dim, "  ") };
        let (a, b) = (value(&row.a), value(&row.b));
        let head = Row::of(scope, sign).cell(if row.differs() { Scope::Strong } else { Scope::Dim }, row.name, name);
        let room = width.saturating_sub(name + 3);
        if !row.differs() {
            rows.push(head.plain(" ").plain(text::cut(&text::safe(&a), room)));
            continue;
        }
        rows.push(head.put(Scope::Accent, " A ").plain(&a));
        rows.push(Row::new().gap(name + 2).put(Scope::Accent, " B ").plain(&b));
    }
    if both.comparison.verdict.rows.is_empty() {
        rows.extend(Row::of(Scope::Dim, "  neither side recorded what produced it").wrap(width));
    }
    rows
}

/// Rows of one level: what it is, A, B.
const ROWS: usize = 3;

/// The levels of both.
pub(super) struct Levels<'a> {
    pub(super) both: &'a Both,
    pub(super) width: usize,
}

impl Rows for Levels<'_> {
    fn len(&self) -> usize {
        self.both.comparison.levels.len() * ROWS
    }

    /// The rows of a level are found together.
    fn sought(&self, i: usize) -> String {
        let first = i / ROWS * ROWS;
        (first..first + ROWS).fold(String::new(), |all, i| format!("{all}{}\n", self.row(i).text()))
    }

    fn row(&self, i: usize) -> Row {
        let Some(level) = self.both.comparison.levels.get(i / ROWS) else { return Row::new() };
        match i % ROWS {
            0 => head(level),
            1 => self.side("A", Scope::Strong, &level.a),
            _ if level.is_better() => self.side("B", Scope::DiffAdded, &level.b),
            _ if level.is_worse() => self.side("B", Scope::DiffRemoved, &level.b),
            _ => self.side("B", Scope::Strong, &level.b),
        }
    }
}

fn head(level: &LevelRow) -> Row {
    let (scope, sign) = match (level.call, level.delta.is_some_and(|d| d < 0.0)) {
        (Call::Distinguishable, true) => (Scope::DiffRemoved, "- "),
        (Call::Distinguishable, false) => (Scope::DiffAdded, "+ "),
        _ => (Scope::Dim, "  "),
    };
    Row::of(scope, sign)
        .put(Scope::Strong, &*level.arm_id)
        .put(scope, format!("  {}", signed(level.delta)))
        .dim(format!("  ({})  {}", interval(level.interval), level.called()))
}

impl Levels<'_> {
    fn side(&self, name: &str, scope: Scope, cell: &Cell) -> Row {
        let row =
            Row::new().put(Scope::Accent, format!("  {name} ")).put(scope, text::pad_start(&rate(cell.pass_at_1), 6));
        let left = self.width.saturating_sub(4 + 6 + 2);
        let bar = left.saturating_sub(24).min(31);
        let row = if bar > 4 {
            row.plain("  ").put(Scope::Accent, text::pad(&scale::bar(cell.pass_at_1, cell.pass_interval, bar), bar))
        } else {
            row
        };
        let counts = cell.outcome_mix.iter().map(|(label, n)| (&**label, *n));
        let row = scale::mix(row.plain("  "), counts, 10.min(left));
        let calls = cell.tool_calls.mean.map_or_else(|| "-".to_owned(), |m| format!("{m:.2}"));
        row.dim(format!("  {calls} calls"))
    }
}

/// Which outcomes became which, counted.
pub(super) fn outcomes(both: &Both, width: usize) -> Vec<Row> {
    let changed = &both.comparison.changed;
    if changed.is_empty() {
        return Row::of(Scope::Ok, "= ").plain("every attempt ended the same way in both").wrap(width);
    }
    let tasks = both.comparison.changed_tasks().len();
    let says = format!("{} at {}", text::count(changed.len(), "attempt"), text::count(tasks, "task"));
    let mut rows = vec![Row::of(Scope::DiffChanged, "~ ").plain(says), Row::new()];
    let mut kinds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for one in changed {
        *kinds.entry((&one.a, &one.b)).or_default() += 1;
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for ((a, b), n) in kinds {
        let ((scope_a, sign_a, _), (scope_b, sign_b, _)) = (scale::outcome(a), scale::outcome(b));
        rows.push(
            Row::new()
                .plain(text::pad_start(&text::group(n), 7))
                .plain("  ")
                .put(scope_a, format!("{sign_a} {a}"))
                .dim(" in A, ")
                .put(scope_b, format!("{sign_b} {b}"))
                .dim(" in B"),
        );
    }
    rows
}

/// A changed attempt.
pub(super) fn changed(model: &Model, changed: &Changed, width: usize) -> Vec<Row> {
    let mut rows = vec![
        Row::of(Scope::Strong, &*changed.arm_id)
            .dim("  seed ")
            .plain(changed.seed.to_string())
            .dim("  attempt ")
            .plain(changed.attempt.to_string()),
        Row::new(),
    ];
    for (name, label) in [("A", &changed.a), ("B", &changed.b)] {
        let (scope, sign, _) = scale::outcome(label);
        rows.push(Row::of(Scope::Accent, format!("{name}  ")).put(scope, format!("{sign} ")).put(scope, &**label));
    }
    rows.push(Row::new());
    let key = model.keymap.key(Action::Open).unwrap_or_default();
    rows.extend(Row::of(Scope::Dim, format!("{key} opens both episodes, call by call.")).wrap(width));
    rows
}
