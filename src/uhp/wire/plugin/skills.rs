//! `skills/`: the skills a package carries.

use super::Skipped;
use super::package::Package;
use crate::value;
use serde::{Deserialize, Serialize};

/// Most bytes of a frontmatter that is read.
const LONGEST_HEAD: usize = 64 * 1024;

/// A skill of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginSkill {
    /// Its name, which is its folder's.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// Reads the immediate children of `skills/`. A child that is not a skill is skipped.
pub(super) fn read(package: &Package<'_>) -> (Vec<PluginSkill>, Vec<Skipped>) {
    let (mut skills, mut skipped) = (Vec::new(), Vec::new());
    if package.bytes("skills").is_some() {
        skipped.push(Skipped::new("skills", "This is a file where a folder belongs."));
    }
    for (dir, is_folder) in package.children("skills") {
        let at = format!("skills/{dir}");
        if !is_folder {
            skipped.push(Skipped::new(at, "This is a file where a skill's folder belongs."));
            continue;
        }
        match package.bytes(&format!("{at}/SKILL.md")).map(|bytes| read_one(dir, &bytes)) {
            Some(Ok(skill)) => skills.push(skill),
            Some(Err(reason)) => skipped.push(Skipped::new(at, reason)),
            None => skipped.push(Skipped::new(at, "The folder has no SKILL.md.")),
        }
    }
    (skills, skipped)
}

fn read_one(dir: &str, bytes: &[u8]) -> Result<PluginSkill, &'static str> {
    let head = frontmatter(bytes).ok_or("The SKILL.md has no frontmatter.")?;
    let root = value::read(head.as_bytes()).map_err(|_| "The frontmatter of the SKILL.md is not YAML.")?.root;
    let text = |key: &str| root.get(key).and_then(value::Value::as_str).map(str::trim).filter(|t| !t.is_empty());
    let name = text("name").ok_or("The frontmatter of the SKILL.md has no name.")?;
    if name != dir {
        return Err("The name in the SKILL.md is not the folder's.");
    }
    let description = text("description").ok_or("The frontmatter of the SKILL.md has no description.")?;
    if description.chars().count() > 1024 {
        return Err("The description in the SKILL.md is longer than 1024 characters.");
    }
    Ok(PluginSkill { name: name.to_owned(), description: description.to_owned() })
}

/// What stands between a first line `---` and the next such line.
fn frontmatter(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let mut head = String::new();
    for line in lines {
        if line.trim_end() == "---" {
            return Some(head);
        }
        head.push_str(line);
        head.push('\n');
        if head.len() > LONGEST_HEAD {
            return None;
        }
    }
    None
}
