//! Two responses side by side, and one beside an episode that a run recorded.

use crate::driver::{Driver, example};
use crate::screens::snapshot;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::screens::pair::{self, Aligned, PairScreen};
use rehearsal::uhp::client::transcript::Transcript;
use rehearsal::work::response::{Half, Pair};
use serde_json::{Value, json};
use std::path::Path;

const REFUND: &str = r#"{"order_id": "abcdef", "amount": 12.5}"#;

/// A response with these calls, each thought about first, and a last word.
fn response(model: &str, status: &str, calls: &[(&str, &str, &str)]) -> Half {
    let mut output = Vec::new();
    for (n, (tool, arguments, answer)) in calls.iter().enumerate() {
        let summary = json!([{"type": "summary_text", "text": format!("Now {tool}, the {n}th time of thinking.")}]);
        output.push(json!({"type": "reasoning", "id": format!("rs_{n}"), "summary": summary}));
        output.push(json!({"type": "function_call", "call_id": n.to_string(), "name": tool, "arguments": arguments}));
        output.push(json!({"type": "function_call_output", "call_id": n.to_string(), "output": answer}));
    }
    let said = json!([{"type": "output_text", "text": format!("{model} is done."), "annotations": []}]);
    output.push(json!({"type": "message", "role": "assistant", "content": said}));
    let body = json!({"object": "response", "id": "resp_1", "status": status, "model": model, "output": output});
    Half::Response(Box::new(Transcript::of(&body)))
}

fn patient() -> Half {
    let calls = [
        ("get_order", r#"{"order_id": "abcdef"}"#, r#"{"id": "abcdef", "amount": 12.5}"#),
        ("refund_order", REFUND, r#"{"error": {"code": "unavailable", "message": "later"}}"#),
        ("refund_order", REFUND, r#"{"ok": true}"#),
    ];
    response("patient", "completed", &calls)
}

fn hasty() -> Half {
    let calls = [
        ("get_order", r#"{"order_id": "abcdef"}"#, r#"{"amount": 12.50, "id": "abcdef", "paid": true}"#),
        ("refund_order", REFUND, r#"{"error": {"code": "unavailable", "message": "later"}}"#),
    ];
    response("hasty", "failed", &calls)
}

fn open(a: Half, b: Half, size: (u16, u16)) -> Driver {
    let mut driver = Driver::new(example(), size, "dark");
    begin(&mut driver, a, b);
    driver
}

fn begin(driver: &mut Driver, a: Half, b: Half) {
    let pair = Pair::of(("patient.json".into(), a), ("hasty.json".into(), b));
    driver.model.pair = PairScreen::with(Box::new(Aligned::of_pair(pair)));
    driver.model.screen = Screen::Pair;
    let effects = pair::start(&mut driver.model);
    driver.perform(effects);
}

#[test]
fn two_responses_step_together_and_each_opens_by_itself() {
    let mut driver = open(patient(), hasty(), (120, 40));
    assert_eq!(driver.model.cursor(Pane::Aligned).at, 0, "they part at the first answer");
    snapshot("responses-aligned", &example, &|d| begin(d, patient(), hasty()));
    let text = driver.text();
    assert!(text.contains("A patient.json: completed") && text.contains("B hasty.json: failed"), "{text}");
    assert!(text.contains("\"paid\": true") && text.contains("Now get_order"), "{text}");
    assert!(!text.contains("store after it"), "what a server stored is not known: {text}");
    driver.keys("n");
    let text = driver.text();
    assert!(text.contains("B did not repeat the call."), "{text}");
    assert!(text.contains("! 2 refund_order"), "an answer that says it is an error has its sign: {text}");

    driver.keys("enter");
    assert_eq!(driver.model.screen, Screen::Remote);
    let text = driver.text();
    assert!(text.contains("patient.json") && text.contains("call 3: refund_order"), "{text}");
    assert!(text.contains("esc back") && !text.contains("i input"), "{text}");
    driver.keys("b");
    assert!(driver.text().contains("call 2: refund_order"));
    driver.keys("esc");
    assert_eq!((driver.model.screen, driver.model.cursor(Pane::Aligned).at), (Screen::Pair, 2));
    driver.keys("b");
    let text = driver.text();
    assert!(text.contains("hasty.json") && text.contains("call 2: refund_order"), "{text}");
    driver.keys("backspace G k k");
    assert_eq!(driver.model.screen, Screen::Pair);
    let text = driver.text();
    assert!(text.contains("patient is done.") && text.contains("hasty is done."), "{text}");
    driver.keys("enter");
    assert!(driver.text().contains("+ completed"), "at its end: {}", driver.text());
    driver.keys("esc esc esc");
    assert_eq!(driver.model.screen, Screen::Pair, "there is nothing to go back to");
}

#[test]
fn two_responses_that_agree_say_so_and_fit_small_windows() {
    for size in [(80, 24), (50, 15), (40, 12), (1, 1)] {
        let mut driver = open(patient(), patient(), size);
        driver.keys("j j tab tab tab G enter esc b esc");
        let text = driver.text();
        assert!(size.0 < 80 || text.contains("got the same answers") && text.contains("all the same"), "{text}");
    }
}

#[test]
fn a_response_stands_beside_the_recorded_episode_of_its_task() {
    let folder = Path::new("examples/runs/careful");
    let line = std::fs::read_to_string(folder.join("traces.jsonl")).unwrap();
    let trace: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    let about = |seed: u64, id: &str| {
        let rehearsal = json!({"arm": trace["arm_id"], "seed": seed, "player": "checking", "task_id": id});
        let body = json!({"object": "response", "status": "completed", "model": "rehearsal/checking", "output": [],
            "metadata": {"rehearsal": rehearsal}});
        Transcript::of(&body)
    };
    let (seed, id) = (trace["seed"].as_u64().unwrap(), trace["task_id"].as_str().unwrap());
    let refused = |transcript: &Transcript| Half::recorded(folder, transcript).unwrap_err();
    assert!(refused(&about(999_999, id)).contains("has no episode of"));
    assert!(refused(&about(seed, "other")).contains("another task"));
    let silent = Transcript::of(&json!({"object": "response", "status": "completed", "output": []}));
    assert!(refused(&silent).contains("does not say"));

    let own = about(seed, id);
    let recorded = Half::recorded(folder, &own).unwrap();
    let mut driver = open(Half::Response(Box::new(own)), recorded, (120, 40));
    let text = driver.text();
    assert!(text.contains(&format!("{} seed {seed}", trace["arm_id"].as_str().unwrap())), "{text}");
    driver.keys("b");
    assert_eq!(driver.model.screen, Screen::Step, "the recorded side opens in the stepper: {}", driver.text());
}
