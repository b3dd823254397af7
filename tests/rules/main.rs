//! The rules, checked from outside: vectors, cases and one test a clause.

mod references;
mod schema;
mod value;
