//! The record line of an episode (rules 8.2): reading, checking, writing.

use crate::episode::chain::Chain;
use crate::value::{Map, Str, Value};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// Labels that say the instrument failed, not the agent: they leave the denominator.
pub const INSTRUMENT: [&str; 4] = ["verifier_error", "replay_mismatch", "api_error", "wall_timeout"];

/// The largest count of one episode: sums of any bearable number of them fit.
const LARGEST: u64 = 1_000_000_000_000;

/// Whether a label says that the instrument failed.
pub fn is_instrument(label: &str) -> bool {
    INSTRUMENT.contains(&label)
}

/// One episode, as a card counts it. What is not known is `None` and never 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The planned task.
    pub task_id: Str,
    /// `faults:f2`.
    pub arm_id: Str,
    /// The model, or the player that stands in for one.
    pub model: Str,
    /// The task's seed.
    pub seed: u64,
    /// Which attempt at the task, from 0.
    pub attempt: u64,
    /// Strict pass.
    pub strict: bool,
    /// Leaky pass.
    pub leaky: bool,
    /// The strict label.
    pub label: Str,
    /// Model calls.
    pub turns: Option<u64>,
    /// Tool calls.
    pub sampled_calls: u64,
    /// Prompt tokens, cache reads not counted.
    pub prompt_tokens: Option<u64>,
    /// Prompt tokens read from a cache.
    pub cached_input_tokens: Option<u64>,
    /// Completion tokens.
    pub completion_tokens: Option<u64>,
    /// The part of the completion tokens spent on reasoning.
    pub reasoning_tokens: Option<u64>,
    /// Cost as reported.
    pub cost: Option<f64>,
    /// Seconds: the whole episode.
    pub episode_seconds: Option<f64>,
    /// Seconds: in the model.
    pub model_seconds: Option<f64>,
    /// Seconds: in the harness.
    pub harness_seconds: Option<f64>,
    /// Seconds: setting up.
    pub setup_seconds: Option<f64>,
    /// Prompt tokens of the first request.
    pub first_request_prompt_tokens: Option<u64>,
    /// On arms with planned faults: some fault was never followed by a call of that tool.
    pub gave_up_after_fault: Option<bool>,
    /// Ours: how many writes were duplicates.
    pub duplicate_writes: Option<u64>,
    /// Ours, where a bad read is planned: a write carried the value it told.
    pub bad_read_believed: Option<bool>,
    /// Ours, where a stale read is planned: the write was made again after it.
    pub stale_read_acted_on: Option<bool>,
    /// Ours: the chained hash over every step, the ending and the label.
    pub chain: Option<Chain>,
}

/// The same, as it lies in a line: text borrowed until it is interned.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    task_id: Cow<'a, str>,
    #[serde(borrow)]
    arm_id: Cow<'a, str>,
    #[serde(borrow)]
    model: Cow<'a, str>,
    seed: u64,
    attempt: u64,
    strict: bool,
    leaky: bool,
    #[serde(borrow)]
    label: Cow<'a, str>,
    // null where it was not measured, but never left out
    #[serde(deserialize_with = "Option::deserialize")]
    turns: Option<u64>,
    sampled_calls: u64,
    prompt_tokens: Option<u64>,
    cached_input_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    reasoning_tokens: Option<u64>,
    cost: Option<f64>,
    episode_seconds: Option<f64>,
    model_seconds: Option<f64>,
    harness_seconds: Option<f64>,
    setup_seconds: Option<f64>,
    first_request_prompt_tokens: Option<u64>,
    gave_up_after_fault: Option<bool>,
    duplicate_writes: Option<u64>,
    bad_read_believed: Option<bool>,
    stale_read_acted_on: Option<bool>,
    #[serde(borrow)]
    chain: Option<Cow<'a, str>>,
}

/// Keeps one copy of every text that repeats from line to line.
#[derive(Debug, Default)]
pub struct Interner(HashSet<Str>);

impl Interner {
    /// The shared copy of `text`.
    pub fn intern(&mut self, text: &str) -> Str {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let shared: Str = Arc::from(text);
        self.0.insert(shared.clone());
        shared
    }
}

