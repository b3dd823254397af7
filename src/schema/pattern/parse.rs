//! The grammar of Python 3.11's `re`: what it refuses is refused here, and what it takes becomes a tree.
//!
//! Where Python rewrites a pattern before it compiles it (common beginnings of alternatives drawn out, single characters as
//! alternatives made a set, one-character sets made a character) the same is done here, for it shows when case is ignored.

use super::escape;
use super::identifiers::{GOING_ON, START};
use super::syntax::{At, Flags, Greed, Item, Member, Sequence, UNLIMITED, Width};
use super::tokens::{Token, Tokens};
use super::{holds, python_integer};
use std::collections::HashMap;

/// How many calls of its two parsing functions Python can nest before its stack ends: 495 groups in one another.
const DEEPEST: u32 = 992;
/// Python's `MAXGROUPS`.
const MOST_GROUPS: usize = 1_073_741_823;
/// Widths beyond it are too wide to look behind.
const WIDEST_BEHIND: u128 = u32::MAX as u128;

/// A pattern that compiles.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) body: Sequence,
    /// The global flags, with one of `ASCII` and `UNICODE`.
    pub(super) flags: Flags,
    /// How many groups capture.
    pub(super) groups: usize,
}

/// Parses a pattern; `None` when Python does not compile it.
pub(super) fn parse(source: &str) -> Option<Parsed> {
    let mut parser = Parser {
        tokens: Tokens::new(source)?,
        flags: Flags::NONE,
        names: HashMap::new(),
        widths: vec![None],
        behind: None,
        asked: 0,
        repeats: false,
        depth: 0,
    };
    let body = parser.alternatives(false, true)?;
    // a closing parenthesis that nothing opened
    if parser.tokens.peek().is_some() || parser.asked >= parser.widths.len() {
        return None;
    }
    let mut flags = parser.flags;
    if flags.has(Flags::ASCII) && flags.has(Flags::UNICODE) || flags.has(Flags::TEMPLATE) && parser.repeats {
        return None;
    }
    if !flags.has(Flags::ASCII) {
        flags = flags.with(Flags::UNICODE);
    }
    Some(Parsed { body, flags, groups: parser.widths.len() - 1 })
}

pub(super) struct Parser<'a> {
    pub(super) tokens: Tokens<'a>,
    flags: Flags,
    names: HashMap<String, usize>,
    /// By group index, once it is closed; the whole pattern stands at 0 and never closes.
    widths: Vec<Option<Width>>,
    /// Inside a look-behind, how many groups were open or closed when it began.
    behind: Option<usize>,
    /// The highest group number a conditional asks about.
    asked: usize,
    repeats: bool,
    depth: u32,
}

