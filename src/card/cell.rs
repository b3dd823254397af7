//! A cell: the figures of one arm and one model (rules 8.3, 8.4).

use super::arm::ArmName;
use super::bootstrap::{Bootstrap, Interval, Intervals, Ticket};
use super::design::Design;
use super::gather::{Counts, Gather, Group};
use super::stats::{Block, PassAtK, mean, median, quantile, sorted};
use crate::value::{Map, Str, Value};
use std::collections::BTreeMap;

/// Sums, mean and median of a count per episode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counted {
    /// Sum; nothing as soon as one episode lacks the count.
    pub total: Option<u64>,
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub median: Option<f64>,
}

impl Counted {
    fn of(counts: &Counts, n: u64) -> Self {
        let total = (counts.len() == n).then(|| counts.total());
        let mean = total.filter(|_| n > 0).map(|total| total as f64 / n as f64);
        Self { total, mean, median: total.and_then(|_| counts.median()) }
    }
}

/// What our own records count beside the reference's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slips {
    /// Writes that repeated a write already done.
    pub duplicate_writes: u64,
    /// Episodes that wrote with the value of a bad read; `None` on arms that plan none.
    pub bad_reads_believed: Option<u64>,
    /// Episodes that wrote again after a stale read; `None` on arms that plan none.
    pub stale_reads_acted_on: Option<u64>,
}

/// The figures of one arm and one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The arm.
    pub arm_id: Str,
    /// The model or player.
    pub model: Str,
    /// The arm's id taken apart.
    pub name: Option<ArmName>,
    /// Fewest calls of a pass; `None` on own tools.
    pub minimum_calls: Option<u64>,
    /// Seeds seen, ascending.
    pub seeds: Vec<u64>,
    /// Tasks declared.
    pub declared_tasks: usize,
    /// Attempts declared.
    pub declared_attempts: usize,
    /// Tasks or attempts are missing.
    pub incomplete: bool,
    /// Scored attempts grouped by task, in first-seen order.
    pub blocks: Vec<Block>,
    /// pass@1.
    pub pass_at_1: Option<f64>,
    /// leaky@1.
    pub leaky_at_1: Option<f64>,
    /// pass@k for k = 1 to the smallest number of attempts.
    pub pass_at_k: Vec<(usize, f64)>,
    /// leaky@k likewise.
    pub leaky_at_k: Vec<(usize, f64)>,
    /// Interval of pass@1.
    pub pass_interval: Option<Interval>,
    /// Interval of leaky@1.
    pub leaky_interval: Option<Interval>,
    /// Intervals of pass@k at the design's k values.
    pub pass_at_k_interval: Vec<(usize, Interval)>,
    /// Whether pass@1 lies at or beyond a saturation bound.
    pub saturated: bool,
    /// Label and count of the scored episodes.
    pub outcome_mix: BTreeMap<Str, u64>,
    /// Episodes the instrument failed: labeled or tallied, whichever is more.
    pub instrument_count: u64,
    /// Share of them.
    pub instrument_rate: f64,
    /// Episodes scored.
    pub scored: u64,
    /// Scored episodes with no tool call.
    pub no_call: u64,
    /// Scored episodes with some calls, fewer than the minimum.
    pub stopped_short: Option<u64>,
    /// Model calls.
    pub model_calls: Counted,
    /// Tool calls.
    pub tool_calls: Counted,
    /// Token sums: prompt, cached, completion, reasoning.
    pub token_sums: [Option<u64>; 4],
    /// Tokens per episode: mean, median.
    pub tokens: [Option<f64>; 2],
    /// Ninth decile of the tokens per episode.
    pub tokens_p90: Option<u64>,
    /// Reported cost.
    pub reported_cost: Option<f64>,
    /// Dollars at the design's rates.
    pub dollars: Option<f64>,
    /// Median prompt tokens of the first request.
    pub first_request: Option<f64>,
    /// Median and ninth decile of the seconds of episode, model and harness, then of the setting up.
    pub seconds: [[Option<f64>; 2]; 4],
    /// Episodes that gave up after a fault, on judged arms.
    pub gave_up: Option<u64>,
    /// Our own counts; `None` on a card of other records.
    pub slips: Option<Slips>,
}

/// The intervals a cell asked for.
struct Asked {
    pass: Ticket,
    leaky: Ticket,
    at_k: Vec<(usize, Ticket)>,
}

/// Cells whose intervals are still to be drawn.
pub(super) struct Pending {
    cells: Vec<Cell>,
    asked: Vec<Asked>,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("cells", &self.cells.len()).finish_non_exhaustive()
    }
}

/// Arm to label to count: failures of the instrument noted while the run went on.
pub type Tallies = BTreeMap<String, BTreeMap<String, u64>>;

impl Pending {
    /// Every cell of the records, in first-seen order, without its intervals.
    pub(super) fn of(gather: Gather, design: &Design, tallies: &Tallies, bootstrap: &mut Bootstrap) -> Self {
        let mut pass_at_k = PassAtK::default();
        let mut pending = Self { cells: Vec::new(), asked: Vec::new() };
        for group in gather.into_groups() {
            let (cell, asked) = cell(group, design, tallies, &mut pass_at_k, bootstrap);
            pending.cells.push(cell);
            pending.asked.push(asked);
        }
        pending
    }

