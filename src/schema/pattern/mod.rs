//! `pattern` (rules 3.4): what Python 3.11's `re` compiles, searched as Python searches; what it does not compile admits
//! everything.

mod classes;

use classes::{SPACE, ZEROS};

/// The value of a Unicode decimal digit.
pub(super) fn decimal_digit(letter: char) -> Option<u32> {
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

/// Whether a text fits a pattern.
pub(super) fn admits(source: &str, text: &str) -> bool {
    let Ok(regex) = fancy_regex::Regex::new(source) else { return true };
    regex.is_match(text).unwrap_or(true)
}
