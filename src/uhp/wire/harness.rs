//! Harnesses: what a client may configure, checked when it is written, and the object given back.

use super::error::{Code, Problem};
use super::plugin::{self, Plugin};
use super::request::{budget, whole};
use super::skill::{self, Skill, without_nulls, yes};
use super::{Fields, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Most entries of any list of a harness.
const MOST_ENTRIES: usize = 256;

/// Most seeds of a harness.
const MOST_SEEDS: usize = 1_000;

/// Longest name, prompt and other text, in bytes.
const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 256 * 1024;

/// A remote tool server of a harness. It is kept and given back; nothing here ever contacts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct McpServer {
    /// Its name, made of letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Where it is.
    pub url: String,
    /// `http` or `sse`.
    #[serde(default = "http")]
    pub transport: String,
    /// Whether it is used.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Headers to send it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub headers: Option<BTreeMap<String, String>>,
    /// The credential or reference its owner wrote; never in exports and shares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub auth: Option<String>,
    /// What else the client wrote.
    #[serde(flatten)]
    pub extra: Fields,
}

fn http() -> String {
    "http".to_owned()
}

/// What this server adds to a harness: which planned tasks it plays. On the wire under `rehearsal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Rehearsal {
    /// The arm, `faults:f2`; without one, the first that the tool file reaches.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arm: Option<String>,
    /// The seeds of its planned tasks, in order.
    #[serde(default)]
    pub seeds: Vec<u64>,
}

/// What a client writes: everything of a harness that may change, and its base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Its name.
    pub name: Option<String>,
    /// Which tool file it rehearses.
    pub base: String,
    /// Its model when a task names none.
    pub default_model: Option<String>,
    /// Kept for the harness's owner; players need none.
    pub system_prompt: Option<String>,
    /// Its own tool servers.
    pub mcp_servers: Vec<McpServer>,
    /// Its own skills.
    pub skills: Vec<Skill>,
    /// Installed plugins.
    pub plugins: Vec<Plugin>,
    /// Tools whose calls are refused.
    pub disabled_tools: Vec<String>,
    /// Most calls of a task that names no budget.
    pub max_step: Option<u64>,
    /// Most seconds of a task that names no budget.
    pub timeout_seconds: Option<u64>,
    /// Which planned tasks it plays.
    pub rehearsal: Rehearsal,
}

impl Config {
    /// A harness of a base with nothing set.
    pub fn of_base(base: &str) -> Self {
        Self {
            name: None,
            base: base.to_owned(),
            default_model: None,
            system_prompt: None,
            mcp_servers: Vec::new(),
            skills: Vec::new(),
            plugins: Vec::new(),
            disabled_tools: Vec::new(),
            max_step: None,
            timeout_seconds: None,
            rehearsal: Rehearsal::default(),
        }
    }
}

/// A configured harness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Harness {
    /// `chrn_...`
    pub id: String,
    /// Unix milliseconds.
    pub created_at_ms: u64,
    /// What was configured.
    pub config: Config,
}

impl Harness {
    /// The object on the wire; `rehearsal` is what it plays, whether its owner wrote that or not.
    pub fn json(&self, base_label: &str, default_model: &str, rehearsal: &Rehearsal) -> Json {
        let c = &self.config;
        json!({
            "id": self.id,
            "object": "harness",
            "name": c.name.as_deref().unwrap_or(base_label),
            "base": c.base,
            "baseLabel": base_label,
            "defaultModel": c.default_model.as_deref().unwrap_or(default_model),
            "systemPrompt": c.system_prompt.as_deref().unwrap_or_default(),
            "mcpServers": c.mcp_servers,
            "skills": c.skills,
            "plugins": c.plugins,
            "disabledTools": c.disabled_tools,
            "maxStep": c.max_step,
            "timeoutSeconds": c.timeout_seconds,
            "createdAt": self.created_at_ms,
            "rehearsal": rehearsal,
        })
    }
}

