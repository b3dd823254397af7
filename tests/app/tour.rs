//! The guided tour, taken from its first step to its last by keys.

use crate::driver::{Driver, example, file};
use rehearsal::tui::Start;
use rehearsal::tui::keymap::Keymap;
use rehearsal::tui::model::{FileState, Screen};
use rehearsal::work::Origin;

const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (50, 15), (40, 12)];

fn step(driver: &Driver) -> usize {
    driver.model.tour.as_ref().map_or(usize::MAX, |tour| tour.step)
}

/// What the band says to press: the key of the model's own map is looked for on the screen.
fn says(driver: &Driver, key: &str) {
    let text = driver.text();
    assert!(text.contains(&format!("press {key}  ")), "step {} does not say {key}:\n{text}", step(driver));
}

/// Every step: the key it must tell of, and the keys that do it.
const KEYS: [(&str, &str); 10] = [
    ("up", ""),
    ("tab", "tab"),
    ("2", "2"),
    ("enter", "enter"),
    ("n", "n"),
    ("b", "b"),
    ("e", "e"),
    ("[", "["),
    ("v", "v"),
    ("p", "p t r u s t enter"),
];

#[test]
fn it_is_taken_from_start_to_end_at_every_size() {
    for size in SIZES {
        let mut driver = Driver::new(example(), size, "dark");
        driver.keys("t");
        for (i, (key, keys)) in KEYS.into_iter().enumerate() {
            assert_eq!(step(&driver), i, "{size:?}");
            if i == 0 {
                says(&driver, "down");
                driver.keys("down");
            } else {
                says(&driver, key);
                driver.keys(keys);
            }
        }
        assert_eq!(step(&driver), 10);
        let text = driver.text();
        assert!(text.contains("tour, done") && text.contains("That was the tour"), "{text}");
        // What it taught is what happened.
        assert_eq!(driver.model.sides.verdicts(), Some([true, false]));
        let kept: Vec<String> = driver.model.step.kept.iter().map(|e| e.task().arm.to_string()).collect();
        assert_eq!(kept, ["baddata:b2"]);
        driver.keys("esc");
        assert!(driver.model.tour.is_none());
        assert!(!driver.text().contains("tour, "));
    }
}

#[test]
fn wherever_one_wanders_it_says_the_way_back() {
    let mut driver = Driver::new(Start { tour: true, ..example() }, (80, 24), "mono");
    driver.keys("down tab 2 enter");
    assert_eq!(step(&driver), 4);
    driver.keys("1");
    says(&driver, "3");
    driver.keys("?");
    says(&driver, "esc");
    driver.keys("esc");
    assert!(driver.model.tour.is_some(), "esc closed what was open above, not the tour");
    driver.keys("3 r");
    says(&driver, "b");
    driver.keys("b n b e 5");
    assert_eq!(step(&driver), 7);
    says(&driver, "3");
    // The dial may be turned on its own screen too.
    driver.keys("4 left enter");
    assert_eq!(step(&driver), 8);
    driver.keys("5");
    says(&driver, "3");
    driver.keys("3");
    says(&driver, "v");
    driver.keys("v p esc");
    assert_eq!((step(&driver), driver.model.screen), (9, Screen::Sides));
    says(&driver, "p");
    // Another player is a player too; what is said at the end is what happened.
    driver.keys("p").type_text("checking").keys("enter");
    assert_eq!((step(&driver), driver.model.sides.verdicts()), (10, Some([true, true])));
    assert!(driver.text().contains("Try other players"), "{}", driver.text());
}

#[test]
fn every_step_can_be_skipped_and_the_rest_still_be_done() {
    for skipped in 0..=10 {
        let mut driver = Driver::new(example(), (80, 24), "dark");
        driver.keys("t");
        for _ in 0..skipped {
            driver.keys("ctrl-n");
        }
        assert!(step(&driver) >= skipped, "{skipped}");
        // Whatever it says to press is pressed, until it is done.
        let mut pressed = 0;
        while step(&driver) < 10 {
            let text = driver.text();
            let line = text.lines().find(|line| line.contains("press ")).unwrap_or_else(|| panic!("{text}"));
            let key = line.trim().trim_start_matches("press ").split_whitespace().next().unwrap().to_owned();
            driver.keys(&key);
            if key == "p" {
                driver.type_text("trust");
            }
            pressed += 1;
            assert!(pressed < 40, "stuck after skipping {skipped}:\n{text}");
        }
        driver.keys("ctrl-n");
        assert!(driver.model.tour.is_none());
    }
}

#[test]
fn it_says_the_keys_as_they_are_bound() {
    let mut driver = Driver::new(Start { tour: true, ..example() }, (80, 24), "dark");
    let own = |name: &str, keys: &[&str]| (name.to_owned(), keys.iter().map(|k| (*k).to_owned()).collect());
    let bound = [own("next-call", &["f8"]), own("next-pane", &[]), own("skip-step", &["f9"])];
    driver.model.keymap = Keymap::new(&bound).unwrap();
    driver.keys("down");
    says(&driver, ": next-pane");
    assert!(driver.text().contains("f9 skips, esc leaves"));
    driver.keys("f9 2 enter");
    says(&driver, "f8");
    driver.keys("f8");
    assert_eq!(step(&driver), 5);
}

#[test]
fn the_file_open_before_comes_back() {
    let mut driver = Driver::new(file("examples/warehouse/warehouse.mcp.json"), (120, 40), "dark");
    driver.keys("t");
    assert!(driver.model.request.origin.is_example());
    assert_eq!(step(&driver), 0);
    driver.keys("down tab 2 enter n");
    assert_eq!(step(&driver), 5);
    driver.keys("esc");
    assert!(matches!(&driver.model.request.origin, Origin::File(path) if path.ends_with("warehouse.mcp.json")));
    assert!(matches!(&driver.model.file, FileState::Open(opened) if !opened.origin.is_example()));
    assert!(driver.model.step.episode.is_none());
}

#[test]
fn an_episode_at_play_before_the_tour_is_kept() {
    let mut driver = Driver::new(example(), (120, 40), "dark");
    driver.keys("2 enter n 1 t");
    assert_eq!((step(&driver), driver.model.step.kept.len()), (0, 1));
    driver.keys("down tab 2 enter");
    assert_eq!(step(&driver), 4);
    says(&driver, "n");
}
