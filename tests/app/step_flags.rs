//! `rehearsal step`: where it stops and what it prints beside the calls.

use crate::program::{run, run_with};
use serde_json::json;

const WAREHOUSE: &str = "examples/warehouse/warehouse.mcp.json";

fn step(more: &[&str]) -> crate::program::Ran {
    let mut args = vec!["step", WAREHOUSE, "--arm", "baddata:b2", "--seed", "404"];
    args.extend(more);
    run(&args)
}

#[test]
fn calls_stop_where_they_are_told() {
    let all = step(&["--json"]).json();
    assert_eq!(all["calls"].as_array().unwrap().len(), 3);
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), ["calls", "task_id", "verdict"]);
    for (flags, call, why) in [
        (["--until", "change"], 1, "a change in the store"),
        (["--break", "bad-read"], 1, "the bad read"),
        (["--break", "tool:move_item"], 3, "a call of move_item"),
        (["--watch", "1.to_bin"], 3, "to_bin in the record of step 1 changed"),
    ] {
        let ran = step(&[&flags[..], &["--json"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        let value = ran.json();
        assert_eq!(value["stopped"], json!({"call": call, "why": why}), "{flags:?}");
        assert_eq!(value["calls"].as_array().unwrap()[..], all["calls"].as_array().unwrap()[..call]);
        let text = step(&flags);
        assert!(text.out.contains(&format!("stopped after call {call}: {why}")), "{text:?}");
    }
    assert_eq!(step(&["--break", "bad-read", "--expect", "open"]).code, 0);
    // Nothing stops it: the verdict, and null.
    let value = step(&["--until", "error", "--json"]).json();
    assert_eq!((&value["stopped"], &value["verdict"]["label"]), (&json!(null), &json!("passed")));
}

#[test]
fn what_is_asked_for_is_printed_below() {
    let ran = step(&["--blame", "3/arguments/sku", "--blame", "1/answer/sku", "--diff", "2..3", "--messages"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for words in [
        "where 3/arguments/sku comes from: Call 3 (move_item) sent it as sku; the value came from the answer of call 2 at /sku.",
        "where 1/answer/sku comes from: Call 1 (find_sku) was the bad read, level 2",
        "the store from call 2 to call 3",
        "  + step 1 passed",
        "  ~ record of step 1 (move_item): new {",
        "  + write 1: move_item",
        "-- user",
        "-- assistant of call 1",
        "\"method\": \"tools/call\"",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let value =
        step(&["--blame", "3/arguments/sku", "--diff", "..2", "--messages", "--json", "--break", "side-effect"]).json();
    assert_eq!(value["blame"][0]["blame"]["seen"], json!({"call": 2, "at": "/sku"}));
    assert_eq!((&value["diff"]["from"], &value["diff"]["to"]), (&json!(0), &json!(2)));
    assert_eq!(value["diff"]["difference"]["passed"], json!([0]));
    assert_eq!(value["messages"].as_array().unwrap().len(), 2 + 2 * 3);
    assert_eq!(value["messages"][7]["call"], json!(3));
    assert_eq!(value["stopped"], json!(null));
    // The JSON with more in it is still a call script.
    let text = serde_json::to_vec(&value).unwrap();
    let again = run_with(&["step", WAREHOUSE, "--arm", "baddata:b2", "--seed", "404", "--calls", "-", "--json"], &text);
    let texts = |value: &serde_json::Value| {
        let calls = value["calls"].as_array().unwrap().iter();
        calls.map(|call| call["answer"]["text"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&again.json()), texts(&value));
}

#[test]
fn wrong_flags_say_what_is_taken() {
    for (flags, code, says) in [
        (["--until", "eror"], 2, "--until takes error, change or end, not eror"),
        (["--break", "404"], 2, "--break takes tool:NAME, not_found,"),
        (["--watch", "x"], 2, "--watch takes a step's number, or STEP.FIELD, not x"),
        (["--watch", "0"], 1, "step 0 is not a write of this task; its writes are 1"),
        (["--blame", "0/answer"], 2, "--blame takes a place as in 2/answer/id"),
        (["--blame", "9/answer"], 1, "--blame 9/answer: no such call or place"),
        (["--diff", "1-2"], 2, "--diff takes two numbers of calls, as in 0..3, not 1-2"),
        (["--diff", "0..9"], 1, "--diff: no call 9: only 3 calls made"),
    ] {
        let ran = step(&flags);
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.err.contains(says), "{ran:?}");
    }
}
