//! Levels beside each other: pairs, reach pairs and orderings (rules 8.3, 8.4).

use super::bootstrap::{Bootstrap, Intervals, Ticket};
use super::cell::Cell;
use super::design::Design;
use super::stats::Block;
use crate::value::{Map, Value};
use std::collections::BTreeMap;

/// What is said of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The interval excludes 0 and the difference is large enough.
    Distinguishable,
    /// Neither can be said.
    TooSmall,
    /// The pair tells nothing: saturated, or not over the same seeds.
    Excluded,
}

impl Call {
    /// The words in an artifact.
    pub fn words(self) -> &'static str {
        match self {
            Call::Distinguishable => "distinguishable",
            Call::TooSmall => "too small for this design to call",
            Call::Excluded => "excluded",
        }
    }

    /// The same as a person reads it.
    pub fn shown(self) -> &'static str {
        match self {
            Call::Distinguishable => "significant",
            Call::TooSmall => "not significant",
            Call::Excluded => "not compared",
        }
    }

    /// The call on a difference and its interval.
    pub fn on(point: f64, interval: [f64; 2], delta_star: f64) -> Self {
        let excludes_zero = interval[0] > 0.0 || interval[1] < 0.0;
        if excludes_zero && point.abs() >= delta_star { Call::Distinguishable } else { Call::TooSmall }
    }
}

/// Which passes a pair counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predicate {
    /// Strict.
    Strict,
    /// Leaky.
    Leaky,
}

impl Predicate {
    fn passes(self, block: &Block) -> usize {
        match self {
            Predicate::Strict => block.strict,
            Predicate::Leaky => block.leaky,
        }
    }
    fn rate(self, cell: &Cell) -> Option<f64> {
        match self {
            Predicate::Strict => cell.pass_at_1,
            Predicate::Leaky => cell.leaky_at_1,
        }
    }
}

/// Two levels of a dial and what their difference is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The model or player.
    pub model: String,
    /// The dial.
    pub knob: String,
    /// Levels a and b.
    pub levels: [i64; 2],
    /// Arms a and b.
    pub arms: [String; 2],
    /// The rate of a less that of b; `None` when excluded.
    pub delta: Option<f64>,
    /// Its paired interval.
    pub interval: Option<[f64; 2]>,
    /// What it is called.
    pub call: Call,
    /// Why it is excluded.
    pub reason: Option<String>,
    /// Written where the card says which passes were counted.
    pub predicate: Option<&'static str>,
}

impl Pair {
    /// The pair as it stands in an artifact.
    pub fn to_value(&self) -> Value {
        let mut m = Map::with_capacity(12);
        m.insert("model", &self.model);
        m.insert("knob", &self.knob);
        m.insert("level_a", self.levels[0]);
        m.insert("level_b", self.levels[1]);
        m.insert("arm_a", &self.arms[0]);
        m.insert("arm_b", &self.arms[1]);
        m.insert("delta", self.delta);
        m.insert("low", self.interval.map(|i| i[0]));
        m.insert("high", self.interval.map(|i| i[1]));
        m.insert("verdict", self.call.words());
        m.insert("reason", self.reason.clone());
        if let Some(predicate) = self.predicate {
            m.insert("predicate", predicate);
        }
        Value::object(m)
    }
}

/// A dial's levels and whether rates fall along them.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordering {
    /// The model or player.
    pub model: String,
    /// The dial.
    pub knob: String,
    /// Levels, ascending.
    pub levels: Vec<i64>,
    /// pass@1 of each.
    pub pass_at_1: Vec<f64>,
    /// leaky@1 of each.
    pub leaky_at_1: Vec<f64>,
}

impl Ordering {
    /// Adjacent levels and the difference of their pass@1.
    pub fn differences(&self) -> Vec<(i64, i64, f64)> {
        let levels = self.levels.windows(2).zip(self.pass_at_1.windows(2));
        levels.map(|(l, p)| (l[0], l[1], p[0] - p[1])).collect()
    }

