//! The runs there are: folders under `runs/` and others that were named.

use super::folder::RunFolder;
use super::source::{card_folder, card_provenance};
use crate::card::produced::row;
use crate::episode::chain::Chain;
use crate::value::Value;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub enum RunState {
    /// All episodes are recorded.
    Finished,
    /// The same, of a live episode whose calls a person held: it is in no card.
    Held,
    /// Stopped or still running: how many of how many episodes are recorded.
    Unfinished(u64, u64),
    /// The same, and it was killed while it wrote: a line was torn off, which a resume drops.
    Torn(u64, u64),
    /// A card without its run.
    CardOnly,
    /// It cannot be read: why, in one line.
    Broken(String),
}

/// One line of the list of runs. Cheap to make: it counts lines and reads no record.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    /// The folder.
    pub path: PathBuf,
    /// Where it stands.
    pub state: RunState,
    /// Who plays.
    pub player: String,
    /// The set's name.
    pub set: String,
    /// Arms, seeds, attempts.
    pub size: [u64; 3],
    /// Contract hash, file hash, plan hash, as recorded.
    pub hashes: [Option<String>; 3],
    /// When it was last written in.
    pub touched: Option<SystemTime>,
    /// Whether it has a card.
    pub card: bool,
}

/// What only reading every record of a run tells.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFigures {
    /// Why its card is refused; empty when it stands.
    pub gates: Vec<String>,
    /// Episodes owed.
    pub owed: u64,
    /// Strict passes of how many scored episodes.
    pub passed: [u64; 2],
    /// The chained hash over every episode.
    pub chain: Option<Chain>,
}

impl RunEntry {
    /// Looks at a folder; nothing when it is neither a run folder nor a card.
    pub fn of(path: &Path) -> Option<Self> {
        let folder = RunFolder::at(path);
        if !folder.is_run() {
            return card_folder(path).map(|card| Self::of_card(path, &card));
        }
        let plan = folder.read_plan();
        let segments = folder.read_produced().unwrap_or_default();
        let first = segments.first().unwrap_or(&Value::Null);
        let hash = |name: &str| row(first, name).and_then(Value::as_str).map(str::to_owned);
        let touched = [folder.episodes(), folder.plan()]
            .iter()
            .filter_map(|p| std::fs::metadata(p).and_then(|m| m.modified()).ok())
            .max();
        let state = match (&plan, folder.recorded()) {
            (Err(why), _) => RunState::Broken(why.clone()),
            (_, Err(error)) => RunState::Broken(error.to_string()),
            (Ok(plan), Ok(recorded)) if folder.is_torn().unwrap_or(false) => RunState::Torn(recorded, plan.episodes()),
            (Ok(plan), Ok(recorded)) if recorded >= plan.episodes() && super::was_held(path) => RunState::Held,
            (Ok(plan), Ok(recorded)) if recorded >= plan.episodes() => RunState::Finished,
            (Ok(plan), Ok(recorded)) => RunState::Unfinished(recorded, plan.episodes()),
        };
        let plan = plan.ok();
        Some(Self {
            path: path.to_owned(),
            state,
            player: plan.as_ref().map_or_else(String::new, |p| p.player.clone()),
            set: plan.as_ref().map_or_else(String::new, |p| p.own.options.name.clone()),
            size: plan.as_ref().map_or([0; 3], |p| [p.arms.len() as u64, p.seeds.len() as u64, p.attempts]),
            hashes: [hash("contract hash"), hash("file hash"), hash("plan hash")],
            touched,
            card: card_folder(path).is_some(),
        })
    }

    /// A card alone: what its provenance says.
    fn of_card(path: &Path, card: &Path) -> Self {
        let provenance = card_provenance(card);
        let at = |keys: &[&str]| {
            let found = keys.iter().try_fold(provenance.as_ref().ok()?, |value, key| value.get(key));
            found.filter(|v| !v.is_null()).cloned()
        };
        let text = |keys: &[&str]| at(keys).and_then(|v| v.as_str().map(str::to_owned));
        let count = |key: &str| at(&[key]).and_then(|v| super::plan::count(&v)).unwrap_or(0);
        let models = at(&["models"]).and_then(|m| m.as_array().map(<[Value]>::to_vec)).unwrap_or_default();
        let models: Vec<&str> = models.iter().filter_map(|m| m.get("id")?.as_str()).collect();
        let record = at(&["produced_by"]).unwrap_or(Value::Null);
        let hash = |name: &str| row(&record, name).and_then(Value::as_str).map(str::to_owned);
        let arms = at(&["arms"]).and_then(|a| a.as_array().map(<[Value]>::len)).unwrap_or(0);
        Self {
            path: path.to_owned(),
            state: provenance.as_ref().err().map_or(RunState::CardOnly, |why| RunState::Broken(why.clone())),
            player: models.join(", "),
            set: text(&["tools", "name"]).unwrap_or_else(|| "built-in tasks".to_owned()),
            size: [arms as u64, count("S"), count("n")],
            hashes: [hash("contract hash"), hash("file hash"), hash("plan hash")],
            touched: std::fs::metadata(card.join("artifact.json")).and_then(|m| m.modified()).ok(),
            card: true,
        }
    }

    /// Reads every record; `tell` hears how far it is, and stops it by false. The error is one line.
    pub fn figures(&self, tell: &mut super::source::Tell<'_>) -> Result<RunFigures, String> {
        let source = super::source::Source::open_without_intervals(&self.path, tell)?;
        Ok(RunFigures {
            gates: source.artifact.gates(),
            owed: source.artifact.owed(),
            passed: [source.episodes.passed() as u64, source.artifact.cells.iter().map(|c| c.scored).sum()],
            chain: source.episodes.run_chain(),
        })
    }
}

/// The runs under a folder (itself, else its immediate folders), the one last written in first.
pub fn list_runs(under: &Path) -> Vec<RunEntry> {
    let mut entries: Vec<RunEntry> = RunEntry::of(under).into_iter().collect();
    if entries.is_empty()
        && let Ok(folders) = std::fs::read_dir(under)
    {
        entries.extend(folders.flatten().filter(|f| f.path().is_dir()).filter_map(|f| RunEntry::of(&f.path())));
    }
    entries.sort_by(|a, b| b.touched.cmp(&a.touched).then_with(|| a.path.cmp(&b.path)));
    entries
}

/// A folder name that is safe everywhere: each run of characters outside `A-Za-z0-9._-` becomes `-`, repeats of `-`
/// collapse, and `-` and `.` at the ends go (rules 8.1).
pub fn folder_safe(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
        if c != '-' || !out.ends_with('-') {
            out.push(c);
        }
    }
    out.trim_matches(['-', '.']).to_owned()
}

/// Where a run goes when nobody says: `runs/<set>-<player>`, numbered from 2 when that is another run's already.
pub fn default_folder(under: &Path, set: &str, player: &str, is_this_run: impl Fn(&Path) -> bool) -> PathBuf {
    let name = folder_safe(&format!("{set}-{player}"));
    let base = if name.is_empty() { "run".to_owned() } else { name };
    let mut path = under.join(&base);
    let mut n = 2;
    while path.exists() && !is_this_run(&path) {
        path = under.join(format!("{base}-{n}"));
        n += 1;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe() {
        assert_eq!(folder_safe("orders-mix:reference=3,once=1"), "orders-mix-reference-3-once-1");
        assert_eq!(folder_safe("--a//b..c--"), "a-b..c");
        assert_eq!(folder_safe("é"), "");
    }
}
