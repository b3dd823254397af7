//! A folder that was opened: a picker of its tool files and runs, and of the built-in example.

use super::Ask;
use super::choice::Choice;
use crate::text;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::screens::card;
use std::path::PathBuf;

/// Something in a folder that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// A tool file.
    File(PathBuf),
    /// A run or a card.
    Run(PathBuf),
}

/// Opens the picker.
pub fn begin(model: &mut Model, held: Vec<Held>) {
    let mut items: Vec<(String, String)> = held
        .iter()
        .map(|held| {
            let (path, what) = match held {
                Held::File(path) => (path, "tool file"),
                Held::Run(path) => (path, "run"),
            };
            (text::safe(&path.display().to_string()).into_owned(), what.to_owned())
        })
        .collect();
    items.push(("the built-in example".to_owned(), "tool file".to_owned()));
    let pick = Pick::new("open", Purpose::Live(Choice::Held(held)), items);
    model.overlays.push(Overlay::Pick(pick));
}

/// Opens what was chosen; the example is open already.
pub(super) fn chosen(model: &mut Model, held: &[Held], chosen: usize) -> Vec<Effect> {
    match held.get(chosen) {
        Some(Held::File(path)) => vec![Effect::Live(Ask::Find(path.clone()))],
        Some(Held::Run(path)) => card::open(model, path.clone()),
        None => Vec::new(),
    }
}
