//! Where the nodes of a YAML text begin: for messages, so what the parser refuses ends the search and nothing more.

use crate::value::lines::Wanted;
use granit_parser::{Event, Parser};

/// A list or mapping whose end has not come.
enum Open {
    List(usize),
    /// Whether a value comes next.
    Mapping(bool),
}

/// Notes the offset of every wanted place that is met.
pub(in crate::value) fn find(text: &str, wanted: &mut Wanted) {
    let (mut open, mut path): (Vec<Open>, Vec<String>) = (Vec::new(), Vec::new());
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return };
        let start = span.byte_range().map_or(0, |range| range.start);
        if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
            open.pop();
            path.pop();
            continue;
        }
        if !event.is_node() && !matches!(event, Event::Alias(_)) {
            continue;
        }
        let is_key = matches!(open.last(), Some(Open::Mapping(false)));
        match open.last_mut() {
            Some(Open::List(next)) => {
                path.push(next.to_string());
                *next += 1;
                if let Some((last, above)) = path.split_last() {
                    wanted.below(above).and_then(|here| here.met(last, start));
                }
            }
            Some(Open::Mapping(value)) => {
                if !*value {
                    let key = if let Event::Scalar(key, ..) = &event { key.to_string() } else { String::new() };
                    wanted.below(&path).and_then(|here| here.met(&key, start));
                    path.push(key);
                }
                *value = !*value;
            }
            None => path.push(String::new()),
        }
        if open.is_empty() {
            // The document itself: pointers begin below it.
            path.clear();
        }
        match event {
            // A key that is a list or mapping: pointers cannot name what is inside.
            Event::SequenceStart(..) | Event::MappingStart(..) if is_key => return,
            Event::SequenceStart(..) => open.push(Open::List(0)),
            Event::MappingStart(..) => open.push(Open::Mapping(false)),
            _ if is_key => {}
            _ => drop(path.pop()),
        }
    }
}
