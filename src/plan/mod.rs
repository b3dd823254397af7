//! Planning: a tool set and settings to the arms it reaches and the tasks planned on it (rules chapters 5 and 7.5).
//!
//! (Skeleton: the owner of `plan` splits it into one file a dial and fills it in.)
use crate::task::{Arm, Dial, Task};
use crate::toolfile::Reading;
use std::sync::Arc;

/// A flow: a field of one tool's answer is an argument of another (rules 5.5).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Flow {
    /// From tool.
    pub from: String,
    /// Field path in its output.
    pub field: String,
    /// To tool.
    pub to: String,
    /// Parameter.
    pub param: String,
}

/// What a user declares beside the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanSettings {
    /// Tool and the sentence to ask for it with.
    pub intents: Vec<(String, String)>,
    /// Flows.
    pub flows: Vec<Flow>,
}

/// A refusal of a level, a seed or a setting: one line.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanError(pub String);

/// A tool set ready to be planned on.
#[derive(Debug)]
pub struct Planner {}

impl Planner {
    /// Prepares a reading; refused when the reading is refused as a whole, or a flow or an intent names what is not there.
    pub fn new(_reading: Arc<Reading>, _settings: PlanSettings) -> Result<Self, PlanError> {
        todo!()
    }
    /// The levels a dial reaches on this set, or why it reaches none.
    pub fn levels(&self, _dial: Dial) -> Result<Vec<u32>, String> {
        todo!()
    }
    /// Plans one task; the error says in one line why the level is not reached or the seed refused.
    pub fn plan(&self, _arm: Arm, _seed: u64) -> Result<Task, PlanError> {
        todo!()
    }
}
