//! Runs of text bytes that need no attention, found eight at a time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether one of the eight bytes is `"`, `\` or below U+0020.
fn has_special(word: u64) -> bool {
    let below = |x: u64, n: u64| x.wrapping_sub(LOW * n) & !x & HIGH;
    let quote = word ^ (LOW * u64::from(b'"'));
    let slash = word ^ (LOW * u64::from(b'\\'));
    (below(word, 0x20) | below(quote, 1) | below(slash, 1)) != 0
}

/// Where, from `at` on, the first byte stands that is `"`, `\` or below U+0020; the length when there is none.
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        if has_special(u64::from_le_bytes(*chunk)) {
            break;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b < 0x20 || b == b'"' || b == b'\\' {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::plain_end;

    #[test]
    fn finds_every_special_byte_at_every_offset() {
        for special in (0..0x20).chain([b'"', b'\\']) {
            for offset in 0..20 {
                let mut bytes = vec![b'~'; 24];
                bytes[offset] = special;
                assert_eq!(plain_end(&bytes, 0), offset, "byte {special:#x}");
            }
        }
    }

    #[test]
    fn passes_over_every_other_byte() {
        let plain: Vec<u8> = (0x20..=0xff).filter(|b| !matches!(b, b'"' | b'\\')).collect();
        assert_eq!(plain_end(&plain, 0), plain.len());
        assert_eq!(plain_end(&plain, 3), plain.len());
        assert_eq!(plain_end(b"", 0), 0);
    }
}
