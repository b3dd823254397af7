//! `rehearsal doctor`: what it finds, and that it says what is to be mended.

use crate::program::{program, root};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs it with an environment of its own: nothing of the machine shows but what is named.
fn doctor(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> Output {
    Command::new(program())
        .arg("doctor")
        .args(args)
        .current_dir(root())
        .env_clear()
        .env("HOME", home)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What it printed, the paths of this machine taken out.
fn shown(output: &Output, home: &Path) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let text = text.replace(rehearsal::plan::golden::HASH, "HASH").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let text = text.replace(&program().display().to_string(), "PROGRAM");
    let text = text.replace(&home.display().to_string(), "HOME").replace(&root().display().to_string(), "HERE");
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    // Columns follow the length of those paths.
    text.replace(&system, "SYSTEM").lines().map(|line| squeeze(line) + "\n").collect()
}

fn squeeze(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let words: Vec<&str> = line.trim().split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
    format!("{}{}", " ".repeat(indent), words.join("  "))
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name, text);
    });
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_bare_machine_is_well() {
    let home = tempfile::tempdir().unwrap();
    let output = doctor(home.path(), &[("TERM", "xterm-256color")], &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    snapshot("doctor", &shown(&output, home.path()));
    assert!(output.stderr.is_empty());
    assert!(std::fs::read_dir(home.path()).unwrap().next().is_none(), "it writes nothing");
}

#[test]
fn a_tool_file_shows_its_settings_with_their_origin() {
    let home = tempfile::tempdir().unwrap();
    let args = ["examples/orders/orders.openai.json", "--write", "get_order", "--name", "shop"];
    let output = doctor(home.path(), &[("TERM", "xterm")], &args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = shown(&output, home.path());
    let (_, own) = text.split_once("\ntool file\n").unwrap();
    snapshot("doctor-file", own);
}

#[test]
fn json_holds_the_same_with_every_origin() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("config");
    std::fs::create_dir_all(config.join("rehearsal/themes")).unwrap();
    std::fs::write(config.join("rehearsal/settings.yaml"), "theme: mine\nmouse: true\nkeys: {quit: Q}\n").unwrap();
    std::fs::write(config.join("rehearsal/themes/mine.yaml"), "inherits: light\n").unwrap();
    let variables = [("XDG_CONFIG_HOME", config.to_str().unwrap()), ("COLORTERM", "truecolor"), ("EDITOR", "vi")];
    let output = doctor(home.path(), &variables, &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = json(&output);
    let file = config.join("rehearsal/settings.yaml").display().to_string();
    let row = |value: Value, origin: &str| json!({"value": value, "origin": origin, "problem": null});
    assert_eq!(found["settings"]["mouse"], row(json!(true), &file));
    assert_eq!(found["settings"]["keys"], row(json!(["quit Q"]), &file));
    assert_eq!(found["settings"]["editor"], row(json!("vi"), "$EDITOR"));
    assert_eq!(found["settings"]["background"], row(json!("auto"), "default"));
    assert_eq!(found["colours"]["colours"], row(json!("24 bits"), "$COLORTERM"));
    assert_eq!(found["colours"]["theme"], row(json!("mine"), &file));
    let theme = config.join("rehearsal/themes/mine.yaml").display().to_string();
    assert_eq!(found["themes"]["mine"], row(json!("your own"), &theme));
    let folder = config.join("rehearsal").display().to_string();
    assert_eq!(found["folders"]["settings_and_themes"], row(json!(folder), "$XDG_CONFIG_HOME"));
    assert_eq!(found["terminal"]["size"]["value"], Value::Null, "no terminal, no size");
    assert_eq!(found["problems"], json!([]));
    let no_color = doctor(home.path(), &[("NO_COLOR", "1"), ("TERM", "xterm")], &["--json"]);
    assert_eq!(json(&no_color)["colours"]["theme"], row(json!("mono"), "$NO_COLOR"));
}

#[test]
fn what_is_to_be_mended_is_marked_and_exits_1() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/rehearsal");
    std::fs::create_dir_all(config.join("themes")).unwrap();
    std::fs::write(config.join("settings.yaml"), "theme: nowhere\nthem: x\nkeys: {next-call: c}\n").unwrap();
    std::fs::write(config.join("themes/broken.yaml"), "scopes: {text: mauve}\n").unwrap();
    std::fs::write(config.join("themes/esc\u{1b}[31m.yaml"), "scopes: [\u{1b}]\n").unwrap();
    std::fs::write(home.path().join(".local"), "a file where a folder would be").unwrap();
    let output = doctor(home.path(), &[("TERM", "xterm")], &["no-such-file.json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let marked: Vec<String> = text.lines().filter(|line| line.starts_with("!   ")).map(squeeze).collect();
    assert_eq!(marked.len(), 7, "{marked:#?}");
    for expected in [
        "unknown theme nowhere",
        "c is both next-call and own-call",
        "unknown setting them",
        "names an unknown color: mauve",
        "theme esc\u{241b}[31m",
        ".local is not a folder",
        "no such file",
    ] {
        assert!(marked.iter().any(|line| line.contains(expected)), "{expected}: {marked:#?}");
    }
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "rehearsal: 7 problems, each marked with !\n");
    let found = json(&doctor(home.path(), &[("TERM", "xterm")], &["no-such-file.json", "--json"]));
    assert_eq!(found["problems"].as_array().unwrap().len(), 7);

    std::fs::write(config.join("settings.yaml"), "them\n").unwrap();
    let output = doctor(home.path(), &[("TERM", "xterm")], &["--json"]);
    let found = json(&output);
    let problem = found["settings"]["file"]["problem"].as_str().unwrap();
    assert!(problem.contains("settings.yaml:1:1"), "{problem}");
}

#[test]
fn wrong_flags_are_usage() {
    let home = tempfile::tempdir().unwrap();
    let output = doctor(home.path(), &[], &["examples/orders/orders.openai.json", "--flow", "nonsense"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
