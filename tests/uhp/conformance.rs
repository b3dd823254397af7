//! The 75 checks of the public conformance suite, restated: each by its id, none skipped.

use crate::schema;
use crate::support::{Http, KEY, Server, frames, id_of, server, session_of};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const PLUGIN: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const MCP: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

struct Suite {
    server: Server,
    http: Http,
    passed: BTreeSet<String>,
}

impl Suite {
    /// Notes that a check held; an id is noted once.
    fn pass(&mut self, ids: &str) {
        for id in ids.split(' ') {
            assert!(self.passed.insert(id.to_owned()), "{id} twice");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_seventy_five_checks_hold() {
    let server = server(|c| c.pace = Duration::from_millis(90)).await;
    let mut suite = Suite { http: server.http(), server, passed: BTreeSet::new() };
    discovery(&mut suite).await;
    access(&mut suite).await;
    harnesses(&mut suite).await;
    let first = tasks(&mut suite).await;
    streaming(&mut suite).await;
    control(&mut suite, &first).await;
    extended(&mut suite, &first).await;
    management(&mut suite).await;
    plugins(&mut suite).await;
    sharing(&mut suite).await;
    let count = |letter: &str| suite.passed.iter().filter(|p| p.starts_with(letter)).count();
    let families = ["D", "V", "A", "E", "H", "T", "S", "C", "X", "F", "P", "R"].map(count);
    assert_eq!(families, [5, 3, 2, 4, 4, 10, 9, 3, 9, 8, 10, 8]);
    assert_eq!(suite.passed.len(), 75);
}

async fn discovery(s: &mut Suite) {
    let open = Http::new(&s.server.base, None);
    let answer = open.get("/v1/uhp").await;
    let doc = answer.ok();
    s.pass("D-01 D-02");
    schema::valid("Discovery", &doc);
    s.pass("D-03");
    assert!(doc["versions"].as_array().unwrap().contains(&doc["default_version"]));
    s.pass("D-04");
    assert_eq!(doc["conformance_class"], "full");
    for capability in [
        "streaming",
        "sessions",
        "cancellation",
        "files_input",
        "files_output",
        "session_listing",
        "harness_management",
    ] {
        assert_eq!(doc["capabilities"][capability], true);
    }
    s.pass("D-05");
    assert_eq!(answer.header("uhp-version"), "2026-09-12");
    s.pass("V-01");
    let asked = open.request(Method::GET, "/v1/uhp").header("UHP-Version", doc["versions"][0].as_str().unwrap());
    assert_eq!(open.send(asked).await.header("uhp-version"), doc["versions"][0].as_str().unwrap());
    s.pass("V-02");
    let old = open.send(open.request(Method::GET, "/v1/uhp").header("UHP-Version", "1999-01-01")).await;
    let error = old.refused(400, "unsupported_protocol_version");
    assert!(!error["detail"]["supported"].as_array().unwrap().is_empty());
    s.pass("V-03");
}

async fn access(s: &mut Suite) {
    let open = Http::new(&s.server.base, None);
    assert_eq!(open.get("/v1/harnesses").await.status, 401);
    s.pass("A-01");
    let wrong = Http::new(&s.server.base, Some("not-a-valid-token"));
    let answer = wrong.get("/v1/harnesses").await;
    assert_eq!((answer.status, &answer.json()["error"]["type"]), (401, &json!("authentication_error")));
    s.pass("A-02");
    s.http.get("/v1/harnesses/chrn_does_not_exist").await.refused(404, "harness_not_found");
    s.http.get("/v1/responses/resp_does_not_exist").await.refused(404, "response_not_found");
    // The helper holds every refusal against the envelope's schema and looks for traces in its message.
    s.pass("E-01 E-02 E-03 E-04");
}

async fn harnesses(s: &mut Suite) {
    let list = s.http.get("/v1/harnesses").await.ok();
    let list = list["harnesses"].as_array().unwrap();
    assert!(!list.is_empty());
    list.iter().for_each(schema::harness);
    s.pass("H-01");
    let id = id_of(&list[0]);
    assert_eq!(s.http.get(&format!("/v1/harnesses/{id}")).await.ok(), list[0]);
    s.pass("H-02");
    let catalog = s.http.get("/v1/models").await.ok();
    schema::valid("ModelCatalog", &catalog);
    s.pass("H-03");
    let models = s.http.get(&format!("/v1/harnesses/{id}/models")).await.ok();
    schema::valid("HarnessModels", &models);
    assert!(models["models"].as_array().unwrap().iter().all(|m| m["available"].is_boolean()));
    s.pass("H-04");
}

async fn tasks(s: &mut Suite) -> Value {
    let first = s.http.say("Reply with exactly: ok").await;
    s.pass("T-01");
    assert_eq!(first["status"], "completed");
    s.pass("T-02");
    assert!(first["model"].is_string() && first["metadata"].get("model_fallback").is_none());
    s.pass("T-03");
    assert!(first["metadata"]["session_id"].is_string());
    s.pass("T-04");
    assert!(first.as_object().unwrap().contains_key("usage"));
    s.pass("T-05");
    let id = id_of(&first);
    assert_eq!(s.http.get(&format!("/v1/responses/{id}")).await.ok()["status"], "completed");
    s.pass("T-06");
    assert!(id.starts_with("resp_"));
    s.pass("T-07");
    let ignored = s
        .http
        .run(json!({"input": "Reply with exactly: ok", "tools": [{"type": "function", "name": "x"}],
        "include": ["usage"]}))
        .await;
    assert_eq!(ignored["status"], "completed");
    s.pass("T-08");
    assert_eq!(ignored["metadata"]["ignored_fields"], json!(["include", "tools"]));
    s.pass("T-09");
    assert!(first["metadata"].get("ignored_fields").is_none());
    s.pass("T-10");
    first
}

async fn streaming(s: &mut Suite) {
    let request =
        s.http.request(Method::POST, "/v1/responses").json(&json!({"input": "Reply with exactly: ok", "stream": true}));
    let started = Instant::now();
    let mut response = request.send().await.unwrap();
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    s.pass("S-02");
    let (mut text, mut times) = (String::new(), Vec::new());
    while let Some(piece) = response.chunk().await.unwrap() {
        text.push_str(std::str::from_utf8(&piece).unwrap());
        times.push(started.elapsed());
    }
    let events: Vec<Value> = frames(&text).into_iter().map(|(_, e)| e).collect();
    assert!(!events.is_empty());
    s.pass("S-01");
    let last = schema::events(&events);
    // Schema of each event, numbers, the first, the last, the last's response.
    s.pass("S-03 S-04 S-05 S-06 S-07");
    let blocking = s.http.say("Reply with exactly: ok").await;
    assert_eq!((&blocking["object"], &last["object"]), (&json!("response"), &json!("response")));
    assert_eq!(blocking["status"], last["status"]);
    s.pass("S-08");
    assert!(events.len() >= 3 && times.len() >= 3);
    assert!(*times.last().unwrap() >= Duration::from_millis(500), "{times:?}");
    assert!((*times.last().unwrap()).checked_sub(times[0]).unwrap() > Duration::from_millis(50));
    s.pass("S-09");
}

async fn control(s: &mut Suite, first: &Value) {
    let id = id_of(first);
    let next = s.http.run(json!({"input": "Reply with exactly: two", "previous_response_id": id})).await;
    assert_eq!((&next["previous_response_id"], session_of(&next)), (&json!(id), session_of(first)));
    s.pass("C-01");
    let cancelled = s.http.post_empty(&format!("/v1/responses/{id}/cancel")).await.ok();
    assert_eq!(cancelled["status"], "completed");
    s.pass("C-02");
    let running = s.http.begin(json!({"input": "Count slowly from 1 to 200, one number per line."})).await;
    let id = id_of(&running);
    assert_eq!(running["status"], "in_progress");
    tokio::time::sleep(Duration::from_secs(2)).await;
    s.http.post_empty(&format!("/v1/responses/{id}/cancel")).await.ok();
    assert_eq!(s.http.ended(&id).await["status"], "cancelled");
    s.pass("C-03");
}

async fn extended(s: &mut Suite, first: &Value) {
    let list = s.http.get("/v1/sessions?limit=5").await.ok();
    schema::valid("SessionList", &list);
    assert!(list["sessions"].is_array());
    s.pass("X-01");
    assert!(list.as_object().unwrap().contains_key("next_cursor"));
    s.pass("X-02");
    let session = session_of(first);
    schema::valid("Session", &s.http.get(&format!("/v1/sessions/{session}")).await.ok());
    s.pass("X-03");
    let turns = s.http.get(&format!("/v1/sessions/{session}/turns")).await.ok();
    let turns = turns["turns"].as_array().unwrap();
    assert!(!turns.is_empty());
    for turn in turns {
        schema::valid("TurnItem", turn);
    }
    s.pass("X-04");
    let ask = "Reply with only the secret token from the attached file.";
    let inline = s
        .http
        .run(json!({"input": [{"role": "user", "content": [
        {"type": "input_text", "text": ask},
        {"type": "input_file", "filename": "token.txt",
         "file_data": "data:text/plain;base64,VGhlIHNlY3JldCB0b2tlbiBpcyB1aHAtMTIzNDU2Nzgu"}]}]}))
        .await;
    assert_eq!(crate::support::text(&inline), "uhp-12345678");
    s.pass("X-05");
    let made = s.http.say("Create a file named uhp-conformance.txt containing exactly: artifact-ok").await;
    let files = s.http.get(&format!("/v1/sessions/{}/files", session_of(&made))).await.ok();
    let files = files["files"].as_array().unwrap();
    s.pass("X-06");
    schema::valid("File", &files[0]);
    let (container, file) = (files[0]["container_id"].as_str().unwrap(), id_of(&files[0]));
    let got = s.http.get(&format!("/v1/containers/{container}/files/{file}/content")).await;
    assert_eq!(
        (got.status, got.text().as_str(), got.header("x-content-type-options")),
        (200, "artifact-ok", "nosniff")
    );
    s.pass("X-07");
    for path in [
        "/v1/containers/x/files/..%2f..%2f..%2fetc%2fpasswd/content",
        "/v1/containers/../../etc/passwd/files/x/content",
        "/v1/containers/%2e%2e%2f%2e%2e%2fetc%2fpasswd/files/x/content",
    ] {
        let got = s.http.get(path).await;
        assert!([400, 403, 404].contains(&got.status) && !got.text().contains("root:"), "{path}: {got:?}");
    }
    s.pass("X-08");
    let bytes = b"The secret token is uhp-abcdef01.";
    let uploaded = s.http.upload("token.txt", bytes).await.ok();
    schema::valid("File", &uploaded);
    assert_eq!((&uploaded["object"], &uploaded["bytes"]), (&json!("file"), &json!(bytes.len())));
    let by_id = s
        .http
        .run(json!({"input": [{"role": "user", "content": [{"type": "input_text", "text": ask},
        {"type": "input_file", "file_id": uploaded["id"]}]}]}))
        .await;
    assert_eq!(crate::support::text(&by_id), "uhp-abcdef01");
    s.pass("X-09");
}

async fn bases(s: &Suite) -> Value {
    let error = s.http.post("/v1/harnesses", json!({"name": "x", "base": "uhp-no-such-base"})).await;
    error.refused(422, "unsupported_base")["detail"]["supported"][0].clone()
}

async fn management(s: &mut Suite) {
    let base = bases(s).await;
    s.pass("F-02");
    let made = s.http.post("/v1/harnesses", json!({"name": "uhp", "base": base})).await.ok();
    schema::harness(&made);
    let at = format!("/v1/harnesses/{}", id_of(&made));
    let renamed = s.http.put(&at, json!({"name": "uhp2", "base": base})).await.ok();
    assert_eq!((&renamed["name"], &renamed["base"], &renamed["id"]), (&json!("uhp2"), &base, &made["id"]));
    assert_eq!(s.http.delete(&at).await.status, 200);
    assert_eq!(s.http.get(&at).await.status, 404);
    s.pass("F-01");

    let files = json!([{"path": "SKILL.md", "content": "# s"}, {"path": "references/data.md", "content": "d"},
        {"path": "assets/blob.bin", "content_b64": "AAECAwQF"}]);
    let made = s
        .http
        .post("/v1/harnesses", json!({"name": "uhp", "base": base, "skills": [{"name": "s", "files": files}]}))
        .await
        .ok();
    let at = format!("/v1/harnesses/{}", id_of(&made));
    let paths = |list: &Value| {
        let mut paths: Vec<String> =
            list["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap().to_owned()).collect();
        paths.sort();
        paths
    };
    let skill = s.http.get(&format!("{at}/skills/s/files")).await.ok();
    assert_eq!(paths(&skill), ["SKILL.md", "assets/blob.bin", "references/data.md"]);
    let blob = |list: &Value| {
        list["files"].as_array().unwrap().iter().find(|f| f["path"] == "assets/blob.bin").unwrap()["content_b64"]
            .clone()
    };
    assert_eq!(blob(&skill), "AAECAwQF");
    s.pass("F-03");
    let got = s.http.get(&at).await.ok();
    s.http.put(&at, json!({"name": "renamed", "base": base, "skills": got["skills"]})).await.ok();
    assert_eq!(s.http.get(&format!("{at}/skills/s/files")).await.ok(), skill);
    s.pass("F-04");
    let bad = json!({"name": "x", "base": base, "skills": [{"name": "s", "files": [{"path": "x.md", "content": ""}]}]});
    assert_eq!(s.http.post("/v1/harnesses", bad).await.status, 400);
    s.pass("F-05");
    let quiet = s
        .http
        .post(
            "/v1/harnesses",
            json!({"name": "q", "base": base, "disabled_tools": ["WebSearch"],
        "mcp_servers": [{"name": "off", "url": "https://mcp.example.invalid/mcp", "enabled": false}]}),
        )
        .await
        .ok();
    schema::harness(&quiet);
    assert_eq!((&quiet["mcpServers"][0]["enabled"], &quiet["disabledTools"]), (&json!(false), &json!(["WebSearch"])));
    s.pass("F-06");
    for id in [id_of(&made), id_of(&quiet)] {
        s.http.delete(&format!("/v1/harnesses/{id}")).await.ok();
        assert_eq!(s.http.get(&format!("/v1/harnesses/{id}")).await.status, 404);
    }
    s.pass("F-07");
    let session = session_of(&s.http.say("Reply with exactly: ok").await);
    assert_eq!(s.http.delete(&format!("/v1/sessions/{session}")).await.status, 200);
    s.http.get(&format!("/v1/sessions/{session}")).await.refused(404, "session_not_found");
    s.pass("F-08");
}

fn package(name: &str) -> Value {
    json!([
        {"path": "plugin.json", "content": json!({"$schema": PLUGIN, "name": name}).to_string()},
        {"path": "mcp.json", "content": json!({"$schema": MCP, "mcpServers": {
            "remote": {"type": "streamable-http", "url": "https://mcp.example.invalid/mcp"},
            "local": {"type": "stdio", "command": "./bin/tool.bin", "env": {"D": "${PLUGIN_DATA}"}}}}).to_string()},
        {"path": "bin/tool.bin", "content_b64": "AAECAwQF"},
        {"path": "skills/reader/SKILL.md", "content": "---\nname: reader\ndescription: Reads.\n---\n"},
        {"path": "skills/reader/notes.md", "content": "n"},
    ])
}

async fn plugins(s: &mut Suite) {
    let doc = s.http.get("/v1/uhp").await.ok();
    assert_eq!(doc["plugin_schemas"], json!([PLUGIN]));
    s.pass("P-01");
    let base = bases(s).await;
    let http = s.http.clone();
    let create =
        async |plugins: Value| http.post("/v1/harnesses", json!({"name": "p", "base": base, "plugins": plugins})).await;
    let made = create(json!([{"files": package("kit")}])).await.ok();
    schema::harness(&made);
    let at = format!("/v1/harnesses/{}", id_of(&made));
    let plugin = &made["plugins"][0];
    schema::valid("Plugin", plugin);
    assert_eq!(
        (&plugin["name"], &plugin["manifest"]["name"], &plugin["skipped"]),
        (&json!("kit"), &json!("kit"), &json!([]))
    );
    assert_eq!(plugin["mcpServers"][0]["env"]["D"], "${PLUGIN_DATA}");
    assert_eq!(
        (&plugin["mcpServers"][0]["transport"], &plugin["mcpServers"][1]["transport"]),
        (&json!("stdio"), &json!("http"))
    );
    assert_eq!(plugin["skills"][0]["name"], "reader");
    assert_eq!((&made["mcpServers"], &made["skills"]), (&json!([]), &json!([])));
    let files = s.http.get(&format!("{at}/plugins/kit/files")).await.ok();
    schema::valid("FileList", &files);
    assert_eq!(files["files"], package("kit"));
    s.pass("P-02");
    create(json!([{"files": [{"path": "x", "content": ""}]}])).await.refused(422, "plugin_invalid");
    s.pass("P-03");
    let clash = s
        .http
        .post(
            "/v1/harnesses",
            json!({"name": "p", "base": base, "plugins": [{"files": package("kit")}],
        "mcp_servers": [{"name": "remote", "url": "https://x.invalid/"}]}),
        )
        .await
        .refused(409, "plugin_conflict");
    assert_eq!((&clash["detail"]["component"], &clash["detail"]["name"]), (&json!("mcp_server"), &json!("remote")));
    s.pass("P-04");
    let renamed = s.http.put(&at, json!({"name": "other", "base": base, "plugins": made["plugins"]})).await.ok();
    assert_eq!(renamed["plugins"], made["plugins"]);
    assert_eq!(s.http.get(&format!("{at}/plugins/kit/files")).await.ok(), files);
    s.pass("P-05");
    let source = s
        .http
        .post(
            "/v1/harnesses",
            json!({"name": "My Tools", "base": base,
        "mcp_servers": [{"name": "docs", "url": "https://x.invalid/mcp", "auth": "secret", "headers": {"X": "secret"}}],
        "skills": [{"name": "sk", "files": [{"path": "SKILL.md", "content": "---\nname: sk\ndescription: d\n---\n"},
            {"path": "a.md", "content": "a"}, {"path": "b.bin", "content_b64": "AA=="}]}]}),
        )
        .await
        .ok();
    let export = s.http.get(&format!("/v1/harnesses/{}/plugin", id_of(&source))).await.ok();
    schema::valid("Plugin", &export);
    assert!(!export.to_string().contains("secret") && export["skipped"].to_string().contains("docs"));
    let again = create(json!([export])).await.ok();
    assert_eq!(again["plugins"][0]["mcpServers"][0]["url"], "https://x.invalid/mcp");
    assert_eq!(again["plugins"][0]["skills"][0]["name"], "sk");
    s.pass("P-06");
    let mut pigeon = package("kit");
    pigeon[1]["content"] = json!(
        json!({"$schema": MCP, "mcpServers": {"good": {"type": "sse", "url": "https://x.invalid/"},
        "bad": {"type": "carrier-pigeon", "url": "https://x.invalid/"}}})
        .to_string()
    );
    let kept = create(json!([{"files": pigeon}])).await.ok();
    assert_eq!(kept["plugins"][0]["skipped"][0]["path"], "mcp.json#/mcpServers/bad");
    assert_eq!(kept["plugins"][0]["mcpServers"].as_array().unwrap().len(), 1);
    s.pass("P-07");
    assert_eq!(create(json!([{"files": package("kit"), "enabled": false}])).await.ok()["plugins"][0]["enabled"], false);
    s.pass("P-08");
    let mut other = package("kit");
    other[0]["content"] = json!(
        json!({"$schema": "https://agent-plugins.org/schemas/9.9.9/plugin.schema.json", "name": "kit"}).to_string()
    );
    let error = create(json!([{"files": other}])).await.refused(422, "unsupported_plugin_schema");
    assert_eq!(error["detail"]["supported"], json!([PLUGIN]));
    s.pass("P-09");
    create(json!([{"files": package("kit")}, {"files": package("kit")}])).await.refused(409, "plugin_conflict");
    s.pass("P-10");
}

async fn sharing(s: &mut Suite) {
    let open = Http::new(&s.server.base, None);
    let session = session_of(&s.http.say("Reply with exactly: ok").await);
    let at = format!("/v1/sessions/{session}/share");
    let share = s.http.post_empty(&at).await.ok();
    schema::valid("SessionShare", &share);
    let url = share["url"].as_str().unwrap().to_owned();
    let view = open.get(&url).await;
    assert!(view.ok().is_object());
    s.pass("R-01");
    let again = s.http.get(&at).await.ok();
    assert_eq!((&again["id"], &again["url"]), (&share["id"], &share["url"]));
    s.pass("R-02");
    let as_key = Http::new(&s.server.base, share["id"].as_str());
    for path in ["/v1/harnesses", "/v1/models", "/v1/sessions"] {
        assert_eq!(as_key.get(path).await.status, 401, "{path}");
    }
    s.pass("R-03");
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        assert!(open.send(open.request(method, &url)).await.status >= 400);
    }
    for below in ["/cancel", "/responses", "/files"] {
        assert!(open.post_empty(&format!("{url}{below}")).await.status >= 400);
    }
    s.pass("R-04");
    assert!(!view.text().contains(KEY));
    no_secret_keys(&view.json());
    s.pass("R-05");
    let second = s.http.post_empty(&at).await.ok();
    assert_eq!(s.http.delete(&at).await.status, 200);
    for link in [&url, second["url"].as_str().unwrap()] {
        assert_eq!(open.get(link).await.status, 404);
    }
    s.pass("R-06");
    let session = session_of(&s.http.say("Reply with exactly: ok").await);
    let gone =
        s.http.post_empty(&format!("/v1/sessions/{session}/share")).await.ok()["url"].as_str().unwrap().to_owned();
    assert_eq!(s.http.delete(&format!("/v1/traces/{session}")).await.status, 200);
    assert_eq!(open.get(&gone).await.status, 404);
    s.pass("R-07");
    let revived = s.http.post_empty(&at).await.ok();
    assert!(revived["id"].is_string() && revived["url"].is_string() && revived["id"] != share["id"]);
    s.pass("R-08");
}

/// No member of a value that is named like a secret holds anything.
pub fn no_secret_keys(value: &Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let named = ["auth", "token", "headers", "env", "secret", "password", "api_key", "authorization"];
                assert!(!named.contains(&key.to_ascii_lowercase().as_str()), "{key}");
                no_secret_keys(inner);
            }
        }
        Value::Array(list) => list.iter().for_each(no_secret_keys),
        _ => {}
    }
}
