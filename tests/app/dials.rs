//! Dials turned under a task at play, and two levels side by side, by keys.

use crate::driver::{Driver, at, example, file, text_of};
use rehearsal::engine::{Code, Ending};
use rehearsal::tui::model::Screen;
use rehearsal::tui::screens::sides::{Beside, Who};
use rehearsal::work::Sides;

fn driver(arm: &str) -> Driver {
    Driver::new(at(example(), arm, 404), (120, 40), "dark")
}

/// The arm at play, and the codes of the calls made in it.
fn played(driver: &Driver) -> (String, Vec<Option<Code>>) {
    let episode = driver.model.step.episode.as_ref().unwrap();
    let codes = episode.past().iter().map(|made| made.outcome.answer.code).collect();
    (episode.task().arm.to_string(), codes)
}

fn sides(driver: &Driver) -> &Sides {
    match &driver.model.sides.beside {
        Beside::Ready(sides) => sides,
        other => panic!("the sides are not there: {other:?}"),
    }
}

#[test]
fn turning_the_dial_at_play_sends_the_calls_again_and_says_where_they_part() {
    let mut driver = driver("faults:f0");
    driver.keys("n");
    assert_eq!(played(&driver), ("faults:f0".into(), vec![None]));
    // Two levels up: the same call, now answered unavailable.
    driver.keys("] ]");
    assert_eq!(played(&driver), ("faults:f2".into(), vec![Some(Code::Unavailable)]));
    assert_eq!(driver.model.screen, Screen::Step);
    // The second turn began at f1, where the call was answered as it is at f2.
    assert!(driver.text().contains("all with the same answers"), "{}", driver.text());
    driver.keys("[ [");
    assert_eq!(played(&driver), ("faults:f0".into(), vec![None]));
    let says = "they diverge at call 1: notify_customer was answered unavailable before and goes through";
    assert!(driver.text().contains(says), "{}", driver.text());
    driver.keys("[");
    assert!(driver.text().contains("faults:f0 is the lowest level available"));
}

#[test]
fn what_turning_would_do_is_known_before_it_is_done() {
    let mut driver = driver("faults:f0");
    driver.keys("n x right right");
    assert_eq!(driver.model.screen, Screen::Dials);
    let text = driver.text();
    assert!(text.contains("at level 2") && text.contains("unavailable the first 2 times"), "{text}");
    assert!(text.contains("the two differ from call 1 on"), "{text}");
    assert_eq!(played(&driver).0, "faults:f0");
    driver.keys("enter");
    assert_eq!(played(&driver), ("faults:f2".into(), vec![Some(Code::Unavailable)]));
    let text = driver.text();
    assert_eq!(driver.model.screen, Screen::Dials);
    assert!(text.contains("! 1 of 2 left") && text.contains("turned from faults:f0"), "{text}");
    // The episode turned away from is kept.
    let kept: Vec<String> = driver.model.step.kept.iter().map(|e| e.task().arm.to_string()).collect();
    assert_eq!(kept, ["faults:f0"]);
}

#[test]
fn an_ending_goes_along_and_a_bad_read_is_armed_again() {
    let mut driver = driver("baddata:b0");
    driver.keys("n n r");
    assert!(driver.text().contains("+ passed"));
    driver.keys("] ]");
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!((episode.task().arm.to_string(), episode.ending()), ("baddata:b2".into(), Ending::Reply));
    assert_eq!(episode.state().bad_call(), Some(1));
    assert!(episode.verdict().strict, "the right value was sent all the same");
    driver.keys("x");
    assert!(driver.text().contains(". happened at call 1"), "{}", driver.text());
}

#[test]
fn another_dial_starts_anew_and_a_renamed_target_is_mapped() {
    let mut driver = driver("similarity:s0");
    driver.keys("n x k");
    assert!(driver.text().contains("not available") || driver.text().contains("lagged"));
    // To the faults dial: nothing is sent.
    driver.keys("g j enter");
    let (arm, codes) = played(&driver);
    assert!(arm.starts_with("faults:") && codes.is_empty(), "{arm}");
    assert!(driver.text().contains("the episode starts over"));
    assert_eq!(driver.model.step.kept.len(), 1);
    // Within similarity the call goes to the target, whatever it is called there.
    let mut driver = self::driver("similarity:s0");
    driver.keys("n ]");
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!(episode.past().len(), 1);
    assert_eq!(episode.past()[0].call.tool, episode.task().target);
    assert!(episode.past()[0].outcome.answer.code.is_none());
}

#[test]
fn a_dial_that_is_not_reached_says_why_and_turns_nowhere() {
    let mut driver = driver("faults:f0");
    driver.keys("x g j j j");
    assert!(driver.text().contains("- not available: needs at least 8 tools"));
    driver.keys("right enter");
    assert!(driver.text().contains("block is not available with these tools"));
    assert_eq!(played(&driver).0, "faults:f0");
}

#[test]
fn steps_made_meanwhile_are_sent_too() {
    use rehearsal::tui::msg::{Effect, Msg};
    use rehearsal::tui::update::update;
    use rehearsal::work::{self, Control, Report};
    let mut driver = driver("faults:f0");
    // A turn whose job takes its time: its result is late.
    let effects = update(&mut driver.model, Msg::Key(crate::driver::event("]")));
    let [Effect::Turn { id, request }] = &effects[..] else { panic!("{effects:?}") };
    let late = work::turn(request, &Control::quiet()).map(Box::new);
    driver.keys("n");
    driver.send(Msg::Turned(*id, Report::Done(late)));
    assert_eq!(played(&driver), ("faults:f1".into(), vec![Some(Code::Unavailable)]));
}

