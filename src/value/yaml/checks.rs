//! What PyYAML's scanner refuses and the parser takes.

use super::Fail;
use super::node::Place;

/// An anchor's or alias's name: ASCII letters, digits, `-` and `_`.
pub(super) fn anchor_name(name: &str, place: Place) -> Result<(), Fail> {
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
        Ok(())
    } else {
        Err(Fail::at("an anchor whose name is not of ASCII letters, digits, `-` and `_`", place))
    }
}

/// What stands between two scalars: a tab belongs there only inside a comment or a directive of no meaning.
/// Gives the offset of a tab elsewhere.
pub(super) fn tab(gap: &str) -> Option<usize> {
    gap.find('\t')?;
    let mut start = 0;
    for line in gap.split_inclusive(['\n', '\r']) {
        let name_end = line.find([' ', '\t']).unwrap_or(line.len());
        let end = match line.find('#') {
            _ if line.starts_with('%') && !matches!(&line[..name_end], "%YAML" | "%TAG") => name_end + 1,
            comment => comment.unwrap_or(line.len()),
        };
        if let Some(tab) = line[..end.min(line.len())].find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// Whether a document ends in a text in which none has begun.
pub(super) fn ends_before_beginning(text: &str) -> bool {
    text.split(['\n', '\r']).any(|line| line.starts_with("..."))
}
