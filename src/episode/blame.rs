//! Where a value came from: which call wrote it, with which argument, under which dial.
use super::Made;
use crate::engine::explain::{Explanation, Line, Place, Span};
use crate::engine::{Rule, State};
use crate::schema::same;
use crate::task::{Dial, Task};
use crate::text;
use crate::value::{Map, Str, Value, pointer};
use std::sync::Arc;

/// What put a value where it stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Drawn from the tool's output schema for this call, or the fixed parts of an answer without one.
    Drawn,
    /// The call's own argument of that name.
    Argument(Str),
    /// An argument of an earlier write that the read reflects.
    Write {
        /// The write, by index in the store.
        write: usize,
        /// The argument.
        argument: Str,
    },
    /// The task: a step serves it at that path.
    Served {
        /// The step.
        step: usize,
        /// The path.
        path: Str,
    },
    /// The bad read of that level.
    Bad {
        /// 1, 2 or 3.
        level: u32,
        /// The right value.
        right: Value,
    },
    /// The bad read of level 1: it belongs to the answer for another record.
    OtherRecord,
    /// An error, or what the harness said.
    Error,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Blame {
    /// The call that wrote it, by index in the history.
    pub call: usize,
    /// That call's tool.
    pub tool: Str,
    /// What put it there.
    pub source: Source,
    /// The dial that had a hand in it.
    pub dial: Option<Dial>,
    /// A write, by index in the store, that a stale read hid here.
    pub hidden: Option<usize>,
    /// For a value sent in a call: the last answer before it, by index in the history, that held the value, and where.
    pub seen: Option<(usize, String)>,
}

/// Where the value at a JSON pointer of an answer came from; `None` when there is no such call or place.
pub fn blame_answer(task: &Task, calls: &[Arc<Made>], call: usize, at: &str) -> Option<Blame> {
    let made = calls.get(call)?;
    let outcome = &made.outcome;
    let value = pointer::resolve(&outcome.answer.value, at)?;
    let blame = |source, dial| Blame { call, tool: made.call.tool.clone(), source, dial, hidden: None, seen: None };
    if outcome.is_failure() {
        return Some(blame(Source::Error, error_dial(&outcome.rule)));
    }
    let parts = pointer::parts(at)?;
    let top = parts.first().map(String::as_str).unwrap_or_default();
    let shaping = &outcome.shaping;
    if let Some(bad) = &shaping.bad {
        if lies_in(&bad.field, &parts) {
            return Some(blame(Source::Bad { level: bad.level, right: bad.right.clone() }, Some(Dial::BadData)));
        }
        if bad.other.is_some() {
            return Some(blame(Source::OtherRecord, Some(Dial::BadData)));
        }
    }
    if let Some((path, _)) = shaping.served.iter().rev().find(|(path, _)| lies_in(path, &parts)) {
        let step = match outcome.rule {
            Rule::ReadServed { step, .. } | Rule::WriteDone { step, .. } => step,
            _ => 0,
        };
        return Some(blame(Source::Served { step, path: path.clone() }, Some(task.arm.dial)));
    }
    if let Some(name) = shaping.echoed.iter().find(|name| ***name == *top) {
        let seen = seen(calls, call, value);
        return Some(Blame { seen, ..blame(Source::Argument(name.clone()), None) });
    }
    if let Some((name, write)) = shaping.reflected.iter().find(|name| ***name == *top).zip(shaping.reflects) {
        let by = outcome.state.writes().get(write)?.call.checked_sub(1)?;
        let dial = landed(&outcome.state, by);
        let argument = name.clone();
        return Some(Blame {
            call: by,
            tool: calls.get(by)?.call.tool.clone(),
            ..blame(Source::Write { write, argument }, dial)
        });
    }
    let stale = shaping.stale.as_ref().filter(|stale| pointer::resolve(&stale.right_answer, at) != Some(value));
    let dial = stale.map(|_| Dial::Lagged);
    Some(Blame { hidden: stale.map(|stale| stale.missed), ..blame(Source::Drawn, dial) })
}

