//! The screens about runs, cards, comparisons and two tool files, by their keys.

use crate::driver::{Driver, at, example, file};
use crate::program::{root, run};
use crate::screens::{keys, snapshot};
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::{Aim, Start};
use rehearsal::work::{OpenRequest, Origin};
use std::path::{Path, PathBuf};

const CAREFUL: &str = "examples/runs/careful";
const HASTY: &str = "examples/runs/hasty";

/// The hotel, and what is shown first.
fn hotel(aim: Aim) -> Start {
    Start { aim, ..file("examples/hotel/hotel.mcp.json") }
}

pub fn card() -> Start {
    hotel(Aim::Card(HASTY.into()))
}

pub fn compared() -> Start {
    hotel(Aim::Compare([CAREFUL.into(), HASTY.into()]))
}

pub fn listed() -> Start {
    Start { runs: vec![CAREFUL.into(), HASTY.into()], ..hotel(Aim::Runs) }
}

/// The orders beside the same with one description changed, a bound moved and a tool left out.
pub fn two_files() -> Start {
    let text = String::from_utf8(ORDERS.to_vec()).unwrap();
    let mut list: serde_json::Value = serde_json::from_str(&text).unwrap();
    let tools = list.as_array_mut().unwrap();
    tools.remove(3);
    tools[0]["function"]["description"] = "Look one order up by its number.".into();
    tools[0]["function"]["parameters"]["properties"]["order_id"]["maxLength"] = 9.into();
    other(&serde_json::to_vec(&list).unwrap())
}

fn other(changed: &[u8]) -> Start {
    let begin = example();
    let origin = Origin::Bytes { name: "changed.json".into(), bytes: changed.into() };
    let other = OpenRequest { origin, read: begin.read.clone(), plan: begin.plan.clone() };
    Start { aim: Aim::Files(Box::new(other)), ..begin }
}

const ORDERS: &[u8] = include_bytes!("../../examples/orders/orders.openai.json");

fn open(begin: Start) -> Driver {
    Driver::new(begin, (120, 40), "dark")
}

/// A folder for runs; in memory where that is offered, since a run asks the disk to be sure after every commit.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).unwrap() } else { tempfile::tempdir().unwrap() }
}

/// A copy of a recorded run.
fn copied(from: &str, to: &Path) -> PathBuf {
    std::fs::create_dir_all(to).unwrap();
    for name in ["plan.json", "produced_by.jsonl", "episodes.jsonl", "traces.jsonl"] {
        std::fs::copy(root().join(from).join(name), to.join(name)).unwrap();
    }
    to.to_owned()
}

#[test]
fn cards_at_three_sizes() {
    snapshot("card", &card, &keys("j j"));
    snapshot("card-episode", &card, &keys("j j j enter j j enter"));
    snapshot("card-failed-only", &card, &keys("G k k k enter o"));
}

#[test]
fn comparisons_at_three_sizes() {
    snapshot("compare", &compared, &keys(""));
    snapshot("compare-levels", &compared, &keys("j"));
    snapshot("compare-cards", &compared, &keys("j j enter n"));
    snapshot("compare-cards-unified", &compared, &keys("j j enter u n"));
    snapshot("compare-changed", &compared, &keys("n"));
    snapshot("pair", &compared, &keys("n enter"));
}

#[test]
fn two_files_at_three_sizes() {
    snapshot("files", &two_files, &keys(""));
    snapshot("files-place", &two_files, &keys("n n n n"));
    snapshot("files-tool", &two_files, &keys("n n enter n"));
}

#[test]
fn runs_at_three_sizes() {
    // The list alone: what stands in runs/ of whoever runs the tests must not be told of, so it is looked for elsewhere.
    snapshot("run-form", &example, &keys("5 n"));
}

