//! What opens above a screen, as a stack: help, lists to choose from, lines and forms to type into. One file each.

pub mod agent;
pub mod flow;
pub mod form;
pub mod line;
pub mod look;
pub mod pick;
pub mod run_form;
pub mod told;
pub mod tour;
pub mod within;

use super::action::{Action, Place};
use super::live::choice;
use super::live::edit;
use super::model::Model;
use super::msg::Effect;

/// Something open above a screen.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A text or list to look at.
    Look(look::Look),
    /// A list narrowed by typing.
    Pick(pick::Pick),
    /// One line being typed.
    Line(line::Line),
    /// The form of a call.
    Form(Box<form::Form>),
    /// Something told of the episode.
    Told(told::Told),
    /// What the agent sees.
    Agent(Box<agent::Agent>),
    /// The form of a run.
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

/// Does an action in the topmost overlay.
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

/// Types text into the topmost overlay.
pub fn insert(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.overlays.last_mut() {
        Some(Overlay::Pick(pick)) => {
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
