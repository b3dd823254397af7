//! Any messages in any order: nothing panics, every selection is inside what there is, no cell holds what a terminal would
//! obey. And a recorded list of messages replays to the same screen.

use crate::driver::{Driver, at, event, example, file};
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rehearsal::text::is_hidden;
use rehearsal::tui::Start;
use rehearsal::tui::action::Action;
use rehearsal::tui::model::{Model, Screen};
use rehearsal::tui::msg::Msg;
use rehearsal::tui::panes;
use rehearsal::tui::widgets::list::Rows;

/// A message as a value that can be drawn and shown.
#[derive(Debug, Clone)]
enum Happens {
    Key(&'static str),
    Letter(char),
    Paste(String),
    Resize(u16, u16),
    Click(u16, u16),
    Wheel(u16, u16, bool),
}

fn keys() -> Vec<&'static str> {
    // Not those that leave: what follows would do nothing.
    let leave = [Action::Quit, Action::Interrupt, Action::Suspend];
    Action::ALL.iter().filter(|a| !leave.contains(a)).flat_map(|a| a.default_keys()).copied().collect()
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        12 => proptest::sample::select(keys()).prop_map(Happens::Key),
        2 => prop::char::any().prop_filter("leaves", |c| *c != 'q').prop_map(Happens::Letter),
        1 => "[\\x00-\\x{2fff}]{0,12}".prop_map(Happens::Paste),
        1 => (1_u16..130, 1_u16..45).prop_map(|(w, h)| Happens::Resize(w, h)),
        1 => (0_u16..130, 0_u16..45).prop_map(|(x, y)| Happens::Click(x, y)),
        1 => (0_u16..130, 0_u16..45, any::<bool>()).prop_map(|(x, y, up)| Happens::Wheel(x, y, up)),
    ]
}

fn msg(happens: &Happens) -> Msg {
    let mouse = |kind, column, row| Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    match happens {
        Happens::Key(key) => Msg::Key(event(key)),
        Happens::Letter(c) => Msg::Key(event_of(*c)),
        Happens::Paste(text) => Msg::Paste(text.clone()),
        Happens::Resize(w, h) => Msg::Resize(*w, *h),
        Happens::Click(x, y) => mouse(MouseEventKind::Down(MouseButton::Left), *x, *y),
        Happens::Wheel(x, y, true) => mouse(MouseEventKind::ScrollUp, *x, *y),
        Happens::Wheel(x, y, false) => mouse(MouseEventKind::ScrollDown, *x, *y),
    }
}

fn event_of(c: char) -> ratatui::crossterm::event::KeyEvent {
    ratatui::crossterm::event::KeyEvent::new(ratatui::crossterm::event::KeyCode::Char(c), KeyModifiers::NONE)
}

/// What must hold whatever happened.
fn check(model: &Model) {
    for screen in Screen::ALL {
        for pane in screen.panes().iter().copied() {
            // Panes of other screens are put right when they are shown again.
            if screen != model.screen {
                continue;
            }
            let (width, _) = panes::size(model, pane);
            let rows = panes::rows(model, pane, width);
            let at = model.cursor(pane).at;
            assert!(rows.is_empty() && at == 0 || at < rows.len(), "{pane:?}: {at} of {}", rows.len());
        }
    }
    assert!(model.overlays.len() < 8, "{} things are open", model.overlays.len());
}

fn play(begin: Start, script: &[Happens]) -> Driver {
    let mut driver = Driver::new(begin, (80, 24), "dark");
    for happens in script {
        driver.send(msg(happens));
        check(&driver.model);
        let (buf, _) = driver.buffer();
        for cell in &buf.content {
            assert!(!cell.symbol().chars().any(is_hidden), "{happens:?} brought {:?} to the screen", cell.symbol());
        }
    }
    driver
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 20, ..ProptestConfig::default() })]

    #[test]
    fn anything_may_happen_in_the_example(script in prop::collection::vec(happens(), 0..60)) {
        play(example(), &script);
    }

    #[test]
    fn anything_may_happen_in_the_stepper(script in prop::collection::vec(happens(), 0..60)) {
        play(at(example(), "faults:f2", 404), &script);
    }

    #[test]
    fn anything_may_happen_on_a_refused_file(script in prop::collection::vec(happens(), 0..40)) {
        play(file("tests/files/refused.json"), &script);
    }

    #[test]
    fn a_recorded_list_of_messages_replays(script in prop::collection::vec(happens(), 0..40)) {
        let begin = at(example(), "shape:w1", 404);
        let (first, second) = (play(begin.clone(), &script), play(begin, &script));
        prop_assert_eq!(first.text(), second.text());
        prop_assert_eq!(first.copied, second.copied);
    }
}

#[test]
fn back_and_forward_is_identity() {
    let mut driver = Driver::new(at(example(), "shape:w4", 404), (120, 40), "dark");
    let mut seen = vec![driver.text()];
    while !driver.text().contains("the reference solution has no more calls") {
        driver.keys("n");
        seen.push(driver.text());
        assert!(seen.len() < 60, "the reference solution never ends");
    }
    seen.pop();
    let mut back = seen.clone();
    while let Some(before) = back.pop() {
        // The list of what is to come shows the future instead once calls were undone: the other panes are the same.
        let now = driver.text();
        assert_eq!(store(&now), store(&before));
        driver.keys("b");
    }
    for after in &seen[1..] {
        driver.keys("f");
        assert_eq!(store(&driver.text()), store(after));
    }
}

/// The right pane: what the calls left behind.
fn store(text: &str) -> Vec<String> {
    let lines = text.lines().skip(3).take(34);
    lines.map(|line| line.rsplit('│').next().unwrap_or_default().trim().to_owned()).collect()
}
