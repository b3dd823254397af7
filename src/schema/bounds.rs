//! The bounds of a number (rules 3.3): `minimum` and `maximum` as binary64, and the two spellings of an exclusive one.

use super::keywords::Keywords;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::cmp::Ordering;

/// The bounds of one node; booleans, NaN and anything but numbers are no bounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Bounds {
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    /// Whether `low` itself is outside.
    pub(super) open_low: bool,
    /// Whether `high` itself is outside.
    pub(super) open_high: bool,
}

/// The binary64 number of a bound, if it is one.
fn number(value: Option<&Value>) -> Option<f64> {
    value.and_then(Value::as_f64).filter(|f| !f.is_nan())
}

/// What a numeric exclusive bound is held against. A boolean `minimum` or `maximum` bounds nothing, yet the rules' source
/// lets it stand here as 0 or 1: an exclusive bound looser than that is skipped (the vectors hold both).
fn rival(value: Option<&Value>) -> Option<f64> {
    match value {
        Some(Value::Bool(b)) => Some(f64::from(u8::from(*b))),
        _ => number(value),
    }
}

impl Bounds {
    /// Reads the four keywords.
    pub(super) fn of(node: &Keywords) -> Self {
        let mut low = number(node.minimum);
        let mut high = number(node.maximum);
        let mut open_low = node.exclusive_minimum == Some(&Value::Bool(true));
        let mut open_high = node.exclusive_maximum == Some(&Value::Bool(true));
        if let Some(limit) = number(node.exclusive_minimum)
            && rival(node.minimum).is_none_or(|low| limit >= low)
        {
            (low, open_low) = (Some(limit), true);
        }
        if let Some(limit) = number(node.exclusive_maximum)
            && rival(node.maximum).is_none_or(|high| limit <= high)
        {
            (high, open_high) = (Some(limit), true);
        }
        Self { low, high, open_low, open_high }
    }

    /// The same bounds for drawing: what is infinite bounds nothing.
    pub(super) fn finite(self) -> Self {
        let low = self.low.filter(|f| f.is_finite());
        let high = self.high.filter(|f| f.is_finite());
        Self { low, high, ..self }
    }

    /// Whether a number is at or above the low end.
    pub(super) fn above_low(&self, value: &Value) -> bool {
        self.low.is_none_or(|low| match compare(value, low) {
            Some(Ordering::Less) => false,
            Some(Ordering::Equal) => !self.open_low,
            // NaN lies below nothing
            Some(Ordering::Greater) | None => true,
        })
    }

    /// Whether a number is at or below the high end.
    pub(super) fn below_high(&self, value: &Value) -> bool {
        self.high.is_none_or(|high| match compare(value, high) {
            Some(Ordering::Greater) => false,
            Some(Ordering::Equal) => !self.open_high,
            Some(Ordering::Less) | None => true,
        })
    }
}

/// A number against a bound, exactly: an integer is not rounded to binary64 first.
fn compare(value: &Value, bound: f64) -> Option<Ordering> {
    /// Integers up to here are binary64 numbers.
    const EXACT: u64 = 1 << 53;
    match value {
        Value::Float(f) => f.partial_cmp(&bound),
        Value::Int(n) if n.unsigned_abs() <= EXACT => (*n as f64).partial_cmp(&bound),
        Value::Int(n) => compare_big(&BigInt::from(*n), bound),
        Value::BigInt(n) => compare_big(n, bound),
        _ => None,
    }
}

fn compare_big(n: &BigInt, bound: f64) -> Option<Ordering> {
    if bound.is_nan() {
        return None;
    }
    let Some(floor) = BigInt::from_f64(bound.floor()) else {
        return Some(if bound > 0.0 { Ordering::Less } else { Ordering::Greater });
    };
    Some(n.cmp(&floor).then(if bound.fract() == 0.0 { Ordering::Equal } else { Ordering::Less }))
}

/// `v` rounded to two decimals: its exact decimal value, half to even.
pub(super) fn round2(v: f64) -> f64 {
    // from here on every binary64 number is a whole one
    if !v.is_finite() || v.abs() >= 4_503_599_627_370_496.0 {
        return v;
    }
    format!("{v:.2}").parse().unwrap_or(v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decimals_of_the_exact_value_half_to_even() {
        for (v, wanted) in [
            (0.125, 0.12),
            (0.375, 0.38),
            (-0.125, -0.12),
            (2.675, 2.67),
            (1.005, 1.0),
            (1e22, 1e22),
            (4_503_599_627_370_497.0, 4_503_599_627_370_497.0),
            (0.005, 0.01),
            (0.015, 0.01),
            (f64::INFINITY, f64::INFINITY),
        ] {
            assert_eq!(round2(v), wanted, "{v}");
        }
        assert!(round2(-0.001).is_sign_negative());
        assert!(round2(f64::NAN).is_nan());
    }
}
