//! One connection's side of the protocol: what each frame wants.

use super::error::Problem;
use super::frame::{self, Frame, Id};
use super::modern::{self, Headers};
use super::params;
use super::version::Version;
use super::{call_result, server_info};
use crate::engine::Answer;
use crate::task::Task;
use crate::text;
use crate::value::{Map, Value};
use std::collections::{HashSet, VecDeque};

/// How many ids of a connection are remembered, to notice one that is used twice.
const REMEMBERED: usize = 4096;

/// Who is at the other end, as it names itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Client {
    /// Its name.
    pub name: String,
    /// Its version, may be empty.
    pub version: String,
}

/// Longer names are cut.
const LONGEST_NAME: usize = 80;

impl Client {
    pub(super) fn of(value: &Value) -> Option<Self> {
        let part = |key: &str| {
            value.get(key).and_then(Value::as_str).map(|s| text::cut(&text::safe(s), LONGEST_NAME).into_owned())
        };
        Some(Self { name: part("name")?, version: part("version").unwrap_or_default() })
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if !self.version.is_empty() {
            write!(f, " {}", self.version)?;
        }
        Ok(())
    }
}

/// A frame to send, and the HTTP status it goes with.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The frame, one line.
    pub text: String,
    /// The status over HTTP.
    pub status: u16,
}

impl Reply {
    /// Whether it tells a JSON-RPC error.
    pub fn tells_error(&self) -> bool {
        self.text.contains(r#","error":{"code":"#)
    }
}

/// Where an answer belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    id: Id,
    modern: bool,
}

/// What one frame wants.
#[derive(Debug, PartialEq)]
pub enum Reaction {
    /// This answer, at once.
    Answer(Reply),
    /// The list of tools.
    List(Asked),
    /// A call; arguments that are no object are the engine's to refuse.
    Call {
        /// Where its answer belongs.
        asked: Asked,
        /// The tool.
        tool: String,
        /// The arguments.
        arguments: Value,
        /// The token of progress notes, when some are wanted.
        progress: Option<Value>,
    },
    /// A call given up, when it is not answered yet.
    Cancel(Id),
    /// Nothing.
    Nothing,
}

/// What a frame wants: of a batch, each of its frames.
#[derive(Debug, PartialEq)]
pub struct Reactions {
    /// In the order of the frames.
    pub all: Vec<Reaction>,
    /// Whether the answers go as one list.
    pub batch: bool,
    /// Whether the frame is of the era without sessions.
    pub modern: bool,
}

impl Reactions {
    fn one(reaction: Reaction) -> Self {
        Self { all: vec![reaction], batch: false, modern: false }
    }

    /// The reaction to a frame that is no batch; [`Reaction::Nothing`] for a batch.
    pub fn only(mut self) -> Reaction {
        if self.batch { Reaction::Nothing } else { self.all.pop().unwrap_or(Reaction::Nothing) }
    }

    /// Puts answers together: one as it is, those of a batch as a list; nothing when none is wanted.
    pub fn together(batch: bool, answers: Vec<Reply>) -> Option<Reply> {
        if !batch {
            return answers.into_iter().next();
        }
        let texts: Vec<String> = answers.into_iter().map(|answer| answer.text).collect();
        (!texts.is_empty()).then(|| Reply { text: format!("[{}]", texts.join(",")), status: 200 })
    }
}

/// What is remembered of a connection: the version agreed on, the client, the ids used.
#[derive(Debug, Clone, Default)]
pub struct Dialog {
    version: Option<Version>,
    client: Option<Client>,
    used: HashSet<String>,
    order: VecDeque<String>,
}

impl Dialog {
    /// Before the first frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// The client, once it said who it is.
    pub fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// The version agreed on by `initialize`.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Reads a frame. `headers` are those of the HTTP request that carried it.
    pub fn take(&mut self, bytes: &[u8], headers: Option<&Headers>) -> Reactions {
        match frame::read(bytes) {
            Frame::Batch(items) => self.batch(&items, headers),
            frame => {
                let modern = matches!(&frame, Frame::Request { method, params, .. } | Frame::Notification { method, params }
                    if modern::is_modern(method, params, headers));
                Reactions { modern, ..Reactions::one(self.react(frame, headers)) }
            }
        }
    }

    /// The answer to a frame of that many bytes, which was not read to its end.
    pub fn too_large(&mut self, bytes: usize) -> Reactions {
        Reactions::one(self.react(frame::too_large(bytes), None))
    }

    fn batch(&mut self, items: &[Value], headers: Option<&Headers>) -> Reactions {
        let version = self.version.or_else(|| headers?.get(modern::VERSION_HEADER).and_then(Version::parse));
        let refused = if !version.is_some_and(Version::has_batches) {
            Some("Invalid request: this version has no batches")
        } else if items.is_empty() {
            Some("Invalid request: the batch is empty")
        } else {
            None
        };
        if let Some(message) = refused {
            return Reactions::one(Reaction::Answer(refusal(None, &Problem::request(message), false)));
        }
        let all = items.iter().map(|item| self.react(frame::of_value(item), headers)).collect();
        Reactions { all, batch: true, modern: false }
    }

    fn react(&mut self, frame: Frame, headers: Option<&Headers>) -> Reaction {
        match frame {
            Frame::Request { id, method, params } => {
                let modern = modern::is_modern(&method, &params, headers);
                let asked = Asked { id, modern };
                self.request(&asked, &method, &params, headers)
                    .unwrap_or_else(|problem| Reaction::Answer(asked.refused(&problem)))
            }
            Frame::Notification { method, params } if method == "notifications/cancelled" => {
                params.get("requestId").and_then(Id::named).map_or(Reaction::Nothing, Reaction::Cancel)
            }
            Frame::Notification { .. } => Reaction::Nothing,
            Frame::Reply => {
                let problem = Problem::request("Invalid request: an answer to nothing that was asked");
                Reaction::Answer(refusal(None, &problem, false))
            }
            Frame::Broken(id, problem) => Reaction::Answer(refusal(id.as_ref(), &problem, false)),
            Frame::Batch(_) => {
                let problem = Problem::request("Invalid request: a batch in a batch");
                Reaction::Answer(refusal(None, &problem, false))
            }
        }
    }

