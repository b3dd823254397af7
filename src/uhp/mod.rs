//! The Unified Harness Protocol: objects and events on the wire ([`wire`], pure), a server whose harnesses are
//! rehearsals ([`server`]), and a client for any server ([`client`]).
//!
//! Owns everything whose words are the protocol's: task, response, session, harness, output item. Owns no rule of
//! planning or playing: the server asks `plan`, `engine` and `episode` through one narrow trait, its stage.
//!
//! ```
//! use rehearsal::uhp::client::Address;
//! use rehearsal::uhp::wire::version;
//! assert_eq!(version::negotiate(None).unwrap(), version::DEFAULT);
//! let address = Address::parse("https://harness.example/base/v1").unwrap();
//! assert_eq!(address.join(&["v1", "uhp"]).as_str(), "https://harness.example/base/v1/uhp");
//! ```

pub mod client;
pub mod server;
pub mod wire;
