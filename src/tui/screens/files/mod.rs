//! The Files screen: two tool files, by what their tools became and where in the schemas.
//!
//! Owns the list of what differs and which of it is selected; both sides of it stand beside the list, line by line.

use super::asks::{self, Purpose};
use crate::text;
use crate::theme::Scope;
use crate::toolfile::{Difference, Reading, Tool};
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::panes::Stack;
use crate::tui::screens::words::short_hash;
use crate::tui::update;
use crate::tui::widgets::diff::{Beside, Diff, Unified};
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::row::Row;
use crate::value::{Value, canonical, pointer};
use crate::work::{Ask, OpenRequest, Origin, TwoFiles};
use std::path::PathBuf;
use std::sync::Arc;

/// What the Files screen knows.
#[derive(Debug, Clone, Default)]
pub struct FilesScreen {
    files: Option<Arc<TwoFiles>>,
    error: Option<String>,
    items: Vec<Item>,
    unified: bool,
    /// Both sides of the selected item.
    shown: Option<(Item, Diff)>,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// Bytes and contracts.
    Whole,
    /// A tool that only the right file has.
    Added(usize),
    /// A tool that only the left file has.
    Removed(usize),
    /// A tool that the right file has refused.
    NowRefused(usize),
    /// A tool that the left file had refused.
    NowUsable(usize),
    /// A tool of both that changed.
    Tool(usize),
    /// A place in it.
    Place(usize, usize),
    /// A place of the files as they are written.
    Written(usize),
}

/// Sets another file beside the one that is open or being opened.
pub fn open(model: &mut Model, other: OpenRequest) -> Vec<Effect> {
    let mut effects = update::show(model, Screen::Files);
    let requests = Box::new([model.request.clone(), other]);
    model.files = FilesScreen { unified: model.files.unified, ..FilesScreen::default() };
    update::filter::clear(model, Screen::Files.panes());
    for pane in Screen::Files.panes() {
        *model.cursor_mut(*pane) = Cursor::default();
    }
    model.focus[Screen::Files as usize] = 0;
    effects.extend(asks::begin(model, Purpose::Files, Ask::Files(requests)));
    effects
}

/// Sets a file that a person named beside the one that is open; it is read as that one is.
pub fn beside(model: &mut Model, path: &str) -> Vec<Effect> {
    let path = path.trim();
    if path.is_empty() {
        return Vec::new();
    }
    let other = OpenRequest { origin: Origin::File(PathBuf::from(path)), ..model.request.clone() };
    open(model, other)
}

/// Both were read.
pub fn opened(model: &mut Model, files: Arc<TwoFiles>) {
    let (tools, comparison) = (&files.tools, &files.comparison);
    let mut items = vec![Item::Whole];
    items.extend((0..tools.added.len()).map(Item::Added));
    items.extend((0..tools.removed.len()).map(Item::Removed));
    items.extend((0..tools.now_refused.len()).map(Item::NowRefused));
    items.extend((0..tools.now_usable.len()).map(Item::NowUsable));
    for (i, tool) in tools.changed.iter().enumerate() {
        items.push(Item::Tool(i));
        items.extend((0..tool.differences.len()).map(|n| Item::Place(i, n)));
    }
    items.extend((0..comparison.differences.len()).map(Item::Written));
    model.files.items = items;
    model.files.files = Some(files);
    model.files.error = None;
    settle(model);
}

/// They could not be.
pub fn failed(model: &mut Model, why: &str) {
    model.files.files = None;
    model.files.items.clear();
    model.files.error = Some(why.to_owned());
}

fn item(model: &Model) -> Option<Item> {
    model.files.items.get(model.cursor(Pane::Changed).at).copied()
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let Some(files) = &model.files.files else {
        if pane == Pane::Changed {
            stack.add(match &model.files.error {
                Some(why) => Row::of(Scope::Error, format!("! {why}")).wrap(width),
                None => vec![Row::of(Scope::Dim, "reading both files")],
            });
        }
        return stack;
    };
    if pane == Pane::Changed {
        stack.add(List { files, items: &model.files.items, width });
        return stack;
    }
    match (&model.files.shown, item(model)) {
        (_, Some(Item::Whole) | None) => stack.add(whole(files, width)),
        (Some((_, diff)), _) if model.files.unified => stack.add(Unified(diff)),
        (Some((_, diff)), _) => stack.add(Beside(diff, width)),
        (None, _) => {}
    }
    stack
}

struct List<'a> {
    files: &'a TwoFiles,
    items: &'a [Item],
    width: usize,
}

