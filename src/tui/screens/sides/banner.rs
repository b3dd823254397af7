//! Letters that are read from across a room: of a verdict, of what two calls say differently.

use crate::engine::Ending;
use crate::episode::Episode;
use crate::theme::Scope;
use crate::tui::widgets::row::Row;

/// Dots of a letter: five rows of three bits.
const LETTERS: [(char, [u8; 5]); 44] = [
    ('A', [0b010, 0b101, 0b111, 0b101, 0b101]),
    ('B', [0b110, 0b101, 0b110, 0b101, 0b110]),
    ('C', [0b011, 0b100, 0b100, 0b100, 0b011]),
    ('D', [0b110, 0b101, 0b101, 0b101, 0b110]),
    ('E', [0b111, 0b100, 0b110, 0b100, 0b111]),
    ('F', [0b111, 0b100, 0b110, 0b100, 0b100]),
    ('G', [0b011, 0b100, 0b101, 0b101, 0b011]),
    ('H', [0b101, 0b101, 0b111, 0b101, 0b101]),
    ('I', [0b111, 0b010, 0b010, 0b010, 0b111]),
    ('J', [0b001, 0b001, 0b001, 0b101, 0b010]),
    ('K', [0b101, 0b101, 0b110, 0b101, 0b101]),
    ('L', [0b100, 0b100, 0b100, 0b100, 0b111]),
    ('M', [0b101, 0b111, 0b111, 0b101, 0b101]),
    ('N', [0b110, 0b101, 0b101, 0b101, 0b101]),
    ('O', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('P', [0b110, 0b101, 0b110, 0b100, 0b100]),
    ('Q', [0b111, 0b101, 0b101, 0b111, 0b001]),
    ('R', [0b110, 0b101, 0b110, 0b101, 0b101]),
    ('S', [0b011, 0b100, 0b010, 0b001, 0b110]),
    ('T', [0b111, 0b010, 0b010, 0b010, 0b010]),
    ('U', [0b101, 0b101, 0b101, 0b101, 0b111]),
    ('V', [0b101, 0b101, 0b101, 0b101, 0b010]),
    ('W', [0b101, 0b101, 0b111, 0b111, 0b101]),
    ('X', [0b101, 0b101, 0b010, 0b101, 0b101]),
    ('Y', [0b101, 0b101, 0b010, 0b010, 0b010]),
    ('Z', [0b111, 0b001, 0b010, 0b100, 0b111]),
    ('0', [0b010, 0b101, 0b101, 0b101, 0b010]),
    ('1', [0b010, 0b110, 0b010, 0b010, 0b111]),
    ('2', [0b110, 0b001, 0b010, 0b100, 0b111]),
    ('3', [0b111, 0b001, 0b011, 0b001, 0b111]),
    ('4', [0b101, 0b101, 0b111, 0b001, 0b001]),
    ('5', [0b111, 0b100, 0b110, 0b001, 0b110]),
    ('6', [0b011, 0b100, 0b111, 0b101, 0b111]),
    ('7', [0b111, 0b001, 0b010, 0b010, 0b010]),
    ('8', [0b111, 0b101, 0b111, 0b101, 0b111]),
    ('9', [0b111, 0b101, 0b111, 0b001, 0b110]),
    (' ', [0; 5]),
    ('-', [0b000, 0b000, 0b111, 0b000, 0b000]),
    ('.', [0b000, 0b000, 0b000, 0b000, 0b010]),
    (',', [0b000, 0b000, 0b000, 0b010, 0b100]),
    (':', [0b000, 0b010, 0b000, 0b010, 0b000]),
    ('/', [0b001, 0b001, 0b010, 0b100, 0b100]),
    ('_', [0b000, 0b000, 0b000, 0b000, 0b111]),
    ('+', [0b000, 0b010, 0b111, 0b010, 0b000]),
];

/// How large letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Two columns a dot, five lines.
    Large,
    /// Two rows of dots a line, three lines.
    Small,
}

/// A text in letters; nothing when there is no such letter, or no room.
pub fn letters(text: &str, size: Size, width: usize) -> Option<Vec<String>> {
    let dots = (text.chars().count() * 4).checked_sub(1)?;
    let known = text.chars().all(|c| LETTERS.iter().any(|(letter, _)| *letter == c));
    match size {
        Size::Large if known && width >= 2 * dots => Some(large(text)),
        Size::Small if known && width >= dots => Some(small(text)),
        _ => None,
    }
}

/// Below this many lines there is no room for letters.
const LINES: usize = 9;
/// Lines from which the letters are large.
const LARGE_LINES: usize = 16;

/// The letters of an episode's verdict in a column of this width and a pane of this height; none where there is no room.
pub fn rows(episode: &Episode, width: usize, height: usize) -> Vec<Row> {
    let verdict = episode.verdict();
    let (scope, word) = match episode.ending() {
        Ending::Open => (Scope::VerdictOpen, "OPEN"),
        _ if verdict.strict => (Scope::VerdictPassed, "PASSED"),
        _ => (Scope::VerdictFailed, "FAILED"),
    };
    let large = letters(word, Size::Large, width).filter(|_| height >= LARGE_LINES);
    let lines = large.or_else(|| letters(word, Size::Small, width).filter(|_| height >= LINES));
    let Some(lines) = lines else { return Vec::new() };
    let mut rows = vec![Row::new()];
    rows.extend(lines.iter().map(|line| Row::of(scope, line)));
    rows.push(Row::new());
    rows
}

/// Whether a dot of the word is set.
fn dot(word: &str, row: usize, column: usize) -> bool {
    let letter = word.chars().nth(column / 4);
    let bits = LETTERS.iter().find(|(c, _)| Some(*c) == letter).and_then(|(_, bits)| bits.get(row)).copied();
    column % 4 < 3 && bits.unwrap_or(0) >> (2 - column % 4) & 1 == 1
}

/// Two columns a dot.
fn large(word: &str) -> Vec<String> {
    let line = |row| (0..word.len() * 4).map(|column| if dot(word, row, column) { "██" } else { "  " }).collect();
    (0..5).map(line).collect()
}

/// Two rows of dots a line.
fn small(word: &str) -> Vec<String> {
    let cell = |row: usize, column: usize| match (dot(word, row, column), dot(word, row + 1, column)) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    };
    [0, 2, 4].map(|row| (0..word.len() * 4).map(|column| cell(row, column)).collect()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_dots_of_its_own() {
        for (i, (letter, dots)) in LETTERS.iter().enumerate() {
            assert_eq!(*letter == ' ', dots.iter().all(|row| *row == 0), "{letter}");
            assert!(dots.iter().all(|row| *row < 8), "{letter}");
            assert!(LETTERS[..i].iter().all(|(_, other)| other != dots), "{letter} looks like another");
        }
        for word in ["PASSED", "FAILED", "OPEN"] {
            assert!(letters(word, Size::Small, 80).is_some());
        }
        assert_eq!(small("PI"), ["█▀▄ ▀█▀ ", "█▀   █  ", "▀   ▀▀▀ "]);
        assert_eq!(large("P")[0], "████    ");
        assert_eq!(letters("é", Size::Small, 80), None);
        assert_eq!(letters("", Size::Small, 80), None);
        assert_eq!(letters("ABC", Size::Small, 10), None);
        assert!(letters("ABC", Size::Small, 11).is_some() && letters("ABC", Size::Large, 22).is_some());
    }
}
