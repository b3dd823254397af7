//! One line being typed at the bottom of the screen: what to search for, a seed.

use super::{Overlay, look};
use crate::settings::seeds;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::live::save::Draft;
use crate::tui::live::{declare, save};
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::screens::{asks, files, plan, remote, runs, tools};
use crate::tui::update;
use crate::tui::widgets::editor::Editor;
use crate::tui::widgets::list::Cursor;

/// What the line is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// Searching the pane that has the keys; where one stood, to go back to on cancel.
    Search(Pane, Cursor),
    /// Searching the text below; where one stood in it.
    Within(Cursor),
    /// A seed to plan on.
    Seed,
    /// The name of a file to save.
    SaveAs(Box<Draft>),
    /// The sentence a request asks for a tool with.
    Intent(String),
    /// What the tools shown have in them; what it was before.
    Filter(String),
    /// An input for a server; whether it goes on with the session of the task.
    Input(bool),
    /// Where the tool file of a run is.
    ToolFile,
    /// A run, a card or a folder of them to list.
    AddRun,
    /// Another tool file to set beside the open one.
    OtherFile,
}

/// The line.
#[derive(Debug, Clone)]
pub struct Line {
    /// What for.
    pub purpose: Purpose,
    /// What stands before it.
    pub label: &'static str,
    /// What was typed.
    pub editor: Editor,
}

/// Asks for a line.
pub fn ask(model: &mut Model, purpose: Purpose, label: &'static str, text: String) {
    model.overlays.push(Overlay::Line(Line { purpose, label, editor: Editor::line(text) }));
}

/// After its text changed: a search looks again.
pub fn changed(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = model.overlays.last() else { return Vec::new() };
    if let Purpose::Filter(_) = line.purpose {
        let text = line.editor.text().to_lowercase();
        tools::filter(model, text);
        return Vec::new();
    }
    if let Purpose::Within(from) = line.purpose {
        let needle = line.editor.text().to_owned();
        look::search(model, &needle, from);
        return Vec::new();
    }
    let Purpose::Search(pane, before) = line.purpose else { return Vec::new() };
    model.needle = line.editor.text().to_lowercase();
    *model.cursor_mut(pane) = before;
    update::find(model, update::Find::Here)
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = model.overlays.last_mut() else { return Vec::new() };
    match action {
        Action::Cancel => {
            let Some(Overlay::Line(line)) = model.overlays.pop() else { return Vec::new() };
            model.asks.forget_file();
            if let Purpose::Search(pane, before) = line.purpose {
                model.needle.clear();
                *model.cursor_mut(pane) = before;
                return update::settled(model, pane);
            }
            match line.purpose {
                Purpose::Filter(before) => tools::filter(model, before),
                Purpose::Within(from) => look::search(model, "", from),
                _ => {}
            }
            Vec::new()
        }
        Action::Accept => {
            let Some(Overlay::Line(line)) = model.overlays.pop() else { return Vec::new() };
            match line.purpose {
                Purpose::Search(..) => Vec::new(),
                Purpose::Seed => seed(model, line.editor.text()),
                Purpose::SaveAs(draft) => save::named(draft, line.editor.text()),
                Purpose::Intent(tool) => declare::intended(model, &tool, line.editor.text()),
                Purpose::Input(goes_on) => remote::choose::run(model, line.editor.text(), goes_on),
                Purpose::ToolFile => asks::file_named(model, line.editor.text()),
                Purpose::AddRun => runs::add(model, line.editor.text()),
                Purpose::OtherFile => files::beside(model, line.editor.text()),
                Purpose::Filter(_) | Purpose::Within(_) => Vec::new(),
            }
        }
        _ => match update::edit_of(action) {
            Some(edit) if line.editor.edit(edit) => changed(model),
            _ => Vec::new(),
        },
    }
}

fn seed(model: &mut Model, text: &str) -> Vec<Effect> {
    match seeds::parse(text) {
        Ok(seeds) => {
            let Some(first) = seeds.first().copied() else {
                model.say(Scope::Error, "! type a number");
                return Vec::new();
            };
            for seed in seeds {
                model.plan.add_seed(seed);
            }
            plan::select_seed(model, first);
            plan::settle(model)
        }
        Err(why) => {
            model.say(Scope::Error, format!("! {why}"));
            Vec::new()
        }
    }
}
