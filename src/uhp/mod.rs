//! The Unified Harness Protocol: objects and events on the wire ([`wire`], pure), a server whose harnesses are
//! rehearsals ([`server`]), and a client for any server ([`client`]).
//!
//! Owns everything whose words are the protocol's: task, response, session, harness, output item. Owns no rule of
//! planning or playing: the server asks `plan`, `engine` and `episode` through one narrow trait, its stage.

pub mod client;
pub mod server;
pub mod wire;
