//! Untrusted text on its ways out: what a file's names, titles, descriptions, fields and values hold never reaches a
//! terminal, a clipboard or a saved file as anything a terminal would obey, hide or reorder by.
//!
//! The ways out, and where each is tried: standard output and error of every subcommand, as text, JSON and Markdown; the
//! files that plans, runs, cards and settings are saved in; the cells of the screens and what is copied from them; the
//! sequence that copies. What a server sends and what is sent to one is tried in `tests/uhp/untrusted.rs`.

use crate::driver::{Driver, at, bytes};
use crate::program::{Ran, run, run_with};
use rehearsal::episode::Episode;
use rehearsal::plan::{Flow, PlanSettings, Planner};
use rehearsal::settings::{Declared, find_config, save};
use rehearsal::task::Arm;
use rehearsal::text::is_hidden;
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::tui::runtime::copy_sequence;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// One of every family that a terminal or a reader could be misled by.
pub const FAMILIES: [(&str, &str); 22] = [
    ("colour", "\u{1b}[31m"),
    ("erase", "\u{1b}[2J\u{1b}[H"),
    ("title", "\u{1b}]0;owned\u{7}"),
    ("link", "\u{1b}]8;;http://evil.example\u{7}x\u{1b}]8;;\u{7}"),
    ("clipboard", "\u{1b}]52;c;ZXZpbA==\u{1b}\\"),
    ("device control", "\u{1b}P+q544e\u{1b}\\"),
    ("application", "\u{1b}_Gx\u{1b}\\"),
    ("privacy", "\u{1b}^x\u{1b}\\"),
    ("start of string", "\u{1b}Xx\u{1b}\\"),
    ("reset", "\u{1b}c"),
    ("C1 sequence", "\u{9b}31m"),
    ("C1 command", "\u{9d}52;c;ZXZpbA==\u{9c}"),
    ("C1 device control", "\u{90}q\u{9c}"),
    ("next line", "\u{85}"),
    ("carriage return", "\r\u{8}\u{7f}\u{7}\u{e}"),
    ("new line", "\n! a line of its own\n\t"),
    ("separators", "\u{2028}\u{2029}"),
    ("override", "\u{202e}\u{202d}\u{202c}"),
    ("isolate", "\u{2066}\u{2067}\u{2069}\u{61c}"),
    ("zero width", "\u{200b}\u{200d}\u{feff}\u{ad}"),
    ("tags", "\u{e0041}\u{e007f}\u{fe0f}"),
    ("markup", "`*_[x](javascript:y)<script>|<!--"),
];

const FLOW: &str = "fetch.other:alter.note";

fn all() -> String {
    FAMILIES.map(|(_, text)| text).join("-")
}

/// A tool file of which everything that may hold text holds all of it.
pub fn hostile() -> Vec<u8> {
    let x = all();
    let named = |n: &str| format!("{n}{x}");
    let field = named("field");
    let words = ["one", "two", "three", "four", "five"].map(named);
    let pick = json!({"type": "string", "enum": words, "description": x});
    let note = json!({"type": "string", "enum": [named("n"), named("m")]});
    // Names that a flow can name, and one that has no point or bracket, which would be read as a path.
    let tools = json!({"tools": [
        {"name": "fetch", "title": x, "description": format!("Look{x} up. {x}"),
         "annotations": {"readOnlyHint": true, "title": x},
         "inputSchema": {"type": "object", "title": x, "required": [field], "properties": {&field: pick}},
         "outputSchema": {"type": "object", "properties": {&field: pick, "note": note, "other": {"type": "string"},
             "fixed": {"const": x}}}},
        {"name": "alter", "title": x, "description": format!("Change{x} it."), "annotations": {},
         "inputSchema": {"type": "object", "required": [field, "note"], "properties": {
             &field: pick, "note": note, named("free"): {"type": "string", "description": x}}}},
        {"name": named("look up"), "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {
            &field: pick}}},
        {"name": named("write"), "annotations": {}, "description": x,
         "inputSchema": {"type": "object", "required": [field], "properties": {&field: {"const": x}}}},
        {"name": named("refused"), "inputSchema": {"type": "object", "properties": {&field: {"oneOf": []}}}},
        {"name": "", "title": x, "inputSchema": null},
    ]});
    serde_json::to_vec(&tools).unwrap()
}

