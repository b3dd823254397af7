//! depth: a chain of calls, each taking a field of the answer before it (rules 5.4).
use super::draft::{Draft, first_null};
use super::draws::{Draws, args, value};
use super::flows::Chain;
use super::words::{ChainStep, Detail};
use super::{PlanError, Planner};
use crate::task::{Arm, Call, Form};
use crate::value::{Str, Value};

/// The longest chain asked for.
const LONGEST: usize = 8;

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let chain = planner.chain(|c| c.longest.as_ref())?.ok_or(
        "no chain of flows ends at a tool that can be the goal of a task, with values that can be drawn for every \
         required argument and every argument a flow fills",
    )?;
    Ok((1..=chain.tools.len().min(LONGEST)).map(|d| d as u32).collect())
}

/// One call of a chain, with what is stated and matched.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) tool: usize,
    pub(super) call: Call,
    pub(super) stated: Vec<(Str, Value)>,
    pub(super) matched: Vec<(Str, Value)>,
    /// The carried value: the call before serves it.
    pub(super) carried: Option<Value>,
}

/// The calls of a chain, their values drawn at `<salt>/<i>/...`; the error names the first argument without a value.
pub(super) fn calls(planner: &Planner, draws: &Draws, chain: &Chain, salt: &str) -> Result<Vec<Link>, (Str, Str)> {
    let mut made = Vec::with_capacity(chain.tools.len());
    for (i, &at) in chain.tools.iter().enumerate() {
        let tool = &planner.set.tools[at];
        let carried = i.checked_sub(1).map(|before| planner.links[chain.links[before]].param);
        let mut values = args(draws.key(), tool, &format!("{salt}/{i}"), &tool.drawable);
        if let Some(param) = carried {
            values[param] = value(draws.key(), &tool.props[param], &format!("{salt}/{i}/carried"));
        }
        let stated = tool.stated(carried);
        let call = tool.call(&tool.tool.name, &tool.called(&stated, carried), &values);
        if let Some(missing) = first_null(tool, &call) {
            return Err(missing);
        }
        made.push(Link {
            tool: at,
            stated: tool.pairs(&stated, &values),
            matched: tool.pairs(&tool.matched(&stated, carried), &values),
            carried: carried.and_then(|param| values[param].clone()),
            call,
        });
    }
    Ok(made)
}

/// Adds the calls of a chain to a draft, each step waiting for the one before it, the first for those in `needs`.
pub(super) fn expect(
    planner: &Planner,
    draft: &mut Draft,
    chain: &Chain,
    calls: impl IntoIterator<Item = Link>,
    needs: Vec<usize>,
) {
    let mut needs = needs;
    for (i, made) in calls.into_iter().enumerate() {
        if let (Some(before), Some(value)) = (i.checked_sub(1), made.carried) {
            draft.serve(&planner.links[chain.links[before]].field, value);
        }
        let next = draft.task.steps.len();
        draft.expect(&planner.set.tools[made.tool], made.call, made.matched, std::mem::replace(&mut needs, vec![next]));
    }
}

/// What the request says of each call of a chain.
pub(super) fn words(planner: &Planner, chain: &Chain, calls: &[Link]) -> Vec<ChainStep> {
    calls
        .iter()
        .enumerate()
        .map(|(i, made)| {
            let link = i.checked_sub(1).map(|before| &planner.links[chain.links[before]]);
            ChainStep {
                ask: planner.ask(made.tool),
                stated: made.stated.clone(),
                carried: link.map(|l| (planner.set.tools[l.to].props[l.param].name.clone(), l.field.clone())),
            }
        })
        .collect()
}

/// The last `level` calls of the longest chain.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let chain = planner
        .chain(|c| c.longest.as_ref())
        .ok()
        .flatten()
        .map(|c| c.last(arm.level as usize))
        .ok_or_else(|| PlanError("no chain".into()))?;
    let calls = calls(planner, draws, &chain, "depth")
        .map_err(|(tool, name)| PlanError(format!("no value could be drawn for {name} of {tool}")))?;
    let target = chain.tools.last().copied().unwrap_or_default();
    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let words = words(planner, &chain, &calls);
    draft.task.stated = calls.last().map(|c| c.stated.clone()).unwrap_or_default();
    draft.task.form = if arm.level == 1 { Form::Call } else { Form::Flow };
    draft.task.request = match &words[..] {
        [only] => planner.words.write(&only.ask, &only.stated, Detail::None),
        steps => planner.words.chain(steps),
    };
    expect(planner, &mut draft, &chain, calls, Vec::new());
    Ok(draft)
}
