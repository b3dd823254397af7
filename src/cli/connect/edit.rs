//! One entry put into a settings file of somebody else; everything else in it stays as it is, comments too.

use crate::value::{Value, canonical};

/// Puts an entry into JSON that may hold comments. The error says why the text is left alone.
pub(super) fn json(text: &str, path: &[String], entry: &Value) -> Result<String, String> {
    let Some((name, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    if text.trim().is_empty() {
        let mut whole = entry.clone();
        for key in path.iter().rev() {
            whole = [(key.as_str(), whole)].into_iter().collect::<crate::value::Map>().into();
        }
        return Ok(format!("{}\n", canonical::pretty(&whole, false).trim_end()));
    }
    let scan = Scan { text, bytes: text.as_bytes() };
    let mut object = scan.object(scan.blanks(0)).ok_or("it is not a JSON object")?;
    scan.ends(object.end).then_some(()).ok_or("it is not JSON")?;
    for (depth, key) in parents.iter().enumerate() {
        match object.members.iter().find(|member| member.name == *key) {
            Some(member) => {
                object = scan.object(member.value.0).ok_or_else(|| format!("{key} in it is not an object"))?;
            }
            None => {
                let mut inner = entry.clone();
                for key in path[depth + 1..].iter().rev() {
                    inner = [(key.as_str(), inner)].into_iter().collect::<crate::value::Map>().into();
                }
                return Ok(scan.insert(&object, key, &inner, depth + 1));
            }
        }
    }
    match object.members.iter().find(|member| member.name == *name) {
        Some(member) => {
            let (start, end) = member.value;
            if crate::value::read_json(&text.as_bytes()[start..end]).is_ok_and(|d| d.root == *entry) {
                return Ok(text.to_owned());
            }
            Ok(format!("{}{}{}", &text[..start], indented(entry, path.len()), &text[end..]))
        }
        None => Ok(scan.insert(&object, name, entry, path.len())),
    }
}

/// A value as indented JSON for a place of that depth.
fn indented(value: &Value, depth: usize) -> String {
    canonical::pretty(value, false).trim_end().replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

struct Object {
    members: Vec<Member>,
    /// Behind the opening brace.
    inside: usize,
    /// Behind the last value, or behind a comma after it.
    last: Option<(usize, bool)>,
    /// Behind the closing brace.
    end: usize,
}

struct Member {
    name: String,
    value: (usize, usize),
}

impl Scan<'_> {
    /// Passes blanks and comments.
    fn blanks(&self, mut at: usize) -> usize {
        loop {
            match self.bytes.get(at..) {
                Some([b' ' | b'\t' | b'\r' | b'\n', ..]) => at += 1,
                Some([0xef, 0xbb, 0xbf, ..]) => at += 3,
                Some([b'/', b'/', rest @ ..]) => at += 2 + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
                Some([b'/', b'*', rest @ ..]) => {
                    at += 2 + rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 2);
                }
                _ => return at,
            }
        }
    }

    /// Passes the comments that follow on the same line.
    fn comments(&self, at: usize) -> usize {
        let (mut end, mut i) = (at, at);
        loop {
            match self.bytes.get(i..) {
                Some([b' ' | b'\t', ..]) => i += 1,
                Some([b'/', b'/', rest @ ..]) => {
                    return i + 2 + rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
                }
                Some([b'/', b'*', rest @ ..]) => {
                    i += 2 + rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 2);
                    end = i;
                }
                _ => return end,
            }
        }
    }

    fn ends(&self, at: usize) -> bool {
        self.blanks(at) == self.bytes.len()
    }

    fn string(&self, at: usize) -> Option<usize> {
        let mut i = at + 1;
        loop {
            match self.bytes.get(i)? {
                b'"' => return Some(i + 1),
                b'\\' => i += 2,
                _ => i += 1,
            }
        }
    }

    /// Where the value at a place ends.
    fn value(&self, at: usize) -> Option<usize> {
        let mut open = Vec::new();
        let mut i = at;
        loop {
            match self.bytes.get(i)? {
                b'"' => i = self.string(i)?,
                b'{' => {
                    open.push(b'}');
                    i += 1;
                }
                b'[' => {
                    open.push(b']');
                    i += 1;
                }
                b @ (b'}' | b']') => {
                    if open.pop() != Some(*b) {
                        return None;
                    }
                    i += 1;
                }
                b'/' => i = self.blanks(i).max(i + 1),
                b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if !open.is_empty() => i += 1,
                b if b.is_ascii_alphanumeric() || b"+-._".contains(b) => {
                    while self.bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-._".contains(b)) {
                        i += 1;
                    }
                }
                _ => return None,
            }
            if open.is_empty() {
                return Some(i);
            }
        }
    }

    fn object(&self, at: usize) -> Option<Object> {
        if self.bytes.get(at) != Some(&b'{') {
            return None;
        }
        let (mut members, mut last) = (Vec::new(), None);
        let mut i = self.blanks(at + 1);
        while self.bytes.get(i)? != &b'}' {
            if self.bytes.get(i) != Some(&b'"') {
                return None;
            }
            let end = self.string(i)?;
            let name = serde_json::from_str(&self.text[i..end]).ok()?;
            let colon = self.blanks(end);
            if self.bytes.get(colon) != Some(&b':') {
                return None;
            }
            let start = self.blanks(colon + 1);
            let end = self.value(start)?;
            members.push(Member { name, value: (start, end) });
            last = Some((end, false));
            i = self.blanks(end);
            match self.bytes.get(i)? {
                b',' => {
                    last = Some((i + 1, true));
                    i = self.blanks(i + 1);
                }
                b'}' => {}
                _ => return None,
            }
        }
        Some(Object { members, inside: at + 1, last, end: i + 1 })
    }

    /// The text with a further member at the end of an object.
    fn insert(&self, object: &Object, name: &str, value: &Value, depth: usize) -> String {
        let key = canonical::compact(&Value::from(name), false);
        let member = format!("{key}: {}", indented(value, depth));
        let indent = "  ".repeat(depth);
        match object.last {
            Some((at, comma)) => {
                // What is said of the last member behind it on its line stays there.
                let end = self.comments(at);
                let (before, about, after) = (&self.text[..at], &self.text[at..end], &self.text[end..]);
                let (sign, tail) = if comma { ("", ",") } else { (",", "") };
                format!("{before}{sign}{about}\n{indent}{member}{tail}{after}")
            }
            None => {
                let (before, after) = self.text.split_at(object.inside);
                let close = "  ".repeat(depth - 1);
                let after = if after.trim_start().starts_with('}') { after.trim_start() } else { after };
                format!("{before}\n{indent}{member}\n{close}{after}")
            }
        }
    }
}

