//! The real terminal: taken, and given back whatever happens.

use super::clipboard;
use super::host::{Host, Signal};
use super::keeper::Keeper;
use crate::live::Watching;
use crate::theme::Ground;
use crate::uhp::client::Client;
use crate::work::served::Serving;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, EventStream,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use ratatui::crossterm::{cursor, execute};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use tokio::signal::unix::{self, SignalKind};

/// Whether the terminal is ours just now.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the terminal was asked for its ground and has not answered in time.
static AWAITED: AtomicBool = AtomicBool::new(false);
/// The thread that draws: only its panics end the program.
static DRAWS: OnceLock<ThreadId> = OnceLock::new();

/// Holds the terminal; dropping it gives it back.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal. From now on a panic of this thread gives it back before it is reported; panics of other threads
    /// are reported by their jobs.
    pub fn take() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        let _ = DRAWS.set(std::thread::current().id());
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                let draws = DRAWS.get() == Some(&std::thread::current().id());
                if draws {
                    give_back();
                } else if TAKEN.load(Ordering::SeqCst) {
                    return;
                }
                before(info);
            }));
        });
        take()?;
        Ok(Self(()))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let result = execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide);
    if result.is_err() {
        give_back();
    }
    result
}

/// Gives the terminal back, once. Errors have nobody to go to: the terminal may be gone.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        drop(execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show));
        drop(disable_raw_mode());
    }
}

/// A signal this soon after an editor was done was for the editor.
const MEANT_FOR_EDITOR: Duration = Duration::from_millis(300);

/// So long a dropped reader of events may take to stop.
const STOPS: Duration = Duration::from_millis(50);

/// Waits until the thread that read events has stopped: it was told to when its stream was dropped, and stops at once when
/// the machine lets it. One that still runs when the terminal is another's would take that one's keys, and one that runs
/// only after the terminal is ours again would miss the first key.
fn reader_gone() {
    // Asking for an event waits for the reader's lock; an event that comes meanwhile is kept for later.
    drop(ratatui::crossterm::event::poll(STOPS));
}

/// The real world.
#[derive(Debug)]
pub struct RealHost {
    /// Where the last copy is kept.
    state: Option<PathBuf>,
    /// Whether sequences go through tmux.
    tmux: bool,
    keeper: Keeper,
    /// When an editor was done.
    edited: Option<Instant>,
    mouse: bool,
    /// Of the server that is followed.
    client: Option<Client>,
    /// Our own server.
    serving: Option<Serving>,
    /// The live episodes of this process.
    hub: Option<Watching>,
    terminate: unix::Signal,
    hang_up: unix::Signal,
    interrupt: unix::Signal,
    stop: unix::Signal,
    go_on: unix::Signal,
}

impl RealHost {
    /// Listens for signals. Must be called inside the loop's runtime.
    pub fn new(state: Option<PathBuf>, home: Option<PathBuf>, tmux: bool) -> io::Result<Self> {
        if io::stdin().is_terminal() {
            super::vanished::watch();
        }
        Ok(Self {
            keeper: Keeper::new(state.clone(), home),
            state,
            tmux,
            mouse: false,
            edited: None,
            client: None,
            serving: None,
            hub: None,
            terminate: unix::signal(SignalKind::terminate())?,
            hang_up: unix::signal(SignalKind::hangup())?,
            interrupt: unix::signal(SignalKind::interrupt())?,
            stop: unix::signal(SignalKind::from_raw(signal_hook::consts::SIGTSTP))?,
            go_on: unix::signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }
}

impl RealHost {
    /// With the client of a server that is followed.
    #[must_use]
    pub fn with_client(self, client: Option<Client>) -> Self {
        Self { client, ..self }
    }

    /// With our own server.
    #[must_use]
    pub fn with_serving(self, serving: Option<Serving>) -> Self {
        Self { serving, ..self }
    }

    /// With live episodes.
    #[must_use]
    pub fn with_hub(self, hub: Option<Watching>) -> Self {
        Self { hub, ..self }
    }
}

impl Host for RealHost {
    type Events = EventStream;

    fn events(&mut self) -> EventStream {
        EventStream::new()
    }

    async fn signal(&mut self) -> Signal {
        tokio::select! {
            Some(()) = self.terminate.recv() => Signal::Terminate,
            Some(()) = self.interrupt.recv() => {
                // What was meant for the editor reached everybody in the terminal.
                if self.edited.is_some_and(|at| at.elapsed() < MEANT_FOR_EDITOR) { Signal::Continue } else { Signal::Terminate }
            }
            Some(()) = self.hang_up.recv() => Signal::HangUp,
            Some(()) = self.stop.recv() => Signal::Stop,
            Some(()) = self.go_on.recv() => Signal::Continue,
            else => std::future::pending().await,
        }
    }

    fn size(&self) -> io::Result<(u16, u16)> {
        // A terminal that does not know its size says 0 by 0: then the size of old is as good as any.
        size().map(|(w, h)| if w == 0 || h == 0 { (80, 24) } else { (w, h) })
    }

    fn suspend(&mut self) -> io::Result<()> {
        reader_gone();
        give_back();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take()?;
        if self.mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
    }

    fn mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on { execute!(io::stdout(), EnableMouseCapture) } else { execute!(io::stdout(), DisableMouseCapture) }
    }

    fn copy(&mut self, what: &str, text: &str) -> Result<String, String> {
        clipboard::copy(&mut io::stdout(), self.state.as_deref(), self.tmux, what, text)
    }

    fn edit(&mut self, command: &str, file: &Path) -> io::Result<bool> {
        reader_gone();
        give_back();
        // The command may have words of its own, as in "code --wait".
        let status = Command::new("sh").arg("-c").arg(format!("{command} \"$1\"")).arg("editor").arg(file).status();
        self.edited = Some(Instant::now());
        take()?;
        if self.mouse {
            execute!(io::stdout(), EnableMouseCapture)?;
        }
        let status = status?;
        // A shell says so of a command that it does not find.
        if status.code() == Some(127) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "command not found"));
        }
        Ok(status.success())
    }

    fn awaits_answer(&self) -> bool {
        AWAITED.load(Ordering::SeqCst)
    }

    fn keeper(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    fn serving(&self) -> Option<&Serving> {
        self.serving.as_ref()
    }

    fn hub(&self) -> Option<&Watching> {
        self.hub.as_ref()
    }
}

