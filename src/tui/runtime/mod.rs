//! The loop that turns what happens into messages and does what the model wants done.
//!
//! Owns the terminal, the clock, jobs and signals; knows nothing of what is on the screen. A key paints at once, what
//! jobs report at most thirty times a second, and where nothing changed nothing is drawn. The real terminal and a scripted
//! one are both a [`Host`], so tests run this very loop.

mod canvas;
mod clipboard;
mod files;
mod host;
mod jobs;
mod keeper;
mod late;
mod terminal;
mod vanished;
mod watch;

pub use canvas::Canvas;
pub use clipboard::sequence as copy_sequence;
pub use host::{Host, Signal};
pub use keeper::Keeper;
use late::Late;
pub use terminal::{Guard, RealHost, ask_ground};

use super::live::{Ask, Told, edit};
use super::model::Model;
use super::msg::{Effect, Msg};
use super::update::{start, update};
use super::view::paint;
use futures_util::Stream;
use futures_util::future::poll_fn;
use ratatui::backend::Backend;
use ratatui::crossterm::event::Event;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

/// What jobs report is painted at most this often.
const FRAME: Duration = Duration::from_millis(33);

/// So long keys are held back that may be the beginning of a late answer of the terminal.
const HELD: Duration = Duration::from_millis(200);

/// At most this many waiting events are handled before painting.
const MOST_DRAINED: usize = 256;

/// Shows a model until it quits; gives the exit code.
pub async fn run<B, H>(model: &mut Model, canvas: &mut Canvas<B>, host: &mut H) -> io::Result<u8>
where
    B: Backend<Error = io::Error>,
    H: Host,
{
    let (send, receive) = unbounded_channel();
    let late = Late::new(host.awaits_answer());
    let mut runtime =
        Runtime { model, canvas, host, send, receive, events: None, late, due: None, last: Instant::now() };
    runtime.run().await
}

struct Runtime<'a, B: Backend, H: Host> {
    model: &'a mut Model,
    canvas: &'a mut Canvas<B>,
    host: &'a mut H,
    send: UnboundedSender<Msg>,
    receive: UnboundedReceiver<Msg>,
    events: Option<H::Events>,
    late: Late,
    /// When the next frame for what jobs reported is due.
    due: Option<Instant>,
    /// When the last frame was painted.
    last: Instant,
}

/// What one turn of the loop woke up for.
enum Woken {
    Event(Option<io::Result<Event>>),
    Signal(Signal),
    Job(Msg),
    Held,
    Frame,
}

