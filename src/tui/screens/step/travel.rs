//! Moving through the history: back, forward, to any call; making calls, running on, ending.

use super::{Entry, Shown, call};
use crate::engine::{Ending, explain};
use crate::episode::{Episode, Stop, Until};
use crate::task::Call;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::outline::Outline;

/// Puts the selection where the episode stands, after the episode moved.
pub fn follow(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let at = episode.cursor() + usize::from(episode.ending() != Ending::Open);
    model.step.left = episode.reference_left();
    model.cursor_mut(Pane::Calls).at = at;
    show(model);
}

/// After the selection may have moved: the episode follows it.
pub fn settle(model: &mut Model) {
    let at = model.cursor(Pane::Calls).at;
    let entry = model.step.entry(at);
    let Some(episode) = &mut model.step.episode else { return };
    let to = match entry {
        Entry::Start => Some(0),
        Entry::Made(i) => Some(i + 1),
        Entry::End(_) | Entry::Undone(_) | Entry::Left(_) => None,
    };
    if let Some(to) = to {
        // The ending above or below the selected row is undone, so the rows after it move up.
        if episode.ending() != Ending::Open {
            episode.back();
        }
        episode.go_to(to);
        model.cursor_mut(Pane::Calls).at = to;
    }
    if let Some(episode) = &model.step.episode {
        model.step.left = episode.reference_left();
    }
    show(model);
}

/// Makes the selected call ready to be shown.
fn show(model: &mut Model) {
    let entry = model.step.entry(model.cursor(Pane::Calls).at);
    let Some(episode) = &model.step.episode else { return };
    let Entry::Made(i) = entry else {
        if model.step.shown.take().is_some() {
            *model.cursor_mut(Pane::Call) = Cursor::default();
        }
        return;
    };
    let Some(made) = episode.calls().get(i) else { return };
    if model.step.shown.as_ref().is_some_and(|s| std::sync::Arc::ptr_eq(&s.made, made)) {
        return;
    }
    let shown = Shown {
        arguments: Outline::new(made.call.arguments.clone()),
        answer: call::answer(episode, i, made),
        why: explain::why(episode.task(), made),
        changed: explain::changes(made),
        made: made.clone(),
    };
    model.step.shown = Some(shown);
    *model.cursor_mut(Pane::Call) = Cursor::default();
}

/// What the keys that move do.
pub(super) fn act(model: &mut Model, action: Action) {
    match action {
        Action::NextCall => next_call(model),
        Action::Back => moved(model, Episode::back, "this is the start"),
        Action::Forward => moved(model, Episode::forward, "no calls after this"),
        Action::Restart => moved(
            model,
            |e| {
                let was = e.cursor() > 0 || e.ending() != Ending::Open;
                if e.ending() != Ending::Open {
                    e.back();
                }
                e.go_to(0);
                was
            },
            "this is the start",
        ),
        Action::RunToEnd => run(model, Until::End),
        Action::RunToError => run(model, Until::Error),
        Action::RunToChange => run(model, Until::StoreChange),
        Action::Reply => end(model, Ending::Reply),
        Action::Limit => end(model, Ending::Limit),
        _ => {}
    }
}

fn moved(model: &mut Model, step: impl FnOnce(&mut Episode) -> bool, otherwise: &str) {
    if model.step.episode.as_mut().is_some_and(step) {
        follow(model);
    } else {
        model.say(Scope::Notice, otherwise);
    }
}

/// Goes to the call of an index.
pub(super) fn go_to_call(model: &mut Model, call: usize) {
    let Some(episode) = &model.step.episode else { return };
    if call >= episode.calls().len() {
        model.say(Scope::Notice, format!("call {} is on another branch", call + 1));
        return;
    }
    let at = model.step.row_of(call);
    model.cursor_mut(Pane::Calls).at = at;
    settle(model);
}

/// Makes a call where the episode stands, and says when a branch starts there or is returned to.
pub fn make(model: &mut Model, call: Call) {
    let Some(episode) = &mut model.step.episode else { return };
    let (count, branch, at) = (episode.branch_count(), episode.branch(), episode.cursor());
    episode.make(call);
    let says = if episode.branch_count() > count {
        let keys = model.keymap.key(Action::Branches).unwrap_or_default();
        Some(format!(
            "branch {} starts at call {}; branch {} is kept ({keys} lists them)",
            count + 1,
            at + 1,
            branch + 1
        ))
    } else if episode.branch() != branch {
        Some(format!("this call is the next one of branch {}; switched to it", episode.branch() + 1))
    } else {
        None
    };
    follow(model);
    if let Some(says) = says {
        model.say(Scope::Notice, says);
    }
}

