//! What can be copied and saved of an episode.

use super::Model;
use crate::task::Call;
use crate::text;
use crate::tui::overlays::pick::Copyable;
use crate::tui::screens::plan;
use crate::value::canonical;

/// The calls up to where one stands as one text, which is made when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// A call script, a call a line.
    Calls,
    /// A call script with the ending, as it is saved.
    Script,
    /// JSON, as `step --json` prints it.
    Json,
    /// Markdown.
    Markdown,
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let mut copies = Vec::new();
    if let Some(shown) = &model.step.shown {
        let call = &shown.made.call;
        copies.push(Copyable::new("call", line(call)));
        copies.push(Copyable::json("arguments", &call.arguments));
        copies.push(Copyable::new("answer as the agent sees it", &*shown.made.outcome.answer.text));
    }
    if let Some((pointer, value)) = super::selected_place(model) {
        copies.insert(0, Copyable::new("pointer of the selected place", pointer));
        copies.insert(1, Copyable::json("value of the selected place", &value));
    }
    let task = episode.task();
    let first = episode.past().first().map_or_else(String::new, |made| line(&made.call));
    let more = if episode.cursor() > 1 { ",\n" } else { "]" };
    let begins = format!("[{}{more}", text::safe_json(&first));
    copies.push(Copyable::whole("calls so far as a call script", Whole::Calls, begins));
    copies.push(Copyable::new("arm and seed", format!("--arm {} --seed {}", task.arm, task.seed)));
    copies.push(Copyable::whole("the episode as JSON", Whole::Json, "{\n".to_owned()));
    let begins = format!("# {}, seed {}\n", task.arm, task.seed);
    copies.push(Copyable::whole("the episode as Markdown", Whole::Markdown, begins));
    copies.extend(plan::task_copies(task));
    copies
}

fn line(call: &Call) -> String {
    format!("[{}, {}]", canonical::compact(&(&call.tool).into(), false), canonical::compact(&call.arguments, false))
}

/// The episode at play as a text, safe; nothing without one.
pub fn whole(model: &Model, whole: Whole) -> String {
    let Some(episode) = &model.step.episode else { return String::new() };
    match whole {
        Whole::Calls => {
            let calls: Vec<String> = episode.past().iter().map(|made| line(&made.call)).collect();
            text::safe_json(&format!("[{}]", calls.join(",\n "))).into_owned()
        }
        Whole::Script => episode.script().to_yaml(),
        Whole::Json => text::safe_json(&canonical::pretty(&episode.to_value(), false)).into_owned(),
        Whole::Markdown => episode.to_markdown(),
    }
}
