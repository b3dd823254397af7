//! Searching by trying: one way at a time, going back to the last choice when it fails. This is how Python searches, and
//! back references, conditions, look-around and atomic groups mean what the way taken makes of them.

use super::Match;
use super::sets::{Case, Set};
use super::syntax::{Greed, UNLIMITED};
use super::tree::{Node, Place, Tree};

/// How many steps one search may take.
const MOST_STEPS: u64 = 2_000_000;
/// How many choices may be open at once.
const MOST_CHOICES: usize = 1 << 20;
/// No position.
const NOWHERE: usize = usize::MAX;

/// One instruction.
#[derive(Debug)]
enum Op {
    Set(usize),
    Place(Place),
    /// Keeps the position in a slot.
    Keep(usize),
    /// Goes on at the next instruction, then at this one.
    Fork(usize),
    Goto(usize),
    /// Characters of one set, `min` to `max` of them.
    Run {
        set: usize,
        min: usize,
        max: usize,
        greed: Greed,
    },
    /// Begins a loop, by its number; its end decides whether there is a first turn.
    Loop {
        number: usize,
        end: usize,
    },
    /// The end of a turn; the body begins at `body`.
    Turn {
        number: usize,
        body: usize,
        min: u32,
        max: u32,
        lazy: bool,
    },
    Back {
        group: usize,
        case: Case,
    },
    /// What follows up to `Done` must be found here; goes on at `end`.
    Look {
        behind: Option<usize>,
        negated: bool,
        end: usize,
    },
    /// What follows up to `Done`, without going back into it; goes on at `end`.
    Atomic {
        end: usize,
    },
    /// What follows up to `Done`, as often as it goes, without going back into it.
    Possessive {
        min: u32,
        max: u32,
        end: usize,
    },
    /// Goes on at the next instruction if a group was found, else at `no`.
    If {
        group: usize,
        no: usize,
    },
    /// The end of the whole, or of a part that is looked for by itself.
    Done,
}

/// A pattern as instructions.
#[derive(Debug)]
pub(super) struct Trying {
    ops: Vec<Op>,
    sets: Vec<Set>,
    /// What the first character must be of.
    first: Option<Set>,
    groups: usize,
    loops: usize,
    is_anchored: bool,
}

impl Trying {
    /// The instructions of a tree.
    pub(super) fn compile(tree: Tree) -> Self {
        let mut maker = Maker { ops: Vec::new(), loops: 0 };
        maker.node(&tree.root);
        maker.ops.push(Op::Done);
        let is_anchored = matches!(maker.ops.first(), Some(Op::Place(Place::Start)));
        let Tree { sets, groups, first, .. } = tree;
        Self { ops: maker.ops, sets, first, groups, loops: maker.loops, is_anchored }
    }

    /// How many instructions it has.
    pub(super) fn size(&self) -> usize {
        self.ops.len()
    }

    /// Searches a text.
    pub(super) fn find(&self, text: &str) -> Match {
        let letters: Vec<(usize, char)> = text.char_indices().collect();
        let mut search = Search {
            pattern: self,
            text,
            letters,
            slots: vec![NOWHERE; self.groups * 2],
            turns: vec![Turns::NONE; self.loops],
            choices: Vec::new(),
            steps: 0,
        };
        let last = if self.is_anchored { 0 } else { search.letters.len() };
        for start in 0..=last {
            if self.first.as_ref().is_some_and(|first| !search.letter(start).is_some_and(|it| first.contains(it))) {
                continue;
            }
            match search.run(0, start) {
                Ok(Some(_)) => return Match::Yes,
                Ok(None) => {}
                Err(Exhausted) => return Match::GaveUp,
            }
        }
        Match::No
    }
}

/// Too much was tried.
struct Exhausted;

/// Where a loop is.
#[derive(Debug, Clone, Copy)]
struct Turns {
    /// Turns done; the first end of a loop is met before any.
    done: u32,
    started: bool,
    /// Where the last turn that was not owed began.
    last: usize,
}

impl Turns {
    const NONE: Turns = Turns { done: 0, started: false, last: NOWHERE };
}