impl Rows for List<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    /// A tool is found by its places, and a place by its tool: they are shown together.
    fn sought(&self, i: usize) -> String {
        let tools = &self.files.tools;
        let said = self.row(i).text();
        match self.items.get(i) {
            Some(Item::Tool(i)) => {
                tools.changed[*i].differences.iter().fold(said, |all, place| format!("{all}\n{}", place.at))
            }
            Some(Item::Place(i, n)) => {
                let tool = &tools.changed[*i];
                format!("{said}\n{}\n{}", tool.name, tool.differences[*n].at)
            }
            Some(Item::Written(n)) => format!("{said}\n{}", self.files.comparison.differences[*n].at),
            _ => said,
        }
    }

    fn row(&self, i: usize) -> Row {
        let (tools, comparison) = (&self.files.tools, &self.files.comparison);
        match self.items.get(i) {
            Some(Item::Whole) => {
                let (scope, says) = match (comparison.same_bytes, comparison.same_contract) {
                    (true, _) => (Scope::Ok, "= same bytes"),
                    (false, Some(true)) => (Scope::Warn, "~ same contract, different bytes"),
                    (false, Some(false)) => (Scope::DiffChanged, "~ contracts differ"),
                    (false, None) => (Scope::Warn, "~ different bytes, no contract hash"),
                };
                Row::of(scope, says)
            }
            Some(Item::Added(i)) => Row::of(Scope::DiffAdded, "+ ").plain(&*tools.added[*i]).end(Scope::Dim, "added"),
            Some(Item::Removed(i)) => {
                Row::of(Scope::DiffRemoved, "- ").plain(&*tools.removed[*i]).end(Scope::Dim, "removed")
            }
            Some(Item::NowRefused(i)) => {
                Row::of(Scope::Error, "! ").plain(&*tools.now_refused[*i].name).end(Scope::Dim, "now refused")
            }
            Some(Item::NowUsable(i)) => {
                Row::of(Scope::DiffAdded, "+ ").plain(&*tools.now_usable[*i].name).end(Scope::Dim, "now usable")
            }
            Some(Item::Tool(i)) => {
                let tool = &tools.changed[*i];
                let n = usize::try_from(tool.more).unwrap_or(usize::MAX).saturating_add(tool.differences.len());
                let row = Row::of(Scope::DiffChanged, "~ ").put(Scope::Strong, &*tool.name);
                row.end(Scope::Dim, text::count(n, "place"))
            }
            Some(Item::Place(i, n)) => place("    ", &tools.changed[*i].differences[*n], self.width.saturating_sub(6)),
            Some(Item::Written(n)) => {
                let room = self.width.saturating_sub(4 + " as written".len());
                place("  ", &comparison.differences[*n], room).end(Scope::Dim, "as written")
            }
            None => Row::new(),
        }
    }
}

fn place(indent: &str, difference: &Difference, room: usize) -> Row {
    let scope = match difference.sign() {
        '+' => Scope::DiffAdded,
        '-' => Scope::DiffRemoved,
        _ => Scope::DiffChanged,
    };
    // The end of a pointer says most.
    let at = text::safe(pointer::name(&difference.at));
    Row::of(scope, format!("{indent}{} ", difference.sign())).plain(text::cut_middle(&at, room))
}

/// Bytes, contracts, what became of the tools.
fn whole(files: &TwoFiles, width: usize) -> Vec<Row> {
    let (comparison, tools) = (&files.comparison, &files.tools);
    let mut rows = Row::of(Scope::Strong, comparison.sentence()).wrap(width);
    rows.push(Row::new());
    for (name, side) in [("A", 0), ("B", 1)] {
        let source = &files.sources[side];
        rows.extend(Row::of(Scope::Accent, format!("{name}  ")).plain(&files.names[side]).hanging(3).wrap(width));
        let contract = match source.contract() {
            Some(Ok(hash)) => short_hash(hash).to_owned(),
            _ => "refused".to_owned(),
        };
        let row =
            Row::new().gap(3).dim("file ").plain(short_hash(source.file_hash())).dim("  contract ").plain(contract);
        rows.push(row.dim(format!("  {}", text::count(files.readings[side].tools.len(), "usable tool"))));
        if let Some(error) = &files.readings[side].error {
            rows.extend(Row::new().gap(3).put(Scope::Error, format!("! {}", error.message)).hanging(5).wrap(width));
        }
    }
    rows.push(Row::new());
    rows.extend(Row::of(Scope::Text, format!("Tools: {}.", tools.sentence())).wrap(width));
    if comparison.same_contract == Some(true) && !comparison.same_bytes {
        let says = "Tasks are drawn from the bytes, so runs on the two files have different tasks.";
        rows.extend(Row::of(Scope::Dim, says).wrap(width));
    }
    if comparison.more > 0 {
        let more = usize::try_from(comparison.more).unwrap_or(usize::MAX);
        rows.extend(Row::of(Scope::Dim, format!("{} more are not listed.", text::count(more, "place"))).wrap(width));
    }
    rows
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    if pane == Pane::Changed {
        return "differences".to_owned();
    }
    let Some(files) = &model.files.files else { return String::new() };
    let tools = &files.tools;
    match item(model) {
        Some(Item::Added(i)) => format!("{}: only in B", tools.added[i]),
        Some(Item::Removed(i)) => format!("{}: only in A", tools.removed[i]),
        Some(Item::NowRefused(i)) => format!("{}: refused in B", tools.now_refused[i].name),
        Some(Item::NowUsable(i)) => format!("{}: refused in A", tools.now_usable[i].name),
        Some(Item::Tool(i)) => format!("{}: A and B", tools.changed[i].name),
        Some(Item::Place(i, n)) => {
            let change = &tools.changed[i];
            format!("{} {}", change.name, pointer::name(&change.differences[n].at))
        }
        Some(Item::Written(n)) => pointer::name(&files.comparison.differences[n].at).to_owned(),
        Some(Item::Whole) | None => "two files".to_owned(),
    }
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let files = model.files.files.as_ref()?;
    Some(Row::of(Scope::Text, files.comparison.sentence()).dim(format!("; {}", files.tools.sentence())))
}

