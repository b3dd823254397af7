//! What each pane shows: its rows, its title, and how much of it there is.

use super::model::{Model, Pane};
use super::screens;
use super::widgets::list::Rows;
use super::widgets::row::Row;

/// Rows of several kinds, one below the other.
#[derive(Default)]
pub struct Stack<'a> {
    parts: Vec<Part<'a>>,
    len: usize,
}

struct Part<'a> {
    starts: usize,
    rows: Box<dyn Rows + 'a>,
}

impl std::fmt::Debug for Stack<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stack").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<'a> Stack<'a> {
    /// Puts rows below those that are there.
    pub fn add(&mut self, rows: impl Rows + 'a) {
        let starts = self.len;
        self.len += rows.len();
        self.parts.push(Part { starts, rows: Box::new(rows) });
    }

    /// Which part a row lies in, and which row of it. A part without rows begins where the next one does and holds none.
    pub fn part(&self, i: usize) -> Option<(usize, usize)> {
        let part = self.parts.partition_point(|p| p.starts <= i).checked_sub(1)?;
        let at = i - self.parts[part].starts;
        (at < self.parts[part].rows.len()).then_some((part, at))
    }
}

impl Rows for Stack<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn row(&self, i: usize) -> Row {
        self.part(i).map(|(part, at)| self.parts[part].rows.row(at)).unwrap_or_default()
    }

    fn sought(&self, i: usize) -> String {
        self.part(i).map(|(part, at)| self.parts[part].rows.sought(at)).unwrap_or_default()
    }

    fn stays(&self, i: usize) -> bool {
        self.part(i).is_some_and(|(part, at)| self.parts[part].rows.stays(at))
    }
}

impl<R: Rows + ?Sized> Rows for &R {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn row(&self, i: usize) -> Row {
        (**self).row(i)
    }

    fn sought(&self, i: usize) -> String {
        (**self).sought(i)
    }

    fn stays(&self, i: usize) -> bool {
        (**self).stays(i)
    }
}

/// From this width on a row shows everything.
const WIDE: usize = 240;

/// The rows of a pane as they are searched: as wide as they can be, so that what a narrow pane cuts is found too.
pub fn sought(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let rows = rows(model, pane, width);
    let wide = if width < WIDE { self::rows(model, pane, WIDE) } else { Stack::default() };
    // A text that is wrapped has other rows when it is wide.
    if wide.len() == rows.len() { wide } else { rows }
}

/// The rows of a pane of this inner width.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    screens::rows(model, pane, width)
}

/// Its title.
pub fn title(model: &Model, pane: Pane) -> String {
    screens::title(model, pane)
}

/// Columns and lines of a pane inside, as `usize`.
pub fn size(model: &Model, pane: Pane) -> (usize, usize) {
    let (width, height) = model.layout().inside(pane);
    (usize::from(width), usize::from(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Scope;

    #[test]
    fn stacks_find_their_rows() {
        let row = |s: &str| Row::of(Scope::Text, s);
        let mut stack = Stack::default();
        stack.add(vec![row("a"), row("b")]);
        stack.add(Vec::new());
        stack.add(vec![row("c")]);
        let all: Vec<String> = (0..stack.len()).map(|i| stack.row(i).text()).collect();
        assert_eq!(all, ["a", "b", "c"]);
        assert_eq!(stack.part(2), Some((2, 0)));
        assert_eq!(stack.part(3), None);
        assert!(stack.row(9).is_empty());
    }
}
