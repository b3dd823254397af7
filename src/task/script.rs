//! Call scripts: the calls of an episode and how it ends, as a YAML or JSON list.
//!
//! An item is `{tool: NAME, arguments: {...}}` or `[NAME, {...}]`; the last may be `reply` or `limit`. A script that
//! names neither ends with a reply. What `step --json` prints is a script too. Arguments of another kind than an object
//! are kept as they are: making such a call is a thing one may want to do.
use super::Call;
use crate::value::{Map, Odd, Str, Value, canonical, pointer};
use std::fmt::Write as _;

/// How an episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The agent replied in plain text.
    Reply,
    /// The turn limit was hit.
    Limit,
    /// Neither (yet).
    Open,
}

impl Ending {
    /// `reply`, `limit` or `open`.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Reply => "reply",
            Ending::Limit => "limit",
            Ending::Open => "open",
        }
    }
}

/// Calls to make, and how the episode ends after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// A reply or the limit, never open.
    pub ending: Ending,
}

impl Script {
    /// Reads a script. The error is one line and names the item.
    pub fn read(bytes: &[u8]) -> Result<Script, String> {
        let document = crate::value::read(bytes).map_err(|error| match error.at {
            Some((line, column)) => format!("{} (line {line}, column {column})", error.message),
            None => error.message,
        })?;
        Script::from_value(&document.root)
    }

    /// Reads a script that is a value already.
    pub fn from_value(root: &Value) -> Result<Script, String> {
        let items = match root {
            Value::Array(items) => items,
            Value::Object(map) => match map.get("calls") {
                Some(Value::Array(items)) => items,
                _ => {
                    return Err("a call script is a list of calls; this is an object without a list `calls`".to_owned());
                }
            },
            Value::Null => return Err("a call script is a list of calls; this is empty".to_owned()),
            other => return Err(format!("a call script is a list of calls; this is {}", other.kind())),
        };
        let mut calls = Vec::with_capacity(items.len());
        let mut ending = None;
        for (i, item) in items.iter().enumerate() {
            let at = |what: String| format!("item {}: {what}", i + 1);
            if let Some(ended) = ending {
                return Err(at(format!("nothing can follow `{}`", Ending::word(ended))));
            }
            match item.as_str() {
                Some("reply") => ending = Some(Ending::Reply),
                Some("limit") => ending = Some(Ending::Limit),
                _ => calls.push(read_call(item).map_err(at)?),
            }
        }
        Ok(Script { calls, ending: ending.unwrap_or(Ending::Reply) })
    }

    /// The script as JSON, one call a line.
    pub fn to_json(&self) -> String {
        let calls = self.calls.iter().map(|call| canonical::spaced(&call.to_value()));
        // What JSON cannot say is said as YAML says it, which is how such a file is then read.
        let calls: Vec<_> = if self.calls.iter().all(|call| is_json(&call.arguments)) {
            calls.collect()
        } else {
            self.calls.iter().map(flow_pair).collect()
        };
        let ending = (self.ending != Ending::Open).then(|| format!("\"{}\"", self.ending.word()));
        let lines: Vec<_> = calls.into_iter().chain(ending).collect();
        if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n  {}\n]\n", lines.join(",\n  ")) }
    }

    /// The script as YAML, for editing by hand.
    pub fn to_yaml(&self) -> String {
        let mut out = String::new();
        for call in &self.calls {
            out.push_str("- tool: ");
            flow(&mut out, &Value::Str(call.tool.clone()));
            out.push_str("\n  arguments: ");
            flow(&mut out, &call.arguments);
            out.push('\n');
        }
        if self.ending != Ending::Open {
            let _ = writeln!(out, "- {}", self.ending.word());
        }
        if out.is_empty() { "[]\n".to_owned() } else { out }
    }
}

fn read_call(item: &Value) -> Result<Call, String> {
    match item {
        Value::Array(pair) => match &pair[..] {
            [Value::Str(tool), arguments] => made(tool, arguments),
            [Value::Str(tool)] => made(tool, &Map::new().into()),
            [other, ..] if other.as_str().is_none() => Err(format!("a tool's name is text; this is {}", other.kind())),
            _ => Err(format!("a call in a list is [tool, arguments]; this has {} entries", pair.len())),
        },
        Value::Object(map) => {
            let tool = match map.get("tool") {
                Some(Value::Str(tool)) => tool,
                Some(other) => return Err(format!("`tool` is {}, not text", other.kind())),
                None => return Err("a call needs `tool`, the name of the tool".to_owned()),
            };
            // An answer and what belongs to it may stand there: `step --json` prints them.
            const KNOWN: [&str; 5] = ["tool", "arguments", "answer", "why", "changes"];
            if let Some((name, _)) = map.named().find(|(name, _)| !KNOWN.contains(&&***name)) {
                let name = canonical::compact(&Value::from(name), true);
                return Err(format!("a call has `tool` and `arguments`, not {name}"));
            }
            match map.get("arguments") {
                Some(arguments) => made(tool, arguments),
                None => made(tool, &Map::new().into()),
            }
        }
        Value::Str(_) => Err("an item is a call, `reply` or `limit`".to_owned()),
        other => Err(format!("an item is a call, `reply` or `limit`; this is {}", other.kind())),
    }
}

