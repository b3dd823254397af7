//! The text as the parser gets it: forbidden characters refused, and what the parser would take otherwise put in other
//! words of the same meaning, with a mark where that can show in a value.

use super::Fail;
use std::borrow::Cow;
use std::ops::Range;

/// A text ready to be parsed.
pub(super) struct Source<'a> {
    /// NEL stands as a line feed, and so do LS and PS; an escaped surrogate has the digits `fffd`.
    pub(super) text: Cow<'a, str>,
    /// Where LS, PS and surrogates were, ascending.
    marks: Vec<Mark>,
}

/// A place of the text where something else was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    /// Byte offset in the prepared text.
    pub(super) at: usize,
    pub(super) was: Was,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Was {
    /// A line break that stays what it is where others become a line feed or a space: U+2028 or U+2029.
    Break(char),
    /// The four hexadecimal digits of a surrogate.
    Surrogate([u8; 4]),
}

impl Source<'_> {
    /// The marks inside a range of the text.
    pub(super) fn marks(&self, range: Range<usize>) -> &[Mark] {
        let from = self.marks.partition_point(|mark| mark.at < range.start);
        let to = self.marks.partition_point(|mark| mark.at < range.end);
        self.marks.get(from..to).unwrap_or_default()
    }

    /// The text with other edits: a space put in at each of these offsets, ascending.
    pub(super) fn spaced(&self, offsets: &[usize]) -> Source<'static> {
        let mut text = String::with_capacity(self.text.len() + offsets.len());
        let mut from = 0;
        for &offset in offsets {
            text.push_str(&self.text[from..offset]);
            text.push(' ');
            from = offset;
        }
        text.push_str(&self.text[from..]);
        let moved = |mark: &Mark| Mark { at: mark.at + offsets.partition_point(|&offset| offset <= mark.at), ..*mark };
        Source { text: Cow::Owned(text), marks: self.marks.iter().map(moved).collect() }
    }
}

/// Checks a text's characters and prepares it.
pub(super) fn prepare(text: &str) -> Result<Source<'_>, Fail> {
    let bytes = text.as_bytes();
    let (mut out, mut marks, mut from, mut at) = (String::new(), Vec::new(), 0, 0);
    while let Some(&b) = bytes.get(at) {
        at += 1;
        if !ATTENTION[b as usize] {
            continue;
        }
        let start = at - 1;
        let rest = &bytes[start..];
        let (length, instead, was) = match rest {
            [0xc2, 0x85, ..] => (2, "\n", None),
            [0xe2, 0x80, 0xa8, ..] => (3, "\n", Some(Was::Break('\u{2028}'))),
            [0xe2, 0x80, 0xa9, ..] => (3, "\n", Some(Was::Break('\u{2029}'))),
            [b'\\', b'u', ..] | [b'\\', b'U', b'0', b'0', b'0', b'0', ..] => {
                let digits = if rest[1] == b'u' { 2 } else { 6 };
                match rest.get(digits..).and_then(|rest| rest.first_chunk()) {
                    Some(code @ [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', c, d])
                        if c.is_ascii_hexdigit() && d.is_ascii_hexdigit() =>
                    {
                        out.push_str(&text[from..start + digits]);
                        from = start + digits;
                        (4, "fffd", Some(Was::Surrogate(*code)))
                    }
                    _ => continue,
                }
            }
            [0xc2, 0x80..=0x9f, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] | [0..=0x1f | 0x7f, ..] => {
                let (line, column) = crate::value::read::line_and_column(text, start);
                let c = text[start..].chars().next().map_or(0, u32::from);
                let what = format!("the character U+{c:04X}, which YAML does not allow");
                return Err(Fail::at(&what, (line as u32, column as u32)));
            }
            _ => continue,
        };
        out.push_str(&text[from..start.max(from)]);
        if instead == "\n" && out.ends_with('\r') {
            // a line break of its own, which must not become one with what comes now
            out.pop();
            out.push('\n');
        }
        marks.extend(was.map(|was| Mark { at: out.len(), was }));
        out.push_str(instead);
        from = start.max(from) + length;
        at = from;
    }
    if from == 0 {
        return Ok(Source { text: Cow::Borrowed(text), marks });
    }
    out.push_str(&text[from..]);
    Ok(Source { text: Cow::Owned(out), marks })
}

/// First bytes of characters that may need attention.
const ATTENTION: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 0x20 {
        table[b] = !matches!(b as u8, b'\t' | b'\n' | b'\r');
        b += 1;
    }
    table[0x7f] = true;
    table[0xc2] = true;
    table[0xe2] = true;
    table[0xef] = true;
    table[b'\\' as usize] = true;
    table
};