#[test]
fn trusting_passes_at_level_0_and_believes_the_bad_read_at_level_2() {
    let mut driver = driver("baddata:b2");
    driver.keys("v");
    assert_eq!((driver.model.screen, &driver.model.sides.who), (Screen::Sides, &Who::Reference));
    // Both pass, so where they diverge is what is seen first, in large letters.
    assert_eq!(driver.model.cursor(rehearsal::tui::model::Pane::Sides).at, 1);
    assert!(driver.text().contains("██") && driver.text().contains("? bad read"), "{}", driver.text());
    driver.keys("p").type_text("trust").keys("enter");
    let both = sides(&driver);
    assert_eq!(both.a.arm().to_string() + " " + &both.b.arm().to_string(), "baddata:b0 baddata:b2");
    assert!(both.a.episode.verdict().strict);
    assert_eq!(both.b.episode.verdict().label, "wrong_state");
    assert_eq!(both.parts, Some(0));
    let text = driver.text();
    assert!(text.contains("baddata:b0 + passed") && text.contains("baddata:b2 ! wrong_state"), "{text}");
    assert!(text.contains(r#"get_order says id "unbrdw" in A and says "wtgyld" in B."#), "{text}");
    // Both go back together; at call 2 the argument that the bad read gave stands out.
    driver.keys("b");
    let text = driver.text();
    // One sign says that they differ; in large letters stand what became of both and what they were told.
    assert!(text.contains("baddata:b0 . open") && text.contains("~│ ! refund_order  side effect"), "{text}");
    assert!(text.contains("██") && !text.contains("~ ~"), "{text}");
    assert!(text.contains(r#"order_id  "unbrdw""#) && text.contains(r#"order_id  "wtgyld""#), "{text}");
    driver.keys("0");
    assert!(driver.text().contains("request  "));
    driver.keys("n n e");
    // Enter opens the marked side where one stands: at the call, or at the verdict.
    driver.keys("b enter");
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!((episode.cursor(), episode.ending(), episode.undone()), (2, Ending::Open, Ending::Reply));
    assert!(driver.text().contains("That value comes from call 1"), "{}", driver.text());
    driver.keys("4 v p").type_text("trust").keys("enter enter");
    assert_eq!(driver.model.step.episode.as_ref().unwrap().ending(), Ending::Reply);
    driver.keys("4 v p").type_text("trust").keys("enter");
    // At level 1 the answer is another record's: the checking player sees that, reads again and passes on both.
    driver.keys("[ p").type_text("checking").keys("enter");
    let both = sides(&driver);
    assert_eq!(both.b.arm().to_string(), "baddata:b1");
    assert!(both.b.episode.verdict().strict);
    assert_eq!((both.a.episode.calls().len(), both.b.episode.calls().len()), (2, 3));
}

#[test]
fn the_calls_made_are_sent_to_both_and_either_side_is_turned() {
    let mut driver = driver("lagged:g1");
    driver.keys("n n v");
    assert_eq!(driver.model.sides.who, Who::Again);
    let arms = |d: &Driver| d.model.sides.arms.map(|arms| arms.map(|a| a.to_string())).unwrap();
    assert_eq!(arms(&driver), ["lagged:g0", "lagged:g1"]);
    assert_eq!((sides(&driver).rows.len(), sides(&driver).parts), (2, Some(1)));
    // The second side is marked: it is turned down, then both are one.
    driver.keys("[");
    assert_eq!(arms(&driver), ["lagged:g0", "lagged:g0"]);
    assert_eq!(sides(&driver).parts, None);
    assert!(driver.text().contains("both are answered alike"));
    driver.keys("left a").type_text("faults:f2").keys("enter");
    assert_eq!(arms(&driver), ["faults:f2", "lagged:g0"]);
    assert_eq!(sides(&driver).a.episode.calls()[0].outcome.answer.code, Some(Code::Unavailable));
    // Enter takes the marked side into the stepper, where one stands.
    driver.keys("0 n enter");
    assert_eq!(driver.model.screen, Screen::Step);
    let episode = driver.model.step.episode.as_ref().unwrap();
    assert_eq!((episode.task().arm.to_string(), episode.cursor()), ("faults:f2".into(), 1));
}

#[test]
fn the_arm_chosen_on_the_dials_screen_is_set_beside_the_one_at_play() {
    let mut driver = driver("faults:f0");
    driver.keys("x right v");
    let arms = driver.model.sides.arms.map(|arms| arms.map(|a| a.to_string()));
    assert_eq!(arms, Some(["faults:f0".into(), "faults:f1".into()]));
    let mut driver = Driver::new(example(), (120, 40), "dark");
    driver.keys("4");
    let at_play = driver.model.step.episode.as_ref().map(|e| e.task().arm.to_string());
    assert_eq!(at_play.as_deref(), Some("baddata:b2"), "the task that Plan would play");
    assert!(driver.text().contains("> baddata"), "{}", driver.text());
    driver.keys("2 v");
    assert_eq!(sides(&driver).b.arm().to_string(), "baddata:b2");
    // The way back is the way one came.
    driver.keys("esc");
    assert_eq!(driver.model.screen, Screen::Plan);
    let mut driver = self::driver("faults:f1");
    driver.keys("v tab");
    assert_eq!(driver.model.screen, Screen::Sides);
    driver.keys("esc");
    assert_eq!(driver.model.screen, Screen::Sides, "the other pane first");
    driver.keys("esc");
    assert_eq!(driver.model.screen, Screen::Step);
}

#[test]
fn hostile_values_are_shown_safely_on_both_sides() {
    let begin = at(file("tests/files/refused.json"), "faults:f0", 0);
    let mut driver = Driver::new(begin, (80, 24), "mono");
    driver.keys("x v");
    let (buf, _) = driver.buffer();
    assert!(!text_of(&buf).chars().any(|c| c.is_control() && c != '\n'));
}
