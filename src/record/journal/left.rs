//! A session that was left, as much of it as says which it is: its calls are counted, not read.

use super::line::{Began, Event};
use crate::record::whole_lines;
use std::io;
use std::path::{Path, PathBuf};

/// A session that nobody holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// Its journal.
    pub path: PathBuf,
    /// Its last task.
    pub began: Began,
    /// How many calls were made in it.
    pub calls: usize,
    /// Where it stood: how many calls lie before.
    pub call: usize,
    /// Whether it was left by its door.
    pub closed: bool,
}

impl Left {
    /// Looks at a journal; `None` when no task began in it. Of its lines only those are read that may say where it stood.
    pub(super) fn look(path: &Path) -> io::Result<Option<Self>> {
        let Some(mut lines) = whole_lines(path)? else { return Ok(None) };
        let mut left: Option<Self> = None;
        let mut last = Vec::new();
        while let Some((_, line)) = lines.next_line()? {
            if line.starts_with(b"{\"task\":") {
                let Some(Event::Began(began)) = Event::of_line(line) else { break };
                left = Some(Self { path: path.to_owned(), began: *began, calls: 0, call: 0, closed: false });
                last.clear();
                continue;
            }
            let Some(left) = &mut left else { continue };
            if line.starts_with(b"{\"closed\":") {
                left.closed = true;
                continue;
            }
            let call = line.starts_with(b"{\"call\":");
            if !call && !line.starts_with(b"{\"place\":") {
                break;
            }
            left.closed = false;
            left.calls += usize::from(call);
            last.clear();
            last.extend_from_slice(line);
        }
        Ok(left.map(|left| Self { call: stood(&last), ..left }))
    }
}

/// Where a session stands after a line.
fn stood(line: &[u8]) -> usize {
    match Event::of_line(line) {
        Some(Event::Place { call, .. }) => call,
        Some(Event::Made { at, .. }) => at + 1,
        Some(Event::Began(_) | Event::Closed) | None => 0,
    }
}
