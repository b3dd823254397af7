//! Bytes changed at random, for each parser: whatever is read, it ends, in bounded time, without a panic.
//!
//! In the suite this runs for some seconds. `REHEARSAL_FUZZ_SECONDS=600 cargo test --test rules fuzz` runs each parser so
//! long; `REHEARSAL_FUZZ_SEED` begins elsewhere. What fails is written to a file that the message names, and becomes a case.

use rehearsal::card::{Artifact, Interner, Record};
use rehearsal::run::{RunPlan, Source, Trace, check_card};
use rehearsal::settings::{UserSettings, find_config};
use rehearsal::task::Script;
use rehearsal::theme::{Depth, Themes};
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::uhp::client::transcript::Transcript;
use rehearsal::uhp::wire::sse::Decoder;
use rehearsal::uhp::wire::{Json, harness, input, plugin, request, skill};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest that one input may take, in a program that is not optimised on a machine that does other things too.
const SLOWEST: Duration = Duration::from_secs(20);

/// Largest input tried.
const LARGEST: usize = 1 << 16;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// Parts that parsers treat apart.
const PARTS: [&[u8]; 56] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\\udc00",
    b"null",
    b"true",
    b"NaN",
    b"-Infinity",
    b"1e400",
    b"-0.0",
    b"0x1F",
    b"99999999999999999999999",
    b"1e-400",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\0",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"---\n",
    b"...\n",
    b"&a ",
    b"*a",
    b"<<: *a",
    b"!!binary ",
    b"!!set ",
    b"? ",
    b"- ",
    b"|\n  ",
    b">-\n ",
    b"# ",
    b"%YAML 1.1\n",
    b"$ref",
    b"#/",
    b"\"$ref\":\"#\"",
    b"data: ",
    b"event: ",
    b"id: ",
    b"retry: 1\n",
    b"[own]\n",
    b"[[own.flow]]\n",
    b"'''",
    b"\"\"\"",
    b"\"sequence_number\":",
    b"\"type\":",
    b"reply",
    b"response.completed",
];

/// An input changed a few times.
fn mutated(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[dice.roll(seeds.len())].clone();
    for _ in 0..=dice.roll(6) {
        let at = dice.roll(bytes.len() + 1);
        let to = (at + dice.roll(64)).min(bytes.len());
        match dice.roll(9) {
            0 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] ^= 1 << dice.roll(8);
            }
            1 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] = dice.roll(256) as u8;
            }
            2 => drop(bytes.drain(at..to)),
            3 => {
                let part = bytes[at..to].to_vec();
                let again = 1 + dice.roll(40);
                bytes.splice(at..at, part.repeat(again));
            }
            4 => bytes.truncate(at),
            5 => {
                let other = &seeds[dice.roll(seeds.len())];
                let from = dice.roll(other.len() + 1);
                let end = (from + dice.roll(400)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
            6 => {
                // Nesting grows here, and numbers.
                let part = PARTS[dice.roll(PARTS.len())].repeat(1 + dice.roll(600));
                bytes.splice(at..at, part);
            }
            _ => {
                let part = PARTS[dice.roll(PARTS.len())];
                bytes.splice(at..at, part.iter().copied());
            }
        }
        bytes.truncate(LARGEST);
    }
    bytes
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Feeds a parser changed inputs for a while.
fn fuzz(name: &str, seeds: &[Vec<u8>], mut parse: impl FnMut(&[u8])) {
    assert!(!seeds.is_empty() && seeds.iter().all(|seed| !seed.is_empty()), "{name} has nothing to begin with");
    let millis = number("REHEARSAL_FUZZ_SECONDS").map_or(700, |seconds| seconds * 1000);
    let until = Instant::now() + Duration::from_millis(millis);
    let mut dice = Dice(number("REHEARSAL_FUZZ_SEED").unwrap_or(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for seed in seeds {
        parse(seed);
    }
    let (mut tried, mut slowest) = (0_u64, Duration::ZERO);
    while Instant::now() < until {
        let bytes = mutated(&mut dice, seeds);
        let started = Instant::now();
        let panicked = catch_unwind(AssertUnwindSafe(|| parse(&bytes))).is_err();
        let took = started.elapsed();
        if panicked || took > SLOWEST {
            let kept = std::env::temp_dir().join(format!("rehearsal-fuzz-{name}-{tried}"));
            std::fs::write(&kept, &bytes).unwrap();
            let what = if panicked { "panics".to_owned() } else { format!("takes {took:?}") };
            panic!("{name} {what} on input {tried}, kept in {}", kept.display());
        }
        slowest = slowest.max(took);
        tried += 1;
    }
    println!("{name}: {tried} inputs, the slowest took {slowest:?}");
    assert!(tried > 0, "{name}: nothing was tried");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Real inputs: the files of these folders with one of these endings, not too large to be changed often.
fn real(folders: &[&str], endings: &[&str]) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.sort();
    let fits = |path: &PathBuf| path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending));
    let bytes = paths.iter().filter(|p| fits(p)).map(|path| std::fs::read(path).unwrap());
    bytes.filter(|bytes| !bytes.is_empty() && bytes.len() < 1 << 15).collect()
}

