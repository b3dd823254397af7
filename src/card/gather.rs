//! Records added up one by one: what the figures of an arm and a model are made from, without the records themselves.

use super::artifact::MOST_ATTEMPTS;
use super::cell::Slips;
use super::record::Record;
use super::stats::Block;
use crate::value::Str;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Records added up, arm by arm and model by model. What is held grows with the tasks; with the episodes only where a
/// figure needs every one of them (medians of tokens and seconds, which a player spends none of).
#[derive(Debug, Default)]
pub struct Gather {
    places: HashMap<(Str, Str), usize>,
    groups: Vec<Group>,
    /// The group of the record before: the next is mostly of the same.
    last: usize,
}

impl Gather {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every one of these.
    pub fn of(records: &[Record]) -> Result<Self, String> {
        let mut all = Self::new();
        records.iter().try_for_each(|record| all.add(record).map(drop))?;
        Ok(all)
    }

    /// One record more; gives the number of its cell. Refuses more attempts at a task than figures are worked out for.
    pub fn add(&mut self, record: &Record) -> Result<usize, String> {
        let same = |group: &Group| group.arm_id == record.arm_id && group.model == record.model;
        if !self.groups.get(self.last).is_some_and(same) {
            let next = self.groups.len();
            let key = (record.arm_id.clone(), record.model.clone());
            self.last = *self.places.entry(key).or_insert(next);
            if self.last == next {
                self.groups.push(Group::new(record));
            }
        }
        self.groups[self.last].add(record)?;
        Ok(self.last)
    }

    /// The groups, in first-seen order.
    pub(super) fn into_groups(self) -> Vec<Group> {
        self.groups
    }
}

/// The records of one arm and one model, added up.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) arm_id: Str,
    pub(super) model: Str,
    tasks: HashMap<Str, Tried>,
    /// Scored attempts by task, in first-seen order.
    pub(super) blocks: Vec<Block>,
    pub(super) seeds: BTreeSet<u64>,
    pub(super) episodes: u64,
    pub(super) scored: u64,
    pub(super) outcome_mix: BTreeMap<Str, u64>,
    pub(super) turns: Counts,
    pub(super) calls: Counts,
    /// Prompt, cached, completion, reasoning.
    pub(super) token_sums: [Total; 4],
    pub(super) tokens: All<u64>,
    pub(super) first_request: All<u64>,
    pub(super) cost: Option<f64>,
    /// Of the episode, the model, the harness, the setting up: those that are known.
    pub(super) seconds: [Vec<f64>; 4],
    gave_up: Times,
    duplicates: Option<u64>,
    believed: Times,
    acted_on: Times,
}

/// A task that was tried: which block its scored attempts are in, and how many attempts there are, scored or not.
#[derive(Debug, Default)]
struct Tried {
    block: Option<usize>,
    attempts: u64,
}

impl Group {
    fn new(record: &Record) -> Self {
        Self {
            arm_id: record.arm_id.clone(),
            model: record.model.clone(),
            tasks: HashMap::new(),
            blocks: Vec::new(),
            seeds: BTreeSet::new(),
            episodes: 0,
            scored: 0,
            outcome_mix: BTreeMap::new(),
            turns: Counts::default(),
            calls: Counts::default(),
            token_sums: Default::default(),
            tokens: All::default(),
            first_request: All::default(),
            cost: Some(0.0),
            seconds: Default::default(),
            gave_up: Times::default(),
            duplicates: None,
            believed: Times::default(),
            acted_on: Times::default(),
        }
    }

    fn add(&mut self, record: &Record) -> Result<(), String> {
        if !self.tasks.contains_key(&record.task_id) {
            self.tasks.insert(record.task_id.clone(), Tried::default());
        }
        let Some(tried) = self.tasks.get_mut(&record.task_id) else { return Ok(()) };
        tried.attempts += 1;
        if tried.attempts > MOST_ATTEMPTS {
            let (arm, seed) = (&record.arm_id, record.seed);
            return Err(format!("more than {MOST_ATTEMPTS} attempts at one task ({arm}, seed {seed})"));
        }
        self.episodes += 1;
        self.seeds.insert(record.seed);
        if !record.is_scored() {
            return Ok(());
        }
        let blocks = &mut self.blocks;
        let place = *tried.block.get_or_insert_with(|| {
            blocks.push(Block { seed: record.seed, n: 0, strict: 0, leaky: 0 });
            blocks.len() - 1
        });
        let block = &mut self.blocks[place];
        block.n += 1;
        block.strict += usize::from(record.strict);
        block.leaky += usize::from(record.leaky);
        self.figures(record);
        Ok(())
    }

    fn figures(&mut self, record: &Record) {
        self.scored += 1;
        match self.outcome_mix.get_mut(&record.label) {
            Some(n) => *n += 1,
            None => drop(self.outcome_mix.insert(record.label.clone(), 1)),
        }
        if let Some(turns) = record.turns {
            self.turns.add(turns);
        }
        self.calls.add(record.sampled_calls);
        let parts =
            [record.prompt_tokens, record.cached_input_tokens, record.completion_tokens, record.reasoning_tokens];
        for (total, part) in self.token_sums.iter_mut().zip(parts) {
            total.add(part);
        }
        self.tokens.add(record.tokens());
        self.first_request.add(record.first_request_prompt_tokens);
        self.cost = self.cost.zip(record.cost).map(|(sum, cost)| sum + cost);
        let seconds = [record.episode_seconds, record.model_seconds, record.harness_seconds, record.setup_seconds];
        for (list, one) in self.seconds.iter_mut().zip(seconds) {
            list.extend(one);
        }
        self.gave_up.add(record.gave_up_after_fault);
        self.believed.add(record.bad_read_believed);
        self.acted_on.add(record.stale_read_acted_on);
        if let Some(n) = record.duplicate_writes {
            self.duplicates = Some(self.duplicates.unwrap_or(0).saturating_add(n));
        }
    }

