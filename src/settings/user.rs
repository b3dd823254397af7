//! A person's own settings (`settings.yaml` in the XDG config folder): theme, colours, mouse, editor, keys.
use super::{Environment, Origin, SettingsError, Sourced, read_text};
use crate::text::nearest;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
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

/// How many colours the terminal is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Colors {
    /// As many as the environment promises.
    #[serde(rename = "auto")]
    Auto,
    /// 24 bits.
    #[serde(rename = "truecolor")]
    True,
    /// The 256-colour palette.
    #[serde(rename = "256")]
    Palette,
    /// The 16 named colours.
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
    /// One line for each key of the file that is passed over.
    pub warnings: Vec<String>,
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
        }
    }
}

impl UserSettings {
    /// Reads the settings of the environment's folder; a missing file is no error. An editor the file does not name is
    /// the environment's.
    pub fn read(environment: &Environment) -> Result<Self, SettingsError> {
        let mut settings = match environment.settings_file() {
            Some(path) => Self::read_file(&path)?,
            None => Self::default(),
        };
        if settings.editor.value.is_none() && environment.editor.is_some() {
            settings.editor = Sourced::new(environment.editor.clone(), Origin::Environment("EDITOR"));
        }
        Ok(settings)
    }

    /// Reads one settings file; all defaults when it is not there.
    pub fn read_file(path: &Path) -> Result<Self, SettingsError> {
        match read_text(path)? {
            Some(text) => Self::from_text(path, &text),
            None => Ok(Self::default()),
        }
    }

    /// Reads the text of a settings file.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, SettingsError> {
        let written: Written = serde_yaml::from_str::<Option<Written>>(text)
            .map_err(|error| {
                let place = error.location().map(|place| (place.line(), place.column()));
                SettingsError::new(path, place, without_place(&error))
            })?
            .unwrap_or_default();
        let mut settings = Self::default();
        let origin = || Origin::File(path.to_owned());
        put(&mut settings.theme, written.theme, origin);
        put(&mut settings.background, written.background, origin);
        put(&mut settings.colors, written.colors, origin);
        put(&mut settings.mouse, written.mouse, origin);
        put(&mut settings.editor, written.editor.map(Some), origin);
        put(&mut settings.keys, written.keys.map(|keys| keys.0), origin);
        settings.warnings = written.unknown.iter().map(|key| passed_over(path, key)).collect();
        Ok(settings)
    }
}

fn put<T>(setting: &mut Sourced<T>, written: Option<T>, origin: impl Fn() -> Origin) {
    if let Some(value) = written {
        *setting = Sourced::new(value, origin());
    }
}

/// The message without the place, which is told apart.
fn without_place(error: &serde_yaml::Error) -> String {
    let message = error.to_string();
    match (error.location(), message.rfind(" at line ")) {
        (Some(_), Some(end)) => message[..end].to_owned(),
        _ => message,
    }
}

const KNOWN: [&str; 6] = ["theme", "background", "colors", "mouse", "editor", "keys"];

fn passed_over(path: &Path, key: &str) -> String {
    let hint = nearest(key, KNOWN).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("{}: {key} is no setting, it is passed over{hint}", path.display())
}

/// The file as written: what it does not name is `None`.
#[derive(Default)]
struct Written {
    theme: Option<String>,
    background: Option<Background>,
    colors: Option<Colors>,
    mouse: Option<bool>,
    editor: Option<String>,
    keys: Option<Keys>,
    unknown: Vec<String>,
}

/// By hand, so that unknown keys are named rather than refused and every error keeps its line.
impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Settings;
        impl<'de> Visitor<'de> for Settings {
            type Value = Written;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "settings: {} and their values", KNOWN.join(", "))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
                let mut written = Written::default();
                let mut seen: Vec<String> = Vec::new();
                while let Some(key) = map.next_key_seed(NewKey(&seen))? {
                    match key.as_str() {
                        "theme" => written.theme = map.next_value()?,
                        "background" => written.background = map.next_value()?,
                        "colors" => written.colors = map.next_value()?,
                        "mouse" => written.mouse = map.next_value()?,
                        "editor" => written.editor = map.next_value()?,
                        "keys" => written.keys = map.next_value()?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            written.unknown.push(key.clone());
                        }
                    }
                    seen.push(key);
                }
                Ok(written)
            }
        }
        deserializer.deserialize_map(Settings)
    }
}

/// A mapping's next key, refused where it stands when it is one of these.
struct NewKey<'a>(&'a [String]);

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
        if self.0.iter().any(|seen| seen == key) {
            return Err(E::custom(format!("{key} is set twice")));
        }
        Ok(key.to_owned())
    }
}

/// A mapping from action to a key or a list of keys, in the order written.
struct Keys(Bindings);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a key or a list of keys")]
        enum OneOrMore {
            One(String),
            More(Vec<String>),
        }
        struct Actions;
        impl<'de> Visitor<'de> for Actions {
            type Value = Keys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("actions and their keys, such as next-call: n")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut bindings: Bindings = Vec::new();
                let mut seen: Vec<String> = Vec::new();
                while let Some(action) = map.next_key_seed(NewKey(&seen))? {
                    let keys = match map.next_value()? {
                        OneOrMore::One(key) => vec![key],
                        OneOrMore::More(keys) => keys,
                    };
                    seen.push(action.clone());
                    bindings.push((action, keys));
                }
                Ok(Keys(bindings))
            }
        }
        deserializer.deserialize_map(Actions)
    }
}
