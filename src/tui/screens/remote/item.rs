//! The selected item: what was set, the task as a whole, a text, a call with its answer and with what is answered here.

use super::{Entry, Followed, RemoteScreen};
use crate::align::{ChangeKind, changes};
use crate::engine::explain::{self, Explanation};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::overlays::pick::Copyable;
use crate::tui::overlays::told;
use crate::tui::panes::Stack;
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::{Mark, Outline};
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use crate::uhp::client::replay::{Agreement, Replay};
use crate::uhp::client::transcript::{Item, Step};
use crate::uhp::wire::Json;
use crate::value::{Value, read_json};
use std::sync::Arc;

/// A text or a value larger than this is not read as JSON.
const LARGEST_VALUE: usize = 1 << 20;

/// A text larger than this is not wrapped.
const LARGEST_WRAPPED: usize = 16 << 10;

/// So much of one line is shown.
const LONGEST_LINE: usize = 4_096;

/// A text as lines that are cut out only when seen.
#[derive(Debug, Clone, Default)]
struct Lines {
    text: Arc<str>,
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    fn line(&self, i: usize) -> &str {
        let start = self.starts[i];
        let end = self.starts.get(i + 1).map_or(self.text.len(), |next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }

    /// The lines broken at the width, when there are not too many of them.
    fn wrapped(&self, width: usize) -> Vec<Row> {
        let lines = (0..self.starts.len()).map(|i| text::safe(self.line(i)));
        let mut rows = Vec::new();
        for line in lines {
            let parts = text::wrap(&line, width);
            if parts.is_empty() {
                rows.push(Row::new());
            }
            rows.extend(parts.into_iter().map(|part| Row::of(Scope::Text, part)));
        }
        rows
    }
}

impl Rows for &Lines {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn row(&self, i: usize) -> Row {
        if i >= self.starts.len() {
            return Row::new();
        }
        let line = self.line(i);
        let mut end = line.len().min(LONGEST_LINE);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let row = Row::of(Scope::Text, &line[..end]);
        if end < line.len() { row.dim(format!(" … {} more", text::bytes((line.len() - end) as u64))) } else { row }
    }
}

/// One part of what is shown, below the others.
#[derive(Debug, Clone)]
enum Part {
    /// Words of ours.
    Says(Vec<Row>),
    /// A text of the server's.
    Text(Lines),
    /// A value.
    Value(Box<Outline>),
}

/// The selected item, ready to be shown.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    entry: Entry,
    /// What it was made of: made again only when that changes.
    of: (usize, usize, Option<Agreement>),
    parts: Vec<Part>,
    copies: Vec<Copyable>,
}

impl Shown {
    /// Folds the part of a value in a row, or opens it.
    pub(super) fn toggle(&mut self, part: usize, row: usize, width: usize) -> bool {
        match self.parts.get_mut(part) {
            Some(Part::Value(outline)) => outline.toggle(Wrapped::new(outline, width).line(row)),
            _ => false,
        }
    }

    /// Opens the folds that hide a text; says whether it found any.
    pub(super) fn open_for(&mut self, text: &str) -> bool {
        self.parts.iter_mut().fold(false, |any, part| match part {
            Part::Value(outline) => outline.open_for(text) | any,
            _ => any,
        })
    }

    /// What of it can be copied.
    pub(super) fn copies(&self) -> Vec<Copyable> {
        self.copies.clone()
    }

    fn says(&mut self, rows: Vec<Row>) {
        self.parts.push(Part::Says(rows));
    }

    fn heading(&mut self, words: &str) {
        let above = if self.parts.is_empty() { Vec::new() } else { vec![Row::new()] };
        self.says([above, vec![Row::of(Scope::Dim, words)]].concat());
    }

    /// A text as the value it is, else as lines; gives the value.
    fn text(&mut self, text: &str) -> Option<Value> {
        let value = (text.len() <= LARGEST_VALUE).then(|| read_json(text.as_bytes()).ok()).flatten().map(|d| d.root);
        match value.filter(|v| matches!(v, Value::Object(_) | Value::Array(_))) {
            Some(value) => {
                self.parts.push(Part::Value(Box::new(Outline::new(value.clone()))));
                Some(value)
            }
            None => {
                self.parts.push(Part::Text(Lines::new(text)));
                None
            }
        }
    }

    fn json(&mut self, json: &Json) {
        self.text(&json.to_string());
    }
}

