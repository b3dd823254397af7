//! The protocol over a real socket: the server with plain requests and with the client of this crate, faults between
//! them, restarts, load. Every answer that passes the helper is held against the schema.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking, like the tests they serve")]

mod bounds;
mod client;
mod conformance;
mod connections;
mod endpoints;
mod errors;
mod faults;
mod files;
mod harnesses;
mod idempotency;
mod load;
mod odd_servers;
mod program;
mod proxy;
mod schema;
mod security;
mod sessions;
mod state;
mod streaming;
mod support;
mod tasks;
mod untrusted;
