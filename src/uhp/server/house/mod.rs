//! The real stage: tool files, planned on and played with the players of the rehearsal.
//!
//! Owns which planned task a request means and what a task tells. Every rule it needs is asked below: `plan` plans,
//! `episode` plays, `engine` answers and judges.

mod choose;
mod papers;
mod play;

use super::stage::{Base, Cast, Choice, Cue, Play, Stage};
use crate::episode::players::{NAMES, PlayerSpec};
use crate::plan::{PlanSettings, Planner};
use crate::task::{Arm, Dial};
use crate::toolfile::Reading;
use crate::uhp::wire::Fields;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::harness::Rehearsal;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Before a file's stem in a base, and before a player's name in a model.
const PREFIX: &str = "rehearsal/";

/// Most lists of planned requests remembered.
const MOST_REMEMBERED: usize = 64;

/// A tool file to serve.
#[derive(Debug)]
pub struct Served {
    /// The file's stem, which names its base.
    pub stem: String,
    /// What it says.
    pub reading: Arc<Reading>,
    /// Flows and intents declared for it.
    pub settings: PlanSettings,
    /// Seeds of harnesses that name none.
    pub seeds: Vec<u64>,
    /// The dial to measure and its level, when they are declared: what harnesses that name no arm play.
    pub measure: Option<(Dial, Option<u32>)>,
}

#[derive(Debug)]
struct File {
    base: Base,
    planner: Planner,
    seeds: Vec<u64>,
    measure: Option<(Dial, Option<u32>)>,
    first_arm: OnceLock<Option<Arm>>,
}

/// The seed of each planned request.
type Requests = Arc<HashMap<String, u64>>;

/// What a list of planned requests is of: base, arm and seeds.
type Planned = (String, Arm, Vec<u64>);

/// The tool files a server rehearses.
#[derive(Debug)]
pub struct House {
    files: Vec<File>,
    requests: Mutex<HashMap<Planned, Requests>>,
}

impl House {
    /// Prepares tool files; one that cannot be planned on is refused with its reason. Two of one stem are numbered.
    pub fn new(served: Vec<Served>) -> Result<Self, String> {
        let mut files: Vec<File> = Vec::with_capacity(served.len());
        for s in served {
            let stems = files.iter().map(|f| f.base.id.as_str()).collect::<Vec<_>>();
            let mut id = format!("{PREFIX}{}", s.stem);
            let mut n = 1;
            while stems.contains(&id.as_str()) {
                n += 1;
                id = format!("{PREFIX}{}-{n}", s.stem);
            }
            let label = format!(
                "{} ({}, {} tools)",
                s.reading.name,
                s.reading.format.map_or("no format", crate::toolfile::Format::title),
                s.reading.tools.len()
            );
            let planner = Planner::new(s.reading, s.settings).map_err(|e| format!("{}: {}", s.stem, e.0))?;
            files.push(File {
                base: Base { id, label },
                planner,
                seeds: s.seeds,
                measure: s.measure,
                first_arm: OnceLock::new(),
            });
        }
        Ok(Self { files, requests: Mutex::default() })
    }

    fn file(&self, base: &str) -> Result<&File, Problem> {
        self.files
            .iter()
            .find(|f| f.base.id == base)
            .ok_or_else(|| Problem::new(Code::HarnessUnavailable, "The tool file of this harness is not served now."))
    }

    /// The seed of each planned request of an arm; remembered, since every task may ask.
    fn requests(&self, file: &File, arm: Arm, seeds: &[u64]) -> Requests {
        let key = (file.base.id.clone(), arm, seeds.to_vec());
        let lock = || self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let plan = |seed: &u64| file.planner.plan(arm, *seed).ok().map(|t| (t.request.to_string(), *seed));
        // Of two seeds with one request the first stands.
        let made: Requests = Arc::new(seeds.iter().rev().filter_map(plan).collect());
        let mut remembered = lock();
        if remembered.len() >= MOST_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(key, made.clone());
        made
    }
}

impl File {
    /// The arm of a harness: its own, what the file's settings measure, or the first that the file reaches.
    fn arm(&self, rehearsal: &Rehearsal) -> Result<Arm, Problem> {
        if let Some(text) = &rehearsal.arm {
            return self.reached(text).map_err(|p| p.param("rehearsal.arm"));
        }
        let lowest = |d: Dial| Some(d.at(*self.planner.levels(d).ok()?.first()?));
        let measured = |(d, level): (Dial, Option<u32>)| {
            let level = level.filter(|l| self.planner.levels(d).is_ok_and(|there| there.contains(l)));
            level.map(|l| d.at(l)).or_else(|| lowest(d))
        };
        let first = || self.measure.and_then(measured).or_else(|| Dial::ALL.into_iter().find_map(lowest));
        self.first_arm
            .get_or_init(first)
            .ok_or_else(|| Problem::new(Code::HarnessError, "No dial reaches a level on this tool file."))
    }

