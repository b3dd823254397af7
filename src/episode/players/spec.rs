//! The names players go by.

use super::policy::{Policy, Reacting};
use super::{Fixed, Player};
use crate::schema::DrawKey;
use crate::task::{Call, Ending, Script, Task};
use crate::text;
use crate::value::{Map, Value, canonical};
use std::sync::Arc;

/// The names without a parameter, and what each does, for help and completion.
pub const NAMES: [(&str, &str); 5] = [
    ("reference", "plays the reference solution"),
    ("once", "never repeats a call"),
    ("blind-retry", "repeats whatever failed, at most three times"),
    ("trusting", "believes every first read"),
    ("checking", "reads back before it repeats a write that timed out, reads again what answers another question"),
];

/// Who plays.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// The reference solution, call by call.
    Reference,
    /// Never repeats a call.
    Once,
    /// Repeats whatever failed, at most three times.
    BlindRetry,
    /// Believes every first read.
    Trusting,
    /// Reads back before it repeats a write that timed out, reads again what answers another question.
    Checking,
    /// A wrong answer that the task ships.
    Wrong(String),
    /// Given calls: the name they were given by, and the calls.
    Script(String, Arc<Script>),
    /// One of several by weight, drawn for each task and attempt.
    Mix(Vec<(PlayerSpec, u64)>),
}

/// Weights of a mix add up to at most this.
const MOST_WEIGHT: u64 = 1_000_000_000;

impl PlayerSpec {
    /// Parses `reference`, `once`, `blind-retry`, `trusting`, `checking`, `wrong:NAME`, `script:FILE` or
    /// `mix:NAME=weight,...`; `load` reads the calls of a script. The error is one line.
    pub fn parse(word: &str, load: &mut dyn FnMut(&str) -> Result<Script, String>) -> Result<Self, String> {
        if let Some(list) = word.strip_prefix("mix:") {
            return Self::parse_mix(list, load);
        }
        if let Some(name) = word.strip_prefix("wrong:").filter(|n| !n.is_empty()) {
            return Ok(Self::Wrong(name.to_owned()));
        }
        if let Some(file) = word.strip_prefix("script:").filter(|f| !f.is_empty()) {
            return Ok(Self::Script(file.to_owned(), Arc::new(load(file)?)));
        }
        Ok(match word {
            "reference" => Self::Reference,
            "once" => Self::Once,
            "blind-retry" => Self::BlindRetry,
            "trusting" => Self::Trusting,
            "checking" => Self::Checking,
            _ => {
                let words = NAMES.map(|(name, _)| name);
                let near = text::nearest(word, words).map_or_else(
                    || format!("players are {}, wrong:NAME, script:FILE and mix:NAME=weight,...", words.join(", ")),
                    |near| format!("did you mean {near}?"),
                );
                return Err(format!("no player {word:?}: {near}"));
            }
        })
    }

