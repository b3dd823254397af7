//! The Plan screen: what every dial reaches on the set, the seeds, and the task planned on the selected two.

use super::dials::dial_plan;
use super::words;
use crate::plan::{NO_FLOWS, NO_READ, Planner};
use crate::task::{Arm, Dial, StepEffect, Task};
use crate::text;
use crate::theme::Scope;
use crate::toolfile::ONLY_FLAG;
use crate::tui::action::Action;
use crate::tui::model::{FileState, Model, Pane, Running, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::{line, pick};
use crate::tui::panes::Stack;
use crate::tui::screens::{step, tools};
use crate::tui::update;
use crate::tui::widgets::list::{Cursor, Rows};
use crate::tui::widgets::row::Row;
use crate::value::canonical;
use crate::work::{JobId, PlanRequest, Report, Sheet};
use std::sync::Arc;

/// The task of the selected arm and seed.
#[derive(Debug, Clone, Default)]
pub enum Planned {
    /// Not planned yet.
    #[default]
    None,
    /// Planned.
    Task(Arc<Task>),
    /// Refused: one line.
    Refused(String),
}

/// What the Plan screen knows.
#[derive(Debug, Clone, Default)]
pub struct PlanScreen {
    /// The seeds offered.
    pub seeds: Vec<u64>,
    /// Which of its levels is selected, by dial.
    level: [usize; Dial::ALL.len()],
    /// The task last planned.
    pub planned: Planned,
    /// The arm and seed it was planned for.
    pub of: Option<(Arm, u64)>,
    /// The screen that waits for the plan, to play it.
    pub then: Option<Screen>,
}

impl PlanScreen {
    /// With these seeds.
    pub fn new(seeds: Vec<u64>) -> Self {
        Self { seeds, ..Self::default() }
    }

    /// Puts a seed among those offered; gives its place.
    pub fn add_seed(&mut self, seed: u64) -> usize {
        if let Some(at) = self.seeds.iter().position(|s| *s == seed) {
            return at;
        }
        self.seeds.push(seed);
        self.seeds.len() - 1
    }
}

fn sheet(model: &Model) -> Option<&Arc<Sheet>> {
    match &model.file {
        FileState::Open(opened) => opened.sheet.as_ref().ok(),
        _ => None,
    }
}

/// The set to plan on.
pub fn planner(model: &Model) -> Option<Arc<Planner>> {
    sheet(model).map(|sheet| sheet.planner.clone())
}

/// The set a task was planned on, as long as the file's bytes are the same.
pub fn planner_of(model: &Model, task: &Task) -> Option<Arc<Planner>> {
    planner(model).filter(|planner| planner.reading().file_hash == task.file_digest)
}

/// The levels of a dial, or why the set reaches none.
pub fn reach(model: &Model, dial: Dial) -> Result<&[u32], &str> {
    sheet(model).map_or(Err("no task can be planned on these tools"), |sheet| sheet.levels(dial))
}

/// The levels of a dial; none when the set does not reach it.
pub fn levels(model: &Model, dial: Dial) -> Vec<u32> {
    reach(model, dial).map(<[u32]>::to_vec).unwrap_or_default()
}

/// The dial that is selected.
fn dial(model: &Model) -> Dial {
    Dial::ALL[model.cursor(Pane::Dials).at.min(Dial::ALL.len() - 1)]
}

/// The arm that is selected, when its dial reaches a level.
pub fn arm(model: &Model) -> Option<Arm> {
    let dial = dial(model);
    let levels = sheet(model)?.levels(dial).ok()?;
    let at = model.plan.level[dial as usize].min(levels.len().checked_sub(1)?);
    Some(dial.at(levels[at]))
}

/// Every arm the set reaches.
pub fn arms(model: &Model) -> Vec<Arm> {
    let Some(sheet) = sheet(model) else { return Vec::new() };
    let levels = |dial: Dial| sheet.levels(dial).unwrap_or_default().iter().map(move |level| dial.at(*level));
    Dial::ALL.into_iter().flat_map(levels).collect()
}

/// The seed that is selected.
pub fn seed(model: &Model) -> Option<u64> {
    model.plan.seeds.get(model.cursor(Pane::Seeds).at).copied()
}

/// Selects what tells most on a set just opened: of every dial the third level it reaches, and bad data, else faults.
pub fn preselect(model: &mut Model) {
    let Some(sheet) = sheet(model).cloned() else { return };
    for dial in Dial::ALL {
        let levels = sheet.levels(dial).map_or(0, <[u32]>::len);
        model.plan.level[dial as usize] = levels.saturating_sub(1).min(2);
    }
    let telling = [Dial::BadData, Dial::Faults].into_iter().find(|d| sheet.levels(*d).is_ok());
    let any = Dial::ALL.into_iter().find(|d| sheet.levels(*d).is_ok());
    if let Some(dial) = telling.or(any) {
        model.cursor_mut(Pane::Dials).at = dial as usize;
    }
}

/// Selects an arm; false when the set does not reach it.
pub fn select_arm(model: &mut Model, arm: Arm) -> bool {
    let Some(at) = sheet(model).and_then(|s| s.levels(arm.dial).ok()?.iter().position(|l| *l == arm.level)) else {
        return false;
    };
    model.plan.level[arm.dial as usize] = at;
    model.cursor_mut(Pane::Dials).at = arm.dial as usize;
    true
}

/// Selects a seed, adding it when it is not offered yet.
pub fn select_seed(model: &mut Model, seed: u64) {
    let at = model.plan.add_seed(seed);
    model.cursor_mut(Pane::Seeds).at = at;
}

/// After the selection may have moved: the task follows it.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let wanted = arm(model).zip(seed(model));
    if wanted == model.plan.of && !matches!(model.plan.planned, Planned::None) {
        return Vec::new();
    }
    let Some((planner, (arm, seed))) = sheet(model).map(|s| s.planner.clone()).zip(wanted) else {
        model.plan.planned = Planned::None;
        model.plan.of = None;
        model.planning = None;
        return Vec::new();
    };
    if model.plan.of == wanted && model.planning.is_some() {
        return Vec::new();
    }
    let mut effects = Vec::new();
    if let Some(cancel) = model.planning.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    let id = model.next_job();
    model.plan.of = wanted;
    model.planning = Some(Running { id, progress: None, cancel: None });
    effects.push(Effect::Plan { id, request: PlanRequest { planner, arm, seed } });
    effects
}

