//! The stepper's journal: a file a session, one line for each thing that happened, written before the next key is answered.
//!
//! [`Tracker`] sees what changed in an episode, whatever changed it, as [`Event`]s; [`Journal`] appends them; [`Session`]
//! reads them back and plays them again. A session that is open holds its file locked, so two never write into one; a file
//! nobody holds and nobody closed is a session that was left.

mod file;
mod left;
mod line;
mod session;
mod tracker;

pub use file::{Journal, any_taken, left, newest, taken};
pub use left::Left;
pub use line::{Began, Event, From};
pub use session::{Past, Replayed, Session};
pub use tracker::Tracker;
