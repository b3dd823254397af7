//! A task as JSON: the shape of `plan --json`, and what its id is taken over (rules 7.10).
use super::{BadRead, Call, FaultPlan, HistoryPair, NamedRead, Step, StepEffect, Task, WrongAnswer};
use crate::value::{Map, Str, Value, call_text, canonical};

impl Task {
    /// The task as JSON. Pairs are lists of two (`stated`, `reference_calls`), plans are objects of counts, `block` holds
    /// the names shown, `effects` the effect of each, and `wrong_answers` the calls by name.
    ///
    /// What it does not hold (descriptions and schemas of the tools) is fixed by the file's digest, which every value in
    /// it was drawn from.
    pub fn to_value(&self) -> Value {
        let mut fields = self.fields();
        fields.insert("task_id", &self.task_id);
        Value::object(fields)
    }

    /// The id of the task: SHA-256 of `rehearsal/task-id/1`, a line feed, and the call text of every field of
    /// [`Task::to_value`] but `task_id` itself, in lower-case hex.
    pub fn id(&self) -> Str {
        let text = format!("rehearsal/task-id/1\n{}", call_text(&Value::object(self.fields())));
        canonical::file_hash(text.as_bytes()).into()
    }

    fn fields(&self) -> Map {
        Map::from([
            ("arm", Value::from(self.arm.to_string())),
            ("seed", Value::from(self.seed)),
            ("split", Value::from(&self.split)),
            ("set_name", Value::from(&self.set_name)),
            ("source_format", Value::from(self.format.word())),
            ("file_digest", Value::from(&self.file_digest)),
            ("form", Value::from(self.form.word())),
            ("system_prompt", Value::from(&self.system_prompt)),
            ("request", Value::from(&self.request)),
            ("target", Value::from(&self.target)),
            ("target_tool", Value::from(&self.target_tool)),
            ("stated", self.stated.iter().map(pair).collect::<Vec<_>>().into()),
            ("named_reads", self.named_reads.iter().map(NamedRead::to_value).collect::<Vec<_>>().into()),
            ("fault_plan", counts(&self.fault_plan)),
            ("timeout_plan", counts(&self.timeout_plan)),
            ("rate_limit_plan", counts(&self.rate_limit_plan)),
            ("landed_step", self.landed_step.into()),
            ("lagged_step", self.lagged_step.into()),
            ("bad_read", self.bad_read.as_ref().map(BadRead::to_value).into()),
            ("echo_reads", self.echo_reads.into()),
            ("block", self.block.iter().map(|t| Value::from(&t.name)).collect::<Vec<_>>().into()),
            // Declared effects change what a call does and are not in the file.
            ("effects", self.block.iter().map(|t| (&t.name, t.tool.effect.word())).collect::<Map>().into()),
            ("steps", self.steps.iter().map(Step::to_value).collect::<Vec<_>>().into()),
            ("reference_calls", calls(&self.reference_calls)),
            ("history", self.history.as_ref().map(|h| h.iter().map(HistoryPair::to_value).collect::<Vec<_>>()).into()),
            ("wrong_answers", self.wrong_answers.iter().map(|w| (w.name, calls(&w.calls))).collect::<Map>().into()),
        ])
    }

    /// The wrong answer of that name.
    pub fn wrong_answer(&self, name: &str) -> Option<&WrongAnswer> {
        self.wrong_answers.iter().find(|w| w.name == name)
    }
}

fn pair((name, value): &(Str, Value)) -> Value {
    Value::array(vec![name.into(), value.clone()])
}

fn counts(plan: &FaultPlan) -> Value {
    plan.iter().map(|(tool, count)| (tool, *count)).collect::<Map>().into()
}

fn calls(calls: &[Call]) -> Value {
    calls.iter().map(Call::to_value).collect::<Vec<_>>().into()
}

impl Call {
    /// `[tool, arguments]`
    pub fn to_value(&self) -> Value {
        Value::array(vec![(&self.tool).into(), self.arguments.clone()])
    }
}

impl NamedRead {
    /// `[tool, arguments, field]`
    pub fn to_value(&self) -> Value {
        Value::array(vec![(&self.tool).into(), self.arguments.clone(), (&self.field).into()])
    }
}

impl HistoryPair {
    /// `[tool, arguments, answer]`
    pub fn to_value(&self) -> Value {
        Value::array(vec![(&self.call.tool).into(), self.call.arguments.clone(), self.answer.clone()])
    }
}

impl Step {
    /// `{tool, effect, match, needs, serves, exact}`
    pub fn to_value(&self) -> Value {
        let effect = match self.effect {
            StepEffect::Read => "read",
            StepEffect::Write => "write",
        };
        Value::object(Map::from([
            ("tool", Value::from(&self.tool)),
            ("effect", effect.into()),
            ("match", self.matching.iter().map(|(k, v)| (k, v.clone())).collect::<Map>().into()),
            ("needs", self.needs.clone().into()),
            ("serves", self.serves.iter().map(pair).collect::<Vec<_>>().into()),
            ("exact", self.exact.into()),
        ]))
    }
}

impl BadRead {
    /// `{step, level, field, arguments, value}`
    pub fn to_value(&self) -> Value {
        Value::object(Map::from([
            ("step", Value::from(self.step)),
            ("level", self.level.into()),
            ("field", (&self.field).into()),
            ("arguments", self.arguments.clone().unwrap_or_default()),
            ("value", self.value.clone()),
        ]))
    }
}
