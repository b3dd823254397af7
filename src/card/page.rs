//! A page of words and tables, written once and shown as Markdown or as plain text.
//!
//! ```
//! use rehearsal::card::page::{Block, Page, Table};
//! let mut table = Table::new(&["arm", ">pass@1"]);
//! table.row(vec!["faults:f1".into(), "0.5".into()]);
//! let page = Page(vec![Block::Title("A *card*".into()), Block::Table(table)]);
//! assert!(page.markdown().starts_with("# A \\*card\\*\n"));
//! assert_eq!(page.lines()[0], "A *card*");
//! ```

use crate::text;

/// A table; columns of figures stand to the right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Column names, and whether a column holds figures.
    pub head: Vec<(String, bool)>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns; a name beginning with `>` is a column of figures.
    pub fn new(head: &[&str]) -> Self {
        let column = |name: &&str| name.strip_prefix('>').map_or(((*name).to_owned(), false), |n| (n.to_owned(), true));
        Self { head: head.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// What the page is.
    Title(String),
    /// What a part is.
    Heading(String),
    /// A sentence or some.
    Text(String),
    /// Points.
    List(Vec<String>),
    /// A table.
    Table(Table),
}

/// A page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page(pub Vec<Block>);

impl Page {
    /// As Markdown, with a final newline.
    pub fn markdown(&self) -> String {
        let one = |block: &Block| match block {
            Block::Title(title) => format!("# {}\n", text::markdown(title)),
            Block::Heading(heading) => format!("## {}\n", text::markdown(heading)),
            Block::Text(words) => format!("{}\n", text::markdown(words)),
            Block::List(points) => points.iter().map(|p| format!("- {}\n", text::markdown(p))).collect(),
            Block::Table(table) => markdown_table(table),
        };
        self.0.iter().map(one).collect::<Vec<String>>().join("\n")
    }

    /// As plain lines, made safe for a terminal.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for block in &self.0 {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            match block {
                Block::Title(text) | Block::Text(text) => lines.push(text::safe(text).into_owned()),
                Block::Heading(text) => lines.push(format!("{}:", text::safe(text))),
                Block::List(points) => lines.extend(points.iter().map(|p| format!("- {}", text::safe(p)))),
                Block::Table(table) => lines.extend(text_table(table)),
            }
        }
        lines
    }
}

fn markdown_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = line(table.head.iter().map(|(name, _)| text::markdown(name)).collect());
    out.push_str(&line(
        table.head.iter().map(|(_, figures)| if *figures { "---:" } else { "---" }.to_owned()).collect(),
    ));
    for row in &table.rows {
        out.push_str(&line(row.iter().map(|cell| text::markdown(cell)).collect()));
    }
    out
}

fn text_table(table: &Table) -> Vec<String> {
    let safe = |row: &[String]| -> Vec<String> { row.iter().map(|c| text::safe(c).into_owned()).collect() };
    let head: Vec<String> = table.head.iter().map(|(name, _)| name.clone()).collect();
    let named = head.iter().any(|name| !name.is_empty());
    let rows: Vec<Vec<String>> =
        named.then(|| safe(&head)).into_iter().chain(table.rows.iter().map(|r| safe(r))).collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|i| rows.iter().filter_map(|r| r.get(i)).map(|c| text::width(c)).max().unwrap_or(0))
        .collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).zip(&table.head).map(|((cell, width), (_, figures))| {
                if *figures { text::pad_start(cell, *width) } else { text::pad(cell, *width) }
            });
            cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// A share or a rate with three decimals; a dash when there is none.
pub fn rate(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"))
}

/// A difference with its sign and three decimals; a dash when there is none.
pub fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:+.3}"))
}

/// An interval with three decimals; a dash when there is none.
pub fn interval(value: Option<[f64; 2]>) -> String {
    value.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.3} to {high:.3}"))
}

/// A rate and its interval drawn to scale between 0 and 1: `..[--o---]...`, legible without color. Empty without a rate.
pub fn bar(point: Option<f64>, interval: Option<[f64; 2]>, width: usize) -> String {
    let (Some(point), true) = (point, width > 0) else { return String::new() };
    let place = |v: f64| ((v.clamp(0.0, 1.0) * (width - 1) as f64).round() as usize).min(width - 1);
    let mut cells = vec!['.'; width];
    if let Some([low, high]) = interval {
        let (low, high) = (place(low), place(high));
        cells[low..=high.max(low)].fill('-');
        cells[low] = '[';
        cells[high] = ']';
    }
    cells[place(point)] = 'o';
    cells.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_two_ways() {
        let mut table = Table::new(&["name", ">n"]);
        table.row(vec!["a|b".into(), "7".into()]);
        table.row(vec!["\u{1b}[31mred".into(), "12".into()]);
        let page = Page(vec![Block::Title("T".into()), Block::Table(table), Block::List(vec!["*".into()])]);
        let markdown = page.markdown();
        assert!(markdown.starts_with("# T\n\n| name | n |\n| --- | ---: |\n| a\\|b | 7 |\n"), "{markdown}");
        assert!(!markdown.contains('\u{1b}'));
        assert!(markdown.ends_with("\n- \\*\n"));
        let lines = page.lines();
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["name", "n"]);
        assert!(lines[3].starts_with("a|b") && lines[3].ends_with(" 7"));
        assert!(lines.iter().all(|l| !l.contains('\u{1b}')));
    }

    #[test]
    fn bars_are_drawn_to_scale() {
        assert_eq!(bar(Some(0.5), Some([0.25, 0.75]), 9), "..[-o-]..");
        assert_eq!(bar(Some(0.0), Some([0.0, 0.0]), 5), "o....");
        assert_eq!(bar(Some(1.0), Some([0.5, 1.0]), 5), "..[-o");
        assert_eq!(bar(Some(0.5), None, 5), "..o..");
        assert_eq!(bar(None, None, 5), "");
        assert_eq!(bar(Some(0.5), None, 0), "");
    }
}
