//! What screens are made of: rows of safe text, long lists of which a part is seen, values as lines, text being typed.
//! Widgets know nothing of tools or episodes.

pub mod diff;
pub mod editor;
pub mod filter;
pub mod list;
pub mod outline;
pub mod row;
pub mod scale;
pub mod wrapped;
