//! What the loop needs of the world: events, signals, a terminal that can be given away and taken back.

use super::keeper::Keeper;
use crate::live::Watching;
use crate::uhp::client::Client;
use crate::work::served::Serving;
use futures_util::Stream;
use ratatui::crossterm::event::Event;
use std::io;
use std::path::Path;

/// A signal the loop reacts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Asked to end.
    Terminate,
    /// The terminal is gone.
    HangUp,
    /// Asked to sleep.
    Stop,
    /// Woken.
    Continue,
}

/// The world around the loop.
pub trait Host {
    /// Events of the terminal. Dropping them stops reading.
    type Events: Stream<Item = io::Result<Event>> + Unpin;

    /// Begins to read events.
    fn events(&mut self) -> Self::Events;

    /// Waits for a signal.
    fn signal(&mut self) -> impl Future<Output = Signal>;

    /// Columns and lines of the terminal.
    fn size(&self) -> io::Result<(u16, u16)>;

    /// Gives the terminal back, sleeps until woken, takes it again.
    fn suspend(&mut self) -> io::Result<()>;

    /// Listens to the mouse or not.
    fn mouse(&mut self, on: bool) -> io::Result<()>;

    /// Copies a text that is safe to send; gives what to say of it.
    fn copy(&mut self, what: &str, text: &str) -> Result<String, String>;

    /// Gives the terminal to an editor until it is done with a file, and takes it again; false when the editor failed.
    fn edit(&mut self, command: &str, file: &Path) -> io::Result<bool>;

    /// Whether the terminal may still answer what it was asked before the loop began.
    fn awaits_answer(&self) -> bool {
        false
    }

    /// What keeps the session and watches the file.
    fn keeper(&mut self) -> &mut Keeper;

    /// The client of the server that is followed, when one is.
    fn client(&self) -> Option<&Client> {
        None
    }

    /// Our own server, when one runs in this process.
    fn serving(&self) -> Option<&Serving> {
        None
    }

    /// The live episodes of this process.
    fn hub(&self) -> Option<&Watching> {
        None
    }
}