/// The names of a harness's fields as they are read, each with the name it is written under. A harness that is put back just
/// as it was read is understood too: passing over the names it was read under would empty it in silence.
const READ_AS: [(&str, &str); 6] = [
    ("default_model", "defaultModel"),
    ("system_prompt", "systemPrompt"),
    ("mcp_servers", "mcpServers"),
    ("disabled_tools", "disabledTools"),
    ("max_step", "maxStep"),
    ("timeout_seconds", "timeoutSeconds"),
];

/// Reads what a client writes. `base` replaces a missing one when an existing harness is replaced. What cannot run is
/// refused here: bad skills and plugins, transports beyond `http` and `sse`, names that collide.
pub fn read(body: &Fields, base: Option<&str>) -> Result<Config, Problem> {
    let mut body = body.clone();
    for (written, read) in READ_AS {
        if let Some(value) = body.remove(read) {
            body.entry(written).or_insert(value);
        }
    }
    let body = &body;
    let base = match (text(body, "base", LONGEST_NAME)?, base) {
        (Some(sent), _) => sent,
        (None, Some(kept)) => kept.to_owned(),
        (None, None) => return Err(Problem::invalid("base", "A harness needs a base.")),
    };
    let name = text(body, "name", LONGEST_NAME)?.map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
    let list = |key: &str| body.get(key).filter(|v| !v.is_null());
    let config = Config {
        name,
        default_model: text(body, "default_model", LONGEST_NAME)?.filter(|m| !m.is_empty()),
        system_prompt: text(body, "system_prompt", LONGEST_TEXT)?,
        mcp_servers: list("mcp_servers").map_or(Ok(vec![]), |v| read_servers(v, &base))?,
        skills: list("skills").map_or(Ok(vec![]), |v| skill::read_all(v, "skills"))?,
        plugins: list("plugins").map_or(Ok(vec![]), |v| plugin::read_all(v, "plugins"))?,
        disabled_tools: list("disabled_tools").map_or(Ok(vec![]), read_tools)?,
        max_step: budget(body, "max_step")?,
        timeout_seconds: budget(body, "timeout_seconds")?,
        rehearsal: list("rehearsal").map_or(Ok(Rehearsal::default()), read_rehearsal)?,
        base,
    };
    for (key, length) in
        [("mcp_servers", config.mcp_servers.len()), ("skills", config.skills.len()), ("plugins", config.plugins.len())]
    {
        if length > MOST_ENTRIES {
            return Err(Problem::invalid(key, format!("A harness has at most {MOST_ENTRIES} of these.")));
        }
    }
    check_collisions(&config)?;
    Ok(config)
}

fn text(body: &Fields, key: &str, longest: usize) -> Result<Option<String>, Problem> {
    match body.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(s)) if s.len() <= longest => Ok(Some(s.clone())),
        Some(Json::String(_)) => Err(Problem::invalid(key, format!("This is longer than {longest} bytes."))),
        Some(_) => Err(Problem::invalid(key, "This must be text.")),
    }
}

fn read_tools(value: &Json) -> Result<Vec<String>, Problem> {
    let wrong = || Problem::invalid("disabled_tools", "This must be a list of at most 256 tool names.");
    let list = value.as_array().filter(|l| l.len() <= MOST_ENTRIES).ok_or_else(wrong)?;
    list.iter().map(|t| t.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

fn read_rehearsal(value: &Json) -> Result<Rehearsal, Problem> {
    let Some(map) = value.as_object() else { return Err(Problem::invalid("rehearsal", "This must be an object.")) };
    let arm = match map.get("arm") {
        None | Some(Json::Null) => None,
        Some(Json::String(arm)) => Some(arm.clone()),
        Some(_) => return Err(Problem::invalid("rehearsal.arm", "An arm is text such as faults:f2.")),
    };
    let wrong = || Problem::invalid("rehearsal.seeds", "The seeds are a list of at most 1000 whole numbers.");
    let seeds = match map.get("seeds") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(list)) if list.len() <= MOST_SEEDS => {
            list.iter().map(|s| whole(s).ok_or_else(wrong)).collect::<Result<_, _>>()?
        }
        Some(_) => return Err(wrong()),
    };
    Ok(Rehearsal { arm, seeds })
}

