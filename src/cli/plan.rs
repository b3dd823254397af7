//! `rehearsal plan`: the arms a file offers, and planned tasks whole.

use super::output::Output;
use super::plan_file::{self, SavedPlan};
use super::set::{self, Loaded};
use super::{Failure, SetArgs};
use crate::plan::Planner;
use crate::task::{Arm, Dial, Task};
use crate::text;
use crate::value::{Map, Value, canonical};
use clap::Args;
use std::path::PathBuf;

/// The dials and levels a file offers and why others are not; with --arm and --seed, planned tasks whole.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal plan examples/orders/orders.openai.json\n  \
        rehearsal plan examples/orders/orders.openai.json --arm baddata:b2 --seed 0\n  \
        rehearsal plan examples/orders/orders.openai.json --arm faults:f2 \\\n    \
        --out plan.json")]
pub struct PlanArgs {
    /// The tool file and how it is read.
    #[command(flatten)]
    set: SetArgs,
    /// An arm to plan, as in faults:f2 (repeatable; default with --seed, --task or --out: the
    /// arms the settings measure, else every arm offered).
    #[arg(long, value_name = "ARM")]
    arm: Vec<String>,
    /// A seed to plan (repeatable; default: the set's seeds).
    #[arg(long, value_name = "N")]
    seed: Vec<u64>,
    /// Show one task of the plan whole, by its number from 1: arm after arm, seed after seed.
    #[arg(long, value_name = "K")]
    task: Option<usize>,
    /// Save the plan for `rehearsal step --plan`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &PlanArgs, out: &mut Output) -> Result<(), Failure> {
    let set = set::load(&args.set.file, &args.set.flags)?;
    let planner = set.planner()?;
    let mut arms = args.arm.iter().map(|a| arm(&planner, a)).collect::<Result<Vec<_>, _>>()?;
    let asked = !arms.is_empty() || !args.seed.is_empty() || args.task.is_some();
    if arms.is_empty() {
        arms = set.arms(&planner)?;
    }
    let seeds = if args.seed.is_empty() { set.seeds.clone() } else { args.seed.clone() };
    if let Some(path) = &args.out {
        let plan = SavedPlan::new(&set, &arms, &seeds)?;
        plan_file::save(&plan, path)?;
        out.line(format!(
            "saved {}: {} on {}, {}",
            path.display(),
            text::count(arms.len(), "arm"),
            text::count(seeds.len(), "seed"),
            text::count(arms.len() * seeds.len(), "task"),
        ))?;
        return Ok(());
    }
    if !asked {
        return levels(args, &set, &planner, out);
    }
    let chosen = pick(&arms, &seeds, args.task)?;
    let whole = args.task.is_some() || !args.seed.is_empty();
    if args.json {
        let tasks = chosen.iter().map(|(a, s)| task(&planner, *a, *s).map(|t| t.to_value()));
        return out.json(&Value::array(tasks.collect::<Result<_, _>>()?));
    }
    set.print_notes(out)?;
    let mut planned = false;
    for (i, (arm, seed)) in chosen.iter().enumerate() {
        if whole {
            if i > 0 {
                out.line("")?;
            }
            print_task(&task(&planner, *arm, *seed)?, out)?;
        } else {
            match planner.plan(*arm, *seed) {
                Ok(task) => {
                    planned = true;
                    out.line(format!("{:>4}  {arm}  seed {seed}  {}", i + 1, task.request))?;
                }
                Err(error) => out.line(format!("{:>4}  {arm}  seed {seed}  refused: {}", i + 1, error.0))?,
            }
        }
    }
    if whole || planned { Ok(()) } else { Err(Failure::Said) }
}

/// The task numbers asked for, or all.
pub fn pick(arms: &[Arm], seeds: &[u64], number: Option<usize>) -> Result<Vec<(Arm, u64)>, Failure> {
    let all = arms.iter().flat_map(|a| seeds.iter().map(move |s| (*a, *s)));
    match number {
        None => Ok(all.collect()),
        Some(k) => {
            let total = arms.len() * seeds.len();
            let found = k.checked_sub(1).and_then(|k| all.clone().nth(k));
            found
                .map(|t| vec![t])
                .ok_or_else(|| Failure::Refused(format!("no task {k}: this plan has tasks 1 to {total}")))
        }
    }
}

/// Every arm the set offers, in the order of the dials.
pub fn offered(planner: &Planner) -> Vec<Arm> {
    Dial::ALL
        .into_iter()
        .flat_map(|dial| planner.levels(dial).unwrap_or_default().into_iter().map(move |level| dial.at(level)))
        .collect()
}

/// Plans one task, or refuses in one line.
pub fn task(planner: &Planner, arm: Arm, seed: u64) -> Result<Task, Failure> {
    planner.plan(arm, seed).map_err(|error| Failure::Refused(format!("{arm}, seed {seed}: {}", error.0)))
}

