//! The Compare screen: two runs or cards, first in one sentence, then level by level, then what produced each.
//!
//! Owns the list of parts and which is selected. The verdict, the levels and the changed attempts are worked out below;
//! where two cannot be compared, their figures are never shown side by side.

mod parts;

use super::asks::{self, Purpose};
use super::pair::{self, Aligned, Side};
use crate::card::Changed;
use crate::run::{Both, EpisodePair};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::{self, Stack};
use crate::tui::update;
use crate::tui::widgets::diff::{Beside, Diff, Unified};
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::row::Row;
use crate::tui::widgets::scale;
use crate::work::Ask;
use std::path::PathBuf;
use std::sync::Arc;

/// What the Compare screen knows.
#[derive(Debug, Clone, Default)]
pub struct CompareScreen {
    paths: Option<[PathBuf; 2]>,
    both: Option<Arc<Both>>,
    /// Why they could not be opened.
    error: Option<String>,
    /// The pages of both cards, line by line, where they may be compared.
    cards: Diff,
    unified: bool,
    /// The changed attempt whose episodes were asked for.
    asked: Option<usize>,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// The verdict, with what produced each.
    Verdict,
    /// The levels of both.
    Levels,
    /// The pages of both cards.
    Cards,
    /// The page of one, where they may not be compared.
    Card(usize),
    /// How many outcomes changed.
    Outcomes,
    /// A changed attempt.
    Changed(usize),
}

impl CompareScreen {
    fn fixed(&self) -> &'static [Item] {
        match &self.both {
            Some(both) if both.comparison.verdict.is_ok() => {
                &[Item::Verdict, Item::Levels, Item::Cards, Item::Outcomes]
            }
            Some(_) => &[Item::Verdict, Item::Card(0), Item::Card(1)],
            None => &[],
        }
    }

    fn changed(&self) -> &[Changed] {
        self.both.as_ref().map(|b| b.comparison.changed.as_slice()).unwrap_or_default()
    }

    fn item(&self, i: usize) -> Option<Item> {
        let fixed = self.fixed();
        fixed.get(i).copied().or_else(|| {
            let n = i - fixed.len();
            (n < self.changed().len()).then_some(Item::Changed(n))
        })
    }
}

fn item(model: &Model) -> Option<Item> {
    model.compare.item(model.cursor(Pane::Pairs).at)
}

/// Opens two runs or cards.
pub fn open(model: &mut Model, paths: [PathBuf; 2]) -> Vec<Effect> {
    let mut effects = update::show(model, Screen::Compare);
    model.compare =
        CompareScreen { paths: Some(paths.clone()), unified: model.compare.unified, ..CompareScreen::default() };
    update::filter::clear(model, Screen::Compare.panes());
    for pane in Screen::Compare.panes() {
        *model.cursor_mut(*pane) = Cursor::default();
    }
    model.focus[Screen::Compare as usize] = 0;
    effects.extend(asks::begin(model, Purpose::Compare(paths.clone()), Ask::Compare(paths)));
    effects
}

/// They were opened.
pub fn opened(model: &mut Model, paths: [PathBuf; 2], both: Arc<Both>) -> Vec<Effect> {
    if model.compare.paths != Some(paths) {
        return Vec::new();
    }
    if both.comparison.verdict.is_ok() {
        let [a, b] = &both.pages;
        model.compare.cards = Diff::new(a.clone(), b.clone());
    }
    model.compare.both = Some(both);
    Vec::new()
}

/// They could not be.
pub fn failed(model: &mut Model, why: &str) {
    model.compare.both = None;
    model.compare.error = Some(why.to_owned());
}

