//! A value next to another: what baddata's third level tells (rules 7.5), and the letters that 5.7 changes a text by.
use crate::schema::{conforms, same};
use crate::value::Value;
use num_bigint::BigInt;

/// Letters a text's character is replaced by, in the order they are tried.
pub(super) const LETTERS: &str = "zyxwvutsrq0123456789";

/// The nearest value that conforms to both schemas and is not the same.
pub(super) fn near_miss(value: &Value, schema: &Value, field: &Value) -> Option<Value> {
    let fits = |v: &Value| !same(v, value) && conforms(v, schema) && conforms(v, field);
    if let Some(entries) = schema.get("enum").and_then(Value::as_array) {
        let at = entries.iter().position(|e| same(e, value)).map_or(0, |i| i + 1);
        return entries[at..].iter().chain(&entries[..at]).find(|v| fits(v)).cloned();
    }
    let format = schema.get("format").and_then(Value::as_str);
    match value {
        Value::Str(text) if matches!(format, Some("date" | "date-time")) => {
            [1, -1].into_iter().filter_map(|days| day_moved(text, days)).map(Value::from).find(fits)
        }
        Value::Str(text) => {
            let letters: Vec<char> = text.chars().collect();
            (0..letters.len()).rev().find_map(|at| letter_changed(&letters, at, fits))
        }
        number => {
            let steps: &[f64] = if schema.get("type").and_then(Value::as_str) == Some("integer") {
                &[1.0, -1.0]
            } else {
                &[1.0, -1.0, 0.5, -0.5, 0.01, -0.01]
            };
            steps.iter().filter_map(|&step| plus(number, step)).find(fits)
        }
    }
}

/// The text with the character at `at` replaced by the first letter that differs and fits.
pub(super) fn letter_changed(text: &[char], at: usize, fits: impl Fn(&Value) -> bool) -> Option<Value> {
    LETTERS.chars().filter(|&letter| letter != text[at]).find_map(|letter| {
        let changed: String = text[..at].iter().chain(std::iter::once(&letter)).chain(&text[at + 1..]).collect();
        Some(Value::from(changed)).filter(&fits)
    })
}

/// A number plus a step: whole steps keep an integer one, of any size.
pub(super) fn plus(number: &Value, step: f64) -> Option<Value> {
    match number {
        Value::Int(n) if step.fract() == 0.0 => Some(Value::integer(BigInt::from(*n) + step as i64)),
        Value::BigInt(n) if step.fract() == 0.0 => Some(Value::integer(&**n + step as i64)),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => Some(Value::Float(number.as_f64()? + step)),
        _ => None,
    }
}

/// The date at the start of a text moved by a day, what follows it kept; `None` when it is not a date.
fn day_moved(text: &str, days: i64) -> Option<String> {
    let (date, rest) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let digits = |part: &str, n: usize| {
        (part.len() == n && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<i64>().ok()).flatten()
    };
    let (mut year, mut month, mut day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    if !(1..=12).contains(&month) || !(1..=month_length(year, month)).contains(&day) || year == 0 {
        return None;
    }
    day += days;
    if day < 1 {
        month -= 1;
        if month < 1 {
            (year, month) = (year - 1, 12);
        }
        day = month_length(year, month);
    } else if day > month_length(year, month) {
        (month, day) = (month + 1, 1);
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
    (1..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}{rest}"))
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{day_moved, plus};
    use crate::value::Value;

    #[test]
    fn days_move_over_months_and_years_and_keep_the_time() {
        assert_eq!(day_moved("2026-01-31", 1).as_deref(), Some("2026-02-01"));
        assert_eq!(day_moved("2026-03-01", -1).as_deref(), Some("2026-02-28"));
        assert_eq!(day_moved("2028-02-28", 1).as_deref(), Some("2028-02-29"));
        assert_eq!(day_moved("2026-12-31T10:00:00Z", 1).as_deref(), Some("2027-01-01T10:00:00Z"));
        assert_eq!(day_moved("2027-01-01", -1).as_deref(), Some("2026-12-31"));
        for text in ["", "soon", "2026-13-01", "2026-02-30", "9999-12-31", "é026-01-011"] {
            assert_eq!(day_moved(text, 1), None, "{text}");
        }
    }

    #[test]
    fn integers_stay_integers_of_any_size() {
        assert_eq!(plus(&Value::Int(i64::MAX), 1.0), Some(Value::integer(num_bigint::BigInt::from(i64::MAX) + 1)));
        assert_eq!(plus(&Value::Int(3), 0.5), Some(Value::Float(3.5)));
        assert_eq!(plus(&Value::Float(3.0), -1.0), Some(Value::Float(2.0)));
        assert_eq!(plus(&Value::Bool(true), 1.0), None);
    }
}
