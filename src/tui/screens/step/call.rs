//! One call: its arguments, its answer, why it was answered so, what changed.

use super::{Entry, Shown, words};
use crate::align::{ChangeKind, changes};
use crate::engine::explain::{self, Explanation, Place};
use crate::engine::{Ending, Made};
use crate::episode::Episode;
use crate::text;
use crate::theme::Scope;
use crate::toolfile::Format;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::overlays::told;
use crate::tui::panes::{self, Stack};
use crate::tui::screens::plan::task_rows;
use crate::tui::screens::sides::banner;
use crate::tui::widgets::outline::{Mark, Outline};
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use std::sync::Arc;

/// The answer of a call as lines, with what differs from the answer to the same call before, and what a bad or stale read
/// hid.
pub(super) fn answer(episode: &Episode, at: usize, made: &Arc<Made>) -> Outline {
    let answer = &made.outcome.answer;
    let mut outline = Outline::new(answer.value.clone());
    let shaping = &made.outcome.shaping;
    let right = shaping.bad.as_ref().map(|b| &b.right_answer).or(shaping.stale.as_ref().map(|s| &s.right_answer));
    let before = episode.same_before(at).and_then(|i| Some((i, episode.calls().get(i)?)));
    let (other, word) = match (right, before) {
        (Some(right), _) => (right, "right:".to_owned()),
        (None, Some((i, before))) if before.outcome.answer.code.is_none() && answer.code.is_none() => {
            (&before.outcome.answer.value, format!("in call {}:", i + 1))
        }
        _ => return outline,
    };
    for change in changes(other, &answer.value) {
        let scope = if right.is_some() { Scope::Odd } else { Scope::DiffChanged };
        let sign = match (right.is_some(), change.kind) {
            (true, _) => '?',
            (false, ChangeKind::Added) => '+',
            (false, ChangeKind::Removed) => '-',
            (false, ChangeKind::Changed) => '~',
        };
        let was = change.a.as_ref().map_or_else(|| "nothing".to_owned(), words::long);
        // What is gone has no line of its own: the place above it tells.
        let place = if change.kind == ChangeKind::Removed { parent(&change.at) } else { change.at.clone() };
        let note = if change.kind == ChangeKind::Removed {
            format!("{word} {} {was}", crate::value::pointer::name(&change.at))
        } else {
            format!("{word} {was}")
        };
        outline.mark(place, Mark { sign, scope, note });
    }
    outline
}

fn parent(pointer: &str) -> String {
    pointer.rfind('/').map_or_else(String::new, |at| pointer[..at].to_owned())
}

/// The rows of the pane.
pub(super) fn rows<'a>(model: &'a Model, episode: &'a Episode, width: usize, stack: &mut Stack<'a>) {
    let step = &model.step;
    match (step.entry(model.cursor(Pane::Calls).at), &step.shown) {
        (Entry::Made(i), Some(shown)) => {
            let mut rows = Vec::new();
            if let Some(why) = step.stopped_at(i, &shown.made) {
                rows.extend(Row::of(Scope::Accent, format!("* running stopped here: {why}")).hanging(2).wrap(width));
            }
            rows.push(Row::of(Scope::Dim, "arguments"));
            stack.add(rows);
            made(episode, shown, width, stack);
        }
        (Entry::End(ending), _) => {
            let (_, height) = panes::size(model, Pane::Call);
            let mut rows = verdict(episode, ending, (width, height));
            let key = model.keymap.key(Action::Back).unwrap_or_default();
            rows.extend(Row::of(Scope::Dim, format!("{key} undoes the ending.")).wrap(width));
            stack.add(rows);
        }
        (Entry::Undone(ending), _) => {
            let how = if ending == Ending::Reply { "a reply" } else { "the turn limit" };
            let says = format!("The episode ended here with {how}; you undid that.");
            let mut rows = Row::of(Scope::Text, says).wrap(width);
            rows.push(Row::new());
            let key = |action| model.keymap.key(action).unwrap_or_default();
            let says = format!("{} or {} ends it again.", key(Action::Open), key(Action::Forward));
            rows.extend(Row::of(Scope::Dim, says).wrap(width));
            stack.add(rows);
        }
        (Entry::Left(i), _) => {
            if let Some(call) = step.left.get(i) {
                let mut rows = vec![Row::of(Scope::Strong, &*call.tool), Row::new()];
                rows.push(Row::of(Scope::Dim, "arguments"));
                stack.add(std::mem::take(&mut rows));
                stack.add(Wrapped::owned(Outline::new(call.arguments.clone()), width));
                let key = |action| model.keymap.key(action).unwrap_or_default();
                let says = if i == 0 {
                    format!("The next call of the reference solution; {} makes it.", key(Action::NextCall))
                } else {
                    format!("{} makes all calls up to this one.", key(Action::Open))
                };
                rows.push(Row::new());
                rows.extend(Row::of(Scope::Dim, says).wrap(width));
                stack.add(rows);
            }
        }
        _ => stack.add(task_rows(episode.task(), width)),
    }
}

