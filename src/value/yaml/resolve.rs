//! What a scalar is: by the form of its text when it is plain, by its tag when it has one (rules 2.5).

use super::time::{self, Time};
use crate::value::{MAX_DIGITS, Odd, Value, number};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// What a scalar without a tag, or with the tag `!`, comes to.
#[derive(Debug, PartialEq)]
pub(super) enum Resolved {
    /// Text as it stands.
    Text,
    /// A value of another type.
    Value(Value),
    /// `<<`, which merges when it is a key.
    Merge,
    /// `=`, which is text as a key and nothing as a value.
    Equals,
    /// It has the form of a type and no value of it.
    Bad(&'static str),
}

/// The type of a text by its form.
pub(super) fn plain(text: &str) -> Resolved {
    let Some(&first) = text.as_bytes().first() else { return Resolved::Value(Value::Null) };
    match first {
        b'0'..=b'9' | b'-' | b'+' | b'.' => numeric(text),
        b'~' | b'n' | b'N' if is_null(text) => Resolved::Value(Value::Null),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => truth(text)
            .filter(|_| {
                // lower, Capital or UPPER
                let rest = &text[1..];
                let lower = |s: &str| s.bytes().all(|b| b.is_ascii_lowercase());
                lower(rest) || (first.is_ascii_uppercase() && rest.bytes().all(|b| b.is_ascii_uppercase()))
            })
            .map_or(Resolved::Text, |truth| Resolved::Value(Value::Bool(truth))),
        b'<' if text == "<<" => Resolved::Merge,
        b'=' if text == "=" => Resolved::Equals,
        _ => Resolved::Text,
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// The word of a boolean, in any mixture of cases.
fn truth(text: &str) -> Option<bool> {
    let is = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(["yes", "true", "on"]) {
        Some(true)
    } else if is(["no", "false", "off"]) {
        Some(false)
    } else {
        None
    }
}

fn numeric(text: &str) -> Resolved {
    if has_float_form(text) {
        return float(text).map_or(Resolved::Bad("a number that is too large"), Resolved::Value);
    }
    if has_integer_form(text) {
        return integer(text).map_or(Resolved::Bad("an integer without digits or with too many"), Resolved::Value);
    }
    match time::plain(text) {
        Time::No => Resolved::Text,
        Time::Impossible => Resolved::Bad("a date or time that does not exist"),
        Time::Iso(iso) => Resolved::Value(date(iso)),
    }
}

fn date(iso: String) -> Value {
    Value::Odd(Arc::new(Odd::Time(Arc::from(iso))))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

fn all(text: &str, wanted: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(wanted)
}

/// `d`, then digits and underscores.
fn digits(text: &str) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_digit) && all(text, |b| b.is_ascii_digit() || b == b'_')
}

/// One or two digits below 60.
fn sixtieth(part: &str) -> bool {
    match part.as_bytes() {
        [d] => d.is_ascii_digit(),
        [tens, d] => (b'0'..=b'5').contains(tens) && d.is_ascii_digit(),
        _ => false,
    }
}

fn has_integer_form(text: &str) -> bool {
    let body = unsigned(text);
    if let Some(bits) = body.strip_prefix("0b") {
        return all(bits, |b| matches!(b, b'0' | b'1' | b'_'));
    }
    if let Some(hex) = body.strip_prefix("0x") {
        return all(hex, |b| b.is_ascii_hexdigit() || b == b'_');
    }
    if let Some(octal) = body.strip_prefix('0') {
        return octal.is_empty() || all(octal, |b| matches!(b, b'0'..=b'7' | b'_'));
    }
    let mut parts = body.split(':');
    parts.next().is_some_and(digits) && parts.all(sixtieth)
}

fn has_float_form(text: &str) -> bool {
    let body = unsigned(text);
    if matches!(body, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let Some((whole, fraction)) = body.split_once('.') else { return false };
    let before_exponent = fraction.find(['e', 'E']).unwrap_or(fraction.len());
    let (fraction, exponent) = fraction.split_at(before_exponent);
    let has_exponent = !exponent.is_empty();
    if has_exponent && !(exponent[1..].starts_with(['-', '+']) && all(&exponent[2..], |b| b.is_ascii_digit())) {
        return false;
    }
    let fraction_fits = fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    if whole.is_empty() {
        return digits(fraction) && body.len() == text.len();
    }
    if digits(whole) {
        return fraction_fits;
    }
    let mut parts = whole.split(':');
    fraction_fits && !has_exponent && parts.next().is_some_and(digits) && parts.all(sixtieth)
}

/// A sign in front, when there is one, and what follows it.
fn sign(text: &str) -> (bool, &str) {
    (text.starts_with('-'), unsigned(text))
}

/// The integer of a text in any of YAML's forms; also what the tag `!!int` takes beyond them, such as `0o17`.
fn integer(text: &str) -> Option<Value> {
    let text = text.replace('_', "");
    let (negative, body) = sign(&text);
    if let Some(bits) = body.strip_prefix("0b") {
        return based(negative, bits, 2);
    }
    if let Some(hex) = body.strip_prefix("0x") {
        return based(negative, hex, 16);
    }
    if body.starts_with('0') {
        return based(negative, body, 8);
    }
    if body.contains(':') {
        return sixties(negative, body);
    }
    decimal(negative, body)
}

/// Python's reading of an integer in a base: spaces around, a second sign and the base's own prefix are let through.
fn based(negative: bool, text: &str, base: u32) -> Option<Value> {
    let (second, body) = sign(text.trim());
    let prefix: &[&str] = match base {
        2 => &["0b", "0B"],
        8 => &["0o", "0O"],
        _ => &["0x", "0X"],
    };
    let body = prefix.iter().find_map(|prefix| body.strip_prefix(prefix)).unwrap_or(body);
    if !all(body, |b| char::from(b).is_digit(base)) {
        return None;
    }
    number::integer_of_base(negative != second, body, base)
}

fn decimal(negative: bool, text: &str) -> Option<Value> {
    let (second, body) = sign(text.trim());
    if !all(body, |b| b.is_ascii_digit()) {
        return None;
    }
    // leading zeros count as digits, but add nothing
    if body.len() > MAX_DIGITS {
        return None;
    }
    number::integer(negative != second, body)
}

/// `1:30:00` is 5,400.
fn sixties(negative: bool, text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split(':').collect();
    // 60 to the power of 2,420 has more than 4,300 digits already
    if parts.len() > 2_420 || parts[0].len() > MAX_DIGITS {
        return None;
    }
    let mut sum = BigInt::ZERO;
    for part in parts {
        let Value::Int(part) = decimal(false, part)? else {
            // only the first part can be so large
            let Value::BigInt(part) = decimal(false, part)? else { return None };
            sum = sum * 60 + &*part;
            continue;
        };
        sum = sum * 60 + part;
    }
    let digits = if sum.bits() < 14_200 { 0 } else { sum.magnitude().to_string().len() };
    (digits <= MAX_DIGITS).then(|| Value::integer(if negative { -sum } else { sum }))
}

/// The float of a text in any of YAML's forms; also what the tag `!!float` takes beyond them, such as `3` or `1e5`.
fn float(text: &str) -> Option<Value> {
    let text = text.replace('_', "").to_lowercase();
    let (negative, body) = sign(&text);
    let size = match body {
        ".inf" => f64::INFINITY,
        ".nan" => return Some(Value::Float(f64::NAN)),
        _ if body.contains(':') => {
            let parts = body.split(':').map(decimal_float).collect::<Option<Vec<f64>>>()?;
            let (mut sum, mut base) = (0.0, BigInt::from(1));
            for part in parts.iter().rev() {
                // Python cannot turn a base this large into a float and gives up
                let weight = base.to_f64().filter(|weight| weight.is_finite())?;
                sum += part * weight;
                base *= 60;
            }
            sum
        }
        _ => decimal_float(body)?,
    };
    Some(Value::Float(if negative { -size } else { size }))
}

/// Python's reading of a float: spaces around are let through, and the words for infinities and NaN.
fn decimal_float(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// The types that a scalar's tag can name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ScalarTag {
    Int,
    Float,
    Bool,
    Null,
    Time,
}

/// The value of a text under a tag, or nothing when the text does not fit.
pub(super) fn tagged(tag: ScalarTag, text: &str) -> Option<Value> {
    match tag {
        ScalarTag::Int => integer(text),
        ScalarTag::Float => float(text),
        ScalarTag::Bool => truth(text).map(Value::Bool),
        ScalarTag::Null => Some(Value::Null),
        ScalarTag::Time => match time::tagged(text) {
            Time::Iso(iso) => Some(date(iso)),
            Time::No | Time::Impossible => None,
        },
    }
}

/// The bytes of base 64 text as Python decodes it: characters beyond the alphabet are skipped, the padding counts.
pub(super) fn binary(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() {
        return None;
    }
    let (mut bytes, mut bits, mut quad, mut pads) = (Vec::new(), 0u32, 0, 0);
    for b in text.bytes() {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                pads += 1;
                if quad >= 2 && quad + pads >= 4 {
                    return Some(bytes);
                }
                continue;
            }
            _ => continue,
        };
        pads = 0;
        bits = bits << 6 | u32::from(six);
        quad = (quad + 1) % 4;
        match quad {
            0 => bytes.push(bits as u8),
            2 => bytes.push((bits >> 4) as u8),
            3 => bytes.push((bits >> 2) as u8),
            _ => {}
        }
    }
    (quad == 0).then_some(bytes)
}
