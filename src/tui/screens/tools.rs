//! The Tools screen: the file, its tools and refused tools, flows, and what each is.

use super::tool_detail::detail;
pub use super::tool_detail::{argument_rows, notes};
use super::words::short_hash;
use crate::plan::Flow;
use crate::schema::RefusalKind;
use crate::text;
use crate::theme::Scope;
use crate::toolfile::{Effect as Does, Reading, Tool};
use crate::tui::action::Action;
use crate::tui::live;
use crate::tui::model::{FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::{flow, line, pick, suggest, tour};
use crate::tui::panes::{self, Stack};
use crate::tui::screens::{plan, refused};
use crate::tui::update;
use crate::tui::widgets::list::{Cursor, Rows};
use crate::tui::widgets::outline::Outline;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use crate::value::{Str, Value};
use crate::work::Opened;
use std::collections::BTreeSet;

/// What a row of the list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// The file itself.
    File,
    /// A usable tool.
    Tool(usize),
    /// A reason why tools were refused, above those refused for it.
    Reason(RefusalKind),
    /// A refused tool.
    Refused(usize),
    /// A declared flow.
    Flow(usize),
}

/// What the Tools screen knows beside the file.
#[derive(Debug, Clone, Default)]
pub struct ToolsScreen {
    /// The rows of the list.
    pub items: Vec<Item>,
    /// Tools marked for a subset, by name.
    pub marked: BTreeSet<Str>,
    /// Whether the header shows hashes whole.
    pub whole_hashes: bool,
    /// Whether the schema pane shows the answer's schema.
    pub output: bool,
    /// The schema shown.
    pub schema: Outline,
    /// What it is the schema of.
    shown: Option<(Item, bool)>,
}

/// Builds the list again after the file was read; the selection stays where it was.
pub fn refresh(model: &mut Model, before: Option<String>) {
    let FileState::Open(opened) = &model.file else { return };
    let mut items = vec![Item::File];
    items.extend((0..opened.reading.tools.len()).map(Item::Tool));
    items.extend((0..opened.plan.flows.len()).map(Item::Flow));
    items.extend(refused::items(&opened.reading));
    let at = before.and_then(|name| items.iter().position(|item| name_of(opened, *item) == name));
    model.tools.items = items;
    model.tools.shown = None;
    if let Some(at) = at {
        model.cursor_mut(Pane::Tools).at = at;
    }
    settle(model);
}

/// A name that outlives a new reading.
fn name_of(opened: &Opened, item: Item) -> String {
    match item {
        Item::File => String::new(),
        Item::Tool(i) => opened.reading.tools.get(i).map_or_else(String::new, |t| format!("tool {}", t.name)),
        Item::Reason(kind) => format!("reason {}", kind.word()),
        Item::Refused(i) => opened.reading.refused.get(i).map_or_else(String::new, |t| format!("refused {}", t.at)),
        Item::Flow(i) => opened.plan.flows.get(i).map_or_else(String::new, |f| format!("flow {}", flow_words(f))),
    }
}

/// The name of what is selected, to find it again in another reading.
pub fn selected_name(model: &Model) -> Option<String> {
    let FileState::Open(opened) = &model.file else { return None };
    Some(name_of(opened, selected(model)))
}

/// What is selected in the list.
pub fn selected(model: &Model) -> Item {
    model.tools.items.get(model.cursor(Pane::Tools).at).copied().unwrap_or(Item::File)
}

/// The tool that is selected.
pub fn selected_tool(model: &Model) -> Option<&Tool> {
    match (selected(model), &model.file) {
        (Item::Tool(i), FileState::Open(opened)) => opened.reading.tools.get(i).map(|t| &**t),
        _ => None,
    }
}

/// After the selection may have moved: the other panes follow it.
pub fn settle(model: &mut Model) {
    let item = selected(model);
    let key = (item, model.tools.output);
    if model.tools.shown == Some(key) {
        return;
    }
    let schema = selected_tool(model).map(|tool| {
        if model.tools.output { tool.output_schema.clone().unwrap_or_default() } else { tool.input_schema.clone() }
    });
    model.tools.schema = schema.map(Outline::new).unwrap_or_default();
    model.tools.shown = Some(key);
    *model.cursor_mut(Pane::Tool) = Cursor::default();
    *model.cursor_mut(Pane::Schema) = Cursor::default();
    if let (Item::Refused(i), FileState::Open(opened)) = (item, &model.file)
        && let Some((schema, line)) = refused::outline(opened, i)
    {
        let (width, _) = panes::size(model, Pane::Schema);
        let at = Wrapped::new(&schema, width).row_of(line);
        model.tools.schema = schema;
        model.cursor_mut(Pane::Schema).at = at;
    }
}

