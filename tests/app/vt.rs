//! The bytes that reach the terminal, read by a terminal emulator of their own.

use crate::driver::{Driver, bytes, example};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::style::force_color_output;
use rehearsal::tui::runtime::Canvas;
use rehearsal::tui::view::paint;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Bytes written, to look at.
#[derive(Clone, Default)]
struct Tape(Arc<Mutex<Vec<u8>>>);

impl Write for Tape {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(buf);
        Ok(buf.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A canvas on a tape, and a terminal that reads it.
pub struct Screen {
    canvas: Canvas<CrosstermBackend<Tape>>,
    tape: Tape,
    terminal: vt100::Parser,
}

impl Screen {
    pub fn new() -> Self {
        force_color_output(true);
        let tape = Tape::default();
        Self { canvas: Canvas::new(CrosstermBackend::new(tape.clone())), tape, terminal: vt100::Parser::new(24, 80, 0) }
    }

    /// Paints and gives the bytes that were sent.
    pub fn paint(&mut self, driver: &Driver) -> Vec<u8> {
        self.canvas.paint(driver.model.size, |buf| paint(&driver.model, buf)).unwrap();
        let bytes = std::mem::take(&mut *self.tape.0.lock().unwrap());
        self.terminal.process(&bytes);
        bytes
    }
}

/// Everything after an ESC that we send ourselves: SGR, cursor moves, clearing, showing and hiding the cursor.
pub fn foreign(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = &*text;
    while let Some(at) = rest.find('\u{1b}') {
        rest = &rest[at + 1..];
        let csi = rest.strip_prefix('[')?;
        let end = csi.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(csi.len());
        let ours = match csi.as_bytes().get(end) {
            Some(b'm' | b'H') => csi[..end].chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':'),
            Some(b'J') => &csi[..end] == "2",
            Some(b'h' | b'l') => &csi[..end] == "?25",
            _ => false,
        };
        if !ours {
            return Some(format!("ESC[{}", &csi[..csi.len().min(20)]));
        }
    }
    text.chars().find(|c| c.is_control() && *c != '\u{1b}').map(|c| format!("{c:?}"))
}

#[test]
fn a_frame_is_marked_and_nothing_is_sent_for_the_same_one() {
    let tape = Tape::default();
    let mut canvas = Canvas::synchronized(CrosstermBackend::new(tape.clone()));
    for (says, writes) in [("a", true), ("a", false), ("b", true)] {
        let painted = canvas.paint((5, 1), |buf| {
            buf.set_string(0, 0, says, ratatui::style::Style::default());
            None
        });
        painted.unwrap();
        let bytes = String::from_utf8(std::mem::take(&mut *tape.0.lock().unwrap())).unwrap();
        assert_eq!(!bytes.is_empty(), writes, "{bytes:?}");
        if writes {
            assert!(bytes.starts_with("\u{1b}[?2026h") && bytes.ends_with("\u{1b}[?2026l"), "{bytes:?}");
        }
    }
}

#[test]
fn the_terminal_shows_what_was_painted() {
    let mut screen = Screen::new();
    let mut driver = Driver::new(example(), (80, 24), "dark");
    for keys in ["", "j j", "2", "j l", "enter", "n", "n", "?", "esc", "c", "enter", "esc"] {
        driver.keys(keys);
        screen.paint(&driver);
        let shown: Vec<String> = screen.terminal.screen().rows(0, 80).map(|r| r.trim_end().to_owned()).collect();
        assert_eq!(shown.join("\n").trim_end(), driver.text().trim_end(), "after {keys}");
    }
}

#[test]
fn nothing_is_sent_when_nothing_changed() {
    let mut screen = Screen::new();
    let driver = Driver::new(example(), (80, 24), "dark");
    assert!(!screen.paint(&driver).is_empty());
    assert_eq!(screen.paint(&driver), b"");
}

#[test]
fn without_colour_reverse_video_stays() {
    let mut screen = Screen::new();
    let driver = Driver::new(example(), (80, 24), "mono");
    let bytes = screen.paint(&driver);
    let grid = screen.terminal.screen();
    let cells = || (0..24).flat_map(|y| (0..80).filter_map(move |x| grid.cell(y, x)));
    assert!(cells().any(vt100::Cell::inverse), "nothing is reversed");
    assert!(cells().any(vt100::Cell::bold), "nothing is bold");
    assert!(cells().all(|c| c.fgcolor() == vt100::Color::Default && c.bgcolor() == vt100::Color::Default));
    assert!(!String::from_utf8_lossy(&bytes).contains("38;"), "a colour is sent");
}

/// Escape sequences of every family, and characters that hide or reorder.
pub const HOSTILE: [&str; 12] = [
    "\u{1b}[2J",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;eA==\u{7}",
    "\u{1b}Pq#0\u{1b}\\",
    "\u{1b}_apc\u{1b}\\",
    "\u{9b}31m",
    "\u{9d}0;x\u{9c}",
    "\u{202e}rtl\u{2066}",
    "\u{200b}\u{feff}\u{ad}",
    "\u{e0041}\u{e0042}",
    "\r\n\t\u{8}\u{7f}",
];

fn hostile_file() -> Vec<u8> {
    let mut tools = Vec::new();
    for (i, text) in HOSTILE.iter().enumerate() {
        tools.push(serde_json::json!({
            "name": format!("tool_{i}"), "title": text, "description": format!("Says {text}. And {text}"),
            "inputSchema": {"type": "object", "required": ["which"], "title": text,
                "properties": {"which": {"enum": [format!("a{text}"), format!("b{text}")], "description": text},
                    "n": {"type": "integer", "description": text}}},
            "outputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": text},
                "kind": {"enum": [format!("k{text}")]}}},
        }));
        tools.push(serde_json::json!({"name": format!("bad{text}"), "inputSchema": {"type": "object", "$ref": text}}));
        tools.push(serde_json::json!({"name": format!("dup{text}"), "inputSchema": {"type": text}}));
    }
    serde_json::to_vec(&serde_json::json!({ "tools": tools })).unwrap()
}

