//! Whether a file on disk is still what was read: asked twice a second by a thread that sleeps in between. Nothing is drawn
//! by it; a change is one message.

use crate::tui::live::Told;
use crate::tui::msg::Msg;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc::UnboundedSender;

/// How often it is asked.
const EVERY: Duration = Duration::from_millis(500);

/// What the system says of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp(Option<(SystemTime, u64, u64)>);

impl Stamp {
    /// Of a file; a missing one has a stamp too.
    pub fn of(path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path).ok();
        Self(about.and_then(|about| Some((about.modified().ok()?, about.len(), about.ino()))))
    }
}

/// The thread that asks. It ends when this is dropped.
#[derive(Debug, Clone)]
pub struct Watch(Sender<Option<(PathBuf, Stamp)>>);

impl Watch {
    /// Starts it; it sleeps until it is given a file.
    pub fn start(tell: UnboundedSender<Msg>) -> Self {
        let (send, receive) = channel();
        std::thread::spawn(move || watch(&receive, &tell));
        Self(send)
    }

    /// Gives it a file as it was when it was read, or none.
    pub fn set(&self, file: Option<(PathBuf, Stamp)>) {
        drop(self.0.send(file));
    }
}

fn watch(files: &Receiver<Option<(PathBuf, Stamp)>>, tell: &UnboundedSender<Msg>) {
    let mut file: Option<(PathBuf, Stamp)> = None;
    loop {
        let next = match &file {
            Some(_) => files.recv_timeout(EVERY),
            None => files.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(next) => file = next,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let Some((path, was)) = &mut file else { continue };
                let now = Stamp::of(path);
                if now != *was {
                    *was = now;
                    if tell.send(Msg::Live(Told::Touched)).is_err() {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_a_loss_and_a_return_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, "1").unwrap();
        let stamp = Stamp::of(&path);
        let (send, mut told) = tokio::sync::mpsc::unbounded_channel();
        let watch = Watch::start(send);
        // What changed between reading and watching counts.
        std::fs::write(&path, "22").unwrap();
        watch.set(Some((path.clone(), stamp)));
        assert!(matches!(told.blocking_recv(), Some(Msg::Live(Told::Touched))));
        std::fs::remove_file(&path).unwrap();
        assert!(told.blocking_recv().is_some());
        std::fs::write(&path, "22").unwrap();
        assert!(told.blocking_recv().is_some());
        drop(watch);
        assert!(told.blocking_recv().is_none());
    }
}
