//! A parsed pattern with its flags worked in: what both matchers are made from.

use super::is_word;
use super::parse::Parsed;
use super::sets::{Case, Set};
use super::syntax::{At, Flags, Greed, Item, Member, Sequence};
use std::collections::HashMap;

/// A place between characters, with everything that the flags say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    LineStart,
    End,
    /// The end, or before a final newline.
    LastEnd,
    LineEnd,
    Boundary {
        ascii: bool,
        wanted: bool,
    },
}

impl Place {
    /// Whether a place is one: the character before it, and the text from it on.
    pub(super) fn is_at(self, before: Option<char>, rest: &str) -> bool {
        match self {
            Place::Start => before.is_none(),
            Place::LineStart => matches!(before, None | Some('\n')),
            Place::End => rest.is_empty(),
            Place::LastEnd => matches!(rest, "" | "\n"),
            Place::LineEnd => rest.is_empty() || rest.starts_with('\n'),
            Place::Boundary { ascii, wanted } => {
                let after = rest.chars().next();
                // nothing is a boundary, and nothing is none, in an empty text
                (before.is_some() || after.is_some())
                    && wanted
                        == (before.is_some_and(|letter| is_word(letter, ascii))
                            != after.is_some_and(|letter| is_word(letter, ascii)))
            }
        }
    }
}

/// A part of the pattern.
#[derive(Debug)]
pub(super) enum Node {
    /// One character of a set, by its number.
    Set(usize),
    Place(Place),
    All(Vec<Node>),
    Any(Vec<Node>),
    Group(usize, Box<Node>),
    Atomic(Box<Node>),
    Repeat {
        min: u32,
        max: u32,
        greed: Greed,
        body: Box<Node>,
    },
    Look {
        behind: Option<usize>,
        negated: bool,
        body: Box<Node>,
    },
    Back {
        group: usize,
        case: Case,
    },
    Conditional {
        group: usize,
        yes: Box<Node>,
        no: Box<Node>,
    },
}

/// The whole pattern.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Node,
    pub(super) sets: Vec<Set>,
    pub(super) groups: usize,
    /// What the first character must be of, where Python looks for that before it tries anything.
    pub(super) first: Option<Set>,
    /// The fewest characters it takes by Python's reckoning.
    pub(super) least: usize,
    /// Whether Python looks for its first character by itself; where it does not, it begins nowhere near the end.
    pub(super) is_led: bool,
    /// Whether it is a regular expression in the strict sense.
    pub(super) is_regular: bool,
}

impl Tree {
    pub(super) fn of(parsed: &Parsed) -> Self {
        let mut maker = Maker { sets: Vec::new(), numbers: HashMap::new(), is_regular: true };
        let root = maker.sequence(&parsed.body, parsed.flags);
        let first = first_set(&parsed.body, parsed.flags);
        Self {
            root,
            sets: maker.sets,
            groups: parsed.groups,
            least: usize::try_from(parsed.body.width.least).unwrap_or(usize::MAX).min(u32::MAX as usize),
            is_led: parsed.body.width.least > 0 && (first.is_some() || is_led(&parsed.body, parsed.flags)),
            first,
            is_regular: maker.is_regular,
        }
    }
}

/// The set a pattern begins with. Python skips all places where its first character is not of that set, and there it
/// reads the set by the global flags, whatever a group around it says: `(?a:\W)` does not find an `é`.
fn first_set(body: &Sequence, flags: Flags) -> Option<Set> {
    if body.width.least == 0 {
        return None;
    }
    let mut inner = flags;
    let mut item = body.items.first()?;
    while let Item::Group { on, off, body, .. } = item {
        inner = inner.scoped(*on, *off);
        item = body.items.first()?;
    }
    match item {
        Item::Set { negated, members } if !Case::of(inner).touches(members) => {
            Some(Set::members(members, *negated, flags.without(Flags::IGNORE_CASE)))
        }
        _ => None,
    }
}

