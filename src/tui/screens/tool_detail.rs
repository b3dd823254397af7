//! The right side of the Tools screen: details of the file, a tool, a flow or a refused tool.

use super::words::schema_words;
use crate::schema::is_free_text;
use crate::text;
use crate::theme::Scope;
use crate::toolfile::{Effect as Does, Tool};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::screens::tools::{Item, effect_word, flow_words, selected, shown_name};
use crate::tui::screens::{plan, refused};
use crate::tui::widgets::row::Row;
use crate::value::Value;
use crate::work::Opened;

/// Rows with a label in a column of its own.
fn labelled(label: &str, row: Row, width: usize) -> Vec<Row> {
    Row::new().cell(Scope::Dim, label, 11).join(&row).hanging(11).wrap(width)
}

/// Notes on the whole file, the most important first: each with its style.
pub fn notes(model: &Model, opened: &Opened) -> Vec<(Scope, String)> {
    let reading = &opened.reading;
    let mut notes = Vec::new();
    if let Some(error) = &reading.error {
        notes.push((Scope::Error, format!("! no task can be planned: {}", plan::advice(model, &error.message))));
    } else if let Err(why) = &opened.sheet {
        notes.push((Scope::Error, format!("! no task can be planned: {}", plan::advice(model, why))));
    }
    if let Some(refusal) = reading.contract_refusal() {
        let at = crate::value::pointer::name(&refusal.at);
        notes.push((Scope::Warn, format!("! no contract hash: {} at {at}; a plan cannot be saved", refusal.what)));
    }
    notes.extend(reading.json_slip().map(|line| (Scope::Warn, format!("! {line}"))));
    notes.extend(reading.extensions.iter().map(|line| (Scope::Notice, format!("~ {line}"))));
    notes
}

pub(super) fn detail(model: &Model, opened: &Opened, width: usize) -> Vec<Row> {
    match selected(model) {
        Item::File => file_rows(model, opened, width),
        Item::Reason(kind) => refused::reason_rows(&opened.reading, kind, width),
        Item::Tool(i) => opened.reading.tools.get(i).map(|tool| tool_rows(opened, tool, width)).unwrap_or_default(),
        Item::Refused(i) => {
            let Some(refused) = opened.reading.refused.get(i) else { return Vec::new() };
            let mut rows = Row::of(Scope::Strong, &*refused.name).wrap(width);
            rows.push(Row::new());
            rows.extend(labelled("refused", Row::of(Scope::Error, refused.kind.word()), width));
            rows.extend(labelled("why", Row::of(Scope::Text, &refused.reason), width));
            rows.extend(labelled("instead", Row::of(Scope::Strong, refused.fix), width));
            rows.extend(labelled("at", Row::of(Scope::Text, &refused.place), width));
            if let Some((line, column)) = opened.places.get(i).copied().flatten() {
                let mut row = Row::of(Scope::Text, format!("{line}, column {column}"));
                if let (Some(key), true) = (model.keymap.key(Action::Edit), opened.origin.path().is_some()) {
                    row = row.dim("  ").put(Scope::Key, key).dim(" opens your editor there");
                }
                rows.extend(labelled("line", row, width));
            }
            rows
        }
        Item::Flow(i) => {
            let Some(flow) = opened.plan.flows.get(i) else { return Vec::new() };
            let mut rows = Row::of(Scope::Strong, flow_words(flow)).wrap(width);
            rows.push(Row::new());
            let says = format!(
                "The field {} in the answer of {} becomes the argument {} of {}.",
                flow.field, flow.from, flow.param, flow.to
            );
            rows.extend(Row::of(Scope::Text, says).wrap(width));
            rows.extend(Row::of(Scope::Dim, "The depth and shape dials make tasks from chains of flows.").wrap(width));
            rows
        }
    }
}

