//! Live episodes: a planned task that a real agent or program plays, over MCP or over the document's own routes.
//!
//! Owns: the episode a caller joins, its queue, what it holds and its wire record, the hub that keeps several of them, the sockets and HTTP
//! they are reached by, the stdio server and the shim. Does not own the protocol (`mcp`), what a call does (`engine`) or
//! the run folder (`run`).

mod ask;
mod control;
mod episode;
mod event;
mod hold;
mod http;
mod hub;
mod name;
#[cfg(unix)]
mod orders;
mod routes;
mod seen;
#[cfg(unix)]
mod shim;
#[cfg(unix)]
mod socket;
mod stdio;
mod turn;
mod wire;

pub use ask::{Server, list_tools};
pub use control::{Order, code};
pub use episode::{LiveEpisode, Opening};
pub use event::{Event, What};
pub use hold::{Deadline, Decision, Held, Hold, HoldRule, HoldSettings, LetOut, Stage, Touch, parse_time};
pub use hub::{Hub, HubConfig, Watched};
pub use name::new_name;
#[cfg(unix)]
pub use orders::{order, shown_all};
pub use routes::Routes;
pub use seen::{Holding, Seen, Watching, Wish};
#[cfg(unix)]
pub use shim::join;
pub use stdio::alone;