/// The line of the schema that is selected.
pub fn schema_line(model: &Model) -> usize {
    let (width, _) = panes::size(model, Pane::Schema);
    Wrapped::new(&model.tools.schema, width).line(model.cursor(Pane::Schema).at)
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let FileState::Open(opened) = &model.file else { return stack };
    match pane {
        Pane::Tools => stack.add(List { model, opened, width }),
        Pane::Tool => stack.add(detail(model, opened, width)),
        _ if selected(model) == Item::File => stack.add(plan::offers(model, width)),
        _ => {
            let has = selected_tool(model).is_some_and(|t| !model.tools.output || t.output_schema.is_some());
            if has || matches!(selected(model), Item::Refused(_)) {
                stack.add(Wrapped::new(&model.tools.schema, width));
            } else if selected_tool(model).is_some() {
                stack.add(vec![Row::of(Scope::Dim, "The file has no output schema for this tool.")]);
            }
        }
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    match pane {
        Pane::Tools => "tools".to_owned(),
        Pane::Tool => match selected(model) {
            Item::File => "file".to_owned(),
            Item::Tool(_) => "tool".to_owned(),
            Item::Reason(_) => "refused tools".to_owned(),
            Item::Refused(_) => "refused tool".to_owned(),
            Item::Flow(_) => "flow".to_owned(),
        },
        _ if selected(model) == Item::File => "dials".to_owned(),
        _ if matches!(selected(model), Item::Refused(_)) => "definition".to_owned(),
        _ if model.tools.output => "output schema".to_owned(),
        _ => "argument schema".to_owned(),
    }
}

struct List<'a> {
    model: &'a Model,
    opened: &'a Opened,
    width: usize,
}

impl Rows for List<'_> {
    fn len(&self) -> usize {
        self.model.tools.items.len()
    }

    fn stays(&self, i: usize) -> bool {
        matches!(self.model.tools.items.get(i), Some(Item::File | Item::Reason(_)))
    }

    /// A tool matches by its description and its arguments too, a refused one by its reason.
    fn sought(&self, i: usize) -> String {
        let said = self.row(i).text();
        match self.model.tools.items.get(i) {
            Some(Item::Tool(i)) => {
                let Some(tool) = self.opened.reading.tools.get(*i) else { return said };
                let arguments = tool.input_schema.get("properties").and_then(Value::as_object);
                let names = arguments.into_iter().flat_map(|m| m.named().map(|(name, _)| name));
                names.fold(format!("{said} {} {}", tool.name, tool.description), |all, name| format!("{all} {name}"))
            }
            Some(Item::Refused(i)) => format!("{said} {}", refused::sought(self.opened, *i)),
            _ => said,
        }
    }

    fn row(&self, i: usize) -> Row {
        let Some(item) = self.model.tools.items.get(i) else { return Row::new() };
        let reading = &self.opened.reading;
        match *item {
            Item::File => {
                Row::new().plain("  ").put(Scope::Strong, self.opened.origin.name()).end(Scope::Dim, file_word(reading))
            }
            Item::Tool(i) => {
                let Some(tool) = reading.tools.get(i) else { return Row::new() };
                let marked = self.model.tools.marked.contains(&tool.name);
                let (scope, word) = effect_word(tool.effect);
                let wide = self.width >= 34;
                // Where it is narrow, the effect is its first letter: the name needs the place.
                let effect = if wide { 7 } else { 1 };
                let name = self.width.saturating_sub(if wide { 18 } else { 4 });
                let mut row = Row::new()
                    .put(Scope::Accent, if marked { "* " } else { "  " })
                    .name(Scope::Text, shown_name(tool), name)
                    .plain(" ")
                    .put(scope, text::pad(&word[..effect.min(word.len())], effect));
                if wide {
                    let args = tool.properties().len();
                    row = row.dim(text::pad_start(&text::count(args, "arg"), 8));
                }
                row
            }
            Item::Reason(kind) => refused::heading(reading, kind),
            Item::Refused(i) => {
                let Some(refused) = reading.refused.get(i) else { return Row::new() };
                Row::new().put(Scope::Error, "  ! ").name(Scope::Text, &*refused.name, self.width.saturating_sub(4))
            }
            Item::Flow(i) => {
                let Some(flow) = self.opened.plan.flows.get(i) else { return Row::new() };
                Row::new().put(Scope::Accent, "> ").plain(flow_words(flow)).end(Scope::Dim, "flow")
            }
        }
    }
}