fn made(tool: &Str, arguments: &Value) -> Result<Call, String> {
    let arguments = json_terms(arguments, &mut "/arguments".to_owned())?;
    Ok(Call { tool: tool.clone(), arguments })
}

/// A value in JSON's terms: a date is its text, a key that is not text its JSON text; the error names the first place
/// that has none.
fn json_terms(value: &Value, at: &mut String) -> Result<Value, String> {
    let length = at.len();
    Ok(match value {
        Value::Array(items) => {
            let mut out = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                let _ = write!(at, "/{i}");
                out.push(json_terms(item, at)?);
                at.truncate(length);
            }
            Value::array(out)
        }
        Value::Object(map) => {
            let mut out = Map::with_capacity(map.len());
            for (key, member) in map.iter() {
                let Some(name) = key.json_text() else {
                    return Err(format!("at {at}: a key that JSON has no text for"));
                };
                pointer::push_key(at, &name);
                if out.insert(name.as_ref(), json_terms(member, at)?).is_some() {
                    return Err(format!("at {at}: two keys that become one"));
                }
                at.truncate(length);
            }
            Value::object(out)
        }
        Value::Odd(odd) => match &**odd {
            Odd::Time(text) => Value::Str(text.clone()),
            _ => return Err(format!("at {at}: JSON has no {}", value.kind().trim_start_matches("a "))),
        },
        other => other.clone(),
    })
}

/// Whether JSON can say the value: NaN and infinities it cannot.
fn is_json(value: &Value) -> bool {
    match value {
        Value::Float(f) => f.is_finite(),
        Value::Array(items) => items.iter().all(is_json),
        Value::Object(map) => map.values().all(is_json),
        _ => true,
    }
}

fn flow_pair(call: &Call) -> String {
    let mut out = String::new();
    flow(&mut out, &call.to_value());
    out
}

/// Writes a value as flow YAML 1.1 that reads back as the same value.
fn flow(out: &mut String, value: &Value) {
    match value {
        Value::Float(f) if f.is_nan() => out.push_str(".nan"),
        Value::Float(f) if f.is_infinite() => out.push_str(if *f > 0.0 { ".inf" } else { "-.inf" }),
        Value::Float(_) => {
            // `1e+16` is text in YAML 1.1, `1.0e+16` is not.
            let text = canonical::compact(value, true);
            match text.split_once('e') {
                Some((digits, exponent)) if !digits.contains('.') => {
                    let _ = write!(out, "{digits}.0e{exponent}");
                }
                _ => out.push_str(&text),
            }
        }
        Value::Str(text) => quoted(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                flow(out, item);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, member)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                let name = key.json_text().unwrap_or_default();
                let start = out.len();
                quoted(out, &name);
                // A key written without a mark may not be long.
                if out.len() - start > LONG_KEY {
                    out.insert_str(start, "? ");
                }
                out.push_str(": ");
                flow(out, member);
            }
            out.push('}');
        }
        other => out.push_str(&canonical::compact(other, true)),
    }
}

const LONG_KEY: usize = 1000;