fn clean(text: &str, about: &str) {
    let found: Vec<char> = text.chars().filter(|c| is_hidden(*c) && *c != '\n').collect();
    assert!(found.is_empty(), "{about}: {found:?} in {text:?}");
}

fn clean_run(ran: &Ran, args: &[&str]) {
    clean(&ran.out, &format!("stdout of {args:?}"));
    clean(&ran.err, &format!("stderr of {args:?}"));
    for line in ran.out.lines().chain(ran.err.lines()) {
        assert!(!line.starts_with("! a line of its own"), "{args:?}: a value made a line: {line}");
    }
}

#[test]
fn nothing_printed_or_saved_can_act_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, other) = (at("hostile.json"), at("other.json"));
    std::fs::write(&file, hostile()).unwrap();
    let changed = String::from_utf8(hostile()).unwrap().replace("Look", "Find");
    std::fs::write(&other, changed).unwrap();
    let arms: Vec<String> = {
        let ran = run(&["plan", &file, "--json", "--flow", FLOW]);
        let levels = ran.json()["levels"].as_object().unwrap().clone();
        rehearsal::task::Dial::ALL
            .iter()
            .flat_map(|dial| {
                levels[dial.word()].as_array().unwrap().iter().map(|l| dial.at(l.as_u64().unwrap() as u32).to_string())
            })
            .collect()
    };
    assert!(arms.len() > 36, "the hostile file plays most dials: {arms:?}");

    let plan = at("plan.json");
    let (first, second) = (at("first"), at("second"));
    let mut lines: Vec<Vec<&str>> = vec![
        vec![&file],
        vec!["hash", &file],
        vec!["hash", &file, &other],
        vec!["hash", &file, &other, "--json"],
        vec!["tools", &file],
        vec!["tools", &file, "--json"],
        vec!["plan", &file],
        vec!["plan", &file, "--json"],
        vec!["plan", &file, "--seed", "1", "--out", &plan],
        vec!["step", &file, "--plan", &plan],
        vec!["run", &file, "--all", "--seeds", "1..3", "--out", &first],
        vec!["run", &file, "--all", "--seeds", "1..3", "--player", "mix:trusting=1,blind-retry=1", "--out", &second],
        vec!["card", &first],
        vec!["card", &second],
        vec!["card", &second, "--json"],
        vec!["card", &second, "--check"],
        vec!["compare", &first, &second],
        vec!["compare", &first, &second, "--markdown"],
        vec!["compare", &first, &second, "--json"],
        vec!["doctor", &file],
    ];
    for arm in &arms {
        lines.push(vec!["plan", &file, "--arm", arm, "--seed", "1", "--flow", FLOW]);
        lines.push(vec!["plan", &file, "--arm", arm, "--seed", "1", "--flow", FLOW, "--json"]);
        lines.push(vec!["step", &file, "--arm", arm, "--seed", "1", "--flow", FLOW]);
        lines.push(vec![
            "step",
            &file,
            "--arm",
            arm,
            "--seed",
            "1",
            "--flow",
            FLOW,
            "--json",
            "--calls",
            "wrong:collateral_mutation",
        ]);
    }
    for args in &lines {
        let ran = run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        clean_run(&ran, args);
        if args.contains(&"--json") {
            ran.json();
        }
    }
    let mut saved = 0;
    files(folder.path(), &mut |path, text| {
        if path.parent() != Some(folder.path()) || path.file_name().is_some_and(|n| n == "plan.json") {
            clean(text, &path.display().to_string());
            saved += 1;
        }
    });
    assert_eq!(saved, 15, "the plan, and seven files a run");

    // Nothing is lost: the JSON holds the names as the file has them.
    let tools = run(&["tools", &file, "--json"]).json();
    assert_eq!(tools["tools"][2]["title"], Value::from(format!("look up{}", all())));
}

fn files(folder: &Path, each: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, each) } else { each(&path, &std::fs::read_to_string(&path).unwrap()) }
    }
}

