//! Asking an MCP server for its tools: all pages, in either era, over stdio or HTTP (rules 1.11).

mod http;
mod stdio;
mod words;

use words::words;

use crate::mcp::Version;
use crate::value::{Map, Value, call_text, canonical};
use std::time::Duration;

/// How long one answer may take.
const WAIT: Duration = Duration::from_secs(15);
/// Most pages of a list.
const PAGES: usize = 1_000;
/// Most bytes of an answer.
const LARGEST: usize = 64 << 20;

/// Where a server is.
#[derive(Debug, Clone)]
pub enum Server {
    /// A command line, split as a shell would, run with this environment.
    Command(String),
    /// The address of a Streamable HTTP endpoint.
    Url(String),
}

/// A way to a server.
trait Way {
    /// Sends a request and gives the object that answers it.
    fn ask(&mut self, id: u64, frame: &Request<'_>) -> Result<Value, String>;
    /// Sends a notification.
    fn tell(&mut self, frame: &Request<'_>) -> Result<(), String>;
}

/// A frame to send.
struct Request<'a> {
    method: &'a str,
    text: String,
    modern: bool,
}

/// The tools of a server as the bytes of a tool file: `{"tools":[...]}`, sorted and compact. The error is one line.
pub fn list_tools(server: &Server) -> Result<Vec<u8>, String> {
    let tools = match server {
        Server::Command(line) => {
            let mut way = stdio::Process::start(line)?;
            list(&mut way).map_err(|why| way.told(why))?
        }
        Server::Url(url) => list(&mut http::Endpoint::new(url)?)?,
    };
    let file = Map::from([("tools", Value::array(tools))]);
    let mut bytes = call_text(&file.into()).into_bytes();
    bytes.push(b'\n');
    Ok(bytes)
}

fn list(way: &mut dyn Way) -> Result<Vec<Value>, String> {
    let client = Map::from([("name", "rehearsal"), ("version", env!("CARGO_PKG_VERSION"))]);
    let params = Map::from([
        ("protocolVersion", Value::from(Version::NEWEST_LEGACY.word())),
        ("capabilities", Map::new().into()),
        ("clientInfo", client.clone().into()),
    ]);
    let opened = way.ask(0, &request(Some(0), "initialize", params.into(), false))?;
    let modern = opened.get("result").is_none();
    if !modern {
        way.tell(&request(None, "notifications/initialized", Value::Null, false))?;
    }
    let mut tools = Vec::new();
    let mut cursors: Vec<Value> = Vec::new();
    for page in 0..PAGES {
        let mut params = Map::new();
        if let Some(cursor) = cursors.last() {
            params.insert("cursor", cursor.clone());
        }
        if modern {
            let key = |name: &str| format!("io.modelcontextprotocol/{name}");
            let mut meta = Map::new();
            meta.insert(key("protocolVersion"), Version::V2026_07_28.word());
            meta.insert(key("clientInfo"), client.clone());
            meta.insert(key("clientCapabilities"), Map::new());
            params.insert("_meta", meta);
        }
        let id = page as u64 + 1;
        let answer = way.ask(id, &request(Some(id), "tools/list", params.into(), modern))?;
        let result = answer.get("result").ok_or_else(|| refused(&answer, if modern { Some(&opened) } else { None }))?;
        let items = result.get("tools").and_then(Value::as_array).ok_or("the server's list has no tools")?;
        tools.extend(items.iter().cloned());
        match result.get("nextCursor") {
            None | Some(Value::Null) => return Ok(tools),
            Some(cursor) if cursors.contains(cursor) => {
                return Err("the server gave the same cursor twice: its list never ends".to_owned());
            }
            Some(cursor) => cursors.push(cursor.clone()),
        }
    }
    Err(format!("the server's list has more than {PAGES} pages"))
}

/// What a server said instead of an answer.
fn refused(answer: &Value, before: Option<&Value>) -> String {
    let message = |answer: &Value| {
        let text = answer.get("error").and_then(|e| e.get("message")).and_then(Value::as_str);
        text.map_or_else(|| "no reason given".to_owned(), |text| crate::text::cut(text, 200).into_owned())
    };
    match before {
        Some(before) => {
            format!("the server refused initialize ({}) and tools/list ({})", message(before), message(answer))
        }
        None => format!("the server refused tools/list: {}", message(answer)),
    }
}

fn request(id: Option<u64>, method: &str, params: Value, modern: bool) -> Request<'_> {
    let mut frame = Map::from([("jsonrpc", Value::from("2.0"))]);
    if let Some(id) = id {
        frame.insert("id", id);
    }
    frame.insert("method", method);
    if !params.is_null() {
        frame.insert("params", params);
    }
    Request { method, text: canonical::compact(&frame.into(), false), modern }
}

/// Reads a message of the server.
fn message(bytes: &[u8]) -> Result<Value, String> {
    crate::value::read_json(bytes)
        .map(|d| d.root)
        .map_err(|e| format!("the server sent what is not JSON: {}", e.message))
}

/// Whether a message answers a request.
fn answers(message: &Value, id: u64) -> bool {
    message.get("method").is_none() && message.get("id").and_then(Value::as_u64) == Some(id)
}
