//! An answer of the terminal about its ground that comes too late. The reader below takes it for
//! keys (alt-], then letters); here it is put together again and thrown away.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What an answer begins with, after the escape and the bracket.
const HEAD: &str = "11;rgb:";
/// An answer is not longer than this.
const LONGEST: usize = 40;

/// Sorts late answers out.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// Whether an answer may still come.
    awaited: bool,
    held: Vec<Event>,
    /// The held keys after the first, as letters.
    text: String,
}

impl Late {
    /// Nothing is held back unless an answer may still come.
    pub(super) fn new(awaited: bool) -> Self {
        Self { awaited, ..Self::default() }
    }

    /// Whether keys are held back just now, to see what they are.
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// The events to handle now.
    pub(super) fn sort(&mut self, event: Event) -> Vec<Event> {
        if !self.awaited {
            return vec![event];
        }
        let key = match &event {
            Event::Key(key) if key.kind != KeyEventKind::Release => *key,
            // A resize has nothing to do with it.
            _ => return vec![event],
        };
        if self.held.is_empty() {
            if is_alt(key, ']') {
                self.held.push(event);
                return Vec::new();
            }
            return vec![event];
        }
        self.held.push(event);
        if self.text.len() > HEAD.len() && (is_alt(key, '\\') || is_bell(key)) {
            *self = Self::default();
            return Vec::new();
        }
        match key.code {
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::CONTROL) => {
                self.text.push(c);
            }
            _ => return self.give_up(),
        }
        let fits = match self.text.strip_prefix(HEAD) {
            Some(rest) => rest.chars().all(|c| c.is_ascii_hexdigit() || c == '/'),
            None => HEAD.starts_with(&*self.text),
        };
        if fits && self.held.len() < LONGEST { Vec::new() } else { self.give_up() }
    }

    /// They were keys after all.
    pub(super) fn give_up(&mut self) -> Vec<Event> {
        self.text.clear();
        std::mem::take(&mut self.held)
    }
}

fn is_alt(key: KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::ALT)
}

fn is_bell(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('g') && key.modifiers.contains(KeyModifiers::CONTROL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(c: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers))
    }

    fn answer(text: &str, end: Event) -> Vec<Event> {
        let mut all = vec![key(']', KeyModifiers::ALT)];
        all.extend(text.chars().map(|c| key(c, KeyModifiers::NONE)));
        all.push(end);
        all
    }

    fn sorted(late: &mut Late, events: &[Event]) -> Vec<Event> {
        events.iter().flat_map(|event| late.sort(event.clone())).collect()
    }

    #[test]
    fn a_late_answer_is_no_keys() {
        for end in [key('\\', KeyModifiers::ALT), key('g', KeyModifiers::CONTROL)] {
            let mut late = Late::new(true);
            assert_eq!(sorted(&mut late, &[key('j', KeyModifiers::NONE)]).len(), 1);
            assert_eq!(sorted(&mut late, &answer("11;rgb:ffff/FFFF/0000", end)), []);
            assert!(!late.holds());
            assert_eq!(sorted(&mut late, &[key(']', KeyModifiers::ALT)]).len(), 1, "only one answer comes");
        }
    }

    #[test]
    fn keys_that_are_no_answer_come_through_in_their_order() {
        for keys in [
            answer("11", key('x', KeyModifiers::NONE)),
            answer("", key('j', KeyModifiers::NONE)),
            answer("11;rgb:12", key('g', KeyModifiers::NONE)),
            answer(&format!("11;rgb:{}", "a".repeat(60)), key('\\', KeyModifiers::ALT)),
        ] {
            let mut late = Late::new(true);
            assert_eq!(sorted(&mut late, &keys), keys);
        }
        let mut late = Late::new(true);
        let events = [key(']', KeyModifiers::ALT), Event::Resize(3, 4)];
        assert_eq!(sorted(&mut late, &events), [Event::Resize(3, 4)]);
        assert!(late.holds());
        assert_eq!(late.give_up(), [key(']', KeyModifiers::ALT)]);
    }

    #[test]
    fn nothing_is_held_back_when_no_answer_is_due() {
        let mut late = Late::new(false);
        assert_eq!(sorted(&mut late, &[key(']', KeyModifiers::ALT)]).len(), 1);
    }
}
