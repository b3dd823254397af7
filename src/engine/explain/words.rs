//! Building lines.
use super::{Explanation, Place, Span};
use crate::text;
use crate::value::{Str, Value, canonical};

/// How much of a value a sentence shows, in characters.
const LONGEST: usize = 60;

/// Words being put together, line by line.
#[derive(Debug, Default)]
pub(super) struct Words {
    lines: Vec<Vec<Span>>,
}

impl Words {
    /// Starts a new line.
    pub(super) fn line(&mut self, words: impl Into<String>) -> &mut Self {
        self.lines.push(Vec::new());
        self.say(words)
    }

    /// Continues the line.
    pub(super) fn say(&mut self, words: impl Into<String>) -> &mut Self {
        self.push(words.into(), None)
    }

    pub(super) fn step(&mut self, step: usize) -> &mut Self {
        self.push(format!("step {step}"), Some(Place::Step(step)))
    }

    pub(super) fn write(&mut self, index: usize) -> &mut Self {
        self.push(format!("write {}", index + 1), Some(Place::Write(index)))
    }

    /// A call by its number, from 1.
    pub(super) fn call(&mut self, number: usize) -> &mut Self {
        self.push(format!("call {number}"), Some(Place::Call(number.saturating_sub(1))))
    }

    pub(super) fn schema(&mut self, words: impl Into<String>, tool: &Str, pointer: String) -> &mut Self {
        self.push(words.into(), Some(Place::Schema { tool: tool.clone(), pointer }))
    }

    fn push(&mut self, text: String, place: Option<Place>) -> &mut Self {
        if text.is_empty() {
            return self;
        }
        if self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        if let Some(line) = self.lines.last_mut() {
            match line.last_mut() {
                Some(last) if last.place.is_none() && place.is_none() => last.text.push_str(&text),
                _ => line.push(Span { text, place }),
            }
        }
        self
    }

    pub(super) fn done(self) -> Explanation {
        Explanation { lines: self.lines }
    }
}

/// A value as short JSON; every character outside printable ASCII is escaped.
pub(super) fn shown(value: &Value) -> String {
    let text = canonical::compact(value, true);
    if text.len() <= LONGEST { text } else { format!("{}...", &text[..LONGEST]) }
}

/// A name of the file or of a call, made safe.
pub(super) fn name(name: &str) -> String {
    let safe = text::safe(name);
    match safe.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &safe[..end]),
        None if safe.is_empty() => "\"\"".to_owned(),
        None => safe.into_owned(),
    }
}

/// Names as a list in a sentence: "a", "a and b", "a, b and c"; many are cut.
pub(super) fn names(all: &[Str]) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> = all.iter().take(MOST).map(|n| name(n)).collect();
    match (&shown[..], all.len().saturating_sub(MOST)) {
        ([], _) => String::new(),
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (first, more) => format!("{} and {more} more", first.join(", ")),
    }
}

/// An object as its members, `a 1, b "x"`, many of them cut; anything else as a value.
pub(super) fn fields(value: &Value) -> String {
    const MOST: usize = 8;
    let Some(map) = value.as_object().filter(|map| !map.is_empty()) else { return shown(value) };
    let mut shown: Vec<String> =
        map.named().take(MOST).map(|(field, value)| format!("{} {}", name(field), shown(value))).collect();
    if map.len() > shown.len() {
        shown.push(format!("{} more", map.len() - shown.len()));
    }
    shown.join(", ")
}

/// Name and value pairs: `a 1, b "x"`.
pub(super) fn pairs(all: &[(Str, Value)]) -> String {
    let shown: Vec<String> = all.iter().map(|(n, value)| format!("{} {}", name(n), shown(value))).collect();
    shown.join(", ")
}
