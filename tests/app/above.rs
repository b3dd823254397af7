//! What opens above a screen and what a screen says in passing, as snapshots at three sizes in four themes: those of a
//! kind together.

use crate::driver::{Driver, at, bytes, example, file, session};
use crate::remote::attached;
use crate::screens::{keys, snapshot, snapshot_all};
use rehearsal::record::journal::Session;
use rehearsal::run::RunEntry;
use rehearsal::tui::Start;
use rehearsal::tui::live::open::Entry;
use rehearsal::tui::live::save::Written;
use rehearsal::tui::live::watch::{Hashes, OnDisk};
use rehearsal::tui::live::{Ask, Told};
use rehearsal::tui::model::{FileState, Running, Screen};
use rehearsal::tui::msg::Msg;
use rehearsal::tui::screens::runs;
use rehearsal::work::{JobId, Progress, Report};
use std::path::Path;

fn bad() -> Start {
    at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404)
}

fn faults() -> Start {
    at(example(), "faults:f2", 404)
}

fn clinic() -> Start {
    at(file("examples/clinic/clinic.openapi.yaml"), "spread:p1", 1)
}

/// A form with everything a form can have: enums, booleans, bounds, formats, nested values, alternatives.
pub const NESTED: &str = r#"{"tools": [{"name": "plan_trip", "description": "Plan a trip.", "annotations": {"readOnlyHint": false},
  "inputSchema": {"type": "object", "required": ["day", "class", "bags"], "properties": {
    "day": {"type": "string", "format": "date"}, "class": {"type": "string", "enum": ["first", "second"]},
    "bags": {"type": "integer", "minimum": 0, "maximum": 4}, "quiet": {"type": "boolean"},
    "stops": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 2}},
    "who": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
    "code": {"type": "string", "pattern": "^[A-Z]{3}$"}}}},
  {"name": "get_trip", "description": "Get a trip.", "annotations": {"readOnlyHint": true},
  "inputSchema": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string", "pattern": "^[A-Z]{3}$"}}},
  "outputSchema": {"type": "object", "properties": {"code": {"type": "string"}, "day": {"type": "string"}}}}]}"#;

fn nested() -> Start {
    at(bytes("trips.mcp.json", NESTED.as_bytes()), "faults:f0", 3)
}

#[test]
fn the_form_of_a_call() {
    snapshot_all(
        "above-form",
        &[
            ("every kind of argument", &nested, &keys("c enter")),
            ("what does not fit is said as it is typed", &nested, &|d| {
                d.keys("c enter ctrl-u").type_text("tomorrow").keys("tab tab ctrl-u").type_text("9");
            }),
            ("a value from the task or an earlier answer", &bad, &|d| {
                d.keys("n n c").type_text("move").keys("enter ctrl-o");
            }),
            ("raw, and wrong", &nested, &|d| {
                d.keys("c enter ctrl-r ctrl-u").type_text("{\"day\": ");
            }),
            ("a tool that is not shown", &bad, &|d| {
                d.keys("c").type_text("drop_tables");
            }),
        ],
    );
}

#[test]
fn what_is_told_of_a_call() {
    snapshot_all(
        "above-told",
        &[
            ("the place in the schema that is not met", &nested, &|d| {
                d.keys("c enter tab tab ctrl-u").type_text("9").keys("ctrl-s w");
            }),
            ("the requests and responses of an OpenAPI document", &clinic, &keys("e b a k")),
            ("who wrote a value in the store", &bad, &keys("e b tab tab j j j j j j j o")),
            ("no value is selected", &bad, &keys("n tab tab j o")),
        ],
    );
}

/// Entries of a folder.
fn folder(d: &mut Driver) {
    d.keys("ctrl-o");
    let entry = |name: &str, folder| Entry { name: name.into(), folder, size: 2_000 };
    d.send(Msg::Live(Told::Recent(vec!["/tools/before.json".into(), "/tools/older.yaml".into()])));
    let all = vec![entry("examples", true), entry("a.json", false), entry("notes.yaml", false)];
    d.send(Msg::Live(Told::Listed(String::new(), ".".into(), all)));
}

/// A name that is there already.
fn replace(d: &mut Driver) {
    d.keys("n n ctrl-s enter enter");
    let Some(Ask::Write { draft, path, .. }) = d.live.last().cloned() else { panic!("nothing is written") };
    d.send(Msg::Live(Told::Written(draft, path, Written::There)));
}