fn file_word(reading: &Reading) -> &'static str {
    if reading.error.is_some() { "refused" } else { "file" }
}

/// The name to show: as the file has it where the name as sent lost letters to `_`, as names in Japanese do.
pub fn shown_name(tool: &Tool) -> &str {
    let lost = tool.original.chars().any(|c| !c.is_ascii() && c.is_alphanumeric());
    if lost { &tool.original } else { &tool.name }
}

/// An effect and its style.
pub fn effect_word(effect: Does) -> (Scope, &'static str) {
    match effect {
        Does::Read => (Scope::EffectRead, "read"),
        Does::Write => (Scope::EffectWrite, "write"),
        Does::Unknown => (Scope::EffectUnknown, "unknown"),
    }
}

/// A flow in words.
pub fn flow_words(flow: &Flow) -> String {
    format!("{}.{} to {}.{}", flow.from, flow.field, flow.to, flow.param)
}

/// What the header says of the file.
pub fn facts(model: &Model, opened: &Opened) -> Row {
    let reading = &opened.reading;
    let hash = |h: &str| if model.tools.whole_hashes { h.to_owned() } else { short_hash(h).to_owned() };
    let mut row = Row::new();
    if let Some(format) = reading.format {
        row = row.dim(match format {
            crate::toolfile::Format::OpenAi => "OpenAI",
            crate::toolfile::Format::Mcp => "MCP",
            crate::toolfile::Format::OpenApi => "OpenAPI",
        });
        row = row.dim(format!("  {}", text::count(reading.tools.len(), "tool")));
    }
    if !reading.refused.is_empty() {
        row = row.put(Scope::Error, format!("  ! {} refused", reading.refused.len()));
    }
    row = row.dim("  file ").plain(hash(&reading.file_hash)).dim("  contract ");
    match &reading.contract {
        Some(Ok(contract)) => row.plain(hash(contract)),
        _ => row.put(Scope::Warn, "! none"),
    }
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::ToggleEffect => toggle_effect(model),
        Action::Open => {
            model.focus[Screen::Tools as usize] = 1;
            Vec::new()
        }
        Action::CompareFile => {
            line::ask(model, line::Purpose::OtherFile, "tool file to compare with:", String::new());
            Vec::new()
        }
        Action::AddFlow => {
            flow::begin(model);
            Vec::new()
        }
        Action::Suggest => {
            suggest::begin(model);
            Vec::new()
        }
        Action::RemoveFlow => {
            let Item::Flow(i) = selected(model) else {
                model.say(Scope::Notice, "select a flow to remove it");
                return Vec::new();
            };
            let flow = model.request.plan.flows.remove(i);
            model.say(Scope::Notice, format!("removed the flow {}", flow_words(&flow)));
            update::reread(model)
        }
        Action::SwitchSchema => {
            model.tools.output = !model.tools.output;
            settle(model);
            Vec::new()
        }
        Action::WholeHashes => {
            model.tools.whole_hashes = !model.tools.whole_hashes;
            Vec::new()
        }
        Action::Mark => {
            if let Some(name) = selected_tool(model).map(|t| t.name.clone()) {
                if !model.tools.marked.remove(&name) {
                    model.tools.marked.insert(name);
                }
                update::move_in(model, Pane::Tools, crate::tui::widgets::list::Move::Down(1));
            }
            Vec::new()
        }
        Action::MarkFound => {
            mark_found(model);
            Vec::new()
        }
        Action::KeepMarked => keep_marked(model),
        Action::Tour => tour::begin(model),
        Action::Resume => live::session::resume(model),
        Action::SaveDeclared => {
            live::declare::ask(model);
            Vec::new()
        }
        Action::SetIntent => {
            live::declare::intent(model);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Declares the effect of the marked tools, else of the selected one: a read, then a write, then as the file says.
fn toggle_effect(model: &mut Model) -> Vec<Effect> {
    if !model.tools.marked.is_empty() {
        return toggle_marked(model);
    }
    let Some(tool) = selected_tool(model) else {
        model.say(Scope::Notice, "select a tool to declare its effect");
        return Vec::new();
    };
    let (name, effect) = (tool.name.to_string(), tool.effect);
    let read = &mut model.request.read;
    let was_read = read.read.contains(&name);
    let was_write = read.write.contains(&name);
    read.read.retain(|n| *n != name);
    read.write.retain(|n| *n != name);
    let says = if was_read {
        read.write.push(name.clone());
        "declared a write"
    } else if was_write {
        "as the file says"
    } else if effect == Does::Read {
        read.write.push(name.clone());
        "declared a write"
    } else {
        read.read.push(name.clone());
        "declared a read"
    };
    model.say(Scope::Notice, format!("{name}: {says}"));
    update::reread(model)
}

/// All marked tools become reads; when all are, writes; when all are those, what the file says.
fn toggle_marked(model: &mut Model) -> Vec<Effect> {
    let names: Vec<String> = model.tools.marked.iter().map(ToString::to_string).collect();
    let read = &mut model.request.read;
    let all = |list: &[String]| names.iter().all(|name| list.contains(name));
    let (reads, writes) = (all(&read.read), all(&read.write));
    read.read.retain(|name| !names.contains(name));
    read.write.retain(|name| !names.contains(name));
    let count = text::count(names.len(), "marked tool");
    let says = if reads {
        read.write.extend(names);
        "declared writes"
    } else if writes {
        "as the file says"
    } else {
        read.read.extend(names);
        "declared reads"
    };
    model.say(Scope::Notice, format!("{count}: {says}"));
    update::reread(model)
}

fn mark_found(model: &mut Model) {
    let needle = model.needle.clone();
    let FileState::Open(opened) = &model.file else { return };
    let filter = model.filter(Pane::Tools);
    if needle.is_empty() && !filter.is_on() {
        model.say(Scope::Notice, "search (/) or filter (&) first; then * marks the matches");
        return;
    }
    let rows = List { model, opened, width: 240 };
    let found = |i: &usize| needle.is_empty() || rows.sought(*i).to_lowercase().contains(&needle);
    let shown: Vec<usize> =
        if filter.is_on() { filter.matches().collect() } else { (0..model.tools.items.len()).collect() };
    let tools = shown.into_iter().filter(found).filter_map(|i| match model.tools.items.get(i) {
        Some(Item::Tool(i)) => opened.reading.tools.get(*i),
        _ => None,
    });
    let found: Vec<Str> = tools.map(|tool| tool.name.clone()).collect();
    let says = format!("marked {}; o keeps only them", text::count(found.len(), "tool"));
    model.tools.marked.extend(found);
    model.say(Scope::Notice, says);
}

fn keep_marked(model: &mut Model) -> Vec<Effect> {
    if model.tools.marked.is_empty() {
        if model.request.read.only.is_empty() {
            model.say(Scope::Notice, "mark tools with space first");
            return Vec::new();
        }
        model.request.read.only.clear();
        model.say(Scope::Notice, "all tools are back");
        return update::reread(model);
    }
    // Names have no letters that a pattern would read as anything else, so each is its own pattern.
    model.request.read.only = std::mem::take(&mut model.tools.marked).iter().map(ToString::to_string).collect();
    model.say(Scope::Notice, "keeping only the marked tools; o with none marked brings all back");
    update::reread(model)
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<pick::Copyable> {
    let FileState::Open(opened) = &model.file else { return Vec::new() };
    let reading = &opened.reading;
    let mut copies = vec![pick::Copyable::new("file hash", &*reading.file_hash)];
    if let Some(hash) = reading.contract_hash() {
        copies.push(pick::Copyable::new("contract hash", &**hash));
    }
    match selected(model) {
        Item::Tool(i) => {
            if let Some(tool) = reading.tools.get(i) {
                copies.push(pick::Copyable::new("tool name", &*tool.name));
                copies.push(pick::Copyable::new("pointer in the file", &tool.at));
                copies.push(pick::Copyable::json("argument schema", &tool.input_schema));
                if let Some(schema) = &tool.output_schema {
                    copies.push(pick::Copyable::json("output schema", schema));
                }
            }
        }
        Item::Refused(i) => {
            if let Some(refused) = reading.refused.get(i) {
                copies.push(pick::Copyable::new("reason", &refused.reason));
                copies.push(pick::Copyable::new("pointer in the file", &refused.place));
            }
        }
        Item::Flow(i) => {
            if let Some(f) = opened.plan.flows.get(i) {
                copies.push(pick::Copyable::new(
                    "flow flag",
                    format!("--flow {}.{}:{}.{}", f.from, f.field, f.to, f.param),
                ));
            }
        }
        Item::File | Item::Reason(_) => {}
    }
    if model.pane() == Pane::Schema && selected_tool(model).is_some() {
        let at = schema_line(model);
        copies.push(pick::Copyable::new("pointer in the schema", model.tools.schema.pointer(at)));
        copies.push(pick::Copyable::json("part of the schema", model.tools.schema.at(at)));
    }
    copies
}
