//! The interface.

pub mod widgets;
