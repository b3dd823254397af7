//! May two cards be compared? The rules of 8.5, one by one.

use super::episodes::Episodes;
use super::produced::{ROWS, row};
use crate::value::{Map, Str, Value};
use std::collections::BTreeMap;

/// What a side brings to the question.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The record of what produced it, when there is one.
    pub produced: Option<Value>,
    /// The provenance of its card.
    pub provenance: Value,
    /// The task of every arm and seed.
    pub tasks: BTreeMap<(Str, u64), Str>,
}

impl Evidence {
    /// Of a card: its provenance carries the record.
    pub fn of(provenance: &Value, episodes: &Episodes) -> Self {
        Self {
            produced: provenance.get("produced_by").filter(|p| p.as_object().is_some()).cloned(),
            provenance: provenance.clone(),
            tasks: episodes.tasks().iter().map(|t| ((t.arm_id.clone(), t.seed), t.task_id.clone())).collect(),
        }
    }

    fn row(&self, name: &str) -> Option<&Value> {
        row(self.produced.as_ref()?, name)
    }

    fn own_tools(&self) -> bool {
        self.row("contract hash").is_some()
    }

    fn is_own_card(&self) -> bool {
        self.provenance.get("tools").and_then(|t| t.get("kind")).and_then(Value::as_str) == Some("own")
    }
}

/// Why two cards may not be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Another generator of built-in tasks.
    BuiltinGenerator,
    /// One is on the user's own tools, the other is not.
    OwnAndBuiltin,
    /// Another generator.
    Generator,
    /// Another tool contract.
    Contract,
    /// One contract, other bytes: other tasks.
    Reformatted,
    /// No arm on both.
    NoSharedArm,
    /// Tasks differ, and a side did not record what produced them.
    Unknown,
    /// The declared designs differ.
    Design,
    /// Tasks differ although all that is recorded agrees: the declared settings differ.
    Settings,
}

impl Cause {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Cause::BuiltinGenerator => "builtin_generator",
            Cause::OwnAndBuiltin => "own_and_builtin",
            Cause::Generator => "generator",
            Cause::Contract => "contract",
            Cause::Reformatted => "reformatted",
            Cause::NoSharedArm => "no_shared_arm",
            Cause::Unknown => "unknown",
            Cause::Design => "design",
            Cause::Settings => "settings",
        }
    }
}

/// One row of the table of what produced each side.
#[derive(Debug, Clone, PartialEq)]
pub struct ProducedRow {
    /// `contract hash`, ...
    pub name: &'static str,
    /// What a recorded.
    pub a: Option<Value>,
    /// What b recorded.
    pub b: Option<Value>,
}

impl ProducedRow {
    /// Whether both recorded it and it differs, or only one did.
    pub fn differs(&self) -> bool {
        self.a != self.b
    }
}

/// The verdict on two cards.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The rule of 8.5 that decided, 1 to 6.
    pub rule: u8,
    /// Why they may not be compared; `None` when they may.
    pub cause: Option<Cause>,
    /// The verdict in one sentence.
    pub sentence: String,
    /// A reservation on a comparison that may be made.
    pub note: Option<String>,
    /// What produced each side, in record order; rows neither recorded are left out.
    pub rows: Vec<ProducedRow>,
}

impl Verdict {
    /// Whether the two may be compared.
    pub fn is_ok(&self) -> bool {
        self.cause.is_none()
    }

    /// The rows that differ, in record order.
    pub fn changed(&self) -> Vec<&'static str> {
        self.rows.iter().filter(|r| r.differs()).map(|r| r.name).collect()
    }

    /// The verdict as JSON.
    pub fn to_value(&self) -> Value {
        let rows = self.rows.iter().map(|r| {
            Value::from(Map::from([
                ("key", Value::from(r.name)),
                ("a", r.a.clone().into()),
                ("b", r.b.clone().into()),
                ("differs", r.differs().into()),
            ]))
        });
        Map::from([
            ("kind", Value::from(if self.is_ok() { "ok" } else { "different" })),
            ("rule", Value::from(u32::from(self.rule))),
            ("cause", self.cause.map(Cause::word).into()),
            ("sentence", Value::from(&self.sentence)),
            ("note", self.note.clone().into()),
            ("changed", self.changed().into()),
            ("produced_by", rows.collect::<Vec<Value>>().into()),
        ])
        .into()
    }
}

/// What two provenances must agree in, in this order (rule 4).
const DESIGN: [&str; 16] = [
    "generator_hash",
    "engine_hash",
    "vocabulary_hash",
    "seed_list_hash",
    "S",
    "n",
    "decoding",
    "harness_id",
    "delta_star",
    "saturation_high",
    "saturation_low",
    "bootstrap_resamples",
    "bootstrap_seed",
    "strictness",
    "split",
    "tools",
];

