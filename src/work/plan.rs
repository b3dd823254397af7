//! Planning: the levels a set reaches, and one task.

use super::Control;
use crate::plan::{PlanError, Planner};
use crate::task::{Arm, Dial, Task};
use std::sync::Arc;

/// A set and what every dial reaches on it.
#[derive(Debug)]
pub struct Sheet {
    /// The set.
    pub planner: Arc<Planner>,
    /// Every dial in order: its levels, or why it reaches none.
    pub dials: Vec<(Dial, Result<Vec<u32>, String>)>,
}

impl Sheet {
    /// The levels of a dial, or why it reaches none.
    pub fn levels(&self, dial: Dial) -> Result<&[u32], &str> {
        match self.dials.iter().find(|(d, _)| *d == dial) {
            Some((_, Ok(levels))) => Ok(levels),
            Some((_, Err(why))) => Err(why),
            None => Ok(&[]),
        }
    }

    /// Every arm offered, in order.
    pub fn arms(&self) -> impl Iterator<Item = Arm> + '_ {
        self.dials.iter().flat_map(|(dial, levels)| levels.iter().flatten().map(|level| dial.at(*level)))
    }
}

/// Works out what every dial reaches; `None` when cancelled.
pub fn sheet(planner: Arc<Planner>, control: &Control) -> Option<Sheet> {
    let total = Some(Dial::ALL.len() as u64);
    let mut dials = Vec::with_capacity(Dial::ALL.len());
    for (done, dial) in Dial::ALL.into_iter().enumerate() {
        if control.is_cancelled() {
            return None;
        }
        control.progress("trying dials", done as u64, total);
        dials.push((dial, planner.levels(dial)));
    }
    Some(Sheet { planner, dials })
}

/// One task to plan.
#[derive(Debug, Clone)]
pub struct PlanRequest {
    /// The set.
    pub planner: Arc<Planner>,
    /// The arm.
    pub arm: Arm,
    /// The seed.
    pub seed: u64,
}

/// Plans one task.
pub fn plan(request: &PlanRequest, control: &Control) -> Result<Arc<Task>, PlanError> {
    control.progress("planning", 0, None);
    request.planner.plan(request.arm, request.seed).map(Arc::new)
}
