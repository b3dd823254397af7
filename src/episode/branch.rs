//! Branches: lines of calls that share a beginning. The calls after the point where a branch parts are kept once.
use super::{Made, same_call};
use crate::engine::Ending;
use crate::task::Call;
use std::sync::Arc;

/// A line of calls, and where it parts from the branch it was started on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The branch it was started on; `None` for the first.
    pub parent: Option<usize>,
    /// How many calls it shares with that branch.
    pub parts_at: usize,
    /// How many calls it has, the shared ones included.
    pub length: usize,
    /// How it ended; open when it was not ended.
    pub ending: Ending,
}

/// All branches of an episode; the calls of the current one are the episode's line.
#[derive(Debug, Clone)]
pub(super) struct Branches {
    all: Vec<Entry>,
    current: usize,
}

#[derive(Debug, Clone)]
struct Entry {
    parent: Option<usize>,
    parts_at: usize,
    /// The calls after the parting, when this is not the current branch.
    own: Vec<Arc<Made>>,
    /// How it was ended behind its last call, when this is not the current branch.
    end: Ending,
}

impl Entry {
    fn new(parent: Option<usize>, parts_at: usize) -> Self {
        Self { parent, parts_at, own: Vec::new(), end: Ending::Open }
    }
}

impl Default for Branches {
    fn default() -> Self {
        Self { all: vec![Entry::new(None, 0)], current: 0 }
    }
}

impl Branches {
    pub(super) fn current(&self) -> usize {
        self.current
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    pub(super) fn list(&self, current_length: usize, current_ending: Ending) -> Vec<Branch> {
        let entries = self.all.iter().enumerate();
        let listed = entries.map(|(i, entry)| {
            let current = i == self.current;
            Branch {
                parent: entry.parent,
                parts_at: entry.parts_at,
                length: if current { current_length } else { entry.parts_at + entry.own.len() },
                ending: if current { current_ending } else { entry.end },
            }
        });
        listed.collect()
    }

    /// Keeps the current line and starts a branch at `cursor`, whose line is what is left in `line`.
    pub(super) fn part(&mut self, line: &mut Vec<Arc<Made>>, end: &mut Ending, cursor: usize) {
        self.put_away(line, *end);
        *end = Ending::Open;
        // Started before the current branch parted, it is a branch of an earlier one.
        let mut parent = self.current;
        while let Some(earlier) = self.all[parent].parent.filter(|_| cursor <= self.all[parent].parts_at) {
            parent = earlier;
        }
        self.current = self.all.len();
        self.all.push(Entry::new(Some(parent), cursor));
        line.truncate(cursor);
    }

    /// Keeps the current branch's own calls, and its ending at their end.
    fn put_away(&mut self, line: &[Arc<Made>], end: Ending) {
        let entry = &mut self.all[self.current];
        entry.own = line.get(entry.parts_at..).unwrap_or_default().to_vec();
        entry.end = end;
    }

    /// Makes a branch, one that there is, the current one; gives how many calls the two share.
    pub(super) fn switch(&mut self, branch: usize, line: &mut Vec<Arc<Made>>, end: &mut Ending) -> usize {
        if branch == self.current {
            return line.len();
        }
        let shared = self.shared(branch);
        self.put_away(line, *end);
        let calls = self.calls(branch, line);
        self.current = branch;
        self.all[branch].own.clear();
        *end = std::mem::replace(&mut self.all[branch].end, Ending::Open);
        *line = calls;
        shared
    }

    /// The branch other than the current one that shares the calls before `cursor` and continues with this call.
    pub(super) fn parting(&self, line: &[Arc<Made>], cursor: usize, call: &Call) -> Option<usize> {
        (0..self.all.len()).filter(|b| *b != self.current).find(|branch| {
            self.shared(*branch) == cursor
                && self.call(*branch, cursor, line).is_some_and(|made| same_call(&made.call, call))
        })
    }

    /// The calls of a branch; none for an unknown one.
    pub(super) fn calls(&self, branch: usize, line: &[Arc<Made>]) -> Vec<Arc<Made>> {
        let mut segments = Vec::new();
        self.walk(branch, line, |_, own| segments.push(own));
        segments.into_iter().rev().flatten().cloned().collect()
    }

    /// The call of a branch at an index.
    pub(super) fn call<'a>(&'a self, branch: usize, index: usize, line: &'a [Arc<Made>]) -> Option<&'a Arc<Made>> {
        let mut found = None;
        self.walk(branch, line, |starts, own| {
            if let Some(made) = index.checked_sub(starts).and_then(|i| own.get(i)) {
                found = Some(made);
            }
        });
        found
    }

    /// Visits the pieces of a branch's line from the last to the first: where each starts, and its calls.
    fn walk<'a>(&'a self, branch: usize, line: &'a [Arc<Made>], mut piece: impl FnMut(usize, &'a [Arc<Made>])) {
        let mut next = Some(branch);
        let mut up_to = usize::MAX;
        while let Some(entry) = next.and_then(|b| self.all.get(b)) {
            // A branch put away has its own calls; the current one's are in the line.
            let own = if next == Some(self.current) && entry.own.is_empty() {
                line.get(entry.parts_at..).unwrap_or_default()
            } else {
                &entry.own
            };
            let length = up_to.saturating_sub(entry.parts_at).min(own.len());
            piece(entry.parts_at, &own[..length]);
            up_to = up_to.min(entry.parts_at);
            next = entry.parent;
        }
    }

    /// How many calls a branch shares with the current one.
    fn shared(&self, branch: usize) -> usize {
        // The branches a line runs through, with how many calls it follows each for.
        let through = |start: usize| {
            let mut followed = vec![(start, usize::MAX)];
            let mut at = start;
            while let Some(parent) = self.all[at].parent {
                followed.push((parent, self.all[at].parts_at));
                at = parent;
            }
            followed
        };
        let ours = through(self.current);
        let theirs = through(branch);
        let common = theirs
            .iter()
            .find_map(|(b, limit)| ours.iter().find(|(ours, _)| ours == b).map(|(_, our_limit)| *limit.min(our_limit)));
        common.unwrap_or_default()
    }
}
