//! The figures of a run: records to an artifact, its gates and its page; whether two cards may be compared (rules 8).
//!
//! Owns: the record line, cells, pairs, intervals, `artifact.json`, `card.md`, the verdict of two cards. Pure: it is
//! handed bytes and values, and reads no file. Does not own the run folder (`record`) or the playing (`run`).
//!
//! ```
//! use rehearsal::card::{Artifact, Tallies, card_page, read_records};
//! use rehearsal::value::read_json;
//! let card = "examples/runs/careful/card";
//! let records = read_records(&std::fs::read(format!("{card}/episodes.jsonl"))?).unwrap();
//! let made = std::fs::read_to_string(format!("{card}/artifact.json"))?;
//! let provenance = read_json(made.as_bytes()).unwrap().root.get("provenance").unwrap().clone();
//! let artifact = Artifact::build(&records, provenance, &Tallies::new()).unwrap();
//! assert_eq!(artifact.cell("baddata:b1").unwrap().pass_at_1, Some(1.0));
//! assert_eq!(artifact.text(), made, "byte for byte");
//! assert!(card_page(&artifact, &Default::default()).markdown().starts_with("# Card of"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod arm;
mod artifact;
mod bootstrap;
mod cell;
mod compare;
mod design;
mod episodes;
mod gather;
pub mod html;
mod mt;
mod near;
pub mod page;
mod pairs;
pub mod produced;
mod record;
mod stats;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod words;

pub use arm::ArmName;
pub use artifact::{Artifact, MOST_ATTEMPTS};
pub use bootstrap::{Bootstrap, Interval, Intervals, Ticket};
pub use cell::{Cell, Counted, Slips, Tallies};
pub use compare::{Changed, Comparison, LevelRow};
pub use design::{Design, Rates};
pub use episodes::{EpisodeMark, EpisodeTask, Episodes};
pub use gather::Gather;
pub use mt::Mt19937;
pub use near::{NearPair, nearest_descriptions, nearest_names};
pub use pairs::{Call, Ordering, Pair, paired};
pub use record::{INSTRUMENT, Interner, Record, is_instrument, read_records, run_chain};
pub use stats::Block;
pub use verdict::{Cause, Evidence, ProducedRow, Verdict, verdict};
pub use words::{About, OF_NAMES, page as card_page};
