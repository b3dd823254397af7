//! What a run will play: arms, seeds, attempts, a player, on one tool file; `plan.json` and the plan hash (rules 8.1).

use super::play::MAX_TURNS;
use crate::card::MOST_ATTEMPTS;
use crate::episode::players::PlayerSpec;
use crate::plan::{Flow, PlanSettings};
use crate::task::Arm;
use crate::toolfile::{ReadOptions, Reading};
use crate::value::{Map, Value, canonical};
use std::path::{Path, PathBuf};

/// Label of the generator of tasks.
pub const GENERATOR: &str = "rehearsal-1";

/// The tool file of a run and how it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The file, absolute.
    pub file: PathBuf,
    /// How it is read.
    pub options: ReadOptions,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// File hash.
    pub file_digest: String,
    /// The format it was read as.
    pub source_format: String,
    /// How many tools can be used.
    pub tools: usize,
}

impl Own {
    /// Of a reading.
    pub fn of(file: &Path, reading: &Reading, options: &ReadOptions, settings: &PlanSettings) -> Self {
        Self {
            // What is no file on disk (the example that comes with the program) keeps its name.
            file: std::path::absolute(file).ok().filter(|f| f.is_file()).unwrap_or_else(|| file.to_owned()),
            options: ReadOptions {
                format: if options.format.is_empty() { "auto".to_owned() } else { options.format.clone() },
                ..options.clone()
            },
            settings: settings.clone(),
            file_digest: reading.file_hash.to_string(),
            source_format: reading.format.map_or("", |f| f.word()).to_owned(),
            tools: reading.tools.len(),
        }
    }

    fn to_value(&self) -> Value {
        let options = &self.options;
        let flow = |f: &Flow| -> Value {
            Map::from([("from", &*f.from), ("field", &*f.field), ("to", &*f.to), ("param", &*f.param)]).into()
        };
        Map::from([
            ("file", Value::from(self.file.to_string_lossy().into_owned())),
            ("format", Value::from(&options.format)),
            ("name", Value::from(&options.name)),
            ("only", options.only.iter().map(Value::from).collect::<Vec<_>>().into()),
            ("read", options.read.iter().map(Value::from).collect::<Vec<_>>().into()),
            ("write", options.write.iter().map(Value::from).collect::<Vec<_>>().into()),
            ("intents", self.settings.intents.iter().map(|(k, v)| (&**k, &**v)).collect::<Map>().into()),
            ("flows", self.settings.flows.iter().map(flow).collect::<Vec<_>>().into()),
            ("file_digest", Value::from(&self.file_digest)),
            ("source_format", Value::from(&self.source_format)),
            ("tools", Value::from(self.tools)),
        ])
        .into()
    }

    fn read(own: &Value) -> Option<Self> {
        let text = |key: &str| own.get(key).and_then(Value::as_str).map(str::to_owned);
        let texts = |key: &str| -> Option<Vec<String>> {
            own.get(key)?.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
        };
        let flow = |f: &Value| {
            let part = |key: &str| f.get(key).and_then(Value::as_str).map(str::to_owned);
            Some(Flow { from: part("from")?, field: part("field")?, to: part("to")?, param: part("param")? })
        };
        let intents = own.get("intents")?.as_object()?.named();
        Some(Self {
            file: PathBuf::from(text("file")?),
            options: ReadOptions {
                format: text("format")?,
                name: text("name")?,
                only: texts("only")?,
                read: texts("read")?,
                write: texts("write")?,
            },
            settings: PlanSettings {
                intents: intents.map(|(k, v)| Some((k.to_string(), v.as_str()?.to_owned()))).collect::<Option<_>>()?,
                flows: own.get("flows")?.as_array()?.iter().map(flow).collect::<Option<_>>()?,
            },
            file_digest: text("file_digest")?,
            source_format: text("source_format")?,
            tools: own.get("tools").and_then(Value::as_i64).and_then(|n| usize::try_from(n).ok())?,
        })
    }
}

/// A run as planned.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// Arms, in order.
    pub arms: Vec<Arm>,
    /// Seeds, in order.
    pub seeds: Vec<u64>,
    /// Attempts at every task.
    pub attempts: u64,
    /// Who plays, as written.
    pub player: String,
    /// The scripts among the players: name and hash of the calls.
    pub scripts: Vec<(String, String)>,
    /// Model calls after which an episode is stopped.
    pub max_turns: usize,
    /// The tool file.
    pub own: Own,
}

impl RunPlan {
    /// A plan with the usual turn limit.
    pub fn new(arms: Vec<Arm>, seeds: Vec<u64>, attempts: u64, player: &PlayerSpec, own: Own) -> Self {
        let (scripts, player) = (player.scripts(), player.to_string());
        Self { arms, seeds, attempts, player, scripts, max_turns: MAX_TURNS, own }
    }

    /// How many episodes it has.
    pub fn episodes(&self) -> u64 {
        (self.arms.len() as u64) * (self.seeds.len() as u64) * self.attempts
    }

