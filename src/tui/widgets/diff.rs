//! Two texts line by line, side by side or one below the other, with what changed inside a line marked.

use super::list::Rows;
use super::row::Row;
use crate::theme::Scope;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Texts of more lines than this are not paired line by line: the work would grow with the square of what differs.
const MOST_LINES: usize = 20_000;
/// Lines of more words than this are marked whole.
const MOST_WORDS: usize = 400;

/// Two texts, paired.
#[derive(Debug, Clone, Default)]
pub struct Diff {
    left: Vec<String>,
    right: Vec<String>,
    pairs: Vec<Pair>,
    /// The rows of the view that has changed lines one below the other: a pair, and whether it is its right line.
    unified: Vec<(u32, bool)>,
}

/// Lines that stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    left: Option<u32>,
    right: Option<u32>,
    same: bool,
}

impl Diff {
    /// Pairs the lines of two texts.
    pub fn new(left: Vec<String>, right: Vec<String>) -> Self {
        let mut pairs = Vec::with_capacity(left.len().max(right.len()));
        let ops = if left.len().max(right.len()) > MOST_LINES {
            vec![DiffOp::Replace { old_index: 0, old_len: left.len(), new_index: 0, new_len: right.len() }]
        } else {
            capture_diff_slices(Algorithm::Myers, &left, &right)
        };
        for op in ops {
            let same = matches!(op, DiffOp::Equal { .. });
            let (_, a, b) = op.as_tag_tuple();
            for i in 0..a.len().max(b.len()) {
                let at =
                    |range: &std::ops::Range<usize>| (range.start + i < range.end).then(|| (range.start + i) as u32);
                pairs.push(Pair { left: at(&a), right: at(&b), same });
            }
        }
        let mut unified = Vec::with_capacity(pairs.len());
        let mut rest = pairs.as_slice();
        let mut at = 0_u32;
        while let Some(first) = rest.first() {
            // Of a stretch that changed all lines that went stand before those that came.
            let long = if first.same { 1 } else { rest.iter().take_while(|p| !p.same).count() };
            for right in [false, true] {
                for (i, pair) in (at..).zip(&rest[..long]) {
                    let there = if right { pair.right.is_some() && !pair.same } else { pair.left.is_some() };
                    if there {
                        unified.push((i, right));
                    }
                }
            }
            at += long as u32;
            rest = &rest[long..];
        }
        Self { left, right, pairs, unified }
    }

    /// How many stretches of lines differ.
    pub fn changes(&self) -> usize {
        let starts = |(i, pair): &(usize, &Pair)| !pair.same && (*i == 0 || self.pairs[i - 1].same);
        self.pairs.iter().enumerate().filter(starts).count()
    }

    /// The row at which the stretch after or before a row begins that differs.
    pub fn change(&self, row: usize, unified: bool, next: bool) -> Option<usize> {
        let len = if unified { self.unified.len() } else { self.pairs.len() };
        let differs = |i: usize| {
            let pair = if unified { self.unified.get(i).map(|(p, _)| *p as usize) } else { Some(i) };
            pair.and_then(|p| self.pairs.get(p)).is_some_and(|p| !p.same)
        };
        let begins = |i: &usize| differs(*i) && (*i == 0 || !differs(i - 1));
        if next { (row + 1..len).find(begins) } else { (0..row.min(len)).rev().find(begins) }
    }

    /// The first row that differs.
    pub fn first(&self, unified: bool) -> Option<usize> {
        match self.pairs.first() {
            Some(pair) if !pair.same => Some(0),
            _ => self.change(0, unified, true),
        }
    }

    fn text(&self, at: Option<u32>, right: bool) -> &str {
        let lines = if right { &self.right } else { &self.left };
        at.and_then(|i| lines.get(i as usize)).map_or("", String::as_str)
    }

    /// One side of a pair as a row without its sign.
    fn side(&self, pair: Pair, right: bool) -> Row {
        let text = self.text(if right { pair.right } else { pair.left }, right);
        let scope = if right { Scope::DiffAdded } else { Scope::DiffRemoved };
        if pair.same {
            return Row::of(Scope::Dim, text);
        }
        match (pair.left, pair.right) {
            (Some(_), Some(_)) => marked(self.text(pair.left, false), self.text(pair.right, true), right, scope),
            _ => Row::of(scope, text),
        }
    }
}

