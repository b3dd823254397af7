//! The steps of a transcript that grows: each new item is looked at once, however long the task runs.

use super::transcript::{Item, Step, Transcript};
use std::collections::{HashMap, VecDeque};

/// Steps kept up to date.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steps {
    list: Vec<Step>,
    /// How many items were looked at.
    seen: usize,
    /// Steps of calls without an answer, by their id, the oldest first.
    waiting: HashMap<String, VecDeque<usize>>,
    /// The steps that are calls, in order.
    calls: Vec<usize>,
}

impl Steps {
    /// The steps of a transcript as it stands.
    pub fn of(transcript: &Transcript) -> Self {
        let list = transcript.steps();
        let calls = list.iter().enumerate().filter(|(_, s)| matches!(s, Step::Call { .. })).map(|(i, _)| i).collect();
        let mut steps = Self { list, seen: transcript.items.len(), waiting: HashMap::new(), calls };
        for (at, step) in steps.list.iter().enumerate() {
            if let Step::Call { call, answer: None } = step {
                wait(&mut steps.waiting, &transcript.items[*call], at);
            }
        }
        steps
    }

    /// Takes the items in that came since.
    pub fn follow(&mut self, transcript: &Transcript) {
        for at in self.seen..transcript.items.len() {
            let item = &transcript.items[at];
            let step = Step::of(at, item);
            match step {
                Step::Call { .. } => {
                    wait(&mut self.waiting, item, self.list.len());
                    self.calls.push(self.list.len());
                }
                Step::Answer(_) => {
                    let waiting = self.waiting.get_mut(item.call_id()).and_then(VecDeque::pop_front);
                    if let Some(Step::Call { answer, .. }) = waiting.and_then(|w| self.list.get_mut(w)) {
                        *answer = Some(at);
                        continue;
                    }
                }
                _ => {}
            }
            self.list.push(step);
        }
        self.seen = transcript.items.len();
    }

    /// All of them, in order.
    pub fn list(&self) -> &[Step] {
        &self.list
    }

    /// The places of those that are calls.
    pub fn calls(&self) -> &[usize] {
        &self.calls
    }

    /// How many calls stand before a place.
    pub fn calls_before(&self, at: usize) -> usize {
        self.calls.partition_point(|call| *call < at)
    }
}

fn wait(waiting: &mut HashMap<String, VecDeque<usize>>, call: &Item, at: usize) {
    // A call without an id cannot be told from others: nothing answers it.
    if !call.call_id().is_empty() {
        waiting.entry(call.call_id().to_owned()).or_default().push_back(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn transcript(kinds: &[(u8, u8)]) -> Transcript {
        let item = |(kind, id): &(u8, u8)| {
            let id = if *id == 0 { String::new() } else { format!("c{id}") };
            match kind {
                0 => json!({"type": "function_call", "call_id": id, "name": "t", "arguments": "{}"}),
                1 => json!({"type": "function_call_output", "call_id": id, "output": "x"}),
                2 => json!({"type": "message", "content": []}),
                3 => json!({"type": "reasoning", "summary": []}),
                _ => json!({"type": "novel", "x": 1}),
            }
        };
        let output: Vec<_> = kinds.iter().map(item).collect();
        Transcript::of(&json!({"object": "response", "status": "in_progress", "output": output}))
    }

    proptest! {
        /// An answer comes after its call, as it does in every stream: then following item by item, from wherever it
        /// began, gives what reading the whole gives.
        #[test]
        fn following_gives_what_the_whole_gives(kinds in prop::collection::vec((0u8..5, 0u8..4), 0..40), from in 0usize..40) {
            let mut open = [0usize; 4];
            let kinds: Vec<_> = kinds.into_iter().filter(|(kind, id)| match kind {
                0 => { open[usize::from(*id)] += 1; true }
                1 => { let free = open[usize::from(*id)] > 0; open[usize::from(*id)] -= usize::from(free); free }
                _ => true,
            }).collect();
            let whole = transcript(&kinds);
            let mut steps = Steps::of(&transcript(&kinds[..from.min(kinds.len())]));
            for n in from.min(kinds.len())..=kinds.len() {
                steps.follow(&transcript(&kinds[..n]));
            }
            prop_assert_eq!(steps.list(), whole.steps());
            let at_once = Steps::of(&whole);
            prop_assert_eq!(steps.calls(), at_once.calls());
            for (n, at) in steps.calls().iter().enumerate() {
                prop_assert_eq!(steps.calls_before(*at), n);
            }
        }
    }
}
