//! The Step screen by keys: time travel, branches, kept episodes.

use crate::driver::{Driver, at, example, file};
use rehearsal::engine::Ending;
use rehearsal::episode::{Episode, Watch, messages};
use rehearsal::task::Call;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::panes;
use rehearsal::tui::screens::step;
use rehearsal::tui::widgets::list::Rows;
use rehearsal::value::Value;

fn faults() -> Driver {
    Driver::new(at(example(), "faults:f2", 404), (120, 40), "dark")
}

/// The line the status says.
fn says(driver: &Driver) -> String {
    driver.model.notice.as_ref().map(|n| n.text.clone()).unwrap_or_default()
}

#[test]
fn another_episode_is_shown_and_the_one_before_is_kept() {
    let mut driver = faults();
    driver.keys("n n");
    let task = driver.model.step.episode.as_ref().unwrap().task().clone();
    let mut other = Episode::new(task);
    while let Some(call) = other.next_reference() {
        other.make(call);
    }
    let length = other.calls().len();
    driver.keys("1");
    step::open_episode(&mut driver.model, other, 1);
    assert_eq!(driver.model.screen, Screen::Step);
    assert_eq!(driver.model.cursor(Pane::Calls).at, 1);
    let shown = driver.model.step.episode.as_ref().unwrap();
    assert_eq!((shown.cursor(), shown.calls().len()), (1, length));
    assert_eq!(driver.model.step.kept.len(), 1);
    // The list: the present branch, then what is kept.
    driver.keys("t down enter");
    let shown = driver.model.step.episode.as_ref().unwrap();
    assert_eq!((shown.cursor(), shown.calls().len()), (2, 2));
    assert_eq!(says(&driver), "back in the episode that was kept");
    assert_eq!(driver.model.step.kept.len(), 1, "and the other one is kept in its place");
    assert_eq!(driver.model.cursor(Pane::Calls).at, 2);
    // An episode without calls is not kept.
    let task = shown.task().clone();
    step::open_episode(&mut driver.model, Episode::new(task.clone()), 0);
    step::open_episode(&mut driver.model, Episode::new(task), 9);
    assert_eq!(driver.model.step.kept.len(), 2);
}

fn bad() -> Driver {
    Driver::new(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404), (120, 40), "dark")
}

fn lagged() -> Driver {
    Driver::new(at(example(), "lagged:g1", 404), (120, 40), "dark")
}

/// Cursor, calls, branch (from 0), number of branches.
fn stands(driver: &Driver) -> (usize, usize, usize, usize) {
    let e = driver.model.step.episode.as_ref().unwrap();
    (e.cursor(), e.calls().len(), e.branch(), e.branch_count())
}

fn ending(driver: &Driver) -> Ending {
    driver.model.step.episode.as_ref().unwrap().ending()
}

/// The lines of the screen that hold some words.
fn lines(driver: &Driver, words: &str) -> Vec<String> {
    driver.text().lines().filter(|line| line.contains(words)).map(ToOwned::to_owned).collect()
}

/// Selects the first row of the pane with the keys that holds some words.
fn select(driver: &mut Driver, words: &str) {
    driver.keys("g");
    let pane = driver.model.pane();
    let (width, _) = panes::size(&driver.model, pane);
    let rows = panes::rows(&driver.model, pane, width);
    let found = (0..rows.len()).find(|i| rows.row(*i).text().contains(words));
    let at = found.unwrap_or_else(|| panic!("no row of {pane:?} says {words:?}"));
    drop(rows);
    for _ in 0..at {
        driver.keys("j");
    }
}

