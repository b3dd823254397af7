//! A task as JSON: the shape of `plan --json`, and what its id is the hash of (rules 7.10).
use super::{BadRead, Call, FaultPlan, HistoryPair, NamedRead, Step, StepEffect, Task, WrongAnswer};
use crate::value::{Part, Str, Value, canonical};

impl Task {
    /// The task as JSON. Pairs are lists of two (`stated`, `reference_calls`), plans are objects of counts, `block` holds
    /// the names shown, `effects` the effect of each, and `wrong_answers` the calls by name.
    ///
    /// What it does not hold (descriptions and schemas of the tools) is fixed by the file's digest, which every value in
    /// it was drawn from.
    pub fn to_value(&self) -> Value {
        let mut fields = self.fields();
        fields.push(("task_id", (&self.task_id).into()));
        Part::Object(fields).to_value()
    }

    /// The id of the task: SHA-256 of `rehearsal/task-id/1`, a line feed, and the call text of every field of
    /// [`Task::to_value`] but `task_id` itself, in lower-case hex.
    pub fn id(&self) -> Str {
        let mut text = String::with_capacity(4096);
        text.push_str("rehearsal/task-id/1\n");
        Part::Object(self.fields()).push_call_text(&mut text);
        canonical::file_hash(text.as_bytes()).into()
    }

    fn fields(&self) -> Vec<(&str, Part<'_>)> {
        vec![
            ("arm", Part::Made(self.arm.to_string())),
            ("seed", Part::Number(self.seed)),
            ("split", (&self.split).into()),
            ("set_name", (&self.set_name).into()),
            ("source_format", Part::Word(self.format.word())),
            ("file_digest", (&self.file_digest).into()),
            ("form", Part::Word(self.form.word())),
            ("system_prompt", (&self.system_prompt).into()),
            ("request", (&self.request).into()),
            ("target", (&self.target).into()),
            ("target_tool", (&self.target_tool).into()),
            ("stated", Part::list(self.stated.iter().map(pair))),
            ("named_reads", Part::list(self.named_reads.iter().map(NamedRead::part))),
            ("fault_plan", counts(&self.fault_plan)),
            ("timeout_plan", counts(&self.timeout_plan)),
            ("rate_limit_plan", counts(&self.rate_limit_plan)),
            ("landed_step", self.landed_step.into()),
            ("lagged_step", self.lagged_step.into()),
            ("bad_read", self.bad_read.as_ref().map(BadRead::part).into()),
            ("echo_reads", self.echo_reads.into()),
            ("block", Part::list(self.block.iter().map(|t| Part::from(&t.name)))),
            // Declared effects change what a call does and are not in the file.
            ("effects", Part::object(self.block.iter().map(|t| (&*t.name, Part::Word(t.tool.effect.word()))))),
            ("steps", Part::list(self.steps.iter().map(Step::part))),
            ("reference_calls", calls(&self.reference_calls)),
            ("history", self.history.as_ref().map(|h| Part::list(h.iter().map(HistoryPair::part))).into()),
            ("wrong_answers", Part::object(self.wrong_answers.iter().map(|w| (w.name, calls(&w.calls))))),
        ]
    }

    /// The wrong answer of that name.
    pub fn wrong_answer(&self, name: &str) -> Option<&WrongAnswer> {
        self.wrong_answers.iter().find(|w| w.name == name)
    }
}

fn pair((name, value): &(Str, Value)) -> Part<'_> {
    Part::list([name.into(), value.into()])
}

fn counts(plan: &FaultPlan) -> Part<'_> {
    Part::object(plan.iter().map(|(tool, count)| (&**tool, Part::Number((*count).into()))))
}

fn calls(calls: &[Call]) -> Part<'_> {
    Part::list(calls.iter().map(Call::part))
}

impl Call {
    /// `[tool, arguments]`
    pub fn to_value(&self) -> Value {
        self.part().to_value()
    }

    /// [`Call::to_value`], borrowed.
    pub fn part(&self) -> Part<'_> {
        Part::list([(&self.tool).into(), (&self.arguments).into()])
    }
}

impl NamedRead {
    /// `[tool, arguments, field]`
    fn part(&self) -> Part<'_> {
        Part::list([(&self.tool).into(), (&self.arguments).into(), (&self.field).into()])
    }
}

impl HistoryPair {
    /// `[tool, arguments, answer]`
    fn part(&self) -> Part<'_> {
        Part::list([(&self.call.tool).into(), (&self.call.arguments).into(), (&self.answer).into()])
    }
}

impl Step {
    /// `{tool, effect, match, needs, serves, exact}`
    fn part(&self) -> Part<'_> {
        let effect = match self.effect {
            StepEffect::Read => "read",
            StepEffect::Write => "write",
        };
        Part::object([
            ("tool", (&self.tool).into()),
            ("effect", Part::Word(effect)),
            ("match", Part::object(self.matching.iter().map(|(name, value)| (&**name, value.into())))),
            ("needs", Part::list(self.needs.iter().map(|need| Part::from(*need)))),
            ("serves", Part::list(self.serves.iter().map(pair))),
            ("exact", self.exact.into()),
        ])
    }
}

impl BadRead {
    /// `{step, level, field, arguments, value}`
    fn part(&self) -> Part<'_> {
        Part::object([
            ("step", self.step.into()),
            ("level", Part::Number(self.level.into())),
            ("field", (&self.field).into()),
            ("arguments", self.arguments.as_ref().into()),
            ("value", (&self.value).into()),
        ])
    }
}
