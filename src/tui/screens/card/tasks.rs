//! The tasks of a level and their episodes as rows.

use super::{CardScreen, Item};
use crate::run::Browse;
use crate::text;
use crate::theme::Scope;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;

/// The list.
pub(super) struct Tasks<'a> {
    pub(super) card: &'a CardScreen,
    pub(super) run: &'a Browse,
    pub(super) width: usize,
}

impl Rows for Tasks<'_> {
    fn len(&self) -> usize {
        self.card.items.len().max(1)
    }

    /// A task is found by its episodes, and an episode by its task: they are shown together.
    fn sought(&self, i: usize) -> String {
        let said = self.row(i).text();
        match self.card.items.get(i) {
            Some(Item::Task(task)) => {
                let episodes = self.run.episodes_of(*task).iter();
                episodes.fold(said, |all, episode| format!("{all}\n{}", self.run.outcome(episode)))
            }
            Some(Item::Episode(task, _)) => {
                self.run.task(*task).map_or_else(String::new, |task| format!("{said}\nseed {}", task.seed))
            }
            None => said,
        }
    }

    fn row(&self, i: usize) -> Row {
        match self.card.items.get(i) {
            Some(Item::Task(task)) => self.task(*task),
            Some(Item::Episode(task, episode)) => self.episode(*task, *episode),
            None if self.card.failed_only => Row::of(Scope::Dim, "every episode passed"),
            None => Row::of(Scope::Dim, "no episode was recorded"),
        }
    }
}

impl Tasks<'_> {
    fn task(&self, task: usize) -> Row {
        let Some(line) = self.run.task(task) else { return Row::new() };
        let episodes = self.run.episodes_of(task);
        let all = episodes.len();
        let row = Row::of(Scope::Dim, "seed ").put(Scope::Strong, line.seed.to_string()).plain("  ");
        let outcomes = episodes.iter().map(|e| (&**self.run.outcome(e), 1));
        let row = scale::mix(row, outcomes, all.min(self.width.saturating_sub(row_width(line.seed) + 14)).min(24));
        row.end(Scope::Dim, format!("{} of {all}", text::group(line.passed)))
    }

    fn episode(&self, task: usize, episode: usize) -> Row {
        let episodes = self.run.episodes_of(task);
        let Some((line, task)) = episodes.get(episode).zip(self.run.task(task)) else { return Row::new() };
        let label = self.run.outcome(line);
        let (scope, sign, _) = scale::outcome(label);
        let row = if episodes.len() == 1 {
            Row::of(scope, format!("{sign} ")).dim("seed ").plain(text::pad(&task.seed.to_string(), 11))
        } else {
            Row::of(scope, format!("  {sign} ")).dim("attempt ").plain(text::pad(&line.attempt.to_string(), 4))
        };
        let row = row.put(scope, &**label);
        let row = if line.leaky && !line.strict { row.dim(" (leaky)") } else { row };
        row.end(Scope::Dim, text::count(line.calls as usize, "call"))
    }
}

/// Columns of what stands before the outcomes of a task.
fn row_width(seed: u64) -> usize {
    "seed ".len() + seed.to_string().len() + 2
}
