//! A client for any server of the protocol.
