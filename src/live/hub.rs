//! The hub: live episodes by name, each with one queue, reached over HTTP and over sockets of this user.

use super::episode::LiveEpisode;
use super::hold::Hold;
use super::http;
use super::routes::Routes;
use crate::mcp::{Dialog, ToolList};
use crate::task::Task;
use crate::value::Str;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Connections at once; further ones wait to be accepted.
const CONNECTIONS: usize = 512;
/// Most bytes of a request's head.
const HEAD: usize = 64 << 10;
/// How long the head of a request, the next one of a connection included, may take.
const HEAD_WAIT: Duration = Duration::from_secs(60);
/// How long the end waits for answers to be read.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Sessions remembered for an episode; the oldest is forgotten.
const SESSIONS: usize = 1024;

/// How a hub is reached.
#[derive(Debug, Clone, Default)]
pub struct HubConfig {
    /// The bearer key every request must carry.
    pub key: Option<String>,
    /// Whether `Host` must name this machine.
    pub loopback: bool,
}

/// An episode and what belongs to its callers.
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) task: Arc<Task>,
    pub(super) tools: Arc<ToolList>,
    /// The episode, locked for as long as a frame or a call takes to write down. Empty once it ended.
    pub(super) live: tokio::sync::Mutex<Option<LiveEpisode>>,
    /// The queue: whoever has it makes its calls, held or not; the others are served in the order of arrival.
    pub(super) queue: Arc<tokio::sync::Mutex<()>>,
    pub(super) hold: Arc<Hold>,
    /// Calls that are not answered yet, by session and id.
    pub(super) cancels: Mutex<HashMap<(String, String), CancellationToken>>,
    pub(super) sessions: Mutex<Sessions>,
    pub(super) routes: Option<Routes>,
}

/// MCP sessions over HTTP, oldest first.
#[derive(Default)]
pub(super) struct Sessions {
    dialogs: HashMap<String, Arc<Mutex<Dialog>>>,
    order: VecDeque<String>,
}

impl Sessions {
    pub(super) fn get(&self, id: &str) -> Option<Arc<Mutex<Dialog>>> {
        self.dialogs.get(id).cloned()
    }

    pub(super) fn add(&mut self, id: String, dialog: Dialog) {
        self.order.push_back(id.clone());
        self.dialogs.insert(id, Arc::new(Mutex::new(dialog)));
        if self.order.len() > SESSIONS
            && let Some(oldest) = self.order.pop_front()
        {
            self.dialogs.remove(&oldest);
        }
    }

