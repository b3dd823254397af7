//! A command line taken apart as a POSIX shell would, without running one.

/// The words of a command line. The error is one line.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err("the command ends inside single quotes".to_owned()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some(c) => word.extend(['\\', c]),
                            None => return Err("the command ends inside double quotes".to_owned()),
                        },
                        Some(c) => word.push(c),
                        None => return Err("the command ends inside double quotes".to_owned()),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err("the command ends in a backslash".to_owned()),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_come_apart_as_in_a_shell() {
        assert_eq!(
            words(r#"npx -y  'a b' "c \"d\" \n" e\ f ''"#).unwrap(),
            ["npx", "-y", "a b", r#"c "d" \n"#, "e f", ""]
        );
        for bad in ["", "  ", "'a", "\"a", "a\\"] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