#[test]
fn files_and_words() {
    snapshot_all(
        "above-files",
        &[
            ("what can be saved", &bad, &keys("n n ctrl-s")),
            ("under which name", &bad, &keys("n n ctrl-s enter")),
            ("whether it is replaced", &bad, &replace),
            ("another file", &example, &folder),
            ("what an editor can have", &bad, &keys("n tab j j f4")),
            ("what was declared", &(|| file("examples/warehouse/warehouse.mcp.json")), &keys("j e W")),
            ("a sentence", &example, &keys("j i")),
            ("a filter", &bad, &|d| {
                d.keys("&").type_text("find");
            }),
        ],
    );
}

/// A session of three calls, as it was left.
fn left() -> Box<Session> {
    let mut driver = Driver::new(faults(), (120, 40), "dark");
    driver.keys("n n n b");
    session(&driver)
}

fn hashes() -> Hashes {
    Hashes { file: "ab".repeat(32), contract: Some("cd".repeat(32)) }
}

/// The file on disk is looked at, and is this.
fn disk(d: &mut Driver, disk: OnDisk) {
    d.send(Msg::Live(Told::Touched));
    let Some(Ask::Inspect { id, .. }) = d.live.last() else { panic!("the disk is not looked at") };
    let id = *id;
    d.send(Msg::Live(Told::Inspected(id, disk)));
}

#[test]
fn sessions_and_the_disk() {
    let warehouse = || file("examples/warehouse/warehouse.mcp.json");
    let session = left();
    let coming = |d: &mut Driver| {
        d.hold = true;
        d.send(Msg::Live(Told::Taken(Ok(session.clone()))));
        let (id, _) = d.held.take().unwrap();
        let progress =
            Progress { what: "bringing the session back", done: 1_024, total: Some(9_000), speed: None, folder: None };
        d.send(Msg::Resumed(id, Report::Progress(progress)));
    };
    snapshot_all(
        "above-session",
        &[
            ("it comes back", &example, &coming),
            ("it is not played meanwhile", &example, &|d| {
                coming(d);
                d.keys("3 n");
            }),
            ("it was stopped", &example, &|d| {
                coming(d);
                d.keys("esc");
            }),
            ("what can be read of it", &example, &|d| {
                coming(d);
                d.keys("esc esc down down");
            }),
            ("only the bytes moved", &warehouse, &|d| disk(d, OnDisk::Bytes(hashes()))),
            ("the contract moved", &warehouse, &|d| disk(d, OnDisk::Contract(hashes()))),
            ("under a task", &bad, &|d| disk(d, OnDisk::Contract(hashes()))),
        ],
    );
}

#[test]
fn a_file_that_opens() {
    snapshot("opening", &example, &|d| {
        d.model.file = FileState::Opening;
        let progress =
            Progress { what: "reading", done: 4_000_000, total: Some(12_500_000), speed: None, folder: None };
        d.model.opening = Some(Running { id: JobId(7), progress: Some(progress), cancel: None });
    });
}

#[test]
fn the_list_of_runs() {
    // Only those that come with the program: what lies in runs/ of whoever runs the tests must not be told of.
    let listed = |d: &mut Driver| {
        let entries: Vec<RunEntry> = ["examples/runs/careful", "examples/runs/hasty"]
            .iter()
            .filter_map(|path| RunEntry::of(Path::new(path)))
            .collect();
        assert_eq!(entries.len(), 2);
        d.keys("5");
        let effects = runs::listed(&mut d.model, entries);
        d.perform(effects);
    };
    snapshot_all(
        "runs",
        &[
            ("the list", &example, &listed),
            ("one is marked", &example, &|d| {
                listed(d);
                d.keys("space j");
            }),
            ("a path is asked for", &example, &|d| {
                listed(d);
                d.keys("a");
            }),
        ],
    );
}

#[test]
fn what_is_chosen_of_a_server() {
    snapshot_all(
        "above-remote",
        &[
            ("the harness", &example, &|d| {
                attached(d);
                d.keys("H");
            }),
            ("an input", &example, &|d| {
                attached(d);
                d.keys("i").type_text("Let the customer know");
            }),
        ],
    );
}

#[test]
fn lists_beside_two_sides() {
    snapshot_all(
        "above-sides",
        &[
            ("the arm of a side", &faults, &|d| {
                d.keys("v a").type_text("bad");
                assert_eq!(d.model.screen, Screen::Sides);
            }),
            ("what of it can be copied", &faults, &keys("v y")),
        ],
    );
}