/// A report of a planning job.
pub fn planned(model: &mut Model, id: JobId, report: Report<Result<Arc<Task>, crate::plan::PlanError>>) -> Vec<Effect> {
    if model.planning.as_ref().is_none_or(|running| running.id != id) {
        return Vec::new();
    }
    model.plan.planned = match report {
        Report::Progress(progress) => {
            if let Some(running) = &mut model.planning {
                running.progress = Some(progress);
            }
            return Vec::new();
        }
        Report::Done(Ok(task)) => Planned::Task(task),
        Report::Done(Err(error)) => Planned::Refused(error.0),
        Report::Failed(line) => Planned::Refused(line),
    };
    model.planning = None;
    *model.cursor_mut(Pane::Task) = Cursor::default();
    model.plan.then.take().map_or_else(Vec::new, |screen| play(model, screen))
}

/// Says why no task is at play, and how one comes to be.
pub fn nothing_at_play(model: &Model) -> String {
    let key = |action| model.keymap.key(action).unwrap_or_default();
    let (plan, open) = (key(Action::ShowPlan), key(Action::Open));
    if sheet(model).is_some() && arms(model).is_empty() {
        return format!("No task can be planned on this file: press {plan} to see why.");
    }
    format!("No task is open. Press {plan} to pick one, then {open} to play it.")
}

