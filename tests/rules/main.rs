//! The rules, checked from outside: vectors, cases and one test a clause.

mod dials;
mod engine;
mod hand;
mod references;
mod schema;
mod settings;
mod value;
mod vectors;
mod why;
