//! Text for people: untrusted text made safe to show, widths, cutting, padding, wrapping, numbers, "did you mean".
//!
//! Owns: what may reach a terminal, a title, a clipboard or a log ([`safe`], [`safe_lines`], [`safe_json`], [`markdown`]), how wide it
//! is there ([`width`]), how it is made to fit ([`cut`], [`pad`], [`wrap`]) and found ([`places`]). Does not own: JSON (`value`), colors
//! (`theme`) or the screen (`tui`).
//!
//! ```
//! use rehearsal::text::{cut, safe, width};
//! assert_eq!(safe("a\u{1b}[31mb\u{202e}c"), "a\u{241b}[31mb<U+202E>c");
//! assert_eq!(width("出荷"), 4);
//! assert_eq!(cut("a longer name", 8), "a longe…");
//! ```

mod find;
mod fit;
mod markdown;
mod near;
mod safe;

pub use find::places;
pub use fit::{cut, cut_middle, pad, pad_name, pad_start, width, wrap};
pub use markdown::markdown;
pub use near::{distance, nearest};
pub use safe::{is_hidden, safe, safe_json, safe_lines};

/// A number with its thousands grouped: `1,234,567`.
pub fn group(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun: `1 tool`, `2 tools`, `1,200 tools`. Nouns that do not take an `s`: [`count_of`].
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", group(n as u64)) }
}

/// A count with both forms of its noun given: `1 reply`, `2 replies`.
pub fn count_of(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {many}", group(n as u64)) }
}

/// A size in bytes, short: `812 B`, `4.2 KiB`, `13.1 MiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut size = n as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1023.95 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// A length of time, short: `4.2 s`, `3 min 05 s`, `2 h 10 min`.
pub fn seconds(time: std::time::Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        s @ 60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        s => format!("{} h {:02} min", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(group(0_u64), "0");
        assert_eq!(group(999_u64), "999");
        assert_eq!(group(1000_u64), "1,000");
        assert_eq!(group(12_345_678_u64), "12,345,678");
    }

    #[test]
    fn counts_take_the_right_form() {
        assert_eq!(count(0, "tool"), "0 tools");
        assert_eq!(count(1, "tool"), "1 tool");
        assert_eq!(count(1200, "tool"), "1,200 tools");
        assert_eq!(count_of(2, "reply", "replies"), "2 replies");
    }

    #[test]
    fn times_are_short() {
        let shown = |s: f64| seconds(std::time::Duration::from_secs_f64(s));
        assert_eq!(
            [shown(0.25), shown(59.94), shown(185.0), shown(7800.0)],
            ["0.2 s", "59.9 s", "3 min 05 s", "2 h 10 min"]
        );
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 KiB");
        assert_eq!(bytes(1024 * 1024 - 1), "1.0 MiB");
        assert_eq!(bytes(13 * 1024 * 1024), "13.0 MiB");
    }
}
