//! A server that is a process of its own.

use super::{LARGEST, Request, WAIT, Way, answers, message, words};
use crate::value::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of its stderr is kept: the end.
const KEPT: usize = 4 << 10;
/// How long a process may take to end by itself.
const LAST_WAIT: Duration = Duration::from_millis(500);

pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    pub(super) fn start(line: &str) -> Result<Self, String> {
        let words = words(line)?;
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", words[0]))?;
        let said: Arc<Mutex<Vec<u8>>> = Arc::default();
        if let Some(mut stderr) = child.stderr.take() {
            let said = said.clone();
            std::thread::spawn(move || {
                let mut chunk = [0; 1024];
                while let Ok(n @ 1..) = stderr.read(&mut chunk) {
                    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                    said.extend_from_slice(&chunk[..n]);
                    let over = said.len().saturating_sub(KEPT);
                    said.drain(..over);
                }
            });
        }
        let (sender, lines) = sync_channel(16);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                loop {
                    let mut line = Vec::new();
                    let read = (&mut stdout).take(LARGEST as u64).read_until(b'\n', &mut line);
                    if !matches!(read, Ok(1..)) || sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let input = child.stdin.take();
        Ok(Self { child, input, lines, said })
    }

    /// The reason with the end of what the process said on stderr.
    pub(super) fn told(&self, why: String) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(5)..].join(" | ");
        if last.is_empty() { why } else { format!("{why}; its stderr: {last}") }
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the server's input is closed")?;
        let sent = input.write_all(format!("{text}\n").as_bytes()).and_then(|()| input.flush());
        sent.map_err(|e| format!("the server takes no input: {e}"))
    }
}

impl Way for Process {
    fn ask(&mut self, id: u64, frame: &Request<'_>) -> Result<Value, String> {
        self.send(&frame.text)?;
        let end = Instant::now() + WAIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                return Err(match self.child.try_wait() {
                    Ok(Some(status)) => format!("the server ended before it answered {} ({status})", frame.method),
                    _ => format!("the server did not answer {} in {} s", frame.method, WAIT.as_secs()),
                });
            };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let said = message(&line)?;
            if answers(&said, id) {
                return Ok(said);
            }
            // What the server asks meanwhile is refused, but for a ping.
            if let (Some(method), Some(asked)) = (said.get("method").and_then(Value::as_str), said.get("id")) {
                let asked = crate::value::canonical::compact(asked, false);
                let answer = if method == "ping" {
                    r#""result":{}"#
                } else {
                    r#""error":{"code":-32601,"message":"Method not found"}"#
                };
                self.send(&format!(r#"{{"jsonrpc":"2.0","id":{asked},{answer}}}"#))?;
            }
        }
    }

    fn tell(&mut self, frame: &Request<'_>) -> Result<(), String> {
        self.send(&frame.text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A server ends when its input does; one that does not is ended.
        drop(self.input.take());
        let end = Instant::now() + LAST_WAIT;
        while Instant::now() < end {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
