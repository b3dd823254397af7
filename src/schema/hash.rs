//! The three keyed hashes of rules 3.1: BLAKE2b with a key, 32 bytes, read as one big-endian number.
//!
//! A key's state is kept after the key block and K have gone in, and cloned for every draw: one draw then costs one or two
//! compressions, whatever the length of K.

use blake2b_simd::{Params, State};
use num_bigint::BigUint;
use num_traits::Zero;
use std::sync::OnceLock;

/// Joins the parts of a message.
const US: &[u8] = b"\x1f";

/// The state of a hash keyed with `word`, before any message.
fn keyed(cell: &'static OnceLock<State>, word: &'static str) -> State {
    cell.get_or_init(|| Params::new().hash_length(32).key(word.as_bytes()).to_state()).clone()
}

fn simulator() -> State {
    static CELL: OnceLock<State> = OnceLock::new();
    keyed(&CELL, "poisson-tasks/own/simulator/1")
}

fn generator() -> State {
    static CELL: OnceLock<State> = OnceLock::new();
    keyed(&CELL, "poisson-tasks/own/generator-draw/1")
}

fn structure() -> State {
    static CELL: OnceLock<State> = OnceLock::new();
    keyed(&CELL, "task-generator/structure-draw/1")
}

fn finish(state: &State) -> [u8; 32] {
    state.finalize().as_bytes().first_chunk().copied().unwrap_or_default()
}

/// A 256-bit big-endian number mod `n`; 0 when `n` is 0.
pub(super) fn modulo(bits: &[u8; 32], n: u64) -> u64 {
    if n == 0 {
        return 0;
    }
    if let Ok(small) = u32::try_from(n) {
        let n = u64::from(small);
        return bits.chunks_exact(4).fold(0, |rest, four| {
            let limb = four.iter().fold(0_u64, |limb, b| limb << 8 | u64::from(*b));
            (rest << 32 | limb) % n
        });
    }
    let n = u128::from(n);
    let rest = bits.chunks_exact(8).fold(0_u128, |rest, eight| {
        let limb = eight.iter().fold(0_u128, |limb, b| limb << 8 | u128::from(*b));
        (rest << 64 | limb) % n
    });
    rest as u64
}

/// Remainders by one small number (below 2^28) again and again: what each of the eight limbs of 32 bits counts is worked
/// out once, which leaves one division for each remainder.
struct Remainders {
    n: u64,
    /// 2^32 to the power of the limbs behind each limb, mod `n`.
    weights: [u64; 8],
}

impl Remainders {
    fn new(n: usize) -> Self {
        let n = n.clamp(1, 1 << 28) as u64;
        let mut weights = [1 % n; 8];
        for i in (0..7).rev() {
            weights[i] = (weights[i + 1] << 32) % n;
        }
        Self { n, weights }
    }

    fn of(&self, bits: &[u8; 32]) -> usize {
        let limbs = bits.as_chunks::<4>().0.iter().map(|four| u64::from(u32::from_be_bytes(*four)));
        (limbs.zip(&self.weights).map(|(limb, weight)| limb * weight).sum::<u64>() % self.n) as usize
    }
}

/// A 256-bit big-endian number mod a number of any size; 0 when `n` is 0.
pub(super) fn modulo_big(bits: &[u8; 32], n: &BigUint) -> BigUint {
    if n.is_zero() { BigUint::zero() } else { BigUint::from_bytes_be(bits) % n }
}

/// The beginning of draw keys that only end differently, gone in once.
#[derive(Debug, Clone)]
pub struct KeyStart {
    state: State,
}

impl KeyStart {
    /// The beginning of a key, in parts.
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut state = simulator();
        for part in parts {
            state.update(part.as_bytes());
        }
        Self { state }
    }

    /// The key that begins so and ends with `rest`.
    pub fn key(&self, rest: &str) -> DrawKey {
        let mut state = self.state.clone();
        state.update(rest.as_bytes()).update(US);
        DrawKey { state }
    }
}

/// A BLAKE2b midstate for one draw key K (rules 3.1); cheap to clone.
#[derive(Debug, Clone)]
pub struct DrawKey {
    state: State,
}

impl DrawKey {
    /// The key of every `choice`, `word` and `draw`.
    pub fn new(key: &str) -> Self {
        KeyStart::new([key]).key("")
    }

    /// The same key with the beginning of a salt gone in: further salts continue it.
    pub(super) fn after(&self, salt: &str) -> Self {
        let mut state = self.state.clone();
        state.update(salt.as_bytes());
        Self { state }
    }

    /// bits(K, salt), 32 bytes big-endian.
    pub fn bits(&self, salt: &str) -> [u8; 32] {
        finish(self.state.clone().update(salt.as_bytes()))
    }

