//! The worst that files, disks and clocks can do: an answer in bounded time and memory, one clear line, nothing lost.

use crate::program::{Ran, program, root, run};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Long for a program that is not optimised on a machine that does other things too; the release binary needs seconds.
const BOUND: Duration = Duration::from_secs(120);

/// The whole of it for the release binary, a part of it for one that is not optimised.
fn many(whole: usize, part: usize) -> usize {
    if std::env::var_os("REHEARSAL_BIN").is_some() { whole } else { part }
}

/// Runs the program under limits of a shell, such as `ulimit -v 400000`.
fn limited(limits: &str, args: &[&str]) -> Ran {
    let started = Instant::now();
    let output = Command::new("sh")
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(program())
        .args(args)
        .current_dir(root())
        .env("HOME", std::env::temp_dir())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(started.elapsed() < BOUND, "{args:?} took {:?}", started.elapsed());
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn one_line(ran: &Ran) {
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("rehearsal: ") && ran.err.len() < 600, "{}", ran.err);
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_million_tools_are_refused_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let n = many(1_000_000, 30_000);
    let mut text = String::from("[");
    for i in 0..n {
        let comma = if i > 0 { "," } else { "" };
        write!(text, "{comma}{{\"type\":\"function\",\"name\":\"t{i}\",\"parameters\":{{\"type\":\"object\",\"properties\":{{\"a\":{{\"type\":\"integer\"}}}}}}}}").unwrap();
    }
    text.push(']');
    let file = write(folder.path(), "tools.json", &text);
    // Sixteen times the file, and what the program needs without one.
    let kilobytes = 16 * text.len() / 1024 + 400_000;
    let ran = limited(&format!("ulimit -v {kilobytes}"), &["plan", &file]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    one_line(&ran);
    assert!(ran.err.contains("limit 256): keep some of them with --only GLOB"), "{}", ran.err);
}

#[test]
fn a_card_with_a_million_records_is_shown_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let n = many(1_000_000, 12_000);
    let source = std::fs::read_to_string(root().join("examples/runs/hasty/card/episodes.jsonl")).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    // Every task at a thousand attempts at most, then other tasks.
    let recorded = |i: usize, attempts: usize| {
        let (attempt, round) = (i / lines.len() % attempts, i / lines.len() / attempts);
        let line = lines[i % lines.len()].replace("\"attempt\": 0", &format!("\"attempt\": {attempt}"));
        let line = line.replacen("\"seed\": 2", &format!("\"seed\": {}2", round + 1), 1);
        line.replacen("\"task_id\": \"", &format!("\"task_id\": \"{round}-"), 1) + "\n"
    };
    let text: String = (0..n).map(|i| recorded(i, 100)).collect();
    assert!(text.contains("\"attempt\": 7") && text.contains("\"task_id\": \"1-"), "{}", &text[..600]);
    write(folder.path(), "episodes.jsonl", &text);
    std::fs::copy(root().join("examples/runs/hasty/card/artifact.json"), folder.path().join("artifact.json")).unwrap();
    let kilobytes = 3 * text.len() / 1024 + 400_000;
    let ran = limited(&format!("ulimit -v {kilobytes}"), &["card", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let grouped = rehearsal::text::group(n as u64);
    assert!(ran.out.contains(&grouped), "{grouped} episodes: {}", ran.out);

    // What would take the cube of the attempts is refused.
    let text: String = (0..lines.len() * 1001).map(|i| recorded(i, 2000)).collect();
    write(folder.path(), "episodes.jsonl", &text);
    let ran = limited("ulimit -v 600000", &["card", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    one_line(&ran);
    assert!(ran.err.contains("more than 1000 attempts at one task"), "{}", ran.err);
}

#[test]
fn nesting_numbers_and_text_without_measure_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let deep = "[".repeat(2_000_000);
    let deep_objects = "{\"a\":".repeat(400_000);
    let digits = format!("[{{\"type\":\"function\",\"name\":\"a\",\"x\":{}}}]", "9".repeat(4_000_000));
    let flow = format!("a: {}", "[".repeat(500_000));
    let block: String = (0..3000).map(|i| format!("{}- \n", " ".repeat(i))).collect();
    for (name, text) in
        [("d.json", &deep), ("o.json", &deep_objects), ("n.json", &digits), ("f.yaml", &flow), ("b.yaml", &block)]
    {
        let file = write(folder.path(), name, text);
        let ran = limited("ulimit -v 2000000", &["hash", &file]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        one_line(&ran);
    }
    let long = "x".repeat(20_000_000);
    let tools = format!(
        "[{{\"type\":\"function\",\"name\":\"{long}\",\"description\":\"{long}\"}},{{\"type\":\"function\",\"name\":\"b\",\"parameters\":{{\"type\":\"object\",\"properties\":{{\"n\":{{\"type\":\"integer\"}}}}}}}}]"
    );
    let file = write(folder.path(), "long.json", tools);
    let ran = limited("ulimit -v 2000000", &["tools", &file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("~ xxxx"), "the long name is cut");
}

#[test]
fn a_pattern_that_backtracks_is_given_up_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let word = json!({"type": "string", "pattern": "^(?:(a|aa)+)\\1+$"});
    let tools = json!([
        {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        {"type": "function", "name": "keep", "parameters": {"type": "object", "required": ["n"], "properties": {
            "word": word, "n": {"type": "integer"}}}},
    ]);
    let file = write(folder.path(), "tools.json", tools.to_string());
    let call = json!([["keep", {"n": 1, "word": format!("{}!", "a".repeat(5000))}]]);
    let calls = write(folder.path(), "calls.json", call.to_string());
    let started = Instant::now();
    for (command, more) in [("step", vec!["--calls", &calls]), ("run", vec![])] {
        let player = format!("script:{calls}");
        let out = folder.path().join("out");
        let mut args = vec![command, &file, "--arm", "faults:f0"];
        args.extend(more);
        if command == "run" {
            args.extend(["--seeds", "0", "--player", &player, "--out", out.to_str().unwrap()]);
        }
        let ran = run(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let said: Vec<&str> = ran.err.lines().filter(|line| line.contains("was given up there")).collect();
        assert_eq!(said.len(), 1, "{command}: {}", ran.err);
        assert!(said[0].starts_with("! the pattern ^(?:(a|aa)+)\\1+$ takes too long"), "{}", said[0]);
    }
    assert!(started.elapsed() < BOUND);
    // Where nothing was given up nothing is said.
    assert_eq!(run(&["step", "examples/orders/orders.openai.json"]).err, "");
}

#[test]
fn a_full_disk_is_one_line_and_nothing_is_lost() {
    // Standard output.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(program())
        .args(["plan", "examples/hotel/hotel.mcp.json", "--json", "--seed", "1"])
        .current_dir(root())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("rehearsal: cannot write to stdout: ") && said.lines().count() == 1, "{said}");

    // A run: files may grow to 64 KiB, which fills up on the way.
    let folder = tempfile::tempdir().unwrap();
    let (cut, whole) = (folder.path().join("cut"), folder.path().join("whole"));
    let args = |out: &Path| {
        let dials = ["run", "examples/hotel/hotel.mcp.json", "--dial", "faults", "--dial", "shape", "--seeds", "1..12"];
        let mut args: Vec<String> = dials.map(str::to_owned).to_vec();
        args.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
        args
    };
    let line = args(&cut);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let ran = limited("trap '' XFSZ; ulimit -f 128", &line);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.err.lines().filter(|l| l.starts_with("rehearsal: ")).count(), 1, "{}", ran.err);
    let kept = std::fs::read_to_string(cut.join("episodes.jsonl")).unwrap_or_default().lines().count();
    let resumed = run(&args(&cut));
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(run(&args(&whole)).code, 0);
    for file in ["episodes.jsonl", "traces.jsonl"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert!(read(&cut) == read(&whole), "{file}: what was kept ({kept} episodes) and what came after is the whole");
    }

    // A plan that cannot be saved leaves the one that is there.
    let plan = folder.path().join("plan.json");
    let save = ["plan", "examples/hotel/hotel.mcp.json", "--out", plan.to_str().unwrap()];
    assert_eq!(run(&save).code, 0);
    let before = std::fs::read(&plan).unwrap();
    let ran = limited("trap '' XFSZ; ulimit -f 0", &[save[0], save[1], "--seed", "5", save[2], save[3]]);
    assert_eq!(ran.code, 1, "{ran:?}");
    one_line(&ran);
    assert_eq!(std::fs::read(&plan).unwrap(), before);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no spare file is left behind: {left:?}");
}

#[test]
fn folders_that_cannot_be_written_in_are_one_line() {
    // A file system that nobody writes in, whoever runs the test.
    for args in [
        vec!["run", "examples/hotel/hotel.mcp.json", "--arm", "faults:f0", "--out", "/proc/rehearsal"],
        vec!["plan", "examples/hotel/hotel.mcp.json", "--out", "/proc/rehearsal.json"],
        vec!["serve", "--listen", "127.0.0.1:0", "--state", "/proc/rehearsal"],
    ] {
        let ran = run(&args);
        assert_eq!(ran.code, 1, "{args:?}: {ran:?}");
        one_line(&ran);
        assert!(ran.err.contains("/proc"), "{}", ran.err);
    }
}

#[test]
fn a_file_that_is_replaced_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("examples/hotel/hotel.mcp.json")).unwrap();
    let file = write(folder.path(), "hotel.mcp.json", &text);
    let plan = folder.path().join("plan.json");
    let plan = plan.to_str().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    assert_eq!(run(&["plan", &file, "--arm", "faults:f1", "--out", plan]).code, 0);
    let play = ["run", &file, "--arm", "faults:f1", "--seeds", "1,2", "--out", out];
    assert_eq!(run(&play).code, 0);
    let recorded = std::fs::read(Path::new(out).join("episodes.jsonl")).unwrap();

    write(folder.path(), "hotel.mcp.json", format!("{text}\n"));
    let ran = run(&["step", "--plan", plan]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    assert!(ran.err.contains("the file changed since the plan was made"), "{}", ran.err);
    let ran = run(&["run", &file, "--arm", "faults:f1", "--seeds", "1,2,3", "--out", out]);
    assert_eq!(ran.code, 1);
    one_line(&ran);
    assert!(ran.err.contains("nothing is written"), "{}", ran.err);
    assert_eq!(std::fs::read(Path::new(out).join("episodes.jsonl")).unwrap(), recorded);
    // The run can still be looked at.
    assert_eq!(run(&["card", out]).code, 0);
}

#[test]
fn a_clock_that_jumps_back_does_not_stop_a_resume() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out_text = out.to_str().unwrap();
    let play = ["run", "examples/hotel/hotel.mcp.json", "--arm", "faults:f1", "--seeds", "1..6", "--out", out_text];
    assert_eq!(run(&play).code, 0);
    let whole = std::fs::read(out.join("episodes.jsonl")).unwrap();
    // Begun in a year to come, and stopped half way.
    let produced = std::fs::read_to_string(out.join("produced_by.jsonl")).unwrap();
    let (before, after) = produced.split_once("\"at\": \"20").unwrap();
    std::fs::write(out.join("produced_by.jsonl"), format!("{before}\"at\": \"99{after}")).unwrap();
    for file in ["episodes.jsonl", "traces.jsonl"] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        let half: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
        std::fs::write(out.join(file), half + "{\"torn").unwrap();
    }
    let ran = run(&play);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(std::fs::read(out.join("episodes.jsonl")).unwrap(), whole);
    assert_eq!(std::fs::read_to_string(out.join("produced_by.jsonl")).unwrap().lines().count(), 2);
    // A clock before all clocks.
    let early = std::time::UNIX_EPOCH - Duration::from_secs(86_400);
    assert_eq!(rehearsal::run::utc(early), "1970-01-01T00:00:00Z");
}
