//! Rule, shaping and changes as plain words, with the places they name (rules 7.8).
//!
//! An explanation is lines of spans; a span that names a step, a write, a call or a place in a schema says so, so that a
//! screen can jump there. Words are made when asked for: the engine itself returns data.
mod changes;
mod shaping;
mod verdict;
mod why;
mod words;

pub use changes::{change, changes};
pub use verdict::{progress, verdict};
pub use why::{schema_place, why};

use crate::engine::Made;
use crate::task::Task;
use crate::value::Str;

/// What a span names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// An expected step, by index.
    Step(usize),
    /// An accepted write, by its index in the store.
    Write(usize),
    /// A call, by its index in the history (its number less one).
    Call(usize),
    /// A place in the argument schema of a shown tool.
    Schema {
        /// The tool.
        tool: Str,
        /// JSON pointer into its argument schema.
        pointer: String,
    },
}

/// Some words, and what they name.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The words; safe to show.
    pub text: String,
    /// What they name.
    pub place: Option<Place>,
}

/// One sentence or two about one thing.
pub type Line = Vec<Span>;

/// Lines of words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    /// The lines, the deciding one first.
    pub lines: Vec<Line>,
}

impl Explanation {
    /// All lines as one text.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line_text(line)).collect();
        lines.join(" ")
    }

    /// The places named, in order.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.lines.iter().flatten().filter_map(|span| span.place.as_ref())
    }
}

/// The words of a line.
pub fn line_text(line: &[Span]) -> String {
    line.iter().map(|span| &*span.text).collect()
}

/// Why a call was answered as it was, as one text: the `why` of `step --json`.
pub fn sentence(task: &Task, made: &Made) -> String {
    why(task, made).text()
}
