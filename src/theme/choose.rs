//! Which theme and how many colors: what settings and environment say and, when nobody does, the terminal.

use super::{Depth, Ground};
use crate::settings::{Background, Colors, Environment, Origin, Sourced, UserSettings};
use crate::text;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How the screens will look, and who said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// How many colors.
    pub depth: Sourced<Depth>,
    /// The theme's name; there may be no such theme.
    pub theme: Sourced<String>,
}

/// Settles both. `ask` asks the terminal for its ground; it is called only when the answer decides.
pub fn choose(user: &UserSettings, environment: &Environment, ask: impl FnOnce() -> Option<Ground>) -> Choice {
    let depth = depth(user, environment);
    let named = |name: &str, origin: &Origin| Sourced::new(name.to_owned(), origin.clone());
    let theme = if environment.no_color {
        named("mono", &Origin::Environment("NO_COLOR"))
    } else if depth.value == Depth::None {
        named("mono", &depth.origin)
    } else {
        match user.theme.value.as_str() {
            "auto" => {
                let ground = ground(user, environment, ask);
                named(if ground.value == Ground::Light { "light" } else { "dark" }, &ground.origin)
            }
            "contrast" if ground(user, environment, ask).value == Ground::Light => {
                named("contrast-light", &user.theme.origin)
            }
            _ => user.theme.clone(),
        }
    };
    Choice { depth, theme }
}

/// The ground that a theme for both grounds is chosen by.
fn ground(user: &UserSettings, environment: &Environment, ask: impl FnOnce() -> Option<Ground>) -> Sourced<Ground> {
    match user.background.value {
        Background::Dark => Sourced::new(Ground::Dark, user.background.origin.clone()),
        Background::Light => Sourced::new(Ground::Light, user.background.origin.clone()),
        // Over a slow connection the answer may come late and be taken for keys.
        Background::Auto if environment.ssh => Sourced::new(Ground::Dark, Origin::Environment("SSH_CONNECTION")),
        Background::Auto => match ask() {
            Some(ground) => Sourced::new(ground, Origin::Terminal),
            None => Sourced::new(Ground::Dark, Origin::Default),
        },
    }
}

fn depth(user: &UserSettings, environment: &Environment) -> Sourced<Depth> {
    let set = |depth| Sourced::new(depth, user.colors.origin.clone());
    match user.colors.value {
        Colors::True => set(Depth::True),
        Colors::Palette => set(Depth::Indexed),
        Colors::Named => set(Depth::Sixteen),
        Colors::None => set(Depth::None),
        Colors::Auto => {
            let colorterm = environment.colorterm.as_deref().unwrap_or("");
            let term = environment.term.as_deref().unwrap_or("");
            let depth = Depth::of(colorterm, term);
            let name = if depth == Depth::of("", term) { "TERM" } else { "COLORTERM" };
            Sourced::new(depth, Origin::Environment(name))
        }
    }
}

/// A theme file of the user's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeFile {
    /// The file.
    pub path: PathBuf,
    /// The theme's name: the file's base name.
    pub name: String,
    /// Its text, or why it cannot be read.
    pub text: Result<String, String>,
}

/// Largest theme file that is read.
const LARGEST: u64 = 1 << 20;

/// The theme files of a folder, by name; none when there is no such folder.
pub fn theme_files(folder: &Path) -> Vec<ThemeFile> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<ThemeFile> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml" || e == "yml"))
        .filter_map(|path| {
            let name = text::safe(&path.file_stem()?.to_string_lossy()).into_owned();
            Some(ThemeFile { text: read(&path), name, path })
        })
        .collect();
    files.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    files
}

fn read(path: &Path) -> Result<String, String> {
    // A pipe would be waited for.
    if !path.is_file() {
        return Err("it is not a file".to_owned());
    }
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    match read {
        Ok(_) if text.len() as u64 > LARGEST => Err(format!("it is larger than {}", text::bytes(LARGEST))),
        Ok(_) => Ok(text),
        Err(error) => Err(format!("cannot read it: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::from_variables(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into()))
    }

    fn chosen(settings: &str, pairs: &[(&str, &str)], ground: Option<Ground>) -> (Depth, String, String, String) {
        let user = UserSettings::from_text(Path::new("settings.yaml"), settings);
        let Choice { depth, theme } = choose(&user, &environment(pairs), || ground);
        (depth.value, depth.origin.to_string(), theme.value, theme.origin.to_string())
    }

    fn of(depth: Depth, by: &str, theme: &str, said: &str) -> (Depth, String, String, String) {
        (depth, by.to_owned(), theme.to_owned(), said.to_owned())
    }

    #[test]
    fn who_says_what_holds() {
        let xterm = [("TERM", "xterm-256color")];
        let light = Some(Ground::Light);
        assert_eq!(chosen("", &xterm, light), of(Depth::Indexed, "$TERM", "light", "the terminal's answer"));
        assert_eq!(chosen("", &xterm, None), of(Depth::Indexed, "$TERM", "dark", "default"));
        let set = "{theme: contrast, colors: '16'}";
        let (dark, sixteen) = (Some(Ground::Dark), |name| of(Depth::Sixteen, "settings.yaml", name, "settings.yaml"));
        assert_eq!(chosen(set, &xterm, light), sixteen("contrast-light"));
        assert_eq!(chosen(set, &xterm, dark), sixteen("contrast"));
        let set = "background: light";
        assert_eq!(chosen(set, &xterm, None), of(Depth::Indexed, "$TERM", "light", "settings.yaml"));
        let both = [("TERM", "xterm"), ("COLORTERM", "truecolor"), ("SSH_TTY", "/dev/pts/0")];
        assert_eq!(chosen("", &both, light), of(Depth::True, "$COLORTERM", "dark", "$SSH_CONNECTION"));
        assert_eq!(chosen("theme: light", &[("TERM", "dumb")], light), of(Depth::None, "$TERM", "mono", "$TERM"));
        let bare = [("TERM", "xterm"), ("NO_COLOR", "1")];
        assert_eq!(chosen("theme: light", &bare, light), of(Depth::Sixteen, "$TERM", "mono", "$NO_COLOR"));
    }

    #[test]
    fn theme_files_that_cannot_be_read_say_why() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("good.yaml"), "scopes: {}").unwrap();
        std::fs::write(folder.path().join("latin.yml"), b"name: \xe9").unwrap();
        std::fs::create_dir(folder.path().join("folder.yaml")).unwrap();
        std::fs::write(folder.path().join("huge.yaml"), vec![b' '; (LARGEST + 1) as usize]).unwrap();
        std::fs::write(folder.path().join("readme.txt"), "no theme").unwrap();
        let files = theme_files(folder.path());
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["folder", "good", "huge", "latin"]);
        assert_eq!(files[0].text, Err("it is not a file".to_owned()));
        assert_eq!(files[1].text, Ok("scopes: {}".to_owned()));
        assert_eq!(files[2].text, Err("it is larger than 1.0 MiB".to_owned()));
        assert!(files[3].text.as_ref().is_err_and(|why| why.starts_with("cannot read it")), "{:?}", files[3]);
        assert_eq!(theme_files(Path::new("/nowhere")), []);
    }
}