impl Parser<'_> {
    fn deeper<R>(&mut self, action: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = action(self);
        self.depth -= 1;
        result
    }

    /// `a|b|c`, up to a closing parenthesis or the end.
    fn alternatives(&mut self, verbose: bool, top: bool) -> Option<Sequence> {
        self.deeper(|this| {
            let mut verbose = verbose;
            let mut branches = Vec::new();
            loop {
                let first = top && branches.is_empty();
                branches.push(this.sequence(verbose, first)?);
                if !this.tokens.take_if('|') {
                    break;
                }
                if top {
                    verbose = this.flags.has(Flags::VERBOSE);
                }
            }
            Some(match branches.len() {
                1 => branches.pop()?,
                _ => this.joined(branches),
            })
        })
    }

    /// Alternatives as one sequence: their common beginning, then a set where they are single characters, or a branch.
    fn joined(&self, branches: Vec<Sequence>) -> Sequence {
        let mut branches: Vec<Vec<Item>> = branches.into_iter().map(|branch| branch.items).collect();
        let shared = {
            let (first, rest) = branches.split_first().map_or((&[][..], &[][..]), |(first, rest)| (&first[..], rest));
            first
                .iter()
                .enumerate()
                .take_while(|(i, item)| is_plain(item) && rest.iter().all(|other| other.get(*i) == Some(*item)))
                .count()
        };
        let mut items = Vec::new();
        for (i, branch) in branches.iter_mut().enumerate() {
            let beginning = branch.drain(..shared);
            if i == 0 {
                items.extend(beginning);
            }
        }
        items.push(match branches.iter().map(|branch| single(branch)).collect::<Option<Vec<_>>>() {
            Some(singles) => {
                let mut members = Vec::new();
                singles.into_iter().flatten().for_each(|member| add(&mut members, member));
                Item::Set { negated: false, members }
            }
            None => Item::Branch(branches.into_iter().map(|items| Sequence::new(items, &self.widths)).collect()),
        });
        Sequence::new(items, &self.widths)
    }

    /// Items up to `|`, `)` or the end. `first` says that nothing but this sequence stands before it, so that global flags
    /// may begin it.
    fn sequence(&mut self, verbose: bool, first: bool) -> Option<Sequence> {
        self.deeper(|this| {
            let mut verbose = verbose;
            let mut items = Vec::new();
            loop {
                let token = match this.tokens.peek() {
                    None | Some(Token::Char('|' | ')')) => break,
                    Some(token) => token,
                };
                this.tokens.take();
                match token {
                    Token::Char(' ' | '\t'..='\r') if verbose => {}
                    Token::Char('#') if verbose => {
                        while !matches!(this.tokens.take(), None | Some(Token::Char('\n'))) {}
                    }
                    Token::Escape(letter) => items.push(escape::outside(this, letter)?),
                    Token::Char('[') => items.push(this.set()?),
                    Token::Char('.') => items.push(Item::Dot),
                    Token::Char('^') => items.push(Item::At(At::LineStart)),
                    Token::Char('$') => items.push(Item::At(At::LineEnd)),
                    Token::Char('?') => this.repeat(&mut items, 0, 1)?,
                    Token::Char('*') => this.repeat(&mut items, 0, UNLIMITED)?,
                    Token::Char('+') => this.repeat(&mut items, 1, UNLIMITED)?,
                    Token::Char('{') => match this.counts()? {
                        Some((min, max)) => this.repeat(&mut items, min, max)?,
                        None => items.push(Item::Char(u32::from('{'))),
                    },
                    Token::Char('(') => match this.group(verbose)? {
                        Opened::Item(item) => items.push(item),
                        Opened::Nothing => {}
                        Opened::Flags if first && items.is_empty() => verbose = this.flags.has(Flags::VERBOSE),
                        Opened::Flags => return None,
                    },
                    Token::Char(letter) => items.push(Item::Char(u32::from(letter))),
                }
            }
            let mut flat = Vec::with_capacity(items.len());
            for item in items {
                match item {
                    Item::Group { index: None, on: Flags::NONE, off: Flags::NONE, body } => flat.extend(body.items),
                    item => flat.push(item),
                }
            }
            Some(Sequence::new(flat, &this.widths))
        })
    }

    /// After `{`: the counts, or nothing taken and `None` inside when it is not a repeat.
    #[expect(
        clippy::option_option,
        reason = "the outer one is a refusal, the inner one a brace that stands for itself"
    )]
    fn counts(&mut self) -> Option<Option<(u32, u32)>> {
        let before = self.tokens.clone();
        if self.tokens.peek_char() == Some('}') {
            return Some(None);
        }
        let low = self.tokens.take_while(usize::MAX, |c| c.is_ascii_digit());
        let high = if self.tokens.take_if(',') {
            self.tokens.take_while(usize::MAX, |c| c.is_ascii_digit())
        } else {
            low.clone()
        };
        if !self.tokens.take_if('}') {
            self.tokens = before;
            return Some(None);
        }
        // the largest 32-bit number already is too large
        let count = |digits: &str| digits.parse::<u32>().ok().filter(|n| *n != UNLIMITED);
        let min = if low.is_empty() { 0 } else { count(&low)? };
        let max = if high.is_empty() { UNLIMITED } else { count(&high)? };
        if max < min { None } else { Some(Some((min, max))) }
    }

    /// Repeats the last item.
    fn repeat(&mut self, items: &mut Vec<Item>, min: u32, max: u32) -> Option<()> {
        let body = match items.pop()? {
            Item::At(_) | Item::Repeat { .. } => return None,
            Item::Group { index: None, on: Flags::NONE, off: Flags::NONE, body } => body,
            item => Sequence::new(vec![item], &self.widths),
        };
        let greed = if self.tokens.take_if('?') {
            Greed::Lazy
        } else if self.tokens.take_if('+') {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        self.repeats = true;
        items.push(Item::Repeat { min, max, greed, body });
        Some(())
    }

    /// After `[`: a set of characters.
    fn set(&mut self) -> Option<Item> {
        let negated = self.tokens.take_if('^');
        let mut members: Vec<Member> = Vec::new();
        // duplicates count here: `[]` is open until something was read
        let mut empty = true;
        loop {
            let this = match self.tokens.take()? {
                Token::Char(']') if !empty => break,
                token => self.member(token)?,
            };
            empty = false;
            if !self.tokens.take_if('-') {
                add(&mut members, this);
                continue;
            }
            match self.tokens.take()? {
                Token::Char(']') => {
                    add(&mut members, this);
                    add(&mut members, Member::Char(u32::from('-')));
                    break;
                }
                token => match (this, self.member(token)?) {
                    (Member::Char(low), Member::Char(high)) if low <= high => {
                        add(&mut members, Member::Range(low, high));
                    }
                    _ => return None,
                },
            }
        }
        Some(match members[..] {
            [Member::Char(only)] if negated => Item::NotChar(only),
            [Member::Char(only)] => Item::Char(only),
            _ => Item::Set { negated, members },
        })
    }

    fn member(&mut self, token: Token) -> Option<Member> {
        match token {
            Token::Char(letter) => Some(Member::Char(u32::from(letter))),
            Token::Escape(letter) => escape::inside(&mut self.tokens, letter),
        }
    }

    /// Whether group `index` is closed and, inside a look-behind, older than it.
    pub(super) fn may_refer(&self, index: usize) -> bool {
        self.is_closed(index) && self.is_older(index)
    }

    fn is_closed(&self, index: usize) -> bool {
        self.widths.get(index).is_some_and(Option::is_some)
    }

    fn is_older(&self, index: usize) -> bool {
        self.behind.is_none_or(|groups| self.is_closed(index) && index < groups)
    }

    /// After `(`.
    fn group(&mut self, verbose: bool) -> Option<Opened> {
        if !self.tokens.take_if('?') {
            return self.capturing(None, verbose);
        }
        let Token::Char(kind) = self.tokens.take()? else { return None };
        match kind {
            'P' if self.tokens.take_if('<') => {
                let name = self.tokens.take_until('>').filter(|name| is_identifier(name))?;
                self.capturing(Some(name), verbose)
            }
            'P' if self.tokens.take_if('=') => {
                let name = self.tokens.take_until(')').filter(|name| is_identifier(name))?;
                let index = self.names.get(&name).copied().filter(|index| self.may_refer(*index))?;
                Some(Opened::Item(Item::Back(index as u32)))
            }
            ':' => self.scoped(Flags::NONE, Flags::NONE, verbose),
            '#' => {
                while self.tokens.take()? != Token::Char(')') {}
                Some(Opened::Nothing)
            }
            '=' | '!' => self.look(false, kind == '!', verbose),
            '<' => match self.tokens.take()? {
                Token::Char(kind @ ('=' | '!')) => self.look(true, kind == '!', verbose),
                _ => None,
            },
            '(' => self.conditional(verbose),
            '>' => {
                let body = self.alternatives(verbose, false)?;
                self.closed(Item::Atomic(body))
            }
            '-' => self.flags_off(Flags::NONE, verbose),
            letter => self.flags_on(letter, verbose),
        }
    }

    /// The closing parenthesis of an item.
    fn closed(&mut self, item: Item) -> Option<Opened> {
        self.tokens.take_if(')').then_some(Opened::Item(item))
    }

    fn capturing(&mut self, name: Option<String>, verbose: bool) -> Option<Opened> {
        let index = self.widths.len();
        self.widths.push(None);
        if index >= MOST_GROUPS || name.is_some_and(|name| self.names.insert(name, index).is_some()) {
            return None;
        }
        let body = self.alternatives(verbose, false)?;
        if !self.tokens.take_if(')') {
            return None;
        }
        if let Some(width) = self.widths.get_mut(index) {
            *width = Some(body.width);
        }
        Some(Opened::Item(Item::Group { index: Some(index as u32), on: Flags::NONE, off: Flags::NONE, body }))
    }

    fn scoped(&mut self, on: Flags, off: Flags, verbose: bool) -> Option<Opened> {
        let verbose = (verbose || on.has(Flags::VERBOSE)) && !off.has(Flags::VERBOSE);
        let body = self.alternatives(verbose, false)?;
        self.closed(Item::Group { index: None, on, off, body })
    }

    fn look(&mut self, behind: bool, negated: bool, verbose: bool) -> Option<Opened> {
        let outer = self.behind;
        if behind && outer.is_none() {
            self.behind = Some(self.widths.len());
        }
        let body = self.alternatives(verbose, false)?;
        self.behind = outer;
        if behind && (body.width.least != body.width.most || body.width.least > WIDEST_BEHIND) {
            return None;
        }
        self.closed(Item::Look { behind, negated, body })
    }

    /// After `(?(`.
    fn conditional(&mut self, verbose: bool) -> Option<Opened> {
        let name = self.tokens.take_until(')')?;
        let group = if is_identifier(&name) {
            self.names.get(&name).copied()?
        } else {
            let (negative, number) = python_integer(&name)?;
            if negative || number == 0 || number >= MOST_GROUPS {
                return None;
            }
            self.asked = self.asked.max(number);
            number
        };
        if !self.is_older(group) {
            return None;
        }
        let yes = self.sequence(verbose, false)?;
        let no = if self.tokens.take_if('|') { Some(self.sequence(verbose, false)?) } else { None };
        self.closed(Item::Conditional { group: group as u32, yes, no })
    }

    /// After `(?` and the first letter of flags turned on.
    fn flags_on(&mut self, first: char, verbose: bool) -> Option<Opened> {
        let mut on = Flags::NONE;
        let mut letter = first;
        loop {
            let flag = flag(letter)?;
            on = on.with(flag);
            if flag.has(Flags::TYPES) && on.without(flag).has(Flags::TYPES) {
                return None;
            }
            let Token::Char(next) = self.tokens.take()? else { return None };
            match next {
                ')' => {
                    self.flags = self.flags.with(on);
                    return Some(Opened::Flags);
                }
                _ if on.has(Flags::TEMPLATE) && matches!(next, ':' | '-') => return None,
                ':' => return self.scoped(on, Flags::NONE, verbose),
                '-' => return self.flags_off(on, verbose),
                _ => letter = next,
            }
        }
    }

    /// After the `-` of flags turned off.
    fn flags_off(&mut self, on: Flags, verbose: bool) -> Option<Opened> {
        let mut off = Flags::NONE;
        loop {
            let Token::Char(letter) = self.tokens.take()? else { return None };
            if letter == ':' && off != Flags::NONE {
                break;
            }
            let flag = flag(letter).filter(|flag| !flag.has(Flags::TYPES.with(Flags::TEMPLATE)))?;
            off = off.with(flag);
        }
        if on.has(off) { None } else { self.scoped(on, off, verbose) }
    }
}

