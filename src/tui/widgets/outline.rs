//! A value as indented JSON lines that are made only when seen, with parts folded away.
//!
//! Lines are counted once for every list and object, shared ones once in all, so a line of a value of any size is found
//! by walking down from the top.

use super::filter::MOST_LOOKED_AT;
use super::list::Rows;
use super::row::Row;
use crate::text;
use crate::theme::Scope;
use crate::value::{Key, Value, canonical, pointer};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Most bytes shown of a string in its line.
const LONGEST: usize = 4096;

/// More lines than anybody scrolls through; counts of values that share much stop growing here.
const MOST_LINES: usize = u32::MAX as usize;

/// Entries from which a container's line sums are kept, to find a line by halving.
const SUMS_FROM: usize = 32;

/// A note on one place of the value: shown before and behind its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// One of `+ - ~ ! ?`.
    pub sign: char,
    /// Its style.
    pub scope: Scope,
    /// What is said behind the line.
    pub note: String,
}

/// A value as lines.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    root: Value,
    /// Lines of every list and object that has entries, by its address.
    counts: HashMap<usize, Count>,
    total: usize,
    /// Folded places: the line that stays and how many after it are hidden. In order, never one inside another.
    folds: Vec<(usize, usize)>,
    marks: BTreeMap<String, Mark>,
}

#[derive(Debug, Clone, Default)]
struct Count {
    lines: usize,
    /// For each entry, the lines of those before it; only of large containers.
    sums: Vec<usize>,
}

/// The part of a value a line shows.
struct Found<'a> {
    node: &'a Value,
    key: Option<Label<'a>>,
    depth: usize,
    /// Whether it is the line of a closing brace or bracket.
    closes: bool,
    last: bool,
    pointer: String,
}

enum Label<'a> {
    Key(&'a Key),
    Item,
}

impl Outline {
    /// Counts the lines of a value.
    pub fn new(root: Value) -> Self {
        let mut counts = HashMap::new();
        let total = count(&root, &mut counts);
        Self { root, counts, total, folds: Vec::new(), marks: BTreeMap::new() }
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.root
    }

    /// Puts a note on the place a pointer names.
    pub fn mark(&mut self, pointer: impl Into<String>, mark: Mark) {
        self.marks.insert(pointer.into(), mark);
    }

    /// The pointer of the place that the line shows, from the value's top.
    pub fn pointer(&self, line: usize) -> String {
        self.find(self.unfolded(line)).pointer
    }

    /// The part of the value that the line shows.
    pub fn at(&self, line: usize) -> &Value {
        self.find(self.unfolded(line)).node
    }

    /// The line of the place a pointer names, or of the nearest place above it; folds that hide it are opened.
    pub fn reveal(&mut self, pointer: &str) -> usize {
        let mut line = 0;
        let mut node = &self.root;
        for part in pointer::parts(pointer).unwrap_or_default() {
            let index = match node {
                Value::Object(map) => map.position(&part),
                Value::Array(list) => part.parse().ok().filter(|i| *i < list.len()),
                _ => None,
            };
            let Some(index) = index else { break };
            line += 1 + self.before(node, index);
            let Some((_, child)) = entry(node, index) else { break };
            node = child;
        }
        self.folds.retain(|(at, hidden)| !(*at < line && line <= at + hidden));
        self.visible(line)
    }

    /// Folds the place the line shows, or opens it; says whether there was something to fold.
    pub fn toggle(&mut self, line: usize) -> bool {
        let full = self.unfolded(line);
        if let Some(i) = self.folds.iter().position(|(at, _)| *at == full) {
            self.folds.remove(i);
            return true;
        }
        let found = self.find(full);
        let hidden = self.lines(found.node).saturating_sub(1);
        if hidden == 0 || found.closes {
            return false;
        }
        self.folds.retain(|(at, _)| !(full <= *at && *at <= full + hidden));
        let i = self.folds.partition_point(|(at, _)| *at < full);
        self.folds.insert(i, (full, hidden));
        true
    }

