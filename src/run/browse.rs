//! A run or card to look through: its figures, and a few bytes for every episode. Calls are read when they are asked for,
//! so what is held grows with the number of episodes by little more than the line a list shows of each.

use super::source::{Source, SourceKind};
use super::trace::Trace;
use crate::card::{About, Artifact, Episodes};
use crate::run::RunPlan;
use crate::value::Str;
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
    /// Puts the episodes in order, level by level and task by task, and lets the rest of them go.
    pub fn of(mut source: Source) -> Self {
        let about = source.about();
        let episodes = std::mem::take(&mut source.episodes);
        let mut browse = Self {
            about,
            labels: episodes.labels().to_vec(),
            levels: Vec::with_capacity(source.artifact.cells.len()),
            tasks: Vec::with_capacity(episodes.tasks().len()),
            episodes: Vec::with_capacity(episodes.len()),
            source,
        };
        browse.index(&episodes);
        browse
    }

    fn index(&mut self, all: &Episodes) {
        let mut order: Vec<u32> = (0..u32::try_from(all.len()).unwrap_or(u32::MAX)).collect();
        let mark = |place: u32| all.get(place as usize);
        // Mostly they are in order: a plan has the tasks of a level and the attempts at a task one after the other.
        order.sort_by_key(|place| mark(*place).map(|m| (all.task(m).cell, m.task, m.attempt)));
        let mut last = None;
        for place in order {
            let Some(mark) = mark(place) else { continue };
            let task = all.task(mark);
            while self.levels.len() <= task.cell {
                self.levels.push(self.tasks.len()..self.tasks.len());
            }
            let at = self.episodes.len() as u32;
            if last != Some(mark.task) {
                last = Some(mark.task);
                let task_id = task.task_id.clone();
                self.tasks.push(TaskLine { seed: task.seed, task_id, passed: 0, episodes: at..at });
                self.levels[task.cell].end = self.tasks.len();
            }
            if let Some(task) = self.tasks.last_mut() {
                task.episodes.end = at + 1;
                task.passed += u32::from(mark.strict);
            }
            self.episodes.push(EpisodeLine {
                index: place,
                attempt: mark.attempt,
                calls: mark.calls,
                label: mark.label,
                strict: mark.strict,
                leaky: mark.leaky,
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
