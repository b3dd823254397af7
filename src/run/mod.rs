//! Many episodes played on all cores, committed whole in plan order.
//!
//! Owns: playing a planned run with a player, its folder's contents, resuming, the card of a run, opening and comparing runs
//! and cards. Does not own: figures (`card`), lines and files (`record`), or what is printed (`cli`).

mod play;

pub use play::{Episode, MAX_TURNS, Slips, Turn, play};
