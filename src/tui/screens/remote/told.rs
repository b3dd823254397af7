//! What the server says: taken in, in order, stale answers skipped.

use super::{Followed, Link, choose, len, refresh, settle};
use crate::theme::Scope;
use crate::tui::model::{Model, Pane, Running};
use crate::tui::msg::Effect;
use crate::tui::update;
use crate::tui::widgets::list::Move;
use crate::uhp::client::events::{Heard, LAST};
use crate::uhp::client::replay::{Ground, Replay};
use crate::uhp::client::steps::Steps;
use crate::uhp::client::transcript::{Applied, Transcript};
use crate::uhp::wire::Json;
use crate::work::remote::{Batch, Told};
use crate::work::{JobId, Report};

/// Most notes kept of one task.
const MOST_NOTES: usize = 100;

/// Takes in what a server said to a job.
pub fn told(model: &mut Model, id: JobId, told: Told) -> Vec<Effect> {
    let follows = model.remote.following.as_ref().is_some_and(|running| running.id == id);
    if !follows && model.remote.asking != Some(id) {
        return Vec::new();
    }
    match told {
        Told::Offer(offer) => {
            model.remote.asking = None;
            model.remote.offer = Some(*offer);
            settle(model, Pane::Items);
            choose::chosen_harness(model)
        }
        Told::Models(harness, models) => {
            model.remote.asking = None;
            model.remote.models.insert(harness, models);
            settle(model, Pane::Items);
            if std::mem::take(&mut model.remote.choosing) { choose::model(model) } else { Vec::new() }
        }
        Told::Sessions(sessions) => {
            model.remote.asking = None;
            choose::session(model, sessions)
        }
        Told::Turns(turns) => {
            model.remote.asking = None;
            choose::turn(model, turns)
        }
        Told::Heard(batch) => heard(model, batch),
        Told::Read(response) => read(model, &response),
        Told::Stopped(response) => {
            model.remote.asking = None;
            let status = response.get("status").and_then(Json::as_str).unwrap_or("not told").to_owned();
            model.say(Scope::Notice, format!("the server was asked to stop the task; it is {status}"));
            // A stream that still runs tells the end itself.
            if model.remote.following.is_none() { read(model, &response) } else { Vec::new() }
        }
        Told::Over => {
            model.remote.following = None;
            Vec::new()
        }
        Told::Failed(line) => failed(model, follows, line),
    }
}

fn failed(model: &mut Model, follows: bool, line: String) -> Vec<Effect> {
    let at_start = model.remote.offer.is_none() && model.remote.task.is_none();
    if follows {
        model.remote.following = None;
        if let Some(task) = &mut model.remote.task {
            note(task, line.clone());
        }
    } else {
        model.remote.asking = None;
        model.remote.choosing = false;
    }
    if at_start {
        model.remote.trouble = Some(line);
    } else {
        model.say(Scope::Error, format!("! {line}"));
    }
    settle(model, Pane::Items);
    Vec::new()
}

fn note(task: &mut Followed, line: String) {
    if task.notes.len() < MOST_NOTES {
        task.notes.push(line);
    }
}

/// Takes a batch of events in. Who stands at the end of the list stays at its end.
fn heard(model: &mut Model, batch: Batch) -> Vec<Effect> {
    let at_end = model.cursor(Pane::Items).at + 1 >= len(model);
    let Some(task) = &mut model.remote.task else { return Vec::new() };
    let mut whole = false;
    for heard in batch.heard {
        match heard {
            Heard::Event(event) => {
                let kind = event.get("type").and_then(Json::as_str).unwrap_or_default();
                whole |= LAST.contains(&kind) || task.transcript.items.is_empty() && event.contains_key("response");
                if let Applied::Gap(from, missing) = task.transcript.apply(&event) {
                    note(task, format!("{missing} events are missing before event {}", from + missing));
                }
            }
            Heard::ReadBack { why, response } => {
                note(task, format!("{why}; the response was read back"));
                task.transcript.replace(&response);
                whole = true;
            }
            Heard::TakenUp => note(task, "the stream broke and was taken up again".to_owned()),
        }
    }
    if task.transcript.is_cut && !task.notes.iter().any(|n| n == CUT) {
        task.notes.push(CUT.to_owned());
    }
    follow(task, whole);
    after(model, at_end)
}

/// Said when a task sends more than is kept.
const CUT: &str = "the server sent more than is kept; only the end of the task is still taken";

/// Brings steps and replay up to date.
fn follow(task: &mut Followed, whole: bool) {
    if whole {
        task.steps = Steps::of(&task.transcript);
        if let Some(replay) = &task.replay {
            task.replay = Some(Replay::new(replay.ground.clone()));
        }
    } else {
        task.steps.follow(&task.transcript);
    }
    if let Some(replay) = &mut task.replay {
        replay.follow(&task.transcript, &task.steps);
    }
}

/// After the task changed.
fn after(model: &mut Model, at_end: bool) -> Vec<Effect> {
    let mut effects = refresh(model);
    if at_end {
        effects.extend(update::move_in(model, Pane::Items, Move::Last));
    } else {
        settle(model, Pane::Items);
    }
    effects
}

/// Takes a whole response in: the task's own as it stands now, or another that is opened.
fn read(model: &mut Model, response: &Json) -> Vec<Effect> {
    if !Transcript::is_response(response) {
        model.say(Scope::Error, "! the server's answer is no response of the protocol");
        return Vec::new();
    }
    let at_end = model.cursor(Pane::Items).at + 1 >= len(model);
    let id = response.get("id").and_then(Json::as_str);
    match &mut model.remote.task {
        Some(task) if task.transcript.head_text("id") == id && id.is_some() => {
            task.transcript.replace(response);
            follow(task, true);
        }
        task => *task = Some(Followed::of(Transcript::of(response))),
    }
    if model.remote.task.as_ref().is_some_and(|task| task.transcript.is_over()) {
        model.remote.following = None;
    }
    after(model, at_end)
}

/// Follows a task with a job of its own; what followed another one before is let go.
pub(super) fn begin(model: &mut Model, effect: impl FnOnce(JobId) -> Effect, task: Followed) -> Vec<Effect> {
    if let Some(cancel) = model.remote.following.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    let id = model.next_job();
    let effects = vec![effect(id)];
    model.remote.following = Some(Running { id, progress: None, cancel: None });
    model.remote.task = Some(task);
    model.remote.shown = None;
    // At the end of the list, so that what comes is followed.
    update::move_in(model, Pane::Items, Move::Last);
    effects
}

/// The job that looked for a ground reports.
pub fn grounded(model: &mut Model, id: JobId, report: Report<Result<Ground, String>>) -> Vec<Effect> {
    if model.remote.grounding != Some(id) {
        return Vec::new();
    }
    let found = match report {
        Report::Progress(_) => return Vec::new(),
        Report::Done(found) => found,
        Report::Failed(line) => Err(line),
    };
    model.remote.grounding = None;
    let Some(task) = &mut model.remote.task else { return Vec::new() };
    match found {
        Ok(ground) => {
            let mut replay = Replay::new(ground);
            replay.follow(&task.transcript, &task.steps);
            task.replay = Some(replay);
            task.no_replay = None;
        }
        Err(why) => {
            task.replay = None;
            task.no_replay = Some(why);
        }
    }
    settle(model, Pane::Items);
    Vec::new()
}

/// Whether a tool file that a harness names may be opened by itself.
pub(super) fn finds_tools(link: &Link) -> bool {
    matches!(link, Link::Attached { finds_tools: true, .. })
}
