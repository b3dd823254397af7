//! Which rows of a picker match what was typed, the best first: the row itself, then its beginning, then other names of
//! it, then whole words, beginnings of words, and scattered letters last.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::cmp::Reverse;

/// What a row is found by.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// What it says.
    pub label: &'a str,
    /// What stands at its right edge.
    pub tail: &'a str,
    /// Other names it goes by, separated by commas.
    pub also: &'a str,
}

/// The rows that match, the best first; rows that match equally well keep their order.
pub fn rank<'a>(typed: &str, rows: impl Iterator<Item = Sought<'a>>) -> Vec<usize> {
    let typed = typed.trim().to_lowercase();
    let pattern = Pattern::parse(&typed, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<(Match, Reverse<u32>, usize)> = Vec::new();
    for (i, row) in rows.enumerate() {
        let label = row.label.trim_start().to_lowercase();
        let also = row.also.to_lowercase();
        let all = format!("{label} {} {also}", row.tail.to_lowercase());
        if let Some(kind) = plain(&typed, &label, &also, &all) {
            found.push((kind, Reverse(0), i));
            continue;
        }
        // Scattered letters are looked for in what the row shows, not in its other names.
        let shown = format!("{} {}", row.label, row.tail);
        if let Some(score) = pattern.score(Utf32Str::new(&shown, &mut letters), &mut matcher) {
            found.push((Match::Scattered, Reverse(score), i));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, i)| i).collect()
}

/// How a row matches, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Exact,
    BeginsWhole,
    Named,
    Begins,
    Words,
    BeginningsOfWords,
    Scattered,
}

fn plain(typed: &str, label: &str, also: &str, all: &str) -> Option<Match> {
    if label == typed {
        return Some(Match::Exact);
    }
    let begins = label.strip_prefix(typed);
    if begins.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)) {
        return Some(Match::BeginsWhole);
    }
    if also.split(',').any(|name| name.trim() == typed) {
        return Some(Match::Named);
    }
    if begins.is_some() {
        return Some(Match::Begins);
    }
    let words = || all.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let wanted = || typed.split_whitespace();
    if wanted().all(|want| words().any(|word| word == want)) {
        return Some(Match::Words);
    }
    wanted().all(|want| words().any(|word| word.starts_with(want))).then_some(Match::BeginningsOfWords)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(typed: &str, rows: &[(&'static str, &'static str)]) -> Vec<&'static str> {
        let sought = rows.iter().map(|(label, also)| Sought { label, tail: "", also });
        rank(typed, sought).into_iter().map(|i| rows[i].0).collect()
    }

    #[test]
    fn the_row_itself_comes_before_rows_that_hold_it() {
        let branches = [("branch 2  leaves branch 1 at call 3", ""), ("branch 12", ""), ("branch 1  the first", "")];
        assert_eq!(ranked("branch 1", &branches)[0], "branch 1  the first");
        assert_eq!(ranked("b1", &branches).len(), 3, "scattered letters still match");
    }

    #[test]
    fn whole_words_come_before_beginnings_and_scattered_letters() {
        let rows = [("Do it fast and far", ""), ("Show differences", ""), ("Show the diff", ""), ("Compare", "diff")];
        assert_eq!(ranked("diff", &rows), ["Compare", "Show the diff", "Show differences", "Do it fast and far"]);
        assert_eq!(ranked("the show", &rows), ["Show the diff"]);
        assert!(ranked("zz", &rows).is_empty());
    }
}
