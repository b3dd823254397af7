//! Append-only lines that survive being killed at any byte: the run folder's records and the stepper's journal.
//!
//! Owns: [`Lines`] (append, commit, drop a torn tail), [`whole_lines`] (read back), [`keep_lines`] (cut to a number of whole
//! lines), [`is_torn`], and the [`journal`]: what a session of the stepper writes as it goes, and how it is brought back. A
//! line is what ends in a newline; what follows the last newline was torn off while being written and does not count.
//!
//! ```
//! use rehearsal::record::{Lines, whole_lines};
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("lines.jsonl");
//! let mut lines = Lines::open(&path)?;
//! lines.append("{}")?;
//! lines.commit()?;
//! drop(lines);
//! std::fs::write(&path, "{}\n{\"torn")?;
//! let mut read = whole_lines(&path)?.unwrap();
//! assert_eq!(read.next_line()?.unwrap().1, b"{}");
//! assert!(read.next_line()?.is_none());
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod journal;
mod lines;

pub use lines::{Lines, WholeLines, is_torn, keep_lines, whole_lines};
