use super::*;
use crate::uhp::wire::harness;
use serde_json::json;

fn skill_md(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads codes.\n---\n# {name}\n")
}

fn package() -> Json {
    json!([
        {"path": "plugin.json", "content": format!("{{\"$schema\": \"{PLUGIN_SCHEMA}\", \"name\": \"invoice.tools\"}}")},
        {"path": "mcp.json", "content": json!({"$schema": MCP_SCHEMA, "mcpServers": {
            "remote": {"type": "streamable-http", "url": "https://mcp.example.invalid/mcp"},
            "local": {"type": "stdio", "command": "./bin/tool.bin", "args": ["--data", "${PLUGIN_DATA}"]},
        }}).to_string()},
        {"path": "bin/tool.bin", "content_b64": "AAECAwQF"},
        {"path": "skills/reader/SKILL.md", "content": skill_md("reader")},
        {"path": "skills/reader/data.md", "content": "x"},
    ])
}

fn with(path: &str, content: &str) -> Json {
    let mut files = package();
    let list = files.as_array_mut().unwrap();
    list.retain(|f| f["path"] != path);
    list.push(json!({"path": path, "content": content}));
    files
}

fn install(files: Json) -> Result<Plugin, Problem> {
    read_all(&json!([{ "files": files }]), "plugins").map(|mut p| p.remove(0))
}

fn skipped(plugin: &Plugin) -> Vec<&str> {
    plugin.skipped.iter().map(|s| s.path.as_str()).collect()
}

#[test]
fn a_package_is_derived_and_kept_byte_for_byte() {
    let plugin = install(package()).unwrap();
    assert_eq!(plugin.name, "invoice.tools");
    assert!(plugin.enabled);
    assert_eq!(json!(plugin.files), package());
    assert_eq!(
        json!(plugin.mcp_servers),
        json!([
            {"name": "local", "transport": "stdio", "enabled": true, "command": "./bin/tool.bin",
             "args": ["--data", "${PLUGIN_DATA}"]},
            {"name": "remote", "transport": "http", "enabled": true, "url": "https://mcp.example.invalid/mcp"},
        ])
    );
    assert_eq!(json!(plugin.skills), json!([{"name": "reader", "description": "Reads codes."}]));
    assert_eq!(json!(plugin)["skipped"], json!([]));
}

#[test]
fn a_clients_copies_of_derived_fields_are_ignored() {
    let sent = json!([{"name": "invoice.tools", "enabled": false, "files": package(), "skills": [{"name": "lie"}],
        "manifest": {}, "skipped": [1], "mcpServers": 3, "note": "kept"}]);
    let plugin = read_all(&sent, "plugins").unwrap().remove(0);
    assert!(!plugin.enabled);
    assert_eq!(plugin.skills.len(), 1);
    assert_eq!(json!(plugin)["note"], "kept");
    let again = read_all(&json!([json!(plugin)]), "plugins").unwrap().remove(0);
    assert_eq!(again, plugin);
}

#[test]
fn what_refuses_a_package() {
    let code = |files: Json| install(files).unwrap_err().code;
    let manifest = |text: Json| with("plugin.json", &text.to_string());
    assert_eq!(code(json!([{"path": "x", "content": ""}])), Code::PluginInvalid);
    assert_eq!(code(with("plugin.json", "{")), Code::PluginInvalid);
    assert_eq!(code(manifest(json!({"name": "a"}))), Code::PluginInvalid);
    for name in ["", "A", "-a", "a-", "a--b", "a..b", "a b", &"a".repeat(65)] {
        assert_eq!(code(manifest(json!({"$schema": PLUGIN_SCHEMA, "name": name}))), Code::PluginInvalid, "{name}");
    }
    for (key, value) in [
        ("version", json!(1)),
        ("keywords", json!("x")),
        ("author", json!({"name": 1})),
        ("author", json!({"nick": "x"})),
        ("extensions", json!({"com.x": 1})),
    ] {
        let mut body = json!({"$schema": PLUGIN_SCHEMA, "name": "a"});
        body[key] = value;
        assert_eq!(code(manifest(body)), Code::PluginInvalid, "{key}");
    }
    let problem = install(manifest(json!({"$schema": "https://x/2", "name": "a"}))).unwrap_err();
    assert_eq!(problem.code, Code::UnsupportedPluginSchema);
    assert_eq!(problem.detail.unwrap()["supported"], json!([PLUGIN_SCHEMA]));
    let escape = install(with("../x", "")).unwrap_err();
    assert_eq!(escape.code, Code::PluginInvalid);
    assert_eq!(escape.detail.unwrap()["path"], "../x");
    let renamed = read_all(&json!([{"name": "other", "files": package()}]), "plugins").unwrap_err();
    assert_eq!((renamed.code, renamed.param.as_deref()), (Code::PluginInvalid, Some("plugins[0].name")));
    for bare in [json!([{"name": "a"}]), json!([{"blob": "b"}]), json!(["a"])] {
        assert_eq!(read_all(&bare, "plugins").unwrap_err().code, Code::PluginInvalid);
    }
}