/// A changed line with the words marked that the other side does not have.
fn marked(left: &str, right: &str, of_right: bool, scope: Scope) -> Row {
    let (a, b): (Vec<&str>, Vec<&str>) = (left.split_word_bounds().collect(), right.split_word_bounds().collect());
    let own = if of_right { right } else { left };
    if a.len().max(b.len()) > MOST_WORDS {
        return Row::of(scope, own);
    }
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut row = Row::new();
    for op in ops {
        let (_, x, y) = op.as_tag_tuple();
        let words = if of_right { &b[y] } else { &a[x] };
        let style = if matches!(op, DiffOp::Equal { .. }) { Scope::Text } else { scope };
        row.push(style, words.concat());
    }
    row
}

/// Both texts in two columns.
#[derive(Debug)]
pub struct Beside<'a>(pub &'a Diff, pub usize);

impl Rows for Beside<'_> {
    fn len(&self) -> usize {
        self.0.pairs.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(pair) = self.0.pairs.get(i).copied() else { return Row::new() };
        let column = self.1.saturating_sub(7) / 2;
        let sign = |there: bool, scope, sign| match (pair.same, there) {
            (false, true) => Row::of(scope, sign),
            _ => Row::new().plain("  "),
        };
        let left = sign(pair.left.is_some(), Scope::DiffRemoved, "- ").join(&self.0.side(pair, false).fit(column));
        let right = sign(pair.right.is_some(), Scope::DiffAdded, "+ ").join(&self.0.side(pair, true).fit(column));
        left.put(Scope::Border, " │ ").join(&right)
    }
}

/// Changed lines one below the other.
#[derive(Debug)]
pub struct Unified<'a>(pub &'a Diff);

impl Rows for Unified<'_> {
    fn len(&self) -> usize {
        self.0.unified.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some((pair, right)) = self.0.unified.get(i).copied() else { return Row::new() };
        let Some(pair) = self.0.pairs.get(pair as usize).copied() else { return Row::new() };
        let sign = match (pair.same, right) {
            (true, _) => Row::new().plain("  "),
            (false, false) => Row::of(Scope::DiffRemoved, "- "),
            (false, true) => Row::of(Scope::DiffAdded, "+ "),
        };
        sign.join(&self.0.side(pair, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(left: &str, right: &str) -> Diff {
        let lines = |text: &str| text.split('|').map(str::to_owned).collect();
        Diff::new(lines(left), lines(right))
    }

    fn texts(rows: &dyn Rows) -> Vec<String> {
        (0..rows.len()).map(|i| rows.row(i).text().trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_are_paired_and_changed_words_marked() {
        let d = diff("same|rate 0.5 of two|gone", "same|rate 0.7 of two|new|more");
        assert_eq!(
            texts(&Unified(&d)),
            ["  same", "- rate 0.5 of two", "- gone", "+ rate 0.7 of two", "+ new", "+ more"]
        );
        assert_eq!(
            texts(&Beside(&d, 27)),
            ["  same       │   same", "- rate 0.5 … │ + rate 0.7 …", "- gone       │ + new", "             │ + more",]
                .map(|line| line.to_owned())
        );
        let spans: Vec<(Scope, String)> =
            Unified(&d).row(1).spans().iter().map(|s| (s.scope, s.text.clone())).collect();
        assert!(spans.contains(&(Scope::DiffRemoved, "0.5".to_owned())), "{spans:?}");
        assert!(spans.contains(&(Scope::Text, " of two".to_owned())), "{spans:?}");
        assert_eq!((d.changes(), d.first(true), d.first(false)), (1, Some(1), Some(1)));
    }

    #[test]
    fn changes_are_found_forwards_and_back() {
        let d = diff("a|b|c|d|e", "A|b|C|d|e");
        assert_eq!(d.changes(), 2);
        assert_eq!((d.first(false), d.change(0, false, true), d.change(2, false, true)), (Some(0), Some(2), None));
        assert_eq!((d.change(4, false, false), d.change(2, false, false)), (Some(2), Some(0)));
        assert_eq!(d.change(0, true, true), Some(3));
        let same = diff("a|b", "a|b");
        assert_eq!((same.changes(), same.first(true)), (0, None));
        assert_eq!(Diff::new(Vec::new(), Vec::new()).changes(), 0);
    }
}