    /// Opens the folds that hide a text, given in small letters; says whether it found any.
    pub fn open_for(&mut self, text: &str) -> bool {
        let hides = |(at, hidden): &(usize, usize)| {
            let lines = at + 1..=at + (*hidden).min(MOST_LOOKED_AT);
            lines.into_iter().any(|full| self.line(full).text().to_lowercase().contains(text))
        };
        let kept: Vec<(usize, usize)> = self.folds.iter().filter(|fold| !hides(fold)).copied().collect();
        let opened = kept.len() < self.folds.len();
        self.folds = kept;
        opened
    }

    /// The lines of one part.
    fn lines(&self, node: &Value) -> usize {
        address(node).and_then(|a| self.counts.get(&a)).map_or(1, |c| c.lines)
    }

    /// The lines of a container's entries before entry `index`.
    fn before(&self, node: &Value, index: usize) -> usize {
        match address(node).and_then(|a| self.counts.get(&a)) {
            Some(c) if !c.sums.is_empty() => c.sums.get(index).copied().unwrap_or(0),
            _ => (0..index).filter_map(|i| entry(node, i)).map(|(_, child)| self.lines(child)).sum(),
        }
    }

    /// The entry of a container in whose lines line `line` (from 0) falls, and the lines before that entry.
    fn entry_at(&self, node: &Value, line: usize) -> (usize, usize) {
        if let Some(c) = address(node).and_then(|a| self.counts.get(&a)).filter(|c| !c.sums.is_empty()) {
            let i = c.sums.partition_point(|sum| *sum <= line).saturating_sub(1);
            return (i, c.sums[i]);
        }
        let mut sum = 0;
        let mut i = 0;
        while let Some((_, child)) = entry(node, i) {
            let lines = self.lines(child);
            if line < sum + lines {
                break;
            }
            sum += lines;
            i += 1;
        }
        (i, sum)
    }

    /// What line `line` of the unfolded value shows.
    fn find(&self, line: usize) -> Found<'_> {
        let mut found =
            Found { node: &self.root, key: None, depth: 0, closes: false, last: true, pointer: String::new() };
        let mut line = line.min(self.total.saturating_sub(1));
        while line > 0 {
            if line + 1 >= self.lines(found.node) {
                found.closes = true;
                break;
            }
            let (i, sum) = self.entry_at(found.node, line - 1);
            let Some((key, child)) = entry(found.node, i) else { break };
            line -= 1 + sum;
            found.last = i + 1 == entries(found.node);
            match key {
                Some(Key::Text(name)) => pointer::push_key(&mut found.pointer, name),
                Some(Key::Other(value)) => pointer::push_key(&mut found.pointer, &canonical::compact(value, false)),
                None => pointer::push_key(&mut found.pointer, &i.to_string()),
            }
            found.key = Some(key.map_or(Label::Item, Label::Key));
            found.node = child;
            found.depth += 1;
        }
        found
    }

    /// The line of the unfolded value that a visible line is.
    fn unfolded(&self, mut line: usize) -> usize {
        for (at, hidden) in &self.folds {
            if line > *at {
                line += hidden;
            }
        }
        line
    }

    /// The visible line that a line of the unfolded value is.
    fn visible(&self, line: usize) -> usize {
        line - self.folds.iter().filter(|(at, _)| *at < line).map(|(_, hidden)| hidden).sum::<usize>().min(line)
    }
}

impl Rows for Outline {
    fn len(&self) -> usize {
        self.total - self.folds.iter().map(|(_, hidden)| hidden).sum::<usize>().min(self.total)
    }

    fn row(&self, i: usize) -> Row {
        self.line(self.unfolded(i))
    }
}

impl Outline {
    /// A visible line as it is shown where there is room below it: the line, then the note on its place.
    pub(super) fn parts(&self, line: usize) -> Vec<Row> {
        let (row, note) = self.line_and_note(self.unfolded(line));
        let Some(note) = note else { return vec![row] };
        vec![row.clone(), Row::new().gap(row.hang()).join(&note).hanging(row.hang())]
    }

