//! A person's own settings (`settings.yaml` in the XDG config folder): theme, colors, mouse, editor, keys.
//!
//! A mistake never keeps the program from starting: what is wrong has its default, and every mistake is listed.
use super::{Environment, Origin, SettingsError, Sourced, read_text};
use crate::text::nearest;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::cell::RefCell;
use std::fmt;
use std::path::Path;

/// Whether the terminal's ground is dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Background {
    /// Ask the terminal.
    Auto,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// How many colors the terminal is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Colors {
    /// As many as the environment promises.
    #[serde(rename = "auto")]
    Auto,
    /// 24 bits.
    #[serde(rename = "truecolor")]
    True,
    /// The 256-color palette.
    #[serde(rename = "256")]
    Palette,
    /// The 16 named colors.
    #[serde(rename = "16")]
    Named,
    /// None: signs and attributes only.
    #[serde(rename = "none")]
    None,
}

/// An action's name and the keys it is given instead of its own, as written; the interface checks both.
pub type Bindings = Vec<(String, Vec<String>)>;

/// A person's settings, each with its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct UserSettings {
    /// The theme's name; `auto` goes by the background.
    pub theme: Sourced<String>,
    /// `auto`, `dark` or `light`.
    pub background: Sourced<Background>,
    /// `auto`, `truecolor`, `256`, `16` or `none`.
    pub colors: Sourced<Colors>,
    /// Whether the mouse is taken from the start.
    pub mouse: Sourced<bool>,
    /// The command a value is edited with.
    pub editor: Sourced<Option<String>>,
    /// Keys.
    pub keys: Sourced<Bindings>,
    /// One line for each key of the file that is ignored.
    pub warnings: Vec<String>,
    /// What is wrong in the file; the settings named there have their defaults.
    pub mistakes: Vec<SettingsError>,
}

impl Default for UserSettings {
    fn default() -> Self {
        Self {
            theme: Sourced::default_of("auto".to_owned()),
            background: Sourced::default_of(Background::Auto),
            colors: Sourced::default_of(Colors::Auto),
            mouse: Sourced::default_of(false),
            editor: Sourced::default_of(None),
            keys: Sourced::default_of(Vec::new()),
            warnings: Vec::new(),
            mistakes: Vec::new(),
        }
    }
}

impl UserSettings {
    /// Reads the settings of the environment's folder; the file is optional. An editor the file does not name is the
    /// environment's.
    pub fn read(environment: &Environment) -> Self {
        let mut settings = environment.settings_file().map(|path| Self::read_file(&path)).unwrap_or_default();
        if settings.editor.value.is_none() && environment.editor.is_some() {
            settings.editor = Sourced::new(environment.editor.clone(), Origin::Environment("EDITOR"));
        }
        settings
    }

    /// Reads one settings file; all defaults when it does not exist.
    pub fn read_file(path: &Path) -> Self {
        match read_text(path) {
            Ok(Some(text)) => Self::from_text(path, &text),
            Ok(None) => Self::default(),
            Err(error) => Self { mistakes: vec![error], ..Self::default() },
        }
    }

    /// Reads the text of a settings file.
    pub fn from_text(path: &Path, text: &str) -> Self {
        let (written, mistakes) = written(path, text);
        let mut settings = Self { mistakes, ..Self::default() };
        let origin = || Origin::File(path.to_owned());
        put(&mut settings.theme, written.theme, origin);
        put(&mut settings.background, written.background, origin);
        put(&mut settings.colors, written.colors, origin);
        put(&mut settings.mouse, written.mouse.map(|switch| switch.0), origin);
        put(&mut settings.editor, written.editor.map(Some), origin);
        put(&mut settings.keys, written.keys, origin);
        settings.warnings = written.unknown.iter().map(|key| ignored(path, key)).collect();
        settings
    }
}

/// After so many mistakes the whole file is ignored: each costs another reading.
const MOST_MISTAKES: usize = 50;

/// What a file says, and every mistake in it. The reader stops at a mistake, so the file is read again without the key
/// that holds it until nothing is wrong.
fn written(path: &Path, text: &str) -> (Written, Vec<SettingsError>) {
    let mut skip: Vec<String> = Vec::new();
    let mut mistakes = Vec::new();
    loop {
        let at = RefCell::new(String::new());
        let settings = Settings { skip: &skip, at: &at };
        let error = match settings.deserialize(serde_yaml::Deserializer::from_str(text)) {
            Ok(written) => return (written, mistakes),
            Err(error) => error,
        };
        let place = error.location().map(|place| (place.line(), place.column()));
        let at = at.into_inner();
        let message = without_place(&error);
        let name = at.rsplit('.').next().unwrap_or_default();
        let named = if message.contains(name) { message } else { format!("{at}: {message}") };
        mistakes.push(SettingsError::new(path, place, named));
        if at.is_empty() || skip.contains(&at) {
            return (Written::default(), mistakes);
        }
        if mistakes.len() == MOST_MISTAKES {
            mistakes.push(SettingsError::new(path, None, "too many mistakes, so the whole file is ignored"));
            return (Written::default(), mistakes);
        }
        skip.push(at);
    }
}

