//! Searching by trying: one way at a time, going back to the last choice when it fails. This is how Python searches, and
//! back references, conditions, look-around and atomic groups mean what the way taken makes of them.

use super::Match;
use super::marks::{Marks, NOWHERE};
use super::ops::{self, Op};
use super::sets::{Case, Set};
use super::syntax::{Greed, UNLIMITED};
use super::tree::{Place, Tree};

/// How many steps one search may take.
const MOST_STEPS: u64 = 2_000_000;
/// How many choices may be open at once.
const MOST_CHOICES: usize = 1 << 20;
/// How many marks may be saved with them.
const MOST_SAVED: usize = 1 << 22;

/// A pattern as instructions.
#[derive(Debug)]
pub(super) struct Trying {
    ops: Vec<Op>,
    sets: Vec<Set>,
    /// What the first character must be of.
    first: Option<Set>,
    least: usize,
    is_led: bool,
    groups: usize,
    loops: usize,
    is_anchored: bool,
}

impl Trying {
    /// The instructions of a tree.
    pub(super) fn compile(tree: Tree) -> Self {
        let (ops, loops) = ops::compile(&tree.root);
        let is_anchored = matches!(ops.first(), Some(Op::Place(Place::Start)));
        let Tree { sets, groups, first, least, is_led, .. } = tree;
        Self { ops, sets, first, least, is_led, groups, loops, is_anchored }
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
            marks: Marks::new(self.groups),
            saved: Vec::new(),
            turns: vec![Turns::NONE; self.loops],
            choices: Vec::new(),
            steps: 0,
        };
        let length = search.letters.len();
        if length < self.least {
            return Match::No;
        }
        let last = match (self.is_anchored, self.is_led) {
            (true, _) => 0,
            (false, true) => length,
            (false, false) => length - self.least.saturating_sub(1),
        };
        for start in 0..=last {
            if self.first.as_ref().is_some_and(|first| !search.letter(start).is_some_and(|it| first.contains(it))) {
                continue;
            }
            search.marks.valid = 0;
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

/// What to go back to when a way fails.
#[derive(Debug, Clone, Copy)]
struct Choice {
    action: Action,
    /// How many marks counted.
    valid: usize,
    /// Whether the marks themselves lie on the stack of the saved.
    full: bool,
}

/// What to do then.
#[derive(Debug, Clone, Copy)]
enum Action {
    /// Nothing is left: only the groups are put back.
    Fail,
    Try {
        at: usize,
        position: usize,
    },
    /// A run that can give characters back, one by one; the next try is at `position`, and there are `left` of them.
    Shorter {
        at: usize,
        position: usize,
        left: usize,
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
    /// A loop is where it was; this is not a choice.
    Turns {
        number: usize,
        turns: Turns,
    },
}

struct Search<'a> {
    pattern: &'a Trying,
    text: &'a str,
    letters: Vec<(usize, char)>,
    marks: Marks,
    /// Marks of the choices, in the order of the choices.
    saved: Vec<usize>,
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

    /// Leaves a choice; `full` saves the marks with it.
    fn push(&mut self, action: Action, full: bool) -> Result<(), Exhausted> {
        if self.choices.len() >= MOST_CHOICES || self.saved.len() >= MOST_SAVED {
            return Err(Exhausted);
        }
        if full {
            self.saved.extend_from_slice(self.marks.all());
        }
        self.choices.push(Choice { action, valid: self.marks.valid, full });
        Ok(())
    }

    fn turn(&mut self, number: usize, turns: Turns) -> Result<(), Exhausted> {
        if let Some(kept) = self.turns.get_mut(number) {
            let before = std::mem::replace(kept, turns);
            self.push(Action::Turns { number, turns: before }, false)?;
        }
        Ok(())
    }

    /// Runs from an instruction to `Done`: the position there, or `None` when nothing fits. What was set on the way stays set,
    /// and is put back when the caller goes back.
    fn run(&mut self, mut at: usize, mut position: usize) -> Result<Option<usize>, Exhausted> {
        let (base, saved) = (self.choices.len(), self.saved.len());
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(Exhausted);
            }
            let pattern = self.pattern;
            let goes_on = match pattern.ops.get(at) {
                None | Some(Op::Done) => {
                    self.forget_choices(base, saved);
                    return Ok(Some(position));
                }
                Some(op) => self.step(op, at, position)?,
            };
            match goes_on {
                Some(next) => (at, position) = next,
                None => match self.go_back(base)? {
                    Some(next) => (at, position) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    /// Choices since `base` are taken no more; where loops were is still put back.
    fn forget_choices(&mut self, base: usize, saved: usize) {
        let mut kept = base;
        for i in base..self.choices.len() {
            if let Some(choice) = self.choices.get(i).copied()
                && matches!(choice.action, Action::Turns { .. })
                && let Some(place) = self.choices.get_mut(kept)
            {
                *place = choice;
                kept += 1;
            }
        }
        self.choices.truncate(kept);
        self.saved.truncate(saved);
    }

    /// Goes back to the last choice, and takes it.
    fn go_back(&mut self, base: usize) -> Result<Option<(usize, usize)>, Exhausted> {
        while self.choices.len() > base {
            let Some(Choice { action, valid, full }) = self.choices.pop() else { break };
            if let Action::Turns { number, turns } = action {
                if let Some(kept) = self.turns.get_mut(number) {
                    *kept = turns;
                }
                continue;
            }
            let from = self.saved.len() - if full { valid } else { 0 };
            self.marks.restore(valid, self.saved.get(from..).filter(|_| full).unwrap_or_default());
            self.saved.truncate(from);
            let next = match action {
                Action::Fail | Action::Turns { .. } => None,
                Action::Try { at, position } => Some((at, position)),
                Action::Shorter { left: 0, .. } => None,
                Action::Shorter { at, position, left } => {
                    self.push(Action::Shorter { at, position: position.wrapping_sub(1), left: left - 1 }, full)?;
                    Some((at, position))
                }
                Action::Longer { set, at, position, left } => {
                    if left > 0 && self.takes(set, position) {
                        self.push(Action::Longer { set, at, position: position + 1, left: left - 1 }, full)?;
                        Some((at, position + 1))
                    } else {
                        None
                    }
                }
                Action::Again { at, position } => self.again(at, position)?,
            };
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    /// Another turn of a lazy loop whose tail did not fit.
    fn again(&mut self, at: usize, position: usize) -> Result<Option<(usize, usize)>, Exhausted> {
        let Some(Op::Turn { number, body, max, .. }) = self.pattern.ops.get(at) else { return Ok(None) };
        let Some(turns) = self.turns.get(*number).copied() else { return Ok(None) };
        let done = if turns.started { turns.done.saturating_add(1) } else { 0 };
        if *max != UNLIMITED && done >= *max || position == turns.last {
            return Ok(None);
        }
        self.turn(*number, Turns { done, started: true, last: position })?;
        Ok(Some((*body, position)))
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
                self.marks.keep(slot, position);
                next
            }
            Op::Fork { to, inside } => {
                self.push(Action::Try { at: to, position }, inside)?;
                next
            }
            Op::LastFork { inside } => {
                self.push(Action::Fail, inside)?;
                next
            }
            Op::Goto(to) => Some((to, position)),
            Op::Run { set, min, max, greed, inside } => {
                self.chars((at + 1, position), set, (min, max), greed, inside)?
            }
            Op::Loop { number, end } => {
                self.turn(number, Turns::NONE)?;
                Some((end, position))
            }
            Op::Turn { number, body, min, max, lazy, inside } => {
                let Some(turns) = self.turns.get(number).copied() else { return Ok(None) };
                let done = if turns.started { turns.done.saturating_add(1) } else { 0 };
                if done < min {
                    self.turn(number, Turns { done, started: true, last: turns.last })?;
                    return Ok(Some((body, position)));
                }
                if lazy {
                    self.push(Action::Again { at, position }, inside)?;
                } else if (max == UNLIMITED || done < max) && position != turns.last {
                    self.push(Action::Try { at: at + 1, position }, true)?;
                    self.turn(number, Turns { done, started: true, last: position })?;
                    return Ok(Some((body, position)));
                }
                next
            }
            Op::Back { group, case } => self.back(group, case, position).map(|end| (at + 1, end)),
            Op::Look { behind, negated, end, inside } => {
                let found = match position.checked_sub(behind.unwrap_or(0)) {
                    Some(start) if negated => self.attempt(at + 1, start, inside)?.is_some(),
                    Some(start) => self.run(at + 1, start)?.is_some(),
                    None => false,
                };
                (found != negated).then_some((end, position))
            }
            Op::Atomic { end } => self.run(at + 1, position)?.map(|position| (end, position)),
            Op::Possessive { min, max, end } => {
                self.possessive(at + 1, position, min, max)?.map(|position| (end, position))
            }
            Op::If { group, no } => {
                if self.marks.group(group).is_some() {
                    next
                } else {
                    Some((no, position))
                }
            }
            Op::Done => next,
        })
    }

    /// Runs a part, and puts the groups back if it does not fit.
    fn attempt(&mut self, at: usize, position: usize, full: bool) -> Result<Option<usize>, Exhausted> {
        let valid = self.marks.valid;
        let values = if full { self.marks.all().to_vec() } else { Vec::new() };
        let found = self.run(at, position)?;
        if found.is_none() {
            self.marks.restore(valid, &values);
        }
        Ok(found)
    }

    /// Characters of one set.
    fn chars(
        &mut self,
        (next, position): (usize, usize),
        set: usize,
        (min, max): (usize, usize),
        greed: Greed,
        inside: bool,
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
            Greed::Lazy => self.push(Action::Longer { set, at: next, position: end, left: max - min }, inside)?,
            Greed::Greedy => {
                self.push(Action::Shorter { at: next, position: end.wrapping_sub(1), left: end - least }, inside)?;
            }
            Greed::Possessive => {}
        }
        Ok(Some((next, end)))
    }

    fn back(&mut self, group: usize, case: Case, position: usize) -> Option<usize> {
        let (start, end) = self.marks.group(group)?;
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
        for _ in 0..min {
            match self.run(at, position)? {
                Some(end) => position = end,
                None => return Ok(None),
            }
        }
        let mut done = min;
        while max == UNLIMITED || done < max {
            match self.attempt(at, position, true)? {
                Some(end) if end != position => position = end,
                _ => break,
            }
            done += 1;
        }
        Ok(Some(position))
    }
}
