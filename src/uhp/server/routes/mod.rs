//! Every path, in two routers: what anyone may see (discovery, a shared view), and what needs a key.

mod feed;
mod files;
mod harnesses;
mod sessions;
mod share;
mod tasks;

use super::app::App;
use super::layers::{authenticate, stamp};
use super::reply::ok;
use crate::uhp::wire::discovery;
use crate::uhp::wire::error::{Code, Problem};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use std::sync::Arc;

/// The whole service.
pub(super) fn router(app: &Arc<App>) -> Router {
    let open = Router::new()
        .route("/v1/uhp", get(|| async { ok(&discovery::document()) }))
        .route("/v1/shared/{token}", get(share::view));
    let guarded = Router::new()
        .route("/v1/harnesses", get(harnesses::list).post(harnesses::create))
        .route("/v1/harnesses/{id}", get(harnesses::get).put(harnesses::replace).delete(harnesses::remove))
        .route("/v1/harnesses/{id}/models", get(harnesses::models))
        .route("/v1/harnesses/{id}/skills/{name}/files", get(harnesses::skill_files))
        .route("/v1/harnesses/{id}/plugins/{name}/files", get(harnesses::plugin_files))
        .route("/v1/harnesses/{id}/plugin", get(harnesses::export))
        .route("/v1/harnesses/{id}/events", get(feed::feed))
        .route("/v1/models", get(harnesses::catalog))
        .route("/v1/responses", post(tasks::create))
        .route("/v1/responses/{id}", get(tasks::get).delete(tasks::remove))
        .route("/v1/responses/{id}/input_items", get(tasks::input_items))
        .route("/v1/responses/{id}/cancel", post(tasks::cancel))
        .route("/v1/sessions", get(sessions::list))
        .route("/v1/sessions/{id}", get(sessions::get).delete(sessions::remove))
        .route("/v1/sessions/{id}/turns", get(sessions::turns))
        .route("/v1/sessions/{id}/cancel", post(sessions::cancel))
        .route("/v1/sessions/{id}/share", get(share::get).post(share::publish).delete(share::revoke))
        .route("/v1/sessions/{id}/files", get(files::list))
        .route("/v1/sessions/{id}/files/archive", get(files::archive))
        .route("/v1/traces/{id}", delete(sessions::remove))
        .route("/v1/files", post(files::upload))
        .route("/v1/containers/{container}/files/{id}/content", get(files::download))
        .route("/v1/containers/{container}/files/{id}/pdf", get(files::pdf))
        .route_layer(from_fn_with_state(app.clone(), authenticate));
    open.merge(guarded)
        .fallback(|| async { Problem::new(Code::NoSuchRoute, "There is nothing at this path.").into_response() })
        // Bodies are bounded where they are read, so that the refusal is ours.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(app.clone(), stamp))
        .layer(from_fn(super::layers::address))
        .with_state(app.clone())
}