    /// A line of the unfolded value with its note behind it.
    fn line(&self, full: usize) -> Row {
        let (row, note) = self.line_and_note(full);
        note.map_or(row.clone(), |note| row.put(Scope::Text, "  ").join(&note))
    }

    fn line_and_note(&self, full: usize) -> (Row, Option<Row>) {
        let found = self.find(full);
        let folded = self.folds.iter().any(|(at, _)| *at == full);
        let mark = (!found.closes).then(|| self.marks.get(&found.pointer)).flatten();
        let signs = if self.marks.is_empty() { 0 } else { 2 };
        let mut row = Row::new().hanging(signs + 2 * found.depth + 2);
        // A column for signs, kept free when none of this value's places has one.
        if !self.marks.is_empty() {
            let sign = mark.map_or(' ', |m| m.sign);
            row.push(mark.map_or(Scope::Text, |m| m.scope), format!("{sign} "));
        }
        row.push(Scope::ValueMark, "  ".repeat(found.depth));
        if !found.closes
            && let Some(Label::Key(key)) = &found.key
        {
            row.push(Scope::ValueKey, key_text(key));
            row.push(Scope::ValueMark, ": ");
        }
        let comma = if found.last { "" } else { "," };
        let brackets = if matches!(found.node, Value::Array(_)) { ["[", "]"] } else { ["{", "}"] };
        if found.closes {
            row.push(Scope::ValueMark, format!("{}{comma}", brackets[1]));
        } else if folded {
            let n = entries(found.node);
            row.push(Scope::ValueMark, format!("{}…{}{comma} ", brackets[0], brackets[1]));
            row.push(Scope::Dim, text::count_of(n, "entry", "entries"));
        } else if entries(found.node) > 0 {
            row.push(Scope::ValueMark, brackets[0]);
        } else {
            let (scope, shown) = scalar(found.node);
            row.push(mark.map_or(scope, |m| m.scope), shown);
            row.push(Scope::ValueMark, comma);
        }
        (row, mark.filter(|m| !m.note.is_empty()).map(|mark| Row::of(mark.scope, &mark.note)))
    }
}

/// A key as JSON text.
fn key_text(key: &Key) -> String {
    match key {
        Key::Text(name) => scalar(&Value::Str(name.clone())).1,
        Key::Other(value) => scalar(value).1,
    }
}

/// A value without entries as JSON text, with its style; long text is cut.
pub fn scalar(value: &Value) -> (Scope, String) {
    match value {
        Value::Str(s) => {
            let mut end = s.len().min(LONGEST);
            while !s.is_char_boundary(end) {
                end -= 1;
            }
            let mut shown = if end < s.len() {
                canonical::compact(&Value::str(&s[..end]), false)
            } else {
                canonical::compact(value, false)
            };
            if end < s.len() {
                shown.push_str(&format!("… {} more", text::bytes((s.len() - end) as u64)));
            }
            (Scope::ValueText, text::safe_json(&shown).into_owned())
        }
        Value::Null | Value::Bool(_) => (Scope::ValueWord, canonical::compact(value, false)),
        Value::Array(_) => (Scope::ValueMark, "[]".to_owned()),
        Value::Object(_) => (Scope::ValueMark, "{}".to_owned()),
        Value::Odd(_) => (Scope::Odd, value.kind().to_owned()),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
            (Scope::ValueNumber, text::cut(&canonical::compact(value, false), LONGEST).into_owned())
        }
    }
}

/// Where a list or object lies, to know a shared one again.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(list) if !list.is_empty() => Some(Arc::as_ptr(list) as usize),
        Value::Object(map) if !map.is_empty() => Some(Arc::as_ptr(map) as usize),
        _ => None,
    }
}

fn entries(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    }
}

fn entry(value: &Value, i: usize) -> Option<(Option<&Key>, &Value)> {
    match value {
        Value::Array(list) => list.get(i).map(|v| (None, v)),
        Value::Object(map) => map.entry(i).map(|(k, v)| (Some(k), v)),
        _ => None,
    }
}

