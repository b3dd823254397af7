//! A client for any server of the protocol.
//!
//! Owns: requests with the version agreed on, retries only where they are allowed, the key's confinement to its own
//! host, streams with their gaps found and repaired ([`events`]), and pure models that a screen can show: a response as
//! items ([`transcript`]) and steps ([`steps`]), and its calls replayed on a local tool file ([`replay`]).

mod address;
mod error;
pub mod events;
mod http;
pub mod replay;
mod retry;
pub mod steps;
mod task;
pub mod transcript;

pub use address::Address;
pub use error::Error;
pub use events::{Events, Heard};
pub use http::{Client, Settings};
pub use task::TaskInput;