/// The two episodes of a changed attempt were read.
pub fn paired(model: &mut Model, pair: Option<Box<EpisodePair>>) -> Vec<Effect> {
    let Some((both, at)) = model.compare.both.clone().zip(model.compare.asked.take()) else { return Vec::new() };
    let (Some(pair), Some(changed)) = (pair, both.comparison.changed.get(at)) else {
        model.say(Scope::Notice, "one side did not record its calls");
        return Vec::new();
    };
    let task = format!("{} seed {} attempt {}", changed.arm_id, changed.seed, changed.attempt);
    let a = Side::recorded(&both.a, changed.index_a, &pair.a);
    let b = Side::recorded(&both.b, changed.index_b, &pair.b);
    pair::open(model, Aligned::new(task, a, b))
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(both) = &model.compare.both else {
        if pane == Pane::Pairs {
            stack.add(match &model.compare.error {
                Some(why) => Row::of(Scope::Error, format!("! {why}")).wrap(width),
                None if model.compare.paths.is_none() => {
                    Row::of(Scope::Dim, "mark two runs in the list of runs").wrap(width)
                }
                None => vec![Row::of(Scope::Dim, "reading both")],
            });
        }
        return stack;
    };
    if pane == Pane::Pairs {
        stack.add(List { compare: &model.compare, both, width });
        return stack;
    }
    match item(model) {
        Some(Item::Verdict) | None => {
            stack.add(parts::opening(both, width));
            stack.add(parts::legend(both, width));
            if both.comparison.verdict.is_ok() {
                stack.add(parts::Levels { both, width });
            }
            stack.add(parts::sides(both, width));
            stack.add(parts::produced(both, width));
        }
        Some(Item::Levels) => stack.add(parts::Levels { both, width }),
        Some(Item::Cards) if model.compare.unified => stack.add(Unified(&model.compare.cards)),
        Some(Item::Cards) => stack.add(Beside(&model.compare.cards, width)),
        Some(Item::Card(i)) => stack.add(Lines(&both.pages[i])),
        Some(Item::Outcomes) => {
            stack.add(parts::outcomes(both, width));
            stack.add(parts::legend(both, width));
        }
        Some(Item::Changed(i)) => {
            stack.add(parts::changed(model, &both.comparison.changed[i], width));
            stack.add(parts::legend(both, width));
        }
    }
    stack
}

/// The lines of a page.
struct Lines<'a>(&'a [String]);

impl Rows for Lines<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row(&self, i: usize) -> Row {
        self.0.get(i).map_or_else(Row::new, |line| Row::of(Scope::Text, line))
    }
}

struct List<'a> {
    compare: &'a CompareScreen,
    both: &'a Both,
    width: usize,
}

impl Rows for List<'_> {
    fn len(&self) -> usize {
        self.compare.fixed().len() + self.compare.changed().len()
    }

    fn row(&self, i: usize) -> Row {
        let comparison = &self.both.comparison;
        match self.compare.item(i) {
            Some(Item::Verdict) => {
                let differ = comparison.verdict.changed().len();
                let row = if comparison.verdict.is_ok() {
                    Row::of(Scope::Ok, "+ ").plain("result").end(Scope::Dim, "comparable")
                } else {
                    Row::of(Scope::Error, "! ").plain("result").end(Scope::Error, "not comparable")
                };
                if differ > 0 && comparison.verdict.is_ok() {
                    row.end(Scope::DiffChanged, format!(", ~{differ}"))
                } else {
                    row
                }
            }
            Some(Item::Levels) => {
                let worse = comparison.levels.iter().filter(|l| l.is_worse()).count();
                let better = comparison.levels.iter().filter(|l| l.is_better()).count();
                let row = Row::of(Scope::Text, "  ").plain("levels");
                let (up, down) = (format!("+ {better} better"), format!("- {worse} worse"));
                match (better, worse) {
                    (0, 0) => row.end(Scope::Dim, text::count(comparison.levels.len(), "level")),
                    (_, 0) => row.end(Scope::DiffAdded, up),
                    (0, _) => row.end(Scope::DiffRemoved, down),
                    _ => row.end(Scope::DiffAdded, up).end(Scope::DiffRemoved, format!("  {down}")),
                }
            }
            Some(Item::Cards) => {
                let n = self.compare.cards.changes();
                let row = Row::of(Scope::Text, "  ").plain("cards");
                row.end(if n > 0 { Scope::DiffChanged } else { Scope::Dim }, format!("~ {}", text::count(n, "change")))
            }
            Some(Item::Card(i)) => Row::of(Scope::Text, "  ").plain(format!("card of {}", ["A", "B"][i])),
            Some(Item::Outcomes) => {
                let row = Row::of(Scope::Text, "  ").plain("changed outcomes");
                row.end(Scope::Dim, text::group(comparison.changed.len() as u64))
            }
            Some(Item::Changed(n)) => changed_row(&comparison.changed[n], self.width),
            None => Row::new(),
        }
    }
}

