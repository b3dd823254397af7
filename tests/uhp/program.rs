//! The program itself: `serve` and `uhp` as processes.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The program under test: the release binary when `REHEARSAL_BIN` names it.
pub fn binary() -> PathBuf {
    std::env::var_os("REHEARSAL_BIN").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_rehearsal")), PathBuf::from)
}

struct Serving {
    child: Child,
    base: String,
}

fn serve(args: &[&str]) -> Serving {
    let mut child = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(if args.contains(&"--pace") { &[][..] } else { &["--pace", "1"] })
        .args(args)
        .env("ANN", "ann-key-123")
        .env("BOB", "bob-key-123")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.trim().strip_prefix("listening on ").unwrap().to_owned();
    Serving { child, base }
}

impl Serving {
    /// Ends it with SIGTERM; gives its exit code and what it said on stderr.
    fn stop(mut self) -> (Option<i32>, String) {
        Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

/// The client as one runs it.
pub fn uhp(base: &str, key: &str, args: &[&str]) -> Output {
    Command::new(binary()).arg("uhp").args(args).env("UHP_BASE_URL", base).env("UHP_API_KEY", key).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_verbs_work_and_exit_codes_say_how_it_went() {
    let serving = serve(&["--key-env", "ANN"]);
    let run = |args: &[&str]| uhp(&serving.base, "ann-key-123", args);
    assert!(said(&run(&["discover"])).contains("class     full"));
    assert!(said(&run(&["harnesses"])).starts_with("chrn_"));
    assert!(said(&run(&["models"])).contains("rehearsal/reference"));
    let ran = run(&["run", "faults:f1 seed 0"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(said(&ran).contains("Verdict: passed") && said(&ran).contains("usage is not accounted"));
    let whole: serde_json::Value =
        serde_json::from_slice(&run(&["--json", "run", "Reply with exactly: ok"]).stdout).unwrap();
    crate::schema::response(&whole);
    let id = whole["id"].as_str().unwrap();
    let session = whole["metadata"]["session_id"].as_str().unwrap();
    assert!(said(&run(&["get", id])).starts_with("ok\n"));
    assert!(said(&run(&["get", id, "--input"])).contains("input_text"));
    assert!(said(&run(&["cancel", id])).contains("completed"));
    assert!(said(&run(&["cancel", session])).contains("completed"));
    let next = said(&run(&["stream", "--continue", id, "Create a file named d/a.txt containing exactly: hi"]));
    assert!(next.contains("Created d/a.txt.") && next.contains("d/a.txt"));
    let lines = said(&run(&["stream", "--json", "Count slowly from 1 to 3"]));
    let events: Vec<serde_json::Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    crate::schema::events(&events);
    assert!(said(&run(&["sessions", "--limit", "1"])).contains("more: --cursor "));
    assert!(said(&run(&["turns", session])).contains("> Reply with exactly: ok"));
    assert!(said(&run(&["files", session])).contains("d/a.txt"));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert_eq!(run(&["download", session, "--out", out]).status.code(), Some(0));
    run(&["download", session, "d/a.txt", "--out", out]);
    for name in ["d/a.txt", "d/a-2.txt"] {
        assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), "hi", "nothing is written over");
    }
    let token = folder.path().join("token.txt");
    std::fs::write(&token, "token: t1").unwrap();
    for how in [&[][..], &["--upload"]] {
        let asked =
            [&["run", "What is the token in the attached file?", "--file", token.to_str().unwrap()], how].concat();
        assert!(said(&run(&asked)).starts_with("t1\n"));
    }
    assert_eq!(run(&["run", "faults:f2 seed 0", "--max-step", "1"]).status.code(), Some(1), "incomplete");
    assert_eq!(run(&["run", "--meta", "arm=faults:f1", "--meta", "seed=4", "x"]).status.code(), Some(0));
    let refused = run(&["run", "--model", "none", "x"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("model_unavailable"));
    assert_eq!(uhp(&serving.base, "wrong", &["harnesses"]).status.code(), Some(1));
    assert_eq!(run(&["get"]).status.code(), Some(2));
    assert_eq!(uhp("", "", &["discover"]).status.code(), Some(2));
    let (code, said) = serving.stop();
    assert_eq!(code, Some(0));
    assert!(!said.contains("ann-key-123") && said.contains(" began resp_") && said.contains(" ended resp_"));
}

#[test]
fn a_key_is_made_and_shown_once_when_none_is_named() {
    let serving = serve(&[]);
    let refused = uhp(&serving.base, "", &["harnesses"]);
    assert_eq!(refused.status.code(), Some(1));
    let base = serving.base.clone();
    let mut serving = serving;
    let mut line = String::new();
    let mut stderr = BufReader::new(serving.child.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let key = line.trim().strip_prefix("key for this start: ").unwrap().to_owned();
    assert_eq!(uhp(&base, &key, &["harnesses"]).status.code(), Some(0));
    serving.child.kill().unwrap();
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains(&key));
    serving.child.wait().unwrap();
}

#[test]
fn two_names_have_two_keys() {
    let serving = serve(&["--key-env", "ann=ANN", "--key-env", "bob=BOB"]);
    let list = |key: &str| said(&uhp(&serving.base, key, &["harnesses"]));
    assert_ne!(list("ann-key-123"), list("bob-key-123"));
    serving.stop();
}

#[test]
fn what_cannot_be_served_is_refused_before_it_listens() {
    let refused = |args: &[&str], code: i32, words: &str| {
        let output =
            Command::new(binary()).arg("serve").args(args).env("ANN", "ann-key-123").env("EMPTY", "").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    };
    refused(&["--listen", "0.0.0.0:0"], 1, "without a key");
    refused(&["--listen", "[::]:0"], 1, "without a key");
    refused(&["--listen", "nowhere"], 2, "--listen");
    refused(&["--key-env", "UNSET_VARIABLE_X"], 2, "holds no key");
    refused(&["--key-env", "EMPTY"], 2, "holds no key");
    refused(&["--key-env", "ANN", "--key-env", "ANN"], 2, "has a key already");
    refused(&["/no/such/file.json"], 1, "no such file");
    refused(&["--pace", "slow"], 2, "--pace");
    refused(&["Cargo.toml"], 1, "Cargo");
}

#[test]
fn saved_responses_are_read_replayed_and_compared() {
    let serving = serve(&["--key-env", "ANN"]);
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, args: &[&str]| {
        let ran = uhp(&serving.base, "ann-key-123", &[&["--json", "run"], args].concat());
        let path = folder.path().join(name);
        std::fs::write(&path, ran.stdout).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let patient = save("a.json", &["--model", "rehearsal/reference", "faults:f2 seed 0"]);
    let once = save("b.json", &["--model", "rehearsal/once", "faults:f2 seed 0"]);
    let run = |args: &[&str]| Command::new(binary()).args(args).output().unwrap();

    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/orders/orders.openai.json");
    let read = run(&[&patient, "--tools", tools]);
    assert_eq!(read.status.code(), Some(0), "{read:?}");
    let text = said(&read);
    assert!(text.contains("completed") && text.contains("Verdict:"), "{text}");
    assert!(text.contains("replayed on") && text.contains("the same here") && text.contains("0 differ"), "{text}");
    assert!(!text.contains("differs here"));
    let elsewhere = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/warehouse/warehouse.mcp.json");
    assert!(said(&run(&[&patient, "--tools", elsewhere])).contains("none of the called tools"));
    assert_eq!(run(&[&patient, "--arm", "faults:f1"]).status.code(), Some(2));
    assert_eq!(run(&[tools, "--tools", tools]).status.code(), Some(2));

    assert_eq!(said(&run(&[&patient, &once])), said(&run(&["compare", &patient, &once])));
    assert_eq!(run(&[&patient, &once, "--arm", "faults:f1"]).status.code(), Some(2));
    let compared = run(&["compare", &patient, &once]);
    assert_eq!(compared.status.code(), Some(0), "{compared:?}");
    let text = said(&compared);
    assert!(text.contains("rehearsal/reference") && text.contains("rehearsal/once"), "{text}");
    assert!(text.contains("faults:f2") && text.contains("Calls ("), "{text}");
    assert_eq!(run(&["compare", &patient, &once, "--fail-on", "changed"]).status.code(), Some(4));
    assert_eq!(run(&["compare", &patient, &patient, "--fail-on", "changed"]).status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&run(&["compare", &patient, &once, "--json"]).stdout).unwrap();
    assert_eq!(json["same"], false);
    assert!(json["rows"].as_array().unwrap().len() > 1 && json["first_divergence"].is_u64(), "{json:#}");
    let odd = run(&["compare", &patient, tools]);
    assert_eq!(odd.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&odd.stderr).contains("A is a response and B is none"), "{odd:?}");
    let careful = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/runs/careful");
    let odd = run(&["compare", &patient, careful]);
    assert!(String::from_utf8_lossy(&odd.stderr).contains("has no episode of faults:f2 seed 0"), "{odd:?}");
    serving.stop();

    // The task of a recorded episode, played by the server: the two are the same.
    let hotel = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hotel/hotel.mcp.json");
    let serving = serve(&["--key-env", "ANN", hotel]);
    let ran =
        uhp(&serving.base, "ann-key-123", &["--json", "run", "--model", "rehearsal/checking", "landed:l0 seed 20"]);
    let path = folder.path().join("c.json").to_str().unwrap().to_owned();
    std::fs::write(&path, ran.stdout).unwrap();
    for args in
        [["compare", &path, careful, "--fail-on", "changed"], ["compare", careful, &path, "--fail-on", "changed"]]
    {
        let same = run(&args);
        assert_eq!(same.status.code(), Some(0), "{same:?}");
        assert!(said(&same).contains("Both made the same calls"), "{}", said(&same));
    }
    serving.stop();
}

#[test]
fn a_stream_is_printed_as_it_comes_and_leaving_it_says_how_to_stop_the_task() {
    let serving = serve(&["--key-env", "ANN", "--pace", "20"]);
    let begin = |args: &[&str]| {
        let mut command = Command::new(binary());
        command.arg("uhp").args(args).env("UHP_BASE_URL", &serving.base).env("UHP_API_KEY", "ann-key-123");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let leave = |mut child: Child| {
        Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (child.wait().unwrap().code(), said)
    };
    let mut streaming = begin(&["stream", "Count slowly from 1 to 100000"]);
    let mut lines = BufReader::new(streaming.stdout.take().unwrap()).lines();
    for n in 1..=3 {
        assert_eq!(lines.next().unwrap().unwrap(), n.to_string(), "while the message still comes");
    }
    let (code, said_there) = leave(streaming);
    assert_eq!(code, Some(130), "{said_there}");
    let id = said_there.split("uhp cancel ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let run = |args: &[&str]| uhp(&serving.base, "ann-key-123", args);
    assert!(said(&run(&["get", id])).contains("in_progress"), "leaving is not stopping");
    assert!(said(&run(&["cancel", id])).contains("cancelled"));

    let waiting = begin(&["run", "Count slowly from 1 to 100000"]);
    while !said(&run(&["sessions"])).contains("in_progress") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (code, said_there) = leave(waiting);
    assert_eq!((code, said_there.contains("may go on at the server")), (Some(130), true), "{said_there}");
    serving.stop();
}

#[test]
fn what_draws_needs_a_terminal() {
    for args in [&["attach", "http://127.0.0.1:9"][..], &["serve", "--screen", "--listen", "127.0.0.1:0"]] {
        let ran = Command::new(binary()).args(args).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("terminal"), "{ran:?}");
    }
}
