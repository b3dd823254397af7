//! Rates drawn to scale, legible without color: an interval with its point, the outcomes of episodes as signs.

use super::row::Row;
use crate::card::{is_instrument, page};
use crate::theme::Scope;

/// A rate and its interval between 0 and 1: `··├──●──┤····`. Empty without a rate.
pub fn bar(point: Option<f64>, interval: Option<[f64; 2]>, width: usize) -> String {
    let drawn = page::bar(point, interval, width);
    drawn
        .chars()
        .map(|c| match c {
            '.' => '·',
            '[' => '├',
            ']' => '┤',
            '-' => '─',
            _ => '●',
        })
        .collect()
}

/// What an outcome looks like: its style, its sign, and a word for it.
pub fn outcome(label: &str) -> (Scope, char, &str) {
    match label {
        "passed" => (Scope::VerdictPassed, '+', "passed"),
        "wrong_state" => (Scope::DiffRemoved, '-', "wrong state"),
        "collateral_mutation" => (Scope::DiffChanged, '~', "side effect"),
        "malformed_call" => (Scope::Error, '!', "malformed call"),
        "turn_limit" => (Scope::Odd, '?', "turn limit"),
        "overshoot" => (Scope::DiffChanged, '~', "overshoot"),
        label if is_instrument(label) => (Scope::Warn, 'x', "instrument"),
        _ => (Scope::Odd, '?', "other"),
    }
}

/// The signs of outcomes in the order they stand in, `passed` first.
const ORDER: [char; 6] = ['+', '~', '-', '!', '?', 'x'];

/// How often each sign stands, in order.
fn by_sign<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<(Scope, char, u64)> {
    let mut signs: Vec<(Scope, char, u64)> = Vec::new();
    for (label, n) in counts {
        let (scope, sign, _) = outcome(label);
        match signs.iter_mut().find(|(_, s, _)| *s == sign) {
            Some((_, _, sum)) => *sum += n,
            None => signs.push((scope, sign, n)),
        }
    }
    signs.sort_by_key(|(_, sign, _)| ORDER.iter().position(|o| o == sign));
    signs.retain(|(_, _, n)| *n > 0);
    signs
}

/// Outcomes as `width` signs, each outcome by its share and with at least one: `+++++++~~-`.
pub fn mix<'a>(mut row: Row, counts: impl Iterator<Item = (&'a str, u64)>, width: usize) -> Row {
    let signs = by_sign(counts);
    let total: u64 = signs.iter().map(|(_, _, n)| n).sum();
    if total == 0 || width == 0 {
        return row.plain(" ".repeat(width));
    }
    // Fewer episodes than columns: each is one sign.
    let columns = u64::try_from(width).unwrap_or(u64::MAX).min(total);
    let mut shares: Vec<u64> = signs.iter().map(|(_, _, n)| (n * columns / total).max(1)).collect();
    while shares.iter().sum::<u64>() != columns {
        let over = shares.iter().sum::<u64>() > columns;
        // The one furthest from its share gives or takes.
        let off = |i: &usize| shares[*i] as f64 - signs[*i].2 as f64 * columns as f64 / total as f64;
        let places = 0..shares.len();
        let place = if over {
            places.filter(|i| shares[*i] > 1).max_by(|a, b| off(a).total_cmp(&off(b)))
        } else {
            places.min_by(|a, b| off(a).total_cmp(&off(b)))
        };
        let Some(place) = place else { break };
        shares[place] = if over { shares[place] - 1 } else { shares[place] + 1 };
    }
    let mut used = 0;
    for ((scope, sign, _), share) in signs.iter().zip(shares) {
        let n = usize::try_from(share).unwrap_or(0).min(width - used.min(width));
        row = row.put(*scope, sign.to_string().repeat(n));
        used += n;
    }
    row.plain(" ".repeat(width.saturating_sub(used)))
}

/// Outcomes counted: `+30 ~4 -6`.
pub fn counted<'a>(mut row: Row, counts: impl Iterator<Item = (&'a str, u64)>) -> Row {
    for (i, (scope, sign, n)) in by_sign(counts).into_iter().enumerate() {
        row = row.put(scope, format!("{}{sign}{}", if i > 0 { " " } else { "" }, crate::text::group(n)));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_drawn_to_scale() {
        assert_eq!(bar(Some(0.5), Some([0.25, 0.75]), 9), "··├─●─┤··");
        assert_eq!(bar(Some(1.0), Some([1.0, 1.0]), 5), "····●");
        assert_eq!(bar(None, None, 5), "");
    }

    #[test]
    fn outcomes_take_their_share_and_never_none() {
        let text = |counts: &[(&str, u64)], width| mix(Row::new(), counts.iter().copied(), width).text();
        assert_eq!(text(&[("passed", 5), ("wrong_state", 5)], 10), "+++++-----");
        assert_eq!(text(&[("collateral_mutation", 1), ("passed", 999)], 10), "+++++++++~");
        assert_eq!(text(&[("passed", 2), ("turn_limit", 1)], 6), "++?   ");
        assert_eq!(text(&[], 3), "   ");
        assert_eq!(text(&[("passed", 3), ("malformed_call", 0)], 3), "+++");
        let row = counted(Row::new(), [("passed", 1200), ("api_error", 3)].into_iter());
        assert_eq!(row.text(), "+1,200 x3");
    }
}