/// The first rule of 8.5 that applies.
pub fn verdict(a: &Evidence, b: &Evidence) -> Verdict {
    let rows = rows(a, b);
    let different =
        |rule, cause, sentence: String| Verdict { rule, cause: Some(cause), sentence, note: None, rows: rows.clone() };
    if a.produced.is_some() && b.produced.is_some() {
        let differs = |name: &str| a.row(name) != b.row(name);
        if differs("built-in generator hash") {
            let sentence = "Different tasks: the two were drawn by different versions of the built-in task generator.";
            return different(1, Cause::BuiltinGenerator, sentence.into());
        }
        if a.own_tools() != b.own_tools() {
            let sentence = "Different tasks: one is on tools of one's own and the other on built-in ones.";
            return different(1, Cause::OwnAndBuiltin, sentence.into());
        }
        if differs("generator hash") {
            let sentence = "Different tasks: the two were drawn by different generators.";
            return different(1, Cause::Generator, sentence.into());
        }
        if differs("contract hash") {
            let sentence = "Different tool contracts: the tools themselves changed, so no figure of one can be compared with \
                            the other's.";
            return different(1, Cause::Contract, sentence.into());
        }
        if differs("file hash") {
            let sentence = "The same tool contract in other bytes: the file was reformatted, so its tasks are others, and no \
                            figure of one can be compared with the other's.";
            return different(1, Cause::Reformatted, sentence.into());
        }
    }
    if !shares_an_arm(a, b) {
        return different(2, Cause::NoSharedArm, "Different tasks: no arm is on both.".into());
    }
    let tasks_differ = tasks_differ(a, b);
    if tasks_differ && (a.produced.is_none() || b.produced.is_none()) {
        let sentence = "Different tasks, and why cannot be said: at least one side did not record what produced it.";
        return different(3, Cause::Unknown, sentence.into());
    }
    let both_own = a.is_own_card() && b.is_own_card();
    let key = DESIGN.into_iter().find(|&key| {
        let [x, y] = [a, b].map(|side| side.provenance.get(key).filter(|v| !v.is_null()));
        x != y && !(key == "tools" && both_own)
    });
    if let Some(key) = key {
        let sentence =
            format!("Different designs: the two differ in {key}, so their figures do not say the same thing.");
        return different(4, Cause::Design, sentence);
    }
    if tasks_differ {
        let sentence = "Different tasks on the same file: the declared settings differ (effects, intents, flows, name or \
                        chosen tools).";
        return different(5, Cause::Settings, sentence.into());
    }
    Verdict {
        rule: 6,
        cause: None,
        sentence: "The same tasks: the two may be compared.".into(),
        note: note(a, b),
        rows,
    }
}

/// A caution for two that can be compared.
fn note(a: &Evidence, b: &Evidence) -> Option<String> {
    if a.produced.is_none() || b.produced.is_none() {
        return Some("A side did not record what produced it; the task ids are the same.".into());
    }
    let differing: Vec<&str> =
        ["version", "verifiers version"].into_iter().filter(|name| a.row(name) != b.row(name)).collect();
    (!differing.is_empty()).then(|| format!("The two were made by different versions ({}).", differing.join(", ")))
}

fn rows(a: &Evidence, b: &Evidence) -> Vec<ProducedRow> {
    ROWS.iter()
        .map(|(name, _, _)| ProducedRow { name, a: a.row(name).cloned(), b: b.row(name).cloned() })
        .filter(|r| r.a.is_some() || r.b.is_some())
        .collect()
}

fn shares_an_arm(a: &Evidence, b: &Evidence) -> bool {
    a.tasks.keys().any(|(arm, _)| b.tasks.range((arm.clone(), 0)..).next().is_some_and(|((found, _), _)| found == arm))
}

/// Whether an arm of both has another task at a shared seed, or no seed in common.
fn tasks_differ(a: &Evidence, b: &Evidence) -> bool {
    let mut shared: BTreeMap<&Str, bool> = BTreeMap::new();
    for (key @ (arm, _), id) in &a.tasks {
        if b.tasks.range((arm.clone(), 0)..).next().is_none_or(|((found, _), _)| found != arm) {
            continue;
        }
        let met = shared.entry(arm).or_default();
        match b.tasks.get(key) {
            Some(other) if other != id => return true,
            Some(_) => *met = true,
            None => {}
        }
    }
    shared.values().any(|met| !met)
}
