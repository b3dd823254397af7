//! Snapshots of every screen and overlay at three sizes in four themes, styles included; every size drawn.

use crate::driver::{Driver, at, bytes, example, file, styles_of, text_of};
use crate::runs;
use rehearsal::tui::Start;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (50, 15)];
const THEMES: [&str; 4] = ["dark", "light", "contrast", "mono"];

/// Text once, then the styles in each theme: a letter a style, and what the letters stand for. Where the letters of
/// another theme stand as those of `dark` do, only their meaning is given.
fn dump(make: &dyn Fn(&str) -> Driver) -> String {
    let mut out = String::new();
    let mut dark = (String::new(), String::new());
    for theme in THEMES {
        let driver = make(theme);
        let (buf, cursor) = driver.buffer();
        let text = text_of(&buf);
        let (map, legend) = styles_of(&buf);
        if theme == "dark" {
            out.push_str(&text);
            out.push_str(&cursor.map_or_else(String::new, |at| format!("cursor at {},{}\n", at.x, at.y)));
            dark = (text.clone(), map.clone());
        }
        // The theme's own name is told in no screen, so the text is the same in all of them.
        assert_eq!(text, dark.0, "the text differs in {theme}");
        out.push_str(&format!("--- {theme}\n{legend}"));
        if theme == "dark" {
            out.push_str(&map);
        } else if map == dark.1 {
            out.push_str("(as in dark)\n");
        } else {
            out.push_str(&map);
        }
    }
    out
}

/// What some keys lead to, at every size, as one snapshot.
pub fn snapshot(name: &str, begin: &dyn Fn() -> Start, go: &dyn Fn(&mut Driver)) {
    keep(name, &shown(begin, go));
}

/// What opens above a screen, with what leads there.
pub type Above<'a> = (&'a str, &'a dyn Fn() -> Start, &'a dyn Fn(&mut Driver));

/// Several of a kind as one snapshot.
pub fn snapshot_all(name: &str, several: &[Above<'_>]) {
    let all: Vec<String> =
        several.iter().map(|(label, begin, go)| format!("##### {label}\n{}", shown(*begin, *go))).collect();
    keep(name, &all.join("\n"));
}

fn shown(begin: &dyn Fn() -> Start, go: &dyn Fn(&mut Driver)) -> String {
    let mut all = String::new();
    for size in SIZES {
        let make = |theme: &str| {
            let mut driver = Driver::new(begin(), size, theme);
            go(&mut driver);
            driver
        };
        all.push_str(&format!("=== {}x{}\n{}", size.0, size.1, dump(&make)));
    }
    all
}

fn keep(name: &str, all: &str) {
    insta::with_settings!({snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name, all);
    });
}

pub fn keys(keys: &'static str) -> impl Fn(&mut Driver) {
    move |driver| {
        driver.keys(keys);
    }
}

#[test]
fn tools() {
    snapshot("tools-file", &example, &keys(""));
    snapshot("tools-tool", &example, &keys("j j j"));
    snapshot("tools-schema", &example, &keys("j j j tab tab j j j"));
    snapshot("tools-flow", &example, &keys("G"));
    snapshot("tools-search", &example, &|d| {
        d.keys("/").type_text("order");
    });
}

#[test]
fn refused() {
    snapshot("tools-refused", &|| file("tests/files/refused.json"), &keys("G"));
    snapshot("plan-refused", &|| file("tests/files/refused.json"), &keys("2"));
    snapshot("broken", &|| bytes("broken.json", b"{\n  \"tools\": [\n    {\"name\": \"a\",,}\n  ]\n}\n"), &keys(""));
}

#[test]
fn plan() {
    snapshot("plan", &example, &keys("2 j l"));
    snapshot("plan-unavailable", &|| bytes("orders.openai.json", ORDERS), &keys("2 j j j j j j"));
    snapshot("plan-task", &example, &keys("2 G l tab tab j j j j"));
    snapshot("plan-seed", &example, &|d| {
        d.keys("2 s").type_text("404");
    });
}

const ORDERS: &[u8] = include_bytes!("../../examples/orders/orders.openai.json");

fn faults() -> Start {
    at(example(), "faults:f2", 404)
}

fn lagged() -> Start {
    at(example(), "lagged:g1", 404)
}

fn bad() -> Start {
    at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404)
}

