//! A prompt at the bottom of the screen: a search, a seed, a name.

use super::{Overlay, within};
use crate::settings::seeds;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::live::save::Draft;
use crate::tui::live::{declare, save};
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::screens::{asks, files, hub, plan, remote, runs};
use crate::tui::update;
use crate::tui::widgets::editor::Editor;
use crate::tui::widgets::filter::Find;
use crate::tui::widgets::list::Cursor;

/// What a prompt is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// Searching the focused pane; the cursor to go back to on cancel.
    Search(Pane, Cursor),
    /// Searching the text below; its cursor before.
    Within(Cursor),
    /// A seed to plan on.
    Seed,
    /// The name of a file to save.
    SaveAs(Box<Draft>),
    /// The wording requests use for a tool.
    Intent(String),
    /// The filter of a pane; the one before, and the cursor before.
    Filter(Pane, String, Cursor),
    /// The filter of the text or list below, in the same way.
    Among(String, Cursor),
    /// An input for a server; whether it continues the task's session.
    Input(bool),
    /// Where the tool file of a run is.
    ToolFile,
    /// A run, a card or a folder of them to list.
    AddRun,
    /// Another tool file to compare with the open one.
    OtherFile,
    /// The rules that hold calls.
    HoldRules,
    /// After how long callers give up.
    HoldDeadline,
    /// The answer of a held call, edited.
    HoldEdit,
    /// A text that answers a held call instead.
    HoldSay,
}

/// A prompt.
#[derive(Debug, Clone)]
pub struct Line {
    /// What for.
    pub purpose: Purpose,
    /// The text before it.
    pub label: &'static str,
    /// What was typed.
    pub editor: Editor,
}

/// Opens a prompt.
pub fn ask(model: &mut Model, purpose: Purpose, label: &'static str, text: String) {
    model.overlays.push(Overlay::Line(Line { purpose, label, editor: Editor::line(text) }));
}

/// After its text changed: a search looks again.
pub fn changed(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = model.overlays.last() else { return Vec::new() };
    let text = line.editor.text().to_owned();
    model.notice = None;
    match line.purpose {
        Purpose::Filter(pane, _, from) => update::filter::typed(model, pane, &text, from),
        Purpose::Among(_, from) => {
            within::filter(model, &text, from);
            Vec::new()
        }
        Purpose::Within(from) => {
            within::search(model, &text, from);
            Vec::new()
        }
        Purpose::Search(pane, before) => {
            model.needle = text.to_lowercase();
            stand(model, pane, before);
            update::find(model, Find::Here)
        }
        _ => Vec::new(),
    }
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = model.overlays.last_mut() else { return Vec::new() };
    match action {
        Action::Cancel => {
            let Some(Overlay::Line(line)) = model.overlays.pop() else { return Vec::new() };
            model.asks.forget_file();
            match line.purpose {
                Purpose::Search(pane, before) => {
                    model.needle.clear();
                    stand(model, pane, before);
                    return update::settled(model, pane);
                }
                Purpose::Filter(pane, before, from) => return update::filter::back(model, pane, &before, from),
                Purpose::Among(before, from) => within::back(model, &before, from),
                Purpose::Within(from) => within::search(model, "", from),
                _ => {}
            }
            Vec::new()
        }
        Action::Accept => {
            let Some(Overlay::Line(line)) = model.overlays.pop() else { return Vec::new() };
            model.notice = None;
            let typed = line.clone();
            let effects = match line.purpose {
                Purpose::Seed => seed(model, line.editor.text()),
                Purpose::SaveAs(draft) => save::named(draft, line.editor.text()),
                Purpose::Intent(tool) => declare::intended(model, &tool, line.editor.text()),
                Purpose::Input(goes_on) => remote::choose::run(model, line.editor.text(), goes_on),
                Purpose::ToolFile => asks::file_named(model, line.editor.text()),
                Purpose::AddRun => runs::add(model, line.editor.text()),
                Purpose::OtherFile => files::beside(model, line.editor.text()),
                Purpose::HoldRules => hub::rules_given(model, line.editor.text()),
                Purpose::HoldDeadline => hub::deadline_given(model, line.editor.text()),
                Purpose::HoldEdit => hub::answer_given(model, line.editor.text()),
                Purpose::HoldSay => hub::text_given(model, line.editor.text()),
                // What was typed holds already.
                Purpose::Search(..) | Purpose::Filter(..) | Purpose::Among(..) | Purpose::Within(_) => Vec::new(),
            };
            // After an error the text stays, to be corrected.
            let wrong = model.notice.as_ref().is_some_and(|notice| notice.scope == Scope::Error);
            if wrong && effects.is_empty() && model.overlays.is_empty() {
                model.overlays.push(Overlay::Line(typed));
            }
            effects
        }
        _ => match update::edit_of(action) {
            Some(edit) if line.editor.edit(edit) => changed(model),
            _ => Vec::new(),
        },
    }
}

/// Puts the cursor back: of a pane, or of the error screen.
fn stand(model: &mut Model, pane: Pane, at: Cursor) {
    if model.broken() {
        model.error_at = at;
    } else {
        *model.cursor_mut(pane) = at;
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
