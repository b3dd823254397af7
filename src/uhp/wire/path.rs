//! Paths of files inside a folder that a client names: relative, contained, one spelling.

/// Longest path taken, in bytes.
const LONGEST: usize = 1024;

/// Longest name of a file or folder, in bytes.
const LONGEST_NAME: usize = 255;

/// Most folders a path may name.
const DEEPEST: usize = 32;

/// Whether `path` names a file inside its folder and nothing else: relative, `/` between parts, no `.` or `..` part,
/// no empty part, no backslash, drive letter or control character. The error says why not.
pub fn check(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("the path is empty");
    }
    if path.len() > LONGEST {
        return Err("the path is longer than 1024 bytes");
    }
    if path.chars().any(char::is_control) {
        return Err("the path holds a control character");
    }
    if path.contains('\\') {
        return Err("the path holds a backslash");
    }
    if path.starts_with('/') {
        return Err("the path is absolute");
    }
    if path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic() {
        return Err("the path names a drive");
    }
    let mut parts = 0;
    for part in path.split('/') {
        parts += 1;
        match part {
            "" => return Err("the path has an empty part"),
            "." | ".." => return Err("the path escapes its folder or does not name one place"),
            // More than any file system takes.
            _ if part.len() > LONGEST_NAME => return Err("a part of the path is longer than 255 bytes"),
            _ => {}
        }
    }
    if parts > DEEPEST { Err("the path is more than 32 folders deep") } else { Ok(()) }
}

/// A name for a file that a client uploads: the last part of what it says, made of printable characters, at most 255
/// bytes, never empty.
pub fn file_name(said: &str) -> String {
    let last = said.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last.chars().filter(|c| !c.is_control()).collect();
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = name.trim();
    if name.is_empty() || name.chars().all(|c| c == '.') { "file".to_owned() } else { name.to_owned() }
}

/// The `n`-th name after `name` that keeps its ending: `a.txt`, `a-2.txt`, `a-3.txt`.
pub fn numbered(name: &str, n: usize) -> String {
    if n < 2 {
        return name.to_owned();
    }
    let stem_end = name.rfind('.').filter(|i| *i > name.rfind('/').map_or(0, |s| s + 1)).unwrap_or(name.len());
    let (stem, ending) = name.split_at(stem_end);
    format!("{stem}-{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_contained_paths_pass() {
        for good in ["SKILL.md", "references/data.md", "a/b/c.bin", ".hidden", "..a", "a b"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        let deep = "a/".repeat(40) + "b";
        let long = "a".repeat(1025);
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../x",
            "a//b",
            "./a",
            "a/",
            "a\\b",
            "C:x",
            "a\nb",
            "a/.",
            &deep,
            &long,
            &long[..256],
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn uploaded_names_lose_their_folders() {
        assert_eq!(file_name("../../etc/passwd"), "passwd");
        assert_eq!(file_name("C:\\tmp\\a.txt"), "a.txt");
        assert_eq!(file_name(".."), "file");
        assert_eq!(file_name("a\r\nb"), "ab");
        assert_eq!(file_name(&"é".repeat(300)).len(), 254);
    }

    #[test]
    fn numbers_go_before_the_ending() {
        assert_eq!(numbered("a.txt", 1), "a.txt");
        assert_eq!(numbered("a.txt", 2), "a-2.txt");
        assert_eq!(numbered("d.x/a", 3), "d.x/a-3");
        assert_eq!(numbered(".env", 2), ".env-2");
    }
}