/// Counts lines; values nest at most a few hundred deep, so recursion is bounded.
fn count(value: &Value, counts: &mut HashMap<usize, Count>) -> usize {
    let Some(place) = address(value) else { return 1 };
    if let Some(known) = counts.get(&place) {
        return known.lines;
    }
    let n = entries(value);
    let mut sums = Vec::with_capacity(if n >= SUMS_FROM { n } else { 0 });
    let mut inner: usize = 0;
    for i in 0..n {
        if n >= SUMS_FROM {
            sums.push(inner);
        }
        if let Some((_, child)) = entry(value, i) {
            inner = inner.saturating_add(count(child, counts)).min(MOST_LINES);
        }
    }
    counts.insert(place, Count { lines: inner + 2, sums });
    inner + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;

    fn outline(json: &str) -> Outline {
        Outline::new(Value::parse_json(json).unwrap())
    }

    fn lines(o: &Outline) -> Vec<String> {
        (0..o.len()).map(|i| o.row(i).text()).collect()
    }

    const ORDER: &str = r#"{"id": "a", "lines": [{"sku": 1}, {}, []], "paid": true}"#;

    #[test]
    fn values_become_indented_json() {
        let o = outline(ORDER);
        assert_eq!(
            lines(&o),
            [
                "{",
                "  \"id\": \"a\",",
                "  \"lines\": [",
                "    {",
                "      \"sku\": 1",
                "    },",
                "    {},",
                "    []",
                "  ],",
                "  \"paid\": true",
                "}"
            ]
        );
        assert_eq!(o.pointer(4), "/lines/0/sku");
        assert_eq!(o.pointer(10), "");
        assert_eq!(o.at(9), &Value::Bool(true));
    }

    #[test]
    fn lines_equal_pretty_json_for_any_value() {
        let mut big = Map::new();
        for i in 0..100_usize {
            big.insert(format!("k{i}"), if i % 3 == 0 { outline(ORDER).root } else { Value::Int(i as i64) });
        }
        let value = Value::array(vec![Value::object(big), Value::Null]);
        let o = Outline::new(value.clone());
        let pretty = canonical::pretty(&value, false);
        assert_eq!(lines(&o).join("\n"), pretty);
    }

    #[test]
    fn folding_hides_and_keeps_places() {
        let mut o = outline(ORDER);
        assert!(o.toggle(3));
        assert!(o.toggle(2));
        assert_eq!(lines(&o), ["{", "  \"id\": \"a\",", "  \"lines\": […], 3 entries", "  \"paid\": true", "}"]);
        assert_eq!(o.pointer(3), "/paid");
        assert!(!o.toggle(1));
        assert_eq!(o.reveal("/lines/0/sku"), 4);
        assert_eq!(o.len(), 11);
        assert_eq!(o.reveal("/no/such"), 0);
    }

    #[test]
    fn shared_values_are_counted_once() {
        let mut value = Value::Int(1);
        for _ in 0..300 {
            value = Value::array(vec![value.clone(), value]);
        }
        let o = Outline::new(value);
        assert_eq!(o.len(), MOST_LINES + 2);
        assert_eq!(o.row(0).text(), "[");
        let _ = o.row(o.len() / 2).text();
    }

    #[test]
    fn marks_stand_before_and_behind() {
        let mut o = outline(r#"{"sku": "b", "n": 1}"#);
        o.mark("/sku", Mark { sign: '~', scope: Scope::DiffChanged, note: "was \"a\" in 1".into() });
        assert_eq!(lines(&o), ["  {", "~   \"sku\": \"b\",  was \"a\" in 1", "    \"n\": 1", "  }"]);
    }

    #[test]
    fn text_is_escaped_and_cut() {
        let o = Outline::new(Value::str(format!("\u{1b}\u{202e}{}", "x".repeat(5000))));
        let shown = o.row(0).text();
        assert!(shown.starts_with("\"\\u001b\\u202exxx"), "{}", &shown[..20]);
        assert!(shown.ends_with("x\"… 908 B more"), "{}", &shown[shown.len() - 20..]);
    }
}
