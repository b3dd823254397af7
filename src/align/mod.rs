//! Two sides paired and differenced: values down to the changed place, the calls of two episodes, the stores they left.
//!
//! Owns: [`changes`] of two values and their [`lines`] beside each other, [`align`]ing calls (missing, repeated, moved),
//! the [`store_diff`] at any row, one [`cause`] in words and how one call's answers are [`parting`]. Pure; does not know runs or cards, and reads no file.
//!
//! ```
//! use rehearsal::align::{ChangeKind, changes};
//! use rehearsal::value::read_json;
//! let value = |text: &str| read_json(text.as_bytes()).unwrap().root;
//! let found = changes(&value(r#"{"sku": "a", "bin": 1}"#), &value(r#"{"bin": 1.0, "sku": "b"}"#));
//! assert_eq!(found.len(), 1, "1 and 1.0 are one number, and order is none");
//! assert_eq!((found[0].at.as_str(), found[0].kind), ("/sku", ChangeKind::Changed));
//! ```

mod calls;
mod cause;
mod lines;
mod parting;
mod stores;
mod values;

pub use calls::{Ended, Played, Row, RowKind, Stored, align, first_divergence};
pub use cause::cause;
pub use lines::{Line, LineKind, Side, lines, value_lines};
pub use parting::{apart, parting};
pub use stores::{StoreDiff, StoreEntry, store_diff};
pub use values::{Change, ChangeKind, changes};
