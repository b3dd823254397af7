//! Clicks on tabs and footer keys, and what prompts, searches and forms show.

use crate::driver::{Driver, at, example, file};
use crate::pty::{Pty, binary};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rehearsal::tui::model::Screen;
use rehearsal::tui::msg::Msg;

fn driver() -> Driver {
    let mut d = Driver::new(file("examples/warehouse/warehouse.mcp.json"), (100, 30), "dark");
    d.keys("M");
    d
}

/// Clicks where these words begin in a line of the screen.
fn click(d: &mut Driver, line: usize, words: &str) {
    let text = d.text();
    let shown = text.lines().nth(line).unwrap().to_owned();
    let at = shown.find(words).unwrap_or_else(|| panic!("no {words} in {shown}"));
    let column = shown[..at].chars().count() as u16;
    let kind = MouseEventKind::Down(MouseButton::Left);
    d.send(Msg::Mouse(MouseEvent { kind, column, row: line as u16, modifiers: KeyModifiers::NONE }));
}

#[test]
fn a_click_on_a_tab_goes_to_its_screen() {
    let mut d = driver();
    for (words, screen) in [("2 Plan", Screen::Plan), ("Runs", Screen::Runs), ("1 Tools", Screen::Tools)] {
        click(&mut d, 0, words);
        assert_eq!(d.model.screen, screen, "{}", d.text());
    }
}

#[test]
fn a_click_on_the_footer_does_what_it_says() {
    let mut d = driver();
    click(&mut d, 29, "hashes");
    assert!(d.model.tools.whole_hashes);
    click(&mut d, 29, "? help");
    assert_eq!(d.model.overlays.len(), 1);
    click(&mut d, 29, "esc close");
    assert!(d.model.overlays.is_empty());
    let mut d = Driver::new(at(example(), "faults:f0", 404), (100, 30), "dark");
    d.keys("M n n");
    let made = |d: &Driver| d.model.step.episode.as_ref().unwrap().cursor();
    let before = made(&d);
    // Of two keys, the one under the pointer.
    click(&mut d, 29, "b/f");
    assert_eq!(made(&d), before - 1, "{}", d.text());
    click(&mut d, 29, "f back");
    assert_eq!(made(&d), before, "{}", d.text());
}

#[test]
fn a_search_counts_its_matches_and_n_goes_on() {
    let mut d = driver();
    d.keys("/").type_text("write");
    assert!(d.text().contains("match 1 of 5"), "{}", d.text());
    d.keys("enter n");
    assert!(d.text().contains("match 2 of 5"), "{}", d.text());
    d.keys("N");
    assert!(d.text().contains("match 1 of 5"), "{}", d.text());
}

#[test]
fn a_prompt_keeps_what_was_typed_after_an_error() {
    let mut d = driver();
    d.keys("2 s").type_text("12x").keys("enter");
    let text = d.text();
    assert!(text.contains("12x") && text.contains("is not a seed"), "{text}");
    d.keys("backspace enter");
    assert!(d.model.overlays.is_empty());
    assert!(d.model.plan.seeds.contains(&12));
}

#[test]
fn a_form_shows_no_error_before_the_first_key() {
    let mut d = Driver::new(at(example(), "faults:f0", 404), (100, 30), "dark");
    d.keys("c").type_text("refund_order").keys("enter");
    assert!(d.text().contains("fill in the arguments") && !d.text().contains("! "), "{}", d.text());
    d.type_text("x").keys("backspace");
    assert!(d.text().contains("! "), "{}", d.text());
}

fn start(folder: &std::path::Path, args: &[&str]) -> Pty {
    let words = format!("cd {} && exec {} {}", folder.display(), binary(), args.join(" "));
    let home = folder.join("home").to_string_lossy().into_owned();
    Pty::start_with(&["sh", "-c", &words], (100, 30), &[("HOME", &home), ("XDG_STATE_HOME", &home)])
}

#[test]
fn a_folder_offers_what_it_holds_and_other_folders_open_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hotel/hotel.mcp.json");
    std::fs::create_dir(folder.path().join("sets")).unwrap();
    std::fs::copy(from, folder.path().join("sets/hotel.mcp.json")).unwrap();
    std::fs::write(folder.path().join("package.json"), "{\"function\": 1}").unwrap();
    let mut pty = start(folder.path(), &[]);
    pty.until("Rehearse an agent's tool calls");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
    for (below, args) in [("", ["sets"].as_slice()), ("sets", [].as_slice())] {
        let mut pty = start(&folder.path().join(below), args);
        pty.until("hotel.mcp.json").until("the built-in example");
        pty.keys("\r").until("usable").gone("the built-in example");
        pty.keys("q");
        assert_eq!(pty.end().0, 0);
    }
}
