//! Text being typed: one line or several, edited by grapheme cluster.

use crate::text;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// So much text can be typed or pasted into one field.
const MOST_BYTES: usize = 1 << 20;

/// A text and the place in it where typing goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Editor {
    text: String,
    /// Byte place, always at a cluster's edge.
    at: usize,
    /// Whether line ends can be typed.
    many_lines: bool,
}

/// What can be done to a text beside typing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Take out the cluster before.
    Backspace,
    /// Take out the cluster after.
    Delete,
    /// Take out the word before.
    DeleteWord,
    /// Take out all before in this line.
    DeleteToStart,
    /// Take out all after in this line.
    DeleteToEnd,
    /// One cluster left.
    Left,
    /// One cluster right.
    Right,
    /// One word left.
    WordLeft,
    /// One word right.
    WordRight,
    /// To the line's start.
    Home,
    /// To the line's end.
    End,
    /// One line up.
    Up,
    /// One line down.
    Down,
    /// A line end.
    Newline,
}

impl Editor {
    /// A line with some text, typing goes on at its end.
    pub fn line(text: impl Into<String>) -> Self {
        let mut text: String = text.into();
        text.retain(|c| c != '\n' && c != '\r');
        Self { at: text.len(), text, many_lines: false }
    }

    /// Several lines, typing goes on at the start.
    pub fn lines(text: impl Into<String>) -> Self {
        Self { text: text.into(), at: 0, many_lines: true }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where typing goes on, in bytes.
    pub fn place(&self) -> usize {
        self.at
    }

    /// Replaces the text; typing goes on at its end.
    pub fn set(&mut self, text: impl Into<String>) {
        *self = if self.many_lines { Self { many_lines: true, ..Self::line("") } } else { Self::line("") };
        self.insert(&text.into());
    }

    /// Types text; false when there is no room for it.
    pub fn insert(&mut self, new: &str) -> bool {
        if self.text.len() + new.len() > MOST_BYTES {
            return false;
        }
        let new = new.replace("\r\n", "\n").replace('\r', "\n");
        let new = if self.many_lines { new } else { new.replace('\n', " ") };
        self.text.insert_str(self.at, &new);
        self.at += new.len();
        true
    }

    /// Edits or moves; false when nothing changed.
    pub fn edit(&mut self, edit: Edit) -> bool {
        let (text, at) = (self.text.len(), self.at);
        match edit {
            Edit::Backspace => self.take_out(self.before(), self.at),
            Edit::Delete => self.take_out(self.at, self.after()),
            Edit::DeleteWord => self.take_out(self.word_before(), self.at),
            Edit::DeleteToStart => self.take_out(self.line_start(), self.at),
            Edit::DeleteToEnd => self.take_out(self.at, self.line_end()),
            Edit::Left => self.at = self.before(),
            Edit::Right => self.at = self.after(),
            Edit::WordLeft => self.at = self.word_before(),
            Edit::WordRight => self.at = self.word_after(),
            Edit::Home => self.at = self.line_start(),
            Edit::End => self.at = self.line_end(),
            Edit::Up => self.vertical(false),
            Edit::Down => self.vertical(true),
            Edit::Newline => {
                if self.many_lines {
                    self.insert("\n");
                }
            }
        }
        self.text.len() != text || self.at != at
    }

    /// Line (from 0) and column of the place.
    pub fn position(&self) -> (usize, usize) {
        let line = self.text[..self.at].matches('\n').count();
        (line, text::width(&text::safe(&self.text[self.line_start()..self.at])))
    }

    fn take_out(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
    }

    fn before(&self) -> usize {
        GraphemeCursor::new(self.at, self.text.len(), true).prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn after(&self) -> usize {
        let end = self.text.len();
        GraphemeCursor::new(self.at, end, true).next_boundary(&self.text, 0).ok().flatten().unwrap_or(end)
    }

    fn word_before(&self) -> usize {
        let mut words = self.text[..self.at].unicode_word_indices();
        words.next_back().map_or(0, |(at, _)| at)
    }

    fn word_after(&self) -> usize {
        let words = self.text[self.at..].unicode_word_indices().map(|(at, word)| self.at + at + word.len());
        words.into_iter().next().unwrap_or(self.text.len())
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    /// To the same column of the line above or below.
    fn vertical(&mut self, down: bool) {
        let column = self.text[self.line_start()..self.at].graphemes(true).count();
        let start = if down {
            match self.text[self.at..].find('\n') {
                Some(end) => self.at + end + 1,
                None => return,
            }
        } else {
            match self.line_start() {
                0 => return,
                start => self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1),
            }
        };
        let line = &self.text[start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        self.at = start + line.grapheme_indices(true).nth(column).map_or(line.len(), |(at, _)| at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn typing_goes_by_cluster() {
        let mut e = Editor::line("ne\u{301}e");
        e.edit(Edit::Left);
        e.edit(Edit::Backspace);
        assert_eq!((e.text(), e.place()), ("ne", 1));
        e.insert("出\n");
        assert_eq!((e.text(), e.position()), ("n出 e", (0, 4)));
        e.edit(Edit::DeleteToStart);
        assert_eq!(e.text(), "e");
    }

    #[test]
    fn lines_and_words() {
        let mut e = Editor::lines("one two\nthree");
        e.edit(Edit::WordRight);
        e.edit(Edit::WordRight);
        e.edit(Edit::Down);
        assert_eq!(e.position(), (1, 5));
        e.edit(Edit::Up);
        assert_eq!(e.position(), (0, 5));
        e.edit(Edit::DeleteWord);
        assert_eq!(e.text(), "one wo\nthree");
        e.edit(Edit::Newline);
        assert_eq!(e.text(), "one \nwo\nthree");
    }

    proptest! {
        #[test]
        fn any_edit_keeps_the_place_at_an_edge(text in "\\PC{0,20}", edits in proptest::collection::vec(0_usize..14, 0..30)) {
            const ALL: [Edit; 14] = [
                Edit::Backspace, Edit::Delete, Edit::DeleteWord, Edit::DeleteToStart, Edit::DeleteToEnd, Edit::Left,
                Edit::Right, Edit::WordLeft, Edit::WordRight, Edit::Home, Edit::End, Edit::Up, Edit::Down, Edit::Newline,
            ];
            let mut e = Editor::lines(text);
            for edit in edits {
                e.edit(ALL[edit]);
                prop_assert!(e.text().is_char_boundary(e.place()));
                let _ = e.position();
            }
        }
    }
}
