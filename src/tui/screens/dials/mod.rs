//! The Dials screen: every dial, its levels, and its state on the task at play.
//!
//! Turning one plans the same seed on another level. Within a dial the calls made are sent again as they are; on another
//! dial the episode starts anew. What would come of it is worked out as soon as a level is chosen, so that it is known
//! before the dial is turned. The episode turned away from is kept.

mod words;

pub use words::{about, dial_plan};

use crate::engine::{Ending, Engine};
use crate::episode::Episode;
use crate::plan::PlanError;
use crate::task::{Arm, Dial};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Running};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::Stack;
use crate::tui::screens::{plan, step};
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::work::{JobId, Report, TurnRequest, Turned};
use std::sync::Arc;

/// What turning to the chosen level would do.
#[derive(Debug, Clone, Default)]
enum Ahead {
    /// It is not known, or there is nothing to turn.
    #[default]
    None,
    /// Known.
    Known(Box<Turned>),
    /// It cannot be turned there: one line.
    Refused(String),
}

/// Where an episode stood when something was worked out from it.
#[derive(Debug, Clone)]
struct Stand {
    engine: Arc<Engine>,
    branch: usize,
    cursor: usize,
    ending: Ending,
}

impl Stand {
    fn of(episode: &Episode) -> Self {
        let (branch, cursor) = (episode.branch(), episode.cursor());
        Self { engine: episode.engine().clone(), branch, cursor, ending: episode.ending() }
    }

    fn holds(&self, episode: &Episode) -> bool {
        Arc::ptr_eq(&self.engine, episode.engine())
            && (self.branch, self.cursor, self.ending) == (episode.branch(), episode.cursor(), episode.ending())
    }
}

/// What the Dials screen knows.
#[derive(Debug, Clone, Default)]
pub struct DialsScreen {
    /// The level chosen last, by dial.
    level: [Option<u32>; Dial::ALL.len()],
    /// The task it was chosen for.
    seen: Option<(Arm, u64)>,
    /// What turning to the chosen level would do, and what that was worked out for.
    ahead: Ahead,
    of: Option<(Arm, Stand)>,
    /// The job that works it out.
    pub job: Option<Running>,
    /// Whether to turn as soon as it is known.
    then: bool,
    /// The last turn: from, to, and where the two differ.
    last: Option<(Arm, Arm, String)>,
}

/// The dial that is selected.
fn dial(model: &Model) -> Dial {
    Dial::ALL[model.cursor(Pane::Panel).at.min(Dial::ALL.len() - 1)]
}

/// The arm at play.
fn at_play(model: &Model) -> Option<Arm> {
    model.step.episode.as_ref().map(|episode| episode.task().arm)
}

/// The level chosen on a dial, when the set reaches one: the one at play, else the third.
fn chosen(model: &Model, dial: Dial) -> Option<u32> {
    let levels = plan::levels(model, dial);
    let on = at_play(model).filter(|arm| arm.dial == dial).map(|arm| arm.level);
    let wanted = model.dials.level[dial as usize].or(on).filter(|level| levels.contains(level));
    wanted.or_else(|| levels.get(levels.len().saturating_sub(1).min(2)).copied())
}

/// The arm chosen on the selected dial.
pub fn chosen_arm(model: &Model) -> Option<Arm> {
    let dial = dial(model);
    chosen(model, dial).map(|level| dial.at(level))
}

/// The level above or below another.
pub fn next_level(levels: &[u32], level: u32, up: bool) -> Option<u32> {
    let mut sorted = levels.to_vec();
    sorted.sort_unstable();
    if up { sorted.into_iter().find(|l| *l > level) } else { sorted.into_iter().rev().find(|l| *l < level) }
}

/// After the episode, the selection or a chosen level may have changed: what turning would do follows.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let task = (episode.task().arm, episode.task().seed);
    if model.dials.seen != Some(task) {
        model.dials.level[task.0.dial as usize] = Some(task.0.level);
        model.cursor_mut(Pane::Panel).at = task.0.dial as usize;
        model.dials.seen = Some(task);
    }
    match chosen_arm(model) {
        Some(arm) => look_ahead(model, arm),
        None => {
            forget(model);
            Vec::new()
        }
    }
}

