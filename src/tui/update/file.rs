//! The tool file: opened, read again, and the way straight into the stepper.

use super::keep_all;
use crate::theme::Scope;
use crate::tui::live;
use crate::tui::model::{FileState, Model, Running, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::{plan, tools};
use crate::work::{JobId, OpenError, Opened, Report, Source};
use std::sync::Arc;

/// Opens the file, or reads it again as the request says now.
pub(super) fn open(model: &mut Model, source: Option<Arc<Source>>) -> Vec<Effect> {
    if let Some(cancel) = model.opening.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    let id = model.next_job();
    model.opening = Some(Running { id, progress: None, cancel: None });
    if source.is_none() {
        live::watch::forget(model);
    }
    vec![Effect::Open { id, request: Box::new(model.request.clone()), source }]
}

/// Reloads the file, its bytes read again.
pub fn reopen(model: &mut Model) -> Vec<Effect> {
    open(model, None)
}

/// Opens another file, which the request names now.
pub fn open_other(model: &mut Model) -> Vec<Effect> {
    model.file = FileState::Opening;
    open(model, None)
}

/// Reads the file again after what is declared beside it changed.
pub fn reread(model: &mut Model) -> Vec<Effect> {
    let source = match &model.file {
        FileState::Open(opened) => Some(opened.source.clone()),
        _ => None,
    };
    open(model, source)
}

pub(super) fn opened(model: &mut Model, id: JobId, report: Report<Result<Opened, OpenError>>) -> Vec<Effect> {
    if model.opening.as_ref().is_none_or(|running| running.id != id) {
        return Vec::new();
    }
    let result = match report {
        Report::Progress(progress) => {
            if let Some(running) = &mut model.opening {
                running.progress = Some(progress);
            }
            return Vec::new();
        }
        Report::Done(result) => result.map_err(|e| e.to_string()),
        Report::Failed(line) => Err(line),
    };
    model.opening = None;
    match result {
        Ok(opened) => {
            // What was declared by hand and is refused is taken back; what was there before stays.
            if let (Err(why), None, FileState::Open(before)) = (&opened.sheet, &opened.reading.error, &model.file) {
                let declared = opened.plan != before.plan && before.sheet.is_ok();
                if declared {
                    let why = why.clone();
                    model.request.plan = before.plan.clone();
                    model.request.read = before.read.clone();
                    model.say(Scope::Error, format!("! {why}"));
                    return Vec::new();
                }
            }
            let before = tools::selected_name(model);
            live::watch::reloaded(model, &opened);
            let first = !matches!(model.file, FileState::Open(_));
            model.file = FileState::Open(Box::new(opened));
            if first {
                plan::preselect(model);
            }
            tools::refresh(model, before);
            model.plan.of = None;
        }
        Err(line) => model.file = FileState::Failed(line),
    }
    keep_all(model);
    let mut effects = live::session::opened(model);
    effects.extend(live::open::opened(model));
    effects.extend(plan::settle(model));
    effects.extend(straight(model));
    effects
}

/// On the way straight into the stepper: selects the wanted arm, tries the seeds in turn.
pub(super) fn straight(model: &mut Model) -> Vec<Effect> {
    let Some((arm, mut seeds)) = model.straight.take() else { return Vec::new() };
    if matches!(model.file, FileState::Opening) {
        model.straight = Some((arm, seeds));
        return Vec::new();
    }
    if model.planning.is_some() && model.plan.then.is_some() {
        model.straight = Some((arm, seeds));
        return Vec::new();
    }
    if model.screen == Screen::Step {
        return Vec::new();
    }
    if !plan::select_arm(model, arm) {
        model.screen = Screen::Plan;
        model.say(Scope::Error, format!("! this file does not offer {arm}"));
        return plan::settle(model);
    }
    let Some(seed) = seeds.pop_front() else {
        model.screen = Screen::Plan;
        return Vec::new();
    };
    plan::select_seed(model, seed);
    model.plan.then = Some(Screen::Step);
    model.straight = Some((arm, seeds));
    plan::settle(model)
}
