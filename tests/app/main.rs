//! The whole program: subcommands, screens, keys, the binary in a terminal.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a helper of a test that cannot go on fails the test; what was skipped is said"
)]

mod above;
mod cli;
mod clicks;
mod cut;
mod demo;
mod dials;
mod docs;
mod doctor;
mod driver;
mod examples;
mod finding;
mod forms;
mod helps;
mod hub;
mod keys;
mod live;
mod long;
mod palette;
mod playing;
mod program;
mod pty;
mod pty_live;
mod pty_two;
mod pty_world;
mod random;
mod remote;
mod remote_worst;
mod responses;
mod runs;
mod screens;
mod server;
mod step_flags;
mod stepping;
mod store;
mod tools;
mod tour;
mod untrusted;
mod vectors;
mod vt;
mod worst;
