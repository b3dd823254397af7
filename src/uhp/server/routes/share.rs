//! Shares: a read-only view of a session that opens without a key until it is revoked.

use super::sessions::history;
use crate::uhp::server::app::App;
use crate::uhp::server::extract::{OptionalBody, Owner, Params};
use crate::uhp::server::mint;
use crate::uhp::server::reply::ok;
use crate::uhp::server::store::{Change, Table};
use crate::uhp::server::world::Share;
use crate::uhp::wire::Json;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::session;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

fn none() -> Problem {
    Problem::new(Code::SessionNotFound, "There is no such share.")
}

/// `POST /v1/sessions/{id}/share`: publishes; with `{"enabled": false}` it revokes.
pub(super) async fn publish(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
    OptionalBody(body): OptionalBody,
) -> Result<Response, Problem> {
    match body.get("enabled") {
        None | Some(Json::Null | Json::Bool(true)) => {}
        Some(Json::Bool(false)) => return set(&app, &owner, path.at(0), false).await,
        Some(_) => return Err(Problem::invalid("enabled", "This must be true or false.")),
    }
    set(&app, &owner, path.at(0), true).await
}

/// `DELETE /v1/sessions/{id}/share`: no link made for the session opens after that.
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    set(&app, &owner, path.at(0), false).await
}

/// A session has one link at a time: publishing again gives the same one, publishing after a revoke makes a new one.
async fn set(app: &App, owner: &str, id: &str, enabled: bool) -> Result<Response, Problem> {
    let fresh = mint::id("share_")?;
    let (share, saved) = {
        let mut world = app.world();
        let row = world.session_mut(owner, id)?;
        let share = match row.share.take() {
            Some(share) if share.enabled || !enabled => Share { enabled, ..share },
            None if !enabled => return Err(none()),
            _ => Share { token: fresh, enabled: true },
        };
        row.share = Some(share.clone());
        let change = Change::row(Table::Session, id, row);
        if enabled {
            world.shares.insert(share.token.clone(), id.to_owned());
        } else {
            world.shares.remove(&share.token);
        }
        (share, app.save(vec![change]))
    };
    saved.safe().await?;
    Ok(ok(&session::share(&share.token, share.enabled)))
}

/// `GET /v1/sessions/{id}/share`.
pub(super) async fn get(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    let world = app.world();
    let share = world.session(&owner, path.at(0))?.share.as_ref().filter(|s| s.enabled).ok_or_else(none)?;
    Ok(ok(&session::share(&share.token, true)))
}

/// `GET /v1/shared/{token}`: the view, for anyone who has the link.
pub(super) async fn view(State(app): State<Arc<App>>, path: Params) -> Result<Response, Problem> {
    let (row, turns) = {
        let world = app.world();
        let id = world.shares.get(path.at(0)).ok_or_else(none)?;
        let row = world.sessions.get(id).ok_or_else(none)?;
        (row.session.clone(), history(&world, row))
    };
    let keys: Vec<String> = app.config.principals.iter().map(|p| p.key.clone()).collect();
    Ok(ok(&session::view(&row, &turns, &keys)))
}
