//! Theme files: reading, inheriting, overlaying.

use super::colour::NAMES;
use super::{Colour, Depth, Ground, Scope, Theme};
use crate::text;
use ratatui::style::{Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The themes compiled in.
const BUILT_IN: [(&str, &str); 5] = [
    ("dark", include_str!("../../themes/dark.yaml")),
    ("light", include_str!("../../themes/light.yaml")),
    ("contrast", include_str!("../../themes/contrast.yaml")),
    ("contrast-light", include_str!("../../themes/contrast-light.yaml")),
    ("mono", include_str!("../../themes/mono.yaml")),
];

/// Longest chain of themes that inherit from one another.
const DEPTH: usize = 8;

/// Why a theme cannot be used: one line.
#[derive(Debug, Clone, PartialEq)]
pub struct ThemeError(pub String);

impl std::fmt::Display for ThemeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// All themes: the built-in ones and the user's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Themes {
    /// The user's: file stem and text. One named like a built-in theme overlays it.
    user: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    ground: Option<GroundWord>,
    #[serde(default)]
    inherits: Option<String>,
    #[serde(default)]
    palette: BTreeMap<String, Swatch>,
    #[serde(default)]
    scopes: BTreeMap<String, Look>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GroundWord {
    Dark,
    Light,
    Any,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Swatch {
    Plain(String),
    Both { rgb: String, ansi: String },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Look {
    Colour(String),
    Whole(Box<Whole>),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    fg: Option<String>,
    bg: Option<String>,
    bold: Option<bool>,
    dim: Option<bool>,
    italic: Option<bool>,
    underline: Option<bool>,
    reverse: Option<bool>,
}

impl Look {
    fn whole(&self) -> Whole {
        match self {
            Look::Colour(name) => Whole { fg: Some(name.clone()), ..Whole::default() },
            Look::Whole(whole) => (**whole).clone(),
        }
    }
}

/// A theme merged with all it inherits from, colors still by name.
#[derive(Debug, Default)]
struct Merged {
    ground: Ground,
    palette: BTreeMap<String, Colour>,
    scopes: BTreeMap<String, Whole>,
}

impl Themes {
    /// The built-in themes and these: file stem and text of each.
    pub fn new(user: Vec<(String, String)>) -> Self {
        Self { user }
    }

    /// All names, built-in ones first.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
        for (name, _) in &self.user {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// A theme by name, made for what the terminal can show.
    pub fn load(&self, name: &str, depth: Depth) -> Result<Theme, ThemeError> {
        let mut merged = Merged::default();
        self.merge(name, &mut merged, 0)?;
        let mut styles = Vec::with_capacity(Scope::ALL.len());
        for scope in Scope::ALL {
            styles.push(merged.style(*scope, depth).map_err(|e| ThemeError(format!("theme {name}: {e}")))?);
        }
        Ok(Theme { name: name.to_owned(), ground: merged.ground, styles })
    }

    /// Puts the theme over what has been merged so far, what it inherits from under it.
    fn merge(&self, name: &str, into: &mut Merged, depth: usize) -> Result<(), ThemeError> {
        if depth > DEPTH {
            return Err(ThemeError(format!("theme {}: more than {DEPTH} themes inherit in a row", text::safe(name))));
        }
        let built_in = BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, yaml)| *yaml);
        let user = self.user.iter().find(|(known, _)| known == name).map(|(_, yaml)| yaml.as_str());
        if built_in.is_none() && user.is_none() {
            let names = self.names();
            let hint = text::nearest(name, names.iter().map(String::as_str));
            let hint = hint.map_or_else(|| names.join(", "), |near| format!("did you mean {near}?"));
            return Err(ThemeError(format!("unknown theme {}: {}", text::safe(name), text::safe(&hint))));
        }
        if let Some(yaml) = built_in {
            let file = parse(name, yaml)?;
            if let Some(parent) = &file.inherits {
                // Never the user's overlay of the parent: that one is about the parent alone.
                Themes::default().merge(parent, into, depth + 1)?;
            }
            into.take(name, &file)?;
        }
        if let Some(yaml) = user {
            let file = parse(name, yaml)?;
            match &file.inherits {
                Some(parent) if parent != name => self.merge(parent, into, depth + 1)?,
                None if built_in.is_none() => self.merge("dark", into, depth + 1)?,
                _ => {}
            }
            into.take(name, &file)?;
        }
        Ok(())
    }
}

fn parse(name: &str, yaml: &str) -> Result<File, ThemeError> {
    serde_yaml::from_str(yaml)
        .map_err(|e| ThemeError(format!("theme {}: {}", text::safe(name), text::safe(&e.to_string()))))
}

impl Merged {
    fn take(&mut self, name: &str, file: &File) -> Result<(), ThemeError> {
        let wrong =
            |what: String| ThemeError(format!("theme {}: {what}", text::safe(file.name.as_deref().unwrap_or(name))));
        match file.ground {
            Some(GroundWord::Dark) => self.ground = Ground::Dark,
            Some(GroundWord::Light) => self.ground = Ground::Light,
            Some(GroundWord::Any) => self.ground = Ground::Any,
            None => {}
        }
        for (key, swatch) in &file.palette {
            let colour = match swatch {
                Swatch::Plain(colour) => Colour::parse(colour),
                Swatch::Both { rgb, ansi } => match (Colour::parse(rgb), Colour::parse(ansi)) {
                    (Some(Colour::Rgb(rgb, _)), Some(Colour::Named(n))) => Some(Colour::Rgb(rgb, Some(n))),
                    (Some(Colour::Rgb(rgb, _)), Some(Colour::Default)) => Some(Colour::Rgb(rgb, Some(DEFAULT))),
                    _ => None,
                },
            };
            let colour = colour.ok_or_else(|| {
                wrong(format!(
                    "palette.{} is not a color: write #rrggbb, default or one of {}",
                    text::safe(key),
                    NAMES.join(", ")
                ))
            })?;
            self.palette.insert(key.clone(), colour);
        }
        for (key, look) in &file.scopes {
            if !Scope::ALL.iter().any(|scope| scope.name() == key) {
                let near = text::nearest(key, Scope::ALL.iter().map(|scope| scope.name()));
                let hint = near.map_or_else(String::new, |near| format!(", did you mean {near}?"));
                return Err(wrong(format!("unknown scope {}{hint}", text::safe(key))));
            }
            let new = look.whole();
            let old = self.scopes.entry(key.clone()).or_default();
            for (field, value) in [(&mut old.fg, new.fg), (&mut old.bg, new.bg)] {
                *field = value.or_else(|| field.take());
            }
            for (field, value) in [
                (&mut old.bold, new.bold),
                (&mut old.dim, new.dim),
                (&mut old.italic, new.italic),
                (&mut old.underline, new.underline),
                (&mut old.reverse, new.reverse),
            ] {
                *field = value.or(*field);
            }
        }
        Ok(())
    }

    /// A scope's style: its own fields over those of the scopes before each dot, over `text`.
    fn style(&self, scope: Scope, depth: Depth) -> Result<Style, String> {
        let mut style = Style::default();
        let name = scope.name();
        let mut layers = vec!["text"];
        layers.extend(name.match_indices('.').map(|(at, _)| &name[..at]));
        layers.push(name);
        for layer in layers {
            let Some(look) = self.scopes.get(layer) else { continue };
            if let Some(fg) = &look.fg {
                style = style.fg(self.colour(layer, fg, depth)?);
            }
            if let Some(bg) = &look.bg {
                style = style.bg(self.colour(layer, bg, depth)?);
            }
            for (on, modifier) in [
                (look.bold, Modifier::BOLD),
                (look.dim, Modifier::DIM),
                (look.italic, Modifier::ITALIC),
                (look.underline, Modifier::UNDERLINED),
                (look.reverse, Modifier::REVERSED),
            ] {
                style = match on {
                    Some(true) => style.add_modifier(modifier),
                    Some(false) => style.remove_modifier(modifier),
                    None => style,
                };
            }
        }
        // A style says what it has, never what it lacks: drawing starts from a plain cell.
        Ok(Style { sub_modifier: Modifier::empty(), ..style })
    }

    fn colour(&self, scope: &str, name: &str, depth: Depth) -> Result<ratatui::style::Color, String> {
        let colour = self.palette.get(name).copied().or_else(|| Colour::parse(name));
        let colour = colour.ok_or_else(|| {
            let near = text::nearest(name, self.palette.keys().map(String::as_str).chain(NAMES));
            let hint = near.map_or_else(String::new, |near| format!(", did you mean {}?", text::safe(near)));
            format!("{scope} names an unknown color: {}{hint}", text::safe(name))
        })?;
        Ok(match (colour, depth) {
            (Colour::Rgb(_, Some(DEFAULT)), Depth::Sixteen) => ratatui::style::Color::Reset,
            _ => colour.at(depth),
        })
    }
}

/// In [`Colour::Rgb`]'s 16-color place: the terminal's own color.
const DEFAULT: u8 = u8::MAX;
