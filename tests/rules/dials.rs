//! What writes leave behind and what the newer dials do with it (rules 7), on tasks made by hand.
use crate::hand::{GET, PAY, bad_read, call, engine, last, pay_step, play, shop, step, task, tool, value};
use rehearsal::engine::{Change, Code, Ending, Rule, WriteKind};
use rehearsal::task::{Call, StepEffect, Task};
use rehearsal::toolfile::{Effect, Format};
use rehearsal::value::{Map, Value};

fn pay_task() -> Task {
    task(Format::OpenAi, shop(), vec![pay_step()])
}

fn get() -> Call {
    call("get_order", GET)
}

fn pay() -> Call {
    call("pay", PAY)
}

/// The answer's value without the drawn id.
fn told(answer: &Value) -> Value {
    let mut map = answer.as_object().unwrap().clone();
    map.remove("id").unwrap();
    Value::object(map)
}

// --- 7.1

#[test]
fn a_write_answers_with_what_it_was_sent() {
    let engine = engine(pay_task());
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"ulbifi","amount":49.5,"reason":"late"}"#)]);
    let id = outcome.answer.value.get("id").unwrap().as_str().unwrap();
    assert_eq!(
        *outcome.answer.text,
        format!(r#"{{"amount":49.5,"id":"{id}","ok":true,"order_id":"ulbifi","reason":"late"}}"#)
    );
    let odd = r#"{"order_id":"ulbifi","amount":1.0,"id":"mine","ok":false,"undeclared":[1],"note":"n"}"#;
    let outcome = last(&engine, &[call("pay", odd)]);
    assert_eq!(
        &*outcome.answer.text,
        r#"{"amount":1.0,"id":"mine","note":"n","ok":true,"order_id":"ulbifi","undeclared":[1]}"#
    );
    assert_eq!(outcome.shaping.echoed.len(), 5);
}

