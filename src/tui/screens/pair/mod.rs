//! Two episodes of one task side by side, call by call.
//!
//! What is shown is a value of two labeled sides ([`Aligned`]), whatever they came from: two recorded runs, or two
//! answers of servers. Owns where one stands in it; the pairing, the first divergence, the stores and the cause are worked
//! out by `align`.

mod half;
mod sides;

use super::asks;
use crate::align::{Ended, Played, Row as Paired, align, cause, first_divergence};
use crate::run::Browse;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::Stack;
use crate::tui::update;
use crate::tui::widgets::list::{Cursor, Move};
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::uhp::client::transcript::Transcript;
use crate::value::Str;
use crate::work::Spot;
use std::sync::Arc;

/// One of the two sides.
#[derive(Debug, Clone)]
pub struct Side {
    /// What it is: a run, a server.
    pub label: String,
    /// Its calls, each with its answer.
    pub calls: Vec<Played>,
    /// Why each call was made, where that is known.
    pub reasons: Vec<Str>,
    /// How it ended.
    pub ended: Ended,
    /// Its outcome, where there is one.
    pub outcome: Option<Str>,
    /// What stepping it opens.
    pub opens: Opens,
    /// That its line was changed after it was written, in a sentence.
    pub broken: Option<String>,
}

/// What stepping a side opens.
#[derive(Debug, Clone)]
pub enum Opens {
    /// Nothing.
    Nothing,
    /// The stepper, on a recorded episode.
    Recorded(Spot),
    /// The screen of a response.
    Response(Box<Transcript>),
}

impl Side {
    /// Of a recorded episode: the run, and the place of its record.
    pub fn recorded(run: &Arc<Browse>, index: usize, trace: &crate::run::Trace) -> Self {
        let spot = run.find(index).map(|(_, task, episode)| Spot { run: run.clone(), task, episode });
        Self {
            label: run.label().to_owned(),
            calls: trace.played(),
            reasons: trace.steps.iter().map(|s| s.reason.clone()).collect(),
            ended: trace.ended,
            outcome: Some(trace.label.clone()),
            opens: spot.map_or(Opens::Nothing, Opens::Recorded),
            broken: trace.broken_words(),
        }
    }
}

/// Two sides, paired.
#[derive(Debug, Clone)]
pub struct Aligned {
    /// What both are episodes of.
    pub task: String,
    sides: [Side; 2],
    rows: Vec<Paired>,
    first: Option<usize>,
    cause: Option<String>,
}

impl Aligned {
    /// Pairs two sides.
    pub fn new(task: impl Into<String>, a: Side, b: Side) -> Self {
        let rows = align(&a.calls, &b.calls);
        let cause = cause(&a.calls, &b.calls, &rows, (a.ended, b.ended));
        Self { task: task.into(), first: first_divergence(&rows), sides: [a, b], rows, cause }
    }

    /// Whether a row differs: a pair of calls, or after them the ending.
    fn differs(&self, row: usize) -> bool {
        let [a, b] = &self.sides;
        match self.rows.get(row) {
            Some(pair) => !pair.is_same(),
            None => row == self.rows.len() && (a.ended != b.ended || (self.is_alike() && a.outcome != b.outcome)),
        }
    }

    /// Whether both are responses, or both recorded: only then do their outcomes say the same kind of thing, and only of
    /// recorded calls is it known what they stored.
    fn is_alike(&self) -> bool {
        let [a, b] = self.sides.each_ref().map(|side| matches!(side.opens, Opens::Response(_)));
        a == b
    }

    /// Whether it is known what the calls of both stored.
    fn knows_stores(&self) -> bool {
        self.sides.iter().all(|side| !matches!(side.opens, Opens::Response(_)))
    }
}

/// What the screen knows.
#[derive(Debug, Clone, Default)]
pub struct PairScreen {
    shown: Option<Box<Aligned>>,
    from: Option<Screen>,
    /// The selected pair's values, ready to be shown.
    values: Option<(usize, [Option<sides::Values>; 2])>,
}

impl PairScreen {
    /// Two sides that the screens begin with.
    pub fn with(aligned: Box<Aligned>) -> Self {
        Self { shown: Some(aligned), ..Self::default() }
    }

    /// Where it was opened from; itself when the screens began with it.
    pub fn from(&self) -> Screen {
        self.from.unwrap_or(if self.shown.is_some() { Screen::Pair } else { Screen::Compare })
    }
}

/// What the screens begin with when two sides were named: the first call at which they part.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let Some(first) = model.pair.shown.as_ref().map(|aligned| aligned.first.unwrap_or(0)) else { return Vec::new() };
    update::move_in(model, Pane::Aligned, Move::To(first))
}

