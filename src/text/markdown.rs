//! Untrusted text inside Markdown.

use super::safe;

/// One line of Markdown that shows these characters and nothing else: no markup, no link, no image, no entity, no HTML, no
/// heading or list or rule where a block begins. What a terminal would obey is a visible symbol, as in [`safe`]; blanks at
/// the ends, which Markdown drops, are dropped. Signs are escaped only where they would mean something, so that the text
/// stays easy to read as it is.
///
/// ```
/// use rehearsal::text::markdown;
/// assert_eq!(markdown("-0.5 in wrong_state (a-b)"), "-0.5 in wrong_state (a-b)");
/// assert_eq!(markdown("# *x* <b> www.example.org"), r"\# \*x\* \<b> www\.example.org");
/// ```
pub fn markdown(line: &str) -> String {
    let line = safe(line);
    let letters: Vec<char> = line.trim().chars().collect();
    let mut out = String::with_capacity(line.len() + 8);
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|j| letters[j]);
        let after = letters.get(i + 1).copied();
        let meant = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' | '^' => true,
            // Inside a word it marks nothing.
            '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
            '&' => after.is_some_and(|next| next.is_ascii_alphanumeric() || next == '#'),
            '@' => names_a_host(&letters[i + 1..]),
            ':' => letters[i + 1..].starts_with(&['/', '/']),
            '.' if ends_in_www(&letters[..i]) => true,
            '.' | ')' => begins_list(&letters[..i]) && after.is_none_or(char::is_whitespace),
            '#' => before.is_none() || after.is_none(),
            '>' => before.is_none(),
            '-' | '+' | '=' => before.is_none() && after.is_none_or(|next| next == c || next.is_whitespace()),
            _ => false,
        };
        if meant {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn ends_in_www(letters: &[char]) -> bool {
    letters.len() >= 3 && letters[letters.len() - 3..].iter().all(|c| c.eq_ignore_ascii_case(&'w'))
}

/// Whether an address may go on here: a point before the next blank.
fn names_a_host(letters: &[char]) -> bool {
    letters.iter().take_while(|c| !c.is_whitespace()).any(|c| *c == '.')
}

/// Whether the letters so far are a number, so that a point or a parenthesis would begin a list.
fn begins_list(letters: &[char]) -> bool {
    (1..=9).contains(&letters.len()) && letters.iter().all(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::is_hidden;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// Everything a dialect may add, but for the nicer quotes and dashes that change what is read.
    fn options() -> Options {
        Options::all() - Options::ENABLE_SMART_PUNCTUATION
    }

    /// What a reader of the Markdown sees, and every kind of thing in it that is no text.
    fn shown(source: &str) -> (String, Vec<String>) {
        let (mut text, mut other) = (String::new(), Vec::new());
        for event in Parser::new_ext(source, options()) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::Start(Tag::Paragraph) | Event::End(_) => {}
                event => other.push(format!("{event:?}")),
            }
        }
        (text, other)
    }

    #[test]
    fn nothing_of_it_is_markup() {
        for line in [
            "# heading",
            "- item",
            "+ item",
            "* item",
            "1. item",
            "12) item",
            "> quote",
            "---",
            "===",
            "***",
            "~~~",
            "```sh",
            "`code`",
            "**bold**",
            "_it_",
            "__b__",
            "a_b_c",
            "~~gone~~",
            "[a](http://x.y)",
            "![a](b)",
            "[a]: b",
            "<b>x</b>",
            "<!-- x -->",
            "&lt;",
            "&#65;",
            "a & b",
            "https://example.org",
            "www.example.org",
            "a@example.org",
            "<https://example.org>",
            "| a | b |",
            "a\\",
            "\\*",
            "$x$",
            "$$x$$",
            "[^1]",
            "[ ] x",
            "a^b^",
            ": term",
            "{x}",
            "trailing #",
            "    code",
            "-",
            "=",
            "1.",
            "wrong_state",
            "f(x) = 1 - 2",
            "||spoiler||",
            "_",
            "a_ b_",
        ] {
            let (text, other) = shown(&markdown(line));
            assert_eq!((text.as_str(), other.as_slice()), (safe(line).trim(), [].as_slice()), "{line}");
        }
    }

    #[test]
    fn in_a_table_a_cell_stays_a_cell() {
        let table = format!("| a | b |\n| --- | --- |\n| {} | x |\n", markdown("p | q \\| `r | s` \n| t"));
        let cells = Parser::new_ext(&table, options()).filter(|e| matches!(e, Event::Start(Tag::TableCell))).count();
        assert_eq!(cells, 4);
    }

    proptest! {
        #[test]
        fn it_shows_what_it_was_given(line in "[ -~]{0,24}|[-#>+=*_~`|\\[\\](){}<!&;:/.@$^ a1\\\\]{0,16}|\\PC{0,12}") {
            let source = markdown(&line);
            prop_assert!(!source.chars().any(is_hidden));
            let (text, other) = shown(&source);
            let safe = safe(&line);
            prop_assert_eq!(text, safe.trim(), "{}", source);
            prop_assert_eq!(other, Vec::<String>::new(), "{}", source);
        }
    }
}
