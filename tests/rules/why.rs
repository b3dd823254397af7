//! The words of an explanation and the places they name (rules 7.8), on tasks made by hand.
use crate::hand::{GET, PAY, bad_read, call, engine, pay_step, play, shop, step, task, value};
use rehearsal::engine::explain::{self, Place};
use rehearsal::engine::{Ending, Made};
use rehearsal::task::{Call, StepEffect, Task};
use rehearsal::toolfile::Format;

fn pay_task() -> Task {
    task(Format::OpenAi, shop(), vec![pay_step()])
}

fn made(task: &Task, calls: &[Call]) -> Vec<Made> {
    let outcomes = play(&engine(task.clone()), calls);
    calls.iter().cloned().zip(outcomes).map(|(call, outcome)| Made { call, outcome }).collect()
}

/// The why of the last call, and the places it names.
fn why(task: &Task, calls: &[Call]) -> (String, Vec<Place>) {
    let made = made(task, calls).pop().unwrap();
    let why = explain::why(task, &made);
    assert_eq!(why.text(), explain::sentence(task, &made));
    assert!(!why.text().contains('\n'));
    (why.text(), why.places().cloned().collect())
}

fn get() -> Call {
    call("get_order", GET)
}

fn pay() -> Call {
    call("pay", PAY)
}

/// Checks the words of the last call and the places they name.
fn says(task: &Task, calls: &[Call], words: &str, places: &[Place]) {
    assert_eq!(why(task, calls), (words.to_owned(), places.to_vec()));
}

use Place::{Call as AtCall, Step as AtStep, Write as AtWrite};

#[test]
fn calls_that_reach_no_tool() {
    let text = Call { tool: "pay".into(), arguments: value("[1]") };
    says(&pay_task(), &[text], "The arguments are a list, not an object, so no tool got this call (clause 2).", &[]);
    let near = "This task has no tool of that name (clause 3). The nearest name is tell.";
    says(&pay_task(), &[call("tel", "{}")], near, &[]);
}

#[test]
fn planned_errors_are_counted() {
    let mut faults = pay_task();
    faults.fault_plan = vec![("pay".into(), 2)];
    says(&faults, &[pay()], "This is planned fault 1 of 2 of pay, checked before anything else.", &[]);
    let schema = Place::Schema { tool: "pay".into(), pointer: "/properties/order_id".to_owned() };
    says(
        &faults,
        &[pay(), call("pay", "{}")],
        "This is planned fault 2 of 2 of pay, checked before anything else. It counts as used even though the arguments \
         do not fit the schema at /order_id: order_id is required (clause 4).",
        &[schema],
    );
    let mut timeouts = pay_task();
    timeouts.timeout_plan = vec![("pay".into(), 1)];
    says(&timeouts, &[pay()], "This is planned timeout 1 of 1 of pay, so nothing changed.", &[]);
    let mut limits = pay_task();
    limits.rate_limit_plan = vec![("pay".into(), 4)];
    says(&limits, &[pay(), pay()], "This is planned rate limit 2 of 4 of pay, so the call did nothing.", &[]);
}

