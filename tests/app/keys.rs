//! Key scripts on the real loop: the loop of the program with a scripted terminal in place of the real one.

use crate::driver::{at, event, example, text_of};
use futures_util::Stream;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::Event;
use ratatui::layout::{Position, Rect, Size};
use rehearsal::theme::{Depth, Themes};
use rehearsal::tui::Start;
use rehearsal::tui::keymap::Keymap;
use rehearsal::tui::model::{Look, Model};
use rehearsal::tui::runtime::{Canvas, Host, Keeper, Signal, run};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use tokio::sync::{Notify, mpsc};

/// A terminal that others can look at.
#[derive(Clone)]
struct Glass(Arc<Shared>);

struct Shared {
    screen: Mutex<(Buffer, usize)>,
    painted: Notify,
}

impl Glass {
    fn new(size: (u16, u16)) -> Self {
        let screen = Mutex::new((Buffer::empty(Rect::new(0, 0, size.0, size.1)), 0));
        Self(Arc::new(Shared { screen, painted: Notify::new() }))
    }

    fn text(&self) -> String {
        text_of(&self.0.screen.lock().unwrap().0)
    }

    /// How many frames were sent.
    fn frames(&self) -> usize {
        self.0.screen.lock().unwrap().1
    }

    /// Waits until the screen says something.
    async fn until(&self, words: &str) {
        loop {
            let painted = self.0.painted.notified();
            if self.text().contains(words) {
                return;
            }
            let waited = tokio::time::timeout(std::time::Duration::from_secs(60), painted).await;
            assert!(waited.is_ok(), "the screen never said {words:?}:\n{}", self.text());
        }
    }
}

impl Backend for Glass {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let mut screen = self.0.screen.lock().unwrap();
        for (x, y, cell) in content {
            if let Some(place) = screen.0.cell_mut((x, y)) {
                *place = cell.clone();
            }
        }
        Ok(())
    }
    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }
    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> io::Result<()> {
        Ok(())
    }
    fn clear(&mut self) -> io::Result<()> {
        self.0.screen.lock().unwrap().0.reset();
        Ok(())
    }
    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }
    fn size(&self) -> io::Result<Size> {
        Ok(self.0.screen.lock().unwrap().0.area.as_size())
    }
    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.screen.lock().unwrap().1 += 1;
        self.0.painted.notify_waiters();
        Ok(())
    }
}

/// Events that a test sends; the receiver outlives the stream, so reading can stop and begin again.
struct Keys(Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Event>>>);

impl Stream for Keys {
    type Item = io::Result<Event>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Ok(mut keys) = self.0.try_lock() else { return Poll::Pending };
        keys.poll_recv(cx).map(|event| event.map(Ok))
    }
}

struct Scripted {
    keys: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Event>>>,
    signals: mpsc::UnboundedReceiver<Signal>,
    size: (u16, u16),
    log: Arc<Mutex<Vec<String>>>,
    keeper: Keeper,
}

impl Host for Scripted {
    type Events = Keys;

    fn events(&mut self) -> Keys {
        self.log.lock().unwrap().push("reads".into());
        Keys(self.keys.clone())
    }

    async fn signal(&mut self) -> Signal {
        match self.signals.recv().await {
            Some(signal) => signal,
            None => std::future::pending().await,
        }
    }

    fn size(&self) -> io::Result<(u16, u16)> {
        Ok(self.size)
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.log.lock().unwrap().push("sleeps".into());
        Ok(())
    }

    fn mouse(&mut self, on: bool) -> io::Result<()> {
        self.log.lock().unwrap().push(format!("mouse {on}"));
        Ok(())
    }

    fn copy(&mut self, what: &str, text: &str) -> Result<String, String> {
        self.log.lock().unwrap().push(format!("copies {text}"));
        Ok(format!("copied {what}"))
    }

    fn edit(&mut self, command: &str, file: &std::path::Path) -> io::Result<bool> {
        self.log.lock().unwrap().push(format!("edits with {command}"));
        let text = std::fs::read_to_string(file)?;
        std::fs::write(file, text.replace("null", "7"))?;
        Ok(command != "fails")
    }

    fn keeper(&mut self) -> &mut Keeper {
        &mut self.keeper
    }
}

