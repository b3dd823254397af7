//! The rules, checked from outside: vectors, cases and one test a clause.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a helper of a test that cannot go on fails the test; what was skipped is said"
)]

mod cases;
mod cited;
mod conformance;
mod corpus;
mod dials;
mod draws;
mod engine;
mod episode;
mod export;
mod fuzz;
mod generated;
mod golden;
mod hand;
mod house;
mod invariants;
mod journal;
mod odd;
mod odd_files;
mod openapi;
mod plan;
mod references;
mod schema;
mod settings;
mod task;
mod tool_vectors;
mod toolfile;
mod two_files;
mod user_settings;
mod value;
mod value_json;
mod value_yaml;
mod vectors;
mod why;
