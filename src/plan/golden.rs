//! The published hash of the generator (rules 7.10): SHA-256 over a golden transcript, so that a change of what is planned
//! or answered moves it and a change of a comment does not.
use super::{PlanError, Planner};
use crate::engine::Engine;
use crate::task::Dial;
use crate::value::{call_text, canonical::hex};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The generator's label (rules 7.10).
pub const LABEL: &str = "rehearsal-1";

/// The hash of the transcript on the three example files with their flows and declared reads; a test recomputes it.
pub const HASH: &str = "78827eb8dfa6b0921be577862c6b3f2b8c37ca1ff4182a04f6864585959fe00b";

/// The seeds of the transcript.
pub const SEEDS: [u64; 2] = [0, 404];

/// The hash of the transcript on these sets, in order: for every dial, level and seed the task's call text and the text
/// of every answer of its reference solution, each with a line feed behind it; in lower-case hex.
pub fn transcript_hash<'a>(planners: impl IntoIterator<Item = &'a Planner>) -> Result<String, PlanError> {
    let mut hash = Sha256::new();
    let mut line = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    for planner in planners {
        for dial in Dial::ALL {
            for level in planner.levels(dial).unwrap_or_default() {
                for seed in SEEDS {
                    let task = Arc::new(planner.plan(dial.at(level), seed)?);
                    line(&call_text(&task.to_value()));
                    let engine = Engine::new(task.clone());
                    let mut state = engine.start();
                    for call in &task.reference_calls {
                        let outcome = engine.step(&state, call);
                        line(&outcome.answer.text);
                        state = outcome.state;
                    }
                }
            }
        }
    }
    Ok(hex(&hash.finalize()))
}