/// Whether a pattern begins with a character, or with alternatives that each do, whatever its case.
fn is_led(body: &Sequence, flags: Flags) -> bool {
    if begins_plainly(body, flags) == Some(true) {
        return true;
    }
    let mut inner = flags;
    let mut item = body.items.first();
    while let Some(Item::Group { on, off, body, .. }) = item {
        inner = inner.scoped(*on, *off);
        item = body.items.first();
    }
    let Some(Item::Branch(branches)) = item else { return false };
    branches.iter().all(|branch| matches!(branch.items.first(), Some(item) if is_plain_char(item, inner)))
}

/// Whether the first item that is not an empty group is a plain character; `None` when all are empty groups.
fn begins_plainly(body: &Sequence, flags: Flags) -> Option<bool> {
    body.items.iter().find_map(|item| match item {
        Item::Group { on, off, body, .. } => begins_plainly(body, flags.scoped(*on, *off)),
        item => Some(is_plain_char(item, flags)),
    })
}

fn is_plain_char(item: &Item, flags: Flags) -> bool {
    matches!(item, Item::Char(code) if !Case::of(flags).touches(&[Member::Char(*code)]))
}

struct Maker {
    sets: Vec<Set>,
    numbers: HashMap<Set, usize>,
    is_regular: bool,
}

impl Maker {
    fn set(&mut self, set: Set) -> Node {
        if let Some(number) = self.numbers.get(&set) {
            return Node::Set(*number);
        }
        let number = self.sets.len();
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        Node::Set(number)
    }

    fn sequence(&mut self, sequence: &Sequence, flags: Flags) -> Node {
        match &sequence.items[..] {
            [only] => self.item(only, flags),
            items => Node::All(items.iter().map(|item| self.item(item, flags)).collect()),
        }
    }

    fn boxed(&mut self, sequence: &Sequence, flags: Flags) -> Box<Node> {
        Box::new(self.sequence(sequence, flags))
    }

    fn item(&mut self, item: &Item, flags: Flags) -> Node {
        match item {
            Item::Char(code) => self.set(Set::char(*code, false, flags)),
            Item::NotChar(code) => self.set(Set::char(*code, true, flags)),
            Item::Set { negated, members } => self.set(Set::members(members, *negated, flags)),
            Item::Dot => self.set(Set::dot(flags)),
            Item::At(at) => Node::Place(place(*at, flags)),
            Item::Branch(branches) => Node::Any(branches.iter().map(|branch| self.sequence(branch, flags)).collect()),
            Item::Group { index: Some(index), body, .. } => Node::Group(*index as usize, self.boxed(body, flags)),
            Item::Group { index: None, on, off, body } => self.sequence(body, flags.scoped(*on, *off)),
            Item::Atomic(body) => {
                self.is_regular = false;
                Node::Atomic(self.boxed(body, flags))
            }
            Item::Repeat { min, max, greed, body } => {
                self.is_regular &= *greed != Greed::Possessive;
                Node::Repeat { min: *min, max: *max, greed: *greed, body: self.boxed(body, flags) }
            }
            Item::Look { behind, negated, body } => {
                self.is_regular = false;
                let behind = behind.then_some(usize::try_from(body.width.least).unwrap_or(usize::MAX));
                Node::Look { behind, negated: *negated, body: self.boxed(body, flags) }
            }
            Item::Back(group) => {
                self.is_regular = false;
                Node::Back { group: *group as usize, case: Case::of(flags) }
            }
            Item::Conditional { group, yes, no } => {
                self.is_regular = false;
                let no = no.as_ref().map_or(Node::All(Vec::new()), |no| self.sequence(no, flags));
                Node::Conditional { group: *group as usize, yes: self.boxed(yes, flags), no: Box::new(no) }
            }
        }
    }
}

fn place(at: At, flags: Flags) -> Place {
    let ascii = flags.has(Flags::ASCII);
    match (at, flags.has(Flags::MULTI_LINE)) {
        (At::LineStart, true) => Place::LineStart,
        (At::LineStart, false) | (At::Start, _) => Place::Start,
        (At::LineEnd, true) => Place::LineEnd,
        (At::LineEnd, false) => Place::LastEnd,
        (At::End, _) => Place::End,
        (At::Boundary, _) => Place::Boundary { ascii, wanted: true },
        (At::NoBoundary, _) => Place::Boundary { ascii, wanted: false },
    }
}
