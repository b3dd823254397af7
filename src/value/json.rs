//! JSON as Python's `json.loads` reads it (rules 2.3), number classes and key order kept.

use super::decode::Decoded;
use super::intern::Interner;
use super::map::{Key, Map};
use super::pointer::{self, Step};
use super::scan::plain_end;
use super::{MAX_DEPTH, Value, number};

/// Where and why a text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fail {
    /// Byte offset in the decoded text.
    pub(super) at: usize,
    pub(super) what: What,
}

/// What is wrong there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    /// Anything but this was met.
    Expected(&'static str),
    /// Something that JSON does not have.
    Bad(&'static str),
    /// Lists and objects inside one another beyond the limit: no other grammar is tried.
    TooDeep,
}

/// The value of a text, and the pointer of the first lone surrogate that is still in it.
pub(super) fn parse(decoded: &Decoded<'_>) -> Result<(Value, Option<String>), Fail> {
    let text: &str = &decoded.text;
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        raw_surrogates: &decoded.surrogates,
        interner: Interner::new(),
        values: Vec::new(),
        entries: Vec::new(),
        unescaped: String::new(),
        lone: false,
        trail: None,
    };
    parser.blanks();
    let root = parser.value(0)?;
    parser.blanks();
    if parser.at < parser.bytes.len() {
        return Err(parser.expected("the end of the text"));
    }
    Ok((root, parser.trail.map(|trail| trail.pointer())))
}

/// The way from a container down to a lone surrogate inside it.
struct Trail {
    step: Step,
    rest: Option<Box<Trail>>,
}

impl Trail {
    fn pointer(&self) -> String {
        let (mut out, mut next) = (String::new(), Some(self));
        while let Some(trail) = next {
            pointer::push(&mut out, &trail.step);
            next = trail.rest.as_deref();
        }
        out
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// What is left of the offsets of characters that stand for raw surrogates.
    raw_surrogates: &'a [usize],
    interner: Interner,
    /// Items and entries of the containers that are still open, so that each closed one is allocated once, in its size.
    values: Vec<Value>,
    entries: Vec<(Key, Value)>,
    unescaped: String,
    /// Whether the text read last held a lone surrogate.
    lone: bool,
    /// The way to the first lone surrogate in the value read last.
    trail: Option<Box<Trail>>,
}

impl Parser<'_> {
    fn expected(&self, what: &'static str) -> Fail {
        Fail { at: self.at, what: What::Expected(what) }
    }

