//! A shown tool made ready to answer: what is worked out once and kept (rules 3.5).
use crate::schema::{DrawKey, KeyStart, draw};
use crate::task::{ShownTool, StepEffect, Task};
use crate::toolfile::Tool;
use crate::value::{Map, Str, Value};
use std::sync::Arc;

/// One tool of the block, made ready when it is first called: most tools of a block never are.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) name: Str,
    pub(super) is_read: bool,
    /// The steps of the kind the tool's effect decides, by index: read steps of a read, write steps of the others.
    pub(super) steps: Vec<usize>,
    /// Planned faults, timeouts and rate limits.
    pub(super) faults: u32,
    pub(super) timeouts: u32,
    pub(super) rate_limits: u32,
    /// The tool behind it.
    pub(super) tool: Arc<Tool>,
    /// The answer key up to the arguments.
    key_start: KeyStart,
}

impl Shown {
    pub(super) fn new(task: &Task, shown: &ShownTool) -> Self {
        let is_read = shown.tool.effect.is_read();
        let kind = if is_read { StepEffect::Read } else { StepEffect::Write };
        let steps = task.steps.iter().enumerate();
        let planned = |plan: &[(Str, u32)]| plan.iter().find(|(name, _)| *name == shown.name).map_or(0, |(_, n)| *n);
        Self {
            name: shown.name.clone(),
            is_read,
            steps: steps.filter(|(_, s)| s.tool == shown.name && s.effect == kind).map(|(i, _)| i).collect(),
            faults: planned(&task.fault_plan),
            timeouts: planned(&task.timeout_plan),
            rate_limits: planned(&task.rate_limit_plan),
            key_start: answer_key_start(&task.file_digest, task.seed, &task.split, &shown.name),
            tool: shown.tool.clone(),
        }
    }

    /// The output schema as written.
    pub(super) fn output_schema(&self) -> Option<&Value> {
        self.tool.output_schema.as_ref()
    }

    /// The key of every draw of one answer.
    pub(super) fn key(&self, arguments_text: &str) -> DrawKey {
        self.key_start.key(arguments_text)
    }

    /// The base answer drawn under a key (rules 3.5).
    pub(super) fn base(&self, key: &DrawKey) -> Value {
        base_answer(&self.tool, key)
    }
}

/// The answer key of rules 3.1 up to the arguments.
pub(super) fn answer_key_start(file_digest: &str, seed: u64, split: &str, tool: &str) -> KeyStart {
    const US: &str = "\x1f";
    KeyStart::new([file_digest, US, &seed.to_string(), US, split, US, tool, US])
}

/// The base answer of rules 3.5.
pub(super) fn base_answer(tool: &Tool, key: &DrawKey) -> Value {
    match tool.clean_output() {
        Some(schema) => draw(schema, key, ""),
        None => Map::from([
            ("ok", Value::Bool(true)),
            ("id", key.word("/id", 16, "abcdefghijklmnopqrstuvwxyz0123456789").into()),
        ])
        .into(),
    }
}
