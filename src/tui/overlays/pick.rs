//! A picker: a list that typing narrows.

use super::rank::{Sought, rank};
use super::{Overlay, flow, form, suggest};
use crate::engine::explain::Place;
use crate::task::Arm;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::live::choice::{self, Choice, Goal};
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::remote::choose::{self, Choices};
use crate::tui::screens::step::Whole;
use crate::tui::screens::{self, hub, sides, step};
use crate::tui::update;
use crate::tui::view::boxed;
use crate::tui::widgets::editor::Editor;
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::row::Row;
use crate::value::{Str, Value, canonical};

/// Something to copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Copyable {
    /// What it is.
    pub what: String,
    /// The text, safe; of one that is made later its beginning.
    pub text: String,
    /// What is made when it is chosen: it may be as long as the episode.
    later: Option<Whole>,
}

impl Copyable {
    /// A text; its hidden characters become symbols, its lines stay.
    pub fn new(what: &str, text: impl AsRef<str>) -> Self {
        let lines = text::safe_lines(text.as_ref());
        Self { what: what.to_owned(), text: lines.join("\n"), later: None }
    }

    /// The episode so far, made when it is chosen; its beginning.
    pub fn whole(what: &str, whole: Whole, text: String) -> Self {
        Self { what: what.to_owned(), text, later: Some(whole) }
    }

    /// A value as JSON; hidden characters become escapes, so it stays the same value.
    pub fn json(what: &str, value: &Value) -> Self {
        let json = canonical::pretty(value, false);
        Self { what: what.to_owned(), text: text::safe_json(&json).into_owned(), later: None }
    }
}

/// What a picker is for.
#[derive(Debug, Clone)]
pub enum Purpose {
    /// Something to copy.
    Copy(Vec<Copyable>),
    /// The field a flow begins at: tool and path.
    FlowFrom(Vec<(String, String)>),
    /// The argument a flow ends at, and the field it begins at.
    FlowTo((String, String), Vec<(String, String)>),
    /// The tool of a call.
    Tool(Vec<Str>),
    /// A value for an argument.
    Fill(Vec<Value>),
    /// Something that a server has.
    Remote(Choices),
    /// The arm of the marked side.
    SideArm(Vec<Arm>),
    /// Who makes the calls on both sides.
    Player(Vec<sides::Who>),
    /// A branch or a kept episode.
    Branch(Vec<step::Line>),
    /// What running stops at: choosing one leaves the list open.
    Stops(Vec<step::StopAt>),
    /// Flows and effects that names suggest: choosing accepts all that were not left out.
    Suggest(Vec<suggest::Suggestion>),
    /// What a held call is answered instead.
    HoldAnswer,
    /// A wrong answer of the task, by index.
    Wrong,
    /// A place of the episode to go to.
    Go(Vec<Place>),
    /// The palette, and pickers of files, saving and the editor.
    Live(Choice),
}

/// What can be chosen although no row lists it.
enum Unlisted {
    /// A call of a tool of this name.
    Call(String),
    /// A task on this seed.
    Seed(u64),
}

/// The list.
#[derive(Debug, Clone)]
pub struct Pick {
    /// What stands above it.
    pub title: String,
    /// What for.
    pub purpose: Purpose,
    /// What each row says, and what stands at its right edge.
    items: Vec<(String, String)>,
    /// Other names of each row, separated by commas; of none when there are none.
    also: Vec<String>,
    /// What was typed.
    pub editor: Editor,
    /// The items that match, the best first.
    shown: Vec<usize>,
    /// Where one is in them.
    pub cursor: Cursor,
}

impl Pick {
    /// A list of everything.
    pub fn new(title: impl Into<String>, purpose: Purpose, items: Vec<(String, String)>) -> Self {
        let shown = (0..items.len()).collect();
        let (title, editor, cursor) = (title.into(), Editor::line(""), Cursor::default());
        Self { title, purpose, items, also: Vec::new(), editor, shown, cursor }
    }

