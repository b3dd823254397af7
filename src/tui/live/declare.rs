//! What was declared of a file's tools, saved beside it: asked first, and said where.

use super::choice::Choice;
use crate::settings::Declared;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::overlays::{Overlay, line};
use crate::tui::screens::tools;
use crate::tui::update;

/// Asks whether to save the declarations, and says where.
pub fn ask(model: &mut Model) {
    let Some(file) = model.request.origin.path().map(std::path::Path::to_owned) else {
        model.say(Scope::Notice, "declarations are saved beside a tool file, and this one is not a file on disk");
        return;
    };
    let config = model
        .live
        .config
        .clone()
        .unwrap_or_else(|| file.parent().unwrap_or(std::path::Path::new("")).join("tasks.toml"));
    let (read, plan) = (&model.request.read, &model.request.plan);
    let declared = Declared {
        read: read.read.clone(),
        write: read.write.clone(),
        intents: plan.intents.clone(),
        flows: plan.flows.clone(),
    };
    let counts = [
        text::count(declared.read.len() + declared.write.len(), "effect"),
        text::count(declared.intents.len(), "intent"),
        text::count(declared.flows.len(), "flow"),
    ];
    let shown = config.display().to_string();
    let items =
        vec![(format!("save them in {shown}"), "keeps comments".to_owned()), ("cancel".to_owned(), String::new())];
    let title = format!("declared: {}", counts.join(", "));
    let choice = Choice::Declare(Box::new((config, file, declared)));
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Live(choice), items)));
}

pub(super) fn left(model: &mut Model) {
    model.say(Scope::Notice, "nothing was saved");
}

pub(super) fn saved(model: &mut Model, result: Result<std::path::PathBuf, String>) {
    match result {
        Ok(path) => {
            model.say(Scope::Notice, format!("declarations saved in {}", text::safe(&path.display().to_string())));
            model.live.config = Some(path);
        }
        Err(why) => model.say(Scope::Error, format!("! not saved: {}", text::safe(&why))),
    }
}

/// Asks for the wording requests use for the selected tool.
pub fn intent(model: &mut Model) {
    let Some(tool) = tools::selected_tool(model).map(|tool| tool.name.to_string()) else {
        model.say(Scope::Notice, "select a tool to set its wording");
        return;
    };
    let before = model.request.plan.intents.iter().find(|(name, _)| *name == tool).map(|(_, text)| text.clone());
    line::ask(model, line::Purpose::Intent(tool), "wording", before.unwrap_or_default());
}

/// Sets the wording; an empty one removes it.
pub fn intended(model: &mut Model, tool: &str, sentence: &str) -> Vec<Effect> {
    let sentence = sentence.trim();
    let intents = &mut model.request.plan.intents;
    let before = intents.clone();
    if sentence.is_empty() {
        intents.retain(|(name, _)| name != tool);
    } else if let Some((_, text)) = intents.iter_mut().find(|(name, _)| name == tool) {
        sentence.clone_into(text);
    } else {
        intents.push((tool.to_owned(), sentence.to_owned()));
    }
    if *intents == before {
        return Vec::new();
    }
    let says =
        if sentence.is_empty() { "uses the wording of its description" } else { "uses this wording in requests" };
    model.say(Scope::Notice, format!("{}: {says}", text::safe(tool)));
    update::reread(model)
}