    fn request(
        &mut self,
        asked: &Asked,
        method: &str,
        params: &Value,
        headers: Option<&Headers>,
    ) -> Result<Reaction, Problem> {
        self.remember(&asked.id)?;
        if asked.modern {
            modern::check(method, params, headers)?;
            if let Some(client) = modern::client(params) {
                self.client = Some(client);
            }
            if method == "server/discover" {
                let word = Version::V2026_07_28.word();
                let members = format!(r#""supportedVersions":["{word}"],"capabilities":{{"tools":{{}}}},{CACHE}"#);
                return Ok(Reaction::Answer(asked.result(&members)));
            }
        } else {
            match method {
                "initialize" => return self.initialize(asked, params).map(Reaction::Answer),
                "ping" => return Ok(Reaction::Answer(asked.result(""))),
                _ => {}
            }
        }
        match method {
            "tools/list" => match params.get("cursor") {
                None | Some(Value::Null) => Ok(Reaction::List(asked.clone())),
                Some(_) => Err(Problem::params("Unknown cursor: the list has one page")),
            },
            "tools/call" => {
                let tool = params.get("name").and_then(Value::as_str);
                let tool = tool.ok_or_else(|| Problem::params("params.name must be the name of a tool"))?.to_owned();
                let arguments = match params.get("arguments") {
                    None | Some(Value::Null) => Map::new().into(),
                    Some(given) => given.clone(),
                };
                let progress = params.get("_meta").and_then(|meta| meta.get("progressToken")).cloned();
                Ok(Reaction::Call { asked: asked.clone(), tool, arguments, progress })
            }
            other => Err(Problem::method(other)),
        }
    }

    fn initialize(&mut self, asked: &Asked, params: &Value) -> Result<Reply, Problem> {
        let wanted = params.get("protocolVersion").and_then(Value::as_str);
        let wanted = wanted.ok_or_else(|| Problem::params("params.protocolVersion must be text"))?;
        let version = Version::parse(wanted).filter(|v| !v.is_modern()).unwrap_or(Version::NEWEST_LEGACY);
        self.version = Some(version);
        self.client = params.get("clientInfo").and_then(Client::of);
        let members = format!(
            r#""protocolVersion":"{}","capabilities":{{"tools":{{}}}},"serverInfo":{}"#,
            version.word(),
            server_info()
        );
        Ok(asked.result(&members))
    }

    /// Remembers an id, or refuses one that was used before.
    fn remember(&mut self, id: &Id) -> Result<(), Problem> {
        let json = id.json();
        if !self.used.insert(json.clone()) {
            return Err(Problem::request(format!("Invalid request: the id {json} was used before")));
        }
        self.order.push_back(json);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.used.remove(&oldest);
        }
        Ok(())
    }
}

/// How long lists may be kept, and by whom: an episode's tools do not change.
const CACHE: &str = r#""ttlMs":300000,"cacheScope":"private""#;

impl Asked {
    /// The id, as JSON.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The list of tools, given as JSON.
    pub fn list(&self, tools: &str) -> Reply {
        let cache = if self.modern { format!(",{CACHE}") } else { String::new() };
        self.result(&format!(r#""tools":{tools}{cache}"#))
    }

    /// The answer of a call.
    pub fn answered(&self, answer: &Answer, announced: bool) -> Reply {
        self.result(&call_result(answer, announced))
    }

    /// The answer to a call of a tool that is not in the list.
    pub fn unknown_tool(&self, tool: &str) -> Reply {
        self.refused(&Problem::params(format!("Unknown tool: {}", text::cut(tool, LONGEST_NAME))))
    }

    /// An error.
    pub fn refused(&self, problem: &Problem) -> Reply {
        refusal(Some(&self.id), problem, self.modern)
    }

    fn result(&self, members: &str) -> Reply {
        let id = self.id.json();
        let text = if self.modern {
            let comma = if members.is_empty() { "" } else { "," };
            let meta = format!(r#""_meta":{{"{}":{}}}"#, modern::SERVER, server_info());
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete",{members}{comma}{meta}}}}}"#)
        } else {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{members}}}}}"#)
        };
        Reply { text, status: 200 }
    }
}

fn refusal(id: Option<&Id>, problem: &Problem, modern: bool) -> Reply {
    let id = id.map_or_else(|| "null".to_owned(), Id::json);
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, problem.json());
    Reply { text, status: problem.status(modern) }
}

/// Checks the headers that repeat arguments of a call.
pub(super) fn check_params(task: &Task, tool: &str, arguments: &Value, headers: &Headers) -> Result<(), Problem> {
    task.shown(tool).map_or(Ok(()), |shown| params::check(&shown.tool.input_schema, arguments, headers))
}

impl Reaction {
    /// A call whose headers say something else than its arguments is refused (version 2026-07-28 over HTTP).
    #[must_use]
    pub fn with_headers(self, task: &Task, headers: &Headers) -> Self {
        match self {
            Reaction::Call { asked, tool, arguments, progress } if asked.modern => {
                match check_params(task, &tool, &arguments, headers) {
                    Ok(()) => Reaction::Call { asked, tool, arguments, progress },
                    Err(problem) => Reaction::Answer(asked.refused(&problem)),
                }
            }
            other => other,
        }
    }
}
