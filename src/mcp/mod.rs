//! The Model Context Protocol, the server's side, tools only: frames in, frames out.
//!
//! Owns: JSON-RPC frames, the five protocol versions of both eras, which tools a task announces and their exact bytes,
//! answers in MCP's form. Pure: whoever holds the connection reads and writes the bytes, and plays the calls. Does not own
//! sockets, records, or what a call does (`engine`).
//!
//! ```
//! use rehearsal::mcp::{Dialog, Reaction};
//! let mut dialog = Dialog::new();
//! let frame = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! let Reaction::Answer(answer) = dialog.take(frame, None).only() else { panic!("a ping is answered at once") };
//! assert_eq!(answer.text, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
//! ```

mod answer;
mod dialog;
mod error;
mod frame;
mod list;
mod modern;
mod params;
mod raw;
mod version;

pub use answer::{call_result, message};
pub use dialog::{Asked, Client, Dialog, Reaction, Reactions, Reply};
pub use error::Problem;
pub use frame::{Id, MAX_FRAME};
pub use list::{Announce, ToolList};
pub use modern::Headers;
pub use version::Version;

/// What the server calls itself, as `serverInfo`.
fn server_info() -> String {
    format!(r#"{{"name":"rehearsal","version":"{}"}}"#, env!("CARGO_PKG_VERSION"))
}
