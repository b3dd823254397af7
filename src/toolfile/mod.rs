//! A tool file: bytes to a [`Reading`] (rules chapters 1 and 2).
//!
//! Owns: formats, usable and refused tools, both hashes, refusals of the whole, the comparison of two files. Does not
//! own files on disk or settings. (Skeleton: the owner of `toolfile` splits it into files and fills it in.)
use crate::schema::RefusalKind;
use crate::value::{HashRefusal, Str, Syntax, Value};
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
    /// `openai`, `mcp` or `openapi`.
    pub fn word(self) -> &'static str {
        match self {
            Format::OpenAi => "openai",
            Format::Mcp => "mcp",
            Format::OpenApi => "openapi",
        }
    }
}

/// What a tool does to the world; unknown counts as a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes something.
    Write,
    /// The file does not say.
    Unknown,
}

impl Effect {
    /// `read`, `write` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Unknown => "unknown",
        }
    }
    /// Whether calls count as reads.
    pub fn is_read(self) -> bool {
        self == Effect::Read
    }
}

/// Where an OpenAPI argument lives in the HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// A header.
    Header,
    /// A field of the body.
    Body,
}

/// How an OpenAPI tool is called over HTTP, to show what an agent's harness would send.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpShape {
    /// `GET`, `POST`, ...
    pub method: Str,
    /// The path template as written, `/orders/{id}`.
    pub path: Str,
    /// Argument name and its place, in schema order.
    pub places: Vec<(Str, Place)>,
    /// Media type of the body, when it has one.
    pub media: Option<Str>,
}

/// A usable tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The name as renamed (1.8).
    pub name: Str,
    /// The original name when it changed, else the format's own title.
    pub title: Option<Str>,
    /// The description, may be empty.
    pub description: Str,
    /// The effect, declared effects applied.
    pub effect: Effect,
    /// Argument schema, inlined.
    pub input_schema: Value,
    /// Output schema, inlined, any shape.
    pub output_schema: Option<Value>,
    /// The name as the file has it.
    pub original: Str,
    /// JSON pointer of the tool's definition in the file.
    pub at: String,
    /// For OpenAPI.
    pub http: Option<HttpShape>,
}

impl Tool {
    /// The argument schemas by name, in schema order.
    pub fn properties(&self) -> Vec<(Str, Value)> {
        self.input_schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|m| m.named().map(|(k, v)| (k.clone(), v.clone())).collect())
            .unwrap_or_default()
    }
    /// The required names in the order of the list, text entries only.
    pub fn required(&self) -> Vec<Str> {
        self.input_schema
            .get("required")
            .and_then(Value::as_array)
            .map(|a| a.iter().filter_map(|v| if let Value::Str(s) = v { Some(s.clone()) } else { None }).collect())
            .unwrap_or_default()
    }
}

/// A tool that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Its name, or path, or type text.
    pub name: Str,
    /// Why, as a word.
    pub kind: RefusalKind,
    /// Why, as one plain line.
    pub reason: String,
    /// JSON pointer in the file.
    pub at: String,
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

/// What a file says.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The set's name.
    pub name: Str,
    /// The format; `None` only when no shape was found.
    pub format: Option<Format>,
    /// Grammar that took the bytes; `None` when neither did.
    pub syntax: Option<Syntax>,
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

/// Reads a tool file. Never fails: what is wrong is in `error`.
pub fn read(_bytes: &[u8], _options: &ReadOptions) -> Reading {
    todo!()
}
