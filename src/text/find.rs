//! Finding a text in another, capital letters aside.

use std::ops::Range;

/// Where a text, given in small letters, stands in another one, as bytes of that other one. A letter and its small form may
/// be of different lengths, so places of the one are not places of the other.
///
/// ```
/// use rehearsal::text::places;
/// assert_eq!(places("Say \u{130}t and IT", "it"), [12..14]);
/// ```
pub fn places(text: &str, small: &str) -> Vec<Range<usize>> {
    let low = text.to_lowercase();
    if small.is_empty() || !low.contains(small) {
        return Vec::new();
    }
    let mut edges = Vec::with_capacity(text.len() + 1);
    let mut in_low = 0;
    for (at, letter) in text.char_indices() {
        edges.push((in_low, at));
        in_low += letter.to_lowercase().map(char::len_utf8).sum::<usize>();
    }
    edges.push((in_low, text.len()));
    let place = |from: usize, found: &str| {
        let begins = edges.partition_point(|edge| edge.0 <= from).saturating_sub(1);
        let ends = edges.partition_point(|edge| edge.0 < from + found.len()).min(edges.len() - 1);
        edges[begins].1..edges[ends].1
    };
    low.match_indices(small).map(|(from, found)| place(from, found)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn only(text: &str, small: &str) -> Option<Range<usize>> {
        let found = places(text, small);
        found.first().filter(|_| found.len() == 1).cloned()
    }

    #[test]
    fn letters_whose_small_form_has_another_length_shift_nothing() {
        // As many bytes in small letters as before, and yet every place is another.
        let text = "\u{212a}\u{e9} x \u{130}\u{130}";
        assert_eq!(text.to_lowercase().len(), text.len());
        assert_eq!(only(text, "\u{e9}"), Some(3..5));
        assert_eq!(only(text, "x"), Some(6..7));
        assert_eq!(only(text, "k"), Some(0..3));
        assert_eq!(only("\u{39f}\u{394}\u{39f}\u{3a3}", "\u{3bf}\u{3c2}"), Some(4..8), "a sigma at the end of a word");
        assert!(places("abc", "").is_empty());
    }

    proptest! {
        #[test]
        fn a_place_is_a_part_of_the_text(text in "[aAkK\u{212a}\u{130}\u{e9}\u{c9}\u{df}\u{1e9e}\u{3a3} ]{0,12}", small in "[ak\u{e9}i\u{307}\u{df} ]{1,2}") {
            let found = places(&text, &small);
            prop_assert_eq!(found.is_empty(), !text.to_lowercase().contains(&small));
            for place in found {
                prop_assert!(text.get(place.clone()).is_some_and(|part| part.to_lowercase().contains(&small)), "{:?}", place);
            }
        }
    }
}
