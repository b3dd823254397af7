//! What the agent sees: exactly the messages a model would get up to here, each beside what only the engine knows.
//!
//! The list is as long as the episode, so a message is made when it is looked at.

use super::Overlay;
use super::pick::Copyable;
use super::within::{self, Within};
use crate::engine::explain;
use crate::episode::messages::{self, Body, Message};
use crate::episode::{Episode, Made};
use crate::task::{StepEffect, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::overlays::told;
use crate::tui::screens::dials::dial_plan;
use crate::tui::screens::words;
use crate::tui::view::agent_parts;
use crate::tui::widgets::filter::Find;
use crate::tui::widgets::list::{Cursor, Move, Rows};
use crate::tui::widgets::row::Row;
use crate::value::{Value, canonical};
use std::borrow::Cow;
use std::sync::Arc;

/// The messages, and where one stands in them.
#[derive(Debug, Clone)]
pub struct Agent {
    task: Arc<Task>,
    opening: Arc<Vec<Message>>,
    calls: Arc<Vec<Arc<Made>>>,
    /// Where one stands in the list.
    pub cursor: Cursor,
    /// What is searched for in the messages, and which of them are shown.
    pub within: Within,
    /// The selected message as lines, for a width, and its first line that is seen.
    text: Vec<Row>,
    width: usize,
    top: usize,
    /// The line of it in which what is searched for was found.
    hit: Option<usize>,
    /// What only the engine knows of it.
    known: Vec<told::Line>,
}

/// Opens it where the episode stands.
pub(crate) fn open(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let mut agent = Agent::new(episode);
    let parts = agent_parts(model.size);
    agent.cursor.go(Move::Last, agent.len(), usize::from(parts.list.height));
    agent.look(usize::from(parts.text.width));
    model.overlays.push(Overlay::Agent(Box::new(agent)));
}

impl Agent {
    fn new(episode: &Episode) -> Self {
        Self {
            task: episode.task().clone(),
            opening: Arc::new(messages::opening(episode.task())),
            calls: Arc::new(episode.past().to_vec()),
            cursor: Cursor::default(),
            within: Within::default(),
            text: Vec::new(),
            width: 0,
            top: 0,
            hit: None,
            known: Vec::new(),
        }
    }

    /// The message of a row below the first, which stands for the tools.
    fn message(&self, row: usize) -> Option<Message> {
        let i = row.checked_sub(1)?;
        match i.checked_sub(self.opening.len()) {
            None => self.opening.get(i).cloned(),
            Some(i) => {
                let made = self.calls.get(i / 2)?;
                messages::exchange(&self.task, i / 2, made).into_iter().nth(i % 2)
            }
        }
    }

    /// What a row says, whole.
    fn whole(&self, row: usize) -> String {
        match self.message(row) {
            Some(message) => message.text(),
            None => canonical::pretty(&messages::tools(&self.task), false),
        }
    }

    /// Makes the selected message ready to be shown at a width.
    pub(super) fn look(&mut self, width: usize) {
        self.text = self.wrapped(width);
        self.width = width;
        self.top = 0;
        self.hit = None;
        self.known = self.known();
    }

    /// The lines of the selected message that have in them what is searched for.
    fn hits(&self) -> impl DoubleEndedIterator<Item = usize> {
        let has = |row: &Row| !self.within.needle.is_empty() && row.text().to_lowercase().contains(&self.within.needle);
        self.text.iter().enumerate().filter(move |(_, row)| has(row)).map(|(i, _)| i)
    }

    /// Goes to the next place found in the selected message, or the one before; says whether there is one.
    pub(super) fn turn(&mut self, way: Find, height: usize) -> bool {
        let Some(hit) = self.hit else { return false };
        let to = match way {
            Find::Here => None,
            Find::Next => self.hits().find(|i| *i > hit),
            Find::Previous => self.hits().rfind(|i| *i < hit),
        };
        self.show(to, height);
        to.is_some()
    }

    /// Scrolls the selected message to the first place found in it; coming from below, to the last.
    pub(super) fn reveal(&mut self, way: Find, height: usize) {
        let to = if way == Find::Previous { self.hits().next_back() } else { self.hits().next() };
        self.show(to, height);
    }

    fn show(&mut self, line: Option<usize>, height: usize) {
        if let Some(line) = line {
            self.hit = Some(line);
            self.top = line.saturating_sub(height / 3).min(self.text.len().saturating_sub(height));
        }
    }

    /// The lines of the selected message at a width.
    pub fn text(&self, width: usize) -> Cow<'_, [Row]> {
        if width == self.width { Cow::Borrowed(&self.text) } else { Cow::Owned(self.wrapped(width)) }
    }

    fn wrapped(&self, width: usize) -> Vec<Row> {
        let whole = self.whole(self.cursor.at);
        let lines = text::safe_lines(&whole);
        lines.iter().flat_map(|line| Row::of(Scope::Text, line).wrap(width.max(1))).collect()
    }

    /// The first line of it that is seen.
    pub fn top(&self) -> usize {
        self.top
    }

    /// What only the engine knows of the selected message, as rows.
    pub fn engine(&self, width: usize) -> Vec<Row> {
        self.known.iter().flat_map(|line| line.row.wrap(width.max(1))).collect()
    }

    /// The title of the selected message.
    pub fn title(&self) -> String {
        let Some(message) = self.message(self.cursor.at) else { return "tools".to_owned() };
        let kind = match message.body {
            Body::Json(_) => "JSON",
            Body::Http(_) => "HTTP",
            Body::Text(_) => "text",
        };
        match message.call {
            Some(call) => format!("{} of call {}, {kind}", message.role.word(), call + 1),
            None => format!("{}, {kind}", message.role.word()),
        }
    }

    fn known(&self) -> Vec<told::Line> {
        let plain = |row: Row| told::Line::plain(row);
        let mut lines = Vec::new();
        let Some(message) = self.message(self.cursor.at) else {
            lines.push(plain(Row::new().plain("The goal tool is ").put(Scope::Strong, &*self.task.target).plain(".")));
            let shown = self.task.block.iter().filter(|t| t.name != t.tool.name || t.description != t.tool.description);
            for tool in shown {
                let row = Row::new().put(Scope::Strong, &*tool.name).plain(" is ").plain(&*tool.tool.name);
                lines.push(plain(
                    row.plain(" in the file; the task shows it under another name or description.").hanging(2),
                ));
            }
            return lines;
        };
        match message.call.and_then(|i| self.calls.get(i)) {
            Some(made) => {
                lines.extend(told::lines(&explain::why(&self.task, made)));
                lines.push(plain(Row::new()));
                let changed = explain::changes(made);
                if changed.lines.is_empty() {
                    lines.push(plain(Row::of(Scope::Text, "Nothing changed.")));
                }
                lines.extend(told::lines(&changed));
            }
            None => {
                lines.push(plain(Row::of(Scope::Dim, "expected steps")));
                for (i, step) in self.task.steps.iter().enumerate() {
                    let effect = if step.effect == StepEffect::Read { "read " } else { "write" };
                    let row = Row::new().dim(format!("{i} {effect} ")).plain(&*step.tool).plain(" ");
                    lines.push(plain(words::pairs(row, &step.matching).hanging(2)));
                }
                lines.push(plain(Row::of(Scope::Dim, format!("dial {}", self.task.arm))));
                lines.extend(dial_plan(&self.task).into_iter().map(|row| plain(row.hanging(2))));
            }
        }
        lines
    }

    /// All messages as text, to copy.
    fn all(&self) -> String {
        let all = messages::messages(&self.task, self.calls.iter().map(|made| &**made));
        let json: Option<Vec<Value>> =
            all.iter().map(|m| if let Body::Json(value) = &m.body { Some(value.clone()) } else { None }).collect();
        match json {
            // A chat is one list.
            Some(list) => text::safe_json(&canonical::pretty(&Value::array(list), false)).into_owned(),
            None => all.iter().map(Message::text).collect::<Vec<_>>().join("\n\n"),
        }
    }
}