impl Record {
    /// Reads one line. The error says in one line what is wrong with it.
    pub fn parse(line: &[u8], interner: &mut Interner) -> Result<Self, String> {
        let line: Line<'_> = serde_json::from_slice(line).map_err(|e| {
            // A line has one line: only the column tells.
            format!("not an episode record: {}", e.to_string().replace(" at line 1 column ", " at column "))
        })?;
        let record = Self {
            task_id: interner.intern(&line.task_id),
            arm_id: interner.intern(&line.arm_id),
            model: interner.intern(&line.model),
            seed: line.seed,
            attempt: line.attempt,
            strict: line.strict,
            leaky: line.leaky,
            label: interner.intern(&line.label),
            turns: line.turns,
            sampled_calls: line.sampled_calls,
            prompt_tokens: line.prompt_tokens,
            cached_input_tokens: line.cached_input_tokens,
            completion_tokens: line.completion_tokens,
            reasoning_tokens: line.reasoning_tokens,
            cost: line.cost,
            episode_seconds: line.episode_seconds,
            model_seconds: line.model_seconds,
            harness_seconds: line.harness_seconds,
            setup_seconds: line.setup_seconds,
            first_request_prompt_tokens: line.first_request_prompt_tokens,
            gave_up_after_fault: line.gave_up_after_fault,
            duplicate_writes: line.duplicate_writes,
            bad_read_believed: line.bad_read_believed,
            stale_read_acted_on: line.stale_read_acted_on,
            chain: line.chain.as_deref().map(|c| Chain::parse(c).ok_or("the chain is not a hash")).transpose()?,
        };
        record.check()?;
        Ok(record)
    }

    /// The checks of rules 8.2: strict iff the label is `passed`, strict implies leaky, an instrument label is not leaky,
    /// nothing is negative.
    pub fn check(&self) -> Result<(), String> {
        let passed = &*self.label == "passed";
        if self.strict != passed {
            return Err(format!("strict is {} and the label is {}", self.strict, self.label));
        }
        if self.strict && !self.leaky {
            return Err("a strict pass that is not a leaky pass".to_owned());
        }
        if self.leaky && is_instrument(&self.label) {
            return Err(format!("a leaky pass labeled {}", self.label));
        }
        let figures = [self.cost, self.episode_seconds, self.model_seconds, self.harness_seconds, self.setup_seconds];
        if figures.into_iter().flatten().any(|f| f < 0.0) {
            return Err("a negative figure".to_owned());
        }
        let counts = [
            self.turns,
            Some(self.sampled_calls),
            self.prompt_tokens,
            self.cached_input_tokens,
            self.completion_tokens,
            self.reasoning_tokens,
            self.first_request_prompt_tokens,
            self.duplicate_writes,
        ];
        if counts.into_iter().flatten().any(|count| count > LARGEST) {
            return Err(format!("a count over {LARGEST}"));
        }
        Ok(())
    }

    /// Whether the agent, not the instrument, decided the outcome.
    pub fn is_scored(&self) -> bool {
        !is_instrument(&self.label)
    }

    /// All tokens of the episode, when every part is known.
    pub fn tokens(&self) -> Option<u64> {
        Some(self.prompt_tokens? + self.cached_input_tokens? + self.completion_tokens?)
    }

    /// The record as an object whose keys are sorted; what is only present when known is left out.
    pub fn to_value(&self) -> Value {
        let mut map = Map::with_capacity(24);
        let mut known = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                map.insert(key, value);
            }
        };
        known("arm_id", Some((&self.arm_id).into()));
        known("attempt", Some(self.attempt.into()));
        known("bad_read_believed", self.bad_read_believed.map(Value::Bool));
        known("cached_input_tokens", Some(self.cached_input_tokens.into()));
        known("chain", self.chain.map(|c| Value::from(c.hex())));
        known("completion_tokens", Some(self.completion_tokens.into()));
        known("cost", Some(self.cost.into()));
        known("duplicate_writes", self.duplicate_writes.map(Value::from));
        known("episode_seconds", self.episode_seconds.map(Value::Float));
        known("first_request_prompt_tokens", self.first_request_prompt_tokens.map(Value::from));
        known("gave_up_after_fault", self.gave_up_after_fault.map(Value::Bool));
        known("harness_seconds", self.harness_seconds.map(Value::Float));
        known("label", Some((&self.label).into()));
        known("leaky", Some(self.leaky.into()));
        known("model", Some((&self.model).into()));
        known("model_seconds", self.model_seconds.map(Value::Float));
        known("prompt_tokens", Some(self.prompt_tokens.into()));
        known("reasoning_tokens", Some(self.reasoning_tokens.into()));
        known("sampled_calls", Some(self.sampled_calls.into()));
        known("seed", Some(self.seed.into()));
        known("setup_seconds", self.setup_seconds.map(Value::Float));
        known("stale_read_acted_on", self.stale_read_acted_on.map(Value::Bool));
        known("strict", Some(self.strict.into()));
        known("task_id", Some((&self.task_id).into()));
        known("turns", Some(self.turns.into()));
        Value::object(map)
    }

    /// The line, without its newline.
    pub fn line(&self) -> String {
        crate::value::canonical::spaced(&self.to_value())
    }
}