#[test]
fn a_broken_schema_is_named_with_its_place() {
    let negative = call("pay", r#"{"order_id":"ulbifi","amount":-1}"#);
    let schema = Place::Schema { tool: "pay".into(), pointer: "/properties/amount".to_owned() };
    let words = "The arguments do not fit the schema of pay at /amount: must be at least 0 (clause 4).";
    says(&pay_task(), &[negative], words, &[schema]);
}

#[test]
fn places_lead_into_lists_of_the_schema() {
    let input = r#"{"type":"object","properties":{"a/b":{"type":"array","prefixItems":[{"type":"string"}],
        "items":{"type":"object","properties":{"n":{"type":"integer"}}}}}}"#;
    let mut tools = shop();
    tools[2] = crate::hand::tool("pay", rehearsal::toolfile::Effect::Write, input, None);
    let task = task(Format::Mcp, tools, vec![pay_step()]);
    let place = |arguments: &str| why(&task, &[call("pay", arguments)]).1.pop().unwrap();
    let at = |pointer: &str| Place::Schema { tool: "pay".into(), pointer: pointer.to_owned() };
    assert_eq!(place(r#"{"a/b":[1]}"#), at("/properties/a~1b/prefixItems/0"));
    assert_eq!(place(r#"{"a/b":["s",{"n":1.5}]}"#), at("/properties/a~1b/items/properties/n"));
}

#[test]
fn reads_say_which_step_or_write_they_answer_for() {
    says(
        &pay_task(),
        &[get()],
        "The task does not need this read; it is answered with a value drawn for these arguments.",
        &[],
    );
    says(
        &pay_task(),
        &[pay(), get()],
        "The task does not need this read; it is answered from the store. It shows write 1 (call 1, pay): order_id and amount.",
        &[AtWrite(0), AtCall(0)],
    );
    let read = step("get_order", StepEffect::Read, r#"{"order_id":"aaaaaa"}"#, &[], r#"{"id":"part"}"#);
    let mut write = pay_step();
    write.needs = vec![0];
    let task = task(Format::OpenAi, shop(), vec![read, write]);
    let step_read = call("get_order", r#"{"order_id":"aaaaaa"}"#);
    says(
        &task,
        std::slice::from_ref(&step_read),
        r#"This is the read step 0 asks for; it now counts as done. It serves id "part"."#,
        &[AtStep(0)],
    );
    says(
        &task,
        &[step_read.clone(), step_read.clone()],
        r#"This is the read step 0 asks for; it was already done. It serves id "part"."#,
        &[AtStep(0)],
    );
    says(
        &task,
        &[get()],
        "No step and no write has these arguments for get_order. The nearest is step 0: order_id is \"ulbifi\", \
         expected \"aaaaaa\".",
        &[AtStep(0)],
    );
    says(
        &task,
        &[step_read, pay(), get()],
        "No step asks for this read, but a write has these arguments. The nearest is step 0: order_id is \
         \"ulbifi\", expected \"aaaaaa\". It shows write 1 (call 2, pay): order_id and amount.",
        &[AtStep(0), AtWrite(0), AtCall(1)],
    );
    says(
        &task,
        &[pay()],
        "It matches step 1, which needs step 0 (get_order) to be served first.",
        &[AtStep(1), AtStep(0)],
    );
}

#[test]
fn writes_say_which_step_they_do_or_miss() {
    let sent = "The answer repeats what was sent: order_id and amount.";
    says(&pay_task(), &[pay()], &format!("It is the write that step 0 expects. {sent}"), &[AtStep(0)]);
    says(
        &pay_task(),
        &[call("pay", r#"{"order_id":"ulbifi","amount":5}"#)],
        &format!(
            "No step expects this write, so it is a side effect. The nearest is step 0: amount is 5, expected 49.5. {sent}"
        ),
        &[AtStep(0)],
    );
    says(
        &pay_task(),
        &[pay(), call("pay", r#"{"order_id":"ulbifi","amount":5}"#)],
        &format!(
            "No step expects this write, so it is a side effect. The nearest is step 0, already done: amount is 5, \
             expected 49.5. {sent}"
        ),
        &[AtStep(0)],
    );
    says(
        &pay_task(),
        &[get(), pay(), pay()],
        &format!("It repeats step 0, which call 2 did: a duplicate write, which is also a side effect. {sent}"),
        &[AtStep(0), AtCall(1)],
    );
    let mut exact = pay_task();
    exact.steps[0].exact = true;
    says(
        &exact,
        &[call("pay", r#"{"order_id":"ulbifi","amount":49.5,"reason":"late"}"#)],
        "No step expects this write, so it is a side effect. The nearest is step 0: it takes only order_id \"ulbifi\", amount \
         49.5, not reason. The answer repeats what was sent: order_id, amount and reason.",
        &[AtStep(0)],
    );
}

#[test]
fn a_landed_write_says_that_it_went_through() {
    let landed = Task { landed_step: Some(0), ..pay_task() };
    says(
        &landed,
        &[pay()],
        "It is the write that step 0 expects, and it went through; the timeout only hides that (landed dial).",
        &[AtStep(0)],
    );
    let (words, places) = why(&landed, &[pay(), pay()]);
    assert!(words.starts_with("It repeats step 0, which call 1 did despite its timeout: a duplicate write"), "{words}");
    assert_eq!(places, [AtStep(0), AtCall(0)]);
}

#[test]
fn a_stale_read_says_what_it_hides_and_what_is_right() {
    let lagged = Task { lagged_step: Some(0), echo_reads: true, ..pay_task() };
    says(
        &lagged,
        &[pay(), get()],
        "The task does not need this read; it is answered from the store. This is the stale read: it answers as if write 1 had not happened (lagged dial). \
         An up-to-date read would say amount 49.5. The answer repeats what was asked: order_id.",
        &[AtWrite(0)],
    );
    let (words, places) = why(&lagged, &[pay(), pay(), get()]);
    assert!(words.contains("as if write 1 and write 2 had not happened"), "{words}");
    assert_eq!(places, [AtWrite(0), AtWrite(1)]);
}

fn baddata(level: u32) -> Task {
    let read = step("get_order", StepEffect::Read, GET, &[], r#"{"id":"sms"}"#);
    let write = step("tell", StepEffect::Write, r#"{"order_id":"ulbifi","channel":"sms"}"#, &[0], "{}");
    let other = (level == 1).then_some(r#"{"order_id":"jxffkt"}"#);
    Task {
        echo_reads: true,
        bad_read: Some(bad_read(0, level, "id", other, r#""email""#)),
        ..task(Format::OpenAi, shop(), vec![read, write])
    }
}

#[test]
fn a_bad_read_says_what_it_hides_now_and_later() {
    says(
        &baddata(1),
        &[get()],
        "This is the read step 0 asks for; it now counts as done. This is the bad read (level 1): it answers for another record, \
         {\"order_id\":\"jxffkt\"}, and says id \"email\"; the right value is \"sms\".",
        &[AtStep(0)],
    );
    says(
        &baddata(2),
        &[get()],
        "This is the read step 0 asks for; it now counts as done. The answer repeats what was asked: order_id. This is the bad read (level \
         2): it says id \"email\"; the right value is \"sms\".",
        &[AtStep(0)],
    );
    says(
        &baddata(3),
        &[pay(), get(), get()],
        "This is the read step 0 asks for; it was already done. It shows write 1 (call 1, pay): order_id and amount. The answer \
         repeats what was asked: order_id. It serves id \"sms\". The bad read was call 2 (level 3): it said id \"email\"; \
         the right value is \"sms\".",
        &[AtStep(0), AtWrite(0), AtCall(0), AtCall(1)],
    );
    let believed = call("tell", r#"{"order_id":"ulbifi","channel":"email"}"#);
    let (words, places) = why(&baddata(2), &[get(), believed]);
    assert!(words.contains("channel is \"email\", expected \"sms\". That value comes from call 1, the bad read."));
    assert_eq!(places, [AtStep(1), AtCall(0)]);
}

#[test]
fn untrusted_text_in_an_explanation_is_shown_safely() {
    let odd = call("pay", "{\"order_id\":\"ulbifi\",\"amount\":49.5,\"\\u001b[31mred\\u202e\":\"\\u001b]0;x\\u0007\"}");
    let (words, _) = why(&pay_task(), &[odd]);
    assert!(words.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{words:?}");
    let mut tools = shop();
    let input = r#"{"type":"object","properties":{"\u001bx":{"const":"\u001b[2J"}}}"#;
    tools[2] = crate::hand::tool("pay", rehearsal::toolfile::Effect::Write, input, None);
    let (words, _) = why(&task(Format::Mcp, tools, vec![pay_step()]), &[call("pay", r#"{"\u001bx":1}"#)]);
    assert!(words.contains("must be") && words.chars().all(|c| !c.is_control()), "{words:?}");
}

#[test]
fn changes_are_said_one_a_line() {
    let task = pay_task();
    let lines = |calls: &[Call]| -> Vec<String> {
        let made = made(&task, calls).pop().unwrap();
        let lines: Vec<_> = made.outcome.changes.iter().map(|change| explain::change(&made, change)).collect();
        let all: Vec<_> = explain::changes(&made).lines.iter().map(|line| explain::line_text(line)).collect();
        assert_eq!(lines, all);
        lines
    };
    assert!(lines(&[get()]).is_empty());
    assert_eq!(
        lines(&[pay()]),
        [
            r#"write 1 stored: pay order_id "ulbifi", amount 49.5; expected by step 0"#,
            r#"new record pay of step 0: order_id "ulbifi", amount 49.5"#,
            "step 0 done",
        ]
    );
    assert_eq!(
        lines(&[pay(), pay()]),
        [r#"write 2 stored: pay order_id "ulbifi", amount 49.5; a duplicate of step 0"#]
    );
}

#[test]
fn the_verdict_is_said_in_one_line() {
    let task = pay_task();
    let said = |calls: &[Call], ending| {
        let engine = engine(task.clone());
        let state = play(&engine, calls).pop().map_or_else(|| engine.start(), |o| o.state);
        explain::verdict(&task, &state, &engine.verdict(&state, ending), ending)
    };
    assert_eq!(said(&[], Ending::Open), "in progress: 1 of 1 writes missing");
    assert_eq!(said(&[pay()], Ending::Reply), "passed: the expected write is done");
    assert_eq!(
        said(&[call("pay", "{}"), pay()], Ending::Reply),
        "passed: the expected write is done, despite arguments that break a schema (clause 4)"
    );
    assert_eq!(
        said(&[pay(), pay()], Ending::Reply),
        "collateral_mutation (leaky: passed): the expected write is done, 1 duplicate write"
    );
    assert_eq!(
        said(&[pay()], Ending::Limit),
        "turn_limit (leaky: passed): the turn limit came before a reply; the expected write is done"
    );
    assert_eq!(said(&[], Ending::Reply), "wrong_state: 1 of 1 writes missing");
    assert_eq!(
        said(&[call("nope", "{}")], Ending::Reply),
        "malformed_call: a call to an unknown tool (clause 3); 1 of 1 writes missing"
    );
}
