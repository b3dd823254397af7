//! The screens: from the start of the program to its first frame, from a key to the bytes of the next frame, frames of a
//! 10,000-call episode and of a set of 1,000 tools, a search through them, the way back to the start.
//!
//! `cargo bench --bench screen`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]
#[path = "made/tools.rs"]
mod made;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rehearsal::task::{Arm, Call};
use rehearsal::theme::{Depth, Themes};
use rehearsal::toolfile::ReadOptions;
use rehearsal::tui::Start;
use rehearsal::tui::keymap::Keymap;
use rehearsal::tui::model::{Look, Model, Screen};
use rehearsal::tui::msg::{Effect, Msg};
use rehearsal::tui::runtime::Canvas;
use rehearsal::tui::update::{start, update};
use rehearsal::tui::view::paint;
use rehearsal::value::{Map, Value};
use rehearsal::work::{self, Control, Origin, Report};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// The size of the terminal of every figure.
const SIZE: (u16, u16) = (200, 60);
/// Calls of the long episode.
const CALLS: usize = 10_000;
/// Tools of the large set.
const TOOLS: usize = 1_000;

fn main() {
    println!("{:<44} {:>10} {:>10}", "", "median", "slowest");
    first_frame("first frame, the example", &[]);
    let large = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(large.path(), made::tools(TOOLS)).unwrap();
    first_frame("first frame, 1,000 tools", &[large.path().to_str().unwrap()]);
    tools();
    episode();
}

/// The screens under a hand, with a canvas that keeps no bytes.
struct Driver {
    model: Model,
    canvas: Canvas<CrosstermBackend<Vec<u8>>>,
}

impl Driver {
    fn new(begin: Start) -> Self {
        let themes = Themes::default();
        let look = Look { theme: themes.load("dark", Depth::True).unwrap(), themes, depth: Depth::True };
        let model = Model::new(begin, look, Keymap::default(), false);
        let mut driver = Self { model, canvas: Canvas::new(CrosstermBackend::new(Vec::new())) };
        driver.send(Msg::Resize(SIZE.0, SIZE.1));
        let effects = start(&mut driver.model);
        driver.perform(effects);
        driver
    }

    fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.model, msg);
        self.perform(effects);
    }

    /// Does the jobs on the spot; nothing else is asked for here.
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
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
                _ => {}
            }
        }
    }

    fn key(&mut self, code: KeyCode) {
        self.send(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    fn paint(&mut self) {
        let model = &self.model;
        self.canvas.paint(model.size, |buf| paint(model, buf)).unwrap();
    }

    /// A key, what it does and the bytes of the frame after it.
    fn key_to_bytes(&mut self, code: KeyCode) {
        self.key(code);
        self.paint();
    }

    /// A frame painted as if nothing were on the terminal.
    fn whole_frame(&mut self) {
        self.canvas.forget();
        self.paint();
    }
}

fn begin(name: &str, bytes: &[u8]) -> Start {
    let origin = Origin::Bytes { name: name.into(), bytes: bytes.into() };
    let read = ReadOptions { name: name.into(), ..ReadOptions::default() };
    Start { read, seeds: vec![404], ..Start::new(origin) }
}

fn tools() {
    let mut driver = Driver::new(begin("thousand", &made::tools(TOOLS)));
    driver.paint();
    measure("frame, 1,000 tools", 200, || driver.whole_frame());
    measure("key to bytes, 1,000 tools: one down", 200, || driver.key_to_bytes(KeyCode::Down));
    measure("key to bytes, 1,000 tools: to the end", 200, || driver.key_to_bytes(KeyCode::End));
    driver.key(KeyCode::Home);
    measure("search through 1,000 tools", 50, || {
        driver.key(KeyCode::Char('/'));
        "update_record_999".chars().for_each(|c| driver.key(KeyCode::Char(c)));
        driver.key(KeyCode::Enter);
        driver.key(KeyCode::Home);
    });
    driver.key(KeyCode::Char('&'));
    measure("key to bytes, 1,000 tools: a letter of a filter", 50, || {
        driver.key_to_bytes(KeyCode::Char('e'));
        driver.key(KeyCode::Backspace);
    });
    driver.key_to_bytes(KeyCode::Char('e'));
    driver.key(KeyCode::Enter);
    measure("key to bytes, 1,000 tools filtered: one down", 200, || driver.key_to_bytes(KeyCode::Down));
}

fn episode() {
    let mut driver =
        Driver::new(Start { arm: Arm::parse("faults:f1"), seed: Some(404), ..begin("warehouse", made::WAREHOUSE) });
    assert_eq!(driver.model.screen, Screen::Step, "straight into the stepper");
    let began = Instant::now();
    let episode = driver.model.step.episode.as_mut().unwrap();
    let write = episode.task().reference_calls[0].clone();
    let read = episode.task().block.iter().find(|t| t.tool.effect.is_read() && !t.tool.checkable().is_empty()).unwrap();
    let (tool, argument) = (read.name.clone(), read.tool.checkable()[0].clone());
    for i in 0..CALLS {
        let arguments: Map = [(argument.clone(), Value::from(format!("{i:08}")))].into_iter().collect();
        let read = Call { tool: tool.clone(), arguments: arguments.into() };
        episode.make(if i % 2 == 0 { write.clone() } else { read });
    }
    println!("{:<44} {:>10}", "10,000 calls made", shown(began.elapsed()));
    driver.send(Msg::Resize(SIZE.0, SIZE.1));
    driver.key(KeyCode::End);
    measure("frame, 10,000 calls", 200, || driver.whole_frame());
    measure("key to bytes, 10,000 calls: one up", 200, || driver.key_to_bytes(KeyCode::Up));
    measure("key to bytes, 10,000 calls: step back", 200, || driver.key_to_bytes(KeyCode::Char('b')));
    measure("search through 10,000 calls, found nowhere", 20, || {
        driver.key(KeyCode::Char('/'));
        "no such call".chars().for_each(|c| driver.key(KeyCode::Char(c)));
        driver.key(KeyCode::Enter);
    });
    measure("back to the start and to the end", 50, || {
        driver.key(KeyCode::Char('0'));
        driver.paint();
        driver.key(KeyCode::End);
        driver.paint();
    });
    driver.key(KeyCode::Char('&'));
    measure("key to bytes, 10,000 calls: a letter of a filter", 50, || {
        driver.key_to_bytes(KeyCode::Char('9'));
        driver.key(KeyCode::Backspace);
    });
    driver.key_to_bytes(KeyCode::Char('9'));
    driver.key(KeyCode::Enter);
    measure("key to bytes, 10,000 calls filtered: one up", 50, || driver.key_to_bytes(KeyCode::Up));
}

fn measure(what: &str, times: usize, mut work: impl FnMut()) {
    let mut took: Vec<Duration> = (0..times)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .collect();
    say(what, &mut took);
}

fn say(what: &str, took: &mut [Duration]) {
    took.sort_unstable();
    let (median, slowest) = (took[took.len() / 2], took[took.len() - 1]);
    println!("{what:<44} {:>10} {:>10}", shown(median), shown(slowest));
}

fn shown(took: Duration) -> String {
    let ms = took.as_secs_f64() * 1e3;
    if ms < 1.0 { format!("{:.0} us", ms * 1e3) } else { format!("{ms:.2} ms") }
}

/// The program itself on a terminal of its own, from before it is started to the first frame, which begins with its name.
/// The terminal answers the question after its colours as terminals do.
fn first_frame(what: &str, arguments: &[&str]) {
    let state = tempfile::tempdir().unwrap();
    let mut took: Vec<Duration> = (0..20)
        .map(|_| {
            let pty = native_pty_system()
                .openpty(PtySize { rows: SIZE.1, cols: SIZE.0, pixel_width: 0, pixel_height: 0 })
                .unwrap();
            let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_rehearsal"));
            command.args(arguments);
            command.env("TERM", "xterm-256color");
            for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] {
                command.env(name, state.path());
            }
            let (mut reader, mut writer) = (pty.master.try_clone_reader().unwrap(), pty.master.take_writer().unwrap());
            let began = Instant::now();
            let mut child = pty.slave.spawn_command(command).unwrap();
            let (mut seen, mut room, mut answered) = (Vec::new(), [0; 1 << 12], false);
            let holds = |seen: &[u8], what: &[u8]| seen.windows(what.len()).any(|w| w == what);
            while !holds(&seen, b"rehearsal") {
                let n = reader.read(&mut room).unwrap();
                assert!(n > 0, "it ended before its first frame: {}", String::from_utf8_lossy(&seen));
                seen.extend_from_slice(&room[..n]);
                if !answered && holds(&seen, b"\x1b]11;?") {
                    writer.write_all(b"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c").unwrap();
                    answered = true;
                }
            }
            let took = began.elapsed();
            child.kill().unwrap();
            child.wait().unwrap();
            took
        })
        .collect();
    say(what, &mut took);
}
