//! The real binary in a terminal of its own: start, walk, step, resize, sleep, quit, signals, panic, a pipe.

use crate::program::program;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rehearsal::tui::runtime::Guard;
use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// So long a screen may take to say what is waited for; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// What came out of the terminal so far.
pub struct Seen {
    pub screen: vt100::Parser,
    pub raw: Vec<u8>,
    ended: bool,
}

/// A program in a terminal.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    _home: tempfile::TempDir,
}

impl Pty {
    pub fn start(command: &[&str], size: (u16, u16)) -> Self {
        Self::start_with(command, size, &[])
    }

    pub fn start_with(command: &[&str], (cols, rows): (u16, u16), variables: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut builder = CommandBuilder::new(command[0]);
        builder.args(&command[1..]);
        builder.cwd(env!("CARGO_MANIFEST_DIR"));
        builder.env_clear();
        for name in ["PATH", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                builder.env(name, value);
            }
        }
        builder.env("HOME", home.path());
        builder.env("TERM", "xterm-256color");
        // Not asked for its ground: the terminal here is a pipe that says nothing.
        builder.env("SSH_TTY", "/dev/null");
        for (name, value) in variables {
            builder.env(name, value);
        }
        let child = pair.slave.spawn_command(builder).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let seen = Arc::new((
            Mutex::new(Seen { screen: vt100::Parser::new(rows, cols, 0), raw: Vec::new(), ended: false }),
            Condvar::new(),
        ));
        let told = seen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let n = reader.read(&mut bytes).unwrap_or(0);
                let mut seen = told.0.lock().unwrap();
                seen.screen.process(&bytes[..n]);
                seen.raw.extend_from_slice(&bytes[..n]);
                seen.ended = n == 0;
                told.1.notify_all();
                if n == 0 {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, keys, child, seen, _home: home }
    }

    /// Waits until something holds of what was seen.
    pub fn wait(&self, what: &str, holds: impl Fn(&Seen) -> bool) {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.seen.0.lock().unwrap();
        while !holds(&seen) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never came: {what}\n{}", seen.screen.screen().contents());
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// Waits until the screen says something.
    pub fn until(&self, words: &str) -> &Self {
        self.wait(words, |seen| seen.screen.screen().contents().contains(words));
        self
    }

    /// Waits until the screen says something no more.
    pub fn gone(&self, words: &str) -> &Self {
        self.wait(&format!("no {words}"), |seen| !seen.screen.screen().contents().contains(words));
        self
    }

    /// What stands on the screen.
    pub fn shown(&self) -> String {
        self.seen.0.lock().unwrap().screen.screen().contents()
    }

    /// Everything that was sent so far.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen.0.lock().unwrap().raw).into_owned()
    }

    /// What follows some words on the screen, up to a blank.
    pub fn word_after(&self, words: &str) -> String {
        let seen = self.seen.0.lock().unwrap();
        let contents = seen.screen.screen().contents();
        let after = contents.split(words).nth(1).unwrap_or_default();
        after.split_whitespace().next().unwrap_or_default().to_owned()
    }

    /// Presses keys.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.seen.0.lock().unwrap().screen.screen_mut().set_size(rows, cols);
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Waits for the end; gives the exit code and everything that was sent.
    pub fn end(&mut self) -> (u32, String) {
        let code = self.child.wait().unwrap().exit_code();
        self.wait("the end", |seen| seen.ended);
        (code, String::from_utf8_lossy(&self.seen.0.lock().unwrap().raw).into_owned())
    }
}

pub fn binary() -> String {
    program().to_string_lossy().into_owned()
}

pub fn shows(raw: &str) -> bool {
    let entered = raw.rfind("\u{1b}[?1049h");
    let left = raw.rfind("\u{1b}[?1049l");
    let cursor = raw.rfind("\u{1b}[?25h");
    let pasted = raw.rfind("\u{1b}[?2004l");
    entered.is_some() && left > entered && cursor > entered && pasted > entered
}

