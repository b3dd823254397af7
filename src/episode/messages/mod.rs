//! What the agent sees: exactly the messages a model would get up to here, in the format of the tool file.
//!
//! An OpenAI file shows the chat messages, an MCP file the JSON-RPC requests and results beside the prompt, an OpenAPI
//! document the HTTP requests and responses. The opening is made once, each call's exchange when it is asked for, so that a
//! long episode is shown a window at a time.
mod http;
mod tools;

pub use tools::tools;

use super::Made;
use crate::task::{Call, HistoryPair, Task};
use crate::toolfile::Format;
use crate::value::{Map, Str, Value, call_text, canonical};

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The system prompt.
    System,
    /// The request.
    User,
    /// The model: a call.
    Assistant,
    /// The tool: an answer.
    Tool,
    /// The harness, to a call that reaches no tool.
    Harness,
}

impl Role {
    /// `system`, `user`, `assistant`, `tool` or `harness`.
    pub fn word(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Harness => "harness",
        }
    }
}

/// What a message is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A JSON message, as it goes to the model or over the wire.
    Json(Value),
    /// An HTTP request or response.
    Http(String),
    /// Plain text.
    Text(Str),
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// The call it belongs to, by index in the history; `None` in the opening.
    pub call: Option<usize>,
    /// What it says.
    pub body: Body,
}

impl Message {
    /// `{role, call, message}`: the call's number from 1, null in the opening; the message as JSON, or as text.
    pub fn to_value(&self) -> Value {
        let message = match &self.body {
            Body::Json(value) => value.clone(),
            Body::Http(text) => text.as_str().into(),
            Body::Text(text) => text.into(),
        };
        let call = self.call.map(|call| call + 1);
        Map::from([("role", Value::str(self.role.word())), ("call", call.into()), ("message", message)]).into()
    }

    /// The message as text, whole, to copy. Untrusted: show it through `text`.
    pub fn text(&self) -> String {
        match &self.body {
            Body::Json(value) => canonical::pretty(value, false),
            Body::Http(text) => text.clone(),
            Body::Text(text) => text.to_string(),
        }
    }
}

/// What comes before the first call: the system prompt, the request, and on the history dial the earlier conversation.
pub fn opening(task: &Task) -> Vec<Message> {
    let say = |role: Role, text: &Str| {
        let body = match task.format {
            Format::OpenAi => {
                Body::Json(Map::from([("role", Value::str(role.word())), ("content", Value::from(text))]).into())
            }
            Format::Mcp | Format::OpenApi => Body::Text(text.clone()),
        };
        Message { role, call: None, body }
    };
    let mut messages = vec![say(Role::System, &task.system_prompt), say(Role::User, &task.request)];
    for (i, pair) in history(task).iter().enumerate() {
        let text: Str = call_text(&pair.answer).into();
        let structured = pair.answer.as_object().is_some() && has_output_schema(task, &pair.call.tool);
        let answer = Told { text: &text, structured: structured.then_some(&pair.answer), is_error: false, status: 200 };
        exchange_of(&mut messages, task, None, i, &pair.call, &answer);
    }
    messages
}

/// The messages of one call of the history: the call and its answer.
pub fn exchange(task: &Task, index: usize, made: &Made) -> Vec<Message> {
    let mut messages = Vec::with_capacity(2);
    let answer = &made.outcome.answer;
    let number = history(task).len() + index;
    if made.outcome.reached_no_tool() && task.format != Format::OpenAi {
        // No request is made of a call that reaches no tool.
        let call = Body::Json(made.call.to_value());
        messages.push(Message { role: Role::Assistant, call: Some(index), body: call });
        messages.push(Message { role: Role::Harness, call: Some(index), body: Body::Text(answer.text.clone()) });
        return messages;
    }
    let told = Told {
        text: &answer.text,
        structured: answer.structured.as_ref(),
        is_error: answer.is_error,
        status: answer.code.map_or(200, crate::engine::Code::status),
    };
    exchange_of(&mut messages, task, Some(index), number, &made.call, &told);
    messages
}

