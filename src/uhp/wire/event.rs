//! Events, and the composer that tells a task as events and as a response at once, so that the two never differ.
//!
//! A [`Beat`] is one event. [`Composer::apply`] turns it into the event's JSON and changes the response to match; a task
//! stopped between any two beats is closed by [`Composer::closers`] and [`Composer::finish`].

use super::error::{Code, ErrorBody, Problem};
use super::response::{Annotation, Item, Part, Response, Status};
use super::{Fields, Json};
use serde_json::json;

/// Most deltas for one text; a longer text comes in larger pieces.
const MOST_DELTAS: usize = 8;

/// Fewest characters of a delta but the last.
const FEWEST_CHARS: usize = 24;

/// Kinds of items, in the order that ids are counted in.
const KINDS: [&str; 4] = ["reasoning", "function_call", "function_call_output", "message"];

/// One thing a task does, to be told as events.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Why the player chose what comes next.
    Reasoning(String),
    /// A call: the tool and its arguments as JSON text.
    Call {
        /// The tool.
        name: String,
        /// JSON as text.
        arguments: String,
    },
    /// The answer of the latest call.
    Answer(String),
    /// More of the message.
    Say(String),
}

/// One event to come.
#[derive(Debug, Clone, PartialEq)]
pub enum Beat {
    /// The task is under way; the event says what is known of it by now.
    Begin,
    /// An item begins.
    Open(Item),
    /// The text part of the open message, or the summary part of the open reasoning, begins.
    OpenPart,
    /// More text of the open item: message, summary or arguments.
    Delta(String),
    /// The message names an artifact.
    Annotate(Annotation),
    /// The text of the message, or the arguments of the call, are whole.
    TextDone,
    /// The part is whole.
    PartDone,
    /// The item is whole; an answer's text comes with it.
    Close(Option<String>),
    /// Something went wrong that does not end the task.
    Warn(Problem),
}

/// What of the open item has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Told {
    part: bool,
    text: bool,
    part_done: bool,
}

/// Tells one task.
#[derive(Debug, Clone)]
pub struct Composer {
    response: Response,
    next: u64,
    open: Option<Told>,
    counts: [usize; 4],
}

impl Composer {
    /// Begins to tell a task whose response is in progress, `next` being the number of its next event.
    pub fn new(response: Response, next: u64) -> Self {
        let counts = KINDS.map(|kind| response.output.iter().filter(|i| i.kind == kind).count());
        Self { response, next, open: None, counts }
    }

    /// Takes a task up again from its response as it was created and the events told so far: the composer that told
    /// them. Events that are not this composer's own are skipped.
    pub fn replay(response: Response, events: &[impl AsRef<str>]) -> Self {
        let mut composer = Self::new(response, 0);
        for event in events {
            let Ok(event) = serde_json::from_str::<Json>(event.as_ref()) else { continue };
            if let Some(beat) = beat_of(&event) {
                if let Beat::Open(item) = &beat {
                    composer.count(&item.kind);
                }
                composer.apply(beat, event["item"]["status"] != "incomplete");
            }
        }
        composer.next = events.len() as u64;
        composer
    }

    /// The response so far.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// Changes the response's metadata.
    pub fn metadata(&mut self) -> &mut Fields {
        &mut self.response.metadata
    }

    /// Whether a message is open: more can be said.
    pub fn is_saying(&self) -> bool {
        self.open.is_some() && self.response.output.last().is_some_and(|i| i.kind == "message")
    }

    /// The first event: the task was created.
    pub fn begin(&mut self) -> String {
        let response = self.response.json();
        self.event("response.created", json!({ "response": response }))
    }

    /// The beats of a step from here. A step that begins another item closes an open message first.
    pub fn beats(&mut self, step: Step) -> Vec<Beat> {
        let mut beats = Vec::new();
        if let Step::Say(text) = step {
            if !self.is_saying() {
                let id = self.mint(3, "msg");
                let item = Item { role: Some("assistant".into()), content: Some(vec![]), ..item(id, "message") };
                beats.extend([Beat::Open(item), Beat::OpenPart]);
            }
            beats.extend(pieces(&text).map(Beat::Delta));
            return beats;
        }
        beats.extend(self.closers());
        match step {
            Step::Reasoning(text) => {
                let id = self.mint(0, "rs");
                beats.extend([Beat::Open(Item { summary: Some(vec![]), ..item(id, "reasoning") }), Beat::OpenPart]);
                beats.extend(pieces(&text).map(Beat::Delta));
                beats.extend([Beat::PartDone, Beat::Close(None)]);
            }
            Step::Call { name, arguments } => {
                let id = self.mint(1, "fc");
                let call_id = Some(format!("call_{}", self.counts[1]));
                let (name, empty) = (Some(name), Some(String::new()));
                beats.push(Beat::Open(Item { call_id, name, arguments: empty, ..item(id, "function_call") }));
                beats.extend(pieces(&arguments).map(Beat::Delta));
                beats.extend([Beat::TextDone, Beat::Close(None)]);
            }
            Step::Answer(text) => {
                let id = self.mint(2, "fco");
                let call_id = Some(format!("call_{}", self.counts[1]));
                let output = Some(String::new());
                beats.push(Beat::Open(Item { call_id, output, ..item(id, "function_call_output") }));
                beats.push(Beat::Close(Some(text)));
            }
            Step::Say(_) => {}
        }
        beats
    }

