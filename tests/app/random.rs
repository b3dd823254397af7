//! Any messages in any order: nothing panics, every selection is inside what there is, no cell holds what a terminal would
//! obey. And a recorded list of messages replays to the same screen.

use crate::driver::{Driver, at, bytes, event, example, file};
use crate::{remote, runs};
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rehearsal::text::is_hidden;
use rehearsal::tui::Start;
use rehearsal::tui::action::Action;
use rehearsal::tui::keymap::Keymap;
use rehearsal::tui::live::choice::Choice;
use rehearsal::tui::model::{Model, Screen};
use rehearsal::tui::msg::Msg;
use rehearsal::tui::overlays::Overlay;
use rehearsal::tui::overlays::pick::Purpose;
use rehearsal::tui::panes;
use rehearsal::tui::update::place;
use rehearsal::tui::widgets::list::Rows;
use rehearsal::uhp::wire::response::Status;
use std::collections::HashSet;

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

/// The keys that mean something where one is, again without those that leave, and with few of those that only move.
fn meaning(model: &Model) -> Vec<&'static str> {
    let leave = [Action::Quit, Action::Interrupt, Action::Suspend, Action::Close, Action::Cancel, Action::Dismiss];
    let all = Keymap::actions(place(model)).filter(|action| !leave.contains(action));
    let mut keys: Vec<&'static str> = all.filter_map(|action| action.default_keys().first()).copied().collect();
    keys.extend(["enter", "down", "esc"]);
    keys
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
    // Panes of other screens are put right when they are shown again.
    for pane in model.screen.panes().iter().copied() {
        let (width, _) = panes::size(model, pane);
        let rows = panes::rows(model, pane, width);
        let at = model.cursor(pane).at;
        assert!(rows.is_empty() && at == 0 || at < rows.len(), "{pane:?}: {at} of {}", rows.len());
    }
    assert!(model.overlays.len() < 8, "{} things are open", model.overlays.len());
    for overlay in &model.overlays {
        let (at, len) = match overlay {
            Overlay::Pick(pick) => (pick.cursor.at, pick.len()),
            Overlay::Form(form) if form.raw.is_none() => (form.at, form.fields.len()),
            Overlay::Agent(agent) => (agent.cursor.at, agent.len()),
            Overlay::Told(_) | Overlay::Look(_) | Overlay::Line(_) | Overlay::Form(_) | Overlay::RunForm(_) => continue,
        };
        assert!(len == 0 && at == 0 || at < len, "{}: {at} of {len}", kind(overlay));
    }
    if let Some(episode) = &model.step.episode {
        assert!(episode.cursor() <= episode.calls().len());
        assert!(episode.branch() < episode.branch_count());
    }
    assert!(model.step.kept.len() <= 16);
}

/// What is open, by a word.
fn kind(overlay: &Overlay) -> &'static str {
    match overlay {
        Overlay::Look(_) => "look",
        Overlay::Line(_) => "line",
        Overlay::Form(form) if form.raw.is_some() => "form raw",
        Overlay::Form(_) => "form",
        Overlay::Told(_) => "told",
        Overlay::Agent(_) => "agent",
        Overlay::RunForm(_) => "run form",
        Overlay::Pick(pick) => match pick.purpose {
            Purpose::Copy(_) => "copy",
            Purpose::FlowFrom(_) => "flow from",
            Purpose::FlowTo(..) => "flow to",
            Purpose::Tool(_) => "tool",
            Purpose::Fill(_) => "fill",
            Purpose::Remote(_) => "remote",
            Purpose::SideArm(_) => "side arm",
            Purpose::Player(_) => "player",
            Purpose::Branch(_) => "branches",
            Purpose::Stops(_) => "stops",
            Purpose::Suggest(_) => "suggestions",
            Purpose::HoldAnswer => "answers of held calls",
            Purpose::Wrong => "wrong answers",
            Purpose::Go(_) => "places",
            Purpose::Live(Choice::Palette(_)) => "palette",
            Purpose::Live(Choice::Recorded(_)) => "recorded session",
            Purpose::Live(Choice::Save(_)) => "save",
            Purpose::Live(Choice::Replace(..)) => "replace",
            Purpose::Live(Choice::Declare(_)) => "declare",
            Purpose::Live(Choice::Edit(_)) => "editor",
            Purpose::Live(Choice::Open(_)) => "files",
            Purpose::Live(Choice::Quit) => "quit",
            Purpose::Live(Choice::Held(_)) => "folder",
        },
    }
}

