//! A task's input: text and files out of the string or the items a client sends.

use super::error::{Code, Problem};
use super::{Json, path};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::json;

/// Most items of one input, parts counted too.
const MOST_PARTS: usize = 2_000;

/// Most files of one input.
pub const MOST_FILES: usize = 64;

/// A file that an input carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    /// Its bytes came along.
    Inline {
        /// Its name.
        filename: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// It was uploaded before.
    ById {
        /// The file's id.
        file_id: String,
        /// The field that names it.
        at: String,
    },
}

/// What an input says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    /// The text of the last message that has any from the user.
    pub text: String,
    /// Files of all items, in order.
    pub files: Vec<Attached>,
    /// Parts of an unknown kind, by their place: they are not acted on.
    pub unknown: Vec<String>,
}

/// Reads an input. Files larger than `most_bytes` are refused.
pub fn read(input: &Json, most_bytes: usize) -> Result<Input, Problem> {
    let mut read = Input::default();
    let items = match input {
        Json::String(text) => {
            read.text.clone_from(text);
            return Ok(read);
        }
        Json::Array(items) if items.is_empty() => {
            return Err(Problem::invalid("input", "The input has no items."));
        }
        Json::Array(items) => items,
        _ => return Err(Problem::invalid("input", "The input must be text or a list of items.")),
    };
    let mut parts = 0usize;
    for (i, item) in items.iter().enumerate() {
        let at = format!("input[{i}]");
        let Some(fields) = item.as_object() else { return Err(Problem::invalid(at, "An input item is an object.")) };
        let said = match fields.get("content") {
            Some(Json::String(text)) => Some(text.clone()),
            Some(Json::Array(list)) => {
                parts += list.len();
                let mut texts = Vec::new();
                for (j, part) in list.iter().enumerate() {
                    read_part(part, &format!("{at}.content[{j}]"), most_bytes, &mut read, &mut texts)?;
                }
                (!texts.is_empty()).then(|| texts.join("\n"))
            }
            None | Some(Json::Null) => {
                let mut texts = Vec::new();
                read_part(item, &at, most_bytes, &mut read, &mut texts)?;
                texts.pop()
            }
            Some(_) => {
                return Err(Problem::invalid(format!("{at}.content"), "Content must be text or a list of parts."));
            }
        };
        parts += 1;
        if parts > MOST_PARTS {
            return Err(Problem::invalid("input", format!("An input has at most {MOST_PARTS} items and parts.")));
        }
        let from_user = fields.get("role").and_then(Json::as_str).is_none_or(|r| r == "user");
        if let (Some(said), true) = (said, from_user) {
            read.text = said;
        }
    }
    if read.files.len() > MOST_FILES {
        return Err(Problem::invalid("input", format!("An input carries at most {MOST_FILES} files.")));
    }
    Ok(read)
}

fn read_part(
    part: &Json,
    at: &str,
    most_bytes: usize,
    read: &mut Input,
    texts: &mut Vec<String>,
) -> Result<(), Problem> {
    let Some(fields) = part.as_object() else { return Err(Problem::invalid(at, "A content part is an object.")) };
    match fields.get("type").and_then(Json::as_str) {
        Some("input_text" | "text" | "output_text") => match fields.get("text") {
            Some(Json::String(text)) => texts.push(text.clone()),
            _ => return Err(Problem::invalid(format!("{at}.text"), "A text part needs its text.")),
        },
        Some(kind @ ("input_file" | "input_image")) => {
            let text = |key: &str| match fields.get(key) {
                None | Some(Json::Null) => Ok(None),
                Some(Json::String(s)) => Ok(Some(s.as_str())),
                Some(_) => Err(Problem::invalid(format!("{at}.{key}"), "This must be text.")),
            };
            let fallback = if kind == "input_image" { "image" } else { "file" };
            if let Some(id) = text("file_id")? {
                read.files.push(Attached::ById { file_id: id.to_owned(), at: format!("{at}.file_id") });
            } else if let Some((key, url)) = [("file_data", text("file_data")?), ("image_url", text("image_url")?)]
                .into_iter()
                .find_map(|(k, v)| v.map(|v| (k, v)))
            {
                let bytes = data_url(url).map_err(|why| Problem::invalid(format!("{at}.{key}"), why))?;
                if bytes.len() > most_bytes {
                    return Err(too_large(most_bytes).param(format!("{at}.{key}")));
                }
                let filename = path::file_name(text("filename")?.unwrap_or(fallback));
                read.files.push(Attached::Inline { filename, bytes });
            } else {
                return Err(Problem::invalid(at, "A file part needs file_data or file_id."));
            }
        }
        _ => read.unknown.push(at.to_owned()),
    }
    Ok(())
}

