//! What untrusted text may show. Nothing is dropped: a character that a terminal would obey, hide or reorder by becomes a
//! visible symbol, so that two names that differ look different and no name can draw outside its place.

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// Most marks without a width kept after one character; more would cover the lines above and below.
const MARKS: usize = 4;

/// What a mark with nothing before it is shown on.
const CIRCLE: char = '\u{25cc}';

/// Whether the character, which has no width, makes one cluster with what stands before it. A conjoining Korean vowel
/// does not, and would vanish alone.
fn joins(c: char) -> bool {
    let pair: String = [CIRCLE, c].iter().collect();
    pair.graphemes(true).count() == 1
}

/// Whether a terminal would obey, hide or reorder by this character: C0, DEL, C1, bidirectional controls, zero-width
/// characters, line and paragraph separators, fillers, tags, variation selectors, the byte order mark and the like.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffc}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1345f}'
        | '\u{16fe4}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}'
    ) || (c as u32) & 0xfffe == 0xfffe
}

/// The symbol of a hidden character: a control picture for C0 and DEL, `<U+202E>` for the others.
fn push_symbol(out: &mut String, c: char) {
    match c {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + c as u32)),
        '\u{7f}' => out.push('\u{2421}'),
        _ => out.push_str(&format!("<U+{:04X}>", c as u32)),
    }
}

/// Whether text may be shown as it is. Plain ASCII, by far the usual case, is settled byte by byte.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| (0x20..0x7f).contains(&b))
}

/// One line of untrusted text, safe in a cell, a title, a log line or a clipboard; line ends and tabs become symbols
/// too. Borrowed when there was nothing to do.
pub fn safe(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for cluster in text.graphemes(true) {
        push_cluster(&mut out, cluster);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// One cluster: hidden characters as symbols, a mark without a letter given a dotted circle, piled marks cut.
fn push_cluster(out: &mut String, cluster: &str) {
    let mut stands = false;
    let mut marks = 0;
    for c in cluster.chars() {
        if is_hidden(c) {
            push_symbol(out, c);
            stands = false;
            marks = 0;
        } else if unicode_width::UnicodeWidthChar::width(c) == Some(0) {
            marks += 1;
            if marks > MARKS || !stands && !joins(c) {
                push_symbol(out, c);
                continue;
            }
            if !stands {
                out.push(CIRCLE);
                stands = true;
            }
            out.push(c);
        } else {
            stands = true;
            marks = 0;
            out.push(c);
        }
    }
}

/// Untrusted text as lines: split at LF, CR LF and CR, a tab as spaces up to the next multiple of four, the rest as in
/// [`safe`]. A final line end does not make another, empty line; empty text is one empty line.
pub fn safe_lines(text: &str) -> Vec<Cow<'_, str>> {
    let mut lines = Vec::new();
    let mut rest = text;
    loop {
        let Some(end) = rest.find(['\n', '\r']) else {
            if !rest.is_empty() || lines.is_empty() {
                lines.push(safe_line(rest));
            }
            return lines;
        };
        lines.push(safe_line(&rest[..end]));
        let both = rest[end..].starts_with("\r\n");
        rest = &rest[end + if both { 2 } else { 1 }..];
    }
}

fn safe_line(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return safe(line);
    }
    let mut out = String::with_capacity(line.len() + 16);
    for (i, part) in line.split('\t').enumerate() {
        if i > 0 {
            let fill = 4 - super::width(&out) % 4;
            out.extend(std::iter::repeat_n(' ', fill));
        }
        out.push_str(&safe(part));
    }
    Cow::Owned(out)
}

/// JSON text made safe and kept the same value: inside JSON, hidden characters can only stand in strings, so each but the
/// line ends and tabs between tokens becomes its `\u` escape. For JSON that is copied, printed or saved.
pub fn safe_json(text: &str) -> Cow<'_, str> {
    let risky = |c: char| is_hidden(c) && c != '\n' && c != '\r' && c != '\t';
    if !text.contains(risky) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if risky(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(safe("Look up one order by its id."), Cow::Borrowed(_)));
        assert!(matches!(safe("naïve 出荷 عدّ"), Cow::Borrowed(_)));
    }

    #[test]
    fn every_family_of_escape_is_shown() {
        assert_eq!(safe("\u{1b}[2J"), "␛[2J");
        assert_eq!(safe("\u{9b}31m"), "<U+009B>31m");
        assert_eq!(safe("\u{1b}]52;c;eA==\u{7}"), "␛]52;c;eA==␇");
        assert_eq!(safe("\u{1b}Pq\u{1b}\\"), "␛Pq␛\\");
        assert_eq!(safe("a\r\nb\tc\u{7f}"), "a␍␊b␉c␡");
    }

    #[test]
    fn invisible_text_is_shown() {
        assert_eq!(safe("tray\u{200b}count"), "tray<U+200B>count");
        assert_eq!(safe("tray\u{202e}tnuoc"), "tray<U+202E>tnuoc");
        assert_eq!(safe("Count.\u{e0073}\u{e0061}"), "Count.<U+E0073><U+E0061>");
        assert_eq!(safe("\u{feff}x\u{ad}y\u{2028}z\u{fe0f}"), "<U+FEFF>x<U+00AD>y<U+2028>z<U+FE0F>");
    }

    #[test]
    fn marks_stand_on_something_and_do_not_pile_up() {
        assert_eq!(safe("\u{301}x"), "\u{25cc}\u{301}x");
        assert_eq!(safe("e\u{301}"), "e\u{301}");
        let piled = format!("e{}", "\u{301}".repeat(6));
        assert_eq!(safe(&piled), format!("e{}<U+0301><U+0301>", "\u{301}".repeat(4)));
    }

    #[test]
    fn lines_are_split_at_every_line_end() {
        assert_eq!(safe_lines("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(safe_lines("a\n"), ["a"]);
        assert_eq!(safe_lines(""), [""]);
        assert_eq!(safe_lines("\n\n"), ["", ""]);
        assert_eq!(safe_lines("ab\tc\t\u{1b}"), ["ab  c   ␛"]);
    }

    #[test]
    fn json_stays_the_same_value() {
        let json = "{\n \"a\": \"x\u{202e}\u{e0041}\u{7f}\"}";
        let shown = safe_json(json);
        assert_eq!(shown, "{\n \"a\": \"x\\u202e\\udb40\\udc41\\u007f\"}");
        let (was, is): (serde_json::Value, serde_json::Value) =
            (serde_json::from_str(json).unwrap(), serde_json::from_str(&shown).unwrap());
        assert_eq!(was, is);
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in "\\PC*|[\\x00-\\x{2fff}]{0,40}|.{0,40}") {
            prop_assert!(!safe(&text).chars().any(is_hidden));
            prop_assert!(safe_lines(&text).iter().all(|l| !l.chars().any(is_hidden)));
            prop_assert!(!safe_json(&text).chars().any(|c| is_hidden(c) && !"\n\r\t".contains(c)));
        }

        #[test]
        fn safe_text_stays_as_it_is(text in "[\\x00-\\x{2fff}]{0,40}") {
            let once = safe(&text).into_owned();
            prop_assert_eq!(safe(&once), once.as_str());
        }
    }
}
