//! A verdict in letters that are read from across a room.

use crate::engine::Ending;
use crate::theme::Scope;
use crate::tui::widgets::row::Row;
use crate::work::Side;

/// Dots of a letter: five rows of three bits.
const LETTERS: [(char, [u8; 5]); 10] = [
    ('P', [0b110, 0b101, 0b110, 0b100, 0b100]),
    ('A', [0b010, 0b101, 0b111, 0b101, 0b101]),
    ('S', [0b011, 0b100, 0b010, 0b001, 0b110]),
    ('E', [0b111, 0b100, 0b110, 0b100, 0b111]),
    ('D', [0b110, 0b101, 0b101, 0b101, 0b110]),
    ('F', [0b111, 0b100, 0b110, 0b100, 0b100]),
    ('I', [0b111, 0b010, 0b010, 0b010, 0b111]),
    ('L', [0b100, 0b100, 0b100, 0b100, 0b111]),
    ('O', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('N', [0b110, 0b101, 0b101, 0b101, 0b101]),
];

/// Below so many lines there is no room for letters.
const LINES: usize = 9;
/// From so many lines on the letters are large.
const LARGE_LINES: usize = 16;

/// The letters of a side's verdict in a column of this width and a pane of this height; none where there is no room.
pub fn rows(side: &Side, width: usize, height: usize) -> Vec<Row> {
    let verdict = side.episode.verdict();
    let (scope, word) = match side.episode.ending() {
        Ending::Open => (Scope::VerdictOpen, "OPEN"),
        _ if verdict.strict => (Scope::VerdictPassed, "PASSED"),
        _ => (Scope::VerdictFailed, "FAILED"),
    };
    let dots = word.len() * 4 - 1;
    let lines = if height >= LARGE_LINES && width >= 2 * dots {
        large(word)
    } else if height >= LINES && width >= dots {
        small(word)
    } else {
        return Vec::new();
    };
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
    fn every_letter_of_the_words_has_dots() {
        for word in ["PASSED", "FAILED", "OPEN"] {
            for (i, _) in word.chars().enumerate() {
                assert!((0..5).any(|row| (0..3).any(|column| dot(word, row, i * 4 + column))), "{word}: letter {i}");
            }
        }
        assert_eq!(small("PI"), ["█▀▄ ▀█▀ ", "█▀   █  ", "▀   ▀▀▀ "]);
        assert_eq!(large("P")[0], "████    ");
    }
}
