//! A file's bytes, parsed and hashed once, to be read with these options or those.
use super::detect::{Shape, detect};
use super::found::Sieve;
use super::only::Patterns;
use super::reading::{Format, ReadOptions, Reading, WholeError, WholeKind};
use super::{effects, mcp, only, openai, openapi};
use crate::text::{count, group, nearest};
use crate::value::{self, Document, HashRefusal, ReadError, Str};
use std::sync::{Arc, OnceLock};

/// Fewest usable tools of a set.
pub const FEWEST_TOOLS: usize = 2;
/// Most usable tools of a set.
pub const MOST_TOOLS: usize = 256;

/// What the refusal of too many tools ends with: advice for the command line, where a screen names its keys.
pub const ONLY_FLAG: &str = ": keep some of them with --only GLOB";

/// A file's bytes as a document. Cheap to read again when options change: nothing is parsed or hashed twice.
#[derive(Debug)]
pub struct Source {
    bytes: Arc<[u8]>,
    document: Result<Document, ReadError>,
    file_hash: Str,
    contract: OnceLock<Result<Str, HashRefusal>>,
    size: u64,
}

impl Source {
    /// Parses the bytes and takes their hash.
    pub fn new(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.into(),
            document: value::read(bytes),
            file_hash: value::canonical::file_hash(bytes).into(),
            contract: OnceLock::new(),
            size: bytes.len() as u64,
        }
    }

    /// The parsed document, or why there is none.
    pub fn document(&self) -> Result<&Document, &ReadError> {
        self.document.as_ref()
    }

    /// Line and column, both from 1, of the places that JSON pointers name; where a place has none of its own, that of
    /// the nearest around it.
    pub fn lines_of(&self, pointers: &[&str]) -> Vec<Option<(usize, usize)>> {
        match &self.document {
            Ok(document) if !pointers.is_empty() => value::lines_of(&self.bytes, document.syntax, pointers),
            _ => vec![None; pointers.len()],
        }
    }

    /// SHA-256 of the bytes, lower-case hex.
    pub fn file_hash(&self) -> &Str {
        &self.file_hash
    }

    /// Size of the bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The contract hash or where it is refused; `None` when the bytes could not be parsed. Computed when first asked.
    pub fn contract(&self) -> Option<&Result<Str, HashRefusal>> {
        let document = self.document.as_ref().ok()?;
        Some(self.contract.get_or_init(|| value::contract_hash(document).map(Str::from)))
    }

    /// Reads the tools. Never fails: what is wrong is in the reading's `error`, in the order of rules 1.1.
    pub fn read(&self, options: &ReadOptions) -> Reading {
        let mut reading = Reading {
            name: options.name.as_str().into(),
            format: None,
            syntax: self.document.as_ref().ok().map(|document| document.syntax),
            not_json: self.document.as_ref().ok().and_then(|document| document.not_json.clone()),
            file_hash: self.file_hash.clone(),
            contract: self.contract().cloned(),
            tools: Vec::new(),
            refused: Vec::new(),
            left_out: 0,
            error: None,
            extensions: Vec::new(),
            size: self.size,
        };
        reading.error = self.read_into(&mut reading, options).err();
        reading
    }

    /// Fills the reading as far as the file allows.
    fn read_into(&self, reading: &mut Reading, options: &ReadOptions) -> Result<(), WholeError> {
        let wanted = wanted_format(&options.format)?;
        let patterns = Patterns::new(&options.only).map_err(|message| WholeError::new(WholeKind::Only, message))?;
        let document = self.document.as_ref().map_err(not_parsed)?;
        let detected = detect(&document.root).map_err(|message| WholeError::new(WholeKind::Shape, message))?;
        let format = detected.format();
        reading.format = Some(format);
        reading.extensions.extend(detected.extension);
        if let Some(wanted) = wanted.filter(|wanted| *wanted != format) {
            let message =
                format!("the file is {}, not {}: read it as {} or auto", format.title(), wanted.title(), format.word());
            return Err(WholeError::new(WholeKind::Format, message));
        }
        let mut sieve = Sieve::new(&document.root);
        let whole = match detected.shape {
            Shape::OpenAi(list) => {
                openai::read(&list, &mut sieve);
                Ok(())
            }
            Shape::Mcp(pages) => mcp::read(&pages, &mut sieve),
            Shape::OpenApi => {
                openapi::read(&document.root, &mut sieve);
                Ok(())
            }
        };
        (reading.tools, reading.refused) = sieve.into();
        let declared = effects::declare(reading, options);
        only::apply(reading, &patterns);
        whole.map_err(|message| WholeError::new(WholeKind::Shape, message))?;
        check_set(reading)?;
        declared
    }
}

/// The format asked for; `None` for the one found.
fn wanted_format(word: &str) -> Result<Option<Format>, WholeError> {
    if word.is_empty() || word == "auto" {
        return Ok(None);
    }
    let found = Format::ALL.into_iter().find(|format| format.word() == word);
    found.map(Some).ok_or_else(|| {
        let words = ["auto", "openai", "mcp", "openapi"];
        let hint = nearest(word, words).map_or_else(String::new, |near| format!(": did you mean {near}?"));
        WholeError::new(WholeKind::Format, format!("unknown format {word} (use auto, openai, mcp or openapi){hint}"))
    })
}

fn not_parsed(error: &ReadError) -> WholeError {
    let mut whole = WholeError::new(WholeKind::Shape, &error.message);
    whole.place = error.at;
    whole
}

/// The limits of a set (rules 1.1, last step).
fn check_set(reading: &Reading) -> Result<(), WholeError> {
    let usable = reading.tools.len();
    let mut asides = Vec::new();
    if !reading.refused.is_empty() {
        asides.push(format!("{} refused", group(reading.refused.len() as u64)));
    }
    if reading.left_out > 0 {
        asides.push(format!("{} left out by --only", group(reading.left_out as u64)));
    }
    let aside = if asides.is_empty() { String::new() } else { format!(" ({})", asides.join(", ")) };
    let tools = count(usable, "usable tool");
    if usable < FEWEST_TOOLS {
        let message = format!("{tools}{aside}: tasks need at least {FEWEST_TOOLS}");
        return Err(WholeError::new(WholeKind::TooFew, message));
    }
    if usable > MOST_TOOLS {
        let usable = group(usable as u64);
        let message = format!("too many tools ({usable}; limit {MOST_TOOLS}){aside}{ONLY_FLAG}");
        return Err(WholeError::new(WholeKind::TooMany, message));
    }
    if !reading.tools.iter().any(|tool| tool.can_target()) {
        let message =
            format!("{tools}{aside}, none with an argument that is more than free text: a task has nothing to check");
        return Err(WholeError::new(WholeKind::NoTarget, message));
    }
    Ok(())
}
