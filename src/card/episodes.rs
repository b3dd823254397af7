//! What lists and comparisons need of every record: a few bytes an episode, the records themselves are not kept.

use super::record::Record;
use crate::episode::chain::Chain;
use crate::value::Str;
use std::collections::HashMap;

/// A task of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeTask {
    /// The cell: an arm and a model, by its number in the artifact.
    pub cell: usize,
    /// The arm.
    pub arm_id: Str,
    /// The seed.
    pub seed: u64,
    /// The id.
    pub task_id: Str,
}

/// One episode in few bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeMark {
    /// Its task, by number.
    pub task: u32,
    /// Which attempt at its task.
    pub attempt: u32,
    /// Tool calls.
    pub calls: u32,
    /// Its label, by number.
    pub label: u16,
    /// Strict pass.
    pub strict: bool,
    /// Leaky pass.
    pub leaky: bool,
}

/// Every episode of a run or card, in the order of its records.
#[derive(Debug, Clone, Default)]
pub struct Episodes {
    tasks: Vec<EpisodeTask>,
    labels: Vec<Str>,
    marks: Vec<EpisodeMark>,
    /// The chained hash of each, when all have one.
    chains: Option<Vec<Chain>>,
    numbers: HashMap<(usize, Str, u64), u32>,
}

impl Episodes {
    /// None yet.
    pub fn new() -> Self {
        Self { chains: Some(Vec::new()), ..Self::default() }
    }

    /// Those of records, with the cells numbered as an artifact of the same records numbers them.
    pub fn of(records: &[Record]) -> Self {
        let mut cells: HashMap<(&str, &str), usize> = HashMap::new();
        let mut all = Self::new();
        for record in records {
            let next = cells.len();
            let cell = *cells.entry((&record.arm_id, &record.model)).or_insert(next);
            all.add(record, cell);
        }
        all
    }

    /// One more, of a cell.
    pub fn add(&mut self, record: &Record, cell: usize) {
        let task = self.task_number(record, cell);
        // There are a dozen labels; whoever invents more than fit is told by the last.
        let known = self.labels.iter().position(|label| *label == record.label);
        let label = known.unwrap_or_else(|| {
            if self.labels.len() < usize::from(u16::MAX) {
                self.labels.push(record.label.clone());
            }
            self.labels.len() - 1
        });
        self.marks.push(EpisodeMark {
            task,
            attempt: u32::try_from(record.attempt).unwrap_or(u32::MAX),
            calls: u32::try_from(record.sampled_calls).unwrap_or(u32::MAX),
            label: u16::try_from(label).unwrap_or(u16::MAX),
            strict: record.strict,
            leaky: record.leaky,
        });
        match (record.chain, &mut self.chains) {
            (Some(chain), Some(chains)) => chains.push(chain),
            (None, chains) => *chains = None,
            (Some(_), None) => {}
        }
    }

    fn task_number(&mut self, record: &Record, cell: usize) -> u32 {
        let is = |task: &EpisodeTask| task.cell == cell && task.seed == record.seed && task.task_id == record.task_id;
        // Attempts at one task stand one after the other.
        if let Some(last) = self.marks.last()
            && self.tasks.get(last.task as usize).is_some_and(is)
        {
            return last.task;
        }
        let next = u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry((cell, record.task_id.clone(), record.seed)).or_insert(next);
        if number == next {
            let (arm_id, task_id) = (record.arm_id.clone(), record.task_id.clone());
            self.tasks.push(EpisodeTask { cell, arm_id, seed: record.seed, task_id });
        }
        number
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// How many passed strictly.
    pub fn passed(&self) -> usize {
        self.marks.iter().filter(|mark| mark.strict).count()
    }

    /// The episode at a place.
    pub fn get(&self, index: usize) -> Option<&EpisodeMark> {
        self.marks.get(index)
    }

    /// Every episode, in order.
    pub fn marks(&self) -> &[EpisodeMark] {
        &self.marks
    }

    /// The tasks, in first-seen order.
    pub fn tasks(&self) -> &[EpisodeTask] {
        &self.tasks
    }

    /// The task of an episode.
    pub fn task(&self, mark: &EpisodeMark) -> &EpisodeTask {
        &self.tasks[mark.task as usize]
    }

    /// The label of an episode.
    pub fn label(&self, mark: &EpisodeMark) -> &Str {
        &self.labels[usize::from(mark.label)]
    }

    /// The labels there are.
    pub fn labels(&self) -> &[Str] {
        &self.labels
    }

    /// The chained hash of the episode at a place, when all have one.
    pub fn chain(&self, index: usize) -> Option<Chain> {
        self.chains.as_ref()?.get(index).copied()
    }

    /// The chained hash over every episode, in order: equal chains, equal runs. `None` when there is no episode, or one of
    /// them has none.
    pub fn run_chain(&self) -> Option<Chain> {
        let chains = self.chains.as_ref().filter(|chains| !chains.is_empty())?;
        Some(chains.iter().fold(Chain::of_run(), |run, chain| run.episode(*chain)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episodes_are_found_again_with_their_task_and_label() {
        let chain = Chain::start("t");
        let record = |arm: &str, task: &str, seed, attempt, label: &str| Record {
            arm_id: arm.into(),
            task_id: task.into(),
            seed,
            attempt,
            label: label.into(),
            strict: label == "passed",
            chain: Some(chain),
            ..Record::default()
        };
        let records = [
            record("faults:f1", "t", 1, 0, "passed"),
            record("faults:f1", "t", 1, 1, "wrong_state"),
            record("faults:f2", "u", 1, 0, "passed"),
            record("faults:f1", "t", 1, 2, "turn_limit"),
        ];
        let all = Episodes::of(&records);
        assert_eq!((all.len(), all.passed(), all.tasks().len(), all.labels().len()), (4, 2, 2, 3));
        for (mark, record) in all.marks().iter().zip(&records) {
            let task = all.task(mark);
            assert_eq!((&task.arm_id, &task.task_id, task.seed), (&record.arm_id, &record.task_id, record.seed));
            assert_eq!((all.label(mark), u64::from(mark.attempt)), (&record.label, record.attempt));
        }
        assert_eq!(all.task(&all.marks[2]).cell, 1);
        assert_eq!(all.run_chain(), crate::card::run_chain(&records));
        let without = Episodes::of(&[records[0].clone(), Record { chain: None, ..records[1].clone() }]);
        assert_eq!((without.run_chain(), without.chain(0), Episodes::new().run_chain()), (None, None, None));
    }
}
