//! The read that shows what a write did, and the two dials that need it: landed and lagged (rules 7.5).
use super::base;
use super::draft::Draft;
use super::draws::{Draws, Values, args};
use super::set::Prepared;
use super::{PlanError, Planner};
use crate::engine::Engine;
use crate::schema::conforms;
use crate::task::{Arm, Call, Dial, Task};
use crate::value::Value;
use std::sync::Arc;

/// Sets of values tried on lagged before a seed is refused.
const ATTEMPTS: usize = 256;

/// The read-back of a target with these values: the first record read whose key arguments are all stated for the target
/// and whose answer shows something else of the write.
fn read_back(planner: &Planner, target: &Prepared, values: &[Option<Value>]) -> Option<Call> {
    planner.set.reads.iter().map(|&r| &planner.set.tools[r]).find_map(|read| read_call(read, target, values))
}

/// The read-back call of one read, when it is one.
fn read_call(read: &Prepared, target: &Prepared, values: &[Option<Value>]) -> Option<Call> {
    if !read.is_record_read() {
        return None;
    }
    let key = key_arguments(read);
    if !key.iter().any(|&i| read.props[i].checkable) {
        return None;
    }
    let mut asked = vec![None; read.props.len()];
    for &i in &key {
        let prop = &read.props[i];
        let at = target.position(&prop.name).filter(|&at| target.props[at].drawable)?;
        let value = values[at].clone().unwrap_or_default();
        if !conforms(&value, &prop.schema) {
            return None;
        }
        asked[i] = Some(value);
    }
    let shows = target.stated(None).into_iter().any(|at| {
        let (name, value) = (&target.props[at].name, values[at].clone().unwrap_or_default());
        read.position(name).is_none() && shown(read, name, &value)
    });
    shows.then(|| read.call(&read.tool.name, &key, &asked))
}

/// Positions of the arguments a read-back is called with: the required ones, or the first checkable one of none.
fn key_arguments(read: &Prepared) -> Vec<usize> {
    let required: Vec<usize> = (0..read.props.len()).filter(|&i| read.props[i].required).collect();
    if required.is_empty() { read.checkable.first().copied().into_iter().collect() } else { required }
}

/// Whether the read's answer can show that value of a write under that name.
fn shown(read: &Prepared, name: &str, value: &Value) -> bool {
    if read.tool.output_schema.is_none() {
        return name != "ok";
    }
    read.output_property(name).is_some_and(|property| {
        let one_entry = property.get("enum").and_then(Value::as_array).is_some_and(|e| e.len() == 1);
        property.get("const").is_none() && !one_entry && conforms(value, property)
    })
}

/// landed: the write goes through behind a timeout; the reference reads it back when that can be done.
pub(super) fn landed(planner: &Planner, arm: Arm, draws: &Draws) -> Draft {
    let target = base::target(planner, draws);
    let tool = &planner.set.tools[target];
    let values = draws.target_values(target, tool);
    let mut draft = base::write(planner, arm, draws, target, &values);
    draft.task.reference_calls.extend(read_back(planner, tool, &values));
    draft.task.landed_step = (arm.level > 0).then_some(0);
    draft
}

/// The targets that lagged is planned on, in file order.
pub(super) fn candidates(planner: &Planner) -> Vec<usize> {
    let has_read_back = |&target: &usize| {
        let tool = &planner.set.tools[target];
        let values = args(&planner.probe, tool, &format!("values/{}", tool.tool.name), &tool.drawable);
        read_back(planner, tool, &values).is_some()
    };
    planner.set.targets.iter().copied().filter(has_read_back).collect()
}

/// The levels of lagged on a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    if planner.lagged().is_empty() {
        return Err(
            "no read shows what a target wrote: one is needed whose key arguments the target takes too, under \
                    the same names, and whose answer has a field for another argument of the target"
                .into(),
        );
    }
    Ok(vec![0, 1])
}

/// lagged: a read after the write is stale once.
pub(super) fn lagged(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let candidates = planner.lagged();
    let target = candidates[draws.pick("lagged/target", candidates.len())];
    let Some((values, read)) = draws.lagged.get_or_init(|| shown_write(planner, draws, target)) else {
        let name = &planner.set.tools[target].tool.name;
        return Err(PlanError(format!("none of {ATTEMPTS} writes of {name} changes what a read of it answers")));
    };
    let mut draft = echoed_write(planner, arm, draws, target, values);
    draft.task.lagged_step = (arm.level > 0).then_some(0);
    draft.task.reference_calls.extend((0..=arm.level).map(|_| read.clone()));
    Ok(draft)
}

/// The write on an arm whose reads echo their arguments.
fn echoed_write(planner: &Planner, arm: Arm, draws: &Draws, target: usize, values: &[Option<Value>]) -> Draft {
    let mut draft = base::write(planner, arm, draws, target, values);
    draft.task.echo_reads = true;
    draft
}

/// The values of a write that changes what its read-back answers, and the read-back.
fn shown_write(planner: &Planner, draws: &Draws, target: usize) -> Option<(Arc<Values>, Call)> {
    let tool = &planner.set.tools[target];
    (0..ATTEMPTS).find_map(|k| {
        let values = if k == 0 {
            draws.target_values(target, tool)
        } else {
            Arc::new(args(draws.key(), tool, &format!("values/{k}/{}", tool.tool.name), &tool.drawable))
        };
        let read = read_back(planner, tool, &values)?;
        let draft = echoed_write(planner, Dial::Lagged.at(0), draws, target, &values);
        answers_differ(draft.task, &read).then_some((values, read))
    })
}

/// Whether a read answers otherwise after the reference's write than before it.
fn answers_differ(task: Task, read: &Call) -> bool {
    let engine = Engine::new(Arc::new(task));
    let start = engine.start();
    let calls = engine.task().reference_calls.iter();
    let written = calls.fold(start.clone(), |state, call| engine.step_served(&state, call).state);
    let text = |state| engine.step(state, read).answer.text;
    text(&start) != text(&written)
}
