//! `rehearsal step`: one episode, call by call.

mod look;

use super::output::Output;
use super::set::{self, Loaded};
use super::{Failure, SetFlags};
use super::{beside, plan_file};
use crate::engine::{Ending, Made, explain};
use crate::episode::Episode;
use crate::plan::Planner;
use crate::task::{Arm, Call, Script, Task};
use crate::text;
use crate::value::canonical;
use crate::work::Calls;
use clap::Args;
use look::{Look, Looking, Stopped};
use std::path::PathBuf;
use std::sync::Arc;

/// Plays the calls of one planned task and prints each: the call, the answer, why, what changed; then the verdict.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm faults:f2 --seed 0\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm baddata:b2 --seed 0 \\\n    \
        --calls wrong:believed\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm landed:l1 --seed 20 \\\n    \
        --calls examples/scripts/landed.yaml --expect collateral_mutation\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm faults:f2 --seed 0 \\\n    \
        --until change --diff 0.. --messages\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm baddata:b0 \\\n    \
        --against baddata:b2 --player trusting")]
pub struct StepArgs {
    /// The tool file; - reads standard input. Not needed with --plan.
    #[arg(value_name = "FILE", required_unless_present = "plan")]
    file: Option<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    flags: SetFlags,
    /// Play a task of a saved plan; the tool file must still have the same bytes.
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// The arm, as in faults:f2 (default: the first the settings measure, else the first offered; the first
    /// of the plan).
    #[arg(long, value_name = "ARM")]
    arm: Option<String>,
    /// The seed (default: the first of the set's seeds, or of the plan's).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The task by its number from 1, as `rehearsal plan` counts.
    #[arg(long, value_name = "K", conflicts_with_all = ["seed"])]
    task: Option<usize>,
    /// The calls: reference, wrong:NAME, or a YAML or JSON list of {tool, arguments} or [tool, arguments], with reply and
    /// limit as items; - reads standard input.
    #[arg(long, value_name = "CALLS", default_value = "reference")]
    calls: String,
    /// Set a second arm of the same seed beside the first, call by call.
    #[arg(long, value_name = "ARM", conflicts_with = "expect")]
    against: Option<String>,
    /// Who plays both arms: reference, once, blind-retry, trusting, checking, wrong:NAME or script:FILE
    /// (default: the calls, sent to both).
    #[arg(long, value_name = "PLAYER", requires = "against", conflicts_with = "calls")]
    player: Option<String>,
    /// Where to stop, and what to print beside the calls.
    #[command(flatten)]
    look: Looking,
    /// Exit 4 unless the verdict has this label, as in passed; open when the calls were stopped.
    #[arg(long, value_name = "LABEL")]
    expect: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The calls to play and how the episode ends.
pub(super) struct Playing {
    pub(super) calls: Vec<Call>,
    pub(super) ending: Ending,
}

/// Runs the command.
pub fn run(args: &StepArgs, out: &mut Output) -> Result<(), Failure> {
    let (set, planner, arm, seed) = choose(args)?;
    if let Some(word) = &args.against {
        let against = super::plan::arm(&planner, word)?;
        let request = beside::Request { planner, arms: [arm, against], seed };
        let calls = match &args.player {
            Some(word) => Calls::Player(super::run::player(word)?),
            None => beside::given(&request, |task| playing(args, task))?,
        };
        if !args.json {
            set.print_notes(out)?;
        }
        return beside::run(request, calls, args.json, out);
    }
    let task = Arc::new(super::plan::task(&planner, arm, seed)?);
    let playing = playing(args, &task)?;
    let look = args.look.ready(&task)?;
    let mut episode = Episode::new(task);
    let stopped = if args.json {
        let stopped = play(&mut episode, playing, &look, |_, _| Ok(()))?;
        let mut value = episode.to_value();
        look.add(&episode, stopped.as_ref(), &mut value)?;
        out.json(&value)?;
        stopped
    } else {
        set.print_notes(out)?;
        let stopped = print(&mut episode, playing, &look, out)?;
        look.print(&episode, out)?;
        stopped
    };
    let label = if stopped.is_some() { "open" } else { episode.verdict().label };
    match &args.expect {
        Some(expected) if expected != label => Err(Failure::Check(format!("the verdict is {label}, not {expected}"))),
        _ => Ok(()),
    }
}

/// Makes the calls up to one that stops them, and ends as they do; gives what stopped them.
fn play(
    episode: &mut Episode,
    playing: Playing,
    look: &Look,
    mut each: impl FnMut(usize, &Made) -> Result<(), Failure>,
) -> Result<Option<Stopped>, Failure> {
    for (index, call) in playing.calls.into_iter().enumerate() {
        let made = episode.make(call);
        each(index, &made)?;
        if let Some(why) = look.stops(&made) {
            return Ok(Some(Stopped { call: index + 1, why }));
        }
    }
    episode.end(playing.ending);
    Ok(None)
}

fn choose(args: &StepArgs) -> Result<(Loaded, Planner, Arm, u64), Failure> {
    let Some(path) = &args.plan else {
        let file = args.file.clone().unwrap_or_default();
        let set = set::load(&file, &args.flags)?;
        let planner = set.planner()?;
        let (arm, seed) = one(args, &planner, &set.arms(&planner)?, &set.seeds, "the set offers no arm")?;
        return Ok((set, planner, arm, seed));
    };
    let plan = plan_file::load(path)?;
    let file = args.file.as_ref().unwrap_or(&plan.file);
    let set = set::load_planned(file, &plan)?;
    let planner = set.planner()?;
    let (arm, seed) = one(args, &planner, &plan.arms, &plan.seeds, "the plan holds no task")?;
    if !plan.arms.contains(&arm) || !plan.seeds.contains(&seed) {
        return Err(Failure::Refused(format!("{arm}, seed {seed} is no task of {}", path.display())));
    }
    Ok((set, planner, arm, seed))
}

fn one(args: &StepArgs, planner: &Planner, arms: &[Arm], seeds: &[u64], none: &str) -> Result<(Arm, u64), Failure> {
    let arms = match &args.arm {
        Some(word) => vec![super::plan::arm(planner, word)?],
        None => arms.to_vec(),
    };
    let seeds = args.seed.map_or_else(|| seeds.to_vec(), |seed| vec![seed]);
    super::plan::pick(&arms, &seeds, Some(args.task.unwrap_or(1)))
        .map_err(|error| if arms.is_empty() { Failure::Refused(none.to_owned()) } else { error })
        .map(|chosen| chosen[0])
}

fn playing(args: &StepArgs, task: &Task) -> Result<Playing, Failure> {
    if args.calls == "reference" {
        return Ok(Playing { calls: task.reference_calls.clone(), ending: Ending::Reply });
    }
    if let Some(name) = args.calls.strip_prefix("wrong:") {
        let Some(wrong) = task.wrong_answers.iter().find(|w| w.name == name) else {
            let names: Vec<&str> = task.wrong_answers.iter().map(|w| w.name).collect();
            let near = text::nearest(name, names.iter().copied())
                .map_or_else(String::new, |near| format!("; did you mean wrong:{near}?"));
            return Err(Failure::Refused(format!(
                "this task has no wrong answer {name}: it has {}{near}",
                names.join(", ")
            )));
        };
        let ending = if wrong.limit { Ending::Limit } else { Ending::Reply };
        return Ok(Playing { calls: wrong.calls.clone(), ending });
    }
    let path = PathBuf::from(&args.calls);
    if set::is_stdin(&path) && args.file.as_deref().is_some_and(set::is_stdin) {
        return Err(Failure::Usage("the tool file and the calls cannot both be standard input".to_owned()));
    }
    let bytes = set::read_bytes(&path).map_err(|error| match error {
        Failure::Refused(why) if !path.exists() => {
            Failure::Refused(format!("{why} (--calls takes reference, wrong:NAME or a file of calls)"))
        }
        other => other,
    })?;
    let script = Script::read(&bytes).map_err(|why| Failure::Refused(format!("{}: {why}", args.calls)))?;
    Ok(Playing { calls: script.calls, ending: script.ending })
}

/// Plays the reference solution of a task and prints it.
pub fn print_reference(task: Task, out: &mut Output) -> Result<(), Failure> {
    let playing = Playing { calls: task.reference_calls.clone(), ending: Ending::Reply };
    print(&mut Episode::new(Arc::new(task)), playing, &Look::default(), out).map(|_| ())
}

fn print(episode: &mut Episode, playing: Playing, look: &Look, out: &mut Output) -> Result<Option<Stopped>, Failure> {
    let task = episode.task().clone();
    out.line(format!("{}  seed {}  task {}", task.arm, task.seed, task.task_id))?;
    out.line(&*task.request)?;
    let stopped = play(episode, playing, look, |index, made| {
        out.line("")?;
        out.line(format!("{}  {} {}", index + 1, made.call.tool, canonical::spaced(&made.call.arguments)))?;
        let mark = if made.outcome.answer.code.is_some() { "!" } else { "=" };
        out.line(format!("   {mark} {}", made.outcome.answer.text))?;
        out.line(format!("   why: {}", explain::sentence(&task, made)))?;
        for change in &made.outcome.changes {
            out.line(format!("   + {}", explain::change(made, change)))?;
        }
        Ok(())
    })?;
    out.line("")?;
    if let Some(stopped) = &stopped {
        out.line(format!("stopped after call {}: {}", stopped.call, stopped.why))?;
    }
    out.line(explain::verdict(&task, &episode.state(), &episode.verdict(), episode.ending()))?;
    Ok(stopped)
}
