//! `rehearsal run`: many planned tasks played by a player, everything recorded.

use super::output::Output;
use super::set::{self, Origin};
use super::ticker::{Ticker, say};
use super::{Failure, SetArgs};
use crate::episode::players::PlayerSpec;
use crate::plan::Planner;
use crate::run::{Finished, Progress, Ready, RunFolder, RunRequest, Source, default_folder, prepare, utc};
use crate::settings::seeds;
use crate::task::{Arm, Dial};
use crate::text::{self, seconds};
use crate::value::{Map, Value};
use crate::work::{Control, ToolFile, load_script, resume_request};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

/// Plays every task of the chosen arms and seeds and records every call and answer. Ctrl-C stops; the same command
/// resumes, and so does `rehearsal run` with the run folder.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal run examples/orders/orders.openai.json --dial faults \\\n    \
        --player blind-retry\n  \
        rehearsal run examples/hotel/hotel.mcp.json --all --seeds 0..4 --attempts 2 \\\n    \
        --player mix:checking=3,trusting=1 --out runs/mixed")]
pub struct RunArgs {
    /// The tool file and how it is read.
    #[command(flatten)]
    set: SetArgs,
    /// An arm to run, as in faults:f2 (repeatable).
    #[arg(long, value_name = "ARM")]
    arm: Vec<String>,
    /// A dial to run at every level the file offers (repeatable).
    #[arg(long, value_name = "DIAL")]
    dial: Vec<String>,
    /// Run every arm the file offers.
    #[arg(long, conflicts_with_all = ["arm", "dial"])]
    all: bool,
    /// The seeds, as in 1,2,5..9, published or published:20 (default: the set's seeds).
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<String>,
    /// Attempts at each task.
    #[arg(long, value_name = "N", default_value_t = 1)]
    attempts: u64,
    /// Who plays: reference, once, blind-retry, trusting, checking, wrong:NAME, script:FILE or mix:NAME=weight,...
    #[arg(long, value_name = "PLAYER", default_value = "reference")]
    player: String,
    /// The run folder (default: runs/<set>-<player>). A folder that already holds this run is resumed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many threads play (default: one a core). The files do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &RunArgs, out: &mut Output) -> Result<(), Failure> {
    if RunFolder::at(&args.set.file).is_run() {
        return resume(args, out);
    }
    let player = player(&args.player)?;
    let seeds = args.seeds.as_deref().map(seeds::parse).transpose().map_err(Failure::Usage)?;
    let set = set::load(&args.set.file, &args.set.flags)?;
    let Origin::File(file) = &set.origin else {
        return Err(Failure::Refused("a run names its tool file, and this one came from standard input".to_owned()));
    };
    let planner = set.planner()?;
    let arms = arms(args, &planner)?;
    for note in &set.notes {
        say(&format!("! {note}"));
    }
    let request = RunRequest {
        reading: set.reading.clone(),
        file: file.clone(),
        options: set.options.clone(),
        settings: set.settings.clone(),
        arms,
        seeds: seeds.unwrap_or_else(|| set.seeds.clone()),
        attempts: args.attempts,
        player,
        out: args.out.clone().unwrap_or_default(),
        threads: args.threads.min(MOST_THREADS),
    };
    let cancel = interrupts()?;
    let mut ticker = Ticker::new();
    let ready = prepare(request, &mut |p| ticker.tell(&words(p)), &cancel).map_err(Failure::Refused)?;
    let Some(ready) = ready else { return Err(Failure::Interrupted) };
    let ready = match &args.out {
        Some(_) => ready,
        None => {
            let folder = default_folder(Path::new("runs"), &set.options.name, &args.player, |f| ready.is_in(f));
            ready.at(folder)
        }
    };
    play(&ready, ticker, &cancel, args.json, out)
}

/// Resumes the run of a folder as it was started.
fn resume(args: &RunArgs, out: &mut Output) -> Result<(), Failure> {
    if !args.arm.is_empty() || !args.dial.is_empty() || args.all || args.seeds.is_some() || args.out.is_some() {
        let says = "a run folder is resumed as it was started: leave out --arm, --dial, --all, --seeds and --out";
        return Err(Failure::Usage(says.to_owned()));
    }
    let request = resume_request(&args.set.file, &ToolFile::default(), &Control::quiet());
    let request = request.and_then(|found| found).map_err(Failure::Refused)?;
    let request = RunRequest { threads: args.threads.min(MOST_THREADS), ..request };
    let cancel = interrupts()?;
    let mut ticker = Ticker::new();
    let ready = prepare(request, &mut |p| ticker.tell(&words(p)), &cancel).map_err(Failure::Refused)?;
    let Some(ready) = ready else { return Err(Failure::Interrupted) };
    play(&ready, ticker, &cancel, args.json, out)
}