    /// bits mod n; n > 0 (0 gives 0).
    pub fn choice(&self, salt: &str, n: u64) -> u64 {
        modulo(&self.bits(salt), n)
    }

    /// n letters: character i from `alphabet` by choice(`salt/i`); empty when the alphabet is.
    pub fn word(&self, salt: &str, n: usize, alphabet: &str) -> String {
        let mut start = self.after(salt);
        start.state.update(b"/");
        let letters = Remainders::new(alphabet.chars().count());
        let mut word = String::with_capacity(n.min(1 << 20));
        for i in 0..n {
            let at = letters.of(&start.bits(decimal(i, &mut [0; 20])));
            match if alphabet.is_ascii() { alphabet.get(at..=at) } else { None } {
                Some(letter) => word.push_str(letter),
                None => word.extend(alphabet.chars().nth(at)),
            }
        }
        word
    }
}

/// `n` in decimal, written at the end of `room`.
pub(super) fn decimal(mut n: usize, room: &mut [u8; 20]) -> &str {
    let mut start = room.len();
    loop {
        start -= 1;
        room[start] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 || start == 0 {
            break;
        }
    }
    std::str::from_utf8(&room[start..]).unwrap_or_default()
}

/// The generator draw `pick(K, salt, n)` of rules 3.1.
#[derive(Debug, Clone)]
pub struct PickKey {
    state: State,
}

impl PickKey {
    /// The generator key K.
    pub fn new(key: &str) -> Self {
        let mut state = generator();
        state.update(key.as_bytes()).update(US);
        Self { state }
    }

    /// The draw mod n; n > 0 (0 gives 0).
    pub fn pick(&self, salt: &str, n: u64) -> u64 {
        modulo(&finish(self.state.clone().update(salt.as_bytes())), n)
    }
}

/// prf(domain, seed, split): a 256-bit number (rules 3.1), big-endian bytes.
pub fn prf(domain: &str, seed: u64, split: &str) -> [u8; 32] {
    let mut state = structure();
    state.update(domain.as_bytes()).update(US).update(seed.to_string().as_bytes()).update(US).update(split.as_bytes());
    finish(&state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bits: &[u8]) -> String {
        bits.iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn the_worked_bits_are_reproduced() {
        let key = DrawKey::new("k");
        assert_eq!(hex(&key.bits("s")), "b662ce21ab2030f43bc849e4f787f3be0dd28b9043046e97497637a52e231975");
        assert_eq!(key.choice("s", 1000), 341);
        assert_eq!(PickKey::new("k").pick("s", 1000), 578);
    }

    #[test]
    fn a_salt_in_two_pieces_is_the_same_salt() {
        let key = DrawKey::new(&"long key ".repeat(40));
        for cut in 0..=5 {
            let (a, b) = "a/b/c".split_at(cut);
            assert_eq!(key.after(a).bits(b), key.bits("a/b/c"));
        }
    }

    #[test]
    fn every_modulus_agrees_with_big_numbers() {
        let key = DrawKey::new("modulus");
        let moduli =
            [1, 2, 3, 26, 1000, u64::from(u32::MAX), u64::from(u32::MAX) + 1, 1 << 33, u64::MAX - 58, u64::MAX];
        for i in 0..200 {
            let bits = key.bits(&i.to_string());
            for n in moduli {
                assert_eq!(BigUint::from(modulo(&bits, n)), modulo_big(&bits, &BigUint::from(n)));
            }
            for n in [1, 2, 26, 36, 1000, 1 << 16, 1 << 28] {
                assert_eq!(Remainders::new(n).of(&bits) as u64, modulo(&bits, n as u64));
            }
        }
        assert_eq!(modulo(&key.bits(""), 0), 0);
    }

    #[test]
    fn a_word_takes_its_letters_from_numbered_salts() {
        let key = DrawKey::new("k");
        let word = key.word("a/b", 12, "xyz");
        for (i, letter) in word.chars().enumerate() {
            assert_eq!(letter as u64, u64::from(b'x') + key.choice(&format!("a/b/{i}"), 3));
        }
        assert_eq!(word.len(), 12);
        assert_eq!(key.word("a", 3, ""), "");
        assert_eq!(key.word("a", 0, "ab"), "");
    }

    #[test]
    fn numbers_are_written_in_decimal() {
        for n in [0, 7, 10, 99, 1000, usize::MAX] {
            assert_eq!(decimal(n, &mut [0; 20]), n.to_string());
        }
    }

    #[test]
    fn the_account_number_of_the_worked_example() {
        let bits = prf("task-generator/similarity-number/1", 404, "eval");
        assert_eq!(1000 + modulo(&bits, 9000), 6713);
        assert_eq!(1000 + modulo(&prf("task-generator/similarity-number/1", 55, "eval"), 9000), 8343);
    }
}
