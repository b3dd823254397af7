//! What the rows of the list stand for, in order.

use super::RemoteScreen;

/// What a row of the list of items stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// The harness that the next task runs on.
    Harness,
    /// The model it runs with.
    Model,
    /// What to ask.
    Input,
    /// The task as a whole.
    Head,
    /// A step.
    Step(usize),
    /// An event of an unknown kind.
    Event(usize),
    /// A warning of the server.
    Warning(usize),
    /// What happened to the stream.
    Note(usize),
    /// The task's end.
    End,
}

/// Rows of what the next task is made of.
pub(super) const SETUP: [Entry; 3] = [Entry::Harness, Entry::Model, Entry::Input];

impl RemoteScreen {
    pub(super) fn setup(&self) -> usize {
        if self.is_attached() { SETUP.len() } else { 0 }
    }

    pub(super) fn len(&self) -> usize {
        let Some(task) = &self.task else { return self.setup() };
        let t = &task.transcript;
        let after = t.unknown.len() + t.warnings.len() + task.notes.len() + usize::from(t.is_over());
        self.setup() + 1 + task.steps.list().len() + after
    }

    pub(super) fn entry(&self, i: usize) -> Entry {
        if i < self.setup() {
            return SETUP[i];
        }
        let Some(task) = &self.task else { return Entry::Input };
        let mut i = i - self.setup();
        if i == 0 {
            return Entry::Head;
        }
        i -= 1;
        for (len, entry) in [
            (task.steps.list().len(), Entry::Step as fn(usize) -> Entry),
            (task.transcript.unknown.len(), Entry::Event),
            (task.transcript.warnings.len(), Entry::Warning),
            (task.notes.len(), Entry::Note),
        ] {
            if i < len {
                return entry(i);
            }
            i -= len;
        }
        Entry::End
    }

    /// The row of a step.
    pub(super) fn row_of_step(&self, step: usize) -> usize {
        self.setup() + 1 + step
    }
}