/// Plays the selected task and goes to a screen, as soon as it is planned; says why when there is none.
pub fn play(model: &mut Model, screen: Screen) -> Vec<Effect> {
    let mut effects = settle(model);
    if model.planning.is_some() {
        model.plan.then = Some(screen);
        return effects;
    }
    match &model.plan.planned {
        Planned::Task(task) => {
            let task = task.clone();
            step::start(model, task);
            effects.extend(update::show(model, screen));
        }
        Planned::Refused(why) => {
            let why = why.clone();
            model.say(Scope::Error, format!("! {why}"));
        }
        Planned::None => {}
    }
    effects
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    match pane {
        Pane::Dials => stack.add(Dials { model, width }),
        Pane::Seeds => stack.add(Seeds { model }),
        _ => stack.add(task_pane(model, width)),
    }
    stack
}

/// The title of the task pane.
pub fn title(model: &Model) -> String {
    match model.plan.of {
        Some((arm, seed)) => format!("task {arm} seed {seed}"),
        None => "task".to_owned(),
    }
}

/// A planner's reason with the keys to press in the place of the flags to give.
pub fn advice(model: &Model, why: &str) -> String {
    let key = |action| model.keymap.key(action).unwrap_or_default();
    if why == NO_FLOWS {
        return format!("needs a flow: press {} on the Tools screen", key(Action::AddFlow));
    }
    if why == NO_READ {
        return format!(
            "needs a read that can be called: press {} on one on the Tools screen",
            key(Action::ToggleEffect)
        );
    }
    let Some((counts, _)) = why.split_once(ONLY_FLAG) else { return why.to_owned() };
    let (filter, found, mark) = (key(Action::Filter), key(Action::MarkFound), key(Action::Mark));
    let keep = key(Action::KeepMarked);
    format!(
        "{counts}: on the Tools screen {filter} filters, {found} marks the matches, {mark} marks one, {keep} keeps the marked"
    )
}

/// What every dial reaches, or why it reaches nothing: an overview of the tools.
pub fn offers(model: &Model, width: usize) -> Vec<Row> {
    let Some(sheet) = sheet(model) else { return vec![Row::of(Scope::Dim, "no task can be planned on these tools")] };
    let mut rows = Vec::new();
    for dial in Dial::ALL {
        let row = match sheet.levels(dial) {
            Ok(levels) => {
                let levels: Vec<String> = levels.iter().map(u32::to_string).collect();
                Row::of(Scope::Ok, "+ ").cell(Scope::Text, dial.word(), 11).plain(levels.join(" "))
            }
            Err(why) => Row::of(Scope::Dim, "- ").cell(Scope::Dim, dial.word(), 11).dim(advice(model, why)),
        };
        rows.extend(row.hanging(13).wrap(width));
    }
    rows.push(Row::new());
    let key = model.keymap.key(Action::ShowPlan).unwrap_or_default();
    let says = format!("Each dial makes one thing harder for an agent, level by level. Press {key} to plan tasks.");
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}

struct Dials<'a> {
    model: &'a Model,
    width: usize,
}

impl Rows for Dials<'_> {
    fn len(&self) -> usize {
        Dial::ALL.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(dial) = Dial::ALL.get(i) else { return Row::new() };
        let row = Row::new();
        match sheet(self.model).map(|s| s.levels(*dial)) {
            None => row.plain("  ").dim(dial.word()),
            Some(Err(_)) => row.put(Scope::Dim, "- ").dim(dial.word()).end(Scope::Dim, "not available"),
            Some(Ok(levels)) => {
                let chosen = self.model.plan.level[*dial as usize].min(levels.len().saturating_sub(1));
                // A task has one dial: only the selected row has a level.
                let selected = self.model.cursor(Pane::Dials).at == i;
                let mut row = row.plain("  ").cell(Scope::Text, dial.word(), 11);
                let cells: Vec<String> = levels.iter().map(u32::to_string).collect();
                let need: usize = cells.iter().map(|c| c.len() + 2).sum();
                // Too many levels for the place: those around the chosen one.
                let room = self.width.saturating_sub(13);
                let first = if need <= room || !selected { 0 } else { chosen.saturating_sub(1) };
                for (at, cell) in cells.iter().enumerate().skip(first) {
                    let on = selected && at == chosen;
                    let mark = if on { ["[", "]"] } else { [" ", " "] };
                    let scope = if on { Scope::Accent } else { Scope::Dim };
                    row = row.put(scope, format!("{}{cell}{}", mark[0], mark[1]));
                }
                row
            }
        }
    }
}

