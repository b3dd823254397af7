//! Searching and filtering: in every list, in texts above a screen, on the error screen.

use crate::driver::{Driver, at, bytes, example, file};
use crate::remote;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::msg::Msg;
use rehearsal::tui::panes;
use rehearsal::tui::widgets::list::Rows;
use rehearsal::tui::{Aim, Start};
use rehearsal::uhp::wire::response::Status;
use rehearsal::work::{OpenRequest, Origin};

fn driver(start: rehearsal::tui::Start) -> Driver {
    Driver::new(start, (120, 40), "dark")
}

/// The texts of the rows that a pane shows.
fn shown(d: &Driver, pane: Pane) -> Vec<String> {
    let (width, _) = panes::size(&d.model, pane);
    let rows = panes::rows(&d.model, pane, width);
    let seen = d.model.filter(pane).over(&rows);
    (0..seen.len()).map(|i| seen.row(i).text()).collect()
}

/// The text of the selected row of a pane, as the pane shows it.
fn selected(d: &Driver, pane: Pane) -> String {
    let at = d.model.filter(pane).place(d.model.cursor(pane).at);
    shown(d, pane).get(at).cloned().unwrap_or_default()
}

/// In the pane that has the keys: a word of one of its rows leaves only rows that have it, an empty one all of them.
fn filters(d: &mut Driver, name: &str) {
    let pane = d.model.pane();
    let all = shown(d, pane);
    assert!(!all.is_empty(), "{name}: {pane:?} has no row");
    // A word that some row has and not every row.
    let words = all.iter().flat_map(|row| row.split(|c: char| !c.is_alphanumeric())).filter(|w| w.len() > 1);
    let has = |row: &str, word: &str| row.to_lowercase().contains(&word.to_lowercase());
    let mut words: Vec<&str> = words.collect();
    words.sort_by_key(|word| all.iter().filter(|row| has(row, word)).count());
    let Some(word) = words.first().map(|word| (*word).to_owned()) else { return };
    d.keys("G g & ctrl-u").type_text(&word).keys("enter");
    let left = shown(d, pane);
    assert!(left.len() <= all.len() && !left.is_empty(), "{name}: {pane:?} & {word}");
    // Rows that belong together are found together.
    let (width, _) = panes::size(&d.model, pane);
    let sought = panes::sought(&d.model, pane, width).sought(d.model.cursor(pane).at);
    assert!(has(&sought, &word), "{name}: {pane:?} & {word} selects {sought:?}");
    let (title, counts) = (d.text(), d.model.filter(pane).words());
    assert!(title.contains(&format!("\": {counts}")), "{name}: {pane:?} & {word}\n{title}");
    let kept = selected(d, pane);
    for key in ["j", "k", "G", "g", "pgdn", "pgup"] {
        d.keys(key);
        let at = d.model.cursor(pane).at;
        let (width, _) = panes::size(&d.model, pane);
        assert!(at < panes::rows(&d.model, pane, width).len(), "{name}: {pane:?} {key}");
    }
    d.keys("g");
    let kept = if selected(d, pane) == kept { kept } else { selected(d, pane) };
    d.keys("& ctrl-u enter");
    assert!(!d.model.filter(pane).is_on(), "{name}: {pane:?}");
    assert_eq!(selected(d, pane), kept, "{name}: {pane:?} keeps the selection");
    // Esc takes it off too, and only then goes back to where the screen was opened from.
    let screen = d.model.screen;
    d.keys("&").type_text(&word).keys("enter esc");
    assert!(!d.model.filter(pane).is_on(), "{name}: {pane:?}");
    assert_eq!(d.model.screen, screen, "{name}: {pane:?}");
}

/// Every pane of the present screen.
fn every_pane(d: &mut Driver, name: &str) {
    let screen = d.model.screen;
    for n in 0..screen.panes().len() {
        d.model.focus[screen as usize] = n;
        filters(d, name);
        assert_eq!(d.model.screen, screen, "{name}");
    }
}

#[test]
fn every_pane_of_a_file_and_its_episode_is_filtered() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    every_pane(&mut d, "tools");
    d.keys("j j j");
    every_pane(&mut d, "a tool");
    d.keys("2");
    every_pane(&mut d, "plan");
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n n");
    every_pane(&mut d, "step");
    d.keys("4");
    every_pane(&mut d, "dials");
    d.keys("v");
    assert_eq!(d.model.screen, Screen::Sides);
    every_pane(&mut d, "sides");
}

