//! The subcommands: what they print, in which shape, with which exit code.

use crate::program::{Ran, run, run_with};
use serde_json::{Value, json};

const ORDERS: &str = "examples/orders/orders.openai.json";
const CLINIC: &str = "examples/clinic/clinic.openapi.yaml";
const WAREHOUSE: &str = "examples/warehouse/warehouse.mcp.json";
const CONTRACT: &str = "cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157";

fn temp(name: &str, bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (dir, path.to_string_lossy().into_owned())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn one_line(ran: &Ran) {
    assert_eq!(ran.err.lines().count(), 1, "one line on stderr: {ran:?}");
    assert!(ran.err.starts_with("rehearsal: "), "{ran:?}");
}

#[test]
fn hash_gives_both_hashes() {
    let ran = run(&["hash", ORDERS, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        ran.json(),
        json!({"file": ORDERS, "format": "openai", "contract_hash": CONTRACT, "contract_refused": null,
            "file_hash": "e1da146982d44fa3a930eee903ddf6a70daae64da54eeed7489b8f9ff8a307b1"})
    );
    let text = run(&["hash", ORDERS]);
    assert!(text.out.contains(CONTRACT) && text.err.is_empty(), "{text:?}");
}

#[test]
fn hash_reads_standard_input() {
    let bytes = std::fs::read(crate::program::root().join(ORDERS)).expect("there");
    let ran = run_with(&["hash", "-", "--json"], &bytes);
    assert_eq!(ran.json()["contract_hash"], CONTRACT);
}

#[test]
fn hash_checks_what_is_expected() {
    assert_eq!(run(&["hash", ORDERS, "--expect", CONTRACT]).code, 0);
    let other = run(&["hash", ORDERS, "--expect", &"0".repeat(64)]);
    assert_eq!(other.code, 4);
    one_line(&other);
    assert_eq!(run(&["hash", ORDERS, "--expect", "12"]).code, 2);
}

#[test]
fn a_refused_contract_hash_names_its_place() {
    let (_dir, path) =
        temp("nan.json", r#"[{"type":"function","name":"a","x":[1,NaN]},{"type":"function","name":"b"}]"#);
    let ran = run(&["hash", &path, "--json"]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    let json = ran.json();
    assert_eq!(json["contract_hash"], Value::Null);
    assert_eq!(json["contract_refused"], json!({"at": "/0/x/1", "what": "NaN"}));
}

#[test]
fn a_slip_in_json_is_named() {
    let (_dir, path) =
        temp("slip.json", "[{\"type\": \"function\", \"name\": \"a\"},\n {\"type\": \"function\", \"name\": \"b\"},]");
    let slip = "not JSON (line 2 column 35: trailing comma); read as YAML";
    let ran = run(&["hash", &path]);
    assert_eq!((ran.code, ran.err), (0, format!("{path}: {slip}\n")));
    let ran = run(&["tools", &path]);
    assert!(ran.out.starts_with(&format!("! {slip}\n")), "{ran:?}");
}

#[test]
fn two_files_are_compared() {
    let text = std::fs::read_to_string(crate::program::root().join(ORDERS)).expect("there");
    let (_a, reformatted) = temp("b.json", text.replace(", ", ",\n  "));
    let ran = run(&["hash", ORDERS, &reformatted, "--json", "--fail-on", "contract"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    assert_eq!(keys(&json), ["differences", "files", "more", "same_bytes", "same_contract"]);
    assert_eq!((&json["same_bytes"], &json["same_contract"]), (&json!(false), &json!(true)));
    assert_eq!(json["differences"], json!([]));
    assert_eq!(run(&["hash", ORDERS, &reformatted, "--fail-on", "bytes"]).code, 4);

    let (_b, changed) = temp("c.json", text.replace("\"minimum\": 0", "\"minimum\": 1"));
    let ran = run(&["hash", ORDERS, &changed, "--json", "--fail-on", "contract"]);
    assert_eq!(ran.code, 4);
    let at = "/2/function/parameters/properties/amount/minimum";
    assert_eq!(ran.json()["differences"], json!([{"at": at, "left": 0, "right": 1}]));
}

#[test]
fn tools_lists_a_file() {
    let ran = run(&["tools", WAREHOUSE, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    let expected =
        ["can_target", "effects", "error", "extensions", "file_hash", "format", "refused", "tools", "usable"];
    assert_eq!(keys(&json), expected);
    assert_eq!(json["usable"], 7);
    assert_eq!(json["effects"], json!({"read": 3, "write": 4, "unknown": 0}));
    assert_eq!(json["tools"][6]["name"], "print_label_v2");
    assert_eq!(json["tools"][6]["title"], "print/label v2");
    let refused: Vec<&Value> = json["refused"].as_array().expect("a list").iter().map(|r| &r["kind"]).collect();
    assert_eq!(refused, ["binary", "schema"]);
    let text = run(&["tools", WAREHOUSE]);
    assert!(text.out.contains("print_label_v2 is print/label v2 in the file"), "{}", text.out);
}

#[test]
fn a_refused_whole_still_shows_its_tools() {
    let (_dir, path) = temp(
        "one.json",
        r#"[{"type":"function","name":"a","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}]"#,
    );
    let ran = run(&["tools", &path, "--json"]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    assert_eq!(ran.json()["error"]["kind"], "too_few");
    assert_eq!(ran.json()["tools"][0]["name"], "a");
    let plan = run(&["plan", &path]);
    assert_eq!(plan.code, 1);
    one_line(&plan);
}

#[test]
fn declared_effects_and_subsets() {
    let ran = run(&["tools", ORDERS, "--json", "--only", "*order*", "--write", "get_order"]);
    let json = ran.json();
    assert_eq!(json["usable"], 3);
    assert_eq!(json["tools"][0]["effect"], "write");
    assert!(!json["extensions"].as_array().expect("a list").is_empty());
    let unknown = run(&["tools", ORDERS, "--read", "get_ordr"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.contains("get_order"), "did you mean: {}", unknown.err);
}

#[test]
fn plan_offers_arms_and_says_why_not() {
    let json = run(&["plan", ORDERS, "--json"]).json();
    assert_eq!(json["levels"]["baddata"], json!([0, 1, 2, 3]));
    assert_eq!(json["levels"]["block"], json!([]));
    assert_eq!(keys(&json["unavailable"]), ["block"]);
    assert_eq!(json["levels"]["shape"], json!([1, 2, 4]));
}

#[test]
fn plan_shows_tasks_whole() {
    let ran = run(&["plan", ORDERS, "--arm", "faults:f2", "--arm", "lagged:g1", "--seed", "0", "--json"]);
    let tasks = ran.json();
    assert_eq!(tasks.as_array().map(Vec::len), Some(2));
    let listed = [
        "arm",
        "seed",
        "split",
        "form",
        "target",
        "target_tool",
        "stated",
        "named_reads",
        "fault_plan",
        "timeout_plan",
        "rate_limit_plan",
        "landed_step",
        "lagged_step",
        "bad_read",
        "block",
        "steps",
        "reference_calls",
        "history",
        "wrong_answers",
        "echo_reads",
        "task_id",
        "system_prompt",
        "request",
    ];
    for name in listed {
        assert!(tasks[0].get(name).is_some(), "{name}");
    }
    assert_eq!(tasks[0]["fault_plan"], json!({"refund_order": 2}));
    let text = run(&["plan", ORDERS, "--arm", "faults:f2", "--seed", "0"]);
    assert!(text.out.contains("reference 3"), "{}", text.out);
    let numbered = run(&["plan", ORDERS, "--arm", "faults:f2", "--task", "1", "--json"]);
    assert_eq!(numbered.json().as_array().map(Vec::len), Some(1));
    assert_eq!(run(&["plan", ORDERS, "--arm", "faults:f2", "--task", "99"]).code, 1);
}

#[test]
fn near_misses_are_named() {
    for (arm, near) in [("fault:f2", "faults:f2"), ("faults:f3", "faults:f4"), ("bad-data:b1", "baddata")] {
        let ran = run(&["plan", ORDERS, "--arm", arm, "--seed", "0"]);
        assert_eq!(ran.code, 1, "{arm}");
        one_line(&ran);
        assert!(ran.err.contains(near), "{arm}: {}", ran.err);
    }
    let wrong = run(&["step", ORDERS, "--arm", "baddata:b2", "--seed", "0", "--calls", "wrong:beleived"]);
    assert!(wrong.code == 1 && wrong.err.contains("wrong:believed"), "{wrong:?}");
}

#[test]
fn an_arm_that_is_not_reached_is_one_line() {
    for command in ["plan", "run", "step"] {
        let ran = run(&[command, ORDERS, "--arm", "faults:f3"]);
        assert!(ran.code == 1 && ran.out.is_empty() && ran.err.contains("faults:f4"), "{command}: {ran:?}");
        one_line(&ran);
    }
    let ran = run(&["plan", ORDERS, "--arm", "block:k8"]);
    assert!(ran.code == 1 && ran.out.is_empty() && ran.err.contains("this file has 5"), "{ran:?}");
}

#[test]
fn what_is_not_there_names_what_was_meant() {
    let near = ORDERS.replace(".json", ".jsn");
    for (args, code, said) in [
        (vec!["hash", &near], 1, format!("did you mean {ORDERS}?")),
        (vec![&*near, ORDERS], 1, format!("did you mean {ORDERS}?")),
        (vec!["tools", "nowhere/tools.json"], 1, "(no folder nowhere)".to_owned()),
        (vec!["tools", "zzzzzz"], 1, "no such file: zzzzzz".to_owned()),
        (vec!["setp"], 2, "did you mean rehearsal step?".to_owned()),
        (vec!["stepp", ORDERS], 2, "did you mean rehearsal step?".to_owned()),
    ] {
        let ran = run(&args);
        assert!(ran.code == code && ran.out.is_empty() && ran.err.contains(&said), "{args:?}: {ran:?}");
        one_line(&ran);
    }
}

#[test]
fn step_plays_the_reference() {
    let ran = run(&["step", ORDERS, "--arm", "faults:f2", "--seed", "0", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    assert_eq!(keys(&json), ["calls", "task_id", "verdict"]);
    assert_eq!(json["calls"].as_array().map(Vec::len), Some(3));
    assert_eq!(keys(&json["calls"][0]), ["answer", "arguments", "changes", "tool", "why"]);
    assert_eq!(keys(&json["calls"][0]["answer"]), ["code", "is_error", "structured", "text"]);
    assert_eq!(json["calls"][0]["answer"]["code"], "unavailable");
    assert_eq!(keys(&json["verdict"]), ["clause", "duplicates", "label", "leaky", "mutations", "strict"]);
    assert_eq!(json["verdict"]["label"], "passed");
}

#[test]
fn step_plays_wrong_answers_and_scripts() {
    let believed = run(&["step", ORDERS, "--arm", "baddata:b2", "--seed", "0", "--calls", "wrong:believed", "--json"]);
    assert_eq!(believed.json()["verdict"]["label"], "wrong_state");

    let (_dir, script) =
        temp("calls.yaml", "- [get_order, {order_id: A-3317}]\n- tool: list_channels\n  arguments: {}\n- limit\n");
    let ran = run(&["step", ORDERS, "--arm", "faults:f0", "--seed", "0", "--calls", &script, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["verdict"]["label"], "turn_limit");
    let piped = run_with(
        &["step", ORDERS, "--arm", "faults:f0", "--seed", "0", "--calls", "-", "--json"],
        br#"[{"tool": "list_channels", "arguments": {}}]"#,
    );
    assert_eq!(piped.json()["verdict"]["label"], "wrong_state");
    let missing = run(&["step", ORDERS, "--arm", "faults:f0", "--calls", "no-such-file"]);
    assert_eq!(missing.code, 1);
    one_line(&missing);
}

#[test]
fn step_checks_the_verdict_it_is_told() {
    assert_eq!(run(&["step", ORDERS, "--arm", "faults:f1", "--expect", "passed"]).code, 0);
    assert_eq!(run(&["step", ORDERS, "--arm", "faults:f1", "--expect", "wrong_state"]).code, 4);
}

#[test]
fn a_saved_plan_plays_and_refuses_other_bytes() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("tools.yaml");
    std::fs::copy(crate::program::root().join(CLINIC), &file).expect("copied");
    let file = file.to_string_lossy().into_owned();
    let plan = dir.path().join("plan.json").to_string_lossy().into_owned();
    let saved = run(&["plan", &file, "--arm", "baddata:b2", "--seed", "7", "--out", &plan]);
    assert_eq!(saved.code, 0, "{saved:?}");
    let direct = run(&["step", &file, "--arm", "baddata:b2", "--seed", "7", "--json"]);
    let planned = run(&["step", "--plan", &plan, "--json"]);
    assert_eq!(planned.json(), direct.json());

    let text = std::fs::read_to_string(&file).expect("there");
    std::fs::write(&file, format!("{text}\n")).expect("written");
    let ran = run(&["step", "--plan", &plan]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    let stored: Value = serde_json::from_str(&std::fs::read_to_string(&plan).expect("there")).expect("JSON");
    let now = run(&["hash", &file, "--json"]).json();
    assert!(ran.err.contains(stored["file_hash"].as_str().expect("a hash")), "{}", ran.err);
    assert!(ran.err.contains(now["file_hash"].as_str().expect("a hash")), "{}", ran.err);
}

#[test]
fn a_plan_without_a_contract_hash_is_not_saved() {
    let text = std::fs::read_to_string(crate::program::root().join(ORDERS)).expect("there");
    let (dir, path) = temp("nan.json", text.replace("\"minimum\": 0", "\"minimum\": NaN"));
    let plan = dir.path().join("plan.json");
    let ran = run(&["plan", &path, "--arm", "faults:f1", "--out", &plan.to_string_lossy()]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    assert!(!plan.exists());
    let step = run(&["step", &path, "--arm", "faults:f1"]);
    assert_eq!(step.code, 0, "{step:?}");
    assert!(step.out.contains("no contract hash"), "{}", step.out);
}

#[test]
fn without_a_terminal_a_summary_is_printed() {
    let ran = run::<&str>(&[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for part in [CONTRACT, "refund_order", "baddata", "passed", "example"] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    let own = run(&[CLINIC]);
    assert!(own.code == 0 && own.out.contains("getPatient"), "{own:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = std::process::Command::new(crate::program::program())
        .args(["tools", CLINIC, "--json"])
        .current_dir(crate::program::root())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn nothing_of_a_file_reaches_the_terminal_raw() {
    let name = "a\\u001b]0;title\\u0007b\\u202ec";
    let text = format!(
        r#"{{"tools": [{{"name": "x", "inputSchema": {{"type": "object", "properties": {{"{name}": {{"type": "integer", "enum": [1]}}}}}}}},
            {{"name": "{name}", "inputSchema": {{"anyOf": []}}}}, {{"name": "y", "inputSchema": {{"type": "object"}}}}]}}"#
    );
    let (_dir, path) = temp("odd.json", text);
    for args in
        [vec!["tools", &path], vec!["tools", &path, "--json"], vec!["plan", &path, "--arm", "faults:f1", "--seed", "1"]]
    {
        let ran = run(&args);
        let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ran.out.contains(raw) && !ran.err.contains(raw), "{args:?}: {ran:?}");
        assert!(ran.out.contains("title"), "{ran:?}");
    }
}

#[test]
fn usage_errors_exit_with_2() {
    for args in [vec!["hash"], vec!["step", ORDERS, "--seed", "x"], vec!["plan", ORDERS, "--flow", "nonsense"]] {
        let ran = run(&args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
    }
    assert_eq!(run(&["--help"]).code, 0);
    assert!(run(&["--version"]).out.starts_with("rehearsal "));
}

#[test]
fn every_help_opens_with_an_example() {
    let help = run(&["--help"]).out;
    let names: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|l| !l.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let help = run(&[name, "--help"]).out;
        assert!(help.starts_with("Examples:"), "{name}: {help}");
    }
}

#[test]
fn settings_beside_the_file_count_and_flags_win() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("tools.json");
    std::fs::copy(crate::program::root().join(ORDERS), &file).expect("copied");
    let toml = "colour = 1\n[own]\nfile = \"tools.json\"\nname = \"shop\"\nread = [\"get_order\"]\n\
                [own.intents]\nrefund_order = \"Give the money back\"\n[measure]\ndial = \"faults\"\nlevels = [2]\n\
                [tasks]\nseeds = [7]\n";
    std::fs::write(dir.path().join("tasks.toml"), toml).expect("written");
    let file = file.to_string_lossy().into_owned();
    let tools = run(&["tools", &file]);
    assert_eq!(tools.out.matches("colour").count(), 1, "{}", tools.out);
    let json = run(&["tools", &file, "--json"]).json();
    assert_eq!(json["effects"], json!({"read": 1, "write": 0, "unknown": 4}));
    let planned = run(&["plan", &file, "--task", "1", "--json"]).json();
    assert_eq!((&planned[0]["arm"], &planned[0]["seed"]), (&json!("faults:f2"), &json!(7)));
    assert!(planned[0]["system_prompt"].as_str().expect("text").contains("shop"));
    let asked =
        run(&["plan", &file, "--arm", "faults:f0", "--seed", "0", "--intent", "refund_order=Pay it back", "--json"]);
    assert!(asked.json()[0]["request"].as_str().expect("text").starts_with("Pay it back"), "{asked:?}");
    let written = run(&["tools", &file, "--write", "get_order", "--json"]).json();
    assert_eq!(written["effects"]["read"], 0);
}
