//! What a planned task is: tools shown, steps expected, the dial's plan, reference and wrong answers; calls and call
//! scripts. Pure data; drawing one is `plan`'s work, playing one `engine`'s.
//!
//! ```
//! use rehearsal::task::{Arm, Dial, Ending, Script};
//! assert_eq!(Arm::parse("baddata:b2"), Some(Dial::BadData.at(2)));
//! let script = Script::read(b"- {tool: get_order, arguments: {order_id: A-1}}\n- limit\n").unwrap();
//! assert_eq!((&*script.calls[0].tool, script.ending), ("get_order", Ending::Limit));
//! ```
mod json;
mod script;

pub use script::{Ending, Script};

use crate::toolfile::{Format, Tool};
use crate::value::{Str, Value};
use std::sync::Arc;

/// The thirteen dials, in the order of rules 7.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dial {
    /// Lookalikes of the target.
    Similarity,
    /// Planned `unavailable` answers.
    Faults,
    /// Tokens of earlier conversation.
    History,
    /// Tools shown.
    Block,
    /// Arguments stated.
    Arguments,
    /// A value split over reads.
    Spread,
    /// Length of a chain of calls.
    Depth,
    /// Parallel runs of a chain.
    Shape,
    /// Planned timeouts.
    Timeouts,
    /// Planned rate limits.
    RateLimits,
    /// A write that lands behind a timeout.
    Landed,
    /// A read that answers wrongly once.
    BadData,
    /// A read that is stale once.
    Lagged,
}

impl Dial {
    /// All, in order.
    pub const ALL: [Dial; 13] = [
        Dial::Similarity,
        Dial::Faults,
        Dial::History,
        Dial::Block,
        Dial::Arguments,
        Dial::Spread,
        Dial::Depth,
        Dial::Shape,
        Dial::Timeouts,
        Dial::RateLimits,
        Dial::Landed,
        Dial::BadData,
        Dial::Lagged,
    ];

    /// The word before the colon of an arm, and its letter after it.
    fn spelling(self) -> (&'static str, char) {
        match self {
            Dial::Similarity => ("similarity", 's'),
            Dial::Faults => ("faults", 'f'),
            Dial::History => ("history", 't'),
            Dial::Block => ("block", 'k'),
            Dial::Arguments => ("arguments", 'a'),
            Dial::Spread => ("spread", 'p'),
            Dial::Depth => ("depth", 'd'),
            Dial::Shape => ("shape", 'w'),
            Dial::Timeouts => ("timeouts", 'o'),
            Dial::RateLimits => ("ratelimits", 'r'),
            Dial::Landed => ("landed", 'l'),
            Dial::BadData => ("baddata", 'b'),
            Dial::Lagged => ("lagged", 'g'),
        }
    }

    /// `similarity`, `faults`, ...
    pub fn word(self) -> &'static str {
        self.spelling().0
    }

    /// The dial of that word.
    pub fn parse(word: &str) -> Option<Dial> {
        Dial::ALL.into_iter().find(|d| d.word() == word)
    }

    /// The arm at a level.
    pub fn at(self, level: u32) -> Arm {
        Arm { dial: self, level }
    }
}

/// One dial at one level: `faults:f2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arm {
    /// The dial.
    pub dial: Dial,
    /// The level.
    pub level: u32,
}

impl Arm {
    /// Parses `faults:f2` exactly.
    pub fn parse(text: &str) -> Option<Arm> {
        let (word, rest) = text.split_once(':')?;
        let dial = Dial::parse(word)?;
        let digits = rest.strip_prefix(dial.spelling().1)?;
        if digits.is_empty()
            || !digits.bytes().all(|b| b.is_ascii_digit())
            || (digits.len() > 1 && digits.starts_with('0'))
        {
            return None;
        }
        Some(dial.at(digits.parse().ok()?))
    }
}

impl std::fmt::Display for Arm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, letter) = self.dial.spelling();
        write!(f, "{word}:{letter}{}", self.level)
    }
}

/// A call: a tool name and arguments (any JSON value; a non-object never reaches the engine's tools).
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Tool name as shown in the task.
    pub tool: Str,
    /// The arguments.
    pub arguments: Value,
}

/// The kind of an expected step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEffect {
    /// A read to be served.
    Read,
    /// A write to be done.
    Write,
}

