//! Tasks: running, reading back, cancelling, deleting.

use crate::uhp::server::app::App;
use crate::uhp::server::extract::{Body, Owner, Params};
use crate::uhp::server::layers::Address;
use crate::uhp::server::reply::ok;
use crate::uhp::server::world::Task;
use crate::uhp::server::{stream, supervisor};
use crate::uhp::wire::error::Problem;
use crate::uhp::wire::{input, request};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Longest idempotency key, in bytes.
const LONGEST_KEY: usize = 255;

/// How long a request to stop waits for the end before it answers anyway.
const WIND_DOWN: Duration = Duration::from_secs(1);

/// `POST /v1/responses`: begins a task, or attaches to the one of the same key, and answers as the request asks: a
/// stream, the response as it stands, or the response once it has ended.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    Extension(Address(address)): Extension<Address>,
    headers: HeaderMap,
    body: Result<Body, Problem>,
) -> Result<Response, Problem> {
    let key = idempotency_key(&headers)?;
    let streams = body.as_ref().is_ok_and(|Body(fields)| fields.get("stream") == Some(&json!(true)));
    let request = match body.and_then(|Body(fields)| request::read(&fields, app.config.limits.file_bytes)) {
        Ok(request) => request,
        // A known key gives the first request's result, whatever the repeated body holds.
        Err(problem) => match key.as_ref().and_then(|k| supervisor::by_key(&app, &owner, k).transpose()) {
            Some(task) => return answer(&app, task?, reader(&app, streams)?, false, &headers).await,
            None => return Err(problem),
        },
    };
    let background = request.background;
    // Before the task begins: a stream that is refused must leave nothing running.
    let reader = reader(&app, request.stream)?;
    let address = app.config.public_url.clone().unwrap_or(address);
    let task = supervisor::admit(&app, &owner, request, key, &address).await?;
    answer(&app, task, reader, background, &headers).await
}

/// The permit of the stream that is asked for, if one is.
fn reader(app: &App, streams: bool) -> Result<Option<OwnedSemaphorePermit>, Problem> {
    streams.then(|| stream::permit(app)).transpose()
}

async fn answer(
    app: &App,
    task: Arc<Task>,
    reader: Option<OwnedSemaphorePermit>,
    background: bool,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    if let Some(permit) = reader {
        return Ok(stream::of_task(app, task, last_seen(headers), permit));
    }
    if !background {
        task.log.ended().await;
    }
    Ok(as_it_stands(&task))
}

/// A task's response, written exactly as its events write it, whichever way it is read.
fn as_it_stands(task: &Task) -> Response {
    ok(&serde_json::to_value(task.log.response()).unwrap_or_default())
}

/// The number in `Last-Event-ID`, when it is one.
pub(super) fn last_seen(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.trim().parse().ok())
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().ok().map(str::trim).filter(|k| (1..=LONGEST_KEY).contains(&k.len()));
    key.map(|k| Some(k.to_owned())).ok_or_else(|| {
        Problem::invalid("Idempotency-Key", format!("An idempotency key has 1 to {LONGEST_KEY} printable characters."))
    })
}

/// `GET /v1/responses/{id}`.
pub(super) async fn get(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    let task = app.world().task(&owner, path.at(0))?.clone();
    Ok(as_it_stands(&task))
}

/// `GET /v1/responses/{id}/input_items`.
pub(super) async fn input_items(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let task = app.world().task(&owner, path.at(0))?.clone();
    Ok(ok(&json!({ "object": "list", "data": input::items(&task.raw_input) })))
}

/// `POST /v1/responses/{id}/cancel`: asks the task to stop; one that has ended stays as it is.
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let task = app.world().task(&owner, path.at(0))?.clone();
    stop(&task).await;
    Ok(as_it_stands(&task))
}

/// Asks a task to stop and waits a moment for its end.
pub(super) async fn stop(task: &Task) {
    task.cancel.cancel();
    // The answer does not wait for a slow end: the task ends by itself.
    let _ = tokio::time::timeout(WIND_DOWN, task.log.ended()).await;
}

/// `DELETE /v1/responses/{id}`: forgets the response; a running task runs on.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let id = path.at(0).to_owned();
    let saved = {
        let mut world = app.world();
        world.task(&owner, &id)?;
        let changes = world.remove_task(&id);
        app.save(changes)
    };
    saved.safe().await?;
    Ok(ok(&json!({ "id": id, "object": "response", "deleted": true })))
}
