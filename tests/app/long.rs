//! A 10,000-call episode steps, scrolls and draws as a short one does.

use crate::driver::{Driver, at, example};
use rehearsal::episode::Episode;
use rehearsal::task::Call;
use rehearsal::tui::screens::step;
use rehearsal::value::{Map, Value};
use std::time::{Duration, Instant};

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

/// The least time some keys took, drawn after each.
fn time(driver: &mut Driver, keys: &str) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..5 {
        let began = Instant::now();
        for key in keys.split_whitespace() {
            driver.keys(key);
            driver.buffer();
        }
        least = least.min(began.elapsed());
    }
    least
}

#[test]
fn a_long_episode_is_as_quick_as_a_short_one() {
    let (mut short, mut long) = (driver(40), driver(10_000));
    assert_eq!(long.model.step.episode.as_ref().unwrap().calls().len(), 10_000);
    for keys in [
        // Steps, selects, scrolls in every pane, marks, breakpoints, the agent's view once it is open.
        "b f b f k j pgup pgdn",
        "tab j j tab j j pgdn pgup tab",
        "m W W w esc",
        ". b n b",
    ] {
        let (a, b) = (time(&mut short, keys), time(&mut long, keys));
        assert!(b < a * 8 + Duration::from_millis(20), "{keys}: {b:?} for 10,000 calls, {a:?} for 40");
    }
    short.keys("0 a");
    long.keys("a");
    let (a, b) = (time(&mut short, "j k pgup pgdn J K"), time(&mut long, "j k pgup pgdn J K"));
    assert!(b < a * 8 + Duration::from_millis(20), "messages: {b:?} for 10,000 calls, {a:?} for 40");
}