    /// The cells so far: everything but intervals.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells with their intervals.
    pub(super) fn finish(self, intervals: &Intervals) -> Vec<Cell> {
        let mut cells = self.cells;
        for (cell, asked) in cells.iter_mut().zip(self.asked) {
            cell.pass_interval = intervals.get(asked.pass);
            cell.leaky_interval = intervals.get(asked.leaky);
            cell.pass_at_k_interval =
                asked.at_k.into_iter().filter_map(|(k, t)| Some((k, intervals.get(t)?))).collect();
        }
        cells
    }
}

fn cell(
    group: Group,
    design: &Design,
    tallies: &Tallies,
    pass_at_k: &mut PassAtK,
    bootstrap: &mut Bootstrap,
) -> (Cell, Asked) {
    let blocks = &group.blocks;
    let smallest = blocks.iter().map(|b| b.n).min().unwrap_or(0);
    let name = ArmName::parse(&group.arm_id);
    let minimum_calls = if design.own { None } else { name.as_ref().and_then(ArmName::minimum_calls) };

    let strict = rates(blocks, |b| b.strict);
    let leaky = rates(blocks, |b| b.leaky);
    let pass_at_1 = mean(&strict);
    let at_k = |p: &mut PassAtK, passes: fn(&Block) -> usize| {
        (1..=smallest).filter_map(|k| Some((k, mean(&p.over(blocks, passes, k))?))).collect::<Vec<_>>()
    };
    let asked = Asked {
        pass: bootstrap.add(strict),
        leaky: bootstrap.add(leaky.clone()),
        at_k: (design.k_values.iter().filter(|&&k| k >= 1 && k <= smallest))
            .map(|&k| (k, bootstrap.add(pass_at_k.over(blocks, |b| b.strict, k))))
            .collect(),
    };

    let tallied: u64 =
        tallies.get(&*group.arm_id).map_or(0, |labels| labels.values().fold(0, |sum: u64, n| sum.saturating_add(*n)));
    let instrument_count = (group.episodes - group.scored).max(tallied);
    let decided = group.scored.saturating_add(instrument_count);

    let tokens = group.tokens.known();
    let floats = |list: &[u64]| list.iter().map(|&n| n as f64).collect::<Vec<f64>>();
    let mut ordered = tokens.unwrap_or_default().to_vec();
    ordered.sort_unstable();
    let token_sums = group.token_sums.each_ref().map(|total| group.sum(total));
    let dollars = design.rates.iter().find(|(id, _)| **id == *group.model).and_then(|(_, rates)| {
        let [prompt, cached, completion, _] = token_sums;
        let prompt = prompt? as f64 * rates.input;
        Some((prompt + cached? as f64 * rates.cached_input + completion? as f64 * rates.output) / 1e6)
    });
    let mean_tokens =
        |list: &[u64]| list.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)) as f64 / list.len() as f64;
    let cell = Cell {
        minimum_calls,
        declared_tasks: design.s,
        declared_attempts: design.n,
        incomplete: blocks.len() < design.s || smallest < design.n,
        pass_at_1,
        leaky_at_1: mean(&leaky),
        pass_at_k: at_k(pass_at_k, |b| b.strict),
        leaky_at_k: at_k(pass_at_k, |b| b.leaky),
        pass_interval: None,
        leaky_interval: None,
        pass_at_k_interval: Vec::new(),
        saturated: pass_at_1.is_some_and(|p| design.saturated(p)),
        instrument_count,
        instrument_rate: if decided == 0 { 0.0 } else { instrument_count as f64 / decided as f64 },
        scored: group.scored,
        no_call: group.calls.within(0..1),
        stopped_short: minimum_calls.map(|m| group.calls.within(1..m)),
        model_calls: Counted::of(&group.turns, group.scored),
        tool_calls: Counted::of(&group.calls, group.scored),
        tokens: [tokens.map(mean_tokens), tokens.and_then(|t| median(&floats(t)))],
        tokens_p90: quantile(&ordered, 0.9),
        token_sums,
        reported_cost: group.reported_cost(),
        dollars,
        first_request: group.first_request.known().and_then(|list| median(&floats(list))),
        seconds: group.seconds.each_ref().map(|list| [median(list), quantile(&sorted(list), 0.9)]),
        gave_up: group.gave_up(),
        slips: group.slips(),
        name,
        seeds: group.seeds.into_iter().collect(),
        outcome_mix: group.outcome_mix,
        model: group.model,
        arm_id: group.arm_id,
        blocks: group.blocks,
    };
    (cell, asked)
}

/// passes / attempts of every block.
pub(super) fn rates(blocks: &[Block], passes: impl Fn(&Block) -> usize) -> Vec<f64> {
    blocks.iter().map(|b| passes(b) as f64 / b.n as f64).collect()
}