#[test]
fn a_different_call_starts_a_branch_and_says_so() {
    let mut driver = bad();
    driver.keys("n n n");
    // Back to the first call by selecting it; the future is kept below it, dimmed.
    driver.keys("g j");
    assert_eq!(stands(&driver), (1, 3, 0, 1));
    // The first call again is the next of the future: no branch. After that it is another one.
    driver.keys(".");
    assert_eq!(stands(&driver), (2, 3, 0, 1));
    driver.keys(".");
    assert_eq!(stands(&driver), (3, 3, 1, 2));
    assert_eq!(says(&driver), "branch 2 starts at call 3; branch 1 is kept (t lists them)");
    driver.keys(".");
    assert!(driver.text().contains("calls, branch 2 of 2"));
    // The list says where it parted, how long each is; the first is returned to where the two diverge.
    driver.keys("t");
    let list = driver.text();
    assert!(list.contains("branch 2  leaves 1 at call 3: find_sku barcode"), "{list}");
    assert!(list.contains("4 calls, here") && list.contains("3 calls, open"), "{list}");
    driver.keys("down enter");
    assert_eq!(stands(&driver), (2, 3, 0, 2));
    assert!(says(&driver).starts_with("branch 1 at its first call"), "{}", says(&driver));
    // The call that the other branch goes on with leads back to it.
    driver.keys(".");
    assert_eq!(stands(&driver), (3, 4, 1, 2));
    assert_eq!(says(&driver), "this call is the next one of branch 2; switched to it");
}

#[test]
fn the_episode_ends_anywhere_and_goes_on_after_that() {
    let mut driver = faults();
    driver.keys("n n n n b b");
    let (at, calls, ..) = stands(&driver);
    assert!(at < calls);
    driver.keys("r");
    assert_eq!(ending(&driver), Ending::Reply);
    assert_eq!(driver.model.cursor(Pane::Calls).at, at + 1);
    assert!(driver.text().contains("─ verdict"), "{}", driver.text());
    assert!(says(&driver).contains("after it kept"));
    // The rows below are the calls that were kept, in order.
    driver.keys("j");
    assert_eq!((stands(&driver).0, ending(&driver)), (at + 1, Ending::Open));
    driver.keys("L");
    assert_eq!(ending(&driver), Ending::Limit);
    driver.keys("b");
    assert_eq!((stands(&driver).0, ending(&driver)), (at + 1, Ending::Open));
    driver.keys("L r");
    assert_eq!(ending(&driver), Ending::Reply);
    driver.keys("r");
    assert_eq!((stands(&driver).1, ending(&driver)), (calls, Ending::Open));
}

#[test]
fn running_stops_where_it_was_told_and_marks_the_call() {
    let mut driver = faults();
    driver.keys("!");
    assert_eq!((stands(&driver).0, says(&driver).as_str()), (1, "stopped at call 1: an error"));
    driver.keys("! !");
    assert!(says(&driver).starts_with("no error up to the end"), "{}", says(&driver));
    driver.keys("0 ~");
    let (at, ..) = stands(&driver);
    assert_eq!(says(&driver), format!("stopped at call {at}: a change in the store"));
    let made = driver.model.step.episode.as_ref().unwrap().past().last().unwrap().clone();
    assert!(!made.outcome.changes.is_empty());
    // A breakpoint on an error code, from the list of all.
    driver.keys("0 B").type_text("unavailable").keys("enter");
    assert!(driver.text().contains("* an answer unavailable"), "{}", driver.text());
    driver.keys("esc e");
    assert_eq!(says(&driver), "stopped at call 1: an answer unavailable");
    assert_eq!(lines(&driver, "* stopped").len(), 1, "{}", driver.text());
    assert!(driver.text().contains("* running stopped here: an answer unavailable"));
    driver.keys("e");
    assert_eq!(stands(&driver).0, 2);
    // Taken away, running goes to the end and replies.
    driver.keys("B").type_text("nothing").keys("enter esc 0 e");
    assert_eq!(ending(&driver), Ending::Reply);
    assert!(driver.model.step.breakpoints.is_empty());
}

