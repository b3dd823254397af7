//! The store and the verdict on the Step screen: seen at every size, with wrong writes told apart.

use crate::driver::{Driver, at, file};
use rehearsal::task::Call;
use rehearsal::tui::screens::step;
use rehearsal::value::{Map, Value};

fn hotel(arm: &str, size: (u16, u16)) -> Driver {
    Driver::new(at(file("examples/hotel/hotel.mcp.json"), arm, 20), size, "dark")
}

#[test]
fn a_long_answer_is_read_whole_and_the_store_is_seen_at_every_size() {
    for size in [(80, 24), (100, 30), (120, 40), (200, 60)] {
        let mut driver = hotel("landed:l1", size);
        driver.keys("n");
        let text = driver.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.contains(&"through.\""), "{size:?}: {text}");
        assert!(text.contains("─ store") && text.contains("records (1 of 1 written)"), "{size:?}: {text}");
        assert!(text.contains("replying now would be passed"), "{size:?}: {text}");
    }
}

#[test]
fn a_wrong_write_shows_what_was_expected() {
    let mut driver = hotel("baddata:b2", (120, 40));
    driver.keys("n n");
    let task = driver.model.step.episode.as_ref().unwrap().task().clone();
    let write = task.reference_calls.last().unwrap();
    let changed = task.bad_read.as_ref().unwrap().value.clone();
    let right = task.named_reads[0].field.clone();
    // The write with the value of the bad read in place of the right one.
    let served = task.steps[0].serves.iter().find(|(name, _)| *name == right).unwrap().1.clone();
    let arguments = write.arguments.as_object().unwrap().named();
    let swapped: Map = arguments
        .map(|(name, value)| (name.clone(), if *value == served { changed.clone() } else { value.clone() }))
        .collect();
    step::make(&mut driver.model, Call { tool: write.tool.clone(), arguments: Value::object(swapped) });
    let text = driver.text();
    assert!(text.contains("side effect now") && text.contains("compared with step 1"), "{text}");
    assert!(text.contains(": expected 9.8, got"), "{text}");
}

#[test]
fn an_ended_episode_says_so_in_large_letters_and_offers_what_is_left() {
    for size in [(80, 24), (120, 40)] {
        let mut driver = hotel("landed:l1", size);
        driver.keys("n n r");
        let text = driver.text();
        assert!(text.contains("█") && text.contains("+ passed"), "{text}");
        let footer = text.lines().last().unwrap();
        assert!(footer.contains("undo ending") && !footer.contains("n next"), "{footer}");
    }
}
