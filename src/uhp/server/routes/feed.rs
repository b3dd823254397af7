//! `GET /v1/harnesses/{id}/events`: a live feed of a harness's tasks, read from the same logs as every stream.
//!
//! Each event is the one of its task's stream with `response_id` added; `sequence_number` counts within a task. Tasks
//! that run when the feed is opened are sent from their beginning, so that a client that began one in the background
//! misses nothing. With `?response_id=` it is the stream of that one task, ended or not, from `Last-Event-ID` on.

use super::tasks::last_seen;
use crate::uhp::server::app::App;
use crate::uhp::server::extract::{Owner, Params, Query};
use crate::uhp::server::stream;
use crate::uhp::server::world::Task;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::sse::{KEEP_ALIVE, frame};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::future::select_all;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};

/// Most events in one piece of a body.
const PIECE: usize = 32;

/// How long a feed gathers events before it sends them.
const MOMENT: Duration = Duration::from_millis(10);

pub(super) async fn feed(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let harness_id = path.at(0).to_owned();
    app.world().harness(&owner, &harness_id)?;
    if let Some(id) = query.get("response_id") {
        let task = app.world().task(&owner, id)?.clone();
        if task.harness_id != harness_id {
            return Err(Problem::new(Code::ResponseNotFound, "There is no such response on this harness."));
        }
        return Ok(stream::of_task(&app, task, last_seen(&headers), stream::permit(&app)?));
    }
    let arrivals = app.arrivals.subscribe();
    let mut feed = Feed {
        _permit: stream::permit(&app)?,
        owner,
        harness_id,
        arrivals,
        following: Vec::new(),
        known: HashSet::new(),
        app,
    };
    feed.join();
    // Said at once, so that a client knows that the feed is open.
    let opening = futures_util::stream::iter([Ok(Bytes::from_static(KEEP_ALIVE.as_bytes()))]);
    let events = futures_util::stream::unfold(feed, |mut feed| async move {
        let piece = feed.piece().await?;
        Some((Ok(piece), feed))
    });
    Ok(stream::answer(futures_util::StreamExt::chain(opening, events)))
}

struct Following {
    task: Arc<Task>,
    next: usize,
    head: watch::Receiver<usize>,
}

struct Feed {
    app: Arc<App>,
    owner: Arc<str>,
    harness_id: String,
    arrivals: broadcast::Receiver<Arc<Task>>,
    following: Vec<Following>,
    known: HashSet<String>,
    _permit: OwnedSemaphorePermit,
}

impl Feed {
    /// Follows every task of the harness that runs and is not followed yet.
    fn join(&mut self) {
        let world = self.app.world();
        let running = world.sessions.values().filter_map(|s| s.running.clone());
        let tasks: Vec<Arc<Task>> = running.collect();
        drop(world);
        for task in tasks {
            self.follow(task);
        }
    }

    fn follow(&mut self, task: Arc<Task>) {
        if task.owner == self.owner && task.harness_id == self.harness_id && self.known.insert(task.id.clone()) {
            self.following.push(Following { head: task.log.watch(), next: 0, task });
        }
    }

    /// The next bytes; `None` when the feed is over.
    async fn piece(&mut self) -> Option<Bytes> {
        loop {
            let piece = self.ready();
            if !piece.is_empty() {
                return Some(Bytes::from(piece));
            }
            if self.app.shutdown.is_cancelled() || self.app.world().harness(&self.owner, &self.harness_id).is_err() {
                return None;
            }
            let heads: Vec<_> = self.following.iter_mut().map(|f| Box::pin(f.head.changed())).collect();
            let any = async {
                if heads.is_empty() {
                    std::future::pending::<()>().await;
                } else {
                    let _ = select_all(heads).await;
                }
            };
            tokio::select! {
                // Of many tasks that tell at once, what they tell in a moment goes out together: a feed that woke for each of
                // it would look through all of them each time.
                () = any => tokio::time::sleep(MOMENT).await,
                arrival = self.arrivals.recv() => match arrival {
                    Ok(task) => self.follow(task),
                    Err(broadcast::error::RecvError::Lagged(_)) => self.join(),
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
                () = self.app.shutdown.cancelled() => {}
                () = tokio::time::sleep(self.app.config.keep_alive) => {
                    return Some(Bytes::from_static(KEEP_ALIVE.as_bytes()));
                }
            }
        }
    }

    /// Frames of everything that was told since, task by task; tasks told to their end are let go.
    fn ready(&mut self) -> String {
        let mut piece = String::new();
        let known = &mut self.known;
        self.following.retain_mut(|f| {
            f.head.borrow_and_update();
            let (events, ended) = f.task.log.read(f.next, PIECE);
            for event in events {
                let body = event.strip_prefix('{').unwrap_or(&event);
                let data = format!("{{\"response_id\":\"{}\",{body}", f.task.id);
                piece.push_str(&frame(Some(&format!("{}:{}", f.task.id, f.next)), &data));
                f.next += 1;
            }
            if ended {
                known.remove(&f.task.id);
            } else if f.next < f.task.log.count() {
                f.head.mark_changed();
            }
            !ended
        });
        piece
    }
}
