//! Two cards side by side: the verdict, the levels, the tasks whose outcome changed.

use super::artifact::Artifact;
use super::bootstrap::{Bootstrap, Interval};
use super::cell::Cell;
use super::episodes::Episodes;
use super::pairs::{Call, paired};
use super::verdict::{Evidence, Verdict, verdict};
use crate::text;
use crate::value::{Map, Str, Value};
use std::collections::{BTreeMap, HashMap};

/// One level of both cards.
#[derive(Debug, Clone)]
pub struct LevelRow {
    /// The arm.
    pub arm_id: Str,
    /// a's cell.
    pub a: Cell,
    /// b's cell.
    pub b: Cell,
    /// pass@1 of b less that of a; `None` when a side scored nothing.
    pub delta: Option<f64>,
    /// Its paired interval; `None` when the seeds are not the same.
    pub interval: Option<Interval>,
    /// What the difference is called.
    pub call: Call,
}

impl LevelRow {
    /// Significant, and b is worse.
    pub fn is_worse(&self) -> bool {
        self.call == Call::Distinguishable && self.delta.is_some_and(|d| d < 0.0)
    }

    /// Called different, and b is better.
    pub fn is_better(&self) -> bool {
        self.call == Call::Distinguishable && self.delta.is_some_and(|d| d > 0.0)
    }

    /// What the difference is, in the words of screens and pages.
    pub fn called(&self) -> String {
        match (self.interval, self.a.pass_at_1) {
            (None, _) => "not the same seeds".to_owned(),
            (_, Some(rate)) if self.a.pass_at_1 == self.b.pass_at_1 => format!("no change: both at {rate:.3}"),
            _ => self.call.shown().to_owned(),
        }
    }

    /// The row as JSON.
    pub fn to_value(&self) -> Value {
        let side = |cell: &Cell| {
            Map::from([
                ("pass_at_1", Value::from(cell.pass_at_1)),
                ("pass_at_1_interval", Value::from(cell.pass_interval.map(|i| i.to_vec()))),
                ("leaky_at_1", Value::from(cell.leaky_at_1)),
                ("episodes_scored", Value::from(cell.scored)),
                ("outcome_mix", cell.outcome_mix.iter().map(|(k, n)| (k, *n)).collect::<Map>().into()),
                ("tool_calls_mean", Value::from(cell.tool_calls.mean)),
            ])
        };
        Map::from([
            ("arm_id", Value::from(&self.arm_id)),
            ("a", side(&self.a).into()),
            ("b", side(&self.b).into()),
            ("delta", self.delta.into()),
            ("interval", self.interval.map(|i| i.to_vec()).into()),
            ("verdict", self.call.words().into()),
        ])
        .into()
    }
}

/// An attempt at a task that had one outcome in a and another in b.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The arm.
    pub arm_id: Str,
    /// The seed.
    pub seed: u64,
    /// The attempt.
    pub attempt: u64,
    /// a's label.
    pub a: Str,
    /// b's label.
    pub b: Str,
    /// It passed on one side alone.
    pub flipped: bool,
    /// Index of a's record.
    pub index_a: usize,
    /// Index of b's record.
    pub index_b: usize,
}

/// Two cards beside each other.
#[derive(Debug)]
pub struct Comparison {
    /// May they be compared?
    pub verdict: Verdict,
    /// Levels of both, in a's order; empty when they may not be compared.
    pub levels: Vec<LevelRow>,
    /// Arms of one side alone: a's, then b's.
    pub only: [Vec<Str>; 2],
    /// Attempts whose outcome changed, level by level and task by task; empty when they may not be compared.
    pub changed: Vec<Changed>,
    /// Episodes of both sides whose chained hashes are recorded, and how many of them are equal.
    pub chains: [usize; 2],
    /// The first episode, in a's order, whose chained hashes part, its outcome changed or not.
    pub parted: Option<Changed>,
}

impl Comparison {
    /// Compares two cards.
    pub fn of(a: (&Artifact, &Episodes), b: (&Artifact, &Episodes)) -> Self {
        let evidence = |(artifact, episodes): (&Artifact, &Episodes)| Evidence::of(&artifact.provenance, episodes);
        let verdict = verdict(&evidence(a), &evidence(b));
        let mut comparison = Self {
            verdict,
            levels: Vec::new(),
            only: [Vec::new(), Vec::new()],
            changed: Vec::new(),
            chains: [0, 0],
            parted: None,
        };
        if comparison.verdict.is_ok() {
            comparison.levels = levels(a.0, b.0);
            let alone = |x: &Artifact, y: &Artifact| {
                x.cells.iter().map(|c| c.arm_id.clone()).filter(|arm| y.cell(arm).is_none()).collect()
            };
            comparison.only = [alone(a.0, b.0), alone(b.0, a.0)];
            comparison.episodes(a.1, b.1);
        }
        comparison
    }

