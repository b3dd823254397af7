//! Two named on the command line, in a terminal: runs, a run and a card, tool files, responses, and what goes with nothing.

use crate::pty::{Pty, binary, shows};
use std::path::Path;

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).to_string_lossy().into_owned()
}

fn start(a: &str, b: &str, variables: &[(&str, &str)], size: (u16, u16)) -> Pty {
    let (binary, state) = (binary(), tempfile::tempdir().unwrap());
    let state = state.path().to_string_lossy().into_owned();
    let mut all = vec![("XDG_STATE_HOME", state.as_str())];
    all.extend(variables);
    Pty::start_with(&[&binary, a, b], size, &all)
}

#[test]
fn two_runs_open_beside_each_other_and_their_episodes_are_stepped() {
    for (b, size) in [("runs/hasty", (120, 40)), ("runs/hasty/card", (80, 24))] {
        let mut pty = start(&example("runs/careful"), &example(b), &[], size);
        pty.until("B worse on").until("changed outcomes");
        // The first of the tasks whose outcome changed, then both its episodes.
        pty.keys("jjjj").until("opens both episodes");
        pty.keys("\r").until("differ").until("store after it");
        pty.keys("\r").until(" call 1: ");
        pty.keys("5").until("store after it");
        pty.keys("\u{1b}").until("opens both episodes");
        pty.keys("q");
        let (code, raw) = pty.end();
        assert!(code == 0 && shows(&raw), "{b}");
    }
}

#[test]
fn two_tool_files_open_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = example("orders/orders.openai.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let reformatted = folder.path().join("reformatted.json");
    std::fs::write(&reformatted, text.clone() + "\n").unwrap();
    let changed = folder.path().join("changed.json");
    std::fs::write(&changed, text.replacen("\"description\": \"", "\"description\": \"Now: ", 1)).unwrap();
    for (other, says) in [(&reformatted, "same contract, different bytes"), (&changed, "contracts differ")] {
        let mut pty = start(&file, &other.to_string_lossy(), &[("NO_COLOR", "1")], (120, 40));
        pty.until(says);
        pty.keys("q");
        assert_eq!(pty.end().0, 0);
    }
}

#[test]
fn two_saved_responses_open_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let response = |name: &str, amount: &str| {
        let call = format!(
            r#"{{"type":"function_call","id":"fc1","call_id":"c1","name":"pay","arguments":"{{\"amount\":{amount}}}","status":"completed"}}"#
        );
        let output = r#"{"type":"function_call_output","id":"fo1","call_id":"c1","output":"{}"}"#;
        let text = format!(
            r#"{{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[{call},{output}],"metadata":{{}}}}"#
        );
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let mut pty = start(&response("a.json", "1"), &response("b.json", "2"), &[], (120, 40));
    pty.until("B called pay with amount 2, where A sent 1");
    pty.keys("q");
    let (code, raw) = pty.end();
    assert!(code == 0 && shows(&raw));
}

#[test]
fn what_does_not_go_together_is_one_line() {
    let (run, file) = (example("runs/careful"), example("orders/orders.openai.json"));
    let nowhere = example("runs/nowhere");
    let kinds = "cannot compare";
    for (a, b, says) in [
        (&run, &file, kinds),
        (&file, &run, kinds),
        (&run, &nowhere, "no such file: "),
        (&nowhere, &file, "no such file: "),
    ] {
        let mut pty = start(a, b, &[], (100, 30));
        let (code, raw) = pty.end();
        assert_ne!(code, 0, "{a} {b}");
        let said: Vec<&str> = raw.lines().filter(|line| !line.trim().is_empty()).collect();
        assert!(said.concat().starts_with("rehearsal: ") && said.concat().contains(says), "{a} {b}: {raw}");
        assert!(!raw.contains('\u{1b}'), "the screen was opened: {raw}");
    }
}
