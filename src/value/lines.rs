//! Where in a file the places that JSON pointers name are written: its bytes are gone through again, once for all.

use super::read::line_and_column;
use super::{Syntax, Value, decode, pointer, yaml};
use std::collections::HashMap;

/// The wanted places as a tree, each with its byte offset once it was met.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    children: HashMap<String, Wanted>,
    at: Option<usize>,
}

impl Wanted {
    fn add(&mut self, pointer: &str) {
        let mut here = self;
        for part in pointer::parts(pointer).unwrap_or_default() {
            here = here.children.entry(part).or_default();
        }
    }

    /// The offset of a place, else of the nearest one around it.
    fn offset(&self, pointer: &str) -> Option<usize> {
        let (mut here, mut at) = (self, self.at);
        for part in pointer::parts(pointer)? {
            here = here.children.get(&part)?;
            let Some(found) = here.at else { break };
            at = Some(found);
        }
        at
    }

    /// The wanted place below this one, met at an offset.
    pub(super) fn met(&mut self, step: &str, at: usize) -> Option<&mut Wanted> {
        let child = self.children.get_mut(step)?;
        child.at = Some(at);
        Some(child)
    }

    /// The wanted place at the end of some steps.
    pub(super) fn below(&mut self, steps: &[String]) -> Option<&mut Wanted> {
        steps.iter().try_fold(self, |here, step| here.children.get_mut(step))
    }
}

/// Line and column, both from 1, of each place; where a place is not written in the file, those of the nearest around it.
pub fn lines_of(bytes: &[u8], syntax: Syntax, pointers: &[&str]) -> Vec<Option<(usize, usize)>> {
    let mut wanted = Wanted { at: Some(0), ..Wanted::default() };
    for pointer in pointers {
        wanted.add(pointer);
    }
    let text = match syntax {
        Syntax::Json => {
            let Ok(decoded) = decode::json(bytes) else { return vec![None; pointers.len()] };
            Scanner { text: &decoded.text, at: 0 }.value(Some(&mut wanted));
            decoded.text
        }
        Syntax::Yaml => {
            let Ok(text) = decode::yaml(bytes) else { return vec![None; pointers.len()] };
            yaml::find(&text, &mut wanted);
            text
        }
    };
    let line = |pointer: &&str| wanted.offset(pointer).filter(|at| *at <= text.len() && text.is_char_boundary(*at));
    pointers.iter().map(|pointer| line(pointer).map(|at| line_and_column(&text, at))).collect()
}

/// Goes through JSON that was read before, so what is wrong in it ends the scan early and nothing more.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// One value; as deep as values may nest.
    fn value(&mut self, mut wanted: Option<&mut Wanted>) {
        match self.peek() {
            Some(b'{') => {
                self.at += 1;
                while self.peek() == Some(b'"') {
                    let start = self.at;
                    self.string();
                    let inside = wanted.as_mut().filter(|wanted| !wanted.children.is_empty()).and_then(|wanted| {
                        let key = Value::parse_json(&self.text[start..self.at]).ok()?;
                        wanted.met(key.as_str()?, start)
                    });
                    self.value(inside);
                }
                self.at += 1;
            }
            Some(b'[') => {
                self.at += 1;
                let mut index = 0_usize;
                while let Some(next) = self.peek().filter(|b| *b != b']') {
                    let start = self.at;
                    let inside = wanted.as_mut().filter(|wanted| !wanted.children.is_empty());
                    self.value(inside.and_then(|wanted| wanted.met(&index.to_string(), start)));
                    if self.at == start {
                        // Something that begins no value: the end of what can be found.
                        self.at = if next == b'}' { self.text.len() } else { self.at + 1 };
                    }
                    index += 1;
                }
                self.at += 1;
            }
            Some(b'"') => self.string(),
            Some(_) => {
                let rest = &self.text.as_bytes()[self.at..];
                let ends = |b: &u8| matches!(b, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
                self.at += rest.iter().position(ends).unwrap_or(rest.len());
            }
            None => {}
        }
    }

    fn string(&mut self) {
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(b) = bytes.get(self.at) {
            match b {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_lines_in_json_and_yaml() {
        let json = "{\"tools\": [\n  {\"name\": \"a\\\"b\"},\n  {\"p\\u0061\": {\n    \"x\": [1, {\"y\": 2}]}}]}";
        let pointers = ["/tools/0", "/tools/1/pa", "/tools/1/pa/x/1/y", "/tools/1/gone/deeper", ""];
        let lines = [Some((2, 3)), Some((3, 4)), Some((4, 15)), Some((3, 3)), Some((1, 1))];
        assert_eq!(lines_of(json.as_bytes(), Syntax::Json, &pointers), lines);
        let yaml = "paths:\n  /a:\n    get: &g\n      x: 1\n    200:\n      - k: 1\n      - {y: 2}\n";
        let pointers = ["/paths/~1a/get/x", "/paths/~1a/200/1/y", "/paths/~1a/200/0", "/none"];
        let lines = [Some((4, 7)), Some((7, 10)), Some((6, 9)), Some((1, 1))];
        assert_eq!(lines_of(yaml.as_bytes(), Syntax::Yaml, &pointers), lines);
        for broken in ["{", "[", "{\"a\":", "[}", "\"", "[\"\\"] {
            assert_eq!(lines_of(broken.as_bytes(), Syntax::Json, &["/a"]).len(), 1, "{broken}");
        }
    }
}