    /// The arm, seed and attempt of an episode, counted in plan order: arm after arm, seed after seed, attempt after
    /// attempt.
    pub fn episode(&self, index: u64) -> Option<(Arm, u64, u64)> {
        let task = index.checked_div(self.attempts)?;
        let seeds = self.seeds.len() as u64;
        let arm = *self.arms.get(task.checked_div(seeds)? as usize)?;
        Some((arm, *self.seeds.get((task % seeds) as usize)?, index % self.attempts))
    }

    fn arms_value(&self) -> Value {
        let arm = |arm: &Arm| -> Value {
            Map::from([
                ("knob", Value::from(arm.dial.word())),
                ("level", Value::from(arm.level)),
                ("control", Value::from(false)),
                ("strictness", Value::from("strict")),
                ("split", Value::from("eval")),
                ("generator_version", Value::from(GENERATOR)),
            ])
            .into()
        };
        self.arms.iter().map(arm).collect::<Vec<Value>>().into()
    }

    /// SHA-256 of the sorted compact ASCII JSON of what decides the episodes: everything but where the file lies.
    pub fn hash(&self) -> String {
        let mut own = self.own.to_value().as_object().cloned().unwrap_or_default();
        own.remove("file");
        let mut map = Map::from([
            ("plan", Value::from(1_u32)),
            ("arms", self.arms_value()),
            ("seeds", self.seeds.clone().into()),
            ("attempts", self.attempts.into()),
            ("model", Value::from(&self.player)),
            ("base_url", Value::Null),
            ("decoding", Map::new().into()),
            ("max_model_calls", self.max_turns.into()),
            ("own", own.into()),
        ]);
        if !self.scripts.is_empty() {
            map.insert("scripts", self.scripts_value());
        }
        canonical::file_hash(canonical::call_text(&map.into()).as_bytes())
    }

    fn scripts_value(&self) -> Value {
        self.scripts.iter().map(|(name, hash)| (&**name, &**hash)).collect::<Map>().into()
    }

    /// The bytes of `plan.json`.
    pub fn text(&self) -> String {
        let model = Map::from([
            ("provider", Value::from("rehearsal")),
            ("name", Value::from(&self.player)),
            ("scripts", self.scripts_value()),
        ]);
        let plan = Map::from([
            ("preset", Value::Null),
            ("arms", self.arms_value()),
            ("seeds", self.seeds.clone().into()),
            ("attempts", self.attempts.into()),
            ("model", model.into()),
            ("decoding", Map::new().into()),
            ("max_model_calls", self.max_turns.into()),
            ("own", self.own.to_value()),
        ]);
        let whole = Map::from([("plan", Value::from(plan)), ("plan_hash", Value::from(self.hash()))]);
        format!("{}\n", crate::text::safe_json(canonical::pretty(&whole.into(), false).trim_end()))
    }

    /// Reads `plan.json` back. The error says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let root = crate::value::read::read_json(bytes).map_err(|e| e.message)?.root;
        let plan = root.get("plan").ok_or("it has no plan")?;
        let read = || {
            let arm = |a: &Value| {
                let dial = crate::task::Dial::parse(a.get("knob")?.as_str()?)?;
                Some(dial.at(u32::try_from(a.get("level")?.as_i64()?).ok()?))
            };
            let model = plan.get("model")?;
            let scripts = model.get("scripts").and_then(Value::as_object).cloned().unwrap_or_default();
            Some(Self {
                arms: plan.get("arms")?.as_array()?.iter().map(arm).collect::<Option<_>>()?,
                seeds: plan.get("seeds")?.as_array()?.iter().map(count).collect::<Option<_>>()?,
                attempts: plan.get("attempts").and_then(count).filter(|n| (1..=MOST_ATTEMPTS).contains(n))?,
                player: model.get("name")?.as_str()?.to_owned(),
                scripts: scripts.named().filter_map(|(k, v)| Some((k.to_string(), v.as_str()?.to_owned()))).collect(),
                max_turns: plan.get("max_model_calls").and_then(count)? as usize,
                own: Own::read(plan.get("own")?)?,
            })
        };
        let plan: Self = read().ok_or("its plan is not one of this program's")?;
        match root.get("plan_hash").and_then(Value::as_str) {
            Some(hash) if hash == plan.hash() => Ok(plan),
            _ => Err("its plan hash does not fit its plan: it was changed by hand, or another version wrote it".into()),
        }
    }

    /// What another plan has otherwise, in words; empty when they play the same.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let own = |plan: &Self| Own { file: PathBuf::new(), ..plan.own.clone() };
        let differing = [
            (self.arms != other.arms, "arms"),
            (self.seeds != other.seeds, "seeds"),
            (self.attempts != other.attempts, "attempts"),
            (self.player != other.player, "player"),
            (self.scripts != other.scripts, "the calls of a script"),
            (self.max_turns != other.max_turns, "turn limit"),
            (own(self) != own(other), "settings of the tool file"),
        ];
        differing.into_iter().filter(|(differs, _)| *differs).map(|(_, name)| name).collect()
    }
}

/// A whole number from 0 of any 64-bit size.
pub(super) fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Int(n) => u64::try_from(*n).ok(),
        Value::BigInt(n) => u64::try_from(&**n).ok(),
        _ => None,
    }
}
