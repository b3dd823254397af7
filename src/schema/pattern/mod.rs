//! `pattern` (rules 3.4): what Python 3.11's `re` compiles, searched as Python searches; what it does not compile admits
//! everything.
//!
//! The grammar is Python's own ([`parse`]), so is the meaning of every set ([`sets`]); two matchers share them. A regular
//! pattern is searched in [`linear`] time, however often it counts; one with look-around, back references, atomic groups or
//! conditions is searched by trying ([`trying`]), and one that tries too long is given up and admits everything.

mod aliases;
mod cases;
mod classes;
mod escape;
mod identifiers;
mod linear;
mod marks;
mod ops;
mod parse;
mod sets;
mod store;
mod syntax;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod trying;

pub use store::given_up_patterns;

pub(super) use store::admits;

use classes::{SPACE, WORD, ZEROS};
use linear::Linear;
use trying::Trying;

/// What a search came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// The pattern is somewhere in the text.
    Yes,
    /// It is not.
    No,
    /// Too much was tried to tell.
    GaveUp,
}

/// A pattern that Python compiles.
#[derive(Debug)]
pub(super) struct Pattern {
    matcher: Matcher,
}

#[derive(Debug)]
enum Matcher {
    Linear(Linear),
    Trying(Trying),
}

impl Pattern {
    /// Compiles a pattern; `None` when Python 3.11 does not.
    pub(super) fn compile(source: &str) -> Option<Self> {
        let tree = tree::Tree::of(&parse::parse(source)?);
        let linear = if tree.is_regular { Linear::compile(&tree) } else { None };
        let matcher = linear.map_or_else(|| Matcher::Trying(Trying::compile(tree)), Matcher::Linear);
        Some(Self { matcher })
    }

    /// Searches a text for the pattern, as `re.search` does.
    pub(super) fn find(&self, text: &str) -> Match {
        match &self.matcher {
            Matcher::Linear(linear) => linear.find(text),
            Matcher::Trying(trying) => trying.find(text),
        }
    }

    /// How much room it takes, in instructions.
    fn size(&self) -> usize {
        match &self.matcher {
            Matcher::Linear(linear) => linear.size(),
            Matcher::Trying(trying) => trying.size(),
        }
    }
}

/// The value of a Unicode decimal digit.
pub(crate) fn decimal_digit(letter: char) -> Option<u32> {
    if letter.is_ascii() {
        return letter.to_digit(10);
    }
    let code = u32::from(letter);
    let run = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    ZEROS.get(run).map(|zero| code - zero).filter(|digit| *digit < 10)
}

/// Whether a sorted list of runs holds a code point.
fn holds(runs: &[(u32, u32)], code: u32) -> bool {
    let run = runs.partition_point(|(first, _)| *first <= code).checked_sub(1);
    run.and_then(|run| runs.get(run)).is_some_and(|(_, last)| code <= *last)
}

/// Whether a character is white space (`str.isspace`).
pub(super) fn is_space(letter: char) -> bool {
    holds(&SPACE, u32::from(letter))
}

/// Whether a character is of `\w`.
fn is_word(letter: char, ascii: bool) -> bool {
    if letter.is_ascii() {
        letter.is_ascii_alphanumeric() || letter == '_'
    } else {
        !ascii && holds(&WORD, u32::from(letter))
    }
}

/// Text as Python's `int` reads it: white space around it, a sign, single underscores between digits, digits of any script.
/// Gives whether there is a minus, and the number, held at the largest.
pub(super) fn python_integer(text: &str) -> Option<(bool, usize)> {
    let text = text.trim_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number = 0_usize;
    for group in digits.split('_') {
        if group.is_empty() {
            return None;
        }
        for digit in group.chars() {
            number = number.saturating_mul(10).saturating_add(decimal_digit(digit)? as usize);
        }
    }
    Some((negative, number))
}
