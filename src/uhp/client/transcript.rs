//! A response as a person reads it: its items in order, each call with its answer, where the server did not do as
//! asked. Pure: events and whole responses go in, from a stream, from reading back or from a saved file.
//!
//! Nothing that a server sends is lost: an item or an event of an unknown kind is kept as it came.

use super::events::LAST;
use crate::task::Call;
use crate::uhp::wire::{Fields, Json};
use crate::value;
use std::collections::{HashMap, VecDeque};

/// Largest saved response read, in bytes.
pub const LARGEST: usize = 64 << 20;

/// Most bytes of events kept: a server that never stops must not fill the memory.
const MOST_TAKEN: usize = 256 << 20;

/// What an event did to a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It was the next.
    Next,
    /// It, or one after it, was there before.
    Seen,
    /// Events before it are missing: their first number and how many.
    Gap(u64, u64),
}

/// One item as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The item as the server has it, deltas joined in.
    pub raw: Fields,
    /// Whether more of it may come.
    pub open: bool,
}

impl Item {
    /// `message`, `reasoning`, `function_call`, `function_call_output`, or another.
    pub fn kind(&self) -> &str {
        self.text_of("type")
    }

    /// Roughly how much there is of it: grows with every delta.
    pub fn weight(&self) -> usize {
        self.raw.values().map(weight).sum()
    }

    /// The tool of a call.
    pub fn name(&self) -> &str {
        self.text_of("name")
    }

    /// The text it begins with, as it stands in the item: of a message or reasoning its first part.
    pub fn beginning(&self) -> &str {
        let part = |key: &str| {
            let first = self.raw.get(key).and_then(Json::as_array).and_then(|list| list.first());
            first.and_then(|p| p.get("text")).and_then(Json::as_str).unwrap_or_default()
        };
        match self.kind() {
            "message" => part("content"),
            "reasoning" => part("summary"),
            "function_call" => self.text_of("arguments"),
            "function_call_output" => self.text_of("output"),
            _ => "",
        }
    }

    /// What pairs a call with its answer; empty when there is nothing.
    pub fn call_id(&self) -> &str {
        self.text_of("call_id")
    }

    fn text_of(&self, key: &str) -> &str {
        self.raw.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// Its text: of a message its parts, of reasoning its summary, of a call its arguments, of an answer its output.
    pub fn text(&self) -> String {
        let joined = |key: &str| {
            let parts = self.raw.get(key).and_then(Json::as_array).into_iter().flatten();
            parts.filter_map(|p| p.get("text").and_then(Json::as_str)).collect::<Vec<_>>().join("\n")
        };
        match self.kind() {
            "message" => joined("content"),
            "reasoning" => joined("summary"),
            "function_call" => self.text_of("arguments").to_owned(),
            "function_call_output" => match self.raw.get("output") {
                Some(Json::String(text)) => text.clone(),
                Some(Json::Null) | None => String::new(),
                Some(other) => other.to_string(),
            },
            _ => Json::Object(self.raw.clone()).to_string(),
        }
    }

    /// Files that its parts name.
    pub fn citations(&self) -> Vec<&Fields> {
        let parts = self.raw.get("content").and_then(Json::as_array).into_iter().flatten();
        let annotations = parts.filter_map(|p| p.get("annotations").and_then(Json::as_array)).flatten();
        annotations.filter_map(Json::as_object).collect()
    }
}

/// One step of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// What the agent thought: the item's place.
    Reasoning(usize),
    /// What it said.
    Message(usize),
    /// A call, and its answer once there is one.
    Call {
        /// Place of the call.
        call: usize,
        /// Place of its answer.
        answer: Option<usize>,
    },
    /// An answer whose call is not there.
    Answer(usize),
    /// An item of another kind.
    Other(usize),
}

impl Step {
    /// The step that an item by itself is.
    pub(super) fn of(at: usize, item: &Item) -> Self {
        match item.kind() {
            "reasoning" => Step::Reasoning(at),
            "message" => Step::Message(at),
            "function_call" => Step::Call { call: at, answer: None },
            "function_call_output" => Step::Answer(at),
            _ => Step::Other(at),
        }
    }
}

