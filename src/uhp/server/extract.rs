//! What handlers take out of a request. Each failure is a problem in the envelope, never the framework's bare text.

use super::app::App;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::input::too_large;
use crate::uhp::wire::{Fields, Json};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::sync::Arc;

/// The name of the principal who asks; put there by the authentication layer.
#[derive(Debug, Clone)]
pub(super) struct Owner(pub Arc<str>);

impl<S: Send + Sync> FromRequestParts<S> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Owner>()
            .cloned()
            .ok_or_else(|| Problem::new(Code::MissingCredential, "This needs a bearer credential."))
    }
}

/// The path's parameters, decoded, in order.
#[derive(Debug)]
pub(super) struct Params(Vec<String>);

impl Params {
    /// The parameter at a place; empty when there is none.
    pub(super) fn at(&self, i: usize) -> &str {
        self.0.get(i).map_or("", String::as_str)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(Code::NoSuchRoute, "There is nothing at this path."))?;
        Ok(Self(raw.iter().map(|(_, value)| value.to_owned()).collect()))
    }
}

/// The query's pairs, decoded.
#[derive(Debug)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// The last value under a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
            .map_err(|_| Problem::new(Code::InvalidInput, "The query cannot be read."))?;
        Ok(Self(pairs.0))
    }
}

/// The whole body as bytes, bounded in size and in the time it may take.
pub(super) async fn body_bytes(app: &App, request: Request) -> Result<Vec<u8>, Problem> {
    let most = app.config.limits.body_bytes;
    let body = Limited::new(request.into_body(), most).collect();
    let collected = tokio::time::timeout(app.config.limits.body_wait, body)
        .await
        .map_err(|_| Problem::new(Code::InvalidInput, "The body did not arrive in time."))?;
    match collected {
        Ok(whole) => Ok(whole.to_bytes().to_vec()),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => Err(too_large(most)),
        Err(_) => Err(Problem::new(Code::InvalidInput, "The body did not arrive whole.")),
    }
}

/// A JSON object as the body, whatever its content type says.
#[derive(Debug)]
pub(super) struct Body(pub Fields);

impl FromRequest<Arc<App>> for Body {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        object(&body_bytes(app, request).await?).map(Body)
    }
}

/// A JSON object as the body, or no body at all.
#[derive(Debug)]
pub(super) struct OptionalBody(pub Fields);

impl FromRequest<Arc<App>> for OptionalBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let bytes = body_bytes(app, request).await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self(Fields::new()));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Json::Null) => Ok(Self(Fields::new())),
            _ => object(&bytes).map(Self),
        }
    }
}

fn object(bytes: &[u8]) -> Result<Fields, Problem> {
    match serde_json::from_slice::<Json>(bytes) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(_) => Err(Problem::new(Code::InvalidInput, "The body must be a JSON object.")),
        Err(error) => {
            let message = format!("The body is not JSON: line {}, column {}.", error.line(), error.column());
            Err(Problem::new(Code::InvalidInput, message))
        }
    }
}
