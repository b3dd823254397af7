//! One call played: an answer drawn anew, an answer drawn before, a long episode, and what else is asked of a state.
//!
//! `cargo bench --bench engine`
#![expect(clippy::unwrap_used, reason = "a benchmark")]
use rehearsal::engine::{Ending, Engine, State, explain};
use rehearsal::episode::Episode;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::task::{Call, Dial, Task};
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::value::{Map, Str, Value};
use std::sync::Arc;

fn main() {
    divan::main();
}

const FILES: [&str; 3] = ["orders.openai.json", "warehouse.mcp.json", "clinic.openapi.yaml"];

/// A task of a file: one write, behind reads that no step expects.
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
    let mut tasks = (0..100).map(|seed| planner.plan(Dial::History.at(600), seed).unwrap());
    Arc::new(tasks.find(|task| way(task, true).is_some() && way(task, false).is_some()).unwrap())
}

/// A call of a task and an argument of it that can be any of 10,000 words or numbers.
type Way = (Call, Str, bool);

/// The call with that argument made the `i`th.
fn changed((call, name, text): &Way, i: usize) -> Call {
    let mut map: Map = call.arguments.as_object().unwrap().clone();
    let letters = map.get(name).and_then(Value::as_str).map_or(0, str::len).max(4) as u32;
    let letter = |place: u32| char::from(b'a' + (i / 26_usize.pow(place.min(8)) % 26) as u8);
    let word: String = (0..letters).rev().map(letter).collect();
    map.insert(name, if *text { Value::from(word) } else { Value::from(i) });
    Call { tool: call.tool.clone(), arguments: Value::object(map) }
}

/// The first call of the history (reads) or of the reference (writes) that has one.
fn way(task: &Task, read: bool) -> Option<Way> {
    let reads = task.history.iter().flatten().map(|pair| &pair.call);
    let calls: Vec<&Call> = if read { reads.collect() } else { task.reference_calls.iter().collect() };
    let ways = calls.into_iter().flat_map(|call| {
        let names = call.arguments.as_object().unwrap().named().map(|(name, _)| name);
        names.flat_map(move |name| [true, false].map(|text| (call.clone(), name.clone(), text)))
    });
    let engine = Engine::new(Arc::new(task.clone()));
    let accepted = |call: &Call| engine.step(&engine.start(), call).answer.code.is_none();
    ways.into_iter().find(|way| [0, 9_999].iter().all(|i| accepted(&changed(way, *i))))
}

/// `n` accepted calls of one tool that differ in one argument: of a read of the history, or of the write.
fn calls(task: &Task, read: bool, n: usize) -> Vec<Call> {
    let way = way(task, read).unwrap();
    (0..n).map(|i| changed(&way, i)).collect()
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
