//! The chained hash of an episode's steps: equal chains, equal episodes, on any machine; the first divergence of two is
//! where their chains part.

use crate::engine::{Change, Ending};
use crate::task::Call;
use crate::value::{Part, Value, canonical};
use sha2::{Digest, Sha256};

/// The hash after some steps of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chain([u8; 32]);

impl Chain {
    /// Before the first step of a task.
    pub fn start(task_id: &str) -> Self {
        Self(hash(b"rehearsal/chain/1\n", &[task_id.as_bytes()]))
    }

    /// After one more step: covers the step before, the task, the call, the answer's text and what changed.
    #[must_use]
    pub fn step(self, task_id: &str, call: &Call, answer: &str, changes: &[Change]) -> Self {
        self.push(task_id, call, answer, changes_part(changes))
    }

    /// The same of a step as it was recorded, its changes in the form of [`changes_part`].
    #[must_use]
    pub fn recorded(self, task_id: &str, call: &Call, answer: &str, changes: &Value) -> Self {
        self.push(task_id, call, answer, changes.into())
    }

    fn push(self, task_id: &str, call: &Call, answer: &str, changes: Part<'_>) -> Self {
        let mut text = String::with_capacity(256);
        call.part().push_call_text(&mut text);
        let end = text.len();
        changes.push_call_text(&mut text);
        let (call, changes) = text.split_at(end);
        Self(hash(&self.0, &[task_id.as_bytes(), call.as_bytes(), answer.as_bytes(), changes.as_bytes()]))
    }

    /// After the episode ended: covers how, and the label.
    #[must_use]
    pub fn end(self, ending: Ending, label: &str) -> Self {
        Self(hash(&self.0, &[ending.word().as_bytes(), label.as_bytes()]))
    }

    /// Before the first episode of a run.
    pub fn of_run() -> Self {
        Self(hash(b"rehearsal/run-chain/1\n", &[]))
    }

    /// After one more episode of a run, given by its chain.
    #[must_use]
    pub fn episode(self, chain: Self) -> Self {
        Self(hash(&self.0, &[&chain.0]))
    }

    /// Reads lower-case hex back.
    pub fn parse(hex: &str) -> Option<Self> {
        let digits = hex.as_bytes().chunks_exact(2);
        if hex.len() != 64 || !hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Lower-case hex.
    pub fn hex(self) -> String {
        canonical::hex(&self.0)
    }
}

/// What a call changed, as a list of objects: one form for the chain and for traces.
pub fn changes_part(changes: &[Change]) -> Part<'_> {
    Part::list(changes.iter().map(change_part))
}

fn change_part(change: &Change) -> Part<'_> {
    let one = |word: &'static str, value: usize| Part::object([(word, value.into())]);
    match change {
        Change::Stored { index } => one("stored", *index),
        Change::Record { step, tool, key, after } => Part::object([
            ("record", Part::from(*step)),
            ("tool", tool.into()),
            ("key", Part::object(key.iter().map(|(name, value)| (&**name, value.into())))),
            ("after", after.into()),
        ]),
        Change::Done { step } => one("done", *step),
        Change::Served { step } => one("served", *step),
        Change::FaultUsed { left } => one("faults_left", *left as usize),
        Change::LandedUsed => Part::Word("landed_used"),
        Change::BadUsed => Part::Word("bad_used"),
        Change::LaggedUsed => Part::Word("lagged_used"),
    }
}

/// Every part is preceded by its length, so that no two lists of parts hash alike.
fn hash(before: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(before);
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;

    #[test]
    fn everything_a_chain_covers_moves_it() {
        let call = |tool: &str, id: i64| Call { tool: tool.into(), arguments: Map::from([("id", id)]).into() };
        let start = Chain::start("t");
        let one = start.step("t", &call("a", 1), "answer", &[]);
        assert_eq!(one, start.step("t", &call("a", 1), "answer", &[]));
        for other in [
            Chain::start("u").step("t", &call("a", 1), "answer", &[]),
            start.step("u", &call("a", 1), "answer", &[]),
            start.step("t", &call("b", 1), "answer", &[]),
            start.step("t", &call("a", 2), "answer", &[]),
            start.step("t", &call("a", 1), "answers", &[]),
            start.step("t", &call("a", 1), "answer", &[Change::Stored { index: 0 }]),
            one.step("t", &call("a", 1), "answer", &[]),
        ] {
            assert_ne!(one, other);
        }
        assert_ne!(one.end(Ending::Reply, "passed"), one.end(Ending::Limit, "passed"));
        assert_ne!(one.end(Ending::Reply, "passed"), one.end(Ending::Reply, "wrong_state"));
        assert_eq!(one.hex().len(), 64);
        assert_eq!(Chain::parse(&one.hex()), Some(one));
        assert_eq!(Chain::parse(&one.hex().to_uppercase()), None);
        assert_eq!(Chain::parse("ab"), None);
        assert_ne!(Chain::of_run().episode(one).episode(start), Chain::of_run().episode(start).episode(one));
    }
}