struct Seeds<'a> {
    model: &'a Model,
}

impl Rows for Seeds<'_> {
    fn len(&self) -> usize {
        self.model.plan.seeds.len()
    }

    fn row(&self, i: usize) -> Row {
        let seed = self.model.plan.seeds.get(i).copied().unwrap_or(0);
        let row = Row::new().plain("  ").plain(seed.to_string());
        match (&self.model.plan.planned, self.model.plan.of) {
            (Planned::Refused(_), Some((_, of))) if of == seed => row.end(Scope::Error, "! refused"),
            _ => row,
        }
    }
}

fn task_pane(model: &Model, width: usize) -> Vec<Row> {
    let FileState::Open(opened) = &model.file else { return Vec::new() };
    let Ok(sheet) = &opened.sheet else {
        let mut rows = Vec::new();
        for (scope, line) in tools::notes(model, opened) {
            rows.extend(Row::of(scope, line).hanging(2).wrap(width));
        }
        rows.push(Row::new());
        let says =
            format!("Its tools are still listed: press {}.", model.keymap.key(Action::ShowTools).unwrap_or_default());
        rows.extend(Row::of(Scope::Text, says).wrap(width));
        return rows;
    };
    let dial = dial(model);
    if let Err(why) = sheet.levels(dial) {
        let mut rows =
            vec![Row::of(Scope::Strong, format!("{}: not available with these tools", dial.word())), Row::new()];
        rows.extend(Row::of(Scope::Text, advice(model, why)).wrap(width));
        if matches!(dial, Dial::Depth | Dial::Shape) {
            let key = |action| model.keymap.key(action).unwrap_or_default();
            let (tools, add) = (key(Action::ShowTools), key(Action::AddFlow));
            let says = format!("A flow joins two tools: press {tools} for the Tools screen, then {add}.");
            rows.extend(Row::of(Scope::Dim, says).wrap(width));
        }
        return rows;
    }
    match &model.plan.planned {
        Planned::None => vec![Row::of(Scope::Dim, "planning")],
        Planned::Refused(why) => {
            let mut rows = vec![Row::of(Scope::Error, "! this seed makes no task"), Row::new()];
            rows.extend(Row::of(Scope::Text, why).wrap(width));
            rows.extend(Row::of(Scope::Dim, "Try another seed.").wrap(width));
            rows
        }
        Planned::Task(task) => task_rows(task, width),
    }
}

