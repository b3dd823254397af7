//! What lets one live in the program, without a terminal: the palette, saving, the editor, opening files, the filter.

use crate::driver::{Driver, at, example, file};
use rehearsal::settings::Declared;
use rehearsal::task::Script;
use rehearsal::tui::live::open::{Entry, Found};
use rehearsal::tui::live::save::Written;
use rehearsal::tui::live::watch::{Hashes, OnDisk};
use rehearsal::tui::live::{Ask, Told};
use rehearsal::tui::msg::Msg;
use rehearsal::work::JobId;

fn driver(begin: rehearsal::tui::Start) -> Driver {
    Driver::new(begin, (120, 40), "dark")
}

/// The last thing asked of the world.
fn asked(driver: &Driver) -> Ask {
    driver.live.last().unwrap().clone()
}

fn tell(driver: &mut Driver, told: Told) {
    driver.send(Msg::Live(told));
}

#[test]
fn the_palette_finds_actions_tools_arms_and_seeds() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys(":").type_text("gotoprint");
    assert!(d.text().contains("▌go to tool print_label_v2"), "{}", d.text());
    d.keys("enter");
    assert!(d.text().contains("▌  print_label_v2"), "{}", d.text());
    d.keys(":").type_text("plan faults:f4").keys("enter");
    let shown = d.text();
    assert!(shown.contains("task faults:f4") && shown.contains("[4]"), "{shown}");
    let seed = d.model.plan.seeds[3];
    d.keys(":").type_text(&format!("seed {seed}")).keys("enter");
    assert!(d.text().contains(&format!("task faults:f4 seed {seed}")));
    d.keys(":").type_text("theme").keys("enter");
    assert!(d.text().contains("theme light"));
}

#[test]
fn a_filter_shows_only_some_tools_and_keeps_the_selection() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys("j j j j j &").type_text("STOCK");
    let shown = d.text();
    assert!(shown.contains("tools with \"stock\": "), "{shown}");
    assert!(!shown.contains("list_bins"));
    d.keys("enter");
    // What is selected is what is shown, and what is marked is what is found.
    d.keys("g j e");
    assert!(d.text().contains("declared a"), "{}", d.text());
    d.keys("* o");
    assert!(d.text().contains("keeping only the marked tools"), "{}", d.text());
    d.keys("esc");
    assert!(d.text().contains("─ tools ─"), "{}", d.text());
    // Leaving the line takes the filter back.
    d.keys("&").type_text("zzz").keys("esc");
    assert!(d.text().contains("─ tools ─"));
}

#[test]
fn searching_says_which_of_how_many() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys("/").type_text("write").keys("enter");
    assert!(d.text().contains("searching for write  match 1 of 5"), "{}", d.text());
    d.keys("> >");
    assert!(d.text().contains("searching for write  match 3 of 5"));
    d.keys("<");
    assert!(d.text().contains("searching for write  match 2 of 5"));
}

#[test]
fn an_episode_is_saved_as_a_script_that_replays() {
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n n ctrl-s").type_text("script").keys("enter");
    assert!(d.text().contains("save as step-baddata-b2-404.calls.yaml"), "{}", d.text());
    d.keys("enter");
    let Ask::Write { draft, path, replace: false } = asked(&d) else { panic!("{:?}", asked(&d)) };
    assert_eq!(path, "step-baddata-b2-404.calls.yaml");
    let script = Script::read(draft.text.as_bytes()).unwrap();
    let made = d.model.step.episode.as_ref().unwrap().past();
    assert_eq!(script.calls, made.iter().map(|made| made.call.clone()).collect::<Vec<_>>());
    // One that is there is asked about, and no is the first answer.
    tell(&mut d, Told::Written(draft.clone(), path.clone(), Written::There));
    assert!(d.text().contains("step-baddata-b2-404.calls.yaml is there already"));
    d.keys("enter");
    assert!(d.text().contains("save as step-baddata-b2-404.calls.yaml"));
    d.keys("esc");
    tell(&mut d, Told::Written(draft.clone(), path.clone(), Written::There));
    d.keys("down enter");
    assert!(matches!(asked(&d), Ask::Write { replace: true, .. }));
    tell(&mut d, Told::Written(draft, path.clone(), Written::Done(path)));
    let says = "--arm baddata:b2 --seed 404 --calls step-baddata-b2-404.calls.yaml";
    assert!(d.model.notice.as_ref().unwrap().text.contains(says), "{:?}", d.model.notice);
}

