//! Flows and effects that the file's names suggest, as a list: enter accepts all, space leaves one out.

use super::Overlay;
use super::pick::{Pick, Purpose};
use crate::plan::{Flow, likely_flows, likely_reads};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{FileState, Model};
use crate::tui::msg::Effect;
use crate::tui::screens::tools::flow_words;
use crate::tui::update;

/// One suggestion, and whether it is accepted.
#[derive(Debug, Clone)]
pub struct Suggestion {
    what: What,
    accepted: bool,
}

#[derive(Debug, Clone)]
enum What {
    Flow(Flow),
    /// A tool that reads.
    Read(String),
}

/// Opens the list.
pub fn begin(model: &mut Model) {
    let FileState::Open(opened) = &model.file else { return };
    let known = &model.request.plan.flows;
    let tools = &opened.reading.tools;
    let flows: Vec<Flow> = likely_flows(tools).into_iter().filter(|flow| !known.contains(flow)).collect();
    let reads = likely_reads(tools);
    if flows.is_empty() && reads.is_empty() {
        model.say(Scope::Notice, "the names of tools and fields suggest nothing more");
        return;
    }
    let counts =
        [text::count(flows.len(), "likely flow"), format!("{} by name", text::count(reads.len(), "likely read"))];
    let title = format!("{}: enter accepts, space leaves one out", counts.join(", "));
    let whats = flows.into_iter().map(What::Flow).chain(reads.iter().map(|name| What::Read(name.to_string())));
    let all: Vec<Suggestion> = whats.map(|what| Suggestion { what, accepted: true }).collect();
    let items = items(&all);
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Suggest(all), items)));
}

fn items(all: &[Suggestion]) -> Vec<(String, String)> {
    let item = |s: &Suggestion| {
        let sign = if s.accepted { "[x]" } else { "[ ]" };
        match &s.what {
            What::Flow(flow) => (format!("{sign} {}", flow_words(flow)), "flow".to_owned()),
            What::Read(name) => (format!("{sign} {name}"), "read".to_owned()),
        }
    };
    all.iter().map(item).collect()
}

/// Leaves the selected suggestion out, or takes it in again; false when the list is another one.
pub fn toggle(pick: &mut Pick) -> bool {
    let Some(chosen) = pick.chosen() else { return matches!(pick.purpose, Purpose::Suggest(_)) };
    let Purpose::Suggest(all) = &mut pick.purpose else { return false };
    if let Some(suggestion) = all.get_mut(chosen) {
        suggestion.accepted = !suggestion.accepted;
    }
    let items = items(all);
    pick.relabel(items);
    true
}

/// Declares what was accepted.
pub fn accept(model: &mut Model, all: Vec<Suggestion>) -> Vec<Effect> {
    let (mut flows, mut reads) = (0, 0);
    for suggestion in all.into_iter().filter(|s| s.accepted) {
        match suggestion.what {
            What::Flow(flow) => {
                model.request.plan.flows.push(flow);
                flows += 1;
            }
            What::Read(name) => {
                model.request.read.write.retain(|n| *n != name);
                model.request.read.read.push(name);
                reads += 1;
            }
        }
    }
    if flows + reads == 0 {
        return Vec::new();
    }
    model.say(Scope::Notice, format!("declared {} and {}", text::count(flows, "flow"), text::count(reads, "read")));
    update::reread(model)
}