impl Cell {
    /// A share of the scored episodes; `None` when there are none.
    pub fn share(&self, count: u64) -> Option<f64> {
        (self.scored > 0).then(|| count as f64 / self.scored as f64)
    }

    /// How many tasks and attempts are missing, in episodes.
    pub fn owed(&self) -> u64 {
        let whole = self.declared_tasks.saturating_mul(self.declared_attempts);
        let had: usize = self.blocks.iter().map(|b| b.n.min(self.declared_attempts)).sum();
        whole.saturating_sub(had) as u64
    }

    /// The cell as it stands in an artifact.
    pub fn to_value(&self) -> Value {
        let mut m = Map::with_capacity(64);
        let interval = |i: Option<Interval>| i.map(|[low, high]| Value::array(vec![low.into(), high.into()]));
        let by_k = |list: &[(usize, f64)]| list.iter().map(|(k, v)| (k.to_string(), *v)).collect::<Map>();
        let overshoot = self.outcome_mix.get("overshoot").copied().unwrap_or(0);
        let [prompt, cached, completion, reasoning] = self.token_sums;
        m.insert("arm_id", &self.arm_id);
        m.insert("model", &self.model);
        m.insert("control", self.name.as_ref().is_some_and(|n| n.control));
        m.insert("minimum_calls", self.minimum_calls);
        m.insert("seeds", self.seeds.clone());
        m.insert("S_declared", self.declared_tasks);
        m.insert("S_observed", self.blocks.len());
        m.insert("n_declared", self.declared_attempts);
        m.insert("incomplete", self.incomplete);
        m.insert("pass_at_1", self.pass_at_1);
        m.insert("pass_at_1_interval", interval(self.pass_interval));
        m.insert("pass_at_k", by_k(&self.pass_at_k));
        m.insert(
            "pass_at_k_interval",
            self.pass_at_k_interval.iter().map(|(k, i)| (k.to_string(), interval(Some(*i)))).collect::<Map>(),
        );
        m.insert("leaky_at_1", self.leaky_at_1);
        m.insert("leaky_at_1_interval", interval(self.leaky_interval));
        m.insert("leaky_at_k", by_k(&self.leaky_at_k));
        m.insert("overshoot_count", overshoot);
        m.insert("overshoot_share", self.share(overshoot));
        m.insert("saturated", self.saturated);
        m.insert("outcome_mix", self.outcome_mix.iter().map(|(k, n)| (k, *n)).collect::<Map>());
        m.insert("instrument_count", self.instrument_count);
        m.insert("instrument_rate", self.instrument_rate);
        m.insert("episodes_scored", self.scored);
        m.insert("no_call_count", self.no_call);
        m.insert("no_call_share", self.share(self.no_call));
        m.insert("stopped_short_count", self.stopped_short);
        m.insert("stopped_short_share", self.stopped_short.and_then(|n| self.share(n)));
        for (key, counted) in [("model_calls", &self.model_calls), ("tool_calls", &self.tool_calls)] {
            m.insert(key, counted.total);
            m.insert(format!("{key}_mean"), counted.mean);
            m.insert(format!("{key}_median"), counted.median);
        }
        m.insert("prompt_tokens", prompt);
        m.insert("cached_input_tokens", cached);
        m.insert("completion_tokens", completion);
        m.insert("reasoning_tokens", reasoning);
        m.insert("tokens_mean", self.tokens[0]);
        m.insert("tokens_median", self.tokens[1]);
        m.insert("tokens_p90", self.tokens_p90);
        m.insert("tokens_per_strict_pass", self.tokens_per_strict_pass());
        m.insert("cached_input_share", cached.zip(prompt).and_then(|(c, p)| part(c, p + c)));
        m.insert("reasoning_share", reasoning.zip(completion).and_then(|(r, c)| part(r, c)));
        m.insert("reported_cost", self.reported_cost);
        m.insert("dollars", self.dollars);
        m.insert("first_request_prompt_tokens_median", self.first_request);
        let [episode, model, harness, setup] = self.seconds;
        for (key, [median, p90]) in [("episode", episode), ("model", model), ("harness", harness)] {
            m.insert(format!("{key}_seconds_median"), median);
            m.insert(format!("{key}_seconds_p90"), p90);
        }
        m.insert("setup_seconds_median", setup[0]);
        if let Some(gave_up) = self.gave_up {
            m.insert("gave_up_after_fault_count", gave_up);
            m.insert("gave_up_after_fault_share", self.share(gave_up));
        }
        if let Some(slips) = self.slips {
            m.insert("duplicate_writes", slips.duplicate_writes);
            m.insert("bad_reads_believed", slips.bad_reads_believed);
            m.insert("stale_reads_acted_on", slips.stale_reads_acted_on);
        }
        Value::object(m)
    }

    /// Mean tokens of an episode for every strict pass; `None` when nothing passed or tokens are not known.
    pub fn tokens_per_strict_pass(&self) -> Option<f64> {
        let pass = self.pass_at_1.filter(|p| *p > 0.0)?;
        Some(self.tokens[0]? / pass)
    }
}

fn part(of: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| of as f64 / whole as f64)
}
