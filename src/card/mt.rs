//! The generator behind every interval: MT19937, seeded and drawn from as CPython's `random.Random(int)` does (rules 8.4).

/// Words of state.
const N: usize = 624;
/// Distance of the word mixed in.
const M: usize = 397;

/// MT19937 with CPython's seeding by array and its `randrange`.
#[derive(Debug, Clone)]
pub struct Mt19937 {
    state: [u32; N],
    next: usize,
}

impl Mt19937 {
    /// Seeds with an integer: its 32-bit words, least significant first, are the key of the array initialisation.
    pub fn new(seed: u64) -> Self {
        let words = [seed as u32, (seed >> 32) as u32];
        Self::by_array(if words[1] == 0 { &words[..1] } else { &words })
    }

    fn by_word(seed: u32) -> Self {
        let mut state = [0_u32; N];
        state[0] = seed;
        for i in 1..N {
            let last = state[i - 1];
            state[i] = 1_812_433_253_u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
        Self { state, next: N }
    }

    fn by_array(key: &[u32]) -> Self {
        let mut mt = Self::by_word(19_650_218);
        let state = &mut mt.state;
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let last = state[i - 1];
            state[i] =
                (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i == N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        mt
    }

    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let mixed = if y & 1 == 0 { y >> 1 } else { (y >> 1) ^ 0x9908_b0df };
            self.state[i] = self.state[(i + M) % N] ^ mixed;
        }
        self.next = 0;
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == N {
            self.refill();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// `randrange(n)`: the top bits of one output, as many as `n` is long, drawn again while they make `n` or more.
    /// `n` of 0 gives 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let shift = n.leading_zeros();
        loop {
            let drawn = self.next_u32() >> shift;
            if drawn < n {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_the_first_indices_the_rules_give_for_sixty_blocks() {
        let mut mt = Mt19937::new(20_260_922);
        let drawn: Vec<u32> = (0..12).map(|_| mt.below(60)).collect();
        assert_eq!(drawn, [57, 46, 43, 46, 23, 6, 58, 32, 0, 32, 4, 35]);
    }

    #[test]
    fn seeds_of_more_than_one_word_use_them_all() {
        // random.Random(2**40 + 7).getrandbits(32), twice; and seed 0, whose key is one zero word.
        let mut mt = Mt19937::new((1 << 40) + 7);
        assert_eq!([mt.next_u32(), mt.next_u32()], [LONG_SEED[0], LONG_SEED[1]]);
        let mut zero = Mt19937::new(0);
        assert_eq!(zero.next_u32(), 3_626_764_237);
    }

    const LONG_SEED: [u32; 2] = [2_635_837_658, 3_209_733_218];

    #[test]
    fn a_range_of_one_or_of_a_power_of_two_rejects_what_does_not_fit() {
        let mut mt = Mt19937::new(1);
        assert!((0..100).all(|_| mt.below(1) == 0));
        let mut mt = Mt19937::new(5);
        let drawn: Vec<u32> = (0..8).map(|_| mt.below(64)).collect();
        assert_eq!(drawn, [32, 45, 3, 59, 31, 6, 20, 14]);
    }
}
