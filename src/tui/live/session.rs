//! The session: written down as it goes, brought back after it was left.

use super::Ask;
use super::choice::Choice;
use crate::episode::Episode;
use crate::record::journal::{Began, Event, From, Past, Session, Tracker};
use crate::settings::example;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{FileState, Model, Running, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::overlays::{Overlay, look};
use crate::tui::screens::step;
use crate::tui::update;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::value::{Value, canonical};
use crate::work::{JobId, Origin, Report, ResumeRequest, Resumed};
use std::sync::Arc;

/// What happened to the episode, to be written down.
pub(super) fn write_down(model: &mut Model) -> Vec<Effect> {
    if model.live.failed || model.live.coming.is_some() {
        return Vec::new();
    }
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let mut events = Vec::new();
    if !model.live.tracker.as_ref().is_some_and(|tracker| tracker.follows(episode)) {
        let Some(began) = began(model, episode) else { return Vec::new() };
        events.push(Event::Began(Box::new(began)));
        model.live.tracker = Some(Tracker::new(episode));
    }
    if let (Some(tracker), Some(episode)) = (&mut model.live.tracker, &model.step.episode) {
        events.extend(tracker.changes(episode));
    }
    if events.is_empty() { Vec::new() } else { vec![Effect::Live(Ask::Journal(events))] }
}

/// What a task needs to be planned again.
fn began(model: &Model, episode: &Episode) -> Option<Began> {
    let FileState::Open(opened) = &model.file else { return None };
    let task = episode.task();
    let same = *opened.reading.file_hash == *task.file_digest;
    Some(Began {
        from: match &opened.origin {
            Origin::Nothing => From::Elsewhere,
            Origin::File(path) => std::path::absolute(path)
                .ok()
                .filter(|path| path.to_str().is_some())
                .map_or(From::Elsewhere, From::File),
            Origin::Example { .. } => From::Example,
            Origin::Bytes { .. } => From::Elsewhere,
        },
        name: opened.origin.name(),
        file_hash: task.file_digest.to_string(),
        // The contract of other bytes says nothing of this task's.
        contract_hash: opened.reading.contract_hash().filter(|_| same).map(ToString::to_string),
        read: opened.read.clone(),
        plan: opened.plan.clone(),
        arm: task.arm,
        seed: task.seed,
        task_id: task.task_id.to_string(),
        request: task.request.to_string(),
    })
}

pub(super) fn failed(model: &mut Model, why: &str) {
    model.live.failed = true;
    model.say(Scope::Warn, format!("! the session is not recorded: {}", text::safe(why)));
}

/// What the first screen says of a session that was left.
pub fn offer(model: &Model) -> Option<String> {
    if model.screen != Screen::Tools || model.broken() || model.live.coming.is_some() || model.step.episode.is_some() {
        return None;
    }
    let left = model.live.left.as_ref()?;
    let here = match &left.began.from {
        From::File(path) => {
            model.request.origin.path().and_then(|open| std::path::absolute(open).ok()).as_ref() == Some(path)
        }
        From::Example => model.request.origin.is_example(),
        From::Elsewhere => false,
    };
    if !here {
        return None;
    }
    let key = model.keymap.key(Action::Resume)?;
    let name = text::cut_middle(&text::safe(&left.began.name), 32).into_owned();
    Some(format!("press {key} to resume the session on {name} at call {}", left.call))
}

/// Brings back the session that was left.
pub fn resume(model: &mut Model) -> Vec<Effect> {
    match model.live.left.take() {
        Some(left) => vec![Effect::Live(Ask::Take(left.path))],
        None => {
            model.say(Scope::Notice, "no session to resume");
            Vec::new()
        }
    }
}

/// A session is resumed: its file is opened, its task planned, its calls made again.
pub(super) fn taken(model: &mut Model, result: Result<Box<Session>, String>) -> Vec<Effect> {
    let session = match result {
        Ok(session) => session,
        Err(why) => {
            model.say(Scope::Error, format!("! the session cannot be resumed: {}", text::safe(&why)));
            let nothing = matches!(model.file, FileState::Opening) && model.opening.is_none();
            return if nothing { update::reopen(model) } else { Vec::new() };
        }
    };
    let session: Arc<Session> = Arc::from(session);
    model.live.left = None;
    let began = &session.began;
    let origin = match &began.from {
        From::File(path) => Origin::File(path.clone()),
        From::Example => Origin::Example { name: example::NAME, bytes: example::BYTES },
        From::Elsewhere => {
            return refuse(model, &session, "its tool file came from standard input and was not kept");
        }
    };
    model.request.origin = origin;
    model.request.read = began.read.clone();
    model.request.plan = began.plan.clone();
    model.plan.add_seed(began.seed);
    model.straight = Some((began.arm, [began.seed].into()));
    step::put_away(model);
    model.live.tracker = None;
    model.screen = Screen::Tools;
    model.overlays.clear();
    model.file = FileState::Opening;
    model.live.coming = Some(session);
    update::reopen(model)
}

/// A file was opened: a session on other bytes does not come back on it.
pub fn opened(model: &mut Model) -> Vec<Effect> {
    let Some(session) = model.live.coming.clone() else { return Vec::new() };
    let why = match &model.file {
        FileState::Nothing | FileState::Opening => return Vec::new(),
        FileState::Failed(line) => line.clone(),
        FileState::Open(opened) => {
            let now = &opened.reading.file_hash;
            if *session.began.file_hash == **now {
                return Vec::new();
            }
            format!(
                "the file changed since this session; its tasks no longer match (session: {}, file: {now})",
                session.began.file_hash
            )
        }
    };
    refuse(model, &session, &why)
}

/// Once the task of a session that is coming back is at play: its calls are made again.
pub(super) fn arrive(model: &mut Model) -> Vec<Effect> {
    let Some(session) = model.live.coming.clone() else { return Vec::new() };
    let busy = [&model.opening, &model.planning, &model.live.replaying].into_iter().any(Option::is_some);
    if busy || model.straight.is_some() {
        return Vec::new();
    }
    let began = &session.began;
    let task = model.step.episode.as_ref().map(Episode::task);
    let Some(task) = task.filter(|task| task.arm == began.arm && task.seed == began.seed) else {
        let why = format!("{} seed {} can no longer be planned on this file", began.arm, began.seed);
        return refuse(model, &session, &why);
    };
    if *task.task_id != *began.task_id {
        return refuse(model, &session, "this version of rehearsal plans the task differently");
    }
    let Some(episode) = model.step.episode.clone() else { return Vec::new() };
    let id = model.next_job();
    model.live.replaying = Some(Running { id, progress: None, cancel: None });
    vec![Effect::Resume { id, request: Box::new(ResumeRequest { session, episode }) }]
}

/// A report of the job that makes the calls of a session again.
pub fn resumed(model: &mut Model, id: JobId, report: Report<Option<Box<Resumed>>>) -> Vec<Effect> {
    let Some(running) = model.live.replaying.as_mut().filter(|running| running.id == id) else { return Vec::new() };
    let resumed = match report {
        Report::Progress(progress) => {
            running.progress = Some(progress);
            return Vec::new();
        }
        Report::Done(Some(resumed)) => *resumed,
        Report::Done(None) => return stop(model),
        Report::Failed(line) => return give_up(model, &line),
    };
    model.live.replaying = None;
    if model.live.coming.take().is_none() {
        return Vec::new();
    }
    let Resumed { episode, replayed } = resumed;
    let (at, of) = (episode.cursor(), episode.calls().len());
    // One opened meanwhile, from a run, is kept.
    step::put_away(model);
    model.live.tracker = Some(Tracker::written(&episode));
    model.step.episode = Some(episode);
    step::follow(model);
    match (replayed.cut, replayed.differs) {
        (true, _) => model.say(Scope::Warn, "! the end of the journal is damaged; the rest was resumed"),
        (false, Some(call)) => {
            model.say(Scope::Warn, format!("! resumed, but call {call} now has a different answer"));
        }
        (false, None) => model.say(Scope::Notice, format!("resumed at call {at} of {of}")),
    }
    Vec::new()
}

/// Stops bringing a session back; what was written down of it can be read.
pub fn stop(model: &mut Model) -> Vec<Effect> {
    give_up(model, "stopped; the journal is unchanged")
}

fn give_up(model: &mut Model, why: &str) -> Vec<Effect> {
    match model.live.coming.clone() {
        Some(session) => refuse(model, &session, why),
        None => Vec::new(),
    }
}

/// Whether a session is being brought back: until it is there, nothing is played. Says so.
pub fn holds(model: &mut Model) -> bool {
    let holds = model.live.replaying.is_some();
    if holds {
        let key = model.keymap.key(Action::Dismiss).unwrap_or_default();
        model.say(Scope::Notice, format!("still resuming the session; {key} stops it"));
    }
    holds
}

/// Says why a session does not come back, and offers what was written down of it.
fn refuse(model: &mut Model, session: &Arc<Session>, why: &str) -> Vec<Effect> {
    if let Some(cancel) = model.live.replaying.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    model.live.coming = None;
    model.straight = None;
    model.plan.then = None;
    model.notice = None;
    let began = &session.began;
    let calls = session.calls();
    let mut items =
        vec![(format!("{} seed {}, left at call {}", began.arm, began.seed, session.call()), "why".to_owned())];
    items.extend(calls.iter().map(|past| {
        let branch = if past.branch == 0 { String::new() } else { format!("branch {}  ", past.branch) };
        let code = past.code.clone().unwrap_or_else(|| "ok".to_owned());
        let arguments = canonical::compact(&past.call.arguments, false);
        let call = format!("{branch}{}  {} {}", past.number, past.call.tool, text::cut(&arguments, 400));
        (call, code)
    }));
    let recorded = Arc::new(Recorded { session: session.clone(), calls, why: why.to_owned() });
    let title = "this session is read-only";
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Live(Choice::Recorded(recorded.clone())), items)));
    look_at(model, &recorded, 0);
    model.say(Scope::Error, "! the session cannot be resumed");
    vec![Effect::Live(Ask::Release)]
}

