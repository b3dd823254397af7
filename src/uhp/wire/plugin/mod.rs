//! Plugins: packages in the Agent Plugins 1.0.0 format, installed into a harness.
//!
//! Owns: what a package declares, what of it is skipped and why, whether it can be taken, and a harness as a package.
//! A package is only read here. Nothing in it is started, contacted or expanded.

mod export;
mod manifest;
mod package;
mod servers;
mod skills;

pub use export::export;
pub use servers::PluginServer;
pub use skills::PluginSkill;

use super::error::{Code, Problem};
use super::skill::{SkillFile, check_files, without_nulls, yes};
use super::{Fields, Json};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The one manifest schema installed here.
pub const PLUGIN_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

/// The schema of a package's `mcp.json`; its version goes with the manifest's.
pub const MCP_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// Something of a package that was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Where in the package: `skills/broken`, `mcp.json#/mcpServers/x`, `plugin.json#/field`.
    pub path: String,
    /// One sentence.
    pub reason: String,
}

impl Skipped {
    fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

/// An installed plugin: its package, and what was derived from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plugin {
    /// The manifest's name.
    pub name: String,
    /// False keeps it installed and inert.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// The package, byte for byte.
    pub files: Vec<SkillFile>,
    /// `plugin.json`, parsed.
    pub manifest: Json,
    /// Servers its `mcp.json` declares, placeholders unexpanded.
    #[serde(rename = "mcpServers")]
    pub mcp_servers: Vec<PluginServer>,
    /// Skills under `skills/`.
    pub skills: Vec<PluginSkill>,
    /// What was found and not loaded.
    pub skipped: Vec<Skipped>,
    /// What else the client wrote.
    #[serde(flatten)]
    pub extra: Fields,
}

/// The plugin as a client writes it; derived fields are ignored.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    name: Option<String>,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    files: Option<Vec<SkillFile>>,
    #[serde(flatten)]
    extra: Fields,
}

/// Reads the `plugins` of a request: all of them or none. Two of one name are a conflict.
pub fn read_all(value: &Json, at: &str) -> Result<Vec<Plugin>, Problem> {
    let Some(list) = value.as_array() else { return Err(Problem::invalid(at, "The plugins must be a list.")) };
    let mut seen = BTreeSet::new();
    let mut plugins = Vec::with_capacity(list.len().min(257));
    for (i, item) in list.iter().enumerate() {
        let plugin = read_one(item, &format!("{at}[{i}]"))?;
        if !seen.insert(plugin.name.clone()) {
            let message = format!("Two plugins are named {}.", plugin.name);
            return Err(Problem::new(Code::PluginConflict, message)
                .param(format!("{at}[{i}].name"))
                .detail("component", "plugin")
                .detail("name", plugin.name.clone())
                .detail("between", serde_json::json!([plugin.name, plugin.name])));
        }
        plugins.push(plugin);
    }
    Ok(plugins)
}

fn read_one(item: &Json, at: &str) -> Result<Plugin, Problem> {
    let wrong = |place: &str, path: &str, reason: &str| {
        Problem::new(Code::PluginInvalid, format!("The plugin package cannot be taken: {reason}"))
            .param(format!("{at}{place}"))
            .detail("path", path)
            .detail("reason", reason)
    };
    let written: Written = serde_json::from_value(without_nulls(item))
        .map_err(|_| wrong("", "", "a plugin is an object with files of path and content."))?;
    let Some(files) = written.files else {
        let reason = if written.extra.contains_key("blob") {
            "this server hands out no such handle; send the package's files."
        } else {
            "it has no files."
        };
        return Err(wrong(".files", "", reason));
    };
    if let Err((place, reason)) = check_files(&files) {
        let index: Option<usize> = place.strip_prefix('[').and_then(|p| p.split(']').next()?.parse().ok());
        let path = index.and_then(|i| files.get(i)).map_or("", |f| f.path.as_str());
        return Err(wrong(&format!(".files{place}"), path, &reason));
    }
    let package = package::Package::new(&files);
    let (manifest, mut skipped) = manifest::read(&package).map_err(|fault| match fault {
        manifest::Fault::Schema(sent) => {
            let message = "The plugin's manifest names a schema that is not installed here.";
            Problem::new(Code::UnsupportedPluginSchema, message)
                .param(format!("{at}.files"))
                .detail("schema", sent)
                .detail("supported", serde_json::json!([PLUGIN_SCHEMA]))
        }
        manifest::Fault::Invalid { path, reason } => wrong(".files", &path, &reason),
    })?;
    let name = manifest.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
    if written.name.as_ref().is_some_and(|sent| *sent != name) {
        return Err(wrong(".name", "plugin.json#/name", "the name sent is not the manifest's."));
    }
    let (mcp_servers, more) = servers::read(&package);
    skipped.extend(more);
    let (skills, more) = skills::read(&package);
    skipped.extend(more);
    let mut extra = written.extra;
    extra.retain(|key, _| !matches!(key.as_str(), "manifest" | "mcpServers" | "skills" | "skipped" | "blob"));
    Ok(Plugin {
        name,
        enabled: written.enabled,
        manifest: Json::Object(manifest),
        mcp_servers,
        skills,
        skipped,
        extra,
        files,
    })
}

/// Whether a text is a plugin's name: 1 to 64 of `a-z 0-9 . -`, a letter or digit at both ends, no `--` and no `..`.
pub fn is_name(name: &str) -> bool {
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.' || b == b'-';
    let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let bytes = name.as_bytes();
    (1..=64).contains(&bytes.len())
        && bytes.iter().all(|b| inner(*b))
        && edge(bytes.first())
        && edge(bytes.last())
        && !name.contains("--")
        && !name.contains("..")
}

#[cfg(test)]
mod tests;
