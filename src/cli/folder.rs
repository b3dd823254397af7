//! What a folder holds that can be opened: tool files and runs.

use crate::run::list_runs;
use crate::toolfile::{self, ReadOptions};
use crate::tui::Held;
use std::path::{Path, PathBuf};

/// At most this many files of a folder are looked into.
const MOST_FILES: usize = 200;
/// A larger file is opened only by its name.
const LARGEST: u64 = 4 << 20;

/// The tool files and runs that a folder itself holds, by name.
pub(super) fn held(folder: &Path) -> Vec<Held> {
    let mut held: Vec<Held> = tool_files(folder).into_iter().map(Held::File).collect();
    held.extend(list_runs(folder).into_iter().map(|entry| Held::Run(entry.path)));
    held
}

fn tool_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let named = |path: &PathBuf| path.extension().is_some_and(|end| end == "json" || end == "yaml" || end == "yml");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(named).collect();
    files.sort();
    files.truncate(MOST_FILES);
    files.retain(|path| is_tool_file(path));
    // A file of this folder is named as people type it.
    files.into_iter().map(|path| path.strip_prefix("./").map(Path::to_owned).unwrap_or(path)).collect()
}

/// Whether a file reads as one of the formats. Most files of a folder do not even hold a word that each format needs.
fn is_tool_file(path: &Path) -> bool {
    let small = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
    let Some(bytes) = small.then(|| std::fs::read(path).ok()).flatten() else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let likely = ["function", "inputSchema", "parameters", "openapi"].iter().any(|word| text.contains(word));
    likely && toolfile::read(&bytes, &ReadOptions::default()).format.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_files_are_told_from_other_json() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let tool = r#"[{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}]"#;
        write("tools.json", tool);
        write("package.json", r#"{"name":"x","scripts":{"function":"y"}}"#);
        write("notes.txt", tool);
        std::fs::create_dir(folder.path().join("dir.json")).unwrap();
        assert_eq!(held(folder.path()), [Held::File(folder.path().join("tools.json"))]);
    }
}