/// One expected step (rules 4.1).
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Shown tool name.
    pub tool: Str,
    /// Read or write.
    pub effect: StepEffect,
    /// Argument and value that must be `same`, in schema order.
    pub matching: Vec<(Str, Value)>,
    /// Steps that must be done or served before.
    pub needs: Vec<usize>,
    /// Path and value placed into the answer.
    pub serves: Vec<(Str, Value)>,
    /// No other checkable argument may be present.
    pub exact: bool,
}

/// A tool as the task shows it (on similarity, lookalikes too).
#[derive(Debug, Clone, PartialEq)]
pub struct ShownTool {
    /// Name as shown.
    pub name: Str,
    /// Description as shown.
    pub description: Str,
    /// The file's tool behind it.
    pub tool: Arc<Tool>,
}

/// The one bad read of a baddata arm (rules 7.5).
#[derive(Debug, Clone, PartialEq)]
pub struct BadRead {
    /// The read step.
    pub step: usize,
    /// 1, 2 or 3.
    pub level: u32,
    /// The served field.
    pub field: Str,
    /// Level 1: the arguments of the other record.
    pub arguments: Option<Value>,
    /// The wrong value.
    pub value: Value,
}

/// A read that the request names.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedRead {
    /// Tool.
    pub tool: Str,
    /// Its arguments.
    pub arguments: Value,
    /// The field its answer serves.
    pub field: Str,
}

/// One pair of the history dial: a read made before, and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryPair {
    /// The call.
    pub call: Call,
    /// Its answer's value.
    pub answer: Value,
    /// Tokens it counts for.
    pub tokens: u32,
}

/// A wrong answer shipped with a task (rules 5.7): calls and the verdict label they must get.
#[derive(Debug, Clone, PartialEq)]
pub struct WrongAnswer {
    /// `wrong_state`, `turn_limit`, `collateral_mutation`, `malformed_call_clause_2`, `duplicate_write`, `believed`, ...
    pub name: &'static str,
    /// The calls.
    pub calls: Vec<Call>,
    /// Whether the episode ends at the limit instead of a reply.
    pub limit: bool,
    /// The strict label it must be given.
    pub label: &'static str,
}

/// How the request is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `call`
    Call,
    /// `read then call`
    ReadThenCall,
    /// `flow`
    Flow,
}

impl Form {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Form::Call => "call",
            Form::ReadThenCall => "read then call",
            Form::Flow => "flow",
        }
    }
}

/// Tool and count, in the order of the reference path; zero counts are left out.
pub type FaultPlan = Vec<(Str, u32)>;

/// A planned task: all that playing it needs; the generator is not needed again.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// SHA-256 of rules 7.10.
    pub task_id: Str,
    /// Dial and level.
    pub arm: Arm,
    /// The seed.
    pub seed: u64,
    /// `eval`.
    pub split: Str,
    /// The set's shown name.
    pub set_name: Str,
    /// Format of the file.
    pub format: Format,
    /// File hash.
    pub file_digest: Str,
    /// Form of the request.
    pub form: Form,
    /// The system prompt.
    pub system_prompt: Str,
    /// What the agent is asked.
    pub request: Str,
    /// The block: tools shown, in order.
    pub block: Arc<Vec<ShownTool>>,
    /// Shown name of the target.
    pub target: Str,
    /// File name of the target.
    pub target_tool: Str,
    /// Stated argument and value pairs.
    pub stated: Vec<(Str, Value)>,
    /// Reads the request names.
    pub named_reads: Vec<NamedRead>,
    /// Planned faults.
    pub fault_plan: FaultPlan,
    /// Planned timeouts.
    pub timeout_plan: FaultPlan,
    /// Planned rate limits.
    pub rate_limit_plan: FaultPlan,
    /// The write step that lands behind a timeout.
    pub landed_step: Option<usize>,
    /// The write step that a read does not show yet, once.
    pub lagged_step: Option<usize>,
    /// The bad read.
    pub bad_read: Option<BadRead>,
    /// Whether reads echo their arguments (baddata and lagged arms, rules 7.6).
    pub echo_reads: bool,
    /// Expected steps.
    pub steps: Vec<Step>,
    /// The reference solution.
    pub reference_calls: Vec<Call>,
    /// History pairs; `None` on other dials and at level 0.
    pub history: Option<Vec<HistoryPair>>,
    /// Wrong answers.
    pub wrong_answers: Vec<WrongAnswer>,
}

impl Task {
    /// The shown tool of that name.
    pub fn shown(&self, name: &str) -> Option<&ShownTool> {
        self.block.iter().find(|t| &*t.name == name)
    }
}
