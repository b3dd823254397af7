//! Opening another file from inside: one opened before, or one found by its name.

use super::Ask;
use super::choice::Choice;
use crate::plan::PlanSettings;
use crate::text;
use crate::theme::Scope;
use crate::toolfile::ReadOptions;
use crate::tui::model::{FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::update;
use crate::tui::widgets::list::Cursor;
use crate::work::Origin;
use std::path::PathBuf;

/// What is known of the files one may open.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// Those opened before, the latest first.
    recent: Vec<PathBuf>,
    /// The folder that is listed, as it was typed.
    typed: String,
    /// Where it is.
    folder: PathBuf,
    /// What is in it.
    entries: Vec<Entry>,
    /// What each row of the list stands for.
    rows: Vec<Target>,
}

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder.
    pub folder: bool,
    /// Its size.
    pub size: u64,
}

/// What a row stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    File(PathBuf),
    Folder(String),
}

/// A file with the settings that hold for it.
#[derive(Debug, Clone)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// How it is read.
    pub read: ReadOptions,
    /// What is declared beside it.
    pub plan: PlanSettings,
    /// Its seeds.
    pub seeds: Vec<u64>,
    /// The settings file in use.
    pub config: Option<PathBuf>,
    /// Warnings about its settings.
    pub warnings: Vec<String>,
}

/// Opens the list.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let pick = Pick::new("open a tool file", Purpose::Live(Choice::Open(Files::default())), Vec::new());
    model.overlays.push(Overlay::Pick(pick));
    vec![Effect::Live(Ask::Recent), Effect::Live(Ask::List(String::new()))]
}

/// The list, when it is open and on top.
fn list(model: &mut Model) -> Option<(&mut Pick, Files)> {
    match model.overlays.last_mut() {
        Some(Overlay::Pick(pick)) => match &pick.purpose {
            Purpose::Live(Choice::Open(files)) => {
                let files = files.clone();
                Some((pick, files))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Puts what is known into the list.
fn fill(pick: &mut Pick, mut files: Files) {
    let mut items = Vec::new();
    files.rows.clear();
    for path in &files.recent {
        items.push((path.display().to_string(), "opened before".to_owned()));
        files.rows.push(Target::File(path.clone()));
    }
    let hidden = pick.editor.text().rsplit('/').next().unwrap_or_default().starts_with('.');
    for entry in files.entries.iter().filter(|entry| hidden || !entry.name.starts_with('.')) {
        let name = format!("{}{}", files.typed, entry.name);
        if entry.folder {
            items.push((format!("{name}/"), "folder".to_owned()));
            files.rows.push(Target::Folder(format!("{name}/")));
        } else {
            items.push((name, text::bytes(entry.size)));
            files.rows.push(Target::File(files.folder.join(&entry.name)));
        }
    }
    pick.purpose = Purpose::Live(Choice::Open(files));
    pick.refill(items);
}

/// The files opened before.
pub(super) fn recent(model: &mut Model, recent: Vec<PathBuf>) {
    let now = model.request.origin.path().and_then(|path| std::path::absolute(path).ok());
    if let Some((pick, mut files)) = list(model) {
        files.recent = recent.into_iter().filter(|path| Some(path) != now.as_ref()).collect();
        fill(pick, files);
    }
}

/// What is in a folder.
pub(super) fn listed(model: &mut Model, typed: String, folder: PathBuf, entries: Vec<Entry>) {
    if let Some((pick, files)) = list(model)
        && folder_of(pick.editor.text()) == typed
    {
        fill(pick, Files { typed, folder, entries, ..files });
    }
}

/// The folder of a name as far as it is typed, with its slash.
fn folder_of(typed: &str) -> &str {
    typed.rfind('/').map_or("", |at| &typed[..=at])
}

/// What was typed changed: another folder is listed when it names one.
pub(super) fn typed(model: &mut Model) -> Vec<Effect> {
    let Some((pick, files)) = list(model) else { return Vec::new() };
    let folder = folder_of(pick.editor.text()).to_owned();
    if folder == files.typed {
        fill(pick, files);
        return Vec::new();
    }
    vec![Effect::Live(Ask::List(folder))]
}

pub(super) fn chosen(model: &mut Model, mut pick: Pick, chosen: usize) -> Vec<Effect> {
    let Purpose::Live(Choice::Open(files)) = &pick.purpose else { return Vec::new() };
    match files.rows.get(chosen).cloned() {
        Some(Target::File(path)) => vec![Effect::Live(Ask::Find(path))],
        Some(Target::Folder(name)) => {
            pick.editor.set(&*name);
            model.overlays.push(Overlay::Pick(pick));
            vec![Effect::Live(Ask::List(name))]
        }
        None => Vec::new(),
    }
}

/// A name that is not listed: opened as it was typed, so that the error says what is wrong.
pub(super) fn typed_name(model: &mut Model) -> Vec<Effect> {
    let Some((pick, files)) = list(model) else { return Vec::new() };
    let typed = pick.editor.text();
    let name = typed[folder_of(typed).len()..].to_owned();
    if name.is_empty() || files.typed != folder_of(typed) {
        return Vec::new();
    }
    // The picker stays until the file is found: a name typed wrong can be corrected.
    vec![Effect::Live(Ask::Find(files.folder.join(name)))]
}

/// A file was found with its settings: it is opened.
pub(super) fn found(model: &mut Model, result: Result<Box<Found>, String>) -> Vec<Effect> {
    let found = match result {
        Ok(found) => *found,
        Err(why) => {
            model.say(Scope::Error, format!("! {}", text::safe(&why)));
            return Vec::new();
        }
    };
    model.request.origin = Origin::File(found.path);
    model.request.read = found.read;
    model.request.plan = found.plan;
    model.live.config = found.config;
    model.plan.seeds = found.seeds;
    model.plan.of = None;
    model.tools.marked.clear();
    for screen in [Screen::Tools, Screen::Plan] {
        update::filter::clear(model, screen.panes());
    }
    model.needle.clear();
    model.straight = None;
    model.overlays.clear();
    model.file = FileState::Opening;
    for pane in [Pane::Tools, Pane::Tool, Pane::Schema, Pane::Dials, Pane::Seeds, Pane::Task] {
        *model.cursor_mut(pane) = Cursor::default();
    }
    model.focus[Screen::Tools as usize] = 0;
    model.screen = Screen::Tools;
    if let Some(warning) = found.warnings.into_iter().next() {
        model.say(Scope::Warn, format!("! {warning}"));
    }
    update::reopen(model)
}

/// A file was opened: it is one opened before from now on.
pub fn opened(model: &Model) -> Vec<Effect> {
    let usable = model.file.usable();
    let path = usable.and_then(|opened| opened.origin.path()).and_then(|path| std::path::absolute(path).ok());
    path.map(|path| Effect::Live(Ask::Remember(path))).into_iter().collect()
}
