//! Small questions about stretches of YAML text that lie outside scalars.

/// Whether an anchor's or alias's name is of ASCII letters, digits, `-` and `_`.
pub(super) fn is_anchor_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn without_comment(line: &str) -> &str {
    line.find('#').map_or(line, |comment| &line[..comment])
}

/// What is wrong in the stretch between two scalars, and its offset: a tab belongs there only inside a comment, or inside
/// a directive that means nothing, and a byte order mark would be the beginning of a scalar.
pub(super) fn gap(gap: &str) -> Option<(&'static str, usize)> {
    gap.find(['\t', '\u{feff}'])?;
    let mut start = 0;
    for line in gap.split_inclusive(['\n', '\r']) {
        let name = line.split([' ', '\t']).next().unwrap_or_default();
        let checked = if line.starts_with('%') && !matches!(name, "%YAML" | "%TAG") {
            line.get(..=name.len()).unwrap_or(line)
        } else {
            without_comment(line)
        };
        if let Some(at) = checked.find('\t') {
            return Some(("a tab where only spaces may stand", start + at));
        }
        if let Some(at) = checked.find('\u{feff}') {
            return Some(("a byte order mark in the middle of the text", start + at));
        }
        start += line.len();
    }
    None
}

/// The offset of a comment that follows a block scalar's header without a space; the gap ends where the scalar's text
/// begins.
pub(super) fn header_comment(gap: &str) -> Option<usize> {
    let header = gap.trim_end_matches([' ', '\n', '\r']);
    let line = header.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let comment = line + header[line..].find('#')?;
    let before = header[line..comment].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
    before.ends_with(['|', '>']).then_some(comment)
}

/// What is wrong in the text before a document, and its offset: an end of a document that has not begun, a directive
/// without a proper name.
pub(super) fn prefix(text: &str) -> Option<(&'static str, usize)> {
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        if line.starts_with("...") {
            return Some(("`...` before any document", start));
        }
        if let Some(directive) = line.strip_prefix('%') {
            let rest = directive.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
            if rest.len() == directive.len() || !(rest.is_empty() || rest.starts_with([' ', '\n', '\r'])) {
                return Some(("a directive without a proper name", start));
            }
        }
        start += line.len();
    }
    None
}

/// Whether the last token of a stretch before a key is `?`.
pub(super) fn after_key_sign(before: &str) -> bool {
    for line in before.rsplit(['\n', '\r']) {
        let line = without_comment(line).trim_end_matches(' ');
        if !line.is_empty() {
            return line.ends_with('?');
        }
    }
    false
}

/// The first character of the next token after comments and line breaks.
pub(super) fn next_token(text: &str) -> Option<char> {
    text.split(['\n', '\r']).find_map(|line| without_comment(line).trim_start_matches(' ').chars().next())
}
