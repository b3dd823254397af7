//! A run or card to look through: its figures, and a few bytes for every episode. Calls are read when they are asked for,
//! so what is held grows with the number of episodes by little more than the line a list shows of each.

use super::source::{Source, SourceKind};
use super::trace::Trace;
use crate::card::{About, Artifact, Record};
use crate::run::RunPlan;
use crate::value::Str;
use std::collections::HashMap;
use std::ops::Range;

/// One episode, as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeLine {
    /// Its place among the records.
    pub index: u32,
    /// Which attempt at its task.
    pub attempt: u32,
    /// Tool calls.
    pub calls: u32,
    label: u16,
    /// Strict pass.
    pub strict: bool,
    /// Leaky pass.
    pub leaky: bool,
}

/// A task of a level, with where its episodes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// Its seed.
    pub seed: u64,
    /// Its id.
    pub task_id: Str,
    /// Strict passes.
    pub passed: u32,
    episodes: Range<u32>,
}

/// A run or card, ready to be looked through.
#[derive(Debug)]
pub struct Browse {
    source: Source,
    about: About,
    labels: Vec<Str>,
    levels: Vec<Range<usize>>,
    tasks: Vec<TaskLine>,
    episodes: Vec<EpisodeLine>,
}

impl Browse {
    /// Keeps of every record what a list shows of it, level by level and task by task, and lets the records go.
    pub fn of(mut source: Source) -> Self {
        let about = source.about();
        let records = std::mem::take(&mut source.records);
        let mut browse = Self {
            about,
            labels: Vec::new(),
            levels: Vec::with_capacity(source.artifact.cells.len()),
            tasks: Vec::new(),
            episodes: Vec::with_capacity(records.len()),
            source,
        };
        browse.index(&records);
        browse
    }

    fn index(&mut self, records: &[Record]) {
        let cells: HashMap<(&str, &str), usize> =
            self.source.artifact.cells.iter().enumerate().map(|(i, c)| ((&*c.arm_id, &*c.model), i)).collect();
        let mut numbers: HashMap<(usize, &str), usize> = HashMap::new();
        let mut labels: HashMap<&str, u16> = HashMap::new();
        // Level, task in the order it was met, attempt, place.
        let mut order: Vec<(usize, usize, u64, usize)> = Vec::with_capacity(records.len());
        for (place, record) in records.iter().enumerate() {
            let Some(&cell) = cells.get(&(&*record.arm_id, &*record.model)) else { continue };
            let next = numbers.len();
            let task = *numbers.entry((cell, &record.task_id)).or_insert(next);
            order.push((cell, task, record.attempt, place));
        }
        order.sort_unstable();
        let mut last = None;
        for (cell, task, attempt, place) in order {
            let record = &records[place];
            while self.levels.len() <= cell {
                self.levels.push(self.tasks.len()..self.tasks.len());
            }
            let at = self.episodes.len() as u32;
            if last != Some((cell, task)) {
                last = Some((cell, task));
                let task_id = record.task_id.clone();
                self.tasks.push(TaskLine { seed: record.seed, task_id, passed: 0, episodes: at..at });
                self.levels[cell].end = self.tasks.len();
            }
            let known = labels.len() as u16;
            let label = *labels.entry(&record.label).or_insert(known);
            if usize::from(label) == self.labels.len() {
                self.labels.push(record.label.clone());
            }
            if let Some(task) = self.tasks.last_mut() {
                task.episodes.end = at + 1;
                task.passed += u32::from(record.strict);
            }
            self.episodes.push(EpisodeLine {
                index: place as u32,
                attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
                calls: u32::try_from(record.sampled_calls).unwrap_or(u32::MAX),
                label,
                strict: record.strict,
                leaky: record.leaky,
            });
        }
        while self.levels.len() < self.source.artifact.cells.len() {
            self.levels.push(self.tasks.len()..self.tasks.len());
        }
    }

    /// The path as given.
    pub fn label(&self) -> &str {
        &self.source.label
    }

    /// What it is.
    pub fn kind(&self) -> &SourceKind {
        &self.source.kind
    }

    /// The figures.
    pub fn artifact(&self) -> &Artifact {
        &self.source.artifact
    }

    /// What the card's page knows beside them.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The plan, of a run folder or of a card inside one.
    pub fn plan(&self) -> Option<&RunPlan> {
        self.source.plan()
    }

    /// Whether calls were recorded.
    pub fn has_calls(&self) -> bool {
        self.source.has_traces()
    }

    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.episodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty()
    }

    /// The numbers of a level's tasks; the level is a cell of the artifact.
    pub fn tasks_of(&self, cell: usize) -> Range<usize> {
        self.levels.get(cell).cloned().unwrap_or_default()
    }

    /// A task by its number.
    pub fn task(&self, task: usize) -> Option<&TaskLine> {
        self.tasks.get(task)
    }

    /// The episodes of a task, by attempt.
    pub fn episodes_of(&self, task: usize) -> &[EpisodeLine] {
        let range = self.tasks.get(task).map_or(0..0, |t| t.episodes.clone());
        self.episodes.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The label of an episode.
    pub fn outcome(&self, episode: &EpisodeLine) -> &Str {
        &self.labels[usize::from(episode.label)]
    }

    /// The level and task of the record at a place, and which of the task's episodes it is.
    pub fn find(&self, index: usize) -> Option<(usize, usize, usize)> {
        let at = self.episodes.iter().position(|e| e.index as usize == index)?;
        let task = self.tasks.partition_point(|t| t.episodes.end as usize <= at);
        let cell = self.levels.iter().position(|tasks| tasks.contains(&task))?;
        Some((cell, task, at - self.tasks.get(task)?.episodes.start as usize))
    }

    /// The recorded calls of an episode of a task; nothing when calls were not recorded. The error is one line.
    pub fn trace(&self, task: usize, episode: usize) -> Result<Option<Trace>, String> {
        let Some((line, task)) = self.episodes_of(task).get(episode).zip(self.tasks.get(task)) else { return Ok(None) };
        self.source.trace_of(line.index as usize, &task.task_id, u64::from(line.attempt))
    }
}
