//! When a request may be sent again, and how long to wait before.

use super::Error;
use crate::uhp::wire::error::Retry;
use std::time::Duration;

/// Most times one request is sent.
pub(super) const MOST: u32 = 5;

/// Longest wait before a request is sent again.
const LONGEST: Duration = Duration::from_secs(30);

/// Whether sending a request twice is the same as sending it once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// It is: reading, cancelling, or running a task under a key that the server keeps.
    Harmless,
    /// It is not: only a request that surely did nothing is sent again.
    Doubles,
}

/// How long to wait before sending a request again, `None` when it must not be. `sent` counts from 1.
pub(super) fn wait(error: &Error, again: Again, sent: u32, jitter: f64) -> Option<Duration> {
    if sent >= MOST {
        return None;
    }
    let named = match error {
        Error::Connect(_) => None,
        // A server that was silent once is asked once more: whoever waits should not wait five times as long.
        Error::Silent(_) if sent > 1 => return None,
        Error::Broken(_) | Error::Silent(_) => {
            if again == Again::Doubles {
                return None;
            }
            None
        }
        Error::Refused { status, error, retry_after } => {
            if error.retry(*status) != Retry::Backoff {
                return None;
            }
            // A refusal for want of capacity did nothing; any other fault may have happened half way.
            if again == Again::Doubles && !matches!(status, 429 | 503) {
                return None;
            }
            *retry_after
        }
        Error::Protocol(_) => return None,
    };
    let grown = Duration::from_millis(250) * 2u32.saturating_pow(sent - 1);
    let grown = grown.mul_f64(0.5 + jitter.clamp(0.0, 1.0));
    Some(named.map_or(grown, |s| grown.max(Duration::from_secs(s))).min(LONGEST))
}

/// A random number from 0 to 1, so that many clients do not come back at once.
pub(super) fn jitter() -> f64 {
    let mut byte = [0u8; 1];
    getrandom::fill(&mut byte).map_or(0.5, |()| f64::from(byte[0]) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uhp::wire::error::{Code, Problem};

    fn refused(code: Code, retry_after: Option<u64>) -> Error {
        Error::Refused { status: code.status(), error: Box::new(Problem::new(code, "x").body()), retry_after }
    }

    #[test]
    fn only_what_may_be_repeated_is() {
        let may = |e: &Error, again| wait(e, again, 1, 0.5).is_some();
        for code in [Code::RateLimited, Code::HarnessUnavailable] {
            assert!(may(&refused(code, None), Again::Doubles) && may(&refused(code, None), Again::Harmless));
        }
        assert!(!may(&refused(Code::Internal, None), Again::Doubles));
        assert!(may(&refused(Code::Internal, None), Again::Harmless));
        for code in [Code::QuotaExhausted, Code::SessionBusy, Code::InvalidInput, Code::InvalidCredential] {
            assert!(!may(&refused(code, None), Again::Harmless), "{code:?}");
        }
        assert!(may(&Error::Connect(String::new()), Again::Doubles));
        assert!(!may(&Error::Broken(String::new()), Again::Doubles));
        assert!(may(&Error::Broken(String::new()), Again::Harmless));
        let silent = Error::Silent(String::new());
        assert!(may(&silent, Again::Harmless) && !may(&silent, Again::Doubles));
        assert_eq!(wait(&silent, Again::Harmless, 2, 0.5), None);
        assert!(!may(&Error::Protocol(String::new()), Again::Harmless));
    }

    #[test]
    fn waits_grow_listen_to_the_server_and_end() {
        let error = refused(Code::RateLimited, None);
        assert_eq!(wait(&error, Again::Harmless, 1, 0.5), Some(Duration::from_millis(250)));
        assert_eq!(wait(&error, Again::Harmless, 3, 0.5), Some(Duration::from_secs(1)));
        assert_eq!(wait(&error, Again::Harmless, MOST, 0.5), None);
        assert_eq!(wait(&refused(Code::RateLimited, Some(3)), Again::Harmless, 1, 0.0), Some(Duration::from_secs(3)));
        assert_eq!(wait(&refused(Code::RateLimited, Some(9_999)), Again::Harmless, 1, 0.0), Some(LONGEST));
    }
}
