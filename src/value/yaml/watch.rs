//! Beside the parser: what PyYAML's scanner refuses in the text that the events come from, and where it would see other
//! tokens than the parser does.

use super::node::Place;
use super::source::Source;
use super::{Fail, checks};
use crate::value::read::line_and_column;

/// The longest implicit key, in characters up to its `:`.
const MAX_KEY: usize = 1_024;

/// Follows the events through the text.
pub(super) struct Watch<'s> {
    text: &'s str,
    /// Where the scalar read last ends.
    passed: usize,
    levels: Vec<Level>,
    /// How many levels are around the node that began last.
    around: usize,
    /// Offsets where a space must come in so that the parser sees the tokens that PyYAML does.
    pub(super) edits: Vec<usize>,
}

/// A list or mapping that is open.
struct Level {
    mapping: bool,
    flow: bool,
    /// In a mapping, the key that is being read or waits for its value.
    key: Option<KeySpan>,
}

struct KeySpan {
    /// Where the key or what is put before it (an anchor, a tag) begins.
    start: usize,
    /// Where it ends, once it has.
    end: Option<usize>,
    checked: bool,
}

impl<'s> Watch<'s> {
    pub(super) fn new(source: &'s Source<'_>) -> Self {
        Self { text: &source.text, passed: 0, levels: Vec::new(), around: 0, edits: Vec::new() }
    }

    /// Where the scalar read last ends.
    pub(super) fn passed(&self) -> usize {
        self.passed
    }

    /// Whether the innermost list or mapping is written with brackets.
    fn flow(&self) -> bool {
        self.levels.last().is_some_and(|level| level.flow)
    }

    fn fail(&self, what: &str, at: usize) -> Fail {
        let (line, column) = line_and_column(self.text, at);
        let place: Place = (line as u32, column as u32);
        Fail::at(what, place)
    }

    /// A document begins at `at`.
    pub(super) fn document(&self, at: usize) -> Result<(), Fail> {
        checks::prefix(&self.text[..at]).map_or(Ok(()), |(what, at)| Err(self.fail(what, at)))
    }

    /// A node begins at `start`, or at what is put before it.
    pub(super) fn begins(&mut self, start: usize, tag_start: Option<usize>) -> Result<(), Fail> {
        self.key_ended()?;
        self.around = self.levels.len();
        if let Some(level) = self.levels.last_mut()
            && level.mapping
            && level.key.is_none()
        {
            let start = tag_start.unwrap_or(start).min(start);
            level.key = Some(KeySpan { start, end: None, checked: false });
        }
        Ok(())
    }

    /// The node that began last has an anchor here.
    pub(super) fn anchor(&mut self, start: usize, end: usize) -> Result<(), Fail> {
        let level = self.around.checked_sub(1).and_then(|i| self.levels.get_mut(i));
        if let Some(Level { key: Some(key), .. }) = level
            && !key.checked
        {
            key.start = key.start.min(start);
        }
        self.name(start, end)
    }

    /// An anchor or alias stands here, its sign included.
    pub(super) fn name(&self, start: usize, end: usize) -> Result<(), Fail> {
        let name = self.text.get(start + 1..end).unwrap_or_default();
        if !checks::is_anchor_name(name) {
            return Err(self.fail("an anchor whose name is not of ASCII letters, digits, `-` and `_`", start));
        }
        match self.text[end..].chars().next() {
            None | Some(' ' | '\t' | '\r' | '\n' | '?' | ':' | ',' | ']' | '}' | '%' | '@' | '`') => Ok(()),
            Some(_) => Err(self.fail("an anchor that ends in the middle", end)),
        }
    }

    /// A tag ends here.
    pub(super) fn tag(&self, end: usize) -> Result<(), Fail> {
        match self.text[end..].chars().next() {
            None | Some(' ' | '\r' | '\n') => Ok(()),
            Some(_) => Err(self.fail("a tag without a space after it", end)),
        }
    }

    /// A list or mapping has begun.
    pub(super) fn opens(&mut self, mapping: bool, flow: bool) {
        self.levels.push(Level { mapping, flow, key: None });
    }

    /// The innermost list or mapping has ended.
    pub(super) fn closes(&mut self) -> Result<(), Fail> {
        self.key_ended()?;
        self.levels.pop();
        Ok(())
    }

    /// A node has ended at `end`.
    pub(super) fn ends(&mut self, end: usize) {
        let Some(level) = self.levels.last_mut() else { return };
        match &mut level.key {
            Some(key) if key.end.is_none() => key.end = Some(end),
            _ => level.key = None,
        }
    }

    /// A scalar from `start` to `end`; `bare` when it has no tag and no anchor.
    pub(super) fn scalar(&mut self, start: usize, end: usize, plain: bool, bare: bool) -> Result<(), Fail> {
        let written = &self.text[start..end];
        if written.is_empty() {
            let is_key =
                self.levels.last().is_some_and(|level| level.key.as_ref().is_some_and(|key| key.end.is_none()));
            if plain && bare && is_key && !checks::after_key_sign(&self.text[self.passed.min(start)..start]) {
                return Err(self.fail("`:` without a key", start));
            }
            return Ok(());
        }
        self.gap(start)?;
        if plain && let Some(tab) = written.find('\t') {
            return Err(self.fail("a tab inside a plain scalar", start + tab));
        }
        if plain && self.flow() {
            // inside brackets `?` is the sign of a key wherever it stands, and `:` that of a value wherever a scalar
            // could begin
            if written.starts_with(['?', ':']) {
                self.edits.push(start + 1);
            } else if let Some(sign) = written.find('?') {
                return Err(self.fail("`?` inside a plain scalar inside brackets", start + sign));
            }
        }
        self.passed = end.max(self.passed);
        Ok(())
    }

    /// A block scalar at `start`, its header after `before`; `bare` when its text is not indented at all.
    pub(super) fn block_scalar(&self, before: usize, start: usize, bare: bool) -> Result<(), Fail> {
        if bare && self.levels.is_empty() {
            return Err(self.fail("a block scalar that is not indented", start));
        }
        match checks::header_comment(&self.text[before..start]) {
            Some(comment) => Err(self.fail("a comment without a space before it", before + comment)),
            None => Ok(()),
        }
    }

    /// Checks what stands between the scalar read last and `end`.
    pub(super) fn gap(&self, end: usize) -> Result<(), Fail> {
        let wrong = self.text.get(self.passed..end).and_then(checks::gap);
        wrong.map_or(Ok(()), |(what, at)| Err(self.fail(what, self.passed + at)))
    }

    /// A key without its own sign is on one line with its `:` and no longer than the limit.
    fn key_ended(&mut self) -> Result<(), Fail> {
        let Some(Level { key: Some(key), .. }) = self.levels.last_mut() else { return Ok(()) };
        let (start, Some(end), false) = (key.start, key.end, key.checked) else { return Ok(()) };
        key.checked = true;
        let rest = self.text[end..].trim_start_matches(' ');
        let beyond = match rest.as_bytes().first() {
            Some(b':') => {
                let written = &self.text[start..self.text.len() - rest.len()];
                written.contains(['\n', '\r']) || (written.len() > MAX_KEY && written.chars().count() > MAX_KEY)
            }
            Some(b'\n' | b'\r' | b'#') => checks::next_token(rest) == Some(':'),
            _ => false,
        };
        if beyond && !checks::after_key_sign(&self.text[..start]) {
            return Err(self.fail("a key that is not on one line with its `:`, or longer than 1,024 characters", start));
        }
        Ok(())
    }
}