/// An arm as written, or what was probably meant.
pub fn arm(planner: &Planner, word: &str) -> Result<Arm, Failure> {
    if let Some(arm) = Arm::parse(word) {
        return planner.reaches(arm).map(|()| arm).map_err(|error| Failure::Refused(error.0));
    }
    let dial_word = word.split(':').next().unwrap_or_default();
    if let Some(dial) = Dial::parse(dial_word) {
        let levels = planner.levels(dial).map_err(Failure::Refused)?;
        let arms: Vec<String> = levels.iter().map(|l| dial.at(*l).to_string()).collect();
        return Err(Failure::Refused(format!("no arm {word}: the dial {dial_word} has {}", arms.join(", "))));
    }
    let arms: Vec<String> = offered(planner).iter().map(ToString::to_string).collect();
    let words = Dial::ALL.map(Dial::word);
    let near = text::nearest(word, arms.iter().map(String::as_str))
        .or_else(|| text::nearest(dial_word, words))
        .map_or_else(|| format!("the dials are {}", words.join(", ")), |near| format!("did you mean {near}?"));
    Err(Failure::Refused(format!("no arm {word}: {near}")))
}

fn levels(args: &PlanArgs, set: &Loaded, planner: &Planner, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        let mut levels = Map::new();
        let mut unavailable = Map::new();
        for dial in Dial::ALL {
            match planner.levels(dial) {
                Ok(found) => {
                    levels.insert(dial.word(), found);
                }
                Err(why) => {
                    levels.insert(dial.word(), Value::array(Vec::new()));
                    unavailable.insert(dial.word(), why);
                }
            }
        }
        return out.json(&Map::from([("levels", levels), ("unavailable", unavailable)]).into());
    }
    set.print_notes(out)?;
    out.line(set.heading())?;
    print_levels(set, planner, out)
}

/// The arms offered and why others are not, and the seeds.
pub fn print_levels(set: &Loaded, planner: &Planner, out: &mut Output) -> Result<(), Failure> {
    for dial in Dial::ALL {
        match planner.levels(dial) {
            Ok(levels) => {
                let arms: Vec<String> = levels.iter().map(|l| dial.at(*l).to_string()).collect();
                out.line(format!("{:<11} {}", dial.word(), arms.join(" ")))?;
            }
            Err(why) => out.line(format!("{:<11} - {why}", dial.word()))?,
        }
    }
    if let Some(measure) = &set.measure {
        let arms: Vec<String> = set.arms(planner)?.iter().map(ToString::to_string).collect();
        out.line(format!(
            "measured    {}",
            if arms.is_empty() { measure.dial.word().to_owned() } else { arms.join(" ") }
        ))?;
    }
    let seeds: Vec<String> = set.seeds.iter().map(ToString::to_string).collect();
    out.line(format!("seeds       {}", seeds.join(" ")))
}

fn print_task(task: &Task, out: &mut Output) -> Result<(), Failure> {
    out.line(format!("{}  seed {}  {}  target {}", task.arm, task.seed, task.form.word(), task.target))?;
    out.line(format!("task id  {}", task.task_id))?;
    out.line("")?;
    out.line(&*task.system_prompt)?;
    out.line("")?;
    out.line(&*task.request)?;
    if let Some(history) = &task.history {
        let tokens: u32 = history.iter().map(|p| p.tokens).sum();
        let pairs = text::count(history.len(), "earlier call");
        out.line(format!("history  {pairs}, {tokens} tokens"))?;
    }
    out.line("")?;
    let tools: Vec<&str> = task.block.iter().map(|t| &*t.name).collect();
    out.line(format!("tools shown  {}", tools.join(", ")))?;
    for (name, value) in &task.stated {
        out.line(format!("stated       {name} {}", canonical::spaced(value)))?;
    }
    for (i, step) in task.steps.iter().enumerate() {
        let matching: Vec<String> =
            step.matching.iter().map(|(n, v)| format!("{n} {}", canonical::spaced(v))).collect();
        let needs: Vec<String> = step.needs.iter().map(ToString::to_string).collect();
        let mut line = format!("step {i}       {} {}", step.tool, matching.join(", "));
        if !needs.is_empty() {
            line.push_str(&format!(", needs {}", needs.join(" ")));
        }
        for (path, value) in &step.serves {
            line.push_str(&format!(", serves {path} {}", canonical::spaced(value)));
        }
        out.line(line)?;
    }
    for (word, plan) in
        [("faults", &task.fault_plan), ("timeouts", &task.timeout_plan), ("rate limits", &task.rate_limit_plan)]
    {
        for (tool, n) in plan {
            out.line(format!("{word:<12} {tool} {n}"))?;
        }
    }
    if let Some(step) = task.landed_step {
        out.line(format!("landed       the write of step {step} goes through but times out"))?;
    }
    if let Some(step) = task.lagged_step {
        out.line(format!("lagged       one read does not show the write of step {step}"))?;
    }
    if let Some(bad) = &task.bad_read {
        out.line(format!(
            "bad read     step {}, level {}: {} {}",
            bad.step,
            bad.level,
            bad.field,
            canonical::spaced(&bad.value)
        ))?;
    }
    for (i, call) in task.reference_calls.iter().enumerate() {
        out.line(format!("reference {}  {} {}", i + 1, call.tool, canonical::spaced(&call.arguments)))?;
    }
    Ok(())
}
