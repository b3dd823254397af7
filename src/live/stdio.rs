//! An MCP server on standard input and output, alone: one process is one episode.

use super::episode::LiveEpisode;
use super::turn::Origin;
use super::wire::{self, Way};
use crate::mcp::{Dialog, MAX_FRAME, Problem, Reaction, Reactions, Reply};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};

/// What is read.
pub(super) enum Line {
    /// A frame.
    Frame(Vec<u8>),
    /// A frame of that many bytes, which were thrown away.
    TooLarge(usize),
    /// The end of the input.
    End,
}

/// Reads the next line without its end.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Line> {
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_FRAME as u64 + 2).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Line::End);
        }
        if line.last() != Some(&b'\n') && line.len() > MAX_FRAME {
            return skip_line(input, line.len());
        }
        while matches!(line.last(), Some(b'\n' | b'\r')) {
            line.pop();
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Line::Frame(line));
        }
    }
}

/// Throws the rest of a line away.
fn skip_line(input: &mut impl BufRead, mut bytes: usize) -> io::Result<Line> {
    loop {
        let chunk = input.fill_buf()?;
        let (taken, ends) = match chunk.iter().position(|b| *b == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), chunk.is_empty()),
        };
        input.consume(taken);
        bytes += taken;
        if ends {
            return Ok(Line::TooLarge(bytes));
        }
    }
}

/// Serves until the input ends or `stop` is told. The episode is opened meanwhile by `open`, on a thread: what needs no
/// episode (`initialize`, `ping`) is answered before it is there. Gives the episode, to be ended; the error is one line.
pub fn alone(
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
    stop: Receiver<()>,
    open: impl FnOnce() -> Result<LiveEpisode, String> + Send + 'static,
) -> Result<LiveEpisode, String> {
    let (lines, of_lines) = sync_channel(16);
    let reading = lines.clone();
    std::thread::spawn(move || read_all(input, &reading));
    std::thread::spawn(move || {
        if stop.recv().is_ok() {
            // The loop below may be gone already.
            let _ = lines.send(Line::End);
        }
    });
    let (opened, of_opened) = sync_channel(1);
    let loader = std::thread::Builder::new().stack_size(STACK).spawn(move || drop(opened.send(open())));
    let origin = Origin::of(CONNECTION);
    let mut server = Alone { dialog: Dialog::new(), origin, episode: None, opened: of_opened, early: Vec::new() };
    if let Err(e) = loader {
        server.episode = Some(Err(format!("cannot start a thread: {e}")));
    }
    loop {
        let answer = match of_lines.recv() {
            Ok(Line::Frame(frame)) => {
                let reactions = server.dialog.take(&frame, None);
                server.answer(&frame, reactions)
            }
            Ok(Line::TooLarge(bytes)) => {
                let reactions = server.dialog.too_large(bytes);
                server.answer(format!("a frame of {bytes} bytes").as_bytes(), reactions)
            }
            Ok(Line::End) | Err(_) => break,
        };
        if let Some(answer) = answer
            && send(output, &answer.text).is_err()
        {
            break;
        }
    }
    server.wait();
    server.episode.unwrap_or_else(|| Err("it was not opened".to_owned()))
}

/// Values nest up to 400 levels and are walked by recursion.
const STACK: usize = 64 << 20;

fn read_all(input: impl Read, lines: &SyncSender<Line>) {
    let mut input = io::BufReader::with_capacity(1 << 16, input);
    loop {
        let line = next_line(&mut input).unwrap_or(Line::End);
        let ended = matches!(line, Line::End);
        if lines.send(line).is_err() || ended {
            return;
        }
    }
}

/// Writes a frame and its line end in one go.
pub(super) fn send(output: &mut dyn Write, frame: &str) -> io::Result<()> {
    let mut line = Vec::with_capacity(frame.len() + 1);
    line.extend_from_slice(frame.as_bytes());
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

struct Alone {
    dialog: Dialog,
    origin: Origin,
    episode: Option<Result<LiveEpisode, String>>,
    opened: Receiver<Result<LiveEpisode, String>>,
    /// Wire lines of the frames answered before the episode was open.
    early: Vec<u8>,
}

/// The one connection there is.
const CONNECTION: &str = "stdio";

impl Alone {
    /// Takes the episode over, once it is open.
    fn settle(&mut self, opened: Result<LiveEpisode, String>) {
        let early = std::mem::take(&mut self.early);
        self.episode = Some(opened.and_then(|mut episode| episode.note_lines(&early).map(|()| episode)));
    }

    fn wait(&mut self) {
        if self.episode.is_none() {
            let opened = self.opened.recv().unwrap_or_else(|_| Err("opening the episode failed".to_owned()));
            self.settle(opened);
        }
    }

    fn answer(&mut self, frame: &[u8], reactions: Reactions) -> Option<Reply> {
        if self.episode.is_none() {
            match self.opened.try_recv() {
                Ok(opened) => self.settle(opened),
                Err(TryRecvError::Disconnected) => self.wait(),
                Err(TryRecvError::Empty) => {}
            }
        }
        if self.episode.is_none() {
            if reactions.all.iter().any(|r| matches!(r, Reaction::List(_) | Reaction::Call { .. })) {
                self.wait();
            } else {
                return self.answer_early(frame, reactions);
            }
        }
        match self.episode.as_mut()? {
            Ok(episode) => {
                self.origin.client = self.dialog.client().map(ToString::to_string);
                episode.reactions(&self.origin, frame, reactions)
            }
            Err(why) => without_episode(reactions, &Problem::internal(why.as_str())),
        }
    }

    fn answer_early(&mut self, frame: &[u8], reactions: Reactions) -> Option<Reply> {
        wire::push(&mut self.early, CONNECTION, Way::In, None, frame);
        let answer = without_episode(reactions, &Problem::internal("the episode is not open"));
        if let Some(answer) = &answer {
            wire::push(&mut self.early, CONNECTION, Way::Out, None, answer.text.as_bytes());
        }
        answer
    }
}

/// The answer where there is no episode: what needs one is refused.
pub(super) fn without_episode(reactions: Reactions, problem: &Problem) -> Option<Reply> {
    let answers = reactions.all.into_iter().filter_map(|reaction| match reaction {
        Reaction::Answer(answer) => Some(answer),
        Reaction::List(asked) | Reaction::Call { asked, .. } => Some(asked.refused(problem)),
        Reaction::Cancel(_) | Reaction::Nothing => None,
    });
    Reactions::together(reactions.batch, answers.collect())
}
