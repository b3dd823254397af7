//! Searching and filtering rows.
//!
//! A [`Filter`] never changes what a row's number means: a [`Cursor`] still names a row of the whole, only its place on the
//! screen differs. So the owner of the rows need not know that some are hidden.

use super::list::{Cursor, Move, Rows};
use super::row::Row;

/// Which place of those found to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// The first from here on.
    Here,
    /// The next after this one.
    Next,
    /// The one before this one.
    Previous,
}

/// The current match among all matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Which of them, from 1.
    pub at: usize,
    /// Of how many.
    pub of: usize,
    /// Whether there may be more than were counted.
    pub more: bool,
}

impl Found {
    /// "match 3 of 17".
    pub fn words(self) -> String {
        format!("match {} of {}{}", self.at, self.of, if self.more { " and more" } else { "" })
    }
}

/// What a search came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sought {
    /// The row to go to.
    pub to: Option<usize>,
    /// Which of how many it is, when it is among those counted.
    pub found: Option<Found>,
    /// Whether there are more rows than were looked at.
    pub cut: bool,
}

/// At most this many rows are searched: more would take too long.
pub const MOST_LOOKED_AT: usize = 50_000;
/// At most this many rows are searched to count the matches.
const MOST_COUNTED: usize = 5_000;

/// Whether a row has a text, given in small letters, in it.
fn holds(rows: &dyn Rows, i: usize, text: &str) -> bool {
    rows.sought(i).to_lowercase().contains(text)
}

/// Looks for a row that has a text in it, around the ends.
pub fn seek(rows: &dyn Rows, text: &str, at: usize, find: Find) -> Sought {
    let len = rows.len();
    let at = at.min(len.saturating_sub(1));
    let holds = |i: &usize| holds(rows, *i, text);
    let reach = len.min(MOST_LOOKED_AT);
    let to = match find {
        Find::Here => (0..reach).map(|n| (at + n) % len).find(holds),
        Find::Next => (1..=reach).map(|n| (at + n) % len).find(holds),
        Find::Previous => (1..=reach).map(|n| (at + len - n) % len).find(holds),
    };
    let counted = len.min(MOST_COUNTED);
    let found = to.filter(|i| *i < counted).map(|to| {
        let (mut of, mut nth) = (0, 0);
        for i in (0..counted).filter(holds) {
            of += 1;
            if i <= to {
                nth = of;
            }
        }
        Found { at: nth, of, more: counted < len }
    });
    Sought { to, found, cut: reach < len }
}

/// How many columns to scroll a row so that a text in it, given in lower case, is visible in `width`.
pub fn sideways(row: &Row, text: &str, width: usize, left: usize) -> usize {
    let said: String = row.spans().iter().map(|span| span.text.as_str()).collect();
    let Some(place) = crate::text::places(&said, text).into_iter().next() else { return left };
    let at = crate::text::width(&said[..place.start]);
    let end = at + crate::text::width(&said[place]) + 1;
    match (end <= width, at >= left && end <= left + width) {
        (true, _) => 0,
        (false, true) => left,
        (false, false) => at.saturating_sub(width / 3),
    }
}

/// Only the rows that have a text in them, the rows that always stay, and the selected one.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The text in small letters; without one all rows are shown.
    text: String,
    /// The rows shown, in order.
    shown: Vec<usize>,
    /// Those among them that stay whatever the text is, in order.
    stay: Vec<usize>,
    /// The selected row, when it is among them only because it is selected.
    extra: Option<usize>,
    /// How many have the text in them, and of how many.
    counts: (usize, usize),
    /// Whether there are more rows than were looked at.
    cut: bool,
    /// The number of rows at the last look.
    of: usize,
}

impl Filter {
    /// Whether rows are left out.
    pub fn is_on(&self) -> bool {
        !self.text.is_empty()
    }

    /// The text, in small letters.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text to mark in the rows.
    pub fn needle(&self) -> Option<&str> {
        self.is_on().then_some(self.text.as_str())
    }

    /// Takes another text, and looks at these rows for it.
    pub fn set(&mut self, text: &str, rows: &dyn Rows) {
        self.text = text.to_lowercase();
        self.look(rows);
    }

    /// Shows all rows again.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many rows have the text in them, of how many.
    pub fn words(&self) -> String {
        let group = |n: usize| crate::text::group(n as u64);
        let (found, of) = self.counts;
        let first = if self.cut { "the first " } else { "" };
        format!("{} of {first}{}", group(found), group(of))
    }

