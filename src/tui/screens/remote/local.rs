//! The calls on the tool file that is open here: what they are replayed on, and what they left in its store.

use super::{Entry, RemoteScreen};
use crate::engine::Ending;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::panes::Stack;
use crate::tui::screens::step;
use crate::tui::widgets::row::Row;
use crate::uhp::client::replay::Ground;

/// Puts the replay where the selected item stands: behind the calls up to it, at the end with the episode's end.
pub(super) fn stand(remote: &mut RemoteScreen, entry: Entry) {
    let Some(task) = &mut remote.task else { return };
    let Some(replay) = &mut task.replay else { return };
    let over = task.transcript.status() == "completed";
    let after = match entry {
        Entry::Harness | Entry::Model | Entry::Input | Entry::Head => 0,
        Entry::Step(n) => task.steps.calls_before(n + 1),
        Entry::Event(_) | Entry::Warning(_) | Entry::Note(_) | Entry::End => usize::MAX,
    };
    replay.episode.end(Ending::Open);
    replay.episode.go_to(after);
    replay.episode.end(if entry == Entry::End && over { Ending::Reply } else { Ending::Open });
}

/// The rows of the pane.
pub(super) fn rows<'a>(model: &'a Model, width: usize, stack: &mut Stack<'a>) {
    let Some(task) = &model.remote.task else {
        let says = "The calls of a task are replayed here on the tool file that is open, beside the server's answers.";
        stack.add(Row::of(Scope::Dim, says).wrap(width));
        return;
    };
    let replay = task.replay.as_ref().filter(|r| r.says_something());
    let Some(replay) = replay else {
        let file = model.request.origin.name();
        let says = match (&task.no_replay, model.file.usable()) {
            (Some(why), _) => why.clone(),
            (None, None) => "No tool file is open: --tools FILE replays the calls on one.".to_owned(),
            (None, Some(_)) if task.steps.calls().is_empty() => {
                if task.transcript.is_over() { "No call was made." } else { "No call was made yet." }.to_owned()
            }
            (None, Some(_)) if task.replay.is_none() => "looking for what to replay on".to_owned(),
            (None, Some(_)) => {
                format!("None of the called tools is in {file}, so nothing is replayed: --tools FILE opens another.")
            }
        };
        stack.add(Row::of(Scope::Dim, says).wrap(width));
        return;
    };
    let name = text::safe(&replay.ground.task().set_name).into_owned();
    let mut rows = match &replay.ground {
        Ground::Planned(planned) => {
            let row = Row::of(Scope::Dim, "the same task on ")
                .plain(&name)
                .dim(": ")
                .put(Scope::Accent, planned.arm.to_string());
            row.dim(" seed ").plain(planned.seed.to_string()).wrap(width)
        }
        Ground::Free(_) => {
            Row::of(Scope::Dim, "free play on ").plain(&name).dim(": nothing planned, no dial").wrap(width)
        }
    };
    let (same, differ) = replay.tally();
    let mut tally = Row::of(
        if same > 0 { Scope::Ok } else { Scope::Dim },
        format!("+ {}", text::count_of(same, "answer the same", "answers the same")),
    );
    if differ > 0 {
        tally = tally.plain("  ").put(Scope::DiffChanged, format!("~ {} differ", text::group(differ as u64)));
    }
    rows.extend(tally.wrap(width));
    rows.push(Row::new());
    stack.add(rows);
    match &replay.ground {
        Ground::Planned(_) => step::after(&model.remote.bare, &replay.episode, width, stack),
        Ground::Free(_) => step::written(&replay.episode, width, stack),
    }
}
