//! What can be copied on the Step screen.

use super::Model;
use crate::task::Call;
use crate::tui::overlays::pick::Copyable;
use crate::tui::screens::plan;
use crate::value::canonical;

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let mut copies = Vec::new();
    if let Some(shown) = &model.step.shown {
        let call = &shown.made.call;
        copies.push(Copyable::new("call", script(call)));
        copies.push(Copyable::json("arguments", &call.arguments));
        copies.push(Copyable::new("answer as the agent sees it", &*shown.made.outcome.answer.text));
    }
    if let Some((pointer, value)) = super::selected_place(model) {
        copies.insert(0, Copyable::new("pointer of the selected place", pointer));
        copies.insert(1, Copyable::json("value of the selected place", &value));
    }
    let calls: Vec<String> = episode.past().iter().map(|made| script(&made.call)).collect();
    copies.push(Copyable::new("calls so far as a call script", format!("[{}]", calls.join(",\n "))));
    let task = episode.task();
    copies.push(Copyable::new("arm and seed", format!("--arm {} --seed {}", task.arm, task.seed)));
    copies.push(Copyable::json("the episode as JSON", &episode.to_value()));
    copies.push(Copyable::new("the episode as Markdown", episode.to_markdown()));
    copies.extend(plan::task_copies(task));
    copies
}

fn script(call: &Call) -> String {
    format!("[{}, {}]", canonical::compact(&(&call.tool).into(), false), canonical::compact(&call.arguments, false))
}