    fn parse_mix(list: &str, load: &mut dyn FnMut(&str) -> Result<Script, String>) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut total = 0_u64;
        for part in list.split(',') {
            if part.starts_with("mix:") {
                return Err("a mix cannot hold another mix".to_owned());
            }
            let how = "write mix:reference=3,trusting=1, for three to one";
            let (name, weight) = part.rsplit_once('=').ok_or_else(|| match part {
                "" => format!("the mix has an empty player: {how}"),
                part => format!("{part:?} in a mix has no weight: {how}"),
            })?;
            let weight: u64 = weight
                .parse()
                .ok()
                .filter(|weight| *weight <= MOST_WEIGHT)
                .ok_or_else(|| format!("{weight:?} is not a weight: use a whole number up to {MOST_WEIGHT}"))?;
            let spec = Self::parse(name, load)?;
            total = total.saturating_add(weight);
            parts.push((spec, weight));
        }
        match total {
            0 => Err("the weights of a mix add up to 0".to_owned()),
            1..=MOST_WEIGHT => Ok(Self::Mix(parts)),
            _ => Err(format!("the weights of a mix add up to more than {MOST_WEIGHT}")),
        }
    }

    /// Whether it can play a task; the error says what the task lacks.
    pub fn check(&self, task: &Task) -> Result<(), String> {
        match self {
            Self::Wrong(name) if !task.wrong_answers.iter().any(|w| w.name == name) => {
                let names: Vec<&str> = task.wrong_answers.iter().map(|w| w.name).collect();
                Err(format!(
                    "{}, seed {}: the task has no wrong answer {name:?}; it has {}",
                    task.arm,
                    task.seed,
                    names.join(", ")
                ))
            }
            Self::Mix(parts) => parts.iter().filter(|(_, w)| *w > 0).try_for_each(|(spec, _)| spec.check(task)),
            _ => Ok(()),
        }
    }

    /// Who plays an attempt at a task: itself, or the one a mix draws. The draw's key holds the task and the attempt, and
    /// nothing else in an episode does the latter.
    pub fn drawn(&self, task: &Task, attempt: u64) -> &Self {
        let Self::Mix(parts) = self else { return self };
        let total: u64 = parts.iter().map(|(_, weight)| weight).sum();
        let key = DrawKey::new(&format!("rehearsal/player/1\u{1f}{}\u{1f}{attempt}", task.task_id));
        let mut left = key.choice("mix", total.max(1));
        for (spec, weight) in parts {
            if left < *weight {
                return spec;
            }
            left -= weight;
        }
        parts.first().map_or(self, |(spec, _)| spec)
    }

    /// A player for one attempt at a task.
    pub fn player(&self, task: &Task, attempt: u64) -> Box<dyn Player> {
        let policy = match self.drawn(task, attempt) {
            Self::Once => Policy::Once,
            Self::BlindRetry => Policy::BlindRetry,
            Self::Trusting => Policy::Trusting,
            Self::Checking => Policy::Checking,
            fixed => return Box::new(fixed.fixed(task)),
        };
        Box::new(Reacting::new(policy, task))
    }

    fn fixed(&self, task: &Task) -> Fixed {
        let (calls, limit, what) = match self {
            Self::Wrong(name) => match task.wrong_answers.iter().find(|w| w.name == name) {
                Some(wrong) => (wrong.calls.clone(), wrong.limit, format!("the wrong answer {name}")),
                None => (Vec::new(), false, format!("the wrong answer {name}, which this task does not have")),
            },
            Self::Script(name, script) => {
                (script.calls.clone(), script.ending == Ending::Limit, format!("the script {name}"))
            }
            _ => (task.reference_calls.clone(), false, "the reference solution".to_owned()),
        };
        Fixed { calls, limit, what }
    }

    /// The hash of every script's calls by the script's name: part of what a plan is.
    pub fn scripts(&self) -> Vec<(String, String)> {
        match self {
            Self::Script(name, script) => {
                let calls: Vec<Value> = script.calls.iter().map(Call::to_value).collect();
                let whole =
                    Map::from([("calls", Value::array(calls)), ("limit", Value::from(script.ending == Ending::Limit))]);
                vec![(name.clone(), canonical::file_hash(canonical::call_text(&whole.into()).as_bytes()))]
            }
            Self::Mix(parts) => parts.iter().flat_map(|(spec, _)| spec.scripts()).collect(),
            _ => Vec::new(),
        }
    }
}

impl std::fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Reference => f.write_str("reference"),
            Self::Once => f.write_str("once"),
            Self::BlindRetry => f.write_str("blind-retry"),
            Self::Trusting => f.write_str("trusting"),
            Self::Checking => f.write_str("checking"),
            Self::Wrong(name) => write!(f, "wrong:{name}"),
            Self::Script(name, _) => write!(f, "script:{name}"),
            Self::Mix(parts) => {
                f.write_str("mix:")?;
                for (i, (spec, weight)) in parts.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{spec}={weight}")?;
                }
                Ok(())
            }
        }
    }
}
