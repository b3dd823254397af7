//! Lines of `touch.jsonl`: each call that was held, and what came of it.

use super::rule::Stage;
use crate::record::Lines;
use crate::value::{Part, Value};
use std::path::{Path, PathBuf};

/// What came of a held call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetOut {
    /// A person let it pass as it was.
    Released,
    /// A person changed its arguments or its answer.
    Edited,
    /// Its deadline came near, so the engine's own answer left.
    LetGo,
    /// A person answered something else.
    Answered,
    /// A person left it without an answer.
    Dropped,
    /// The caller gave up, or went away.
    GivenUp,
}

impl LetOut {
    /// The word in the record.
    pub fn word(self) -> &'static str {
        match self {
            LetOut::Released => "released",
            LetOut::Edited => "edited",
            LetOut::LetGo => "let_go",
            LetOut::Answered => "answered",
            LetOut::Dropped => "dropped",
            LetOut::GivenUp => "given_up",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Touch {
    /// The number of the call, from 1; of a call that was never made, the number it would have had.
    pub call: usize,
    /// Where it was held.
    pub stage: Stage,
    /// Who decided: `screen`, `script`, or nobody.
    pub by: Option<&'static str>,
    /// The rule that held it.
    pub rule: String,
    /// How long it was held, in milliseconds.
    pub held_ms: u64,
    /// After how long its caller gives up, in milliseconds from the call's arrival.
    pub deadline_ms: u64,
    /// What came of it.
    pub outcome: LetOut,
    /// The arguments (held at the call) or the text of the answer (held at the answer) as they were.
    pub before: Value,
    /// What they became; null when they stayed.
    pub after: Option<Value>,
}

impl Touch {
    /// The line, without its end.
    pub fn line(&self) -> String {
        let mut line = String::with_capacity(256);
        Part::object([
            ("call", Part::from(self.call)),
            ("stage", Part::Word(self.stage.word())),
            ("by", self.by.map_or(Part::Null, Part::Word)),
            ("rule", Part::Word(&self.rule)),
            ("held_ms", Part::Number(self.held_ms)),
            ("deadline_ms", Part::Number(self.deadline_ms)),
            ("outcome", Part::Word(self.outcome.word())),
            ("before", (&self.before).into()),
            ("after", self.after.as_ref().map_or(Part::Null, Part::from)),
        ])
        .push_compact(&mut line);
        line
    }
}

/// The file, made when the first call is held.
#[derive(Debug)]
pub(in crate::live) struct TouchFile {
    path: PathBuf,
    lines: Option<Lines>,
}

impl TouchFile {
    pub(in crate::live) fn of(folder: &Path) -> Self {
        Self { path: folder.join("touch.jsonl"), lines: None }
    }

    /// Appends a line. The error is one line.
    pub(in crate::live) fn push(&mut self, touch: &Touch) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.path.display());
        let lines = match &mut self.lines {
            Some(lines) => lines,
            None => self.lines.insert(Lines::open(&self.path).map_err(failed)?),
        };
        lines.append(&touch.line()).map_err(failed)
    }
}
