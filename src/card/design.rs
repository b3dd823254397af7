//! What a card's provenance declares: the design its figures are worked out by (rules 8.3).

use crate::value::Value;

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Prompt tokens.
    pub input: f64,
    /// Prompt tokens read from a cache.
    pub cached_input: f64,
    /// Completion tokens.
    pub output: f64,
}

/// The declared design.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Seeds declared.
    pub seeds: Vec<u64>,
    /// Tasks per arm declared.
    pub s: usize,
    /// Attempts per task declared.
    pub n: usize,
    /// The k whose pass@k gets an interval.
    pub k_values: Vec<usize>,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// Seed of the bootstrap.
    pub bootstrap_seed: u64,
    /// The smallest difference that is called.
    pub delta_star: f64,
    /// At or above: saturated.
    pub saturation_high: f64,
    /// At or below: saturated.
    pub saturation_low: f64,
    /// Above: the card is refused.
    pub instrument_threshold: f64,
    /// Above: the card is refused.
    pub no_call_threshold: f64,
    /// Rates by model id.
    pub rates: Vec<(String, Rates)>,
    /// Whether the tasks are on the user's own tools.
    pub own: bool,
    /// The arms declared, when the provenance lists them.
    pub arms: Option<Vec<String>>,
}

impl Design {
    /// The design every new card declares beside its seeds and attempts.
    pub const RESAMPLES: usize = 2000;
    /// Seed of the bootstrap of every new card.
    pub const BOOTSTRAP_SEED: u64 = 20_260_922;

    /// Reads the design out of a provenance. The error names the key that is missing or of another kind.
    pub fn read(provenance: &Value) -> Result<Self, String> {
        let number = |key: &str| {
            provenance.get(key).and_then(Value::as_f64).ok_or_else(|| format!("provenance has no number {key:?}"))
        };
        let count = |key: &str| count(provenance.get(key)).ok_or_else(|| format!("provenance has no count {key:?}"));
        let counts = |key: &str| -> Result<Vec<u64>, String> {
            let list = provenance.get(key).and_then(Value::as_array);
            list.and_then(|l| l.iter().map(count_of).collect())
                .ok_or_else(|| format!("provenance has no list of counts {key:?}"))
        };
        let models = provenance.get("models").and_then(Value::as_array).unwrap_or_default();
        Ok(Self {
            seeds: counts("seed_list")?,
            s: count("S")?,
            n: count("n")?,
            k_values: counts("k_values")?.into_iter().map(|k| k as usize).collect(),
            resamples: match count("bootstrap_resamples")? {
                n if n <= MOST_RESAMPLES => n,
                _ => return Err(format!("provenance asks for more than {MOST_RESAMPLES} resamples")),
            },
            bootstrap_seed: count("bootstrap_seed")? as u64,
            delta_star: number("delta_star")?,
            saturation_high: number("saturation_high")?,
            saturation_low: number("saturation_low")?,
            instrument_threshold: number("instrument_threshold")?,
            no_call_threshold: number("no_call_threshold")?,
            rates: models.iter().filter_map(|m| Some((m.get("id")?.as_str()?.to_owned(), rates(m)?))).collect(),
            own: provenance.get("tools").and_then(|t| t.get("kind")).and_then(Value::as_str) == Some("own"),
            arms: provenance.get("arms").and_then(Value::as_array).map(|arms| arms.iter().filter_map(arm_id).collect()),
        })
    }

    /// Whether a rate lies at or beyond a saturation bound.
    pub fn saturated(&self, rate: f64) -> bool {
        rate >= self.saturation_high || rate <= self.saturation_low
    }
}

/// A card of another program cannot make this one draw forever.
const MOST_RESAMPLES: usize = 100_000;

fn count_of(value: &Value) -> Option<u64> {
    value.as_i64().and_then(|n| u64::try_from(n).ok())
}

fn count(value: Option<&Value>) -> Option<usize> {
    value.and_then(count_of).and_then(|n| usize::try_from(n).ok())
}

fn rates(model: &Value) -> Option<Rates> {
    let rate = |key: &str| model.get(key).and_then(Value::as_f64);
    Some(Rates { input: rate("input_rate")?, cached_input: rate("cached_input_rate")?, output: rate("output_rate")? })
}

/// An arm is listed by its id, or as an object that holds it.
fn arm_id(arm: &Value) -> Option<String> {
    arm.as_str().or_else(|| arm.get("arm_id").and_then(Value::as_str)).map(str::to_owned)
}
