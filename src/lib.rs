//! `rehearsal` stands in for an agent's tools: it reads a tool file, plans tasks on it and plays them one call at a time
//! on a local deterministic engine.
//!
//! The floors, from the ground up; a module imports only from floors below it (a test checks the `use crate::` lines):
//!
//! | floor | modules | what they own |
//! |---|---|---|
//! | 1 | [`text`], [`value`] | safe display of untrusted text; JSON values, reading, canonical texts |
//! | 2 | [`schema`] | what a schema admits, the keyed draw |
//! | 3 | [`toolfile`] | bytes to a reading: tools, refusals, hashes |
//! | 4 | [`task`] | what a planned task is; call scripts |
//! | 5 | [`engine`] | the state machine, the store, the verdict, explanations |
//! | 6 | [`plan`] | arms and planned tasks |
//! | 7 | [`episode`], [`align`], [`mcp`] | an episode being played; two sides aligned; MCP frames |
//! | 8 | [`card`] | figures of a run, comparing |
//! | 9 | [`settings`], [`record`] | settings with their origin; append-only records |
//! | 10 | [`run`], [`uhp`] | many episodes; the Unified Harness Protocol |
//! | 11 | [`work`], [`live`] | jobs with progress and cancel; tasks a real agent plays |
//! | 12 | [`theme`], [`cli`], [`tui`] | what a person sees |
//!
//! Everything up to floor 8 is pure: no clock, no files, no sockets, no randomness but the keyed draw.
//!
//! ```
//! use rehearsal::episode::Episode;
//! use rehearsal::plan::{PlanSettings, Planner};
//! use rehearsal::task::{Dial, Ending};
//! use rehearsal::toolfile::{ReadOptions, read};
//! use std::sync::Arc;
//!
//! let bytes = std::fs::read("examples/hotel/hotel.mcp.json")?;
//! let reading = Arc::new(read(&bytes, &ReadOptions::default()));
//! let planner = Planner::new(reading, PlanSettings::default()).unwrap();
//! let mut episode = Episode::new(Arc::new(planner.plan(Dial::Lagged.at(1), 0).unwrap()));
//! while let Some(call) = episode.next_reference() {
//!     episode.make(call);
//! }
//! episode.end(Ending::Reply);
//! assert_eq!(episode.verdict().label, "passed");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod align;
pub mod card;
pub mod cli;
pub mod engine;
pub mod episode;
pub mod live;
pub mod mcp;
pub mod plan;
pub mod record;
pub mod run;
pub mod schema;
pub mod settings;
pub mod task;
pub mod text;
pub mod theme;
pub mod toolfile;
pub mod tui;
pub mod uhp;
pub mod value;
pub mod work;
