//! baddata: one read that answers wrongly once, and the value it should have given (rules 7.5).
use super::base;
use super::draft::Draft;
use super::draws::{Draws, args, value, value_where};
use super::near_miss::near_miss;
use super::set::{Prepared, Prop, answer_field, has_type, is_path_part};
use super::spread::checkable;
use super::{PlanError, Planner};
use crate::schema::{DrawKey, conforms, same};
use crate::task::{Arm, BadRead, Form, NamedRead};
use crate::value::{Str, Value};

/// Tries of each draw.
const TRIES: usize = 64;

/// A target, the argument of it that is looked up, and the read and field it is looked up in.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    target: usize,
    arg: usize,
    read: usize,
    field: Str,
    /// The field's schema; anything goes without an output schema.
    schema: Value,
    /// Whether the read's answer says what it was asked.
    says: bool,
}

/// A read as a candidate uses it: its call and what its answer shows of it.
struct Asked<'a> {
    tool: &'a Prepared,
    positions: Vec<usize>,
}

impl<'a> Asked<'a> {
    fn new(tool: &'a Prepared) -> Self {
        Asked { tool, positions: tool.key_call() }
    }

    /// Whether every value is there and conforms to the output property of its name, when there is one.
    fn fits(&self, values: &[Option<Value>]) -> bool {
        self.positions.iter().all(|&i| {
            let property = self.tool.output_property(&self.tool.props[i].name);
            values[i].as_ref().is_some_and(|v| property.is_none_or(|p| conforms(v, p)))
        })
    }

    /// Positions of the checkable arguments that the answer shows.
    fn shown(&self) -> Vec<usize> {
        let shows = |&i: &usize| {
            let prop = &self.tool.props[i];
            let open = self.tool.tool.output_schema.is_none();
            prop.checkable && (open || self.tool.output_property(&prop.name).is_some())
        };
        self.positions.iter().copied().filter(shows).collect()
    }

    /// The arguments of the read.
    fn arguments(&self, key: &DrawKey) -> Option<Vec<Option<Value>>> {
        (0..TRIES)
            .map(|j| args(key, self.tool, &format!("baddata/read/{j}"), &self.positions))
            .find(|values| self.fits(values))
    }

    /// The arguments of another record, told apart by a shown one.
    fn other(&self, key: &DrawKey, arguments: &[Option<Value>]) -> Option<Vec<Option<Value>>> {
        let shown = self.shown();
        let differ = |values: &[Option<Value>]| {
            shown.iter().any(|&i| match (&values[i], &arguments[i]) {
                (Some(a), Some(b)) => !same(a, b),
                _ => false,
            })
        };
        (0..TRIES)
            .map(|j| args(key, self.tool, &format!("baddata/other/{j}"), &self.positions))
            .find(|values| self.fits(values) && differ(values))
    }
}

/// The true value and the three wrong ones.
struct Told {
    right: Value,
    other: Value,
    wrong: Value,
    near: Value,
}

/// The values of an argument that the field can hold too.
fn told(key: &DrawKey, arg: &Prop, field: &Value) -> Option<Told> {
    let fits = |v: &Value| conforms(v, field);
    (0..TRIES).find_map(|k| {
        let right = value_where(key, arg, &format!("baddata/value/{k}"), fits)?;
        let unlike = |salt: &str| {
            (0..TRIES)
                .filter_map(|j| value(key, arg, &format!("baddata/{salt}/{j}")))
                .find(|v| !same(v, &right) && fits(v))
        };
        let near = near_miss(&right, &arg.schema, field)?;
        let (other, wrong) = (unlike("other-value")?, unlike("wrong")?);
        Some(Told { right, other, wrong, near })
    })
}

/// Whether one of the first two values of an argument fits the field as it is. The rules do not ask for this; the golden
/// vectors do, which pass over fields that only some of the argument's values fit.
fn often_fits(key: &DrawKey, arg: &Prop, field: &Value) -> bool {
    (0..2).filter_map(|k| value(key, arg, &format!("baddata/value/{k}"))).any(|v| conforms(&v, field))
}

/// The field of a read's answer that can hold a value of that type.
fn field_for(read: &Prepared, kind: &str) -> Option<(Str, Value)> {
    let argument = |name: &str| read.position(name).is_some();
    let Some(schema) = &read.tool.output_schema else {
        let free = kind == "string" && !argument("id") && !argument("ok");
        return free.then(|| ("id".into(), Value::Bool(true)));
    };
    let open = |name: &str| !argument(name) && is_path_part(name);
    let found = if kind == "string" {
        answer_field(schema, open)
    } else {
        let properties = schema.get("properties")?.as_object()?;
        properties.named().find(|(name, property)| has_type(property, kind) && open(name))
    };
    found.map(|(name, property)| (name.clone(), property.clone()))
}

