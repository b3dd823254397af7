//! HTTP: the MCP endpoint of each episode, and the routes of its document.

use super::hub::{Hub, OVER, Slot, lock};
use super::routes::{Asked, Route};
use super::turn::{Ended, Origin, Taken, Wanted};
use super::wire::Way;
use crate::mcp::{Dialog, Headers, MAX_FRAME, Problem, Reaction, Reactions, Reply};
use crate::task::Call;
use crate::value::{Map, Value, canonical};
use axum::body::Body;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

/// How long the body of a request may take.
const BODY_WAIT: Duration = Duration::from_secs(30);
/// How often an event stream says that it is alive.
const BEAT: Duration = Duration::from_secs(15);
const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

type Answer = Response<Body>;

/// Answers one request.
pub(super) async fn answer(
    hub: Arc<Hub>,
    connection: Arc<str>,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut answer = match admitted(&hub, request.headers()) {
        Err(refused) => *refused,
        Ok(()) if request.method() == Method::OPTIONS => empty(StatusCode::NO_CONTENT),
        Ok(()) => match authorized(&hub, request.headers()) {
            Err(refused) => *refused,
            Ok(()) => route(&hub, &connection, request).await,
        },
    };
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(origin) = origin.filter(is_local_origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "*, authorization"),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, SESSION),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    Ok(answer)
}

/// A page of another site must not reach a server of this machine: `Host` names this machine, and `Origin`, where there is
/// one, a page of it.
fn admitted(hub: &Hub, headers: &HeaderMap) -> Result<(), Box<Answer>> {
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    if hub.config.loopback && !host.is_some_and(is_local_host) {
        return Err(Box::new(refusal(StatusCode::FORBIDDEN, &Problem::request("Host must name this machine"))));
    }
    match headers.get(header::ORIGIN) {
        Some(origin) if !is_local_origin(origin) => {
            Err(Box::new(refusal(StatusCode::FORBIDDEN, &Problem::request("Origin must be a page of this machine"))))
        }
        _ => Ok(()),
    }
}

