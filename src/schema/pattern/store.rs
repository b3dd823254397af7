//! Compiled patterns kept between searches, and those that were given up.

use super::{Match, Pattern};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// How many patterns are kept.
const MOST_PATTERNS: usize = 2048;
/// How many instructions they may hold together.
const MOST_INSTRUCTIONS: usize = 4 << 20;
/// How many patterns that were given up are remembered.
const MOST_GIVEN_UP: usize = 64;

#[derive(Default)]
struct Store {
    /// By source; `None` for what Python does not compile.
    patterns: HashMap<Arc<str>, Option<Arc<Pattern>>>,
    instructions: usize,
    given_up: BTreeSet<Arc<str>>,
}

fn store() -> &'static RwLock<Store> {
    static STORE: OnceLock<RwLock<Store>> = OnceLock::new();
    STORE.get_or_init(RwLock::default)
}

fn compiled(source: &Arc<str>) -> Option<Arc<Pattern>> {
    if let Some(known) = store().read().unwrap_or_else(PoisonError::into_inner).patterns.get(source) {
        return known.clone();
    }
    let pattern = Pattern::compile(source).map(Arc::new);
    let size = pattern.as_ref().map_or(1, |pattern| pattern.size());
    let mut store = store().write().unwrap_or_else(PoisonError::into_inner);
    if store.patterns.len() >= MOST_PATTERNS || store.instructions + size > MOST_INSTRUCTIONS {
        store.patterns.clear();
        store.instructions = 0;
    }
    if store.patterns.insert(source.clone(), pattern.clone()).is_none() {
        store.instructions += size;
    }
    pattern
}

/// Whether a text fits a pattern: it is found, or the pattern is none, or it was given up.
pub(in crate::schema) fn admits(source: &Arc<str>, text: &str) -> bool {
    let Some(pattern) = compiled(source) else { return true };
    match pattern.find(text) {
        Match::Yes => true,
        Match::No => false,
        Match::GaveUp => {
            let mut store = store().write().unwrap_or_else(PoisonError::into_inner);
            if store.given_up.len() < MOST_GIVEN_UP {
                store.given_up.insert(source.clone());
            }
            true
        }
    }
}

/// The patterns that were given up since the program began because a search tried too much, sorted; each counts as fitting
/// wherever that happened (rules 3.4). Whoever shows results says so once.
pub fn given_up_patterns() -> Vec<Arc<str>> {
    store().read().unwrap_or_else(PoisonError::into_inner).given_up.iter().cloned().collect()
}
