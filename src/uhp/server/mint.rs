//! Random ids and keys, and the time they are made at.

use crate::uhp::wire::error::{Code, Problem};
use crate::value::canonical::hex;
use sha2::{Digest, Sha256};
use std::time::{SystemTime, UNIX_EPOCH};

/// A new id: the prefix and 32 random hex digits.
pub(super) fn id(prefix: &str) -> Result<String, Problem> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|_| Problem::new(Code::Internal, "The server could not draw a random number."))?;
    Ok(format!("{prefix}{}", hex(&bytes)))
}

/// A new bearer key with 256 random bits.
pub fn random_key() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(format!("rehearsal-{}", hex(&bytes)))
}

/// The id of the harness that a principal has for a base from the start: the same at every start, so that a client's
/// own settings keep working.
pub(super) fn first_harness(principal: &str, base: &str) -> String {
    let digest = Sha256::digest(format!("rehearsal/harness\x1f{principal}\x1f{base}").as_bytes());
    format!("chrn_{}", hex(&digest[..16]))
}

/// Unix milliseconds.
pub(super) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Unix seconds.
pub(super) fn now() -> u64 {
    now_ms() / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_first_harnesses_stay() {
        assert_ne!(id("resp_").unwrap(), id("resp_").unwrap());
        assert_eq!(id("resp_").unwrap().len(), 37);
        assert_eq!(first_harness("a", "b"), first_harness("a", "b"));
        assert_ne!(first_harness("a", "b"), first_harness("c", "b"));
        assert_ne!(random_key().unwrap(), random_key().unwrap());
    }
}
