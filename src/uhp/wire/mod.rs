//! The protocol's objects, events, errors and texts, as plain data: no socket, no clock, no randomness.
//!
//! Owns: what is written and read on the wire, what of a request is acted on, whether a harness, a skill or a plugin
//! package can be taken, and how one is exported. Does not own: who may see what, tasks as they run, storage.
//! Version `2026-09-12`, which is additive to `2026-08-11`: one set of shapes serves both.
//!
//! ```
//! use rehearsal::uhp::wire::sse::{Decoder, frame};
//! let mut decoder = Decoder::new(1 << 20);
//! let frames = decoder.push(frame(Some("7"), r#"{"type":"response.created"}"#).as_bytes()).unwrap();
//! assert_eq!((frames[0].id.as_deref(), frames[0].data.as_str()), (Some("7"), r#"{"type":"response.created"}"#));
//! ```

pub mod discovery;
pub mod error;
pub mod event;
pub mod file;
pub mod harness;
pub mod input;
pub mod model;
pub mod path;
pub mod plain;
pub mod plugin;
pub mod redact;
pub mod request;
pub mod response;
pub mod session;
pub mod skill;
pub mod sse;
pub mod version;

/// A JSON value of the wire. Arguments and answers of calls never pass through it: they travel as text.
pub type Json = serde_json::Value;

/// A JSON object of the wire.
pub type Fields = serde_json::Map<String, Json>;
