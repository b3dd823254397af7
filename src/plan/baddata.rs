//! baddata: one read that answers wrongly once, and the value it should have given (rules 7.5).
use super::draft::Draft;
use super::draws::{Draws, args};
use super::near_miss::near_miss;
use super::set::{Prepared, Prop, answer_field, has_type, is_path_part};
use super::spread::checkable;
use super::{PlanError, Planner};
use crate::schema::{DrawKey, TRIES as DRAWS, conforming_draw, conforms, same};
use crate::task::{Arm, BadRead, Call, Form, NamedRead};
use crate::value::{Str, Value, call_text};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Tries of each draw.
const TRIES: usize = 64;

/// What a schema says to people alone: two fields that differ in nothing else hold the same values.
const REMARKS: [&str; 5] = ["description", "title", "example", "examples", "default"];

/// A target, the argument of it that is looked up, and the read it is looked up in, by their positions.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    target: u32,
    arg: u32,
    read: u32,
}

/// The candidates of a set: those whose read's answer says what it was asked, or all when none does.
#[derive(Debug)]
pub(super) struct Candidates {
    all: Vec<Candidate>,
    /// Whether they say it.
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
#[derive(Debug)]
struct Told {
    right: Value,
    other: Value,
    wrong: Value,
    near: Value,
}

/// The draws of an argument under one key, each made once: the search for candidates holds the same ones against every field.
struct Draught<'a> {
    key: &'a DrawKey,
    arg: &'a Prop,
    /// By what is drawn, which of its tries, which of the eight draws of that.
    made: RefCell<HashMap<(&'static str, usize, usize), Option<Value>>>,
}

impl<'a> Draught<'a> {
    fn new(key: &'a DrawKey, arg: &'a Prop) -> Self {
        Draught { key, arg, made: RefCell::default() }
    }

    /// `value(arg, "baddata/<what>/<k>")` of rules 5.1 with one more test inside its eight draws.
    fn value_where(&self, what: &'static str, k: usize, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        (0..DRAWS).find_map(|attempt| {
            let mut made = self.made.borrow_mut();
            let value = made.entry((what, k, attempt)).or_insert_with(|| {
                let salt = format!("baddata/{what}/{k}/{attempt}");
                conforming_draw(&self.arg.schema, &self.arg.cleaned, self.key, &salt)
            });
            value.as_ref().filter(|v| fits(v)).cloned()
        })
    }

    fn value(&self, what: &'static str, k: usize) -> Option<Value> {
        self.value_where(what, k, |_| true)
    }

    /// The values that the field can hold too.
    fn told(&self, field: &Value) -> Option<Told> {
        let fits = |v: &Value| conforms(v, field);
        (0..TRIES).find_map(|k| {
            let right = self.value_where("value", k, fits)?;
            let unlike = |what| (0..TRIES).filter_map(|j| self.value(what, j)).find(|v| !same(v, &right) && fits(v));
            let near = near_miss(&right, &self.arg.schema, field)?;
            let (other, wrong) = (unlike("other-value")?, unlike("wrong")?);
            Some(Told { right, other, wrong, near })
        })
    }
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

/// The fields of reads by the type of value they can hold, those that hold the same values counted as one.
#[derive(Default)]
struct Fields {
    known: HashMap<String, usize>,
    schemas: Vec<Value>,
}

impl Fields {
    /// The number of the field in which a read answers with a value of that type.
    fn number(&mut self, read: &Prepared, kind: &str) -> Option<usize> {
        let (_, mut schema) = field_for(read, kind)?;
        if let Value::Object(node) = &mut schema {
            let told = node.named().filter(|(name, _)| !REMARKS.contains(&&***name));
            *node = Arc::new(told.map(|(name, value)| (name, value.clone())).collect());
        }
        Some(*self.known.entry(call_text(&schema)).or_insert_with(|| {
            self.schemas.push(schema);
            self.schemas.len() - 1
        }))
    }
}

/// The kinds of values that can be wrong.
const KINDS: [&str; 3] = ["string", "integer", "number"];

/// A read with the number of its field for each of [`KINDS`].
struct Source {
    read: usize,
    fields: [Option<usize>; 3],
    says: bool,
}

