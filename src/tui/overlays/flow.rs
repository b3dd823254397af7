//! Adding a flow by hand: first a field of one tool's answer, then the argument of another that it is.

use super::Overlay;
use super::pick::{Pick, Purpose};
use crate::plan::{Flow, fits};
use crate::theme::Scope;
use crate::toolfile::Tool;
use crate::tui::model::{FileState, Model};
use crate::tui::msg::Effect;
use crate::tui::screens::tools::{self, Item, flow_words};
use crate::tui::screens::words::schema_words;
use crate::tui::update;
use crate::value::Value;

/// So deep are the fields of an answer that are offered.
const DEEPEST: usize = 6;
/// Most fields offered in all.
const MOST: usize = 5_000;

/// So many arguments are checked for values that fit.
const MOST_CHECKED: usize = 2_000;

/// Asks for the field.
pub fn begin(model: &mut Model) {
    let FileState::Open(opened) = &model.file else { return };
    let mut fields = Vec::new();
    let mut items = Vec::new();
    let selected = match tools::selected(model) {
        Item::Tool(i) => Some(i),
        _ => None,
    };
    // The selected tool's fields come first.
    let order = selected.into_iter().chain((0..opened.reading.tools.len()).filter(|i| Some(*i) != selected));
    for tool in order.filter_map(|i| opened.reading.tools.get(i)) {
        for (path, words) in answer_fields(tool) {
            if fields.len() == MOST {
                break;
            }
            items.push((format!("{}.{path}", tool.name), words));
            fields.push((tool.name.to_string(), path));
        }
    }
    if fields.is_empty() {
        model.say(Scope::Notice, "no tool has an output field to start from");
        return;
    }
    let pick = Pick::new("flow: from which field", Purpose::FlowFrom(fields), items);
    model.overlays.push(Overlay::Pick(pick));
}

/// The fields of a tool's answer: `id` without an output schema, else every path to a value other than an object.
fn answer_fields(tool: &Tool) -> Vec<(String, String)> {
    let Some(schema) = &tool.output_schema else {
        return vec![("id".to_owned(), "text".to_owned())];
    };
    let mut fields = Vec::new();
    walk(schema, "", 0, &mut fields);
    fields
}

fn walk(schema: &Value, path: &str, depth: usize, fields: &mut Vec<(String, String)>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, schema) in properties.named() {
        // A name with a dot or brackets in it cannot be said in a path.
        if name.contains(['.', '[', ']']) || name.is_empty() || fields.len() >= MOST {
            continue;
        }
        let mut here = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let mut schema = schema;
        if let Some(items) = schema.get("items").filter(|_| is_list(schema)) {
            here.push_str("[]");
            schema = items;
        }
        if schema.get("properties").and_then(Value::as_object).is_some_and(|m| !m.is_empty()) {
            if depth < DEEPEST {
                walk(schema, &here, depth + 1, fields);
            }
        } else {
            fields.push((here, schema_words(schema)));
        }
    }
}

fn is_list(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("array")
}

/// Asks for the argument.
pub fn from_chosen(model: &mut Model, from: (String, String)) {
    let FileState::Open(opened) = &model.file else { return };
    let mut params = Vec::new();
    let mut items = Vec::new();
    let source = opened.reading.tool(&from.0);
    for tool in opened.reading.tools.iter().filter(|t| *t.name != *from.0) {
        for (name, schema) in tool.properties() {
            let (from, field) = from.clone();
            let flow = Flow { from, field, to: tool.name.to_string(), param: name.to_string() };
            let unchecked = items.len() >= MOST_CHECKED;
            let fits = unchecked || source.is_none_or(|source| fits(source, tool, &flow));
            let warning = if fits { "" } else { "  ! values never fit" };
            items.push((format!("{}.{name}", tool.name), format!("{}{warning}", schema_words(&schema))));
            params.push((tool.name.to_string(), name.to_string()));
        }
    }
    if params.is_empty() {
        model.say(Scope::Notice, "no other tool has an argument for it");
        return;
    }
    let title = format!("flow: {}.{} becomes which argument", from.0, from.1);
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::FlowTo(from, params), items)));
}

/// Adds the flow and plans again.
pub fn to_chosen(model: &mut Model, from: (String, String), to: (String, String)) -> Vec<Effect> {
    let flow = Flow { from: from.0, field: from.1, to: to.0, param: to.1 };
    if model.request.plan.flows.contains(&flow) {
        model.say(Scope::Notice, "this flow exists already");
        return Vec::new();
    }
    model.say(Scope::Notice, format!("added the flow {}", flow_words(&flow)));
    model.request.plan.flows.push(flow);
    update::reread(model)
}
