//! `rehearsal [FILE]` without a terminal: the hashes, the tools, the dials and one stepped episode, as text.

use super::output::Output;
use super::set::{Loaded, Origin};
use super::{Failure, plan, step, tools};
use crate::task::{Arm, Dial};
use crate::text;

/// Prints the summary of a set: what the screens would open with.
pub fn print(set: &Loaded, arm: Option<&str>, seed: Option<u64>, out: &mut Output) -> Result<(), Failure> {
    if matches!(set.origin, Origin::Example) {
        out.line("Rehearse an agent's tool calls: plan tasks on a tool file, inject faults, compare runs.")?;
        out.line("This is the built-in example; rehearsal FILE opens your own tool file.")?;
    }
    set.print_notes(out)?;
    tools::print(set, out)?;
    if let Some(error) = &set.reading.error {
        return out.line(format!("! nothing can be planned: {}", error.message));
    }
    out.line("")?;
    let planner = set.planner()?;
    plan::print_levels(set, &planner, out)?;
    let offered = plan::offered(&planner);
    let arm = match arm {
        Some(word) => Some(plan::arm(&planner, word)?),
        None => telling(&offered),
    };
    let Some(arm) = arm else {
        return out.line("no task can be planned on this set");
    };
    let seeds = seed.map_or_else(|| set.seeds.clone(), |seed| vec![seed]);
    // A seed can be refused; the summary shows the first that is not.
    let task = seeds.iter().find_map(|seed| planner.plan(arm, *seed).ok());
    let Some(task) = task else {
        let count = text::count(seeds.len(), "seed");
        return out.line(format!("{arm}: {count} tried, all refused"));
    };
    out.line("")?;
    step::print_reference(task, out)
}

/// The arm whose episode tells most: bad data, else a fault, else the first.
fn telling(offered: &[Arm]) -> Option<Arm> {
    [Dial::BadData.at(2), Dial::Faults.at(2)]
        .into_iter()
        .find(|arm| offered.contains(arm))
        .or_else(|| offered.first().copied())
}