    /// An arm by its name, when the file reaches it.
    fn reached(&self, text: &str) -> Result<Arm, Problem> {
        let arm = Arm::parse(text)
            .ok_or_else(|| Problem::new(Code::InvalidInput, "An arm is a dial and a level, such as faults:f2."))?;
        let levels = self.planner.levels(arm.dial).map_err(|why| {
            Problem::new(Code::InvalidInput, format!("{} is not offered on these tools: {why}.", arm.dial.word()))
        })?;
        if levels.contains(&arm.level) {
            return Ok(arm);
        }
        let there: Vec<String> = levels.iter().map(|l| arm.dial.at(*l).to_string()).collect();
        let message = format!("{arm} is not reached on these tools; {} are.", there.join(", "));
        Err(Problem::new(Code::InvalidInput, message).detail("reached", json!(there)))
    }

    fn seeds<'a>(&'a self, rehearsal: &'a Rehearsal) -> &'a [u64] {
        if rehearsal.seeds.is_empty() { &self.seeds } else { &rehearsal.seeds }
    }
}

impl Stage for House {
    fn bases(&self) -> Vec<Base> {
        self.files.iter().map(|f| f.base.clone()).collect()
    }

    fn cast(&self) -> Vec<Cast> {
        NAMES
            .iter()
            .map(|(name, what)| Cast { id: format!("{PREFIX}{name}"), label: format!("{name}: {what}") })
            .collect()
    }

    fn check_harness(&self, base: &str, rehearsal: &Rehearsal) -> Result<(), Problem> {
        let file = self.file(base)?;
        let arm = file.arm(rehearsal)?;
        let seeds = if rehearsal.seeds.is_empty() { &[][..] } else { &rehearsal.seeds };
        for (i, seed) in seeds.iter().enumerate() {
            if let Err(error) = file.planner.plan(arm, *seed) {
                return Err(Problem::invalid(format!("rehearsal.seeds[{i}]"), sentence(&error.0)));
            }
        }
        Ok(())
    }

    fn rehearsal(&self, base: &str, configured: &Rehearsal) -> Rehearsal {
        let Ok(file) = self.file(base) else { return configured.clone() };
        let arm = configured.arm.clone().or_else(|| file.arm(configured).ok().map(|arm| arm.to_string()));
        Rehearsal { arm, seeds: file.seeds(configured).to_vec() }
    }

    fn check_choice(&self, base: &str, rehearsal: &Rehearsal, choice: &Choice) -> Result<(), Problem> {
        let file = self.file(base)?;
        let arm = match &choice.arm {
            Some(text) => file.reached(text).map_err(|p| p.param("metadata.arm"))?,
            None => file.arm(rehearsal)?,
        };
        let seeds = file.seeds(rehearsal);
        if choice.task.is_some_and(|task| choose::planned(seeds, task).is_none()) {
            return Err(Problem::invalid("metadata.task", choose::no_such_task(seeds).message));
        }
        match choice.seed {
            Some(seed) => file
                .planner
                .plan(arm, seed)
                .map(drop)
                .map_err(|error| Problem::invalid("metadata.seed", sentence(&error.0))),
            None => Ok(()),
        }
    }

    fn open(&self, cue: &Cue) -> Result<(Box<dyn Play>, Fields), Problem> {
        let file = self.file(&cue.base)?;
        let chosen = choose::choose(self, file, &cue.rehearsal, &cue.choice)?;
        let failed = |message: &str| Problem::new(Code::HarnessError, sentence(message));
        let task = file.planner.plan(chosen.arm, chosen.seed).map_err(|e| failed(&e.0))?;
        let name = cue.player.strip_prefix(PREFIX).unwrap_or(&cue.player);
        let spec =
            PlayerSpec::parse(name, &mut |_| Err("scripts are not served".to_owned())).map_err(|e| failed(&e))?;
        let reading = file.planner.reading();
        let said = json!({
            "base": cue.base,
            "arm": chosen.arm.to_string(),
            "seed": chosen.seed,
            "chosen_by": chosen.how.word(),
            "task_id": &*task.task_id,
            "request": &*task.request,
            "player": spec.to_string(),
            "format": task.format.word(),
            "file_hash": &*reading.file_hash,
            "contract_hash": reading.contract_hash().map(|h| &**h),
        });
        let turn = cue.choice.turn + 1;
        let play = play::Episode::new(Arc::new(task), reading.clone(), spec, chosen, cue.disabled_tools.clone(), turn);
        let said = said.as_object().cloned().unwrap_or_default();
        Ok((Box::new(play), said))
    }
}

/// A line as a sentence.
fn sentence(line: &str) -> String {
    let mut chars = line.trim().chars();
    let line: String = chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect());
    if line.ends_with(['.', '!', '?']) { line } else { format!("{line}.") }
}

#[cfg(test)]
mod tests;
