//! The instructions of a pattern that is searched by trying.

use super::sets::Case;
use super::syntax::{Greed, UNLIMITED};
use super::tree::{Node, Place};

/// One instruction. `inside` says whether it stands inside a repeat of more than a run of characters.
#[derive(Debug)]
pub(super) enum Op {
    Set(usize),
    Place(Place),
    /// Keeps the position in a slot.
    Keep(usize),
    /// Goes on at the next instruction, then at `to`.
    Fork {
        to: usize,
        inside: bool,
    },
    /// Goes on at the next instruction, the last of several ways.
    LastFork {
        inside: bool,
    },
    Goto(usize),
    /// Characters of one set, `min` to `max` of them.
    Run {
        set: usize,
        min: usize,
        max: usize,
        greed: Greed,
        inside: bool,
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
        inside: bool,
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
        inside: bool,
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

/// The instructions of a tree, and how many loops they have.
pub(super) fn compile(root: &Node) -> (Vec<Op>, usize) {
    let mut maker = Maker { ops: Vec::new(), loops: 0, inside: false };
    maker.node(root);
    maker.ops.push(Op::Done);
    (maker.ops, maker.loops)
}

struct Maker {
    ops: Vec<Op>,
    loops: usize,
    /// Whether what is made stands inside a repeat of more than a run of characters.
    inside: bool,
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
        if let Some(
            Op::Fork { to, .. }
            | Op::Goto(to)
            | Op::Loop { end: to, .. }
            | Op::Look { end: to, .. }
            | Op::Atomic { end: to }
            | Op::Possessive { end: to, .. }
            | Op::If { no: to, .. },
        ) = self.ops.get_mut(from)
        {
            *to = here;
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
                    let fork = self.push(Op::Fork { to: 0, inside: self.inside });
                    self.node(node);
                    ends.push(self.push(Op::Goto(0)));
                    self.land(fork);
                }
                self.ops.push(Op::LastFork { inside: self.inside });
                self.node(last);
                for end in ends {
                    self.land(end);
                }
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
                self.apart(Op::Look { behind: *behind, negated: *negated, end: 0, inside: self.inside }, body);
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
            self.ops.push(Op::Run { set: *set, min: min as usize, max: most, greed, inside: self.inside });
        } else if greed == Greed::Possessive {
            self.apart(Op::Possessive { min, max, end: 0 }, body);
        } else {
            let number = self.loops;
            self.loops += 1;
            let start = self.push(Op::Loop { number, end: 0 });
            let inside = std::mem::replace(&mut self.inside, true);
            self.node(body);
            self.inside = inside;
            self.land(start);
            self.ops.push(Op::Turn { number, body: start + 1, min, max, lazy: greed == Greed::Lazy, inside });
        }
    }
}
