//! Admission: everything that decides whether a request becomes a task, in one step under the world's lock, so that two
//! requests at once can neither both take a session nor both be the first under a key.

use super::super::app::{App, Saved};
use super::super::mint;
use super::super::stage::{Choice, Cue};
use super::super::store::{Change, Table, event_key};
use super::super::world::{FileKind, FileRow, KeyRow, SessionRow, Task, World};
use super::perform::{Part, perform};
use super::{NoteKind, settle};
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::file::File;
use crate::uhp::wire::harness::{Harness, Rehearsal};
use crate::uhp::wire::input::Attached;
use crate::uhp::wire::plain::Attachment;
use crate::uhp::wire::request::{TaskRequest, own_metadata};
use crate::uhp::wire::response::{Response, Status};
use crate::uhp::wire::session::{Session, title};
use crate::uhp::wire::{Fields, Json};
use axum::body::Bytes;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Turns a request into a running task, or gives the task of its idempotency key, or refuses it. A refused request
/// leaves nothing behind: no session, no file, no key. `address` is where the request came to, for download addresses.
pub(crate) async fn admit(
    app: &Arc<App>,
    owner: &Arc<str>,
    request: TaskRequest,
    key: Option<String>,
    address: &str,
) -> Result<Arc<Task>, Problem> {
    if let Some(task) = known(&app.world(), owner, key.as_deref())? {
        return Ok(task);
    }
    check_choice(app, owner, &request).await?;
    let (task, part, saved) = {
        let mut world = app.world();
        // Another request under this key may have come in meanwhile.
        if let Some(task) = known(&world, owner, key.as_deref())? {
            return Ok(task);
        }
        take(app, &mut world, owner, request, key, address)?
    };
    if saved.safe().await.is_err() {
        let problem = Problem::new(Code::Internal, "The server could not store this task.");
        settle(app, &task, Err(super::Stop::Failed(problem.clone()))).await;
        return Err(problem);
    }
    app.note(NoteKind::Began, format!("{} {} {}", task.id, part.cue.base, part.cue.player));
    // Nobody need be listening.
    let _ = app.arrivals.send(task.clone());
    let (app, running) = (app.clone(), task.clone());
    app.clone().tracker.spawn(async move {
        let outcome = perform(&app, &running, part).await;
        settle(&app, &running, outcome).await;
    });
    Ok(task)
}

/// The task of a key that is known, without looking at any request.
pub(crate) fn by_key(app: &App, owner: &Arc<str>, key: &str) -> Result<Option<Arc<Task>>, Problem> {
    known(&app.world(), owner, Some(key))
}

/// The task of a key, when the key is known. A key whose response is gone is still no leave to run the work again.
fn known(world: &World, owner: &Arc<str>, key: Option<&str>) -> Result<Option<Arc<Task>>, Problem> {
    let Some(key) = key else { return Ok(None) };
    let Some(row) = world.keys.get(&(owner.clone(), key.to_owned())) else { return Ok(None) };
    world.tasks.get(&row.response_id).cloned().map(Some).ok_or_else(|| {
        let message = "The response of this idempotency key is no longer kept; the work is not done again.";
        Problem::new(Code::ResponseNotFound, message).param("Idempotency-Key")
    })
}

/// The harness of a request: its session's, the one it names, or the principal's first.
fn harness_of<'a>(world: &'a World, owner: &Arc<str>, request: &TaskRequest) -> Result<&'a Harness, Problem> {
    let named = request.harness_id.as_deref();
    let not_found = |p: Problem| p.param("metadata.harness_id");
    if let Some(previous) = &request.previous {
        let session = world.session_of(owner, previous)?;
        let own = &session.session.harness_id;
        if named.is_some_and(|n| n != own) {
            let message = "The session belongs to another harness than the one named.";
            return Err(Problem::new(Code::HarnessMismatch, message).param("metadata.harness_id"));
        }
        return world.harness(owner, own).map(|row| &row.harness).map_err(not_found);
    }
    if let Some(id) = named {
        return world.harness(owner, id).map(|row| &row.harness).map_err(not_found);
    }
    world
        .harnesses_of(owner)
        .first()
        .map(|row| &row.harness)
        .ok_or_else(|| Problem::new(Code::HarnessNotFound, "There is no harness to run this on."))
}

