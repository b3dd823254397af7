//! One file a screen: its own state, the rows of its panes, what its keys do.

pub mod plan;
pub mod step;
mod tool_detail;
pub mod tools;
pub mod words;