/// Puts an entry into TOML.
pub(super) fn toml(text: &str, path: &[String], entry: &Value) -> Result<String, String> {
    let mut document: toml_edit::DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| e.message().lines().next().unwrap_or_default().to_owned())?;
    let mut table = document.as_table_mut();
    for (depth, key) in path.iter().enumerate() {
        let item = table.entry(key).or_insert_with(|| {
            let mut made = toml_edit::Table::new();
            made.set_implicit(depth + 1 < path.len());
            toml_edit::Item::Table(made)
        });
        table = item.as_table_mut().ok_or_else(|| format!("{key} in it is not a table"))?;
    }
    for (key, value) in entry.as_object().into_iter().flat_map(|map| map.named()) {
        let given = match value {
            Value::Int(n) => toml_edit::Value::from(*n),
            Value::Bool(b) => toml_edit::Value::from(*b),
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<toml_edit::Array>().into(),
            other => toml_edit::Value::from(other.as_str().unwrap_or_default()),
        };
        match table.get_mut(key).and_then(|item| item.as_value_mut()) {
            Some(old) if old.to_string().trim() == given.to_string().trim() => {}
            Some(old) => {
                let decor = old.decor().clone();
                *old = given;
                *old.decor_mut() = decor;
            }
            None => drop(table.insert(key, toml_edit::value(given))),
        }
    }
    Ok(document.to_string())
}

/// An entry of a YAML mapping, every value on its own line.
pub(super) fn yaml_entry(name: &str, entry: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let members = entry.as_object().into_iter().flat_map(|map| map.named());
    let lines: Vec<String> =
        members.map(|(key, value)| format!("{pad}{pad}{key}: {}", canonical::spaced(value))).collect();
    format!("{pad}{name}:\n{}\n", lines.join("\n"))
}

