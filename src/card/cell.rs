//! A cell: the figures of one arm and one model (rules 8.3, 8.4).

use super::arm::ArmName;
use super::bootstrap::{Bootstrap, Interval, Intervals, Ticket};
use super::design::Design;
use super::record::Record;
use super::stats::{Block, PassAtK, mean, median, quantile, sorted};
use crate::value::{Map, Str, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Sums, mean and median of a count per episode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counted {
    /// Sum.
    pub total: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub median: Option<f64>,
}

impl Counted {
    fn of(counts: impl Iterator<Item = u64>) -> Self {
        let list: Vec<u64> = counts.collect();
        let total: u64 = list.iter().sum();
        let mean = (!list.is_empty()).then(|| total as f64 / list.len() as f64);
        let floats: Vec<f64> = list.iter().map(|&c| c as f64).collect();
        Self { total, mean, median: median(&floats) }
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
    /// Episodes the instrument failed: labelled or tallied, whichever is more.
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
    pub(super) fn of(records: &[Record], design: &Design, tallies: &Tallies, bootstrap: &mut Bootstrap) -> Self {
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        let mut groups: Vec<Vec<&Record>> = Vec::new();
        for record in records {
            let place = *places.entry((&record.arm_id, &record.model)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[place].push(record);
        }
        let mut pass_at_k = PassAtK::default();
        let mut pending = Self { cells: Vec::new(), asked: Vec::new() };
        for group in groups {
            let (cell, asked) = cell(&group, design, tallies, &mut pass_at_k, bootstrap);
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

/// Groups scored records by task in first-seen order.
pub(super) fn blocks(records: &[&Record]) -> Vec<Block> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut blocks: Vec<Block> = Vec::new();
    for record in records.iter().filter(|r| r.is_scored()) {
        let place = *places.entry(&record.task_id).or_insert_with(|| {
            blocks.push(Block { seed: record.seed, n: 0, strict: 0, leaky: 0 });
            blocks.len() - 1
        });
        let block = &mut blocks[place];
        block.n += 1;
        block.strict += usize::from(record.strict);
        block.leaky += usize::from(record.leaky);
    }
    blocks
}

fn cell(
    group: &[&Record],
    design: &Design,
    tallies: &Tallies,
    pass_at_k: &mut PassAtK,
    bootstrap: &mut Bootstrap,
) -> (Cell, Asked) {
    let arm_id = group[0].arm_id.clone();
    let scored: Vec<&Record> = group.iter().copied().filter(|r| r.is_scored()).collect();
    let blocks = blocks(&scored);
    let smallest = blocks.iter().map(|b| b.n).min().unwrap_or(0);
    let name = ArmName::parse(&arm_id);
    let minimum_calls = if design.own { None } else { name.as_ref().and_then(ArmName::minimum_calls) };

    let strict = rates(&blocks, |b| b.strict);
    let leaky = rates(&blocks, |b| b.leaky);
    let pass_at_1 = mean(&strict);
    let at_k = |p: &mut PassAtK, passes: fn(&Block) -> usize| {
        (1..=smallest).filter_map(|k| Some((k, mean(&p.over(&blocks, passes, k))?))).collect::<Vec<_>>()
    };
    let asked = Asked {
        pass: bootstrap.add(strict),
        leaky: bootstrap.add(leaky.clone()),
        at_k: (design.k_values.iter().filter(|&&k| k >= 1 && k <= smallest))
            .map(|&k| (k, bootstrap.add(pass_at_k.over(&blocks, |b| b.strict, k))))
            .collect(),
    };

    let labelled = (group.len() - scored.len()) as u64;
    let tallied: u64 = tallies.get(&*arm_id).map_or(0, |labels| labels.values().sum());
    let instrument_count = labelled.max(tallied);
    let decided = scored.len() as u64 + instrument_count;

    let tokens: Option<Vec<u64>> = scored.iter().map(|r| r.tokens()).collect();
    let tokens = tokens.filter(|t| !t.is_empty());
    let token_floats: Vec<f64> = tokens.iter().flatten().map(|&t| t as f64).collect();
    let mut ordered = tokens.clone().unwrap_or_default();
    ordered.sort_unstable();
    let sum_of = |figure: fn(&Record) -> Option<u64>| known(&scored, figure).map(|list| list.iter().sum::<u64>());
    let token_sums = [
        sum_of(|r| r.prompt_tokens),
        sum_of(|r| r.cached_input_tokens),
        sum_of(|r| r.completion_tokens),
        sum_of(|r| r.reasoning_tokens),
    ];
    let count = |test: fn(&Record) -> bool| scored.iter().filter(|r| test(r)).count() as u64;
    let mut outcome_mix = BTreeMap::new();
    for record in &scored {
        *outcome_mix.entry(record.label.clone()).or_insert(0) += 1;
    }
    let dollars = design.rates.iter().find(|(id, _)| **id == *group[0].model).and_then(|(_, rates)| {
        let [prompt, cached, completion, _] = token_sums;
        let prompt = prompt? as f64 * rates.input;
        Some((prompt + cached? as f64 * rates.cached_input + completion? as f64 * rates.output) / 1e6)
    });
    let seeds: BTreeSet<u64> = group.iter().map(|r| r.seed).collect();
    let cell = Cell {
        model: group[0].model.clone(),
        minimum_calls,
        seeds: seeds.into_iter().collect(),
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
        outcome_mix,
        instrument_count,
        instrument_rate: if decided == 0 { 0.0 } else { instrument_count as f64 / decided as f64 },
        scored: scored.len() as u64,
        no_call: count(|r| r.sampled_calls == 0),
        stopped_short: minimum_calls
            .map(|m| scored.iter().filter(|r| r.sampled_calls > 0 && r.sampled_calls < m).count() as u64),
        model_calls: Counted::of(scored.iter().map(|r| r.turns)),
        tool_calls: Counted::of(scored.iter().map(|r| r.sampled_calls)),
        tokens: [tokens.as_ref().map(|t| t.iter().sum::<u64>() as f64 / t.len() as f64), median(&token_floats)],
        tokens_p90: quantile(&ordered, 0.9),
        token_sums,
        reported_cost: known(&scored, |r| r.cost).map(|list| super::stats::sum(&list)),
        dollars,
        first_request: known(&scored, |r| r.first_request_prompt_tokens)
            .and_then(|list| median(&list.iter().map(|&t| t as f64).collect::<Vec<_>>())),
        seconds: [
            seconds(&scored, |r| r.episode_seconds),
            seconds(&scored, |r| r.model_seconds),
            seconds(&scored, |r| r.harness_seconds),
            seconds(&scored, |r| r.setup_seconds),
        ],
        gave_up: scored
            .iter()
            .any(|r| r.gave_up_after_fault.is_some())
            .then(|| count(|r| r.gave_up_after_fault == Some(true))),
        slips: slips(&scored),
        name,
        arm_id,
        blocks,
    };
    (cell, asked)
}

/// passes / attempts of every block.
pub(super) fn rates(blocks: &[Block], passes: impl Fn(&Block) -> usize) -> Vec<f64> {
    blocks.iter().map(|b| passes(b) as f64 / b.n as f64).collect()
}

/// A figure of every record, when all of them have it and there is one.
fn known<T>(records: &[&Record], figure: fn(&Record) -> Option<T>) -> Option<Vec<T>> {
    let list: Option<Vec<T>> = records.iter().map(|r| figure(r)).collect();
    list.filter(|l| !l.is_empty())
}

/// Median and ninth decile of the seconds that are known.
fn seconds(records: &[&Record], figure: fn(&Record) -> Option<f64>) -> [Option<f64>; 2] {
    let list: Vec<f64> = records.iter().filter_map(|r| figure(r)).collect();
    [median(&list), quantile(&sorted(&list), 0.9)]
}

fn slips(scored: &[&Record]) -> Option<Slips> {
    let times = |figure: fn(&Record) -> Option<bool>| {
        let known: Vec<bool> = scored.iter().filter_map(|r| figure(r)).collect();
        (!known.is_empty()).then(|| known.iter().filter(|b| **b).count() as u64)
    };
    scored.iter().any(|r| r.duplicate_writes.is_some()).then(|| Slips {
        duplicate_writes: scored.iter().filter_map(|r| r.duplicate_writes).sum(),
        bad_reads_believed: times(|r| r.bad_read_believed),
        stale_reads_acted_on: times(|r| r.stale_read_acted_on),
    })
}

impl Cell {
    /// A share of the scored episodes; `None` when there are none.
    pub fn share(&self, count: u64) -> Option<f64> {
        (self.scored > 0).then(|| count as f64 / self.scored as f64)
    }

    /// How many tasks and attempts are missing, in episodes.
    pub fn owed(&self) -> u64 {
        let whole = self.declared_tasks * self.declared_attempts;
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