impl Rows for Agent {
    fn len(&self) -> usize {
        1 + self.opening.len() + 2 * self.calls.len()
    }

    /// A message is found by all it says.
    fn sought(&self, i: usize) -> String {
        let whole = self.whole(i);
        text::safe_lines(&whole).join("\n")
    }

    fn row(&self, i: usize) -> Row {
        let Some(message) = self.message(i) else {
            return Row::new().put(Scope::Accent, "tools").dim(format!("  {} shown", self.task.block.len()));
        };
        let made = message.call.and_then(|i| self.calls.get(i));
        let number = message.call.map_or_else(String::new, |call| format!("{} ", call + 1));
        let row = Row::new().put(Scope::Accent, message.role.word()).plain("  ").dim(number);
        match (made, i.saturating_sub(1 + self.opening.len()) % 2, &message.body) {
            (Some(made), 0, _) => words::call(row, &made.call),
            (Some(made), _, _) if made.outcome.is_failure() => {
                row.put(Scope::Error, "! ").plain(first(&made.outcome.answer.text))
            }
            (Some(made), _, _) => row.plain(first(&made.outcome.answer.text)),
            (None, _, Body::Json(value)) => preview(row, value),
            (None, _, Body::Text(text)) => row.plain(first(text)),
            (None, _, Body::Http(text)) => row.plain(first(text)),
        }
    }
}

