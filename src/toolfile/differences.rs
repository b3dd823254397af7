//! Where two values differ, in JSON's terms: the order of members does not count, `1` and `1.0` are two values, a YAML
//! date is its text. Time follows the size of the files, never that of what their aliases unfold to.
use crate::text::{self, cut, safe};
use crate::value::canonical::compact;
use crate::value::{Key, Map, Odd, Value, pointer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A value of more parts than this is shown by its kind alone.
const MOST_PARTS: usize = 20_000;
/// A value of more parts than this is not written out in a line.
const PARTS_IN_LINE: usize = 200;
/// Columns of a value in a line.
const COLUMNS: usize = 60;

/// One place where two values differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// JSON pointer of the place.
    pub at: String,
    /// What stands there on the left; nothing when it was added. A value too large to show is text that says so.
    pub left: Option<Value>,
    /// What stands there on the right; nothing when it was removed.
    pub right: Option<Value>,
}

impl Difference {
    /// One line, safe to show: `+ /at: new`, `- /at: old` or `~ /at: old -> new`.
    pub fn line(&self) -> String {
        self.to_string()
    }

    /// `+` for what was added, `-` for what was removed, `~` for what changed.
    pub fn sign(&self) -> char {
        match (&self.left, &self.right) {
            (None, _) => '+',
            (_, None) => '-',
            _ => '~',
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.sign(), safe(pointer::name(&self.at)))?;
        match (&self.left, &self.right) {
            (Some(left), Some(right)) => write!(f, "{} -> {}", brief(left), brief(right)),
            (one, other) => f.write_str(&one.as_ref().or(other.as_ref()).map(brief).unwrap_or_default()),
        }
    }
}

/// The first differences of two values, and how many there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    /// The first ones, in the order of the left value, what the right one adds to an object or list last.
    pub first: Vec<Difference>,
    /// How many more there are.
    pub more: u64,
}

/// Compares two values and tells the first `limit` differences.
pub fn differences(left: &Value, right: &Value, limit: usize) -> Differences {
    let mut walk = Walk { limit, first: Vec::new(), known: HashMap::new(), at: String::new() };
    let all = walk.pair(left, right);
    Differences { more: all.saturating_sub(walk.first.len() as u64), first: walk.first }
}

struct Walk {
    limit: usize,
    first: Vec<Difference>,
    /// How many differences a pair of which one is shared has: it may be met again and again.
    known: HashMap<(usize, usize), u64>,
    at: String,
}

impl Walk {
    /// Counts the differences of two values and tells them while there is room.
    fn pair(&mut self, left: &Value, right: &Value) -> u64 {
        let key = shared_pair(left, right);
        if let Some(&known) = key.and_then(|key| self.known.get(&key))
            && (known == 0 || self.first.len() >= self.limit)
        {
            return known;
        }
        let count = match (left, right) {
            (Value::Array(left), Value::Array(right)) if Arc::ptr_eq(left, right) => 0,
            (Value::Array(left), Value::Array(right)) => self.lists(left, right),
            (Value::Object(left), Value::Object(right)) if Arc::ptr_eq(left, right) => 0,
            (Value::Object(left), Value::Object(right)) => self.objects(left, right),
            (left, right) if same_scalar(left, right) => 0,
            (left, right) => self.tell(Some(left), Some(right)),
        };
        if let Some(key) = key {
            self.known.insert(key, count);
        }
        count
    }

    fn tell(&mut self, left: Option<&Value>, right: Option<&Value>) -> u64 {
        if self.first.len() < self.limit {
            self.first.push(Difference { at: self.at.clone(), left: left.map(bounded), right: right.map(bounded) });
        }
        1
    }

    fn inside(&mut self, part: &str, action: impl FnOnce(&mut Self) -> u64) -> u64 {
        let length = self.at.len();
        pointer::push_key(&mut self.at, part);
        let count = action(self);
        self.at.truncate(length);
        count
    }

    fn objects(&mut self, left: &Map, right: &Map) -> u64 {
        let (left_members, right_members) = (Members::of(left), Members::of(right));
        let mut count: u64 = 0;
        for (key, value) in left.iter() {
            let text = key_text(key);
            let found = match right_members.get(&text) {
                Some(other) => self.inside(&text, |walk| walk.pair(value, other)),
                None => self.inside(&text, |walk| walk.tell(Some(value), None)),
            };
            count = count.saturating_add(found);
        }
        for (key, value) in right.iter() {
            let text = key_text(key);
            if left_members.get(&text).is_none() {
                count = count.saturating_add(self.inside(&text, |walk| walk.tell(None, Some(value))));
            }
        }
        count
    }

