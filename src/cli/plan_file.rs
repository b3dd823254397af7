//! A saved plan: which tasks of which bytes, for `step --plan`.

use super::Failure;
use super::set::{self, Loaded, Origin};
use crate::plan::{Flow, PlanSettings};
use crate::task::Arm;
use crate::toolfile::ReadOptions;
use crate::value::{Map, Value, canonical, read};
use std::path::{Path, PathBuf};

/// The schema word of the file.
const SCHEMA: &str = "rehearsal.plan/1";

/// What a saved plan holds.
#[derive(Debug, Clone)]
pub struct SavedPlan {
    /// The tool file, absolute.
    pub file: PathBuf,
    /// File hash the tasks are drawn from.
    pub file_hash: String,
    /// Contract hash.
    pub contract_hash: String,
    /// How the file was read.
    pub options: ReadOptions,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// The arms planned.
    pub arms: Vec<Arm>,
    /// The seeds planned.
    pub seeds: Vec<u64>,
}

impl SavedPlan {
    /// Of a loaded set. Refused when the contract hash is: a plan says which contract it was made on.
    pub fn new(set: &Loaded, arms: &[Arm], seeds: &[u64]) -> Result<Self, Failure> {
        let contract = match &set.reading.contract {
            Some(Ok(hash)) => hash.to_string(),
            Some(Err(refusal)) => {
                let why = set::refused_at(refusal);
                return Err(Failure::Refused(format!("nothing saved: the file has no contract hash: {why}")));
            }
            None => return Err(Failure::Refused("nothing saved: the file could not be read".to_owned())),
        };
        let Origin::File(path) = &set.origin else {
            let why = "nothing saved: a plan names its tool file, and this one is not a file on disk";
            return Err(Failure::Refused(why.to_owned()));
        };
        let file = std::path::absolute(path)
            .map_err(|error| Failure::Refused(format!("nothing saved: {}: {error}", path.display())))?;
        Ok(Self {
            file,
            file_hash: set.reading.file_hash.to_string(),
            contract_hash: contract,
            options: set.options.clone(),
            settings: set.settings.clone(),
            arms: arms.to_vec(),
            seeds: seeds.to_vec(),
        })
    }

    fn to_value(&self) -> Value {
        let strings = |list: &[String]| Value::from(list.to_vec());
        let flows: Vec<Value> = self
            .settings
            .flows
            .iter()
            .map(|f| Map::from([("from", &f.from), ("field", &f.field), ("to", &f.to), ("param", &f.param)]).into())
            .collect();
        let mut map = Map::new();
        map.insert("schema", SCHEMA);
        map.insert("generator", crate::plan::golden::LABEL);
        map.insert("generator_hash", crate::plan::golden::HASH);
        map.insert("file", self.file.to_string_lossy().into_owned());
        map.insert("file_hash", self.file_hash.as_str());
        map.insert("contract_hash", self.contract_hash.as_str());
        map.insert("format", self.options.format.as_str());
        map.insert("name", self.options.name.as_str());
        map.insert("only", strings(&self.options.only));
        map.insert("read", strings(&self.options.read));
        map.insert("write", strings(&self.options.write));
        map.insert("intents", self.settings.intents.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect::<Map>());
        map.insert("flows", Value::array(flows));
        map.insert("arms", self.arms.iter().map(|a| Value::from(a.to_string())).collect::<Vec<_>>());
        map.insert("seeds", self.seeds.clone());
        map.into()
    }

    fn from_value(value: &Value) -> Result<Self, String> {
        if value.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
            return Err(format!("not a saved plan (its schema is not {SCHEMA})"));
        }
        let text = |name: &str| {
            value.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("{name} is not text"))
        };
        let list =
            |name: &str| value.get(name).and_then(Value::as_array).ok_or_else(|| format!("{name} is not a list"));
        let strings = |name: &str| -> Result<Vec<String>, String> {
            list(name)?
                .iter()
                .map(|v| {
                    v.as_str().map(str::to_owned).ok_or_else(|| format!("{name} holds something other than strings"))
                })
                .collect()
        };
        let flow = |v: &Value| -> Result<Flow, String> {
            let part = |name: &str| {
                v.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("a flow has no {name}"))
            };
            Ok(Flow { from: part("from")?, field: part("field")?, to: part("to")?, param: part("param")? })
        };
        let intents = value.get("intents").and_then(Value::as_object).ok_or("intents is not an object")?;
        Ok(Self {
            file: PathBuf::from(text("file")?),
            file_hash: text("file_hash")?,
            contract_hash: text("contract_hash")?,
            options: ReadOptions {
                format: text("format")?,
                name: text("name")?,
                only: strings("only")?,
                read: strings("read")?,
                write: strings("write")?,
            },
            settings: PlanSettings {
                intents: intents
                    .named()
                    .map(|(k, v)| v.as_str().map(|v| (k.to_string(), v.to_owned())).ok_or("an intent is not text"))
                    .collect::<Result<_, _>>()?,
                flows: list("flows")?.iter().map(flow).collect::<Result<_, _>>()?,
            },
            arms: strings("arms")?
                .iter()
                .map(|a| Arm::parse(a).ok_or_else(|| format!("{a} is no arm")))
                .collect::<Result<_, _>>()?,
            seeds: list("seeds")?
                .iter()
                .map(|v| v.as_u64().ok_or_else(|| "a seed is not a whole number".to_owned()))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Writes a plan: to a file beside it first, so that a full disk leaves what was there.
pub fn save(plan: &SavedPlan, path: &Path) -> Result<(), Failure> {
    let text = format!("{}\n", crate::text::safe_json(&canonical::pretty(&plan.to_value(), false)));
    crate::settings::write_whole(path, text.as_bytes())
        .map_err(|error| Failure::Refused(format!("cannot save {}: {error}", path.display())))
}

/// Reads a plan back.
pub fn load(path: &Path) -> Result<SavedPlan, Failure> {
    let bytes = set::read_bytes(path)?;
    let refuse = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let document = read::read_json(&bytes).map_err(|error| refuse(format!("not a saved plan: {}", error.message)))?;
    SavedPlan::from_value(&document.root).map_err(refuse)
}