/// Makes the selected item ready, when it is another or has changed; says whether it is another.
pub(super) fn show(remote: &mut RemoteScreen, entry: Entry) -> bool {
    let of = made_of(remote, entry);
    let before = remote.shown.as_ref().map(|s| (s.entry, s.of));
    if before == Some((entry, of))
        && matches!(entry, Entry::Step(_) | Entry::Event(_) | Entry::Warning(_) | Entry::Note(_))
    {
        return false;
    }
    let mut shown = Shown { entry, of, parts: Vec::new(), copies: Vec::new() };
    match (entry, &remote.task) {
        (Entry::Harness, _) => harness(remote, &mut shown),
        (Entry::Model, _) => models(remote, &mut shown),
        (Entry::Input, task) => input(task.as_ref(), &mut shown),
        (Entry::Head, Some(task)) => head(task, &mut shown),
        (Entry::Step(n), Some(task)) => one(task, n, &mut shown),
        (Entry::Event(n), Some(task)) => {
            shown.says(vec![Row::of(Scope::Odd, "? an event of a kind that is not known"), Row::new()]);
            shown.json(&Json::Object(task.transcript.unknown[n].clone()));
        }
        (Entry::Warning(n), Some(task)) => {
            shown.says(vec![Row::of(Scope::Warn, "! the server warned on the way"), Row::new()]);
            shown.text(&task.transcript.warnings[n]);
        }
        (Entry::Note(n), Some(task)) => {
            shown.says(vec![Row::of(Scope::Warn, "! on the way"), Row::new()]);
            shown.text(&task.notes[n]);
        }
        (Entry::End, Some(task)) => end(task, &mut shown),
        (_, None) => {}
    }
    remote.shown = Some(shown);
    before.is_none_or(|(was, _)| was != entry)
}

/// What the selected step is made of, as far as it changes what is shown.
fn made_of(remote: &RemoteScreen, entry: Entry) -> (usize, usize, Option<Agreement>) {
    let (Entry::Step(n), Some(task)) = (entry, &remote.task) else { return (0, 0, None) };
    let weight = |at: usize| task.transcript.items.get(at).map_or(0, |i| 2 * i.weight() + usize::from(i.open));
    match task.steps.list()[n] {
        Step::Call { call, answer } => {
            let replayed = task.replay.as_ref().and_then(|r| r.calls.get(task.steps.calls_before(n)));
            (weight(call), answer.map_or(0, weight), replayed.map(|r| r.agreement))
        }
        Step::Reasoning(at) | Step::Message(at) | Step::Answer(at) | Step::Other(at) => (weight(at), 0, None),
    }
}

/// The rows of the pane.
pub(super) fn rows<'a>(model: &'a Model, width: usize, stack: &mut Stack<'a>) {
    for part in model.remote.shown.iter().flat_map(|shown| &shown.parts) {
        match part {
            Part::Says(rows) => stack.add(rows.iter().flat_map(|row| row.wrap(width)).collect::<Vec<Row>>()),
            Part::Text(lines) if lines.text.len() <= LARGEST_WRAPPED => stack.add(lines.wrapped(width)),
            Part::Text(lines) => stack.add(lines),
            Part::Value(outline) => stack.add(Wrapped::new(outline, width)),
        }
    }
}

/// The title of the pane.
pub(super) fn title(model: &Model) -> String {
    let remote = &model.remote;
    let item = |at: usize| remote.task.as_ref().and_then(|t| t.transcript.items.get(at));
    match remote.entry(model.cursor(Pane::Items).at) {
        Entry::Harness => "server and harness".to_owned(),
        Entry::Model => "models".to_owned(),
        Entry::Input => "input".to_owned(),
        Entry::Head => "task".to_owned(),
        Entry::Step(n) => match remote.task.as_ref().map(|t| (t, &t.steps.list()[n])) {
            Some((_, Step::Reasoning(_))) => "reasoning".to_owned(),
            Some((_, Step::Message(_))) => "message".to_owned(),
            Some((task, Step::Call { call, .. })) => {
                format!("call {}: {}", task.steps.calls_before(n) + 1, item(*call).map_or("", Item::name))
            }
            Some((_, Step::Answer(_))) => "an answer without its call".to_owned(),
            Some((_, Step::Other(at))) => item(*at).map_or("", Item::kind).to_owned(),
            None => String::new(),
        },
        Entry::Event(_) => "unknown event".to_owned(),
        Entry::Warning(_) => "warning".to_owned(),
        Entry::Note(_) => "stream".to_owned(),
        Entry::End => "end".to_owned(),
    }
}

/// A fact in two columns.
fn fact(name: &str, value: impl AsRef<str>) -> Row {
    Row::new().cell(Scope::Dim, name, 8).plain(value).hanging(8)
}

