//! Two values as lines of words beside each other, with the part of each line that differs.

use crate::value::{Key, Value, canonical};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Most lines shown of one value; the last one says how many are left out.
const MOST_LINES: usize = 2_000;
/// Most bytes of one scalar on a line.
const LONGEST: usize = 2_000;
/// So deep are lists and objects opened; below they stand in one line.
const DEEPEST: usize = 24;

/// How two lines beside each other compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// They are the same.
    Same,
    /// They differ.
    Changed,
    /// Only a has the line.
    OnlyA,
    /// Only b has the line.
    OnlyB,
}

/// A line of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The line: not safe to show.
    pub text: String,
    /// The bytes of it that the other side says otherwise.
    pub changed: Range<usize>,
}

/// Two lines beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// a's line.
    pub a: Option<Side>,
    /// b's line.
    pub b: Option<Side>,
    /// How they compare.
    pub kind: LineKind,
}

/// A value as lines of words: `name value` an entry, deeper ones indented, without braces and commas.
pub fn value_lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    put(value, None, 0, &mut lines);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines.push("(more lines follow)".to_owned());
    }
    lines
}

fn put(value: &Value, name: Option<&str>, depth: usize, lines: &mut Vec<String>) {
    // One more than is shown is enough to know that there are more; their number would cost a walk of everything.
    if lines.len() > MOST_LINES {
        return;
    }
    let indent = "  ".repeat(depth);
    let label = name.map_or_else(String::new, |name| format!("{name}  "));
    match value {
        Value::Object(map) if !map.is_empty() && depth < DEEPEST => {
            let below = open(name, depth, lines);
            for (key, value) in map.iter() {
                put(value, Some(&key_text(key)), below, lines);
            }
        }
        Value::Array(list) if !list.is_empty() && depth < DEEPEST => {
            let below = open(name, depth, lines);
            for value in list.iter() {
                put(value, Some("-"), below, lines);
            }
        }
        other => {
            let mut text = canonical::compact(other, false);
            if text.len() > LONGEST {
                let end = (0..=LONGEST).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
                text.truncate(end);
                text.push('…');
            }
            lines.push(format!("{indent}{label}{text}"));
        }
    }
}

/// The line of a list's or an object's name, when it has one; gives the depth of what is in it.
fn open(name: Option<&str>, depth: usize, lines: &mut Vec<String>) -> usize {
    let Some(name) = name else { return depth };
    lines.push(format!("{}{name}", "  ".repeat(depth)));
    depth + 1
}

fn key_text(key: &Key) -> String {
    match key {
        Key::Text(text) => text.to_string(),
        Key::Other(value) => canonical::compact(value, false),
    }
}

/// Pairs the lines of two values.
pub fn lines(a: &[String], b: &[String]) -> Vec<Line> {
    // Values without parts stand beside each other, though no name pairs their lines.
    if let ([a], [b]) = (a, b)
        && a != b
    {
        return vec![changed(a, b)];
    }
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    for op in capture_diff_slices(Algorithm::Myers, a, b) {
        let (_, in_a, in_b) = op.as_tag_tuple();
        if let DiffOp::Equal { .. } = op {
            for text in &a[in_a] {
                let side = || Some(Side { text: text.clone(), changed: 0..0 });
                out.push(Line { a: side(), b: side(), kind: LineKind::Same });
            }
        } else {
            gap(&a[in_a], &b[in_b], &mut out);
        }
    }
    out
}

/// Between two equal stretches: lines of one name stand beside each other, the rest alone.
fn gap(a: &[String], b: &[String], out: &mut Vec<Line>) {
    let mut next = 0;
    for text in a {
        match (next..b.len()).find(|k| name_of(&b[*k]) == name_of(text)) {
            Some(k) => {
                b[next..k].iter().for_each(|other| out.push(only_b(other)));
                out.push(changed(text, &b[k]));
                next = k + 1;
            }
            None => {
                let side = Side { text: text.clone(), changed: 0..text.len() };
                out.push(Line { a: Some(side), b: None, kind: LineKind::OnlyA });
            }
        }
    }
    b[next..].iter().for_each(|other| out.push(only_b(other)));
}

