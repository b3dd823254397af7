//! The terminal's cells: what is on it, what should be, and only the difference sent.

use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::io;

/// A terminal that is drawn on.
#[derive(Debug)]
pub struct Canvas<B: Backend> {
    backend: B,
    /// What is on it; nothing is known before the first frame.
    shown: Option<Buffer>,
    next: Buffer,
    cursor: Option<Option<Position>>,
}

impl<B: Backend<Error = io::Error>> Canvas<B> {
    /// A canvas on a terminal nothing is known of.
    pub fn new(backend: B) -> Self {
        Self { backend, shown: None, next: Buffer::empty(Rect::ZERO), cursor: None }
    }

    /// The terminal.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Forgets what is on the terminal: all is drawn anew next time.
    pub fn forget(&mut self) {
        self.shown = None;
        self.cursor = None;
    }

    /// Paints a frame and sends what differs; nothing at all when nothing does.
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
        if fresh {
            self.backend.clear()?;
            self.shown = Some(Buffer::empty(area));
            self.cursor = None;
        }
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let changes = shown.diff(&self.next);
        let changed = !changes.is_empty();
        if changed {
            if self.cursor != Some(None) {
                self.backend.hide_cursor()?;
                self.cursor = Some(None);
            }
            self.backend.draw(changes.into_iter())?;
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
            self.backend.flush()?;
        } else if changed || fresh {
            self.backend.flush()?;
        }
        Ok(())
    }
}