#[test]
fn messages_about_untrusted_text_are_one_clean_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.json");
    std::fs::write(&file, hostile()).unwrap();
    let file = file.to_str().unwrap();
    let config = folder.path().join("own.toml");
    let script = folder.path().join("script.yaml");
    for (family, x) in FAMILIES {
        let flow = format!("a{x}.b:c.d{x}");
        let intent = format!("a{x}=b{x}");
        let toml = format!("[own]\nfile = {}\n{} = 1\n", toml_text("hostile.json"), toml_text(&format!("k{x}")));
        std::fs::write(&config, toml).unwrap();
        std::fs::write(&script, serde_json::to_vec(&json!([{"tool": x, x: 1}])).unwrap()).unwrap();
        let odd = format!("odd{x}");
        let lines: Vec<Vec<&str>> = vec![
            vec!["tools", &odd],
            vec!["hash", file, &odd],
            vec!["tools", file, "--format", &odd],
            vec!["tools", file, "--only", &odd],
            vec!["tools", file, "--read", &odd],
            vec!["plan", file, "--flow", &flow],
            vec!["plan", file, "--flow", x],
            vec!["plan", file, "--intent", &intent],
            vec!["plan", file, "--arm", &odd],
            vec!["plan", file, "--config", config.to_str().unwrap()],
            vec!["step", file, "--calls", &odd],
            vec!["step", file, "--calls", script.to_str().unwrap()],
            vec!["step", file, "--expect", &odd],
            vec!["run", file, "--arm", "faults:f1", "--player", &odd],
            vec!["card", &odd],
            vec!["compare", &odd, &odd],
            vec!["man", &odd],
            vec!["doctor", &odd],
            vec!["uhp", "discover", "--url", &odd],
            vec!["serve", &odd],
            vec!["completions", &odd],
            vec!["tools", file, &odd],
            vec!["--arm", &odd, file],
        ];
        for args in lines {
            // What an argument cannot hold the operating system refuses itself.
            let ran = run(&args);
            clean_run(&ran, &args);
            let said = ran.err.lines().next().unwrap_or_default();
            let clap = said.starts_with("error: ");
            assert!(ran.err.is_empty() || clap || ran.err.lines().count() == 1, "{family}: {args:?}: {}", ran.err);
        }
    }
    // Scripts and tool files from standard input too.
    let calls = serde_json::to_vec(
        &json!([{"tool": all(), "arguments": {all(): all()}}, {"tool": "change", "arguments": all()}]),
    );
    let ran = run_with(&["step", file, "--calls", "-"], &calls.unwrap());
    assert_eq!(ran.code, 0, "{ran:?}");
    clean_run(&ran, &["step", "--calls", "-"]);
    let ran = run_with(&["hash", "-"], format!("{{\"{}\": NaN}}", "k\u{202e}\u{9b}").as_bytes());
    clean_run(&ran, &["hash", "-"]);
}

fn toml_text(text: &str) -> String {
    let escaped: String = text.chars().map(|c| format!("\\U{:08X}", c as u32)).collect();
    format!("\"{escaped}\"")
}

/// Every cell of the screen, and everything copied so far.
fn clean_screen(driver: &Driver, after: &str) {
    let (buffer, _) = driver.buffer();
    for cell in &buffer.content {
        let hidden = cell.symbol().chars().any(is_hidden);
        assert!(!hidden, "after {after}: {:?} in a cell of\n{}", cell.symbol(), driver.text());
    }
}

#[test]
fn no_cell_of_any_screen_holds_what_acts() {
    for size in [(120, 40), (60, 16)] {
        let mut driver = Driver::new(bytes(&all(), &hostile()), size, "dark");
        clean_screen(&driver, "opening");
        for screen in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
            for pane in 0..4 {
                for key in [
                    screen, "j", "enter", "l", "j", "s", "H", "z", "G", "esc", "right", "g", "?", "j", "esc", ":",
                    "esc",
                ] {
                    driver.keys(key);
                    clean_screen(&driver, &format!("{key} on screen {screen}, pane {pane}"));
                }
                driver.keys("tab");
            }
            assert_eq!(driver.quit, None);
        }
    }
}

