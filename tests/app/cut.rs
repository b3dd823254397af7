//! Where something is longer than its place, a scrollbar stands beside it and how much there is stands at its edge; what is
//! said of what was just done is said whole.

use crate::driver::{Driver, at, bytes, example, file};
use rehearsal::theme::Scope;
use rehearsal::tui::overlays::look;
use rehearsal::tui::widgets::list::Rows;
use rehearsal::tui::widgets::row::Row;
use rehearsal::tui::{Aim, Start, panes};

const SMALL: (u16, u16) = (50, 15);

fn small(start: Start) -> Driver {
    Driver::new(start, SMALL, "dark")
}

/// Every pane of the present screen that is cut says so.
fn panes_say(d: &mut Driver, name: &str) {
    let screen = d.model.screen;
    for (n, pane) in screen.panes().iter().enumerate() {
        d.model.focus[screen as usize] = n;
        let (width, height) = panes::size(&d.model, *pane);
        let len = panes::rows(&d.model, *pane, width).len();
        let text = d.text();
        let says = text.contains(&format!(" of {} ", rehearsal::text::group(len as u64)));
        assert_eq!(len > height, says && text.contains('▐'), "{name}: {pane:?}, {len} rows in {height}\n{text}");
    }
    d.model.focus[screen as usize] = 0;
}

#[test]
fn every_pane_that_is_cut_says_so() {
    let mut d = small(file("examples/warehouse/warehouse.mcp.json"));
    panes_say(&mut d, "tools");
    d.keys("j j j");
    panes_say(&mut d, "a tool");
    d.keys("2");
    panes_say(&mut d, "plan");
    let mut d = small(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("n n n r");
    panes_say(&mut d, "a verdict");
    d.keys("b");
    panes_say(&mut d, "step");
    d.keys("4");
    panes_say(&mut d, "dials");
    let hotel = |aim: Aim| Start { aim, ..file("examples/hotel/hotel.mcp.json") };
    panes_say(&mut small(hotel(Aim::Runs)), "runs");
    panes_say(&mut small(hotel(Aim::Card("examples/runs/hasty".into()))), "card");
    let both = ["examples/runs/careful".into(), "examples/runs/hasty".into()];
    let mut d = small(hotel(Aim::Compare(both)));
    panes_say(&mut d, "compare");
    d.keys("G enter");
    panes_say(&mut d, "two episodes");
}

#[test]
fn everything_above_a_screen_that_is_cut_says_so() {
    let warehouse = || at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404);
    for (keys, says) in [
        ("?", "1-11 of "),
        (":", "1-9 of "),
        ("n y", "1-9 of "),
        ("n n n a", "line 1 of "),
        ("c m o v e enter ctrl-r", " of 36"),
        ("B", "1-9 of "),
    ] {
        let mut d = small(warehouse());
        d.keys(keys);
        let text = d.text();
        assert!(text.contains(says), "{keys}: {says}\n{text}");
    }
    // A form of more arguments than lines.
    let many = Start { seeds: vec![1], ..bytes("many.json", many_arguments().as_bytes()) };
    let mut d = small(Start { arm: rehearsal::task::Arm::parse("faults:f0"), seed: Some(1), ..many });
    d.keys("c enter");
    let text = d.text();
    assert!(text.contains(" of 20 ") && text.contains('▐'), "{text}");
    // The form of a run where it is lower than its rows.
    let mut d = Driver::new(file("examples/warehouse/warehouse.mcp.json"), (50, 10), "dark");
    d.keys("5 n");
    let text = d.text();
    assert!(text.contains(" of ") && text.contains('▐'), "{text}");
}

/// Two tools, each of which takes twenty arguments.
fn many_arguments() -> String {
    let arguments: Vec<String> = (0..20).map(|n| format!(r#""argument_{n}": {{"type": "integer"}}"#)).collect();
    let tool = |name: &str| {
        format!(
            r#"{{"type": "function", "function": {{"name": "{name}", "description": "Does {name}.", "parameters":
            {{"type": "object", "properties": {{{}}}, "required": ["argument_0"]}}}}}}"#,
            arguments.join(", ")
        )
    };
    format!("[{}]", ["create_one", "create_two", "create_three"].map(tool).join(", "))
}

#[test]
fn a_message_is_said_whole() {
    let mut d = small(example());
    let says = format!("! the place {} and what is the matter there, to the very end", "of what is wrong ".repeat(4));
    d.model.say(Scope::Error, &*says);
    let text = d.text();
    let last: Vec<&str> = text.lines().rev().skip(1).take(4).collect();
    let said: Vec<String> = last.into_iter().rev().map(|line| line.replace('─', " ").trim().to_owned()).collect();
    assert!(said.join(" ").contains(&says), "{said:?}\n{text}");
    // It goes with the next key.
    d.keys("j");
    assert!(!d.text().contains("to the very end"), "{}", d.text());
    // One that is longer than can be is cut, and says so.
    d.model.say(Scope::Error, "word ".repeat(200));
    assert!(d.text().contains("word…"), "{}", d.text());
}

#[test]
fn a_box_is_no_taller_than_what_is_in_it() {
    let mut d = Driver::new(example(), (80, 24), "dark");
    look::text(&mut d.model, "short", vec![Row::of(Scope::Text, "one line")]);
    let text = d.text();
    assert_eq!(text.lines().filter(|line| line.contains("one line")).count(), 1);
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains("┌─ short ")).unwrap();
    assert!(lines[at + 2].contains('└'), "{text}");
}

#[test]
fn a_pane_is_scrolled_sideways_only_as_far_as_its_rows_go() {
    let mut d = Driver::new(example(), (120, 40), "dark");
    d.keys("tab");
    let first = d.text();
    d.keys("l right l");
    assert_eq!(d.text(), first, "nothing is cut");
    // A long line goes as far as it is long, and no further.
    let mut d = small(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404));
    d.keys("j j j");
    let first = d.text();
    d.keys(&"l ".repeat(40));
    let last = d.text();
    assert_ne!(last, first);
    d.keys("l");
    assert_eq!(d.text(), last);
    d.keys(&"h ".repeat(41));
    assert_eq!(d.text(), first);
}