    /// With other names that each row is found by.
    #[must_use]
    pub fn also(self, also: Vec<String>) -> Self {
        Self { also, ..self }
    }

    /// Replaces what the rows say.
    pub fn relabel(&mut self, items: Vec<(String, String)>) {
        if items.len() == self.items.len() {
            self.items = items;
        }
    }

    /// How many there are in all.
    pub fn total(&self) -> usize {
        self.items.len()
    }

    /// Replaces the rows; those that match what was typed are shown.
    pub fn refill(&mut self, items: Vec<(String, String)>) {
        self.items = items;
        self.narrow();
    }

    /// Types text.
    pub fn insert(&mut self, new: &str) {
        if self.editor.insert(new) {
            self.narrow();
        }
    }

    /// Keeps what matches what was typed, the best match first.
    fn narrow(&mut self) {
        self.cursor = Cursor::default();
        if self.editor.text().trim().is_empty() {
            self.shown = (0..self.items.len()).collect();
            return;
        }
        let also = self.also.iter().map(String::as_str).chain(std::iter::repeat(""));
        let rows = self.items.iter().zip(also).map(|((label, tail), also)| Sought { label, tail, also });
        self.shown = rank(self.editor.text(), rows);
    }

    /// How many match what was typed.
    pub fn found(&self) -> usize {
        self.shown.len()
    }

    /// What is typed and can be chosen although no row lists it: a tool that does not exist can be called too, and any
    /// number is a seed.
    fn unlisted(&self) -> Option<Unlisted> {
        let typed = self.editor.text().trim();
        match &self.purpose {
            Purpose::Tool(names) if !typed.is_empty() && !names.iter().any(|known| **known == *typed) => {
                Some(Unlisted::Call(typed.to_owned()))
            }
            Purpose::Live(Choice::Palette(goals)) => {
                let seed = typed.strip_prefix("seed").unwrap_or(typed).trim().parse().ok()?;
                let plans = goals.iter().any(|goal| matches!(goal, Goal::Arm(_)));
                (plans && !goals.contains(&Goal::Seed(seed))).then_some(Unlisted::Seed(seed))
            }
            _ => None,
        }
    }

    /// The item that is selected.
    pub fn chosen(&self) -> Option<usize> {
        self.shown.get(self.cursor.at).copied()
    }
}

impl Rows for Pick {
    fn len(&self) -> usize {
        self.shown.len() + usize::from(self.unlisted().is_some())
    }

    fn row(&self, i: usize) -> Row {
        match self.unlisted().filter(|_| i == self.shown.len()) {
            Some(Unlisted::Call(name)) => {
                let says = format!("{name}  (not a tool of this task)");
                return Row::of(Scope::Text, says).end(Scope::Warn, "! call it anyway");
            }
            Some(Unlisted::Seed(seed)) => {
                return Row::of(Scope::Text, format!("plan on seed {seed}")).end(Scope::Dim, "another seed");
            }
            None => {}
        }
        let Some((text, tail)) = self.shown.get(i).and_then(|i| self.items.get(*i)) else { return Row::new() };
        Row::of(Scope::Text, text).end(Scope::Dim, tail)
    }
}

/// Opens the list of what can be copied here.
pub fn copy(model: &mut Model) {
    let mut copies = screens::copies(model);
    if let Some(row) = update::selected_row(model) {
        copies.push(Copyable::new("the selected row", row.trim()));
    }
    if copies.is_empty() {
        model.say(Scope::Notice, "nothing to copy here yet");
        return;
    }
    let items = copies.iter().map(|c| (c.what.clone(), preview(&c.text))).collect();
    model.overlays.push(Overlay::Pick(Pick::new("copy", Purpose::Copy(copies), items)));
}