fn only_b(text: &str) -> Line {
    Line { a: None, b: Some(Side { text: text.to_owned(), changed: 0..text.len() }), kind: LineKind::OnlyB }
}

/// The indentation and name a line begins with.
fn name_of(line: &str) -> &str {
    let start = line.len() - line.trim_start().len();
    line[start..].find("  ").map_or(line, |end| &line[..start + end])
}

/// Two lines without what both begin and end with.
fn changed(a: &str, b: &str) -> Line {
    let same = |x: &mut dyn Iterator<Item = (&str, &str)>| -> usize {
        x.take_while(|(x, y)| x == y).map(|(x, _)| x.len()).sum()
    };
    let before = same(&mut a.graphemes(true).zip(b.graphemes(true)));
    let (rest_a, rest_b) = (&a[before..], &b[before..]);
    let after = same(&mut rest_a.graphemes(true).rev().zip(rest_b.graphemes(true).rev()));
    let side = |text: &str| Some(Side { text: text.to_owned(), changed: before..text.len() - after });
    Line { a: side(a), b: side(b), kind: LineKind::Changed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: &str, b: &str) -> Vec<(String, String, LineKind)> {
        let read = |text: &str| value_lines(&Value::parse_json(text).unwrap());
        let mark = |side: &Option<Side>| {
            side.as_ref().map_or_else(String::new, |s| {
                let Range { start, end } = s.changed.clone();
                format!("{}<{}>{}", &s.text[..start], &s.text[start..end], &s.text[end..]).replace("<>", "")
            })
        };
        let all = lines(&read(a), &read(b));
        all.iter().map(|line| (mark(&line.a), mark(&line.b), line.kind)).collect()
    }

    #[test]
    fn marks_the_part_of_a_value_that_differs() {
        let found = of(r#"{"id":"unbrdw","ok":true}"#, r#"{"id":"unbrxw","ok":true}"#);
        let (a, b) = (r#"id  "unbr<d>w""#, r#"id  "unbr<x>w""#);
        assert_eq!(found[0], (a.to_owned(), b.to_owned(), LineKind::Changed));
        assert_eq!(found[1].2, LineKind::Same);
    }

    #[test]
    fn lines_of_one_name_stand_beside_each_other() {
        let found = of(r#"{"a":1,"b":{"c":[1,2]},"e":3}"#, r#"{"x":0,"b":{"c":[1,3]},"e":4}"#);
        let kinds: Vec<LineKind> = found.iter().map(|(.., kind)| *kind).collect();
        use LineKind::{Changed, OnlyA, OnlyB, Same};
        assert_eq!(kinds, [OnlyA, OnlyB, Same, Same, Same, Changed, Changed]);
        assert_eq!(found[4].0, "    -  1");
        assert_eq!(found[5].1, "    -  <3>");
    }

    #[test]
    fn a_shorter_value_is_no_part_of_a_letter() {
        let found = of(r#""e""#, "\"e\u{301}\"");
        assert_eq!(found[0].0, "\"<e>\"");
        let found = of(r#"{"v":"aa"}"#, r#"{"v":"a"}"#);
        assert_eq!((found[0].0.as_str(), found[0].1.as_str()), (r#"v  "a<a>""#, r#"v  "a""#));
    }

    #[test]
    fn large_values_end() {
        let many = format!("[{}1]", "1,".repeat(300_000));
        let found = value_lines(&Value::parse_json(&many).unwrap());
        assert_eq!(found.len(), MOST_LINES + 1);
        let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
        assert!(value_lines(&Value::parse_json(&deep).unwrap()).len() <= DEEPEST + 1);
    }
}
