//! For every call of a line, the last one before it that is the same call: kept as the line grows, so that no look at a
//! call goes through the whole history.
use super::{Made, same_call};
use crate::task::Call;
use crate::value::call_text;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The repeats of a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeats {
    /// For each call: its hash, and the last call before it with that hash.
    before: Vec<(u64, Option<usize>)>,
    /// The last call with a hash.
    last: HashMap<u64, usize>,
}

impl Repeats {
    /// Takes one more call in.
    pub(super) fn push(&mut self, call: &Call) {
        let mut hasher = DefaultHasher::new();
        call.tool.hash(&mut hasher);
        call_text(&call.arguments).hash(&mut hasher);
        let hash = hasher.finish();
        let before = self.last.insert(hash, self.before.len());
        self.before.push((hash, before));
    }

    /// Forgets all but the first `n` calls.
    pub(super) fn truncate(&mut self, n: usize) {
        while self.before.len() > n {
            match self.before.pop() {
                Some((hash, Some(before))) => self.last.insert(hash, before),
                Some((hash, None)) => self.last.remove(&hash),
                None => None,
            };
        }
    }

    /// The last call before `index` that is the same.
    pub(super) fn before(&self, index: usize, line: &[Arc<Made>]) -> Option<usize> {
        let before = self.before.get(index)?.1?;
        same_call(&line.get(before)?.call, &line.get(index)?.call).then_some(before)
    }
}
