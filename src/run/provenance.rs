//! The provenance of a run's card (rules 8.3): what its figures were made from.

use super::plan::{GENERATOR, RunPlan};
use crate::card::Design;
use crate::card::produced::{card_form, row, seed_list_hash};
use crate::value::{Map, Value};

/// Below or at this a rate is saturated, and at or above its mirror.
const SATURATION: (f64, f64) = (0.05, 0.95);

/// What made the calls.
pub(super) const HARNESS: &str = "rehearsal";

/// The provenance of a plan and the segments that played it.
pub fn provenance(plan: &RunPlan, segments: &[Value]) -> Value {
    let first = segments.first().unwrap_or(&Value::Null);
    let of_record = |name: &str| Value::from(row(first, name).cloned());
    let n = plan.attempts;
    let mut k_values: Vec<u64> = [1, 2, 5].into_iter().filter(|k| *k <= n).collect();
    if !k_values.contains(&n) {
        k_values.push(n);
    }
    let mut intents: Vec<&str> = plan.own.settings.intents.iter().map(|(tool, _)| tool.as_str()).collect();
    intents.sort_unstable();
    let model = Map::from([
        ("id", Value::from(&plan.player)),
        ("revision", of_record("version")),
        ("endpoint_host", Value::Null),
    ]);
    let tools = Map::from([
        ("kind", Value::from("own")),
        ("name", Value::from(&plan.own.options.name)),
        ("tools", Value::from(plan.own.tools)),
        ("source_format", Value::from(&plan.own.source_format)),
        ("file_digest", Value::from(&plan.own.file_digest)),
        ("intents", intents.into()),
        ("flows", Value::from(plan.own.settings.flows.len())),
        ("generator", Value::from(GENERATOR)),
    ]);
    let mut map = Map::from([
        ("package_version", of_record("version")),
        ("engine_hash", Value::Null),
        ("generator_hash", of_record("generator hash")),
        ("vocabulary_hash", Value::Null),
        ("verifiers_version", Value::Null),
        ("harness_id", Value::from(HARNESS)),
        ("models", Value::array(vec![model.into()])),
        ("decoding", Map::new().into()),
        ("seed_list", plan.seeds.clone().into()),
        ("seed_list_hash", Value::from(seed_list_hash(&plan.seeds))),
        ("S", Value::from(plan.seeds.len())),
        ("n", Value::from(n)),
        ("k_values", k_values.into()),
        ("bootstrap_resamples", Value::from(Design::RESAMPLES)),
        ("bootstrap_seed", Value::from(Design::BOOTSTRAP_SEED)),
        ("delta_star", Value::from(0.15)),
        ("saturation_low", Value::from(SATURATION.0)),
        ("saturation_high", Value::from(SATURATION.1)),
        ("instrument_threshold", Value::from(0.02)),
        ("no_call_threshold", Value::from(0.1)),
        ("rate_read_date", Value::Null),
        ("serving", Map::new().into()),
        ("budget", Map::new().into()),
        ("max_model_calls", Value::from(plan.max_turns)),
        ("arms", plan.arms.iter().map(ToString::to_string).collect::<Vec<String>>().into()),
        ("strictness", Value::from("strict")),
        ("split", Value::from("eval")),
        ("tools", tools.into()),
    ]);
    if segments.len() > 1 {
        map.insert("resumed", true);
    }
    if let Some(record) = card_form(segments) {
        map.insert("produced_by", record);
    }
    map.into()
}