/// Where the value at a JSON pointer into the arguments of an accepted write came from; `None` when there is no such write
/// or place. A record of the store is the write that moved it.
pub fn blame_write(calls: &[Arc<Made>], state: &State, write: usize, at: &str) -> Option<Blame> {
    let stored = state.writes().get(write)?;
    let call = stored.call.checked_sub(1)?;
    sent(calls, call, &stored.tool, &stored.arguments, at, landed(state, call))
}

/// Where the value at a JSON pointer into the arguments of a call came from; `None` when there is no such call or place.
pub fn blame_sent(calls: &[Arc<Made>], call: usize, at: &str) -> Option<Blame> {
    let made = calls.get(call)?;
    sent(calls, call, &made.call.tool, &made.call.arguments, at, landed(&made.outcome.state, call))
}

fn sent(
    calls: &[Arc<Made>],
    call: usize,
    tool: &Str,
    arguments: &Value,
    at: &str,
    landed: Option<Dial>,
) -> Option<Blame> {
    let value = pointer::resolve(arguments, at)?;
    let argument: Str = pointer::parts(at)?.first().map_or_else(|| "".into(), |name| name.as_str().into());
    let seen = seen(calls, call, value);
    let told = seen.as_ref().and_then(|(index, place)| {
        let bad = calls.get(*index)?.outcome.shaping.bad.as_ref()?;
        (bad.other.is_some() || lies_in(&bad.field, &pointer::parts(place)?)).then_some(Dial::BadData)
    });
    Some(Blame {
        call,
        tool: tool.clone(),
        source: Source::Argument(argument),
        dial: landed.or(told),
        hidden: None,
        seen,
    })
}

/// The dial behind an error answer.
fn error_dial(rule: &Rule) -> Option<Dial> {
    match rule {
        Rule::Fault { .. } => Some(Dial::Faults),
        Rule::PlannedTimeout { .. } => Some(Dial::Timeouts),
        Rule::RateLimit { .. } => Some(Dial::RateLimits),
        Rule::WriteDone { landed: true, .. } => Some(Dial::Landed),
        _ => None,
    }
}

/// The landed dial, when the write of that call (by index) landed behind a timeout.
fn landed(state: &State, call: usize) -> Option<Dial> {
    (state.landed_call() == Some(call + 1)).then_some(Dial::Landed)
}

/// Whether a pointer's parts lead to the place of a served path or into it.
fn lies_in(path: &str, parts: &[String]) -> bool {
    let mut left = parts.iter();
    path.split('.').all(|step| match step.strip_suffix("[]") {
        Some(name) => left.next().is_some_and(|p| p == name) && left.next().is_some_and(|p| p == "0"),
        None => left.next().is_some_and(|p| p == step),
    })
}