#[test]
fn the_screen_is_saved_as_it_is_seen() {
    let mut d = driver(at(example(), "faults:f2", 404));
    d.keys("n");
    let seen = d.text();
    for (kind, end) in [("text", ".txt"), ("picture", ".svg")] {
        d.keys("ctrl-s").type_text(kind).keys("enter enter");
        let Ask::Write { draft, path, .. } = asked(&d) else { panic!("{:?}", asked(&d)) };
        assert_eq!(path, format!("step-faults-f2-404{end}"));
        if kind == "text" {
            assert_eq!(draft.text, seen);
        } else {
            assert!(draft.text.starts_with("<svg ") && draft.text.contains("unavailable"));
        }
    }
}

#[test]
fn the_editor_gets_the_arguments_and_gives_them_back() {
    let mut d = driver(at(example(), "faults:f2", 404));
    d.keys("c enter f4");
    let Ask::Edit { text, command, .. } = asked(&d) else { panic!("{:?}", asked(&d)) };
    assert_eq!(command, "vi");
    let changed = text.replacen('"', "\"new_argument\": [1, 2.0],\n  \"", 1);
    tell(&mut d, Told::Edited(Ok(format!("{changed}\n"))));
    assert!(d.text().contains("new_argument") && d.text().contains("[1,2.0]"), "{}", d.text());
    // What is no JSON is kept as it was written, to be put right.
    d.keys("f4");
    tell(&mut d, Told::Edited(Ok("{\"a\": ".to_owned())));
    assert!(d.text().contains("{\"a\":"), "{}", d.text());
    // An editor that fails changes nothing.
    d.keys("f4");
    tell(&mut d, Told::Edited(Err("the editor vi failed".to_owned())));
    assert!(d.text().contains("! nothing changed: the editor vi failed") && d.text().contains("{\"a\":"));
    // One's own answer to nothing is nothing.
    tell(&mut d, Told::Edited(Ok("late".to_owned())));
    assert!(!d.text().contains("late"));
}

#[test]
fn a_call_is_made_again_with_what_the_editor_changed() {
    let mut d = driver(at(example(), "faults:f2", 404));
    d.keys("n f4").type_text("make it again").keys("enter");
    let Ask::Edit { text, .. } = asked(&d) else { panic!("{:?}", asked(&d)) };
    let made = d.model.step.episode.as_ref().unwrap().calls()[0].call.clone();
    assert!(text.contains(&format!("\"tool\": \"{}\"", made.tool)), "{text}");
    tell(&mut d, Told::Edited(Ok(text.replace("\"arguments\": {", "\"arguments\": {\n    \"extra\": true,"))));
    assert!(d.text().contains(&format!("call {}", made.tool)) && d.text().contains("extra"), "{}", d.text());
    d.keys("ctrl-s");
    assert_eq!(d.model.step.episode.as_ref().unwrap().calls().len(), 2);
}

#[test]
fn another_file_is_opened_by_its_name_or_from_those_before() {
    let mut d = driver(example());
    d.keys("ctrl-o");
    assert!(matches!(asked(&d), Ask::List(folder) if folder.is_empty()));
    let folder = |name: &str| Entry { name: name.into(), folder: true, size: 0 };
    let plain = |name: &str| Entry { name: name.into(), folder: false, size: 2_000 };
    tell(&mut d, Told::Recent(vec!["/tools/before.json".into()]));
    tell(&mut d, Told::Listed(String::new(), ".".into(), vec![folder("examples"), folder(".git"), plain("a.json")]));
    let shown = d.text();
    assert!(
        shown.contains("/tools/before.json") && shown.contains("examples/") && shown.contains("2.0 KiB"),
        "{shown}"
    );
    assert!(!shown.contains(".git"));
    d.type_text("exa").keys("tab");
    assert!(d.text().contains("> examples/"), "{}", d.text());
    assert!(matches!(asked(&d), Ask::List(folder) if folder == "examples/"));
    // A list of a folder that is typed no more comes too late.
    tell(&mut d, Told::Listed("elsewhere/".into(), "elsewhere".into(), vec![plain("no.json")]));
    assert!(!d.text().contains("no.json"));
    tell(&mut d, Told::Listed("examples/".into(), "examples".into(), vec![plain("b.json")]));
    d.type_text("b").keys("enter");
    let Ask::Find(path) = asked(&d) else { panic!("{:?}", asked(&d)) };
    assert_eq!(path, std::path::Path::new("examples/b.json"));
    let warehouse = file("examples/warehouse/warehouse.mcp.json");
    let found = Found {
        path: "examples/warehouse/warehouse.mcp.json".into(),
        read: warehouse.read,
        plan: warehouse.plan,
        seeds: vec![7],
        config: None,
        warnings: Vec::new(),
    };
    tell(&mut d, Told::Found(Ok(Box::new(found))));
    assert!(d.text().contains("warehouse.mcp.json") && d.text().contains("7 usable tools"), "{}", d.text());
    assert_eq!(d.model.plan.seeds, [7]);
    assert!(matches!(&d.live[d.live.len() - 1], Ask::Remember(path) if path.is_absolute()));
    tell(&mut d, Told::Found(Err("tasks.toml:1:2: broken".to_owned())));
    assert!(d.text().contains("! tasks.toml:1:2: broken"));
}