    /// The row as it stands in an artifact.
    pub fn to_value(&self) -> Value {
        let falls = |rates: &[f64]| rates.windows(2).all(|w| w[1] <= w[0]);
        let mut m = Map::with_capacity(9);
        m.insert("kind", "ordering");
        m.insert("model", &self.model);
        m.insert("knob", &self.knob);
        m.insert("levels", self.levels.clone());
        m.insert("pass_at_1", self.pass_at_1.clone());
        m.insert("non_increasing", falls(&self.pass_at_1));
        let pairs = self.differences().into_iter();
        m.insert(
            "pairs",
            pairs.map(|(a, b, d)| Value::array(vec![a.into(), b.into(), d.into()])).collect::<Vec<Value>>(),
        );
        m.insert("leaky_at_1", self.leaky_at_1.clone());
        m.insert("leaky_non_increasing", falls(&self.leaky_at_1));
        Value::object(m)
    }
}

/// Pairs whose intervals are still to be drawn.
#[derive(Debug, Default)]
pub(super) struct PendingPairs {
    pairs: Vec<(Pair, Option<Ticket>)>,
    reach: Vec<(Pair, Option<Ticket>)>,
}

impl PendingPairs {
    /// The pairs a card calls: on own tools every level against the dial's first, else adjacent levels of depth and of the
    /// decoy dial, and depth's a second time on leaky passes.
    pub(super) fn of(cells: &[Cell], design: &Design, bootstrap: &mut Bootstrap) -> Self {
        let mut pending = Self::default();
        for ladder in ladders(cells) {
            let (knob, rungs) = (ladder.knob, ladder.rungs);
            if design.own {
                for cell in &rungs[1..] {
                    let mut pair = pair(knob, cell, rungs[0], Predicate::Strict, design, bootstrap);
                    pair.0.predicate = Some("strict");
                    pending.pairs.push(pair);
                }
            } else if matches!(knob, "depth" | "distractor") {
                for rung in rungs.windows(2) {
                    pending.pairs.push(pair(knob, rung[0], rung[1], Predicate::Strict, design, bootstrap));
                    if knob == "depth" {
                        let mut reach = pair(knob, rung[0], rung[1], Predicate::Leaky, design, bootstrap);
                        reach.0.predicate = Some("leaky");
                        pending.reach.push(reach);
                    }
                }
            }
        }
        pending
    }

    /// The pairs and the reach pairs, called.
    pub(super) fn finish(self, intervals: &Intervals, design: &Design) -> (Vec<Pair>, Vec<Pair>) {
        let call = |list: Vec<(Pair, Option<Ticket>)>| {
            list.into_iter()
                .map(|(mut pair, ticket)| {
                    pair.interval = ticket.and_then(|t| intervals.get(t));
                    if let Some((delta, interval)) = pair.delta.zip(pair.interval) {
                        pair.call = Call::on(delta, interval, design.delta_star);
                    }
                    pair
                })
                .collect()
        };
        (call(self.pairs), call(self.reach))
    }
}

/// The orderings of a card: on own tools of every dial with two levels, else of depth and of the decoy dial.
pub(super) fn orderings(cells: &[Cell], design: &Design) -> Vec<Ordering> {
    let ladders = ladders(cells).into_iter();
    ladders
        .filter(|l| l.rungs.len() > 1 && (design.own || matches!(l.knob, "depth" | "distractor")))
        .map(|l| Ordering {
            model: l.rungs[0].model.to_string(),
            knob: l.knob.to_owned(),
            levels: l.rungs.iter().filter_map(|c| Some(c.name.as_ref()?.level)).collect(),
            pass_at_1: l.rungs.iter().filter_map(|c| c.pass_at_1).collect(),
            leaky_at_1: l.rungs.iter().filter_map(|c| c.leaky_at_1).collect(),
        })
        .collect()
}

/// Rows that say, for every dial that two models were measured on, at which steps between levels both move the same way.
pub(super) fn agreements(orderings: &[Ordering]) -> Vec<Value> {
    let mut rows = Vec::new();
    for (i, a) in orderings.iter().enumerate() {
        for b in orderings[i + 1..].iter().filter(|b| b.knob == a.knob && b.model != a.model) {
            let other: BTreeMap<(i64, i64), f64> = b.differences().into_iter().map(|(x, y, d)| ((x, y), d)).collect();
            let steps: Vec<(i64, i64, bool)> = (a.differences().into_iter())
                .filter_map(|(x, y, d)| other.get(&(x, y)).map(|e| (x, y, d.partial_cmp(&0.0) == e.partial_cmp(&0.0))))
                .collect();
            let mut m = Map::with_capacity(5);
            m.insert("kind", "agreement");
            m.insert("knob", &a.knob);
            m.insert("models", vec![a.model.as_str(), b.model.as_str()]);
            m.insert("agree", steps.iter().all(|s| s.2));
            let steps = steps.into_iter().map(|(x, y, same)| Value::array(vec![x.into(), y.into(), same.into()]));
            m.insert("pairs", steps.collect::<Vec<Value>>());
            rows.push(Value::object(m));
        }
    }
    rows
}

