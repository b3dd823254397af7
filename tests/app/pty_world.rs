//! The world around the screens, in a terminal: an editor, files saved, a storm of sizes, a late answer, settings files.

use crate::pty::{Pty, binary, shows};
use crate::pty_live::{Place, kill};
use rehearsal::settings::UserSettings;
use rehearsal::tui::keymap::Keymap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An editor: a script of one's own.
fn editor(place: &Place, script: &str) -> String {
    let path = place.path("editor.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    format!("sh {}", path.display())
}

#[test]
fn an_editor_has_the_terminal_and_the_form_gets_its_text() {
    let place = Place::new();
    // It asks for a key of its own, so its keys must reach it, and adds an argument.
    let script = "printf 'EDITING'; read answer; sed \"s/{/{ \\\"note\\\": \\\"$answer\\\",/\" \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\"";
    let command = editor(&place, script);
    let mut pty = place.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[("VISUAL", &command)]);
    pty.until("before the first call");
    pty.keys("c\r").until("the arguments fit");
    pty.keys("\u{1b}OS");
    pty.wait("the editor", |seen| String::from_utf8_lossy(&seen.raw).contains("EDITING"));
    pty.keys("typed there\r").until("note").until("typed there");
    // The keys are ours again.
    pty.keys("\u{13}").until("call 1: find_sku").until("\"note\": \"typed there\"");
    pty.keys("q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert!(shows(&raw));
}

#[test]
fn an_editor_that_fails_is_one_line() {
    let place = Place::new();
    for (command, says) in [
        ("false", "editor false (from $EDITOR) failed"),
        ("no-such-editor-here", "cannot start editor no-such-editor-here (from $EDITOR): command not found"),
    ] {
        let mut pty = place.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[("EDITOR", command)]);
        pty.until("before the first call");
        pty.keys("c\r").until("the arguments fit");
        pty.keys("\u{1b}OS").until("nothing changed: ").until(says).until("the arguments fit");
        pty.keys("\u{13}").until("call 1: find_sku");
        pty.keys("q");
        assert_eq!(pty.end().0, 0);
    }
}

#[test]
fn a_saved_script_replays_without_a_terminal() {
    let place = Place::new();
    let mut pty = place.step();
    pty.keys("nn").until("call 2: find_sku");
    let script = place.path("episode.yaml");
    pty.keys("\u{13}").until("the calls so far as a script");
    pty.keys("\r").until("save as");
    pty.keys(&format!("\u{15}{}\r", script.display())).until("saved the calls so far as a script");
    // Again under the same name: it is asked first.
    pty.keys("\u{13}").until("the calls so far as a script");
    pty.keys("\r").until("save as");
    pty.keys(&format!("\u{15}{}\r", script.display())).until("is there already");
    pty.keys("\u{1b}").gone("is there already");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
    let file = place.path("tools.json");
    let played = Command::new(binary())
        .args(["step", &file.to_string_lossy(), "--arm", "baddata:b2", "--seed", "404", "--calls"])
        .args([&*script.to_string_lossy(), "--json"])
        .output()
        .unwrap();
    let played: serde_json::Value = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(played["calls"].as_array().unwrap().len(), 2);
    assert_eq!(played["calls"][0]["tool"], "find_sku");
}