#[test]
fn a_watched_field_stops_running_and_is_shown() {
    let mut driver = bad();
    driver.keys("tab tab");
    select(&mut driver, "records (0 of 1");
    driver.keys("j W");
    assert_eq!(driver.model.step.watches, [Watch::Record(1)]);
    driver.keys("B").type_text("to_bin in the record").keys("enter esc");
    assert_eq!(driver.model.step.watches.len(), 2);
    assert_eq!(lines(&driver, "* watched").len(), 2, "{}", driver.text());
    driver.keys("e");
    let (at, ..) = stands(&driver);
    assert_eq!(says(&driver), format!("stopped at call {at}: the record of step 1 changed"));
    select(&mut driver, "to_bin: ");
    driver.keys("W");
    assert_eq!(driver.model.step.watches, [Watch::Record(1)]);
    assert!(says(&driver).ends_with("is not watched anymore"));
}

#[test]
fn an_explanation_leads_to_what_it_names() {
    let mut driver = bad();
    driver.keys("n n w");
    // The bad read before, and the step: a list to choose from.
    assert!(driver.text().contains("go to"), "{}", driver.text());
    driver.type_text("call").keys("enter");
    assert_eq!(stands(&driver).0, 1);
    driver.keys("w");
    assert_eq!(driver.model.pane(), Pane::Store, "one place only: no question");
    let row = rehearsal::tui::update::selected_row(&driver.model).unwrap();
    assert!(row.starts_with("+ 0 find_sku"), "{row}");
    // Enter on the step says what it is and which call served it; from there to the call.
    driver.keys("enter");
    assert!(driver.text().contains("It expects a read with find_sku"), "{}", driver.text());
    driver.keys("G enter");
    assert_eq!((stands(&driver).0, driver.model.pane()), (1, Pane::Calls));
    // A row of the explanation itself.
    driver.keys("enter");
    select(&mut driver, "This is the read step 0");
    driver.keys("enter");
    assert_eq!(driver.model.pane(), Pane::Store);
}

