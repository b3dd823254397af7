//! One row of text in several styles. Everything on the screen is made of rows, and a row takes text only through
//! [`text::safe`]: whatever a file or a server says, nothing raw reaches a cell.

use crate::text;
use crate::theme::{Scope, Theme};
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// A piece of a row in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its style.
    pub scope: Scope,
    /// Its text, safe.
    pub text: String,
}

/// One row: pieces from the left, and pieces that stand at the right edge when there is room.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    spans: Vec<Span>,
    tail: Vec<Span>,
    /// Columns that wrapped continuations of this row stand in.
    indent: usize,
}

/// How a row stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lit {
    /// It does not.
    #[default]
    No,
    /// Selected in a pane without the focus.
    Idle,
    /// Selected in the focused pane.
    Focus,
}

impl Row {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// A row of one piece.
    pub fn of(scope: Scope, text: impl AsRef<str>) -> Self {
        Self::new().put(scope, text)
    }

    /// Adds a piece.
    pub fn put(mut self, scope: Scope, text: impl AsRef<str>) -> Self {
        self.push(scope, text);
        self
    }

    /// Adds a piece in plain text.
    pub fn plain(self, text: impl AsRef<str>) -> Self {
        self.put(Scope::Text, text)
    }

    /// Adds a secondary piece.
    pub fn dim(self, text: impl AsRef<str>) -> Self {
        self.put(Scope::Dim, text)
    }

    /// Adds a piece filled up or cut to this many columns.
    pub fn cell(self, scope: Scope, text: impl AsRef<str>, columns: usize) -> Self {
        let padded = text::pad(&text::safe(text.as_ref()), columns);
        self.put(scope, padded)
    }

    /// Adds a name filled up or cut in its middle to so many columns.
    pub fn name(self, scope: Scope, text: impl AsRef<str>, columns: usize) -> Self {
        let padded = text::pad_name(&text::safe(text.as_ref()), columns);
        self.put(scope, padded)
    }

    /// Adds spaces.
    pub fn gap(self, columns: usize) -> Self {
        self.put(Scope::Text, " ".repeat(columns))
    }

    /// Adds a piece at the right edge.
    pub fn end(mut self, scope: Scope, text: impl AsRef<str>) -> Self {
        self.tail.push(Span { scope, text: text::safe(text.as_ref()).into_owned() });
        self
    }

    /// Indents wrapped continuations by this many columns.
    pub fn hanging(mut self, columns: usize) -> Self {
        self.indent = columns;
        self
    }

    /// Adds a piece in place.
    pub fn push(&mut self, scope: Scope, text: impl AsRef<str>) {
        let text = text::safe(text.as_ref());
        if text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some(last) if last.scope == scope => last.text.push_str(&text),
            _ => self.spans.push(Span { scope, text: text.into_owned() }),
        }
    }

    /// Adds all pieces of another row.
    pub fn join(mut self, other: &Row) -> Self {
        for span in &other.spans {
            self.push(span.scope, &span.text);
        }
        self.tail.extend(other.tail.iter().cloned());
        self
    }

    /// Its left part in exactly this many columns: cut with `…`, or filled with spaces.
    pub fn fit(&self, columns: usize) -> Row {
        let mut row = Row::new();
        let cut = self.width() > columns;
        let room = if cut { columns.saturating_sub(1) } else { columns };
        let mut used = 0;
        for span in &self.spans {
            if used >= room {
                break;
            }
            let wide = text::width(&span.text);
            if used + wide <= room {
                row.push(span.scope, &span.text);
                used += wide;
            } else {
                let part = before(&span.text, room - used);
                row.push(span.scope, part);
                used += text::width(part);
                break;
            }
        }
        if cut && columns > 0 {
            row.push(Scope::Dim, "…");
            used += 1;
        }
        row.gap(columns.saturating_sub(used))
    }

    /// Every piece in this style.
    pub fn all(mut self, scope: Scope) -> Self {
        for span in self.spans.iter_mut().chain(&mut self.tail) {
            span.scope = scope;
        }
        self
    }

    /// How many columns its left part takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|s| text::width(&s.text)).sum()
    }

    /// Its text, for searching and copying; what stands at the right edge is parted from the rest.
    pub fn text(&self) -> String {
        let mut text: String = self.spans.iter().map(|s| s.text.as_str()).collect();
        if !text.is_empty() && !self.tail.is_empty() {
            text.push_str("  ");
        }
        text.extend(self.tail.iter().map(|s| s.text.as_str()));
        text
    }

    /// Whether it has nothing to show.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.tail.is_empty()
    }

    /// Its pieces from the left.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The columns that wrapped continuations of this row start at.
    pub fn hang(&self) -> usize {
        self.indent
    }

    /// The row in rows of at most `columns`, broken at spaces. What stands at the right edge stays beside the first row
    /// when it leaves a third of the columns.
    pub fn wrap(&self, columns: usize) -> Vec<Row> {
        let tail = self.tail.iter().map(|s| text::width(&s.text)).sum::<usize>();
        let beside = if tail > 0 && tail + 2 <= columns * 2 / 3 { tail + 2 } else { 0 };
        let columns = columns - beside;
        if self.width() <= columns {
            return vec![self.clone()];
        }
        let all: String = self.spans.iter().map(|s| s.text.as_str()).collect();
        let hang = self.indent.min(columns / 2);
        let first = text::wrap(&all, columns).first().map_or(0, |line| line.len());
        let mut rows = vec![Row { tail: self.tail.clone(), ..self.slice(0, first) }];
        let rest = all[first..].trim_start_matches(' ');
        if !rest.is_empty() {
            rows.extend(text::wrap(rest, columns - hang).into_iter().map(|line| {
                let from = line.as_ptr() as usize - all.as_ptr() as usize;
                Row::new().gap(hang).join(&self.slice(from, from + line.len()))
            }));
        }
        rows
    }

    /// The pieces between two byte places of the joined text.
    fn slice(&self, from: usize, to: usize) -> Row {
        let mut row = Row::new();
        let mut at = 0;
        for span in &self.spans {
            let (start, end) = (from.max(at), to.min(at + span.text.len()));
            if start < end {
                row.push(span.scope, &span.text[start - at..end - at]);
            }
            at += span.text.len();
        }
        row
    }
}

