//! Short texts that occur again and again (keys above all) are kept once.

use super::Str;
use std::sync::Arc;

const SLOTS: usize = 4_096;
/// Longer texts seldom repeat and are not kept.
const LONGEST: usize = 40;

/// A table of recent short texts, one a slot: its size is fixed, a newcomer takes the slot of whoever was there.
pub(super) struct Interner {
    slots: Vec<Option<Str>>,
}

impl Interner {
    pub(super) fn new() -> Self {
        Self { slots: vec![None; SLOTS] }
    }

    /// Shared text equal to `text`, shared with an earlier one where that is still known.
    pub(super) fn get(&mut self, text: &str) -> Str {
        if text.len() > LONGEST {
            return Arc::from(text);
        }
        let slot = &mut self.slots[slot_of(text.as_bytes())];
        match slot {
            Some(known) if **known == *text => known.clone(),
            _ => slot.insert(Arc::from(text)).clone(),
        }
    }
}

fn slot_of(bytes: &[u8]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut hash = bytes.len() as u64;
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MIX);
    }
    let last = rest.iter().fold(0, |sum, &b| (sum << 8) | u64::from(b));
    hash = (hash.rotate_left(5) ^ last).wrapping_mul(MIX);
    (hash >> 40) as usize % SLOTS
}
