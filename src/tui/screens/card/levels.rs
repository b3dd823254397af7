//! The levels of a card as rows, drawn to scale.

use crate::card::page::{rate, signed};
use crate::card::{Call, Cell, Pair};
use crate::run::Browse;
use crate::text;
use crate::theme::Scope;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;
use std::collections::BTreeSet;

/// Columns of a rate and its name.
const RATE: usize = 6;
/// Columns of outcomes as signs.
const MIX: usize = 12;
/// Columns of outcomes counted.
const COUNTED: usize = 22;
/// Columns of the difference to the dial's first level.
const DIFFERENCE: usize = 8;

/// How wide the columns are, by the room there is. A column that does not fit is 0 wide.
#[derive(Debug, Clone, Copy)]
struct Columns {
    arm: usize,
    bar: usize,
    leaky: usize,
    episodes: usize,
    mix: usize,
    counted: usize,
    difference: usize,
}

impl Columns {
    fn of(run: &Browse, width: usize) -> Self {
        let longest = run.artifact().cells.iter().map(|c| text::width(&c.arm_id)).max().unwrap_or(0);
        let arm = longest.clamp(5, (width / 3).clamp(5, 26));
        let mut left = width.saturating_sub(2 + arm + 2 + RATE);
        // In the order of what they tell: each with two columns before it.
        let mut take = |wide: usize, keep: usize| {
            if left >= wide + 2 + keep {
                left -= wide + 2;
                wide
            } else {
                0
            }
        };
        let mix = take(MIX, 9);
        let difference = take(DIFFERENCE, 11);
        let leaky = take(RATE, 11);
        let episodes = take(6, 11);
        let counted = take(COUNTED, 21);
        let bar = if left >= 7 { (left - 2).min(41) } else { 0 };
        Self { arm, bar, leaky, episodes, mix, counted, difference }
    }
}

/// The names of the columns, to stand in the pane's title above them.
pub(super) fn heading(run: &Browse, width: usize) -> String {
    let columns = Columns::of(run, width);
    let mut line = format!(" {}  {}", text::pad("level", columns.arm), text::pad_start("pass@1", RATE));
    let mut put = |cell: String| {
        if !cell.is_empty() {
            line.push_str("  ");
            line.push_str(&cell);
        }
    };
    if columns.bar > 0 {
        put(format!("0{}1", " ".repeat(columns.bar - 2)));
    }
    let against = if run.artifact().design.own { "to first" } else { "to next" };
    put(text::pad_start(against, columns.difference));
    put(text::pad_start("leaky", columns.leaky));
    put(text::pad_start("n", columns.episodes));
    put(text::pad("outcomes", columns.mix));
    line.trim_end().to_owned()
}

/// The rows of the levels.
pub(super) struct Levels<'a> {
    pub(super) run: &'a Browse,
    pub(super) width: usize,
}

impl Rows for Levels<'_> {
    fn len(&self) -> usize {
        self.run.artifact().cells.len()
    }

    fn row(&self, i: usize) -> Row {
        let artifact = self.run.artifact();
        let Some(cell) = artifact.cells.get(i) else { return Row::new() };
        let columns = Columns::of(self.run, self.width);
        let (scope, sign) = sign(self.run, cell);
        let mut row = Row::of(scope, format!("{sign} ")).cell(Scope::Text, &*cell.arm_id, columns.arm);
        row = row.plain("  ").put(Scope::Strong, text::pad_start(&rate(cell.pass_at_1), RATE));
        if columns.bar > 0 {
            let bar = scale::bar(cell.pass_at_1, cell.pass_interval, columns.bar);
            row = row.plain("  ").put(Scope::Accent, text::pad(&bar, columns.bar));
        }
        if columns.difference > 0 {
            let pair = artifact.pairs.iter().find(|p| is_of(p, cell));
            row = difference(row.plain("  "), pair, columns.difference);
        }
        if columns.leaky > 0 {
            row = row.plain("  ").plain(text::pad_start(&rate(cell.leaky_at_1), columns.leaky));
        }
        if columns.episodes > 0 {
            row = row.plain("  ").dim(text::pad_start(&text::group(cell.scored), columns.episodes));
        }
        if columns.mix > 0 {
            row = scale::mix(row.plain("  "), counts(cell), columns.mix);
        }
        if columns.counted > 0 {
            row = row.plain("  ").join(&scale::counted(Row::new(), counts(cell)).fit(columns.counted));
        }
        row
    }
}

