//! One answer to "which value holds, and who said it".
use super::tasks::{Config, Measure, Own};
use super::{Flags, Origin, Sourced, seeds};
use crate::plan::{Flow, PlanSettings};
use crate::toolfile::{Effect, ReadOptions};
use std::path::{Path, PathBuf};

/// The settings of one tool file, each with its origin. Used by the command line, the screen and `doctor` alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The `tasks.toml` in use.
    pub config: Option<PathBuf>,
    /// The format word.
    pub format: Sourced<String>,
    /// The set's name.
    pub name: Sourced<String>,
    /// Patterns of the tools kept; all when empty.
    pub only: Sourced<Vec<String>>,
    /// Declared effects: tool and [`Effect::Read`] or [`Effect::Write`].
    pub effects: Vec<Sourced<(String, Effect)>>,
    /// Tool and the sentence to ask for it with.
    pub intents: Vec<Sourced<(String, String)>>,
    /// Flows.
    pub flows: Vec<Sourced<Flow>>,
    /// The dial to measure, when the file names one.
    pub measure: Option<Sourced<Measure>>,
    /// The seeds.
    pub seeds: Sourced<Vec<u64>>,
    /// Lines to show once: skipped keys, a settings file that is not used.
    pub warnings: Vec<String>,
}

/// Settles every value: a flag wins over the settings file, the file over what is built in. Effects and intents are
/// settled tool by tool, flows are added up. `tool_file` is `None` for standard input.
pub fn resolve(tool_file: Option<&Path>, config: &Config, flags: &Flags) -> Resolved {
    let nothing = Own::default();
    let (file, own) = match config {
        Config::Used(file) => (Some(&**file), &file.own),
        Config::Absent | Config::Other { .. } => (None, &nothing),
    };
    let from_file = || file.map_or(Origin::Default, |file| Origin::File(file.path.clone()));
    let pick = |flag: &Option<String>, own: &Option<String>, default: String| match (flag, own) {
        (Some(value), _) => Sourced::new(value.clone(), Origin::Flag),
        (None, Some(value)) => Sourced::new(value.clone(), from_file()),
        (None, None) => Sourced::default_of(default),
    };
    let mut warnings = file.map(|file| file.warnings.clone()).unwrap_or_default();
    if let Config::Other { path, names } = config {
        let names = names.as_deref().unwrap_or("no tool file");
        warnings.push(format!("{}: its [own] table names {names}, not this file: it is not used", path.display()));
    }
    Resolved {
        config: file.map(|file| file.path.clone()),
        format: pick(&flags.format, &own.format, "auto".to_owned()),
        name: pick(&flags.name, &own.name, base_name(tool_file)),
        only: Sourced::new(flags.only.clone(), if flags.only.is_empty() { Origin::Default } else { Origin::Flag }),
        effects: effects(own, flags, &from_file),
        intents: intents(own, flags, &from_file),
        flows: flows(own, flags, &from_file),
        measure: file.and_then(|file| Some(Sourced::new(file.measure.clone()?, from_file()))),
        seeds: match (&flags.seeds, file.and_then(|file| file.seeds.clone())) {
            (Some(seeds), _) => Sourced::new(seeds.clone(), Origin::Flag),
            (None, Some(seeds)) => Sourced::new(seeds, from_file()),
            (None, None) => Sourced::default_of(seeds::default_seeds()),
        },
        warnings,
    }
}

/// The file's base name without its last extension; `stdin` without a file.
fn base_name(tool_file: Option<&Path>) -> String {
    let stem = tool_file.and_then(Path::file_stem);
    stem.map_or_else(|| "stdin".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn effects(own: &Own, flags: &Flags, from_file: &impl Fn() -> Origin) -> Vec<Sourced<(String, Effect)>> {
    let flagged = |name: &String| flags.read.contains(name) || flags.write.contains(name);
    let mut all = Vec::new();
    for (names, effect) in [(&own.read, Effect::Read), (&own.write, Effect::Write)] {
        let kept = names.iter().filter(|name| !flagged(name));
        all.extend(kept.map(|name| Sourced::new((name.clone(), effect), from_file())));
    }
    for (names, effect) in [(&flags.read, Effect::Read), (&flags.write, Effect::Write)] {
        all.extend(names.iter().map(|name| Sourced::new((name.clone(), effect), Origin::Flag)));
    }
    all
}

fn intents(own: &Own, flags: &Flags, from_file: &impl Fn() -> Origin) -> Vec<Sourced<(String, String)>> {
    let flagged = |tool: &str| flags.intents.iter().any(|(name, _)| name == tool);
    let kept = own.intents.iter().filter(|(tool, _)| !flagged(tool));
    let mut all: Vec<_> = kept.map(|intent| Sourced::new(intent.clone(), from_file())).collect();
    for (i, (tool, text)) in flags.intents.iter().enumerate() {
        // the last of a flag given twice for one tool holds
        if !flags.intents[i + 1..].iter().any(|(later, _)| later == tool) {
            all.push(Sourced::new((tool.clone(), text.clone()), Origin::Flag));
        }
    }
    all
}

fn flows(own: &Own, flags: &Flags, from_file: &impl Fn() -> Origin) -> Vec<Sourced<Flow>> {
    let mut all: Vec<_> = own.flows.iter().map(|flow| Sourced::new(flow.clone(), from_file())).collect();
    for flow in &flags.flows {
        if !all.iter().any(|known| known.value == *flow) {
            all.push(Sourced::new(flow.clone(), Origin::Flag));
        }
    }
    all
}

impl Resolved {
    /// What reading the tool file needs.
    pub fn read_options(&self) -> ReadOptions {
        let of = |wanted: Effect| {
            let names = self.effects.iter().filter(|declared| declared.value.1 == wanted);
            names.map(|declared| declared.value.0.clone()).collect()
        };
        ReadOptions {
            format: self.format.value.clone(),
            name: self.name.value.clone(),
            only: self.only.value.clone(),
            read: of(Effect::Read),
            write: of(Effect::Write),
        }
    }

    /// What planning needs.
    pub fn plan_settings(&self) -> PlanSettings {
        PlanSettings {
            intents: self.intents.iter().map(|intent| intent.value.clone()).collect(),
            flows: self.flows.iter().map(|flow| flow.value.clone()).collect(),
        }
    }
}
