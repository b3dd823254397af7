//! Drives the screens without a terminal: keys in, cells out, jobs done on the spot.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};
use rehearsal::plan::{Flow, PlanSettings};
use rehearsal::record::journal::Session;
use rehearsal::settings::seeds::default_seeds;
use rehearsal::task::Arm;
use rehearsal::theme::{Depth, Themes};
use rehearsal::toolfile::ReadOptions;
use rehearsal::tui::Start;
use rehearsal::tui::keymap::Keymap;
use rehearsal::tui::live::Ask;
use rehearsal::tui::model::{Look, Model};
use rehearsal::tui::msg::{Effect, Msg};
use rehearsal::tui::update::{start, update};
use rehearsal::tui::view::paint;
use rehearsal::work::{self, Control, JobId, Origin, Report};
use std::fmt::Write;

/// The example that comes with the program, its effects and flow declared as its tasks.toml does.
pub fn example() -> Start {
    Start {
        origin: Origin::Example {
            name: "orders.openai.json",
            bytes: include_bytes!("../../examples/orders/orders.openai.json"),
        },
        read: ReadOptions {
            name: "orders".into(),
            read: ["get_order", "search_orders", "list_channels"].map(Into::into).to_vec(),
            ..ReadOptions::default()
        },
        plan: PlanSettings {
            intents: vec![
                ("refund_order".into(), "Refund an order".into()),
                ("notify_customer".into(), "Let the customer of an order know".into()),
            ],
            flows: vec![Flow {
                from: "get_order".into(),
                field: "id".into(),
                to: "refund_order".into(),
                param: "order_id".into(),
            }],
        },
        seeds: default_seeds()[..10].to_vec(),
        arm: None,
        seed: None,
        resume: None,
        config: None,
        aim: rehearsal::tui::Aim::File,
        runs: Vec::new(),
        tour: false,
    }
}

/// A file of the project, read as it is.
pub fn file(path: &str) -> Start {
    // Tests run in the project's folder; a whole path would stand on the screens.
    Start {
        origin: Origin::File(path.into()),
        read: ReadOptions::default(),
        plan: PlanSettings::default(),
        ..example()
    }
}

/// A tool file on which nothing can be planned.
pub fn idle() -> Start {
    let look =
        br#"{"tools": [{"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]}"#;
    bytes("look.mcp.json", look)
}

/// Bytes that came from nowhere.
pub fn bytes(name: &str, bytes: &[u8]) -> Start {
    let origin = Origin::Bytes { name: name.into(), bytes: bytes.into() };
    Start { origin, read: ReadOptions::default(), plan: PlanSettings::default(), ..example() }
}

/// Straight into the stepper.
pub fn at(mut start: Start, arm: &str, seed: u64) -> Start {
    start.arm = Arm::parse(arm);
    assert!(start.arm.is_some(), "{arm} is no arm");
    start.seed = Some(seed);
    start
}

/// The screens under a hand.
pub struct Driver {
    pub model: Model,
    /// What was copied, in order.
    pub copied: Vec<String>,
    /// The exit code once the screens were left.
    pub quit: Option<u8>,
    /// What a server was asked, in order.
    pub remote: Vec<(JobId, work::remote::Ask)>,
    /// Whether runs are played and cards written.
    pub writes: bool,
    /// Effects that only a runtime performs, by name.
    pub asked: Vec<&'static str>,
    /// Beats of auto-play that were asked for.
    pub beats: Vec<rehearsal::work::JobId>,
    /// What was asked of the world about the session and the disk.
    pub live: Vec<Ask>,
    /// Whether a session that is brought back waits to be looked at on the way.
    pub hold: bool,
    pub held: Option<(JobId, Box<work::ResumeRequest>)>,
}

impl Driver {
    /// Opens at a size in a theme.
    pub fn new(begin: Start, size: (u16, u16), theme: &str) -> Self {
        let themes = Themes::default();
        let look = Look { theme: themes.load(theme, Depth::True).unwrap(), themes, depth: Depth::True };
        let model = Model::new(begin, look, Keymap::default(), false);
        let (copied, asked, live, remote) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (hold, held) = (false, None);
        let mut driver =
            Self { model, copied, quit: None, remote, writes: false, asked, beats: Vec::new(), live, hold, held };
        driver.send(Msg::Resize(size.0, size.1));
        let effects = start(&mut driver.model);
        driver.perform(effects);
        driver
    }