#[test]
fn nothing_a_file_says_reaches_the_terminal_raw() {
    let mut screen = Screen::new();
    let mut driver = Driver::new(bytes("nasty\u{1b}[2J.json", &hostile_file()), (80, 24), "dark");
    let mut look = |driver: &Driver, what: &str| {
        let bytes = screen.paint(driver);
        assert_eq!(foreign(&bytes), None, "{what}");
    };
    look(&driver, "file");
    for _ in 0..60 {
        driver.keys("j");
        look(&driver, "tools");
        driver.keys("tab");
        look(&driver, "tool");
        driver.keys("tab tab");
    }
    for keys in ["/ t o o l", "enter > >", "y", "esc", "f", "enter", "enter", "2", "tab", "tab", "G", "g", "enter"] {
        driver.keys(keys);
        look(&driver, keys);
    }
    for keys in ["n", "n", "n", "c", "enter", "ctrl-r", "ctrl-r", "ctrl-o", "esc", "esc", "y", "esc", "r"] {
        driver.keys(keys);
        look(&driver, keys);
    }
}

#[test]
fn invisible_names_are_told_apart() {
    let path = "../shared/cases/86-invisible-text.json";
    let Ok(file) = std::fs::read(path).or_else(|_| std::fs::read("tests/cases/86-invisible-text.json")) else {
        println!("skipped: no {path}");
        return;
    };
    let mut screen = Screen::new();
    let mut driver = Driver::new(bytes("86-invisible-text.json", &file), (80, 24), "dark");
    let mut shown = String::new();
    for _ in 0..8 {
        assert_eq!(foreign(&screen.paint(&driver)), None);
        shown.push_str(&driver.text());
        driver.keys("j");
    }
    for symbol in ["<U+200B>", "<U+202E>", "<U+00AD>", "<U+E0073>"] {
        assert!(shown.contains(symbol), "{symbol} is not shown:\n{shown}");
    }
}

#[test]
fn what_is_copied_is_safe() {
    let mut driver = Driver::new(bytes("nasty.json", &hostile_file()), (80, 24), "dark");
    for _ in 0..60 {
        driver.keys("j");
        for down in 0..7 {
            driver.keys("y");
            for _ in 0..down {
                driver.keys("down");
            }
            driver.keys("enter esc");
        }
    }
    assert!(driver.copied.len() > 300, "only {} copies", driver.copied.len());
    for text in &driver.copied {
        let raw = text.chars().find(|c| rehearsal::text::is_hidden(*c) && *c != '\n');
        assert_eq!(raw, None, "{text:?}");
    }
}
