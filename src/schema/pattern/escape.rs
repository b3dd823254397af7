//! Escapes, outside of sets and inside them.

use super::aliases::{ALIASES, NEWER};
use super::holds;
use super::parse::Parser;
use super::syntax::{At, Category, CategoryKind, Item, Member};
use super::tokens::Tokens;
use std::sync::OnceLock;

/// The largest code an octal escape may say.
const LARGEST_OCTAL: u32 = 0o377;
/// Unified ideographs, whose names are their numbers.
const IDEOGRAPHS: [(u32, u32); 8] = [
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0x20000, 0x2a6df),
    (0x2a700, 0x2b738),
    (0x2b740, 0x2b81d),
    (0x2b820, 0x2cea1),
    (0x2ceb0, 0x2ebe0),
    (0x30000, 0x3134a),
];

/// An escape outside of a set, after its backslash and `letter`.
pub(super) fn outside(parser: &mut Parser, letter: char) -> Option<Item> {
    let at = match letter {
        'A' => Some(At::Start),
        'Z' => Some(At::End),
        'b' => Some(At::Boundary),
        'B' => Some(At::NoBoundary),
        _ => None,
    };
    if let Some(at) = at {
        return Some(Item::At(at));
    }
    if let Some(category) = category(letter) {
        return Some(Item::Set { negated: false, members: vec![Member::Category(category)] });
    }
    if letter == '0' {
        let more = parser.tokens.take_while(2, |c| c.is_digit(8));
        return octal(letter, &more).map(Item::Char);
    }
    if letter.is_ascii_digit() {
        return number(parser, letter);
    }
    common(&mut parser.tokens, letter).map(Item::Char)
}

/// An escape inside a set.
pub(super) fn inside(tokens: &mut Tokens, letter: char) -> Option<Member> {
    if let Some(category) = category(letter) {
        return Some(Member::Category(category));
    }
    match letter {
        'b' => Some(Member::Char(8)),
        '0'..='7' => {
            let more = tokens.take_while(2, |c| c.is_digit(8));
            octal(letter, &more).map(Member::Char)
        }
        '8' | '9' => None,
        _ => common(tokens, letter).map(Member::Char),
    }
}

fn category(letter: char) -> Option<Category> {
    let kind = match letter {
        'd' | 'D' => CategoryKind::Digit,
        's' | 'S' => CategoryKind::Space,
        'w' | 'W' => CategoryKind::Word,
        _ => return None,
    };
    Some(Category { kind, negated: letter.is_ascii_uppercase() })
}

fn octal(first: char, more: &str) -> Option<u32> {
    let code = more.chars().try_fold(first.to_digit(8)?, |code, digit| Some(code * 8 + digit.to_digit(8)?))?;
    Some(code).filter(|code| *code <= LARGEST_OCTAL)
}

/// `\1` to `\99`, or three octal digits.
fn number(parser: &mut Parser, first: char) -> Option<Item> {
    let mut digits = String::from(first);
    digits.push_str(&parser.tokens.take_while(1, |c| c.is_ascii_digit()));
    if digits.len() == 2
        && digits.chars().all(|c| c.is_digit(8))
        && parser.tokens.peek_char().is_some_and(|c| c.is_digit(8))
    {
        digits.push_str(&parser.tokens.take_while(1, |c| c.is_digit(8)));
        return u32::from_str_radix(&digits, 8).ok().filter(|code| *code <= LARGEST_OCTAL).map(Item::Char);
    }
    let group: usize = digits.parse().ok()?;
    parser.may_refer(group).then_some(Item::Back(group as u32))
}

/// Escapes that mean the same everywhere.
fn common(tokens: &mut Tokens, letter: char) -> Option<u32> {
    match letter {
        'a' => Some(7),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        'x' => hexadecimal(tokens, 2),
        'u' => hexadecimal(tokens, 4),
        'U' => hexadecimal(tokens, 8).filter(|code| *code <= u32::from(char::MAX)),
        'N' => {
            let name = if tokens.take_if('{') { tokens.take_until('}')? } else { return None };
            named(&name)
        }
        _ if letter.is_ascii_alphanumeric() => None,
        _ => Some(u32::from(letter)),
    }
}

fn hexadecimal(tokens: &mut Tokens, length: usize) -> Option<u32> {
    let digits = tokens.take_while(length, |c| c.is_ascii_hexdigit());
    if digits.len() == length { u32::from_str_radix(&digits, 16).ok() } else { None }
}

/// The character of a name, as `unicodedata.lookup` finds it: in either case, but not loosely.
fn named(name: &str) -> Option<u32> {
    if let Some(number) = name.strip_prefix("CJK UNIFIED IDEOGRAPH-") {
        let is_plain = matches!(number.len(), 4 | 5) && !number.contains(|c: char| c.is_ascii_lowercase() || c == '+');
        let code = u32::from_str_radix(number, 16).ok().filter(|_| is_plain)?;
        return holds(&IDEOGRAPHS, code).then_some(code);
    }
    let upper = name.to_ascii_uppercase();
    let is_syllable = upper.starts_with("HANGUL SYLLABLE ");
    let names = names();
    let hash = hash_of(upper.chars());
    let from = names.partition_point(|(other, _)| *other < hash);
    let same = names.get(from..).unwrap_or_default().iter().take_while(|(other, _)| *other == hash);
    let found = same.map(|(_, letter)| *letter).find(|letter| {
        unicode_names2::name(*letter).is_some_and(|own| own.to_string() == upper) && (!is_syllable || name == upper)
    });
    if let Some(found) = found {
        return Some(u32::from(found));
    }
    ALIASES.binary_search_by(|(alias, _)| (*alias).cmp(&upper)).ok().and_then(|i| ALIASES.get(i)).map(|(_, code)| *code)
}

/// All named characters but the ideographs, by a hash of their name. (The crate's own search by name is loose, and panics
/// on some texts.)
fn names() -> &'static [(u64, char)] {
    static NAMES: OnceLock<Vec<(u64, char)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let letters = ('\0'..=char::MAX).filter(|letter| {
            let code = u32::from(*letter);
            !holds(&IDEOGRAPHS, code) && !holds(&NEWER, code)
        });
        let mut names: Vec<(u64, char)> = letters
            .filter_map(|letter| {
                let name = unicode_names2::name(letter)?;
                Some((hash_of(name.flat_map(str::chars)), letter))
            })
            .collect();
        names.sort_unstable();
        names
    })
}

/// FNV-1a.
fn hash_of(letters: impl Iterator<Item = char>) -> u64 {
    letters.fold(0xcbf2_9ce4_8422_2325, |hash, letter| (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3))
}