/// All messages: the opening and the exchange of every call.
pub fn messages<'a>(task: &Task, calls: impl IntoIterator<Item = &'a Made>) -> Vec<Message> {
    let mut all = opening(task);
    for (index, made) in calls.into_iter().enumerate() {
        all.extend(exchange(task, index, made));
    }
    all
}

fn history(task: &Task) -> &[HistoryPair] {
    task.history.as_deref().unwrap_or_default()
}

fn has_output_schema(task: &Task, tool: &str) -> bool {
    task.shown(tool).is_some_and(|shown| shown.tool.output_schema.is_some())
}

/// An answer as it goes over the wire.
struct Told<'a> {
    text: &'a Str,
    structured: Option<&'a Value>,
    is_error: bool,
    status: u16,
}

fn exchange_of(
    messages: &mut Vec<Message>,
    task: &Task,
    index: Option<usize>,
    number: usize,
    call: &Call,
    answer: &Told<'_>,
) {
    let (request, response) = match task.format {
        Format::OpenAi => (Body::Json(chat_call(number, call)), Body::Json(chat_answer(number, answer))),
        Format::Mcp => (Body::Json(rpc_request(number, call)), Body::Json(rpc_result(number, answer))),
        Format::OpenApi => {
            let http = task.shown(&call.tool).and_then(|shown| shown.tool.http.as_ref());
            let request = http
                .map_or_else(|| Body::Json(call.to_value()), |http| Body::Http(http::request(http, &call.arguments)));
            (request, Body::Http(http::response(answer.status, answer.text)))
        }
    };
    messages.push(Message { role: Role::Assistant, call: index, body: request });
    messages.push(Message { role: Role::Tool, call: index, body: response });
}

/// The assistant's message: one call, its arguments as JSON text in the order they were sent.
fn chat_call(number: usize, call: &Call) -> Value {
    let function =
        Map::from([("name", Value::from(&call.tool)), ("arguments", arguments_text(&call.arguments).into())]);
    let tool_call = Map::from([
        ("id", Value::from(format!("call_{number}"))),
        ("type", "function".into()),
        ("function", function.into()),
    ]);
    Map::from([
        ("role", Value::str("assistant")),
        ("content", Value::Null),
        ("tool_calls", vec![Value::from(tool_call)].into()),
    ])
    .into()
}

/// Arguments that are text and no JSON are what the model wrote; anything else is written as JSON.
fn arguments_text(arguments: &Value) -> String {
    match arguments {
        Value::Str(text) if Value::parse_json(text).is_err() => text.to_string(),
        other => canonical::compact(other, true),
    }
}

fn chat_answer(number: usize, answer: &Told<'_>) -> Value {
    Map::from([
        ("role", Value::str("tool")),
        ("tool_call_id", format!("call_{number}").into()),
        ("content", answer.text.into()),
    ])
    .into()
}

fn rpc_request(number: usize, call: &Call) -> Value {
    let params = Map::from([("name", Value::from(&call.tool)), ("arguments", call.arguments.clone())]);
    Map::from([
        ("jsonrpc", Value::str("2.0")),
        ("id", (number + 1).into()),
        ("method", "tools/call".into()),
        ("params", params.into()),
    ])
    .into()
}

fn rpc_result(number: usize, answer: &Told<'_>) -> Value {
    let content = Map::from([("type", Value::str("text")), ("text", answer.text.into())]);
    let mut result = Map::from([("content", Value::array(vec![content.into()]))]);
    if let Some(structured) = answer.structured {
        result.insert("structuredContent", structured.clone());
    }
    result.insert("isError", answer.is_error);
    Map::from([("jsonrpc", Value::str("2.0")), ("id", (number + 1).into()), ("result", result.into())]).into()
}
