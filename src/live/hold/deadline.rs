//! When a caller gives up, and how that is known.

use std::time::Duration;

/// When a caller gives up on a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// Counted from the call's arrival.
    pub after: Duration,
    /// Whether a progress note starts the count again.
    pub resets: bool,
    /// How it is known, in a few words: "its default".
    pub source: &'static str,
}

/// A client whose limit is known by the name it gives itself.
struct Known {
    name: &'static str,
    stdio: u64,
    http: u64,
    resets: bool,
}

/// Limits in seconds, measured on the client or taken from its documentation in December 2026.
const KNOWN: [Known; 8] = [
    Known { name: "openai-agents", stdio: 5, http: 5, resets: false },
    Known { name: "opencode", stdio: 60, http: 60, resets: true },
    Known { name: "codex", stdio: 300, http: 300, resets: false },
    Known { name: "pydantic", stdio: 300, http: 300, resets: false },
    Known { name: "gemini", stdio: 600, http: 600, resets: false },
    Known { name: "claude-code", stdio: 1800, http: 300, resets: true },
    Known { name: "inspector", stdio: 60, http: 60, resets: false },
    Known { name: "typescript", stdio: 60, http: 60, resets: false },
];

/// The limit of a client nobody knows: an agent framework that calls itself "mcp" gives up after 5 s.
const UNKNOWN: Duration = Duration::from_secs(4);

/// The least time between the answer that goes out by itself and the deadline.
const LEAST_MARGIN: Duration = Duration::from_secs(1);

impl Deadline {
    /// The first that is known: what the user set, what the caller's own config says, after how long a caller of this name
    /// gave up before, the table of clients, else 4 s.
    pub fn of(
        set: Option<Duration>,
        config: Option<Duration>,
        seen: Option<Duration>,
        client: Option<&str>,
        http: bool,
    ) -> Self {
        let known = |after, source| Self { after, resets: false, source };
        if let Some(after) = set {
            return known(after, "set by you");
        }
        if let Some(after) = config {
            return known(after, "its config");
        }
        if let Some(after) = seen {
            return known(after, "it gave up then before");
        }
        let name = client.unwrap_or_default().to_ascii_lowercase();
        match KNOWN.iter().find(|known| name.contains(known.name)) {
            Some(found) => Self {
                after: Duration::from_secs(if http { found.http } else { found.stdio }),
                resets: found.resets,
                source: "its default",
            },
            None => known(UNKNOWN, "client not known"),
        }
    }

    /// How long after its arrival a held call is let go: a tenth before the deadline, and at least a second.
    pub fn lets_go_after(&self) -> Duration {
        self.after.saturating_sub((self.after / 10).max(LEAST_MARGIN))
    }
}

/// The longest time a deadline can be set to.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// Reads a time: `50`, `50s`, `4.5s`, `2m`, `1h`. The error is one line.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.trim() {
        t if t.ends_with("ms") => (&t[..t.len() - 2], 0.001),
        t if t.ends_with('s') => (&t[..t.len() - 1], 1.0),
        t if t.ends_with('m') => (&t[..t.len() - 1], 60.0),
        t if t.ends_with('h') => (&t[..t.len() - 1], 3600.0),
        t => (t, 1.0),
    };
    match number.parse::<f64>().map(|n| n * unit) {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("\"{text}\" is not a time; use 50s, 2m or 1h")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_that_is_known_counts() {
        let s = Duration::from_secs;
        let of = |set: Option<u64>, config: Option<u64>, seen: Option<u64>, client: &str| {
            let found = Deadline::of(set.map(s), config.map(s), seen.map(s), Some(client), false);
            (found.after.as_secs(), found.source)
        };
        assert_eq!(of(Some(50), Some(3), Some(2), "codex"), (50, "set by you"));
        assert_eq!(of(None, Some(3), Some(2), "codex"), (3, "its config"));
        assert_eq!(of(None, None, Some(2), "codex"), (2, "it gave up then before"));
        assert_eq!(of(None, None, None, "codex-mcp-client"), (300, "its default"));
        assert_eq!(of(None, None, None, "mcp"), (4, "client not known"));
    }

    #[test]
    fn a_held_call_leaves_before_its_caller_gives_up() {
        let after = |secs: u64| Deadline::of(Some(Duration::from_secs(secs)), None, None, None, true).lets_go_after();
        assert_eq!(after(5), Duration::from_secs(4));
        assert_eq!(after(100), Duration::from_secs(90));
        assert_eq!(after(1), Duration::ZERO);
    }

    #[test]
    fn times_are_read() {
        assert_eq!(parse_time("4.5s"), Ok(Duration::from_millis(4500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_time("300"), Ok(Duration::from_secs(300)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "-1", "1e99h", "NaN", "5 minutes"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
