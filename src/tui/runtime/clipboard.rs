//! Copying: the terminal is asked to take the text (OSC 52), and the last copy is kept in a file.

use crate::settings::write_whole;
use crate::text;
use base64::Engine;
use std::io::Write;
use std::path::Path;

/// More than this is not sent to the terminal: many drop it or hang on it.
const MOST_SENT: usize = 74_000;

/// The sequence that asks the terminal to take a text; inside tmux also wrapped so that tmux hands it on.
pub fn sequence(text: &str, tmux: bool) -> String {
    let plain = format!("\u{1b}]52;c;{}\u{7}", base64::engine::general_purpose::STANDARD.encode(text));
    if tmux { format!("{plain}\u{1b}Ptmux;{}\u{1b}\\", plain.replace('\u{1b}', "\u{1b}\u{1b}")) } else { plain }
}

/// Sends a text to the terminal and keeps it in the state folder; gives what to say of both.
pub(super) fn copy(
    out: &mut impl Write,
    state: Option<&Path>,
    tmux: bool,
    what: &str,
    text: &str,
) -> Result<String, String> {
    let sequence = sequence(text, tmux);
    let sent = sequence.len() <= MOST_SENT && out.write_all(sequence.as_bytes()).and_then(|()| out.flush()).is_ok();
    let file = state.map(|folder| folder.join("last-copy"));
    let kept = file.as_ref().is_some_and(|file| keep(file, text));
    let size = text::count(text.chars().count(), "letter");
    let place = file.filter(|_| kept).map(|f| text::safe(&f.display().to_string()).into_owned());
    match (sent, place) {
        (true, Some(place)) => Ok(format!("copied {what} ({size}): sent to the terminal, kept in {place}")),
        (true, None) => Ok(format!("copied {what} ({size}): sent to the terminal")),
        (false, Some(place)) => Ok(format!("{what} ({size}) is too long for the terminal; kept in {place}")),
        (false, None) => Err(format!("{what} could not be copied: too long for the terminal, and no state folder")),
    }
}

fn keep(file: &Path, text: &str) -> bool {
    file.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        && write_whole(file, text.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_is_asked_and_a_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        let state = folder.path().join("state");
        let said = copy(&mut out, Some(&state), false, "file hash", "abc").unwrap();
        assert_eq!(out, b"\x1b]52;c;YWJj\x07");
        assert!(said.starts_with("copied file hash (3 letters): sent to the terminal, kept in "), "{said}");
        assert_eq!(std::fs::read_to_string(state.join("last-copy")).unwrap(), "abc");
    }

    #[test]
    fn tmux_is_passed_through() {
        assert_eq!(sequence("a", true), "\u{1b}]52;c;YQ==\u{7}\u{1b}Ptmux;\u{1b}\u{1b}]52;c;YQ==\u{7}\u{1b}\\");
    }

    #[test]
    fn what_is_too_long_is_kept_only() {
        let mut out = Vec::new();
        let long = "x".repeat(MOST_SENT);
        assert!(copy(&mut out, None, false, "answer", &long).is_err());
        assert!(out.is_empty());
    }
}
