//! spread: one argument's value cut up over the answers of four reads (rules 5.4).
use super::draft::Draft;
use super::draws::{Draws, args};
use super::set::{Prepared, Prop};
use super::{PlanError, Planner};
use crate::schema::{DrawKey, value_where};
use crate::task::{Arm, Call, Form, NamedRead};
use crate::value::{Map, Str, Value, call_text};
use std::collections::HashSet;

/// Reads of a task, at every level.
const READS: usize = 4;

/// Attempts made at finding them.
const ATTEMPTS: usize = 256;

/// Characters a carried value has at least: one for each read.
const SHORTEST: usize = 4;

/// What a read without a part answers.
const NO_PART: &str = "none";

/// A target and the argument of it that can be cut up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier {
    target: usize,
    prop: usize,
}

/// The carriers of a set, in file order.
pub(super) fn carriers(planner: &Planner) -> Vec<Carrier> {
    let carried = |target: usize| {
        let tool = &planner.set.tools[target];
        let fits = |&&i: &&usize| {
            tool.props[i].kind() == Some("string")
                && carried_value(&tool.props[i], |_| 0, &planner.probe, "drawable").is_some()
        };
        tool.checkable.iter().find(fits).map(|&prop| Carrier { target, prop })
    };
    planner.set.targets.iter().filter_map(|&t| carried(t)).collect()
}

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    if planner.carriers().is_empty() {
        return Err("no goal tool takes a string of 4 or more characters that can be checked".into());
    }
    if planner.set.keyed.is_empty() {
        return Err("no read takes an argument that can be checked and answers with a text field".into());
    }
    let draws = Draws::new(&planner.reading.file_hash, 0);
    match reads(planner, &draws, "spread-probe") {
        Some(_) => Ok(vec![1, 2, 4]),
        None => Err("the reads allow fewer than four different calls".into()),
    }
}

/// A value of 4 characters or more: an entry of the enum, the const, or a text drawn long enough.
fn carried_value(prop: &Prop, pick: impl Fn(usize) -> usize, key: &DrawKey, salt: &str) -> Option<Value> {
    let long = |v: &Value| v.as_str().is_some_and(|s| s.chars().count() >= SHORTEST);
    if let Some(entries) = prop.schema.get("enum").and_then(Value::as_array) {
        let long: Vec<&Value> = entries.iter().filter(|v| long(v)).collect();
        return if long.is_empty() { None } else { long.get(pick(long.len())).map(|&v| v.clone()) };
    }
    if let Some(fixed) = prop.schema.get("const") {
        return long(fixed).then(|| fixed.clone());
    }
    if prop.schema.get("format").is_some() {
        return value_where(&prop.schema, &prop.cleaned, key, salt, long);
    }
    let bound = |name: &str| prop.schema.get(name).filter(|v| v.is_number()).and_then(Value::as_f64);
    let low = bound("minLength").map_or(0.0, f64::trunc).max(SHORTEST as f64);
    if bound("maxLength").is_some_and(|high| high.trunc() < low) {
        return None;
    }
    let raised = |schema: &Value| match schema.as_object() {
        Some(map) if bound("minLength").is_none_or(|n| n < SHORTEST as f64) => {
            let mut map: Map = map.clone();
            map.insert("minLength", SHORTEST);
            Value::object(map)
        }
        _ => schema.clone(),
    };
    value_where(&raised(&prop.schema), &raised(&prop.cleaned), key, salt, long)
}

/// One of the four reads.
#[derive(Debug)]
pub(super) struct Read {
    tool: usize,
    call: Call,
}

