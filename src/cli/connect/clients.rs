//! What each client wants to be told, and where its file is.

use super::Client;
use crate::value::{Map, Value, canonical};
use std::path::PathBuf;

/// How a client's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// JSON, comments allowed.
    Json,
    Toml,
    Yaml,
    /// No file: code, or a command line.
    Code,
}

/// What a client is told.
#[derive(Debug)]
pub(super) struct Config {
    /// Its own file.
    pub(super) file: Option<PathBuf>,
    pub(super) syntax: Syntax,
    /// Where in the file the entry goes, its own name last.
    pub(super) path: Vec<String>,
    pub(super) entry: Value,
    /// All of it, to be pasted.
    pub(super) text: String,
    /// What else to know.
    pub(super) notes: Vec<String>,
}

/// An hour, in seconds: a person may hold a call for a while.
const HOUR: i64 = 3600;
const NAME: &str = "rehearsal";

fn home() -> PathBuf {
    std::env::home_dir().unwrap_or_default()
}

/// The folder of programs' settings.
fn settings() -> PathBuf {
    let named = std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    named.unwrap_or_else(|| home().join(".config"))
}

/// The config of a client that starts `program` with `words`.
pub(super) fn config(client: Client, program: &str, words: &[String]) -> Config {
    let plain = || Map::from([("command", Value::from(program)), ("args", Value::from(words.to_vec()))]);
    let typed = || -> Map {
        let kind = Map::from([("type", "stdio")]);
        kind.named().chain(plain().named()).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let with = |mut map: Map, key: &str, value: Value| {
        map.insert(key, value);
        map
    };
    let all: Vec<&str> = std::iter::once(program).chain(words.iter().map(String::as_str)).collect();
    match client {
        Client::ClaudeCode => {
            let mut config = json(PathBuf::from(".mcp.json"), "mcpServers", typed());
            config.notes.push("calls may take about 28 hours; MCP_TOOL_TIMEOUT (ms) changes that".to_owned());
            config
        }
        Client::ClaudeDesktop => {
            let folder = if cfg!(target_os = "macos") {
                home().join("Library/Application Support/Claude")
            } else {
                settings().join("Claude")
            };
            json(folder.join("claude_desktop_config.json"), "mcpServers", plain())
        }
        Client::Codex => {
            let entry = with(plain(), "tool_timeout_sec", HOUR.into());
            let lines: Vec<String> =
                entry.named().map(|(key, value)| format!("{key} = {}", canonical::spaced(value))).collect();
            Config {
                file: Some(
                    std::env::var_os("CODEX_HOME")
                        .map_or_else(|| home().join(".codex"), PathBuf::from)
                        .join("config.toml"),
                ),
                syntax: Syntax::Toml,
                path: vec!["mcp_servers".to_owned(), NAME.to_owned()],
                text: format!("[mcp_servers.{NAME}]\n{}", lines.join("\n")),
                entry: entry.into(),
                notes: Vec::new(),
            }
        }
        Client::Opencode => {
            let entry = Map::from([
                ("type", Value::from("local")),
                ("command", Value::from(all)),
                ("enabled", true.into()),
                ("timeout", (HOUR * 1000).into()),
            ]);
            json(settings().join("opencode/opencode.json"), "mcp", entry)
        }
        Client::Gemini => {
            json(home().join(".gemini/settings.json"), "mcpServers", with(plain(), "timeout", (HOUR * 1000).into()))
        }
        Client::Vscode => json(PathBuf::from(".vscode/mcp.json"), "servers", typed()),
        Client::Cursor => json(home().join(".cursor/mcp.json"), "mcpServers", plain()),
        Client::Goose => {
            let entry = Map::from([
                ("type", Value::from("stdio")),
                ("name", NAME.into()),
                ("cmd", program.into()),
                ("args", words.to_vec().into()),
                ("enabled", true.into()),
                ("timeout", HOUR.into()),
            ]);
            let entry = Value::from(entry);
            Config {
                file: Some(settings().join("goose/config.yaml")),
                syntax: Syntax::Yaml,
                path: vec!["extensions".to_owned(), NAME.to_owned()],
                text: format!("extensions:\n{}", super::edit::yaml_entry(NAME, &entry, 2)),
                entry,
                notes: Vec::new(),
            }
        }
        Client::Inspector => code(format!(
            "MCP_SERVER_REQUEST_TIMEOUT={} npx @modelcontextprotocol/inspector {}",
            HOUR * 1000,
            all.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
        )),
        Client::Langgraph => code(format!(
            "from langchain_mcp_adapters.client import MultiServerMCPClient\n\n\
             client = MultiServerMCPClient({{\n    \"{NAME}\": {{\n        \"transport\": \"stdio\",\n        \"command\": {},\n        \
             \"args\": {},\n    }}\n}})\ntools = await client.get_tools()",
            Quoted(program),
            Value::from(words.to_vec()).shown()
        )),
        Client::OpenaiAgents => code(format!(
            "from agents import Agent, Runner\nfrom agents.mcp import MCPServerStdio\n\n\
             async with MCPServerStdio(\n    {{\"command\": {}, \"args\": {}}},\n    client_session_timeout_seconds={HOUR},\n) as server:\n    \
             agent = Agent(name=\"agent\", mcp_servers=[server])\n    result = await Runner.run(agent, request)",
            Quoted(program),
            Value::from(words.to_vec()).shown()
        )),
        Client::PydanticAi => code(format!(
            "from fastmcp.client.transports import StdioTransport\nfrom pydantic_ai import Agent\nfrom pydantic_ai.mcp import MCPToolset\n\n\
             toolset = MCPToolset(StdioTransport({}, {}))\nagent = Agent(model, toolsets=[toolset])",
            Quoted(program),
            Value::from(words.to_vec()).shown()
        )),
    }
}

/// A text as Python and JSON both write it.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&canonical::compact(&Value::from(self.0), true))
    }
}

trait Shown {
    fn shown(&self) -> String;
}

impl Shown for Value {
    fn shown(&self) -> String {
        canonical::spaced(self)
    }
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "/-_.=:".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn json(file: PathBuf, list: &str, entry: Map) -> Config {
    let entry = Value::from(entry);
    let whole = Map::from([(list, Map::from([(NAME, entry.clone())]))]);
    Config {
        file: Some(file),
        syntax: Syntax::Json,
        path: vec![list.to_owned(), NAME.to_owned()],
        text: canonical::pretty(&whole.into(), false),
        entry,
        notes: Vec::new(),
    }
}

fn code(text: String) -> Config {
    Config { file: None, syntax: Syntax::Code, path: Vec::new(), entry: Value::Null, text, notes: Vec::new() }
}
