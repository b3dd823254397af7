//! Scalars with marks in them, read from their own text: the parser knows neither LS and PS as line breaks nor lone
//! surrogates.

use super::source::{Mark, Was};

/// A scalar as it is written, without quotes or header, and the marks in it by offsets of this text.
pub(super) struct Written<'a> {
    pub(super) text: &'a str,
    pub(super) marks: Vec<Mark>,
}

/// What was read: the text, and whether it holds a lone surrogate (which stands as U+FFFD).
pub(super) struct Reread {
    pub(super) text: String,
    pub(super) lone: bool,
}

impl Written<'_> {
    fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    fn is_break(&self, at: usize) -> bool {
        matches!(self.bytes().get(at), Some(b'\n' | b'\r'))
    }

    fn is_blank(&self, at: usize) -> bool {
        matches!(self.bytes().get(at), Some(b' ' | b'\t'))
    }

    fn mark(&self, at: usize) -> Option<Was> {
        let i = self.marks.binary_search_by_key(&at, |mark| mark.at).ok()?;
        Some(self.marks[i].was)
    }

    /// The break at `at` and where the next line begins.
    fn line_break(&self, at: usize) -> (char, usize) {
        if let Some(Was::Break(c)) = self.mark(at) {
            return (c, at + 1);
        }
        let length = if self.bytes()[at..].starts_with(b"\r\n") { 2 } else { 1 };
        ('\n', at + length)
    }

    /// Appends the character at `at`, surrogates' digits as they were written; gives the next offset.
    fn push(&self, out: &mut String, at: usize) -> usize {
        if let Some(Was::Surrogate(digits)) = self.mark(at) {
            out.extend(digits.map(char::from));
            return at + digits.len();
        }
        let Some(c) = self.text[at..].chars().next() else { return at + 1 };
        out.push(c);
        at + c.len_utf8()
    }

    /// Breaks and blanks from `at` on: appends the breaks, gives where something else comes.
    fn breaks(&self, out: &mut String, mut at: usize) -> usize {
        loop {
            if self.is_blank(at) {
                at += 1;
            } else if self.is_break(at) {
                let (c, next) = self.line_break(at);
                out.push(c);
                at = next;
            } else {
                return at;
            }
        }
    }

    /// A plain or single-quoted scalar: lines folded, `''` one quote where `quoted`.
    pub(super) fn folded(&self, quoted: bool) -> Reread {
        let (mut out, mut at) = (String::new(), 0);
        while at < self.text.len() {
            if let Some(next) = self.fold(&mut out, at) {
                at = next;
            } else if quoted && self.bytes()[at..].starts_with(b"''") {
                out.push('\'');
                at += 2;
            } else {
                at = self.push(&mut out, at);
            }
        }
        Reread { text: out, lone: false }
    }

    /// Blanks at `at`, folded when a line ends in them; nothing when none are there.
    fn fold(&self, out: &mut String, at: usize) -> Option<usize> {
        let mut end = at;
        while self.is_blank(end) {
            end += 1;
        }
        if !self.is_break(end) {
            out.push_str(&self.text[at..end]);
            return (end > at).then_some(end);
        }
        let (first, next) = self.line_break(end);
        let mut rest = String::new();
        let next = self.breaks(&mut rest, next);
        match first {
            '\n' if rest.is_empty() => out.push(' '),
            '\n' => {}
            kept => out.push(kept),
        }
        out.push_str(&rest);
        Some(next)
    }

    /// A double-quoted scalar; the parser has checked its escapes.
    pub(super) fn double_quoted(&self) -> Reread {
        let (mut out, mut at, mut lone) = (String::new(), 0, false);
        while at < self.text.len() {
            if self.bytes()[at] != b'\\' {
                at = match self.fold(&mut out, at) {
                    Some(next) => next,
                    None => self.push(&mut out, at),
                };
                continue;
            }
            if self.is_break(at + 1) {
                let (_, next) = self.line_break(at + 1);
                at = self.breaks(&mut out, next);
                continue;
            }
            let digits = match self.bytes().get(at + 1) {
                Some(b'x') => 2,
                Some(b'u') => 4,
                Some(b'U') => 8,
                Some(&other) => {
                    match escape(other) {
                        Some(c) => out.push(c),
                        None => out.extend(self.text[at + 1..].chars().next()),
                    }
                    at += 1 + self.text[at + 1..].chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                None => break,
            };
            let end = at + 2 + digits;
            lone |= matches!(self.mark(end - 4), Some(Was::Surrogate(_))) && digits >= 4;
            let code = self.text.get(at + 2..end).and_then(|code| u32::from_str_radix(code, 16).ok());
            out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            at = end;
        }
        Reread { text: out, lone }
    }

    /// A block scalar: its lines after the header, of which `indent` spaces are cut. `keep` is what becomes of the last
    /// breaks: nothing said, all dropped, all kept.
    pub(super) fn block(&self, folded: bool, indent: usize, keep: Option<bool>) -> Reread {
        let mut out = String::new();
        let (mut breaks, mut at) = self.blank_lines(indent, 0);
        let mut last = None;
        while let Some(start) = at {
            out.push_str(&breaks);
            let more = self.is_blank(start);
            let mut end = start;
            while end < self.text.len() && !self.is_break(end) {
                end = self.push(&mut out, end);
            }
            if end >= self.text.len() {
                (last, breaks) = (None, String::new());
                break;
            }
            let (c, next) = self.line_break(end);
            (breaks, at) = self.blank_lines(indent, next);
            last = Some(c);
            let Some(next) = at else { break };
            if folded && c == '\n' && !more && !self.is_blank(next) {
                if breaks.is_empty() {
                    out.push(' ');
                }
            } else {
                out.push(c);
            }
        }
        if keep != Some(false) {
            out.extend(last);
        }
        if keep == Some(true) {
            out.push_str(&breaks);
        }
        Reread { text: out, lone: false }
    }

    /// The breaks of blank lines from the start of a line on, and where the next line's text begins, when one comes that
    /// is indented enough.
    fn blank_lines(&self, indent: usize, mut at: usize) -> (String, Option<usize>) {
        let mut breaks = String::new();
        loop {
            let mut spaces = 0;
            while spaces < indent && self.bytes().get(at) == Some(&b' ') {
                spaces += 1;
                at += 1;
            }
            if !self.is_break(at) {
                return (breaks, (spaces == indent && at < self.text.len()).then_some(at));
            }
            let (c, next) = self.line_break(at);
            breaks.push(c);
            at = next;
        }
    }
}

/// What a one-letter escape stands for; itself for a quote, a backslash and the like.
fn escape(letter: u8) -> Option<char> {
    Some(match letter {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
