//! Keys as people write them: `q`, `ctrl-r`, `shift-tab`, `f1`, `space`.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with the keys held down beside it. A capital letter is its own key, so shift is named only where it is not seen
/// in the letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
    shift: bool,
}

const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl Chord {
    /// The chord of an event.
    pub fn of(event: KeyEvent) -> Self {
        let held = |m| event.modifiers.contains(m);
        let (code, shift) = match event.code {
            KeyCode::BackTab => (KeyCode::Tab, true),
            KeyCode::Char(c) => (KeyCode::Char(c), false),
            code => (code, held(KeyModifiers::SHIFT)),
        };
        Self { code, ctrl: held(KeyModifiers::CONTROL), alt: held(KeyModifiers::ALT), shift }
    }

    /// The key that types a letter.
    pub fn letter(letter: char) -> Self {
        Self { code: KeyCode::Char(letter), ctrl: false, alt: false, shift: false }
    }

    /// Parses what [`Chord`] displays.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        loop {
            let (flag, after) = if let Some(after) = rest.strip_prefix("ctrl-") {
                (&mut ctrl, after)
            } else if let Some(after) = rest.strip_prefix("alt-") {
                (&mut alt, after)
            } else if let Some(after) = rest.strip_prefix("shift-") {
                (&mut shift, after)
            } else {
                break;
            };
            if *flag || after.is_empty() {
                return None;
            }
            *flag = true;
            rest = after;
        }
        let mut letters = rest.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(c), None) if !c.is_control() && c != ' ' => KeyCode::Char(c),
            _ => match NAMED.iter().find(|(name, _)| *name == rest) {
                Some((_, code)) => *code,
                None => KeyCode::F(rest.strip_prefix('f')?.parse().ok().filter(|n| (1..=24).contains(n))?),
            },
        };
        // A letter shows its own shift.
        if shift && matches!(code, KeyCode::Char(_)) {
            return None;
        }
        Some(Self { code, ctrl, alt, shift })
    }

    /// The letter, when pressing it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

impl std::fmt::Display for Chord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (held, name) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if held {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::F(n) => write!(f, "f{n}"),
            KeyCode::Char(c) if c != ' ' => write!(f, "{c}"),
            code => f.write_str(NAMED.iter().find(|(_, named)| *named == code).map_or("?", |(name, _)| name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_read_as_they_are_written() {
        for text in ["q", "Q", "ctrl-r", "alt-x", "shift-tab", "f12", "space", "ctrl-alt-left", "-", "?", "pgdn", "é"]
        {
            assert_eq!(Chord::parse(text).map(|c| c.to_string()).as_deref(), Some(text));
        }
        for text in ["", "ctrl-", "shift-a", "ctrl-ctrl-a", "f0", "f99", "enterr", "ab", " "] {
            assert_eq!(Chord::parse(text), None, "{text}");
        }
    }

    #[test]
    fn events_become_chords() {
        let of = |code, mods| Chord::of(KeyEvent::new(code, mods)).to_string();
        assert_eq!(of(KeyCode::BackTab, KeyModifiers::SHIFT), "shift-tab");
        assert_eq!(of(KeyCode::Char('G'), KeyModifiers::SHIFT), "G");
        assert_eq!(of(KeyCode::Char('c'), KeyModifiers::CONTROL), "ctrl-c");
        assert_eq!(of(KeyCode::Up, KeyModifiers::SHIFT), "shift-up");
    }
}
