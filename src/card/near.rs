//! The two tools of a set that are hardest to tell apart, by name and by description (rules 8.4). Descriptive only.

use std::collections::BTreeSet;

/// Two tools and how far apart they are, from 0 (the same) to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct NearPair {
    /// The first, in file order.
    pub a: String,
    /// The second.
    pub b: String,
    /// The distance.
    pub distance: f64,
}

/// The pair of names with the smallest edit distance over the longer name's length; the first in file order on ties.
pub fn nearest_names(names: &[&str]) -> Option<NearPair> {
    nearest(names, names, |a, b| {
        let longer = a.chars().count().max(b.chars().count());
        if longer == 0 { 0.0 } else { edits(a, b) as f64 / longer as f64 }
    })
}

/// The pair of tools whose descriptions share most words: 1 - shared / all, over the sets of their words (`[a-z0-9]+`,
/// lower-cased); the first in file order on ties.
pub fn nearest_descriptions(names: &[&str], descriptions: &[&str]) -> Option<NearPair> {
    let words: Vec<BTreeSet<String>> = descriptions.iter().map(|d| words(d)).collect();
    nearest(names, &words, |a, b| {
        let all = a.union(b).count();
        if all == 0 { 1.0 } else { 1.0 - a.intersection(b).count() as f64 / all as f64 }
    })
}

fn nearest<T>(names: &[&str], items: &[T], distance: impl Fn(&T, &T) -> f64) -> Option<NearPair> {
    let mut best: Option<(usize, usize, f64)> = None;
    for i in 0..items.len() {
        for j in i + 1..items.len() {
            let d = distance(&items[i], &items[j]);
            if best.is_none_or(|(_, _, least)| d < least) {
                best = Some((i, j, d));
            }
        }
    }
    best.map(|(i, j, distance)| NearPair { a: names[i].to_owned(), b: names[j].to_owned(), distance })
}

fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}

/// How many characters must be put in, taken out or changed to turn one name into the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_edits_over_the_longer() {
        let pair = nearest_names(&["get_order", "refund_order", "get_orders", "x"]).unwrap();
        assert_eq!((&*pair.a, &*pair.b), ("get_order", "get_orders"));
        assert_eq!(pair.distance, 0.1);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(nearest_names(&["alone"]), None);
    }

    #[test]
    fn descriptions_by_shared_words_first_pair_on_ties() {
        let names = ["a", "b", "c"];
        let pair = nearest_descriptions(&names, &["Get an ORDER.", "get an order", "an order: get"]).unwrap();
        assert_eq!((&*pair.a, &*pair.b, pair.distance), ("a", "b", 0.0));
        let pair = nearest_descriptions(&names, &["one two", "two three", "é"]).unwrap();
        assert_eq!(pair.distance, 1.0 - 1.0 / 3.0);
        assert_eq!(nearest_descriptions(&names, &["", "", ""]).unwrap().distance, 1.0);
    }
}