#[test]
fn a_recorded_episode_opens_in_the_stepper_at_any_call_with_its_why() {
    let mut driver = open(card());
    driver.keys("j j enter");
    assert_eq!(driver.model.pane(), Pane::Tasks);
    driver.keys("enter");
    assert_eq!(driver.model.pane(), Pane::Episode);
    let before = driver.text();
    assert!(before.contains("played by"), "{before}");
    // The second call: three rows a call.
    driver.keys("j j j enter");
    assert_eq!(driver.model.screen, Screen::Step);
    let text = driver.text();
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!(episode.cursor(), 2);
    assert!(text.contains("call 2:") && text.contains("why"), "{text}");
    // The way back leads to the card, where one stood.
    driver.keys("5");
    assert_eq!((driver.model.screen, driver.model.pane()), (Screen::Card, Pane::Episode));
    driver.keys("G enter");
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!(episode.cursor(), episode.calls().len());
    assert!(episode.verdict().label != "open", "the ending was opened");
    driver.keys("esc esc esc");
    assert_eq!((driver.model.screen, driver.model.pane()), (Screen::Card, Pane::Levels));
    driver.keys("esc");
    assert_eq!(driver.model.screen, Screen::Runs);
}

#[test]
fn a_run_whose_tool_file_is_gone_asks_for_it_in_one_line() {
    let folder = folder();
    let moved = copied(HASTY, &folder.path().join("moved"));
    let plan = std::fs::read_to_string(moved.join("plan.json")).unwrap();
    std::fs::write(moved.join("plan.json"), plan.replace("../../hotel/hotel.mcp.json", "gone.json")).unwrap();
    let begin = Start { origin: Origin::Nothing, aim: Aim::Card(moved.clone()), ..example() };
    let mut driver = open(begin);
    assert!(driver.text().contains("no tool file"), "{}", driver.text());
    driver.keys("enter enter enter");
    let text = driver.text();
    assert!(text.contains("the tool file of this run:"), "{text}");
    // Another file is refused with both hashes, and asked for again.
    driver.type_text("examples/orders/orders.openai.json").keys("enter");
    let notice = driver.model.notice.clone().unwrap().text;
    assert!(notice.contains("bf4a2cd20a9c") && notice.contains("file hash"), "{notice}");
    driver.type_text("examples/hotel/hotel.mcp.json").keys("enter");
    assert_eq!(driver.model.screen, Screen::Step);
    assert!(driver.model.step.episode.is_some());
    // Left alone, nothing happens.
    driver.keys("5 enter esc");
    assert_eq!(driver.model.screen, Screen::Card);
}

#[test]
fn two_episodes_step_together_from_where_they_part() {
    let mut driver = open(compared());
    assert!(driver.text().contains("may be compared") || driver.text().contains("comparable"), "{}", driver.text());
    driver.keys("n enter");
    assert_eq!(driver.model.screen, Screen::Pair);
    let text = driver.text();
    assert!(text.contains('»'), "the first divergence is marked:\n{text}");
    let first = driver.model.cursor(Pane::Aligned).at;
    driver.keys("g");
    assert_eq!(driver.model.cursor(Pane::Aligned).at, 0);
    driver.keys("n");
    assert_eq!(driver.model.cursor(Pane::Aligned).at, first);
    assert!(text.contains("store after it"), "{text}");
    // Both sides open in the stepper.
    driver.keys("enter");
    assert_eq!(driver.model.screen, Screen::Step);
    driver.keys("5");
    assert_eq!(driver.model.screen, Screen::Pair);
    driver.keys("b");
    assert_eq!(driver.model.screen, Screen::Step);
    driver.keys("esc esc");
    assert_eq!(driver.model.screen, Screen::Compare);
    // Who has been elsewhere since is not sent back there.
    driver.keys("3 esc");
    assert_eq!(driver.model.screen, Screen::Step);
}

#[test]
fn two_marked_runs_are_compared() {
    let mut driver = open(listed());
    let text = driver.text();
    assert!(text.contains(CAREFUL) && text.contains(HASTY) && text.contains("+ valid"), "{text}");
    driver.keys("c");
    assert!(driver.model.notice.clone().unwrap().text.contains("mark two runs"));
    while !driver.text().contains(&format!(" {CAREFUL} ─")) {
        driver.keys("j");
    }
    driver.keys("space");
    while !driver.text().contains(&format!(" {HASTY} ─")) {
        driver.keys("j");
        if driver.model.cursor(Pane::Runs).at > 50 {
            break;
        }
    }
    driver.keys("space c");
    assert_eq!(driver.model.screen, Screen::Compare);
    assert!(driver.text().contains("changed outcomes"), "{}", driver.text());
}