#[test]
fn an_invalid_call_leads_to_the_place_in_the_schema() {
    let mut driver = faults();
    let call = Call {
        tool: "refund_order".into(),
        arguments: Value::parse_json(r#"{"order_id":"x","amount":"much"}"#).unwrap(),
    };
    for _ in 0..4 {
        step::make(&mut driver.model, call.clone());
    }
    driver.keys("w");
    let text = driver.text();
    assert!(text.contains("arguments of refund_order: /properties/"), "{text}");
    driver.keys("y");
    assert!(driver.copied[0].contains("\"properties\""));
}

#[test]
fn a_value_is_traced_to_the_call_that_wrote_it() {
    let mut driver = bad();
    driver.keys("n n n tab");
    select(&mut driver, "\"sku\"");
    driver.keys("o");
    let text = driver.text();
    assert!(text.contains("where /sku comes from"), "{text}");
    assert!(text.contains("the value came from the answer of call 2 at /sku"), "{text}");
    driver.keys("y");
    assert!(driver.copied[0].contains("Call 3 (move_item) sent it as sku"), "{:?}", driver.copied);
    // Of the places it names, the answer it stood in.
    driver.keys("G enter").type_text("call 2").keys("enter");
    assert_eq!(stands(&driver).0, 2);
    // The bad read's own value.
    driver.keys("k tab");
    select(&mut driver, "\"sku\"");
    driver.keys("o");
    assert!(driver.text().contains("was the bad read, level 2: the right value is"), "{}", driver.text());
    assert!(driver.text().contains("(baddata dial)"));
}

#[test]
fn a_value_of_the_store_is_traced_too() {
    let mut driver = bad();
    driver.keys("n n n tab tab");
    select(&mut driver, "to_bin: ");
    driver.keys("o");
    assert!(driver.text().contains("The request states it as to_bin"), "{}", driver.text());
    driver.keys("esc");
    select(&mut driver, "+ 1 move_item");
    driver.keys("G");
    let write = "step 1 now";
    select(&mut driver, write);
    driver.keys("enter");
    let text = driver.text();
    assert!(text.contains("call 3: move_item") && text.contains("+ expected by step 1"), "{text}");
    driver.keys("enter");
    assert_eq!(driver.model.pane(), Pane::Calls);
}

#[test]
fn what_a_stale_read_hid_is_said() {
    let mut driver = lagged();
    driver.keys("n n");
    assert!(driver.text().contains("This is the stale read"), "{}", driver.text());
    driver.keys("B").type_text("stale").keys("enter esc 0 e");
    assert_eq!(says(&driver), "stopped at call 2: the stale read");
}

#[test]
fn two_points_are_compared() {
    let mut driver = bad();
    driver.keys("d");
    assert!(driver.text().contains("no changes: the store is the same at both points"));
    driver.keys("esc n m");
    assert!(says(&driver).starts_with("marked"));
    assert_eq!(lines(&driver, "marked").len(), 2, "on the call and in the message");
    driver.keys("n n d");
    let text = driver.text();
    assert!(text.contains("the store from call 1 to call 3"), "{text}");
    for words in ["+ 1 move_item", "~ 1 move_item", "+ /to_bin: \"B2\" (new)", "new writes (1)"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    driver.keys("G enter");
    let row = rehearsal::tui::update::selected_row(&driver.model).unwrap();
    assert!(driver.model.pane() == Pane::Store && row.contains("step 1 now"), "{row}");
    // The other way round: what was there is gone.
    driver.keys("m 0 d");
    let text = driver.text();
    assert!(text.contains("the store from call 3 to the start"), "{text}");
    assert!(text.contains("writes gone (1)") && text.contains("open again"), "{text}");
}

#[test]
fn the_agents_view_is_what_a_model_would_get() {
    let mut driver = bad();
    driver.keys("n n n b b a");
    let text = driver.text();
    assert!(text.contains("what the agent sees, 5 of 5"), "up to here, not to the end: {text}");
    assert!(text.contains("This is the bad read (level 2)"), "{text}");
    driver.keys("y p A");
    let episode = driver.model.step.episode.as_ref().unwrap();
    let task = episode.task().clone();
    let made: Vec<&rehearsal::engine::Made> = episode.past().iter().map(|m| &**m).collect();
    let all = messages::messages(&task, made);
    assert_eq!(driver.copied[0], all[3].text());
    assert_eq!(driver.copied[1], format!("{}\n\n{}", task.system_prompt, task.request));
    let texts: Vec<String> = all.iter().map(messages::Message::text).collect();
    assert_eq!(driver.copied[2], texts.join("\n\n"));
    // Nothing of what only the engine knows is in them.
    assert!(!driver.copied[2].contains("bad read"));
    driver.keys("g y");
    assert_eq!(driver.copied[3], rehearsal::value::canonical::pretty(&messages::tools(&task), false));
    driver.keys("esc");
    assert!(driver.model.overlays.is_empty());
}

#[test]
fn a_chat_is_copied_as_one_list() {
    let mut driver = faults();
    driver.keys("n n a A");
    let list = Value::parse_json(&driver.copied[0]).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 2 + 2 * 2);
    assert_eq!(list[2].get("role").and_then(Value::as_str), Some("assistant"));
}

#[test]
fn wrong_answers_are_made_whole() {
    let mut driver = faults();
    driver.keys("n X");
    let task = driver.model.step.episode.as_ref().unwrap().task().clone();
    driver.keys("esc");
    assert!(task.wrong_answers.len() > 2);
    for (i, wrong) in task.wrong_answers.iter().enumerate() {
        driver.keys("X");
        for _ in 0..i {
            driver.keys("down");
        }
        driver.keys("enter");
        let episode = driver.model.step.episode.as_ref().unwrap();
        assert_eq!(episode.verdict().label, wrong.label, "{}", wrong.name);
        assert!(says(&driver).ends_with(&format!("{}, as expected", wrong.label)), "{}", says(&driver));
        let calls: Vec<Call> = episode.past().iter().map(|m| m.call.clone()).collect();
        assert_eq!(calls, wrong.calls);
    }
    assert!(stands(&driver).3 > 2, "each on a branch of its own");
}
