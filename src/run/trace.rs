//! A line of `traces.jsonl`: every call of an episode and what it was answered; writing and reading back.

use super::play::{Episode, Slips};
use crate::align::{Ended, Played, Stored};
use crate::card::Record;
use crate::engine::{Ending, Rule};
use crate::episode::chain::{Chain, changes_part};
use crate::task::{Call, Task};
use crate::value::{Part, Str, Value};

/// The trace line of an episode, without its newline.
pub fn trace_line(task: &Task, attempt: u64, episode: &Episode) -> String {
    let steps = episode.turns.iter().map(|turn| {
        let answer = &turn.outcome.answer;
        let mut told = vec![("text", Part::from(&answer.text))];
        if let Some(code) = answer.code {
            told.push(("code", Part::Word(code.word())));
        }
        if answer.structured.is_some() {
            told.push(("structured", true.into()));
        }
        let mut step = vec![
            ("tool", Part::from(&turn.call.tool)),
            ("arguments", (&turn.call.arguments).into()),
            ("answer", Part::Object(told)),
            ("rule", Part::Word(rule_word(&turn.outcome.rule))),
        ];
        if let Some(shown) = task.shown(&turn.call.tool) {
            step.push(("read", shown.tool.effect.is_read().into()));
        }
        if let Some(stored) = turn.stored() {
            step.push(("stored", Part::Word(stored.word())));
        }
        step.push(("changes", changes_part(&turn.outcome.changes)));
        step.push(("reason", Part::Word(&turn.reason)));
        step.push(("chain", Part::Made(turn.chain.hex())));
        Part::Object(step)
    });
    let line = Part::object([
        ("task_id", Part::from(&task.task_id)),
        ("arm_id", Part::Made(task.arm.to_string())),
        ("seed", Part::Number(task.seed)),
        ("attempt", Part::Number(attempt)),
        ("player", Part::Word(&episode.player)),
        ("steps", Part::list(steps)),
        ("ending", Part::Word(episode.ending.word())),
        ("reply", episode.reply.as_ref().into()),
        ("reason", Part::Word(&episode.reason)),
        ("label", Part::Word(episode.verdict.label)),
        ("chain", Part::Made(episode.chain.hex())),
    ]);
    let mut text = String::with_capacity(1024);
    line.push_compact(&mut text);
    text
}

/// The record of an episode.
pub fn record(task: &Task, attempt: u64, model: &Str, arm_id: &Str, episode: &Episode) -> Record {
    let slips = Slips::of(task, episode);
    Record {
        task_id: task.task_id.clone(),
        arm_id: arm_id.clone(),
        model: model.clone(),
        seed: task.seed,
        attempt,
        strict: episode.verdict.strict,
        leaky: episode.verdict.leaky,
        label: episode.verdict.label.into(),
        turns: episode.model_calls.map(|n| n as u64),
        sampled_calls: episode.turns.len() as u64,
        gave_up_after_fault: slips.gave_up_after_fault,
        duplicate_writes: Some(slips.duplicate_writes),
        bad_read_believed: slips.bad_read_believed,
        stale_read_acted_on: slips.stale_read_acted_on,
        chain: Some(episode.chain),
        ..Record::default()
    }
}

/// What decided an answer, as a word.
fn rule_word(rule: &Rule) -> &'static str {
    match rule {
        Rule::NotAnObject => "not_an_object",
        Rule::OutsideBlock => "outside_block",
        Rule::Fault { .. } => "fault",
        Rule::PlannedTimeout { .. } => "planned_timeout",
        Rule::RateLimit { .. } => "rate_limit",
        Rule::Invalid(_) => "invalid",
        Rule::NotFound { .. } => "not_found",
        Rule::NotReady { .. } => "not_ready",
        Rule::ReadServed { .. } => "read_served",
        Rule::PlainRead => "plain_read",
        Rule::ReadReflected { .. } => "read_reflected",
        Rule::WriteDone { .. } => "write_done",
        Rule::SideEffect { .. } => "side_effect",
        Rule::Duplicate { .. } => "duplicate",
    }
}

/// One step of a recorded episode.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceStep {
    /// The call, its answer and how it counted.
    pub played: Played,
    /// What decided the answer.
    pub rule: Str,
    /// Why the player made the call.
    pub reason: Str,
    /// The chained hash after it.
    pub chain: Option<Chain>,
}

