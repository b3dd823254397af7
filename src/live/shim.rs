//! The shim: the stdio process a client starts, which relays frames to the hub's socket.
//!
//! What needs no episode is answered here and at once, so that a client never waits for a hub that is slow or gone; the hub
//! gets those frames too, for the record, and its own answers to them are dropped. A hub that came back is joined again.

use super::control::Order;
use super::orders::find;
use super::stdio::{Line, next_line, send, without_episode};
use crate::mcp::{Dialog, Problem, Reaction};
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// What the shim hears.
enum Heard {
    /// From the client.
    Client(Line),
    /// A line of the hub, on the connection of that number.
    Hub(u64, String),
    /// That connection ended.
    Gone(u64),
}

/// Relays until the client's input ends.
///
/// `gives_up` is after how long the client gives up on a call, where its config says.
pub fn join(
    name: Option<&str>,
    gives_up: Option<Duration>,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (sender, heard) = sync_channel(64);
    let lines = sender.clone();
    std::thread::spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let line = next_line(&mut input).unwrap_or(Line::End);
            let ended = matches!(line, Line::End);
            if lines.send(Heard::Client(line)).is_err() || ended {
                return;
            }
        }
    });
    let shim = Shim {
        name: name.map(str::to_owned),
        gives_up,
        dialog: Dialog::new(),
        opening: Vec::new(),
        hub: None,
        joins: 0,
        sender,
        waiting: HashSet::new(),
        dropping: HashMap::new(),
    };
    shim.relay(&heard, output)
}

struct Shim {
    name: Option<String>,
    gives_up: Option<Duration>,
    dialog: Dialog,
    /// The frame that opened the conversation, told again to a hub that is joined anew.
    opening: Vec<u8>,
    hub: Option<UnixStream>,
    joins: u64,
    sender: SyncSender<Heard>,
    /// Requests the hub has still to answer.
    waiting: HashSet<String>,
    /// Answers of the hub to drop: those given here.
    dropping: HashMap<String, usize>,
}

/// Answers given here that the hub has still to give are remembered up to this many.
const MOST_DROPPED: usize = 4096;

impl Shim {
    fn relay(mut self, heard: &Receiver<Heard>, output: &mut dyn Write) -> io::Result<()> {
        // A hub that is there is joined before the first frame; one that is not is looked for again when it is needed.
        let _ = self.joined();
        let mut ending = false;
        while let Ok(heard) = heard.recv() {
            match heard {
                Heard::Client(Line::Frame(frame)) => self.client(&frame, output)?,
                Heard::Client(Line::TooLarge(bytes)) => {
                    let reactions = self.dialog.too_large(bytes);
                    if let Some(answer) = without_episode(reactions, &Problem::unreachable("")) {
                        send(output, &answer.text)?;
                    }
                }
                Heard::Client(Line::End) => ending = true,
                Heard::Hub(join, line) if join == self.joins => self.hub_said(&line, output)?,
                Heard::Gone(join) if join == self.joins => self.hub_gone(output)?,
                Heard::Hub(..) | Heard::Gone(_) => {}
            }
            // What was asked is answered before the end.
            if ending && self.waiting.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn client(&mut self, frame: &[u8], output: &mut dyn Write) -> io::Result<()> {
        let before = self.dialog.version();
        let reactions = self.dialog.take(frame, None);
        if before.is_none() && self.dialog.version().is_some() {
            self.opening = frame.to_vec();
        }
        let asks = |r: &Reaction| matches!(r, Reaction::List(_) | Reaction::Call { .. });
        if !reactions.all.iter().any(asks) {
            let wants = reactions.all.len();
            if let Some(answer) = without_episode(reactions, &Problem::unreachable("")) {
                send(output, &answer.text)?;
                if self.hub.is_some() && wants == 1 && self.dropping.len() < MOST_DROPPED {
                    *self.dropping.entry(id_of(&answer.text)).or_default() += 1;
                }
            }
            if self.hub.is_some() && self.tell(frame).is_err() {
                self.hub_gone(output)?;
            }
            return Ok(());
        }
        if let Err(why) = self.joined() {
            return match without_episode(reactions, &Problem::unreachable(why)) {
                Some(answer) => send(output, &answer.text),
                None => Ok(()),
            };
        }
        for reaction in &reactions.all {
            if let Reaction::List(asked) | Reaction::Call { asked, .. } = reaction {
                self.waiting.insert(asked.id().json());
            }
        }
        if self.tell(frame).is_err() {
            self.hub_gone(output)?;
        }
        Ok(())
    }

    fn tell(&mut self, frame: &[u8]) -> io::Result<()> {
        let Some(hub) = &mut self.hub else { return Ok(()) };
        let mut line = Vec::with_capacity(frame.len() + 1);
        line.extend_from_slice(frame);
        line.push(b'\n');
        hub.write_all(&line)
    }

    fn hub_said(&mut self, line: &str, output: &mut dyn Write) -> io::Result<()> {
        for id in ids_of(line) {
            if let Some(left) = self.dropping.get_mut(&id) {
                *left -= 1;
                if *left == 0 {
                    self.dropping.remove(&id);
                }
                return Ok(());
            }
            self.waiting.remove(&id);
        }
        send(output, line)
    }

    /// Answers what the hub cannot answer any more.
    fn hub_gone(&mut self, output: &mut dyn Write) -> io::Result<()> {
        self.hub = None;
        self.joins += 1;
        self.dropping.clear();
        let problem = Problem::unreachable("the hub is gone: whether the call was made is in its record").json();
        for id in self.waiting.drain() {
            send(output, &format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{problem}}}"#))?;
        }
        Ok(())
    }

    /// Joins the hub, if that is not done. The error is one line.
    fn joined(&mut self) -> Result<(), String> {
        if self.hub.is_some() {
            return Ok(());
        }
        let stream = find(self.name.as_deref(), "--join")?;
        let reading = stream.try_clone().map_err(|e| format!("cannot join the hub: {e}"))?;
        self.joins += 1;
        let (join, sender) = (self.joins, self.sender.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(reading).lines() {
                let Ok(line) = line else { break };
                if sender.send(Heard::Hub(join, line)).is_err() {
                    return;
                }
            }
            // The loop may be over.
            let _ = sender.send(Heard::Gone(join));
        });
        self.hub = Some(stream);
        if let Some(after) = self.gives_up {
            let line = Order::GivesUp(after.as_millis() as u64).line();
            self.tell(line.as_bytes()).map_err(|e| format!("cannot join the hub: {e}"))?;
        }
        if !self.opening.is_empty() {
            let opening = self.opening.clone();
            let id = crate::value::read_json(&opening).ok().and_then(|d| d.root.get("id").cloned());
            let id = id.map(|id| crate::value::canonical::compact(&id, false)).unwrap_or_default();
            *self.dropping.entry(id).or_default() += 1;
            self.tell(&opening).map_err(|e| format!("cannot join the hub: {e}"))?;
        }
        Ok(())
    }
}

/// The id of an answer, as JSON.
fn id_of(answer: &str) -> String {
    ids_of(answer).into_iter().next().unwrap_or_default()
}

/// The ids of an answer or of a list of answers, as JSON.
fn ids_of(answer: &str) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        id: &'a serde_json::value::RawValue,
    }
    let one = |answer: Answer<'_>| answer.id.get().to_owned();
    if answer.starts_with('[') {
        let answers: Vec<Answer<'_>> = serde_json::from_str(answer).unwrap_or_default();
        return answers.into_iter().map(one).collect();
    }
    serde_json::from_str(answer).map(one).into_iter().collect()
}