fn one(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap()
}

#[test]
fn fuzz_json() {
    let seeds = real(&["tests/toolfiles", "tests/cases", "tests/random"], &["json"]);
    fuzz("json", &seeds, |bytes| drop(rehearsal::value::read_json(bytes)));
}

#[test]
fn fuzz_yaml() {
    let seeds = real(&["tests/toolfiles", "tests/cases", "tests/random", "examples/scripts"], &["yaml"]);
    fuzz("yaml", &seeds, |bytes| drop(rehearsal::value::read(bytes)));
}

#[test]
fn fuzz_tool_files() {
    let seeds = real(&["tests/toolfiles", "tests/cases", "tests/random"], &["json", "yaml"]);
    fuzz("tool-file", &seeds, |bytes| {
        let reading = read(bytes, &ReadOptions::default());
        let line = reading.error.map(|error| error.message).unwrap_or_default();
        assert!(!line.contains('\n'), "{line}");
    });
}

#[test]
fn fuzz_tasks_toml() {
    let folder = tempfile::tempdir().unwrap();
    let (config, file) = (folder.path().join("tasks.toml"), folder.path().join("hotel.mcp.json"));
    std::fs::write(&file, "[]").unwrap();
    let seeds = ["hotel", "orders", "warehouse", "clinic"].map(|name| one(&format!("examples/{name}/tasks.toml")));
    fuzz("tasks-toml", &seeds, |bytes| {
        std::fs::write(&config, bytes).unwrap();
        if let Err(error) = find_config(Some(&file), None) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
        // What can be read can be edited, or is refused in one line.
        if let Err(error) = rehearsal::settings::save(&config, &file, &rehearsal::settings::Declared::default()) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    });
}

#[test]
fn fuzz_own_settings_and_themes() {
    let settings =
        b"theme: contrast\nbackground: light\ncolors: '256'\nmouse: true\neditor: vi\nkeys:\n  quit: [Q, ctrl-q]\n";
    fuzz("settings", &[settings.to_vec()], |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let _ = UserSettings::from_text(Path::new("settings.yaml"), text);
        }
    });
    let seeds = real(&["themes"], &["yaml"]);
    fuzz("themes", &seeds, |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let themes = Themes::new(vec![("own".to_owned(), text.to_owned()), ("dark".to_owned(), text.to_owned())]);
            let _ = (themes.load("own", Depth::True), themes.load("dark", Depth::Sixteen));
        }
    });
}

#[test]
fn fuzz_call_scripts() {
    let mut seeds = real(&["examples/scripts"], &["yaml"]);
    seeds.push(br#"[{"tool": "a", "arguments": {"b": 1.0, "c": [null]}}, ["d", {}], ["e"], "limit"]"#.to_vec());
    fuzz("call-script", &seeds, |bytes| match Script::read(bytes) {
        // What was read is written and read again as the same calls.
        Ok(script) => {
            for text in [script.to_json(), script.to_yaml()] {
                let again = Script::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
                assert_eq!((again.calls.len(), again.ending), (script.calls.len(), script.ending), "{text}");
            }
        }
        Err(why) => assert!(!why.contains('\n'), "{why}"),
    });
}

/// A folder whose files are each now and then exchanged for a changed one.
fn fuzz_folder(name: &str, from: &str, files: &[&str], mut open: impl FnMut(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| one(&format!("{from}/{file}"))).collect();
    // The first lines say as much as all of them.
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed[..seed.len().min(6000)].to_vec()).collect();
    let mut turn = 0;
    fuzz(name, &seeds, |bytes| {
        for (file, seed) in files.iter().zip(&seeds) {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, seed).unwrap();
        }
        std::fs::write(folder.path().join(files[turn % files.len()]), bytes).unwrap();
        turn += 1;
        open(folder.path());
    });
}

#[test]
fn fuzz_run_folders() {
    let files = ["plan.json", "produced_by.jsonl", "episodes.jsonl", "traces.jsonl"];
    fuzz_folder("run-folder", "examples/runs/hasty", &files, |folder| match Source::open(folder) {
        Ok(source) => {
            for index in 0..source.episodes.len().min(4) {
                let _ = source.trace(index);
            }
            let page = rehearsal::card::card_page(&source.artifact, &source.about());
            assert!(!page.markdown().is_empty());
        }
        Err(why) => assert_eq!(why.lines().count(), 1, "{why}"),
    });
    let seeds = vec![one("examples/runs/careful/plan.json")];
    fuzz("plan", &seeds, |bytes| drop(RunPlan::read(bytes)));
    let traces = one("examples/runs/careful/traces.jsonl");
    let lines: Vec<Vec<u8>> = traces.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(<[u8]>::to_vec).collect();
    fuzz("trace", &lines, |bytes| drop(Trace::read(bytes)));
}