/// Reads every line of an `episodes.jsonl`; a last line without its newline is dropped, an empty one is skipped.
/// The error names the line.
pub fn read_records(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let mut interner = Interner::default();
    let mut records = Vec::with_capacity(bytes.len() / 320);
    for (i, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        let Some(line) = line.strip_suffix(b"\n") else { break };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        records.push(Record::parse(line, &mut interner).map_err(|e| format!("line {}: {e}", i + 1))?);
    }
    Ok(records)
}

/// The chained hash over every episode, in order: equal chains, equal runs. `None` when an episode has none.
pub fn run_chain(records: &[Record]) -> Option<Chain> {
    records.iter().try_fold(Chain::of_run(), |chain, record| Some(chain.episode(record.chain?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"arm_id": "depth:d1", "attempt": 0, "cached_input_tokens": 0, "completion_tokens": 450, "cost": null, "label": "passed", "leaky": true, "model": "m", "prompt_tokens": 1506, "reasoning_tokens": 384, "sampled_calls": 1, "seed": 105286572, "strict": true, "task_id": "19e2", "turns": 2}"#;

    #[test]
    fn reads_what_it_writes() {
        let record = Record::parse(LINE.as_bytes(), &mut Interner::default()).unwrap();
        assert_eq!(record.tokens(), Some(1956));
        assert_eq!(record.line(), LINE);
    }

    #[test]
    fn refuses_what_cannot_be() {
        for (from, to, why) in [
            (r#""strict": true"#, r#""strict": false"#, "strict is false"),
            (r#""leaky": true"#, r#""leaky": false"#, "not a leaky pass"),
            (r#""attempt": 0"#, r#""attempt": -1"#, "not an episode record"),
            (r#""cost": null"#, r#""cost": -0.5"#, "negative"),
            (r#""turns": 2"#, r#""turn": 2"#, "turns"),
            (r#""turns": 2"#, r#""turns": 18446744073709551615"#, "a count over 1000000000000"),
            (r#""completion_tokens": 450"#, r#""completion_tokens": 1000000000001"#, "a count over"),
            (r#""turns": 2"#, r#""turns": x"#, "expected value at column"),
        ] {
            let line = LINE.replace(from, to);
            let error = Record::parse(line.as_bytes(), &mut Interner::default()).unwrap_err();
            assert!(error.contains(why), "{to}: {error}");
        }
        let line = LINE.replace("\"passed\"", "\"api_error\"").replace(r#""strict": true"#, r#""strict": false"#);
        assert!(Record::parse(line.as_bytes(), &mut Interner::default()).unwrap_err().contains("leaky"));
    }

    #[test]
    fn drops_a_torn_last_line_and_names_a_broken_one() {
        let whole = format!("{LINE}\n{LINE}\n");
        assert_eq!(read_records(whole.as_bytes()).unwrap().len(), 2);
        assert_eq!(read_records(&whole.as_bytes()[..whole.len() - 1]).unwrap().len(), 1);
        let error = read_records(format!("{LINE}\n{{}}\n").as_bytes()).unwrap_err();
        assert!(error.starts_with("line 2:"), "{error}");
    }
}
