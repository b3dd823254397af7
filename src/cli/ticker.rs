//! How far a command is, on stderr: one line that is overwritten in a terminal, or a line now and then without one.

use super::Failure;
use crate::run::{Source, Tell};
use crate::text;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a line is written where it cannot be written over.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// What is done sooner is not told of.
const PATIENCE: Duration = Duration::from_millis(400);

/// One line on stderr.
pub(super) fn say(line: &str) {
    // Nobody may be listening there; the work matters more.
    let _ = writeln!(std::io::stderr(), "{}", text::safe(line));
}

/// Tells how far it is.
pub(super) struct Ticker {
    terminal: bool,
    shown: bool,
    last: Instant,
}

impl Ticker {
    pub(super) fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), shown: false, last: Instant::now() }
    }

    pub(super) fn tell(&mut self, line: &str) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            self.shown = true;
        } else if self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            say(line);
        }
    }

    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Opens a run or card, with progress if it takes long.
pub(super) fn open(path: &Path) -> Result<Source, Failure> {
    telling(path, |tell| Source::open_telling(path, tell))
}

/// Does something with a run or card, telling how far it is when that takes its time.
pub(super) fn telling<T>(path: &Path, work: impl FnOnce(&mut Tell<'_>) -> Result<T, String>) -> Result<T, Failure> {
    let (mut ticker, started) = (Ticker::new(), Instant::now());
    let done = work(&mut |what, done, of| {
        if started.elapsed() >= PATIENCE && of > 0 {
            let share = u128::from(done.min(of)) * 100 / u128::from(of);
            ticker.tell(&format!("{}: {what}, {share} %", text::safe(&path.display().to_string())));
        }
        true
    });
    ticker.clear();
    done.map_err(Failure::Refused)
}
