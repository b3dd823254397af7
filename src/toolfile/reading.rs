//! What reading a file gives: [`Reading`], with a refusal of the whole beside what could be read all the same.
use super::tool::{Effect, Refused, Tool};
use crate::value::{HashRefusal, Str, Syntax};
use std::sync::Arc;

/// The three shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// An OpenAI tools list.
    OpenAi,
    /// An MCP tools/list result.
    Mcp,
    /// An OpenAPI 3.0 or 3.1 document.
    OpenApi,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::OpenAi, Format::Mcp, Format::OpenApi];

    /// `openai`, `mcp` or `openapi`.
    pub fn word(self) -> &'static str {
        match self {
            Format::OpenAi => "openai",
            Format::Mcp => "mcp",
            Format::OpenApi => "openapi",
        }
    }

    /// The name people know it by, with its article: "an OpenAI tools list".
    pub fn title(self) -> &'static str {
        match self {
            Format::OpenAi => "an OpenAI tools list",
            Format::Mcp => "an MCP tool list",
            Format::OpenApi => "an OpenAPI document",
        }
    }
}

/// Kinds of a refusal of the whole (rules 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WholeKind {
    /// `format`
    Format,
    /// `shape`
    Shape,
    /// `too_few`
    TooFew,
    /// `too_many`
    TooMany,
    /// `no_target`
    NoTarget,
    /// `effects`
    Effects,
    /// `only`: a pattern of `--only` is not a glob.
    Only,
}

impl WholeKind {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            WholeKind::Format => "format",
            WholeKind::Shape => "shape",
            WholeKind::TooFew => "too_few",
            WholeKind::TooMany => "too_many",
            WholeKind::NoTarget => "no_target",
            WholeKind::Effects => "effects",
            WholeKind::Only => "only",
        }
    }
}

/// A refusal of the whole file.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeError {
    /// The kind.
    pub kind: WholeKind,
    /// One line: what is wrong and what to do next.
    pub message: String,
    /// Line and column in the file, for a file that cannot be parsed.
    pub place: Option<(usize, usize)>,
}

impl WholeError {
    /// A refusal without a place in the text; line breaks become spaces.
    pub(super) fn new(kind: WholeKind, message: impl AsRef<str>) -> Self {
        Self { kind, message: super::names::one_line(message.as_ref()), place: None }
    }
}

/// How to read a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// `auto` (or empty), `openai`, `mcp`, `openapi`; anything else is refused (`format`).
    pub format: String,
    /// The set's name as shown.
    pub name: String,
    /// Keep only tools whose name matches one of these globs (all when empty).
    pub only: Vec<String>,
    /// Tools declared to read, as renamed.
    pub read: Vec<String>,
    /// Tools declared to write, as renamed.
    pub write: Vec<String>,
}

/// How many usable tools have which effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EffectCounts {
    /// Tools that read.
    pub read: usize,
    /// Tools that write.
    pub write: usize,
    /// Tools of which it is not known.
    pub unknown: usize,
}

/// What a file says.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The set's name.
    pub name: Str,
    /// The format; `None` only when no shape was found.
    pub format: Option<Format>,
    /// Grammar that took the bytes; `None` when neither did.
    pub syntax: Option<Syntax>,
    /// For a file that begins as JSON and was read as YAML: where and why it is not JSON.
    pub not_json: Option<String>,
    /// SHA-256 of the bytes, lower-case hex.
    pub file_hash: Str,
    /// The contract hash, or where it is refused; `None` when the bytes could not be parsed.
    pub contract: Option<Result<Str, HashRefusal>>,
    /// Usable tools in file order (after `only`).
    pub tools: Vec<Arc<Tool>>,
    /// Refused tools in file order.
    pub refused: Vec<Refused>,
    /// How many usable tools `only` left out.
    pub left_out: usize,
    /// A refusal of the whole: nothing can be planned. Tools and hashes are still here.
    pub error: Option<WholeError>,
    /// One line for each reading beyond the reference's (1.3, `--only`).
    pub extensions: Vec<String>,
    /// Size of the file in bytes.
    pub size: u64,
}

impl Reading {
    /// The usable tools counted by effect.
    pub fn effects(&self) -> EffectCounts {
        let mut counts = EffectCounts::default();
        for tool in &self.tools {
            match tool.effect {
                Effect::Read => counts.read += 1,
                Effect::Write => counts.write += 1,
                Effect::Unknown => counts.unknown += 1,
            }
        }
        counts
    }

    /// How many usable tools can be a target (rules 1.9).
    pub fn can_target(&self) -> usize {
        self.tools.iter().filter(|tool| tool.can_target()).count()
    }

    /// The usable tool of that name, as renamed.
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.iter().find(|tool| &*tool.name == name)
    }

    /// The usable tools whose name was changed: the name in the file and the name as sent.
    pub fn renamed(&self) -> impl Iterator<Item = (&Str, &Str)> {
        self.tools.iter().filter(|tool| tool.is_renamed()).map(|tool| (&tool.original, &tool.name))
    }

    /// The contract hash, when there is one.
    pub fn contract_hash(&self) -> Option<&Str> {
        self.contract.as_ref().and_then(|c| c.as_ref().ok())
    }

    /// One line for a file that looks like JSON and is read as YAML because of a slip in it.
    pub fn json_slip(&self) -> Option<String> {
        self.not_json.as_ref().map(|slip| format!("not JSON ({slip}); read as YAML"))
    }

    /// Why there is no contract hash, for a file that parses.
    pub fn contract_refusal(&self) -> Option<&HashRefusal> {
        self.contract.as_ref().and_then(|c| c.as_ref().err())
    }
}
