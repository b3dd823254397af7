//! A tool file as the command line names it: bytes, settings beside it, reading. The file is read once, when a command
//! starts.

use super::output::Output;
use super::plan_file::SavedPlan;
use super::{Failure, SetFlags};
use crate::live::Server;
use crate::plan::{Flow, PlanError, PlanSettings, Planner};
use crate::settings::{self, Flags, Measure, Resolved};
use crate::task::Arm;
use crate::text;
use crate::toolfile::{ReadOptions, Reading, Source};
use crate::value::HashRefusal;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest input that is read, in bytes: a tool file's own bound.
const LARGEST: u64 = 256 << 20;

/// Where the bytes came from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// The example that comes with the program.
    Example,
}

/// A tool file, read.
#[derive(Debug)]
pub struct Loaded {
    /// What to call it in messages: the path as given.
    pub label: String,
    /// Where it came from.
    pub origin: Origin,
    /// Its bytes, parsed and hashed.
    pub source: Source,
    /// How it was read.
    pub options: ReadOptions,
    /// What it says.
    pub reading: Arc<Reading>,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// The dial to measure, when the settings name one.
    pub measure: Option<Measure>,
    /// The seeds of the set.
    pub seeds: Vec<u64>,
    /// Lines a person should see once.
    pub notes: Vec<String>,
}

impl Loaded {
    /// The set made ready to be planned on; refused in one line when nothing can be.
    pub fn planner(&self) -> Result<Planner, Failure> {
        Planner::new(self.reading.clone(), self.settings.clone())
            .map_err(|error| Failure::Refused(format!("{}: {}", self.label, error.0)))
    }

    /// The arms a command plays when none is named: those the settings measure, else every arm offered.
    pub fn arms(&self, planner: &Planner) -> Result<Vec<Arm>, Failure> {
        let Some(measure) = &self.measure else { return Ok(super::plan::offered(planner)) };
        let levels = match &measure.levels {
            Some(levels) => levels.clone(),
            None => planner
                .levels(measure.dial)
                .map_err(|why| Failure::Refused(format!("{}: {}: {why}", self.label, measure.dial.word())))?,
        };
        Ok(levels.into_iter().map(|level| measure.dial.at(level)).collect())
    }

    /// `orders.openai.json  OpenAI tools, 5 tools (1 refused)`.
    pub fn heading(&self) -> String {
        let format = self.reading.format.map_or("no tool file", |f| f.title());
        let refused = match self.reading.refused.len() {
            0 => String::new(),
            n => format!(" ({} refused)", text::group(n as u64)),
        };
        format!("{}  {format}, {}{refused}", self.label, text::count(self.reading.tools.len(), "tool"))
    }

    /// Prints what a person should know before anything else: ignored settings, a slip in the JSON, a refused contract
    /// hash.
    pub fn print_notes(&self, out: &mut Output) -> Result<(), Failure> {
        for note in &self.notes {
            out.line(format!("! {note}"))?;
        }
        if let Some(slip) = self.reading.json_slip() {
            out.line(format!("! {slip}"))?;
        }
        if let Some(refusal) = self.reading.contract_refusal() {
            out.line(format!("! no contract hash: {}", refused_at(refusal)))?;
        }
        Ok(())
    }
}

/// Where and why a contract hash is refused.
pub fn refused_at(refusal: &HashRefusal) -> String {
    format!("{} at {}", refusal.what, crate::value::pointer::name(&refusal.at))
}

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file or of standard input.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if is_stdin(path) {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) if bytes.len() as u64 > LARGEST => {
            Err(Failure::Refused(format!("{}: larger than {}", path.display(), text::bytes(LARGEST))))
        }
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::Refused(missing(path))),
        Err(error) => Err(Failure::Refused(format!("cannot read {}: {error}", path.display()))),
    }
}

/// The error for a missing file, and which one beside it was probably meant.
pub fn missing(path: &Path) -> String {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let there = std::fs::read_dir(folder).into_iter().flatten().take(MOST_BESIDE).flatten();
    let names: Vec<String> = there.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let near = text::nearest(name, names.iter().map(String::as_str)).map(|near| path.with_file_name(near));
    let path = path.display();
    match near {
        Some(near) => format!("no such file: {path}; did you mean {}?", near.display()),
        None if folder.is_dir() => format!("no such file: {path}"),
        None => {
            format!("no such file: {path} (no folder {})", folder.display())
        }
    }
}