/// Double-quoted text with every character outside printable ASCII escaped as YAML escapes it.
fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Script, String> {
        Script::read(text.as_bytes())
    }

    fn call(tool: &str, arguments: &str) -> Call {
        Call { tool: tool.into(), arguments: Value::parse_json(arguments).unwrap() }
    }

    #[test]
    fn both_forms_of_a_call_and_both_endings_are_read() {
        let script =
            read(r#"[["a", {"n": 1.0}], {"tool": "b", "arguments": [1]}, {"tool": "c"}, ["d"], "limit"]"#).unwrap();
        assert_eq!(script.calls, [call("a", r#"{"n":1.0}"#), call("b", "[1]"), call("c", "{}"), call("d", "{}")]);
        assert_eq!(script.ending, Ending::Limit);
        assert_eq!(read("[]").unwrap(), Script { calls: vec![], ending: Ending::Reply });
        assert_eq!(
            read(r#"{"task_id": "0", "calls": [{"tool": "a", "arguments": "x", "why": "w"}]}"#).unwrap().calls,
            [call("a", "\"x\"")]
        );
    }

    #[test]
    fn errors_are_one_line_and_name_the_item() {
        for (text, error) in [
            ("7", "a call script is a list of calls; this is an integer"),
            ("{}", "a call script is a list of calls; this is an object without a list `calls`"),
            (r#"["reply", ["a", {}]]"#, "item 2: nothing can follow `reply`"),
            (r#"[["a", {}], "replay"]"#, "item 2: an item is a call, `reply` or `limit`"),
            ("[[1, {}]]", "item 1: a tool's name is text; this is an integer"),
            (r#"[["a", {}, 3]]"#, "item 1: a call in a list is [tool, arguments]; this has 3 entries"),
            (r#"[{"arguments": {}}]"#, "item 1: a call needs `tool`, the name of the tool"),
            (r#"[{"tool": "a", "args\n": {}}]"#, r#"item 1: a call has `tool` and `arguments`, not "args\n""#),
            (r#"[{"tool": null}]"#, "item 1: `tool` is null, not text"),
            ("[null]", "item 1: an item is a call, `reply` or `limit`; this is null"),
        ] {
            assert_eq!(read(text).unwrap_err(), error, "{text}");
        }
        assert!(!read("[1,\n 2").unwrap_err().contains('\n'));
    }

    const ODD: &str = r#"{"n": 1.0, "m": 1, "z": -0.0, "big": 123456789012345678901234567890, "e": 1e22, "tiny": 1e-7,
        "text": "a\u0000\n\t\"\\ \u007f\u00e9\ud83d\ude00 : #{", "yes": "no", "date": "2026-01-01", "": [[], {}, null, true]}"#;

    #[test]
    fn a_script_written_as_json_reads_back() {
        let script = Script { calls: vec![call("a", ODD), call("b c", "7")], ending: Ending::Limit };
        assert_eq!(read(&script.to_json()).unwrap(), script);
        let empty = Script { calls: vec![], ending: Ending::Reply };
        assert_eq!(read(&empty.to_json()).unwrap(), empty);
    }

    #[test]
    fn a_script_written_as_yaml_reads_back() {
        let script = Script { calls: vec![call("a", ODD), call("b: c", "7"), call("d", "{}")], ending: Ending::Reply };
        assert_eq!(read(&script.to_yaml()).unwrap(), script, "{}", script.to_yaml());
        let long = format!(r#"{{"{}": 1, "{}": [2]}}"#, "k".repeat(3000), "\\u00e9".repeat(400));
        let script = Script { calls: vec![call("a", &long)], ending: Ending::Limit };
        assert_eq!(read(&script.to_yaml()).unwrap(), script);
        let empty = Script { calls: vec![], ending: Ending::Open };
        assert_eq!(read(&empty.to_yaml()).unwrap().calls, []);
    }

    #[test]
    fn what_json_cannot_say_is_written_so_that_it_reads_back() {
        let arguments = Map::from([("a", Value::Float(f64::INFINITY)), ("b", Value::Float(f64::NEG_INFINITY))]);
        let script =
            Script { calls: vec![Call { tool: "a".into(), arguments: arguments.into() }], ending: Ending::Reply };
        assert_eq!(read(&script.to_json()).unwrap(), script);
        assert_eq!(read(&script.to_yaml()).unwrap(), script);
    }

    #[test]
    fn yaml_is_read_by_its_own_rules_and_ends_in_json_terms() {
        let yaml = "- [a, {when: 2026-10-26, n: 012, 200: 'x'}]\n- tool: b\n  arguments: {deep: {1: yes}}\n- limit\n";
        let script = read(yaml).unwrap();
        assert_eq!(
            script.calls,
            [call("a", r#"{"when": "2026-10-26", "n": 10, "200": "x"}"#), call("b", r#"{"deep": {"1": true}}"#)]
        );
        assert_eq!(read("- [a, {1: x, '1': y}]\n").unwrap_err(), "item 1: at /arguments/1: two keys that become one");
        assert_eq!(
            read("- [a, [{x: !!binary aGk=}]]\n").unwrap_err(),
            "item 1: at /arguments/0/x: JSON has no binary data"
        );
        assert_eq!(
            read("- [a, {x: &a [*a]}]\n").unwrap_err(),
            "item 1: at /arguments/x/0: JSON has no value inside itself"
        );
    }
}