#[test]
fn declarations_are_saved_only_when_that_is_said() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys("j e i").type_text("Look it up").keys("enter W");
    assert!(d.text().contains("declared: 1 effect, 1 intent, 0 flows"), "{}", d.text());
    assert!(d.text().contains("save them in examples/warehouse/tasks.toml"), "{}", d.text());
    d.keys("down enter");
    assert!(d.text().contains("nothing was saved"));
    d.keys("W enter");
    let Ask::Declare { config, declared, .. } = asked(&d) else { panic!("{:?}", asked(&d)) };
    assert_eq!(config, std::path::Path::new("examples/warehouse/tasks.toml"));
    let expected = Declared {
        write: vec!["find_sku".into()],
        intents: vec![("find_sku".into(), "Look it up".into())],
        ..Declared::default()
    };
    assert_eq!(declared, expected);
    tell(&mut d, Told::Declared(Err("own must be a table".to_owned())));
    assert!(d.text().contains("! not saved: own must be a table"));
    // An empty sentence takes it back.
    d.keys("i ctrl-u enter W");
    assert!(d.text().contains("declared: 1 effect, 0 intents, 0 flows"), "{}", d.text());
    let mut d = driver(example());
    d.keys("W");
    assert!(d.text().contains("this one is not a file on disk"));
}

#[test]
fn a_file_that_moved_is_told_of_and_only_the_last_look_counts() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    tell(&mut d, Told::Touched);
    let Ask::Inspect { id, was, .. } = asked(&d) else { panic!("{:?}", asked(&d)) };
    let moved = Hashes { file: "ab".repeat(32), contract: was.contract.clone() };
    tell(&mut d, Told::Inspected(JobId(id.0 + 7), OnDisk::Contract(moved.clone())));
    assert!(!d.text().contains("changed on disk"));
    tell(&mut d, Told::Inspected(id, OnDisk::Bytes(moved)));
    assert!(d.text().contains("! changed on disk: only the layout, file abababab"), "{}", d.text());
    d.keys("2 enter");
    assert!(d.text().contains("! file changed, contract same ctrl-r  "), "{}", d.text());
    d.model.live.disk = Some(OnDisk::Contract(Hashes { file: "ab".repeat(32), contract: None }));
    assert!(d.text().contains("! file and contract changed ctrl-r  "), "{}", d.text());
    d.model.live.disk = Some(OnDisk::Bad("gone".into()));
    assert!(d.text().contains("! file cannot be opened ctrl-r  "), "{}", d.text());
    d.keys("1 ctrl-r");
    assert!(!d.text().contains("changed on disk"));
}

#[test]
fn a_text_above_a_screen_is_searched() {
    let mut d = driver(example());
    d.keys("? /").type_text("theme").keys("enter");
    let shown = d.text();
    assert!(shown.contains("Next theme"), "{shown}");
    let style = d.model.look.theme.style(rehearsal::theme::Scope::Match);
    // Patched with the style of a match, a cell that has it stays as it is.
    let marked = d.buffer().0.content.iter().filter(|cell| cell.style().patch(style) == cell.style()).count();
    assert!(marked >= 5, "nothing is marked");
    d.keys("/").type_text("no such words");
    assert!(d.text().contains("search no such words"));
    d.keys("esc > < esc");
    assert!(d.text().contains("This is the built-in example"));
}

#[test]
fn the_selected_place_of_an_answer_is_copied_and_the_episode_whole() {
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n tab / ").type_text("on_hand").keys("enter y").type_text("pointer of").keys("enter");
    assert_eq!(d.copied, ["/on_hand"]);
    d.keys("y").type_text("value of the selected").keys("enter");
    assert_eq!(d.copied[1], "457");
    d.keys("y").type_text("episode markdown").keys("enter");
    assert!(d.copied[2].starts_with("# baddata:b2, seed 404"), "{}", d.copied[2]);
    d.keys("y").type_text("episode as json").keys("enter");
    let json: serde_json::Value = serde_json::from_str(&d.copied[3]).unwrap();
    assert_eq!(json["calls"][0]["tool"], "find_sku");
}
