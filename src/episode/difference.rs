//! The difference of the store between two points of an episode, whatever branches they lie on.
use super::watch::{Record, records};
use crate::engine::{State, Write};
use crate::task::Task;
use crate::value::{Map, Value};

/// What differs between two states of one task. Going back, what was added is removed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// Writes of the second point that the first has not, with their indices.
    pub added: Vec<(usize, Write)>,
    /// Writes of the first point that the second has not, with their indices.
    pub removed: Vec<(usize, Write)>,
    /// Records that hold something else: at the first point, at the second.
    pub records: Vec<(Record, Record)>,
    /// Steps done or served at the second point alone.
    pub passed: Vec<usize>,
    /// Steps done or served at the first point alone.
    pub reopened: Vec<usize>,
}

impl Difference {
    /// `{added, removed, records: [{step, tool, key, before, after}], passed, reopened}`; writes as a card lists them, with
    /// their number in the store from 1.
    pub fn to_value(&self) -> Value {
        let writes = |all: &[(usize, Write)]| {
            let all = all.iter().map(|(index, write)| {
                let mut map = Map::from([("write", Value::from(index + 1))]);
                let value = write.to_value();
                for (name, member) in value.as_object().into_iter().flat_map(Map::named) {
                    map.insert(name.clone(), member.clone());
                }
                Value::object(map)
            });
            Value::array(all.collect())
        };
        let records = self.records.iter().map(|(before, after)| {
            let key: Map = before.key.iter().map(|(name, value)| (name, value.clone())).collect();
            Map::from([
                ("step", Value::from(before.step)),
                ("tool", (&before.tool).into()),
                ("key", key.into()),
                ("before", before.holds.clone().into()),
                ("after", after.holds.clone().into()),
            ])
            .into()
        });
        let steps = |all: &[usize]| Value::array(all.iter().map(|step| (*step).into()).collect());
        Map::from([
            ("added", writes(&self.added)),
            ("removed", writes(&self.removed)),
            ("records", Value::array(records.collect())),
            ("passed", steps(&self.passed)),
            ("reopened", steps(&self.reopened)),
        ])
        .into()
    }

    /// Whether the two stores are the same.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }
}

/// What differs in the store from one state to another of the same task.
pub fn difference(task: &Task, from: &State, to: &State) -> Difference {
    let shared = from.writes().shared_with(to.writes());
    let rest = |state: &State| -> Vec<_> {
        (shared..state.writes().len()).filter_map(|i| Some((i, state.writes().get(i)?.clone()))).collect()
    };
    let pairs = records(task, from).into_iter().zip(records(task, to));
    let only = |a: &State, b: &State| (0..task.steps.len()).filter(|i| a.passed(*i) && !b.passed(*i)).collect();
    Difference {
        added: rest(to),
        removed: rest(from),
        records: pairs.filter(|(a, b)| a.holds != b.holds).collect(),
        passed: only(to, from),
        reopened: only(from, to),
    }
}
