//! What `examples/` holds does what it says: tool files, call scripts, recorded runs.

use crate::program::{root, run};
use rehearsal::engine::Ending;
use rehearsal::episode::Episode;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::run::Source;
use rehearsal::task::{Arm, Call, Script};
use rehearsal::toolfile::{ReadOptions, read};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HOTEL: &str = "examples/hotel/hotel.mcp.json";

fn scripts() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("examples/scripts")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The command line that a script's comment gives, without the program's name.
fn command(script: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(script).unwrap();
    let line =
        text.lines().find_map(|line| line.split_once("rehearsal ").filter(|(before, _)| before.starts_with('#')));
    let (_, line) = line.unwrap_or_else(|| panic!("{} has no command", script.display()));
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_hotel_reaches_every_dial() {
    let ran = run(&["plan", HOTEL, "--json"]);
    let json = ran.json();
    assert_eq!(json["unavailable"], json!({}), "{ran:?}");
    assert_eq!(json["levels"].as_object().unwrap().len(), 13);
    assert!(json["levels"].as_object().unwrap().values().all(|levels| levels.as_array().unwrap().len() > 1), "{json}");

    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("all");
    let folder = folder.to_str().unwrap();
    let ran = run(&["run", HOTEL, "--all", "--seeds", "0,20", "--out", folder, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    assert_eq!(json["passed"], json["planned"], "the reference solution passes every task: {json}");
    let arms: usize = run(&["plan", HOTEL, "--json"]).json()["levels"]
        .as_object()
        .unwrap()
        .values()
        .map(|levels| levels.as_array().unwrap().len())
        .sum();
    assert_eq!(json["planned"], json!(arms * 2));
}

#[test]
fn every_script_gives_the_verdict_its_comment_says() {
    let mut dials = Vec::new();
    for script in scripts() {
        let command = command(&script);
        assert_eq!(command[0], "step", "{}", script.display());
        assert!(command.iter().any(|word| word == "--expect"), "{} tells its verdict", script.display());
        let named = command.iter().any(|word| root().join(word) == script);
        assert!(named, "{} plays another script: {command:?}", script.display());
        let ran = run(&command);
        assert_eq!(ran.code, 0, "{}: {ran:?}", script.display());
        let arm = command.iter().position(|word| word == "--arm").map(|at| &command[at + 1]).unwrap();
        dials.push(Arm::parse(arm).unwrap().dial.word());

        // The check is one: another label fails it.
        let mut wrong = command.clone();
        *wrong.last_mut().unwrap() = "turn_limit".to_owned();
        assert_eq!(run(&wrong).code, 4, "{}", script.display());
    }
    dials.sort_unstable();
    assert_eq!(dials, ["baddata", "faults", "lagged", "landed", "ratelimits", "timeouts"]);
}

/// The verdict on a script's calls after a change to them.
fn verdict(name: &str, change: impl FnOnce(&mut Vec<Call>)) -> &'static str {
    let script = root().join("examples/scripts").join(name);
    let command = command(&script);
    let after = |flag: &str| command.iter().position(|word| word == flag).map(|at| command[at + 1].clone()).unwrap();
    let reading = Arc::new(read(&std::fs::read(root().join(HOTEL)).unwrap(), &ReadOptions::default()));
    let planner = Planner::new(reading, PlanSettings::default()).unwrap();
    let task = planner.plan(Arm::parse(&after("--arm")).unwrap(), after("--seed").parse().unwrap()).unwrap();
    let Script { mut calls, ending } = Script::read(&std::fs::read(&script).unwrap()).unwrap();
    assert_eq!(ending, Ending::Reply);
    change(&mut calls);
    let mut episode = Episode::new(Arc::new(task));
    for call in calls {
        episode.make(call);
    }
    episode.end(ending);
    episode.verdict().label
}

#[test]
fn the_other_ways_that_the_comments_name_end_as_they_say() {
    let drop_last = |calls: &mut Vec<Call>| drop(calls.pop());
    assert_eq!(verdict("faults.yaml", drop_last), "wrong_state");
    assert_eq!(verdict("timeouts.yaml", drop_last), "wrong_state");
    assert_eq!(verdict("rate_limits.yaml", |calls| calls.push(calls[0].clone())), "passed");
    assert_eq!(verdict("landed.yaml", |calls| drop(calls.remove(1))), "passed");
    let read_twice = |calls: &mut Vec<Call>| {
        calls.insert(1, calls[0].clone());
        let mut arguments = calls[2].arguments.as_object().unwrap().clone();
        arguments.insert("amount", 9.8);
        calls[2].arguments = arguments.into();
    };
    assert_eq!(verdict("baddata.yaml", read_twice), "passed");
    assert_eq!(verdict("lagged.yaml", |calls| calls[2] = calls[0].clone()), "collateral_mutation");
}

const RUNS: [(&str, &str, u64); 2] = [("careful", "checking", 30), ("hasty", "mix:trusting=1,blind-retry=1", 19)];

fn bytes(folder: &Path, file: &str) -> Vec<u8> {
    std::fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{}: {e}", folder.join(file).display()))
}

#[test]
fn the_recorded_runs_are_what_the_program_makes() {
    for (name, player, passed) in RUNS {
        let recorded = root().join("examples/runs").join(name);
        let checked = run(&["card", recorded.to_str().unwrap(), "--check"]);
        assert_eq!(checked.code, 0, "{checked:?}");

        let out = tempfile::tempdir().unwrap();
        let made = out.path().join(name);
        let dials = ["--dial", "landed", "--dial", "baddata", "--dial", "lagged"];
        let mut args = vec!["run", HOTEL];
        args.extend(dials);
        args.extend(["--seeds", "20..24", "--player", player, "--json", "--out", made.to_str().unwrap()]);
        let ran = run(&args);
        assert_eq!((ran.code, &ran.json()["passed"]), (0, &json!(passed)), "{ran:?}");
        assert_eq!(run(&["card", made.to_str().unwrap()]).code, 0);
        for file in ["episodes.jsonl", "traces.jsonl", "card/episodes.jsonl", "card/artifact.json", "card/card.md"] {
            assert_eq!(bytes(&recorded, file), bytes(&made, file), "{name}/{file}");
        }
        let hash = |folder: &Path| Source::open(folder).unwrap().plan().unwrap().hash();
        assert_eq!(hash(&recorded), hash(&made));
    }
}

#[test]
fn a_recorded_run_finds_its_tool_file_beside_it() {
    let source = Source::open(&root().join("examples/runs/careful")).unwrap();
    let reading = rehearsal::run::same_file(source.plan().unwrap()).expect("the tool file, unchanged");
    assert_eq!(reading.tools.len(), 16);
    let text = String::from_utf8(bytes(&root().join("examples/runs/careful"), "plan.json")).unwrap();
    assert!(text.contains("\"file\": \"../../hotel/hotel.mcp.json\""), "no path of the machine it was made on");
}

#[test]
fn the_hasty_run_is_worse_and_says_where() {
    let ran = run(&["compare", "examples/runs/careful", "examples/runs/hasty", "--json", "--fail-on", "worse"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    let json = ran.json();
    let worse = serde_json::to_string(&json).unwrap();
    assert!(worse.contains("baddata:b1") && worse.contains("distinguishable"), "{worse}");
    let back = run(&["compare", "examples/runs/hasty", "examples/runs/careful", "--fail-on", "worse"]);
    assert_eq!(back.code, 0, "the other way round nothing is worse: {}", back.err);
    let same = run(&["compare", "examples/runs/hasty", "examples/runs/hasty", "--fail-on", "changed,different"]);
    assert_eq!(same.code, 0, "{}", same.err);
}
