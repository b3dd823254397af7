//! The JSON forms of answers, changes and verdicts, as `step --json` prints them.
use super::answer::Answer;
use super::rule::Change;
use super::store::{Write, WriteKind};
use super::verdict::Verdict;
use crate::value::{Map, Value};

impl Answer {
    /// `{text, structured, is_error, code}`; `structured` and `code` are null when there is none.
    pub fn to_value(&self) -> Value {
        Map::from([
            ("text", Value::from(&self.text)),
            ("structured", self.structured.clone().into()),
            ("is_error", self.is_error.into()),
            ("code", self.code.map(|code| Value::str(code.word())).into()),
        ])
        .into()
    }
}

impl Change {
    /// An object whose `kind` says what changed. Writes are counted from 1, steps from 0, as everywhere.
    pub fn to_value(&self) -> Value {
        match self {
            Change::Stored { index } => Map::from([("kind", Value::from("stored")), ("write", (index + 1).into())]),
            Change::Record { step, tool, key, after } => Map::from([
                ("kind", Value::from("record")),
                ("step", (*step).into()),
                ("tool", tool.into()),
                ("key", key.iter().map(|(name, value)| (name, value.clone())).collect::<Map>().into()),
                ("before", Value::Null),
                ("after", after.clone()),
            ]),
            Change::Done { step } => Map::from([("kind", Value::from("done")), ("step", (*step).into())]),
            Change::Served { step } => Map::from([("kind", Value::from("served")), ("step", (*step).into())]),
            Change::FaultUsed { left } => Map::from([("kind", Value::from("fault_used")), ("left", (*left).into())]),
            Change::LandedUsed => Map::from([("kind", "landed_used")]),
            Change::BadUsed => Map::from([("kind", "bad_used")]),
            Change::LaggedUsed => Map::from([("kind", "lagged_used")]),
        }
        .into()
    }
}

impl Write {
    /// `{call, tool, arguments, kind, step}`; `kind` is `expected`, `side_effect` or `duplicate`, `step` null for a side
    /// effect that repeats none.
    pub fn to_value(&self) -> Value {
        let kind = match self.kind {
            WriteKind::Duplicate(_) => "duplicate",
            other => other.word(),
        };
        Map::from([
            ("call", Value::from(self.call)),
            ("tool", (&self.tool).into()),
            ("arguments", self.arguments.clone()),
            ("kind", kind.into()),
            ("step", self.kind.step().into()),
        ])
        .into()
    }
}

impl Verdict {
    /// `{strict, leaky, label, clause, mutations, duplicates}`; a mutation is `[tool, arguments, expected | side_effect]`
    /// as rules 6 lists them, a duplicate being a side effect.
    pub fn to_value(&self) -> Value {
        let mutation =
            |write: &Write| Value::array(vec![(&write.tool).into(), write.arguments.clone(), write.kind.word().into()]);
        Map::from([
            ("strict", Value::from(self.strict)),
            ("leaky", self.leaky.into()),
            ("label", self.label.into()),
            ("clause", self.clause.map(u32::from).into()),
            ("mutations", self.mutations.iter().map(mutation).collect::<Vec<_>>().into()),
            ("duplicates", self.duplicates.into()),
        ])
        .into()
    }
}
