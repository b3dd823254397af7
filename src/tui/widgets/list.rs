//! Long things of which a part is seen: [`Rows`] gives a row when asked, a [`Cursor`] says which is selected and which is
//! on top. The cost of drawing follows what is visible, never the length.

use super::row::Row;

/// What can be shown as rows.
pub trait Rows {
    /// How many there are.
    fn len(&self) -> usize;
    /// The row at `i < len`.
    fn row(&self, i: usize) -> Row;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// What the row at `i` is found by.
    fn sought(&self, i: usize) -> String {
        self.row(i).text()
    }
    /// Whether a filter leaves the row at `i` where it is and does not count it: a heading.
    fn stays(&self, _i: usize) -> bool {
        false
    }
}

impl Rows for Vec<Row> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn row(&self, i: usize) -> Row {
        self.get(i).cloned().unwrap_or_default()
    }
}

/// Which row is selected and which is on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The selected row; 0 when there are none.
    pub at: usize,
    /// The row on top.
    pub top: usize,
    /// Columns scrolled away on the left.
    pub left: usize,
}

/// A way to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// This many rows up.
    Up(usize),
    /// This many rows down.
    Down(usize),
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// To this row.
    To(usize),
}

impl Cursor {
    /// Moves among `len` rows of which `height` are seen.
    pub fn go(&mut self, way: Move, len: usize, height: usize) {
        let page = height.saturating_sub(1).max(1);
        self.at = match way {
            Move::Up(n) => self.at.saturating_sub(n),
            Move::Down(n) => self.at.saturating_add(n),
            Move::PageUp => self.at.saturating_sub(page),
            Move::PageDown => self.at.saturating_add(page),
            Move::First => 0,
            Move::Last => len.saturating_sub(1),
            Move::To(i) => i,
        };
        self.keep(len, height);
    }

    /// Puts the selection inside `len` rows and the view around it.
    pub fn keep(&mut self, len: usize, height: usize) {
        self.at = self.at.min(len.saturating_sub(1));
        self.top = self.shown_top(len, height);
    }

    /// The row on top in a view of this height: the selection is always seen. Pure, so drawing needs no say.
    pub fn shown_top(&self, len: usize, height: usize) -> usize {
        let height = height.max(1);
        let at = self.at.min(len.saturating_sub(1));
        // Some rows around the selection stay in sight, except at the ends.
        let margin = 2.min((height - 1) / 2);
        let most = len.saturating_sub(height);
        let highest = at.saturating_sub(margin);
        let lowest = (at + margin + 1).saturating_sub(height);
        self.top.min(highest).max(lowest).min(most)
    }
}

/// The place and length of a scrollbar's thumb in a bar of `height` cells, when something is cut.
pub fn thumb(len: usize, height: usize, top: usize) -> Option<(usize, usize)> {
    if height == 0 || len <= height {
        return None;
    }
    let size = (height * height / len).clamp(1, height);
    let room = height - size;
    let most = len - height;
    Some(((top.min(most) * room + most / 2) / most, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moving_stays_inside() {
        let mut c = Cursor::default();
        c.go(Move::Down(1), 0, 5);
        assert_eq!(c, Cursor::default());
        c.go(Move::Last, 100, 10);
        assert_eq!((c.at, c.top), (99, 90));
        c.go(Move::PageUp, 100, 10);
        assert_eq!((c.at, c.top), (90, 88));
        c.go(Move::To(500), 3, 10);
        assert_eq!((c.at, c.top), (2, 0));
    }

    #[test]
    fn a_thumb_shows_only_what_is_cut() {
        assert_eq!(thumb(10, 10, 0), None);
        assert_eq!(thumb(20, 10, 0), Some((0, 5)));
        assert_eq!(thumb(20, 10, 10), Some((5, 5)));
        assert_eq!(thumb(10_000, 10, 9_990), Some((9, 1)));
    }

    proptest! {
        #[test]
        fn the_selection_is_always_seen(at in 0_usize..300, top in 0_usize..300, len in 0_usize..200, height in 0_usize..40) {
            let mut c = Cursor { at, top, left: 0 };
            c.keep(len, height);
            prop_assert!(len == 0 || c.at < len);
            prop_assert!(c.top <= c.at && (height == 0 || c.at < c.top + height));
            prop_assert_eq!(c.top, c.shown_top(len, height));
            if let Some((start, size)) = thumb(len, height, c.top) {
                prop_assert!(size >= 1 && start + size <= height);
            }
        }
    }
}
