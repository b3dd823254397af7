//! Which expected step a call matches, and how near it comes to the others (rules 4.5, 7.8).
use super::rule::{Mismatch, Nearest};
use super::tools::Shown;
use crate::schema::same;
use crate::task::Step;
use crate::value::Map;

/// Whether a call of the step's tool matches it.
pub(super) fn matches(step: &Step, tool: &Shown, arguments: &Map) -> bool {
    let stated = |name: &str| step.matching.iter().any(|(n, _)| **n == *name);
    step.matching.iter().all(|(name, expected)| arguments.get(name).is_some_and(|got| same(got, expected)))
        && (!step.exact || !tool.tool.checkable().iter().any(|name| !stated(name) && arguments.contains(name)))
}

/// How many match entries of the step are missing or different, and the first thing that keeps the call from matching;
/// `None` when it matches.
fn distance(step: &Step, tool: &Shown, arguments: &Map) -> Option<(usize, Mismatch)> {
    let mut first = None;
    let mut count = 0;
    for (name, expected) in &step.matching {
        let mismatch = match arguments.get(name) {
            Some(got) if same(got, expected) => continue,
            Some(got) => Mismatch::Differs { name: name.clone(), expected: expected.clone(), got: got.clone() },
            None => Mismatch::Missing { name: name.clone(), expected: expected.clone() },
        };
        count += 1;
        first.get_or_insert(mismatch);
    }
    if first.is_none() && step.exact {
        let stated = |name: &str| step.matching.iter().any(|(n, _)| **n == *name);
        let extra = tool.tool.checkable().iter().find(|name| !stated(name) && arguments.contains(name))?;
        first = Some(Mismatch::Extra { name: extra.clone() });
    }
    Some((count, first?))
}

/// The nearest of some steps: the fewest match entries missing or different, the lowest index on ties.
pub(super) fn nearest<'a>(
    steps: impl Iterator<Item = (usize, &'a Step)>,
    tool: &Shown,
    arguments: &Map,
) -> Option<Nearest> {
    steps
        .filter_map(|(index, step)| distance(step, tool, arguments).map(|(count, mismatch)| (count, index, mismatch)))
        .min_by_key(|(count, index, _)| (*count, *index))
        .map(|(_, step, mismatch)| Nearest { step, mismatch })
}
