//! What a request asks for, as a player understands it: the calls to make, which of their values come from answers, and how
//! to see in an answer whether a write went through.

use crate::engine::Answer;
use crate::schema::{conforms, same};
use crate::task::{Call, Dial, ShownTool, Task};
use crate::value::{Map, Str, Value};

/// One call the request asks for.
#[derive(Debug)]
pub(super) struct Item {
    /// As the reference solution makes it.
    call: Call,
    /// Whether its tool reads.
    pub(super) read: bool,
    /// The write it reads back, when no expected step is served by it.
    pub(super) reads_back: Option<usize>,
    /// The argument whose value answers give, and the items and paths that give it (joined when several).
    carried: Option<(Str, Vec<(usize, Str)>)>,
}

/// The calls a request asks for, in order.
#[derive(Debug)]
pub(super) struct Intent {
    pub(super) items: Vec<Item>,
}

impl Intent {
    /// The reference solution without its repeats: each of its calls once, tied to the step it serves or does.
    pub(super) fn of(task: &Task) -> Self {
        let mut items: Vec<Item> = Vec::new();
        let mut item_of_step: Vec<Option<usize>> = vec![None; task.steps.len()];
        for call in &task.reference_calls {
            if items.last().is_some_and(|last| same_call(&last.call, call)) {
                continue;
            }
            let step = task.steps.iter().enumerate().position(|(i, step)| {
                item_of_step[i].is_none()
                    && step.tool == call.tool
                    && step.matching.iter().all(|(k, v)| call.arguments.get(k).is_some_and(|got| same(got, v)))
            });
            let read = is_read(task, &call.tool);
            let last_write = || items.iter().rposition(|i| !i.read);
            items.push(Item {
                reads_back: if step.is_none() && read { last_write() } else { None },
                carried: step.and_then(|s| carried(task, s, call, &item_of_step)),
                call: call.clone(),
                read,
            });
            if let Some(step) = step {
                item_of_step[step] = Some(items.len() - 1);
            }
        }
        Self { items }
    }

    /// The call of an item with the values that answers gave; the error is the tool whose answer lacks one.
    pub(super) fn call(&self, item: usize, told: &impl Fn(&Call) -> Option<Value>) -> Result<Call, Str> {
        let item = &self.items[item];
        let Some((argument, sources)) = &item.carried else { return Ok(item.call.clone()) };
        let mut parts = Vec::with_capacity(sources.len());
        for (source, path) in sources {
            let source_call = self.call(*source, told)?;
            let part = told(&source_call).and_then(|answer| at_path(&answer, path).cloned());
            parts.push(part.ok_or(source_call.tool)?);
        }
        let value = if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Value::from(parts.iter().filter_map(Value::as_str).collect::<String>())
        };
        let mut arguments = item.call.arguments.as_object().cloned().unwrap_or_default();
        arguments.insert(argument, value);
        Ok(Call { tool: item.call.tool.clone(), arguments: arguments.into() })
    }
}

/// Whether two calls are one: same tool, same arguments.
pub(super) fn same_call(a: &Call, b: &Call) -> bool {
    a.tool == b.tool && same(&a.arguments, &b.arguments)
}

/// Whether a tool of the block reads.
pub(super) fn is_read(task: &Task, tool: &str) -> bool {
    task.shown(tool).is_some_and(|t| t.tool.effect.is_read())
}

/// Whether the agent was told that a call that timed out may have gone through.
pub(super) fn may_have_landed(task: &Task) -> bool {
    task.arm.dial == Dial::Landed
}

/// The argument of a step's call that the answers of its needs give: one of them whole, or all of them joined.
fn carried(task: &Task, step: usize, call: &Call, items: &[Option<usize>]) -> Option<(Str, Vec<(usize, Str)>)> {
    let needs = task.steps[step].needs.iter();
    let served: Vec<(usize, &Str, &Value)> = needs
        .filter_map(|n| Some((items.get(*n).copied().flatten()?, task.steps.get(*n)?)))
        .flat_map(|(item, step)| step.serves.iter().map(move |(path, value)| (item, path, value)))
        .collect();
    let arguments = call.arguments.as_object()?;
    let stated = |name: &Str| task.stated.iter().any(|(n, _)| n == name);
    // An argument that the request does not state comes first: another may hold the same value by chance.
    let mut named: Vec<(&Str, &Value)> = arguments.named().collect();
    named.sort_by_key(|(name, _)| stated(name));
    let joined: Option<String> = served.iter().map(|(_, _, value)| value.as_str()).collect();
    for (name, value) in named {
        if let Some((item, path, _)) = served.iter().find(|(_, _, v)| same(v, value)) {
            return Some((name.clone(), vec![(*item, (*path).clone())]));
        }
        if served.len() > 1 && joined.is_some() && value.as_str() == joined.as_deref() {
            return Some((name.clone(), served.iter().map(|(item, path, _)| (*item, (*path).clone())).collect()));
        }
    }
    None
}

