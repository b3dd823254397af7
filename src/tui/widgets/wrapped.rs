//! The lines of an [`Outline`] broken where a pane ends, so that no value is cut. A note on a line gets rows of its own.

use super::list::Rows;
use super::outline::Outline;
use super::row::Row;
use std::borrow::Cow;

/// Longer outlines keep one row a line and cut it: breaking them would cost more than a frame has.
const MOST_LINES: usize = 2_000;
/// The same for their text, in bytes.
const MOST_BYTES: usize = 1 << 18;

/// An outline in rows of at most `width` columns.
#[derive(Debug)]
pub struct Wrapped<'a> {
    outline: Cow<'a, Outline>,
    width: usize,
    /// The first row of each line, and the number of rows; `None` when the outline is too long to be wrapped.
    starts: Option<Vec<usize>>,
}

impl<'a> Wrapped<'a> {
    /// Wraps the lines that folds leave.
    pub fn new(outline: &'a Outline, width: usize) -> Self {
        Self::of(Cow::Borrowed(outline), width)
    }

    /// The same for an outline that nothing else keeps.
    pub fn owned(outline: Outline, width: usize) -> Wrapped<'static> {
        Wrapped::of(Cow::Owned(outline), width)
    }

    fn of(outline: Cow<'a, Outline>, width: usize) -> Self {
        let starts = starts(&outline, width);
        Self { outline, width, starts }
    }

    /// The line of the outline that a row belongs to.
    pub fn line(&self, row: usize) -> usize {
        match &self.starts {
            Some(starts) => starts.partition_point(|start| *start <= row).saturating_sub(1),
            None => row,
        }
    }

    /// The first row of a line.
    pub fn row_of(&self, line: usize) -> usize {
        self.starts.as_ref().map_or(line, |starts| starts[line.min(starts.len() - 1)])
    }
}

/// The first row of each line and the number of rows.
fn starts(outline: &Outline, width: usize) -> Option<Vec<usize>> {
    let lines = outline.len();
    if lines > MOST_LINES {
        return None;
    }
    let mut starts = Vec::with_capacity(lines + 1);
    let (mut rows, mut bytes) = (0, 0);
    for line in 0..lines {
        starts.push(rows);
        for part in outline.parts(line) {
            bytes += part.spans().iter().map(|span| span.text.len()).sum::<usize>();
            if bytes > MOST_BYTES {
                return None;
            }
            rows += part.wrap(width).len();
        }
    }
    starts.push(rows);
    Some(starts)
}

impl Rows for Wrapped<'_> {
    fn len(&self) -> usize {
        self.starts.as_ref().map_or_else(|| self.outline.len(), |starts| starts[starts.len() - 1])
    }

    fn row(&self, i: usize) -> Row {
        let Some(starts) = &self.starts else { return self.outline.row(i) };
        let line = self.line(i);
        let rows = self.outline.parts(line).into_iter().flat_map(|part| part.wrap(self.width));
        rows.into_iter().nth(i - starts[line]).unwrap_or_default()
    }

    /// A line is found whole, by its first row.
    fn sought(&self, i: usize) -> String {
        let line = self.line(i);
        if self.row_of(line) == i { self.outline.row(line).text() } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Scope;
    use crate::tui::widgets::outline::Mark;
    use crate::value::Value;

    fn texts(rows: &dyn Rows) -> Vec<String> {
        (0..rows.len()).map(|i| rows.row(i).text()).collect()
    }

    #[test]
    fn long_values_wrap_and_notes_have_their_own_row() {
        let value =
            Value::parse_json(r#"{"error": "no answer came; whether the call went through is not known", "n": 1}"#);
        let mut outline = Outline::new(value.unwrap());
        outline.mark("/n", Mark { sign: '?', scope: Scope::Odd, note: "right: 2".into() });
        let wrapped = Wrapped::new(&outline, 30);
        assert_eq!(
            texts(&wrapped),
            [
                "  {",
                "    \"error\": \"no answer came;",
                "      whether the call went",
                "      through is not known\",",
                "?   \"n\": 1",
                "      right: 2",
                "  }",
            ]
        );
        assert_eq!((0..7).map(|row| wrapped.line(row)).collect::<Vec<_>>(), [0, 1, 1, 1, 2, 2, 3]);
        assert_eq!((wrapped.row_of(2), wrapped.row_of(3)), (4, 6));
        assert!(wrapped.sought(1).contains("whether the call went through"));
        assert_eq!(wrapped.sought(2), "");
        assert!((0..wrapped.len()).all(|i| wrapped.row(i).width() <= 30));
    }

    #[test]
    fn a_long_outline_keeps_a_row_a_line() {
        let list = vec![Value::str("long enough to be broken in two rows"); MOST_LINES];
        let outline = Outline::new(Value::array(list));
        let wrapped = Wrapped::new(&outline, 12);
        assert_eq!(wrapped.len(), MOST_LINES + 2);
        assert_eq!(wrapped.line(700), 700);
    }
}
