//! One call played: an answer drawn anew, an answer drawn before, a long episode, and what else is asked of a state.
//!
//! `cargo bench --bench engine`
#![expect(clippy::unwrap_used, reason = "a benchmark")]
use rehearsal::engine::{Ending, Engine, State, explain};
use rehearsal::episode::Episode;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::task::{Call, Dial, Task};
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::value::{Map, Value};
use std::sync::Arc;

fn main() {
    divan::main();
}

const FILES: [&str; 3] = ["orders.openai.json", "warehouse.mcp.json", "clinic.openapi.yaml"];

/// A task of a file, all of whose reads and writes can be called.
fn task(file: &str) -> Arc<Task> {
    let path = format!("{}/tests/toolfiles/{file}", env!("CARGO_MANIFEST_DIR"));
    let declared =
        if file.starts_with("orders") { vec!["get_order", "search_orders", "list_channels"] } else { vec![] };
    let options = ReadOptions {
        name: "bench".to_owned(),
        read: declared.into_iter().map(str::to_owned).collect(),
        ..ReadOptions::default()
    };
    let reading = Arc::new(read(&std::fs::read(path).unwrap(), &options));
    let planner = Planner::new(reading, PlanSettings::default()).unwrap();
    Arc::new(planner.plan(Dial::Lagged.at(0), 1).unwrap())
}

/// The last reference call (a read) or the first (the write), with one text argument made different `n` times.
fn calls(task: &Task, read: bool, n: usize) -> Vec<Call> {
    let reference = &task.reference_calls;
    let call = if read { reference.last() } else { reference.first() }.unwrap();
    let arguments = call.arguments.as_object().unwrap();
    let name = arguments.named().find(|(_, v)| v.as_str().is_some()).map(|(k, _)| k.clone()).unwrap();
    (0..n)
        .map(|i| {
            let mut map: Map = arguments.clone();
            map.insert(name.clone(), format!("{i:06}"));
            Call { tool: call.tool.clone(), arguments: Value::object(map) }
        })
        .collect()
}

/// Steps on answers drawn anew: every call of a batch has other arguments, every batch another engine.
#[divan::bench(args = FILES)]
fn step_read_drawn_anew(bencher: divan::Bencher<'_, '_>, file: &str) {
    drawn_anew(bencher, file, true);
}

#[divan::bench(args = FILES)]
fn step_write_drawn_anew(bencher: divan::Bencher<'_, '_>, file: &str) {
    drawn_anew(bencher, file, false);
}

fn drawn_anew(bencher: divan::Bencher<'_, '_>, file: &str, read: bool) {
    let task = task(file);
    let calls = calls(&task, read, 1000);
    bencher
        .counter(divan::counter::ItemsCount::new(calls.len()))
        .with_inputs(|| {
            let engine = Engine::new(task.clone());
            engine.step(&engine.start(), &calls[0]);
            engine
        })
        .bench_local_refs(|engine| {
            let start = engine.start();
            for call in &calls {
                divan::black_box(engine.step(&start, call));
            }
        });
}

/// Steps on answers drawn before: the same batch of calls on a warm engine.
#[divan::bench(args = FILES)]
fn step_read_drawn_before(bencher: divan::Bencher<'_, '_>, file: &str) {
    drawn_before(bencher, file, true);
}

#[divan::bench(args = FILES)]
fn step_write_drawn_before(bencher: divan::Bencher<'_, '_>, file: &str) {
    drawn_before(bencher, file, false);
}

fn drawn_before(bencher: divan::Bencher<'_, '_>, file: &str, read: bool) {
    let task = task(file);
    let calls = calls(&task, read, 1000);
    let engine = Engine::new(task);
    let start = engine.start();
    for call in &calls {
        engine.step(&start, call);
    }
    bencher.counter(divan::counter::ItemsCount::new(calls.len())).bench_local(|| {
        for call in &calls {
            divan::black_box(engine.step(&start, call));
        }
    });
}

/// A state behind 10,000 calls, half of them writes.
fn long(task: &Arc<Task>) -> (Engine, State, Call) {
    let engine = Engine::new(task.clone());
    let (reads, writes) = (calls(task, true, 5000), calls(task, false, 5000));
    let state = reads.iter().zip(&writes).fold(engine.start(), |state, (read, write)| {
        let state = engine.step(&state, write).state;
        engine.step(&state, read).state
    });
    (engine, state, reads[77].clone())
}

#[divan::bench(args = FILES)]
fn read_after_10_000_calls(bencher: divan::Bencher<'_, '_>, file: &str) {
    let (engine, state, call) = long(&task(file));
    bencher.bench_local(|| engine.step(&state, &call));
}

#[divan::bench(args = FILES)]
fn write_after_10_000_calls(bencher: divan::Bencher<'_, '_>, file: &str) {
    let task = task(file);
    let (engine, state, _) = long(&task);
    let call = task.reference_calls[0].clone();
    bencher.bench_local(|| engine.step(&state, &call));
}

#[divan::bench(args = FILES)]
fn verdict_after_10_000_calls(bencher: divan::Bencher<'_, '_>, file: &str) {
    let (engine, state, _) = long(&task(file));
    bencher.bench_local(|| engine.verdict(&state, Ending::Reply));
}

/// The reference of a task played and judged, the engine made anew: what planning and a run pay.
#[divan::bench(args = FILES)]
fn reference_played(bencher: divan::Bencher<'_, '_>, file: &str) {
    let task = task(file);
    bencher.bench_local(|| {
        let mut episode = Episode::new(task.clone());
        for call in &task.reference_calls {
            episode.make(call.clone());
        }
        episode.end(Ending::Reply);
        episode.verdict()
    });
}

#[divan::bench(args = FILES)]
fn explained(bencher: divan::Bencher<'_, '_>, file: &str) {
    let task = task(file);
    let mut episode = Episode::new(task.clone());
    let made = episode.make(task.reference_calls[0].clone());
    bencher.bench_local(|| explain::sentence(&task, &made));
}