    /// Sends a message and does what it asks for.
    pub fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.model, msg);
        self.perform(effects);
    }

    pub fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Quit(code) => self.quit = Some(code),
                Effect::Copy { what, text } => {
                    self.copied.push(text);
                    self.send(Msg::Copied(Ok(format!("copied {what}"))));
                }
                Effect::Open { id, request, source } => {
                    let control = Control::quiet();
                    let result = match source {
                        Some(source) => work::reread(&request, source, &control),
                        None => work::open(&request, &control),
                    };
                    self.send(Msg::Opened(id, Report::Done(result)));
                }
                Effect::Plan { id, request } => {
                    self.send(Msg::Planned(id, Report::Done(work::plan(&request, &Control::quiet()))));
                }
                Effect::Live(ask) => self.live.push(ask),
                Effect::Remote { id, ask } => self.remote.push((id, ask)),
                Effect::Follow { .. } => self.asked.push("follow"),
                Effect::Watch { .. } => self.asked.push("watch"),
                Effect::Beat { id, .. } => self.beats.push(id),
                Effect::FollowHub { .. } => self.asked.push("follow hub"),
                Effect::Wish { .. } => self.asked.push("wish"),
                Effect::Ground { id, request } => self.send(Msg::Grounded(id, Report::Done(request.find()))),
                Effect::Ask { id, ask } => {
                    let told = match ask {
                        work::Ask::Play(_) | work::Ask::WriteCard(_) if !self.writes => {
                            Err("nothing is written".into())
                        }
                        ask => work::ask(ask, &Control::quiet()),
                    };
                    self.send(Msg::Told(id, Report::Done(told)));
                }
                Effect::Turn { id, request } => {
                    let turned = work::turn(&request, &Control::quiet()).map(Box::new);
                    self.send(Msg::Turned(id, Report::Done(turned)));
                }
                Effect::Sides { id, request } => {
                    let sides = work::sides(&request, &Control::quiet()).map(std::sync::Arc::new);
                    self.send(Msg::Sides(id, Report::Done(sides)));
                }
                Effect::Resume { id, request } if self.hold => self.held = Some((id, request)),
                Effect::Resume { id, request } => {
                    let resumed = work::resume(*request, &Control::quiet()).map(Box::new);
                    self.send(Msg::Resumed(id, Report::Done(resumed)));
                }
                Effect::Suspend => self.asked.push("suspend"),
                Effect::Redraw => self.asked.push("redraw"),
                Effect::Mouse(_) => self.asked.push("mouse"),
            }
        }
    }

    /// Presses keys by their names, parted by spaces.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.send(Msg::Key(event(key)));
        }
        self
    }

    /// Types letters as they are.
    pub fn type_text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.send(Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        }
        self
    }

    /// The screen as cells.
    pub fn buffer(&self) -> (Buffer, Option<Position>) {
        let (width, height) = self.model.size;
        let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
        let cursor = paint(&self.model, &mut buf);
        (buf, cursor)
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        text_of(&self.buffer().0)
    }
}

/// What the driver wrote down, as the session it would come back as.
pub fn session(driver: &Driver) -> Box<Session> {
    let mut lines = String::new();
    for ask in &driver.live {
        if let Ask::Journal(events) = ask {
            for event in events {
                lines.push_str(&format!("{}\n", event.to_line()));
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    std::fs::write(&path, lines).unwrap();
    Box::new(Session::read(&path).unwrap().unwrap())
}

/// A key event by its name.
pub fn event(key: &str) -> KeyEvent {
    let mut mods = KeyModifiers::NONE;
    let mut rest = key;
    for (prefix, held) in
        [("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", KeyModifiers::SHIFT)]
    {
        if let Some(after) = rest.strip_prefix(prefix).filter(|after| !after.is_empty()) {
            mods |= held;
            rest = after;
        }
    }
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" if mods.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        "tab" => KeyCode::Tab,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        _ => {
            let mut letters = rest.chars();
            match (letters.next(), letters.next()) {
                (Some(c), None) => KeyCode::Char(c),
                (Some('f'), _) => KeyCode::F(rest[1..].parse().unwrap()),
                _ => panic!("{key} is no key"),
            }
        }
    };
    KeyEvent::new(code, mods)
}

/// Cells as lines of text, a wide character once, spaces at line ends cut.
pub fn text_of(buf: &Buffer) -> String {
    let mut out = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut line = String::new();
        let mut skip = 0;
        for x in buf.area.left()..buf.area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buf[(x, y)].symbol();
            skip = rehearsal::text::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Cells as one letter a style, `.` for plain ones, and what each letter stands for.
pub fn styles_of(buf: &Buffer) -> (String, String) {
    let mut legend: Vec<String> = Vec::new();
    let mut map = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut line = String::new();
        for x in buf.area.left()..buf.area.right() {
            let cell = &buf[(x, y)];
            let style = style_words(cell.fg, cell.bg, cell.modifier);
            // Colours and weight are not seen on a blank.
            let unseen = cell.symbol() == " " && !cell.modifier.intersects(Modifier::REVERSED | Modifier::UNDERLINED);
            if style.is_empty() || unseen {
                line.push('.');
                continue;
            }
            let n = legend.iter().position(|s| *s == style).unwrap_or_else(|| {
                legend.push(style);
                legend.len() - 1
            });
            line.push(char::from(b'a' + n as u8));
        }
        map.push_str(line.trim_end_matches('.'));
        map.push('\n');
    }
    let mut words = String::new();
    for (n, style) in legend.iter().enumerate() {
        writeln!(words, "{} = {style}", char::from(b'a' + n as u8)).unwrap();
    }
    (map, words)
}

fn style_words(fg: Color, bg: Color, modifier: Modifier) -> String {
    let mut words = Vec::new();
    for (name, color) in [("", fg), ("on ", bg)] {
        if color != Color::Reset {
            words.push(format!("{name}{color}").to_lowercase());
        }
    }
    for (flag, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underline"),
        (Modifier::REVERSED, "reverse"),
    ] {
        if modifier.contains(flag) {
            words.push(name.to_owned());
        }
    }
    words.join(" ")
}
