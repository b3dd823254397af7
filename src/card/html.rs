//! A page as one self-contained HTML file: its words and tables, and the levels drawn to scale. No script, no link, nothing
//! loaded; readable in light and dark.

use super::page::{Block, Page, Table};
use crate::text;
use std::fmt::Write as _;

/// One bar of a plot: a value, where there is one, and its interval, on a common scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it is of.
    pub name: String,
    /// The value.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

/// Bars below each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// What is drawn.
    pub title: String,
    /// The end of the scale, which begins at 0.
    pub most: f64,
    /// The bars.
    pub bars: Vec<Bar>,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--mark:#0969da;--band:#b6d4f2}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--mark:#58a6ff;--band:#1f4b7a}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin-top:2rem}
.t{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:600}.n{text-align:right}pre,td{white-space:pre-wrap}
svg{display:block;max-width:100%;height:auto;margin:.5rem 0}svg text{fill:var(--ink);font:13px ui-monospace,monospace}
.soft{fill:var(--soft)}";

/// A text that HTML shows as it is written: control characters are made visible, markup is escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text::safe(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The page with its plots below the title and the first sentences.
pub fn html(page: &Page, plots: &[Plot]) -> String {
    let title =
        page.0.iter().find_map(|block| if let Block::Title(title) = block { Some(escape(title)) } else { None });
    let title = title.unwrap_or_default();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n"
    );
    let mut plots = Some(plots);
    for block in &page.0 {
        if matches!(block, Block::Heading(_)) {
            plots.take().into_iter().flatten().for_each(|plot| draw(&mut out, plot));
        }
        // Writing to a string cannot fail.
        let _ = match block {
            Block::Title(text) => writeln!(out, "<h1>{}</h1>", escape(text)),
            Block::Heading(text) => writeln!(out, "<h2>{}</h2>", escape(text)),
            Block::Text(text) => writeln!(out, "<p>{}</p>", escape(text)),
            Block::List(points) => {
                let points: String = points.iter().map(|point| format!("<li>{}</li>\n", escape(point))).collect();
                writeln!(out, "<ul>\n{points}</ul>")
            }
            Block::Table(table) => writeln!(out, "{}", rows(table)),
        };
    }
    plots.take().into_iter().flatten().for_each(|plot| draw(&mut out, plot));
    out.push_str("</body>\n</html>\n");
    out
}

fn rows(table: &Table) -> String {
    let class = |i: usize| if table.head.get(i).is_some_and(|(_, figures)| *figures) { " class=\"n\"" } else { "" };
    let line = |cells: &mut dyn Iterator<Item = &str>, tag: &str| {
        let cells = cells.enumerate().map(|(i, cell)| format!("<{tag}{}>{}</{tag}>", class(i), escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let mut out = String::from("<div class=\"t\"><table>\n");
    if table.head.iter().any(|(name, _)| !name.is_empty()) {
        out.push_str(&line(&mut table.head.iter().map(|(name, _)| name.as_str()), "th"));
    }
    for row in &table.rows {
        out.push_str(&line(&mut row.iter().map(String::as_str), "td"));
    }
    out.push_str("</table></div>");
    out
}

/// One plot as an inline picture, its figures written beside the bars.
fn draw(out: &mut String, plot: &Plot) {
    const LEFT: f64 = 230.0;
    const WIDE: f64 = 420.0;
    const LINE: f64 = 24.0;
    let most = if plot.most > 0.0 { plot.most } else { 1.0 };
    let x = |value: f64| LEFT + (value / most).clamp(0.0, 1.0) * WIDE;
    let height = LINE * (plot.bars.len() as f64 + 1.0);
    let title = escape(&plot.title);
    let _ = writeln!(
        out,
        "<h2>{title}</h2>\n<svg viewBox=\"0 0 760 {height}\" width=\"760\" role=\"img\" aria-label=\"{title}\">"
    );
    for (i, bar) in plot.bars.iter().enumerate() {
        let middle = LINE * (i as f64 + 0.5);
        let name = escape(&text::cut_middle(&text::safe(&bar.name), 27));
        let _ = writeln!(out, "<text x=\"0\" y=\"{:.1}\">{name}</text>", middle + 4.0);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"var(--line)\"/>",
            LEFT + WIDE
        );
        if let Some([low, high]) = bar.interval {
            let (from, to) = (x(low), x(high));
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"8\" rx=\"2\" fill=\"var(--band)\"/>",
                middle - 4.0,
                (to - from).max(1.0)
            );
        }
        let shown = match bar.value {
            Some(value) => {
                let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{middle}\" r=\"5\" fill=\"var(--mark)\"/>", x(value));
                format!("{value:.3}")
            }
            None => "-".to_owned(),
        };
        let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\">{shown}</text>", LEFT + WIDE + 16.0, middle + 4.0);
    }
    let (low, high) = (height - 6.0, LEFT + WIDE);
    let _ = writeln!(
        out,
        "<text class=\"soft\" x=\"{LEFT}\" y=\"{low}\">0</text>\n\
         <text class=\"soft\" x=\"{high}\" y=\"{low}\" text-anchor=\"end\">{}</text>\n</svg>",
        text_of(most)
    );
}

fn text_of(most: f64) -> String {
    if most.fract() == 0.0 { format!("{most:.0}") } else { format!("{most:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_page_is_markup() {
        let nasty = "<script>alert(1)</script>&\"'\u{1b}[31m";
        let mut table = Table::new(&[nasty, ">n"]);
        table.row(vec![nasty.to_owned(), "1".to_owned()]);
        let blocks = vec![
            Block::Title(nasty.into()),
            Block::Text(nasty.into()),
            Block::Heading(nasty.into()),
            Block::List(vec![nasty.into()]),
            Block::Table(table),
        ];
        let bar = Bar { name: nasty.into(), value: Some(0.5), interval: Some([0.2, 0.7]) };
        let plot = Plot { title: nasty.into(), most: 1.0, bars: vec![bar] };
        let page = html(&Page(blocks), &[plot]);
        assert!(!page.contains("<script") && !page.contains('\u{1b}'), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("<circle cx=\"440.0\""), "{page}");
    }
}
