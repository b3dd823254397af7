//! The terminal's cells: what it shows, what it should show, and only the difference is sent.

use crate::text;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::layout::{Position, Rect};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// What is sent before or after a frame.
type Mark<B> = fn(&mut B) -> io::Result<()>;

/// A terminal to draw on.
#[derive(Debug)]
pub struct Canvas<B: Backend> {
    backend: B,
    /// What it shows; unknown before the first frame.
    shown: Option<Buffer>,
    next: Buffer,
    cursor: Option<Option<Position>>,
    /// What begins and ends a frame.
    marks: Option<[Mark<B>; 2]>,
}

impl<W: Write> Canvas<CrosstermBackend<W>> {
    /// A canvas whose frames the terminal shows whole (DEC mode 2026). Terminals without the mode ignore it.
    pub fn synchronized(backend: CrosstermBackend<W>) -> Self {
        let marks: [Mark<CrosstermBackend<W>>; 2] =
            [|out| queue!(out, BeginSynchronizedUpdate), |out| queue!(out, EndSynchronizedUpdate)];
        Self { marks: Some(marks), ..Self::new(backend) }
    }
}

impl<B: Backend<Error = io::Error>> Canvas<B> {
    /// A canvas on a terminal whose contents are unknown.
    pub fn new(backend: B) -> Self {
        Self { backend, shown: None, next: Buffer::empty(Rect::ZERO), cursor: None, marks: None }
    }

    /// The terminal.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Forgets what the terminal shows: the next frame draws everything.
    pub fn forget(&mut self) {
        self.shown = None;
        self.cursor = None;
    }

    /// Paints a frame and sends what differs, if anything.
    pub fn paint(
        &mut self,
        (width, height): (u16, u16),
        draw: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let area = Rect::new(0, 0, width, height);
        if self.next.area != area {
            self.next.resize(area);
        }
        self.next.reset();
        let cursor = draw(&mut self.next);
        let fresh = self.shown.as_ref().is_none_or(|b| b.area != area);
        let same = !fresh && self.cursor == Some(cursor) && self.shown.as_ref() == Some(&self.next);
        if same {
            return Ok(());
        }
        if let Some([begin, _]) = self.marks {
            begin(&mut self.backend)?;
        }
        if fresh {
            self.backend.clear()?;
            self.shown = Some(Buffer::empty(area));
            self.cursor = None;
        }
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let changes = shown.diff(&self.next);
        if !changes.is_empty() {
            if self.cursor != Some(None) {
                self.backend.hide_cursor()?;
                self.cursor = Some(None);
            }
            let rows: BTreeSet<u16> = changes.iter().map(|(_, y, _)| *y).collect();
            let odd: BTreeSet<u16> = rows.into_iter().filter(|y| is_odd(shown, *y) || is_odd(&self.next, *y)).collect();
            self.backend.draw(changes.into_iter().filter(|(_, y, _)| !odd.contains(y)))?;
            for y in odd {
                redraw(&mut self.backend, &self.next, y)?;
            }
            std::mem::swap(shown, &mut self.next);
        }
        if self.cursor != Some(cursor) {
            match cursor {
                Some(at) => {
                    self.backend.set_cursor_position(at)?;
                    self.backend.show_cursor()?;
                }
                None => self.backend.hide_cursor()?,
            }
            self.cursor = Some(cursor);
        }
        if let Some([_, end]) = self.marks {
            end(&mut self.backend)?;
        }
        self.backend.flush()
    }
}

/// Whether a terminal may draw this cell at another width than ours: flags, emoji, letters with marks.
fn varies(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    if symbol.is_ascii() {
        return false;
    }
    let mut letters = symbol.chars();
    let emoji = letters
        .next()
        .is_some_and(|c| c >= '\u{1f000}' || ('\u{2300}'..'\u{2c00}').contains(&c) && text::width(symbol) > 1);
    emoji || letters.next().is_some()
}

fn is_odd(buffer: &Buffer, y: u16) -> bool {
    cells(buffer, y).iter().any(varies)
}

fn cells(buffer: &Buffer, y: u16) -> &[Cell] {
    let width = usize::from(buffer.area.width);
    let start = usize::from(y - buffer.area.y) * width;
    buffer.content.get(start..start + width).unwrap_or_default()
}

/// Draws a whole row over blanks. After each cell whose width may vary the cursor is placed again, so what follows is
/// where it belongs, over whatever the terminal drew there.
fn redraw<B: Backend<Error = io::Error>>(backend: &mut B, buffer: &Buffer, y: u16) -> io::Result<()> {
    let row = cells(buffer, y);
    let blank = Cell::default();
    backend.draw((0..buffer.area.width).map(|x| (x, y, &blank)))?;
    let mut run: Vec<(u16, u16, &Cell)> = Vec::new();
    let mut covered = 0;
    for (x, cell) in (0..buffer.area.width).zip(row) {
        if x < covered {
            continue;
        }
        covered = x + text::width(cell.symbol()).max(1) as u16;
        run.push((x, y, cell));
        if varies(cell) {
            backend.draw(std::mem::take(&mut run).into_iter())?;
        }
    }
    backend.draw(run.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::backend::{ClearType, WindowSize};
    use ratatui::layout::Size;
    use ratatui::style::Style;

    /// A terminal that draws each half of a flag two columns wide, and keeps what nobody overwrites.
    struct Wide {
        row: Vec<char>,
    }

    impl Backend for Wide {
        type Error = io::Error;
        fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
            let (mut at, mut last) = (0_usize, None);
            for (x, _, cell) in content {
                if last.is_none_or(|last| x != last + 1) {
                    at = usize::from(x);
                }
                last = Some(x);
                for c in cell.symbol().chars() {
                    let wide = if c >= '\u{1f1e6}' { 2 } else { text::width(&c.to_string()) };
                    for (n, place) in self.row.iter_mut().skip(at).take(wide).enumerate() {
                        *place = if n == 0 { c } else { '.' };
                    }
                    at += wide;
                }
            }
            Ok(())
        }
        fn hide_cursor(&mut self) -> io::Result<()> {
            Ok(())
        }
        fn show_cursor(&mut self) -> io::Result<()> {
            Ok(())
        }
        fn get_cursor_position(&mut self) -> io::Result<Position> {
            Ok(Position::ORIGIN)
        }
        fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> io::Result<()> {
            Ok(())
        }
        fn clear(&mut self) -> io::Result<()> {
            self.row.fill(' ');
            Ok(())
        }
        fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
            Ok(())
        }
        fn size(&self) -> io::Result<Size> {
            Ok(Size::new(20, 1))
        }
        fn window_size(&mut self) -> io::Result<WindowSize> {
            Ok(WindowSize { columns_rows: Size::new(20, 1), pixels: Size::ZERO })
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flag_leaves_no_cell_behind_where_it_is_drawn_wider() {
        let mut canvas = Canvas::new(Wide { row: vec![' '; 20] });
        let mut show = |says: &str| {
            let painted = canvas.paint((20, 1), |buf| {
                buf.set_string(0, 0, says, Style::default());
                None
            });
            painted.unwrap();
            canvas.backend().row.iter().collect::<String>().trim_end().to_owned()
        };
        assert_eq!(show("ab|cd|ef"), "ab|cd|ef");
        let shown = show("🇯🇵|cd|ef");
        assert!(shown.ends_with("|cd|ef"), "{shown}");
        assert_eq!(show("xy|cd|ef"), "xy|cd|ef");
        assert_eq!(show("🇯🇵日本"), "🇯\u{2e}日.本.");
        assert_eq!(show("x"), "x");
    }
}