fn heading(text: &str) -> Vec<Row> {
    vec![Row::new(), Row::of(Scope::Dim, text)]
}

/// Which part of the rows of a call made the arguments are.
pub(super) const ARGUMENTS: usize = 1;
/// Which part the answer is.
pub(super) const ANSWER: usize = 3;
/// Which part says why and what changed.
pub(super) const TOLD: usize = 4;

fn made<'a>(episode: &'a Episode, shown: &'a Shown, width: usize, stack: &mut Stack<'a>) {
    let made = &shown.made;
    let answer = &made.outcome.answer;
    stack.add(Wrapped::new(&shown.arguments, width));
    let (scope, _, word) = super::calls::outcome_words(made);
    let mut row = Row::of(Scope::Dim, "answer  ").put(scope, word);
    // The error as the format's own harness would tell of it.
    if let Some(code) = answer.code {
        row = match episode.task().format {
            Format::OpenAi => row,
            Format::Mcp => row.dim("  isError"),
            Format::OpenApi => row.dim(format!("  status {}", code.status())),
        };
    }
    stack.add(vec![Row::new(), row]);
    stack.add(Wrapped::new(&shown.answer, width));
    stack.add(told_rows(shown, width).into_iter().map(|(row, _)| row).collect::<Vec<_>>());
}

/// The rows below the answer: why it was answered so and what changed, each with the places it names.
pub(super) fn told_rows(shown: &Shown, width: usize) -> Vec<(Row, Vec<Place>)> {
    let plain = |row: Row| (row, Vec::new());
    let mut rows: Vec<_> = heading("why").into_iter().map(plain).collect();
    rows.extend(explained(&shown.why, width));
    rows.extend(heading("changed").into_iter().map(plain));
    if shown.changed.lines.is_empty() {
        rows.push(plain(Row::of(Scope::Text, "nothing")));
    }
    rows.extend(explained(&shown.changed, width));
    rows
}

/// An explanation as rows, each with the places its line names; what is named stands out.
fn explained(explanation: &Explanation, width: usize) -> Vec<(Row, Vec<Place>)> {
    let lines = told::lines(explanation);
    lines.iter().flat_map(|line| line.row.wrap(width).into_iter().map(|row| (row, line.places.clone()))).collect()
}

fn verdict(episode: &Episode, ending: Ending, (width, height): (usize, usize)) -> Vec<Row> {
    let (task, state, verdict) = (episode.task(), episode.state(), episode.verdict());
    let scope = if verdict.strict { Scope::VerdictPassed } else { Scope::VerdictFailed };
    let sign = if verdict.strict { "+" } else { "!" };
    let mut rows = banner::rows(episode, width, height);
    rows.extend([Row::of(scope, format!("{sign} {}", verdict.label)), Row::new()]);
    rows.extend(Row::of(Scope::Text, explain::verdict(task, &state, &verdict, ending)).wrap(width));
    rows.push(Row::new());
    let how = if ending == Ending::Reply { "The agent replied in plain text." } else { "The turn limit was hit." };
    rows.extend(Row::of(Scope::Text, how).wrap(width));
    for (name, passed) in [("strict", verdict.strict), ("leaky", verdict.leaky)] {
        let (scope, word) = if passed { (Scope::Ok, "+ passed") } else { (Scope::Error, "! failed") };
        rows.push(Row::new().cell(Scope::Dim, name, 11).put(scope, word));
    }
    let clause = verdict.clause.map_or_else(|| "none fired".to_owned(), |c| format!("{c} fired"));
    rows.push(Row::new().cell(Scope::Dim, "clause", 11).plain(clause));
    let writes = text::count(verdict.mutations.len(), "accepted write");
    rows.push(Row::new().cell(Scope::Dim, "writes", 11).plain(writes));
    rows.push(Row::new().cell(Scope::Dim, "duplicates", 11).plain(verdict.duplicates.to_string()));
    rows.push(Row::new());
    rows
}
