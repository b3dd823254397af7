//! The state of an episode. Every call makes a new one that shares almost all of the old one, so keeping the state
//! after each of 10,000 calls costs little.
use super::store::{Write, WriteKind, Writes};
use std::sync::Arc;

/// The state after some calls (rules 4.2 and 7); cloning it is one count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State(Arc<Fields>);

/// What a state holds; a step copies it, which copies no list.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Fields {
    /// Calls that reached the tools.
    pub(super) calls: usize,
    /// Every call made, those answered by the harness included; it numbers the writes and decides nothing.
    pub(super) made: usize,
    /// Calls that reached each tool, by its place in the block.
    pub(super) counts: Counts,
    /// Done or served, by step.
    pub(super) passed: Flags,
    /// Write steps still to be done.
    pub(super) open_writes: usize,
    pub(super) writes: Writes,
    /// Step and write, for every expected write made.
    pub(super) made_by: Arc<Vec<(usize, usize)>>,
    pub(super) side_effects: usize,
    pub(super) duplicates: usize,
    /// Numbers of the calls that used up the landed write, the bad read and the stale read.
    pub(super) landed: Option<usize>,
    pub(super) bad: Option<usize>,
    pub(super) lagged: Option<usize>,
    /// The lowest clause that fired.
    pub(super) clause: Option<u8>,
    /// A served value had no place in an answer: the task cannot be judged.
    pub(super) defective: bool,
}

impl State {
    pub(super) fn from_fields(fields: Fields) -> Self {
        Self(Arc::new(fields))
    }

    pub(super) fn fields(&self) -> &Fields {
        &self.0
    }

    /// How many calls reached the tools.
    pub fn calls(&self) -> usize {
        self.0.calls
    }

    /// How many calls of the tool at that place in the block reached it.
    pub fn count(&self, tool: usize) -> u32 {
        self.0.counts.get(tool)
    }

    /// Whether a write step is done, or a read step served.
    pub fn passed(&self, step: usize) -> bool {
        self.0.passed.get(step)
    }

    /// Accepted writes, in order.
    pub fn writes(&self) -> &Writes {
        &self.0.writes
    }

    /// The write that did a write step, by its index in the store.
    pub fn write_of(&self, step: usize) -> Option<usize> {
        self.0.made_by.iter().find(|(s, _)| *s == step).map(|(_, write)| *write)
    }

    /// Whether every write step is done.
    pub fn goal(&self) -> bool {
        self.0.open_writes == 0
    }

    /// How many write steps are still to be done.
    pub fn open_writes(&self) -> usize {
        self.0.open_writes
    }

    /// How many accepted writes no step expected, duplicates included.
    pub fn side_effects(&self) -> usize {
        self.0.side_effects
    }

    /// How many accepted writes repeated a step already done.
    pub fn duplicates(&self) -> usize {
        self.0.duplicates
    }

    /// The number (from 1) of the call whose write landed behind a timeout, once there was one.
    pub fn landed_call(&self) -> Option<usize> {
        self.0.landed
    }

    /// The number (from 1) of the call that was the bad read, once there was one.
    pub fn bad_call(&self) -> Option<usize> {
        self.0.bad
    }

    /// The number (from 1) of the call that was the stale read, once there was one.
    pub fn lagged_call(&self) -> Option<usize> {
        self.0.lagged
    }

    /// How many calls were made, those that reached no tool included: the number of the last one.
    pub fn made(&self) -> usize {
        self.0.made
    }

    /// The lowest clause of rules 6 that fired so far.
    pub fn clause(&self) -> Option<u8> {
        self.0.clause
    }

    /// Whether a served value found no place in an answer, so that the task cannot be judged.
    pub fn defective(&self) -> bool {
        self.0.defective
    }

    /// The state after a turn without calls whose content holds one of the markers of a call format (clause 1 of rules
    /// 6); the same state otherwise. Runs have no markers.
    pub fn after_content(&self, content: &str, markers: &[&str]) -> Self {
        if markers.iter().any(|m| !m.is_empty() && content.contains(m)) {
            let mut fields = (*self.0).clone();
            fields.note_clause(1);
            return Self::from_fields(fields);
        }
        self.clone()
    }
}

impl Fields {
    /// Remembers a clause when it is lower than those that fired before.
    pub(super) fn note_clause(&mut self, clause: u8) {
        self.clause = Some(self.clause.map_or(clause, |c| c.min(clause)));
    }

    /// Stores an accepted write.
    pub(super) fn store(&mut self, write: Write) {
        match write.kind {
            WriteKind::Expected(step) => {
                self.passed = self.passed.with(step);
                Arc::make_mut(&mut self.made_by).push((step, self.writes.len()));
                self.open_writes = self.open_writes.saturating_sub(1);
            }
            WriteKind::SideEffect => self.side_effects += 1,
            WriteKind::Duplicate(_) => {
                self.side_effects += 1;
                self.duplicates += 1;
            }
        }
        self.writes = self.writes.with(write);
    }
}

/// One bit a step; shared until one is set.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Flags(Arc<[u64]>);

impl Flags {
    pub(super) fn new(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)].into())
    }

    pub(super) fn get(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    pub(super) fn with(&self, i: usize) -> Self {
        let mut words = self.0.clone();
        if let Some(word) = Arc::make_mut(&mut words).get_mut(i / 64) {
            *word |= 1 << (i % 64);
        }
        Self(words)
    }
}

/// One count a tool, in shared groups, so that a call on a set of hundreds of tools copies a group and not them all.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Counts(Arc<[Arc<[u32; GROUP]>]>);

const GROUP: usize = 16;

impl Counts {
    pub(super) fn new(n: usize) -> Self {
        let zero = Arc::new([0; GROUP]);
        Self((0..n.div_ceil(GROUP)).map(|_| zero.clone()).collect())
    }

    pub(super) fn get(&self, i: usize) -> u32 {
        self.0.get(i / GROUP).map_or(0, |group| group[i % GROUP])
    }

    /// One more for tool `i`.
    pub(super) fn with_one_more(&self, i: usize) -> Self {
        let mut groups = self.0.clone();
        if let Some(group) = Arc::make_mut(&mut groups).get_mut(i / GROUP) {
            let count = &mut Arc::make_mut(group)[i % GROUP];
            *count = count.saturating_add(1);
        }
        Self(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_counts_leave_older_versions_alone() {
        let none = Flags::new(130);
        let one = none.with(129);
        let two = one.with(0);
        assert!(!none.get(129) && one.get(129) && !one.get(0) && two.get(0) && two.get(129));
        assert!(!two.get(1000));
        let zero = Counts::new(40);
        let some = (0..3).fold(zero.clone(), |c, _| c.with_one_more(17));
        assert_eq!((zero.get(17), some.get(17), some.get(16), some.get(1000)), (0, 3, 0, 0));
    }
}
