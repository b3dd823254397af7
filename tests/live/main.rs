//! Live episodes: the protocol against what real clients sent, a client that is not ours, the transports against each other,
//! processes that are killed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking, like the tests they serve")]

#[cfg(unix)]
mod asking;
mod chains;
mod client;
mod frames;
mod holding;
#[cfg(unix)]
mod killed;
mod lists;
mod support;
