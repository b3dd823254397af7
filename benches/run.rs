//! A run of 100,000 episodes of a three-step task on one core and on all, its card, two of them compared, and the published
//! cards recomputed where they are at hand; time and peak memory of each.
//!
//! `cargo bench --bench run`; a number after `--` is how many episodes.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]
use rehearsal::card::{Artifact, Tallies, read_records};
use rehearsal::episode::players::PlayerSpec;
use rehearsal::plan::{Flow, PlanSettings};
use rehearsal::run::{Compared, RunRequest, Source, prepare};
use rehearsal::task::Dial;
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::value::read::read_json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Attempts at every task.
const ATTEMPTS: u64 = 100;

fn main() {
    let asked = std::env::args().skip(1).find_map(|a| a.parse::<u64>().ok());
    let tasks = asked.unwrap_or(100_000).div_ceil(ATTEMPTS);
    let folder = tempfile::tempdir().unwrap();
    println!("{:<28} {:>10} {:>14} {:>12}", "", "seconds", "per second", "peak");
    for (name, threads) in [("run, one core", 1), ("run, all cores", 0)] {
        let request = request(&folder.path().join(threads.to_string()), tasks, threads);
        measure(name, tasks * ATTEMPTS, || {
            let never = AtomicBool::new(false);
            let ready = prepare(request, &mut |_| (), &never).unwrap().unwrap();
            ready.run("2026-10-26T08:30:00Z", &mut |_| (), &never).unwrap()
        });
    }
    let open = |threads: usize| Source::open(&folder.path().join(threads.to_string())).unwrap();
    measure("card", tasks * ATTEMPTS, || open(0).artifact.text());
    measure("compare", tasks * ATTEMPTS, || Compared::of(open(1), open(0)).comparison.chains);
    published();
}

/// A chain of three tools of the warehouse: read, write, write.
fn request(out: &Path, tasks: u64, threads: usize) -> RunRequest {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/warehouse/warehouse.mcp.json");
    let options = ReadOptions { name: "warehouse".to_owned(), ..ReadOptions::default() };
    let flows = ["find_sku.sku:reserve_stock.sku", "reserve_stock.hold:ship_order.hold"];
    RunRequest {
        reading: Arc::new(read(&std::fs::read(&file).unwrap(), &options)),
        file,
        options,
        settings: PlanSettings { intents: vec![], flows: flows.iter().map(|f| Flow::parse(f).unwrap()).collect() },
        arms: vec![Dial::Depth.at(3)],
        seeds: (0..tasks).collect(),
        attempts: ATTEMPTS,
        player: PlayerSpec::parse("mix:reference=3,trusting=1", &mut |f| Err(f.to_owned())).unwrap(),
        out: out.to_owned(),
        threads,
    }
}

fn published() {
    let cards = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cards");
    let Ok(folders) = std::fs::read_dir(&cards) else {
        println!("published cards: skipped, {} is not there", cards.display());
        return;
    };
    let folders: Vec<PathBuf> = folders.flatten().map(|f| f.path()).filter(|p| p.is_dir()).collect();
    measure("published cards", 4200 * folders.len() as u64, || {
        for folder in &folders {
            let records = read_records(&std::fs::read(folder.join("episodes.jsonl")).unwrap()).unwrap();
            let artifact = read_json(&std::fs::read(folder.join("artifact.json")).unwrap()).unwrap().root;
            let provenance = artifact.get("provenance").unwrap().clone();
            std::hint::black_box(Artifact::build(&records, provenance, &Tallies::new()).unwrap().text());
        }
    });
}

fn measure<T>(name: &str, n: u64, work: impl FnOnce() -> T) {
    // Linux forgets the peak so far; elsewhere none is given.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let started = Instant::now();
    std::hint::black_box(work());
    let seconds = started.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).map_or("-", str::trim);
    println!("{name:<28} {seconds:>10.3} {:>14.0} {peak:>12}", n as f64 / seconds);
}
