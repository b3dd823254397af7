//! How slowly a server may answer: silence is counted between pieces, and a piece of one byte must not be enough to keep a
//! client for years.

use super::Error;
use std::time::{Duration, Instant};

/// Fewest bytes a second once the silence that is allowed has passed.
const FEWEST: f64 = 1024.0;

/// The pace of one body, or of one line of a stream.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    bytes: usize,
    silence: Duration,
}

impl Pace {
    /// Begins to count; `silence` is how long nothing at all may come.
    pub(super) fn new(silence: Duration) -> Self {
        Self { since: Instant::now(), bytes: 0, silence }
    }

    /// Counts a piece. The error says that the server is too slow to be waited for.
    pub(super) fn take(&mut self, piece: usize) -> Result<(), Error> {
        self.bytes += piece;
        let waited = self.since.elapsed();
        let late = waited.saturating_sub(self.silence).as_secs_f64();
        if (self.bytes as f64) < late * FEWEST {
            let seconds = waited.as_secs();
            return Err(Error::Silent(format!("only {} came in {seconds} s", crate::text::bytes(self.bytes as u64))));
        }
        Ok(())
    }

    /// Starts over: a line is complete.
    pub(super) fn restart(&mut self) {
        *self = Self::new(self.silence);
    }
}
