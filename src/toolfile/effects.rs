//! Effects that the user declares, in place of the file's (rules 1.9).
use super::reading::{ReadOptions, Reading, WholeError, WholeKind};
use super::tool::{Effect, Tool};
use crate::text::nearest;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Puts the declared effects on the usable tools. A name that belongs to no usable tool, or is in both lists, refuses the whole
/// and changes nothing. Called before `--only` leaves tools out, so that a declaration may name those too.
pub(super) fn declare(reading: &mut Reading, options: &ReadOptions) -> Result<(), WholeError> {
    if options.read.is_empty() && options.write.is_empty() {
        return Ok(());
    }
    let index: HashMap<&str, usize> = reading.tools.iter().enumerate().map(|(i, tool)| (&*tool.name, i)).collect();
    let refuse = |message: String| WholeError::new(WholeKind::Effects, message);
    for (names, word) in [(&options.read, "read"), (&options.write, "write")] {
        if let Some(unknown) = names.iter().find(|name| !index.contains_key(name.as_str())) {
            return Err(refuse(explain(reading, unknown, word)));
        }
    }
    let reads: HashSet<&str> = options.read.iter().map(String::as_str).collect();
    if let Some(both) = options.write.iter().find(|name| reads.contains(name.as_str())) {
        return Err(refuse(format!("{both} is declared both a read and a write: keep one")));
    }
    let mut changes = Vec::new();
    for (names, effect) in [(&options.read, Effect::Read), (&options.write, Effect::Write)] {
        changes.extend(names.iter().filter_map(|name| index.get(name.as_str()).map(|&i| (i, effect))));
    }
    for (i, effect) in changes {
        if let Some(tool) = reading.tools.get_mut(i) {
            let declared = Tool { effect, ..(**tool).clone() };
            *tool = Arc::new(declared);
        }
    }
    Ok(())
}

/// Why a declared name is nobody's, with the next thing to try.
fn explain(reading: &Reading, name: &str, word: &str) -> String {
    let start = format!("{name} is declared a {word}, but");
    if let Some(tool) = reading.tools.iter().find(|tool| &*tool.original == name) {
        return format!("{start} that tool is sent as {}", tool.name);
    }
    if let Some(refused) = reading.refused.iter().find(|refused| &*refused.name == name) {
        return format!("{start} that tool is refused: {}", refused.reason);
    }
    match nearest(name, reading.tools.iter().map(|tool| &*tool.name)) {
        Some(near) => format!("{start} no usable tool has that name: did you mean {near}?"),
        None => format!("{start} no usable tool has that name"),
    }
}