/// The last answer before a call that held a value, and where. Values that stand everywhere (booleans, null, the empty
/// ones) are not looked for.
fn seen(calls: &[Arc<Made>], before: usize, value: &Value) -> Option<(usize, String)> {
    let common = match value {
        Value::Null | Value::Bool(_) | Value::Odd(_) => true,
        Value::Str(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => false,
    };
    if common {
        return None;
    }
    let earlier = calls.get(..before)?.iter().enumerate().rev();
    earlier
        .filter(|(_, made)| !made.outcome.is_failure())
        .find_map(|(index, made)| Some((index, find(&made.outcome.answer.value, value, &mut String::new())?)))
}

/// The first place of a value inside another, in document order.
fn find(inside: &Value, value: &Value, at: &mut String) -> Option<String> {
    if same(inside, value) {
        return Some(at.clone());
    }
    let length = at.len();
    let mut below = |step: pointer::Step, child: &Value| {
        pointer::push(at, &step);
        let found = find(child, value, at);
        at.truncate(length);
        found
    };
    match inside {
        Value::Array(items) => items.iter().enumerate().find_map(|(i, item)| below(pointer::Step::Index(i), item)),
        Value::Object(map) => map.named().find_map(|(name, child)| below(pointer::Step::Key(name.clone()), child)),
        _ => None,
    }
}

impl Blame {
    /// The blame in words, with the places it names.
    pub fn words(&self) -> Explanation {
        let call = |index: usize| span(format!("call {}", index + 1), Some(Place::Call(index)));
        let plain = |words: String| span(words, None);
        let tool = text::safe(&self.tool).into_owned();
        let mut line: Line = vec![call(self.call)];
        match &self.source {
            Source::Drawn => line.push(plain(format!(" ({tool}) made it up for its arguments"))),
            Source::Argument(name) if name.is_empty() => line.push(plain(format!(" ({tool}) sent it"))),
            Source::Argument(name) => line.push(plain(format!(" ({tool}) sent it as {}", text::safe(name)))),
            Source::Write { write, argument } => {
                line.push(plain(format!(" ({tool}) wrote it as {}, ", text::safe(argument))));
                line.push(span(format!("write {}", write + 1), Some(Place::Write(*write))));
            }
            Source::Served { step, path } => {
                line.push(plain(format!(" ({tool}) was served {} by ", text::safe(path))));
                line.push(span(format!("step {step}"), Some(Place::Step(*step))));
            }
            Source::Bad { level, right } => {
                let right = crate::value::canonical::compact(right, true);
                line.push(plain(format!(" ({tool}) was the bad read, level {level}: the right value is {right}")));
            }
            Source::OtherRecord => {
                line.push(plain(format!(" ({tool}) was the bad read: it answered for another record")));
            }
            Source::Error => line.push(plain(format!(" ({tool}) failed"))),
        }
        if let Some(write) = self.hidden {
            line.push(plain("; it was the stale read and hid ".to_owned()));
            line.push(span(format!("write {}", write + 1), Some(Place::Write(write))));
        }
        if let Some((index, at)) = &self.seen {
            line.push(plain("; the value came from the answer of ".to_owned()));
            line.push(call(*index));
            line.push(plain(format!(" at {}", text::safe(pointer::name(at)))));
        }
        if let Some(dial) = self.dial {
            line.push(plain(format!(" ({} dial)", dial.word())));
        }
        line.push(plain(".".to_owned()));
        if let Some(first) = line.first_mut() {
            first.text.replace_range(..1, "C");
        }
        Explanation { lines: vec![line] }
    }

    /// The argument as which the request states a value that was sent.
    pub fn stated(&self, task: &Task, value: &Value) -> Option<Str> {
        if !matches!(self.source, Source::Argument(_)) {
            return None;
        }
        let stated = task.stated.iter().map(|(name, stated)| (name, stated));
        let named = task.named_reads.iter().filter_map(|read| read.arguments.as_object()).flat_map(Map::named);
        // Of several steps the request states each one's own values; those that a step it needs serves it does not.
        let own = |step: &crate::task::Step, value: &Value| {
            let needs = step.needs.iter().filter_map(|need| task.steps.get(*need));
            !needs.flat_map(|need| &need.serves).any(|(_, served)| same(served, value))
        };
        let steps = task.steps.iter().filter(|step| step.tool == self.tool);
        let asked = steps.flat_map(|step| step.matching.iter().filter(move |(_, value)| own(step, value)));
        let asked = asked.map(|(name, value)| (name, value));
        stated.chain(named).chain(asked).find(|(_, stated)| same(stated, value)).map(|(name, _)| name.clone())
    }

    /// `{call, tool, source, dial, hidden, seen, words}`; calls and writes are counted from 1.
    pub fn to_value(&self) -> Value {
        let source = match &self.source {
            Source::Drawn => "drawn",
            Source::Argument(_) => "argument",
            Source::Write { .. } => "write",
            Source::Served { .. } => "served",
            Source::Bad { .. } => "bad_read",
            Source::OtherRecord => "other_record",
            Source::Error => "error",
        };
        let argument = match &self.source {
            Source::Argument(name) | Source::Write { argument: name, .. } => Some(name.clone()),
            _ => None,
        };
        let seen = self
            .seen
            .as_ref()
            .map(|(call, at)| Map::from([("call", Value::from(call + 1)), ("at", at.as_str().into())]));
        Map::from([
            ("call", Value::from(self.call + 1)),
            ("tool", (&self.tool).into()),
            ("source", source.into()),
            ("argument", argument.into()),
            ("dial", self.dial.map(|dial| Value::str(dial.word())).into()),
            ("hidden", self.hidden.map(|write| write + 1).into()),
            ("seen", seen.into()),
            ("words", self.words().text().into()),
        ])
        .into()
    }
}

fn span(text: String, place: Option<Place>) -> Span {
    Span { text, place }
}