/// The label and count of every episode of a level, those the instrument failed too.
fn counts(cell: &Cell) -> impl Iterator<Item = (&str, u64)> {
    let failed = (cell.instrument_count > 0).then_some(("api_error", cell.instrument_count));
    cell.outcome_mix.iter().map(|(label, n)| (&**label, *n)).chain(failed)
}

fn is_of(pair: &Pair, cell: &Cell) -> bool {
    pair.arms[0] == *cell.arm_id && pair.model == *cell.model
}

/// `!` refused by a gate, `~` incomplete.
fn sign(run: &Browse, cell: &Cell) -> (Scope, char) {
    let gate = |line: &String| line.strip_prefix(&*cell.arm_id).is_some_and(|rest| rest.starts_with(':'));
    if run.artifact().gates().iter().any(gate) {
        (Scope::Error, '!')
    } else if cell.incomplete {
        (Scope::Warn, '~')
    } else {
        (Scope::Text, ' ')
    }
}

/// The difference to the dial's first level, marked when this design calls it.
fn difference(row: Row, pair: Option<&Pair>, width: usize) -> Row {
    let Some(pair) = pair else { return row.gap(width) };
    let called = pair.call == Call::Distinguishable;
    let scope = match (called, pair.delta.is_some_and(|d| d < 0.0)) {
        (true, true) => Scope::DiffRemoved,
        (true, false) => Scope::DiffAdded,
        _ => Scope::Dim,
    };
    let shown = pair.delta.map_or_else(|| "same".to_owned(), |d| signed(Some(d)));
    row.put(scope, text::pad_start(&format!("{}{shown}", if called { "*" } else { "" }), width))
}

/// What stands below the levels: gates, what the signs mean, which dials made tasks harder.
pub(super) fn below(run: &Browse, width: usize) -> Vec<Row> {
    let artifact = run.artifact();
    let mut rows = vec![Row::new()];
    for gate in artifact.gates() {
        rows.extend(Row::of(Scope::Error, "! not valid: ").plain(gate).hanging(2).wrap(width));
    }
    let harder: BTreeSet<&str> = (artifact.pairs.iter())
        .filter(|p| p.call == Call::Distinguishable && p.delta.is_some_and(|d| d < 0.0))
        .map(|p| &*p.knob)
        .collect();
    if !harder.is_empty() && artifact.design.own {
        let names = harder.into_iter().collect::<Vec<_>>().join(", ");
        rows.extend(Row::of(Scope::DiffRemoved, "* ").plain(format!("made tasks harder: {names}")).wrap(width));
    }
    let mut legend = Row::new();
    let labels: BTreeSet<&str> = artifact.cells.iter().flat_map(|c| counts(c).map(|(label, _)| label)).collect();
    let mut shown = BTreeSet::new();
    for label in labels {
        let (scope, sign, word) = scale::outcome(label);
        if shown.insert(sign) {
            legend = legend.put(scope, sign.to_string()).dim(format!(" {word}  "));
        }
    }
    if artifact.pairs.iter().any(|p| p.call == Call::Distinguishable) {
        let level = if artifact.design.own { "its dial's first level" } else { "the level after it" };
        legend = legend.put(Scope::DiffRemoved, "*").dim(format!(" significant against {level}  "));
    }
    if artifact.cells.iter().any(|c| c.incomplete) {
        legend = legend.put(Scope::Warn, "~").dim(" incomplete");
    }
    rows.extend(legend.wrap(width));
    rows
}
