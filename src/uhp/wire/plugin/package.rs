//! The files of a package by path.

use super::super::skill::SkillFile;
use std::collections::BTreeMap;
use std::ops::Bound;

/// The files of a package, by path; already checked to be contained and distinct.
pub(super) struct Package<'a> {
    files: BTreeMap<&'a str, &'a SkillFile>,
}

impl<'a> Package<'a> {
    pub(super) fn new(files: &'a [SkillFile]) -> Self {
        Self { files: files.iter().map(|f| (f.path.as_str(), f)).collect() }
    }

    /// The bytes of the file at a path.
    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.files.get(path).and_then(|f| f.bytes())
    }

    /// Whether anything lies at a path: a file, or a folder with files in it.
    pub(super) fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        self.files.contains_key(path)
            || self.files.range(folder.as_str()..).next().is_some_and(|(p, _)| p.starts_with(&folder))
    }

    /// Names of the folders and files that are immediate children of a folder; true for folders.
    pub(super) fn children(&self, folder: &str) -> BTreeMap<&'a str, bool> {
        let prefix = format!("{folder}/");
        self.files
            .range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded))
            .map_while(|(p, _)| p.strip_prefix(prefix.as_str()))
            .map(|rest| rest.split_once('/').map_or((rest, false), |(dir, _)| (dir, true)))
            .collect()
    }
}