/// A response as it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// The response without its output.
    pub head: Fields,
    /// Its items, in order.
    pub items: Vec<Item>,
    /// Events of kinds that are not known, as they came.
    pub unknown: Vec<Fields>,
    /// Warnings of the server on the way: message and code.
    pub warnings: Vec<String>,
    /// The number of the latest event.
    pub last: Option<u64>,
    /// Bytes taken in as events, and whether more came than is kept.
    taken: usize,
    /// Whether the server sent more than is kept; only its last event is still taken.
    pub is_cut: bool,
    /// The latest item of each id.
    places: HashMap<String, usize>,
}

impl Transcript {
    /// Reads a saved response: the object itself, or a body that holds it under `response`.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > LARGEST {
            return Err(format!("it is larger than {LARGEST} bytes"));
        }
        let body: Json = serde_json::from_slice(bytes).map_err(|e| format!("it is not JSON: {e}"))?;
        let response = if body.get("object").is_none() { body.get("response").unwrap_or(&body) } else { &body };
        if !Self::is_response(response) {
            return Err("not a response of the protocol".to_owned());
        }
        Ok(Self::of(response))
    }

    /// Whether a value is a response.
    pub fn is_response(value: &Json) -> bool {
        value.get("object").and_then(Json::as_str) == Some("response")
            && value.get("output").is_some_and(Json::is_array)
            && value.get("status").is_some_and(Json::is_string)
    }

    /// The transcript of a whole response.
    pub fn of(response: &Json) -> Self {
        let mut transcript = Self::default();
        transcript.replace(response);
        transcript
    }

    /// Takes a whole response in the place of what is there: a whole response is right where deltas differ.
    pub fn replace(&mut self, response: &Json) {
        let Some(fields) = response.as_object() else { return };
        self.head.clone_from(fields);
        let output = self.head.remove("output");
        let running = !self.is_over();
        let items = output.as_ref().and_then(Json::as_array).into_iter().flatten();
        self.items = items
            .filter_map(Json::as_object)
            .map(|raw| Item {
                open: running && raw.get("status").and_then(Json::as_str) == Some("in_progress"),
                raw: raw.clone(),
            })
            .collect();
        let named = self.items.iter().enumerate().map(|(at, item)| (item.text_of("id").to_owned(), at));
        self.places = named.filter(|(id, _)| !id.is_empty()).collect();
    }

    /// Takes an event in. One that was there before changes nothing; one after a gap is taken, and the gap said.
    pub fn apply(&mut self, event: &Fields) -> Applied {
        let number = event.get("sequence_number").and_then(Json::as_u64);
        let expected = self.last.map_or(0, |l| l + 1);
        let applied = match number {
            Some(n) if n < expected => return Applied::Seen,
            Some(n) if n > expected => Applied::Gap(expected, n - expected),
            _ => Applied::Next,
        };
        self.last = number.or(self.last);
        self.taken = event.values().map(weight).sum::<usize>().saturating_add(self.taken);
        self.is_cut |= self.taken > MOST_TAKEN;
        let ends = event.get("type").and_then(Json::as_str).is_some_and(|t| LAST.contains(&t));
        if !self.is_cut || ends {
            self.tell(event);
        }
        applied
    }

    fn tell(&mut self, event: &Fields) {
        let text = |key: &str| event.get(key).and_then(Json::as_str);
        let kind = text("type").unwrap_or_default();
        if let Some(response) = event.get("response").filter(|_| kind.starts_with("response.")) {
            // The first events repeat the response before it has output; they must not undo what came.
            if LAST.contains(&kind) || self.items.is_empty() {
                self.replace(response);
            }
            return;
        }
        match kind {
            "response.output_item.added" | "response.output_item.done" => {
                let Some(raw) = event.get("item").and_then(Json::as_object) else { return };
                let item = Item { raw: raw.clone(), open: kind.ends_with("added") };
                let at = self.place(event).unwrap_or(self.items.len());
                if !item.text_of("id").is_empty() {
                    self.places.insert(item.text_of("id").to_owned(), at);
                }
                match self.items.get_mut(at) {
                    Some(there) => *there = item,
                    None => self.items.push(item),
                }
            }
            "response.output_text.delta" => self.grow(event, "content"),
            "response.reasoning_summary_text.delta" => self.grow(event, "summary"),
            "response.function_call_arguments.delta" => {
                let (Some(at), Some(delta)) = (self.place(event), text("delta")) else { return };
                grow(&mut self.items[at].raw, "arguments", delta);
            }
            "response.function_call_arguments.done" => {
                let (Some(at), Some(whole)) = (self.place(event), text("arguments")) else { return };
                self.items[at].raw.insert("arguments".into(), Json::String(whole.to_owned()));
            }
            "response.content_part.added" | "response.content_part.done" => self.part(event, "content"),
            "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done" => {
                self.part(event, "summary");
            }
            "response.output_text.annotation.added" => {
                let (Some(at), Some(annotation)) = (self.place(event), event.get("annotation")) else { return };
                if let Some(part) = self.items[at].part_mut("content", index(event, "content_index")) {
                    match part.get_mut("annotations").and_then(Json::as_array_mut) {
                        Some(list) => list.push(annotation.clone()),
                        None => {
                            part.insert("annotations".into(), Json::Array(vec![annotation.clone()]));
                        }
                    }
                }
            }
            "response.output_text.done" | "response.reasoning_summary_text.done" => {}
            "error" => {
                let code = text("code").map(|c| format!(" ({c})")).unwrap_or_default();
                self.warnings.push(format!("{}{code}", text("message").unwrap_or("an error without words")));
            }
            _ => self.unknown.push(event.clone()),
        }
    }

    /// The place of the item that an event is about: by its id, else by its index.
    fn place(&self, event: &Fields) -> Option<usize> {
        let id = event.get("item_id").or_else(|| event.get("item")?.get("id")).and_then(Json::as_str);
        let by_id = id.and_then(|id| self.places.get(id).copied());
        by_id.or_else(|| {
            let at = index(event, "output_index")?;
            (at < self.items.len()).then_some(at)
        })
    }

    fn grow(&mut self, event: &Fields, list: &str) {
        let which = if list == "content" { "content_index" } else { "summary_index" };
        let Some(at) = self.place(event) else { return };
        let Some(delta) = event.get("delta").and_then(Json::as_str) else { return };
        if let Some(part) = self.items[at].part_mut(list, index(event, which)) {
            grow(part, "text", delta);
        }
    }

    fn part(&mut self, event: &Fields, list: &str) {
        let which = if list == "content" { "content_index" } else { "summary_index" };
        let (Some(at), Some(part)) = (self.place(event), event.get("part").and_then(Json::as_object)) else { return };
        if let Some(there) = self.items[at].part_mut(list, index(event, which)) {
            there.clone_from(part);
        }
    }

    /// `in_progress`, `completed`, `failed`, `incomplete`, `cancelled`, or what else the server says.
    pub fn status(&self) -> &str {
        self.head_text("status").unwrap_or("in_progress")
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        super::events::is_final(self.status())
    }

    /// A text field of the response.
    pub fn head_text(&self, key: &str) -> Option<&str> {
        self.head.get(key).and_then(Json::as_str)
    }

    /// A field of the response's metadata.
    pub fn metadata(&self, key: &str) -> Option<&Json> {
        self.head.get("metadata").and_then(|m| m.get(key))
    }

    /// The items as steps: each call beside its answer, everything else where it stands.
    pub fn steps(&self) -> Vec<Step> {
        let mut answers: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (at, item) in self.items.iter().enumerate().filter(|(_, i)| i.kind() == "function_call_output") {
            answers.entry(item.call_id()).or_default().push_back(at);
        }
        let mut answered: Vec<Option<usize>> = vec![None; self.items.len()];
        let mut taken = vec![false; self.items.len()];
        for (at, item) in self.items.iter().enumerate().filter(|(_, i)| i.kind() == "function_call") {
            let id = item.call_id();
            let Some(answer) = answers.get_mut(id).filter(|_| !id.is_empty()).and_then(VecDeque::pop_front) else {
                continue;
            };
            answered[at] = Some(answer);
            taken[answer] = true;
        }
        let step = |(at, item): (usize, &Item)| match item.kind() {
            "function_call" => Some(Step::Call { call: at, answer: answered[at] }),
            "function_call_output" => (!taken[at]).then_some(Step::Answer(at)),
            _ => Some(Step::of(at, item)),
        };
        self.items.iter().enumerate().filter_map(step).collect()
    }

    /// The call that an item is, numbers of its arguments spelled as sent. Arguments that are not JSON stand as text, as
    /// an agent's harness would see them.
    pub fn call(&self, at: usize) -> Option<Call> {
        let item = self.items.get(at).filter(|i| i.kind() == "function_call")?;
        let text = item.text_of("arguments");
        let arguments =
            value::read_json(text.as_bytes()).map_or_else(|_| value::Value::str(text), |document| document.root);
        Some(Call { tool: item.text_of("name").into(), arguments })
    }

    /// The calls in order, each with the text of its answer.
    pub fn calls(&self) -> Vec<(Call, Option<String>)> {
        let made = |step: Step| match step {
            Step::Call { call, answer } => Some((self.call(call)?, answer.map(|a| self.items[a].text()))),
            _ => None,
        };
        self.steps().into_iter().filter_map(made).collect()
    }

    /// What a person should know of the response beside its output, a line each: the model that ran and the one asked
    /// for, fields ignored, usage or that none is accounted, why it ended.
    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        let model = self.head_text("model").unwrap_or("not named");
        facts.push(match self.metadata("requested_model").and_then(Json::as_str) {
            Some(asked) => format!("model {model}, not {asked} as asked for"),
            None => format!("model {model}"),
        });
        if let Some(reason) = self.metadata("model_fallback_reason").and_then(Json::as_str) {
            facts.push(format!("why another model: {reason}"));
        }
        let ignored = self.metadata("ignored_fields").and_then(Json::as_array).into_iter().flatten();
        let ignored: Vec<&str> = ignored.filter_map(Json::as_str).collect();
        if !ignored.is_empty() {
            facts.push(format!("ignored: {}", ignored.join(", ")));
        }
        match self.head.get("usage").and_then(Json::as_object) {
            Some(usage) => {
                let count = |k: &str| usage.get(k).and_then(Json::as_u64).map_or("?".to_owned(), |n| n.to_string());
                facts.push(format!("tokens: {} in, {} out", count("input_tokens"), count("output_tokens")));
            }
            None if self.is_over() => facts.push("usage is not accounted".to_owned()),
            None => {}
        }
        if let Some(error) = self.head.get("error").filter(|e| e.is_object()) {
            let text = |k: &str| error.get(k).and_then(Json::as_str).unwrap_or("?");
            facts.push(format!("error {}: {}", text("code"), text("message")));
        }
        if let Some(details) = self.head.get("incomplete_details").filter(|d| d.is_object()) {
            let reason =
                details.get("reason").and_then(Json::as_str).map_or_else(|| details.to_string(), str::to_owned);
            facts.push(format!("stopped by a budget: {reason}"));
        }
        facts
    }

    /// The response as one object again.
    pub fn to_json(&self) -> Json {
        let mut whole = self.head.clone();
        let output = self.items.iter().map(|i| Json::Object(i.raw.clone())).collect();
        whole.insert("output".into(), Json::Array(output));
        Json::Object(whole)
    }
}

impl Item {
    /// A part of one of its lists; the next one is made when it is not there yet.
    fn part_mut(&mut self, list: &str, at: Option<usize>) -> Option<&mut Fields> {
        let parts = self.raw.entry(list).or_insert_with(|| Json::Array(Vec::new())).as_array_mut()?;
        let at = at.unwrap_or_else(|| parts.len().saturating_sub(1));
        if at == parts.len() {
            parts.push(Json::Object(Fields::new()));
        }
        parts.get_mut(at)?.as_object_mut()
    }
}

/// Appends to a text field, made when it is not there.
fn grow(fields: &mut Fields, key: &str, delta: &str) {
    match fields.get_mut(key) {
        Some(Json::String(text)) => text.push_str(delta),
        _ => {
            fields.insert(key.to_owned(), Json::String(delta.to_owned()));
        }
    }
}

/// Roughly the bytes that a value takes.
fn weight(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len() + 8,
        Json::Array(list) => list.iter().map(weight).sum::<usize>() + 16,
        Json::Object(map) => map.iter().map(|(k, v)| k.len() + weight(v)).sum::<usize>() + 16,
        _ => 8,
    }
}

fn index(event: &Fields, key: &str) -> Option<usize> {
    event.get(key).and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok())
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