#[test]
fn every_pane_about_runs_and_files_is_filtered() {
    let hotel = |aim: Aim| {
        let runs = vec!["examples/runs/careful".into(), "examples/runs/hasty".into()];
        Start { aim, runs, ..file("examples/hotel/hotel.mcp.json") }
    };
    let mut d = driver(hotel(Aim::Runs));
    every_pane(&mut d, "runs");
    let mut d = driver(hotel(Aim::Card("examples/runs/hasty".into())));
    d.keys("j j j enter j j enter");
    every_pane(&mut d, "card");
    let mut d = driver(hotel(Aim::Compare(["examples/runs/careful".into(), "examples/runs/hasty".into()])));
    every_pane(&mut d, "compare");
    d.model.focus[Screen::Compare as usize] = 0;
    d.keys("G enter");
    assert_eq!(d.model.screen, Screen::Pair, "{}", d.text());
    every_pane(&mut d, "two episodes");
    let Start { read, plan, .. } = file("examples/clinic/clinic.openapi.yaml");
    let other = OpenRequest { origin: Origin::File("examples/clinic/clinic.openapi.yaml".into()), read, plan };
    let mut d = driver(hotel(Aim::Files(Box::new(other))));
    every_pane(&mut d, "two files");
}

#[test]
fn every_pane_about_servers_is_filtered() {
    let mut d = driver(example());
    remote::attached(&mut d);
    remote::run(&mut d, remote::told(remote::plain(), Some(Status::Completed)));
    d.keys("b b");
    every_pane(&mut d, "remote");
    let mut d = driver(example());
    remote::serving(&mut d);
    d.send(Msg::Served(remote::tasks()));
    every_pane(&mut d, "served");
    // What comes while only some rows are shown does not take the selection away.
    d.keys("g &").type_text("passed").keys("enter");
    let before = selected(&d, Pane::Served);
    d.send(Msg::Served(remote::tasks()));
    assert_eq!(selected(&d, Pane::Served), before);
}

#[test]
fn a_filter_is_cancelled_to_where_one_stood() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys("j j j j");
    let before = (d.model.cursor(Pane::Tools).at, shown(&d, Pane::Tools).len());
    d.keys("&").type_text("zzz");
    assert!(d.text().contains("with \"zzz\": 0 of "), "{}", d.text());
    d.keys("esc");
    assert_eq!((d.model.cursor(Pane::Tools).at, shown(&d, Pane::Tools).len()), before);
}

#[test]
fn a_call_made_under_a_filter_is_shown_and_stepping_goes_on() {
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n & f i n d _ s k u enter");
    assert!(d.text().contains("calls with \"find_sku\": "), "{}", d.text());
    let before = d.model.step.episode.as_ref().unwrap().cursor();
    d.keys("n n");
    let episode = d.model.step.episode.as_ref().unwrap();
    assert_eq!(episode.cursor(), before + 2);
    // The call made is selected, whatever it is called.
    assert_eq!(d.model.cursor(Pane::Calls).at, episode.cursor());
    assert!(selected(&d, Pane::Calls).contains(&*episode.past().last().unwrap().call.tool));
    d.keys("b");
    assert_eq!(d.model.step.episode.as_ref().unwrap().cursor(), before + 1);
}

#[test]
fn what_a_narrow_pane_cuts_is_found() {
    let mut d = Driver::new(file("examples/warehouse/warehouse.mcp.json"), (120, 40), "dark");
    // A description is not in the list at all, and yet a tool is found by it.
    let tool = d.model.file.usable().unwrap().reading.tools[2].clone();
    let word = tool.description.split_whitespace().max_by_key(|w| w.len()).unwrap().to_lowercase();
    d.keys("&").type_text(&word).keys("enter");
    assert!(shown(&d, Pane::Tools).iter().any(|row| row.contains(&*tool.name)), "{word}: {}", d.text());
}