#[test]
fn what_is_skipped_and_said() {
    let manifest = json!({"$schema": PLUGIN_SCHEMA, "name": "a", "vendor/Field": 1, "extensions": 3});
    let plugin = install(with("plugin.json", &manifest.to_string())).unwrap();
    assert_eq!(skipped(&plugin), ["plugin.json#/extensions", "plugin.json#/vendor~1Field"]);

    let mcp = |servers: Json| with("mcp.json", &json!({"$schema": MCP_SCHEMA, "mcpServers": servers}).to_string());
    let bad = json!({
        "good": {"type": "sse", "url": "https://x.invalid/"},
        "kind": {"type": "carrier-pigeon", "url": "https://x.invalid/"},
        "untyped": {"url": "https://x.invalid/"},
        "extra": {"type": "sse", "url": "https://x.invalid/", "auth": "s"},
        "nourl": {"type": "streamable-http"},
        "shell": {"type": "stdio", "command": "rm -rf /"},
        "escape": {"type": "stdio", "command": "./../x"},
        "absent": {"type": "stdio", "command": "./bin/none"},
        "absolute": {"type": "stdio", "command": "/bin/sh"},
        "expand": {"type": "stdio", "command": "${PLUGIN_ROOT}"},
        "env": {"type": "stdio", "command": "x", "env": {"PLUGIN_ROOT": "y"}},
        "cwd": {"type": "stdio", "command": "x", "cwd": "${PLUGIN_DATA}/../.."},
        "args": {"type": "stdio", "command": "x", "args": "y"},
        "scalar": 3,
    });
    let plugin = install(mcp(bad.clone())).unwrap();
    assert_eq!(plugin.mcp_servers.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["good"]);
    assert_eq!(plugin.skipped.len(), bad.as_object().unwrap().len() - 1);
    assert!(skipped(&plugin).contains(&"mcp.json#/mcpServers/kind"));
    for cwd in [".", "./sub", "${PLUGIN_ROOT}", "${PLUGIN_ROOT}/a", "${PLUGIN_DATA}/b/"] {
        let plugin = install(mcp(json!({"x": {"type": "stdio", "command": "node", "cwd": cwd}}))).unwrap();
        assert!(plugin.skipped.is_empty(), "{cwd}");
    }
    let other = json!({"$schema": "https://agent-plugins.org/schemas/2.0.0/mcp.schema.json", "mcpServers": {}});
    for text in ["[", "{}", &other.to_string()] {
        assert_eq!(skipped(&install(with("mcp.json", text)).unwrap()), ["mcp.json"], "{text}");
    }

    for text in
        ["no frontmatter", "---\nname: other\ndescription: d\n---\n", "---\nname: reader\n---\n", "---\n: [\n---\n"]
    {
        let plugin = install(with("skills/reader/SKILL.md", text)).unwrap();
        assert_eq!((skipped(&plugin), plugin.skills.len()), (vec!["skills/reader"], 0), "{text}");
    }
    let loose = install(with("skills/README.md", "x")).unwrap();
    assert_eq!(skipped(&loose), ["skills/README.md"]);
    let deep = install(with("skills/group/inner/SKILL.md", &skill_md("inner"))).unwrap();
    assert_eq!(skipped(&deep), ["skills/group"]);
}

#[test]
fn names_collide_across_the_harness_and_its_plugins() {
    let conflict = |body: Json| {
        let problem = harness::read(body.as_object().unwrap(), None).unwrap_err();
        assert_eq!(problem.code, Code::PluginConflict);
        let detail = problem.detail.unwrap();
        (detail["component"].clone(), detail["name"].clone())
    };
    let plugin = json!({ "files": package() });
    let server = json!([{"name": "remote", "url": "https://x.invalid/"}]);
    let body = json!({"base": "b", "plugins": [plugin], "mcp_servers": server});
    assert_eq!(conflict(body), (json!("mcp_server"), json!("remote")));
    let body = json!({"base": "b", "plugins": [plugin], "skills": [{"name": "reader", "content": "x"}]});
    assert_eq!(conflict(body), (json!("skill"), json!("reader")));
    assert_eq!(conflict(json!({"base": "b", "plugins": [plugin, plugin]})), (json!("plugin"), json!("invoice.tools")));
    let inert = json!({"files": package(), "enabled": false});
    let body = json!({"base": "b", "plugins": [inert], "mcp_servers": server});
    assert!(harness::read(body.as_object().unwrap(), None).is_ok());
}

#[test]
fn an_export_installs_again_without_secrets() {
    let body = json!({"base": "b", "mcp_servers": [
            {"name": "docs", "url": "https://x.invalid/", "auth": "s3cret", "headers": {"X-K": "s3cret"}},
            {"name": "off", "url": "https://y.invalid/", "enabled": false}],
        "skills": [{"name": "reader", "files": [{"path": "SKILL.md", "content": skill_md("reader")},
            {"path": "a/b.bin", "content_b64": "AAEC"}]}, {"name": "none", "enabled": false}],
        "plugins": [{ "files": package(), "enabled": false }]});
    let config = harness::read(body.as_object().unwrap(), None).unwrap();
    let made = export(&harness::Harness { id: "chrn_9".into(), created_at_ms: 0, config }, "My Kit!");
    assert_eq!(made.name, "my-kit");
    assert!(!json!(made).to_string().contains("s3cret"));
    assert_eq!(skipped(&made), ["mcp.json#/mcpServers/docs", "mcp.json#/mcpServers/docs"]);
    assert!(made.skipped.iter().all(|s| s.reason.contains("docs")));
    let again = read_all(&json!([json!(made)]), "plugins").unwrap().remove(0);
    assert!(again.skipped.is_empty());
    assert_eq!((&again.name, &again.mcp_servers, &again.skills), (&made.name, &made.mcp_servers, &made.skills));
    assert_eq!(again.mcp_servers[0].url.as_deref(), Some("https://x.invalid/"));
    assert_eq!(again.files.len(), 4);
}
