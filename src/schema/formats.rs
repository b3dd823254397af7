//! The four formats that are checked (rules 3.4), with the habits of the reader they come from: a final newline passes,
//! and a digit is any Unicode decimal digit.

use super::pattern::{decimal_digit, is_space};

/// The text without one final newline.
fn without_newline(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// Whether `text` fits the format; formats without a check admit everything.
pub(super) fn admits(format: &str, text: &str) -> bool {
    match format {
        "email" => is_email(without_newline(text)),
        "uuid" => is_uuid(text),
        "date" => rest_of_date(without_newline(text)).is_some_and(str::is_empty),
        "date-time" => is_date_time(without_newline(text)),
        _ => true,
    }
}

/// What a format asks for, in words.
pub(super) fn expectation(format: &str) -> &'static str {
    match format {
        "email" => "must be an email address",
        "uuid" => "must be a UUID",
        "date" => "must be a date like 2026-01-31",
        _ => "must be a date and time like 2026-01-31T09:30:00Z",
    }
}

/// One `@`, something on each side, no white space, and a dot inside the last part.
fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    let dotted = host.char_indices().any(|(i, c)| c == '.' && i > 0 && i + 1 < host.len());
    !user.is_empty() && dotted && !host.contains('@') && !text.chars().any(is_space)
}

/// What follows `n` decimal digits.
fn digits(text: &str, n: usize) -> Option<&str> {
    let mut letters = text.chars();
    for _ in 0..n {
        decimal_digit(letters.next()?)?;
    }
    Some(letters.as_str())
}

fn rest_of_date(text: &str) -> Option<&str> {
    let text = digits(text, 4)?.strip_prefix('-')?;
    digits(digits(text, 2)?.strip_prefix('-')?, 2)
}

fn is_date_time(text: &str) -> bool {
    fn zone(text: &str) -> Option<&str> {
        let mut text = rest_of_date(text)?.strip_prefix('T')?;
        text = digits(text, 2)?.strip_prefix(':')?;
        text = digits(text, 2)?.strip_prefix(':')?;
        text = digits(text, 2)?;
        if let Some(fraction) = text.strip_prefix('.') {
            text = digits(fraction, 1)?;
            while let Some(rest) = digits(text, 1) {
                text = rest;
            }
        }
        Some(text)
    }
    fn offset(text: &str) -> Option<&str> {
        digits(digits(text.strip_prefix(['+', '-'])?, 2)?.strip_prefix(':')?, 2)
    }
    zone(text).is_some_and(|zone| zone == "Z" || offset(zone).is_some_and(str::is_empty))
}

/// A UUID as a lenient reader takes it: `urn:` and `uuid:` and hyphens anywhere, braces at the ends, and 32 characters that
/// read as a number of base 16 (so a sign, `0x`, single underscores, white space at the ends and other scripts' digits too).
fn is_uuid(text: &str) -> bool {
    let text = text.replace("urn:", "").replace("uuid:", "");
    let text = text.trim_matches(['{', '}']).replace('-', "");
    text.chars().count() == 32 && is_base16(&text)
}

/// Whether the text reads as a base 16 integer that is not negative.
fn is_base16(text: &str) -> bool {
    // hyphens are gone, so the only sign left is `+`
    // of ASCII, only the white space that C knows is passed over
    let text = text.trim_matches(|c: char| matches!(c, ' ' | '\t'..='\r') || !c.is_ascii() && is_space(c));
    let text = text.strip_prefix('+').unwrap_or(text);
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        plain.push(decimal_digit(letter).and_then(|d| char::from_digit(d, 10)).unwrap_or(letter));
    }
    let body = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(body) => body.strip_prefix('_').unwrap_or(body),
        None => &plain,
    };
    body.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_hexdigit()))
}
