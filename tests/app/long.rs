//! A 10,000-call episode scrolls, searches and steps; how quickly is measured in `benches/screen.rs`.

use crate::driver::{Driver, at, example, session};
use rehearsal::episode::Episode;
use rehearsal::task::Call;
use rehearsal::tui::live::{Ask, Told};
use rehearsal::tui::msg::Msg;
use rehearsal::tui::screens::step;
use rehearsal::value::{Map, Value};
use rehearsal::work::{self, Cancel, Control, Report};
use std::cell::RefCell;
use std::rc::Rc;

/// An episode of so many calls, half of them writes, each with values of its own.
fn driver(calls: usize) -> Driver {
    let mut driver = Driver::new(at(example(), "faults:f0", 404), (120, 40), "dark");
    let task = driver.model.step.episode.as_ref().unwrap().task().clone();
    let mut episode = Episode::new(task);
    for i in 0..calls {
        let id = Value::from(format!("order{i}"));
        let (tool, arguments) = if i % 2 == 0 {
            ("get_order", Map::from([("order_id", id)]))
        } else {
            ("refund_order", Map::from([("order_id", id), ("amount", Value::from(i)), ("reason", "damaged".into())]))
        };
        episode.make(Call { tool: tool.into(), arguments: arguments.into() });
    }
    let middle = episode.calls().len() / 2;
    step::open_episode(&mut driver.model, episode, middle);
    driver
}

/// After how many calls the episode stands.
fn stands(driver: &Driver) -> usize {
    driver.model.step.episode.as_ref().unwrap().cursor()
}

#[test]
fn a_long_episode_scrolls_searches_and_steps() {
    let mut d = driver(10_000);
    assert_eq!(d.model.step.episode.as_ref().unwrap().calls().len(), 10_000);
    assert_eq!(stands(&d), 5_000);
    d.keys("b b b f");
    assert_eq!(stands(&d), 4_998);
    d.keys("G");
    assert_eq!(stands(&d), 10_000);
    d.keys("/").type_text("order1234\"").keys("enter");
    assert_eq!(stands(&d), 1_235);
    assert!(d.text().contains("order1234"), "{}", d.text());
    // Repeating a call in the middle starts a branch there; the calls that followed stay on the other one.
    d.keys(".");
    let episode = d.model.step.episode.as_ref().unwrap();
    assert_eq!((episode.cursor(), episode.branches().len()), (1_236, 2));
    d.keys("0");
    assert_eq!(stands(&d), 0);
}

#[test]
fn a_long_session_comes_back_as_a_job_while_the_screen_lives() {
    let mut left = driver(3_000);
    left.keys("b b . G r b 0 f f f");
    let session = session(&left);
    let mut d = Driver::new(example(), (120, 40), "dark");
    d.hold = true;
    d.send(Msg::Live(Told::Taken(Ok(session.clone()))));
    let (id, request) = d.held.take().unwrap();
    let cancel = Cancel::default();
    d.send(Msg::Started(id, cancel.clone()));
    let told = Rc::new(RefCell::new(Vec::new()));
    let tell = told.clone();
    let control = Control::new(Cancel::default(), move |progress| tell.borrow_mut().push(progress));
    let resumed = work::resume(*request, &control).unwrap();
    drop(control);
    let told = Rc::into_inner(told).unwrap().into_inner();
    assert!(told.len() > 8, "{told:?}");
    d.send(Msg::Resumed(id, Report::Progress(told[told.len() / 2].clone())));
    assert!(d.text().contains("bringing the session back, 1536 of 3"), "{}", d.text());
    // One can look around meanwhile, and nothing is played under it.
    d.keys("3 n");
    assert!(d.text().contains("still resuming the session; esc stops it"), "{}", d.text());
    assert_eq!(d.model.step.episode.as_ref().unwrap().calls().len(), 0);
    d.keys("1 2 ? esc");
    d.send(Msg::Resumed(id, Report::Done(Some(Box::new(resumed)))));
    d.keys("3");
    let (now, then) = (d.model.step.episode.as_ref().unwrap(), left.model.step.episode.as_ref().unwrap());
    assert_eq!((now.cursor(), now.branches()), (3, then.branches()));
    assert_eq!(now.calls().len(), then.calls().len());
    assert!(!cancel.is_cancelled());
    // Stopped on the way, what was written down can be read.
    d = Driver::new(example(), (120, 40), "dark");
    d.hold = true;
    d.send(Msg::Live(Told::Taken(Ok(session))));
    let (id, request) = d.held.take().unwrap();
    let cancel = Cancel::default();
    d.send(Msg::Started(id, cancel.clone()));
    d.keys("esc");
    assert!(cancel.is_cancelled());
    assert!(d.text().contains("stopped; the journal is unchanged"), "{}", d.text());
    assert!(work::resume(*request, &Control::new(cancel, |_| {})).is_none());
    d.keys("esc");
    assert!(d.text().contains("this session is read-only"), "{}", d.text());
    d.send(Msg::Resumed(id, Report::Done(None)));
    assert!(d.text().contains("this session is read-only"));
}

#[test]
fn what_is_copied_of_a_long_episode_is_made_when_it_is_chosen() {
    let mut d = driver(2_000);
    d.keys("G y").type_text("call script");
    assert!(d.text().contains("▌calls so far as a call script"), "{}", d.text());
    d.keys("enter y").type_text("episode as json").keys("enter y").type_text("markdown").keys("enter");
    let script = rehearsal::task::Script::read(d.copied[0].as_bytes()).unwrap();
    assert_eq!(script.calls.len(), 2_000);
    let json: serde_json::Value = serde_json::from_str(&d.copied[1]).unwrap();
    assert_eq!(json["calls"].as_array().unwrap().len(), 2_000);
    assert!(d.copied[2].contains("## 2000. refund_order"));
    d.keys("ctrl-s").type_text("as a script").keys("enter enter");
    let Some(Ask::Write { draft, .. }) = d.live.last() else { panic!("{:?}", d.live.last()) };
    assert_eq!(rehearsal::task::Script::read(draft.text.as_bytes()).unwrap(), script);
}