/// All that a hand can open. A file that is there already and a session of other bytes are told by the disk.
const OPENED: [&str; 25] = [
    "look",
    "line",
    "form raw",
    "form",
    "told",
    "agent",
    "run form",
    "copy",
    "flow from",
    "flow to",
    "tool",
    "fill",
    "remote",
    "side arm",
    "player",
    "branches",
    "stops",
    "wrong answers",
    "places",
    "palette",
    "save",
    "declare",
    "editor",
    "files",
    "tour",
];

/// Beginnings from which every screen is near.
const WORLDS: usize = 14;

fn world(which: usize) -> Driver {
    let open = |begin: Start| Driver::new(begin, (80, 24), "dark");
    match which % WORLDS {
        0 => open(example()),
        1 => open(at(example(), "faults:f2", 404)),
        2 => open(file("tests/files/refused.json")),
        3 => gone(open(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404)), "n n n"),
        4 => open(at(bytes("trips.mcp.json", crate::above::NESTED.as_bytes()), "faults:f0", 3)),
        5 => open(runs::listed()),
        6 => open(runs::card()),
        7 => open(runs::compared()),
        8 => open(runs::two_files()),
        // Some of the way already, where it is long.
        11 => gone(open(runs::compared()), "n enter"),
        12 => gone(open(at(example(), "baddata:b2", 404)), "n n v"),
        13 => gone(open(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404)), "n n n c enter"),
        9 => {
            let mut driver = open(example());
            remote::attached(&mut driver);
            remote::run(&mut driver, remote::told(remote::plain(), Some(Status::Completed)));
            driver
        }
        _ => {
            let mut driver = open(example());
            remote::serving(&mut driver);
            driver.send(Msg::Served(remote::tasks()));
            driver
        }
    }
}

fn gone(mut driver: Driver, keys: &str) -> Driver {
    driver.keys(keys);
    driver
}

fn play(mut driver: Driver, script: &[Happens]) -> Driver {
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
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn anything_may_happen_anywhere(which in 0..WORLDS, script in prop::collection::vec(happens(), 0..60)) {
        play(world(which), &script);
    }

    #[test]
    fn a_recorded_list_of_messages_replays(script in prop::collection::vec(happens(), 0..40)) {
        let begin = at(example(), "shape:w1", 404);
        let begin = || Driver::new(begin.clone(), (80, 24), "dark");
        let (first, second) = (play(begin(), &script), play(begin(), &script));
        prop_assert_eq!(first.text(), second.text());
        prop_assert_eq!(first.copied, second.copied);
    }
}

/// Numbers that look drawn and are the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

#[test]
fn keys_at_random_come_to_every_screen_and_open_everything() {
    let mut draw = Draw(7);
    let mut screens = HashSet::new();
    let mut pressed = HashSet::new();
    let mut opened = HashSet::new();
    // Five walks in each world; more where luck has left something out.
    for walk in 0..WORLDS * 20 {
        let all = screens.len() == Screen::ALL.len() && OPENED.iter().all(|kind| opened.contains(kind));
        if walk >= WORLDS * 5 && all {
            break;
        }
        let mut driver = world(walk);
        for step in 0..60 {
            // A key that means something where one is: from anywhere to anywhere in a few of them.
            let here = meaning(&driver.model);
            let place = format!("{:?}", place(&driver.model));
            // Half of the time one that was not pressed there yet.
            let fresh: Vec<_> = here.iter().filter(|key| !pressed.contains(&(place.clone(), **key))).copied().collect();
            let from = if fresh.is_empty() || draw.below(2) == 0 { here } else { fresh };
            let key = from[draw.below(from.len())];
            pressed.insert((place, key));
            driver.send(Msg::Key(event(key)));
            if draw.below(40) == 0 {
                driver.send(Msg::Resize(1 + draw.below(130) as u16, 1 + draw.below(44) as u16));
            }
            check(&driver.model);
            if step % 3 == 0 {
                driver.buffer();
            }
            screens.insert(driver.model.screen);
            opened.extend(driver.model.overlays.iter().map(kind));
            if driver.model.tour.is_some() {
                opened.insert("tour");
            }
        }
    }
    let unseen: Vec<Screen> = Screen::ALL.into_iter().filter(|screen| !screens.contains(screen)).collect();
    assert!(unseen.is_empty(), "never on {unseen:?}");
    let closed: Vec<&str> = OPENED.into_iter().filter(|kind| !opened.contains(kind)).collect();
    assert!(closed.is_empty(), "never opened: {closed:?}");
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
