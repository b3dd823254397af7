//! Lines of `wire.jsonl`: every frame as it was, when, on which connection, in which direction.

use crate::value::Part;
use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where a frame went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From the caller.
    In,
    /// To the caller.
    Out,
}

/// Longer frames are cut in the record; what was left out is counted.
const LONGEST: usize = 1 << 20;

/// Appends a frame's line. `about` is what came with it: a method and a path over HTTP.
pub(super) fn push(lines: &mut Vec<u8>, connection: &str, way: Way, about: Option<&str>, frame: &[u8]) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
    let text: Cow<'_, str> = String::from_utf8_lossy(&frame[..frame.len().min(LONGEST)]);
    let mut members = vec![
        ("t", Part::Number(now)),
        ("connection", Part::Word(connection)),
        ("way", Part::Word(if way == Way::In { "in" } else { "out" })),
    ];
    if let Some(about) = about {
        members.push(("http", Part::Word(about)));
    }
    members.push(("frame", Part::Word(&text)));
    if frame.len() > LONGEST {
        members.push(("bytes", Part::Number(frame.len() as u64)));
    }
    let mut line = String::with_capacity(text.len() + 128);
    Part::Object(members).push_compact(&mut line);
    line.push('\n');
    lines.extend_from_slice(line.as_bytes());
}
