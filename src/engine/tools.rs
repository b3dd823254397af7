//! A shown tool made ready to answer: what is worked out once and kept (rules 3.5, 5.1).
use crate::schema::{DrawKey, cleaned, conforms, draw, is_free_text};
use crate::task::{ShownTool, StepEffect, Task};
use crate::toolfile::Tool;
use crate::value::{Map, Str, Value};
use std::sync::OnceLock;

/// The salt of the key of checks that need no seed.
const PROBE: &str = "probe";

/// A value of an argument schema that is not null and conforms to it as written; `None` when eight draws give none
/// (value() of rules 5.1). `clean` is the schema cleaned for drawing.
pub fn value_for(schema: &Value, clean: &Value, key: &DrawKey, salt: &str) -> Option<Value> {
    (0..8)
        .map(|attempt| draw(clean, key, &format!("{salt}/{attempt}")))
        .find(|value| !value.is_null() && conforms(value, schema))
}

/// Whether an argument schema is drawable (rules 5.1).
pub fn is_drawable(schema: &Value) -> bool {
    value_for(schema, &cleaned(schema), &DrawKey::new(PROBE), "drawable").is_some()
}

/// The checkable arguments of a tool, in schema order: not free text and drawable (rules 5.1).
pub fn checkable(tool: &Tool) -> Vec<Str> {
    tool.properties()
        .into_iter()
        .filter(|(_, schema)| !is_free_text(schema) && is_drawable(schema))
        .map(|(name, _)| name)
        .collect()
}

/// One tool of the block. Costly parts are made when first asked for: most tools of a block are never called.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) name: Str,
    pub(super) is_read: bool,
    /// The steps of the kind the tool's effect decides, by index: read steps of a read, write steps of the others.
    pub(super) steps: Vec<usize>,
    pub(super) input_schema: Value,
    pub(super) output_schema: Option<Value>,
    /// Planned faults, timeouts and rate limits.
    pub(super) faults: u32,
    pub(super) timeouts: u32,
    pub(super) rate_limits: u32,
    /// The answer key up to the arguments.
    key_start: String,
    clean: OnceLock<Option<Value>>,
    checkable: OnceLock<Vec<Str>>,
    tool: std::sync::Arc<Tool>,
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
            input_schema: shown.tool.input_schema.clone(),
            output_schema: shown.tool.output_schema.clone(),
            faults: planned(&task.fault_plan),
            timeouts: planned(&task.timeout_plan),
            rate_limits: planned(&task.rate_limit_plan),
            key_start: answer_key_start(&task.file_digest, task.seed, &task.split, &shown.name),
            clean: OnceLock::new(),
            checkable: OnceLock::new(),
            tool: shown.tool.clone(),
        }
    }

    /// The checkable arguments, in schema order.
    pub(super) fn checkable(&self) -> &[Str] {
        self.checkable.get_or_init(|| checkable(&self.tool))
    }

    /// The output schema cleaned for drawing.
    pub(super) fn clean(&self) -> Option<&Value> {
        self.clean.get_or_init(|| self.output_schema.as_ref().map(cleaned)).as_ref()
    }

    /// The key of every draw of one answer.
    pub(super) fn key(&self, arguments_text: &str) -> DrawKey {
        DrawKey::new(&format!("{}{arguments_text}", self.key_start))
    }

    /// The base answer drawn under a key (rules 3.5).
    pub(super) fn base(&self, key: &DrawKey) -> Value {
        base_answer(self.clean(), key)
    }
}

/// The answer key of rules 3.1 up to the arguments.
pub(super) fn answer_key_start(file_digest: &str, seed: u64, split: &str, tool: &str) -> String {
    format!("{file_digest}\x1f{seed}\x1f{split}\x1f{tool}\x1f")
}

/// The base answer of rules 3.5; the schema is cleaned.
pub(super) fn base_answer(clean: Option<&Value>, key: &DrawKey) -> Value {
    match clean {
        Some(schema) => draw(schema, key, ""),
        None => Map::from([
            ("ok", Value::Bool(true)),
            ("id", key.word("/id", 16, "abcdefghijklmnopqrstuvwxyz0123456789").into()),
        ])
        .into(),
    }
}
