//! A stream of one task's events: a reader of its log and nothing else. When it is dropped, only the reader is gone.

use super::app::App;
use super::reply::Ours;
use super::world::Task;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::sse::{KEEP_ALIVE, frame};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::Stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};

/// Most events in one piece of a body.
const PIECE: usize = 32;

/// Takes the permit of one open stream, or refuses.
pub(super) fn permit(app: &App) -> Result<OwnedSemaphorePermit, Problem> {
    app.streams.clone().try_acquire_owned().map_err(|_| {
        Problem::new(Code::RateLimited, "The server has as many streams open as it takes.")
            .detail("max_streams", app.config.limits.streams)
    })
}

/// The answer whose body is a stream of events.
pub(super) fn answer(body: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.extensions_mut().insert(Ours);
    response
}

/// The stream of a task from an event on.
pub(super) fn of_task(app: &App, task: Arc<Task>, last_seen: Option<u64>, permit: OwnedSemaphorePermit) -> Response {
    let reader = Reader {
        next: task.log.resume(last_seen),
        head: task.log.watch(),
        keep_alive: app.config.keep_alive,
        task,
        _permit: permit,
    };
    answer(futures_util::stream::unfold(Some(reader), |reader| async move {
        let mut reader = reader?;
        let (piece, ended) = reader.piece().await;
        (!piece.is_empty()).then_some((Ok(piece), (!ended).then_some(reader)))
    }))
}

struct Reader {
    task: Arc<Task>,
    next: usize,
    head: watch::Receiver<usize>,
    keep_alive: Duration,
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    /// The next bytes, and whether they are the last. Nothing is left to say only when they are empty.
    async fn piece(&mut self) -> (Bytes, bool) {
        loop {
            self.head.borrow_and_update();
            let (events, ended) = self.task.log.read(self.next, PIECE);
            if !events.is_empty() {
                let mut piece = String::new();
                for event in &events {
                    piece.push_str(&frame(Some(&self.next.to_string()), event));
                    self.next += 1;
                }
                return (Bytes::from(piece), ended);
            }
            if ended {
                return (Bytes::new(), true);
            }
            match tokio::time::timeout(self.keep_alive, self.head.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return (Bytes::new(), true),
                Err(_) => return (Bytes::from_static(KEEP_ALIVE.as_bytes()), false),
            }
        }
    }
}
