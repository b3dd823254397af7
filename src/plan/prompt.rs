//! The system prompt: what an agent reads before any request (rules 5.8, 7.5).
use crate::task::Dial;

/// The prompt's sentences before and after what a dial adds; the set's name stands between the first two.
pub(super) const OPENING: &str = "You are given the tools of ";
/// What is asked for on every arm.
pub(super) const MANNER: &str = "Make one tool call in each turn, its arguments as one JSON object, and wait for the \
                                 answer before the next. When a tool answers that it is unavailable, make the same call \
                                 again.";
/// How to end.
pub(super) const CLOSING: &str = "Change nothing that the request does not ask you to change. When all of it is done, \
                                  say so in a plain text message without a tool call.";

/// The sentence a dial adds at every level of its arms, since nothing else in the episode can tell.
pub(super) fn added(dial: Dial) -> Option<&'static str> {
    match dial {
        Dial::Timeouts => Some("A call that timed out did not go through: make the same call again."),
        Dial::RateLimits => Some(
            "A call that met a rate limit was not made: make it again. There is no need to wait, since no time passes \
             here.",
        ),
        Dial::Landed => Some(
            "A call that timed out may have gone through all the same: never make it again unless a read shows that it \
             did not go through.",
        ),
        Dial::BadData => Some(
            "A read may answer wrongly once, for another record than the one asked for or with a wrong value: make the \
             same read again, go by the later answer, and only then make the change.",
        ),
        Dial::Lagged => Some(
            "After a change, read back what was changed. A read may be behind once: when it does not show the change, \
             read again, and never make the change again.",
        ),
        _ => None,
    }
}