/// A recorded episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The planned task.
    pub task_id: Str,
    /// The arm.
    pub arm_id: Str,
    /// The seed.
    pub seed: u64,
    /// The attempt.
    pub attempt: u64,
    /// Who played.
    pub player: Str,
    /// The calls.
    pub steps: Vec<TraceStep>,
    /// How it ended.
    pub ended: Ended,
    /// The label.
    pub label: Str,
    /// The chained hash over everything.
    pub chain: Option<Chain>,
    /// The first call, by index, that is not what the chained hashes cover; as many as there are calls for the ending.
    /// Somebody changed the line after it was written.
    pub broken: Option<usize>,
}

impl Trace {
    /// Reads a trace line. The error says what it lacks.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let root = crate::value::read::read_json(line).map_err(|e| format!("not a trace: {}", e.message))?.root;
        let text = |value: &Value, key: &str| -> Result<Str, String> {
            value.get(key).and_then(Value::as_str).map(Str::from).ok_or_else(|| format!("a trace without {key:?}"))
        };
        let number = |key: &str| {
            let n = root.get(key).and_then(super::plan::count);
            n.ok_or_else(|| format!("a trace without a number {key:?}"))
        };
        let step = |value: &Value| -> Result<TraceStep, String> {
            let answer = value.get("answer").unwrap_or(&Value::Null);
            Ok(TraceStep {
                played: Played {
                    call: Call {
                        tool: text(value, "tool")?,
                        arguments: value.get("arguments").cloned().ok_or("a step without arguments")?,
                    },
                    answer: text(answer, "text")?,
                    code: answer.get("code").and_then(Value::as_str).map(Str::from),
                    read: value.get("read").and_then(Value::as_bool),
                    stored: value.get("stored").and_then(Value::as_str).and_then(Stored::parse),
                },
                rule: text(value, "rule")?,
                reason: text(value, "reason")?,
                chain: Chain::parse(&text(value, "chain")?),
            })
        };
        let recorded = root.get("steps").and_then(Value::as_array).ok_or("a trace without steps")?;
        let steps: Vec<TraceStep> = recorded.iter().map(step).collect::<Result<_, _>>()?;
        let (task_id, label) = (text(&root, "task_id")?, text(&root, "label")?);
        let ending = text(&root, "ending")?;
        let chain = Chain::parse(&text(&root, "chain")?);
        let broken = broken(&task_id, &steps, recorded, (&ending, &label, chain));
        Ok(Self {
            task_id,
            arm_id: text(&root, "arm_id")?,
            seed: number("seed")?,
            attempt: number("attempt")?,
            player: text(&root, "player")?,
            steps,
            ended: match ending_of(&ending) {
                Some(Ending::Reply) => Ended::Reply,
                Some(Ending::Limit) => Ended::Limit,
                _ => Ended::Open,
            },
            label,
            chain,
            broken,
        })
    }

    /// The warning about a line that was changed after it was written.
    pub fn broken_words(&self) -> Option<String> {
        let at = self.broken?;
        Some(if at < self.steps.len() {
            format!("call {} is not what its chained hash covers: the line was changed after it was written", at + 1)
        } else {
            "the ending is not what the chained hash covers: the line was changed after it was written".to_owned()
        })
    }

    /// The calls, to be aligned.
    pub fn played(&self) -> Vec<Played> {
        self.steps.iter().map(|s| s.played.clone()).collect()
    }
}

fn ending_of(word: &str) -> Option<Ending> {
    [Ending::Reply, Ending::Limit, Ending::Open].into_iter().find(|ending| ending.word() == word)
}

/// The first place of a recorded episode that its chained hashes do not cover.
fn broken(
    task_id: &str,
    steps: &[TraceStep],
    recorded: &[Value],
    (ending, label, whole): (&str, &str, Option<Chain>),
) -> Option<usize> {
    let mut chain = Chain::start(task_id);
    for (i, (step, line)) in steps.iter().zip(recorded).enumerate() {
        let changes = line.get("changes").unwrap_or(&Value::Null);
        chain = chain.recorded(task_id, &step.played.call, &step.played.answer, changes);
        if step.chain != Some(chain) {
            return Some(i);
        }
    }
    let end = ending_of(ending).map(|ending| chain.end(ending, label));
    (end.is_none() || end != whole).then_some(steps.len())
}