#[test]
fn step() {
    snapshot("step-start", &faults, &keys(""));
    snapshot("step-fault", &faults, &keys("n"));
    snapshot("step-ended", &faults, &keys("e"));
    snapshot("step-back", &faults, &keys("n n n b b"));
    snapshot("step-store", &faults, &keys("n n n tab tab"));
    snapshot("step-bad-read", &bad, &keys("n"));
    snapshot("step-bad-read-again", &bad, &keys("n n"));
    snapshot("step-stale-read", &lagged, &keys("n n"));
    snapshot("step-none", &crate::driver::idle, &keys("3"));
    snapshot("step-ended-early", &bad, &keys("n n n b b r"));
    snapshot("step-branch", &bad, &keys("n n n b ."));
    snapshot("step-watched", &bad, &keys("n n n tab tab j j j j j W"));
}

#[test]
fn what_is_told_of_an_episode() {
    snapshot("told-agent", &bad, &keys("n n n a"));
    snapshot("told-agent-chat", &faults, &keys("n a g j"));
    snapshot("told-origin", &bad, &keys("n n n tab j j o"));
    snapshot("told-write", &bad, &keys("n n n tab tab G k k k k k k k k k k k k enter"));
    snapshot("told-difference", &bad, &keys("n n n d"));
    snapshot("told-branches", &bad, &keys("n n n b . t"));
    snapshot("told-stops", &bad, &keys("n B enter down enter"));
    snapshot("told-places", &bad, &keys("n n n w"));
    snapshot("told-wrong", &bad, &keys("X"));
    snapshot("told-step", &bad, &keys("n tab tab j enter"));
}

#[test]
fn overlays() {
    snapshot("help", &faults, &keys("?"));
    snapshot("palette", &faults, &|d| {
        d.keys(":").type_text("rep");
    });
    snapshot("copy", &faults, &keys("n y"));
    snapshot("form", &faults, &keys("c enter"));
    snapshot("form-raw", &faults, &keys("c enter ctrl-r"));
    snapshot("form-tool", &faults, &keys("c"));
    snapshot("flow", &example, &keys("j f enter"));
}

/// Draws a screen at sizes from 1x1 to 120x40, so many columns and lines apart.
fn every_size(go: &str, apart: (usize, usize)) {
    every_size_of(&faults, &format!("n n {go}"), apart);
}

/// The same of another beginning.
pub fn every_size_of(begin: &dyn Fn() -> Start, go: &str, (columns, lines): (usize, usize)) {
    let mut driver = Driver::new(begin(), (120, 40), "dark");
    driver.keys(go);
    for width in (1..=120).step_by(columns) {
        for height in (1..=40).step_by(lines) {
            driver.send(rehearsal::tui::msg::Msg::Resize(width, height));
            let (buf, cursor) = driver.buffer();
            assert!(cursor.is_none_or(|at| at.x < width && at.y < height), "{go} {width}x{height}: {cursor:?}");
            if width >= 30 && height >= 8 {
                assert!(!text_of(&buf).trim().is_empty(), "{go} {width}x{height} is empty");
            }
        }
    }
}

#[test]
fn the_tools_screen_draws_at_every_size() {
    every_size("1 j j", (1, 1));
}

#[test]
fn the_plan_screen_draws_at_every_size() {
    every_size("2", (1, 1));
}

#[test]
fn the_step_screen_draws_at_every_size() {
    every_size("3", (1, 1));
}

#[test]
fn the_card_screen_draws_at_every_size() {
    every_size_of(&runs::card, "j j j enter j j enter", (1, 1));
}

#[test]
fn the_compare_screen_draws_at_every_size() {
    every_size_of(&runs::compared, "j", (1, 1));
}

#[test]
fn two_episodes_draw_at_every_size() {
    every_size_of(&runs::compared, "n enter j j", (1, 1));
}

#[test]
fn two_tool_files_draw_at_every_size() {
    every_size_of(&runs::two_files, "n n n", (1, 1));
}

#[test]
fn the_list_of_runs_draws_at_every_size() {
    every_size_of(&runs::listed, "", (1, 1));
}

#[test]
fn two_sides_draw_at_every_size() {
    every_size_of(&bad, "n n v b", (1, 1));
}

#[test]
fn the_dials_screen_draws_at_every_size() {
    every_size_of(&bad, "n x right", (1, 1));
}

#[test]
fn what_opens_above_draws_at_any_size() {
    for go in ["?", ":", "/", "y", "c enter", "c enter ctrl-r", "a", "d", "tab j j o"] {
        every_size(go, (3, 2));
    }
    for go in ["B", "b . t", "w", "X", "ctrl-s", "ctrl-s enter", "ctrl-o", "v p", "v a", "tab f4", "C tab tab", "&"] {
        every_size(go, (5, 3));
    }
}
