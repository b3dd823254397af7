//! Sessions: listing, turns, cancelling, deleting.

use super::tasks::stop;
use crate::uhp::server::app::App;
use crate::uhp::server::extract::{Owner, Params, Query};
use crate::uhp::server::reply::ok;
use crate::uhp::server::world::{SessionRow, World};
use crate::uhp::wire::Json;
use crate::uhp::wire::error::Problem;
use crate::uhp::wire::file::File;
use crate::uhp::wire::response::Response as Task;
use crate::uhp::wire::session::turn;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;

/// `GET /v1/sessions?limit=&cursor=&harness=`: newest first, in the order of making, so that pages do not shift.
pub(super) async fn list(State(app): State<Arc<App>>, Owner(owner): Owner, query: Query) -> Result<Response, Problem> {
    let limit = match query.get("limit") {
        None | Some("") => 20,
        Some(text) => text
            .parse::<usize>()
            .ok()
            .filter(|n| (1..=100).contains(n))
            .ok_or_else(|| Problem::invalid("limit", "The limit is a whole number from 1 to 100."))?,
    };
    let before = match query.get("cursor") {
        None | Some("") => u64::MAX,
        Some(text) => text
            .strip_prefix("before-")
            .and_then(|n| n.parse().ok())
            .ok_or_else(|| Problem::invalid("cursor", "The cursor is not one of this server."))?,
    };
    let harness = query.get("harness").filter(|h| !h.is_empty());
    let world = app.world();
    let mine =
        |s: &&SessionRow| s.owner == owner && s.order < before && harness.is_none_or(|h| s.session.harness_id == h);
    let mut rows: Vec<&SessionRow> = world.sessions.values().filter(mine).collect();
    rows.sort_unstable_by_key(|s| std::cmp::Reverse(s.order));
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|s| format!("before-{}", s.order));
    let sessions: Vec<_> = rows.iter().map(|s| &s.session).collect();
    Ok(ok(&json!({ "sessions": sessions, "next_cursor": next })))
}

/// `GET /v1/sessions/{id}`.
pub(super) async fn get(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    Ok(ok(&app.world().session(&owner, path.at(0))?.session))
}

/// What was asked and what came of it, for each kept task of a session, oldest first.
pub(super) fn history(world: &World, session: &SessionRow) -> Vec<(String, Task)> {
    let tasks = session.turns.iter().filter_map(|id| world.tasks.get(id));
    tasks.map(|t| (t.user.clone(), t.log.response())).collect()
}

/// `GET /v1/sessions/{id}/turns`.
pub(super) async fn turns(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    let world = app.world();
    let session = world.session(&owner, path.at(0))?;
    let files: Vec<&File> = session.files.iter().filter_map(|f| world.files.get(f)).map(|r| &r.file).collect();
    let of_turn = |task: &Task| {
        let parts = task.output.iter().flat_map(|i| i.content.iter().flatten());
        let named: Vec<&str> = parts.flat_map(|p| p.annotations.iter().map(|a| a.file_id.as_str())).collect();
        files.iter().filter(|f| named.contains(&f.id.as_str())).map(|f| (*f).clone()).collect::<Vec<_>>()
    };
    let turns: Vec<Json> = history(&world, session).iter().map(|(user, t)| turn(user, t, &of_turn(t))).collect();
    Ok(ok(&json!({ "turns": turns })))
}

/// `POST /v1/sessions/{id}/cancel`: asks whatever runs in the session to stop.
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let id = path.at(0).to_owned();
    stop_running(&app, &owner, &id).await?;
    let world = app.world();
    let status = &world.session(&owner, &id)?.session.status;
    Ok(ok(&json!({ "id": id, "status": status })))
}

async fn stop_running(app: &App, owner: &str, id: &str) -> Result<(), Problem> {
    let running = {
        let world = app.world();
        let session = world.session(owner, id)?;
        session.running.clone()
    };
    if let Some(task) = running {
        stop(&task).await;
    }
    Ok(())
}

/// `DELETE /v1/sessions/{id}` and `DELETE /v1/traces/{id}`: stops what runs, then everything of the session is gone.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let id = path.at(0).to_owned();
    stop_running(&app, &owner, &id).await?;
    let saved = {
        let mut world = app.world();
        // One that began meanwhile is stopped too.
        if let Some(task) = &world.session(&owner, &id)?.running {
            task.cancel.cancel();
        }
        let changes = world.remove_session(&id, false);
        app.save(changes)
    };
    saved.safe().await?;
    Ok(ok(&json!({ "id": id, "object": "session", "deleted": true })))
}
