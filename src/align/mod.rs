//! Two sides paired and differenced: values down to the changed place, the calls of two episodes, the stores they left.
//!
//! Owns: [`changes`] of two values, [`align`]ing calls (missing, repeated, moved), the [`store_diff`] at any row, one
//! [`cause`] in words. Pure; does not know runs or cards, and reads no file.

mod calls;
mod cause;
mod stores;
mod values;

pub use calls::{Ended, Played, Row, RowKind, Stored, align, first_divergence};
pub use cause::cause;
pub use stores::{StoreDiff, StoreEntry, store_diff};
pub use values::{Change, ChangeKind, changes};
