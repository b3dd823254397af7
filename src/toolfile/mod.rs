//! A tool file: bytes to a [`Reading`] (rules chapters 1 and 2).
//!
//! Owns: which format a file has, usable and refused tools with their reasons, both hashes, refusals of the whole, a
//! subset by pattern, declared effects, and what differs between two files ([`compare`]). Does not own files on disk,
//! settings, or what a schema admits (`schema`).
//!
//! The walk: [`Source`] parses and hashes; `detect` finds the shape; `openai`, `mcp` or `openapi` hands every tool it
//! finds to one sieve (`found`), which renames, checks and inlines; then `effects`, `only` and the limits of a set.
//!
//! ```
//! use rehearsal::toolfile::{Format, ReadOptions, read};
//! let reading = read(&std::fs::read("examples/warehouse/warehouse.mcp.json")?, &ReadOptions::default());
//! assert_eq!((reading.format, reading.tools.len(), reading.refused.len()), (Some(Format::Mcp), 7, 2));
//! assert_eq!((&*reading.tools[6].name, &*reading.tools[6].original), ("print_label_v2", "print/label v2"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod compare;
mod detect;
mod differences;
mod effects;
mod found;
mod mcp;
mod names;
mod only;
mod openai;
mod openapi;
mod places;
mod reading;
mod source;
mod tool;

pub use differences::{Difference, Differences, differences};
pub use names::rename;
pub use only::Patterns;
pub use reading::{EffectCounts, Format, ReadOptions, Reading, WholeError, WholeKind};
pub use source::{FEWEST_TOOLS, MOST_TOOLS, ONLY_FLAG, Source};
pub use tool::{Effect, HttpShape, Kept, Place, Refused, Style, StyleForm, Tool};

/// Reads a tool file. Never fails: what is wrong is in `error`.
///
/// To read the same bytes again with other options, or to compare two files, keep a [`Source`].
pub fn read(bytes: &[u8], options: &ReadOptions) -> Reading {
    Source::new(bytes).read(options)
}
