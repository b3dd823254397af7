//! Base answers drawn before, kept by tool and arguments. A draw depends on nothing else, so a kept answer and one drawn
//! again are the same; the bound only limits memory.
use crate::schema::DrawKey;
use crate::value::{Str, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many answers one generation keeps, and how many bytes of arguments.
const MAX_ANSWERS: usize = 4096;
const MAX_BYTES: usize = 4 << 20;

/// A base answer and the key it was drawn under.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) value: Value,
    pub(super) key: DrawKey,
    /// The value's call text, made when first asked for.
    pub(super) text: OnceLock<Str>,
}

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Generations>);

/// Two generations: when the young one is full it becomes the old one, so what is used stays and the rest goes.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Str, HashMap<Str, Arc<Drawn>>>,
    old: HashMap<Str, HashMap<Str, Arc<Drawn>>>,
    answers: usize,
    bytes: usize,
}

impl Cache {
    pub(super) fn get_or_draw(&self, tool: &Str, arguments: &str, draw: impl FnOnce() -> Drawn) -> Arc<Drawn> {
        if let Some(found) = self.find(tool, arguments) {
            return found;
        }
        // Drawn outside the lock: two threads may draw the same answer, never a different one.
        let drawn = Arc::new(draw());
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.keep(tool, arguments.into(), drawn.clone());
        drawn
    }

    fn find(&self, tool: &Str, arguments: &str) -> Option<Arc<Drawn>> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = inner.young.get(tool).and_then(|of_tool| of_tool.get(arguments)) {
            return Some(found.clone());
        }
        let (text, found) = inner.old.get_mut(tool).and_then(|of_tool| of_tool.remove_entry(arguments))?;
        inner.keep(tool, text, found.clone());
        Some(found)
    }
}

impl Generations {
    fn keep(&mut self, tool: &Str, arguments: Str, drawn: Arc<Drawn>) {
        if self.answers >= MAX_ANSWERS || self.bytes >= MAX_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.answers = 0;
            self.bytes = 0;
        }
        self.answers += 1;
        self.bytes += arguments.len();
        self.young.entry(tool.clone()).or_default().insert(arguments, drawn);
    }
}
