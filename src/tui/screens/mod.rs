//! One file a screen: its own state, the rows of its panes, what its keys do.

pub mod plan;
pub mod step;
pub mod tools;
pub mod words;
