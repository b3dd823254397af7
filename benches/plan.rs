//! Planning every dial: the warehouse example (7 tools), sets of 112 and 250 tools made here, and, where the folder is
//! there, a real set of 112 tools.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot set up should stop, and says what it skips"
)]

#[path = "made/tools.rs"]
mod made;

use divan::{Bencher, counter::ItemsCount};
use rehearsal::plan::{Flow, PlanSettings, Planner};
use rehearsal::task::{Arm, Dial};
use rehearsal::toolfile::{self, ReadOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    divan::main();
}

fn planner(bytes: &[u8], flows: &[&str]) -> Planner {
    let reading = toolfile::read(bytes, &ReadOptions { name: "bench".into(), ..ReadOptions::default() });
    let flows = flows.iter().map(|f| Flow::parse(f).unwrap()).collect();
    Planner::new(Arc::new(reading), PlanSettings { flows, ..PlanSettings::default() }).unwrap()
}

fn file(path: &str) -> Option<Vec<u8>> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

const FLOWS: [&str; 3] = [
    "find_sku.sku:reserve_stock.sku",
    "reserve_stock.hold:ship_order.hold",
    "ship_order.shipment_id:print_label_v2.shipment_id",
];

fn warehouse() -> Planner {
    planner(made::WAREHOUSE, &FLOWS)
}

/// A set of `n` tools made here.
fn made(n: usize) -> Planner {
    planner(&made::tools(n), &[])
}

/// Every arm that the set offers.
fn arms(planner: &Planner) -> Vec<Arm> {
    let levels = |dial: Dial| planner.levels(dial).unwrap_or_default().into_iter().map(move |l| dial.at(l));
    Dial::ALL.into_iter().flat_map(levels).collect()
}

/// One round plans every arm at a seed of its own.
fn plan_all(bencher: Bencher, planner: Planner) {
    let arms = arms(&planner);
    // the table of tokens is loaded when the first history is planned
    rehearsal::plan::tokens::count("");
    let seed = AtomicU64::new(0);
    bencher.counter(ItemsCount::new(arms.len())).bench(|| {
        let seed = seed.fetch_add(1, Ordering::Relaxed);
        arms.iter().map(|arm| planner.plan(*arm, seed).map_or(0, |t| t.reference_calls.len())).sum::<usize>()
    });
}

#[divan::bench]
fn every_dial_on_7_tools(bencher: Bencher) {
    plan_all(bencher, warehouse());
}

#[divan::bench]
fn every_dial_on_112_tools(bencher: Bencher) {
    plan_all(bencher, made(112));
}

#[divan::bench]
fn every_dial_on_250_tools(bencher: Bencher) {
    plan_all(bencher, made(250));
}

#[divan::bench]
fn every_dial_on_112_real_tools(bencher: Bencher) {
    match file("../shared/corpus/github-mcp-server-all.json") {
        Some(bytes) => plan_all(bencher, planner(&bytes, &[])),
        None => println!("skipped: the real tool files are not there"),
    }
}

/// The dials that seven tools offer.
fn offered() -> Vec<&'static str> {
    let planner = warehouse();
    Dial::ALL.into_iter().filter(|dial| planner.levels(*dial).is_ok()).map(Dial::word).collect()
}

/// One dial at its highest level on seven tools, every round at another seed.
#[divan::bench(args = offered())]
fn one_dial_on_7_tools(bencher: Bencher, word: &str) {
    let planner = warehouse();
    let dial = Dial::parse(word).unwrap();
    let Some(level) = planner.levels(dial).ok().and_then(|l| l.last().copied()) else { return };
    let seed = AtomicU64::new(0);
    bencher.bench(|| planner.plan(dial.at(level), seed.fetch_add(1, Ordering::Relaxed)));
}

/// Preparing a set and finding its levels.
#[divan::bench(args = [7, 112, 250])]
fn levels(bencher: Bencher, tools: usize) {
    bencher.bench(|| arms(&if tools == 7 { warehouse() } else { made(tools) }).len());
}
