//! `rehearsal run`, `card` and `compare` as a person or a build calls them.

use crate::resume::folder;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rehearsal(cwd: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehearsal"));
    command.args(arguments).current_dir(cwd).stdin(Stdio::null()).output().unwrap()
}

fn orders() -> String {
    format!("{}/examples/orders/orders.openai.json", env!("CARGO_MANIFEST_DIR"))
}

fn code(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn run_card_compare_and_their_exit_codes() {
    let folder = folder();
    let orders = orders();
    for (player, out) in [("checking", "a"), ("blind-retry", "b"), ("checking", "c")] {
        let run = [
            "run", &orders, "--dial", "landed", "--dial", "faults", "--seeds", "0..11", "--player", player, "--out",
            out,
        ];
        let (status, stdout, stderr) = code(&rehearsal(folder.path(), &run));
        assert_eq!(status, 0, "{stderr}");
        assert!(stdout.contains("72 episodes in") && stdout.contains("run chain"), "{stdout}");
        let (status, stdout, _) = code(&rehearsal(folder.path(), &["card", out]));
        assert!(status == 0 && stdout.contains("landed:l1") && stdout.contains("written to"), "{stdout}");
        assert_eq!(code(&rehearsal(folder.path(), &["card", out, "--check"])).0, 0);
    }
    let again = [
        "run", &orders, "--dial", "landed", "--dial", "faults", "--seeds", "0..11", "--player", "checking", "--out",
        "a",
    ];
    assert!(code(&rehearsal(folder.path(), &again)).1.contains("already finished"));
    for (arguments, status, word) in [
        (vec!["compare", "a", "b"], 0, "B - A"),
        (vec!["compare", "a", "b", "--json"], 0, "\"levels\""),
        (vec!["compare", "a", "b", "--markdown"], 0, "## Levels"),
        (vec!["compare", "a", "b", "--fail-on", "worse"], 4, "faults:f4"),
        (vec!["compare", "a", "b", "--fail-on", "changed"], 4, "A read back first"),
        (vec!["compare", "a", "b", "--fail-on", "different"], 0, "may be compared"),
        (vec!["compare", "a", "c", "--fail-on", "worse,changed,different"], 0, "All 72 episodes"),
        (vec!["compare", "a", "nowhere"], 1, ""),
        (vec!["card", "nowhere"], 1, ""),
        (vec!["card", "a", "--json"], 0, "\"artifact\""),
        (vec!["run", &orders], 2, ""),
        (vec!["run", &orders, "--dial", "fault"], 2, ""),
        (vec!["run", &orders, "--dial", "faults", "--player", "nobody"], 2, ""),
        (vec!["run", &orders, "--dial", "block"], 1, ""),
        (vec!["run", &orders, "--arm", "faults:f1", "--out", "a"], 1, ""),
    ] {
        let (found, stdout, stderr) = code(&rehearsal(folder.path(), &arguments));
        assert_eq!(found, status, "{arguments:?}: {stderr}");
        assert!(stdout.contains(word), "{arguments:?}: {stdout}");
    }
    let artifact = folder.path().join("b/card/artifact.json");
    let text = std::fs::read_to_string(&artifact).unwrap();
    std::fs::write(&artifact, text.replacen("\"S_observed\": 12", "\"S_observed\": 13", 1)).unwrap();
    let (status, _, stderr) = code(&rehearsal(folder.path(), &["card", "b", "--check"]));
    assert!(status == 4 && stderr.contains("S_observed"), "{stderr}");
}

#[test]
fn a_killed_run_goes_on_with_the_same_command() {
    let folder = folder();
    let orders = orders();
    let run = |out: &'static str| -> Vec<String> {
        [
            "run",
            &orders,
            "--all",
            "--seeds",
            "0..39",
            "--attempts",
            "20",
            "--player",
            "mix:reference=1,once=1",
            "--out",
            out,
        ]
        .map(str::to_owned)
        .to_vec()
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehearsal"))
        .args(run("killed"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let episodes = folder.path().join("killed/episodes.jsonl");
    while std::fs::metadata(&episodes).map_or(0, |m| m.len()) == 0 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for out in ["killed", "whole"] {
        let arguments = run(out);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(code(&rehearsal(folder.path(), &arguments)).0, 0);
    }
    for name in ["episodes.jsonl", "traces.jsonl"] {
        let read = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
        assert!(read("killed") == read("whole"), "{name}");
    }
}

#[test]
fn a_run_folder_is_resumed_by_its_name_and_pages_are_written_as_html() {
    let folder = folder();
    let orders = orders();
    let run = ["run", &orders, "--dial", "landed", "--seeds", "0..5", "--out", "a"];
    assert_eq!(code(&rehearsal(folder.path(), &run)).0, 0);
    for name in ["episodes.jsonl", "traces.jsonl"] {
        let path = folder.path().join("a").join(name);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, whole.lines().take(4).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }
    let (status, stdout, stderr) = code(&rehearsal(folder.path(), &["run", "a"]));
    assert!(status == 0 && stdout.contains("(4 already recorded)"), "{stdout}{stderr}");
    assert_eq!(code(&rehearsal(folder.path(), &["run", "a", "--seeds", "1"])).0, 2);
    let nothing = code(&rehearsal(folder.path(), &["run", &orders])).2;
    assert!(nothing.contains("nothing to run: pass --arm, --dial or --all"), "{nothing}");
    for arguments in [&["card", "a", "--html", "page.html"][..], &["compare", "a", "a", "--html", "page.html"]] {
        assert_eq!(code(&rehearsal(folder.path(), arguments)).0, 0);
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.starts_with("<!doctype html>") && page.contains("<svg") && page.contains("landed:l1"), "{page}");
        assert!(!page.contains("<script") && !page.contains("http"), "{page}");
    }
}