#[test]
fn fuzz_cards() {
    let files = ["artifact.json", "episodes.jsonl"];
    fuzz_folder("card", "examples/runs/hasty/card", &files, |folder| {
        let _ = check_card(folder);
        match Source::open(folder) {
            Ok(source) => assert!(!rehearsal::card::card_page(&source.artifact, &source.about()).lines().is_empty()),
            Err(why) => assert_eq!(why.lines().count(), 1, "{why}"),
        }
    });
    let records = one("examples/runs/careful/episodes.jsonl");
    let lines: Vec<Vec<u8>> = records.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(<[u8]>::to_vec).collect();
    fuzz("record", &lines, |bytes| {
        let mut interner = Interner::default();
        if let Ok(record) = Record::parse(bytes, &mut interner) {
            // What is read as a record is written as one.
            let line = record.line();
            assert_eq!(Record::parse(line.as_bytes(), &mut interner).as_ref(), Ok(&record), "{line}");
            let _ = Artifact::build(&[record], rehearsal::value::Value::Null, &rehearsal::card::Tallies::new());
        }
    });
}

#[test]
fn fuzz_uhp_requests() {
    let seeds: Vec<Vec<u8>> = [
        r#"{"input":"faults:f2 seed 0","model":"rehearsal/reference","stream":true,"background":false,"store":true,"metadata":{"arm":"faults:f1","seed":3},"previous_response_id":"resp_1","max_step":4,"timeout_seconds":5,"instructions":"x"}"#,
        r#"{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"},{"type":"input_file","filename":"a.txt","file_data":"data:text/plain;base64,aGk="},{"type":"input_image","image_url":"data:image/png;base64,AA=="},{"type":"input_file","file_id":"file_1"}]}]}"#,
        r#"{"name":"n","base":"rehearsal/orders","default_model":"rehearsal/reference","rehearsal":{"arm":"faults:f1","seeds":[1,2]},"skills":[{"name":"s","description":"d","files":[{"path":"SKILL.md","content":"---\nname: s\ndescription: d\n---\nx"}]}],"plugins":[{"name":"p","manifest":{"name":"p","version":"1.0.0"}}],"mcp_servers":{"m":{"url":"https://x"}}}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    fuzz("uhp-request", &seeds, |bytes| {
        let Ok(Json::Object(body)) = serde_json::from_slice(bytes) else { return };
        let _ =
            (request::read(&body, 1 << 20), harness::read(&body, None), harness::read(&body, Some("rehearsal/orders")));
        for value in body.values() {
            let _ = (input::read(value, 1 << 20), skill::read_all(value, "skills"), plugin::read_all(value, "plugins"));
        }
    });
}

#[test]
fn fuzz_uhp_event_streams() {
    let response =
        r#"{"id":"resp_1","object":"response","status":"in_progress","output":[],"metadata":{"session_id":"hsess1"}}"#;
    let item = r#"{"id":"i1","type":"message","role":"assistant","status":"in_progress","content":[]}"#;
    let events = [
        format!(r#"{{"type":"response.created","sequence_number":0,"response":{response}}}"#),
        format!(r#"{{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{item}}}"#),
        r#"{"type":"response.content_part.added","sequence_number":2,"output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}"#.to_owned(),
        r#"{"type":"response.output_text.delta","sequence_number":3,"output_index":0,"content_index":0,"delta":"hello"}"#.to_owned(),
        r#"{"type":"response.function_call_arguments.delta","sequence_number":4,"output_index":0,"delta":"{\"a\":"}"#.to_owned(),
        format!(r#"{{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{item}}}"#),
        format!(r#"{{"type":"response.completed","sequence_number":6,"response":{response}}}"#),
    ];
    let stream: String = events.iter().enumerate().map(|(i, e)| format!("id: {i}\nevent: x\ndata: {e}\n\n")).collect();
    let seeds = vec![
        stream.clone().into_bytes(),
        stream.replace('\n', "\r\n").into_bytes(),
        format!(": keep-alive\n\n{stream}").into_bytes(),
    ];
    let mut cut = 0;
    fuzz("event-stream", &seeds, |bytes| {
        cut = (cut * 31 + 7) % 97;
        let mut decoder = Decoder::new(1 << 15);
        let mut transcript = Transcript::default();
        let mut whole = Vec::new();
        for piece in bytes.chunks(cut + 1) {
            let Ok(frames) = decoder.push(piece) else { return };
            whole.extend(frames);
        }
        // Pieces do not matter.
        let mut once = Decoder::new(1 << 15);
        assert_eq!(once.push(bytes).ok().as_ref(), Some(&whole));
        for frame in &whole {
            if let Ok(Json::Object(event)) = serde_json::from_str(&frame.data) {
                let _ = transcript.apply(&event);
            }
        }
        let _ = (transcript.steps().len(), transcript.facts(), transcript.to_json());
        let _ = Transcript::read(bytes);
    });
}