/// The value at a path of an answer: names joined by `.`, `[]` after a name for the first element.
pub(super) fn at_path<'a>(answer: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(answer, |at, part| match part.strip_suffix("[]") {
        Some(name) => at.get(name)?.at(0),
        None => at.get(part),
    })
}

/// The read that would show whether a write went through: the reference's own, else the first read of the block whose
/// required arguments (its first checkable one when it requires none) the write carries, and whose answer can show another.
/// A read asked with nothing but free text finds no record, so its answer would say nothing of the write.
pub(super) fn read_back(task: &Task, intent: &Intent, write: usize, made_as: &Call) -> Option<Call> {
    if let Some(item) = intent.items.iter().find(|i| i.reads_back == Some(write)) {
        return Some(item.call.clone());
    }
    task.block.iter().filter(|shown| shown.tool.effect.is_read()).find_map(|shown| {
        let properties = shown.tool.properties();
        let mut names = shown.tool.required();
        let checkable = shown.tool.checkable();
        if names.is_empty() {
            names.push(checkable.first()?.clone());
        }
        if !names.iter().any(|name| checkable.contains(name)) {
            return None;
        }
        let mut arguments = Map::new();
        for name in names {
            let (_, schema) = properties.iter().find(|(n, _)| *n == name)?;
            let value = made_as.arguments.get(&name).filter(|v| conforms(v, schema))?;
            arguments.insert(name, value.clone());
        }
        let read = Call { tool: shown.name.clone(), arguments: arguments.into() };
        (!shown_names(shown, made_as, &read).is_empty()).then_some(read)
    })
}

/// Whether the answer of a read shows a write: every argument of the write that it can show is there, unchanged.
pub(super) fn shows(task: &Task, write: &Call, read: &Call, answer: &Answer) -> bool {
    let Some(shown) = task.shown(&read.tool) else { return false };
    let names = shown_names(shown, write, read);
    !names.is_empty()
        && names.iter().all(|name| {
            let told = answer.value.get(name);
            told.zip(write.arguments.get(name)).is_some_and(|(told, sent)| same(told, sent))
        })
}

/// Whether an answer reports other arguments than those it was asked with.
pub(super) fn answers_another(task: &Task, call: &Call, answer: &Answer) -> bool {
    let Some((shown, arguments)) = task.shown(&call.tool).zip(call.arguments.as_object()) else { return false };
    arguments.named().any(|(name, asked)| {
        can_show(shown, name, asked) && answer.value.get(name).is_some_and(|told| !same(told, asked))
    })
}

/// The arguments of a write, not asked with by the read, that the read's answer can show.
fn shown_names(shown: &ShownTool, write: &Call, read: &Call) -> Vec<Str> {
    let arguments = write.arguments.as_object().into_iter().flat_map(Map::named);
    arguments
        .filter(|(name, value)| {
            read.arguments.get(name).is_none() && can_show(shown, name, value) && !says_always(shown, name)
        })
        .map(|(name, _)| name.clone())
        .collect()
}

/// Whether every answer of the tool says the same under a name: it shows nothing of a write.
fn says_always(shown: &ShownTool, name: &str) -> bool {
    let properties = shown.tool.output_schema.as_ref().and_then(|schema| schema.get("properties"));
    properties.and_then(|p| p.get(name)).is_some_and(|property| {
        let entries = property.get("enum").and_then(Value::as_array);
        property.get("const").is_some() || entries.is_some_and(|e| e.len() == 1)
    })
}

/// Whether an answer of the tool can show a value under a name: without an output schema any name but `ok`, else a
/// top-level property that admits the value.
fn can_show(shown: &ShownTool, name: &str, value: &Value) -> bool {
    match &shown.tool.output_schema {
        None => name != "ok",
        Some(schema) => {
            schema.get("properties").and_then(|p| p.get(name)).is_some_and(|property| conforms(value, property))
        }
    }
}