    /// The beats that close what is open, whatever has been told of it.
    pub fn closers(&self) -> Vec<Beat> {
        let Some(told) = self.open else { return Vec::new() };
        let mut beats = Vec::new();
        match self.response.output.last().map(|i| i.kind.as_str()) {
            Some("message") if told.part => {
                if !told.text {
                    beats.push(Beat::TextDone);
                }
                if !told.part_done {
                    beats.push(Beat::PartDone);
                }
            }
            Some("reasoning") if told.part && !told.part_done => beats.push(Beat::PartDone),
            Some("function_call") if !told.text => beats.push(Beat::TextDone),
            _ => {}
        }
        beats.push(Beat::Close(None));
        beats
    }

    /// Tells one beat: the event's JSON. `whole` is false when the task is being stopped, so that a closed item says it
    /// is incomplete. A beat about an item when none has begun becomes an `error` event: nothing is lost or guessed.
    pub fn apply(&mut self, beat: Beat, whole: bool) -> String {
        let (kind, body) = match beat {
            Beat::Begin => ("response.in_progress", json!({ "response": self.response.json() })),
            Beat::Warn(problem) => ("error", warning(&problem)),
            Beat::Open(item) => {
                let body = json!({ "output_index": self.response.output.len(), "item": item });
                self.response.output.push(item);
                self.open = Some(Told::default());
                ("response.output_item.added", body)
            }
            beat => {
                let index = self.response.output.len().saturating_sub(1);
                match (self.response.output.last_mut(), &mut self.open) {
                    (Some(item), Some(told)) => {
                        let closes = matches!(beat, Beat::Close(_));
                        let (kind, mut body) = tell(item, told, beat, whole);
                        body["output_index"] = json!(index);
                        if closes {
                            self.open = None;
                        }
                        (kind, body)
                    }
                    _ => {
                        ("error", warning(&Problem::new(Code::Internal, "An event came for an item that is not open.")))
                    }
                }
            }
        };
        self.event(kind, body)
    }

    /// The last event: the task ended so. `error` belongs to a failed one, `reason` to an incomplete one.
    pub fn finish(&mut self, status: Status, error: Option<ErrorBody>, reason: Option<&str>) -> String {
        self.response.status = status;
        self.response.error = error;
        self.response.incomplete_details = reason.map(|r| Fields::from_iter([("reason".to_owned(), json!(r))]));
        let name = match status {
            Status::Completed => "response.completed",
            Status::Incomplete => "response.incomplete",
            Status::Failed | Status::Cancelled | Status::InProgress => "response.failed",
        };
        let response = self.response.json();
        self.event(name, json!({ "response": response }))
    }

    fn event(&mut self, kind: &str, mut body: Json) -> String {
        body["type"] = json!(kind);
        body["sequence_number"] = json!(self.next);
        self.next += 1;
        body.to_string()
    }

    fn mint(&mut self, which: usize, prefix: &str) -> String {
        self.counts[which] += 1;
        format!("{prefix}_{}", self.counts[which])
    }

    fn count(&mut self, kind: &str) {
        if let Some(which) = KINDS.iter().position(|k| *k == kind) {
            self.counts[which] += 1;
        }
    }
}

/// The beat that an event told.
fn beat_of(event: &Json) -> Option<Beat> {
    let text = |key: &str| event[key].as_str().map(str::to_owned);
    Some(match event["type"].as_str()? {
        "response.output_item.added" => Beat::Open(serde_json::from_value(event["item"].clone()).ok()?),
        "response.content_part.added" | "response.reasoning_summary_part.added" => Beat::OpenPart,
        "response.output_text.delta"
        | "response.reasoning_summary_text.delta"
        | "response.function_call_arguments.delta" => Beat::Delta(text("delta")?),
        "response.output_text.annotation.added" => {
            Beat::Annotate(serde_json::from_value(event["annotation"].clone()).ok()?)
        }
        "response.output_text.done" | "response.function_call_arguments.done" => Beat::TextDone,
        "response.content_part.done" | "response.reasoning_summary_part.done" => Beat::PartDone,
        "response.output_item.done" => Beat::Close(event["item"]["output"].as_str().map(str::to_owned)),
        _ => return None,
    })
}