/// Plays what is not recorded yet and says how it ended.
fn play(ready: &Ready, mut ticker: Ticker, cancel: &AtomicBool, json: bool, out: &mut Output) -> Result<(), Failure> {
    for note in &ready.notes {
        say(&format!("! {note}"));
    }
    let finished = ready.run(&utc(SystemTime::now()), &mut |p| ticker.tell(&words(p)), cancel);
    ticker.clear();
    let finished = finished.map_err(Failure::Refused)?;
    report(ready, &finished, json, out)?;
    if finished.cancelled { Err(Failure::Interrupted) } else { Ok(()) }
}

/// More threads than this help nobody.
const MOST_THREADS: usize = 256;

/// A player by its name.
pub fn player(word: &str) -> Result<PlayerSpec, Failure> {
    PlayerSpec::parse(word, &mut load_script).map_err(Failure::Usage)
}

/// The arms asked for, in the order of the dials' levels as they were named.
fn arms(args: &RunArgs, planner: &Planner) -> Result<Vec<Arm>, Failure> {
    if args.all {
        return Ok(super::plan::offered(planner));
    }
    let mut arms = args.arm.iter().map(|word| super::plan::arm(planner, word)).collect::<Result<Vec<_>, _>>()?;
    for word in &args.dial {
        let dial = Dial::parse(word).ok_or_else(|| {
            let words = Dial::ALL.map(Dial::word);
            let near = text::nearest(word, words)
                .map_or_else(|| format!("the dials are {}", words.join(", ")), |near| format!("did you mean {near}?"));
            Failure::Usage(format!("no dial {word}: {near}"))
        })?;
        let levels = planner.levels(dial).map_err(|why| Failure::Refused(format!("{word}: {why}")))?;
        arms.extend(levels.into_iter().map(|level| dial.at(level)));
    }
    if arms.is_empty() {
        return Err(Failure::Usage("nothing to run: pass --arm, --dial or --all".to_owned()));
    }
    Ok(arms)
}

/// Set by Ctrl-C and by a polite kill; a second Ctrl-C ends the program at once.
fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupt = signal_hook::consts::SIGINT;
    signal_hook::flag::register_conditional_shutdown(interrupt, 130, stop.clone())?;
    for signal in [interrupt, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

fn report(ready: &Ready, finished: &Finished, json: bool, out: &mut Output) -> Result<(), Failure> {
    let folder = ready.out();
    let source = Source::open_without_intervals(folder, &mut |_, _, _| true).map_err(Failure::Refused)?;
    let passed = source.episodes.passed();
    let chain = source.episodes.run_chain();
    if json {
        let value = Map::from([
            ("out", Value::from(folder.display().to_string())),
            ("plan_hash", Value::from(ready.plan().hash())),
            ("episodes", Value::from(finished.recorded)),
            ("planned", Value::from(finished.total)),
            ("resumed_from", Value::from(finished.resumed_from)),
            ("passed", Value::from(passed)),
            ("finished", Value::from(!finished.cancelled)),
            ("chain", chain.map(|c| Value::from(c.hex())).into()),
        ]);
        return out.json(&value.into());
    }
    let how = match (finished.cancelled, finished.resumed_from) {
        (true, _) => format!("stopped at {} of {}; run the same command to resume", finished.recorded, finished.total),
        (false, n) if n == finished.total => "already finished".to_owned(),
        (false, 0) => format!("{} in {}", text::count(finished.total as usize, "episode"), seconds(finished.took)),
        (false, n) => format!(
            "{} ({} already recorded) in {}",
            text::count((finished.total - n) as usize, "episode"),
            text::group(n),
            seconds(finished.took)
        ),
    };
    out.line(format!("{}: {how}", folder.display()))?;
    out.line(format!("passed     {} of {}", text::group(passed as u64), text::group(source.episodes.len() as u64)))?;
    if let Some(chain) = chain {
        out.line(format!("run chain  {}", chain.hex()))?;
    }
    let gates = source.artifact.gates();
    for gate in gates.iter().filter(|_| !source.episodes.is_empty()) {
        out.line(format!("! its card will not be valid: {gate}"))?;
    }
    if !finished.cancelled {
        out.line(format!("next       rehearsal card {}", folder.display()))?;
    }
    Ok(())
}

/// How far a run is, in a line.
fn words(progress: Progress) -> String {
    match progress {
        Progress::Planning(done, total) => format!("planning {} of {}", text::group(done), text::group(total)),
        Progress::Playing { done, total, rate, left } => {
            let left = left.map_or_else(String::new, |l| format!(", {} left", seconds(l)));
            let rate = text::group(rate.round() as u64);
            format!("{} of {} episodes, {rate} a second{left}", text::group(done), text::group(total))
        }
    }
}
