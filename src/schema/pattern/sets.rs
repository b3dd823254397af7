//! Sets of code points: what the members of a set, a character or a category take, case ignored or not.

use super::cases::{KIN, LOWER, UPPER};
use super::classes::{SPACE, WORD, ZEROS};
use super::holds;
use super::syntax::{Category, CategoryKind, Flags, Member};

/// The last code point.
const LAST: u32 = 0x0010_ffff;
/// The last one of the basic plane; Python treats those beyond it apart when case is ignored.
const LAST_BASIC: u32 = 0xffff;

/// First and last of a run of code points.
type Run = (u32, u32);

/// A set of code points.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Set {
    /// The first 128, one bit each.
    ascii: u128,
    /// All, sorted, apart from one another.
    runs: Vec<Run>,
}

impl Set {
    /// Whether a character is in it.
    pub(super) fn contains(&self, letter: char) -> bool {
        let code = u32::from(letter);
        if code < 128 { self.ascii >> code & 1 == 1 } else { holds(&self.runs, code) }
    }

    fn new(mut runs: Vec<Run>) -> Self {
        runs.sort_unstable();
        let mut merged: Vec<Run> = Vec::with_capacity(runs.len());
        for (first, last) in runs {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        let ascii = (0..128).filter(|code| holds(&merged, *code)).fold(0, |bits, code| bits | 1 << code);
        Self { ascii, runs: merged }
    }

    fn complement(&self) -> Self {
        let mut runs = Vec::with_capacity(self.runs.len() + 1);
        let mut next = 0;
        for (first, last) in &self.runs {
            if *first > next {
                runs.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            runs.push((next, LAST));
        }
        Self::new(runs)
    }

    fn negated_if(self, negated: bool) -> Self {
        if negated { self.complement() } else { self }
    }

    /// `.`
    pub(super) fn dot(flags: Flags) -> Self {
        if flags.has(Flags::DOT_ALL) {
            return Self::new(vec![(0, LAST)]);
        }
        Self::new(vec![(u32::from('\n'), u32::from('\n'))]).complement()
    }

    /// One character, or all but it.
    pub(super) fn char(code: u32, negated: bool, flags: Flags) -> Self {
        let case = Case::of(flags);
        let set = if case.is_cased(code) {
            let lower = case.lower(code);
            let mut runs = vec![(lower, lower)];
            runs.extend(case.kin(lower));
            case.all_with_lower_in(Self::new(runs))
        } else {
            Self::new(vec![(code, code)])
        };
        set.negated_if(negated)
    }

    /// The members of a set, or all but them.
    pub(super) fn members(members: &[Member], negated: bool, flags: Flags) -> Self {
        let case = Case::of(flags);
        let mut runs = Vec::new();
        // when no member has a case, text is not lowered before it is looked up
        let mut cased = false;
        for member in members {
            match *member {
                Member::Category(category) => runs.extend(category_runs(category, flags)),
                Member::Char(code) => {
                    runs.push((code, code));
                    if code <= LAST_BASIC {
                        let lower = case.lower(code);
                        runs.push((lower, lower));
                        runs.extend(case.kin(lower));
                        cased |= case.is_cased(code);
                    } else {
                        // beyond the basic plane, a character of a set is looked up as it is written
                        cased |= case != Case::Kept;
                    }
                }
                Member::Range(first, last) => {
                    runs.push((first, last));
                    if case != Case::Kept {
                        cased |= last > LAST_BASIC || case.any_cased(first, last);
                        case.add_range(first, last, &mut runs);
                    }
                }
            }
        }
        let set = Self::new(runs);
        let set = if cased { case.all_with_lower_in(set) } else { set };
        set.negated_if(negated)
    }
}

fn category_runs(category: Category, flags: Flags) -> Vec<Run> {
    let runs = match (category.kind, flags.has(Flags::ASCII)) {
        (CategoryKind::Digit, true) => vec![(u32::from('0'), u32::from('9'))],
        (CategoryKind::Digit, false) => ZEROS.iter().map(|zero| (*zero, zero + 9)).collect(),
        (CategoryKind::Space, true) => vec![(9, 13), (32, 32)],
        (CategoryKind::Space, false) => SPACE.to_vec(),
        (CategoryKind::Word, true) => [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]
            .into_iter()
            .map(|(first, last)| (u32::from(first), u32::from(last)))
            .collect(),
        (CategoryKind::Word, false) => WORD.to_vec(),
    };
    if category.negated { Set::new(runs).complement().runs } else { runs }
}

/// What becomes of case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Kept,
    /// Ignored for A to Z.
    Ascii,
    /// Ignored everywhere.
    Unicode,
}

/// What a table says of one code point, if anything.
fn mapped(table: &[(u32, u32, u32, i32)], code: u32) -> Option<u32> {
    let run = table.partition_point(|run| run.0 <= code).checked_sub(1)?;
    let (first, last, step, plus) = *table.get(run)?;
    if code > last || !(code - first).is_multiple_of(step) { None } else { code.checked_add_signed(plus) }
}

/// All pairs of a table.
fn pairs(table: &'static [(u32, u32, u32, i32)]) -> impl Iterator<Item = (u32, u32)> {
    table.iter().flat_map(|(first, last, step, plus)| {
        (*first..=*last).step_by(*step as usize).filter_map(|code| Some((code, code.checked_add_signed(*plus)?)))
    })
}

impl Case {
    pub(super) fn of(flags: Flags) -> Self {
        match (flags.has(Flags::IGNORE_CASE), flags.has(Flags::ASCII)) {
            (false, _) => Case::Kept,
            (true, true) => Case::Ascii,
            (true, false) => Case::Unicode,
        }
    }

