//! Sending the calls of one episode again on another task: another level of a dial, another dial, another seed.
use super::{Episode, Made};
use crate::task::{Call, Task};
use crate::value::Str;
use std::sync::Arc;

/// An episode whose calls were sent again on another task.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// The episode on the other task, its cursor behind the last call sent.
    pub episode: Episode,
    /// How many calls were sent.
    pub sent: usize,
    /// The call that was not sent, by index, and its tool: the other task does not show it.
    pub stopped: Option<(usize, Str)>,
    /// The first call, by index, that was answered differently.
    pub parts: Option<usize>,
}

impl Transfer {
    /// Where the two part, in one sentence.
    pub fn words(&self) -> String {
        let calls = |n: usize| crate::text::count(n, "call");
        let stopped = match &self.stopped {
            Some((index, tool)) => {
                format!(
                    " Call {} was not replayed: {} is not one of this task's tools.",
                    index + 1,
                    crate::text::safe(tool)
                )
            }
            None => String::new(),
        };
        match self.parts {
            _ if self.sent == 0 => format!("No call was replayed.{stopped}"),
            None => format!("{} replayed, all with the same answers.{stopped}", calls(self.sent)),
            Some(index) => {
                format!("{} replayed; the two differ from call {} on.{stopped}", calls(self.sent), index + 1)
            }
        }
    }
}

/// Sends the calls before the cursor again on another task, up to the first whose tool is shown on the old task and not on
/// the new one. The target keeps being the target where its shown name differs (similarity).
pub fn transfer(from: &Episode, task: Arc<Task>) -> Transfer {
    let mut episode = Episode::new(task);
    let mut parts = None;
    let mut stopped = None;
    let mut sent = 0;
    for (index, made) in from.past().iter().enumerate() {
        let Some(call) = translated(from.task(), episode.task(), &made.call) else {
            stopped = Some((index, made.call.tool.clone()));
            break;
        };
        let again = episode.make(call);
        sent += 1;
        if parts.is_none() && !same_answer(made, &again) {
            parts = Some(index);
        }
    }
    if stopped.is_none() {
        episode.end(from.ending());
    }
    Transfer { episode, sent, stopped, parts }
}

/// The call as the other task names its tool; `None` when that task does not show it.
fn translated(from: &Task, to: &Task, call: &Call) -> Option<Call> {
    let tool = shown_name(from, to, &call.tool)?;
    Some(Call { tool: tool.clone(), arguments: call.arguments.clone() })
}

/// The name under which another task shows a tool of this one; `None` when it does not show it. A name that was not shown
/// in the first place stays as it is.
pub fn shown_name<'a>(from: &Task, to: &'a Task, tool: &'a Str) -> Option<&'a Str> {
    match from.shown(tool) {
        None => Some(tool),
        Some(_) if *tool == from.target && from.target_tool == to.target_tool => Some(&to.target),
        Some(shown) if to.shown(&shown.name).is_some() => Some(tool),
        Some(_) => None,
    }
}

fn same_answer(a: &Made, b: &Made) -> bool {
    let (a, b) = (&a.outcome.answer, &b.outcome.answer);
    a.code == b.code && a.is_error == b.is_error && (a.code.is_some() || a.text == b.text)
}
