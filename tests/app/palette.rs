//! The command palette: some letters of what is meant lead to an action, a tool, an arm or a seed.

use crate::driver::{Driver, at, example, file};
use rehearsal::tui::model::Screen;

fn driver() -> Driver {
    Driver::new(file("examples/warehouse/warehouse.mcp.json"), (120, 40), "dark")
}

/// What the first row of the open list says.
fn first(d: &Driver) -> String {
    let text = d.text();
    let row = text.lines().find(|line| line.contains("│▌")).unwrap_or_default().to_owned();
    row.split("│▌").nth(1).unwrap_or_default().split('│').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn some_letters_find_actions_tools_arms_and_seeds() {
    for (typed, says) in [
        ("shwhash", "Show full or short hashes"),
        ("gudtour", "Take the guided tour"),
        ("pr lab", "go to tool print_label_v2"),
        ("rsrvstk", "go to tool reserve_stock"),
        ("badda b2", "plan baddata:b2"),
        ("faults:f4", "plan faults:f4"),
    ] {
        let mut d = driver();
        d.keys(":").type_text(typed);
        assert!(first(&d).starts_with(says), "{typed}: {}", d.text());
    }
}

#[test]
fn what_is_chosen_is_done() {
    let mut d = driver();
    d.keys(":").type_text("full hashes").keys("enter");
    assert!(d.model.tools.whole_hashes);
    d.keys(":").type_text("mv_it").keys("enter");
    assert!(d.text().contains("▌  move_item"), "{}", d.text());
    d.keys(":").type_text("plan timeouts:o1").keys("enter");
    assert_eq!(d.model.screen, Screen::Plan);
    assert!(d.text().contains("task timeouts:o1"), "{}", d.text());
}

#[test]
fn enter_right_after_opening_does_what_the_footer_offers_first() {
    let mut d = driver();
    d.keys(":");
    assert!(first(&d).starts_with("Open the selected row"), "{}", d.text());
    let rows = |d: &Driver| match d.model.overlays.last() {
        Some(rehearsal::tui::overlays::Overlay::Pick(pick)) => {
            use rehearsal::tui::widgets::list::Rows;
            (0..pick.len()).map(|i| pick.row(i).text()).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    };
    let all = rows(&d);
    assert!(all[all.len() - 2..].iter().all(|row| row.starts_with("Quit")), "{all:?}");
    d.keys("enter");
    assert_eq!(d.quit, None);
    d.keys("3");
    d.keys(":");
    assert!(first(&d).starts_with("Make the next call"), "{}", d.text());
}

#[test]
fn actions_are_found_by_the_words_people_use() {
    for (typed, says) in [
        ("diff", "Compare with another tool file"),
        ("export", "Save the screen"),
        ("json", "Copy something"),
        ("help", "Show the keys"),
        ("new run", "New run on the open file"),
        ("switch-schema", "Show the answer schema"),
        ("tutorial", "Take the guided tour"),
        ("quit", "Quit"),
    ] {
        let mut d = driver();
        d.keys(":").type_text(typed);
        assert!(first(&d).starts_with(says), "{typed}: {}", d.text());
    }
    let mut d = Driver::new(at(example(), "faults:f0", 404), (120, 40), "dark");
    for (typed, says) in [
        ("diff", "Diff the store"),
        ("breakpoint", "Set breakpoints"),
        ("blame", "Blame"),
        ("export", "Save the screen"),
        ("undo", "One call back"),
        ("new run", "New run on the open file"),
    ] {
        d.keys(":").type_text(typed);
        assert!(first(&d).starts_with(says), "{typed}: {}", d.text());
        d.keys("esc");
    }
    d.keys(":").type_text("new run").keys("enter");
    assert_eq!(d.model.screen, Screen::Runs);
}

#[test]
fn every_action_of_the_palette_has_other_words() {
    use rehearsal::tui::action::{Action, Context, Place};
    let typed = |action: &&Action| action.contexts().iter().all(|c| Place::Form.contexts().contains(c));
    for action in Action::ALL.iter().filter(|action| !typed(action)) {
        let open = action.contexts().iter().any(|c| *c != Context::Always && Place::Tools.contexts().contains(c));
        let words = action.synonyms().split(", ").filter(|word| !word.is_empty()).count();
        assert!(!open || words >= 2, "{}: {:?}", action.name(), action.synonyms());
    }
}

#[test]
fn any_number_is_a_seed() {
    for typed in ["987654", "seed 987654"] {
        let mut d = driver();
        d.keys(":").type_text(typed);
        assert!(first(&d).starts_with("plan on seed 987654"), "{}", d.text());
        d.keys("enter");
        assert_eq!((d.model.screen, d.model.plan.of.map(|(_, seed)| seed)), (Screen::Plan, Some(987_654)));
        // Now it is one of those offered, and offered once.
        d.keys(":").type_text(typed);
        assert_eq!(d.text().matches("plan on seed 987654").count(), 1, "{}", d.text());
    }
    let mut d = driver();
    d.keys(":").type_text("99999999999999999999999");
    assert!(d.text().contains("no match"), "{}", d.text());
    d.keys("enter");
    assert_eq!(d.model.overlays.len(), 1, "there is nothing to choose, and nothing happens");
}

#[test]
fn the_footer_of_a_call_as_json_says_what_enter_does_there() {
    let mut d = Driver::new(at(example(), "faults:f0", 404), (120, 40), "dark");
    d.keys("c enter");
    let footer = |d: &Driver| d.text().lines().last().unwrap_or_default().to_owned();
    assert!(footer(&d).contains("enter send"), "{}", d.text());
    d.keys("ctrl-r");
    let says = footer(&d);
    assert!(says.contains("ctrl-s send") && says.contains("enter new line") && says.contains("ctrl-r form"), "{says}");
    let calls = |d: &Driver| d.model.step.episode.as_ref().unwrap().calls().len();
    d.keys("enter");
    assert_eq!((calls(&d), d.model.overlays.len()), (0, 1), "enter makes a line");
    d.keys("ctrl-s");
    assert_eq!((calls(&d), d.model.overlays.len()), (1, 0), "ctrl-s makes the call");
}
