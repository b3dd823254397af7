//! `mcp.json`: the tool servers a package declares.

use super::manifest::{pointer, strip_bom};
use super::package::Package;
use super::{MCP_SCHEMA, Skipped};
use crate::uhp::wire::harness::check_url;
use crate::uhp::wire::{Fields, Json, path};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A tool server as a package declares it, placeholders unexpanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct PluginServer {
    /// Its key in `mcp.json`.
    pub name: String,
    /// `http`, `sse` or `stdio`.
    pub transport: String,
    /// Always true: the plugin's own `enabled` governs.
    pub enabled: bool,
    /// Where it is (`http`, `sse`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
    /// Fixed headers (`http`, `sse`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub headers: Option<BTreeMap<String, String>>,
    /// One word to start (`stdio`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command: Option<String>,
    /// Its arguments (`stdio`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub args: Option<Vec<String>>,
    /// Its environment (`stdio`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub env: Option<BTreeMap<String, String>>,
    /// Its folder (`stdio`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cwd: Option<String>,
}

/// Reads `mcp.json` when there is one. A bad entry is skipped by itself; a bad file as a whole.
pub(super) fn read(package: &Package<'_>) -> (Vec<PluginServer>, Vec<Skipped>) {
    let whole = |reason: &str| (Vec::new(), vec![Skipped::new("mcp.json", reason)]);
    let Some(bytes) = package.bytes("mcp.json") else { return (Vec::new(), Vec::new()) };
    let Ok(Json::Object(file)) = serde_json::from_slice::<Json>(strip_bom(&bytes)) else {
        return whole("The file is not a JSON object.");
    };
    match file.get("$schema").map(Json::as_str) {
        Some(Some(MCP_SCHEMA)) => {}
        Some(Some(_)) => return whole("The file names a schema of another version than the manifest's."),
        _ => return whole("The file names no schema."),
    }
    if let Some(key) = file.keys().find(|k| !matches!(k.as_str(), "$schema" | "mcpServers")) {
        return whole(&format!("The file's schema does not know the field {key}."));
    }
    let Some(declared) = file.get("mcpServers").and_then(Json::as_object) else {
        return whole("The file has no object mcpServers.");
    };
    let (mut servers, mut skipped) = (Vec::new(), Vec::new());
    for (name, entry) in declared {
        match entry.as_object().map(|e| read_entry(name, e, package)) {
            Some(Ok(server)) => servers.push(server),
            Some(Err(reason)) => skipped.push(Skipped::new(format!("mcp.json#/mcpServers/{}", pointer(name)), reason)),
            None => {
                let at = format!("mcp.json#/mcpServers/{}", pointer(name));
                skipped.push(Skipped::new(at, "The entry is not an object."));
            }
        }
    }
    (servers, skipped)
}

fn read_entry(name: &str, entry: &Fields, package: &Package<'_>) -> Result<PluginServer, String> {
    if name.is_empty() || name.len() > 128 || name.chars().any(char::is_control) {
        return Err("The server's name must be 1 to 128 printable bytes.".to_owned());
    }
    let text = |key: &str| match entry.get(key) {
        None => Ok(None),
        Some(Json::String(s)) => Ok(Some(s.clone())),
        Some(_) => Err(format!("The field {key} must be text.")),
    };
    let (transport, known): (&str, &[&str]) = match text("type")?.as_deref() {
        Some("streamable-http") => ("http", &["type", "url", "headers"]),
        Some("sse") => ("sse", &["type", "url", "headers"]),
        Some("stdio") => ("stdio", &["type", "command", "args", "env", "cwd"]),
        Some(_) => return Err("The type is none of streamable-http, sse and stdio.".to_owned()),
        None => return Err("The entry has no type.".to_owned()),
    };
    if let Some(key) = entry.keys().find(|k| !known.contains(&k.as_str())) {
        return Err(format!("An entry of this type has no field {key}."));
    }
    let mut server =
        PluginServer { name: name.to_owned(), transport: transport.to_owned(), enabled: true, ..Default::default() };
    if transport != "stdio" {
        let url = text("url")?.ok_or("The entry has no url.")?;
        check_url(&url)?;
        server.url = Some(url);
        server.headers = texts(entry, "headers")?;
        return Ok(server);
    }
    let command = text("command")?.ok_or("The entry has no command.")?;
    check_command(&command, package)?;
    server.command = Some(command);
    server.args = match entry.get("args") {
        None => None,
        Some(list) => Some(
            list.as_array()
                .and_then(|l| l.iter().map(|a| a.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>())
                .ok_or("The args must be a list of text.")?,
        ),
    };
    server.env = texts(entry, "env")?;
    if server.env.iter().flatten().any(|(k, _)| k == "PLUGIN_ROOT" || k == "PLUGIN_DATA") {
        return Err("The env must not name PLUGIN_ROOT or PLUGIN_DATA.".to_owned());
    }
    server.cwd = text("cwd")?;
    if let Some(cwd) = &server.cwd {
        check_cwd(cwd)?;
    }
    Ok(server)
}

fn texts(entry: &Fields, key: &str) -> Result<Option<BTreeMap<String, String>>, String> {
    let wrong = || format!("The field {key} must be an object of text.");
    let Some(value) = entry.get(key) else { return Ok(None) };
    let pair = |(k, v): (&String, &Json)| v.as_str().map(|v| (k.clone(), v.to_owned()));
    value.as_object().and_then(|map| map.iter().map(pair).collect()).map(Some).ok_or_else(wrong)
}

/// One word: a bare name, or `./` and a path of the package. Never a shell line, never a placeholder.
fn check_command(command: &str, package: &Package<'_>) -> Result<(), String> {
    if let Some(inside) = command.strip_prefix("./") {
        path::check(inside).map_err(|why| format!("The command cannot be taken: {why}."))?;
        return if package.has(inside) {
            Ok(())
        } else {
            Err("The command names a file that the package does not hold.".to_owned())
        };
    }
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"/\\${}|&;<>()`\"'*?".contains(c);
    if command.is_empty() || !command.chars().all(plain) || command.starts_with('.') {
        return Err("The command must be one bare name, or begin with ./ and stay in the package.".to_owned());
    }
    Ok(())
}

/// A folder inside the package or inside the plugin's data.
fn check_cwd(cwd: &str) -> Result<(), String> {
    let wrong = "The cwd must stay inside the package or its data.".to_owned();
    let rest = match cwd {
        "." | "./" | "${PLUGIN_ROOT}" | "${PLUGIN_DATA}" => return Ok(()),
        _ => ["./", "${PLUGIN_ROOT}/", "${PLUGIN_DATA}/"].iter().find_map(|p| cwd.strip_prefix(p)).ok_or(&wrong),
    };
    let rest = rest.map_err(Clone::clone)?;
    if rest.contains("${") || path::check(rest.trim_end_matches('/')).is_err() { Err(wrong) } else { Ok(()) }
}