fn forget(model: &mut Model) {
    if let Some(cancel) = model.dials.job.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    (model.dials.ahead, model.dials.of) = (Ahead::None, None);
}

/// Begins to work out what turning to an arm would do, unless that is known or on its way.
fn look_ahead(model: &mut Model, arm: Arm) -> Vec<Effect> {
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let (now, seed) = (episode.task().arm, episode.task().seed);
    if model.dials.of.as_ref().is_some_and(|(of, stand)| *of == arm && stand.holds(episode)) {
        return Vec::new();
    }
    let stand = Stand::of(episode);
    let from = (arm.dial == now.dial).then(|| Box::new(episode.clone()));
    let planner = plan::planner_of(model, episode.task());
    forget(model);
    if arm == now {
        return Vec::new();
    }
    let Some(planner) = planner else {
        let why = "the tool file changed since this task was planned: pick a task on the Plan screen";
        model.dials.ahead = Ahead::Refused(why.to_owned());
        model.dials.of = Some((arm, stand));
        return Vec::new();
    };
    let id = model.next_job();
    model.dials.of = Some((arm, stand));
    model.dials.job = Some(Running { id, progress: None, cancel: None });
    vec![Effect::Turn { id, request: TurnRequest { planner, arm, seed, from } }]
}

/// A report of the job that works out what turning would do.
pub fn looked_ahead(model: &mut Model, id: JobId, report: Report<Result<Box<Turned>, PlanError>>) -> Vec<Effect> {
    if model.dials.job.as_ref().is_none_or(|running| running.id != id) {
        return Vec::new();
    }
    model.dials.ahead = match report {
        Report::Progress(progress) => {
            if let Some(running) = &mut model.dials.job {
                running.progress = Some(progress);
            }
            return Vec::new();
        }
        Report::Done(Ok(turned)) => Ahead::Known(turned),
        Report::Done(Err(error)) => Ahead::Refused(error.0),
        Report::Failed(line) => Ahead::Refused(line),
    };
    model.dials.job = None;
    if model.dials.then { apply(model) } else { Vec::new() }
}

/// Turns to the chosen level: at once when it is known what comes of it, else as soon as it is.
fn turn(model: &mut Model, arm: Arm) -> Vec<Effect> {
    if at_play(model) == Some(arm) {
        model.say(Scope::Notice, format!("{arm} is the current level; left and right pick another"));
        return Vec::new();
    }
    model.dials.then = true;
    let effects = look_ahead(model, arm);
    if model.dials.job.is_some() { effects } else { apply(model) }
}

/// Puts what was worked out in the place of the episode at play, which is kept.
fn apply(model: &mut Model) -> Vec<Effect> {
    model.dials.then = false;
    let Some(episode) = &model.step.episode else { return Vec::new() };
    let now = episode.task().arm;
    // Steps may have been made while it was worked out: then it is worked out again.
    if let Some((arm, stand)) = &model.dials.of
        && !stand.holds(episode)
    {
        let arm = *arm;
        return turn(model, arm);
    }
    match std::mem::take(&mut model.dials.ahead) {
        Ahead::Known(turned) => {
            let (words, brief) = (turned.words(), turned.brief());
            let episode = turned.transfer.episode;
            let (arm, at) = (episode.task().arm, episode.calls().len());
            let screen = model.screen;
            step::open_episode(model, episode, at);
            model.screen = screen;
            model.dials.last = Some((now, arm, words));
            model.say(Scope::Notice, format!("{arm}, was {now}: {brief}"));
            model.dials.of = None;
            settle(model)
        }
        Ahead::Refused(why) => {
            model.say(Scope::Error, format!("! {why}"));
            model.dials.level[now.dial as usize] = Some(now.level);
            model.dials.of = None;
            Vec::new()
        }
        Ahead::None => Vec::new(),
    }
}