    fn bad(&self, at: usize, what: &'static str) -> Fail {
        Fail { at, what: What::Bad(what) }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// One value; `depth` lists and objects are open around it. Sets `trail`.
    fn value(&mut self, depth: usize) -> Result<Value, Fail> {
        self.trail = None;
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                let text = self.string()?;
                if self.lone {
                    self.trail = Some(Box::new(Trail { step: Step::Here, rest: None }));
                }
                Ok(Value::Str(text))
            }
            Some(b'{') => self.deeper(depth).and_then(|depth| self.object(depth)),
            Some(b'[') => self.deeper(depth).and_then(|depth| self.array(depth)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'N') => self.word("NaN", Value::Float(f64::NAN)),
            Some(b'I') => self.word("Infinity", Value::Float(f64::INFINITY)),
            _ => Err(self.expected("a value")),
        }
    }

    fn deeper(&mut self, depth: usize) -> Result<usize, Fail> {
        if depth == MAX_DEPTH {
            return Err(Fail { at: self.at, what: What::TooDeep });
        }
        self.at += 1;
        self.blanks();
        Ok(depth + 1)
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<Value, Fail> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.expected("a value"))
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fail> {
        let start = self.values.len();
        let mut first = None;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::array(Vec::new()));
        }
        loop {
            let item = self.value(depth)?;
            if first.is_none() && self.trail.is_some() {
                let step = Step::Index(self.values.len() - start);
                first = Some(Box::new(Trail { step, rest: self.trail.take() }));
            }
            self.values.push(item);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
            self.blanks();
        }
        self.at += 1;
        self.trail = first;
        Ok(Value::array(self.values.drain(start..).collect()))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fail> {
        let start = self.entries.len();
        let mut trails = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::object(Map::new()));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            self.at += 1;
            let key = self.string()?;
            let lone_key = self.lone;
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.expected("`:`"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value(depth)?;
            let way = self.trail.take();
            if lone_key {
                trails.push((self.entries.len() - start, None));
            } else if way.is_some() {
                trails.push((self.entries.len() - start, way));
            }
            self.entries.push((Key::Text(key), value));
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
            self.blanks();
        }
        self.at += 1;
        if !trails.is_empty() {
            self.trail = first_trail(&self.entries[start..], trails);
        }
        Ok(Value::object(self.entries.drain(start..).collect()))
    }

    /// The rest of a text whose opening quote is read.
    fn string(&mut self) -> Result<super::Str, Fail> {
        let start = self.at;
        self.lone = false;
        self.at = plain_end(self.bytes, start);
        if self.peek() == Some(b'"') {
            let text = &self.text[start..self.at];
            let shared = self.interner.get(text);
            self.at += 1;
            self.note_raw_surrogates(start);
            return Ok(shared);
        }
        let mut out = std::mem::take(&mut self.unescaped);
        out.clear();
        let mut from = start;
        loop {
            out.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return Err(self.bad(self.at, "a raw control character in a text")),
                None => return Err(self.bad(start - 1, "a text without an end")),
            }
            from = self.at;
            self.at = plain_end(self.bytes, from);
        }
        self.at += 1;
        self.note_raw_surrogates(start);
        let shared = self.interner.get(&out);
        self.unescaped = out;
        Ok(shared)
    }

    fn note_raw_surrogates(&mut self, start: usize) {
        while let Some((&offset, rest)) = self.raw_surrogates.split_first() {
            if offset >= self.at {
                return;
            }
            self.lone |= offset >= start;
            self.raw_surrogates = rest;
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Fail> {
        let start = self.at;
        let plain = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 2;
                let mut code = self.hex(start)?;
                if (0xd800..0xdc00).contains(&code) && self.bytes[self.at..].starts_with(b"\\u") {
                    // the second half is part of this character only when it is a low surrogate
                    let second = self.at;
                    self.at += 2;
                    let low = self.hex(second)?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    } else {
                        self.at = second;
                    }
                }
                let c = char::from_u32(code);
                self.lone |= c.is_none();
                out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(());
            }
            _ => return Err(self.bad(start, "an escape that JSON does not have")),
        };
        out.push(plain);
        self.at += 2;
        Ok(())
    }

    fn hex(&mut self, escape: usize) -> Result<u32, Fail> {
        let digits = self.bytes.get(self.at..self.at + 4).unwrap_or_default();
        let mut code = 0;
        for &d in digits {
            let Some(d) = char::from(d).to_digit(16) else {
                return Err(self.bad(escape, "`\\u` without four hex digits"));
            };
            code = code << 4 | d;
        }
        if digits.len() < 4 {
            return Err(self.bad(escape, "`\\u` without four hex digits"));
        }
        self.at += 4;
        Ok(code)
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        self.at > start
    }

    fn number(&mut self) -> Result<Value, Fail> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        if negative && self.peek() == Some(b'I') {
            return self.word("Infinity", Value::Float(f64::NEG_INFINITY));
        }
        let whole = self.at;
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if !self.digits() {
            return Err(self.expected("a digit"));
        }
        let whole_end = self.at;
        // a point or an exponent without digits is no part of the number, and then what follows it is wrong
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !self.digits() {
                return Err(self.expected("a digit"));
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if !self.digits() {
                return Err(self.expected("a digit"));
            }
        }
        if self.at > whole_end {
            let number =
                self.text[start..self.at].parse().map_err(|_| self.bad(start, "a number that cannot be read"))?;
            return Ok(Value::Float(number));
        }
        number::integer(negative, &self.text[whole..whole_end])
            .ok_or_else(|| self.bad(start, "an integer of more than 4,300 digits"))
    }
}

/// The first way, in the order of the finished object, that still leads to a lone surrogate: the value of a key that
/// comes again later is gone, its key stays where it was first.
fn first_trail(entries: &[(Key, Value)], trails: Vec<(usize, Option<Box<Trail>>)>) -> Option<Box<Trail>> {
    use std::collections::HashMap;
    let mut places: HashMap<&str, (usize, usize)> = HashMap::with_capacity(entries.len());
    for (i, (key, _)) in entries.iter().enumerate() {
        if let Key::Text(key) = key {
            places.entry(key).and_modify(|(_, last)| *last = i).or_insert((i, i));
        }
    }
    trails
        .into_iter()
        .filter_map(|(i, way)| {
            let key = entries[i].0.text()?;
            let (first, last) = *places.get(&**key)?;
            (way.is_none() || i == last).then(|| (first, Box::new(Trail { step: Step::Key(key.clone()), rest: way })))
        })
        .min_by_key(|(first, _)| *first)
        .map(|(_, trail)| trail)
}