/// Whether the planned task that the metadata names can be played; asked away from the lock, since it may plan.
async fn check_choice(app: &Arc<App>, owner: &Arc<str>, request: &TaskRequest) -> Result<(), Problem> {
    if request.arm.is_none() && request.seed.is_none() && request.task.is_none() {
        return Ok(());
    }
    let (base, rehearsal) = {
        let world = app.world();
        let harness = harness_of(&world, owner, request)?;
        (harness.config.base.clone(), harness.config.rehearsal.clone())
    };
    let choice = choice(request, 0);
    let stage = app.stage.clone();
    let check = move || stage.check_choice(&base, &rehearsal, &choice);
    tokio::task::spawn_blocking(check).await.unwrap_or_else(|_| Err(super::super::layers::internal()))
}

fn choice(request: &TaskRequest, turn: usize) -> Choice {
    Choice { arm: request.arm.clone(), seed: request.seed, task: request.task, text: request.input.text.clone(), turn }
}

/// Which model runs, and what the response says about it.
fn model(app: &App, harness: &Harness, asked: Option<&str>) -> Result<(String, Fields), Problem> {
    let servable = |id: &str| app.cast.iter().any(|c| c.id == id);
    if !app.has_base(&harness.config.base) {
        return Err(Problem::new(Code::HarnessUnavailable, "The tool file of this harness is not served now."));
    }
    let default = harness.config.default_model.as_deref().filter(|m| servable(m)).unwrap_or(app.default_model());
    let Some(asked) = asked else { return Ok((default.to_owned(), Fields::new())) };
    if servable(asked) {
        return Ok((asked.to_owned(), Fields::new()));
    }
    if !app.config.substitute {
        return Err(Problem::new(Code::ModelUnavailable, "This harness has no such model.").param("model"));
    }
    let mut said = Fields::new();
    said.insert("requested_model".into(), json!(asked));
    said.insert("model_fallback".into(), json!(true));
    said.insert(
        "model_fallback_reason".into(),
        json!(format!("'{asked}' is none of this harness's models, so its default was used")),
    );
    Ok((default.to_owned(), said))
}

/// Makes the task, its session when it has none, its files and its key.
fn take(
    app: &Arc<App>,
    world: &mut World,
    owner: &Arc<str>,
    request: TaskRequest,
    key: Option<String>,
    address: &str,
) -> Result<(Arc<Task>, Part, Saved), Problem> {
    let limits = &app.config.limits;
    let harness = harness_of(world, owner, &request)?.clone();
    let session = match &request.previous {
        Some(previous) => Some(world.session_of(owner, previous)?.clone()),
        None => None,
    };
    if session.as_ref().is_some_and(|s| s.running.is_some()) {
        let message = "The session runs another task; continue it when that has ended.";
        return Err(Problem::new(Code::SessionBusy, message).param("previous_response_id"));
    }
    let (model, substituted) = model(app, &harness, request.model.as_deref())?;
    let files = resolve_files(world, owner, &request)?;
    if world.running >= limits.tasks {
        let message = "The server runs as many tasks at once as it takes.";
        return Err(Problem::new(Code::HarnessUnavailable, message).detail("max_tasks", limits.tasks));
    }

    let (id, now) = (mint::id("resp_")?, mint::now());
    let order = world.order();
    let mut session = match session {
        Some(row) => row,
        None => new_session(owner, order, &harness.id, &request.input.text)?,
    };
    let session_id = session.session.id.clone();
    let metadata = metadata(&request, &session_id, &harness.id, substituted);
    let response = Response {
        id: id.clone(),
        object: "response".to_owned(),
        created_at: now,
        status: Status::InProgress,
        error: None,
        incomplete_details: None,
        previous_response_id: request.previous.clone(),
        model: model.clone(),
        output: Vec::new(),
        store: request.store,
        background: request.background,
        usage: None,
        metadata,
    };
    let task = Arc::new(Task {
        id: id.clone(),
        owner: owner.clone(),
        session_id: session_id.clone(),
        harness_id: harness.id.clone(),
        user: request.input.text.clone(),
        raw_input: request.raw_input.clone(),
        store: request.store,
        keyed: key.is_some(),
        log: super::super::log::Log::begin(response),
        cancel: CancellationToken::new(),
    });

    let mut changes = vec![Change::row(Table::Task, id.clone(), &task.row())];
    for (i, event) in task.log.read(0, 1).0.iter().enumerate() {
        changes.push(Change::Put(Table::Event, event_key(&id, i), event.as_bytes().to_vec()));
    }
    let mut input_bytes = raw_bytes(&request.raw_input);
    for (filename, bytes) in files {
        input_bytes += bytes.len();
        let file_id = mint::id("file_")?;
        session.attached.push(file_id.clone());
        let file = File {
            id: file_id,
            object: "file".to_owned(),
            container_id: Some(session.container_id.clone()),
            filename,
            bytes: bytes.len() as u64,
            created_at: now,
            purpose: None,
        };
        let row = FileRow { owner: owner.clone(), order, kind: FileKind::Attached, file, bytes };
        changes.extend(world.add_file(row, limits));
    }
    let turn = session.turn_count;
    session.turn_count += 1;
    session.touched = order;
    session.running = Some(task.clone());
    Status::InProgress.word().clone_into(&mut session.session.status);
    session.session.updated_at = now;
    if request.store {
        session.turns.push(id.clone());
    }
    let part = Part {
        cue: Cue {
            base: harness.config.base.clone(),
            rehearsal: Rehearsal::clone(&harness.config.rehearsal),
            player: model,
            choice: choice(&request, turn),
            disabled_tools: harness.config.disabled_tools.clone(),
            attachments: attachments(world, &session),
        },
        max_step: request.max_step.or(harness.config.max_step),
        budget: request.timeout_seconds.or(harness.config.timeout_seconds).map(Duration::from_secs),
        address: address.to_owned(),
    };
    changes.push(Change::row(Table::Session, session_id.clone(), &session));
    if world.sessions.contains_key(&session_id) {
        world.sessions.insert(session_id.clone(), session);
    } else {
        world.add_session(session);
    }
    world.count_bytes(&session_id, input_bytes);
    world.add_task(task.clone());
    world.running += 1;
    if let Some(key) = key {
        let row = KeyRow { response_id: id, at_ms: mint::now_ms() };
        changes.extend(world.add_key(owner.clone(), key, row, limits));
    }
    changes.extend(world.trim(limits));
    let saved = app.save(changes);
    Ok((task, part, saved))
}