#[test]
fn texts_above_a_screen_are_searched_and_filtered() {
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n n");
    // The keys, what changed, who wrote a value, the messages of the agent.
    for (open, word) in [("?", "quit"), ("d", "find_sku"), ("a", "find_sku")] {
        d.keys(open);
        assert!(!d.model.overlays.is_empty(), "{open}");
        let before = d.text();
        d.keys("/").type_text(word).keys("enter");
        let text = d.text();
        assert!(text.contains(&format!("\"{word}\" ")), "{open} / {word}\n{text}");
        d.keys("> <");
        assert!(d.text().contains(&format!("\"{word}\" ")), "{open}");
        d.keys("&").type_text(word).keys("enter");
        let filtered = d.text();
        assert!(filtered.contains(&format!("with \"{word}\": ")), "{open} & {word}\n{filtered}");
        // The first esc shows all again, the second closes.
        d.keys("esc");
        assert!(!d.text().contains("with \""), "{open}");
        assert!(!d.model.overlays.is_empty(), "{open}");
        d.keys("esc");
        assert!(d.model.overlays.is_empty(), "{open}\n{before}");
    }
}

#[test]
fn a_message_of_the_agent_is_found_by_all_it_says() {
    let mut d = driver(at(example(), "faults:f2", 404));
    d.keys("n n a g");
    // The schema of a tool stands deep in the first row's text.
    d.keys("/").type_text("\"email\"").keys("enter");
    let first = d.text();
    assert!(first.contains("\"email\""), "{first}");
    d.keys("/").type_text("\"type\": \"string\"").keys("enter");
    let first = d.text();
    assert!(first.contains("\"type\": \"string\""), "{first}");
    d.keys(">");
    assert_ne!(d.text(), first, "the next place is another line of the same message");
    d.keys("<");
    assert_eq!(d.text(), first);
}

#[test]
fn the_error_screen_is_scrolled_and_searched() {
    let mut lines: Vec<String> = (0..8).map(|n| format!("  \"key {n}\": \"{}\",", "long ".repeat(4))).collect();
    lines.insert(0, "{".into());
    lines.push("  nonsense".into());
    let text = lines.join("\n");
    let mut d = Driver::new(bytes("bad.json", text.as_bytes()), (50, 12), "dark");
    let first = d.text();
    assert!(first.contains("this file cannot be opened") && first.contains("1-9 of "), "{first}");
    d.keys("G");
    let last = d.text();
    assert!(last.contains("as JSON or YAML") && !last.contains("cannot be opened"), "{last}");
    d.keys("g");
    assert_eq!(d.text(), first);
    d.keys("j pgdn k pgup k");
    assert_eq!(d.text(), first);
    d.keys("/").type_text("nonsense").keys("enter");
    assert!(d.text().contains("nonsense"), "{}", d.text());
    d.keys("esc");
    assert!(d.model.needle.is_empty());
    d.keys("l l");
    assert_ne!(d.text(), first);
}

/// So many tools, the first of them named one way, the rest another.
fn tools(kept: usize, others: usize) -> String {
    let tool = |name: String| {
        format!(
            r#"{{"type": "function", "function": {{"name": "{name}", "description": "Does {name}.", "parameters":
            {{"type": "object", "properties": {{"count": {{"type": "integer"}}}}, "required": ["count"]}}}}}}"#
        )
    };
    let names = (0..kept).map(|n| format!("keep_{n}")).chain((0..others).map(|n| format!("other_{n}")));
    format!("[{}]", names.map(tool).collect::<Vec<_>>().join(",\n"))
}

#[test]
fn a_subset_of_a_set_of_too_many_tools_is_planned_on() {
    for (kept, planned) in [(250, true), (256, true), (257, false)] {
        let mut d = driver(bytes("many.json", tools(kept, 300).as_bytes()));
        let text = d.text();
        assert!(text.contains("limit 256") && text.contains("* marks the matches"), "{text}");
        d.keys("&").type_text("keep_").keys("enter *");
        assert!(d.text().contains(&format!("marked {kept} tools; o keeps only them")), "{}", d.text());
        d.keys("o");
        assert_eq!(d.model.file.usable().unwrap().reading.tools.len(), kept);
        d.keys("esc 2");
        let text = d.text();
        assert_eq!(text.contains("expected steps"), planned, "{kept}\n{text}");
        assert_eq!(text.contains("too many tools (257;"), !planned, "{kept}\n{text}");
        // Back to all of them.
        d.keys("1 o");
        assert_eq!(d.model.file.usable().unwrap().reading.tools.len(), kept + 300);
    }
}