fn harness(remote: &RemoteScreen, shown: &mut Shown) {
    let Some(offer) = &remote.offer else {
        let says = match &remote.trouble {
            Some(trouble) => Row::of(Scope::Error, format!("! {trouble}")),
            None => Row::of(Scope::Dim, "asking the server what it is"),
        };
        return shown.says(vec![says]);
    };
    let mut rows = vec![fact("server", &offer.name), fact("class", &offer.class), fact("version", &offer.version)];
    rows.push(Row::new());
    if let Some(harness) = remote.harness() {
        rows.extend([fact("harness", &harness.name), fact("id", &harness.id), fact("base", &harness.base)]);
        rows.push(fact("model", &harness.default_model));
        if let Some(tools) = &harness.tools {
            rows.push(fact("tools", format!("{} lies here", tools.origin.name())));
        }
    }
    rows.push(Row::new());
    for (name, on) in &offer.capabilities {
        let (scope, sign) = if *on { (Scope::Ok, "+ ") } else { (Scope::Dim, "- ") };
        rows.push(Row::of(scope, sign).plain(name));
    }
    rows.push(Row::new());
    rows.push(Row::of(
        Scope::Dim,
        match offer.harnesses.len() {
            0 => "The server has no harness.".to_owned(),
            1 => "This is its only harness.".to_owned(),
            n => format!("{} harnesses; enter chooses another.", text::group(n as u64)),
        },
    ));
    shown.says(rows);
}

fn models(remote: &RemoteScreen, shown: &mut Shown) {
    let mut rows = Vec::new();
    let known = remote.harness().and_then(|h| remote.models.get(&h.id));
    for model in known.into_iter().flatten() {
        let (scope, sign) = if model.available { (Scope::Ok, "+ ") } else { (Scope::Error, "! ") };
        let row = Row::of(scope, sign).plain(&model.id).plain("  ").dim(&model.label).hanging(2);
        let word = if model.default { "  the harness's own" } else { "" };
        rows.push(row.dim(word));
        if !model.available {
            rows.push(Row::of(Scope::Dim, "  cannot be run now"));
        }
    }
    if rows.is_empty() {
        rows.push(Row::of(Scope::Dim, "Enter asks which models the harness has and lets one be chosen."));
    }
    shown.says(rows);
}

fn input(task: Option<&Followed>, shown: &mut Shown) {
    if let Some(asked) = task.and_then(|t| t.asked.as_deref()) {
        shown.text(asked);
        shown.copies.push(Copyable::new("input", asked));
        shown.says(vec![Row::new()]);
    }
    let says = [
        "Enter or i writes an input and runs it as a new task.",
        "c goes on with the session of the task below.",
        "s lists what the server keeps.",
    ];
    shown.says(says.iter().map(|says| Row::of(Scope::Dim, says)).collect());
}

fn head(task: &Followed, shown: &mut Shown) {
    let t = &task.transcript;
    if let Some(asked) = &task.asked {
        shown.heading("input");
        shown.text(asked);
    }
    shown.heading("what the server says of it");
    shown.says(facts(task));
    let head = Json::Object(t.head.clone());
    shown.heading("the response without its items");
    shown.json(&head);
    shown.copies.push(Copyable::new("facts", t.facts().join("\n")));
}

/// What a person should know of a response: substituted models and ignored fields stand out, usage that is not accounted
/// is said to be.
fn facts(task: &Followed) -> Vec<Row> {
    let t = &task.transcript;
    let scope = |fact: &str| match fact.split_once([' ', ':']).map_or(fact, |(word, _)| word) {
        "ignored" | "why" | "stopped" => (Scope::Warn, "! "),
        "error" => (Scope::Error, "! "),
        "model" if t.metadata("requested_model").is_some() => (Scope::Warn, "! "),
        "usage" => (Scope::Dim, "  "),
        _ => (Scope::Text, "  "),
    };
    let rows = t.facts().into_iter().map(|fact| {
        let (scope, sign) = scope(&fact);
        Row::of(scope, format!("{sign}{fact}")).hanging(2)
    });
    rows.collect()
}

fn end(task: &Followed, shown: &mut Shown) {
    shown.heading(&format!("the task ended: {}", task.transcript.status()));
    shown.says(facts(task));
    if let Some(details) = task.transcript.head.get("error").filter(|e| !e.is_null()) {
        shown.heading("error");
        shown.json(details);
    }
    let (same, differ) = task.replay.as_ref().filter(|r| r.says_something()).map_or((0, 0), Replay::tally);
    if same + differ > 0 {
        let row = Row::of(Scope::Dim, "  replayed here: ").put(Scope::Ok, format!("{same} the same"));
        let row = if differ > 0 { row.put(Scope::DiffChanged, format!(", {differ} differ")) } else { row };
        shown.says(vec![Row::new(), row]);
    }
}