fn new_session(owner: &Arc<str>, order: u64, harness_id: &str, text: &str) -> Result<SessionRow, Problem> {
    let now = mint::now();
    Ok(SessionRow {
        owner: owner.clone(),
        order,
        touched: order,
        session: Session {
            id: mint::id("hsess")?,
            object: "session".to_owned(),
            harness_id: harness_id.to_owned(),
            title: title(text),
            status: Status::InProgress.word().to_owned(),
            created_at: now,
            updated_at: now,
        },
        container_id: mint::id("cntr_")?,
        turns: Vec::new(),
        turn_count: 0,
        files: Vec::new(),
        attached: Vec::new(),
        share: None,
        bytes: 0,
        running: None,
    })
}

/// The client's own metadata, then what the server says, which wins.
fn metadata(request: &TaskRequest, session_id: &str, harness_id: &str, substituted: Fields) -> Fields {
    let mut metadata = own_metadata(&request.metadata);
    metadata.extend(substituted);
    metadata.insert("session_id".into(), json!(session_id));
    metadata.insert("harness_id".into(), json!(harness_id));
    if !request.ignored.is_empty() {
        metadata.insert("ignored_fields".into(), json!(request.ignored));
    }
    metadata
}

fn resolve_files(world: &World, owner: &Arc<str>, request: &TaskRequest) -> Result<Vec<(String, Bytes)>, Problem> {
    let one = |file: &Attached| match file {
        Attached::Inline { filename, bytes } => Ok((filename.clone(), Bytes::from(bytes.clone()))),
        Attached::ById { file_id, at } => {
            let row = world.file(owner, file_id).map_err(|p| p.param(at))?;
            Ok((row.file.filename.clone(), row.bytes.clone()))
        }
    };
    request.input.files.iter().map(one).collect()
}

fn attachments(world: &World, session: &SessionRow) -> Vec<Attachment> {
    let row = |id: &String| world.files.get(id);
    let rows = session.attached.iter().filter_map(row);
    rows.map(|r| Attachment { filename: r.file.filename.clone(), bytes: Arc::from(&r.bytes[..]) }).collect()
}

/// Roughly the bytes that an input takes, without writing it out.
fn raw_bytes(value: &Json) -> usize {
    match value {
        Json::String(s) => s.len() + 2,
        Json::Array(list) => list.iter().map(raw_bytes).sum::<usize>() + 2,
        Json::Object(map) => map.iter().map(|(k, v)| k.len() + 3 + raw_bytes(v)).sum::<usize>() + 2,
        _ => 8,
    }
}