/// The candidates of a set.
pub(super) fn candidates(planner: &Planner) -> Candidates {
    let set = &planner.set;
    // what a read draws does not hang on the target, so it is drawn once
    let mut fields = Fields::default();
    let records = set.reads.iter().copied().filter(|&r| set.tools[r].is_record_read());
    let reads: Vec<Source> = records
        .filter_map(|r| {
            let asked = Asked::new(&set.tools[r]);
            let arguments = asked.arguments(&planner.probe)?;
            // a read asked with constants only has no other record to answer for, so its answer cannot say what it was asked
            let says = asked.other(&planner.probe, &arguments).is_some();
            Some(Source { read: r, fields: KINDS.map(|kind| fields.number(&set.tools[r], kind)), says })
        })
        .collect();
    let (mut saying, mut silent) = (Vec::new(), Vec::new());
    for &target in &set.targets {
        for &arg in &set.tools[target].checkable {
            let prop = &set.tools[target].props[arg];
            let Some(kind) = prop.kind().and_then(|kind| KINDS.iter().position(|k| *k == kind)) else { continue };
            let draught = Draught::new(&planner.probe, prop);
            let mut fit: Vec<Option<bool>> = vec![None; fields.schemas.len()];
            for source in &reads {
                let Some(field) = source.fields[kind] else { continue };
                let schema = &fields.schemas[field];
                if *fit[field].get_or_insert_with(|| draught.told(schema).is_some()) {
                    let candidate = Candidate { target: target as u32, arg: arg as u32, read: source.read as u32 };
                    if source.says { &mut saying } else { &mut silent }.push(candidate);
                }
            }
        }
    }
    if saying.is_empty() { Candidates { all: silent, says: false } } else { Candidates { all: saying, says: true } }
}

/// The levels of a set.
pub(super) fn levels(planner: &Planner) -> Result<Vec<u32>, String> {
    let candidates = planner.baddata();
    if candidates.all.is_empty() {
        return Err("no read answers with a value that a target takes: one is needed with an argument that can be \
                     checked and a field of the type of a target's argument"
            .into());
    }
    Ok(if candidates.says { vec![0, 1, 2, 3] } else { vec![0, 2, 3] })
}

/// What one seed's bad read is made of, whatever its level.
#[derive(Debug)]
pub(super) struct Lie {
    target: usize,
    /// The argument of the target that is looked up.
    arg: usize,
    read: usize,
    field: Str,
    ask: Call,
    /// The arguments of another record, where the answer says what it was asked.
    other: Option<Value>,
    told: Told,
}

/// Draws it, or says in one line what cannot be drawn.
fn lie(planner: &Planner, draws: &Draws) -> Result<Lie, PlanError> {
    let Candidates { all, says } = planner.baddata();
    let Candidate { target, arg, read } = all[draws.pick("baddata/candidate", all.len())];
    let (target, arg, read) = (target as usize, arg as usize, read as usize);
    let (tool, asks) = (&planner.set.tools[target], &planner.set.tools[read]);
    let prop = &tool.props[arg];
    let refused = |what: &str| PlanError(format!("{what} of {} could be drawn", asks.tool.name));
    let field = prop.kind().and_then(|kind| field_for(asks, kind));
    let (field, schema) = field.ok_or_else(|| refused("no field"))?;
    let asked = Asked::new(asks);
    let arguments = asked.arguments(draws.key()).ok_or_else(|| refused("no arguments"))?;
    let call = |values: &[Option<Value>]| asks.call(&asks.tool.name, &asked.positions, values);
    let other = if *says {
        let other = asked.other(draws.key(), &arguments).ok_or_else(|| refused("no second record"))?;
        Some(call(&other).arguments)
    } else {
        None
    };
    let told = Draught::new(draws.key(), prop).told(&schema).ok_or_else(|| {
        PlanError(format!("no right and wrong values could be drawn for {} of {}", prop.name, tool.tool.name))
    })?;
    Ok(Lie { target, arg, read, field, ask: call(&arguments), other, told })
}

/// The read, a second time when it is badly answered, then the write with what it should have said.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let lie = draws.baddata.get_or_init(|| lie(planner, draws)).as_ref().map_err(Clone::clone)?;
    let Lie { target, arg, read: at, field, ask, other, told } = lie;
    let (target, arg, at) = (*target, *arg, *at);
    let (tool, read) = (&planner.set.tools[target], &planner.set.tools[at]);
    let mut values = (*draws.target_values(target, tool)).clone();
    values[arg] = Some(told.right.clone());

    let mut draft = Draft::new(planner, arm, draws.seed, target);
    draft.expect(read, ask.clone(), checkable(read, ask), Vec::new());
    draft.serve(field, told.right.clone());
    if arm.level > 0 {
        draft.task.reference_calls.push(ask.clone());
        draft.task.bad_read = Some(BadRead {
            step: 0,
            level: arm.level,
            field: field.clone(),
            arguments: other.clone().filter(|_| arm.level == 1),
            value: match arm.level {
                1 => &told.other,
                2 => &told.wrong,
                _ => &told.near,
            }
            .clone(),
        });
    }
    let stated = tool.stated(Some(arg));
    let call = tool.call(&tool.tool.name, &tool.called(&stated, Some(arg)), &values);
    draft.expect(tool, call, tool.pairs(&tool.matched(&stated, Some(arg)), &values), vec![0]);
    draft.task.stated = tool.pairs(&stated, &values);
    draft.task.form = Form::ReadThenCall;
    draft.task.echo_reads = true;
    let named = NamedRead { tool: ask.tool.clone(), arguments: ask.arguments.clone(), field: field.clone() };
    draft.task.request = planner.words.looked_up(
        &planner.ask(target),
        &draft.task.stated,
        &tool.props[arg].name,
        &planner.ask(at),
        &named,
    );
    draft.task.named_reads.push(named);
    Ok(draft)
}