fn put<T>(setting: &mut Sourced<T>, written: Option<T>, origin: impl Fn() -> Origin) {
    if let Some(value) = written {
        *setting = Sourced::new(value, origin());
    }
}

/// The message without the place, which is shown apart.
fn without_place(error: &serde_yaml::Error) -> String {
    let message = error.to_string();
    match (error.location(), message.rfind(" at line ")) {
        (Some(_), Some(end)) => message[..end].to_owned(),
        _ => message,
    }
}

const KNOWN: [&str; 6] = ["theme", "background", "colors", "mouse", "editor", "keys"];

fn ignored(path: &Path, key: &str) -> String {
    let hint = nearest(key, KNOWN).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("{}: unknown setting {key}, ignored{hint}", path.display())
}

/// The file as written: what it does not name is `None`.
#[derive(Default)]
struct Written {
    theme: Option<String>,
    background: Option<Background>,
    colors: Option<Colors>,
    mouse: Option<Switch>,
    editor: Option<String>,
    keys: Option<Bindings>,
    unknown: Vec<String>,
}

/// On or off, in any of the words people write.
struct Switch(bool);

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word;
        impl Visitor<'_> for Word {
            type Value = Switch;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("yes or no (also on, off, true, false)")
            }
            fn visit_bool<E: de::Error>(self, on: bool) -> Result<Switch, E> {
                Ok(Switch(on))
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Switch, E> {
                match word.to_ascii_lowercase().as_str() {
                    "yes" | "on" | "true" => Ok(Switch(true)),
                    "no" | "off" | "false" => Ok(Switch(false)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Word)
    }
}

/// Reads the file without the keys to skip; the key being read is kept in `at`. By hand, so that unknown keys are named
/// rather than refused and every error keeps its line.
#[derive(Clone, Copy)]
struct Settings<'a> {
    skip: &'a [String],
    at: &'a RefCell<String>,
}

impl<'de> DeserializeSeed<'de> for Settings<'_> {
    type Value = Written;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Written, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Settings<'_> {
    type Value = Written;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "settings: {} and their values", KNOWN.join(", "))
    }
    fn visit_none<E: de::Error>(self) -> Result<Written, E> {
        Ok(Written::default())
    }
    fn visit_unit<E: de::Error>(self) -> Result<Written, E> {
        Ok(Written::default())
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Written, D::Error> {
        deserializer.deserialize_map(self)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
        let mut written = Written::default();
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = map.next_key_seed(NewKey { seen: &seen, under: "", settings: self })? {
            if self.skip.contains(&key) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            match key.as_str() {
                "theme" => written.theme = map.next_value()?,
                "background" => written.background = map.next_value()?,
                "colors" => written.colors = map.next_value()?,
                "mouse" => written.mouse = map.next_value()?,
                "editor" => written.editor = map.next_value()?,
                "keys" => written.keys = map.next_value_seed(Keys(self))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    written.unknown.push(key.clone());
                }
            }
            self.at.borrow_mut().clear();
            seen.push(key);
        }
        Ok(written)
    }
}

/// A mapping's next key, refused where it stands when it is one of those seen.
struct NewKey<'a> {
    seen: &'a [String],
    under: &'a str,
    settings: Settings<'a>,
}

impl<'de> DeserializeSeed<'de> for NewKey<'_> {
    type Value = String;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NewKey<'_> {
    type Value = String;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_str<E: de::Error>(self, key: &str) -> Result<String, E> {
        *self.settings.at.borrow_mut() = format!("{}{key}", self.under);
        if self.seen.iter().any(|seen| seen == key) {
            return Err(E::custom(format!("{key} is set twice")));
        }
        Ok(key.to_owned())
    }
}

/// A mapping from action to a key or a list of keys, in the order written.
#[derive(Clone, Copy)]
struct Keys<'a>(Settings<'a>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a key or a list of keys")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = Option<Bindings>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = Option<Bindings>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("actions and their keys, such as next-call: n")
    }
    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut bindings: Bindings = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        while let Some(action) = map.next_key_seed(NewKey { seen: &seen, under: "keys.", settings: self.0 })? {
            if self.0.skip.contains(&format!("keys.{action}")) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let keys = match map.next_value()? {
                OneOrMore::One(key) => vec![key],
                OneOrMore::More(keys) => keys,
            };
            seen.push(action.clone());
            bindings.push((action, keys));
        }
        Ok(Some(bindings))
    }
}
