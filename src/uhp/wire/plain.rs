//! Plain tasks: the few inputs that are done as they say instead of playing an episode, so that any client has
//! something to hold on to. Each is matched on the whole input.

use super::path;
use std::sync::Arc;

/// A plain task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plain {
    /// Say this text.
    Reply(String),
    /// One number a line, from the first to the second.
    Count(i64, i64),
    /// Write a file.
    Create {
        /// Its path in the session's folder.
        name: String,
        /// Its content.
        text: String,
    },
    /// Say the token of the attached file.
    Token,
}

/// The plain task that an input is, if it is one.
pub fn read(input: &str) -> Option<Plain> {
    let text = input.trim();
    if let Some(reply) = strip(text, "reply with exactly:") {
        return Some(Plain::Reply(reply.trim().to_owned()));
    }
    if let Some(rest) = strip(text, "count slowly from ") {
        return count(rest);
    }
    if let Some(rest) = strip(text, "create a file named ") {
        let (name, body) = rest.split_once(" containing exactly:")?;
        let body = body.strip_prefix(' ').or_else(|| body.strip_prefix('\n')).unwrap_or(body);
        let name = unquoted(name.trim());
        return Some(match path::check(name) {
            Ok(()) => Plain::Create { name: name.to_owned(), text: body.to_owned() },
            Err(why) => Plain::Reply(format!("No file was written: {why}.")),
        });
    }
    asks_for_token(text).then_some(Plain::Token)
}

/// A name without the quotes around it.
fn unquoted(name: &str) -> &str {
    let within = |quote: char| name.strip_prefix(quote)?.strip_suffix(quote).filter(|name| !name.is_empty());
    ['"', '\'', '`'].into_iter().find_map(within).unwrap_or(name)
}

/// What follows a beginning compared without case.
fn strip<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let head = text.get(..beginning.len())?;
    head.eq_ignore_ascii_case(beginning).then(|| &text[beginning.len()..])
}

/// `A to B`, then nothing, a full stop, or `, one number per line.`
fn count(rest: &str) -> Option<Plain> {
    let (from, rest) = rest.split_once(" to ")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
    let (to, tail) = rest.split_at(end);
    let tail = tail.trim().trim_end_matches('.').to_ascii_lowercase();
    let tails = ["", ", one number per line", ", one number a line", ", one per line", " one number per line"];
    tails.contains(&tail.as_str()).then_some(())?;
    Some(Plain::Count(from.trim().parse().ok()?, to.parse().ok()?))
}

/// Questions for the token of an attached file: a short text of nothing but the words such questions are made of, the token
/// and the attached file among them.
fn asks_for_token(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(['.', ',', '?', '!', ':', ';', '"', '\'']))
        .filter(|word| !word.is_empty())
        .take(LONGEST_QUESTION + 1)
        .collect();
    let names = |asked: &[&str]| words.iter().any(|word| asked.contains(word));
    words.len() <= LONGEST_QUESTION
        && words.iter().all(|word| QUESTION.contains(word))
        && names(&["token"])
        && names(&["file"])
        && names(&["attached", "uploaded"])
}

/// Most words of a question for a token.
const LONGEST_QUESTION: usize = 24;

/// What questions for a token are made of.
const QUESTION: [&str; 50] = [
    "a",
    "and",
    "answer",
    "at",
    "attached",
    "back",
    "contain",
    "contained",
    "contains",
    "does",
    "else",
    "file",
    "find",
    "from",
    "give",
    "in",
    "inside",
    "is",
    "it",
    "just",
    "look",
    "me",
    "my",
    "no",
    "nothing",
    "of",
    "one-line",
    "only",
    "open",
    "please",
    "print",
    "read",
    "reply",
    "respond",
    "return",
    "say",
    "secret",
    "tell",
    "that",
    "the",
    "then",
    "this",
    "to",
    "token",
    "uploaded",
    "what",
    "what's",
    "which",
    "with",
    "you",
];

/// The token of a file: what stands after `token is`, `token:` or `token =` on a line, or else a file's only line.
pub fn token(file: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(file).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for line in text.lines() {
        let lower = line.to_ascii_lowercase();
        for mark in ["token is ", "token: ", "token:", "token = ", "token="] {
            if let Some(at) = lower.find(mark) {
                let word = line[at + mark.len()..].split_whitespace().next().unwrap_or_default();
                let word = word.trim_end_matches(['.', ',', ';', '!']).trim_matches(['"', '\'', '`']);
                if !word.is_empty() {
                    return Some(word.to_owned());
                }
            }
        }
    }
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    match (lines.next(), lines.next()) {
        (Some(only), None) if only.len() <= 1_000 => Some(only.to_owned()),
        _ => None,
    }
}

/// A file in the session's folder that a plain task may be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub filename: String,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_plain_tasks() {
        assert_eq!(read("Reply with exactly: ok"), Some(Plain::Reply("ok".into())));
        assert_eq!(read(" reply with exactly: a b\n"), Some(Plain::Reply("a b".into())));
        assert_eq!(read("Count slowly from 1 to 200, one number per line."), Some(Plain::Count(1, 200)));
        assert_eq!(read("Count slowly from 5 to -3"), Some(Plain::Count(5, -3)));
        let made = Plain::Create { name: "uhp-conformance.txt".into(), text: "artifact-ok".into() };
        assert_eq!(read("Create a file named uhp-conformance.txt containing exactly: artifact-ok"), Some(made));
        assert_eq!(read("Reply with only the secret token from the attached file."), Some(Plain::Token));
        for asked in [
            "What is the token in the attached file?",
            "what's the secret token of my uploaded file",
            "Read the attached file, then reply with the token and nothing else.",
            "Which token does the attached file contain?",
            "Please tell me only the one-line token inside this attached file!",
        ] {
            assert_eq!(read(asked), Some(Plain::Token), "{asked}");
        }
    }

    #[test]
    fn a_file_is_named_with_or_without_quotes_and_stays_in_its_folder() {
        let made = |name: &str| read(&format!("Create a file named {name} containing exactly: x"));
        for (said, name) in [("a b.txt", "a b.txt"), ("\"a.txt\"", "a.txt"), ("`d/a`", "d/a"), ("'", "'")] {
            assert_eq!(made(said), Some(Plain::Create { name: name.into(), text: "x".into() }), "{said}");
        }
        for outside in ["../a.txt", "/etc/passwd", "a/../../b", "\"../a\"", "C:\\a", &"a".repeat(300)] {
            let Some(Plain::Reply(why)) = made(outside) else { panic!("{outside}") };
            assert!(why.starts_with("No file was written: "), "{why}");
        }
    }

    #[test]
    fn only_the_whole_input_counts() {
        for other in [
            "Please reply with exactly: ok",
            "Count slowly from 1 to 200 and then stop the server",
            "Count slowly from one to ten",
            "Create a file named a.txt",
            "Reply with only the secret token from the attached file. Then move the order.",
            "Summarise the attached file.",
            "What is the token?",
            "Read the file and reply with the token.",
            "What is the token in the attached file of the order?",
            "",
            "é",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn tokens_are_found() {
        assert_eq!(token(b"The secret token is uhp-1234abcd.").as_deref(), Some("uhp-1234abcd"));
        assert_eq!(token(b"# x\ntoken: \"abc\"\n").as_deref(), Some("abc"));
        assert_eq!(token(b"just-this\n").as_deref(), Some("just-this"));
        assert_eq!(token(b"two\nlines\n"), None);
        assert_eq!(token(&[0xff, 0xfe]), None);
        assert_eq!(token(b""), None);
    }
}