/// A hand on the keys of a running loop.
struct Hand {
    glass: Glass,
    events: mpsc::UnboundedSender<Event>,
    signals: mpsc::UnboundedSender<Signal>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Hand {
    fn keys(&self, keys: &str) {
        for key in keys.split_whitespace() {
            self.events.send(Event::Key(event(key))).unwrap();
        }
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

/// Runs the loop with a hand on its keys; gives the exit code.
fn with(begin: Start, play: impl AsyncFnOnce(&Hand)) -> u8 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let size = (120, 40);
        let themes = Themes::default();
        let look = Look { theme: themes.load("dark", Depth::True).unwrap(), themes, depth: Depth::True };
        let mut model = Model::new(begin, look, Keymap::default(), false);
        let glass = Glass::new(size);
        let (events, keys) = mpsc::unbounded_channel();
        let (signals, heard) = mpsc::unbounded_channel();
        let log = Arc::new(Mutex::new(Vec::new()));
        let keys = Arc::new(tokio::sync::Mutex::new(keys));
        let mut host = Scripted { keys, signals: heard, size, log: log.clone(), keeper: Keeper::default() };
        let mut canvas = Canvas::new(glass.clone());
        let hand = Hand { glass, events, signals, log };
        let (code, ()) = tokio::join!(run(&mut model, &mut canvas, &mut host), play(&hand));
        code.unwrap()
    })
}

#[test]
fn from_the_first_screen_to_a_verdict_and_out() {
    let code = with(example(), async |hand| {
        hand.glass.until("This is the built-in example").await;
        hand.keys("2 g j");
        hand.glass.until("task faults:f2").await;
        hand.keys("enter");
        hand.glass.until("replying now would be").await;
        hand.keys("n");
        hand.glass.until("unavailable").await;
        hand.keys("e");
        hand.glass.until("+ passed").await;
        hand.keys("b 0 q");
    });
    assert_eq!(code, 0);
}

#[test]
fn nothing_changed_nothing_drawn() {
    with(example(), async |hand| {
        hand.glass.until("This is the built-in example").await;
        hand.keys("T");
        hand.glass.until("theme light").await;
        let frames = hand.glass.frames();
        // Keys that mean nothing here, and one that means something again.
        hand.keys("x x k k ; T");
        hand.glass.until("theme contrast").await;
        assert!(hand.glass.frames() <= frames + 2, "{} frames for one change", hand.glass.frames() - frames);
        hand.keys("q");
    });
}

#[test]
fn keys_that_wait_are_handled_before_painting() {
    with(at(example(), "shape:w4", 404), async |hand| {
        hand.glass.until("replying now would be").await;
        let frames = hand.glass.frames();
        for _ in 0..200 {
            hand.keys("j k");
        }
        hand.keys("e");
        hand.glass.until("+ passed").await;
        assert!(hand.glass.frames() < frames + 20, "{} frames", hand.glass.frames() - frames);
        hand.keys("q");
    });
}

#[test]
fn sleeping_gives_the_keys_away_and_takes_them_back() {
    with(example(), async |hand| {
        hand.glass.until("This is the built-in example").await;
        hand.keys("ctrl-z M");
        hand.glass.until("the mouse is on").await;
        assert_eq!(hand.log(), ["reads", "sleeps", "reads", "mouse true"]);
        hand.signals.send(Signal::Stop).unwrap();
        hand.keys("M");
        hand.glass.until("the mouse is off").await;
        hand.keys("q");
    });
}

#[test]
fn signals_end_the_loop_with_their_codes() {
    for (signal, code) in [(Signal::Terminate, 143), (Signal::HangUp, 129)] {
        let ended = with(example(), async move |hand| {
            hand.glass.until("This is the built-in example").await;
            hand.signals.send(signal).unwrap();
        });
        assert_eq!(ended, code);
    }
}

#[test]
fn a_hash_is_copied() {
    with(example(), async |hand| {
        hand.glass.until("This is the built-in example").await;
        hand.keys("y c o n t r a c t");
        hand.glass.until("1 of 3").await;
        hand.keys("enter");
        hand.glass.until("copied contract hash").await;
        let hash = "copies cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157";
        assert!(hand.log().contains(&hash.to_owned()), "{:?}", hand.log());
        hand.keys("q");
    });
}