/// Changes the open item by one beat and says it: the event's name and its fields, but for the item's place.
fn tell(item: &mut Item, told: &mut Told, beat: Beat, whole: bool) -> (&'static str, Json) {
    let id = item.id.clone();
    let is_call = item.arguments.is_some();
    let is_reasoning = item.summary.is_some();
    match beat {
        Beat::OpenPart if is_reasoning => {
            told.part = true;
            let part = json!({ "type": "summary_text", "text": "" });
            item.summary.get_or_insert_default().push(part.clone());
            let body = json!({ "item_id": id, "summary_index": 0, "part": part });
            ("response.reasoning_summary_part.added", body)
        }
        Beat::OpenPart => {
            told.part = true;
            item.content.get_or_insert_default().push(Part::empty());
            let body = json!({ "item_id": id, "content_index": 0, "part": Part::empty() });
            ("response.content_part.added", body)
        }
        Beat::Delta(delta) if is_call => {
            item.arguments.get_or_insert_default().push_str(&delta);
            ("response.function_call_arguments.delta", json!({ "item_id": id, "delta": delta }))
        }
        Beat::Delta(delta) if is_reasoning => {
            if let Some(part) = item.summary.iter_mut().flatten().last() {
                let text = part["text"].as_str().unwrap_or_default().to_owned() + &delta;
                part["text"] = json!(text);
            }
            let body = json!({ "item_id": id, "summary_index": 0, "delta": delta });
            ("response.reasoning_summary_text.delta", body)
        }
        Beat::Delta(delta) => {
            if let Some(part) = item.content.iter_mut().flatten().last() {
                part.text.push_str(&delta);
            }
            ("response.output_text.delta", json!({ "item_id": id, "content_index": 0, "delta": delta }))
        }
        Beat::Annotate(annotation) => {
            let mut at = 0;
            let body = json!(annotation);
            if let Some(part) = item.content.iter_mut().flatten().last() {
                at = part.annotations.len();
                part.annotations.push(annotation);
            }
            let body = json!({ "item_id": id, "content_index": 0, "annotation_index": at, "annotation": body });
            ("response.output_text.annotation.added", body)
        }
        Beat::TextDone if is_call => {
            told.text = true;
            let body = json!({ "item_id": id, "arguments": item.arguments });
            ("response.function_call_arguments.done", body)
        }
        Beat::TextDone => {
            told.text = true;
            let text = item.content.iter().flatten().last().map_or("", |p| p.text.as_str());
            ("response.output_text.done", json!({ "item_id": id, "content_index": 0, "text": text }))
        }
        Beat::PartDone if is_reasoning => {
            told.part_done = true;
            let part = item.summary.iter().flatten().last();
            let body = json!({ "item_id": id, "summary_index": 0, "part": part });
            ("response.reasoning_summary_part.done", body)
        }
        Beat::PartDone => {
            told.part_done = true;
            let part = item.content.iter().flatten().last();
            ("response.content_part.done", json!({ "item_id": id, "content_index": 0, "part": part }))
        }
        Beat::Close(answer) => {
            if let Some(text) = answer {
                item.output = Some(text);
            }
            item.status = if whole { "completed" } else { "incomplete" }.to_owned();
            ("response.output_item.done", json!({ "item": item }))
        }
        Beat::Begin | Beat::Open(_) | Beat::Warn(_) => ("error", json!({})),
    }
}

fn warning(problem: &Problem) -> Json {
    json!({ "code": problem.code.word(), "message": problem.message, "param": problem.param })
}

fn item(id: String, kind: &str) -> Item {
    Item { id, kind: kind.to_owned(), status: "in_progress".to_owned(), ..Item::default() }
}

/// A text in few pieces, none of them cut inside a character; an empty text has none.
fn pieces(text: &str) -> impl Iterator<Item = String> + use<> {
    let chars: Vec<char> = text.chars().collect();
    let size = chars.len().div_ceil(MOST_DELTAS).max(FEWEST_CHARS);
    chars.chunks(size).map(|c| c.iter().collect()).collect::<Vec<String>>().into_iter()
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
