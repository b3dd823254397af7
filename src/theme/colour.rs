//! Colors, their contrast, and their fall back from 24 bits to 256, 16 and none.

use ratatui::style::Color;

/// How many colors the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// None: no color is ever sent.
    None,
    /// The 16 named ones.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    #[default]
    True,
}

impl Depth {
    /// The depth that `COLORTERM` and `TERM` tell of. `NO_COLOR` is not looked at here: it chooses the theme.
    pub fn of(colorterm: &str, term: &str) -> Depth {
        const TRUE_TERMS: [&str; 7] = ["direct", "kitty", "alacritty", "wezterm", "ghostty", "foot", "contour"];
        if matches!(colorterm, "truecolor" | "24bit") || TRUE_TERMS.iter().any(|name| term.contains(name)) {
            Depth::True
        } else if term.contains("256") {
            Depth::Indexed
        } else if term.is_empty() || term == "dumb" || term.ends_with("-m") || term.ends_with("-mono") {
            Depth::None
        } else {
            Depth::Sixteen
        }
    }
}

/// A color of a theme file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    Default,
    /// One of the 16 named ones, by its number.
    Named(u8),
    /// 24 bits, and what to use where there are only 16.
    Rgb((u8, u8, u8), Option<u8>),
}

/// The names of the 16 colors, by number.
pub(super) const NAMES: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright black",
    "bright red",
    "bright green",
    "bright yellow",
    "bright blue",
    "bright magenta",
    "bright cyan",
    "bright white",
];

/// What xterm shows for the 16: the palette the contrast of named colors is checked with.
const XTERM: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

impl Colour {
    /// Parses `default`, `red`, `bright blue`, `#rrggbb`.
    pub fn parse(text: &str) -> Option<Colour> {
        if text == "default" {
            return Some(Colour::Default);
        }
        if let Some(n) = NAMES.iter().position(|name| *name == text) {
            return Some(Colour::Named(n as u8));
        }
        let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
        Some(Colour::Rgb((byte(0)?, byte(2)?, byte(4)?), None))
    }

    /// The color to send, at a depth.
    pub fn at(self, depth: Depth) -> Color {
        match (self, depth) {
            (_, Depth::None) | (Colour::Default, _) => Color::Reset,
            (Colour::Named(n), _) => NAMED[usize::from(n) % 16],
            (Colour::Rgb((r, g, b), _), Depth::True) => Color::Rgb(r, g, b),
            (Colour::Rgb(rgb, _), Depth::Indexed) => Color::Indexed(nearest_indexed(rgb)),
            (Colour::Rgb(_, Some(n)), Depth::Sixteen) => NAMED[usize::from(n) % 16],
            (Colour::Rgb(rgb, None), Depth::Sixteen) => NAMED[usize::from(nearest_named(rgb))],
        }
    }
}

/// The red, green and blue that xterm shows for a color; `None` for the terminal's own.
pub fn shown(colour: Color) -> Option<(u8, u8, u8)> {
    match colour {
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Indexed(n) => Some(indexed(n)),
        other => NAMED.iter().position(|c| *c == other).map(|n| XTERM[n]),
    }
}

/// What xterm shows for one of its 256 colors.
fn indexed(n: u8) -> (u8, u8, u8) {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match n {
        0..=15 => XTERM[usize::from(n)],
        16..=231 => {
            let n = usize::from(n - 16);
            (STEPS[n / 36], STEPS[n / 6 % 6], STEPS[n % 6])
        }
        232..=255 => {
            let grey = 8 + 10 * (n - 232);
            (grey, grey, grey)
        }
    }
}

fn square(a: (u8, u8, u8), b: (u8, u8, u8)) -> u32 {
    let part = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    // Weighted as eyes are: green counts most.
    2 * part(a.0, b.0) + 4 * part(a.1, b.1) + 3 * part(a.2, b.2)
}

/// The nearest of the 240 fixed colors (the first 16 are whatever a user made of them) that is as readable: a color
/// that can be read on black and on white stays so.
fn nearest_indexed(rgb: (u8, u8, u8)) -> u8 {
    let readable = |rgb| contrast(rgb, (0, 0, 0)).min(contrast(rgb, (255, 255, 255))) >= 3.0;
    let keep = readable(rgb);
    (16..=255).filter(|n| !keep || readable(indexed(*n))).min_by_key(|n| square(indexed(*n), rgb)).unwrap_or(16)
}

fn nearest_named(rgb: (u8, u8, u8)) -> u8 {
    (0..16_u8).min_by_key(|n| square(XTERM[usize::from(*n)], rgb)).unwrap_or(0)
}

/// The contrast of two colors, 1 to 21, as WCAG 2 defines it.
pub fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let part = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}
