//! Tasks made by hand, for tests of the engine and of episodes.
#![expect(clippy::unwrap_used, reason = "a helper of tests")]
use rehearsal::engine::{Engine, Outcome};
use rehearsal::task::{Arm, BadRead, Call, Form, ShownTool, Step, StepEffect, Task};
use rehearsal::toolfile::{Effect, Format, Kept, Tool};
use rehearsal::value::{Str, Value};
use std::sync::Arc;

pub(crate) fn value(json: &str) -> Value {
    Value::parse_json(json).unwrap()
}

pub(crate) fn call(tool: &str, arguments: &str) -> Call {
    Call { tool: tool.into(), arguments: value(arguments) }
}

pub(crate) fn tool(name: &str, effect: Effect, input: &str, output: Option<&str>) -> ShownTool {
    let tool = Tool {
        name: name.into(),
        title: None,
        description: "".into(),
        effect,
        input_schema: value(input),
        output_schema: output.map(value),
        original: name.into(),
        at: String::new(),
        http: None,
        kept: Kept::default(),
    };
    ShownTool { name: name.into(), description: "".into(), tool: Arc::new(tool) }
}

fn pairs(json: &str) -> Vec<(Str, Value)> {
    value(json).as_object().unwrap().named().map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// An expected step; `matching` and `serves` are JSON objects.
pub(crate) fn step(tool: &str, effect: StepEffect, matching: &str, needs: &[usize], serves: &str) -> Step {
    Step {
        tool: tool.into(),
        effect,
        matching: pairs(matching),
        needs: needs.to_vec(),
        serves: pairs(serves),
        exact: false,
    }
}

pub(crate) fn bad_read(step: usize, level: u32, field: &str, arguments: Option<&str>, told: &str) -> BadRead {
    BadRead { step, level, field: field.into(), arguments: arguments.map(value), value: value(told) }
}

/// A task on some tools: the arm is `faults:f0`, no dial is at play.
pub(crate) fn task(format: Format, tools: Vec<ShownTool>, steps: Vec<Step>) -> Task {
    Task {
        task_id: "0".into(),
        arm: Arm::parse("faults:f0").unwrap(),
        seed: 404,
        split: "eval".into(),
        set_name: "hand".into(),
        format,
        file_digest: "cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157".into(),
        form: Form::Call,
        system_prompt: "You are asked to do one thing.".into(),
        request: "Do it.".into(),
        block: Arc::new(tools),
        target: "pay".into(),
        target_tool: "pay".into(),
        stated: vec![],
        named_reads: vec![],
        fault_plan: vec![],
        timeout_plan: vec![],
        rate_limit_plan: vec![],
        landed_step: None,
        lagged_step: None,
        bad_read: None,
        echo_reads: false,
        steps,
        reference_calls: vec![],
        history: None,
        wrong_answers: vec![],
    }
}

pub(crate) const ORDER_ID: &str = r#"{"type":"string","minLength":6,"maxLength":6}"#;

/// The tools of the seed page's file in short: two reads, a write with an amount and a note, a write with a channel.
pub(crate) fn shop() -> Vec<ShownTool> {
    let get = format!(r#"{{"type":"object","required":["order_id"],"properties":{{"order_id":{ORDER_ID}}}}}"#);
    let pay = format!(
        r#"{{"type":"object","required":["order_id","amount"],"properties":{{"order_id":{ORDER_ID},
            "amount":{{"type":"number","minimum":0}},"reason":{{"enum":["damaged","late","other"]}},
            "note":{{"type":"string"}}}}}}"#
    );
    let tell = format!(
        r#"{{"type":"object","required":["order_id","channel"],"properties":{{"order_id":{ORDER_ID},
            "channel":{{"type":"string","enum":["email","sms"]}}}}}}"#
    );
    vec![
        tool("get_order", Effect::Read, &get, None),
        tool("list_channels", Effect::Read, r#"{"type":"object","properties":{}}"#, None),
        tool("pay", Effect::Unknown, &pay, None),
        tool("tell", Effect::Write, &tell, None),
    ]
}

/// The write of the shop's target.
pub(crate) fn pay_step() -> Step {
    step("pay", StepEffect::Write, r#"{"order_id":"ulbifi","amount":49.5}"#, &[], "{}")
}

pub(crate) const PAY: &str = r#"{"order_id":"ulbifi","amount":49.5}"#;
pub(crate) const GET: &str = r#"{"order_id":"ulbifi"}"#;

pub(crate) fn engine(task: Task) -> Engine {
    Engine::new(Arc::new(task))
}

/// Plays calls from the start; every outcome.
pub(crate) fn play(engine: &Engine, calls: &[Call]) -> Vec<Outcome> {
    let mut state = engine.start();
    let mut outcomes = Vec::new();
    for call in calls {
        let outcome = engine.step(&state, call);
        state = outcome.state.clone();
        outcomes.push(outcome);
    }
    outcomes
}

pub(crate) fn last(engine: &Engine, calls: &[Call]) -> Outcome {
    play(engine, calls).pop().unwrap()
}
