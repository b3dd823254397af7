//! Numbers as text and text as numbers: Python's float text, integers up to a limit of digits.

use super::Value;
use num_bigint::BigInt;
use std::fmt::Write as _;
use std::sync::Arc;

/// The most decimal digits an integer of a file may have, sign not counted (rules 2.3).
pub const MAX_DIGITS: usize = 4_300;

/// A float as Python prints it (rules 2.2): shortest digits that read back as the same float, plain from 1e-4 up to below
/// 1e16, always with a point or an exponent; `NaN`, `Infinity` and `-Infinity` are words.
pub fn float_text(f: f64) -> String {
    let mut out = String::with_capacity(24);
    push_float(&mut out, f);
    out
}

/// Appends [`float_text`] to `out`.
pub(super) fn push_float(out: &mut String, f: f64) {
    if f.is_nan() {
        out.push_str("NaN");
        return;
    }
    if f.is_sign_negative() {
        out.push('-');
    }
    if f.is_infinite() {
        out.push_str("Infinity");
        return;
    }
    // Rust's exponent form gives the shortest digits; only the layout differs from Python's.
    let mut shortest = String::with_capacity(24);
    let _ = write!(shortest, "{:e}", f.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if (0..16).contains(&exponent) {
        let whole = exponent as usize;
        out.push_str(first);
        if rest.len() > whole {
            let _ = write!(out, "{}.{}", &rest[..whole], &rest[whole..]);
        } else {
            let _ = write!(out, "{rest:0<whole$}.0");
        }
    } else if (-4..0).contains(&exponent) {
        let zeros = (-exponent - 1) as usize;
        let _ = write!(out, "0.{:0<zeros$}{first}{rest}", "");
    } else {
        out.push_str(first);
        if !rest.is_empty() {
            let _ = write!(out, ".{rest}");
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.abs());
    }
}

/// The integer of ASCII decimal digits, or nothing when there are more than [`MAX_DIGITS`] (or none).
pub(super) fn integer(negative: bool, digits: &str) -> Option<Value> {
    if digits.len() <= 18 {
        let n: i64 = digits.parse().ok()?;
        return Some(Value::Int(if negative { -n } else { n }));
    }
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let n = BigInt::parse_bytes(digits.as_bytes(), 10)?;
    Some(Value::integer(if negative { -n } else { n }))
}

/// The integer of digits of base 2, 8 or 16, or nothing when it has more than [`MAX_DIGITS`] decimal digits.
pub(super) fn integer_of_base(negative: bool, digits: &str, base: u32) -> Option<Value> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Value::Int(0));
    }
    // 4,300 decimal digits are under 14,285 bits; longer texts are not worth reading.
    if digits.len() > 14_285 {
        return None;
    }
    let n = BigInt::parse_bytes(digits.as_bytes(), base)?;
    if n.bits() > 14_200 && n.to_string().len() > MAX_DIGITS {
        return None;
    }
    Some(Value::integer(if negative { -n } else { n }))
}

/// Appends an integer in decimal.
pub(super) fn push_integer(out: &mut String, n: i64) {
    let _ = write!(out, "{n}");
}

/// Appends a large integer in decimal.
pub(super) fn push_big(out: &mut String, n: &Arc<BigInt>) {
    let _ = write!(out, "{n}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_as_python_prints_them() {
        for (f, text) in [
            (1.0, "1.0"),
            (100_000.0, "100000.0"),
            (1e15, "1000000000000000.0"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (1.234_567_890_123_456_8e17, "1.2345678901234568e+17"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (1e-4, "0.0001"),
            (0.000_123, "0.000123"),
            (1e-5, "1e-05"),
            (2.5e-7, "2.5e-07"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (0.1, "0.1"),
            (123.456, "123.456"),
            (1_234.5, "1234.5"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-1.5, "-1.5"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(float_text(f), text);
        }
    }

    #[test]
    fn integers_stay_exact_up_to_the_limit() {
        assert_eq!(integer(true, "0"), Some(Value::Int(0)));
        assert_eq!(integer(true, "9223372036854775808"), Some(Value::Int(i64::MIN)));
        assert!(matches!(integer(false, "9223372036854775808"), Some(Value::BigInt(_))));
        let longest = "9".repeat(MAX_DIGITS);
        let Some(Value::BigInt(n)) = integer(false, &longest) else { panic!("a big integer") };
        assert_eq!(n.to_string(), longest);
        assert_eq!(integer(false, &"9".repeat(MAX_DIGITS + 1)), None);
    }

    #[test]
    fn other_bases_count_decimal_digits_too() {
        assert_eq!(integer_of_base(false, "00ff", 16), Some(Value::Int(255)));
        assert_eq!(integer_of_base(true, "1000", 2), Some(Value::Int(-8)));
        assert_eq!(integer_of_base(false, "000", 8), Some(Value::Int(0)));
        // 16^3570 has 4,299 digits, 16^3572 has 4,302
        assert!(integer_of_base(false, &format!("1{}", "0".repeat(3570)), 16).is_some());
        assert_eq!(integer_of_base(false, &format!("1{}", "0".repeat(3572)), 16), None);
        assert_eq!(integer_of_base(false, &"1".repeat(1_000_000), 2), None);
    }
}
