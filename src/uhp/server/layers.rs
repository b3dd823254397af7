//! What every request passes: version negotiation and the headers of every answer outermost, then authentication.

use super::app::App;
use super::extract::Owner;
use super::reply::Ours;
use super::supervisor::NoteKind;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::input::too_large;
use crate::uhp::wire::version;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use serde_json::json;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// The outermost layer: agrees on a version or refuses, catches what the inside cannot, and stamps the answer.
pub(super) async fn stamp(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let asked = match request.headers().get(version::HEADER) {
        None => Ok(None),
        Some(value) => value.to_str().map(Some),
    };
    let agreed = asked.map_or_else(|_| version::negotiate(Some("")), version::negotiate);
    let (spoken, mut response) = match agreed {
        Ok(spoken) => {
            let run = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            (spoken, run.unwrap_or_else(|_| internal().into_response()))
        }
        Err(problem) => (version::DEFAULT, problem.into_response()),
    };
    if !response.status().is_success() && response.extensions().get::<Ours>().is_none() {
        response = envelope(&app, response);
    }
    if response.status().is_server_error() {
        app.note(NoteKind::Fault, format!("answered {}", response.status().as_u16()));
    }
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static(version::HEADER), HeaderValue::from_static(spoken));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if app.config.public_url.as_ref().is_some_and(|u| u.starts_with("https://")) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}

/// A fault nobody foresaw, with an id that the server's log shows too.
pub(super) fn internal() -> Problem {
    let id = super::mint::id("err_").unwrap_or_default();
    Problem::new(Code::Internal, "The server failed at this request.").detail("correlation_id", json!(id))
}

/// An error answer that the framework made, in the envelope. An `Allow` header is kept.
fn envelope(app: &App, response: Response) -> Response {
    let problem = match response.status() {
        StatusCode::NOT_FOUND => Problem::new(Code::NoSuchRoute, "There is nothing at this path."),
        StatusCode::METHOD_NOT_ALLOWED => Problem::new(Code::MethodNotAllowed, "This path does not take this method."),
        StatusCode::PAYLOAD_TOO_LARGE => too_large(app.config.limits.body_bytes),
        status if status.is_client_error() => Problem::new(Code::InvalidInput, "The request cannot be read."),
        _ => internal(),
    };
    let allow = response.headers().get(header::ALLOW).cloned();
    let mut response = problem.into_response();
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

/// Authentication: a bearer key that a principal has. The same answer for a key nobody has and one that was revoked.
pub(super) async fn authenticate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    match owner(&app, &request) {
        Ok(owner) => {
            request.extensions_mut().insert(owner);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

fn owner(app: &App, request: &Request) -> Result<Owner, Problem> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else {
        return Err(Problem::new(Code::MissingCredential, "This needs a bearer credential."));
    };
    let key = value.to_str().ok().and_then(|v| {
        let (scheme, key) = v.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    key.and_then(|k| app.config.principal(k))
        .map(Owner)
        .ok_or_else(|| Problem::new(Code::InvalidCredential, "The credential is not valid."))
}

/// Where a request came to: the beginning of download addresses when no public one is configured.
#[derive(Debug, Clone)]
pub(super) struct Address(pub String);

/// Notes where the request came to, out of its `Host`; only what can stand in an address is taken.
pub(super) async fn address(mut request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|h| h.to_str().ok());
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    let host = host.filter(|h| !h.is_empty() && h.len() <= 255 && h.chars().all(plain)).unwrap_or("127.0.0.1");
    let address = Address(format!("http://{host}"));
    request.extensions_mut().insert(address);
    next.run(request).await
}