/// A session that can only be read.
#[derive(Debug)]
pub struct Recorded {
    session: Arc<Session>,
    calls: Vec<Past>,
    why: String,
}

/// Shows one thing of a session that can only be read: why, or a call as it was answered.
pub fn look_at(model: &mut Model, recorded: &Recorded, chosen: usize) {
    let mut rows = Vec::new();
    let Some(past) = chosen.checked_sub(1).and_then(|i| recorded.calls.get(i)) else {
        let began = &recorded.session.began;
        rows.push(Row::of(Scope::Error, "! ").plain(&recorded.why).hanging(2));
        rows.push(Row::new());
        rows.push(Row::of(Scope::Dim, "file      ").plain(&began.name).hanging(10));
        rows.push(Row::of(Scope::Dim, "bytes     ").plain(&began.file_hash).hanging(10));
        if let Some(contract) = &began.contract_hash {
            rows.push(Row::of(Scope::Dim, "contract  ").plain(contract).hanging(10));
        }
        rows.push(Row::of(Scope::Dim, "task      ").plain(format!("{} seed {}", began.arm, began.seed)));
        rows.push(Row::of(Scope::Dim, "request   ").plain(&began.request).hanging(10));
        rows.push(Row::new());
        rows.push(Row::of(Scope::Dim, "You can read its calls; playing a task starts a new session."));
        look::text(model, "why the session cannot be resumed", rows);
        return;
    };
    rows.push(Row::of(Scope::Dim, "arguments"));
    rows.extend(value_rows(&past.call.arguments));
    rows.push(Row::new());
    rows.push(Row::of(Scope::Dim, past.code.as_ref().map_or("answer".to_owned(), |code| format!("answer: {code}"))));
    match Value::parse_json(&past.answer) {
        Ok(value) => rows.extend(value_rows(&value)),
        Err(_) => rows.extend(text::safe_lines(&past.answer).iter().map(|line| Row::of(Scope::Text, line))),
    }
    look::text(model, format!("call {}: {}, as recorded", past.number, past.call.tool), rows);
}

/// At most this many lines of a value are shown.
const MOST_ROWS: usize = 20_000;

fn value_rows(value: &Value) -> Vec<Row> {
    let outline = Outline::new(value.clone());
    (0..outline.len().min(MOST_ROWS)).map(|i| outline.row(i)).collect()
}