    /// Items by their number. Of lists of different lengths what is equal at both ends is set aside first, so that an
    /// item put in or taken out is one difference; it is listed at its number in the longer list.
    fn lists(&mut self, left: &[Value], right: &[Value]) -> u64 {
        let (mut start, mut left_end, mut right_end) = (0, left.len(), right.len());
        if left_end != right_end {
            let shorter = left_end.min(right_end);
            while start < shorter && self.equal(&left[start], &right[start]) {
                start += 1;
            }
            while left_end > start && right_end > start && self.equal(&left[left_end - 1], &right[right_end - 1]) {
                left_end -= 1;
                right_end -= 1;
            }
        }
        let mut count: u64 = 0;
        for i in start..left_end.max(right_end) {
            let (one, other) = (left[..left_end].get(i), right[..right_end].get(i));
            let found = self.inside(&i.to_string(), |walk| match (one, other) {
                (Some(one), Some(other)) => walk.pair(one, other),
                (one, other) => walk.tell(one, other),
            });
            count = count.saturating_add(found);
        }
        count
    }

    /// Whether there is no difference, telling none.
    fn equal(&mut self, left: &Value, right: &Value) -> bool {
        let limit = std::mem::replace(&mut self.limit, 0);
        let count = self.pair(left, right);
        self.limit = limit;
        count == 0
    }
}

/// The members of an object by the text of their keys.
enum Members<'a> {
    /// All keys are text.
    Plain(&'a Map),
    /// Some are not.
    Odd(HashMap<Cow<'a, str>, &'a Value>),
}

impl<'a> Members<'a> {
    fn of(map: &'a Map) -> Self {
        if map.iter().all(|(key, _)| key.text().is_some()) {
            Members::Plain(map)
        } else {
            Members::Odd(map.iter().map(|(key, value)| (key_text(key), value)).collect())
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        match self {
            Members::Plain(map) => map.get(name),
            Members::Odd(members) => members.get(name).copied(),
        }
    }
}

/// A key in JSON's terms; one that has no text there is called by its kind.
fn key_text(key: &Key) -> Cow<'_, str> {
    match (key.json_text(), key) {
        (Some(text), _) => text,
        (None, Key::Other(value)) => Cow::Borrowed(value.kind()),
        (None, Key::Text(text)) => Cow::Borrowed(text),
    }
}

/// Whether two values that are not two lists or two objects have one contract text.
fn same_scalar(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Value::Odd(odd), Value::Str(text)) | (Value::Str(text), Value::Odd(odd)) => {
            matches!(&**odd, Odd::Time(time) if time == text)
        }
        (left, right) => left == right,
    }
}

/// The addresses of two containers, when one of them stands in more than one place.
fn shared_pair(left: &Value, right: &Value) -> Option<(usize, usize)> {
    let container = |value: &Value| match value {
        Value::Array(items) => Some((Arc::as_ptr(items).addr(), Arc::strong_count(items) > 1)),
        Value::Object(map) => Some((Arc::as_ptr(map).addr(), Arc::strong_count(map) > 1)),
        _ => None,
    };
    let ((left, left_shared), (right, right_shared)) = (container(left)?, container(right)?);
    (left_shared || right_shared).then_some((left, right))
}

/// The value, or text that says what it is when it is too large to show.
fn bounded(value: &Value) -> Value {
    if has_more_parts(value, MOST_PARTS) {
        Value::from(format!("{}, too large to show", described(value)))
    } else {
        value.clone()
    }
}

/// Whether a value unfolds to more than `most` values.
fn has_more_parts(value: &Value, most: usize) -> bool {
    fn count(value: &Value, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match value {
            Value::Array(items) => items.iter().all(|item| count(item, left)),
            Value::Object(map) => map.values().all(|item| count(item, left)),
            _ => true,
        }
    }
    let mut left = most;
    !count(value, &mut left)
}

fn described(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", text::count(items.len(), "item")),
        Value::Object(map) => format!("an object of {}", text::count(map.len(), "member")),
        other => other.kind().to_owned(),
    }
}