/// Four distinct reads, when they can be made.
fn reads(planner: &Planner, draws: &Draws, base: &str) -> Option<Vec<Read>> {
    let keyed = &planner.set.keyed;
    let mut seen: HashSet<(usize, String)> = HashSet::new();
    let mut found = Vec::with_capacity(READS);
    if keyed.is_empty() {
        return None;
    }
    for j in 0..ATTEMPTS {
        let at = keyed[draws.pick(&format!("{base}/tool/{j}"), keyed.len())];
        let tool = &planner.set.tools[at];
        let positions = tool.key_call();
        let values = args(draws.key(), tool, &format!("{base}/args/{j}"), &positions);
        if positions.iter().any(|&i| values[i].is_none()) {
            continue;
        }
        let call = tool.call(&tool.tool.name, &positions, &values);
        if seen.insert((at, call_text(&call.arguments))) {
            found.push(Read { tool: at, call });
            if found.len() == READS {
                return Some(found);
            }
        }
    }
    None
}

/// A value cut into `parts`, the earlier ones longer.
fn cut(value: &str, parts: usize) -> Vec<Str> {
    let letters: Vec<char> = value.chars().collect();
    let (each, longer) = (letters.len() / parts, letters.len() % parts);
    let mut rest = &letters[..];
    (0..parts)
        .map(|i| {
            let (part, left) = rest.split_at(each + usize::from(i < longer));
            rest = left;
            Str::from(part.iter().collect::<String>())
        })
        .collect()
}

/// Four reads in order, then the write that needs those that hold a part.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let carriers = planner.carriers();
    let Carrier { target, prop } = carriers[draws.pick("spread/target", carriers.len())];
    let tool = &planner.set.tools[target];
    let carried = &tool.props[prop];
    let mut values = (*draws.target_values(target, tool)).clone();
    values[prop] = carried_value(carried, |n| draws.pick("spread/value", n), draws.key(), "spread/value");
    let Some(text) = values[prop].as_ref().and_then(Value::as_str) else {
        return Err(PlanError(format!("no value could be drawn for {} of {}", carried.name, tool.tool.name)));
    };
    let parts = cut(text, arm.level as usize);
    let reads = draws.spread.get_or_init(|| reads(planner, draws, "spread"));
    let reads = reads.as_ref().ok_or_else(|| PlanError("the reads allow fewer than four different calls".into()))?;
    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let asks: Vec<Str> = reads.iter().map(|r| planner.ask(r.tool)).collect();
    for (i, Read { tool: at, call }) in reads.iter().enumerate() {
        let read = &planner.set.tools[*at];
        let Some(field) = read.answer_field.clone() else { continue };
        draft.task.named_reads.push(NamedRead {
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            field: field.clone(),
        });
        let matched = checkable(read, call);
        draft.expect(read, call.clone(), matched, Vec::new());
        draft.serve(&field, parts.get(i).map_or_else(|| Value::from(NO_PART), Value::from));
    }
    let stated = tool.stated(Some(prop));
    let call = tool.call(&tool.tool.name, &tool.called(&stated, Some(prop)), &values);
    let matched = tool.pairs(&tool.matched(&stated, Some(prop)), &values);
    draft.expect(tool, call, matched, (0..parts.len()).collect());
    draft.task.stated = tool.pairs(&stated, &values);
    draft.task.form = if arm.level == 1 { Form::ReadThenCall } else { Form::Flow };
    draft.task.request =
        planner.words.spread(&planner.ask(target), &draft.task.stated, &carried.name, &asks, &draft.task.named_reads);
    Ok(draft)
}

/// The checkable arguments of a call, in schema order.
pub(super) fn checkable(tool: &Prepared, call: &Call) -> Vec<(Str, Value)> {
    tool.checkable
        .iter()
        .map(|&i| &tool.props[i].name)
        .filter_map(|name| Some((name.clone(), call.arguments.get(name)?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn earlier_parts_are_longer_and_characters_stay_whole() {
        let parts = |v, n| cut(v, n).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(parts("ozhjls", 2), ["ozh", "jls"]);
        assert_eq!(parts("ozhjls", 4), ["oz", "hj", "l", "s"]);
        assert_eq!(parts("éüñ😀x", 2), ["éüñ", "😀x"]);
    }
}