/// Most files looked through beside one that is missing.
const MOST_BESIDE: usize = 1000;

/// The flags in the form `settings` resolves.
pub fn flags(given: &SetFlags) -> Result<Flags, Failure> {
    Ok(Flags {
        format: given.format.clone(),
        name: given.name.clone(),
        only: given.only.clone(),
        read: given.read.clone(),
        write: given.write.clone(),
        intents: given
            .intent
            .iter()
            .map(|i| settings::parse_intent(i))
            .collect::<Result<_, _>>()
            .map_err(Failure::Usage)?,
        flows: (given.flow.iter().map(|f| Flow::parse(f)))
            .collect::<Result<_, _>>()
            .map_err(|PlanError(why)| Failure::Usage(why))?,
        seeds: None,
    })
}

/// The settings that hold for a tool file.
pub fn resolve(path: &Path, given: &SetFlags) -> Result<Resolved, Failure> {
    let file = (!is_stdin(path)).then_some(path);
    let flags = flags(given)?;
    let config =
        settings::find_config(file, given.config.as_deref()).map_err(|error| Failure::Refused(error.to_string()))?;
    Ok(settings::resolve(file, &config, &flags))
}

/// Reads a tool file with the settings beside it and the flags, which win.
pub fn load(path: &Path, given: &SetFlags) -> Result<Loaded, Failure> {
    let resolved = resolve(path, given)?;
    let bytes = read_bytes(path)?;
    let (label, origin) = if is_stdin(path) {
        ("standard input".to_owned(), Origin::Stdin)
    } else {
        (path.display().to_string(), Origin::File(path.to_owned()))
    };
    Ok(loaded(label, origin, &bytes, resolved))
}

/// Reads the tools of a running MCP server as a tool file. They are written to `save` when one is given, which must not be
/// there yet.
pub fn listed(server: &Server, save: Option<&Path>, given: &SetFlags) -> Result<Loaded, Failure> {
    let resolved = resolve(Path::new("-"), given)?;
    let bytes = crate::live::list_tools(server).map_err(Failure::Refused)?;
    if let Some(path) = save {
        let failed = |e: std::io::Error| Failure::Refused(format!("cannot write {}: {e}", path.display()));
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        std::io::Write::write_all(&mut file, &bytes).map_err(failed)?;
    }
    let label = match server {
        Server::Command(line) => line.clone(),
        Server::Url(url) => url.clone(),
    };
    Ok(loaded(label, save.map_or(Origin::Stdin, |path| Origin::File(path.to_owned())), &bytes, resolved))
}

/// The example that comes with the program.
pub fn example(given: &SetFlags) -> Result<Loaded, Failure> {
    let resolved = settings::example::resolved(&flags(given)?).map_err(|error| Failure::Refused(error.to_string()))?;
    let label = format!("{} (built-in example)", settings::example::NAME);
    Ok(loaded(label, Origin::Example, settings::example::BYTES, resolved))
}

/// Reads the tool file of a saved plan. Other bytes are refused with both hashes before anything else.
pub fn load_planned(path: &Path, plan: &SavedPlan) -> Result<Loaded, Failure> {
    let bytes = read_bytes(path)?;
    let hash = crate::value::canonical::file_hash(&bytes);
    if hash != plan.file_hash {
        return Err(Failure::Refused(format!(
            "{}: the file changed since the plan was made, so its tasks no longer match (file hash then {}, \
             now {hash}): make the plan again",
            path.display(),
            plan.file_hash
        )));
    }
    let source = Source::new(&bytes);
    Ok(Loaded {
        label: path.display().to_string(),
        origin: Origin::File(path.to_owned()),
        reading: Arc::new(source.read(&plan.options)),
        source,
        options: plan.options.clone(),
        settings: plan.settings.clone(),
        measure: None,
        seeds: plan.seeds.clone(),
        notes: Vec::new(),
    })
}

fn loaded(label: String, origin: Origin, bytes: &[u8], resolved: Resolved) -> Loaded {
    let source = Source::new(bytes);
    let options = resolved.read_options();
    Loaded {
        label,
        origin,
        reading: Arc::new(source.read(&options)),
        source,
        options,
        settings: resolved.plan_settings(),
        measure: resolved.measure.map(|measure| measure.value),
        seeds: resolved.seeds.value,
        notes: resolved.warnings,
    }
}