    /// Searches the rows again: they may have changed.
    pub fn look(&mut self, rows: &dyn Rows) {
        (self.shown, self.stay, self.extra, self.counts) = (Vec::new(), Vec::new(), None, (0, 0));
        if !self.is_on() {
            return;
        }
        let len = rows.len();
        let reach = len.min(MOST_LOOKED_AT);
        (self.cut, self.of) = (reach < len, len);
        for i in 0..reach {
            if rows.stays(i) {
                self.stay.push(i);
                self.shown.push(i);
                continue;
            }
            self.counts.1 += 1;
            if holds(rows, i, &self.text) {
                self.counts.0 += 1;
                self.shown.push(i);
            }
        }
    }

    /// Whether it searched this number of rows.
    pub fn looked_at(&self, len: usize) -> bool {
        self.of == len
    }

    /// The row to go to from a row once the text is another: itself, the next that has it, else the last before.
    pub fn nearest(&self, at: usize) -> usize {
        let before = self.matches().take_while(|i| *i < at).last();
        self.matches().find(|i| *i >= at).or(before).unwrap_or(at)
    }

    /// The rows that have the text in them.
    pub fn matches(&self) -> impl Iterator<Item = usize> {
        self.shown.iter().copied().filter(|i| Some(*i) != self.extra && self.stay.binary_search(i).is_err())
    }

    /// Where a row stands among those shown.
    pub fn place(&self, at: usize) -> usize {
        if self.is_on() { self.shown.partition_point(|i| *i < at) } else { at }
    }

    /// The row at a place among those shown.
    pub fn at(&self, place: usize) -> Option<usize> {
        if self.is_on() { self.shown.get(place).copied() } else { Some(place) }
    }

    /// How many rows are shown of `len`.
    pub fn len(&self, len: usize) -> usize {
        if self.is_on() { self.shown.len() } else { len }
    }

    /// Where a cursor stands among the rows shown.
    pub fn seen(&self, cursor: Cursor) -> Cursor {
        Cursor { at: self.place(cursor.at), ..cursor }
    }

    /// The selected row is shown even when it does not have the text.
    fn include(&mut self, at: usize) {
        if self.extra == Some(at) {
            return;
        }
        if let Some(extra) = self.extra.take()
            && let Ok(place) = self.shown.binary_search(&extra)
        {
            self.shown.remove(place);
        }
        if let Err(place) = self.shown.binary_search(&at) {
            self.shown.insert(place, at);
            self.extra = Some(at);
        }
    }

    /// Moves a cursor among the rows shown of `len`.
    pub fn go(&mut self, cursor: &mut Cursor, way: Move, len: usize, height: usize) {
        if !self.is_on() {
            cursor.go(way, len, height);
            return;
        }
        if let Move::To(at) = way {
            cursor.at = at;
        } else {
            let mut seen = self.seen(*cursor);
            seen.go(way, self.shown.len(), height);
            cursor.at = self.at(seen.at).unwrap_or(cursor.at);
            cursor.top = seen.top;
        }
        self.keep(cursor, len, height);
    }

    /// Puts a cursor inside the rows shown of `len` and the view around it.
    pub fn keep(&mut self, cursor: &mut Cursor, len: usize, height: usize) {
        if !self.is_on() {
            cursor.keep(len, height);
            return;
        }
        cursor.at = cursor.at.min(len.saturating_sub(1));
        if len > 0 {
            self.include(cursor.at);
        }
        cursor.top = self.seen(*cursor).shown_top(self.shown.len(), height);
    }

    /// These rows without those that are left out.
    pub fn over<'a>(&'a self, rows: &'a dyn Rows) -> Seen<'a> {
        Seen { rows, filter: self }
    }
}

/// The rows that a filter shows.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    rows: &'a dyn Rows,
    filter: &'a Filter,
}

impl std::fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seen").field("filter", self.filter).finish_non_exhaustive()
    }
}