fn read_servers(value: &Json, base: &str) -> Result<Vec<McpServer>, Problem> {
    let Some(list) = value.as_array() else { return Err(Problem::invalid("mcp_servers", "This must be a list.")) };
    let mut seen = BTreeSet::new();
    let mut servers = Vec::with_capacity(list.len().min(MOST_ENTRIES + 1));
    for (i, item) in list.iter().enumerate() {
        let at = format!("mcp_servers[{i}]");
        let transport = item.get("transport").filter(|t| !t.is_null());
        if let Some(t) = transport.filter(|t| !matches!(t.as_str(), Some("http" | "sse"))) {
            let message = "A harness's own tool servers speak http or sse; a process belongs in a plugin.";
            return Err(Problem::new(Code::UnsupportedTransport, message)
                .param(format!("{at}.transport"))
                .detail("transport", t.clone())
                .detail("base", base));
        }
        let mut server: McpServer = serde_json::from_value(without_nulls(item)).map_err(|_| {
            Problem::invalid(&at, "A tool server has a name and a url as text, and headers as an object of text.")
        })?;
        server.name = safe_name(&server.name);
        if server.name.is_empty() || server.name.len() > LONGEST_NAME {
            return Err(Problem::invalid(format!("{at}.name"), "A tool server needs a name of at most 200 bytes."));
        }
        if !seen.insert(server.name.clone()) {
            return Err(Problem::invalid(format!("{at}.name"), "Two tool servers have this name."));
        }
        check_url(&server.url).map_err(|why| Problem::invalid(format!("{at}.url"), why))?;
        servers.push(server);
    }
    Ok(servers)
}

/// A name safe on any command line: other characters than letters, digits, `-`, `_` and `.` become `-`.
fn safe_name(name: &str) -> String {
    let safe: String =
        name.trim().chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    safe.trim_start_matches('-').to_owned()
}

/// Whether a text is an absolute http or https address without credentials or a fragment.
pub fn check_url(url: &str) -> Result<(), &'static str> {
    let Ok(parsed) = reqwest::Url::parse(url) else { return Err("The url is not an absolute address.") };
    if !matches!(parsed.scheme(), "http" | "https") || parsed.host_str().is_none_or(str::is_empty) {
        return Err("The url is not an http or https address.");
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err("The url must not carry credentials.");
    }
    if parsed.fragment().is_some() { Err("The url must not have a fragment.") } else { Ok(()) }
}

/// Two enabled components of one kind and one name cannot both be reached by an agent, wherever they come from.
fn check_collisions(config: &Config) -> Result<(), Problem> {
    let mut names: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let own = "harness";
    for server in config.mcp_servers.iter().filter(|s| s.enabled) {
        names.insert(("mcp_server", &server.name), own);
    }
    for skill in config.skills.iter().filter(|s| s.enabled) {
        names.insert(("skill", &skill.name), own);
    }
    for plugin in config.plugins.iter().filter(|p| p.enabled) {
        let servers = plugin.mcp_servers.iter().map(|s| ("mcp_server", s.name.as_str()));
        let skills = plugin.skills.iter().map(|s| ("skill", s.name.as_str()));
        for (component, name) in servers.chain(skills) {
            if let Some(first) = names.insert((component, name), &plugin.name) {
                let message = format!("Two enabled components of the kind {component} are named {name}.");
                return Err(Problem::new(Code::PluginConflict, message)
                    .param("plugins")
                    .detail("component", component)
                    .detail("name", name)
                    .detail("between", json!([first, plugin.name])));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "harness_tests.rs"]
mod tests;
