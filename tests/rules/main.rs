//! The rules, checked from outside: vectors, cases and one test a clause.

mod schema;
mod value;
