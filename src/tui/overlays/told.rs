//! Something told of the episode: who wrote a value, a step, a write, what changed between two points, a schema. Rows that
//! name a place lead there.

use super::Overlay;
use super::pick::Copyable;
use super::within::{self, Within};
use crate::engine::explain::{Explanation, Place};
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::step::places;
use crate::tui::view::boxed;
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use crate::value::canonical;

/// What is shown.
#[derive(Debug, Clone)]
pub struct Told {
    /// What stands above it.
    pub title: String,
    /// What it says.
    pub body: Body,
    /// Where one is in it.
    pub cursor: Cursor,
    /// What is searched for in it, and which rows of it are shown.
    pub within: Within,
}

/// What it is made of.
#[derive(Debug, Clone)]
pub enum Body {
    /// Sentences, wrapped.
    Lines(Vec<Line>),
    /// A list, one row an entry, however many there are.
    List(Vec<Line>),
    /// A value.
    Value(Box<Outline>),
}

/// A line, and the places it names.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// What it says.
    pub row: Row,
    /// What it names, in order.
    pub places: Vec<Place>,
}

impl Line {
    /// A line that names nothing.
    pub fn plain(row: Row) -> Self {
        Self { row, places: Vec::new() }
    }
}

/// An explanation as lines; what it names stands out.
pub fn lines(explanation: &Explanation) -> Vec<Line> {
    let line = |spans: &Vec<crate::engine::explain::Span>| {
        let mut row = Row::new();
        for span in spans {
            row.push(if span.place.is_some() { Scope::Accent } else { Scope::Text }, &span.text);
        }
        Line { row: row.hanging(2), places: spans.iter().filter_map(|span| span.place.clone()).collect() }
    };
    explanation.lines.iter().map(line).collect()
}

/// Opens it.
pub fn open(model: &mut Model, title: impl Into<String>, body: Body) {
    // The first row that leads somewhere is selected.
    let width = usize::from(boxed(model.size).width.saturating_sub(4));
    let at = match &body {
        Body::Lines(lines) => {
            let before = lines.iter().take_while(|line| line.places.is_empty());
            let found = lines.iter().any(|line| !line.places.is_empty());
            if found { before.map(|line| line.row.wrap(width).len()).sum() } else { 0 }
        }
        Body::List(lines) => lines.iter().position(|line| !line.places.is_empty()).unwrap_or(0),
        Body::Value(_) => 0,
    };
    let cursor = Cursor { at, ..Cursor::default() };
    model.overlays.push(Overlay::Told(Told { title: title.into(), body, cursor, within: Within::default() }));
}

/// Opens a value with the cursor at a place of it.
pub fn value(model: &mut Model, title: impl Into<String>, mut outline: Outline, pointer: &str) {
    let width = usize::from(boxed(model.size).width.saturating_sub(4));
    let line = outline.reveal(pointer);
    let at = Wrapped::new(&outline, width).row_of(line);
    let cursor = Cursor { at, top: at.saturating_sub(3), left: 0 };
    let body = Body::Value(Box::new(outline));
    model.overlays.push(Overlay::Told(Told { title: title.into(), body, cursor, within: Within::default() }));
}

/// The rows it has at a width, ready to be drawn.
pub fn rows<'a>(told: &'a Told, width: usize) -> Box<dyn Rows + 'a> {
    match &told.body {
        Body::Lines(lines) => Box::new(lines.iter().flat_map(|line| line.row.wrap(width)).collect::<Vec<Row>>()),
        Body::List(lines) => Box::new(List(lines)),
        Body::Value(outline) => Box::new(Wrapped::new(outline, width)),
    }
}

struct List<'a>(&'a [Line]);

impl Rows for List<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row(&self, i: usize) -> Row {
        self.0.get(i).map(|line| line.row.clone()).unwrap_or_default()
    }
}

/// The places that the selected row names.
fn named(told: &Told, width: usize) -> Vec<Place> {
    match &told.body {
        Body::Lines(lines) => {
            let mut all = lines.iter().flat_map(|line| std::iter::repeat_n(line, line.row.wrap(width).len()));
            all.nth(told.cursor.at).map(|line| line.places.clone()).unwrap_or_default()
        }
        Body::List(lines) => lines.get(told.cursor.at).map(|line| line.places.clone()).unwrap_or_default(),
        Body::Value(_) => Vec::new(),
    }
}

/// What is shown, as text.
fn text(told: &Told) -> Copyable {
    match &told.body {
        Body::Lines(lines) | Body::List(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| line.row.text()).collect();
            Copyable::new(&told.title, lines.join("\n"))
        }
        Body::Value(outline) => Copyable::new(&told.title, canonical::pretty(outline.value(), false)),
    }
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(effects) = within::act(model, action) {
        return effects;
    }
    let width = usize::from(boxed(model.size).width.saturating_sub(4));
    let Some(Overlay::Told(told)) = model.overlays.last() else { return Vec::new() };
    let way = match action {
        Action::Up => Move::Up(1),
        Action::Down => Move::Down(1),
        Action::PageUp => Move::PageUp,
        Action::PageDown => Move::PageDown,
        Action::First => Move::First,
        Action::Last => Move::Last,
        Action::Left | Action::Right => {
            within::sideways(model, action == Action::Right);
            return Vec::new();
        }
        Action::Close => {
            model.overlays.pop();
            return Vec::new();
        }
        Action::Jump => {
            let named = named(told, width);
            places::one_of(model, named);
            return Vec::new();
        }
        Action::CopyText => {
            let Copyable { what, text, .. } = text(told);
            return vec![Effect::Copy { what, text }];
        }
        _ => return Vec::new(),
    };
    within::go_to(model, way);
    Vec::new()
}

/// How far a move of the wheel goes.
pub fn wheel(model: &mut Model, way: Move) {
    within::go_to(model, way);
}