/// Types a text into a field of the form in place of what stands there.
fn field(driver: &mut Driver, text: &str) {
    driver.keys("ctrl-u ctrl-k").type_text(text);
}

#[test]
fn a_run_is_started_here_and_goes_on_after_a_cut() {
    let folder = folder();
    let out = folder.path().join("mine");
    let mut driver = open(example());
    driver.writes = true;
    driver.keys("5 n");
    field(&mut driver, "landed, bad");
    assert!(driver.text().contains("did you mean"), "{}", driver.text());
    driver.keys("enter");
    assert!(!driver.model.overlays.is_empty(), "what does not fit is not started");
    field(&mut driver, "landed,faults:f1");
    driver.keys("tab");
    field(&mut driver, "1..4");
    driver.keys("tab");
    field(&mut driver, "2");
    driver.keys("tab");
    driver.keys("ctrl-o");
    assert!(driver.text().contains("3 arms, 4 seeds, 2 attempts: 24 episodes"), "{}", driver.text());
    driver.keys("tab");
    field(&mut driver, &out.display().to_string());
    driver.keys("enter");
    assert!(driver.model.overlays.is_empty(), "{}", driver.text());
    let said = driver.model.notice.clone().unwrap().text;
    assert!(said.contains("24 episodes"), "{said}");
    let read = |name: &str| std::fs::read(out.join(name)).unwrap();
    let whole = (read("episodes.jsonl"), read("traces.jsonl"));

    // Cut in the middle of a line: torn, and the same key makes it whole again.
    std::fs::write(out.join("episodes.jsonl"), &whole.0[..whole.0.len() / 2]).unwrap();
    std::fs::write(out.join("traces.jsonl"), &whole.1[..whole.1.len() / 2 + 40_000.min(whole.1.len() / 4)]).unwrap();
    driver.keys("ctrl-r");
    let text = driver.text();
    assert!(text.contains("cut off") && text.contains("/24"), "{text}");
    driver.keys("r");
    assert_eq!((read("episodes.jsonl"), read("traces.jsonl")), whole);
    assert!(driver.text().contains("finished, all episodes recorded"), "{}", driver.text());

    // Its card, written from here.
    driver.keys("enter");
    assert_eq!(driver.model.screen, Screen::Card);
    driver.keys("w");
    assert!(out.join("card/artifact.json").is_file());
    driver.keys("v");
    assert!(driver.text().contains("Card of"), "{}", driver.text());
    let checked = run(&["card", out.to_str().unwrap(), "--check"]);
    assert_eq!(checked.code, 0, "{checked:?}");
}

#[test]
fn an_episode_whose_line_was_changed_says_so_wherever_it_is_looked_at() {
    let folder = folder();
    let run = copied(HASTY, &folder.path().join("run"));
    let traces = std::fs::read_to_string(run.join("traces.jsonl")).unwrap();
    // The store of every first episode's first call is another now.
    std::fs::write(run.join("traces.jsonl"), traces.replace("\"answer\":{\"text\":\"{", "\"answer\":{\"text\":\"["))
        .unwrap();
    let says = "is not what its chained hash";
    let mut driver = open(hotel(Aim::Card(run.clone())));
    driver.keys("G enter enter");
    assert!(driver.text().contains(says), "{}", driver.text());
    let mut driver = open(hotel(Aim::Compare([CAREFUL.into(), run])));
    driver.keys("G enter");
    assert_eq!(driver.model.screen, Screen::Pair);
    assert!(driver.text().contains(says), "{}", driver.text());
}

