//! The stores of two episodes at every row of their alignment.

use super::calls::{Played, Row, Stored};
use crate::schema::same;
use crate::value::{Str, Value};

/// A write in a store.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreEntry {
    /// The tool.
    pub tool: Str,
    /// Its arguments.
    pub arguments: Value,
    /// How it counts.
    pub kind: Stored,
}

/// What two stores hold that the other does not, after one row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoreDiff {
    /// How many writes both hold.
    pub both: usize,
    /// Writes only a's store holds, in order.
    pub only_a: Vec<StoreEntry>,
    /// Writes only b's store holds, in order.
    pub only_b: Vec<StoreEntry>,
}

impl StoreDiff {
    /// Whether the stores are the same.
    pub fn is_same(&self) -> bool {
        self.only_a.is_empty() && self.only_b.is_empty()
    }

    fn put(&mut self, entry: StoreEntry, into_a: bool) {
        let (mine, other) =
            if into_a { (&mut self.only_a, &mut self.only_b) } else { (&mut self.only_b, &mut self.only_a) };
        let twin = other
            .iter()
            .position(|e| e.kind == entry.kind && e.tool == entry.tool && same(&e.arguments, &entry.arguments));
        match twin {
            Some(twin) => {
                other.remove(twin);
                self.both += 1;
            }
            None => mine.push(entry),
        }
    }
}

/// The difference of the stores after these rows: pass the first of an alignment's rows to see it at any of them.
pub fn store_diff(rows: &[Row], a: &[Played], b: &[Played]) -> StoreDiff {
    let mut diff = StoreDiff::default();
    let entry = |played: &Played| {
        played.stored.map(|kind| StoreEntry {
            tool: played.call.tool.clone(),
            arguments: played.call.arguments.clone(),
            kind,
        })
    };
    for row in rows {
        if let Some(entry) = row.a.and_then(|i| entry(&a[i])) {
            diff.put(entry, true);
        }
        if let Some(entry) = row.b.and_then(|j| entry(&b[j])) {
            diff.put(entry, false);
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::super::calls::{align, tests::played};
    use super::*;

    #[test]
    fn stores_part_and_meet_again() {
        let (a, b) = (played("w:1 r:0 w:2"), played("r:0 w:2 w:1"));
        let rows = align(&a, &b);
        assert!(!store_diff(&rows[..1], &a, &b).is_same());
        let last = store_diff(&rows, &a, &b);
        assert!(last.is_same());
        assert_eq!(last.both, 2);
    }

    #[test]
    fn a_duplicate_is_not_the_write_it_repeats() {
        let a = played("w:1");
        let mut b = played("w:1 w:1");
        b[1].stored = Some(Stored::Duplicate);
        let diff = store_diff(&align(&a, &b), &a, &b);
        assert_eq!(diff.only_b[0].kind, Stored::Duplicate);
        assert_eq!(diff.both, 1);
    }
}