impl Rows for Seen<'_> {
    fn len(&self) -> usize {
        self.filter.len(self.rows.len())
    }

    fn row(&self, i: usize) -> Row {
        self.filter.at(i).map(|i| self.rows.row(i)).unwrap_or_default()
    }

    fn sought(&self, i: usize) -> String {
        self.filter.at(i).map(|i| self.rows.sought(i)).unwrap_or_default()
    }

    fn stays(&self, i: usize) -> bool {
        self.filter.at(i).is_some_and(|i| self.rows.stays(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Scope;
    use proptest::prelude::*;

    fn rows(texts: &[&str]) -> Vec<Row> {
        texts.iter().map(|text| Row::of(Scope::Text, text)).collect()
    }

    #[test]
    fn a_filter_keeps_what_a_rows_number_means() {
        let rows = rows(&["alpha", "beta", "gamma", "delta", "eta"]);
        let mut filter = Filter::default();
        filter.set("ETA", &rows);
        assert_eq!((filter.words().as_str(), filter.nearest(0), filter.nearest(2)), ("2 of 5", 1, 4));
        let mut cursor = Cursor { at: 1, ..Cursor::default() };
        filter.keep(&mut cursor, 5, 10);
        filter.go(&mut cursor, Move::Down(1), 5, 10);
        assert_eq!(cursor.at, 4);
        filter.go(&mut cursor, Move::Down(1), 5, 10);
        assert_eq!(cursor.at, 4);
        filter.go(&mut cursor, Move::First, 5, 10);
        assert_eq!(cursor.at, 1);
        // A row that is gone to from elsewhere is shown as long as it is selected.
        filter.go(&mut cursor, Move::To(2), 5, 10);
        let texts = |filter: &Filter| -> Vec<String> {
            let seen = filter.over(&rows);
            (0..seen.len()).map(|i| seen.row(i).text()).collect()
        };
        assert_eq!((cursor.at, texts(&filter)), (2, vec!["beta".into(), "gamma".into(), "eta".into()]));
        filter.go(&mut cursor, Move::Up(1), 5, 10);
        assert_eq!((cursor.at, texts(&filter)), (1, vec!["beta".into(), "eta".into()]));
        assert_eq!(filter.words(), "2 of 5");
        filter.clear();
        assert_eq!(texts(&filter).len(), 5);
    }

    #[test]
    fn nothing_found_leaves_the_selected_row() {
        let rows = rows(&["a", "b", "c"]);
        let mut filter = Filter::default();
        filter.set("x", &rows);
        let mut cursor = Cursor { at: filter.nearest(1), ..Cursor::default() };
        filter.keep(&mut cursor, 3, 2);
        assert_eq!((cursor.at, filter.over(&rows).len(), filter.words().as_str()), (1, 1, "0 of 3"));
        filter.set("", &rows);
        assert_eq!(filter.over(&rows).len(), 3);
    }

    #[test]
    fn seeking_goes_around_the_ends_and_counts() {
        let rows = rows(&["ab", "b", "ab", "c"]);
        let found = |at, of| Some(Found { at, of, more: false });
        assert_eq!(seek(&rows, "a", 0, Find::Here), Sought { to: Some(0), found: found(1, 2), cut: false });
        assert_eq!(seek(&rows, "a", 0, Find::Next), Sought { to: Some(2), found: found(2, 2), cut: false });
        assert_eq!(seek(&rows, "a", 2, Find::Next).to, Some(0));
        assert_eq!(seek(&rows, "a", 0, Find::Previous).to, Some(2));
        assert_eq!(seek(&rows, "z", 0, Find::Next), Sought { to: None, found: None, cut: false });
        assert_eq!(seek(&Vec::new(), "z", 7, Find::Here).to, None);
    }

    #[test]
    fn a_text_far_to_the_right_is_scrolled_to() {
        let row = Row::of(Scope::Text, format!("{}needle and more", "x".repeat(60)));
        assert_eq!(sideways(&row, "needle", 100, 0), 0);
        assert_eq!(sideways(&row, "needle", 30, 0), 50);
        assert_eq!(sideways(&row, "needle", 30, 50), 50, "it is seen already");
        assert_eq!(sideways(&row, "xx", 30, 50), 0);
        assert_eq!(sideways(&row, "absent", 30, 7), 7);
    }

    proptest! {
        #[test]
        fn the_selection_is_always_among_the_rows_shown(
            texts in prop::collection::vec("[ab]{1,2}", 0..30),
            needle in "[ab]{0,2}",
            ways in prop::collection::vec(0_usize..40, 0..20),
            height in 0_usize..12,
        ) {
            let rows: Vec<Row> = texts.iter().map(|text| Row::of(Scope::Text, text)).collect();
            let (mut filter, mut cursor) = (Filter::default(), Cursor::default());
            filter.set(&needle, &rows);
            for way in ways {
                let way = match way {
                    0 => Move::Up(1),
                    1 => Move::PageDown,
                    2 => Move::Last,
                    3 => Move::PageUp,
                    n => if n % 2 == 0 { Move::To(n) } else { Move::Down(n) },
                };
                filter.go(&mut cursor, way, rows.len(), height);
                let (seen, shown) = (filter.seen(cursor), filter.over(&rows));
                prop_assert!(rows.is_empty() || cursor.at < rows.len());
                prop_assert_eq!(filter.at(seen.at).filter(|_| !rows.is_empty()), (!rows.is_empty()).then_some(cursor.at));
                prop_assert!(seen.top <= seen.at && (height == 0 || seen.at < seen.top + height));
                prop_assert_eq!(seen.top, seen.shown_top(shown.len(), height));
            }
        }
    }
}