/// Turns the dial at play one level, from wherever it is asked.
pub fn turn_by_one(model: &mut Model, up: bool) -> Vec<Effect> {
    let Some(now) = at_play(model) else {
        model.say(Scope::Notice, "no task is open: pick one on the Plan screen");
        return Vec::new();
    };
    // While a turn is on its way the next one goes on from there.
    let from = match &model.dials.of {
        Some((arm, _)) if model.dials.then && arm.dial == now.dial => *arm,
        _ => now,
    };
    let Some(level) = next_level(&plan::levels(model, now.dial), from.level, up) else {
        let end = if up { "highest" } else { "lowest" };
        model.say(Scope::Notice, format!("{from} is the {end} level available"));
        return Vec::new();
    };
    let arm = now.dial.at(level);
    model.cursor_mut(Pane::Panel).at = now.dial as usize;
    model.dials.level[now.dial as usize] = Some(level);
    model.dials.seen = Some((now, model.step.episode.as_ref().map_or(0, |episode| episode.task().seed)));
    turn(model, arm)
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(episode) = &model.step.episode else {
        if pane == Pane::Panel {
            stack.add(Row::of(Scope::Dim, plan::nothing_at_play(model)).wrap(width));
        }
        return stack;
    };
    if pane == Pane::Panel {
        stack.add(Panel { model, episode, width });
    } else {
        stack.add(about_selected(model, episode, width));
    }
    stack
}

struct Panel<'a> {
    model: &'a Model,
    episode: &'a Episode,
    width: usize,
}

impl Rows for Panel<'_> {
    fn len(&self) -> usize {
        Dial::ALL.len()
    }

    fn row(&self, i: usize) -> Row {
        let Some(dial) = Dial::ALL.get(i).copied() else { return Row::new() };
        let levels = plan::levels(self.model, dial);
        if levels.is_empty() {
            return Row::of(Scope::Dim, "- ").cell(Scope::Dim, dial.word(), 11).dim("not available");
        }
        let on = Some(self.episode.task().arm).filter(|arm| arm.dial == dial).map(|arm| arm.level);
        let chosen = chosen(self.model, dial);
        let selected = self.model.cursor(Pane::Panel).at == i;
        let name = if on.is_some() { Scope::Strong } else { Scope::Text };
        let (scope, mark) = if on.is_some() { (Scope::Accent, "> ") } else { (Scope::Dim, "  ") };
        let mut row = Row::of(scope, mark).cell(name, dial.word(), 11);
        let cells: Vec<String> = levels.iter().map(u32::to_string).collect();
        let need: usize = cells.iter().map(|cell| cell.len() + 2).sum();
        let room = self.width.saturating_sub(13);
        let at = levels.iter().position(|level| Some(*level) == chosen).unwrap_or(0);
        // Too many levels for the place: those around the chosen one.
        let first = if need <= room { 0 } else { at.saturating_sub(1) };
        for (cell, level) in cells.iter().zip(&levels).skip(first) {
            row = match (on == Some(*level), selected && chosen == Some(*level)) {
                (true, _) => row.put(Scope::Accent, format!("[{cell}]")),
                (_, true) => row.put(Scope::Strong, format!("({cell})")),
                _ => row.dim(format!(" {cell} ")),
            };
        }
        let (scope, sign, words) = words::state(self.episode, dial);
        let state = format!("{sign} {words}");
        // The levels come first; how the dial stands is told beside them too.
        if row.width() + text::width(&state) < self.width { row.end(scope, state) } else { row }
    }
}