#[test]
fn damaged_runs_are_listed_as_what_they_are_at_every_width() {
    let folder = folder();
    let under = folder.path().join("runs");
    copied(HASTY, &under.join("a-long-name-of-a-run-that-is-whole"));
    std::fs::write(copied(HASTY, &under.join("no-plan")).join("plan.json"), b"{}").unwrap();
    let unread = copied(HASTY, &under.join("unread"));
    let records = std::fs::read_to_string(unread.join("episodes.jsonl")).unwrap();
    std::fs::write(unread.join("episodes.jsonl"), records.replacen('{', "[", 1)).unwrap();
    for (width, whole, broken, cannot) in
        [(120, "% pass  + valid", "broken", "! cannot be read"), (50, " %  +", "broken", "! unread")]
    {
        let begin = Start { runs: vec![under.clone()], ..hotel(Aim::Runs) };
        let mut driver = Driver::new(begin, (width, 24), "mono");
        let text = driver.text();
        let line = |name: &str| {
            // A title tells of the selected run too.
            let mut lines = text.lines().filter(|l| !l.starts_with('─'));
            let line = lines.find(|l| l.contains(name)).unwrap_or_else(|| panic!("no {name}: {text}"));
            line.split('│').next().unwrap()
        };
        assert!(line("that-is-whole").contains("   + ") && line("that-is-whole").contains(whole), "{text}");
        assert!(line("no-plan").contains("! ") && line("no-plan").contains(broken), "{text}");
        assert!(line("/unread").contains(cannot) && !line("/unread").contains("   + "), "{text}");
        // What is broken tells why, and offers nothing that cannot be done.
        let at = text.lines().position(|l| l.contains("no-plan") && !l.starts_with('─')).unwrap();
        let first = text.lines().position(|l| l.contains("─ runs")).unwrap() + 1;
        driver.keys(&"j ".repeat(at - first));
        let text = driver.text();
        assert!(text.contains("it has no plan") || width < 60, "{text}");
        assert!(!text.contains("0 arms") && !text.contains("opens its card"), "{text}");
    }
}

#[test]
fn what_cannot_be_opened_says_why_in_one_line() {
    let mut driver = open(hotel(Aim::Card("examples/nothing".into())));
    assert!(driver.text().contains("! examples/nothing is not there"), "{}", driver.text());
    driver.keys("j k enter o v w y esc");
    let driver = open(hotel(Aim::Compare(["examples/nothing".into(), HASTY.into()])));
    assert!(driver.text().contains("is not there"), "{}", driver.text());
    let driver = open(other(b"{\"a\": "));
    assert!(driver.text().contains("! changed.json:"), "{}", driver.text());
}

#[test]
fn a_reformatted_file_s_run_may_not_be_compared_and_no_figures_stand_side_by_side() {
    let folder = folder();
    let tools = std::fs::read_to_string(root().join("examples/orders/orders.openai.json")).unwrap();
    let mut paths = Vec::new();
    for (name, text) in [("a", tools.clone()), ("b", format!("{tools}\n"))] {
        let file = folder.path().join(format!("{name}.json"));
        std::fs::write(&file, text).unwrap();
        let out = folder.path().join(name);
        let args = ["run", file.to_str().unwrap(), "--arm", "faults:f1", "--seeds", "1..3", "--read", "get_order"];
        let args = [&args[..], &["--out", out.to_str().unwrap()]].concat();
        let ran = run(&args);
        assert_eq!(ran.code, 0, "{ran:?}");
        paths.push(out);
    }
    let mut driver = open(hotel(Aim::Compare([paths[0].clone(), paths[1].clone()])));
    let text = driver.text();
    assert!(text.contains("not comparable") && text.contains("card of A") && !text.contains("levels"), "{text}");
    assert!(text.contains("~ file hash"), "{text}");
    driver.keys("j");
    assert!(driver.text().contains("Card of reference"), "{}", driver.text());
}

#[test]
fn two_files_show_what_moved() {
    let mut driver = open(two_files());
    let text = driver.text();
    assert!(text.contains("contracts differ") && text.contains("removed") && text.contains("2 places"), "{text}");
    driver.keys("enter");
    assert_eq!(driver.model.pane(), Pane::Change);
    driver.keys("esc");
    assert_eq!(driver.model.pane(), Pane::Changed);
    // One contract, other bytes.
    let driver = open(other(&[ORDERS, b"\n"].concat()));
    assert!(driver.text().contains("same contract, different bytes"), "{}", driver.text());
    let driver = open(other(ORDERS));
    assert!(driver.text().contains("same bytes"), "{}", driver.text());
    // From the Tools screen, by its path.
    let mut driver = open(file("examples/warehouse/warehouse.mcp.json"));
    driver.keys("c").type_text("examples/hotel/hotel.mcp.json").keys("enter");
    assert_eq!(driver.model.screen, Screen::Files);
    assert!(driver.text().contains("contracts differ"), "{}", driver.text());
}

