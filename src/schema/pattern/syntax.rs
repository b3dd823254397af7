//! The tree of a parsed pattern, and how much text a part of it can take.

/// One of the global and scoped flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flags(u8);

impl Flags {
    pub(super) const NONE: Flags = Flags(0);
    pub(super) const IGNORE_CASE: Flags = Flags(1);
    pub(super) const MULTI_LINE: Flags = Flags(2);
    pub(super) const DOT_ALL: Flags = Flags(4);
    pub(super) const VERBOSE: Flags = Flags(8);
    pub(super) const ASCII: Flags = Flags(16);
    pub(super) const UNICODE: Flags = Flags(32);
    pub(super) const TEMPLATE: Flags = Flags(64);
    /// Flags that say what a letter is; of them only one may be on.
    pub(super) const TYPES: Flags = Flags(16 | 32);

    pub(super) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
    pub(super) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
    pub(super) fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
    /// The flags inside a group that turns some on and some off.
    pub(super) fn scoped(self, on: Flags, off: Flags) -> Flags {
        let base = if on.has(Flags::TYPES) { self.without(Flags::TYPES) } else { self };
        base.with(on).without(off)
    }
}

/// `\d`, `\s`, `\w` and their opposites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Category {
    pub(super) kind: CategoryKind,
    pub(super) negated: bool,
}

/// Which characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CategoryKind {
    Digit,
    Space,
    Word,
}

/// A member of a character set; characters are code points, surrogates among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Char(u32),
    Range(u32, u32),
    Category(Category),
}

/// A place between characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `\A`
    Start,
    /// `\Z`
    End,
    /// `\b`
    Boundary,
    /// `\B`
    NoBoundary,
}

/// How a repeat takes its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// Unlimited repeats; also the first count that is too large to write.
pub(super) const UNLIMITED: u32 = u32::MAX;

/// One item of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Char(u32),
    NotChar(u32),
    Set { negated: bool, members: Vec<Member> },
    Dot,
    At(At),
    Branch(Vec<Sequence>),
    Group { index: Option<u32>, on: Flags, off: Flags, body: Sequence },
    Atomic(Sequence),
    Repeat { min: u32, max: u32, greed: Greed, body: Sequence },
    Look { behind: bool, negated: bool, body: Sequence },
    Back(u32),
    Conditional { group: u32, yes: Sequence, no: Option<Sequence> },
}

/// Items one after another.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sequence {
    pub(super) items: Vec<Item>,
    pub(super) width: Width,
}

/// The fewest and the most characters a part can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Width {
    pub(super) least: u128,
    pub(super) most: u128,
}

impl Width {
    /// Beyond every width that can be written.
    const ENDLESS: u128 = 1 << 64;
    const ONE: Width = Width { least: 1, most: 1 };

    fn or(self, other: Width) -> Width {
        Width { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

impl Sequence {
    /// A sequence with its width; `groups` holds the widths of the groups closed so far, by index.
    pub(super) fn new(items: Vec<Item>, groups: &[Option<Width>]) -> Self {
        let mut width = Width::default();
        for item in &items {
            let (least, most) = match item_width(item, groups) {
                (one, false) => (one.least, width.most.saturating_add(one.most)),
                (one, true) => (one.least, Width::ENDLESS),
            };
            width = Width { least: width.least.saturating_add(least), most };
        }
        let width = Width { least: width.least.min(Width::ENDLESS), most: width.most.min(Width::ENDLESS) };
        Self { items, width }
    }
}

/// An item's width, and whether it alone has no end.
fn item_width(item: &Item, groups: &[Option<Width>]) -> (Width, bool) {
    let width = match item {
        Item::Char(_) | Item::NotChar(_) | Item::Set { .. } | Item::Dot => Width::ONE,
        Item::At(_) | Item::Look { .. } => Width::default(),
        Item::Branch(branches) => branches.iter().map(|branch| branch.width).reduce(Width::or).unwrap_or_default(),
        Item::Group { body, .. } | Item::Atomic(body) => body.width,
        Item::Repeat { min, max, body, .. } => {
            let least = body.width.least.saturating_mul(u128::from(*min));
            if *max == UNLIMITED && body.width.most > 0 {
                return (Width { least, most: Width::ENDLESS }, true);
            }
            Width { least, most: body.width.most.saturating_mul(u128::from(*max)) }
        }
        Item::Back(group) => groups.get(*group as usize).copied().flatten().unwrap_or_default(),
        Item::Conditional { yes, no, .. } => match no {
            Some(no) => yes.width.or(no.width),
            None => Width { least: 0, most: yes.width.most },
        },
    };
    (width, false)
}