/// After the selection may have moved: both sides follow it.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    let (Some(item), Some(files)) = (item(model), model.files.files.clone()) else { return Vec::new() };
    if model.files.shown.as_ref().is_some_and(|(shown, _)| *shown == item) {
        return Vec::new();
    }
    let [left, right] = sides(&files, item);
    model.files.shown = Some((item, Diff::new(left, right)));
    *model.cursor_mut(Pane::Change) = Cursor::default();
    Vec::new()
}

/// Both sides of an item as lines.
fn sides(files: &TwoFiles, item: Item) -> [Vec<String>; 2] {
    let tools = &files.tools;
    let tool = |side: usize, name: &str| found(&files.readings[side], name).map(lines_of).unwrap_or_default();
    let reason = |why: &str| vec![format!("refused: {why}")];
    match item {
        Item::Whole => [Vec::new(), Vec::new()],
        Item::Added(i) => [Vec::new(), tool(1, &tools.added[i])],
        Item::Removed(i) => [tool(0, &tools.removed[i]), Vec::new()],
        Item::NowRefused(i) => [tool(0, &tools.now_refused[i].name), reason(&tools.now_refused[i].reason)],
        Item::NowUsable(i) => [reason(&tools.now_usable[i].reason), tool(1, &tools.now_usable[i].name)],
        Item::Tool(i) => [tool(0, &tools.changed[i].name), tool(1, &tools.changed[i].name)],
        Item::Place(i, n) => both_sides(&tools.changed[i].differences[n]),
        Item::Written(n) => both_sides(&files.comparison.differences[n]),
    }
}

fn both_sides(difference: &Difference) -> [Vec<String>; 2] {
    [&difference.left, &difference.right].map(|side| side.as_ref().map(pretty).unwrap_or_default())
}

fn found<'a>(reading: &'a Reading, name: &str) -> Option<&'a Tool> {
    reading.tools.iter().find(|t| &*t.name == name).map(|t| &**t)
}

/// A value as indented JSON, line by line. What unfolds to too much was cut off where the difference was found.
fn pretty(value: &Value) -> Vec<String> {
    canonical::pretty(value, false).lines().map(str::to_owned).collect()
}

/// A tool as lines.
fn lines_of(tool: &Tool) -> Vec<String> {
    let mut lines = vec![format!("effect: {}", tool.effect.word())];
    if let Some(title) = &tool.title {
        lines.push(format!("title: {title}"));
    }
    lines.extend(tool.description.lines().map(str::to_owned));
    for (name, schema) in [("arguments", Some(&tool.input_schema)), ("answer", tool.output_schema.as_ref())] {
        let Some(schema) = schema else { continue };
        lines.push(String::new());
        lines.push(format!("{name}:"));
        lines.extend(pretty(schema));
    }
    lines
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Open => model.focus[Screen::Files as usize] = 1,
        Action::Unified => {
            model.files.unified = !model.files.unified;
            *model.cursor_mut(Pane::Change) = Cursor::default();
        }
        Action::NextChange | Action::PreviousChange => return change(model, action == Action::NextChange),
        _ => {}
    }
    Vec::new()
}

/// In the list the next item; beside it the next stretch of lines that differs.
fn change(model: &mut Model, next: bool) -> Vec<Effect> {
    if model.pane() == Pane::Changed {
        let way = if next { Move::Down(1) } else { Move::Up(1) };
        return update::move_in(model, Pane::Changed, way);
    }
    let at = model.cursor(Pane::Change).at;
    let unified = model.files.unified;
    let found = model.files.shown.as_ref().and_then(|(_, diff)| diff.change(at, unified, next));
    match found {
        Some(row) => update::move_in(model, Pane::Change, Move::To(row)),
        None => {
            model.say(Scope::Notice, if next { "no change after this" } else { "no change before this" });
            Vec::new()
        }
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(files) = &model.files.files else { return Vec::new() };
    let mut copies = vec![Copyable::new("summary", files.comparison.sentence())];
    let lines: Vec<String> = files.comparison.differences.iter().map(Difference::line).collect();
    if !lines.is_empty() {
        copies.push(Copyable::new("every place that differs", lines.join("\n")));
    }
    let difference = match item(model) {
        Some(Item::Place(i, n)) => files.tools.changed.get(i).and_then(|t| t.differences.get(n)),
        Some(Item::Written(n)) => files.comparison.differences.get(n),
        _ => None,
    };
    if let Some(difference) = difference {
        copies.push(Copyable::new("pointer", &difference.at));
        copies.extend(difference.left.as_ref().map(|v| Copyable::json("A's side", v)));
        copies.extend(difference.right.as_ref().map(|v| Copyable::json("B's side", v)));
    }
    copies
}
