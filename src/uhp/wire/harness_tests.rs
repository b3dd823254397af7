use super::*;

fn config(body: Json) -> Result<Config, Problem> {
    read(body.as_object().unwrap(), None)
}

fn refused(body: Json) -> (Code, String) {
    let problem = config(body).unwrap_err();
    (problem.code, problem.param.unwrap())
}

#[test]
fn a_harness_comes_back_as_it_was_written() {
    let sent = json!({
        "name": "n", "base": "rehearsal/x", "default_model": "rehearsal/once", "system_prompt": "be kind",
        "mcp_servers": [{"name": "docs", "url": "https://mcp.example.invalid/x", "transport": "http", "enabled": false,
            "headers": {"X-A": "1"}, "auth": "vault://docs", "note": 7}],
        "skills": [{"name": "s", "enabled": true, "content": "x"}],
        "disabled_tools": ["WebSearch"], "max_step": 3, "timeout_seconds": null,
        "rehearsal": {"arm": "faults:f2", "seeds": [0, 5]},
    });
    let harness = Harness { id: "chrn_1".into(), created_at_ms: 7, config: config(sent.clone()).unwrap() };
    let got = harness.json("X", "rehearsal/reference", &harness.config.rehearsal);
    let as_read = config(got.clone()).unwrap();
    assert_eq!(as_read, harness.config, "the names it is read under are understood too");
    let both = config(json!({"base": "b", "max_step": 1, "maxStep": 2})).unwrap();
    assert_eq!(both.max_step, Some(1));
    for (snake, camel) in [
        ("name", "name"),
        ("base", "base"),
        ("default_model", "defaultModel"),
        ("system_prompt", "systemPrompt"),
        ("mcp_servers", "mcpServers"),
        ("skills", "skills"),
        ("disabled_tools", "disabledTools"),
        ("max_step", "maxStep"),
        ("timeout_seconds", "timeoutSeconds"),
        ("rehearsal", "rehearsal"),
    ] {
        assert_eq!(got[camel], sent[snake], "{camel}");
    }
    assert_eq!((got["object"].as_str(), got["createdAt"].as_u64()), (Some("harness"), Some(7)));
}

#[test]
fn defaults_are_filled_in() {
    let harness = Harness { id: "chrn_1".into(), created_at_ms: 0, config: Config::of_base("rehearsal/x") };
    let got = harness.json("X", "rehearsal/reference", &Rehearsal::default());
    assert_eq!((got["name"].as_str(), got["defaultModel"].as_str()), (Some("X"), Some("rehearsal/reference")));
    assert_eq!(got["maxStep"], Json::Null);
    let server = config(json!({"base": "b", "mcp_servers": [{"name": "my server!", "url": "http://x.y/"}]})).unwrap();
    let server = json!(server.mcp_servers[0]);
    assert_eq!(server, json!({"name": "my-server-", "url": "http://x.y/", "transport": "http", "enabled": true}));
}

#[test]
fn what_cannot_run_is_refused_by_field() {
    use Code::{InvalidInput, UnsupportedTransport};
    let with = |key: &str, value: Json| {
        let mut body = json!({"base": "b"});
        body[key] = value;
        refused(body)
    };
    assert_eq!(refused(json!({})), (InvalidInput, "base".into()));
    assert_eq!(with("name", json!(3)), (InvalidInput, "name".into()));
    assert_eq!(with("max_step", json!(-1)), (InvalidInput, "max_step".into()));
    assert_eq!(with("disabled_tools", json!([1])), (InvalidInput, "disabled_tools".into()));
    assert_eq!(with("rehearsal", json!({"seeds": [1.5]})), (InvalidInput, "rehearsal.seeds".into()));
    assert_eq!(with("rehearsal", json!({"arm": 2})), (InvalidInput, "rehearsal.arm".into()));
    let server = |s: Json| with("mcp_servers", json!([s]));
    let stdio = json!({"name": "a", "url": "http://x/", "transport": "stdio"});
    assert_eq!(server(stdio), (UnsupportedTransport, "mcp_servers[0].transport".into()));
    assert_eq!(server(json!({"name": "a"})), (InvalidInput, "mcp_servers[0]".into()));
    assert_eq!(server(json!({"name": " ", "url": "http://x/"})), (InvalidInput, "mcp_servers[0].name".into()));
    for url in ["x", "ftp://x/", "file:///etc/passwd", "http://u:p@x/", "http://x/#f"] {
        assert_eq!(server(json!({"name": "a", "url": url})), (InvalidInput, "mcp_servers[0].url".into()), "{url}");
    }
    let twice = json!([{"name": "a", "url": "http://x/"}, {"name": "a", "url": "http://y/"}]);
    assert_eq!(with("mcp_servers", twice), (InvalidInput, "mcp_servers[1].name".into()));
}