fn is_local_host(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn is_local_origin(origin: &HeaderValue) -> bool {
    let text = origin.to_str().unwrap_or_default();
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    host.is_some_and(|host| !host.contains('/') && is_local_host(host))
}

fn authorized(hub: &Hub, headers: &HeaderMap) -> Result<(), Box<Answer>> {
    let Some(key) = &hub.config.key else { return Ok(()) };
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| {
        let (scheme, key) = value.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    if sent.is_some_and(|sent| bool::from(sent.as_bytes().ct_eq(key.as_bytes()))) {
        return Ok(());
    }
    let mut refused = refusal(StatusCode::UNAUTHORIZED, &Problem::request("this needs the bearer key"));
    refused.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    Err(Box::new(refused))
}

async fn route(hub: &Arc<Hub>, connection: &Arc<str>, request: Request<Incoming>) -> Answer {
    let path = request.uri().path().to_owned();
    let mut parts = path.trim_start_matches('/').splitn(3, '/');
    let (kind, name, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next());
    let Some(slot) = hub.slot(name) else {
        return refusal(StatusCode::NOT_FOUND, &Problem::unreachable("no live episode of that name is open"));
    };
    match (kind, rest) {
        ("mcp", None | Some("")) => mcp(hub, slot, connection, request).await,
        ("api", rest) if slot.routes.is_some() => {
            let inner = format!("/{}", rest.unwrap_or_default());
            api(hub, slot, connection, &inner, request).await
        }
        _ => refusal(StatusCode::NOT_FOUND, &Problem::unreachable("nothing is served at this path")),
    }
}

async fn body(request: Request<Incoming>) -> Result<Vec<u8>, Answer> {
    let too_large = || {
        let message = format!("the body is larger than {MAX_FRAME} bytes");
        refusal(StatusCode::PAYLOAD_TOO_LARGE, &Problem::request(message))
    };
    let read = Limited::new(request.into_body(), MAX_FRAME).collect();
    match tokio::time::timeout(BODY_WAIT, read).await {
        Ok(Ok(body)) => Ok(body.to_bytes().to_vec()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(refusal(StatusCode::BAD_REQUEST, &Problem::request("the body broke off"))),
        Err(_) => Err(refusal(StatusCode::REQUEST_TIMEOUT, &Problem::request("the body took too long"))),
    }
}

fn headers_of(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

async fn mcp(hub: &Arc<Hub>, slot: &Arc<Slot>, connection: &Arc<str>, request: Request<Incoming>) -> Answer {
    let headers = Headers::new(headers_of(request.headers()));
    let session = headers.get(SESSION).map(str::to_owned);
    let known = session.as_deref().and_then(|id| lock(&slot.sessions).get(id));
    if session.is_some() && known.is_none() {
        return refusal(StatusCode::NOT_FOUND, &Problem::unreachable("no such session: open another with initialize"));
    }
    match *request.method() {
        Method::POST => {}
        Method::GET if known.is_some() => return events(),
        Method::DELETE if known.is_some() => {
            lock(&slot.sessions).remove(session.as_deref().unwrap_or_default());
            return empty(StatusCode::OK);
        }
        _ => {
            let mut refused = refusal(StatusCode::METHOD_NOT_ALLOWED, &Problem::request("this takes POST alone"));
            refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
            return refused;
        }
    }
    let kind = headers.get("content-type").unwrap_or_default().to_ascii_lowercase();
    if kind.split(';').next().map(str::trim) != Some(JSON) {
        return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, &Problem::request("the body must be application/json"));
    }
    let accepts = headers.get("accept").unwrap_or("*/*").to_ascii_lowercase();
    let stream = !accepts.contains(JSON) && !accepts.contains("*/*") && !accepts.contains("application/*");
    if stream && !accepts.contains("text/event-stream") {
        return refusal(StatusCode::NOT_ACCEPTABLE, &Problem::request("an answer is JSON or an event stream"));
    }
    let frame = match body(request).await {
        Ok(frame) => frame,
        Err(refused) => {
            slot.refused("a body that is too large or broke off").await;
            return refused;
        }
    };
    let (mut opened, mut begun) = (None, None);
    let (client, reactions) = match &known {
        Some(dialog) => {
            let mut dialog = lock(dialog);
            let reactions = dialog.take(&frame, Some(&headers));
            (dialog.client().map(ToString::to_string), reactions)
        }
        None => {
            let mut dialog = Dialog::new();
            let reactions = dialog.take(&frame, Some(&headers));
            let begins = dialog.version().is_some();
            let settled = |r: &Reaction| matches!(r, Reaction::Answer(_));
            if !begins && !reactions.modern && !reactions.all.iter().all(settled) {
                slot.refused("a request outside a session").await;
                return refusal(
                    StatusCode::BAD_REQUEST,
                    &Problem::request("Mcp-Session-Id is missing: initialize first"),
                );
            }
            let client = dialog.client().map(ToString::to_string);
            if begins {
                match super::new_name() {
                    Ok(id) => opened = Some(id),
                    Err(why) => return refusal(StatusCode::INTERNAL_SERVER_ERROR, &Problem::internal(why)),
                }
                begun = Some(dialog);
            }
            (client, reactions)
        }
    };
    if slot.live.lock().await.is_none() {
        return refusal(StatusCode::GONE, &Problem::unreachable(OVER));
    }
    if let (Some(id), Some(dialog)) = (&opened, begun) {
        lock(&slot.sessions).add(id.clone(), dialog);
    }
    let session = session.or_else(|| opened.clone()).unwrap_or_else(|| connection.to_string());
    let origin = Origin { connection: connection.clone(), session, client, gives_up: None, http: true };
    let notes = |r: &Reaction| matches!(r, Reaction::Call { progress: Some(_), .. });
    let streams = accepts.contains("text/event-stream") && reactions.all.iter().any(notes) && slot.hold.is_on();
    if streams {
        return noted(hub, slot, origin, frame, reactions, headers);
    }
    // One that goes away while it waits makes no call: this future is dropped.
    let answer = match slot.take(&origin, &frame, reactions, Some(&headers), None).await {
        Taken::Reply(answer) => answer,
        Taken::Nothing => return empty(StatusCode::ACCEPTED),
        Taken::Never => {
            hub.shutdown.cancelled().await;
            return refusal(StatusCode::GONE, &Problem::unreachable(OVER));
        }
    };
    let Reply { text, status } = answer;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = if stream { typed(status, EVENTS, event(&text)) } else { typed(status, JSON, text) };
    if let Some(id) = opened.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(SESSION, id);
    }
    response
}

/// A frame as an event of a stream.
fn event(frame: &str) -> String {
    format!("event: message\ndata: {frame}\n\n")
}

/// Answers with a stream: progress notes while the call is held, then its answer. When the reader goes away, the call is
/// given up with the stream.
fn noted(
    hub: &Arc<Hub>,
    slot: &Arc<Slot>,
    origin: Origin,
    frame: Vec<u8>,
    reactions: Reactions,
    headers: Headers,
) -> Answer {
    let (notes, mut noted) = unbounded_channel::<String>();
    let (slot, stop) = (slot.clone(), hub.shutdown.clone());
    let answer = async move {
        match slot.take(&origin, &frame, reactions, Some(&headers), Some(notes)).await {
            Taken::Reply(answer) => Some(answer.text),
            Taken::Nothing => None,
            Taken::Never => {
                stop.cancelled().await;
                None
            }
        }
    };
    let notes = futures_util::stream::poll_fn(move |cx| noted.poll_recv(cx));
    let answer = futures_util::stream::once(answer).filter_map(std::future::ready);
    let frames = futures_util::stream::select(notes, answer);
    let body = frames.map(|frame| Ok::<_, Infallible>(bytes::Bytes::from(event(&frame))));
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    response
}

/// The stream of a session: nothing is ever told on it but that it is alive.
fn events() -> Answer {
    let beats = futures_util::stream::unfold(true, |first| async move {
        if !first {
            tokio::time::sleep(BEAT).await;
        }
        Some((Ok::<_, Infallible>(bytes::Bytes::from_static(b": alive\n\n")), false))
    });
    let mut response = Response::new(Body::from_stream(beats));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    response
}

async fn api(
    hub: &Arc<Hub>,
    slot: &Arc<Slot>,
    connection: &Arc<str>,
    path: &str,
    request: Request<Incoming>,
) -> Answer {
    let Some(routes) = &slot.routes else { return empty(StatusCode::NOT_FOUND) };
    let method = request.method().as_str().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let headers = headers_of(request.headers());
    let body = match body(request).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let target = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    let asked = Asked { method: &method, path, query: &query, headers: &headers, body: &body };
    let found = routes.find(&asked);
    let caller = headers.iter().find(|(name, _)| name == "user-agent").map(|(_, agent)| agent.as_str());
    let caller = caller.map(|agent| {
        let product = agent.split_whitespace().next().unwrap_or_default();
        crate::text::cut(&crate::text::safe(product), 80).into_owned()
    });
    let (arrived, place) = (Instant::now(), {
        let mut live = slot.live.lock().await;
        let Some(live) = live.as_mut() else { return detail(StatusCode::GONE, OVER) };
        if let Err(why) = live.note(connection, Way::In, &format!("{method} {target}"), &body) {
            return detail(StatusCode::INTERNAL_SERVER_ERROR, &why);
        }
        slot.queue_up()
    });
    let response = match found {
        Route::Call { tool, arguments, success } => {
            let cancel = CancellationToken::new();
            let Some(_turn) = slot.turn(place, &cancel).await else { return empty(StatusCode::ACCEPTED) };
            let session = connection.to_string();
            let origin = Origin { connection: connection.clone(), session, client: caller, gives_up: None, http: true };
            let wanted = Wanted { call: Call { tool, arguments }, arrived, cancel, beat: None };
            match slot.play(&origin, wanted).await {
                Ended::Answer(answer) => {
                    let status = answer.code.map_or(success, |code| code.status());
                    let text = if status == 204 { String::new() } else { answer.text.to_string() };
                    let retry = (status == 429).then(|| (header::RETRY_AFTER, HeaderValue::from_static("1")));
                    (status, text, retry)
                }
                Ended::Unknown => (404, told(404, "the task has no such tool"), None),
                Ended::Refused(why) => (409, told(409, &why), None),
                Ended::Never | Ended::GivenUp => {
                    hub.shutdown.cancelled().await;
                    return detail(StatusCode::GONE, OVER);
                }
            }
        }
        Route::Refused(reason) => {
            slot.refused(&format!("{method} {target}: {reason}")).await;
            (501, told(501, &reason), None)
        }
        Route::OtherMethod(methods) => {
            slot.refused(&format!("{method} {target}: the path has other methods")).await;
            let allow = HeaderValue::from_str(&methods.join(", ")).ok();
            (405, told(405, "the path has no such method"), allow.map(|value| (header::ALLOW, value)))
        }
        Route::None => {
            slot.refused(&format!("{method} {target}: no such route")).await;
            (404, told(404, "the document has no such route"), None)
        }
    };
    let (status, text, extra) = response;
    if let Some(live) = slot.live.lock().await.as_mut()
        && let Err(why) = live.note(connection, Way::Out, &status.to_string(), text.as_bytes())
    {
        live.refused(&why);
    }
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let shown = if method == "HEAD" { String::new() } else { text };
    let mut response = if status == StatusCode::NO_CONTENT { empty(status) } else { typed(status, JSON, shown) };
    if let Some((name, value)) = extra {
        response.headers_mut().insert(name, value);
    }
    response
}

/// The body of a refusal on a route.
fn told(status: u16, why: &str) -> String {
    let map = Map::from([("status", Value::Int(status.into())), ("detail", Value::from(why))]);
    canonical::call_text(&map.into())
}

fn detail(status: StatusCode, why: &str) -> Answer {
    typed(status, JSON, told(status.as_u16(), why))
}

fn refusal(status: StatusCode, problem: &Problem) -> Answer {
    typed(status, JSON, format!(r#"{{"jsonrpc":"2.0","id":null,"error":{}}}"#, problem.json()))
}

fn empty(status: StatusCode) -> Answer {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

fn typed(status: StatusCode, kind: &'static str, text: String) -> Answer {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_local() {
        for host in ["localhost", "localhost:80", "127.0.0.1:8791", "[::1]:1", "LOCALHOST:2", "127.1.2.3"] {
            assert!(is_local_host(host), "{host}");
        }
        for host in ["", "example.com", "localhost.example.com", "127.0.0.1.example.com:80", "[::2]", "10.0.0.1"] {
            assert!(!is_local_host(host), "{host}");
        }
        let origin = |text: &'static str| is_local_origin(&HeaderValue::from_static(text));
        assert!(origin("http://localhost:3000") && origin("https://127.0.0.1"));
        assert!(!origin("http://evil.example") && !origin("null") && !origin("file://localhost"));
    }
}
