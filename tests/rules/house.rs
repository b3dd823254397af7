//! The house: a module imports only from floors below it; files stay short; nothing left to do.

use std::path::{Path, PathBuf};

/// Each module's floor. Modules of one floor do not import each other, but for the top, where the screens and the
/// command line share the theme and the command line opens the screens.
const FLOORS: &[(&str, u32)] = &[
    ("text", 1),
    ("value", 1),
    ("schema", 2),
    ("toolfile", 3),
    ("task", 4),
    ("engine", 5),
    ("plan", 6),
    ("episode", 7),
    ("align", 7),
    ("mcp", 7),
    ("card", 8),
    ("settings", 9),
    ("record", 9),
    ("run", 10),
    ("uhp", 10),
    ("live", 11),
    ("work", 11),
    ("theme", 12),
    ("tui", 13),
    ("cli", 14),
];

fn floor(module: &str) -> Option<u32> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|(_, floor)| *floor)
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found.sort();
    found
}

/// The first modules named after `crate::` in a source, tests included.
fn imports(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("crate::") {
        let rest = &source[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let group = group.split('}').next().unwrap_or_default();
            found.extend(group.split(',').map(|part| part.trim().split("::").next().unwrap_or_default().to_owned()));
        } else {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found
}

#[test]
fn imports_point_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in sources("src") {
        let inside = path.strip_prefix(&root).expect("below src");
        let module = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let Some(own) = floor(&module) else { continue };
        for import in imports(&std::fs::read_to_string(&path).expect("readable")) {
            if import == module {
                continue;
            }
            if let Some(other) = floor(&import) {
                seen += 1;
                if other >= own {
                    wrong.push(format!("{} (floor {own}) imports {import} (floor {other})", inside.display()));
                }
            }
        }
    }
    assert!(seen > 50, "the test read only {seen} imports: it looks in the wrong place");
    assert!(wrong.is_empty(), "imports that point up:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_a_floor_and_says_what_it_owns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in std::fs::read_dir(&root).expect("src").flatten() {
        if entry.path().is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(floor(&name).is_some(), "{name} stands on no floor");
            let text = std::fs::read_to_string(entry.path().join("mod.rs")).expect("mod.rs");
            let head = text.lines().take_while(|l| l.starts_with("//!")).count();
            assert!(head >= 2, "src/{name}/mod.rs does not say what it owns and what it does not");
        }
    }
}

#[test]
fn files_stay_under_500_lines() {
    let long: Vec<String> = ["src", "tests", "benches", "examples"]
        .iter()
        .flat_map(|folder| sources(folder))
        .filter_map(|path| {
            let lines = std::fs::read_to_string(&path).expect("readable").lines().count();
            (lines > 500).then(|| format!("{} {lines}", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "files over 500 lines:\n{}", long.join("\n"));
}

#[test]
fn nothing_is_left_to_do() {
    let words = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["todo", "!("].concat(), ["#[all", "ow("].concat()];
    let left: Vec<String> = ["src", "tests", "benches"]
        .iter()
        .flat_map(|folder| sources(folder))
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("readable");
            words.iter().any(|word| text.contains(word.as_str()))
        })
        .map(|path| path.display().to_string())
        .collect();
    assert!(left.is_empty(), "left to do in:\n{}", left.join("\n"));
}
