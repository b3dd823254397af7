//! Golden vectors: every field of every task, made by independent implementations of the same rules.
#![expect(clippy::unwrap_used, reason = "a vector that is not there is a failed test")]

use rehearsal::engine::{Ending, Engine};
use rehearsal::plan::{Flow, PlanSettings, Planner};
use rehearsal::schema::same;
use rehearsal::task::{Arm, Dial, Task};
use rehearsal::toolfile::{self, ReadOptions, Reading};
use rehearsal::value::{Map, Value, canonical, read_json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of the project's tests.
pub(crate) fn tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// A folder beside the project that a checkout may not have; `None`, said aloud, when it is not there.
pub(crate) fn beside(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

fn json(path: &Path) -> Value {
    read_json(&std::fs::read(path).unwrap()).unwrap().root
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap()
}

fn texts(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_array).unwrap_or(&[]).iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

/// The flows of a vector or of a setup: lists of from, field, to and parameter.
pub(crate) fn flows(value: Option<&Value>) -> Vec<Flow> {
    let flow = |v: &Value| {
        let [from, field, to, param] = texts(Some(v)).try_into().unwrap();
        Flow { from, field, to, param }
    };
    value.and_then(Value::as_array).unwrap_or(&[]).iter().map(flow).collect()
}

pub(crate) fn read(path: &Path, declared_read: Vec<String>) -> Reading {
    let options = ReadOptions { read: declared_read, name: "a set".into(), ..ReadOptions::default() };
    toolfile::read(&std::fs::read(path).unwrap(), &options)
}

/// The planner a vector was made with.
pub(crate) fn planner(files: &Path, vector: &Value) -> Planner {
    let reading = read(&files.join(text(vector, "file")), texts(vector.get("declared_read")));
    if let Some(hash) = vector.get("file_hash") {
        assert_eq!(Some(&*reading.file_hash), hash.as_str());
    }
    let settings = PlanSettings { flows: flows(vector.get("flows")), ..PlanSettings::default() };
    Planner::new(Arc::new(reading), settings).unwrap()
}

/// What the vectors say of an answer.
fn answer(outcome: &rehearsal::engine::Outcome) -> Value {
    let answer = &outcome.answer;
    Value::object(match answer.code {
        Some(code) => Map::from([("error", Value::from(code.word()))]),
        None => Map::from([("value", answer.value.clone()), ("structured", answer.structured.is_some().into())]),
    })
}

/// The first field in which a task is not what the vector says.
fn difference(task: &Task, vector: &Value) -> Option<String> {
    let ours = task.to_value();
    for (name, expected) in vector.as_object().unwrap().named() {
        let got = match &**name {
            "answers" => {
                let engine = Engine::new(Arc::new(task.clone()));
                let mut state = engine.start();
                let mut answers = Vec::new();
                for call in &task.reference_calls {
                    let outcome = engine.step(&state, call);
                    answers.push(answer(&outcome));
                    state = outcome.state;
                }
                let verdict = engine.verdict(&state, Ending::Reply);
                if !(verdict.strict && verdict.leaky && verdict.label == "passed") {
                    return Some(format!("the reference gets {}", verdict.label));
                }
                Value::array(answers)
            }
            // calls of the malformed kinds are ours to choose
            "wrong_answers" => {
                let theirs = expected.as_object().unwrap();
                let calls = ours.get("wrong_answers").unwrap().as_object().unwrap();
                let kept = calls.named().map(|(name, calls)| {
                    (name, if theirs.get(name).is_some_and(Value::is_null) { Value::Null } else { calls.clone() })
                });
                Value::object(kept.collect())
            }
            _ => ours.get(name).cloned().unwrap_or_else(|| panic!("no field {name}")),
        };
        let expected = if &**name == "answers" { without_echo(expected) } else { expected.clone() };
        if !same(&got, &expected) {
            let (got, expected) = (canonical::spaced(&got), canonical::spaced(&expected));
            return Some(format!("{name}\n  ours   {got}\n  theirs {expected}"));
        }
    }
    None
}

/// The answers without the mark of those that hold the call's own arguments.
fn without_echo(answers: &Value) -> Value {
    let plain = |a: &Value| {
        let mut map = a.as_object().unwrap().clone();
        map.remove("echo");
        Value::object(map)
    };
    Value::array(answers.as_array().unwrap().iter().map(plain).collect())
}

/// Each wrong answer of a task gets its label, and only what its label says passes.
pub(crate) fn wrong_answers_get_their_labels(task: &Arc<Task>) {
    let engine = Engine::new(task.clone());
    for wrong in &task.wrong_answers {
        let state = wrong.calls.iter().fold(engine.start(), |state, call| engine.step(&state, call).state);
        let ending = if wrong.limit { Ending::Limit } else { Ending::Reply };
        // the limit is judged on whole work that was never reported
        let verdict = engine.verdict(&state, ending);
        assert_eq!(verdict.label, wrong.label, "{} of {} seed {}", wrong.name, task.arm, task.seed);
        assert!(!verdict.strict);
    }
}

/// Every vector of a folder against the tool files of another: how many tasks agreed.
fn all_agree(vectors: &Path, files: &Path) -> usize {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(vectors).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut failures = Vec::new();
    let mut tasks = 0;
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "json")) {
        let vector = json(path);
        if !files.join(text(&vector, "file")).exists() {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let planner = planner(files, &vector);
        for (dial, levels) in vector.get("levels").unwrap().as_object().unwrap().named() {
            let ours = planner.levels(Dial::parse(dial).unwrap()).unwrap_or_default();
            if !same(&ours.clone().into(), levels) {
                failures.push(format!("{name} {dial}: levels {ours:?}, theirs {}", canonical::spaced(levels)));
            }
        }
        for task in vector.get("tasks").unwrap().as_array().unwrap() {
            let arm = Arm::parse(text(task, "arm")).unwrap();
            let seed = task.get("seed").and_then(Value::as_i64).unwrap() as u64;
            let planned = planner.plan(arm, seed);
            let refused = task.get("refused") == Some(&Value::Bool(true));
            match planned {
                Err(error) if refused => assert!(error.0.contains(arm.dial.word()), "{error}"),
                Err(error) => failures.push(format!("{name} {arm} {seed}: {error}")),
                Ok(_) if refused => failures.push(format!("{name} {arm} {seed}: planned, and refused by them")),
                Ok(planned) => {
                    if let Some(difference) = difference(&planned, task) {
                        failures.push(format!("{name} {arm} {seed}: {difference}"));
                    }
                    wrong_answers_get_their_labels(&Arc::new(planned));
                }
            }
            tasks += 1;
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures[..failures.len().min(12)].join("\n"));
    tasks
}

#[test]
fn the_example_files_agree() {
    assert_eq!(all_agree(&tests("vectors"), &tests("toolfiles")), 72 + 108 + 104 + 64 + 56 + 64);
}

#[test]
fn random_files_agree() {
    assert!(all_agree(&tests("random/vectors"), &tests("random")) > 250);
}

#[test]
fn real_files_agree() {
    let (Some(vectors), Some(corpus)) = (beside("vectors"), beside("corpus")) else { return };
    assert!(all_agree(&vectors, &corpus) > 100);
}

#[test]
fn all_random_files_agree() {
    let (Some(vectors), Some(files)) = (beside("random/vectors"), beside("random")) else { return };
    assert!(all_agree(&vectors, &files) > 1000);
}
