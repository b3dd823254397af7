//! Bytes to values: JSON first, then YAML 1.1 (rules 1.2).
//!
//! ```
//! use rehearsal::value::read::{Syntax, read};
//! assert_eq!(read(b"[1, 2]").unwrap().syntax, Syntax::Json);
//! assert_eq!(read(b"[1, 2,]").unwrap().syntax, Syntax::Yaml, "one slip, and it is read as YAML");
//! ```

use super::{Value, decode, json, yaml};
use std::borrow::Cow;
use std::fmt;

/// The largest file that is read, in bytes: 256 MiB.
pub const MAX_FILE: usize = 256 << 20;

/// What the bytes were read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON as Python reads bytes (rules 2.3).
    Json,
    /// YAML 1.1 (rules 2.5).
    Yaml,
}

/// A parsed document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its value.
    pub root: Value,
    /// The grammar that took it.
    pub syntax: Syntax,
    /// JSON pointer of the first lone surrogate, when there is one; the contract hash is refused there.
    pub surrogate: Option<String>,
    /// Where and why JSON failed, for a text that begins as JSON does and was read as YAML.
    pub not_json: Option<String>,
}

/// Why bytes cannot be read: one line, with the place.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadError {
    /// One line: what is wrong and where.
    pub message: String,
    /// Line and column (from 1) in the decoded text, when known.
    pub at: Option<(usize, usize)>,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads bytes as JSON, on any failure as YAML 1.1, as rules 1.2 says.
pub fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    check_size(bytes)?;
    let mut not_json = None;
    let no_json = match decode::json(bytes) {
        Err(fail) => no_text(fail),
        Ok(decoded) => match json::parse(&decoded) {
            Ok((root, surrogate)) => return Ok(Document { root, syntax: Syntax::Json, surrogate, not_json: None }),
            Err(fail) if fail.what == json::What::TooDeep => return Err(no_json(&decoded.text, fail)),
            Err(fail) => {
                if decoded.text.trim_start().starts_with(['{', '[']) {
                    let (line, column) = line_and_column(&decoded.text, fail.at);
                    not_json = Some(format!("line {line} column {column}: {}", what_failed(&decoded.text, fail)));
                }
                no_json(&decoded.text, fail)
            }
        },
    };
    let text = decode::yaml(bytes).map_err(|fail| neither(&no_json, no_text(fail)))?;
    match yaml::parse(&text) {
        Ok((root, surrogate)) => Ok(Document { root, syntax: Syntax::Yaml, surrogate, not_json }),
        Err(fail) => {
            let too_deep = fail.too_deep;
            let no_yaml = no_yaml(fail);
            Err(if too_deep { no_yaml } else { neither(&no_json, no_yaml) })
        }
    }
}

/// Both reasons in one line. The place is JSON's when the text gets beyond its first line as JSON, else YAML's.
fn neither(no_json: &ReadError, no_yaml: ReadError) -> ReadError {
    let message = format!("neither JSON ({}) nor YAML ({})", no_json.message, no_yaml.message);
    let at = no_json.at.filter(|(line, _)| *line > 1).or(no_yaml.at);
    ReadError { message, at }
}

fn no_yaml(fail: yaml::Fail) -> ReadError {
    let (line, column) = fail.at;
    ReadError { message: format!("{} at line {line}, column {column}", fail.what), at: Some(fail.at) }
}

/// Reads bytes as JSON only (rules 2.3).
pub fn read_json(bytes: &[u8]) -> Result<Document, ReadError> {
    check_size(bytes)?;
    let decoded = decode::json(bytes).map_err(no_text)?;
    let (root, surrogate) = json::parse(&decoded).map_err(|fail| no_json(&decoded.text, fail))?;
    Ok(Document { root, syntax: Syntax::Json, surrogate, not_json: None })
}

impl Value {
    /// Reads JSON text as [`read_json`] does: for a call's arguments typed by a person or sent by a harness. A lone
    /// surrogate is refused, since no call text could hold it.
    pub fn parse_json(text: &str) -> Result<Value, ReadError> {
        check_size(text.as_bytes())?;
        let decoded = decode::Decoded { text: Cow::Borrowed(text), surrogates: Vec::new() };
        let (root, surrogate) = json::parse(&decoded).map_err(|fail| no_json(text, fail))?;
        match surrogate {
            None => Ok(root),
            Some(at) => {
                Err(ReadError { message: format!("lone surrogate at {}", super::pointer::name(&at)), at: None })
            }
        }
    }
}

fn check_size(bytes: &[u8]) -> Result<(), ReadError> {
    if bytes.len() <= MAX_FILE {
        return Ok(());
    }
    let message = format!("the file has {} bytes; the limit is {MAX_FILE} (256 MiB)", bytes.len());
    Err(ReadError { message, at: None })
}

fn no_text(fail: decode::Undecodable) -> ReadError {
    ReadError { message: format!("byte {} is not valid {}", fail.offset, fail.encoding), at: None }
}

fn no_json(text: &str, fail: json::Fail) -> ReadError {
    let (line, column) = line_and_column(text, fail.at);
    let message = format!("{} at line {line}, column {column}", what_failed(text, fail));
    ReadError { message, at: Some((line, column)) }
}

/// What is wrong with a text as JSON, without the place.
fn what_failed(text: &str, fail: json::Fail) -> String {
    match fail.what {
        json::What::Expected(what) => {
            let met = text[fail.at..].chars().next().map_or("the end of the file".into(), found);
            format!("expected {what}, found {met}")
        }
        json::What::Bad(what) => what.to_owned(),
        json::What::TooDeep => format!("nested more than {} levels deep", super::MAX_DEPTH),
    }
}

/// A character met in a file, fit for a message.
fn found(c: char) -> String {
    if c == '`' {
        "a backtick".to_owned()
    } else if c.is_ascii_graphic() || c.is_alphanumeric() {
        format!("`{c}`")
    } else {
        format!("U+{:04X}", u32::from(c))
    }
}

/// Line and column, both from 1 and the column in characters, of a byte offset.
pub(super) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
