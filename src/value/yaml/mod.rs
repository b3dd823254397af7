//! YAML 1.1 as PyYAML's safe loader reads it (rules 2.5).
//!
//! The crate granit-parser gives the events; whatever its scanner, made for YAML 1.2, does otherwise is mended here:
//! the text before it is read ([`source`]), the events as they come ([`compose`], [`checks`]), and what the nodes mean
//! ([`construct`]).

mod checks;
mod compose;
mod construct;
mod find;
mod key;
mod node;
mod rescan;
mod resolve;
mod source;
mod time;
mod watch;

pub(super) use find::find;

use super::{MAX_DEPTH, Value, walk};
use granit_parser::{ErrorKind, ScanError};
use node::Place;

/// Why a text is not YAML.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fail {
    pub(super) what: String,
    /// Line and column, both from 1.
    pub(super) at: (usize, usize),
    /// Lists and mappings nest too deep.
    pub(super) too_deep: bool,
}

impl Fail {
    fn at(what: &str, place: Place) -> Fail {
        Fail { what: what.to_owned(), at: (place.0 as usize, place.1 as usize), too_deep: false }
    }

    fn too_deep(place: Place) -> Fail {
        let what = format!("nested more than {MAX_DEPTH} levels deep");
        Fail { too_deep: true, ..Fail::at(&what, place) }
    }

    fn of_parser(error: ScanError) -> Fail {
        let place = (error.marker().line() as u32, error.marker().col() as u32 + 1);
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => Fail::too_deep(place),
            _ => Fail::at(&error.info(), place),
        }
    }
}

/// The value of a decoded text, and the pointer of the first lone surrogate in it.
pub(super) fn parse(text: &str) -> Result<(Value, Option<String>), Fail> {
    let source = source::prepare(text)?;
    let mut graph = compose::compose(&source)?;
    let root = construct::construct(&mut graph)?;
    let surrogate = walk::first_of(&root, &graph.lone);
    Ok((root, surrogate))
}
