//! The lines of calls one can return to: the branches of the episode, and the episodes kept when another was opened.

use super::{follow, words};
use crate::engine::Ending;
use crate::episode::Episode;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Screen};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::update;
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::row::Row;

/// Most episodes kept; the oldest one is dropped first.
const MOST_KEPT: usize = 16;

/// One that can be returned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A branch of the episode, by number.
    Branch(usize),
    /// An episode kept, by its place among those kept.
    Kept(usize),
}

/// Shows an episode with its first `at` calls behind and goes to the Step screen. The one shown before is kept, if a call
/// was made in it.
pub fn open_episode(model: &mut Model, mut episode: Episode, at: usize) {
    episode.go_to(at);
    keep(model);
    model.step.episode = Some(episode);
    model.step.from = match model.screen {
        // What plays here is turned or brought back: the way back is what it was.
        Screen::Step | Screen::Dials => model.step.from,
        Screen::Sides | Screen::Card | Screen::Pair | Screen::Remote | Screen::Live => Some(model.screen),
        _ => None,
    };
    if model.screen != Screen::Step {
        model.needle.clear();
        model.screen = Screen::Step;
    }
    model.focus[Screen::Step as usize] = 0;
    fresh(model);
}

/// Keeps the present episode, if there is something in it to come back to.
pub fn keep(model: &mut Model) {
    let Some(episode) = model.step.episode.take() else { return };
    if episode.calls().is_empty() && episode.branches().len() == 1 {
        return;
    }
    let kept = &mut model.step.kept;
    if kept.len() == MOST_KEPT {
        kept.remove(0);
    }
    kept.push(episode);
}

/// After another episode took the place of the one shown.
pub(super) fn fresh(model: &mut Model) {
    model.step.shown = None;
    update::filter::clear(model, Screen::Step.panes());
    for pane in Screen::Step.panes() {
        *model.cursor_mut(*pane) = Cursor::default();
    }
    follow(model);
}

/// Asks which branch or kept episode to return to.
pub(super) fn list(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let branches = episode.branches();
    let mut lines = Vec::new();
    let mut items = Vec::new();
    // The present one first: enter at once leaves everything as it is.
    let now = episode.branch();
    let order = std::iter::once(now).chain((0..branches.len()).rev().filter(|i| *i != now));
    for (i, branch) in order.filter_map(|i| Some((i, branches.get(i)?))) {
        let parts = match branch.parent {
            None => "the first".to_owned(),
            Some(parent) => {
                let call = episode.branch_call(i, branch.parts_at);
                let call =
                    call.map_or_else(String::new, |made| format!(": {}", words::call(Row::new(), &made.call).text()));
                format!("leaves {} at call {}{call}", parent + 1, branch.parts_at + 1)
            }
        };
        let tail =
            format!("{}, {}", text::count(branch.length, "call"), if i == now { "here" } else { ended(branch.ending) });
        lines.push(Line::Branch(i));
        items.push((format!("branch {}  {parts}", i + 1), tail));
    }
    for (i, kept) in model.step.kept.iter().enumerate().rev() {
        let task = kept.task();
        let stands = format!("at call {} of {}", kept.cursor(), kept.calls().len());
        let branches = match kept.branches().len() {
            1 => String::new(),
            n => format!(", {n} branches"),
        };
        lines.push(Line::Kept(i));
        items.push((format!("kept  {} seed {}  {}", task.arm, task.seed, task.request), format!("{stands}{branches}")));
    }
    let title = "return to a branch or a kept episode";
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Branch(lines), items)));
}

/// How a branch ended, in a word.
fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::Open => "open",
        Ending::Reply => "replied",
        Ending::Limit => "turn limit",
    }
}

/// Returns to a branch or a kept episode.
pub fn return_to(model: &mut Model, line: Line) {
    match line {
        Line::Branch(branch) => {
            let Some(episode) = &mut model.step.episode else { return };
            if branch == episode.branch() {
                model.say(Scope::Notice, format!("this is branch {}", branch + 1));
                return;
            }
            episode.return_to(branch);
            follow(model);
            model.say(Scope::Notice, format!("branch {} at its first call; f goes forward in it", branch + 1));
        }
        Line::Kept(i) => {
            if i >= model.step.kept.len() {
                return;
            }
            let episode = model.step.kept.remove(i);
            keep(model);
            model.step.episode = Some(episode);
            fresh(model);
            model.say(Scope::Notice, "back in the episode that was kept");
        }
    }
}