/// A value in a few words, safe to show.
fn brief(value: &Value) -> String {
    if has_more_parts(value, PARTS_IN_LINE) {
        return described(value);
    }
    // long text is cut before it is escaped: only its beginning can be seen
    let short = match value {
        Value::Str(text) => Value::str(text.chars().take(COLUMNS).collect::<String>()),
        other => other.clone(),
    };
    let whole = matches!((value, &short), (Value::Str(a), Value::Str(b)) if a.len() != b.len());
    let line = compact(&short, false);
    let line = safe(&line);
    if whole { format!("{}…", cut(line.trim_end_matches('"'), COLUMNS)) } else { cut(&line, COLUMNS).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::read;

    fn lines(left: &str, right: &str, limit: usize) -> (Vec<String>, u64) {
        let (left, right) = (read(left.as_bytes()).unwrap(), read(right.as_bytes()).unwrap());
        let found = differences(&left.root, &right.root, limit);
        (found.first.iter().map(Difference::line).collect(), found.more)
    }

    #[test]
    fn places_are_pointers_in_the_order_of_the_left() {
        let (lines, more) = lines(
            r#"{"a":1,"b":{"x/y":[1,2,3],"~":null},"gone":true,"same":[{}]}"#,
            r#"{"same":[{}],"b":{"~":0,"x/y":[1,5,3]},"a":1.0,"new":"n"}"#,
            50,
        );
        assert_eq!(
            lines,
            ["~ /a: 1 -> 1.0", "~ /b/x~1y/1: 2 -> 5", "~ /b/~0: null -> 0", "- /gone: true", "+ /new: \"n\""]
        );
        assert_eq!(more, 0);
    }

    #[test]
    fn what_the_contract_tells_apart_differs() {
        assert_eq!(lines("[0.0,1e2,NaN]", "[-0.0,100.0,NaN]", 9).0, ["~ /0: 0.0 -> -0.0"]);
        assert_eq!(lines("1", "true", 9).0, ["~ the top: 1 -> true"]);
        assert_eq!(lines("{}", "[]", 9).0, ["~ the top: {} -> []"]);
        assert_eq!(lines(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, 9).0, [""; 0]);
    }

    #[test]
    fn an_item_put_in_is_one_difference() {
        assert_eq!(lines("[1,2,3]", "[1,9,2,3]", 9).0, ["+ /1: 9"]);
        assert_eq!(lines("[1,9,2,3]", "[1,2,3]", 9).0, ["- /1: 9"]);
        assert_eq!(lines("[1,2]", "[1,2,3,4]", 9).0, ["+ /2: 3", "+ /3: 4"]);
        assert_eq!(lines("[1,5,3]", "[0,1,6,3,3]", 9).0.len(), 4);
    }

    #[test]
    fn the_rest_is_counted() {
        let list =
            |x: u32| format!("[{}]", (0..80).map(|i| format!("{{\"k\":{}}}", i * x)).collect::<Vec<_>>().join(","));
        let (lines, more) = lines(&list(1), &list(2), 50);
        assert_eq!((lines.len(), more), (50, 29));
        assert_eq!(lines[0], "~ /1/k: 1 -> 2");
    }

    #[test]
    fn values_that_unfold_without_end_are_compared_in_time() {
        let bomb = |leaf: i64| {
            let mut value = Value::Int(leaf);
            for _ in 0..100 {
                value = Value::array(vec![value.clone(), value]);
            }
            value
        };
        let found = differences(&bomb(1), &bomb(2), 3);
        assert_eq!((found.first.len(), found.more), (3, u64::MAX - 3));
        let found = differences(&bomb(1), &bomb(1), 3);
        assert_eq!((found.first.len(), found.more), (0, 0));
        let found = differences(&Value::Null, &bomb(1), 3);
        assert_eq!(found.first[0].right, Some(Value::str("a list of 2 items, too large to show")));
        assert_eq!(found.first[0].line(), "~ the top: null -> \"a list of 2 items, too large to show\"");
    }

    #[test]
    fn lines_are_short_and_safe() {
        let long = format!("\"{}\"", "x".repeat(5000));
        let line = &lines(&long, "\"a\\u001b[31m\"", 9).0[0];
        assert!(line.len() < 200 && !line.contains('\u{1b}') && line.contains("…"), "{line}");
    }
}