#[test]
fn a_write_fills_the_fields_of_its_output_schema_that_its_values_fit() {
    let output = r#"{"type":"object","required":["late"],"properties":{"amount":{"type":"integer"},"order_id":{"type":"string","pattern":"^u"},
        "state":{"enum":["new"]},"reason":{"type":"string","minLength":20}}}"#;
    let mut tools = shop();
    tools[2] = tool("pay", Effect::Write, r#"{"type":"object"}"#, Some(output));
    let serving = Task {
        steps: vec![step("pay", StepEffect::Write, r#"{"amount":5}"#, &[], r#"{"state":"served"}"#)],
        ..task(Format::Mcp, tools, vec![])
    };
    let engine = engine(serving);
    let sent = r#"{"amount":5.0,"order_id":"ulbifi","state":"new","reason":"late","late":"l","undeclared":1}"#;
    let outcome = last(&engine, &[call("pay", sent)]);
    let answer = &outcome.answer.value;
    assert_eq!(answer.get("amount"), Some(&Value::Float(5.0)), "values keep the call's spelling");
    assert_eq!(answer.get("order_id"), Some(&Value::str("ulbifi")));
    assert_eq!(answer.get("state"), Some(&Value::str("served")), "a served value is placed last");
    assert_ne!(answer.get("reason"), Some(&Value::str("late")), "a value that does not fit stays as drawn");
    assert_ne!(answer.get("late"), Some(&Value::str("l")), "an argument with no property is not shown");
    assert!(answer.get("undeclared").is_none());
    assert_eq!(outcome.answer.structured.as_ref(), Some(answer));
    let misfit = last(&engine, &[call("pay", r#"{"order_id":"abc"}"#)]);
    assert_ne!(
        misfit.answer.value.get("order_id"),
        Some(&Value::str("abc")),
        "the schema counts as written, its pattern too"
    );
}

#[test]
fn placing_into_an_answer_that_is_no_object_does_nothing() {
    let mut tools = shop();
    tools[2] =
        tool("pay", Effect::Write, r#"{"type":"object"}"#, Some(r#"{"type":"integer","properties":{"amount":{}}}"#));
    let engine = engine(task(Format::Mcp, tools, vec![pay_step()]));
    let outcome = last(&engine, &[call("pay", PAY)]);
    assert!(outcome.answer.value.as_i64().is_some() && outcome.answer.structured.is_none());
    assert_eq!(outcome.rule, Rule::WriteDone { step: 0, landed: false });
}

// --- 7.2

#[test]
fn the_store_keeps_accepted_writes_in_order() {
    let engine = engine(pay_task());
    let stray = call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#);
    let outcomes = play(&engine, &[get(), call("pay", "{}"), stray.clone(), pay(), call("nowhere", "{}"), pay()]);
    let state = &outcomes[5].state;
    let kinds: Vec<_> = state.writes().iter().map(|w| (w.call, &*w.tool, w.kind)).collect();
    assert_eq!(
        kinds,
        [(3, "tell", WriteKind::SideEffect), (4, "pay", WriteKind::Expected(0)), (6, "pay", WriteKind::Duplicate(0))]
    );
    assert_eq!(state.writes().get(0).unwrap().arguments, stray.arguments);
    assert_eq!((state.side_effects(), state.duplicates()), (2, 1));
    assert_eq!(
        outcomes[3].changes,
        [
            Change::Stored { index: 1 },
            Change::Record {
                step: 0,
                tool: "pay".into(),
                key: vec![("order_id".into(), Value::str("ulbifi")), ("amount".into(), Value::Float(49.5))],
                after: value(PAY),
            },
            Change::Done { step: 0 },
        ]
    );
    assert_eq!(outcomes[5].changes, [Change::Stored { index: 2 }], "a duplicate moves no record");
    assert_eq!(outcomes[5].rule, Rule::Duplicate { step: 0 });
}

#[test]
fn a_read_reflects_the_latest_write_that_carried_all_its_checkable_arguments() {
    let engine = engine(pay_task());
    let before = last(&engine, &[get()]);
    assert_eq!((&before.rule, before.shaping.reflects), (&Rule::PlainRead, None));
    let other = call("pay", r#"{"order_id":"other1","amount":1}"#);
    let tell = call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#);
    let outcomes = play(&engine, &[pay(), get(), tell, get(), other, get(), call("list_channels", "{}")]);
    assert_eq!(told(&outcomes[1].answer.value), value(r#"{"ok":true,"order_id":"ulbifi","amount":49.5}"#));
    assert_eq!(outcomes[1].answer.value.get("id"), before.answer.value.get("id"), "the base answer is the same draw");
    assert_eq!(outcomes[1].shaping.reflects, Some(0));
    let latest = value(r#"{"ok":true,"order_id":"ulbifi","channel":"sms"}"#);
    assert_eq!(told(&outcomes[3].answer.value), latest, "the latest alone, nothing of the older one");
    assert_eq!(outcomes[3].shaping.reflects, Some(1));
    assert_eq!(outcomes[5].answer, outcomes[3].answer, "a write of another order changes nothing here");
    assert_eq!(outcomes[6].shaping.reflects, None, "no checkable argument, nothing to reflect");
}

fn find_tools() -> Vec<rehearsal::task::ShownTool> {
    let input = r#"{"type":"object","properties":{"order_id":{"type":"string","maxLength":6},"amount":{"type":"number"},
        "words":{"type":"string"},"a":{"type":"array","items":{"type":"integer"}}}}"#;
    let output = r#"{"type":"object","properties":{"id":{"type":"string"},"amount":{"type":"integer"},"note":{"type":"string"}}}"#;
    let mut tools = shop();
    tools[0] = tool("get_order", Effect::Read, input, Some(output));
    tools
}

#[test]
fn what_a_read_reflects_goes_by_same_values_and_the_reads_own_schema() {
    let engine = engine(task(Format::Mcp, find_tools(), vec![pay_step()]));
    let write = call("pay", r#"{"order_id":"ulbifi","amount":10,"note":"n","words":"w","a":[1,2]}"#);
    let reflects = |arguments: &str| last(&engine, &[write.clone(), call("get_order", arguments)]).shaping.reflects;
    assert_eq!(reflects(r#"{"order_id":"ulbifi"}"#), Some(0));
    assert_eq!(reflects(r#"{"amount":10.0}"#), Some(0), "numbers by value");
    assert_eq!(reflects(r#"{"a":[1.0,2]}"#), Some(0));
    assert_eq!(reflects(r#"{"a":[2,1]}"#), None);
    assert_eq!(reflects(r#"{"order_id":"ulbifi","amount":11}"#), None, "every name must be the same");
    assert_eq!(reflects(r#"{"order_id":"ulbifi","words":"other"}"#), Some(0), "free text is not asked");
    assert_eq!(reflects(r#"{"words":"w"}"#), None, "no checkable argument");
    assert_eq!(reflects("{}"), None);
    let read = last(&engine, &[write.clone(), call("get_order", GET)]);
    assert_eq!(read.answer.value.get("amount"), Some(&Value::Int(10)));
    assert_eq!(read.answer.value.get("note"), Some(&Value::str("n")));
    assert!(read.answer.value.get("order_id").is_none(), "the read's schema has no such field");
    assert_eq!(read.shaping.reflected, ["amount".into(), "note".into()]);
    let other = call("pay", r#"{"order_id":"ulbifi","amount":10.5}"#);
    let misfit = last(&engine, &[other, call("get_order", GET)]);
    assert_ne!(
        misfit.answer.value.get("amount"),
        Some(&Value::Float(10.5)),
        "a value that does not fit stays as drawn"
    );
}

#[test]
fn a_read_with_steps_that_matches_none_reflects_a_write_before_it_says_not_found() {
    let read = step("get_order", StepEffect::Read, r#"{"order_id":"aaaaaa"}"#, &[], r#"{"id":"served"}"#);
    let engine = engine(task(Format::OpenAi, shop(), vec![read, pay_step()]));
    let outcomes = play(&engine, &[get(), pay(), get()]);
    assert_eq!(outcomes[0].answer.code, Some(Code::NotFound));
    assert!(matches!(outcomes[2].rule, Rule::ReadReflected { .. }));
    assert_eq!(told(&outcomes[2].answer.value), value(r#"{"ok":true,"order_id":"ulbifi","amount":49.5}"#));
    assert!(!outcomes[2].state.passed(0), "no step is served");
}

#[test]
fn served_values_come_after_what_a_read_reflects() {
    let read = step("get_order", StepEffect::Read, GET, &[], r#"{"amount":"served"}"#);
    let engine = engine(task(Format::OpenAi, shop(), vec![read, pay_step()]));
    let outcome = last(&engine, &[pay(), get()]);
    assert_eq!(told(&outcome.answer.value), value(r#"{"ok":true,"order_id":"ulbifi","amount":"served"}"#));
    assert_eq!(outcome.rule, Rule::ReadServed { step: 0, again: false });
}

#[test]
fn reads_find_their_write_in_a_long_store() {
    let engine = engine(pay_task());
    let mut state = engine.start();
    for i in 0..500 {
        let write = call("pay", &format!(r#"{{"order_id":"o{:05}","amount":{i}}}"#, i % 100));
        state = engine.step(&state, &write).state;
    }
    for i in 0..100 {
        let outcome = engine.step(&state, &call("get_order", &format!(r#"{{"order_id":"o{i:05}"}}"#)));
        assert_eq!(outcome.shaping.reflects, Some(400 + i));
        assert_eq!(outcome.answer.value.get("amount"), Some(&Value::from(400 + i)));
    }
}

// --- 7.4

#[test]
fn timeouts_and_rate_limits_are_planned_as_faults_are() {
    for (format, code) in [(Format::OpenAi, Code::Timeout), (Format::OpenApi, Code::RateLimited)] {
        let mut planned = task(format, shop(), vec![pay_step()]);
        let plan = vec![("pay".into(), 1)];
        let rule = if code == Code::Timeout {
            planned.timeout_plan = plan;
            Rule::PlannedTimeout { k: 1, n: 1 }
        } else {
            planned.rate_limit_plan = plan;
            Rule::RateLimit { k: 1, n: 1 }
        };
        let engine = engine(planned);
        let outcomes = play(&engine, &[call("pay", "{}"), get(), pay()]);
        assert_eq!((outcomes[0].answer.code, &outcomes[0].rule), (Some(code), &rule));
        assert_eq!(outcomes[1].shaping.reflects, None, "nothing landed");
        assert_eq!(outcomes[2].rule, Rule::WriteDone { step: 0, landed: false });
    }
}

#[test]
fn a_rate_limit_says_when_to_try_again() {
    for (format, start) in [
        (Format::OpenAi, r#"{"error":{"code":"rate_limited","message":""#),
        (Format::OpenApi, r#"{"detail":""#),
        (Format::Mcp, "pay"),
    ] {
        let mut planned = task(format, shop(), vec![pay_step()]);
        planned.rate_limit_plan = vec![("pay".into(), 1)];
        let answer = last(&engine(planned), &[pay()]).answer;
        assert!(answer.text.starts_with(start), "{}", answer.text);
        assert_eq!(answer.text.contains(r#","retry_after":1"#), format != Format::Mcp);
        assert_eq!(answer.is_error, format == Format::Mcp);
    }
}

// --- 7.5 landed

#[test]
fn a_landed_write_is_done_and_stored_behind_a_timeout_once() {
    let mut landed = pay_task();
    landed.landed_step = Some(0);
    let engine = engine(landed);
    let near = call("pay", r#"{"order_id":"ulbifi","amount":1}"#);
    let outcomes = play(&engine, &[near, call("pay", "{}"), pay(), get(), pay()]);
    assert_eq!(outcomes[0].answer.code, None, "another call does not land behind a timeout");
    assert_eq!(outcomes[2].answer.code, Some(Code::Timeout));
    assert_eq!(outcomes[2].rule, Rule::WriteDone { step: 0, landed: true });
    assert_eq!(outcomes[2].changes.last(), Some(&Change::LandedUsed));
    assert!(outcomes[2].state.goal() && outcomes[2].state.landed_call() == Some(3));
    assert_eq!(outcomes[3].shaping.reflects, Some(1));
    assert_eq!(outcomes[4].rule, Rule::Duplicate { step: 0 });
    assert_eq!(outcomes[4].answer.code, None);
    let verdict = engine.verdict(&outcomes[2].state, Ending::Reply);
    assert_eq!((verdict.label, verdict.leaky), ("malformed_call", true), "a side effect and a bad call before it");
}

#[test]
fn a_landed_write_waits_for_its_needs() {
    let mut write = pay_step();
    write.needs = vec![1];
    let read = step("get_order", StepEffect::Read, GET, &[], "{}");
    let mut landed = task(Format::OpenAi, shop(), vec![write, read]);
    landed.landed_step = Some(0);
    let engine = engine(landed);
    let outcomes = play(&engine, &[pay(), get(), pay()]);
    assert_eq!(outcomes[0].answer.code, Some(Code::NotReady));
    assert_eq!(outcomes[2].rule, Rule::WriteDone { step: 0, landed: true });
}

// --- 7.5 lagged, 7.6

fn lagged() -> Task {
    Task { lagged_step: Some(0), echo_reads: true, ..pay_task() }
}

#[test]
fn the_first_read_that_would_show_the_write_is_behind_once() {
    let engine = engine(lagged());
    let other = call("get_order", r#"{"order_id":"other1"}"#);
    let outcomes = play(&engine, &[get(), pay(), other, call("list_channels", "{}"), get(), get()]);
    assert!(outcomes[3].state.lagged_call().is_none(), "reads whose text would be the same use nothing up");
    assert_eq!(outcomes[4].answer, outcomes[0].answer, "as if the write were not there");
    assert_eq!(outcomes[4].changes, [Change::LaggedUsed]);
    let stale = outcomes[4].shaping.stale.as_ref().unwrap();
    assert_eq!((stale.step, &stale.hidden[..], stale.missed), (0, &[0][..], 0));
    assert_eq!(stale.right_answer, outcomes[5].answer.value);
    assert_eq!(told(&outcomes[5].answer.value), value(r#"{"ok":true,"order_id":"ulbifi","amount":49.5}"#));
    assert!(outcomes[5].shaping.stale.is_none());
}

#[test]
fn a_stale_read_hides_duplicates_too_and_never_side_effects() {
    let engine = engine(lagged());
    let side_effect = call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#);
    let outcomes = play(&engine, &[side_effect.clone(), pay(), pay(), get(), get()]);
    assert_eq!(outcomes[3].shaping.stale.as_ref().unwrap().hidden, [1, 2]);
    assert_eq!(outcomes[3].shaping.reflects, Some(0), "the older side effect is seen");
    assert_eq!(told(&outcomes[3].answer.value), value(r#"{"ok":true,"order_id":"ulbifi","channel":"sms"}"#));
    assert_eq!(outcomes[4].shaping.reflects, Some(2));
    let outcomes = play(&engine, &[pay(), side_effect, get()]);
    assert!(outcomes[2].shaping.stale.is_none(), "the latest write is a side effect: nothing is hidden");
    assert_eq!(outcomes[2].shaping.reflects, Some(1));
}

#[test]
fn reads_echo_their_arguments_on_these_arms_and_on_no_others() {
    let with = engine(Task { echo_reads: true, ..pay_task() });
    let without = engine(pay_task());
    let asked = call("get_order", r#"{"order_id":"ulbifi","ok":1,"more":[null]}"#);
    let answer = last(&with, std::slice::from_ref(&asked)).answer.value;
    assert_eq!(told(&answer), value(r#"{"ok":true,"order_id":"ulbifi","more":[null]}"#));
    assert_eq!(told(&last(&without, &[asked]).answer.value), value(r#"{"ok":true}"#));
    let schema = engine(Task { echo_reads: true, ..task(Format::Mcp, find_tools(), vec![pay_step()]) });
    let read = last(&schema, &[pay(), call("get_order", r#"{"order_id":"ulbifi","amount":49.5,"id":"x"}"#)]);
    assert_eq!(read.answer.value.get("id"), Some(&Value::str("x")));
    assert!(read.answer.value.get("order_id").is_none());
    assert_ne!(read.answer.value.get("amount"), Some(&Value::Float(49.5)));
}

// --- 7.5 baddata

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
fn the_bad_read_answers_wrongly_once_and_serves_its_step() {
    for level in 1..=3 {
        let engine = engine(baddata(level));
        let outcomes = play(&engine, &[call("get_order", r#"{"order_id":"cccccc"}"#), get(), get(), get()]);
        assert!(outcomes[0].state.bad_call().is_none(), "only an accepted call of the step");
        let right = value(r#"{"ok":true,"id":"sms","order_id":"ulbifi"}"#);
        let asked = if level == 1 { "jxffkt" } else { "ulbifi" };
        let told = value(&format!(r#"{{"ok":true,"id":"email","order_id":"{asked}"}}"#));
        assert_eq!(outcomes[1].answer.value, told);
        assert_eq!(outcomes[1].rule, Rule::ReadServed { step: 0, again: false });
        assert_eq!(outcomes[1].changes, [Change::Served { step: 0 }, Change::BadUsed]);
        let bad = outcomes[1].shaping.bad.as_ref().unwrap();
        assert_eq!((bad.level, &*bad.field), (level, "id"));
        assert_eq!((&bad.right, &bad.told, &bad.right_answer), (&Value::str("sms"), &Value::str("email"), &right));
        for later in &outcomes[2..] {
            assert_eq!(later.answer.value, right);
            assert!(later.shaping.bad.is_none());
        }
        let believed = call("tell", r#"{"order_id":"ulbifi","channel":"email"}"#);
        let after = engine.step(&outcomes[1].state, &believed);
        assert!(matches!(after.rule, Rule::SideEffect { .. }));
        assert_eq!(engine.verdict(&after.state, Ending::Reply).label, "wrong_state");
        let guessed = engine.step(&outcomes[1].state, &call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#));
        assert_eq!(engine.verdict(&guessed.state, Ending::Reply).label, "passed");
    }
}

#[test]
fn another_record_is_told_without_the_store_and_the_others_with_it() {
    for level in 1..=3 {
        let engine = engine(baddata(level));
        let carried = call("pay", r#"{"order_id":"ulbifi","amount":3,"id":"w"}"#);
        let outcome = last(&engine, &[carried.clone(), call("pay", r#"{"order_id":"jxffkt","amount":4}"#), get()]);
        let value = &outcome.answer.value;
        assert_eq!(value.get("id"), Some(&Value::str("email")));
        assert_eq!(value.get("amount"), (level > 1).then_some(&Value::Int(3)));
    }
}

// --- purity

#[test]
fn equal_inputs_give_equal_outcomes_and_older_states_stay_as_they_were() {
    let mut dialled = lagged();
    dialled.fault_plan = vec![("get_order".into(), 1)];
    let (one, two) = (engine(dialled.clone()), engine(dialled));
    let calls = [get(), pay(), get(), get(), pay(), call("pay", "{}"), call("x", "{}"), get()];
    let first = play(&one, &calls);
    let before: Vec<_> = first.iter().map(|o| format!("{:?}", o.state)).collect();
    for again in [play(&one, &calls), play(&two, &calls)] {
        for (a, b) in first.iter().zip(&again) {
            assert_eq!(
                (&a.state, &a.answer, &a.rule, &a.shaping, &a.changes),
                (&b.state, &b.answer, &b.rule, &b.shaping, &b.changes)
            );
        }
    }
    let after: Vec<_> = first.iter().map(|o| format!("{:?}", o.state)).collect();
    assert_eq!(before, after);
}

#[test]
fn a_call_whose_keys_stand_in_another_order_is_answered_alike() {
    let engine = engine(pay_task());
    let turned: Map = value(PAY).as_object().unwrap().iter().rev().map(|(k, v)| (k.clone(), v.clone())).collect();
    let turned = Call { tool: "pay".into(), arguments: Value::object(turned) };
    assert_eq!(last(&engine, &[turned]).answer.text, last(&engine, &[pay()]).answer.text);
}

#[test]
fn calls_with_very_many_arguments_stay_quick() {
    let engine = engine(pay_task());
    let mut arguments = value(PAY).as_object().unwrap().clone();
    for i in 0..20_000u32 {
        arguments.insert(format!("a{i}"), i);
    }
    let wide = Call { tool: "pay".into(), arguments: Value::object(arguments) };
    let started = std::time::Instant::now();
    let outcome = last(&engine, &vec![wide; 40]);
    assert_eq!(outcome.state.duplicates(), 39);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
