//! The list: what the next task is made of, then the task and its items, each call with its answer as one step.

use super::{Entry, Followed, RemoteScreen};
use crate::text;
use crate::theme::Scope;
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::uhp::client::replay::Agreement;
use crate::uhp::client::transcript::{Item, Step};
use crate::uhp::wire::{Fields, Json};

/// So much of a text is looked at for its row.
const LOOKED_AT: usize = 300;

/// Arguments larger than this are not read for their row.
const LARGEST_READ: usize = 64 << 10;

/// The list.
pub(super) struct Items<'a> {
    pub(super) remote: &'a RemoteScreen,
    pub(super) width: usize,
}

impl Rows for Items<'_> {
    fn len(&self) -> usize {
        self.remote.len()
    }

    fn row(&self, i: usize) -> Row {
        let remote = self.remote;
        match (remote.entry(i), &remote.task) {
            (Entry::Harness, _) => self.harness(),
            (Entry::Model, _) => self.model(),
            (Entry::Input, task) => {
                let asked = task.as_ref().and_then(|t| t.asked.as_deref());
                label("input")
                    .put(if asked.is_some() { Scope::Text } else { Scope::Dim }, first(asked.unwrap_or("write one")))
            }
            (Entry::Head, Some(task)) => head(task),
            (Entry::Step(n), Some(task)) => self.step(task, n),
            (Entry::Event(n), Some(task)) => event(&task.transcript.unknown[n]),
            (Entry::Warning(n), Some(task)) => Row::of(Scope::Warn, "! ").plain(first(&task.transcript.warnings[n])),
            (Entry::Note(n), Some(task)) => Row::of(Scope::Warn, "! ").dim(first(&task.notes[n])),
            (Entry::End, Some(task)) => end(task),
            (_, None) => Row::new(),
        }
    }
}

/// A word before what is set.
fn label(word: &str) -> Row {
    Row::new().cell(Scope::Dim, word, 8)
}

/// The first line of a text, as much of it as a row could show.
fn first(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let mut end = line.len().min(LOOKED_AT);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

impl Items<'_> {
    fn harness(&self) -> Row {
        let remote = self.remote;
        let row = label("harness");
        match (remote.harness(), &remote.offer, &remote.harness) {
            (Some(harness), ..) => row.put(Scope::Strong, first(&harness.name)).end(Scope::Dim, first(&harness.base)),
            (None, Some(_), Some(id)) => row.put(Scope::Error, format!("! the server lists no {id}")),
            (None, Some(_), None) => row.put(Scope::Warn, "! the server has none"),
            (None, None, _) if remote.asking.is_some() => row.dim("asking"),
            (None, None, _) => row.put(Scope::Error, "! not known").end(Scope::Dim, "enter tries again"),
        }
    }

    fn model(&self) -> Row {
        let row = label("model");
        match (&self.remote.model, self.remote.harness()) {
            (Some(model), _) => row.put(Scope::Strong, first(model)),
            (None, Some(harness)) if !harness.default_model.is_empty() => {
                row.plain(first(&harness.default_model)).end(Scope::Dim, "default")
            }
            (None, _) => row.dim("the harness's own"),
        }
    }

    fn step(&self, task: &Followed, n: usize) -> Row {
        let step = &task.steps.list()[n];
        let item = |at: &usize| task.transcript.items.get(*at);
        match step {
            Step::Reasoning(at) => text_row(". ", Scope::Dim, item(at)),
            Step::Message(at) => text_row("< ", Scope::Text, item(at)),
            Step::Call { call, answer } => self.call(task, n, *call, answer.and_then(|a| item(&a))),
            Step::Answer(at) => text_row("? ", Scope::Odd, item(at)).end(Scope::Odd, "no such call"),
            Step::Other(at) => {
                let kind = item(at).map_or("", Item::kind);
                let kind = if kind.is_empty() { "an item without a type" } else { kind };
                Row::of(Scope::Odd, "? ").put(Scope::Strong, first(kind)).end(Scope::Odd, "unknown item")
            }
        }
    }

    fn call(&self, task: &Followed, n: usize, call: usize, answer: Option<&Item>) -> Row {
        let number = task.steps.calls_before(n);
        let replayed = task.replay.as_ref().filter(|r| r.says_something()).and_then(|r| r.calls.get(number));
        let open = task.transcript.items.get(call).is_some_and(|i| i.open);
        let (scope, sign, word) = match replayed.map(|r| r.agreement) {
            Some(Agreement::Same) => (Scope::Ok, '+', "same here"),
            Some(Agreement::Differs) => (Scope::DiffChanged, '~', "differs here"),
            Some(Agreement::Foreign) => (Scope::Odd, '?', "no such tool here"),
            _ if open => (Scope::Dim, '.', "is written"),
            _ if answer.is_none_or(|a| a.open) => (Scope::Dim, '.', "no answer yet"),
            _ => (Scope::Dim, '>', ""),
        };
        let widest = task.steps.calls().len().to_string().len();
        let row = Row::of(scope, format!("{sign} ")).dim(format!("{:>widest$} ", number + 1));
        let Some(item) = task.transcript.items.get(call) else { return row };
        let row = match task.transcript.call(call).filter(|_| !open && item.beginning().len() <= LARGEST_READ) {
            Some(call) => words::call(row, &call),
            None => row.plain(first(item.name())).plain(" ").dim(first(item.beginning())).dim(if open {
                " …"
            } else {
                ""
            }),
        };
        if self.width < 36 || word.is_empty() { row } else { row.end(scope, word) }
    }
}

fn text_row(sign: &str, scope: Scope, item: Option<&Item>) -> Row {
    let Some(item) = item else { return Row::new() };
    let row = Row::of(Scope::Dim, sign).put(scope, first(item.beginning()));
    if item.open { row.dim(" …") } else { row }
}

fn head(task: &Followed) -> Row {
    let t = &task.transcript;
    let calls = task.steps.calls().len();
    let what = match (&task.asked, t.metadata("rehearsal").and_then(|r| r.get("request")).and_then(Json::as_str)) {
        (_, Some(request)) => first(request).to_owned(),
        (Some(asked), None) => first(asked).to_owned(),
        (None, None) => "the task".to_owned(),
    };
    Row::of(Scope::Strong, what).end(Scope::Dim, text::count(calls, "call"))
}

fn event(event: &Fields) -> Row {
    let kind = event.get("type").and_then(Json::as_str).unwrap_or("an event without a type");
    Row::of(Scope::Odd, "? ").put(Scope::Strong, first(kind)).end(Scope::Odd, "unknown event")
}

fn end(task: &Followed) -> Row {
    let t = &task.transcript;
    let (scope, sign) = match t.status() {
        "completed" => (Scope::VerdictPassed, '+'),
        "cancelled" => (Scope::Warn, '-'),
        "incomplete" => (Scope::Warn, '!'),
        _ => (Scope::VerdictFailed, '!'),
    };
    let row = Row::of(scope, format!("{sign} ")).put(Scope::Strong, first(t.status()));
    let error = t.head.get("error").and_then(|e| e.get("message")).and_then(Json::as_str);
    let reason = t.head.get("incomplete_details").and_then(|d| d.get("reason")).and_then(Json::as_str);
    match error.or(reason) {
        Some(why) => row.dim("  ").plain(first(why)),
        None => row,
    }
}
