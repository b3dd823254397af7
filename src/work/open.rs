//! Opening a tool file: its bytes, its reading, the set to plan on.

use super::Control;
use super::plan::{Sheet, sheet};
use crate::plan::{PlanSettings, Planner};
use crate::text;
use crate::toolfile::{self, ReadOptions, Reading};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read.
pub const MOST_BYTES: u64 = 256 << 20;

/// Where a tool file comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file on disk.
    File(PathBuf),
    /// The example that comes with the program.
    Example {
        /// Its file name.
        name: &'static str,
        /// Its bytes.
        bytes: &'static [u8],
    },
    /// No file: what is looked at is a run or card whose tool file is not there.
    Nothing,
    /// Bytes from standard input.
    Bytes {
        /// What to call them.
        name: String,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
}

impl Origin {
    /// A short name for headings: the file's name without its folders.
    pub fn name(&self) -> String {
        match self {
            Origin::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
            Origin::Example { name, .. } => (*name).to_owned(),
            Origin::Nothing => "no tool file".to_owned(),
            Origin::Bytes { name, .. } => name.clone(),
        }
    }

    /// The path, when it is a file on disk.
    pub fn path(&self) -> Option<&Path> {
        if let Origin::File(path) = self { Some(path) } else { None }
    }

    /// Whether it is the example that comes with the program.
    pub fn is_example(&self) -> bool {
        matches!(self, Origin::Example { .. })
    }
}

/// Why a file cannot be opened at all: one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// Its bytes could not be read.
    Unreadable(String),
    /// The work was cancelled.
    Cancelled,
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpenError::Unreadable(line) => f.write_str(line),
            OpenError::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// What to open, and how.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    /// The file.
    pub origin: Origin,
    /// How it is read.
    pub read: ReadOptions,
    /// What is declared beside it.
    pub plan: PlanSettings,
}

/// A file's bytes, parsed once. Reading them again with other options costs little.
pub type Source = toolfile::Source;

/// A tool file opened: looked at always, planned on when its set can be.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Where it came from.
    pub origin: Origin,
    /// Its bytes, parsed.
    pub source: Arc<Source>,
    /// How it was read.
    pub read: ReadOptions,
    /// What was declared beside it.
    pub plan: PlanSettings,
    /// What it says.
    pub reading: Arc<Reading>,
    /// The set with the levels it reaches, or why nothing is planned on it, in one line.
    pub sheet: Result<Arc<Sheet>, String>,
    /// The lines around the place where a file that cannot be parsed went wrong.
    pub excerpt: Option<Excerpt>,
    /// Line and column of the place of each refused tool, where it is known.
    pub places: Vec<Option<(usize, usize)>>,
}

/// Some lines of a file around a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line and column (from 1) of the place.
    pub line: usize,
    /// See `line`.
    pub column: usize,
    /// The number of the first of the lines.
    pub first: usize,
    /// The lines as they are: not safe to show.
    pub lines: Vec<String>,
}

impl Excerpt {
    /// Lines shown before and after the place.
    const AROUND: usize = 3;
    /// Bytes shown of one line.
    const LONGEST: usize = 2_000;

    fn of(bytes: &[u8], (line, column): (usize, usize)) -> Self {
        let first = line.saturating_sub(Self::AROUND).max(1);
        let lines = bytes.split(|b| *b == b'\n').skip(first - 1).take(line + Self::AROUND + 1 - first);
        let lines = lines.map(|l| String::from_utf8_lossy(&l[..l.len().min(Self::LONGEST)]).trim_end().to_owned());
        Self { line, column, first, lines: lines.collect() }
    }
}

impl Opened {
    /// The set to plan on, when there is one.
    pub fn planner(&self) -> Option<&Arc<Planner>> {
        self.sheet.as_ref().ok().map(|sheet| &sheet.planner)
    }
}

/// A file's bytes.
pub fn load(origin: &Origin, control: &Control) -> Result<Vec<u8>, OpenError> {
    match origin {
        Origin::Example { bytes, .. } => Ok(bytes.to_vec()),
        Origin::Bytes { bytes, .. } => Ok(bytes.to_vec()),
        Origin::Nothing => Err(OpenError::Unreadable("no tool file is open".to_owned())),
        Origin::File(path) => load_file(path, control),
    }
}

