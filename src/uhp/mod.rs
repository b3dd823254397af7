//! The Unified Harness Protocol: wire, server, client.
