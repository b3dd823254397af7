//! A harness as a package: its own enabled servers and skills, without anything secret.

use super::super::harness::Harness;
use super::super::skill::{SKILL_FILE, SkillFile};
use super::{MCP_SCHEMA, PLUGIN_SCHEMA, Plugin, Skipped, is_name};
use super::{package::Package, servers, skills};
use crate::uhp::wire::{Fields, Json};
use serde_json::json;

/// The package of a harness. Servers lose `auth` and `headers` (each said in `skipped`); plugins, prompt, model, base and
/// disabled tools stay behind. Installed again, it gives the same servers and skills.
pub fn export(harness: &Harness, shown_name: &str) -> Plugin {
    let config = &harness.config;
    let mut skipped = Vec::new();
    let name = package_name(shown_name, &harness.id);
    let mut manifest = Fields::new();
    manifest.insert("$schema".into(), json!(PLUGIN_SCHEMA));
    manifest.insert("name".into(), json!(name));
    let mut declared = Fields::new();
    for server in config.mcp_servers.iter().filter(|s| s.enabled) {
        let kind = if server.transport == "sse" { "sse" } else { "streamable-http" };
        declared.insert(server.name.clone(), json!({ "type": kind, "url": server.url }));
        let left: Vec<&str> = [
            ("auth", server.auth.as_ref().is_some_and(|a| !a.is_empty())),
            ("headers", server.headers.as_ref().is_some_and(|h| !h.is_empty())),
        ]
        .into_iter()
        .filter_map(|(field, there)| there.then_some(field))
        .collect();
        for field in left {
            let at = format!("mcp.json#/mcpServers/{}", server.name);
            skipped.push(Skipped::new(at, format!("The {field} of the server {} stay behind.", server.name)));
        }
    }
    let mut files = vec![SkillFile::text("plugin.json", pretty(&Json::Object(manifest.clone())))];
    if !declared.is_empty() {
        files.push(SkillFile::text("mcp.json", pretty(&json!({ "$schema": MCP_SCHEMA, "mcpServers": declared }))));
    }
    for skill in config.skills.iter().filter(|s| s.enabled) {
        let folder: Vec<SkillFile> = skill
            .folder()
            .into_iter()
            .map(|f| SkillFile { path: format!("skills/{}/{}", skill.name, f.path), ..f })
            .collect();
        let (_, faults) = skills::read(&Package::new(&folder));
        skipped.extend(faults.into_iter().map(|s| Skipped { reason: format!("{} ({SKILL_FILE})", s.reason), ..s }));
        files.extend(folder);
    }
    let package = Package::new(&files);
    let (mcp_servers, more) = servers::read(&package);
    skipped.extend(more);
    let (skills, _) = skills::read(&package);
    Plugin {
        name,
        enabled: true,
        manifest: Json::Object(manifest),
        mcp_servers,
        skills,
        skipped,
        extra: Fields::new(),
        files,
    }
}

/// A plugin's name out of a harness's: lower case, other characters in runs to one `-`, ends trimmed, doubled dots to
/// one; the harness's id when nothing is left.
fn package_name(shown: &str, id: &str) -> String {
    let made = |text: &str| {
        let mut name = String::new();
        for c in text.to_lowercase().chars() {
            match c {
                'a'..='z' | '0'..='9' => name.push(c),
                '.' if name.ends_with('.') => {}
                '.' => name.push('.'),
                _ if name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        name.truncate(64);
        name.trim_matches(['-', '.']).to_owned()
    };
    let name = made(shown);
    if is_name(&name) { name } else { made(id) }
}

fn pretty(value: &Json) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_package_names() {
        assert_eq!(package_name("My Harness (v2)", "chrn_1"), "my-harness-v2");
        assert_eq!(package_name("a..b__c", "chrn_1"), "a.b-c");
        assert_eq!(package_name("日本", "chrn_12"), "chrn-12");
        assert_eq!(package_name("--", "chrn_12"), "chrn-12");
        assert!(is_name(&package_name(&"x-".repeat(80), "chrn_1")));
    }
}
