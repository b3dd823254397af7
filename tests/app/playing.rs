//! Auto-play and the presenter look of the Step screen.

use crate::driver::{Driver, at, example};
use crate::screens::snapshot;
use rehearsal::engine::Ending;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::msg::Msg;

fn begin() -> rehearsal::tui::Start {
    at(example(), "faults:f2", 404)
}

fn made(d: &Driver) -> usize {
    d.model.step.episode.as_ref().unwrap().cursor()
}

/// The beat that was asked for last comes.
fn beat(d: &mut Driver) {
    let id = *d.beats.last().unwrap();
    d.send(Msg::Beat(id));
}

#[test]
fn space_plays_to_the_reply_and_pauses() {
    let mut d = Driver::new(begin(), (100, 30), "dark");
    d.keys("space");
    assert_eq!(made(&d), 1);
    assert!(d.text().contains("playing, 1 call a second"), "{}", d.text());
    d.keys("+");
    assert!(d.text().contains("speed: 2 calls a second"), "{}", d.text());
    d.keys("- -");
    assert!(d.text().contains("speed: 1 call every 2 s"), "{}", d.text());
    let stale = d.beats[0];
    d.send(Msg::Beat(stale));
    assert_eq!(made(&d), 1, "a beat of the old speed is stale");
    beat(&mut d);
    assert_eq!(made(&d), 2);
    d.keys("space");
    assert!(d.text().contains("paused"), "{}", d.text());
    beat(&mut d);
    assert_eq!(made(&d), 2, "it is paused");
    d.keys("space");
    while d.model.step.episode.as_ref().unwrap().ending() == Ending::Open {
        beat(&mut d);
    }
    let beats = d.beats.len();
    beat(&mut d);
    assert_eq!(d.beats.len(), beats, "nothing plays after the reply");
    d.keys("space");
    assert!(d.text().contains("the episode has ended"), "{}", d.text());
}

#[test]
fn breakpoints_other_keys_popups_and_other_screens_stop_it() {
    let mut d = Driver::new(begin(), (100, 30), "dark");
    d.keys("space b");
    beat(&mut d);
    assert_eq!(made(&d), 0, "moving by hand pauses");
    d.keys("space ?");
    beat(&mut d);
    assert_eq!(made(&d), 1, "a popup is read in peace");
    d.keys("esc");
    beat(&mut d);
    assert_eq!(made(&d), 2);
    d.keys("1");
    beat(&mut d);
    assert_eq!((made(&d), d.model.screen), (2, Screen::Tools));
    let mut d = Driver::new(begin(), (100, 30), "dark");
    d.keys("B u n a v enter esc space");
    let (stopped, beats) = (made(&d), d.beats.len());
    assert!(d.text().contains("stopped at call"), "{}", d.text());
    assert_eq!((stopped, beats), (1, 0));
}

#[test]
fn the_presenter_look_shows_two_panes_with_larger_spacing() {
    snapshot("step-presenting", &begin, &|d| {
        d.keys("P n n");
    });
    let mut d = Driver::new(begin(), (120, 40), "dark");
    d.keys("P n");
    let layout = d.model.layout();
    assert_eq!(layout.panes.iter().map(|(pane, _)| *pane).collect::<Vec<_>>(), [Pane::Calls, Pane::Call]);
    assert_eq!((layout.spacing(Pane::Calls), layout.spacing(Pane::Call)), (2, 1));
    d.keys("tab tab");
    assert!(d.model.layout().pane(Pane::Store).is_some());
    d.keys("P");
    assert_eq!(d.model.layout().panes.len(), 3);
}
