//! Files written and looked up for the screens: what is saved, what an editor is given, what was opened before.

use crate::settings::{self, Flags, seeds, write_whole};
use crate::tui::live::open::{Entry, Found};
use crate::tui::live::save::Written;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// At most this many recent files are remembered.
const REMEMBERED: usize = 20;
/// At most this many entries of a folder are listed.
const MOST_LISTED: usize = 5_000;
/// So much is read back from an editor.
const MOST_EDITED: u64 = 64 << 20;

/// Writes a file; an existing one only if `replace` says so.
pub(super) fn write(path: &Path, text: &str, replace: bool) -> Written {
    let written = if replace {
        write_whole(path, text.as_bytes())
    } else {
        match File::options().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Written::There,
            Err(error) => Err(error),
            Ok(mut file) => file.write_all(text.as_bytes()).and_then(|()| file.sync_all()),
        }
    };
    match written {
        Ok(()) => Written::Done(path.display().to_string()),
        Err(error) => Written::Failed(format!("{}: {error}", path.display())),
    }
}

/// Where the files opened before are written down.
fn recent_file(state: &Path) -> PathBuf {
    state.join("recent")
}

/// The files opened before that are still there, the latest first.
pub(super) fn recent(state: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(recent_file(state)).unwrap_or_default();
    text.lines().take(REMEMBERED).map(PathBuf::from).filter(|path| path.is_file()).collect()
}

/// Remembers a file. Where that cannot be written, it is only not remembered.
pub(super) fn remember(state: &Path, path: &Path) {
    let Some(name) = path.to_str().filter(|name| !name.contains('\n')) else { return };
    let text = fs::read_to_string(recent_file(state)).unwrap_or_default();
    if text.lines().next() == Some(name) {
        return;
    }
    let rest = text.lines().filter(|line| *line != name).take(REMEMBERED - 1);
    let mut all: String = std::iter::once(name).chain(rest).collect::<Vec<_>>().join("\n");
    all.push('\n');
    if fs::create_dir_all(state).is_ok() {
        drop(write_whole(&recent_file(state), all.as_bytes()));
    }
}

/// What is in a folder: folders first, by name. Names that are no text cannot be typed and are left out.
pub(super) fn list(folder: &Path) -> Vec<Entry> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let entries = entries.flatten().take(MOST_LISTED).filter_map(|entry| {
        let about = fs::metadata(entry.path()).ok()?;
        let name = entry.file_name().into_string().ok()?;
        Some(Entry { name, folder: about.is_dir(), size: about.len() })
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by(|a, b| b.folder.cmp(&a.folder).then_with(|| a.name.cmp(&b.name)));
    entries
}

/// A file with the settings beside it.
pub(super) fn find(path: PathBuf) -> Result<Found, String> {
    let config = settings::find_config(Some(&path), None).map_err(|error| error.to_string())?;
    let resolved = settings::resolve(Some(&path), &config, &Flags::default());
    let mut offered = resolved.seeds.value.clone();
    if offered.is_empty() {
        offered = seeds::default_seeds();
    }
    Ok(Found {
        read: resolved.read_options(),
        plan: resolved.plan_settings(),
        seeds: offered,
        config: resolved.config.clone(),
        warnings: resolved.warnings,
        path,
    })
}

/// A file that an editor is given; it goes when this is dropped.
#[derive(Debug)]
pub(super) struct Spare(PathBuf);

impl Spare {
    /// With this text, for nobody else to read.
    pub(super) fn new(text: &str) -> io::Result<Self> {
        use std::os::unix::fs::OpenOptionsExt;
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("rehearsal-{}-{number}.json", std::process::id()));
            match File::options().write(true).create_new(true).mode(0o600).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => {
                    let spare = Self(path);
                    let mut file = opened?;
                    file.write_all(text.as_bytes())?;
                    file.write_all(b"\n")?;
                    return Ok(spare);
                }
            }
        }
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// What it says now.
    pub(super) fn read(&self) -> io::Result<String> {
        let mut text = String::new();
        File::open(&self.0)?.take(MOST_EDITED).read_to_string(&mut text)?;
        Ok(text)
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        // One that stays does no harm.
        drop(fs::remove_file(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_overwritten_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        assert!(matches!(write(&path, "one", false), Written::Done(_)));
        assert!(matches!(write(&path, "two", false), Written::There));
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert!(matches!(write(&path, "two", true), Written::Done(_)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(matches!(write(&folder.path().join("none/a.md"), "x", false), Written::Failed(_)));
    }

    #[test]
    fn files_opened_before_are_remembered_the_latest_first() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let paths: Vec<PathBuf> = (0..30).map(|i| folder.path().join(format!("{i:02}.json"))).collect();
        for path in &paths {
            fs::write(path, "{}").unwrap();
            remember(&state, path);
        }
        remember(&state, &paths[25]);
        let recent = recent(&state);
        assert_eq!(recent.len(), REMEMBERED);
        assert_eq!(recent[..2], [paths[25].clone(), paths[29].clone()]);
    }

    #[test]
    fn a_spare_file_is_its_owners_and_goes() {
        use std::os::unix::fs::PermissionsExt;
        let spare = Spare::new("{}").unwrap();
        let path = spare.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(spare.read().unwrap(), "{}\n");
        drop(spare);
        assert!(!path.exists());
    }
}