/// Where a row is painted.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Column.
    pub x: u16,
    /// Line.
    pub y: u16,
    /// Columns there are.
    pub width: u16,
}

/// Paints rows in a theme.
#[derive(Debug, Clone, Copy)]
pub struct Brush<'a> {
    /// The theme.
    pub theme: &'a Theme,
    /// What is searched for, in small letters: marked where it stands.
    pub needle: Option<&'a str>,
}

impl Brush<'_> {
    /// Paints one row, cut with `…` where it does not fit, `left` columns scrolled away.
    pub fn row(&self, buf: &mut Buffer, at: Place, row: &Row, lit: Lit, left: usize) {
        let width = usize::from(at.width);
        if width == 0 || at.y >= buf.area.bottom() {
            return;
        }
        let selected = self.selected(lit);
        if let Some(style) = selected.filter(|s| s.add_modifier.contains(Modifier::REVERSED)) {
            buf.set_stringn(at.x, at.y, " ".repeat(width), width, style);
        }
        let tail: usize = row.tail.iter().map(|s| text::width(&s.text)).sum();
        // The tail gives way when less than half the row would be left.
        let tail = if tail > 0 && tail + 1 < width - width / 3 { tail } else { 0 };
        let room = if tail > 0 { width - tail - 1 } else { width };
        self.spans(buf, at, &row.spans, room, left, selected);
        if tail > 0 {
            let place = Place { x: at.x + (width - tail) as u16, ..at };
            self.spans(buf, place, &row.tail, tail, 0, selected);
        }
    }

    /// The style added to a row that stands out.
    fn selected(&self, lit: Lit) -> Option<Style> {
        match lit {
            Lit::No => None,
            Lit::Idle => Some(self.theme.style(Scope::SelectedIdle)),
            Lit::Focus => Some(self.theme.style(Scope::Selected)),
        }
    }

    fn spans(&self, buf: &mut Buffer, at: Place, spans: &[Span], room: usize, left: usize, lit: Option<Style>) {
        let mut skip = left;
        let mut used = 0;
        let needed: usize = spans.iter().map(|s| text::width(&s.text)).sum::<usize>().saturating_sub(left);
        let cut = needed > room;
        let room = if cut { room - 1 } else { room };
        for span in spans {
            let style = self.style(span.scope, lit);
            let mut shown = span.text.as_str();
            if skip > 0 {
                let wide = text::width(shown);
                if wide <= skip {
                    skip -= wide;
                    continue;
                }
                shown = after(shown, skip);
                skip = 0;
            }
            if used >= room {
                break;
            }
            let (end, _) = buf.set_stringn(at.x + used as u16, at.y, shown, room - used, style);
            self.mark(buf, Place { x: at.x + used as u16, y: at.y, width: end - at.x - used as u16 }, shown, lit);
            used = usize::from(end - at.x);
        }
        if cut {
            let x = at.x + used as u16;
            buf.set_stringn(x, at.y, "…", 1, self.style(Scope::Dim, lit));
        }
    }

    /// A piece's style in a row that stands out: pieces with a meaning of their own keep their color.
    fn style(&self, scope: Scope, lit: Option<Style>) -> Style {
        let own = self.theme.style(scope);
        let Some(lit) = lit else { return own };
        let neutral = matches!(
            scope,
            Scope::Text
                | Scope::Dim
                | Scope::Strong
                | Scope::Future
                | Scope::EffectRead
                | Scope::EffectWrite
                | Scope::ValueKey
                | Scope::ValueText
                | Scope::ValueNumber
                | Scope::ValueWord
                | Scope::ValueMark
        );
        if neutral || lit.add_modifier.contains(Modifier::REVERSED) { lit } else { own.add_modifier(lit.add_modifier) }
    }

    /// Marks what is searched for.
    fn mark(&self, buf: &mut Buffer, at: Place, shown: &str, lit: Option<Style>) {
        let Some(needle) = self.needle.filter(|n| !n.is_empty()) else { return };
        let style = self.theme.style(if lit.is_some() { Scope::MatchCurrent } else { Scope::Match });
        for place in text::places(shown, needle) {
            let x = text::width(&shown[..place.start]) as u16;
            let wide = text::width(&shown[place]) as u16;
            for column in x..(x + wide).min(at.width) {
                if let Some(cell) = buf.cell_mut((at.x + column, at.y)) {
                    cell.set_style(style);
                }
            }
        }
    }
}