fn load_file(path: &Path, control: &Control) -> Result<Vec<u8>, OpenError> {
    let wrong = |what: &str| {
        let shown = path.display().to_string();
        OpenError::Unreadable(format!("{}: {}", text::safe(&shown), text::safe(what)))
    };
    let mut file = File::open(path).map_err(|e| wrong(&plain(&e)))?;
    let about = file.metadata().map_err(|e| wrong(&plain(&e)))?;
    if about.is_dir() {
        return Err(wrong("this is a folder, not a tool file"));
    }
    let large = format!("larger than {}, the most that is read", text::bytes(MOST_BYTES));
    if about.len() > MOST_BYTES {
        return Err(wrong(&large));
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    let total = Some(about.len()).filter(|n| *n > 0);
    loop {
        if control.is_cancelled() {
            return Err(OpenError::Cancelled);
        }
        // A pipe has no length and may never end, so what is read is counted.
        let read = file.by_ref().take(4 << 20).read_to_end(&mut bytes).map_err(|e| wrong(&plain(&e)))?;
        control.progress("reading", bytes.len() as u64, total);
        if read == 0 {
            return Ok(bytes);
        }
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong(&large));
        }
    }
}

/// An operating system's error without its number.
fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
        _ => error.to_string(),
    }
}

/// Loads and parses a file; with it the lines around the place where parsing failed.
pub fn read(origin: &Origin, control: &Control) -> Result<(Arc<Source>, Option<Excerpt>), OpenError> {
    let bytes = load(origin, control)?;
    if control.is_cancelled() {
        return Err(OpenError::Cancelled);
    }
    control.progress("parsing", 0, None);
    let source = Source::new(&bytes);
    let excerpt = source.document().err().and_then(|e| e.at).map(|at| Excerpt::of(&bytes, at));
    if control.is_cancelled() { Err(OpenError::Cancelled) } else { Ok((Arc::new(source), excerpt)) }
}

/// Opens a file: its bytes, its reading, the levels its set reaches.
pub fn open(request: &OpenRequest, control: &Control) -> Result<Opened, OpenError> {
    let (source, excerpt) = read(&request.origin, control)?;
    Ok(Opened { excerpt, ..reread(request, source, control)? })
}

/// Reads a file already parsed, with these options.
pub fn reread(request: &OpenRequest, source: Arc<Source>, control: &Control) -> Result<Opened, OpenError> {
    control.progress("reading tools", 0, None);
    let reading = Arc::new(source.read(&request.read));
    if control.is_cancelled() {
        return Err(OpenError::Cancelled);
    }
    let sheet = match &reading.error {
        Some(error) => Err(error.message.clone()),
        None => Planner::new(reading.clone(), request.plan.clone()).map_err(|e| e.0).and_then(|planner| {
            let sheet = sheet(Arc::new(planner), control);
            sheet.map(Arc::new).ok_or_else(|| "cancelled".to_owned())
        }),
    };
    if control.is_cancelled() {
        return Err(OpenError::Cancelled);
    }
    let refused: Vec<&str> = reading.refused.iter().map(|refused| refused.place.as_str()).collect();
    let places = source.lines_of(&refused);
    Ok(Opened {
        places,
        origin: request.origin.clone(),
        source,
        read: request.read.clone(),
        plan: request.plan.clone(),
        reading,
        sheet,
        excerpt: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let open = |path: &Path| load(&Origin::File(path.to_owned()), &Control::quiet()).unwrap_err().to_string();
        assert!(open(folder.path()).ends_with("this is a folder, not a tool file"));
        assert!(open(&folder.path().join("no\u{1b}.json")).ends_with("no␛.json: no such file"));
        let large = folder.path().join("large.json");
        File::create(&large).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(open(&large).contains("larger than 256.0 MiB"));
    }

    #[test]
    fn bytes_are_loaded_with_progress_and_a_cancel_stops() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, b"{}").unwrap();
        let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let seen = told.clone();
        let control = Control::new(super::super::Cancel::default(), move |p| seen.borrow_mut().push(p));
        assert_eq!(load(&Origin::File(path.clone()), &control).unwrap(), b"{}");
        assert_eq!(
            told.borrow()[0],
            super::super::Progress { what: "reading", done: 2, total: Some(2), speed: None, folder: None }
        );
        let cancel = super::super::Cancel::default();
        cancel.cancel();
        let control = Control::new(cancel, |_| {});
        assert_eq!(load(&Origin::File(path), &control).unwrap_err(), OpenError::Cancelled);
    }
}
