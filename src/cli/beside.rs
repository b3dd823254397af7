//! `rehearsal step --against`: two arms of one seed side by side.

use super::Failure;
use super::output::Output;
use super::step::Playing;
use crate::align::{Row, RowKind, changes};
use crate::episode::Episode;
use crate::plan::Planner;
use crate::task::{Arm, Task};
use crate::tui::screens::sides::{PAGE, page};
use crate::value::{Map, Value};
use crate::work::{self, Calls, Control, Side, Sides, SidesRequest};
use std::sync::Arc;

/// What to set side by side.
pub(super) struct Request {
    /// The set.
    pub(super) planner: Planner,
    /// The two arms.
    pub(super) arms: [Arm; 2],
    /// The seed of both.
    pub(super) seed: u64,
}

/// The calls to send to both, as an episode of the first arm.
pub(super) fn given(
    request: &Request,
    playing: impl FnOnce(&Task) -> Result<Playing, Failure>,
) -> Result<Calls, Failure> {
    let task = Arc::new(super::plan::task(&request.planner, request.arms[0], request.seed)?);
    let playing = playing(&task)?;
    let mut episode = Episode::new(task);
    for call in playing.calls {
        episode.make(call);
    }
    episode.end(playing.ending);
    Ok(Calls::Again(Box::new(episode)))
}

/// Plays both and prints them.
pub(super) fn run(request: Request, calls: Calls, as_json: bool, out: &mut Output) -> Result<(), Failure> {
    let Request { planner, arms, seed } = request;
    let request = SidesRequest { planner: Arc::new(planner), arms, seed, calls };
    let sides = work::sides(&request, &Control::quiet())
        .map_err(|error| Failure::Refused(format!("seed {seed}: {}", error.0)))?;
    if as_json {
        return out.json(&json(&sides));
    }
    for line in page(&sides, PAGE) {
        out.line(line)?;
    }
    Ok(())
}

fn json(sides: &Sides) -> Value {
    let side = |side: &Side| -> Value {
        let task = side.episode.task();
        let mut map = Map::from([("arm", Value::from(task.arm.to_string())), ("seed", Value::from(task.seed))]);
        if let Value::Object(played) = side.episode.to_value() {
            for (name, value) in played.named() {
                map.insert(name, value.clone());
            }
        }
        if !side.reasons.is_empty() || side.ended_because.is_some() {
            map.insert("reasons", side.reasons.iter().map(Value::from).collect::<Vec<Value>>());
            map.insert("ended_because", side.ended_because.as_ref().map(Value::from));
        }
        if let Some((index, tool)) = &side.stopped {
            let stopped = Map::from([("call", Value::from(index + 1)), ("tool", Value::from(tool))]);
            map.insert("stopped", stopped);
        }
        map.into()
    };
    Map::from([
        ("a", side(&sides.a)),
        ("b", side(&sides.b)),
        ("rows", sides.rows.iter().map(|row| pair(sides, row)).collect::<Vec<Value>>().into()),
        ("first_divergence", sides.parts.into()),
        ("words", sides.words().into()),
    ])
    .into()
}

/// A row: its kind, the numbers of the two calls, what differs.
fn pair(sides: &Sides, row: &Row) -> Value {
    let calls =
        (row.a.and_then(|i| sides.a.episode.calls().get(i)), row.b.and_then(|i| sides.b.episode.calls().get(i)));
    let differs = match (row.kind, calls) {
        (RowKind::Answer, (Some(a), Some(b))) => changes(&a.outcome.answer.value, &b.outcome.answer.value),
        (RowKind::Arguments, (Some(a), Some(b))) => changes(&a.call.arguments, &b.call.arguments),
        _ => Vec::new(),
    };
    let differs = differs.into_iter().map(|change| {
        let mut map = Map::from([("at", Value::from(change.at))]);
        for (name, value) in [("a", change.a), ("b", change.b)] {
            if let Some(value) = value {
                map.insert(name, value);
            }
        }
        Value::from(map)
    });
    let number = |i: Option<usize>| Value::from(i.map(|i| i + 1));
    Map::from([
        ("kind", Value::from(row.kind.word())),
        ("a", number(row.a)),
        ("b", number(row.b)),
        ("differs", differs.collect::<Vec<Value>>().into()),
    ])
    .into()
}
