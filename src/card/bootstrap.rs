//! Intervals by resampling blocks (rules 8.4).
//!
//! The generator starts fresh for every statistic, so all statistics over the same number of blocks draw the same indices:
//! they are drawn once and every statistic adds its own values, each in its own order, left to right.

use super::mt::Mt19937;
use super::stats::quantile;

/// A low and a high end.
pub type Interval = [f64; 2];

/// A statistic handed in, to ask its interval by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(usize);

/// Statistics side by side in one pass; bounds what a pass holds.
const LANES: usize = 16;

/// How many resamples are drawn between two words on how far it is.
const BETWEEN: usize = 100;

/// Collects statistics, then draws for all of them.
#[derive(Debug)]
pub struct Bootstrap {
    seed: u64,
    resamples: usize,
    values: Vec<Vec<f64>>,
}

/// The intervals of every statistic handed in.
#[derive(Debug)]
pub struct Intervals(Vec<Option<Interval>>);

impl Intervals {
    /// The interval of one statistic; `None` for one over no blocks.
    pub fn get(&self, ticket: Ticket) -> Option<Interval> {
        self.0.get(ticket.0).copied().flatten()
    }
}

impl Bootstrap {
    /// Starts with a card's own seed and number of resamples.
    pub fn new(seed: u64, resamples: usize) -> Self {
        Self { seed, resamples, values: Vec::new() }
    }

    /// Hands in one statistic: its value per block, in block order.
    pub fn add(&mut self, values: Vec<f64>) -> Ticket {
        self.values.push(values);
        Ticket(self.values.len() - 1)
    }

    /// Draws.
    pub fn run(self) -> Intervals {
        self.run_telling(&mut |_, _| true).unwrap_or(Intervals(Vec::new()))
    }

    /// Draws, and tells how many of how many draws are done; nothing when it was told to stop.
    pub fn run_telling(self, tell: &mut dyn FnMut(u64, u64) -> bool) -> Option<Intervals> {
        let mut out = vec![None; self.values.len()];
        let mut sizes: Vec<usize> = self.values.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for size in sizes.into_iter().filter(|&s| s > 0 && u32::try_from(s).is_ok() && self.resamples > 0) {
            let members: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].len() == size).collect();
            groups.extend(members.chunks(LANES).map(|group| (size, group.to_vec())));
        }
        let draws = |size: usize| (size * self.resamples) as u64;
        let total: u64 = groups.iter().map(|(size, _)| draws(*size)).sum();
        let mut done = 0;
        for (size, group) in groups {
            let mut tell = |resamples: usize| tell(done + (size * resamples) as u64, total);
            let whole = match group.len() {
                1 => self.draw_group::<1>(size, &group, &mut out, &mut tell),
                2 => self.draw_group::<2>(size, &group, &mut out, &mut tell),
                3 | 4 => self.draw_group::<4>(size, &group, &mut out, &mut tell),
                5..=8 => self.draw_group::<8>(size, &group, &mut out, &mut tell),
                _ => self.draw_group::<LANES>(size, &group, &mut out, &mut tell),
            };
            if !whole {
                return None;
            }
            done += draws(size);
        }
        Some(Intervals(out))
    }

    /// One pass of the generator for up to `N` statistics over `size` blocks; false when it was told to stop.
    fn draw_group<const N: usize>(
        &self,
        size: usize,
        group: &[usize],
        out: &mut [Option<Interval>],
        tell: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        // Laid out block by block, so that one drawn index adds to every statistic at once.
        let mut rows = vec![[0.0_f64; N]; size];
        for (lane, &member) in group.iter().enumerate() {
            for (row, value) in rows.iter_mut().zip(&self.values[member]) {
                row[lane] = *value;
            }
        }
        let mut means: Vec<Vec<f64>> = vec![Vec::with_capacity(self.resamples); group.len()];
        let mut mt = Mt19937::new(self.seed);
        for resample in 0..self.resamples {
            if resample % BETWEEN == 0 && !tell(resample) {
                return false;
            }
            let mut totals = [0.0_f64; N];
            for _ in 0..size {
                let row = &rows[mt.below(size as u32) as usize];
                for (total, value) in totals.iter_mut().zip(row) {
                    *total += value;
                }
            }
            for (list, total) in means.iter_mut().zip(totals) {
                list.push(total / size as f64);
            }
        }
        for (mut list, &member) in means.into_iter().zip(group) {
            list.sort_unstable_by(f64::total_cmp);
            out[member] = quantile(&list, 0.025).zip(quantile(&list, 0.975)).map(|(low, high)| [low, high]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statistic_has_the_same_interval_alone_and_among_others() {
        let values: Vec<f64> = (0..7).map(|i| f64::from(i) / 7.0).collect();
        let mut alone = Bootstrap::new(20_260_922, 2000);
        let ticket = alone.add(values.clone());
        let want = alone.run().get(ticket);
        let mut many = Bootstrap::new(20_260_922, 2000);
        let tickets: Vec<Ticket> =
            (0..40).map(|i| many.add(if i % 3 == 0 { vec![0.5; 9] } else { values.clone() })).collect();
        let none = many.add(Vec::new());
        let intervals = many.run();
        assert_eq!(intervals.get(none), None);
        for (i, ticket) in tickets.into_iter().enumerate() {
            let expected = if i % 3 == 0 { Some([0.5, 0.5]) } else { want };
            assert_eq!(intervals.get(ticket), expected);
        }
        // random.Random(20260922), 2,000 means of seven drawn values, sorted, elements 49 and 1949
        assert_eq!(want, Some([0.22448979591836732, 0.6326530612244898]));
    }
}