    /// A total over the scored episodes; nothing when there are none, or one lacks it.
    pub(super) fn sum(&self, total: &Total) -> Option<u64> {
        total.0.filter(|_| self.scored > 0)
    }

    /// The cost reported, when every scored episode reports one.
    pub(super) fn reported_cost(&self) -> Option<f64> {
        self.cost.filter(|_| self.scored > 0)
    }

    /// Episodes that gave up after a fault, where that is judged.
    pub(super) fn gave_up(&self) -> Option<u64> {
        self.gave_up.0
    }

    /// Our own counts.
    pub(super) fn slips(&self) -> Option<Slips> {
        self.duplicates.map(|duplicate_writes| Slips {
            duplicate_writes,
            bad_reads_believed: self.believed.0,
            stale_reads_acted_on: self.acted_on.0,
        })
    }
}

/// How often a count came.
#[derive(Debug, Default)]
pub(super) struct Counts(BTreeMap<u64, u64>);

impl Counts {
    fn add(&mut self, count: u64) {
        *self.0.entry(count).or_default() += 1;
    }

    /// How many counts there are.
    pub(super) fn len(&self) -> u64 {
        self.0.values().sum()
    }

    /// All of them added up.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, (count, n)| sum.saturating_add(count.saturating_mul(*n)))
    }

    /// How many lie in a range.
    pub(super) fn within(&self, range: std::ops::Range<u64>) -> u64 {
        if range.is_empty() { 0 } else { self.0.range(range).map(|(_, n)| n).sum() }
    }

    /// The count at a place of the sorted list.
    fn at(&self, place: u64) -> f64 {
        let mut before = 0;
        let found = self.0.iter().find(|(_, n)| {
            before += **n;
            before > place
        });
        found.map_or(0.0, |(count, _)| *count as f64)
    }

    /// The usual median; `None` of none.
    pub(super) fn median(&self) -> Option<f64> {
        let m = self.len();
        match m {
            0 => None,
            _ if m % 2 == 1 => Some(self.at(m / 2)),
            _ => Some(f64::midpoint(self.at(m / 2 - 1), self.at(m / 2))),
        }
    }
}

/// A sum, while every record has its part.
#[derive(Debug)]
pub(super) struct Total(Option<u64>);

impl Default for Total {
    fn default() -> Self {
        Self(Some(0))
    }
}

impl Total {
    fn add(&mut self, part: Option<u64>) {
        self.0 = self.0.zip(part).map(|(sum, part)| sum.saturating_add(part));
    }
}

/// A figure of every record; nothing as soon as one lacks it.
#[derive(Debug)]
pub(super) struct All<T>(Option<Vec<T>>);

impl<T> Default for All<T> {
    fn default() -> Self {
        Self(Some(Vec::new()))
    }
}

impl<T> All<T> {
    fn add(&mut self, figure: Option<T>) {
        match (figure, &mut self.0) {
            (Some(figure), Some(list)) => list.push(figure),
            (None, list) => *list = None,
            (Some(_), None) => {}
        }
    }

    /// The figures, when there is one and no record lacks it.
    pub(super) fn known(&self) -> Option<&[T]> {
        self.0.as_deref().filter(|list| !list.is_empty())
    }
}

/// How often something was so, where it is known at all.
#[derive(Debug, Default)]
struct Times(Option<u64>);

impl Times {
    fn add(&mut self, was: Option<bool>) {
        if let Some(was) = was {
            self.0 = Some(self.0.unwrap_or(0) + u64::from(was));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_the_usual_median() {
        for (list, total, median) in [
            (&[][..], 0, None),
            (&[7][..], 7, Some(7.0)),
            (&[1, 2][..], 3, Some(1.5)),
            (&[5, 1, 1][..], 7, Some(1.0)),
            (&[4, 4, 1, 9][..], 18, Some(4.0)),
            (&[0, 3, 3, 10][..], 16, Some(3.0)),
        ] {
            let mut counts = Counts::default();
            for n in list {
                counts.add(*n);
            }
            assert_eq!((counts.total(), counts.median()), (total, median), "{list:?}");
            assert_eq!(counts.within(1..4), list.iter().filter(|n| (1..4).contains(*n)).count() as u64);
        }
    }

    #[test]
    fn a_figure_that_one_record_lacks_is_none() {
        let record = |tokens| Record {
            task_id: "t".into(),
            label: "wrong_state".into(),
            prompt_tokens: tokens,
            cached_input_tokens: Some(1),
            completion_tokens: Some(2),
            ..Record::default()
        };
        let all = Gather::of(&[record(Some(3)), record(Some(4))]).unwrap().into_groups();
        assert_eq!((all[0].sum(&all[0].token_sums[0]), all[0].tokens.known()), (Some(7), Some(&[6, 7][..])));
        let some = Gather::of(&[record(Some(3)), record(None), record(Some(1))]).unwrap().into_groups();
        assert_eq!((some[0].sum(&some[0].token_sums[0]), some[0].tokens.known()), (None, None));
        assert_eq!((some[0].scored, some[0].reported_cost(), some[0].slips()), (3, None, None));
    }
}
