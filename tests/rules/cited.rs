//! Every rule that a comment cites is in docs/rules.md, and every file that a page names exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder and those below it whose name ends so.
pub(crate) fn files(dir: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
}

/// The chapter numbers that a source cites: "rules 4.8", "rules 5.3, 5.4 and 7".
fn cited(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let lines = source.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']).trim_start());
    let flat = lines.collect::<Vec<_>>().join(" ");
    for (at, word) in flat.match_indices("ules ") {
        if !flat[..at].ends_with(['r', 'R']) {
            continue;
        }
        let mut rest = &flat[at + word.len()..];
        loop {
            let number: &str = &rest[..rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len())];
            if !number.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            found.insert(number.trim_end_matches('.').to_owned());
            rest = &rest[number.len()..];
            let Some(next) = [", and ", ", ", " and "].iter().find_map(|joint| rest.strip_prefix(joint)) else { break };
            rest = next;
        }
    }
    found
}

#[test]
fn every_rule_that_is_cited_exists() {
    let rules = std::fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let there: BTreeSet<String> = rules
        .lines()
        .filter(|line| line.starts_with("##"))
        .filter_map(|line| line.trim_start_matches('#').split_whitespace().next())
        .map(|number| number.trim_end_matches('.').to_owned())
        .collect();
    let mut sources = Vec::new();
    for folder in ["src", "tests", "benches"] {
        files(&root().join(folder), "rs", &mut sources);
    }
    let mut missing = Vec::new();
    let mut all = BTreeSet::new();
    for path in sources.iter().filter(|path| !path.ends_with("cited.rs")) {
        for number in cited(&std::fs::read_to_string(path).unwrap()) {
            if !there.contains(&number) {
                missing.push(format!("{}: rules {number}", path.strip_prefix(root()).unwrap().display()));
            }
            all.insert(number);
        }
    }
    assert!(all.len() > 50, "only {all:?}");
    assert!(missing.is_empty(), "not in docs/rules.md:\n{}", missing.join("\n"));
}

#[test]
fn citations_are_found_across_lines_and_in_lists() {
    let found = cited("// rules 4.8; see (rules 5.3, 5.4 and 7).\n/// Rules\n/// 1.2.");
    assert_eq!(found, ["1.2", "4.8", "5.3", "5.4", "7"].map(str::to_owned).into());
}

#[test]
fn every_file_that_a_page_names_exists() {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    files(&root().join("docs"), "md", &mut pages);
    let mut named = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for word in text.split('`').skip(1).step_by(2) {
            let is_file =
                ["src/", "tests/", "docs/", "examples/", "themes/"].iter().any(|folder| word.starts_with(folder));
            if is_file && !word.contains("NAME") && !word.contains(' ') {
                named += 1;
                assert!(root().join(word).exists(), "{} names {word}", page.display());
            }
        }
    }
    assert!(named > 60, "only {named} files are named");
}
