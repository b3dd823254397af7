//! A response of a server as one of the two sides, and how it is looked at by itself.

use super::{Aligned, Opens, Side};
use crate::align::Ended;
use crate::theme::Scope;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::remote;
use crate::uhp::client::replay::played;
use crate::uhp::client::transcript::{Step, Transcript};
use crate::value::Str;
use crate::work::response::{Half, Pair};

impl Aligned {
    /// Two responses, or one and an episode that a run recorded.
    pub fn of_pair(pair: Pair) -> Self {
        let (subject, [a, b]) = (pair.subject(), pair.names);
        let [half_a, half_b] = pair.halves;
        Self::new(subject, Side::of_half(a, half_a), Side::of_half(b, half_b))
    }
}

impl Side {
    /// A side of what was opened under a name.
    fn of_half(name: String, half: Half) -> Self {
        match half {
            Half::Response(transcript) => Self::response(name, *transcript),
            Half::Recorded { run, index, trace, .. } => Self::recorded(&run, index, &trace),
        }
    }

    /// A response: its calls, what was thought before each, its status as the outcome.
    fn response(label: String, transcript: Transcript) -> Self {
        Self {
            label,
            calls: played(&transcript),
            reasons: reasons(&transcript),
            ended: match transcript.status() {
                "completed" => Ended::Reply,
                "incomplete" => Ended::Limit,
                _ => Ended::Open,
            },
            outcome: Some(transcript.status().into()),
            opens: Opens::Response(Box::new(transcript)),
            broken: None,
        }
    }

    /// What it said at last.
    pub(super) fn said(&self) -> Option<String> {
        let Opens::Response(transcript) = &self.opens else { return None };
        transcript.items.iter().rev().find(|item| item.kind() == "message").map(|item| item.text())
    }
}

/// What was thought right before each call.
fn reasons(transcript: &Transcript) -> Vec<Str> {
    let (mut thought, mut reasons) = (String::new(), Vec::new());
    for step in transcript.steps() {
        match step {
            Step::Reasoning(at) => thought = transcript.items.get(at).map(|item| item.text()).unwrap_or_default(),
            Step::Call { call, .. } if transcript.call(call).is_some() => {
                reasons.push(std::mem::take(&mut thought).into());
            }
            _ => {}
        }
    }
    reasons
}

/// How a response stands: its style and its sign.
pub(super) fn sign(status: &str) -> (Scope, char) {
    match status {
        "completed" => (Scope::VerdictPassed, '+'),
        "cancelled" => (Scope::Warn, '-'),
        "incomplete" => (Scope::Warn, '!'),
        "in_progress" => (Scope::VerdictOpen, '.'),
        _ => (Scope::VerdictFailed, '!'),
    }
}

/// Opens a response by itself, at one of its calls.
pub(super) fn look(model: &mut Model, label: String, transcript: Transcript, call: Option<usize>) -> Vec<Effect> {
    remote::look_beside(model, label, transcript, call)
}