#[test]
fn another_file_is_opened_from_inside_and_remembered() {
    let place = Place::new();
    let orders = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/orders");
    let mut pty = place.start(&["FILE"], &[]);
    pty.until("7 usable tools");
    pty.keys("\u{f}").until("open a tool file");
    pty.keys(&format!("{}/", orders.display())).until("orders.openai.json");
    pty.keys("openai\r").until("5 usable tools").until("get_order");
    // The settings beside it hold: its flow is there.
    pty.until("> get_order.id to");
    pty.keys("\u{f}").until("opened before").until("tools.json");
    pty.keys("\r").until("7 usable tools").until("find_sku");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_storm_of_sizes_ends_at_the_last() {
    let place = Place::new();
    let mut pty = place.step();
    for i in 0..120_u16 {
        pty.resize(30 + (i * 7) % 91, 8 + (i * 5) % 33);
        pty.keys(if i % 2 == 0 { "n" } else { "b" });
    }
    pty.resize(100, 31);
    pty.keys("?").until("keys: Step screen");
    pty.keys("q").gone("keys: Step screen");
    // The footer stands in the last line of the last size, and nowhere else.
    pty.wait("the last line", |seen| {
        let rows: Vec<String> = seen.screen.screen().rows(0, 100).collect();
        rows.len() == 31 && rows[30].contains("q quit") && rows[29].starts_with('─') && !rows[28].contains("q quit")
    });
    pty.keys("q");
    let (code, raw) = pty.end();
    assert_eq!(code, 0);
    assert!(shows(&raw));
}

#[test]
fn a_late_answer_about_the_ground_is_no_keys() {
    let place = Place::new();
    // Asked for its ground: this terminal answers when the program has given up waiting.
    let mut pty = place.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[("SSH_TTY", "")]);
    pty.until("before the first call");
    assert!(pty.raw().contains("\u{1b}]11;?"), "it was not asked");
    pty.keys("\u{1b}]11;rgb:1ebf/1ebf/2e0f\u{1b}\\");
    pty.keys("?").until("keys: Step screen");
    pty.keys("q").gone("keys: Step screen");
    assert!(pty.shown().contains("before the first call"), "the answer was read as keys:\n{}", pty.shown());
    pty.keys("n").until("call 1: find_sku");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_hang_up_in_the_editor_gives_everything_back() {
    let place = Place::new();
    let command = editor(&place, "printf 'EDITING'; read answer");
    let mut pty = place.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[("VISUAL", &command)]);
    pty.until("before the first call");
    pty.keys("n").until("call 1: find_sku");
    pty.keys("c\r").until("the arguments");
    pty.keys("\u{1b}OS");
    pty.wait("the editor", |seen| String::from_utf8_lossy(&seen.raw).contains("EDITING"));
    kill(&mut pty, "-HUP");
    pty.keys("\r");
    let (code, raw) = pty.end();
    assert_eq!(code, 129);
    assert!(shows(&raw));
}

/// The settings files of a folder, each with the line it is refused with, if it says one.
fn settings(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/settings").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 4);
    let expected = |path: &PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default().to_owned()
    };
    files.into_iter().map(|path| (path.clone(), expected(&path))).collect()
}

#[test]
fn good_settings_files_start() {
    for (path, keys) in settings("good") {
        let read = UserSettings::read_file(&path);
        assert!(read.mistakes.is_empty() && Keymap::new(&read.keys.value).is_ok(), "{}", path.display());
        let place = Place::new();
        let folder = place.path("config/rehearsal");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(&path, folder.join("settings.yaml")).unwrap();
        let config = place.path("config").to_string_lossy().into_owned();
        let mut pty = place.start(&["FILE"], &[("XDG_CONFIG_HOME", &config)]);
        pty.until("7 usable tools");
        // Its first line says which key leaves.
        pty.keys(keys.strip_prefix("leaves with ").unwrap_or("q"));
        assert_eq!(pty.end().0, 0, "{}", path.display());
    }
}

#[test]
fn bad_settings_files_have_one_mistake_in_one_line() {
    for (path, expected) in settings("bad") {
        assert!(!expected.is_empty(), "{} does not say what is wrong", path.display());
        let read = UserSettings::read_file(&path);
        let why = match read.mistakes.first() {
            Some(error) => error.to_string(),
            None => Keymap::new(&read.keys.value).expect_err(&path.display().to_string()).0,
        };
        assert!(why.contains(&expected) && !why.contains('\n'), "{}: {why:?}", path.display());
    }
}

#[test]
fn mistakes_in_the_settings_are_listed_on_the_screen_which_opens() {
    let place = Place::new();
    let folder = place.path("config/rehearsal");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "theme: darkk\nmouse: perhaps\nkeys:\n  next-cal: [x]\n";
    std::fs::write(folder.join("settings.yaml"), text).unwrap();
    let config = place.path("config").to_string_lossy().into_owned();
    let mut pty = place.start(&["FILE"], &[("XDG_CONFIG_HOME", &config)]);
    pty.until("settings: 3 mistakes").until("unknown theme darkk").until("next-cal,").until("perhaps");
    pty.keys("qq");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn keys_of_ones_own_are_the_ones_that_count() {
    let place = Place::new();
    let folder = place.path("config/rehearsal");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("settings.yaml"), "keys:\n  next-call: [Z]\n  run-to-end: [n]\n").unwrap();
    let config = place.path("config").to_string_lossy().into_owned();
    let args = ["FILE", "--arm", "baddata:b2", "--seed", "404"];
    let mut pty: Pty = place.start(&args, &[("XDG_CONFIG_HOME", &config)]);
    pty.until("Z next");
    pty.keys("Z").until("call 1: find_sku");
    pty.keys("n").until("+ passed");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}
