//! A screen as text and as a picture: SVG with the styles of its cells, for a talk or a report.

use crate::text;
use crate::theme::{Ground, shown};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;

/// Width and height of a cell, in the picture's units.
const CELL: (f64, f64) = (8.4, 18.0);
/// Room around the screen.
const MARGIN: f64 = 12.0;

/// The text and the ground of a picture.
struct Paper {
    ink: (u8, u8, u8),
    ground: (u8, u8, u8),
}

/// The cells as lines of text: a wide character once, blanks at line ends cut.
pub fn text(buf: &Buffer) -> String {
    let mut out = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let line: String = cells(buf, y).map(|(_, cell)| cell.symbol()).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The cells of a line and their columns; what a wide character covers is not a cell of its own.
fn cells(buf: &Buffer, y: u16) -> impl Iterator<Item = (u16, &Cell)> {
    let mut x = buf.area.left();
    std::iter::from_fn(move || {
        let cell = buf.cell((x, y))?;
        let at = x;
        x += text::width(cell.symbol()).max(1) as u16;
        Some((at, cell))
    })
}

/// How a run of cells looks.
#[derive(PartialEq, Clone, Copy)]
struct Look {
    ink: Option<(u8, u8, u8)>,
    ground: Option<(u8, u8, u8)>,
    modifier: Modifier,
}

/// The cells as a picture.
pub fn svg(buf: &Buffer, ground: Ground) -> String {
    let paper = match ground {
        Ground::Light => Paper { ink: (0x24, 0x29, 0x2f), ground: (0xff, 0xff, 0xff) },
        Ground::Dark | Ground::Any => Paper { ink: (0xd8, 0xdc, 0xe2), ground: (0x15, 0x18, 0x1c) },
    };
    let (width, height) = (f64::from(buf.area.width) * CELL.0, f64::from(buf.area.height) * CELL.1);
    let (whole, high) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole:.1} {high:.1}\" width=\"{whole:.1}\" \
         height=\"{high:.1}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{}\"/>\n",
        hex(paper.ground)
    );
    for y in buf.area.top()..buf.area.bottom() {
        let mut run: Option<(u16, u16, Look, String)> = None;
        for (x, cell) in cells(buf, y) {
            let look = look(cell, &paper);
            let wide = text::width(cell.symbol()).max(1) as u16;
            match &mut run {
                // Wide characters stand alone: their width is the font's affair.
                Some((from, columns, of, shown))
                    if *of == look && wide == 1 && *from + *columns == x && !odd(shown) =>
                {
                    *columns += 1;
                    shown.push_str(cell.symbol());
                }
                _ => {
                    if let Some(run) = run.take() {
                        put(&mut out, y - buf.area.top(), run, &paper);
                    }
                    run = Some((x, wide, look, cell.symbol().to_owned()));
                }
            }
        }
        if let Some(run) = run {
            put(&mut out, y - buf.area.top(), run, &paper);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Whether a run is one character that is wider than a cell.
fn odd(shown: &str) -> bool {
    text::width(shown) != shown.chars().count()
}

fn look(cell: &Cell, paper: &Paper) -> Look {
    let colour = |color: Color| shown(color);
    let (mut ink, mut ground) = (colour(cell.fg), colour(cell.bg));
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, ground) = (Some(ground.unwrap_or(paper.ground)), Some(ink.unwrap_or(paper.ink)));
    }
    Look { ink, ground, modifier: cell.modifier - Modifier::REVERSED }
}

fn put(out: &mut String, line: u16, (from, columns, look, shown): (u16, u16, Look, String), paper: &Paper) {
    let x = MARGIN + f64::from(from) * CELL.0;
    let y = MARGIN + f64::from(line) * CELL.1;
    let width = f64::from(columns) * CELL.0;
    if let Some(ground) = look.ground {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            CELL.1,
            hex(ground)
        );
    }
    let underlined = look.modifier.contains(Modifier::UNDERLINED);
    if shown.trim().is_empty() && !underlined {
        return;
    }
    let mut style = String::new();
    for (flag, says) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::DIM, " opacity=\"0.65\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ] {
        if look.modifier.contains(flag) {
            style.push_str(says);
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
         xml:space=\"preserve\" fill=\"{}\"{style}>{}</text>",
        y + 13.5,
        hex(look.ink.unwrap_or(paper.ink)),
        escaped(&shown)
    );
}

fn hex((r, g, b): (u8, u8, u8)) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text inside an element, with markup and characters that XML does not allow replaced.
fn escaped(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    for c in text::safe(shown).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn buffer() -> Buffer {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 2));
        buf.set_string(0, 0, "a<b>&\"", Style::new().fg(Color::Rgb(1, 2, 3)));
        buf.set_string(0, 1, "出荷 x", Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD));
        buf
    }

    #[test]
    fn a_screen_as_text_keeps_wide_characters_once() {
        assert_eq!(text(&buffer()), "a<b>&\"\n出荷 x\n");
    }

    #[test]
    fn a_picture_escapes_its_text_and_keeps_its_styles() {
        let svg = svg(&buffer(), Ground::Dark);
        assert!(svg.contains(">a&lt;b&gt;&amp;&quot;</text>"), "{svg}");
        assert!(svg.contains("fill=\"#010203\""));
        // Reversed: the ground's colour on the ink's.
        assert!(svg.contains("fill=\"#d8dce2\"/>") && svg.contains("fill=\"#15181c\" font-weight=\"bold\">出</text>"));
        assert!(
            svg.contains("x=\"12.0\"") && svg.contains("x=\"28.8\""),
            "the second wide character stands two cells on"
        );
        let elements = svg.matches('<').count();
        assert_eq!(elements, svg.matches('>').count());
        assert!(svg.ends_with("</svg>\n"));
    }

    #[test]
    fn a_light_theme_is_printed_on_white() {
        assert!(svg(&buffer(), Ground::Light).contains("fill=\"#ffffff\""));
    }
}
