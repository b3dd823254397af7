//! Blocks of attempts and the figures over them: pass@k, means, quantiles (rules 8.4).
//!
//! Every sum runs left to right in binary64, uncompensated: the figures of a published card are matched to the last digit.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use std::collections::HashMap;

/// The scored attempts of one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// The task's seed.
    pub seed: u64,
    /// Attempts scored.
    pub n: usize,
    /// Strict passes among them.
    pub strict: usize,
    /// Leaky passes among them.
    pub leaky: usize,
}

/// Sums left to right.
pub(super) fn sum(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |total, v| total + v)
}

/// The mean of values; `None` of none.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| sum(values) / values.len() as f64)
}

/// The usual median: the middle, or the mean of the two in the middle; `None` of none.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values);
    let m = sorted.len();
    match m {
        0 => None,
        _ if m % 2 == 1 => Some(sorted[m / 2]),
        _ => Some(f64::midpoint(sorted[m / 2 - 1], sorted[m / 2])),
    }
}

/// Values in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Where the quantile `q` stands in a sorted list of `m` > 0: element ceil(q*m)-1, clamped.
pub(super) fn quantile_index(q: f64, m: usize) -> usize {
    let place = (q * m as f64).ceil();
    (place.max(1.0) as usize).min(m) - 1
}

/// The quantile `q` of a sorted list; `None` of none.
pub(super) fn quantile<T: Copy>(sorted: &[T], q: f64) -> Option<T> {
    if sorted.is_empty() { None } else { sorted.get(quantile_index(q, sorted.len())).copied() }
}

/// pass@k of blocks, with 1 - C(n-c,k)/C(n,k) worked out once for every (n, c, k).
#[derive(Debug, Default)]
pub(super) struct PassAtK {
    known: HashMap<(usize, usize, usize), f64>,
}

impl PassAtK {
    /// 1 - C(n-c,k)/C(n,k); `k` is at most `n`, `c` at most `n`.
    pub(super) fn of(&mut self, n: usize, c: usize, k: usize) -> f64 {
        *self.known.entry((n, c, k)).or_insert_with(|| 1.0 - ratio(&choose(n - c, k), &choose(n, k)))
    }

    /// The value of every block, in block order.
    pub(super) fn over(&mut self, blocks: &[Block], passes: impl Fn(&Block) -> usize, k: usize) -> Vec<f64> {
        blocks.iter().map(|b| self.of(b.n, passes(b), k)).collect()
    }
}

/// C(n, k), exactly.
fn choose(n: usize, k: usize) -> BigUint {
    if k > n {
        return BigUint::zero();
    }
    let mut out = BigUint::from(1_u32);
    for i in 0..k.min(n - k) {
        out = out * BigUint::from(n - i) / BigUint::from(i + 1);
    }
    out
}

/// a/b rounded once to the nearest binary64, as a division of two integers of any size is in Python.
fn ratio(a: &BigUint, b: &BigUint) -> f64 {
    const EXACT: u64 = 1 << 53;
    if let (Some(a), Some(b)) = (a.to_u64(), b.to_u64())
        && a <= EXACT
        && b <= EXACT
    {
        return a as f64 / b as f64;
    }
    if a.is_zero() {
        return 0.0;
    }
    // Scale so that the quotient has 55 or 56 bits; what is left over only says on which side of a tie it lies.
    let shift = 56 - (a.bits() as i64 - b.bits() as i64);
    let (scaled_a, scaled_b) = if shift >= 0 { (a << shift, b.clone()) } else { (a.clone(), b << -shift) };
    let quotient = &scaled_a / &scaled_b;
    let sticky = u64::from(&quotient * &scaled_b != scaled_a);
    let bits = quotient.to_u64().unwrap_or(u64::MAX) | sticky;
    bits as f64 * 2_f64.powi(-i32::try_from(shift).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_at_k_of_small_blocks() {
        let mut p = PassAtK::default();
        assert_eq!(p.of(5, 0, 3), 0.0);
        assert_eq!(p.of(5, 5, 3), 1.0);
        assert_eq!(p.of(5, 2, 1), 1.0 - 3.0 / 5.0);
        assert_eq!(p.of(5, 2, 2), 1.0 - 3.0 / 10.0);
        assert_eq!(p.of(5, 4, 2), 1.0);
    }

    #[test]
    fn pass_at_k_of_large_blocks_is_rounded_once() {
        // 1 - comb(190, 50) / comb(200, 50) and 1 - comb(999, 500) / comb(1000, 500), by exact integers.
        let mut p = PassAtK::default();
        assert_eq!(p.of(200, 10, 50), 0.9479063705959571);
        assert_eq!(p.of(1000, 1, 500), 0.5);
        assert_eq!(p.of(1000, 700, 200), 1.0);
    }

    #[test]
    fn quantiles_take_an_element() {
        let list: Vec<u32> = (1..=2000).collect();
        assert_eq!(quantile(&list, 0.025), Some(50));
        assert_eq!(quantile(&list, 0.975), Some(1950));
        assert_eq!(quantile(&[7], 0.9), Some(7));
        assert_eq!(quantile(&[1, 2], 0.0), Some(1));
        assert_eq!(quantile::<u32>(&[], 0.5), None);
    }

    #[test]
    fn medians_are_the_usual_ones() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
