//! The environment, read once into a struct, and the folders it gives.
use super::{Origin, Sourced};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of this program inside the XDG folders.
const FOLDER: &str = "rehearsal";

/// The environment variables this program looks at. Nothing below reads the environment itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, when it is an absolute path (others do not count, as XDG says).
    pub xdg_config: Option<PathBuf>,
    /// `XDG_STATE_HOME`, likewise.
    pub xdg_state: Option<PathBuf>,
    /// `NO_COLOR` is set to something.
    pub no_color: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// `COLORTERM`.
    pub colorterm: Option<String>,
    /// `SSH_CONNECTION` or `SSH_TTY` is set: the terminal is far away.
    pub ssh: bool,
    /// `TMUX` is set: sequences to the outer terminal need its passthrough.
    pub tmux: bool,
    /// `VISUAL`, else `EDITOR`.
    pub editor: Option<String>,
}

impl Environment {
    /// Reads the variables of this process.
    pub fn read() -> Self {
        Self::from_variables(|name| std::env::var_os(name))
    }

    /// Reads the variables that `get` gives; an empty one counts as not set.
    pub fn from_variables(get: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let path = |name: &str| set(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let text = |name: &str| set(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            home: path("HOME"),
            xdg_config: path("XDG_CONFIG_HOME"),
            xdg_state: path("XDG_STATE_HOME"),
            no_color: set("NO_COLOR").is_some(),
            term: text("TERM"),
            colorterm: text("COLORTERM"),
            ssh: set("SSH_CONNECTION").or_else(|| set("SSH_TTY")).is_some(),
            tmux: set("TMUX").is_some(),
            editor: text("VISUAL").or_else(|| text("EDITOR")),
        }
    }

    /// Where settings and themes live; `None` when neither `XDG_CONFIG_HOME` nor `HOME` says.
    pub fn config_folder(&self) -> Option<Sourced<PathBuf>> {
        folder("XDG_CONFIG_HOME", self.xdg_config.as_deref(), self.home.as_deref(), ".config")
    }

    /// Where the journal and the last copy live.
    pub fn state_folder(&self) -> Option<Sourced<PathBuf>> {
        folder("XDG_STATE_HOME", self.xdg_state.as_deref(), self.home.as_deref(), ".local/state")
    }

    /// The user's settings file, there or not.
    pub fn settings_file(&self) -> Option<PathBuf> {
        self.config_folder().map(|folder| folder.value.join("settings.yaml"))
    }

    /// The folder of the user's own themes, there or not.
    pub fn themes_folder(&self) -> Option<PathBuf> {
        self.config_folder().map(|folder| folder.value.join("themes"))
    }
}

fn folder(variable: &'static str, xdg: Option<&Path>, home: Option<&Path>, below: &str) -> Option<Sourced<PathBuf>> {
    match (xdg, home) {
        (Some(xdg), _) => Some(Sourced::new(xdg.join(FOLDER), Origin::Environment(variable))),
        (None, Some(home)) => Some(Sourced::new(home.join(below).join(FOLDER), Origin::Default)),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(pairs: &[(&str, &str)]) -> Environment {
        Environment::from_variables(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
    }

    #[test]
    fn folders_follow_xdg_and_fall_back_to_home() {
        let home = from(&[("HOME", "/home/ada")]);
        assert_eq!(home.settings_file(), Some(PathBuf::from("/home/ada/.config/rehearsal/settings.yaml")));
        let state = home.state_folder().unwrap();
        assert_eq!(state.value, PathBuf::from("/home/ada/.local/state/rehearsal"));
        assert_eq!(state.origin, Origin::Default);
        let xdg = from(&[("HOME", "/home/ada"), ("XDG_CONFIG_HOME", "/etc/ada"), ("XDG_STATE_HOME", "relative")]);
        let config = xdg.config_folder().unwrap();
        assert_eq!(config.value, PathBuf::from("/etc/ada/rehearsal"));
        assert_eq!(config.origin, Origin::Environment("XDG_CONFIG_HOME"));
        assert_eq!(xdg.state_folder().unwrap().origin, Origin::Default, "a relative XDG folder does not count");
        assert_eq!(from(&[]).settings_file(), None);
        assert_eq!(from(&[("XDG_CONFIG_HOME", "/c")]).themes_folder(), Some(PathBuf::from("/c/rehearsal/themes")));
    }

    #[test]
    fn empty_variables_are_not_set() {
        let env = from(&[("NO_COLOR", ""), ("VISUAL", ""), ("EDITOR", "vi"), ("TMUX", "x"), ("SSH_TTY", "/dev/pts/1")]);
        assert!(!env.no_color && env.tmux && env.ssh);
        assert_eq!(env.editor.as_deref(), Some("vi"));
        assert!(from(&[("NO_COLOR", "1")]).no_color);
    }
}
