//! A task on its way: what a dial lays down, before the wrong answers, the prompt and the id are added.
use super::draws::SPLIT;
use super::set::Prepared;
use crate::task::{Arm, Call, Form, Step, StepEffect, Task};
use crate::value::{Str, Value};

/// A planned task but for what is derived from it.
#[derive(Debug)]
pub(super) struct Draft {
    /// The task; its id, prompt and wrong answers are still empty.
    pub(super) task: Task,
    /// Position of the target.
    pub(super) target: usize,
    /// The first argument whose value could not be drawn at this seed: tool and argument.
    pub(super) missing: Option<(Str, Str)>,
}

impl Draft {
    /// A task of one write step and nothing else.
    pub(super) fn new(planner: &super::Planner, arm: Arm, seed: u64, target: usize) -> Self {
        let tool = &planner.set.tools[target].tool;
        let reading = &planner.reading;
        let task = Task {
            task_id: planner.empty.clone(),
            arm,
            seed,
            split: planner.split.clone(),
            set_name: reading.name.clone(),
            format: planner.format,
            file_digest: reading.file_hash.clone(),
            form: Form::Call,
            system_prompt: planner.prompt(arm.dial),
            request: planner.empty.clone(),
            block: planner.block.clone(),
            target: tool.name.clone(),
            target_tool: tool.name.clone(),
            stated: Vec::new(),
            named_reads: Vec::new(),
            fault_plan: Vec::new(),
            timeout_plan: Vec::new(),
            rate_limit_plan: Vec::new(),
            landed_step: None,
            lagged_step: None,
            bad_read: None,
            echo_reads: false,
            steps: Vec::new(),
            reference_calls: Vec::new(),
            history: None,
            wrong_answers: Vec::new(),
        };
        debug_assert_eq!(&*task.split, SPLIT);
        Draft { task, target, missing: None }
    }

    /// Remembers the first argument of a call that has no value at this seed.
    pub(super) fn note_missing(&mut self, tool: &Prepared, call: &Call) {
        if self.missing.is_none() {
            self.missing = first_null(tool, call);
        }
    }

    /// Adds an expected step and the reference call that does it.
    pub(super) fn expect(&mut self, tool: &Prepared, call: Call, matched: Vec<(Str, Value)>, needs: Vec<usize>) {
        self.note_missing(tool, &call);
        let effect = if tool.tool.effect.is_read() { StepEffect::Read } else { StepEffect::Write };
        self.task.steps.push(Step {
            tool: call.tool.clone(),
            effect,
            matching: matched,
            needs,
            serves: Vec::new(),
            exact: false,
        });
        self.task.reference_calls.push(call);
    }

    /// Lets the step added last serve a value in its answer.
    pub(super) fn serve(&mut self, path: &Str, value: Value) {
        if let Some(step) = self.task.steps.last_mut() {
            step.serves.push((path.clone(), value));
        }
    }
}

/// The first argument of a call that stands in it as null.
pub(super) fn first_null(tool: &Prepared, call: &Call) -> Option<(Str, Str)> {
    let arguments = call.arguments.as_object()?;
    let null = arguments.named().find(|(_, v)| v.is_null())?;
    Some((tool.tool.name.clone(), null.0.clone()))
}
