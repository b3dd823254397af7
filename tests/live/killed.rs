//! Processes killed at any moment: nothing answered is lost, nothing hangs.

use crate::support::{HOTEL, record};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub fn program() -> PathBuf {
    std::env::var_os("REHEARSAL_BIN").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_rehearsal")), PathBuf::from)
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program())
            .args(arguments)
            .current_dir(folder)
            .env("HOME", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        let frame = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(self.input, "{frame}").unwrap();
        let answer = self.line();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn initialize(&mut self) {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        assert_eq!(self.ask(0, "initialize", params)["result"]["protocolVersion"], "2025-06-18");
    }

    fn call(&mut self, id: u64) -> Value {
        self.ask(id, "tools/call", json!({"name": "get_stay", "arguments": {"stay_id": "abc"}}))
    }
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[test]
fn a_hub_that_is_killed_comes_back_with_every_answered_call() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::canonicalize(HOTEL).unwrap();
    let file = file.to_str().unwrap();
    let hub = ["live", file, "--arm", "landed:l1", "--seed", "20", "--json", "--listen", "127.0.0.1:0"];
    let mut shim = Process::start(folder.path(), &["mcp", "--join"]);
    shim.initialize();
    assert_eq!(shim.call(1)["error"]["code"], -32000, "no hub, and an answer at once");
    let mut first = Process::start(folder.path(), &hub);
    let opened = first.line();
    let run = folder.path().join(opened["folder"].as_str().unwrap());
    assert!(shim.call(2).get("result").is_some());
    assert!(shim.ask(3, "tools/list", json!({}))["result"]["tools"].is_array());
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    assert_eq!(lines(&run.join("calls.jsonl")), 1);
    assert_eq!(shim.call(4)["error"]["code"], -32000);
    let mut second = Process::start(folder.path(), &hub);
    let again = second.line();
    assert_eq!((&again["episode"], &again["folder"]), (&opened["episode"], &opened["folder"]));
    assert_eq!(again["calls"], 1);
    assert!(shim.call(5).get("result").is_some());
    let mut other = Process::start(folder.path(), &["mcp", "--join", opened["episode"].as_str().unwrap()]);
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "other", "version": "1"}});
    other.ask(0, "initialize", params);
    assert_eq!(other.call(1)["error"]["code"], -32000, "the episode has its caller");
    drop(shim);
    let pid = second.child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(second.child.wait().unwrap().success());
    let record = record(&run);
    assert_eq!((&record["sampled_calls"], &record["turns"]), (&json!(2), &Value::Null));
    assert!(run.join("card/artifact.json").is_file());
}

#[test]
fn the_record_of_a_server_that_was_killed_opens_as_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::canonicalize(HOTEL).unwrap();
    let arguments = ["mcp", file.to_str().unwrap(), "--arm", "faults:f1", "--seed", "3", "--out", "run"];
    let mut server = Process::start(folder.path(), &arguments);
    server.initialize();
    for id in 1..4 {
        assert!(server.call(id).get("result").is_some());
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let run = folder.path().join("run");
    assert_eq!(lines(&run.join("episodes.jsonl")), 0);
    let source = rehearsal::run::Source::open(&run).unwrap();
    assert_eq!(source.episodes.len(), 1);
    assert_eq!(source.trace(0).unwrap().unwrap().steps.len(), 3);
    assert_eq!(record(&run)["model"], "live");
}

#[test]
fn a_frame_of_100_mb_is_refused_and_the_episode_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::canonicalize(HOTEL).unwrap();
    let arguments = ["mcp", file.to_str().unwrap(), "--arm", "faults:f1", "--seed", "3", "--out", "run"];
    let mut server = Process::start(folder.path(), &arguments);
    server.initialize();
    let mut large = vec![b'x'; 100 << 20];
    large.push(b'\n');
    server.input.write_all(&large).unwrap();
    assert_eq!(server.line()["error"]["code"], -32600);
    assert!(server.call(1).get("result").is_some());
    let Process { child, .. } = &mut server;
    assert!(child.try_wait().unwrap().is_none());
}
