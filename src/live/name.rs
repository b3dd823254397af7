//! Names of live episodes, and the folder of their sockets.

#[cfg(unix)]
use std::path::PathBuf;

/// Letters and digits that are hard to mistake for one another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A new name with 80 random bits: who knows it may call.
pub fn new_name() -> Result<String, String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| format!("cannot draw a name: {e}"))?;
    Ok(bytes.iter().map(|b| char::from(LETTERS[usize::from(b & 31)])).collect())
}

/// The folder of the sockets, of this user alone; made when it is missing.
#[cfg(unix)]
pub(super) fn socket_folder() -> Result<PathBuf, String> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    // Clients start their servers with few variables of the environment, but this one is among them.
    let home = std::env::home_dir().filter(|dir| !dir.as_os_str().is_empty());
    let home = home.ok_or("cannot tell where your home folder is: set HOME")?;
    let around = home.join(".local/state/rehearsal");
    let folder = around.join("live");
    let failed = |e: std::io::Error| format!("cannot use {}: {e}", folder.display());
    std::fs::create_dir_all(&around).map_err(failed)?;
    match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => return Err(failed(e)),
        _ => {}
    }
    // A file made here is ours, so the folder is ours when the two have one owner.
    let about = std::fs::symlink_metadata(&folder).map_err(failed)?;
    let probe = folder.join(format!(".owner-{}", std::process::id()));
    let made = std::fs::OpenOptions::new().write(true).create(true).truncate(true).open(&probe);
    let owner = made.and_then(|file| file.metadata()).map(|m| m.uid());
    // It is of no use any more, and the next one replaces it.
    let _ = std::fs::remove_file(&probe);
    if !about.is_dir() || about.uid() != owner.map_err(failed)? || about.mode() & 0o077 != 0 {
        return Err(format!("{} must be a folder that only you can open", folder.display()));
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printable_and_differ() {
        let (a, b) = (new_name().unwrap(), new_name().unwrap());
        assert!(a != b && crate::run::is_name(&a) && a.len() == 16);
    }
}