#[test]
fn it_opens_walks_steps_resizes_and_quits() {
    let mut pty = Pty::start(&[&binary()], (120, 40));
    pty.until("This is the built-in example").until("5 usable tools");
    pty.keys("2").until("reference solution");
    pty.keys("\r").until("replying now would be");
    pty.keys("n").until("bad read");
    pty.resize(80, 24);
    pty.until("─ store");
    pty.resize(40, 5);
    pty.until("too small");
    pty.resize(100, 30);
    pty.keys("e").until("+ passed");
    pty.keys("0").until("before the first call");
    pty.keys("q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert!(shows(&raw), "the terminal was not given back");
}

#[test]
fn each_example_file_is_walked_to_its_dials_and_stepped() {
    let files = [
        ("examples/orders/orders.openai.json", ["baddata:b2", "lagged:g1"]),
        ("examples/warehouse/warehouse.mcp.json", ["baddata:b2", "landed:l1"]),
        ("examples/clinic/clinic.openapi.yaml", ["baddata:b2", "lagged:g1"]),
    ];
    for (file, arms) in files {
        for arm in arms {
            let mut pty = Pty::start(&[&binary(), file, "--arm", arm], (120, 40));
            pty.until("replying now would be").until("before the first call").until(arm);
            // Call by call to the end, then back to the start.
            for _ in 0..12 {
                pty.keys("n");
            }
            pty.until("the reference solution has no more calls");
            pty.keys("r").until("+ passed");
            for _ in 0..14 {
                pty.keys("b");
            }
            pty.until("this is the start");
            pty.keys("q");
            assert_eq!(pty.end().0, 0, "{file} {arm}");
        }
    }
}

#[test]
fn the_tour_is_taken_from_start_to_end() {
    let mut pty = Pty::start(&[&binary(), "--tour"], (80, 24));
    let steps = [
        ("step 1 of 10", "j"),
        ("step 2 of 10", "\t"),
        ("step 3 of 10", "2"),
        ("step 4 of 10", "\r"),
        ("step 5 of 10", "n"),
        ("step 6 of 10", "b"),
        ("step 7 of 10", "e"),
        ("step 8 of 10", "["),
        ("step 9 of 10", "v"),
        ("step 10 of 10", "p"),
    ];
    // A key pressed while the file is still being opened moves nothing.
    pty.until("5 usable tools");
    for (says, key) in steps {
        pty.until(says);
        pty.keys(key);
    }
    pty.until("who makes the calls");
    pty.keys("trust").until("> trust");
    pty.keys("\r").until("tour, done").until("+ passed").until("! wrong_state");
    pty.keys("\u{1b}").until("tour ended");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn signals_give_the_terminal_back() {
    for (signal, code) in [("TERM", 143), ("HUP", 129)] {
        let script = format!("trap '' HUP; {} ; echo code=$?; stty -a", binary());
        let mut pty = Pty::start(&["sh", "-c", &script], (80, 24));
        pty.until("usable tools");
        // The shell's child: its process is found by its parent.
        let parent = pty.child.process_id().unwrap().to_string();
        let found = std::process::Command::new("pgrep").args(["-P", &parent]).output().unwrap();
        let pid = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        if pid.is_empty() {
            println!("skipped: no pgrep here");
            pty.keys("q");
            return;
        }
        // HUP is ignored by what the shell starts, so it is sent to see that ours listens all the same.
        assert!(std::process::Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        let (_, raw) = pty.end();
        assert!(raw.contains(&format!("code={code}")), "{signal}: {raw}");
        assert!(shows(&raw), "{signal}: the terminal was not given back");
        let stty = raw.rsplit("code=").next().unwrap_or_default();
        assert!(stty.contains(" icanon") && !stty.contains("-icanon"), "{signal}: still raw: {stty}");
    }
}

#[test]
fn it_sleeps_and_wakes() {
    let mut pty = Pty::start(&["bash", "--norc", "--noprofile", "-i"], (100, 30));
    pty.keys(&format!("{}\r", binary()));
    pty.until("5 usable tools");
    pty.keys("\u{1a}");
    pty.wait("the shell", |seen| String::from_utf8_lossy(&seen.raw).contains("Stopped"));
    pty.keys("echo still $((40+2))\r").until("still 42");
    pty.keys("fg\r");
    // The second screen is still remembered by the terminal, so what was sent is looked at.
    pty.wait("the screen again", |seen| {
        let raw = String::from_utf8_lossy(&seen.raw);
        let screens: Vec<&str> = raw.split("\u{1b}[?1049h").collect();
        screens.len() > 2 && screens.last().is_some_and(|sent| sent.contains("usable"))
    });
    pty.keys("2").until("reference solution");
    pty.keys("q");
    // What is typed before the shell reads again would be read by nobody.
    pty.wait("the shell again", |seen| String::from_utf8_lossy(&seen.raw).matches("\u{1b}[?1049l").count() >= 2);
    pty.keys("echo back $((40+3))\r").until("back 43");
    pty.keys("exit\r");
    let (_, raw) = pty.end();
    assert!(shows(&raw));
}

#[test]
fn without_colour_no_colour_is_sent_and_reverse_video_is() {
    let mut pty = Pty::start_with(&[&binary()], (80, 24), &[("NO_COLOR", "1")]);
    pty.until("5 usable tools");
    pty.keys("j").until("get_order");
    pty.keys("q");
    let (_, raw) = pty.end();
    assert!(!raw.contains("38;5;") && !raw.contains("38;2;"), "a colour was sent");
    assert!(raw.contains("\u{1b}[7m"), "nothing was reversed");
}

#[test]
fn a_pipe_gets_text() {
    let mut pty = Pty::start(&["sh", "-c", &format!("{} | cat; echo end=$?", binary())], (100, 60));
    let (_, raw) = pty.end();
    assert!(raw.contains("end=0") && raw.contains("get_order"), "{raw}");
    assert!(!raw.contains("\u{1b}["), "a screen was opened into a pipe: {raw}");
}

#[test]
fn a_wrong_setting_is_listed_and_the_default_used() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("rehearsal")).unwrap();
    std::fs::write(home.path().join("rehearsal/settings.yaml"), "keys:\n  next-call: [c]\n").unwrap();
    let folder = home.path().to_string_lossy().into_owned();
    let mut pty = Pty::start_with(&[&binary()], (100, 30), &[("XDG_CONFIG_HOME", &folder)]);
    pty.until("c is both next-call and");
    pty.keys("\x1b").until("usable tools");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_told() {
    let exe = std::env::current_exe().unwrap().to_string_lossy().into_owned();
    let child = "pty::child_that_panics";
    let mut pty = Pty::start(&[&exe, "--ignored", "--exact", child, "--nocapture", "--test-threads=1"], (80, 24));
    let (code, raw) = pty.end();
    assert_ne!(code, 0);
    assert!(shows(&raw), "the terminal was not given back: {raw}");
    let told = raw.rfind("struck a defect").unwrap();
    assert!(raw.rfind("\u{1b}[?1049l").unwrap() < told, "told on the screen that is gone: {raw}");
}

/// Not a test: the program that [`a_panic_gives_the_terminal_back_and_is_told`] runs in a terminal.
#[test]
#[ignore = "run by another test, in a terminal"]
fn child_that_panics() {
    let _guard = Guard::take().unwrap();
    panic!("struck a defect");
}