fn changed_row(changed: &Changed, width: usize) -> Row {
    let ((scope_a, sign_a, _), (scope_b, sign_b, _)) = (scale::outcome(&changed.a), scale::outcome(&changed.b));
    let attempt = if width < 30 || changed.attempt == 0 { String::new() } else { format!(".{}", changed.attempt) };
    Row::of(Scope::Text, "    ")
        .put(scope_a, sign_a.to_string())
        .put(parts::flipped(changed), ">")
        .put(scope_b, sign_b.to_string())
        .plain(format!("  {}", changed.arm_id))
        .dim(format!("  {}{attempt}", changed.seed))
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    if pane == Pane::Pairs {
        return "comparison".to_owned();
    }
    match item(model) {
        Some(Item::Levels) => "pass rate per level, difference B - A".to_owned(),
        Some(Item::Cards) => "both cards, line by line".to_owned(),
        Some(Item::Card(i)) => format!("card of {}", ["A", "B"][i]),
        Some(Item::Outcomes) => "outcomes".to_owned(),
        Some(Item::Changed(_)) => "changed attempt".to_owned(),
        Some(Item::Verdict) => "result".to_owned(),
        None => String::new(),
    }
}

/// What the header says: the comparison in one sentence.
pub fn facts(model: &Model) -> Option<Row> {
    let comparison = &model.compare.both.as_ref()?.comparison;
    let row = if comparison.verdict.is_ok() { Row::new() } else { Row::of(Scope::Error, "! ") };
    Some(row.plain(comparison.headline()))
}

/// After the selection may have moved: the part beside it begins at its top.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    *model.cursor_mut(Pane::Beside) = Cursor::default();
    Vec::new()
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(both) = model.compare.both.clone() else { return Vec::new() };
    match action {
        Action::Open => match item(model) {
            Some(Item::Changed(i)) => {
                if !(both.a.has_calls() && both.b.has_calls()) {
                    model.say(Scope::Notice, "one side did not record its calls");
                    return Vec::new();
                }
                model.compare.asked = Some(i);
                return asks::begin(model, Purpose::Pair, Ask::Pair(both, i));
            }
            _ => model.focus[Screen::Compare as usize] = 1,
        },
        Action::NextChange | Action::PreviousChange => return change(model, action == Action::NextChange),
        Action::Unified => {
            model.compare.unified = !model.compare.unified;
            *model.cursor_mut(Pane::Beside) = Cursor::default();
        }
        _ => {}
    }
    Vec::new()
}

/// Goes to the next or previous thing that differs: in the cards a stretch of lines, otherwise a changed attempt.
fn change(model: &mut Model, next: bool) -> Vec<Effect> {
    let at = model.cursor(Pane::Beside).at;
    if item(model) == Some(Item::Cards) {
        let unified = model.compare.unified;
        let cards = &model.compare.cards;
        let found = cards.change(at, unified, next);
        let found = if at == 0 && next && found.is_none() { cards.first(unified) } else { found };
        return match found {
            Some(row) => update::move_in(model, Pane::Beside, Move::To(row)),
            None => {
                model.say(Scope::Notice, if next { "no more changes below" } else { "no more changes above" });
                Vec::new()
            }
        };
    }
    if item(model) == Some(Item::Verdict) && model.pane() == Pane::Beside {
        let (width, _) = panes::size(model, Pane::Beside);
        let rows = rows(model, Pane::Beside, width);
        let marked = |i: &usize| rows.row(*i).text().starts_with('~');
        let found = if next { (at + 1..rows.len()).find(marked) } else { (0..at).rev().find(marked) };
        drop(rows);
        if let Some(row) = found {
            return update::move_in(model, Pane::Beside, Move::To(row));
        }
    }
    let fixed = model.compare.fixed().len();
    let here = model.cursor(Pane::Pairs).at;
    let last = fixed + model.compare.changed().len();
    let to = if next { (here + 1).max(fixed) } else { here.saturating_sub(1) };
    if to >= last || to < fixed {
        model
            .say(Scope::Notice, if next { "no more changed outcomes below" } else { "no more changed outcomes above" });
        return Vec::new();
    }
    update::move_in(model, Pane::Pairs, Move::To(to))
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(both) = &model.compare.both else { return Vec::new() };
    let verdict = &both.comparison.verdict;
    vec![
        Copyable::new("the result", both.comparison.headline()),
        Copyable::json("verdict and what produced each as JSON", &verdict.to_value()),
        Copyable::new("card of A as text", both.pages[0].join("\n")),
        Copyable::new("card of B as text", both.pages[1].join("\n")),
    ]
}