    /// The code point with its case taken off.
    pub(super) fn lower(self, code: u32) -> u32 {
        match self {
            Case::Kept => code,
            Case::Ascii => char::from_u32(code).map_or(code, |letter| u32::from(letter.to_ascii_lowercase())),
            Case::Unicode => mapped(&LOWER, code).unwrap_or(code),
        }
    }

    fn is_cased(self, code: u32) -> bool {
        match self {
            Case::Kept => false,
            Case::Ascii => char::from_u32(code).is_some_and(|letter| letter.is_ascii_alphabetic()),
            Case::Unicode => mapped(&LOWER, code).is_some() || mapped(&UPPER, code).is_some(),
        }
    }

    /// Lower-case characters that count as this one.
    fn kin(self, lower: u32) -> impl Iterator<Item = Run> {
        KIN.iter().filter(move |(of, _)| self == Case::Unicode && *of == lower).map(|(_, kin)| (*kin, *kin))
    }

    fn any_cased(self, first: u32, last: u32) -> bool {
        let inside = |code: u32| first <= code && code <= last;
        match self {
            Case::Kept => false,
            Case::Ascii => (0..128).any(|code| inside(code) && self.is_cased(code)),
            Case::Unicode => pairs(&LOWER).chain(pairs(&UPPER)).any(|(code, _)| inside(code)),
        }
    }

    /// Whether ignoring case may change what members of a set take; categories have none.
    pub(super) fn touches(self, members: &[Member]) -> bool {
        members.iter().any(|member| match *member {
            Member::Char(code) => self.is_cased(code),
            Member::Range(first, last) => self != Case::Kept && (last > LAST_BASIC || self.any_cased(first, last)),
            Member::Category(_) => false,
        })
    }

    /// What a range takes beyond itself once text is lowered.
    fn add_range(self, first: u32, last: u32, runs: &mut Vec<Run>) {
        let inside = |code: u32| first <= code && code <= last;
        match self {
            Case::Kept => {}
            Case::Ascii => runs.extend((65..=90).filter(|code| inside(*code)).map(|code| (code + 32, code + 32))),
            Case::Unicode => {
                let lowers =
                    pairs(&LOWER).filter(|(code, _)| *code <= LAST_BASIC && inside(*code)).map(|(_, lower)| lower);
                let lowers: Vec<u32> = lowers.collect();
                let kin = KIN.iter().filter(|(of, _)| inside(*of) || lowers.contains(of)).map(|(_, kin)| *kin);
                runs.extend(kin.chain(lowers.iter().copied()).map(|code| (code, code)));
            }
        }
        if last > LAST_BASIC {
            // such a range is asked about the upper case too, whatever a letter is
            runs.extend(pairs(&UPPER).filter(|(_, upper)| inside(*upper)).map(|(code, _)| (code, code)));
        }
    }

    /// Every character whose lower case is in a set.
    fn all_with_lower_in(self, set: Set) -> Set {
        let changed: Vec<(u32, u32)> = match self {
            Case::Kept => return set,
            Case::Ascii => (65..=90).map(|code| (code, code + 32)).collect(),
            Case::Unicode => pairs(&LOWER).collect(),
        };
        let mut runs = Vec::with_capacity(set.runs.len() + 8);
        let mut removed = changed.iter().map(|(code, _)| *code).peekable();
        for (first, last) in &set.runs {
            let mut next = *first;
            while removed.next_if(|code| *code < next).is_some() {}
            while let Some(code) = removed.next_if(|code| *code <= *last) {
                if code > next {
                    runs.push((next, code - 1));
                }
                next = code + 1;
            }
            if next <= *last {
                runs.push((next, *last));
            }
        }
        runs.extend(changed.iter().filter(|(_, lower)| holds(&set.runs, *lower)).map(|(code, _)| (*code, *code)));
        Set::new(runs)
    }
}
