//! What is shown to others: dials, two sides and the tour, as snapshots at three sizes in four themes, and at every size.

use crate::driver::{Driver, at, example, file};
use crate::program::run;
use crate::screens::{every_size_of, keys, snapshot};
use rehearsal::tui::Start;

fn bad() -> Start {
    at(example(), "baddata:b2", 404)
}

fn lagged() -> Start {
    at(example(), "lagged:g1", 404)
}

fn faults() -> Start {
    at(example(), "faults:f0", 404)
}

fn trusting(driver: &mut Driver) {
    driver.keys("v p").type_text("trust").keys("enter");
}

#[test]
fn dials() {
    snapshot("dials-at-play", &bad, &keys("n x"));
    snapshot("dials-ahead", &faults, &keys("n x right right"));
    snapshot("dials-turned", &faults, &keys("n x right right enter"));
    snapshot("dials-another", &bad, &keys("n x g j"));
    snapshot("dials-none", &crate::driver::idle, &keys("4"));
    snapshot("step-turned", &faults, &keys("n ]"));
}

#[test]
fn sides() {
    snapshot("sides-bad-data", &bad, &trusting);
    snapshot("sides-bad-data-call", &bad, &|driver| {
        trusting(driver);
        driver.keys("b");
    });
    snapshot("sides-start", &bad, &|driver| {
        trusting(driver);
        driver.keys("0");
    });
    snapshot("sides-lag", &lagged, &keys("n n v"));
    snapshot("sides-faults", &faults, &|driver| {
        driver.keys("] v p").type_text("blind").keys("enter");
    });
    snapshot("sides-players", &bad, &keys("v p"));
    snapshot("sides-refused", &|| at(file("examples/warehouse/warehouse.mcp.json"), "faults:f0", 404), &|driver| {
        driver.keys("v p").type_text("wrong").keys("enter");
    });
}

#[test]
fn tour() {
    snapshot("tour-first", &example, &keys("t"));
    snapshot("tour-step", &example, &keys("t down tab 2 enter n"));
    snapshot("tour-done", &example, &|driver| {
        driver.keys("t down tab 2 enter n b e [ v p").type_text("trust").keys("enter");
    });
}

#[test]
fn they_draw_at_any_size() {
    for go in ["x right", "v", "v b", "v 0", "1 t", "1 t down tab 2 enter n b e [ v"] {
        every_size_of(&bad, go, (3, 2));
    }
}

#[test]
fn the_command_line_prints_what_the_screen_shows() {
    let flags = ["step", "examples/orders/orders.openai.json", "--arm", "baddata:b0", "--against", "baddata:b2"];
    let with = |more: &[&'static str]| run(&[&flags[..], &["--seed", "404"][..], more].concat());
    let played = with(&["--player", "trusting", "--json"]).json();
    assert_eq!(played["a"]["verdict"]["label"], "passed");
    assert_eq!(played["b"]["verdict"]["label"], "wrong_state");
    assert_eq!((&played["a"]["arm"], &played["b"]["arm"]), (&"baddata:b0".into(), &"baddata:b2".into()));
    assert_eq!(played["first_divergence"], 0);
    let differs = serde_json::json!([{"at": "/id", "a": "unbrdw", "b": "wtgyld"}]);
    assert_eq!(played["rows"][0], serde_json::json!({"kind": "answer", "a": 1, "b": 1, "differs": differs}));
    assert_eq!(played["rows"][1]["kind"], "arguments");
    assert_eq!(played["b"]["reasons"].as_array().unwrap().len(), 2);

    let text = with(&["--player", "trusting"]).out;
    let line = text.lines().find(|line| line.contains(r#"id  "unbrdw""#)).unwrap();
    assert!(line.contains(" ~│ ") && line.ends_with(r#"id  "wtgyld""#), "{line}");
    assert!(
        text.contains("+ passed: the expected write is done") && text.contains("! wrong_state: 1 of 1 writes missing")
    );
    assert!(text.lines().all(|line| rehearsal::text::width(line) <= 118), "{text}");

    // Without a player the calls are sent to both: the reference solution knows the right value.
    let sent = with(&["--json"]).json();
    assert_eq!((&sent["a"]["verdict"]["label"], &sent["b"]["verdict"]["label"]), (&"passed".into(), &"passed".into()));
    let wrong = with(&["--calls", "wrong:wrong_state", "--json"]).json();
    assert_eq!(wrong["b"]["verdict"]["label"], "wrong_state");
}

#[test]
fn what_cannot_be_set_side_by_side_is_refused() {
    let file = "examples/orders/orders.openai.json";
    for (args, code, says) in [
        (vec!["--arm", "baddata:b0", "--against", "baddata:b9"], 1, "baddata:b9"),
        (vec!["--arm", "baddata:b0", "--against", "nodial:x1"], 1, "no arm nodial:x1"),
        (vec!["--arm", "baddata:b0", "--against", "baddata:b2", "--player", "nobody"], 2, "no player"),
        (vec!["--arm", "baddata:b0", "--against", "baddata:b2", "--player", "mix:once=1,trusting=1"], 1, "a mix"),
        (vec!["--arm", "baddata:b0", "--against", "baddata:b2", "--player", "wrong:nothing"], 1, "no wrong answer"),
        (vec!["--arm", "baddata:b0", "--player", "trusting"], 2, "--against"),
    ] {
        let ran = run(&[&["step", file][..], &args].concat());
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "");
    }
    let tour = run(&["--tour"]);
    assert_eq!((tour.code, tour.out.lines().count()), (0, 11), "{tour:?}");
    assert!(tour.out.contains("Turn the dial under the calls made") && tour.out.contains("[v]"));
    assert_eq!(run(&["--tour", file]).code, 2);
}