/// What there is to know of the selected dial.
fn about_selected(model: &Model, episode: &Episode, width: usize) -> Vec<Row> {
    let dial = dial(model);
    let mut rows: Vec<Row> = Row::of(Scope::Strong, format!("{}.", capital(about(dial)))).wrap(width);
    if let Err(why) = plan::reach(model, dial) {
        rows.push(Row::new());
        rows.extend(Row::of(Scope::Dim, "- not available: ").plain(why).hanging(2).wrap(width));
        return rows;
    }
    let task = episode.task();
    let on = task.arm.dial == dial;
    let heading = |rows: &mut Vec<Row>, text: String| {
        rows.push(Row::new());
        rows.push(Row::of(Scope::Dim, text));
    };
    if on {
        heading(&mut rows, format!("current level: {}", task.arm.level));
        for row in step::dial_state(episode, task) {
            rows.extend(row.hanging(2).wrap(width));
        }
    } else {
        heading(&mut rows, format!("on this task ({})", task.arm));
        let (scope, sign, words) = words::state(episode, dial);
        rows.extend(Row::of(scope, format!("{sign} {words}")).hanging(2).wrap(width));
    }
    let Some(arm) = chosen_arm(model) else { return rows };
    if arm != task.arm {
        heading(&mut rows, format!("at level {}", arm.level));
        rows.extend(ahead(model, arm, on, width));
    } else if let Some((from, to, words)) = &model.dials.last
        && *to == task.arm
    {
        heading(&mut rows, format!("turned from {from}"));
        rows.extend(Row::of(Scope::Text, words).wrap(width));
    }
    rows.push(Row::new());
    let key = |action| model.keymap.key(action).unwrap_or_default();
    let levels = format!("{} {} pick a level, {} sets it.", key(Action::Left), key(Action::Right), key(Action::Open));
    rows.extend(Row::of(Scope::Dim, levels).wrap(width));
    let beside = format!("{} shows two levels side by side.", key(Action::SideBySide));
    rows.extend(Row::of(Scope::Dim, beside).wrap(width));
    rows
}

/// What turning to the chosen level would do.
fn ahead(model: &Model, arm: Arm, within: bool, width: usize) -> Vec<Row> {
    let known = model.dials.of.as_ref().is_some_and(|(of, _)| *of == arm);
    let turned = match &model.dials.ahead {
        Ahead::Known(turned) if known => turned,
        Ahead::Refused(why) if known => {
            let why = Row::of(Scope::Error, "! ").plain(why).hanging(2);
            return why.wrap(width);
        }
        _ => return vec![Row::of(Scope::Dim, "planning")],
    };
    let mut rows = Vec::new();
    for row in dial_plan(turned.transfer.episode.task()) {
        rows.extend(row.hanging(2).wrap(width));
    }
    rows.push(Row::new());
    if within {
        rows.push(Row::of(Scope::Dim, "the same calls again"));
        let parts = turned.transfer.parts.is_some() || turned.transfer.stopped.is_some();
        let (scope, sign) = if parts { (Scope::DiffChanged, "~ ") } else { (Scope::Dim, "= ") };
        rows.extend(Row::of(scope, sign).plain(turned.words()).hanging(2).wrap(width));
    } else {
        let says = "This is another dial: its episode starts from the beginning. The current one is kept.";
        rows.extend(Row::of(Scope::Text, says).wrap(width));
    }
    rows
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    if pane == Pane::Panel { "dials".to_owned() } else { dial(model).word().to_owned() }
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.step.episode.is_none() {
        model.say(Scope::Notice, "pick a task on the Plan screen first");
        return Vec::new();
    }
    match action {
        Action::Left | Action::Right => {
            let dial = dial(model);
            let levels = plan::levels(model, dial);
            let next = chosen(model, dial).and_then(|level| next_level(&levels, level, action == Action::Right));
            if next.is_some() {
                model.dials.level[dial as usize] = next;
            }
            settle(model)
        }
        Action::Open => match chosen_arm(model) {
            Some(arm) => turn(model, arm),
            None => {
                model.say(Scope::Notice, format!("{} is not available with these tools", dial(model).word()));
                Vec::new()
            }
        },
        Action::TurnUp | Action::TurnDown => turn_by_one(model, action == Action::TurnUp),
        _ => Vec::new(),
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let mut copies = Vec::new();
    if let Some(arm) = chosen_arm(model) {
        let seed = model.step.episode.as_ref().map_or(0, |episode| episode.task().seed);
        copies.push(Copyable::new("arm and seed", format!("--arm {arm} --seed {seed}")));
    }
    if let Some((from, to, words)) = &model.dials.last {
        copies.push(Copyable::new("where the two differ", format!("{from} to {to}: {words}")));
    }
    copies
}