/// The scored cells of one dial and one model, controls left out, by ascending level.
struct Ladder<'a> {
    knob: &'a str,
    rungs: Vec<&'a Cell>,
}

/// Dials in first-seen order, model by model.
fn ladders(cells: &[Cell]) -> Vec<Ladder<'_>> {
    let mut ladders: Vec<(&str, Ladder<'_>)> = Vec::new();
    for cell in cells.iter().filter(|c| c.scored > 0) {
        let Some(name) = cell.name.as_ref().filter(|n| !n.control) else { continue };
        match ladders.iter_mut().find(|(model, l)| *model == &*cell.model && l.knob == name.knob) {
            Some((_, ladder)) => ladder.rungs.push(cell),
            None => ladders.push((&cell.model, Ladder { knob: &name.knob, rungs: vec![cell] })),
        }
    }
    let mut ladders: Vec<Ladder<'_>> = ladders.into_iter().map(|(_, l)| l).collect();
    for ladder in &mut ladders {
        ladder.rungs.sort_by_key(|c| c.name.as_ref().map(|n| n.level));
    }
    ladders
}

fn pair(
    knob: &str,
    a: &Cell,
    b: &Cell,
    predicate: Predicate,
    design: &Design,
    bootstrap: &mut Bootstrap,
) -> (Pair, Option<Ticket>) {
    let level = |c: &Cell| c.name.as_ref().map_or(0, |n| n.level);
    let mut pair = Pair {
        model: a.model.to_string(),
        knob: knob.to_owned(),
        levels: [level(a), level(b)],
        arms: [a.arm_id.to_string(), b.arm_id.to_string()],
        delta: None,
        interval: None,
        call: Call::Excluded,
        reason: excluded(a, b, predicate, design),
        predicate: None,
    };
    if pair.reason.is_some() {
        return (pair, None);
    }
    let Some(differences) = paired(&a.blocks, &b.blocks, |x| predicate.passes(x)) else {
        pair.reason = Some(format!("not the same seeds: {}, {}", a.arm_id, b.arm_id));
        return (pair, None);
    };
    pair.delta = predicate.rate(a).zip(predicate.rate(b)).map(|(x, y)| x - y);
    (pair, Some(bootstrap.add(differences)))
}

/// The differences a - b of the rates of every seed, seeds ascending; `None` unless both have the same seeds, and some.
pub fn paired(a: &[Block], b: &[Block], passes: impl Fn(&Block) -> usize) -> Option<Vec<f64>> {
    let by_seed = |blocks: &[Block]| -> BTreeMap<u64, f64> {
        blocks.iter().map(|x| (x.seed, passes(x) as f64 / x.n as f64)).collect()
    };
    let (a, b) = (by_seed(a), by_seed(b));
    if a.is_empty() || !a.keys().eq(b.keys()) {
        return None;
    }
    Some(a.values().zip(b.values()).map(|(x, y)| x - y).collect())
}

/// Why a pair tells nothing. Built-in levels: either lies at or beyond a saturation bound. Own tools: both lie beyond the
/// same one.
fn excluded(a: &Cell, b: &Cell, predicate: Predicate, design: &Design) -> Option<String> {
    let rates = [(a, predicate.rate(a)?), (b, predicate.rate(b)?)];
    let on = if predicate == Predicate::Leaky { " on leaky" } else { "" };
    let beyond: Vec<&str> = if design.own {
        let same_side = rates.iter().all(|(_, r)| *r >= design.saturation_high)
            || rates.iter().all(|(_, r)| *r <= design.saturation_low);
        if same_side { rates.iter().map(|(c, _)| &*c.arm_id).collect() } else { Vec::new() }
    } else {
        rates.iter().filter(|(_, r)| design.saturated(*r)).map(|(c, _)| &*c.arm_id).collect()
    };
    (!beyond.is_empty()).then(|| format!("saturated{on}: {}", beyond.join(", ")))
}