#[test]
fn a_narrow_title_says_what_is_filtered_first() {
    let mut d = Driver::new(bytes("many.json", tools(20, 300).as_bytes()), (100, 24), "dark");
    d.keys("&").type_text("keep_1").keys("enter");
    assert!(d.text().contains("─ tools with \"keep_1\": 11 of 320 ─"), "{}", d.text());
    d.keys("& ctrl-u").type_text("keep_1 and a long text").keys("enter");
    assert!(d.text().contains("─ \"keep_1 and a long text\": 0 of 320 ─"), "{}", d.text());
}

#[test]
fn what_is_folded_away_is_found() {
    let mut d = driver(file("examples/warehouse/warehouse.mcp.json"));
    d.keys("j tab tab z");
    assert_eq!(shown(&d, Pane::Schema).len(), 1, "{}", d.text());
    // What is in no fold opens none.
    d.keys("/").type_text("nowhere at all").keys("enter");
    assert_eq!(shown(&d, Pane::Schema).len(), 1);
    d.keys("/").type_text("minlength").keys("enter");
    assert!(selected(&d, Pane::Schema).contains("\"minLength\""), "{}", d.text());
    // The answer of a call.
    let mut d = driver(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n tab /").type_text("\"bin\"").keys("enter k k z");
    assert!(!shown(&d, Pane::Call).iter().any(|row| row.contains("\"bin\"")), "{}", d.text());
    d.keys("/").type_text("\"bin\"").keys("enter");
    assert!(selected(&d, Pane::Call).contains("\"bin\""), "{}", d.text());
}

#[test]
fn what_is_found_in_a_long_value_is_shown() {
    let about = format!("{}here it is, and then more {}", "far ".repeat(60), "on ".repeat(30));
    let tool = |name: &str| {
        format!(
            r#"{{"type": "function", "function": {{"name": "{name}", "description": "Does it.", "parameters": {{"type":
            "object", "properties": {{"count": {{"type": "integer", "description": "{about}"}}}}}}}}}}"#
        )
    };
    let text = format!("[{}, {}]", tool("get_one"), tool("create_one"));
    let mut d = driver(bytes("far.json", text.as_bytes()));
    d.keys("j tab tab");
    assert_eq!(d.model.cursor(Pane::Schema).left, 0);
    d.keys("/").type_text("here it is").keys("enter");
    let text = d.text();
    let schema = text.lines().filter_map(|line| line.rsplit('│').next()).find(|part| part.contains("here it is"));
    assert!(schema.is_some(), "{text}");
    d.keys("/").type_text("\"count\"").keys("enter");
    assert!(d.text().contains("\"count\": {"), "{}", d.text());
    assert_eq!(d.model.cursor(Pane::Schema).left, 0);
}

#[test]
fn a_text_above_a_screen_is_copied_as_it_was_written() {
    let mut d = Driver::new(example(), (50, 15), "dark");
    d.keys("? y");
    let copied = d.copied.last().unwrap();
    assert!(copied.contains("Filter: show only the rows that match; an empty filter shows all\n"), "{copied}");
    assert!(copied.starts_with("Tools screen\n"), "{copied}");
}

#[test]
fn letters_whose_small_form_has_another_length_are_found_and_marked() {
    // As many bytes in small letters as before, and yet every place is another.
    let text = "\u{212a}\u{e9} stands here \u{130}\u{130}";
    assert_eq!(text.to_lowercase().len(), text.len());
    let file =
        format!(r#"{{"tools": [{{"name": "look", "description": "{text}", "inputSchema": {{"type": "object"}}}}]}}"#);
    for keys in ["j tab /", "j &", "j tab &"] {
        for typed in ["\u{e9}", "stands", "\u{130}", "k"] {
            let mut d = Driver::new(bytes("odd.mcp.json", file.as_bytes()), (60, 15), "dark");
            d.keys(keys).type_text(typed).keys("enter");
            assert!(d.text().contains("stands here"), "{keys} {typed}:\n{}", d.text());
        }
    }
}
