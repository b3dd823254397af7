//! A client for any server of the protocol.
//!
//! Owns: requests with the version agreed on, retries only where they are allowed, the key's confinement to its own
//! host, streams with their gaps found and repaired ([`events`]), and two pure models that a screen can show: a response
//! as items and steps ([`transcript`]), and its calls replayed on a local tool file ([`replay`]).

mod address;
mod error;
pub mod events;
mod http;
pub mod replay;
mod retry;
mod task;
pub mod transcript;

pub use address::Address;
pub use error::Error;
pub use events::{Events, Heard};
pub use http::{Client, Settings};
pub use task::TaskInput;
