//! The person's editor: it gets a value as a file, which is read back.

use super::Ask;
use super::choice::{Choice, preview};
use crate::task::Call;
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{FileState, Model, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::overlays::{Overlay, form};
use crate::tui::screens::{self, step, tools};
use crate::value::{Map, Value, canonical};
use std::path::{Path, PathBuf};

/// A text for the editor, and where it goes when it comes back.
#[derive(Debug, Clone)]
pub struct Text {
    /// What it is.
    what: String,
    /// What it says.
    body: String,
    /// Where it goes.
    back: Back,
}

/// Where a text goes when it comes back.
#[derive(Debug, Clone, PartialEq)]
pub enum Back {
    /// Into the form that is open.
    Form,
    /// Into a form of its call.
    Call(Call),
    /// Nowhere: it is only read.
    Nowhere,
}

/// So much text is taken back.
const MOST_BYTES: usize = 1 << 20;

/// Opens the form's arguments, or a list of what can be edited on the screen.
pub fn ask(model: &mut Model) -> Vec<Effect> {
    if let Some(Overlay::Form(form)) = model.overlays.last() {
        let text = Text { what: "the arguments".to_owned(), body: form.as_text(), back: Back::Form };
        return begin(model, text);
    }
    if model.overlays.is_empty()
        && let Some((path, line)) = refused_place(model)
    {
        let command = model.live.editor.clone().map_or_else(|| "vi".to_owned(), |(command, _)| command);
        return vec![Effect::Live(Ask::EditFile { command, path, line })];
    }
    let mut texts = Vec::new();
    if let Some(call) = step::selected_call(model).filter(|_| model.screen == Screen::Step) {
        let value: Value = Map::from([("tool", Value::from(&call.tool)), ("arguments", call.arguments.clone())]).into();
        let json = canonical::pretty(&value, false);
        let body = text::safe_json(&json).into_owned();
        texts.push(Text { what: "this call, to make it again with changes".to_owned(), body, back: Back::Call(call) });
    }
    let copies = screens::copies(model);
    texts.extend(copies.into_iter().map(|c| Text { what: c.what, body: c.text, back: Back::Nowhere }));
    if texts.is_empty() {
        model.say(Scope::Notice, "nothing to edit here yet");
        return Vec::new();
    }
    let items = texts.iter().map(|text| (text.what.clone(), preview(&text.body))).collect();
    let pick = Pick::new("open in the editor", Purpose::Live(Choice::Edit(texts)), items);
    model.overlays.push(Overlay::Pick(pick));
    Vec::new()
}

/// The file and line of the refused tool that is selected.
fn refused_place(model: &Model) -> Option<(PathBuf, usize)> {
    let (Screen::Tools, FileState::Open(opened)) = (model.screen, &model.file) else { return None };
    let tools::Item::Refused(i) = tools::selected(model) else { return None };
    let (line, _) = opened.places.get(i).copied().flatten()?;
    Some((opened.origin.path()?.to_owned(), line))
}

/// A command and a file argument that open a file at a line, for the editors whose way of asking for it is
/// known; any other opens it at its top.
pub fn at_line(command: &str, path: &Path, line: usize) -> (String, PathBuf) {
    let name = command.split_whitespace().next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let with_line = || PathBuf::from(format!("{}:{line}", path.display()));
    match name {
        "code" | "code-insiders" | "codium" | "cursor" => (format!("{command} -g"), with_line()),
        "hx" | "helix" | "zed" | "subl" => (command.to_owned(), with_line()),
        "vi" | "vim" | "nvim" | "view" | "nano" | "pico" | "emacs" | "emacsclient" | "micro" | "kak" | "joe" | "mg"
        | "ne" | "jed" | "gvim" => (format!("{command} +{line}"), path.to_owned()),
        _ => (command.to_owned(), path.to_owned()),
    }
}

/// Hands a text to the editor.
pub(super) fn begin(model: &mut Model, text: Text) -> Vec<Effect> {
    let usual = || ("vi".to_owned(), "the default; set editor in settings.yaml".to_owned());
    let (command, from) = model.live.editor.clone().unwrap_or_else(usual);
    model.live.editing = Some((text.back, text.body.clone()));
    vec![Effect::Live(Ask::Edit { command, from, text: text.body })]
}

/// The editor is done: its text is taken where it came from.
pub(super) fn edited(model: &mut Model, result: Result<String, String>) {
    let Some((back, before)) = model.live.editing.take() else { return };
    let now = match result {
        Ok(now) if now.len() <= MOST_BYTES => now,
        Ok(_) => {
            model.say(Scope::Error, "! the edited text is too long; nothing changed");
            return;
        }
        Err(why) => {
            model.say(Scope::Error, format!("! nothing changed: {}", text::safe(&why)));
            return;
        }
    };
    // Editors end their files with a line end.
    let now = now.strip_suffix('\n').unwrap_or(&now);
    if now == before.strip_suffix('\n').unwrap_or(&before) {
        model.say(Scope::Notice, "nothing changed");
        return;
    }
    match back {
        Back::Nowhere => model.say(Scope::Notice, "opened read-only; your changes were discarded"),
        Back::Form => {
            if let Some(Overlay::Form(form)) = model.overlays.last_mut() {
                form.take_text(now);
            }
        }
        Back::Call(call) => {
            let parsed = Value::parse_json(now).ok();
            let parts = parsed.as_ref().and_then(|v| Some((v.get("tool")?.as_str()?, v.get("arguments")?)));
            match parts {
                Some((tool, arguments)) => {
                    form::edit(model, &Call { tool: tool.into(), arguments: arguments.clone() });
                }
                // What was written stays to be put right.
                None => {
                    form::edit(model, &call);
                    if let Some(Overlay::Form(form)) = model.overlays.last_mut() {
                        form.take_text(now);
                    }
                    model.say(Scope::Warn, "! the edited text is not a call: write an object with tool and arguments");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_open_a_file_at_a_line_in_their_own_way() {
        let at = |command| {
            let (command, file) = at_line(command, Path::new("a b.json"), 7);
            format!("{command} | {}", file.display())
        };
        assert_eq!(at("vi"), "vi +7 | a b.json");
        assert_eq!(at("/usr/bin/nvim -p"), "/usr/bin/nvim -p +7 | a b.json");
        assert_eq!(at("code --wait"), "code --wait -g | a b.json:7");
        assert_eq!(at("hx"), "hx | a b.json:7");
        assert_eq!(at("my-editor"), "my-editor | a b.json");
    }
}
