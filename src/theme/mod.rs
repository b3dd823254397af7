//! Colors and signs: what each kind of thing on the screen looks like.
//!
//! Owns: the scopes (what can be styled), theme files and how a user's own overlays a built-in one ([`Themes`]), colors
//! and their fall back to what the terminal can show ([`Depth`]). Does not own what is drawn where (`tui`).
//!
//! Text is the terminal's own color on its own ground: no theme of ours paints a background. A color is never the only
//! signal: whatever is colored also has a sign (`+ - ~ ! ?`), so `mono` loses nothing.
//!
//! A theme file is YAML: `name`, `ground` (`dark`, `light` or `any`), `inherits` (another theme's name), `palette`
//! (names for colors; each a color, or `{rgb, ansi}` with what to use where there are only 16) and `scopes`: a scope's
//! name, and a color or `{fg, bg, bold, dim, italic, underline, reverse}`. A scope `a.b` takes what it does not say from
//! `a`, and `a` from `text`.
//!
//! ```
//! use rehearsal::theme::{Depth, Scope, Themes};
//! let dark = Themes::default().load("dark", Depth::Sixteen).unwrap();
//! assert!(dark.style(Scope::Error).fg.is_some());
//! let mono = Themes::default().load("mono", Depth::None).unwrap();
//! assert_eq!(mono.style(Scope::Error).fg, None);
//! ```

mod choose;
mod colour;
mod file;

pub use choose::{Choice, ThemeFile, choose, theme_files};
pub use colour::{Colour, Depth, contrast, shown};
pub use file::{ThemeError, Themes};

use ratatui::style::Style;

macro_rules! scopes {
    ($($variant:ident $name:literal $about:literal,)*) => {
        /// What can be styled. The name in theme files is [`Scope::name`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scope { $(#[doc = $about] $variant,)* }

        impl Scope {
            /// Every scope.
            pub const ALL: &'static [Scope] = &[$(Scope::$variant,)*];

            /// Its name in theme files.
            pub fn name(self) -> &'static str {
                match self { $(Scope::$variant => $name,)* }
            }

            /// What it is used for, for the theme documentation.
            pub fn about(self) -> &'static str {
                match self { $(Scope::$variant => $about,)* }
            }
        }
    };
}

scopes! {
    Text "text" "Plain text; every other scope begins from it.",
    Dim "dim" "Secondary text: labels, units, hints.",
    Strong "strong" "Text that stands out.",
    Accent "accent" "The one accent color.",
    Border "border" "Rules between panes.",
    BorderFocus "border.focus" "The rule above the focused pane.",
    Title "title" "A pane's title.",
    TitleFocus "title.focus" "The title of the focused pane.",
    Tab "tab" "A screen's name in the header.",
    TabOn "tab.on" "The present screen's name.",
    Key "key" "A key in the footer and in help.",
    Selected "selected" "The selected row of the focused pane.",
    SelectedIdle "selected.idle" "The selected row of another pane.",
    Future "future" "Calls not made yet, or undone.",
    EffectRead "effect.read" "A tool that reads.",
    EffectWrite "effect.write" "A tool that writes.",
    EffectUnknown "effect.unknown" "A tool of unknown effect.",
    Ok "ok" "An accepted call, a thing done (+).",
    Error "error" "An error, a refusal (!).",
    Warn "warn" "A warning, a fault of a dial (!).",
    Odd "odd" "An answer not to be trusted: bad or stale (?).",
    DiffAdded "diff.added" "Something added (+).",
    DiffRemoved "diff.removed" "Something taken out (-).",
    DiffChanged "diff.changed" "Something changed (~).",
    ValueKey "value.key" "A key of a value.",
    ValueText "value.text" "Text in a value.",
    ValueNumber "value.number" "A number in a value.",
    ValueWord "value.word" "true, false and null in a value.",
    ValueMark "value.mark" "Braces, brackets, commas of a value.",
    Match "match" "What a search found.",
    MatchCurrent "match.current" "What a search found in the selected row.",
    VerdictPassed "verdict.passed" "A passed verdict.",
    VerdictFailed "verdict.failed" "A failed verdict.",
    VerdictOpen "verdict.open" "A verdict still open.",
    Input "input" "Text being typed.",
    InputCursor "input.cursor" "The place where typing goes on.",
    Notice "notice" "A message about what was just done.",
}

/// What a theme is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ground {
    /// Dark terminals.
    #[default]
    Dark,
    /// Light terminals.
    Light,
    /// Either.
    Any,
}

/// A theme ready to draw with, its colors already those the terminal can show.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// What it is made for.
    pub ground: Ground,
    styles: Vec<Style>,
}

impl Theme {
    /// How a scope looks.
    pub fn style(&self, scope: Scope) -> Style {
        self.styles.get(scope as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
