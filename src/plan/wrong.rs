//! Wrong answers shipped with a task, each with the verdict it must get (rules 5.7, 7.5).
use super::Planner;
use super::draft::Draft;
use super::draws::{Draws, value};
use super::near_miss::{letter_changed, plus};
use super::set::{Prepared, Prop};
use crate::schema::{conforms, same};
use crate::task::{Call, Dial, StepEffect, WrongAnswer};
use crate::value::{Map, Str, Value};

/// Draws of another value before an argument is given up.
const REDRAWS: usize = 8;

/// The wrong answers of a draft whose steps and reference are laid down.
pub(super) fn answers(planner: &Planner, draft: &Draft, draws: &Draws) -> Vec<WrongAnswer> {
    let task = &draft.task;
    let reference = &task.reference_calls;
    let target = &planner.set.tools[draft.target];
    let mut answers = vec![
        answer("wrong_state", without_the_write(draft), "wrong_state"),
        WrongAnswer { limit: true, ..answer("turn_limit", reference.clone(), "turn_limit") },
    ];
    let last = reference.iter().rev().find(|c| c.tool == task.target);
    let and_then = |more: Call| reference.iter().cloned().chain([more]).collect::<Vec<_>>();
    if let Some(last) = last {
        let stray = stray(draft, target, draws, last);
        answers.push(answer("collateral_mutation", and_then(stray), "collateral_mutation"));
    }
    let call = |tool: &Str, arguments: Value| vec![Call { tool: tool.clone(), arguments }];
    answers.push(answer("malformed_call_clause_2", call(&task.target, Value::array(Vec::new())), "malformed_call"));
    let outside = name_outside(draft);
    answers.push(answer("malformed_call_clause_3", call(&outside, Value::object(Map::new())), "malformed_call"));
    if let Some(arguments) = target.breaking.get_or_init(|| breaking(target)).clone() {
        answers.push(answer("malformed_call_clause_4", call(&task.target, arguments), "malformed_call"));
    }
    let (Some(last), Some(write)) = (last, reference.iter().position(|c| c.tool == task.target)) else {
        return answers;
    };
    match task.arm.dial {
        Dial::Similarity => {
            let lookalike = task.block.iter().find(|t| t.tool.name == task.target_tool && t.name != task.target);
            if let Some(lookalike) = lookalike {
                let call = Call { tool: lookalike.name.clone(), arguments: last.arguments.clone() };
                answers.push(answer("collateral_mutation_lookalike", and_then(call), "collateral_mutation"));
            }
        }
        Dial::Landed | Dial::Lagged => {
            let mut twice = reference.clone();
            twice.insert(write, last.clone());
            answers.push(answer("duplicate_write", twice, "collateral_mutation"));
        }
        Dial::BadData => answers.extend(believed(draft)),
        _ => {}
    }
    answers
}

fn answer(name: &'static str, calls: Vec<Call>, label: &'static str) -> WrongAnswer {
    WrongAnswer { name, calls, limit: false, label }
}

/// The reference without its last call; where reads follow the write, without the write.
fn without_the_write(draft: &Draft) -> Vec<Call> {
    let task = &draft.task;
    let mut calls = task.reference_calls.clone();
    if matches!(task.arm.dial, Dial::Landed | Dial::Lagged) {
        calls.retain(|c| c.tool != task.target);
    } else {
        calls.pop();
    }
    calls
}

/// The read made once, then the write with the value it told.
fn believed(draft: &Draft) -> Option<WrongAnswer> {
    let task = &draft.task;
    let bad = task.bad_read.as_ref()?;
    let (read, write) = (task.reference_calls.first()?, task.reference_calls.last()?);
    let (_, right) = task.steps.first()?.serves.first()?;
    // the argument that is looked up: matched, not stated, and holding the value the read serves
    let (looked_up, _) = task
        .steps
        .last()?
        .matching
        .iter()
        .find(|(name, value)| !task.stated.iter().any(|(stated, _)| stated == name) && same(value, right))?;
    let arguments = with(&write.arguments, looked_up, bad.value.clone())?;
    let calls = vec![read.clone(), Call { tool: write.tool.clone(), arguments }];
    Some(answer("believed", calls, "wrong_state"))
}

/// The last call to the target with its first matched argument that admits another value changed; as it is when none
/// does.
fn stray(draft: &Draft, target: &Prepared, draws: &Draws, last: &Call) -> Call {
    let write = draft.task.steps.iter().rev().find(|s| s.effect == StepEffect::Write);
    let changed = write.into_iter().flat_map(|s| &s.matching).find_map(|(name, _)| {
        let prop = &target.props[target.position(name)?];
        let now = last.arguments.get(name)?;
        with(&last.arguments, name, another(prop, now, draws)?)
    });
    Call { tool: last.tool.clone(), arguments: changed.unwrap_or_else(|| last.arguments.clone()) }
}

/// Another value that an argument admits.
fn another(prop: &Prop, now: &Value, draws: &Draws) -> Option<Value> {
    let fits = |v: &Value| !same(v, now) && conforms(v, &prop.schema);
    let entries = prop.schema.get("enum").and_then(Value::as_array);
    if let Some(entry) = entries.and_then(|e| e.iter().find(|v| fits(v))) {
        return Some(entry.clone());
    }
    let redrawn =
        || (0..REDRAWS).filter_map(|j| value(draws.key(), prop, &format!("stray/{}/{j}", prop.name))).find(fits);
    match now {
        Value::Bool(b) => Some(Value::Bool(!b)).filter(fits),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
            [1.0, -1.0, 0.5].into_iter().filter_map(|step| plus(now, step)).find(fits)
        }
        Value::Str(text) => {
            let letters: Vec<char> = text.chars().collect();
            letters.len().checked_sub(1).and_then(|at| letter_changed(&letters, at, fits)).or_else(redrawn)
        }
        _ => redrawn(),
    }
}

/// The arguments with one of them replaced.
fn with(arguments: &Value, name: &Str, value: Value) -> Option<Value> {
    let mut map = arguments.as_object()?.clone();
    map.insert(name, value);
    Some(Value::object(map))
}

/// A name that is not in the block.
fn name_outside(draft: &Draft) -> Str {
    let mut name = String::from("no_such_tool");
    while draft.task.shown(&name).is_some() {
        name.push('_');
    }
    Str::from(name)
}

/// Arguments that break a tool's schema: none at all when something is required, else one of the wrong kind.
fn breaking(tool: &Prepared) -> Option<Value> {
    let breaks = |arguments: &Value| !conforms(arguments, &tool.tool.input_schema);
    let none = Value::object(Map::new());
    if breaks(&none) {
        return Some(none);
    }
    let kinds = || {
        [
            none.clone(),
            Value::from("not what the schema asks for"),
            Value::Float(0.5),
            Value::array(Vec::new()),
            // what is left when an argument takes all four
            Value::Bool(true),
            Value::Null,
        ]
    };
    let checkable = tool.checkable.iter().flat_map(|&i| kinds().map(|v| (tool.props[i].name.clone(), v)));
    let undeclared = [(Str::from("not an argument of it"), Value::Null)];
    checkable.chain(undeclared).map(|pair| Value::object([pair].into_iter().collect())).find(breaks)
}
