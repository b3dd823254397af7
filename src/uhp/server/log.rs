//! The log of one task: every event once, in order, with the response they amount to. Readers wait on it; nothing that
//! a reader does reaches the task.

use super::config::Limits;
use crate::uhp::wire::event::{Beat, Composer};
use crate::uhp::wire::response::Response;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The log of one task.
#[derive(Debug)]
pub struct Log {
    inner: Mutex<Inner>,
    /// How many events there are; readers wait for it to change.
    head: watch::Sender<usize>,
}

#[derive(Debug)]
struct Inner {
    composer: Composer,
    events: Vec<Arc<str>>,
    bytes: usize,
    done: bool,
}

/// The log has reached a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Log {
    /// The log of a task that begins: its first event is there.
    pub fn begin(response: Response) -> Self {
        let mut composer = Composer::new(response, 0);
        let events = vec![Arc::from(composer.begin())];
        Self::with(composer, events, false)
    }

    /// A log read back from storage, ended or not.
    pub fn restored(response: Response, events: Vec<Arc<str>>) -> Self {
        let done = response.status.is_final();
        Self::with(Composer::new(response, events.len() as u64), events, done)
    }

    fn with(composer: Composer, events: Vec<Arc<str>>, done: bool) -> Self {
        let bytes = events.iter().map(|e| e.len()).sum();
        let head = watch::Sender::new(events.len());
        Self { inner: Mutex::new(Inner { composer, events, bytes, done }), head }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells one beat and gives its event and the event's number. With `limits`, a log at its bounds takes no more.
    pub fn tell(&self, beat: Beat, whole: bool, limits: Option<&Limits>) -> Result<(usize, Arc<str>), Full> {
        let mut inner = self.lock();
        if limits.is_some_and(|l| inner.events.len() >= l.log_events || inner.bytes >= l.log_bytes) {
            return Err(Full);
        }
        let event = inner.composer.apply(beat, whole);
        Ok(self.append(inner, event))
    }

    /// Reads or changes the composer without telling anything.
    pub fn compose<T>(&self, f: impl FnOnce(&mut Composer) -> T) -> T {
        f(&mut self.lock().composer)
    }

    /// Appends the last event, told by `ended`, which takes the composer's place.
    pub fn end(&self, ended: Composer, event: String) {
        let mut inner = self.lock();
        inner.composer = ended;
        inner.done = true;
        self.append(inner, event);
    }

    fn append(&self, mut inner: MutexGuard<'_, Inner>, event: String) -> (usize, Arc<str>) {
        let event: Arc<str> = Arc::from(event);
        inner.bytes += event.len();
        inner.events.push(event.clone());
        let head = inner.events.len();
        drop(inner);
        self.head.send_replace(head);
        (head - 1, event)
    }

    /// How many events there are.
    pub fn count(&self) -> usize {
        self.lock().events.len()
    }

    /// The response as it stands.
    pub fn response(&self) -> Response {
        self.lock().composer.response().clone()
    }

    /// Whether the last event has been told.
    pub fn is_done(&self) -> bool {
        self.lock().done
    }

    /// How many bytes its events have.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// At most `most` events from number `from` on, and whether the log is at its end after them.
    pub fn read(&self, from: usize, most: usize) -> (Vec<Arc<str>>, bool) {
        let inner = self.lock();
        let from = from.min(inner.events.len());
        let to = (from + most).min(inner.events.len());
        (inner.events[from..to].to_vec(), inner.done && to == inner.events.len())
    }

    /// A receiver that changes with every event.
    pub fn watch(&self) -> watch::Receiver<usize> {
        self.head.subscribe()
    }

    /// Waits for the last event.
    pub async fn ended(&self) {
        let mut head = self.watch();
        while !self.is_done() {
            if head.changed().await.is_err() {
                return;
            }
        }
    }

    /// Where a reader that saw event `last` goes on: behind it. One that saw more than there ever was (events lost in a
    /// crash) gets the last event, so that its stream ends as every stream does.
    pub fn resume(&self, last: Option<u64>) -> usize {
        let Some(last) = last else { return 0 };
        let inner = self.lock();
        let next = usize::try_from(last).unwrap_or(usize::MAX).saturating_add(1);
        if inner.done && next > inner.events.len() { inner.events.len().saturating_sub(1) } else { next }
    }
}