#[test]
fn no_cell_of_an_episode_holds_what_acts() {
    for arm in ["faults:f1", "similarity:s3", "landed:l1", "spread:p2"] {
        let mut driver = Driver::new(at(bytes(&all(), &hostile()), arm, 1), (100, 30), "dark");
        for key in
            ["n", "n", "tab", "j", "j", "tab", "j", "c", "enter", "ctrl-o", "esc", "ctrl-r", "esc", "e", "b", "/"]
        {
            driver.keys(key);
            clean_screen(&driver, &format!("{key} on {arm}"));
        }
    }
}

#[test]
fn nothing_copied_holds_what_acts() {
    let mut driver = Driver::new(at(bytes(&all(), &hostile()), "faults:f1", 1), (120, 40), "dark");
    for screen in ["1", "2", "3"] {
        driver.keys(screen).keys("esc");
        if screen == "3" {
            driver.keys("n n");
        }
        for pane in 0..3 {
            for down in 0..8 {
                driver.keys("y");
                for _ in 0..down {
                    driver.keys("down");
                }
                driver.keys("enter");
                clean_screen(&driver, &format!("copying {down} of pane {pane} on screen {screen}"));
                driver.keys("esc");
            }
            driver.keys("tab");
        }
    }
    assert!(driver.copied.len() > 20, "{}", driver.copied.len());
    for copied in &driver.copied {
        clean(copied, "copied");
        // On its way to the terminal it is letters of base64 between two bytes that ask for it.
        for tmux in [false, true] {
            let sequence = copy_sequence(copied, tmux);
            let inner = sequence.trim_start_matches("\u{1b}]52;c;").split('\u{7}').next().unwrap();
            assert!(inner.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)), "{sequence:?}");
        }
    }
}

#[test]
fn an_exported_episode_is_clean_markdown() {
    let reading = Arc::new(read(&hostile(), &ReadOptions::default()));
    let planner = Planner::new(reading, PlanSettings::default()).unwrap();
    let task = Arc::new(planner.plan(Arm::parse("faults:f1").unwrap(), 1).unwrap());
    let mut episode = Episode::new(task.clone());
    for call in &task.reference_calls {
        episode.make(call.clone());
    }
    episode.end(rehearsal::engine::Ending::Reply);
    let markdown = episode.to_markdown();
    clean(&markdown, "the export");
    let markup = |event: &pulldown_cmark::Event<'_>| {
        use pulldown_cmark::{Event, Tag};
        let text = matches!(event, Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::End(_));
        let ours = matches!(
            event,
            Event::Start(
                Tag::Heading { .. }
                    | Tag::Paragraph
                    | Tag::BlockQuote(_)
                    | Tag::CodeBlock(_)
                    | Tag::List(None)
                    | Tag::Item
            )
        );
        !text && !ours
    };
    let found = pulldown_cmark::Parser::new_ext(&markdown, pulldown_cmark::Options::all()).find(markup);
    assert_eq!(found, None, "{markdown}");
    clean(&rehearsal::text::safe_json(&episode.script().to_json()), "the script");
}

#[test]
fn settings_are_saved_with_escapes_and_read_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (config, file) = (folder.path().join("tasks.toml"), folder.path().join("hostile.json"));
    std::fs::write(&file, hostile()).unwrap();
    for (family, x) in FAMILIES {
        let named = |n: &str| format!("{n}{x}");
        let declared = Declared {
            read: vec![named("r"), named("s")],
            write: vec![named("w")],
            intents: vec![("look".to_owned(), named("Find \"it\" \\ "))],
            flows: vec![Flow { from: named("a"), field: named("b"), to: named("c"), param: named("d") }],
        };
        save(&config, &file, &declared).unwrap_or_else(|e| panic!("{family}: {e}"));
        let text = std::fs::read_to_string(&config).unwrap();
        clean(&text, family);
        let read = find_config(Some(&file), None).unwrap();
        let rehearsal::settings::Config::Used(read) = read else { panic!("{family}: not used") };
        assert_eq!((&read.own.read, &read.own.write), (&declared.read, &declared.write), "{family}");
        assert_eq!((&read.own.intents, &read.own.flows), (&declared.intents, &declared.flows), "{family}");
    }
}
