//! JSON as Python's `json.loads` reads it (rules 2.3), number classes and key order kept.

use super::decode::Decoded;
use super::intern::Interner;
use super::map::{Key, Map};
use super::scan::plain_end;
use super::{MAX_DEPTH, Str, Value, number, walk};
use std::sync::Arc;

/// Where and why a text is not JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fail {
    /// Byte offset in the decoded text.
    pub(super) at: usize,
    pub(super) what: What,
}

/// What is wrong there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    /// Something other than this.
    Expected(&'static str),
    /// Something that JSON does not have.
    Bad(&'static str),
    /// Lists and objects nest too deep: no other grammar is tried.
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
        lone: Vec::new(),
    };
    parser.blanks();
    let root = parser.value(0)?;
    parser.blanks();
    if parser.at < parser.bytes.len() {
        return Err(parser.expected("the end of the file"));
    }
    let surrogate = walk::first_of(&root, &parser.lone);
    Ok((root, surrogate))
}

fn bad(at: usize, what: &'static str) -> Fail {
    Fail { at, what: What::Bad(what) }
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
    /// The texts that held a lone surrogate; each is an allocation of its own, to be known again by its address.
    lone: Vec<Str>,
}

impl Parser<'_> {
    fn expected(&self, what: &'static str) -> Fail {
        Fail { at: self.at, what: What::Expected(what) }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// One value; `depth` lists and objects are open around it.
    fn value(&mut self, depth: usize) -> Result<Value, Fail> {
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string().map(Value::Str)
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

    /// A comma and the blanks after it: something must follow before the list or object ends.
    fn comma(&mut self, close: u8) -> Result<(), Fail> {
        let comma = self.at;
        self.at += 1;
        self.blanks();
        if self.peek() == Some(close) { Err(bad(comma, "trailing comma")) } else { Ok(()) }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fail> {
        let start = self.values.len();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::array(Vec::new()));
        }
        loop {
            let item = self.value(depth)?;
            self.values.push(item);
            self.blanks();
            match self.peek() {
                Some(b',') => self.comma(b']')?,
                Some(b']') => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(Value::array(self.values.drain(start..).collect()))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fail> {
        let start = self.entries.len();
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
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.expected("`:`"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value(depth)?;
            self.entries.push((Key::Text(key), value));
            self.blanks();
            match self.peek() {
                Some(b',') => self.comma(b'}')?,
                Some(b'}') => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Value::object(self.entries.drain(start..).collect()))
    }

    /// The rest of a text whose opening quote is read.
    fn string(&mut self) -> Result<Str, Fail> {
        let start = self.at;
        self.at = plain_end(self.bytes, start);
        if self.peek() == Some(b'"') {
            let text = &self.text[start..self.at];
            self.at += 1;
            return if self.raw_surrogate(start) { Ok(self.lone_text(text)) } else { Ok(self.interner.get(text)) };
        }
        let mut out = std::mem::take(&mut self.unescaped);
        out.clear();
        let (mut from, mut lone) = (start, false);
        loop {
            out.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => lone |= self.escape(&mut out)?,
                Some(_) => return Err(bad(self.at, "unescaped control character in a string")),
                None => return Err(bad(start - 1, "unterminated string")),
            }
            from = self.at;
            self.at = plain_end(self.bytes, from);
        }
        self.at += 1;
        let text = if self.raw_surrogate(start) || lone { self.lone_text(&out) } else { self.interner.get(&out) };
        self.unescaped = out;
        Ok(text)
    }

    /// Whether a raw surrogate stood between `start` and here.
    fn raw_surrogate(&mut self, start: usize) -> bool {
        let passed = self.raw_surrogates.partition_point(|&offset| offset < self.at);
        let found = self.raw_surrogates[..passed].last().is_some_and(|&offset| offset >= start);
        self.raw_surrogates = &self.raw_surrogates[passed..];
        found
    }

    fn lone_text(&mut self, text: &str) -> Str {
        let text: Str = Arc::from(text);
        self.lone.push(text.clone());
        text
    }

    /// One escape; whether it is a lone surrogate.
    fn escape(&mut self, out: &mut String) -> Result<bool, Fail> {
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
                out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(c.is_none());
            }
            _ => return Err(bad(start, "invalid escape")),
        };
        out.push(plain);
        self.at += 2;
        Ok(false)
    }

    fn hex(&mut self, escape: usize) -> Result<u32, Fail> {
        let digits = self.bytes.get(self.at..self.at + 4).unwrap_or_default();
        let mut code = 0;
        for &d in digits {
            let Some(d) = char::from(d).to_digit(16) else {
                return Err(bad(escape, "`\\u` needs four hex digits"));
            };
            code = code << 4 | d;
        }
        if digits.len() < 4 {
            return Err(bad(escape, "`\\u` needs four hex digits"));
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
            let number = self.text[start..self.at].parse().map_err(|_| bad(start, "invalid number"))?;
            return Ok(Value::Float(number));
        }
        number::integer(negative, &self.text[whole..whole_end])
            .ok_or_else(|| bad(start, "integer with more than 4,300 digits"))
    }
}
