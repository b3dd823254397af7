//! The Step screen by keys: time travel, branches, kept episodes.

use crate::driver::{Driver, at, example};
use rehearsal::episode::Episode;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::screens::step;

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
