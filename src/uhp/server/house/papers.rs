//! What an episode leaves in the session's folder: `episode.json`, which holds all of it, and `card.md`, which says what
//! was measured on what.

use crate::engine::{Made, Outcome, Verdict, explain};
use crate::episode::chain::Chain;
use crate::task::{Call, Ending, Task};
use crate::text;
use crate::toolfile::Reading;
use crate::value::{Map, Value, canonical};

/// One call of an episode, what it did and why.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) made: Made,
    reason: String,
    why: String,
    chain: Chain,
}

impl Turn {
    pub(super) fn new(task: &Task, call: Call, outcome: Outcome, reason: String, chain: Chain) -> Self {
        let made = Made { call, outcome };
        Self { why: explain::sentence(task, &made), made, reason, chain }
    }

    fn to_value(&self) -> Value {
        let outcome = &self.made.outcome;
        let changes: Vec<Value> = outcome.changes.iter().map(crate::engine::Change::to_value).collect();
        Map::from([
            ("reason", Value::from(&self.reason)),
            ("call", self.made.call.to_value()),
            ("answer", outcome.answer.to_value()),
            ("why", Value::from(&self.why)),
            ("changes", changes.into()),
            ("chain", self.chain.hex().into()),
        ])
        .into()
    }
}

/// An episode played to its end.
pub(super) struct Played<'a> {
    pub(super) task: &'a Task,
    pub(super) reading: &'a Reading,
    pub(super) turns: &'a [Turn],
    pub(super) player: String,
    pub(super) ending: Ending,
    pub(super) reply: Option<&'a str>,
    pub(super) reason: &'a str,
    pub(super) verdict: Verdict,
    pub(super) words: String,
    pub(super) chain: Chain,
}

impl Played<'_> {
    /// `episode.json`.
    pub(super) fn episode(&self) -> String {
        let steps: Vec<Value> = self.turns.iter().map(Turn::to_value).collect();
        let whole = Map::from([
            ("task", self.task.to_value()),
            ("player", Value::from(self.player.as_str())),
            ("contract_hash", self.reading.contract_hash().cloned().into()),
            ("steps", steps.into()),
            ("ending", self.ending.word().into()),
            ("reply", self.reply.map(Value::str).into()),
            ("reason", self.reason.into()),
            ("verdict", self.verdict.to_value()),
            ("chain", self.chain.hex().into()),
        ]);
        let mut text = canonical::pretty(&whole.into(), false);
        text.push('\n');
        text
    }

    /// `card.md`.
    pub(super) fn card(&self) -> String {
        let (task, verdict) = (self.task, &self.verdict);
        let yes = |b: bool| if b { "passed" } else { "failed" };
        let contract = self.reading.contract_hash().map_or("none: the file has values that JSON has not", |h| h);
        let mut rows = String::new();
        for (n, turn) in self.turns.iter().enumerate() {
            let outcome = &turn.made.outcome;
            let answered = outcome.answer.code.map_or("ok", crate::engine::Code::word);
            rows.push_str(&format!(
                "| {} | {} | {answered} | {} |\n",
                n + 1,
                cell(&turn.made.call.tool),
                cell(&turn.why)
            ));
        }
        format!(
            "# One episode of {name}\n\n\
             Measured on {name} ({format}, {tools}).\n\
             File hash {file}; contract hash {contract}.\n\n\
             | | |\n| --- | --- |\n\
             | arm | {arm} |\n| seed | {seed} |\n| task | {id} |\n| player | {player} |\n\
             | strict | {strict} |\n| leaky | {leaky} |\n| label | {label} |\n\
             | calls | {calls} |\n| accepted writes | {writes} |\n| duplicate writes | {duplicates} |\n\
             | chain | {chain} |\n\n\
             {words}\n\n\
             | call | tool | answer | why |\n| --- | --- | --- | --- |\n{rows}\n\
             One episode is one draw: it says nothing about a rate. No tokens were spent, so none are counted.\n",
            name = cell(&self.reading.name),
            format = task.format.title(),
            tools = text::count(self.reading.tools.len(), "tool"),
            file = task.file_digest,
            arm = task.arm,
            seed = task.seed,
            id = task.task_id,
            player = cell(&self.player),
            strict = yes(verdict.strict),
            leaky = yes(verdict.leaky),
            label = verdict.label,
            calls = self.turns.len(),
            writes = verdict.mutations.len(),
            duplicates = verdict.duplicates,
            chain = self.chain.hex(),
            words = sentence(&self.words),
        )
    }
}

fn sentence(words: &str) -> String {
    format!("Verdict: {}.", cell(words.trim_end_matches('.')))
}

/// Text that stays inside its cell of a Markdown table.
fn cell(text: &str) -> String {
    text::safe(text).replace('|', "\\|").replace(['\n', '\r'], " ")
}
