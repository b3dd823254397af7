//! A 10,000-call episode scrolls, searches and steps; how quickly is measured in `benches/screen.rs`.

use crate::driver::{Driver, at, example};
use rehearsal::episode::Episode;
use rehearsal::task::Call;
use rehearsal::tui::screens::step;
use rehearsal::value::{Map, Value};

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
