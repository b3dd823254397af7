//! The tools a task announces, as bytes: each tool as its file writes it, in the order of the block.

use super::raw;
use crate::engine::{Engine, respond};
use crate::schema::conforms;
use crate::task::{Call, ShownTool, Task};
use crate::toolfile::Format;
use crate::value::{Document, Map, Str, Syntax, Value, pointer};
use std::collections::HashMap;

/// Which output schemas are announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Announce {
    /// Those that every answer of the task fits: clients refuse an answer that breaks its schema.
    #[default]
    Fitting,
    /// None.
    Nothing,
}

/// A longer name, with the prefix a client puts before it, is more than some models take.
const LONG_NAME: usize = 64;

/// The longest prefix of a client in use, `mcp__rehearsal__`.
const LONGEST_PREFIX: usize = 16;

/// The tools of a task, ready to be listed.
#[derive(Debug)]
pub struct ToolList {
    /// The list as JSON.
    json: String,
    /// Names whose output schema is announced.
    announced: Vec<Str>,
    names: Vec<Str>,
}

impl ToolList {
    /// The list of a task on the file of those bytes.
    pub fn new(bytes: &[u8], document: &Document, engine: &Engine, announce: Announce) -> Self {
        let task = engine.task();
        let mut file = File::new(bytes, document);
        let (mut json, mut announced) = (String::from("["), Vec::new());
        for (index, shown) in task.block.iter().enumerate() {
            let fits = announce == Announce::Fitting && task.format == Format::Mcp && every_answer_fits(engine, shown);
            if fits {
                announced.push(shown.name.clone());
            }
            if index > 0 {
                json.push(',');
            }
            push_tool(&mut json, &mut file, task, shown, fits);
        }
        json.push(']');
        Self { json, announced, names: task.block.iter().map(|shown| shown.name.clone()).collect() }
    }

    /// The list as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Whether a tool's output schema is announced.
    pub fn announces(&self, tool: &str) -> bool {
        self.announced.iter().any(|name| **name == *tool)
    }

    /// Names that, with the prefix of a client, are longer than some models take.
    pub fn long_names(&self) -> impl Iterator<Item = &Str> {
        self.names.iter().filter(|name| name.chars().count() + LONGEST_PREFIX > LONG_NAME)
    }
}

/// How many further answers of a tool are drawn to see whether they fit its output schema.
const DRAWN: i64 = 24;

/// Whether the answers of a tool fit its output schema: those the solution and the wrong answers get, and drawn ones.
fn every_answer_fits(engine: &Engine, shown: &ShownTool) -> bool {
    let task = engine.task();
    let Some(schema) = &shown.tool.output_schema else { return false };
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return false;
    }
    let key = (&*task.file_digest, task.seed, &*task.split);
    let drawn = |n: i64| respond(key, shown, &Map::from([("probe", n)]).into());
    let mut lists: Vec<&[Call]> = vec![&task.reference_calls];
    lists.extend(task.wrong_answers.iter().map(|wrong| wrong.calls.as_slice()));
    (0..DRAWN).all(|n| conforms(&drawn(n), schema))
        && lists.into_iter().all(|calls| {
            let mut state = engine.start();
            calls.iter().all(|call| {
                let outcome = engine.step(&state, call);
                state = outcome.state;
                let ours = call.tool == shown.name && outcome.answer.code.is_none() && !outcome.answer.is_error;
                !ours || conforms(&outcome.answer.value, schema)
            })
        })
}

/// The members of a tool's definition, each with its JSON.
type Members = Vec<(String, String)>;

fn push_tool(out: &mut String, file: &mut File<'_>, task: &Task, shown: &ShownTool, announced: bool) {
    let members = match task.format {
        Format::Mcp => as_written(file, shown, announced),
        Format::OpenAi | Format::OpenApi => as_mcp(file, task.format, shown),
    };
    out.push('{');
    for (index, (key, json)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&text(key));
        out.push(':');
        out.push_str(json);
    }
    out.push('}');
}

/// Text as JSON.
fn text(text: &str) -> String {
    crate::value::canonical::compact(&Value::from(text), false)
}