/// A whole task: system prompt and request, and what only the engine knows.
pub fn task_rows(task: &Task, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let heading = |rows: &mut Vec<Row>, text: &str| {
        if !rows.is_empty() {
            rows.push(Row::new());
        }
        rows.push(Row::of(Scope::Dim, text));
    };
    heading(&mut rows, "request");
    for line in text::safe_lines(&task.request) {
        rows.extend(Row::of(Scope::Text, line).wrap(width));
    }
    heading(&mut rows, &format!("stated ({})", task.stated.len()));
    for (name, value) in &task.stated {
        rows.push(words::pairs(Row::new().plain("  "), &[(name.clone(), value.clone())]));
    }
    heading(&mut rows, &format!("expected steps ({})", task.steps.len()));
    for (i, step) in task.steps.iter().enumerate() {
        let effect = if step.effect == StepEffect::Read { "read " } else { "write" };
        let row = Row::new().dim(format!("  {i} {effect} ")).plain(&*step.tool).plain(" ");
        let mut row = words::pairs(row, &step.matching);
        if !step.needs.is_empty() {
            let needs: Vec<String> = step.needs.iter().map(ToString::to_string).collect();
            row = row.dim(format!("  needs {}", needs.join(", ")));
        }
        if !step.serves.is_empty() {
            row = words::pairs(row.dim("  serves "), &step.serves);
        }
        rows.extend(row.hanging(10).wrap(width));
    }
    heading(&mut rows, "dial");
    for line in dial_plan(task) {
        rows.extend(Row::new().plain("  ").join(&line).hanging(4).wrap(width));
    }
    heading(&mut rows, &format!("reference solution ({})", task.reference_calls.len()));
    for (i, call) in task.reference_calls.iter().enumerate() {
        rows.extend(words::call(Row::new().dim(format!("  {} ", i + 1)), call).hanging(6).wrap(width));
    }
    heading(&mut rows, &format!("wrong answers ({})", task.wrong_answers.len()));
    for wrong in &task.wrong_answers {
        let row = Row::new().plain("  ").plain(wrong.name).dim(format!("  {}", text::count(wrong.calls.len(), "call")));
        rows.push(row.dim(if wrong.limit { ", at the limit" } else { "" }).dim(format!(": {}", wrong.label)));
    }
    heading(&mut rows, "system prompt");
    for line in text::safe_lines(&task.system_prompt) {
        rows.extend(Row::of(Scope::Text, line).wrap(width));
    }
    heading(&mut rows, &format!("tools shown ({})", task.block.len()));
    let names: Vec<&str> = task.block.iter().map(|t| &*t.name).collect();
    rows.extend(Row::new().plain("  ").plain(names.join(", ")).hanging(2).wrap(width));
    heading(&mut rows, "task id");
    rows.extend(Row::of(Scope::Text, &*task.task_id).wrap(width));
    rows
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::AddSeed => {
            line::ask(model, line::Purpose::Seed, "seed", String::new());
            Vec::new()
        }
        Action::Left | Action::Right if model.pane() == Pane::Dials => {
            turn(model, action == Action::Right);
            settle(model)
        }
        Action::Open => play(model, Screen::Step),
        _ => Vec::new(),
    }
}

/// The next or previous level of the selected dial.
fn turn(model: &mut Model, up: bool) {
    let dial = dial(model);
    let Some(count) = sheet(model).and_then(|s| s.levels(dial).ok()).map(<[u32]>::len) else { return };
    let at = &mut model.plan.level[dial as usize];
    let last = count.saturating_sub(1);
    *at = if up { (*at + 1).min(last) } else { (*at).min(last).saturating_sub(1) };
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<pick::Copyable> {
    let mut copies = Vec::new();
    if let Some((arm, seed)) = model.plan.of {
        copies.push(pick::Copyable::new("arm and seed", format!("--arm {arm} --seed {seed}")));
    }
    if let Planned::Task(task) = &model.plan.planned {
        copies.extend(task_copies(task));
    }
    copies
}

/// What can be copied of a task.
pub fn task_copies(task: &Task) -> Vec<pick::Copyable> {
    let calls: Vec<String> = task
        .reference_calls
        .iter()
        .map(|c| {
            format!("[{}, {}]", canonical::compact(&(&c.tool).into(), false), canonical::compact(&c.arguments, false))
        })
        .collect();
    vec![
        pick::Copyable::new("request", &*task.request),
        pick::Copyable::new("system prompt", &*task.system_prompt),
        pick::Copyable::new("task id", &*task.task_id),
        pick::Copyable::new("file hash", &*task.file_digest),
        pick::Copyable::new("reference solution as a call script", format!("[{}]", calls.join(",\n "))),
    ]
}
