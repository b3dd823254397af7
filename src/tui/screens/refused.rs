//! Refused tools as a work list: grouped by reason, with the place in the file and what to write instead.

use crate::schema::RefusalKind;
use crate::theme::Scope;
use crate::toolfile::Reading;
use crate::tui::screens::tools::Item;
use crate::tui::widgets::outline::{Mark, Outline};
use crate::tui::widgets::row::Row;
use crate::value::{Value, pointer};
use crate::work::Opened;

/// The rows of the list: each reason in the order of its first tool, with its tools below it.
pub fn items(reading: &Reading) -> Vec<Item> {
    let mut kinds: Vec<RefusalKind> = Vec::new();
    for refused in &reading.refused {
        if !kinds.contains(&refused.kind) {
            kinds.push(refused.kind);
        }
    }
    let below = |kind| (0..reading.refused.len()).filter(move |i| reading.refused[*i].kind == kind).map(Item::Refused);
    kinds.into_iter().flat_map(|kind| std::iter::once(Item::Reason(kind)).chain(below(kind))).collect()
}

/// How many tools a reason refused.
fn count(reading: &Reading, kind: RefusalKind) -> usize {
    reading.refused.iter().filter(|refused| refused.kind == kind).count()
}

/// The row above the tools refused for one reason.
pub fn heading(reading: &Reading, kind: RefusalKind) -> Row {
    Row::of(Scope::Error, "! ")
        .put(Scope::Error, kind.word())
        .end(Scope::Error, format!("{} refused", count(reading, kind)))
}

/// What a reason means.
fn meaning(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Name => "The tool has no usable name.",
        RefusalKind::Duplicate => "Another tool has the same name.",
        RefusalKind::NotObject => "The arguments are not described by an object schema.",
        RefusalKind::Schema => "The schema uses something that no task can be planned on.",
        RefusalKind::Binary => "An argument or the body is binary data.",
        RefusalKind::Merge => "Parameters and body cannot be put together as one set of arguments.",
        RefusalKind::Builtin => "The tool is built into the provider: it has no schema.",
    }
}

/// What there is to say about one reason.
pub fn reason_rows(reading: &Reading, kind: RefusalKind, width: usize) -> Vec<Row> {
    let mut rows = vec![Row::of(Scope::Strong, kind.word()), Row::new()];
    rows.extend(Row::of(Scope::Text, meaning(kind)).wrap(width));
    let count = crate::text::count(count(reading, kind), "tool");
    rows.push(Row::of(Scope::Dim, format!("{count} refused for this reason.")));
    rows
}

/// What a refused tool matches by, beside its name: its reason, and the names in its definition.
pub fn sought(opened: &Opened, i: usize) -> String {
    let Some(refused) = opened.reading.refused.get(i) else { return String::new() };
    let mut text = format!("{} {} {}", refused.kind.word(), refused.reason, refused.fix);
    for schema in ["inputSchema", "parameters"] {
        let properties = definition(opened, i).and_then(|d| d.get(schema)).and_then(|s| s.get("properties"));
        for (name, _) in properties.and_then(Value::as_object).into_iter().flat_map(|m| m.named()) {
            text.push(' ');
            text.push_str(name);
        }
    }
    text
}

fn definition(opened: &Opened, i: usize) -> Option<&Value> {
    let document = opened.source.document().ok()?;
    pointer::resolve(&document.root, &opened.reading.refused.get(i)?.at)
}

/// The definition of a refused tool with the place marked, and the line of that place. A place outside the definition,
/// behind a reference, is shown on its own.
pub fn outline(opened: &Opened, i: usize) -> Option<(Outline, usize)> {
    let refused = opened.reading.refused.get(i)?;
    let document = opened.source.document().ok()?;
    let (shown, path) = match refused.place.strip_prefix(refused.at.as_str()) {
        Some(path) => (definition(opened, i)?, path),
        None => (pointer::resolve(&document.root, &refused.place)?, ""),
    };
    let mut outline = Outline::new(shown.clone());
    outline.mark(path, Mark { sign: '!', scope: Scope::Error, note: refused.fix.to_owned() });
    let line = outline.reveal(path);
    Some((outline, line))
}