/// Opens two sides, at the first call at which they part.
pub fn open(model: &mut Model, aligned: Aligned) -> Vec<Effect> {
    let first = aligned.first.unwrap_or(0);
    let from = model.screen;
    model.pair = PairScreen { shown: Some(Box::new(aligned)), from: Some(from), values: None };
    update::filter::clear(model, Screen::Pair.panes());
    for pane in Screen::Pair.panes() {
        *model.cursor_mut(*pane) = Cursor::default();
    }
    model.focus[Screen::Pair as usize] = 0;
    let mut effects = update::show(model, Screen::Pair);
    effects.extend(update::move_in(model, Pane::Aligned, Move::To(first)));
    effects
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(aligned) = &model.pair.shown else {
        stack.add(Row::of(Scope::Dim, "choose two episodes to compare").wrap(width));
        return stack;
    };
    match pane {
        Pane::Aligned => {
            stack.add(sides::Calls { aligned, width });
            if let Some(cause) = &aligned.cause {
                stack.add(vec![Row::new()]);
                stack.add(Row::of(Scope::DiffChanged, "~ ").plain(format!("{cause}.")).hanging(2).wrap(width));
            }
        }
        _ => sides::rows(model, aligned, usize::from(pane == Pane::SideB), width, &mut stack),
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let Some(aligned) = &model.pair.shown else { return String::new() };
    let side = |i: usize| {
        let side = &aligned.sides[i];
        let outcome = side.outcome.as_ref().map_or_else(String::new, |o| format!(": {o}"));
        format!("{} {}{outcome}", ["A", "B"][i], side.label)
    };
    match pane {
        Pane::SideA => side(0),
        Pane::SideB => side(1),
        _ => {
            let parted = aligned.rows.iter().filter(|r| !r.is_same()).count();
            let pairs = text::count_of(aligned.rows.len(), "pair of calls", "pairs of calls");
            let differ = match parted {
                0 => "all the same".to_owned(),
                1 => "1 differs".to_owned(),
                n => format!("{} differ", text::group(n as u64)),
            };
            format!("{pairs}, {differ}")
        }
    }
}

/// What the header says: the task, and why the two parted.
pub fn facts(model: &Model) -> Option<Row> {
    let aligned = model.pair.shown.as_ref()?;
    let row = Row::of(Scope::Accent, &aligned.task).plain("  ");
    Some(match &aligned.cause {
        Some(cause) => row.put(Scope::DiffChanged, "~ ").plain(format!("{cause}.")),
        None => {
            row.put(Scope::Ok, "= ").plain("Both made the same calls, got the same answers and ended the same way.")
        }
    })
}

/// After the selection may have moved: both sides follow it.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let at = model.cursor(Pane::Aligned).at;
    let Some(aligned) = &model.pair.shown else { return Vec::new() };
    if model.pair.values.as_ref().is_some_and(|(row, _)| *row == at) {
        return Vec::new();
    }
    let values = sides::values(aligned, at);
    model.pair.values = Some((at, values));
    for pane in [Pane::SideA, Pane::SideB] {
        *model.cursor_mut(pane) = Cursor::default();
    }
    Vec::new()
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(aligned) = &model.pair.shown else { return Vec::new() };
    let at = model.cursor(Pane::Aligned).at;
    match action {
        Action::NextChange | Action::PreviousChange => {
            let next = action == Action::NextChange;
            let found = if next {
                (at + 1..=aligned.rows.len()).find(|i| aligned.differs(*i))
            } else {
                (0..at).rev().find(|i| aligned.differs(*i))
            };
            match found {
                Some(row) => return update::move_in(model, Pane::Aligned, Move::To(row)),
                None => model
                    .say(Scope::Notice, if next { "no differences after this" } else { "no differences before this" }),
            }
        }
        Action::Open => return step(model, usize::from(model.pane() == Pane::SideB), at),
        Action::StepOther => return step(model, 1, at),
        _ => {}
    }
    Vec::new()
}

/// Opens the stepper on a side at the selected pair.
fn step(model: &mut Model, side: usize, row: usize) -> Vec<Effect> {
    let Some(aligned) = &model.pair.shown else { return Vec::new() };
    // The last call of the side up to the row.
    let upto = &aligned.rows[..(row + 1).min(aligned.rows.len())];
    let call = upto.iter().rev().find_map(|r| if side == 0 { r.a } else { r.b });
    let ended = row >= aligned.rows.len();
    let own = &aligned.sides[side];
    match &own.opens {
        Opens::Recorded(spot) => {
            let spot = spot.clone();
            asks::step(model, spot, if ended { usize::MAX } else { call.map_or(0, |i| i + 1) })
        }
        Opens::Response(transcript) => {
            let (label, transcript) = (own.label.clone(), Transcript::clone(transcript));
            half::look(model, label, transcript, call.filter(|_| !ended))
        }
        Opens::Nothing => {
            model.say(Scope::Notice, "this side is not a recorded episode of a run, so it cannot be stepped");
            Vec::new()
        }
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(aligned) = &model.pair.shown else { return Vec::new() };
    let mut copies: Vec<Copyable> =
        aligned.cause.iter().map(|cause| Copyable::new("why they diverged", cause)).collect();
    if let Some(row) = aligned.rows.get(model.cursor(Pane::Aligned).at) {
        for (name, side, i) in [("A", 0, row.a), ("B", 1, row.b)] {
            if let Some(played) = i.and_then(|i| aligned.sides[side].calls.get(i)) {
                copies.push(Copyable::json(&format!("{name}'s arguments"), &played.call.arguments));
                copies.push(Copyable::new(&format!("{name}'s answer"), &*played.answer));
            }
        }
    }
    copies
}

/// A value as lines with nothing folded.
fn outline(text: &str) -> Option<Outline> {
    crate::value::Value::parse_json(text).ok().map(Outline::new)
}