#[test]
fn every_screen_draws_at_any_size() {
    type Case = (fn() -> Start, &'static str);
    let cases: [Case; 8] = [
        (card, "j"),
        (card, "enter enter"),
        (compared, ""),
        (compared, "j j enter u"),
        (compared, "n enter"),
        (two_files, "n n"),
        (listed, ""),
        (example, "5 n"),
    ];
    for (begin, go) in cases {
        let mut driver = open(begin());
        driver.keys(go);
        for width in (1..=120).step_by(7) {
            for height in (1..=40).step_by(3) {
                driver.send(rehearsal::tui::msg::Msg::Resize(width, height));
                let (buf, cursor) = driver.buffer();
                assert!(cursor.is_none_or(|at| at.x < width && at.y < height), "{go} {width}x{height}");
                if width >= 30 && height >= 8 {
                    let text = crate::driver::text_of(&buf);
                    assert!(!text.trim().is_empty(), "{go} {width}x{height}");
                }
            }
        }
    }
}

#[test]
fn a_card_without_calls_says_so() {
    let card = root().join("../shared/cards/qwen3-8b-b968826d");
    if !card.is_dir() {
        println!("skipped: {} is not there", card.display());
        return;
    }
    let mut driver = open(Start { origin: Origin::Nothing, aim: Aim::Card(card), ..example() });
    driver.keys("enter j enter");
    let text = driver.text();
    assert!(text.contains("not recorded") && text.contains("pass@1"), "{text}");
    driver.keys("enter");
    assert_eq!(driver.model.screen, Screen::Card);
}

#[test]
fn the_stepper_keeps_what_was_played_beside_a_recorded_episode() {
    let mut driver = open(at(file("examples/hotel/hotel.mcp.json"), "landed:l1", 404));
    driver.keys("n 5 a").type_text(HASTY).keys("enter enter enter enter enter");
    assert_eq!(driver.model.screen, Screen::Step, "{}", driver.text());
}

#[test]
fn a_run_in_progress_is_in_the_header_and_asks_before_quitting() {
    use rehearsal::tui::msg::{Effect, Msg};
    use rehearsal::tui::screens::asks::{self, Purpose};
    use rehearsal::tui::screens::runs::farewell;
    use rehearsal::tui::update::update;
    use rehearsal::work::{Ask, Cancel, Play, Progress, Report, ToolFile};
    let mut driver = open(example());
    let play = Ask::Play(Box::new(Play::Resume("runs/x".into(), ToolFile::default())));
    let effects = asks::begin(&mut driver.model, Purpose::Play(Some("runs/x".into())), play);
    let Some(Effect::Ask { id, .. }) = effects.first() else { panic!("nothing was asked for") };
    let cancel = Cancel::default();
    driver.send(Msg::Started(*id, cancel.clone()));
    let progress =
        Progress { what: "playing", done: 120, total: Some(600), speed: None, folder: Some("runs/x".into()) };
    driver.send(Msg::Told(*id, Report::Progress(progress)));
    for screen in ["1", "2", "5"] {
        driver.keys(screen);
        assert!(driver.text().contains("> run 120 of 600"), "{}", driver.text());
    }
    driver.keys("q");
    assert!(driver.text().contains("stop the run and quit"), "{}", driver.text());
    driver.keys("esc");
    assert!(!cancel.is_cancelled());
    driver.keys("q enter");
    assert!(cancel.is_cancelled());
    assert_eq!(
        farewell(&driver.model).unwrap(),
        "runs/x: stopped at 120 of 600 episodes; resume with: rehearsal run runs/x"
    );
    let effects = update(&mut driver.model, Msg::Told(*id, Report::Done(Err("stopped".to_owned()))));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit(0))));
}
