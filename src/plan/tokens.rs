//! Token counts in o200k_base (rules 5.4): the ranks are loaded when the first count is asked for.
//!
//! What is counted (a tool's name, arguments and answers as escaped JSON) is ASCII. For that the pieces that the
//! encoding's pattern cuts a text into are found here, without a regular expression; any other text goes through
//! tiktoken-rs whole. A test holds the two against each other.
//!
//! ```
//! use rehearsal::plan::tokens;
//! assert_eq!(tokens::count("hello world"), 2);
//! ```
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;
use tiktoken_rs::{Rank, o200k_base, o200k_base_singleton};

/// One more than the highest rank of an ordinary token.
const RANKS: Rank = 199_998;

/// Pieces longer than this are merged by a queue instead of by looking for the lowest rank each time.
const LONG: usize = 96;

/// Tokens of a text in ordinary encoding: special tokens count as the text they are.
pub fn count(text: &str) -> u32 {
    let tokens = match &*TABLE {
        Some(table) if text.is_ascii() => pieces(text.as_bytes()).map(|piece| table.tokens(piece)).sum(),
        _ => o200k_base_singleton().count_ordinary(text),
    };
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

static TABLE: LazyLock<Option<Table>> = LazyLock::new(|| {
    let encoding = o200k_base().ok()?;
    let mut table = Table::default();
    for rank in 0..RANKS {
        if let Ok(token) = encoding.decode_bytes(&[rank]) {
            match packed(&token) {
                Some(word) => drop(table.short.insert(word, rank)),
                None => drop(table.long.insert(token.into_boxed_slice(), rank)),
            }
        }
    }
    Some(table)
});

/// Every token's rank, by its bytes.
#[derive(Default)]
struct Table {
    /// The tokens that fit into one word: most of them, and nearly all that are asked for.
    short: HashMap<u64, Rank, BuildHasherDefault<Mix>>,
    long: HashMap<Box<[u8]>, Rank, BuildHasherDefault<Mix>>,
}

/// Up to seven bytes and their number as one word.
fn packed(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len()).filter(|_| bytes.len() < 8)?.copy_from_slice(bytes);
    word[7] = bytes.len() as u8;
    Some(u64::from_le_bytes(word))
}

/// A part of a piece: where it begins, and the rank of it joined with the next.
type Begun = (usize, Rank);

/// The rank of what is not a token: above all others.
const NONE: Rank = Rank::MAX;

impl Table {
    /// Tokens of one piece: pairs are merged, lowest rank first, the first of equals, until no two of them make a token.
    fn tokens(&self, piece: &[u8]) -> usize {
        if piece.len() < 2 || self.rank(piece).is_some() {
            return 1;
        }
        if piece.len() <= LONG { self.merge_short(piece) } else { self.merge_long(piece) }
    }

    fn rank(&self, bytes: &[u8]) -> Option<Rank> {
        match packed(bytes) {
            Some(word) => self.short.get(&word).copied(),
            None => self.long.get(bytes).copied(),
        }
    }

    fn merge_short(&self, piece: &[u8]) -> usize {
        // the end is a part of its own
        let mut room: [Begun; LONG + 1] = [(0, NONE); LONG + 1];
        let mut len = piece.len() + 1;
        let joined = |parts: &[Begun], i: usize| match parts.get(i + 2) {
            Some(end) => self.rank(&piece[parts[i].0..end.0]).unwrap_or(NONE),
            None => NONE,
        };
        for (i, part) in room[..len].iter_mut().enumerate() {
            part.0 = i;
        }
        for i in 0..len {
            room[i].1 = joined(&room[..len], i);
        }
        loop {
            let mut lowest = (NONE, 0);
            for (i, part) in room[..len].iter().enumerate() {
                if part.1 < lowest.0 {
                    lowest = (part.1, i);
                }
            }
            let (rank, i) = lowest;
            if rank == NONE {
                return len - 1;
            }
            room.copy_within(i + 2..len, i + 1);
            len -= 1;
            room[i].1 = joined(&room[..len], i);
            if let Some(before) = i.checked_sub(1) {
                room[before].1 = joined(&room[..len], before);
            }
        }
    }

    fn merge_long(&self, piece: &[u8]) -> usize {
        let end = piece.len();
        // parts by the byte they begin at: where the next begins, where the one before does
        let mut next: Vec<usize> = (1..=end).collect();
        let mut before: Vec<Option<usize>> = (0..end).map(|i| i.checked_sub(1)).collect();
        let mut queue = BinaryHeap::new();
        let push = |queue: &mut BinaryHeap<_>, next: &[usize], from: usize| {
            if let Some(&to) = next.get(next[from]) {
                queue.extend(self.rank(&piece[from..to]).map(|rank| std::cmp::Reverse((rank, from, to))));
            }
        };
        for from in 0..end {
            push(&mut queue, &next, from);
        }
        let mut parts = end;
        while let Some(std::cmp::Reverse((_, from, to))) = queue.pop() {
            // what has been merged since is no pair any more
            let middle = next[from];
            if middle >= end || next[middle] != to || before.get(middle) != Some(&Some(from)) {
                continue;
            }
            next[from] = to;
            // no part begins in the middle any more
            before[middle] = None;
            next[middle] = end;
            parts -= 1;
            if let Some(after) = before.get_mut(to) {
                *after = Some(from);
            }
            push(&mut queue, &next, from);
            if let Some(earlier) = before[from] {
                push(&mut queue, &next, earlier);
            }
        }
        parts
    }
}

