//! The vectors and cases once more, through the built program: its `tools`, `plan`, `step` and `hash`.

use crate::program::{root, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Folders with vectors, and where their tool files lie; those beside the project only where they are.
fn vectors() -> Vec<(PathBuf, PathBuf)> {
    let tests = root().join("tests");
    let mut folders = vec![
        (tests.join("vectors"), vec![tests.join("toolfiles")]),
        (tests.join("random/vectors"), vec![tests.join("random")]),
    ];
    let shared = root().join("../shared");
    if shared.is_dir() {
        folders.push((shared.join("vectors"), vec![shared.join("toolfiles"), shared.join("corpus")]));
        folders.push((shared.join("random/vectors"), vec![shared.join("random")]));
    } else {
        println!("skipped: {} is not there", shared.display());
    }
    let mut found = Vec::new();
    for (folder, files) in folders {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "json") {
                let name = read(&path)["file"].as_str().expect("a file").to_owned();
                let file = files.iter().map(|f| f.join(&name)).find(|f| f.exists());
                found.push((path, file.expect("the tool file of a vector")));
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON")
}

/// Equal, integers and floats of one value being equal.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}

/// The flags a vector was made with.
fn flags(vector: &Value) -> Vec<String> {
    let mut flags = Vec::new();
    for name in vector["declared_read"].as_array().expect("a list") {
        flags.extend(["--read".to_owned(), name.as_str().expect("text").to_owned()]);
    }
    for flow in vector["flows"].as_array().expect("a list") {
        let part = |i: usize| flow[i].as_str().expect("text");
        flags.extend(["--flow".to_owned(), format!("{}.{}:{}.{}", part(0), part(1), part(2), part(3))]);
    }
    flags
}

fn arguments(command: &str, file: &Path, flags: &[String], more: &[&str]) -> Vec<String> {
    let mut all = vec![command.to_owned(), file.display().to_string(), "--json".to_owned()];
    all.extend(flags.iter().cloned());
    all.extend(more.iter().map(|m| (*m).to_owned()));
    all
}

/// One answer of `step --json` against a vector's.
fn agrees(answer: &Value, expected: &Value, format: &str) -> bool {
    let text = answer["text"].as_str().expect("text");
    if let Some(code) = expected.get("error") {
        return answer["code"] == *code && answer["is_error"] == (format == "mcp");
    }
    let value: Value = serde_json::from_str(text).expect("an answer is JSON");
    answer["code"].is_null()
        && same(&value, &expected["value"])
        && answer["structured"].is_null() != expected["structured"].as_bool().expect("a boolean")
}

#[test]
fn every_vector_agrees() {
    let mut tasks = 0;
    for (path, file) in vectors() {
        let vector = read(&path);
        let shown = path.display();
        let flags = flags(&vector);
        let tools = run(&arguments("tools", &file, &flags, &[])).json();
        let format = tools["format"].as_str().expect("a format").to_owned();
        if let Some(expected) = vector.get("tools") {
            assert!(same(&tools["tools"], expected), "{shown}: tools");
        }
        let levels = run(&arguments("plan", &file, &flags, &[])).json();
        for (dial, expected) in vector["levels"].as_object().expect("levels") {
            assert!(same(&levels["levels"][dial], expected), "{shown}: levels of {dial}");
        }
        // One run of the program plans all arms of a seed.
        let mut seeds: Vec<u64> = Vec::new();
        for task in vector["tasks"].as_array().expect("tasks") {
            let seed = task["seed"].as_u64().expect("a seed");
            if !seeds.contains(&seed) {
                seeds.push(seed);
            }
        }
        for seed in seeds {
            let seed_text = seed.to_string();
            let of_seed = |t: &&Value| t["seed"] == seed && t.get("refused").is_none();
            let expected: Vec<&Value> = vector["tasks"].as_array().expect("tasks").iter().filter(of_seed).collect();
            let mut more = vec!["--seed", &seed_text];
            for task in &expected {
                more.extend(["--arm", task["arm"].as_str().expect("an arm")]);
            }
            let planned = run(&arguments("plan", &file, &flags, &more));
            assert_eq!(planned.code, 0, "{shown}: {planned:?}");
            let planned = planned.json();
            for (task, expected) in planned.as_array().expect("a list").iter().zip(&expected) {
                let arm = expected["arm"].as_str().expect("an arm");
                for (name, value) in expected.as_object().expect("an object") {
                    if !["answers", "wrong_answers"].contains(&name.as_str()) {
                        assert!(same(&task[name], value), "{shown} {arm} {seed} {name}: {} not {value}", task[name]);
                    }
                }
                tasks += 1;
            }
            // A sample of the arms is stepped: the rest of them is the library's test.
            for expected in expected.iter().step_by(5) {
                let arm = expected["arm"].as_str().expect("an arm");
                let stepped = run(&arguments("step", &file, &flags, &["--arm", arm, "--seed", &seed_text])).json();
                assert_eq!(stepped["verdict"]["label"], "passed", "{shown} {arm} {seed}");
                let calls = stepped["calls"].as_array().expect("calls");
                let answers = expected["answers"].as_array().expect("answers");
                assert_eq!(calls.len(), answers.len(), "{shown} {arm} {seed}");
                for (call, answer) in calls.iter().zip(answers) {
                    assert!(agrees(&call["answer"], answer, &format), "{shown} {arm} {seed}: {call} not {answer}");
                }
            }
        }
    }
    assert!(tasks > 500, "only {tasks} tasks were compared");
}

#[test]
fn every_case_agrees() {
    let folder = root().join("tests/cases");
    let lines = std::fs::read_to_string(folder.join("expected.jsonl")).expect("readable");
    for line in lines.lines() {
        let expected: Value = serde_json::from_str(line).expect("JSON");
        let name = expected["file"].as_str().expect("a file");
        let path = folder.join(name);
        let hash = run(&arguments("hash", &path, &[], &[]));
        assert!([0, 1].contains(&hash.code), "{name}: {hash:?}");
        assert!(hash.err.lines().count() <= 1, "{name}: {hash:?}");
        let hash = hash.json();
        assert_eq!(hash["file_hash"], expected["file_hash"], "{name}");
        let ours = expected.get("ours").and_then(Value::as_str);
        let loose = ours.is_some_and(|ours| ours != "extension");
        if !loose || !expected["contract_hash"].is_null() {
            assert_eq!(hash["contract_hash"], expected["contract_hash"], "{name}");
        }
        if let Some(at) = expected.get("contract_refused_at") {
            assert_eq!(hash["contract_refused"]["at"], *at, "{name}");
        }
        let tools = run(&arguments("tools", &path, &[], &[]));
        assert!([0, 1].contains(&tools.code) && tools.err.lines().count() <= 1, "{name}: {tools:?}");
        let tools = tools.json();
        for field in ["format", "usable", "effects", "can_target"] {
            if let Some(value) = expected.get(field) {
                assert_eq!(tools[field], *value, "{name} {field}");
            }
        }
        match expected.get("error") {
            Some(kind) => assert_eq!(tools["error"]["kind"], *kind, "{name}"),
            None if expected.get("format").is_some() => assert!(tools["error"].is_null(), "{name}: {}", tools["error"]),
            None => {}
        }
        if let Some(refusals) = expected.get("refusals") {
            let refused = tools["refused"].as_array().expect("a list");
            let pairs: Vec<Value> = refused.iter().map(|r| serde_json::json!([r["name"], r["kind"]])).collect();
            assert_eq!(Value::from(pairs), *refusals, "{name}");
        }
    }
}
