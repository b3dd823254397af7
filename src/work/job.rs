//! A piece of work on a thread of its own.
//!
//! ```
//! use rehearsal::work::job::{Report, spawn};
//! let (send, receive) = std::sync::mpsc::channel();
//! let cancel = spawn("adding", move |report| drop(send.send(report)), |_control| 1 + 1);
//! assert!(receive.iter().any(|report| matches!(report, Report::Done(2))));
//! drop(cancel);
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How far a job has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being done now: "reading", "planning".
    pub what: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// Of how much; `None` when that is not known.
    pub total: Option<u64>,
    /// How quickly it goes, where that is measured.
    pub speed: Option<Speed>,
    /// The folder of a run, once it has one.
    pub folder: Option<PathBuf>,
}

/// How quickly a job goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed {
    /// This many a second.
    pub a_second: u64,
    /// Time left, as far as the rate tells.
    pub left: Option<Duration>,
}

/// What a job sends to whoever started it. The last report is `Done` or `Failed`, also after a cancel.
#[derive(Debug, Clone)]
pub enum Report<T> {
    /// It goes on.
    Progress(Progress),
    /// Its result.
    Done(T),
    /// It broke: a defect of ours, in one line.
    Failed(String),
}

/// Asks a job to stop; it does so at its next look.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What work is given to tell its progress and to hear a cancel.
pub struct Control {
    cancel: Cancel,
    report: Option<Box<dyn Fn(Progress)>>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Control {
    /// Never cancelled, tells nobody.
    pub fn quiet() -> Self {
        Self { cancel: Cancel::default(), report: None }
    }

    /// Cancelled by `cancel`, tells `report`.
    pub fn new(cancel: Cancel, report: impl Fn(Progress) + 'static) -> Self {
        Self { cancel, report: Some(Box::new(report)) }
    }

    /// Whether to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Tells how far the work has come.
    pub fn progress(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.tell(Progress { what, done, total, speed: None, folder: None });
    }

    /// The same, put together already.
    pub fn tell(&self, progress: Progress) {
        if let Some(report) = &self.report {
            report(progress);
        }
    }

    /// The flag that says whether to stop, for work that looks at it from threads of its own.
    pub fn flag(&self) -> &AtomicBool {
        &self.cancel.0
    }
}

/// Values nest at most 400 deep, but frames of unoptimized builds are large.
const STACK: usize = 64 << 20;

/// Runs `work` on a thread of its own and hands its reports to `report`, on that thread. A panic is a report too, not the
/// end of the program.
pub fn spawn<T, R, W>(name: &str, report: R, work: W) -> Cancel
where
    T: Send + 'static,
    R: Fn(Report<T>) + Clone + Send + 'static,
    W: FnOnce(&Control) -> T + Send + 'static,
{
    let cancel = Cancel::default();
    let seen = cancel.clone();
    let last = report.clone();
    let started = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(move || {
        let tell = report.clone();
        let control = Control::new(seen, move |progress| tell(Report::Progress(progress)));
        let result = catch_unwind(AssertUnwindSafe(|| work(&control)));
        report(match result {
            Ok(done) => Report::Done(done),
            Err(cause) => Report::Failed(panic_text(&*cause)),
        });
    });
    if let Err(error) = started {
        last(Report::Failed(format!("no thread could be started: {error}")));
    }
    cancel
}

fn panic_text(cause: &(dyn std::any::Any + Send)) -> String {
    let text =
        cause.downcast_ref::<&str>().map(|s| (*s).to_owned()).or_else(|| cause.downcast_ref::<String>().cloned());
    format!("a defect in rehearsal: {}", crate::text::safe(&text.unwrap_or_else(|| "no message".into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn run<T: Send + 'static>(
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> (Cancel, mpsc::Receiver<Report<T>>) {
        let (send, receive) = mpsc::channel();
        (spawn("test", move |report| drop(send.send(report)), work), receive)
    }

    #[test]
    fn progress_comes_before_the_result() {
        let (_, reports) = run(|control| {
            control.progress("counting", 1, Some(2));
            7
        });
        assert!(matches!(
            reports.recv(),
            Ok(Report::Progress(Progress { what: "counting", done: 1, total: Some(2), .. }))
        ));
        assert!(matches!(reports.recv(), Ok(Report::Done(7))));
        assert!(reports.recv().is_err());
    }

    #[test]
    fn a_panic_is_reported() {
        let (_, reports) = run(|_| -> u8 { panic!("broken \u{1b}[31m") });
        let Ok(Report::Failed(line)) = reports.recv() else { panic!("no failure reported") };
        assert_eq!(line, "a defect in rehearsal: broken ␛[31m");
    }

    #[test]
    fn a_cancel_is_heard() {
        let (start, started) = mpsc::channel::<()>();
        let (cancel, reports) = run(move |control| {
            started.recv().unwrap();
            control.is_cancelled()
        });
        cancel.cancel();
        start.send(()).unwrap();
        assert!(matches!(reports.recv(), Ok(Report::Done(true))));
    }
}