/// So long the terminal may think about its ground.
const PATIENCE: Duration = Duration::from_millis(30);

/// Asks the terminal whether its ground is dark or light, before anything else reads from it. `None` when it does not say
/// in time.
pub fn ask_ground() -> Option<Ground> {
    let mut tty = File::options().read(true).write(true).open("/dev/tty").ok()?;
    enable_raw_mode().ok()?;
    let answer = ask(&mut tty);
    drop(disable_raw_mode());
    let ground = ground_of(&answer);
    AWAITED.store(ground.is_none(), Ordering::SeqCst);
    ground
}

/// Sends the question and one that every terminal answers, so that the end of the answers is known.
fn ask(tty: &mut File) -> Vec<u8> {
    let mut answer = Vec::new();
    if tty.write_all(b"\x1b]11;?\x1b\\\x1b[c").is_err() {
        return answer;
    }
    let until = Instant::now() + PATIENCE;
    let mut bytes = [0; 256];
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        let Ok(left) = rustix::event::Timespec::try_from(left) else { break };
        let mut fds = [rustix::event::PollFd::new(&*tty, rustix::event::PollFlags::IN)];
        if !matches!(rustix::event::poll(&mut fds, Some(&left)), Ok(n) if n > 0) {
            break;
        }
        match tty.read(&mut bytes) {
            Ok(n) if n > 0 => answer.extend_from_slice(&bytes[..n]),
            _ => break,
        }
        // The answer to the second question ends with c.
        if answer.windows(3).any(|w| w == b"\x1b[?") && answer.ends_with(b"c") {
            break;
        }
    }
    answer
}

/// The ground that an answer like `rgb:ffff/ffff/ffff` tells of.
fn ground_of(answer: &[u8]) -> Option<Ground> {
    let text = String::from_utf8_lossy(answer);
    let rgb = text.split("]11;rgb:").nth(1)?;
    let mut parts = rgb.split(['/', '\u{1b}', '\u{7}']);
    let mut part = || {
        let hex = parts.next()?;
        let most = 16_u32.checked_pow(hex.len().try_into().ok()?)?.checked_sub(1).filter(|m| *m > 0)?;
        Some(f64::from(u32::from_str_radix(hex, 16).ok()?) / f64::from(most))
    };
    let light = 0.299 * part()? + 0.587 * part()? + 0.114 * part()?;
    Some(if light > 0.5 { Ground::Light } else { Ground::Dark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_about_the_ground_are_read() {
        assert_eq!(ground_of(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c"), Some(Ground::Light));
        assert_eq!(ground_of(b"\x1b]11;rgb:1e/1e/2e\x07\x1b[?62c"), Some(Ground::Dark));
        assert_eq!(ground_of(b"\x1b[?62c"), None);
        assert_eq!(ground_of(b"\x1b]11;rgb:zz/1/2\x07"), None);
        assert_eq!(ground_of(b"\x1b]11;rgb:ffffffffffffffffff/1/2"), None);
    }
}