impl<B, H> Runtime<'_, B, H>
where
    B: Backend<Error = io::Error>,
    H: Host,
{
    async fn run(&mut self) -> io::Result<u8> {
        let (width, height) = self.host.size()?;
        update(self.model, Msg::Resize(width, height));
        let effects = start(self.model);
        if let Some(code) = self.perform(effects)? {
            return Ok(code);
        }
        self.paint()?;
        loop {
            let quit = match self.wait().await {
                Woken::Event(event) => self.events(event).await?,
                Woken::Signal(signal) => self.signal(signal)?,
                Woken::Job(msg) => {
                    let effects = update(self.model, msg);
                    self.due.get_or_insert(self.last + FRAME);
                    self.perform(effects)?
                }
                Woken::Held => self.held()?,
                Woken::Frame => {
                    self.paint()?;
                    None
                }
            };
            if let Some(code) = quit {
                return Ok(code);
            }
        }
    }

    /// Waits for the next thing, keys first.
    async fn wait(&mut self) -> Woken {
        let host = &mut *self.host;
        let events = self.events.get_or_insert_with(|| host.events());
        let due = self.due;
        tokio::select! {
            biased;
            event = poll_fn(|cx| Pin::new(&mut *events).poll_next(cx)) => Woken::Event(event),
            signal = host.signal() => Woken::Signal(signal),
            () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => Woken::Frame,
            () = tokio::time::sleep(HELD), if self.late.holds() => Woken::Held,
            Some(msg) = self.receive.recv() => Woken::Job(msg),
        }
    }

    /// The next event, when one waits. Asked with the loop's own waker: the reader's thread keeps the waker it is given
    /// until it has woken it, so one that wakes nobody would leave the loop asleep at the next key.
    async fn waiting(&mut self) -> Option<Option<io::Result<Event>>> {
        let events = self.events.as_mut()?;
        poll_fn(|cx| match Pin::new(&mut *events).poll_next(cx) {
            Poll::Ready(event) => Poll::Ready(Some(event)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    /// Handles an event and all that wait behind it, then paints.
    async fn events(&mut self, first: Option<io::Result<Event>>) -> io::Result<Option<u8>> {
        let mut next = Some(first);
        for _ in 0..MOST_DRAINED {
            let Some(event) = next else { break };
            // The terminal is gone: there is nobody to talk to.
            let Some(event) = event else { return Ok(Some(0)) };
            for event in self.late.sort(event?) {
                if let Some(code) = self.deliver(event)? {
                    return Ok(Some(code));
                }
            }
            next = self.waiting().await;
        }
        self.paint()?;
        Ok(None)
    }

    /// Hands an event to the model.
    fn deliver(&mut self, event: Event) -> io::Result<Option<u8>> {
        let msg = match event {
            Event::Key(key) => Msg::Key(key),
            Event::Paste(text) => Msg::Paste(text),
            Event::Mouse(mouse) => Msg::Mouse(mouse),
            Event::Resize(width, height) => Msg::Resize(width, height),
            Event::FocusGained | Event::FocusLost => return Ok(None),
        };
        let effects = update(self.model, msg);
        self.perform(effects)
    }

    /// Keys held back as the beginning of an answer were keys after all.
    fn held(&mut self) -> io::Result<Option<u8>> {
        for event in self.late.give_up() {
            if let Some(code) = self.deliver(event)? {
                return Ok(Some(code));
            }
        }
        self.paint()?;
        Ok(None)
    }

    fn signal(&mut self, signal: Signal) -> io::Result<Option<u8>> {
        match signal {
            Signal::Terminate => Ok(Some(143)),
            Signal::HangUp => Ok(Some(129)),
            Signal::Stop => {
                self.suspend()?;
                Ok(None)
            }
            Signal::Continue => {
                self.canvas.forget();
                self.resized()?;
                self.paint()?;
                Ok(None)
            }
        }
    }

    /// Does what the model wants done; gives the exit code when it wants to quit.
    fn perform(&mut self, effects: Vec<Effect>) -> io::Result<Option<u8>> {
        for effect in effects {
            match effect {
                Effect::Quit(code) => {
                    if code == 0 {
                        self.host.keeper().close();
                    }
                    return Ok(Some(code));
                }
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => {
                    self.canvas.forget();
                    self.resized()?;
                }
                Effect::Mouse(on) => self.host.mouse(on)?,
                Effect::Copy { what, text } => {
                    let said = self.host.copy(&what, &text);
                    let more = update(self.model, Msg::Copied(said));
                    debug_assert!(more.is_empty(), "a message about a copy asks for nothing");
                }
                Effect::Open { id, request, source } => {
                    let watch = self.host.keeper().watch(&self.send);
                    jobs::open(id, *request, source, watch, &self.send);
                }
                Effect::Live(Ask::Edit { command, from, text }) => {
                    let result = self.edit(&command, &from, &text);
                    let more = update(self.model, Msg::Live(Told::Edited(result)));
                    if let Some(code) = self.perform(more)? {
                        return Ok(Some(code));
                    }
                }
                Effect::Live(Ask::EditFile { command, path, line }) => {
                    let (with_line, file) = edit::at_line(&command, &path, line);
                    let result = self.edit_file(&command, &with_line, &file).map(drop);
                    let more = update(self.model, Msg::Live(Told::EditedFile(result)));
                    if let Some(code) = self.perform(more)? {
                        return Ok(Some(code));
                    }
                }
                Effect::Live(ask) => {
                    if let Some(told) = self.host.keeper().perform(ask, &self.send) {
                        let more = update(self.model, Msg::Live(told));
                        if let Some(code) = self.perform(more)? {
                            return Ok(Some(code));
                        }
                    }
                }
                Effect::Ask { id, ask } => jobs::ask(id, ask, &self.send),
                Effect::Plan { id, request } => jobs::plan(id, request, &self.send),
                Effect::Remote { id, ask } => jobs::remote(id, ask, self.host.client(), &self.send),
                Effect::Watch { id } => jobs::watch(id, self.host.serving(), &self.send),
                Effect::Beat { id, after } => {
                    let send = self.send.clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(after).await;
                        // The screens may be gone.
                        let _ = send.send(Msg::Beat(id));
                    });
                }
                Effect::FollowHub { id } => jobs::follow_hub(id, self.host.hub(), &self.send),
                Effect::Wish { episode, wish } => jobs::wish(episode, wish, self.host.hub(), &self.send),
                Effect::Follow { id, response } => jobs::follow(id, response, self.host.serving(), &self.send),
                Effect::Ground { id, request } => jobs::ground(id, request, &self.send),
                Effect::Turn { id, request } => jobs::turn(id, request, &self.send),
                Effect::Resume { id, request } => jobs::resume(id, *request, &self.send),
                Effect::Sides { id, request } => jobs::sides(id, *request, &self.send),
            }
        }
        Ok(None)
    }

    /// Sleeps until woken; the terminal is the shell's meanwhile.
    fn suspend(&mut self) -> io::Result<()> {
        // No reader may take the shell's keys.
        self.events = None;
        self.host.suspend()?;
        self.canvas.forget();
        self.resized()?;
        self.paint()
    }

    /// Hands a text to an editor as a file; gives the edited text.
    fn edit(&mut self, command: &str, from: &str, text: &str) -> Result<String, String> {
        let file = files::Spare::new(text).map_err(|e| format!("cannot write a file for the editor: {e}"))?;
        self.edit_file(&format!("{command} ({from})"), command, file.path())?;
        file.read().map_err(|e| format!("the edited file cannot be read: {e}"))
    }

    /// Gives the terminal to an editor until it is done with a file.
    fn edit_file(&mut self, name: &str, command: &str, file: &Path) -> Result<(), String> {
        // No reader may take the editor's keys.
        self.events = None;
        let done = self.host.edit(command, file);
        self.canvas.forget();
        let size = self.resized();
        match done {
            Err(error) => Err(format!("cannot start editor {name}: {error}")),
            Ok(false) => Err(format!("editor {name} failed")),
            Ok(true) => size.map_err(|e| e.to_string()),
        }
    }

    /// The size may have changed while nobody was listening.
    fn resized(&mut self) -> io::Result<()> {
        let (width, height) = self.host.size()?;
        update(self.model, Msg::Resize(width, height));
        Ok(())
    }

    fn paint(&mut self) -> io::Result<()> {
        let model = &*self.model;
        self.canvas.paint(model.size, |buf| paint(model, buf))?;
        self.last = Instant::now();
        self.due = None;
        Ok(())
    }
}
