//! Answers: JSON with its type, problems in their envelope.

use crate::text;
use crate::uhp::wire::error::{Code, Problem};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;

/// The media type of every JSON answer.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// Marks an answer whose body is ours; an error without it was made by the framework and gets an envelope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ours;

/// A JSON answer.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    // The same JSON, and safe to look at with a client that prints it as it is.
    let json = serde_json::to_string(value).unwrap_or_default();
    let body = if let Cow::Owned(escaped) = text::safe_json(&json) { escaped } else { json };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response.extensions_mut().insert(Ours);
    response
}

/// A JSON answer with status 200.
pub(super) fn ok(value: &impl Serialize) -> Response {
    json(StatusCode::OK, value)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code.status()).ok().filter(|s| !s.is_success());
        let mut response = json(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &self.envelope());
        match self.code {
            Code::RateLimited | Code::HarnessUnavailable => {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            Code::MissingCredential | Code::InvalidCredential => {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