/// What an opening parenthesis led to.
enum Opened {
    Item(Item),
    /// A comment.
    Nothing,
    /// Global flags.
    Flags,
}

fn flag(letter: char) -> Option<Flags> {
    Some(match letter {
        'i' => Flags::IGNORE_CASE,
        'm' => Flags::MULTI_LINE,
        's' => Flags::DOT_ALL,
        'x' => Flags::VERBOSE,
        'a' => Flags::ASCII,
        'u' => Flags::UNICODE,
        't' => Flags::TEMPLATE,
        _ => return None,
    })
}

/// Adds a member that is not there yet.
fn add(members: &mut Vec<Member>, member: Member) {
    if !members.contains(&member) {
        members.push(member);
    }
}

/// Whether two items of this kind can be found equal: those that hold a sequence never are.
fn is_plain(item: &Item) -> bool {
    matches!(item, Item::Char(_) | Item::NotChar(_) | Item::Set { .. } | Item::Dot | Item::At(_) | Item::Back(_))
}

/// The members of a sequence that is one character or one set.
fn single(items: &[Item]) -> Option<Vec<Member>> {
    match items {
        [Item::Char(code)] => Some(vec![Member::Char(*code)]),
        [Item::Set { negated: false, members }] => Some(members.clone()),
        _ => None,
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars().map(u32::from);
    letters.next().is_some_and(|first| holds(&START, first))
        && letters.all(|code| holds(&START, code) || holds(&GOING_ON, code))
}
