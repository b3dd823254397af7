//! The state machine: (task, state, call) to state, answer, rule, changes (rules chapters 4, 6, 7).
//!
//! Owns: matching, the store, dials at play, answers in each format's idiom, the verdict, `explain`. Pure: no clock, no
//! files. (Skeleton: the owner of `engine` splits it into files and fills it in.)
use crate::schema::Violation;
use crate::task::{Call, Task};
use crate::value::{Str, Value};
use std::sync::Arc;

/// Error codes of answers (rules 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// 404
    NotFound,
    /// 422
    InvalidArguments,
    /// 409
    NotReady,
    /// 503
    Unavailable,
    /// 504
    Timeout,
    /// 429
    RateLimited,
}

impl Code {
    /// The word: `not_found`, ...
    pub fn word(self) -> &'static str {
        match self {
            Code::NotFound => "not_found",
            Code::InvalidArguments => "invalid_arguments",
            Code::NotReady => "not_ready",
            Code::Unavailable => "unavailable",
            Code::Timeout => "timeout",
            Code::RateLimited => "rate_limited",
        }
    }
    /// The status in the OpenAPI idiom.
    pub fn status(self) -> u16 {
        match self {
            Code::NotFound => 404,
            Code::InvalidArguments => 422,
            Code::NotReady => 409,
            Code::Unavailable => 503,
            Code::Timeout => 504,
            Code::RateLimited => 429,
        }
    }
}

/// What a call was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text the agent sees.
    pub text: Str,
    /// The answer's value (errors: the value the text holds, or the message as text in MCP).
    pub value: Value,
    /// MCP structured content.
    pub structured: Option<Value>,
    /// MCP's isError (true only for MCP errors).
    pub is_error: bool,
    /// The error code, when it is an error.
    pub code: Option<Code>,
}

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
    /// The bad read: level, field, the right value, the value told.
    pub bad: Option<BadTold>,
    /// The stale read: the writes hidden from it (indices into the store).
    pub stale: Option<Vec<usize>>,
    /// Values served: path and value.
    pub served: Vec<(Str, Value)>,
}

/// What a bad read told.
#[derive(Debug, Clone, PartialEq)]
pub struct BadTold {
    /// 1, 2 or 3.
    pub level: u32,
    /// The field.
    pub field: Str,
    /// The right value.
    pub right: Value,
    /// The value told.
    pub told: Value,
    /// The whole answer a right read would have given.
    pub right_answer: Value,
}

/// How an accepted write counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    /// Did step i.
    Expected(usize),
    /// No step expects it.
    SideEffect,
    /// Repeats step i; a side effect too.
    Duplicate(usize),
}

/// One accepted write of the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// Number of the call that made it, from 1.
    pub call: usize,
    /// Tool as shown.
    pub tool: Str,
    /// Arguments.
    pub arguments: Value,
    /// How it counts.
    pub kind: WriteKind,
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

/// State of an episode; cheap to clone. (The owner of `engine` gives it its fields.)
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {}

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

/// How an episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The agent replied in plain text.
    Reply,
    /// The turn limit was hit.
    Limit,
    /// Neither (yet).
    Open,
}

/// The verdict of rules 6.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Strict pass.
    pub strict: bool,
    /// Leaky pass.
    pub leaky: bool,
    /// The strict label.
    pub label: &'static str,
    /// The lowest clause that fired, if one did.
    pub clause: Option<u8>,
    /// Accepted writes: tool, arguments, expected or side effect.
    pub mutations: Vec<Write>,
    /// How many were duplicates.
    pub duplicates: usize,
}

/// A task made ready to play: draws keyed, schemas cleaned, answers cached by (tool, arguments).
#[derive(Debug)]
pub struct Engine {
    task: Arc<Task>,
}

impl Engine {
    /// Prepares a task.
    pub fn new(_task: Arc<Task>) -> Self {
        todo!()
    }
    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }
    /// The state before the first call.
    pub fn start(&self) -> State {
        todo!()
    }
    /// Plays one call. Pure: equal inputs give equal outcomes.
    pub fn step(&self, _state: &State, _call: &Call) -> Outcome {
        todo!()
    }
    /// The verdict at a state, given how the episode ended.
    pub fn verdict(&self, _state: &State, _ending: Ending) -> Verdict {
        todo!()
    }
}

/// respond(tool, arguments) of rules 3.5 outside any episode: the base answer.
pub fn respond(_task_key: (&str, u64, &str), _tool: &crate::task::ShownTool, _arguments: &Value) -> Value {
    todo!()
}
