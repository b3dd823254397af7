//! "Did you mean": the nearest of some known words.

/// How many letters must be put in, taken out, changed or swapped with their neighbor to turn one word into the other,
/// capital letters aside.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let change = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

/// Words longer than this are not compared: no name a person types is, and the cost grows with the square.
const LONGEST: usize = 128;

/// The candidate a person most likely meant by `word`: the one at the smallest distance (the first on ties), when that is
/// at most a third of the word's letters, or when one of the two begins with the other. `None` when nothing is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    let lower = word.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > LONGEST || candidate == word {
            continue;
        }
        let low = candidate.to_lowercase();
        let begins = lower.len() >= 3 && low.starts_with(&lower) || low.len() >= 3 && lower.starts_with(&low);
        let far = if begins { limit.min(distance(word, candidate)) } else { distance(word, candidate) };
        if far <= limit && best.is_none_or(|(least, _)| far < least) {
            best = Some((far, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("fualts", "faults"), 1);
        assert_eq!(distance("Faults", "faults"), 0);
    }

    #[test]
    fn the_nearest_is_named_and_nothing_far() {
        let dials = ["similarity", "faults", "timeouts", "baddata", "lagged"];
        assert_eq!(nearest("fualts", dials), Some("faults"));
        assert_eq!(nearest("time", dials), Some("timeouts"));
        assert_eq!(nearest("bad-data", dials), Some("baddata"));
        assert_eq!(nearest("zzz", dials), None);
        assert_eq!(nearest("", dials), None);
        assert_eq!(nearest("BADDATA", dials), Some("baddata"));
    }
}