/// An MCP tool as the file has it, with the name and description the task shows.
fn as_written(file: &mut File<'_>, shown: &ShownTool, announced: bool) -> Members {
    let tool = &shown.tool;
    let mut members = file.members(&tool.at);
    members.retain(|(key, _)| announced || key != "outputSchema");
    set(&mut members, "name", &tool.original, &shown.name);
    set(&mut members, "description", &tool.description, &shown.description);
    members
}

/// Writes a member anew where the task shows something else than the file.
fn set(members: &mut Members, key: &str, written: &str, shown: &str) {
    if written == shown {
        return;
    }
    match members.iter_mut().find(|(name, _)| name == key) {
        Some(member) => member.1 = text(shown),
        None => members.insert(members.len().min(1), (key.to_owned(), text(shown))),
    }
}

/// A tool of another format as an MCP tool with the same argument schema.
fn as_mcp(file: &mut File<'_>, format: Format, shown: &ShownTool) -> Members {
    let tool = &shown.tool;
    let written = (format == Format::OpenAi).then(|| file.schema(&format!("{}/parameters", tool.at))).flatten();
    let schema = written.unwrap_or_else(|| with_type(&tool.input_schema));
    let mut members = vec![("name".to_owned(), text(&shown.name))];
    if !shown.description.is_empty() {
        members.push(("description".to_owned(), text(&shown.description)));
    }
    members.push(("inputSchema".to_owned(), schema));
    members
}

/// A schema as JSON, its type said: an MCP argument schema has to say it.
fn with_type(schema: &Value) -> String {
    match schema.as_object() {
        Some(map) if !map.contains("type") => {
            let typed = Map::from([("type", "object")]);
            let all: Map = typed.named().chain(map.named()).map(|(k, v)| (k.clone(), v.clone())).collect();
            json(&all.into())
        }
        _ => json(schema),
    }
}

/// A value as JSON that every reader takes: what JSON lacks (NaN, a date) stands as text.
fn json(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// The file, to take texts out of.
struct File<'a> {
    document: &'a Document,
    /// The text, where what it says is JSON to the byte.
    text: Option<&'a str>,
    /// Children of the places that were looked into, by name or index.
    seen: HashMap<Vec<String>, Vec<(String, &'a str)>>,
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8], document: &'a Document) -> Self {
        let plain = document.syntax == Syntax::Json && document.surrogate.is_none();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = plain.then(|| std::str::from_utf8(bytes).ok()).flatten();
        Self { document, text, seen: HashMap::new() }
    }

    /// The text at a place.
    fn raw(&mut self, path: &[String]) -> Option<&'a str> {
        let Some((last, parent)) = path.split_last() else { return self.text };
        if !self.seen.contains_key(parent) {
            let around = self.raw(parent)?;
            let numbered = || Some(raw::items(around)?.into_iter().enumerate().map(|(i, item)| (i.to_string(), item)));
            let children = raw::members(around).or_else(|| numbered().map(Iterator::collect)).unwrap_or_default();
            self.seen.insert(parent.to_vec(), children);
        }
        self.seen.get(parent)?.iter().find(|(name, _)| name == last).map(|(_, text)| *text)
    }

    /// The text at a place, when it is JSON for every reader.
    fn exact(&mut self, at: &str) -> Option<&'a str> {
        let path = pointer::parts(at)?;
        self.raw(&path).filter(|text| !raw::has_words(text))
    }

    /// The members of the object at a place.
    fn members(&mut self, at: &str) -> Members {
        if let Some(members) = self.exact(at).and_then(raw::members) {
            return members.into_iter().map(|(key, text)| (key, raw::minified(text))).collect();
        }
        let object = pointer::resolve(&self.document.root, at).and_then(Value::as_object);
        object.into_iter().flat_map(|map| map.named()).map(|(key, value)| (key.to_string(), json(value))).collect()
    }

    /// The schema at a place, when it can stand alone and says that it is an object's.
    fn schema(&mut self, at: &str) -> Option<String> {
        let text = self.exact(at)?;
        let stands = pointer::resolve(&self.document.root, at)?.get("type").is_some() && !text.contains("\"$ref\"");
        stands.then(|| raw::minified(text))
    }
}