/// A quick hash for short keys that nobody chooses to collide: the table holds the published tokens alone.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let word = eight.iter().rev().fold(0, |word: u64, b| word << 8 | u64::from(*b));
            self.write_u64(word);
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    fn finish(&self) -> u64 {
        // the table takes the top bits and the bottom ones
        self.0 ^ (self.0 >> 32)
    }
}

/// The pieces o200k_base's pattern cuts an ASCII text into.
fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..).filter(|rest| !rest.is_empty())?;
        let length = piece(rest);
        from += length;
        Some(&rest[..length])
    })
}

fn is_space(b: u8) -> bool {
    matches!(b, b'\t'..=b'\r' | b' ')
}

/// Neither space nor letter nor digit.
fn is_sign(b: u8) -> bool {
    !is_space(b) && !b.is_ascii_alphanumeric()
}

/// How many bytes from `from` on pass the test.
fn run(text: &[u8], from: usize, test: impl Fn(u8) -> bool) -> usize {
    text.get(from..).unwrap_or_default().iter().take_while(|b| test(**b)).count()
}

/// The length of the first piece of a text that is not empty; the alternatives of the pattern, in order.
fn piece(text: &[u8]) -> usize {
    let first = text[0];
    // letters, with one sign or blank before them and a contraction behind them
    let lead = usize::from(!first.is_ascii_alphanumeric() && first != b'\r' && first != b'\n');
    let capitals = run(text, lead, |b| b.is_ascii_uppercase());
    let small = run(text, lead + capitals, |b| b.is_ascii_lowercase());
    if capitals + small > 0 {
        let end = lead + capitals + small;
        return end + contraction(&text[end..]);
    }
    if first.is_ascii_digit() {
        return run(text, 0, |b| b.is_ascii_digit()).min(3);
    }
    // signs, with a blank before them and line ends and slashes behind them
    let blank = usize::from(first == b' ');
    let signs = run(text, blank, is_sign);
    if signs > 0 {
        let end = blank + signs;
        return end + run(text, end, |b| matches!(b, b'\r' | b'\n' | b'/'));
    }
    // blanks: up to the last line end; else all but the one before what follows
    let blanks = run(text, 0, is_space);
    match text[..blanks].iter().rposition(|b| matches!(b, b'\r' | b'\n')) {
        Some(last) => last + 1,
        None if blanks == text.len() => blanks,
        None => (blanks - 1).max(1),
    }
}

/// The length of a contraction (`'s`, `'ll`, ...) that a text begins with.
fn contraction(text: &[u8]) -> usize {
    let small = |i: usize| text.get(i).map(u8::to_ascii_lowercase);
    match (text.first(), small(1), small(2)) {
        (Some(b'\''), Some(b's' | b't' | b'm' | b'd'), _) => 2,
        (Some(b'\''), Some(b'r' | b'v'), Some(b'e')) | (Some(b'\''), Some(b'l'), Some(b'l')) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(text: &str) -> u32 {
        o200k_base_singleton().count_ordinary(text) as u32
    }

    #[test]
    fn special_tokens_count_as_text() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert!(count("<|endoftext|>") > 1);
        assert_eq!(count("naïve 😀 日本"), whole("naïve 😀 日本"));
    }

    #[test]
    fn texts_of_every_kind_count_as_the_encoding_counts_them() {
        for text in [
            r#"{"id":"advpql3jt0zpwv0a","ok":true}"#,
            "it's THEY'LL don'T we'RE I'd 'tis ''s X'v",
            "a  b   c\t\td \n e\r\n\r\n  f \n\n  ",
            "1234567 12 1 a1b22c333",
            "CamelCase HTTPServer aB Ab AB a B",
            " !? //\n//a ...\n\n/x {\"a\":[]}",
            "\u{0}\u{b}\u{c}\u{1c}\u{7f}x",
        ] {
            assert_eq!(count(text), whole(text), "{text:?}");
        }
        for n in [95, 96, 97, 98, 200, 500] {
            let word: String = "thequickbrownfoxjumpsoverthelazydog".chars().cycle().take(n).collect();
            assert_eq!(count(&word), whole(&word), "{n} letters");
            let same = "a".repeat(n);
            assert_eq!(count(&same), whole(&same), "{n} times a");
        }
    }

    #[test]
    fn a_very_long_word_is_counted_at_once() {
        let word: String = (0..400_000_u32).map(|i| char::from(b'a' + (i.wrapping_mul(i) % 26) as u8)).collect();
        assert!(count(&word) > 10_000);
    }

    proptest! {
        #[test]
        fn any_ascii_text_counts_as_the_encoding_counts_it(text in "[ -~\t\n\r]{0,60}") {
            prop_assert_eq!(count(&text), whole(&text));
        }

        #[test]
        fn words_and_blanks_count_as_the_encoding_counts_them(text in "[a-cA-C'sStTlL  \n/.1-3]{0,200}") {
            prop_assert_eq!(count(&text), whole(&text));
        }

        #[test]
        fn long_words_count_as_the_encoding_counts_them(text in "[a-z]{90,300}") {
            prop_assert_eq!(count(&text), whole(&text));
        }
    }
}
