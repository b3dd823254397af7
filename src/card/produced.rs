//! The record of what produced a run (rules 8.1): ours, and the reference's read by a key map.

use crate::value::{Map, Value, canonical};
use std::borrow::Cow;

/// The schema word of our records.
pub const SCHEMA: &str = "rehearsal.produced-by/1";

/// What a row of the record says, our key for it and the reference's, in record order.
pub(super) const ROWS: [(&str, &str, &str); 16] = [
    ("schema", "schema", "schema"),
    ("version", "rehearsal_version", "poisson_tasks_version"),
    ("verifiers version", "", "verifiers_version"),
    ("generator", "generator", "generator_version"),
    ("built-in generator hash", "", "builtin_generator_hash"),
    ("generator hash", "generator_hash", "own_generator_hash"),
    ("engine hash", "", "engine_hash"),
    ("vocabulary hash", "", "vocabulary_hash"),
    ("tool format", "tool_format", "tool_format"),
    ("contract hash", "contract_hash", "tool_spec_hash"),
    ("file hash", "file_hash", "tool_file_sha256"),
    ("plan hash", "plan_hash", "plan_hash"),
    ("preset", "", "preset"),
    ("player", "player", ""),
    ("seeds", "seeds", "seeds"),
    ("seed list hash", "seed_list_hash", "seed_list_hash"),
];

/// One row of a record under its common name: `contract hash`, `generator hash`, ... `None` when it is absent or null.
pub fn row<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    let (_, ours, theirs) = ROWS.iter().find(|(row, _, _)| *row == name)?;
    [ours, theirs].into_iter().filter(|key| !key.is_empty()).find_map(|key| record.get(key)).filter(|v| !v.is_null())
}

/// SHA-256 of the seeds as a JSON list with `, ` between them.
pub fn seed_list_hash(seeds: &[u64]) -> String {
    canonical::file_hash(canonical::spaced(&Value::from(seeds.to_vec())).as_bytes())
}

/// What produced a run, as it is recorded before the first step.
#[derive(Debug, Clone, PartialEq)]
pub struct Produced {
    /// Version of this program.
    pub version: String,
    /// Label of the generator.
    pub generator: String,
    /// Its published hash.
    pub generator_hash: String,
    /// Format of the tool file.
    pub tool_format: String,
    /// Contract hash.
    pub contract_hash: String,
    /// File hash.
    pub file_hash: String,
    /// Plan hash.
    pub plan_hash: String,
    /// Who plays.
    pub player: String,
    /// The seeds.
    pub seeds: Vec<u64>,
}

impl Produced {
    /// The record as an object, in record order.
    pub fn to_value(&self) -> Value {
        Map::from([
            ("schema", Value::from(SCHEMA)),
            ("rehearsal_version", Value::from(&self.version)),
            ("generator", Value::from(&self.generator)),
            ("generator_hash", Value::from(&self.generator_hash)),
            ("tool_format", Value::from(&self.tool_format)),
            ("contract_hash", Value::from(&self.contract_hash)),
            ("file_hash", Value::from(&self.file_hash)),
            ("plan_hash", Value::from(&self.plan_hash)),
            ("player", Value::from(&self.player)),
            ("seeds", Value::from(self.seeds.clone())),
            ("seed_list_hash", Value::from(seed_list_hash(&self.seeds))),
        ])
        .into()
    }

    /// One line of `produced_by.jsonl`: the record of a segment, with when it began and what it is.
    pub fn line(&self, at: &str, resumed: bool) -> String {
        let record = self.to_value();
        let mut line = Map::new();
        for (key, value) in record.as_object().into_iter().flat_map(Map::named) {
            line.insert(key, value.clone());
            if &**key == "schema" {
                line.insert("at", at);
                line.insert("segment", if resumed { "resumed" } else { "started" });
            }
        }
        canonical::spaced(&line.into())
    }
}

/// The record as a card carries it: the first segment's less its time and kind, with the versions of later segments that
/// differ; nothing when the first is not `started`.
pub fn card_form(segments: &[Value]) -> Option<Value> {
    let first = segments.first()?;
    if first.get("segment").and_then(Value::as_str) != Some("started") {
        return None;
    }
    let mut map: Map = (first.as_object()?.named())
        .filter(|(key, _)| !matches!(&***key, "at" | "segment"))
        .map(|(key, value)| (key, value.clone()))
        .collect();
    let mut versions = vec![row(first, "version")?.clone()];
    for version in segments[1..].iter().filter_map(|s| row(s, "version")) {
        if !versions.contains(version) {
            versions.push(version.clone());
        }
    }
    if versions.len() > 1 {
        map.insert("resumed_with", versions.split_off(1));
    }
    Some(map.into())
}

/// A value of a record as a table shows it.
pub fn shown(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Str(text) => Cow::Borrowed(text),
        Value::Array(items) if items.len() > 8 => {
            let first: Vec<String> = items.iter().take(4).map(canonical::spaced).collect();
            Cow::Owned(format!("{} values: {}, ...", items.len(), first.join(", ")))
        }
        Value::Array(items) => Cow::Owned(items.iter().map(canonical::spaced).collect::<Vec<_>>().join(", ")),
        other => Cow::Owned(canonical::spaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn produced(version: &str) -> Produced {
        Produced {
            version: version.into(),
            generator: "rehearsal-1".into(),
            generator_hash: "aa".into(),
            tool_format: "mcp".into(),
            contract_hash: "bb".into(),
            file_hash: "cc".into(),
            plan_hash: "dd".into(),
            player: "once".into(),
            seeds: vec![1, 2],
        }
    }

    #[test]
    fn the_card_keeps_the_first_segment_and_the_versions_that_went_on() {
        let line = |v: &str, resumed| Value::parse_json(&produced(v).line("2026-01-02T03:04:05Z", resumed)).unwrap();
        let segments = [line("0.1.0", false), line("0.1.0", true), line("0.2.0", true), line("0.2.0", true)];
        let card = card_form(&segments).unwrap();
        assert_eq!(card.get("resumed_with"), Some(&Value::from(vec!["0.2.0"])));
        assert_eq!((card.get("at"), card.get("segment")), (None, None));
        assert_eq!(card_form(&segments[..2]), Some(produced("0.1.0").to_value()));
        assert_eq!(card_form(&segments[1..]), None);
        assert_eq!(card_form(&[]), None);
    }

    #[test]
    fn the_reference_s_keys_are_read_by_ours() {
        let theirs =
            Value::parse_json(r#"{"own_generator_hash":"x","tool_spec_hash":"y","tool_file_sha256":null}"#).unwrap();
        assert_eq!(row(&theirs, "generator hash"), Some(&Value::from("x")));
        assert_eq!(row(&theirs, "contract hash"), Some(&Value::from("y")));
        assert_eq!(row(&theirs, "file hash"), None);
        assert_eq!(row(&produced("1").to_value(), "contract hash"), Some(&Value::from("bb")));
    }

    #[test]
    fn seeds_hash_as_a_spaced_list() {
        assert_eq!(seed_list_hash(&[1, 2]), canonical::file_hash(b"[1, 2]"));
    }
}
