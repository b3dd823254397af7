//! The rules, checked from outside: vectors, cases and one test a clause.

mod cases;
mod conformance;
mod corpus;
mod dials;
mod draws;
mod engine;
mod episode;
mod export;
mod hand;
mod house;
mod invariants;
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
mod value;
mod vectors;
mod why;