fn next_call(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    if episode.ending() != Ending::Open {
        ended(model);
        return;
    }
    match episode.next_reference() {
        Some(call) => make(model, call),
        None => {
            let key = model.keymap.key(Action::Reply).unwrap_or_default();
            model.say(Scope::Notice, format!("the reference solution has no more calls; {key} replies"));
        }
    }
}

/// Says that nothing goes on behind an ending.
pub(super) fn ended(model: &mut Model) {
    let key = model.keymap.key(Action::Back).unwrap_or_default();
    model.say(Scope::Notice, format!("the episode has ended; {key} undoes that"));
}

/// Makes the selected call again.
pub(super) fn repeat(model: &mut Model) {
    match super::selected(model).map(|(_, made)| made.call.clone()) {
        Some(call) => make(model, call),
        None => model.say(Scope::Notice, "select a call that was made"),
    }
}

/// Most calls made in one go.
const MOST_AT_ONCE: usize = 100_000;

/// Makes all reference calls still to come up to one of them.
pub(super) fn up_to(model: &mut Model, n: usize) {
    let Some(episode) = &mut model.step.episode else { return };
    for _ in 0..=n.min(MOST_AT_ONCE) {
        let Some(call) = episode.next_reference() else { break };
        episode.make(call);
    }
    follow(model);
}

/// Runs on: through the kept future, then with the reference calls that are left, up to what stops it.
fn run(model: &mut Model, until: Until) {
    let step = &mut model.step;
    let Some(episode) = &mut step.episode else { return };
    if episode.ending() != Ending::Open {
        ended(model);
        return;
    }
    let ran = episode.run(until, &step.breakpoints, &step.watches);
    let at = episode.cursor();
    let last = at.checked_sub(1).and_then(|i| episode.calls().get(i));
    let says = match ran.stop {
        Stop::End if until == Until::End => {
            // An ending that was undone is the one to come back to.
            if !episode.forward() {
                episode.end(Ending::Reply);
            }
            None
        }
        Stop::End if until == Until::Error => Some("no error up to the end".to_owned()),
        Stop::End => Some("no store change up to the end".to_owned()),
        stop => {
            let why = stop.words(&step.breakpoints, &step.watches);
            if let (Some(made), Stop::Breakpoint(_) | Stop::Watch(_)) = (last, stop) {
                step.stopped.insert(at - 1, (made.clone(), why.clone()));
            }
            Some(format!("stopped at call {at}: {why}"))
        }
    };
    follow(model);
    if let Some(says) = says {
        model.say(Scope::Notice, says);
    }
}

/// Ends the episode where it stands, wherever that is; ended so already, undoes it.
fn end(model: &mut Model, ending: Ending) {
    let Some(episode) = &mut model.step.episode else { return };
    if episode.ending() == ending {
        episode.back();
    } else {
        episode.end(ending);
    }
    let later = episode.calls().len() - episode.cursor();
    let ended = episode.ending() != Ending::Open;
    follow(model);
    if ended && later > 0 {
        model.say(Scope::Notice, format!("ended here; {} after it kept", text::count(later, "call")));
    }
}

/// Goes to the ending that was undone behind the last call.
pub(super) fn end_again(model: &mut Model) {
    let Some(episode) = &mut model.step.episode else { return };
    episode.go_to(episode.calls().len());
    episode.forward();
    follow(model);
}

/// Asks which wrong answer to make.
pub(super) fn wrong_answers(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let wrong = &episode.task().wrong_answers;
    if wrong.is_empty() {
        model.say(Scope::Notice, "this task has no wrong answers");
        return;
    }
    let items = wrong.iter().map(|w| {
        let end = if w.limit { ", then the turn limit" } else { ", then a reply" };
        (w.name.to_owned(), format!("{}{end}: {}", text::count(w.calls.len(), "call"), w.label))
    });
    let pick = Pick::new("play a wrong answer from the start", Purpose::Wrong, items.collect());
    model.overlays.push(Overlay::Pick(pick));
}

/// Makes the calls of a wrong answer from the start, and ends as it does.
pub fn wrong_answer(model: &mut Model, index: usize) {
    let Some(episode) = &mut model.step.episode else { return };
    let task = episode.task().clone();
    let Some(wrong) = task.wrong_answers.get(index) else { return };
    let count = episode.branch_count();
    if episode.ending() != Ending::Open {
        episode.back();
    }
    episode.go_to(0);
    for call in wrong.calls.iter().take(MOST_AT_ONCE) {
        episode.make(call.clone());
    }
    episode.end(if wrong.limit { Ending::Limit } else { Ending::Reply });
    let label = episode.verdict().label;
    let branch =
        if episode.branch_count() > count { format!(", on branch {}", episode.branch() + 1) } else { String::new() };
    let right = if label == wrong.label { "as expected" } else { "unexpected" };
    follow(model);
    model.say(Scope::Notice, format!("wrong answer {}{branch}: {label}, {right}", wrong.name));
}