/// The beginning of a text, in one line.
fn preview(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short = text::cut(line, 32);
    if line.len() < text.len() && !short.ends_with('…') { format!("{short}…") } else { short.into_owned() }
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let height = usize::from(boxed(model.size).height.saturating_sub(4));
    let Some(Overlay::Pick(pick)) = model.overlays.last_mut() else { return Vec::new() };
    let len = pick.len();
    match action {
        Action::ChooseUp => pick.cursor.go(Move::Up(1), len, height),
        Action::ChooseDown => pick.cursor.go(Move::Down(1), len, height),
        Action::ChoosePageUp => pick.cursor.go(Move::PageUp, len, height),
        Action::ChoosePageDown => pick.cursor.go(Move::PageDown, len, height),
        Action::Cancel => {
            model.overlays.pop();
        }
        Action::Complete => {
            if let Some((text, _)) = pick.chosen().and_then(|i| pick.items.get(i)) {
                let text = text.clone();
                pick.editor.set(text);
                pick.narrow();
                return choice::typed(model);
            }
        }
        Action::Accept => {
            if let Some(unlisted) = pick.unlisted().filter(|_| pick.cursor.at == pick.shown.len()) {
                model.overlays.pop();
                return match unlisted {
                    Unlisted::Call(name) => {
                        form::open_unlisted(model, &name);
                        Vec::new()
                    }
                    Unlisted::Seed(seed) => choice::go(model, &Goal::Seed(seed)),
                };
            }
            let Some(chosen) = pick.chosen() else { return choice::nothing(model) };
            if let Purpose::Stops(all) = &pick.purpose {
                if let Some(stop) = all.get(chosen).cloned() {
                    step::toggle(model, &stop);
                }
                return Vec::new();
            }
            let Some(Overlay::Pick(pick)) = model.overlays.pop() else { return Vec::new() };
            return accept(model, pick, chosen);
        }
        _ => {
            if let Some(edit) = update::edit_of(action)
                && pick.editor.edit(edit)
            {
                pick.narrow();
                return choice::typed(model);
            }
        }
    }
    Vec::new()
}

fn accept(model: &mut Model, pick: Pick, chosen: usize) -> Vec<Effect> {
    match pick.purpose {
        Purpose::Live(_) => choice::chosen(model, pick, chosen),
        Purpose::Copy(mut copies) => {
            if chosen >= copies.len() {
                return Vec::new();
            }
            let Copyable { what, text, later } = copies.swap_remove(chosen);
            let text = later.map_or(text, |whole| step::whole(model, whole));
            vec![Effect::Copy { what, text }]
        }
        Purpose::FlowFrom(mut fields) => {
            if chosen < fields.len() {
                flow::from_chosen(model, fields.swap_remove(chosen));
            }
            Vec::new()
        }
        Purpose::FlowTo(from, mut params) => {
            if chosen < params.len() {
                flow::to_chosen(model, from, params.swap_remove(chosen))
            } else {
                Vec::new()
            }
        }
        Purpose::Tool(mut names) => {
            if chosen < names.len() {
                form::open(model, names.swap_remove(chosen));
            }
            Vec::new()
        }
        Purpose::SideArm(arms) => arms.get(chosen).map_or_else(Vec::new, |arm| sides::set_arm(model, *arm)),
        Purpose::Player(mut whos) => {
            if chosen < whos.len() {
                sides::set_who(model, whos.swap_remove(chosen))
            } else {
                Vec::new()
            }
        }
        Purpose::Fill(mut values) => {
            if chosen < values.len() {
                form::filled(model, values.swap_remove(chosen));
            }
            Vec::new()
        }
        Purpose::Remote(choices) => choose::take(model, choices, chosen),
        Purpose::Branch(lines) => {
            if let Some(line) = lines.get(chosen) {
                step::return_to(model, *line);
            }
            Vec::new()
        }
        Purpose::HoldAnswer => hub::chosen(model, chosen),
        Purpose::Wrong => {
            step::wrong_answer(model, chosen);
            Vec::new()
        }
        Purpose::Go(places) => {
            if let Some(place) = places.get(chosen) {
                step::places::jump(model, place);
            }
            Vec::new()
        }
        // Choosing leaves the picker open.
        Purpose::Stops(_) => Vec::new(),
        Purpose::Suggest(all) => suggest::accept(model, all),
    }
}
