//! Answers outside an episode, for the planner and the history dial.
use super::placing::place_arguments;
use super::tools::{answer_key_start, base_answer};
use crate::task::ShownTool;
use crate::value::{Map, Value, call_text};

/// respond(tool, arguments) of rules 3.5 outside any episode: the base answer. The key is file digest, seed and split.
pub fn respond(task_key: (&str, u64, &str), tool: &ShownTool, arguments: &Value) -> Value {
    let (digest, seed, split) = task_key;
    let start = answer_key_start(digest, seed, split, &tool.name);
    base_answer(&tool.tool, &start.key(&call_text(arguments)))
}

/// The answer of a read on an arm whose reads echo their arguments (rules 7.6), outside any episode: the base answer,
/// the arguments of a write it reflects, its own arguments.
pub fn read_answer(task_key: (&str, u64, &str), tool: &ShownTool, arguments: &Value, reflected: Option<&Map>) -> Value {
    let mut answer = respond(task_key, tool, arguments);
    let schema = tool.tool.output_schema.as_ref();
    for placed in reflected.into_iter().chain(arguments.as_object()) {
        place_arguments(&mut answer, schema, placed);
    }
    answer
}
