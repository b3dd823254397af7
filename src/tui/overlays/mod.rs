//! Popups, as a stack: help, pickers, prompts and forms. One file each.

pub mod agent;
pub mod flow;
pub mod form;
pub mod line;
pub mod look;
pub mod pick;
mod rank;
pub mod run_form;
pub mod suggest;
pub mod told;
pub mod tour;
pub mod within;

use super::action::{Action, Place};
use super::live::choice;
use super::live::edit;
use super::model::Model;
use super::msg::Effect;

/// A popup.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A text to read.
    Look(look::Look),
    /// A picker.
    Pick(pick::Pick),
    /// A prompt.
    Line(line::Line),
    /// The call form.
    Form(Box<form::Form>),
    /// Episode details.
    Told(told::Told),
    /// The agent's view.
    Agent(Box<agent::Agent>),
    /// The run form.
    RunForm(Box<run_form::RunForm>),
}

impl Overlay {
    /// Which keys it takes.
    pub fn place(&self) -> Place {
        match self {
            Overlay::Look(_) => Place::Look,
            Overlay::Pick(_) => Place::Choose,
            Overlay::Line(_) => Place::Line,
            Overlay::Form(form) if form.raw.is_some() => Place::RawForm,
            Overlay::Form(_) => Place::Form,
            Overlay::Told(_) => Place::Told,
            Overlay::Agent(_) => Place::Agent,
            Overlay::RunForm(_) => Place::RunForm,
        }
    }
}

/// Does an action in the topmost popup.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::Edit {
        return edit::ask(model);
    }
    match model.overlays.last() {
        Some(Overlay::Look(_)) => look::act(model, action),
        Some(Overlay::Pick(_)) => pick::act(model, action),
        Some(Overlay::Line(_)) => line::act(model, action),
        Some(Overlay::Form(_)) => form::act(model, action),
        Some(Overlay::Told(_)) => told::act(model, action),
        Some(Overlay::Agent(_)) => agent::act(model, action),
        Some(Overlay::RunForm(_)) => run_form::act(model, action),
        None => Vec::new(),
    }
}

/// Types text into the topmost popup.
pub fn insert(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.overlays.last_mut() {
        Some(Overlay::Pick(pick)) => {
            if text == " " && suggest::toggle(pick) {
                return Vec::new();
            }
            pick.insert(text);
            choice::typed(model)
        }
        Some(Overlay::Line(line)) => {
            line.editor.insert(text);
            line::changed(model)
        }
        Some(Overlay::Form(form)) => {
            form.insert(text);
            Vec::new()
        }
        Some(Overlay::RunForm(form)) => {
            form.insert(text);
            run_form::changed(model)
        }
        Some(Overlay::Look(_) | Overlay::Told(_) | Overlay::Agent(_)) | None => Vec::new(),
    }
}
