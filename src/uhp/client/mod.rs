//! A client for any server of the protocol.
//!
//! Owns: requests with the version agreed on, retries only where they are allowed, the key's confinement to its own
//! host, streams with their gaps found and repaired ([`events`]), and pure models that a screen can show: a response as
//! items ([`transcript`]) and steps ([`steps`]), and its calls replayed on a local tool file ([`replay`]).
//!
//! ```
//! use rehearsal::uhp::client::transcript::Transcript;
//! use serde_json::json;
//! let transcript = Transcript::of(&json!({"id": "resp_1", "object": "response", "status": "completed", "output": [
//!     {"type": "function_call", "call_id": "c", "name": "get_order", "arguments": "{\"order_id\": \"A\"}"},
//!     {"type": "function_call_output", "call_id": "c", "output": "{}"},
//! ]}));
//! assert!(transcript.is_over());
//! let (call, answer) = &transcript.calls()[0];
//! assert_eq!((&*call.tool, answer.as_deref()), ("get_order", Some("{}")));
//! ```

mod address;
mod error;
pub mod events;
mod http;
mod pace;
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
