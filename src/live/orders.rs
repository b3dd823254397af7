//! Reaching the hub over its sockets: joining an episode, and giving orders about held calls.

use super::control::Order;
use super::name::socket_folder;
use crate::value::Value;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// An order is answered within this.
const WAIT: Duration = Duration::from_secs(10);

/// The episodes that are open, by name. The error is one line.
pub(super) fn open_episodes() -> Result<Vec<(String, UnixStream)>, String> {
    let folder = socket_folder()?;
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut open = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "sock")
            && let Ok(stream) = UnixStream::connect(&path)
        {
            open.push((entry.file_name().to_string_lossy().trim_end_matches(".sock").to_owned(), stream));
        }
    }
    open.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(open)
}

/// Connects to the episode of a name, or to the only one that is open. The error is one line; `flag` is how a caller names
/// an episode.
pub(super) fn find(name: Option<&str>, flag: &str) -> Result<UnixStream, String> {
    const NONE: &str = "no live episode is open: open one with rehearsal live FILE";
    if let Some(name) = name {
        if !crate::run::is_name(name) {
            return Err("that is not the name of a live episode".to_owned());
        }
        let path = socket_folder()?.join(format!("{name}.sock"));
        return UnixStream::connect(path).map_err(|_| format!("the live episode {name} is not open"));
    }
    let mut open = open_episodes()?;
    match open.len() {
        0 => Err(NONE.to_owned()),
        1 => open.pop().map(|(_, stream)| stream).ok_or_else(|| NONE.to_owned()),
        n => {
            let names: Vec<String> = open.into_iter().map(|(name, _)| name).collect();
            Err(format!("{n} live episodes are open: name one with {flag} NAME ({})", names.join(", ")))
        }
    }
}

/// Gives an order to an episode, or to the only one that is open, and gives its answer: what is held, what waits, which
/// rules hold. The error is one line.
pub fn order(name: Option<&str>, order: &Order) -> Result<Value, String> {
    told(find(name, "--episode")?, order)
}

/// What every open episode holds. The error is one line.
pub fn shown_all() -> Result<Vec<Value>, String> {
    open_episodes()?.into_iter().map(|(_, stream)| told(stream, &Order::Show)).collect()
}

fn told(mut stream: UnixStream, order: &Order) -> Result<Value, String> {
    let failed = |e: std::io::Error| format!("the hub does not answer: {e}");
    stream.set_read_timeout(Some(WAIT)).map_err(failed)?;
    stream.write_all(format!("{}\n", order.line()).as_bytes()).map_err(failed)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).map_err(failed)?;
    let answer =
        crate::value::read_json(line.as_bytes()).map_err(|_| "the hub does not answer: it is gone".to_owned())?;
    match answer.root.get("error").and_then(Value::as_str) {
        Some(why) => Err(why.to_owned()),
        None => Ok(answer.root),
    }
}