/// What to do when a way fails: a choice to take, or something to put back on the way to it.
#[derive(Debug, Clone, Copy)]
enum Choice {
    Try {
        at: usize,
        position: usize,
    },
    /// A run that can give a character back, down to `least` positions.
    Shorter {
        at: usize,
        position: usize,
        least: usize,
    },
    /// A run that can take one more character, `left` times.
    Longer {
        set: usize,
        at: usize,
        position: usize,
        left: usize,
    },
    /// A lazy loop that can take another turn.
    Again {
        at: usize,
        position: usize,
    },
    Slot {
        slot: usize,
        position: usize,
    },
    Turns {
        number: usize,
        turns: Turns,
    },
}

struct Search<'a> {
    pattern: &'a Trying,
    text: &'a str,
    letters: Vec<(usize, char)>,
    slots: Vec<usize>,
    turns: Vec<Turns>,
    choices: Vec<Choice>,
    steps: u64,
}

impl Search<'_> {
    fn letter(&self, position: usize) -> Option<char> {
        self.letters.get(position).map(|(_, letter)| *letter)
    }

    fn rest(&self, position: usize) -> &str {
        self.letters.get(position).and_then(|(byte, _)| self.text.get(*byte..)).unwrap_or_default()
    }

    fn takes(&self, set: usize, position: usize) -> bool {
        self.letter(position).is_some_and(|letter| self.pattern.sets.get(set).is_some_and(|set| set.contains(letter)))
    }

    fn push(&mut self, choice: Choice) -> Result<(), Exhausted> {
        if self.choices.len() >= MOST_CHOICES {
            return Err(Exhausted);
        }
        self.choices.push(choice);
        Ok(())
    }

    fn keep(&mut self, slot: usize, position: usize) -> Result<(), Exhausted> {
        if let Some(kept) = self.slots.get_mut(slot) {
            let before = std::mem::replace(kept, position);
            self.push(Choice::Slot { slot, position: before })?;
        }
        Ok(())
    }

    fn turn(&mut self, number: usize, turns: Turns) -> Result<(), Exhausted> {
        if let Some(kept) = self.turns.get_mut(number) {
            let before = std::mem::replace(kept, turns);
            self.push(Choice::Turns { number, turns: before })?;
        }
        Ok(())
    }

    /// Start and end of a group that was found.
    fn group(&self, group: usize) -> Option<(usize, usize)> {
        let slot = (group - 1) * 2;
        let (start, end) = (*self.slots.get(slot)?, *self.slots.get(slot + 1)?);
        (start != NOWHERE && end != NOWHERE && end >= start).then_some((start, end))
    }

    /// Runs from an instruction to `Done`: the position there, or `None` when nothing fits. What was set on the way stays set,
    /// and is put back when the caller goes back.
    fn run(&mut self, mut at: usize, mut position: usize) -> Result<Option<usize>, Exhausted> {
        let base = self.choices.len();
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(Exhausted);
            }
            let pattern = self.pattern;
            let goes_on = match pattern.ops.get(at) {
                None | Some(Op::Done) => {
                    self.forget_choices(base);
                    return Ok(Some(position));
                }
                Some(op) => self.step(op, at, position)?,
            };
            match goes_on {
                Some(next) => (at, position) = next,
                None => match self.go_back(base) {
                    Some(next) => (at, position) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    /// Choices since `base` are taken no more; what is to be put back stays.
    fn forget_choices(&mut self, base: usize) {
        let mut kept = base;
        for i in base..self.choices.len() {
            if let Some(choice @ (Choice::Slot { .. } | Choice::Turns { .. })) = self.choices.get(i).copied()
                && let Some(place) = self.choices.get_mut(kept)
            {
                *place = choice;
                kept += 1;
            }
        }
        self.choices.truncate(kept);
    }

    /// Puts things back up to the last choice, and takes it.
    fn go_back(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.choices.len() > base {
            match self.choices.pop()? {
                Choice::Slot { slot, position } => {
                    if let Some(kept) = self.slots.get_mut(slot) {
                        *kept = position;
                    }
                }
                Choice::Turns { number, turns } => {
                    if let Some(kept) = self.turns.get_mut(number) {
                        *kept = turns;
                    }
                }
                Choice::Try { at, position } => return Some((at, position)),
                Choice::Shorter { at, position, least } => {
                    if position > least {
                        self.choices.push(Choice::Shorter { at, position: position - 1, least });
                    }
                    return Some((at, position));
                }
                Choice::Longer { set, at, position, left } => {
                    if left > 0 && self.takes(set, position) {
                        self.choices.push(Choice::Longer { set, at, position: position + 1, left: left - 1 });
                        return Some((at, position + 1));
                    }
                }
                Choice::Again { at, position } => {
                    if let Some(next) = self.again(at, position) {
                        return Some(next);
                    }
                }
            }
        }
        None
    }

    /// Another turn of a lazy loop whose tail did not fit.
    fn again(&mut self, at: usize, position: usize) -> Option<(usize, usize)> {
        let Some(Op::Turn { number, body, max, .. }) = self.pattern.ops.get(at) else { return None };
        let turns = *self.turns.get(*number)?;
        let done = if turns.started { turns.done.saturating_add(1) } else { 0 };
        if *max != UNLIMITED && done >= *max || position == turns.last {
            return None;
        }
        // room for it was there a moment ago
        self.turn(*number, Turns { done, started: true, last: position }).ok()?;
        Some((*body, position))
    }

    /// One instruction: where to go on, or `None` when it does not fit.
    fn step(&mut self, op: &Op, at: usize, position: usize) -> Result<Option<(usize, usize)>, Exhausted> {
        let next = Some((at + 1, position));
        Ok(match *op {
            Op::Set(set) => self.takes(set, position).then_some((at + 1, position + 1)),
            Op::Place(place) => {
                let before = position.checked_sub(1).and_then(|before| self.letter(before));
                if place.is_at(before, self.rest(position)) { next } else { None }
            }
            Op::Keep(slot) => {
                self.keep(slot, position)?;
                next
            }
            Op::Fork(other) => {
                self.push(Choice::Try { at: other, position })?;
                next
            }
            Op::Goto(to) => Some((to, position)),
            Op::Run { set, min, max, greed } => self.chars(at + 1, position, set, (min, max), greed)?,
            Op::Loop { number, end } => {
                self.turn(number, Turns::NONE)?;
                Some((end, position))
            }
            Op::Turn { number, body, min, max, lazy } => {
                self.end_of_turn(at, position, number, (body, min, max, lazy))?
            }
            Op::Back { group, case } => self.back(group, case, position).map(|end| (at + 1, end)),
            Op::Look { behind, negated, end } => {
                let found = match position.checked_sub(behind.unwrap_or(0)) {
                    Some(start) => self.look(at + 1, start, negated)?,
                    None => false,
                };
                (found != negated).then_some((end, position))
            }
            Op::Atomic { end } => self.run(at + 1, position)?.map(|position| (end, position)),
            Op::Possessive { min, max, end } => {
                self.possessive(at + 1, position, min, max)?.map(|position| (end, position))
            }
            Op::If { group, no } => {
                if self.group(group).is_some() {
                    next
                } else {
                    Some((no, position))
                }
            }
            Op::Done => next,
        })
    }

    /// Whether a part is found; after one that should not be there, everything is as before.
    fn look(&mut self, at: usize, position: usize, negated: bool) -> Result<bool, Exhausted> {
        let base = self.choices.len();
        let found = self.run(at, position)?.is_some();
        if found && negated {
            // no choice is left among them, so this only puts back
            while self.choices.len() > base {
                self.go_back(base);
            }
        }
        Ok(found)
    }

    fn chars(
        &mut self,
        next: usize,
        position: usize,
        set: usize,
        (min, max): (usize, usize),
        greed: Greed,
    ) -> Result<Option<(usize, usize)>, Exhausted> {
        let wanted = if greed == Greed::Lazy { min } else { max };
        let mut end = position;
        while end - position < wanted && self.takes(set, end) {
            end += 1;
        }
        self.steps += (end - position) as u64 / 8;
        let least = position.saturating_add(min);
        if end < least {
            return Ok(None);
        }
        match greed {
            Greed::Lazy if max > min => self.push(Choice::Longer { set, at: next, position: end, left: max - min })?,
            Greed::Greedy if end > least => self.push(Choice::Shorter { at: next, position: end - 1, least })?,
            _ => {}
        }
        Ok(Some((next, end)))
    }

    fn end_of_turn(
        &mut self,
        at: usize,
        position: usize,
        number: usize,
        (body, min, max, lazy): (usize, u32, u32, bool),
    ) -> Result<Option<(usize, usize)>, Exhausted> {
        let Some(turns) = self.turns.get(number).copied() else { return Ok(None) };
        let done = if turns.started { turns.done.saturating_add(1) } else { 0 };
        if done < min {
            self.turn(number, Turns { done, started: true, last: turns.last })?;
            return Ok(Some((body, position)));
        }
        if lazy {
            self.push(Choice::Again { at, position })?;
        } else if (max == UNLIMITED || done < max) && position != turns.last {
            self.push(Choice::Try { at: at + 1, position })?;
            self.turn(number, Turns { done, started: true, last: position })?;
            return Ok(Some((body, position)));
        }
        Ok(Some((at + 1, position)))
    }

    fn back(&mut self, group: usize, case: Case, position: usize) -> Option<usize> {
        let (start, end) = self.group(group)?;
        self.steps += (end - start) as u64 / 8;
        let fold = |letter: char| case.lower(u32::from(letter));
        (start..end)
            .enumerate()
            .all(|(i, of)| {
                let (one, other) = (self.letter(of), self.letter(position + i));
                one.map(fold) == other.map(fold)
            })
            .then_some(position + end - start)
    }

    fn possessive(&mut self, at: usize, start: usize, min: u32, max: u32) -> Result<Option<usize>, Exhausted> {
        let mut position = start;
        let mut done = 0;
        while done < min {
            match self.run(at, position)? {
                Some(end) if end == position => return Ok(Some(position)),
                Some(end) => position = end,
                None => return Ok(None),
            }
            done += 1;
        }
        while max == UNLIMITED || done < max {
            match self.run(at, position)? {
                Some(end) if end > position => position = end,
                _ => break,
            }
            done += 1;
        }
        Ok(Some(position))
    }
}

struct Maker {
    ops: Vec<Op>,
    loops: usize,
}

impl Maker {
    /// An instruction whose target is set by [`Self::land`].
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Lets an instruction lead here.
    fn land(&mut self, from: usize) {
        let here = self.ops.len();
        match self.ops.get_mut(from) {
            Some(
                Op::Fork(to)
                | Op::Goto(to)
                | Op::Loop { end: to, .. }
                | Op::Look { end: to, .. }
                | Op::Atomic { end: to }
                | Op::Possessive { end: to, .. }
                | Op::If { no: to, .. },
            ) => *to = here,
            _ => {}
        }
    }

    /// An instruction, a part up to its `Done`, and on from behind it.
    fn apart(&mut self, op: Op, body: &Node) {
        let from = self.push(op);
        self.node(body);
        self.ops.push(Op::Done);
        self.land(from);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Set(number) => self.ops.push(Op::Set(*number)),
            Node::Place(place) => self.ops.push(Op::Place(*place)),
            Node::All(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Any(nodes) => {
                let Some((last, others)) = nodes.split_last() else { return };
                let mut ends = Vec::new();
                for node in others {
                    let fork = self.push(Op::Fork(0));
                    self.node(node);
                    ends.push(self.push(Op::Goto(0)));
                    self.land(fork);
                }
                self.node(last);
                ends.into_iter().for_each(|end| self.land(end));
            }
            Node::Group(index, body) => {
                let slot = (index - 1) * 2;
                self.ops.push(Op::Keep(slot));
                self.node(body);
                self.ops.push(Op::Keep(slot + 1));
            }
            Node::Atomic(body) => self.apart(Op::Atomic { end: 0 }, body),
            Node::Repeat { min, max, greed, body } => self.repeat(*min, *max, *greed, body),
            Node::Look { behind, negated, body } => {
                self.apart(Op::Look { behind: *behind, negated: *negated, end: 0 }, body);
            }
            Node::Back { group, case } => self.ops.push(Op::Back { group: *group, case: *case }),
            Node::Conditional { group, yes, no } => {
                let start = self.push(Op::If { group: *group, no: 0 });
                self.node(yes);
                let end = self.push(Op::Goto(0));
                self.land(start);
                self.node(no);
                self.land(end);
            }
        }
    }

    fn repeat(&mut self, min: u32, max: u32, greed: Greed, body: &Node) {
        if let Node::Set(set) = body {
            let most = if max == UNLIMITED { usize::MAX } else { max as usize };
            self.ops.push(Op::Run { set: *set, min: min as usize, max: most, greed });
        } else if greed == Greed::Possessive {
            self.apart(Op::Possessive { min, max, end: 0 }, body);
        } else {
            let number = self.loops;
            self.loops += 1;
            let start = self.push(Op::Loop { number, end: 0 });
            self.node(body);
            self.land(start);
            self.ops.push(Op::Turn { number, body: start + 1, min, max, lazy: greed == Greed::Lazy });
        }
    }
}
