//! Settings: what travels with a tool file (`tasks.toml`), what a person sets for themself (`settings.yaml`), what the
//! command line says, and which of them won.
//!
//! Owns: finding and reading those files, [`resolve`] with the origin of each value, saving declarations back with
//! comments kept ([`save`]), the environment and its folders, seed lists. Does not own: what keys or themes exist
//! (`tui`, `theme`), whether a flow or an effect is legal on a set (`plan`, `toolfile`).
//!
//! ```
//! use rehearsal::settings::{Flags, find_config, resolve};
//! use std::path::Path;
//! let file = Path::new("examples/orders/orders.openai.json");
//! let flags = Flags { name: Some("shop".to_owned()), ..Flags::default() };
//! let resolved = resolve(Some(file), &find_config(Some(file), None).unwrap(), &flags);
//! assert_eq!((resolved.name.value.as_str(), resolved.name.origin.to_string()), ("shop", "flag".to_owned()));
//! assert_eq!(resolved.flows[0].origin.to_string(), "examples/orders/tasks.toml");
//! ```

mod environment;
pub mod example;
mod flags;
mod resolve;
mod save;
pub mod seeds;
mod tasks;
mod user;

pub use environment::Environment;
pub use flags::{Flags, parse_intent};
pub use resolve::{Resolved, resolve};
pub use save::{Declared, save, write_whole, write_whole_with};
pub use tasks::{Config, Measure, Own, TasksFile, find_config};
pub use user::{Background, Bindings, Colors, UserSettings};

use std::fmt;
use std::path::{Path, PathBuf};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said: the built-in value.
    Default,
    /// A settings file.
    File(PathBuf),
    /// An environment variable.
    Environment(&'static str),
    /// The command line.
    Flag,
    /// The terminal was asked.
    Terminal,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => write!(f, "default"),
            Origin::File(path) => write!(f, "{}", crate::text::safe(&path.to_string_lossy())),
            Origin::Environment(name) => write!(f, "${name}"),
            Origin::Flag => write!(f, "flag"),
            Origin::Terminal => write!(f, "the terminal's answer"),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Who said it.
    pub origin: Origin,
}

impl<T> Sourced<T> {
    /// A value from somewhere.
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// The built-in value.
    pub fn default_of(value: T) -> Self {
        Self::new(value, Origin::Default)
    }
}

/// A settings file that cannot be used: one line with the file and, when known, line and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, both from 1; columns count characters.
    pub place: Option<(usize, usize)>,
    /// What is wrong and what would be right, without the file's name.
    pub message: String,
}

impl SettingsError {
    fn new(path: &Path, place: Option<(usize, usize)>, message: impl AsRef<str>) -> Self {
        let message = message.as_ref().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { path: path.to_owned(), place, message }
    }

    fn io(path: &Path, what: &str, error: &std::io::Error) -> Self {
        Self::new(path, None, format!("cannot {what} it: {error}"))
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string_lossy();
        write!(f, "{}", crate::text::safe(&path))?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", crate::text::safe(&self.message))
    }
}

impl std::error::Error for SettingsError {}

/// Largest settings file that is read.
const LARGEST: u64 = 4 << 20;

/// The text of a settings file; `None` when the file does not exist.
fn read_text(path: &Path) -> Result<Option<String>, SettingsError> {
    let failed = |error: &std::io::Error| SettingsError::io(path, "read", error);
    let size = match std::fs::metadata(path) {
        Ok(data) => data.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
    };
    if size > LARGEST {
        return Err(SettingsError::new(path, None, format!("it is larger than {}", crate::text::bytes(LARGEST))));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))),
        Err(error) => {
            let good = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
            Err(SettingsError::new(path, Some(line_column(&good, good.len())), "it is not UTF-8 text"))
        }
    }
}

/// Line and column, from 1, of a byte offset.
fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}
