//! Runs of text bytes that need no attention, found eight at a time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether one of the eight bytes is below `n`; bytes from 0x80 on are not.
fn has_below(word: u64, n: u64) -> bool {
    word.wrapping_sub(LOW * n) & !word & HIGH != 0
}

/// Whether one of the eight bytes is `b`.
fn has(word: u64, b: u8) -> bool {
    has_below(word ^ (LOW * u64::from(b)), 1)
}

/// Whether one of the eight bytes is `"`, `\` or below U+0020.
fn has_special(word: u64) -> bool {
    has_below(word, 0x20) | has(word, b'"') | has(word, b'\\')
}

/// Where, from `at` on, the first byte stands of which `special` holds; the length when there is none. `any` says of eight
/// bytes whether one of them is special.
fn end(bytes: &[u8], mut at: usize, any: impl Fn(u64) -> bool, special: impl Fn(u8) -> bool) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        if any(u64::from_le_bytes(*chunk)) {
            break;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if special(b) {
            break;
        }
        at += 1;
    }
    at
}

/// Where, from `at` on, the first byte stands that is `"`, `\` or below U+0020; the length when there is none.
pub(super) fn plain_end(bytes: &[u8], at: usize) -> usize {
    end(bytes, at, has_special, |b| b < 0x20 || b == b'"' || b == b'\\')
}

/// [`plain_end`] that also stops at U+007F and at everything that is not ASCII.
pub(super) fn ascii_end(bytes: &[u8], at: usize) -> usize {
    let any = |word| word & HIGH != 0 || has_special(word) || has(word, 0x7f);
    end(bytes, at, any, |b| !matches!(b, b' '..=b'~') || b == b'"' || b == b'\\')
}

#[cfg(test)]
mod tests {
    use super::{ascii_end, plain_end};

    #[test]
    fn finds_every_special_byte_at_every_offset() {
        for special in (0..0x20).chain([b'"', b'\\']) {
            for offset in 0..20 {
                let mut bytes = vec![b'~'; 24];
                bytes[offset] = special;
                assert_eq!(plain_end(&bytes, 0), offset, "byte {special:#x}");
            }
        }
        for special in (0..=0xff).filter(|b| !matches!(b, b' '..=b'~') || matches!(b, b'"' | b'\\')) {
            for offset in 0..20 {
                let mut bytes = vec![b'~'; 24];
                bytes[offset] = special;
                assert_eq!(ascii_end(&bytes, 0), offset, "byte {special:#x}");
            }
        }
        let plain: Vec<u8> = (b' '..=b'~').filter(|b| !matches!(b, b'"' | b'\\')).collect();
        assert_eq!(ascii_end(&plain, 0), plain.len());
    }

    #[test]
    fn passes_over_every_other_byte() {
        let plain: Vec<u8> = (0x20..=0xff).filter(|b| !matches!(b, b'"' | b'\\')).collect();
        assert_eq!(plain_end(&plain, 0), plain.len());
        assert_eq!(plain_end(&plain, 3), plain.len());
        assert_eq!(plain_end(b"", 0), 0);
    }
}
