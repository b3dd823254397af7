//! The tool file on disk: whether it is still what is open.

use super::Ask;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{FileState, Model};
use crate::tui::msg::Effect;
use crate::tui::update;
use crate::tui::widgets::row::Row;
use crate::work::{JobId, Opened};

/// The hashes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Of its bytes.
    pub file: String,
    /// Of its contract, when it has one.
    pub contract: Option<String>,
}

/// What a file on disk is beside the one that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    /// Its bytes are the same.
    Same,
    /// Its bytes moved, its contract did not.
    Bytes(Hashes),
    /// Its contract moved too.
    Contract(Hashes),
    /// It cannot be read, or not as a tool file: why.
    Bad(String),
}

/// The file was touched: it is looked at, or, where nothing is open, opened.
pub(super) fn touched(model: &mut Model) -> Vec<Effect> {
    if model.opening.is_some() {
        // What is being read is watched from before its reading on.
        return Vec::new();
    }
    let was = match &model.file {
        FileState::Nothing | FileState::Opening => return Vec::new(),
        _ if model.broken() => {
            model.say(Scope::Notice, "the file changed on disk: reading it again");
            return update::reopen(model);
        }
        FileState::Open(opened) => Hashes {
            file: opened.reading.file_hash.to_string(),
            contract: opened.reading.contract_hash().map(ToString::to_string),
        },
        FileState::Failed(_) => return Vec::new(),
    };
    let id = model.next_job();
    model.live.looking = Some(id);
    vec![Effect::Live(Ask::Inspect { id, request: Box::new(model.request.clone()), was })]
}

pub(super) fn inspected(model: &mut Model, id: JobId, disk: OnDisk) -> Vec<Effect> {
    if model.live.looking != Some(id) {
        return Vec::new();
    }
    model.live.looking = None;
    model.live.disk = (disk != OnDisk::Same).then_some(disk);
    Vec::new()
}

/// The file is read again: what was known of it on disk is past.
pub fn forget(model: &mut Model) {
    model.live.disk = None;
    model.live.looking = None;
}

/// The file was reloaded: whether it is still the one that was open.
pub fn reloaded(model: &mut Model, now: &Opened) {
    let FileState::Open(before) = &model.file else { return };
    let (was, is) = (&before.reading, &now.reading);
    if before.origin != now.origin || was.file_hash == is.file_hash || is.format.is_none() {
        return;
    }
    let moved = if is.contract_hash().is_some() && is.contract_hash() == was.contract_hash() {
        "the contract is the same"
    } else {
        "the contract changed"
    };
    let old = model.step.episode.as_ref().is_some_and(|e| *e.task().file_digest != *is.file_hash);
    let rest = if old { "; the current episode stays as it was" } else { "" };
    model.say(Scope::Notice, format!("reloaded: {moved}; its tasks differ now{rest}"));
}

/// The same in few words, before what else the header has to say.
pub fn short(model: &Model) -> Option<Row> {
    let (scope, says) = match model.live.disk.as_ref()? {
        OnDisk::Same => return None,
        OnDisk::Bytes(_) => (Scope::Warn, "! file changed, contract same"),
        OnDisk::Contract(_) => (Scope::Warn, "! file and contract changed"),
        OnDisk::Bad(_) => (Scope::Error, "! file cannot be opened"),
    };
    let key = model.keymap.key(Action::Reload).unwrap_or_default();
    Some(Row::of(scope, says).plain(" ").put(Scope::Key, key).plain("  "))
}

/// What the header says of the file on disk.
pub fn row(model: &Model) -> Option<Row> {
    let disk = model.live.disk.as_ref()?;
    let short = |hash: &str| crate::tui::screens::words::short_hash(hash).to_owned();
    let row = match disk {
        OnDisk::Same => return None,
        OnDisk::Bytes(hashes) => {
            Row::of(Scope::Warn, "! changed on disk: only the layout, file ").put(Scope::Strong, short(&hashes.file))
        }
        OnDisk::Contract(hashes) => {
            let row = Row::of(Scope::Warn, "! changed on disk: the contract changed");
            match &hashes.contract {
                Some(contract) => row.put(Scope::Warn, " to ").put(Scope::Strong, short(contract)),
                None => row.put(Scope::Warn, ", it has none now"),
            }
        }
        OnDisk::Bad(why) => return Some(Row::of(Scope::Error, "! the file on disk cannot be opened: ").plain(why)),
    };
    let key = model.keymap.key(Action::Reload).unwrap_or_default();
    Some(row.dim("  ").put(Scope::Key, key).dim(" reloads; the tasks will differ"))
}