/// What a message of the opening says, in short: its text, or the tool it calls with what it sends or gets back.
fn preview(row: Row, value: &Value) -> Row {
    if let Some(content) = value.get("content").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        return row.plain(first(content));
    }
    // A chat message that calls tools, or an MCP request.
    let called = value.get("tool_calls").and_then(|calls| calls.at(0)).and_then(|call| call.get("function"));
    if let Some((name, arguments)) =
        called.or(value.get("params")).and_then(|call| Some((call.get("name")?.as_str()?, call.get("arguments"))))
    {
        let row = row.put(Scope::Strong, name).plain(" ");
        return match arguments {
            Some(Value::Str(text)) => row.plain(first(text)),
            Some(arguments) => words::arguments(row, arguments),
            None => row,
        };
    }
    let result = value.get("result").and_then(|result| result.get("content")).and_then(|content| content.at(0));
    match result.and_then(|part| part.get("text")).and_then(Value::as_str) {
        Some(text) => row.plain(first(text)),
        None => row.plain(canonical::compact(value, false)),
    }
}

/// The beginning of a text: more than a row can show is not looked at.
fn first(text: &str) -> &str {
    const MOST: usize = 300;
    let line = text.lines().next().unwrap_or_default();
    line.char_indices().nth(MOST).map_or(line, |(end, _)| &line[..end])
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(effects) = within::act(model, action) {
        return effects;
    }
    let parts = agent_parts(model.size);
    let (width, seen) = (usize::from(parts.text.width), usize::from(parts.text.height));
    let Some(Overlay::Agent(agent)) = model.overlays.last_mut() else { return Vec::new() };
    if agent.width != width {
        agent.look(width);
    }
    let engine = agent.engine(usize::from(parts.engine.width)).len();
    let most = agent.text.len().saturating_sub(seen).max(engine.saturating_sub(usize::from(parts.engine.height)));
    let way = match action {
        Action::Up => Move::Up(1),
        Action::Down => Move::Down(1),
        Action::PageUp => Move::PageUp,
        Action::PageDown => Move::PageDown,
        Action::First => Move::First,
        Action::Last => Move::Last,
        Action::TextUp => {
            agent.top = agent.top.saturating_sub(seen.div_ceil(2).max(1));
            return Vec::new();
        }
        Action::TextDown => {
            agent.top = (agent.top + seen.div_ceil(2).max(1)).min(most);
            return Vec::new();
        }
        Action::Close => {
            model.overlays.pop();
            return Vec::new();
        }
        Action::CopyText => {
            return copy(&Copyable::new(&agent.title(), agent.whole(agent.cursor.at)));
        }
        Action::CopyPrompt => {
            let task = &agent.task;
            return copy(&Copyable::new("prompt", format!("{}\n\n{}", task.system_prompt, task.request)));
        }
        Action::CopyMessages => return copy(&Copyable::new("all messages", agent.all())),
        _ => return Vec::new(),
    };
    within::go_to(model, way);
    Vec::new()
}

fn copy(copyable: &Copyable) -> Vec<Effect> {
    vec![Effect::Copy { what: copyable.what.clone(), text: copyable.text.clone() }]
}

/// How far a move of the wheel goes.
pub fn wheel(model: &mut Model, way: Move) {
    within::go_to(model, way);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str) -> String {
        preview(Row::new(), &Value::parse_json(json).unwrap()).text()
    }

    #[test]
    fn earlier_calls_are_named_by_their_tool() {
        let mcp = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "get_booking", "arguments": {"id": "a"}}}"#;
        assert!(shown(mcp).starts_with("get_booking "), "{}", shown(mcp));
        let chat = r#"{"role": "assistant", "content": null,
            "tool_calls": [{"function": {"name": "予約", "arguments": "{}"}}]}"#;
        assert_eq!(shown(chat), "予約 {}");
        let answer = r#"{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "ok"}]}}"#;
        assert_eq!(shown(answer), "ok");
    }
}