/// As much of the beginning of a text as fits into this many columns.
fn before(text: &str, columns: usize) -> &str {
    use unicode_segmentation::UnicodeSegmentation;
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        used += text::width(cluster);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

/// The text after its first `columns` columns.
fn after(text: &str, columns: usize) -> &str {
    use unicode_segmentation::UnicodeSegmentation;
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        if used >= columns {
            return &text[at..];
        }
        used += text::width(cluster);
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Depth, Themes};
    use ratatui::layout::Rect;

    fn paint(row: &Row, width: u16, left: usize) -> String {
        let theme = Themes::default().load("dark", Depth::True).unwrap();
        let mut buf = Buffer::empty(Rect::new(0, 0, width, 1));
        Brush { theme: &theme, needle: None }.row(&mut buf, Place { x: 0, y: 0, width }, row, Lit::No, left);
        (0..width).map(|x| buf[(x, 0)].symbol()).collect()
    }

    #[test]
    fn rows_are_cut_with_an_ellipsis_and_keep_their_tail() {
        let row = Row::of(Scope::Text, "a long name").end(Scope::Dim, "3 args");
        assert_eq!(paint(&row, 18, 0), "a long name 3 args");
        assert_eq!(paint(&row, 14, 0), "a long… 3 args");
        assert_eq!(paint(&row, 8, 0), "a long …");
        assert_eq!(paint(&row, 0, 0), "");
        assert_eq!(paint(&Row::of(Scope::Text, "出荷出荷"), 5, 0), "出 荷 …");
        assert_eq!(paint(&Row::of(Scope::Text, "0123456789"), 5, 4), "4567…");
        assert_eq!(paint(&Row::of(Scope::Text, "0123456789"), 5, 5), "56789");
    }

    #[test]
    fn a_fitted_row_has_exactly_its_columns() {
        let row = Row::of(Scope::Dim, "one ").plain("出荷 two");
        let shown: Vec<String> = [0, 1, 3, 4, 5, 6, 9, 12, 14].map(|n| row.fit(n).text()).to_vec();
        assert_eq!(shown[..4], ["", "…", "on…", "one…"]);
        assert_eq!(shown[4..7], ["one …", "one … ", "one 出荷…"]);
        assert_eq!(shown[7..], ["one 出荷 two", "one 出荷 two  "]);
    }

    #[test]
    fn nothing_raw_gets_in() {
        let row = Row::new().plain("a\u{1b}[2Jb").cell(Scope::Text, "\u{202e}", 9).end(Scope::Text, "\u{7}");
        assert_eq!(row.text(), "a␛[2Jb<U+202E>   ␇");
    }

    #[test]
    fn wrapping_keeps_styles_and_hangs() {
        let row = Row::new().dim("why: ").plain("matched expected step 0").hanging(5);
        let rows = row.wrap(18);
        assert_eq!(rows.iter().map(Row::text).collect::<Vec<_>>(), ["why: matched", "     expected step", "     0"]);
        assert_eq!(rows[0].spans()[0].scope, Scope::Dim);
        assert_eq!(rows[1].spans().last().map(|s| s.scope), Some(Scope::Text));
    }
}
