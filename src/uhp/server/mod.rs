//! A server whose harnesses are rehearsals.
//!
//! Owns: who may see what, tasks as they run, the log of each, files, storage, HTTP. A supervisor owns a task; requests
//! and streams only start it, read its log or ask it to stop, so a reader that leaves takes nothing along. Does not own
//! how a task is played: that is asked of a [`stage::Stage`].
//!
//! ```
//! use rehearsal::plan::PlanSettings;
//! use rehearsal::toolfile::{ReadOptions, read};
//! use rehearsal::uhp::server::house::{House, Served};
//! use rehearsal::uhp::server::stage::Stage;
//! use std::sync::Arc;
//! let bytes = std::fs::read("examples/hotel/hotel.mcp.json")?;
//! let house = House::new(vec![Served {
//!     stem: "hotel".to_owned(),
//!     reading: Arc::new(read(&bytes, &ReadOptions::default())),
//!     settings: PlanSettings::default(),
//!     seeds: vec![0, 1],
//!     measure: None,
//! }])
//! .unwrap();
//! assert_eq!(house.bases().len(), 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod app;
mod config;
mod extract;
pub mod house;
mod layers;
mod listen;
mod log;
mod mint;
mod plain;
mod reply;
mod routes;
mod socket;
pub mod stage;
mod store;
mod stream;
mod supervisor;
mod world;

pub use app::App;
pub use config::{Config, Limits, Principal};
pub use listen::{check_address, serve};
pub use log::Log;
pub use mint::random_key;
pub use supervisor::{Note, NoteKind};
pub use world::Task;
