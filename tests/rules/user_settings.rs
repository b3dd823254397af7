//! A person's own settings: read with their origin, every mistake listed, the rest used.

use rehearsal::settings::{Background, Colors, Environment, Origin, UserSettings};
use std::fs;
use std::path::{Path, PathBuf};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

fn user(text: &str) -> Result<UserSettings, String> {
    let settings = UserSettings::from_text(Path::new("settings.yaml"), text);
    settings.mistakes.first().map_or(Ok(settings.clone()), |mistake| Err(mistake.to_string()))
}

#[test]
fn user_settings_are_read_with_their_origin() {
    let settings = user("theme: light\nbackground: dark\ncolors: 256\nmouse: true\neditor: vi -R\nkeys:\n  quit: [q, ctrl-c]\n  help: \"?\"\n").unwrap();
    let file = Origin::File(PathBuf::from("settings.yaml"));
    assert_eq!((settings.theme.value.as_str(), &settings.theme.origin), ("light", &file));
    assert_eq!((settings.background.value, settings.colors.value), (Background::Dark, Colors::Palette));
    assert!(settings.mouse.value && settings.mouse.origin == file);
    assert_eq!(settings.editor.value.as_deref(), Some("vi -R"));
    assert_eq!(settings.keys.value, [("quit".to_owned(), names(&["q", "ctrl-c"])), ("help".to_owned(), names(&["?"]))]);
    for empty in ["", "# nothing\n", "theme:\n", "{}", "keys: {}\n"] {
        let settings = user(empty).unwrap();
        assert_eq!(settings.theme, UserSettings::default().theme, "{empty:?}");
        assert!(!settings.mouse.value && settings.warnings.is_empty());
    }
}

#[test]
fn user_settings_name_unknown_keys_and_places() {
    let settings = user("thema: dark\nmouse: false\nfont: {a: [1]}\n").unwrap();
    assert_eq!(settings.warnings.len(), 2);
    assert_eq!(settings.warnings[0], "settings.yaml: unknown setting thema, ignored; did you mean theme?");
    for (text, start) in [
        ("theme: light\nmouse: maybe\n", "settings.yaml:2:8: "),
        ("mouse: [\n", "settings.yaml:"),
        ("colors: 17\n", "settings.yaml:1:9: "),
        ("background: blue\n", "settings.yaml:1:13: "),
        ("theme: [a]\n", "settings.yaml:1:8: "),
        ("keys: [a]\n", "settings.yaml:1:7: "),
        ("keys:\n  quit: {a: 1}\n", "settings.yaml:2:"),
        ("mouse: true\nmouse: false\n", "settings.yaml:2:1: mouse is set twice"),
        ("keys:\n  quit: a\n  quit: b\n", "settings.yaml:3:3: keys: quit is set twice"),
        ("- theme\n", "settings.yaml:"),
        ("theme\n", "settings.yaml:"),
        ("a: b\n---\nc: d\n", "settings.yaml: "),
    ] {
        let error = user(text).unwrap_err();
        assert!(error.starts_with(start), "{text:?}: {error}");
        assert!(!error.contains('\n') && !error.contains(" at line "), "{error}");
    }
}

#[test]
fn user_settings_come_from_the_environments_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/rehearsal");
    fs::create_dir_all(&folder).unwrap();
    let environment = Environment::from_variables(|name| match name {
        "HOME" => Some(home.path().into()),
        "EDITOR" => Some("nano".into()),
        _ => None,
    });
    let plain = UserSettings::read(&environment);
    assert_eq!((plain.theme.origin, plain.editor.value.as_deref()), (Origin::Default, Some("nano")));
    fs::write(folder.join("settings.yaml"), "theme: mono\neditor: hx\n").unwrap();
    let own = UserSettings::read(&environment);
    assert_eq!((own.theme.value.as_str(), own.editor.value.as_deref()), ("mono", Some("hx")));
    fs::write(folder.join("settings.yaml"), "theme: [\n").unwrap();
    assert!(UserSettings::read(&environment).mistakes[0].place.is_some());
}

#[test]
fn every_mistake_in_user_settings_is_listed_and_the_rest_holds() {
    let text = "theme: light\nmouse: perhaps\ncolors: 17\neditor: hx\nkeys:\n  quit: {a: 1}\n  help: [h]\n  help: x\n";
    let settings = UserSettings::from_text(Path::new("settings.yaml"), text);
    let mistakes: Vec<String> = settings.mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(mistakes.len(), 4, "{mistakes:?}");
    let places = ["settings.yaml:2:8: mouse: ", "settings.yaml:3:9: ", "settings.yaml:6:", "settings.yaml:8:3: "];
    assert!(mistakes.iter().zip(places).all(|(mistake, place)| mistake.starts_with(place)), "{mistakes:?}");
    assert_eq!((settings.theme.value.as_str(), settings.editor.value.as_deref()), ("light", Some("hx")));
    assert!(!settings.mouse.value && settings.colors.value == Colors::Auto && settings.keys.value.is_empty());
    // A file with nothing right in it costs no more than one with a few mistakes.
    let many: String = (0..20_000).map(|i| format!("  a{i}: {{}}\n")).collect();
    let settings = UserSettings::from_text(Path::new("settings.yaml"), &format!("keys:\n{many}"));
    assert!(settings.mistakes.len() < 100 && settings.keys.value.is_empty());
}

#[test]
fn switches_take_yes_and_no() {
    for (word, on) in [("yes", true), ("On", true), ("true", true), ("no", false), ("off", false), ("\"no\"", false)] {
        assert_eq!(user(&format!("mouse: {word}\n")).unwrap().mouse.value, on, "{word}");
    }
}