fn file_rows(model: &Model, opened: &Opened, width: usize) -> Vec<Row> {
    let (reading, keymap) = (&opened.reading, &model.keymap);
    let mut rows = vec![Row::of(Scope::Strong, opened.origin.name())];
    if let Some(path) = opened.origin.path() {
        rows.extend(Row::of(Scope::Dim, path.display().to_string()).wrap(width));
    }
    rows.push(Row::new());
    if opened.origin.is_example() {
        let says = "This is the built-in example. Open your own tool file with: rehearsal FILE";
        rows.extend(Row::of(Scope::Notice, says).wrap(width));
        let key = |action| keymap.key(action).unwrap_or_else(|| ":".to_owned());
        let row = Row::new().put(Scope::Key, key(Action::Tour)).plain(" starts a tour of ten short steps.");
        rows.extend(row.wrap(width));
        rows.push(Row::new());
    }
    let notes = notes(model, opened);
    for (scope, line) in &notes {
        rows.extend(Row::of(*scope, line).hanging(2).wrap(width));
    }
    if !notes.is_empty() {
        rows.push(Row::new());
    }
    let format = reading.format.map_or("no format found", |f| f.title());
    rows.extend(labelled("format", Row::of(Scope::Text, format), width));
    rows.extend(labelled("size", Row::of(Scope::Text, text::bytes(reading.size)), width));
    let effects = reading.effects();
    let counts = format!(
        "{}: {} read, {} write, {} unknown",
        text::count(reading.tools.len(), "usable tool"),
        effects.read,
        effects.write,
        effects.unknown
    );
    rows.extend(labelled("tools", Row::of(Scope::Text, counts), width));
    if !reading.refused.is_empty() {
        rows.extend(labelled("", Row::of(Scope::Error, format!("! {} refused", reading.refused.len())), width));
    }
    if reading.left_out > 0 {
        rows.extend(labelled(
            "",
            Row::of(Scope::Text, format!("{} left out", text::group(reading.left_out as u64))),
            width,
        ));
    }
    let targets = format!("{} can be the goal of a task", text::count(reading.can_target(), "tool"));
    rows.extend(labelled("", Row::of(Scope::Text, targets), width));
    rows.push(Row::new());
    rows.extend(labelled("file hash", Row::of(Scope::Text, &*reading.file_hash), width));
    match &reading.contract {
        Some(Ok(hash)) => rows.extend(labelled("contract", Row::of(Scope::Text, &**hash), width)),
        Some(Err(refusal)) => {
            rows.extend(labelled("contract", Row::of(Scope::Warn, format!("! refused: {}", refusal.what)), width));
        }
        None => {}
    }
    rows.extend(
        Row::of(Scope::Dim, "The contract hash does not change when only the layout or the order of keys does.")
            .wrap(width),
    );
    rows
}

fn tool_rows(opened: &Opened, tool: &Tool, width: usize) -> Vec<Row> {
    let name = shown_name(tool);
    let mut rows = Row::of(Scope::Strong, name).wrap(width);
    if name != &*tool.name {
        rows.extend(Row::of(Scope::Dim, format!("sent as: {}", tool.name)).wrap(width));
    } else if let Some(title) = &tool.title {
        let says = if tool.is_renamed() { format!("in the file: {title}") } else { title.to_string() };
        rows.extend(Row::of(Scope::Dim, says).wrap(width));
    }
    for line in text::safe_lines(&tool.description) {
        rows.extend(Row::of(Scope::Text, line).wrap(width));
    }
    rows.push(Row::new());
    let (scope, word) = effect_word(tool.effect);
    let declared = [(&opened.read.read, "declared"), (&opened.read.write, "declared")]
        .into_iter()
        .find(|(list, _)| list.iter().any(|name| *name == *tool.name))
        .map_or("as the file says", |(_, word)| word);
    let mut effect = Row::of(scope, word).dim(format!("  {declared}"));
    if tool.effect == Does::Unknown {
        effect = effect.dim("; counts as a write");
    }
    rows.extend(labelled("effect", effect, width));
    let target = if tool.can_target() { "yes" } else { "no: every argument is free text" };
    rows.extend(labelled("goal", Row::of(Scope::Text, target), width));
    if let Some(http) = &tool.http {
        rows.extend(labelled("http", Row::of(Scope::Text, format!("{} {}", http.method, http.path)), width));
    }
    rows.extend(labelled("at", Row::of(Scope::Text, &tool.at), width));
    rows.push(Row::new());
    let properties = tool.properties();
    rows.push(Row::of(Scope::Dim, text::count(properties.len(), "argument")));
    let required = tool.required();
    for (name, schema) in &properties {
        rows.extend(argument_rows(name, schema, required.contains(name), width));
    }
    rows.push(Row::new());
    match &tool.output_schema {
        None => {
            let says = "The file has no output schema: an answer has ok and id.";
            rows.extend(Row::of(Scope::Dim, says).wrap(width));
        }
        Some(schema) => {
            let fields = schema.get("properties").and_then(Value::as_object);
            rows.push(Row::of(Scope::Dim, format!("answer: {}", schema_words(schema))));
            for (name, schema) in fields.into_iter().flat_map(|m| m.named()) {
                rows.extend(argument_rows(name, schema, false, width));
            }
        }
    }
    rows
}

/// One argument: name, what it takes, its description.
pub fn argument_rows(name: &str, schema: &Value, required: bool, width: usize) -> Vec<Row> {
    let mut row = Row::new().plain("  ").put(Scope::Strong, name).plain("  ").plain(schema_words(schema));
    if required {
        row = row.put(Scope::Accent, "  required");
    }
    if is_free_text(schema) {
        row = row.dim("  free text");
    }
    let mut rows = row.hanging(6).wrap(width);
    if let Some(says) = schema.get("description").and_then(Value::as_str) {
        for line in text::safe_lines(says) {
            let row = Row::new().plain("    ").dim(&line).hanging(4);
            rows.extend(row.wrap(width));
        }
    }
    rows
}