    pub(super) fn remove(&mut self, id: &str) -> bool {
        self.order.retain(|known| known != id);
        self.dialogs.remove(id).is_some()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Live episodes by name.
pub struct Hub {
    pub(super) slots: Vec<Arc<Slot>>,
    pub(super) config: HubConfig,
    /// Cancelled when the hub is to close.
    pub shutdown: CancellationToken,
    connections: AtomicU64,
}

impl Hub {
    /// A hub of episodes, each with the routes of its document where it has one.
    pub fn new(episodes: Vec<(LiveEpisode, Option<Routes>)>, config: HubConfig) -> Arc<Self> {
        let slot = |(live, routes): (LiveEpisode, Option<Routes>)| {
            Arc::new(Slot {
                name: live.name().to_owned(),
                task: live.task().clone(),
                tools: live.tools().clone(),
                queue: Arc::default(),
                hold: Arc::new(Hold::new(live.task().clone(), live.name(), live.folder(), live.watch())),
                cancels: Mutex::default(),
                live: tokio::sync::Mutex::new(Some(live)),
                sessions: Mutex::default(),
                routes,
            })
        };
        let slots = episodes.into_iter().map(slot).collect();
        Arc::new(Self { slots, config, shutdown: CancellationToken::new(), connections: AtomicU64::new(0) })
    }

    /// The episode of a name.
    pub(super) fn slot(&self, name: &str) -> Option<&Arc<Slot>> {
        self.slots.iter().find(|slot| slot.name == name)
    }

    /// A label for a new connection.
    pub(super) fn connection(&self, kind: &str) -> String {
        format!("{kind}-{}", self.connections.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Serves HTTP until the hub is to close.
    pub async fn serve(self: &Arc<Self>, listener: TcpListener) {
        let permits = Arc::new(Semaphore::new(CONNECTIONS));
        let tracker = TaskTracker::new();
        loop {
            let accepted = async {
                let permit = permits.clone().acquire_owned().await.ok()?;
                loop {
                    match listener.accept().await {
                        Ok((stream, _)) => return Some((stream, permit)),
                        // Gone before it was accepted, or nothing left to accept with: soon there is.
                        Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                    }
                }
            };
            let (stream, permit) = tokio::select! {
                biased;
                () = self.shutdown.cancelled() => break,
                next = accepted => match next { Some(next) => next, None => break },
            };
            let hub = self.clone();
            tracker.spawn(async move {
                let _permit = permit;
                // Small answers leave at once; a socket that cannot do that still works.
                let _ = stream.set_nodelay(true);
                let connection: Arc<str> = hub.connection("http").into();
                let (of, stop) = (hub.clone(), hub.shutdown.clone());
                let service = service_fn(move |request| http::answer(of.clone(), connection.clone(), request));
                let serving = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_WAIT)
                    .max_buf_size(HEAD)
                    .serve_connection(TokioIo::new(stream), service);
                let mut serving = std::pin::pin!(serving);
                tokio::select! {
                    // A connection that broke has nobody to be told.
                    _ = serving.as_mut() => {}
                    () = stop.cancelled() => {
                        serving.as_mut().graceful_shutdown();
                        drop(tokio::time::timeout(LAST_WAIT, serving).await);
                    }
                }
            });
        }
        tracker.close();
        // Whoever does not read its last answer in time goes without it.
        let _ = tokio::time::timeout(LAST_WAIT, tracker.wait()).await;
    }

    /// Takes callers on the sockets of this user until the hub is to close. The error is one line.
    #[cfg(unix)]
    pub fn listen(self: &Arc<Self>) -> Result<(), String> {
        super::socket::listen(self)
    }

    /// Ends one episode with a reply, by its place; its callers hear that it has ended. Must not run on a thread of the
    /// runtime. The error is one line.
    pub(super) fn end_one(&self, place: usize) -> Result<(), String> {
        let slot = self.slots.get(place).ok_or("no such live episode")?;
        match slot.live.blocking_lock().take() {
            Some(live) => live.end().map(|_| ()),
            None => Err(OVER.to_owned()),
        }
    }

    /// Ends every episode: its name, and its label or why it could not be ended.
    pub async fn end(&self) -> Vec<(String, Result<Str, String>)> {
        let mut ended = Vec::new();
        for slot in &self.slots {
            if let Some(live) = slot.live.lock().await.take() {
                ended.push((slot.name.clone(), live.end()));
            }
        }
        ended
    }
}

/// What a screen needs of an episode.
pub struct Watched {
    /// Its name.
    pub name: String,
    /// The task.
    pub task: Arc<Task>,
    /// What it holds.
    pub hold: Arc<Hold>,
}

impl Hub {
    /// The episodes, in the order in which they were opened.
    pub fn watched(&self) -> Vec<Watched> {
        let watched =
            |slot: &Arc<Slot>| Watched { name: slot.name.clone(), task: slot.task.clone(), hold: slot.hold.clone() };
        self.slots.iter().map(watched).collect()
    }
}

/// What an ended episode answers.
pub(super) const OVER: &str = "the live episode has ended";

/// The address of an episode's MCP endpoint.
pub(super) fn mcp_path(name: &str) -> String {
    format!("/mcp/{name}")
}

impl Hub {
    /// The MCP endpoint of an episode, and what its routes begin with, on a server at `base`.
    pub fn addresses(&self, base: &str, name: &str) -> (String, Option<String>) {
        let routes = self.slot(name).filter(|slot| slot.routes.is_some());
        (format!("{base}{}", mcp_path(name)), routes.map(|slot| format!("{base}/api/{}", slot.name)))
    }
}

/// An error of input or output in one line.
pub(super) fn words(what: &str, error: &io::Error) -> String {
    format!("cannot {what}: {error}")
}