    fn episodes(&mut self, a: &Episodes, b: &Episodes) {
        let key = |side: &Episodes, index: usize| {
            let mark = side.get(index)?;
            let task = side.task(mark);
            Some((task.arm_id.clone(), task.seed, mark.attempt))
        };
        // Runs of one plan have each episode at the same place; the map is made when two do not.
        let mut of_b: Option<HashMap<(Str, u64, u32), usize>> = None;
        for (index_a, mark) in a.marks().iter().enumerate() {
            let wanted = key(a, index_a);
            let index_b = if wanted == key(b, index_a) {
                Some(index_a)
            } else {
                let map =
                    of_b.get_or_insert_with(|| (0..b.len()).rev().filter_map(|i| Some((key(b, i)?, i))).collect());
                wanted.and_then(|key| map.get(&key).copied())
            };
            let Some((index_b, other)) = index_b.and_then(|i| Some((i, b.get(i)?))) else { continue };
            let task = a.task(mark);
            let changed = || Changed {
                arm_id: task.arm_id.clone(),
                seed: task.seed,
                attempt: u64::from(mark.attempt),
                a: a.label(mark).clone(),
                b: b.label(other).clone(),
                flipped: mark.strict != other.strict,
                index_a,
                index_b,
            };
            if let (Some(p), Some(q)) = (a.chain(index_a), b.chain(index_b)) {
                self.chains[0] += 1;
                self.chains[1] += usize::from(p == q);
                if p != q && self.parted.is_none() {
                    self.parted = Some(changed());
                }
            }
            if a.label(mark) != b.label(other) {
                self.changed.push(changed());
            }
        }
        // Records lie in the order in which their episodes ended, where those were played side by side.
        let place = |index: usize| a.get(index).map(|mark| (a.task(mark).cell, mark.task, mark.attempt));
        self.changed.sort_by_key(|changed| place(changed.index_a));
    }

    /// The comparison in one sentence: episodes passed on the levels of both, and on which levels b is better or worse.
    pub fn headline(&self) -> String {
        if !self.verdict.is_ok() {
            return self.verdict.sentence.clone();
        }
        let total = |side: fn(&LevelRow) -> &Cell| {
            let blocks = || self.levels.iter().flat_map(|level| &side(level).blocks);
            let passed: usize = blocks().map(|block| block.strict).sum();
            let of: usize = blocks().map(|block| block.n).sum();
            format!("{} of {}", text::group(passed as u64), text::group(of as u64))
        };
        let mut words = format!("A {}, B {}", total(|level| &level.a), total(|level| &level.b));
        let (better, worse) = (named(&self.levels, LevelRow::is_better), named(&self.levels, LevelRow::is_worse));
        match (better, worse) {
            (None, None) => words.push_str("; no significant difference on any level"),
            (Some(on), None) => words.push_str(&format!("; B better on {on}")),
            (None, Some(on)) => words.push_str(&format!("; B worse on {on}")),
            (Some(up), Some(down)) => words.push_str(&format!("; B better on {up}; B worse on {down}")),
        }
        words
    }

    /// Whether some level is called worse in b; so is one that may not be compared, since nothing shows that it is not.
    pub fn is_worse(&self) -> bool {
        !self.verdict.is_ok() || self.levels.iter().any(LevelRow::is_worse)
    }

    /// Whether some outcome changed, or may have.
    pub fn is_changed(&self) -> bool {
        !self.verdict.is_ok() || !self.changed.is_empty() || self.only.iter().any(|arms| !arms.is_empty())
    }

    /// Every task whose outcome changed, with its attempts.
    pub fn changed_tasks(&self) -> BTreeMap<(Str, u64), Vec<&Changed>> {
        let mut tasks: BTreeMap<(Str, u64), Vec<&Changed>> = BTreeMap::new();
        for changed in &self.changed {
            tasks.entry((changed.arm_id.clone(), changed.seed)).or_default().push(changed);
        }
        tasks
    }
}

/// The arms of some levels, the first few by name.
fn named(levels: &[LevelRow], is: fn(&LevelRow) -> bool) -> Option<String> {
    const NAMED: usize = 8;
    let arms: Vec<&str> = levels.iter().filter(|level| is(level)).map(|level| &*level.arm_id).collect();
    let mut words = arms.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if arms.len() > NAMED {
        words.push_str(&format!(" and {} more", arms.len() - NAMED));
    }
    (!arms.is_empty()).then_some(words)
}

fn levels(a: &Artifact, b: &Artifact) -> Vec<LevelRow> {
    let mut bootstrap = Bootstrap::new(a.design.bootstrap_seed, a.design.resamples);
    let mut rows = Vec::new();
    let mut tickets = Vec::new();
    for cell_a in &a.cells {
        // Of several models the same one, else the first that has the arm.
        let same_model = b.cells.iter().find(|c| c.arm_id == cell_a.arm_id && c.model == cell_a.model);
        let Some(cell_b) = same_model.or_else(|| b.cell(&cell_a.arm_id)) else { continue };
        let differences = paired(&cell_b.blocks, &cell_a.blocks, |block| block.strict);
        tickets.push(differences.map(|d| bootstrap.add(d)));
        rows.push(LevelRow {
            arm_id: cell_a.arm_id.clone(),
            delta: cell_b.pass_at_1.zip(cell_a.pass_at_1).map(|(y, x)| y - x),
            a: cell_a.clone(),
            b: cell_b.clone(),
            interval: None,
            call: Call::Excluded,
        });
    }
    let intervals = bootstrap.run();
    for (row, ticket) in rows.iter_mut().zip(tickets) {
        row.interval = ticket.and_then(|t| intervals.get(t));
        if let Some((delta, interval)) = row.delta.zip(row.interval) {
            row.call = Call::on(delta, interval, a.design.delta_star);
        }
    }
    rows
}
