//! The state machine and the verdict, clause by clause (rules 3.5, 4, 6, 7), on tasks made by hand.
use crate::hand::{GET, PAY, call, engine, last, pay_step, play, shop, step, task, tool, value};
use rehearsal::engine::{Change, Code, Ending, Engine, Mismatch, Nearest, Rule, respond};
use rehearsal::task::{Call, StepEffect, Task};
use rehearsal::toolfile::{Effect, Format};
use rehearsal::value::Value;

fn pay_task() -> Task {
    task(Format::OpenAi, shop(), vec![pay_step()])
}

fn label(engine: &Engine, calls: &[Call], ending: Ending) -> (&'static str, bool, Option<u8>, usize) {
    let state = play(engine, calls).pop().map_or_else(|| engine.start(), |o| o.state);
    let verdict = engine.verdict(&state, ending);
    assert_eq!(verdict.strict, verdict.label == "passed");
    assert_eq!(verdict.mutations.len(), state.writes().len());
    (verdict.label, verdict.leaky, verdict.clause, verdict.duplicates)
}

// --- 3.5, the appendix

#[test]
fn base_answers_agree_with_the_appendix() {
    let engine = engine(pay_task());
    for (name, arguments, id) in
        [("get_order", r#"{"order_id":"A-3317"}"#, "n38xai4vuveytcua"), ("list_channels", "{}", "5iwgsbwdautabnb8")]
    {
        let outcome = last(&engine, &[call(name, arguments)]);
        assert_eq!(*outcome.answer.text, format!(r#"{{"id":"{id}","ok":true}}"#));
        let shown = engine.task().shown(name).unwrap();
        let key = (&*engine.task().file_digest, 404, "eval");
        assert_eq!(respond(key, shown, &value(arguments)), outcome.answer.value);
    }
    let search =
        tool("search_orders", Effect::Read, r#"{"type":"object","properties":{"query":{"type":"string"}}}"#, None);
    let key = (&*engine.task().file_digest, 404, "eval");
    let answer = respond(key, &search, &value("{\"query\":\"\u{e9}\u{1F600}\u{7f}\"}"));
    assert_eq!(answer.get("id").unwrap().as_str(), Some("0g1aquvnl75ko1xb"));
}

#[test]
fn targets_of_the_appendix_keep_their_ids_and_gain_their_arguments() {
    let mut tools = shop();
    tools[2] = tool("refund_order", Effect::Unknown, r#"{"type":"object"}"#, None);
    tools[3] = tool("notify_customer", Effect::Unknown, r#"{"type":"object"}"#, None);
    let engine = engine(task(Format::OpenAi, tools, vec![]));
    for (name, arguments, id) in [
        ("notify_customer", r#"{"channel":"email","order_id":"czoozc"}"#, "y0syhz6vcrcik2ip"),
        ("refund_order", r#"{"amount":87.5,"order_id":"monuyu"}"#, "o6t62d0ailuyfz1i"),
        ("refund_order", r#"{"amount":87.5,"order_id":"monuyu","reason":"damaged"}"#, "tyrs1v36owpf310o"),
    ] {
        let outcome = last(&engine, &[call(name, arguments)]);
        assert_eq!(outcome.answer.value.get("id").unwrap().as_str(), Some(id));
        for (argument, sent) in value(arguments).as_object().unwrap().named() {
            assert_eq!(outcome.answer.value.get(argument), Some(sent));
        }
    }
}

// --- 4.3

#[test]
fn what_does_not_reach_a_tool_changes_nothing_but_the_clause() {
    let engine = engine(pay_task());
    for (made, rule, clause) in [
        (Call { tool: "pay".into(), arguments: value("[1]") }, Rule::NotAnObject, 2),
        (Call { tool: "nowhere".into(), arguments: value("\"x\"") }, Rule::NotAnObject, 2),
        (call("nowhere", "{}"), Rule::OutsideBlock, 3),
    ] {
        let outcome = last(&engine, &[made]);
        assert_eq!(outcome.rule, rule);
        assert!(outcome.changes.is_empty() && outcome.answer.code.is_none());
        let state = &outcome.state;
        assert_eq!((state.calls(), state.clause()), (0, Some(clause)));
        assert!((0..4).all(|tool| state.count(tool) == 0));
        assert!(state.writes().is_empty() && !state.goal() && state.side_effects() == 0);
    }
}

// --- 4.4

#[test]
fn every_call_counts_whatever_follows() {
    let engine = engine(pay_task());
    let state = last(&engine, &[call("pay", "{}"), call("get_order", GET), call("pay", PAY)]).state;
    assert_eq!((state.calls(), state.count(2), state.count(0), state.count(3)), (3, 2, 1, 0));
}

#[test]
fn a_planned_fault_comes_before_the_schema_and_is_used_up_by_bad_arguments() {
    let mut planned = pay_task();
    planned.fault_plan = vec![("pay".into(), 2)];
    let engine = engine(planned);
    let outcomes = play(&engine, &[call("pay", "{}"), call("pay", PAY), call("pay", PAY), call("get_order", GET)]);
    assert_eq!(outcomes[0].answer.code, Some(Code::Unavailable));
    assert_eq!(outcomes[0].rule, Rule::Fault { k: 1, n: 2 });
    assert_eq!(outcomes[0].changes, [Change::FaultUsed { left: 1 }]);
    assert_eq!(outcomes[1].rule, Rule::Fault { k: 2, n: 2 });
    assert_eq!(outcomes[1].changes, [Change::FaultUsed { left: 0 }]);
    assert_eq!(outcomes[2].rule, Rule::WriteDone { step: 0, landed: false });
    assert_eq!(outcomes[3].rule, Rule::PlainRead);
}

#[test]
fn bad_arguments_are_refused_and_change_nothing_but_the_counts() {
    let engine = engine(pay_task());
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"ulbifi","amount":-1}"#)]);
    assert_eq!(outcome.answer.code, Some(Code::InvalidArguments));
    let Rule::Invalid(violation) = &outcome.rule else { panic!("{:?}", outcome.rule) };
    assert_eq!(violation.at, "/amount");
    assert!(outcome.changes.is_empty() && outcome.state.writes().is_empty());
    let missing = last(&engine, &[call("pay", r#"{"amount":1}"#)]);
    let Rule::Invalid(violation) = &missing.rule else { panic!("{:?}", missing.rule) };
    assert_eq!(violation.at, "/order_id");
}

fn reads_task() -> Task {
    let read = |id: &str, part: &str| {
        step("get_order", StepEffect::Read, &format!(r#"{{"order_id":"{id}"}}"#), &[], &format!(r#"{{"id":"{part}"}}"#))
    };
    let mut second = read("bbbbbb", "fi");
    second.needs = vec![0];
    let write = step("pay", StepEffect::Write, PAY, &[0, 1], "{}");
    task(Format::OpenAi, shop(), vec![read("aaaaaa", "ulbi"), second, write])
}

#[test]
fn a_read_is_served_when_it_matches_and_its_needs_are_met() {
    let engine = engine(reads_task());
    let (a, b) = (call("get_order", r#"{"order_id":"aaaaaa"}"#), call("get_order", r#"{"order_id":"bbbbbb"}"#));
    let outcomes = play(&engine, &[b.clone(), a.clone(), a.clone(), b, call("pay", PAY)]);
    assert_eq!(outcomes[0].answer.code, Some(Code::NotReady));
    assert_eq!(outcomes[0].rule, Rule::NotReady { step: 1, need: 0 });
    assert_eq!(outcomes[1].rule, Rule::ReadServed { step: 0, again: false });
    assert_eq!(outcomes[1].changes, [Change::Served { step: 0 }]);
    assert_eq!(outcomes[1].answer.value.get("id").unwrap().as_str(), Some("ulbi"));
    assert_eq!(outcomes[2].rule, Rule::ReadServed { step: 0, again: true });
    assert!(outcomes[2].changes.is_empty());
    assert_eq!(outcomes[2].answer, outcomes[1].answer);
    assert_eq!(outcomes[3].rule, Rule::ReadServed { step: 1, again: false });
    assert_eq!(outcomes[4].rule, Rule::WriteDone { step: 2, landed: false });
    assert!(outcomes[4].state.goal());
}

#[test]
fn a_read_tool_with_steps_holds_nothing_for_other_arguments() {
    let engine = engine(reads_task());
    let outcome = last(&engine, &[call("get_order", r#"{"order_id":"cccccc"}"#)]);
    assert_eq!(outcome.answer.code, Some(Code::NotFound));
    let mismatch =
        Mismatch::Differs { name: "order_id".into(), expected: Value::str("aaaaaa"), got: Value::str("cccccc") };
    assert_eq!(outcome.rule, Rule::NotFound { nearest: Nearest { step: 0, mismatch } });
    assert_eq!(last(&engine, &[call("list_channels", "{}")]).rule, Rule::PlainRead);
}

#[test]
fn the_first_match_not_yet_served_is_taken_else_the_first() {
    let read = |part: &str| step("get_order", StepEffect::Read, GET, &[], &format!(r#"{{"id":"{part}"}}"#));
    let engine = engine(task(Format::OpenAi, shop(), vec![read("one"), read("two")]));
    let ids: Vec<_> = play(&engine, &vec![call("get_order", GET); 3])
        .iter()
        .map(|o| o.answer.value.get("id").unwrap().as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["one", "two", "one"]);
}

#[test]
fn a_write_takes_the_first_open_match_and_waits_for_its_needs() {
    let mut second = pay_step();
    second.needs = vec![2];
    let other = step("tell", StepEffect::Write, r#"{"channel":"sms"}"#, &[], "{}");
    let engine = engine(task(Format::OpenAi, shop(), vec![pay_step(), second, other]));
    let tell = call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#);
    let outcomes = play(&engine, &[call("pay", PAY), call("pay", PAY), tell, call("pay", PAY), call("pay", PAY)]);
    let rules: Vec<_> = outcomes.iter().map(|o| o.rule.clone()).collect();
    assert_eq!(
        rules,
        [
            Rule::WriteDone { step: 0, landed: false },
            Rule::NotReady { step: 1, need: 2 },
            Rule::WriteDone { step: 2, landed: false },
            Rule::WriteDone { step: 1, landed: false },
            Rule::Duplicate { step: 0 },
        ]
    );
}

#[test]
fn a_write_no_step_expects_is_a_side_effect_without_served_values() {
    let mut first = pay_step();
    first.serves = vec![("id".into(), Value::str("served"))];
    let engine = engine(task(Format::OpenAi, shop(), vec![first]));
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"ulbifi","amount":50}"#)]);
    let mismatch = Mismatch::Differs { name: "amount".into(), expected: Value::Float(49.5), got: Value::Int(50) };
    assert_eq!(outcome.rule, Rule::SideEffect { nearest: Some(Nearest { step: 0, mismatch }) });
    assert_ne!(outcome.answer.value.get("id").unwrap().as_str(), Some("served"));
    assert_eq!(outcome.changes, [Change::Stored { index: 0 }]);
    assert_eq!(
        last(&engine, &[call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#)]).rule,
        Rule::SideEffect { nearest: None }
    );
    let expected = last(&engine, &[call("pay", PAY)]);
    assert_eq!(expected.answer.value.get("id").unwrap().as_str(), Some("served"));
}

// --- 4.5

#[test]
fn numbers_match_by_value_and_extra_arguments_do_not_matter() {
    let ten = step("pay", StepEffect::Write, r#"{"amount":10}"#, &[], "{}");
    let engine = engine(task(Format::OpenAi, shop(), vec![ten]));
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"ulbifi","amount":10.0,"reason":"late","note":"x"}"#)]);
    assert_eq!(outcome.rule, Rule::WriteDone { step: 0, landed: false });
}

#[test]
fn an_exact_step_takes_no_other_checkable_argument() {
    assert_eq!(shop()[2].tool.checkable(), ["order_id".into(), "amount".into(), "reason".into()]);
    let mut exact = pay_step();
    exact.exact = true;
    let engine = engine(task(Format::OpenAi, shop(), vec![exact]));
    let with_note = r#"{"order_id":"ulbifi","amount":49.5,"note":"free text is no checkable argument","more":1}"#;
    assert_eq!(last(&engine, &[call("pay", with_note)]).rule, Rule::WriteDone { step: 0, landed: false });
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"ulbifi","amount":49.5,"reason":"late"}"#)]);
    let mismatch = Mismatch::Extra { name: "reason".into() };
    assert_eq!(outcome.rule, Rule::SideEffect { nearest: Some(Nearest { step: 0, mismatch }) });
}

#[test]
fn the_nearest_step_differs_in_the_fewest_entries() {
    let far = step("pay", StepEffect::Write, r#"{"order_id":"aaaaaa","amount":1}"#, &[], "{}");
    let near = step("pay", StepEffect::Write, r#"{"order_id":"bbbbbb","amount":2,"reason":"late"}"#, &[], "{}");
    let engine = engine(task(Format::OpenAi, shop(), vec![far, near.clone(), near]));
    let outcome = last(&engine, &[call("pay", r#"{"order_id":"bbbbbb","amount":2}"#)]);
    let mismatch = Mismatch::Missing { name: "reason".into(), expected: Value::str("late") };
    assert_eq!(outcome.rule, Rule::SideEffect { nearest: Some(Nearest { step: 1, mismatch }) });
}

// --- 4.6

#[test]
fn served_values_are_placed_along_a_path() {
    let output = r#"{"type":"object","properties":{
        "page":{"type":"object","properties":{"name":{"type":"string"},"no":{"type":"integer"}}},
        "rows":{"type":"array","maxItems":0,"items":{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}}}},
        "flags":{"type":"array","items":{"type":"boolean"},"minItems":3,"maxItems":3},
        "plain":{"type":"string"}}}"#;
    let serve = |serves: &str| {
        let mut tools = shop();
        tools[0] = tool(
            "get_order",
            Effect::Read,
            r#"{"type":"object","properties":{"order_id":{"type":"string","maxLength":6}}}"#,
            Some(output),
        );
        let read = step("get_order", StepEffect::Read, GET, &[], serves);
        last(&engine(task(Format::OpenAi, tools, vec![read, pay_step()])), &[call("get_order", GET)]).answer.value
    };
    let base = serve("{}");
    assert_eq!(base.get("rows").unwrap().as_array().unwrap().len(), 0);
    let answer = serve(r#"{"page.name":"n","rows[].id":"r","flags[]":"f","plain.deep.er":7,"new":null}"#);
    assert_eq!(answer.get("page").unwrap().get("name"), Some(&Value::str("n")));
    assert_eq!(answer.get("page").unwrap().get("no"), base.get("page").unwrap().get("no"));
    let row = answer.get("rows").unwrap().at(0).unwrap();
    assert_eq!(row.get("id"), Some(&Value::str("r")));
    assert!(row.get("n").unwrap().as_i64().is_some(), "the element is drawn from its schema");
    let flags = answer.get("flags").unwrap().as_array().unwrap();
    assert_eq!(flags[0], Value::str("f"));
    assert_eq!(flags[1..], base.get("flags").unwrap().as_array().unwrap()[1..]);
    assert_eq!(answer.get("plain"), Some(&value(r#"{"deep":{"er":7}}"#)));
    assert_eq!(answer.get("new"), Some(&Value::Null));
}

#[test]
fn a_served_value_without_a_place_makes_the_task_defective() {
    let mut tools = shop();
    tools[0] = tool("get_order", Effect::Read, r#"{"type":"object"}"#, Some(r#"{"type":"array","minItems":1}"#));
    let read = step("get_order", StepEffect::Read, GET, &[], r#"{"id":"x"}"#);
    let engine = engine(task(Format::OpenAi, tools, vec![read, pay_step()]));
    let calls = [call("get_order", GET), call("pay", PAY)];
    assert_eq!(last(&engine, &calls).rule, Rule::WriteDone { step: 1, landed: false });
    assert_eq!(label(&engine, &calls, Ending::Reply), ("verifier_error", false, None, 0));
}

// --- 4.7, 4.8

#[test]
fn answers_come_in_the_idiom_of_the_format() {
    let output = Some(r#"{"type":"object","properties":{"order_id":{"type":"string"}}}"#);
    for (format, structured, is_error) in
        [(Format::OpenAi, false, false), (Format::Mcp, true, true), (Format::OpenApi, false, false)]
    {
        let mut tools = shop();
        tools[0] = tool("get_order", Effect::Read, r#"{"type":"object"}"#, output);
        let engine = engine(task(format, tools, vec![pay_step()]));
        let good = last(&engine, &[call("get_order", GET)]);
        assert_eq!(good.answer.structured.is_some(), structured);
        assert!(!good.answer.is_error);
        assert!(last(&engine, &[call("list_channels", "{}")]).answer.structured.is_none());
        assert_eq!(last(&engine, &[call("pay", "{}")]).answer.is_error, is_error);
    }
}

// --- 6

#[test]
fn the_verdict_is_decided_in_order() {
    let engine = engine(pay_task());
    let (good, stray, bad) =
        (call("pay", PAY), call("tell", r#"{"order_id":"ulbifi","channel":"sms"}"#), call("pay", "{}"));
    let outside = call("nowhere", "{}");
    let text = Call { tool: "pay".into(), arguments: Value::str("{") };
    let run = |calls: &[&Call], ending| {
        let calls: Vec<_> = calls.iter().map(|c| (*c).clone()).collect();
        label(&engine, &calls, ending)
    };
    use Ending::{Limit, Open, Reply};
    assert_eq!(run(&[&good], Open), ("verifier_error", false, None, 0));
    assert_eq!(run(&[&good], Reply), ("passed", true, None, 0));
    assert_eq!(run(&[&bad, &good], Reply), ("passed", true, Some(4), 0));
    assert_eq!(run(&[&outside, &good, &bad], Reply), ("passed", true, Some(3), 0));
    assert_eq!(run(&[&outside, &text, &good], Reply), ("passed", true, Some(2), 0));
    assert_eq!(run(&[&bad, &good], Limit), ("malformed_call", true, Some(4), 0));
    assert_eq!(run(&[&good], Limit), ("turn_limit", true, None, 0));
    assert_eq!(run(&[&stray], Limit), ("turn_limit", false, None, 0));
    assert_eq!(run(&[], Reply), ("wrong_state", false, None, 0));
    assert_eq!(run(&[&stray], Reply), ("wrong_state", false, None, 0));
    assert_eq!(run(&[&text], Reply), ("malformed_call", false, Some(2), 0));
    assert_eq!(run(&[&good, &stray], Reply), ("collateral_mutation", true, None, 0));
    assert_eq!(run(&[&good, &stray, &bad], Reply), ("malformed_call", true, Some(4), 0));
    assert_eq!(run(&[&good, &good], Reply), ("collateral_mutation", true, None, 1));
}

#[test]
fn no_block_or_no_steps_is_an_error_of_the_verifier() {
    let no_steps = engine(task(Format::OpenAi, shop(), vec![]));
    assert_eq!(label(&no_steps, &[], Ending::Reply), ("verifier_error", false, None, 0));
    let no_block = engine(task(Format::OpenAi, vec![], vec![pay_step()]));
    assert_eq!(label(&no_block, &[call("pay", PAY)], Ending::Reply), ("verifier_error", false, Some(3), 0));
}

#[test]
fn content_with_a_call_marker_fires_clause_1_only_when_markers_are_given() {
    let engine = engine(pay_task());
    let state = engine.start();
    assert_eq!(state.after_content("<tool_call>", &[]), state);
    assert_eq!(state.after_content("plain", &["<tool_call>"]), state);
    assert_eq!(state.after_content("a <tool_call> b", &["<tool_call>"]).clause(), Some(1));
}

#[test]
fn verdicts_of_the_appendix_on_one_planned_fault() {
    let mut planned = pay_task();
    planned.fault_plan = vec![("pay".into(), 1)];
    let engine = engine(planned);
    let (good, bad) = (call("pay", PAY), call("pay", "{}"));
    let both = [good.clone(), good.clone()];
    assert_eq!(label(&engine, &both, Ending::Reply), ("passed", true, None, 0));
    let once_more = [good.clone(), good.clone(), good.clone()];
    assert_eq!(label(&engine, &once_more, Ending::Reply), ("collateral_mutation", true, None, 1));
    let outside = [call("nowhere", "{}"), good.clone(), good.clone()];
    assert_eq!(label(&engine, &outside, Ending::Reply), ("passed", true, Some(3), 0));
    // The fault was spent on the bad call, so the second good one is a duplicate.
    assert_eq!(label(&engine, &[bad, good.clone(), good], Ending::Reply), ("malformed_call", true, Some(4), 1));
}
