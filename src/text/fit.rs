//! Widths in terminal columns, and text made to fit them. Everything goes by grapheme cluster, as the screen's cells do:
//! a cluster is never cut in two. Text is expected to be safe already.

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns the text takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// Where the longest start of `text` that takes at most `columns` ends, in bytes.
fn fits(text: &str, columns: usize) -> usize {
    if text.is_ascii() {
        return text.len().min(columns);
    }
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        used += cluster.width();
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// Where the longest end of `text` that takes at most `columns` begins, in bytes.
fn fits_end(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true).rev() {
        used += cluster.width();
        if used > columns {
            return at + cluster.len();
        }
    }
    0
}

/// The text in at most `columns`, its end given up for `…` when it is longer.
pub fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    // A text far longer than the place need not be measured whole.
    let end = fits(text, columns);
    if end == text.len() {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    Cow::Owned(format!("{}…", &text[..fits(text, columns - 1)]))
}

/// The text in at most `columns`, its middle given up for `…` when it is longer: for paths, whose ends say most.
pub fn cut_middle(text: &str, columns: usize) -> Cow<'_, str> {
    if fits(text, columns) == text.len() {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    let start = (columns - 1) / 3;
    let head = &text[..fits(text, start)];
    let tail = &text[fits_end(text, columns - 1 - width(head))..];
    Cow::Owned(format!("{head}…{tail}"))
}

/// The text in exactly `columns`: cut or filled with spaces at its end.
pub fn pad(text: &str, columns: usize) -> String {
    let text = cut(text, columns);
    let fill = columns - width(&text);
    let mut out = text.into_owned();
    out.extend(std::iter::repeat_n(' ', fill));
    out
}

/// A name in exactly `columns`: its middle given up when it is longer, so that names with one beginning stay apart.
pub fn pad_name(text: &str, columns: usize) -> String {
    pad(&cut_middle(text, columns), columns)
}

/// The text in exactly `columns`: cut, or filled with spaces before it, as numbers stand.
pub fn pad_start(text: &str, columns: usize) -> String {
    let text = cut(text, columns);
    let mut out: String = std::iter::repeat_n(' ', columns - width(&text)).collect();
    out.push_str(&text);
    out
}

/// The text in lines of at most `columns`, broken at spaces, a longer word where it must be. The lines are parts of the
/// text, without the spaces a break fell on. A cluster wider than `columns` stands alone in its line.
pub fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let columns = columns.max(1);
    let mut rest = text;
    loop {
        let mut end = fits(rest, columns);
        if end == rest.len() {
            lines.push(rest);
            return lines;
        }
        if end == 0 {
            end = rest.graphemes(true).next().map_or(rest.len(), str::len);
        }
        let at_space = rest.as_bytes().get(end) == Some(&b' ');
        let stop = if at_space { Some(end) } else { rest[..end].rfind(' ') };
        let stop = stop.filter(|at| !rest[..*at].trim_start().is_empty());
        // A word that fits in no line is broken where the line ends, not begun on a line of its own.
        let long = |at: usize| {
            let word = &rest[at..].trim_start_matches(' ');
            let word = &word[..word.find(' ').unwrap_or(word.len())];
            fits(word, columns) < word.len()
        };
        let stop = stop.filter(|at| at_space || !long(*at)).unwrap_or(end);
        lines.push(rest[..stop].trim_end_matches(' '));
        rest = rest[stop..].trim_start_matches(' ');
        if rest.is_empty() {
            return lines;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn widths_go_by_cluster() {
        assert_eq!(width("abc"), 3);
        assert_eq!(width("出荷"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("␛[2J"), 4);
    }

    #[test]
    fn cutting_keeps_clusters_whole() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("出荷出荷", 4), "出…");
        assert_eq!(cut("出荷", 1), "…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(cut_middle("/home/ann/shop/orders.json", 14), "/hom…ders.json");
        assert_eq!(cut_middle("short", 14), "short");
    }

    #[test]
    fn padding_fills_exactly() {
        assert_eq!(pad("ab", 4), "ab  ");
        assert_eq!(pad_name("mcp_pylance_mcp_s_pylanceDocuments", 14), "mcp_…Documents");
        assert_eq!(pad_name("get", 5), "get  ");
        assert_eq!(pad("出荷", 3), "出…");
        assert_eq!(pad_start("7", 3), "  7");
    }

    #[test]
    fn wrapping_breaks_at_spaces() {
        assert_eq!(wrap("move a stock item to another bin", 12), ["move a stock", "item to", "another bin"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap("出荷", 1), ["出", "荷"]);
        assert_eq!(wrap("  indented text", 10), ["  indented", "text"]);
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in "\\PC{0,60}", columns in 0_usize..30) {
            let text = crate::text::safe(&text).into_owned();
            prop_assert!(width(&cut(&text, columns)) <= columns);
            prop_assert!(width(&cut_middle(&text, columns)) <= columns);
            prop_assert_eq!(width(&pad(&text, columns)), columns);
        }

        #[test]
        fn wrapped_lines_fit_and_keep_every_letter(text in "[a-c 出é]{0,60}", columns in 2_usize..20) {
            let lines = wrap(&text, columns);
            prop_assert!(lines.iter().all(|l| width(l) <= columns));
            let letters = |s: &str| s.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