/// Puts an entry into a YAML mapping that is written in blocks.
pub(super) fn yaml(text: &str, path: &[String], entry: &Value) -> Result<String, String> {
    let [list, name] = path else { return Err("it has no such place".to_owned()) };
    let read = if text.trim().is_empty() {
        Value::default()
    } else {
        crate::value::read(text.as_bytes()).map_err(|e| e.message)?.root
    };
    if let Some(there) = read.get(list).and_then(|inner| inner.get(name)) {
        let same = there == entry;
        return if same {
            Ok(text.to_owned())
        } else {
            Err(format!("it has {list}.{name} already: take that out first"))
        };
    }
    let ended = if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let head = format!("{list}:");
    let Some(at) = ended.lines().position(|line| line.trim_end() == head) else {
        if read.get(list).is_some() {
            return Err(format!("{list} in it is not written in lines of its own"));
        }
        return Ok(format!("{ended}{head}\n{}", yaml_entry(name, entry, 2)));
    };
    let lines: Vec<&str> = ended.split_inclusive('\n').collect();
    let child = lines[at + 1..].iter().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let indent = child.map_or(2, |line| line.len() - line.trim_start().len());
    let indent = if indent == 0 { 2 } else { indent };
    Ok(format!("{}{}{}", lines[..=at].concat(), yaml_entry(name, entry, indent), lines[at + 1..].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        crate::value::read_json(br#"{"command": "r", "args": ["mcp", "--join"], "timeout": 5}"#).unwrap().root
    }

    fn path(list: &str) -> Vec<String> {
        vec![list.to_owned(), "rehearsal".to_owned()]
    }

    #[test]
    fn json_keeps_comments_and_everything_else() {
        for text in [
            "",
            "{}",
            "{\n  // mine\n  \"a\": 1.0, /* b */\n}\n",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\": {\"x\": {\"command\": \"//no\"}, // last\n}, \"z\": [1, {\"q\": \"}\"}]}",
        ] {
            let once = json(text, &path("mcpServers"), &entry()).unwrap();
            assert_eq!(json(&once, &path("mcpServers"), &entry()).unwrap(), once, "{text}");
            for kept in [
                "// mine",
                "\"a\": 1.0, /* b */",
                "\"x\": {\"command\": \"//no\"}",
                "// last",
                "\"z\": [1, {\"q\": \"}\"}]",
            ] {
                assert_eq!(text.contains(kept), once.contains(kept), "{once}");
            }
            assert!(once.contains("\"timeout\": 5"));
            if !text.contains("//") && !text.contains("/*") {
                assert!(crate::value::read_json(once.as_bytes()).is_ok(), "{once}");
            }
        }
        let old = "{\"mcpServers\": {\"rehearsal\": {\"command\": \"old\"}, \"b\": 1}}";
        let new = json(old, &path("mcpServers"), &entry()).unwrap();
        assert!(!new.contains("old") && new.contains("\"b\": 1"));
        for bad in ["[]", "{", "{\"mcpServers\": 5}", "{} x"] {
            assert!(json(bad, &path("mcpServers"), &entry()).is_err(), "{bad}");
        }
    }

    #[test]
    fn toml_and_yaml_keep_comments_too() {
        let text = "# mine\nmodel = \"m\" # why\n\n[mcp_servers.other]\ncommand = \"x\"\n";
        let once = toml(text, &path("mcp_servers"), &entry()).unwrap();
        assert!(once.starts_with(text) && once.contains("[mcp_servers.rehearsal]\ncommand = \"r\""), "{once}");
        assert_eq!(toml(&once, &path("mcp_servers"), &entry()).unwrap(), once);
        assert!(toml("a = ", &path("mcp_servers"), &entry()).is_err());
        let text = "# mine\nextensions:\n    # theirs\n    other:\n        type: builtin\nkey: v";
        let once = yaml(text, &path("extensions"), &entry()).unwrap();
        assert!(once.contains("# theirs") && once.contains("    rehearsal:\n        command: \"r\"\n"), "{once}");
        assert_eq!(yaml(&once, &path("extensions"), &entry()).unwrap(), once);
        assert!(yaml("", &path("extensions"), &entry()).unwrap().starts_with("extensions:\n  rehearsal:\n    command"));
        assert!(yaml("extensions: {}\n", &path("extensions"), &entry()).is_err());
    }
}