/// The candidates of a set: those that can say what they were asked, or all when none can.
pub(super) fn candidates(planner: &Planner) -> Vec<Candidate> {
    let set = &planner.set;
    // what a read draws does not hang on the target, so it is drawn once
    let reads: Vec<(usize, bool)> = set
        .reads
        .iter()
        .copied()
        .filter(|&r| set.tools[r].is_record_read())
        .filter_map(|r| {
            let asked = Asked::new(&set.tools[r]);
            let arguments = asked.arguments(&planner.probe)?;
            let says = !asked.shown().is_empty();
            (!says || asked.other(&planner.probe, &arguments).is_some()).then_some((r, says))
        })
        .collect();
    let mut all = Vec::new();
    for &target in &set.targets {
        for &arg in &set.tools[target].checkable {
            let prop = &set.tools[target].props[arg];
            let Some(kind) = prop.kind().filter(|k| ["string", "integer", "number"].contains(k)) else { continue };
            for &(read, says) in &reads {
                let Some((field, schema)) = field_for(&set.tools[read], kind) else { continue };
                if often_fits(&planner.probe, prop, &schema) && told(&planner.probe, prop, &schema).is_some() {
                    all.push(Candidate { target, arg, read, field, schema, says });
                }
            }
        }
    }
    if all.iter().any(|c| c.says) {
        all.retain(|c| c.says);
    }
    all
}

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let candidates = planner.baddata();
    match candidates.first() {
        None => Err("no read answers with a value that a target takes: one is needed with an argument that can be \
                     checked and a field of the type of a target's argument"
            .into()),
        Some(first) if first.says => Ok(vec![0, 1, 2, 3]),
        Some(_) => Ok(vec![0, 2, 3]),
    }
}

/// The read, once more when it is badly answered, then the write with what it should have said.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let candidates = planner.baddata();
    let chosen = &candidates[draws.pick("baddata/candidate", candidates.len())];
    let Candidate { target, arg, read, ref field, ref schema, says } = *chosen;
    let (tool, read) = (&planner.set.tools[target], &planner.set.tools[read]);
    let refused = |what: &str| PlanError(format!("{what} of {} could be drawn", read.tool.name));
    let asked = Asked::new(read);
    let arguments = asked.arguments(draws.key()).ok_or_else(|| refused("no arguments"))?;
    let other = if says {
        Some(asked.other(draws.key(), &arguments).ok_or_else(|| refused("no second record"))?)
    } else {
        None
    };
    let told = told(draws.key(), &tool.props[arg], schema).ok_or_else(|| {
        PlanError(format!(
            "no right and wrong values could be drawn for {} of {}",
            tool.props[arg].name, tool.tool.name
        ))
    })?;
    let mut values = base::values(draws, tool);
    values[arg] = Some(told.right.clone());

    let mut draft = Draft::new(planner, arm, draws.seed, target);
    let ask = read.call(&read.tool.name, &asked.positions, &arguments);
    draft.expect(read, ask.clone(), checkable(read, &ask), Vec::new());
    draft.serve(field, told.right);
    if arm.level > 0 {
        draft.task.reference_calls.push(ask.clone());
        draft.task.bad_read = Some(BadRead {
            step: 0,
            level: arm.level,
            field: field.clone(),
            arguments: other
                .filter(|_| arm.level == 1)
                .map(|values| read.call(&read.tool.name, &asked.positions, &values).arguments),
            value: match arm.level {
                1 => told.other,
                2 => told.wrong,
                _ => told.near,
            },
        });
    }
    let stated = tool.stated(Some(arg));
    let call = tool.call(&tool.tool.name, &tool.called(&stated, Some(arg)), &values);
    draft.expect(tool, call, tool.pairs(&tool.matched(&stated, Some(arg)), &values), vec![0]);
    draft.task.stated = tool.pairs(&stated, &values);
    draft.task.form = Form::ReadThenCall;
    draft.task.echo_reads = true;
    let named = NamedRead { tool: ask.tool, arguments: ask.arguments, field: field.clone() };
    draft.task.request = planner.words.looked_up(
        &planner.ask(target),
        &draft.task.stated,
        &tool.props[arg].name,
        &planner.ask(chosen.read),
        &named,
    );
    draft.task.named_reads.push(named);
    Ok(draft)
}