/// The refusal of a file or a body that is too large.
pub fn too_large(most_bytes: usize) -> Problem {
    Problem::new(Code::FileTooLarge, format!("This is larger than the {most_bytes} bytes taken here."))
        .detail("max_bytes", most_bytes)
}

/// The bytes of a `data:` URL. Nothing else is fetched: any other address is refused.
pub fn data_url(url: &str) -> Result<Vec<u8>, &'static str> {
    let Some(rest) = url.strip_prefix("data:") else {
        return Err("File data must be a data URL; nothing else is fetched.");
    };
    let Some((head, data)) = rest.split_once(',') else { return Err("The data URL has no comma.") };
    if head.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64")) {
        let tight: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let decoded = STANDARD.decode(&tight).or_else(|_| STANDARD_NO_PAD.decode(&tight));
        return decoded.map_err(|_| "The base64 of the data URL does not decode.");
    }
    let (bytes, mut out, mut i) = (data.as_bytes(), Vec::with_capacity(data.len()), 0);
    while i < bytes.len() {
        let hex = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16));
        match (bytes[i], hex(bytes.get(i + 1)), hex(bytes.get(i + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 3;
            }
            (b'%', ..) => return Err("The data URL has a broken percent escape."),
            (byte, ..) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    Ok(out)
}

/// The input as a list of items, for reading back: a bare string is one user message.
pub fn items(input: &Json) -> Json {
    match input {
        Json::String(text) => json!([
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        ]),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_users_last() {
        let text = |v: Json| read(&v, 100).unwrap().text;
        assert_eq!(text(json!("hi")), "hi");
        assert_eq!(text(json!([{"role": "user", "content": "hi"}])), "hi");
        let parts = json!([{"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]}]);
        assert_eq!(text(parts), "a\nb");
        let talk = json!([
            {"role": "user", "content": "one"}, {"role": "assistant", "content": "no"}, {"role": "user", "content": "two"},
        ]);
        assert_eq!(text(talk), "two");
        assert_eq!(text(json!([{"type": "input_text", "text": "bare"}])), "bare");
    }

    #[test]
    fn files_come_inline_or_by_id() {
        let input = json!([{"role": "user", "content": [
            {"type": "input_file", "filename": "d/a.txt", "file_data": "data:text/plain;base64,aGk="},
            {"type": "input_file", "file_id": "file_1"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAEC"},
            {"type": "input_audio", "x": 1},
        ]}]);
        let read = read(&input, 100).unwrap();
        assert_eq!(read.files[0], Attached::Inline { filename: "a.txt".into(), bytes: b"hi".to_vec() });
        assert_eq!(
            read.files[1],
            Attached::ById { file_id: "file_1".into(), at: "input[0].content[1].file_id".into() }
        );
        assert_eq!(read.files[2], Attached::Inline { filename: "image".into(), bytes: vec![0, 1, 2] });
        assert_eq!(read.unknown, ["input[0].content[3]"]);
    }

    #[test]
    fn refusals_name_the_field() {
        let param = |v: Json| read(&v, 4).unwrap_err().param.unwrap();
        assert_eq!(param(json!(3)), "input");
        assert_eq!(param(json!([])), "input");
        assert_eq!(param(json!(["x"])), "input[0]");
        assert_eq!(param(json!([{"content": 3}])), "input[0].content");
        let part = |p: Json| json!([{"role": "user", "content": [p]}]);
        assert_eq!(param(part(json!({"type": "input_text"}))), "input[0].content[0].text");
        assert_eq!(param(part(json!({"type": "input_file"}))), "input[0].content[0]");
        let data = |d: &str| part(json!({"type": "input_file", "file_data": d}));
        for bad in ["http://x/", "data:base64", "data:;base64,%%", "data:,%4"] {
            assert_eq!(param(data(bad)), "input[0].content[0].file_data", "{bad}");
        }
        assert_eq!(read(&data("data:;base64,AAAAAAAA"), 4).unwrap_err().code, Code::FileTooLarge);
    }

    #[test]
    fn data_urls_decode() {
        assert_eq!(data_url("data:,a%20b").unwrap(), b"a b");
        assert_eq!(data_url("data:text/plain;charset=utf-8;base64,aGk").unwrap(), b"hi");
    }
}
