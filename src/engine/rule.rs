//! What decided an answer, what shaped it and what it changed, as data (rules 7.8).
use super::answer::Answer;
use super::state::State;
use crate::schema::Violation;
use crate::task::Call;
use crate::value::{Str, Value};

/// Which argument differs from a step's `match`.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// The argument is not in the call.
    Missing {
        /// Its name.
        name: Str,
        /// The expected value.
        expected: Value,
    },
    /// The argument has another value.
    Differs {
        /// Its name.
        name: Str,
        /// The expected value.
        expected: Value,
        /// The value sent.
        got: Value,
    },
    /// An argument that an exact step does not take.
    Extra {
        /// Its name.
        name: Str,
    },
}

/// The nearest expected step of a call that matched none.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Index of the step.
    pub step: usize,
    /// The first argument that keeps it from matching.
    pub mismatch: Mismatch,
}

/// What decided an answer, as data (rules 7.8).
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Arguments are not an object: the harness answers, nothing reaches a tool.
    NotAnObject,
    /// The name is not in the block: the harness answers.
    OutsideBlock,
    /// Planned fault k of n.
    Fault {
        /// Which.
        k: u32,
        /// Of how many.
        n: u32,
    },
    /// Planned timeout k of n; nothing landed.
    PlannedTimeout {
        /// Which.
        k: u32,
        /// Of how many.
        n: u32,
    },
    /// Planned rate limit k of n.
    RateLimit {
        /// Which.
        k: u32,
        /// Of how many.
        n: u32,
    },
    /// Arguments break the schema.
    Invalid(Violation),
    /// A read with read steps, none of which match.
    NotFound {
        /// The nearest step.
        nearest: Nearest,
    },
    /// Matched a step whose need is unmet.
    NotReady {
        /// The step matched.
        step: usize,
        /// The first unmet need.
        need: usize,
    },
    /// A read that matched a step and was served.
    ReadServed {
        /// The step.
        step: usize,
        /// Whether it had been served before.
        again: bool,
    },
    /// A read outside the steps, answered from the draw.
    PlainRead,
    /// A read with read steps, none of which match, answered all the same because it reflects a write.
    ReadReflected {
        /// The nearest step.
        nearest: Nearest,
    },
    /// A write that did an expected step.
    WriteDone {
        /// The step.
        step: usize,
        /// Landed behind a timeout: the answer is an error.
        landed: bool,
    },
    /// An accepted write that no step expects.
    SideEffect {
        /// The nearest write step of the tool, when there is one.
        nearest: Option<Nearest>,
    },
    /// The expected write made again.
    Duplicate {
        /// The step it repeats.
        step: usize,
    },
}

/// What shaped an accepted answer beside its rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shaping {
    /// The accepted write (index into the store) that the read reflects.
    pub reflects: Option<usize>,
    /// The names of that write's arguments that stand in the answer.
    pub reflected: Vec<Str>,
    /// The names of the call's own arguments that stand in the answer.
    pub echoed: Vec<Str>,
    /// Values served: path and value.
    pub served: Vec<(Str, Value)>,
    /// The bad read.
    pub bad: Option<BadTold>,
    /// The stale read.
    pub stale: Option<Stale>,
    /// A served path that had no place in the answer: the task is defective.
    pub misplaced: Option<Str>,
}

/// What a stale read hid.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// The expected step whose writes were hidden.
    pub step: usize,
    /// Those writes (indices into the store).
    pub hidden: Vec<usize>,
    /// The write that a read not behind would have reflected.
    pub missed: usize,
    /// The whole answer that such a read would have given.
    pub right_answer: Value,
}

/// What a bad read told.
#[derive(Debug, Clone, PartialEq)]
pub struct BadTold {
    /// 1, 2 or 3.
    pub level: u32,
    /// The field.
    pub field: Str,
    /// Level 1: the arguments of the other record.
    pub other: Option<Value>,
    /// The right value.
    pub right: Value,
    /// The value told.
    pub told: Value,
    /// The whole answer a right read would have given.
    pub right_answer: Value,
}

/// A change of the store or of the steps made by one call.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A write was stored at this index.
    Stored {
        /// Index into the store's writes.
        index: usize,
    },
    /// The record of an expected write moved from null.
    Record {
        /// The step whose record it is.
        step: usize,
        /// The tool and its matched arguments: the record's key.
        tool: Str,
        /// The key's arguments.
        key: Vec<(Str, Value)>,
        /// After: the write's arguments.
        after: Value,
    },
    /// A write step was done.
    Done {
        /// The step.
        step: usize,
    },
    /// A read step was served.
    Served {
        /// The step.
        step: usize,
    },
    /// A planned fault, timeout or rate limit was used up: how many are left for the tool.
    FaultUsed {
        /// Left.
        left: u32,
    },
    /// The landed write was used up.
    LandedUsed,
    /// The bad read was used up.
    BadUsed,
    /// The stale read was used up.
    LaggedUsed,
}

/// What one call did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// State after.
    pub state: State,
    /// The answer.
    pub answer: Answer,
    /// What decided.
    pub rule: Rule,
    /// What shaped an accepted answer.
    pub shaping: Shaping,
    /// What changed.
    pub changes: Vec<Change>,
}

impl Outcome {
    /// Whether the call did not do what it asked: an error of a tool, or a call that reached none.
    pub fn is_failure(&self) -> bool {
        self.answer.code.is_some() || self.reached_no_tool()
    }

    /// Whether the harness answered, because the call could not reach a tool (rules 4.3).
    pub fn reached_no_tool(&self) -> bool {
        matches!(self.rule, Rule::NotAnObject | Rule::OutsideBlock)
    }
}

/// A call made, and what it did.
#[derive(Debug, Clone)]
pub struct Made {
    /// The call.
    pub call: Call,
    /// What it did.
    pub outcome: Outcome,
}