fn one(task: &Followed, n: usize, shown: &mut Shown) {
    let item = |at: usize| task.transcript.items.get(at);
    match &task.steps.list()[n] {
        Step::Reasoning(at) | Step::Message(at) => {
            let Some(item) = item(*at) else { return };
            let text = item.text();
            shown.copies.push(Copyable::new(item.kind(), &text));
            shown.parts.push(Part::Text(Lines::new(text)));
            files(item, shown);
        }
        Step::Call { call, answer } => one_call(task, n, *call, answer.and_then(item), shown),
        Step::Answer(at) => {
            let Some(item) = item(*at) else { return };
            let says = format!("? no call has the id {}", item.call_id());
            shown.says(vec![Row::of(Scope::Odd, says), Row::new()]);
            shown.text(&item.text());
            shown.copies.push(Copyable::new("answer", item.text()));
        }
        Step::Other(at) => {
            let Some(item) = item(*at) else { return };
            shown.says(vec![Row::of(Scope::Odd, "? an item of a kind that is not known"), Row::new()]);
            shown.json(&Json::Object(item.raw.clone()));
        }
    }
}

/// The files that a message names.
fn files(item: &Item, shown: &mut Shown) {
    let citations = item.citations();
    if citations.is_empty() {
        return;
    }
    shown.heading("files");
    let word = |file: &crate::uhp::wire::Fields, key: &str| {
        file.get(key).and_then(Json::as_str).unwrap_or("not named").to_owned()
    };
    let rows = citations.iter().map(|file| {
        Row::of(Scope::Accent, word(file, "filename")).dim("  ").dim(word(file, "download_url")).hanging(2)
    });
    shown.says(rows.collect());
}

fn one_call(task: &Followed, n: usize, call: usize, answer: Option<&Item>, shown: &mut Shown) {
    let Some(item) = task.transcript.items.get(call) else { return };
    let arguments = item.text();
    shown.heading("arguments");
    shown.text(&arguments);
    shown.copies.push(Copyable::new("arguments", &arguments));
    let number = task.steps.calls_before(n);
    let replay = task.replay.as_ref().filter(|r| r.says_something());
    let replayed = replay.and_then(|r| Some((r, r.calls.get(number)?, r.made(number)?)));
    let (scope, words) = match replayed.map(|(_, replayed, _)| replayed.agreement) {
        Some(Agreement::Same) => (Scope::Ok, "+ the same here"),
        Some(Agreement::Differs) => (Scope::DiffChanged, "~ differs from what is answered here"),
        Some(Agreement::Foreign) => (Scope::Odd, "? the tool file here has no such tool"),
        Some(Agreement::Unanswered) | None => (Scope::Dim, ""),
    };
    shown.says(vec![Row::new(), Row::of(Scope::Dim, "answer of the server  ").put(scope, words)]);
    let remote = match answer {
        None => {
            shown.says(vec![Row::of(Scope::Dim, "none yet")]);
            None
        }
        Some(answer) => {
            let text = answer.text();
            shown.copies.push(Copyable::new("answer of the server", &text));
            shown.text(&text)
        }
    };
    let Some((replay, replayed, made)) = replayed else { return };
    let local = &made.outcome.answer;
    if replayed.agreement == Agreement::Differs {
        if let (Some(remote), Some(Part::Value(outline))) = (&remote, shown.parts.last_mut()) {
            mark(outline, &local.value, remote);
        }
        shown.heading("answered here");
        shown.text(&local.text);
        shown.copies.push(Copyable::new("answer here", &*local.text));
    }
    if replayed.agreement != Agreement::Foreign {
        shown.heading("why here");
        let task = replay.ground.task();
        shown.says(lines(&explain::why(task, made)));
        shown.heading("changed here");
        let changed = explain::changes(made);
        let none = changed.lines.is_empty().then(|| Row::of(Scope::Text, "nothing"));
        shown.says(none.into_iter().chain(lines(&changed)).collect());
    }
}

/// An explanation as rows.
fn lines(explanation: &Explanation) -> Vec<Row> {
    told::lines(explanation).into_iter().map(|line| line.row).collect()
}

/// Marks where the server's answer differs from the one given here.
fn mark(outline: &mut Outline, local: &Value, remote: &Value) {
    for change in changes(local, remote) {
        let sign = match change.kind {
            ChangeKind::Added => '+',
            ChangeKind::Removed => '-',
            ChangeKind::Changed => '~',
        };
        let here = change.a.as_ref().map_or_else(|| "nothing".to_owned(), words::short);
        // What is missing has no line of its own: the place above it tells.
        let (at, note) = if change.kind == ChangeKind::Removed {
            let above = change.at.rfind('/').map_or("", |i| &change.at[..i]).to_owned();
            (above, format!("here: {} {here}", crate::value::pointer::name(&change.at)))
        } else {
            (change.at.clone(), format!("here: {here}"))
        };
        outline.mark(at, Mark { sign, scope: Scope::DiffChanged, note });
    }
}
