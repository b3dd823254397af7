//! Searching a regular pattern: all ways at once, one character after another.

use super::Match;
use super::sets::Set;
use super::syntax::UNLIMITED;
use super::tree::{Node, Place, Tree};

/// A pattern that counts so far that it would need more steps than these is searched by trying instead.
const MOST_STEPS: usize = 100_000;
/// How much one search may do, in steps taken.
const MOST_WORK: u64 = 20_000_000;

/// One step of a way through the pattern.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Takes one character of a set and goes on to the next step.
    Set(u32),
    /// Goes on at a place.
    Place(Place),
    /// Goes on in two ways.
    Fork(u32, u32),
    Goto(u32),
    Found,
}

/// A regular pattern as steps.
#[derive(Debug)]
pub(super) struct Linear {
    steps: Vec<Step>,
    sets: Vec<Set>,
    /// What the first character must be of.
    first: Option<Set>,
    /// Whether it can only be found at the start.
    is_anchored: bool,
}

impl Linear {
    /// The steps of a tree; `None` when they are too many.
    pub(super) fn compile(tree: &Tree) -> Option<Self> {
        let mut maker = Maker { steps: Vec::new() };
        maker.node(&tree.root)?;
        maker.push(Step::Found)?;
        let is_anchored = matches!(maker.steps.first(), Some(Step::Place(Place::Start)));
        Some(Self { steps: maker.steps, sets: tree.sets.clone(), first: tree.first.clone(), is_anchored })
    }

    /// How many steps it has.
    pub(super) fn size(&self) -> usize {
        self.steps.len()
    }

    /// Searches a text.
    pub(super) fn find(&self, text: &str) -> Match {
        let mut now = Ways::new(self.steps.len());
        let mut next = Ways::new(self.steps.len());
        let mut work = 0_u64;
        let mut before = None;
        let mut letters = text.chars();
        loop {
            let rest = letters.as_str();
            if self.may_begin(before, rest) && self.enter(0, before, rest, &mut now) {
                return Match::Yes;
            }
            let Some(letter) = letters.next() else { return Match::No };
            if self.is_anchored && now.active.is_empty() {
                return Match::No;
            }
            let rest = letters.as_str();
            for at in &now.active {
                if let Some(Step::Set(set)) = self.steps.get(*at as usize)
                    && self.sets.get(*set as usize).is_some_and(|set| set.contains(letter))
                    && self.enter(at + 1, Some(letter), rest, &mut next)
                {
                    return Match::Yes;
                }
            }
            work += 1 + now.seen_count + next.seen_count;
            if work > MOST_WORK {
                return Match::GaveUp;
            }
            std::mem::swap(&mut now, &mut next);
            next.clear();
            before = Some(letter);
        }
    }

    fn may_begin(&self, before: Option<char>, rest: &str) -> bool {
        let fits = |first: &Set| rest.chars().next().is_some_and(|letter| first.contains(letter));
        (!self.is_anchored || before.is_none()) && self.first.as_ref().is_none_or(fits)
    }

    /// Goes on from a step to all that take a character; true when the end is found on the way.
    fn enter(&self, from: u32, before: Option<char>, rest: &str, ways: &mut Ways) -> bool {
        ways.open.push(from);
        while let Some(at) = ways.open.pop() {
            if !ways.see(at) {
                continue;
            }
            match self.steps.get(at as usize) {
                Some(Step::Set(_)) => ways.active.push(at),
                Some(Step::Place(place)) if place.is_at(before, rest) => ways.open.push(at + 1),
                Some(Step::Fork(a, b)) => ways.open.extend([*b, *a]),
                Some(Step::Goto(to)) => ways.open.push(*to),
                Some(Step::Found) => return true,
                Some(Step::Place(_)) | None => {}
            }
        }
        false
    }
}

/// The ways open at one place of the text.
struct Ways {
    /// Steps that wait for a character.
    active: Vec<u32>,
    /// Steps still to be gone on from.
    open: Vec<u32>,
    /// The round in which a step was last seen.
    seen: Vec<u32>,
    round: u32,
    seen_count: u64,
}

impl Ways {
    fn new(steps: usize) -> Self {
        Self { active: Vec::new(), open: Vec::new(), seen: vec![0; steps], round: 1, seen_count: 0 }
    }

    /// Whether a step is new in this round.
    fn see(&mut self, at: u32) -> bool {
        let round = self.round;
        match self.seen.get_mut(at as usize) {
            Some(seen) if *seen != round => {
                *seen = round;
                self.seen_count += 1;
                true
            }
            _ => false,
        }
    }

    fn clear(&mut self) {
        self.active.clear();
        self.open.clear();
        self.seen_count = 0;
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }
}

struct Maker {
    steps: Vec<Step>,
}

impl Maker {
    fn push(&mut self, step: Step) -> Option<()> {
        if self.steps.len() >= MOST_STEPS {
            return None;
        }
        self.steps.push(step);
        Some(())
    }

    fn here(&self) -> u32 {
        self.steps.len() as u32
    }

    /// A fork whose second way is set later.
    fn fork(&mut self) -> Option<usize> {
        let at = self.steps.len();
        self.push(Step::Fork(at as u32 + 1, 0))?;
        Some(at)
    }

    /// Lets the second way of a fork, or a goto, lead here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        match self.steps.get_mut(at) {
            Some(Step::Fork(_, second)) => *second = here,
            Some(Step::Goto(to)) => *to = here,
            _ => {}
        }
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Set(number) => self.push(Step::Set(*number as u32)),
            Node::Place(place) => self.push(Step::Place(*place)),
            Node::All(nodes) => nodes.iter().try_for_each(|node| self.node(node)),
            Node::Any(nodes) => self.any(nodes),
            Node::Group(_, body) => self.node(body),
            Node::Repeat { min, max, body, .. } => self.repeat(*min, *max, body),
            // these are not regular
            Node::Atomic(_) | Node::Look { .. } | Node::Back { .. } | Node::Conditional { .. } => None,
        }
    }

    fn any(&mut self, nodes: &[Node]) -> Option<()> {
        let mut ends = Vec::new();
        let Some((last, others)) = nodes.split_last() else { return Some(()) };
        for node in others {
            let fork = self.fork()?;
            self.node(node)?;
            ends.push(self.steps.len());
            self.push(Step::Goto(0))?;
            self.land(fork);
        }
        self.node(last)?;
        for end in ends {
            self.land(end);
        }
        Some(())
    }

    fn repeat(&mut self, min: u32, max: u32, body: &Node) -> Option<()> {
        let before = self.steps.len();
        for done in 0..min {
            let start = self.steps.len();
            self.node(body)?;
            if self.steps.len() == start {
                // an empty body adds nothing however often it is repeated
                return Some(());
            }
            if done == 0 && (self.steps.len() - before).saturating_mul(min as usize) > MOST_STEPS {
                return None;
            }
        }
        if max == UNLIMITED {
            let start = self.here();
            let fork = self.fork()?;
            self.node(body)?;
            self.push(Step::Goto(start))?;
            self.land(fork);
            return Some(());
        }
        let mut forks = Vec::new();
        for _ in min..max {
            forks.push(self.fork()?);
            let start = self.steps.len();
            self.node(body)?;
            if self.steps.len() == start {
                break;
            }
        }
        for fork in forks {
            self.land(fork);
        }
        Some(())
    }
}
