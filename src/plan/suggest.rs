//! What a file's names suggest: which tools read, which answer fields are arguments of other tools. Suggestions only: a
//! person accepts them or leaves them out.

use super::Flow;
use crate::schema::{DrawKey, PROBE, cleaned, conforms, value_where};
use crate::toolfile::{Effect, MOST_TOOLS, Tool};
use crate::value::{Str, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Most flows that are suggested.
const MOST: usize = 100;

/// First words of names of tools that change nothing.
const READS: [&str; 17] = [
    "get", "list", "search", "find", "fetch", "read", "describe", "show", "view", "count", "lookup", "query", "check",
    "browse", "retrieve", "preview", "status",
];
/// Words that make a tool a write whatever else its name says.
const WRITES: [&str; 20] = [
    "create", "update", "delete", "set", "add", "remove", "send", "cancel", "book", "move", "write", "put", "post",
    "edit", "run", "execute", "insert", "merge", "refund", "notify",
];

/// The words of a name: `getOrder`, `get_order` and `get-order` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
        small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The tools of unknown effect whose names say that they read.
pub fn likely_reads(tools: &[Arc<Tool>]) -> Vec<Str> {
    let reads = |tool: &&Arc<Tool>| {
        let words = words(&tool.name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        tool.effect == Effect::Unknown && has(&READS) && !has(&WRITES)
    };
    tools.iter().filter(reads).map(|tool| tool.name.clone()).collect()
}

/// The flows whose field and argument have one name and whose values fit: `order_id` to `order_id`, and the `id` that a
/// tool about orders answers with to `order_id`.
pub fn likely_flows(tools: &[Arc<Tool>]) -> Vec<Flow> {
    // More cannot be planned on.
    let tools = &tools[..tools.len().min(MOST_TOOLS)];
    let mut params: HashMap<Vec<String>, Vec<(&Arc<Tool>, Str)>> = HashMap::new();
    for tool in tools {
        for (name, _) in tool.properties() {
            let key = words(&name);
            if key.last().is_some_and(|last| last == "id" || last == "ids") && key.len() > 1 {
                params.entry(key).or_default().push((tool, name));
            }
        }
    }
    let mut flows = Vec::new();
    for from in tools {
        for field in fields(from) {
            let mut keys = vec![words(&field)];
            if &*field == "id" {
                keys = words(&from.name).into_iter().map(|noun| vec![singular(&noun), "id".to_owned()]).collect();
            }
            for (to, param) in keys.iter().filter_map(|key| params.get(key)).flatten() {
                let flow = Flow {
                    from: from.name.to_string(),
                    field: field.to_string(),
                    to: to.name.to_string(),
                    param: param.to_string(),
                };
                // A tool that takes the argument itself tells nothing new about it.
                let echoes = &*field != "id" && from.properties().iter().any(|(name, _)| name == param);
                if from.name != to.name && !echoes && fits(from, to, &flow) {
                    flows.push(flow);
                }
                if flows.len() == MOST {
                    return flows;
                }
            }
        }
    }
    flows
}

fn singular(noun: &str) -> String {
    noun.strip_suffix('s').unwrap_or(noun).to_owned()
}

/// The top-level fields of an answer; `id` where the file has no output schema.
fn fields(tool: &Tool) -> Vec<Str> {
    match &tool.output_schema {
        None => vec![Str::from("id")],
        Some(schema) => {
            let properties = schema.get("properties").and_then(Value::as_object);
            properties.into_iter().flat_map(|m| m.named().map(|(name, _)| name.clone())).collect()
        }
    }
}

/// Whether a value that the argument admits can stand in the field. A value of a flow is drawn from the argument's schema
/// and put into the answer: where none fits, the answer breaks its own schema.
pub fn fits(from: &Tool, to: &Tool, flow: &Flow) -> bool {
    let Some(argument) = to.properties().into_iter().find(|(name, _)| **name == *flow.param).map(|(_, schema)| schema)
    else {
        return false;
    };
    let Some(output) = &from.output_schema else {
        return fits_schema(&argument, &Value::from(crate::value::Map::from([("type", "string")])));
    };
    let mut field = output;
    for part in flow.field.split('.') {
        let (name, list) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        let Some(next) = field.get("properties").and_then(|p| p.get(name)) else { return false };
        field = if list { next.get("items").unwrap_or(next) } else { next };
    }
    fits_schema(&argument, field)
}

fn fits_schema(argument: &Value, field: &Value) -> bool {
    let key = DrawKey::new(PROBE);
    value_where(argument, &cleaned(argument), &key, "flow", |value| conforms(value, field)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolfile::{ReadOptions, read};

    #[test]
    fn names_suggest_reads_and_flows_that_fit() {
        let tools = br#"{"tools": [
            {"name": "getOrder", "inputSchema": {"type": "object", "properties": {"order_id": {"type": "string"}}}},
            {"name": "list_orders", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object",
              "properties": {"order_id": {"type": "string"}, "item_id": {"type": "integer"}}}},
            {"name": "get_and_delete", "inputSchema": {"type": "object"}},
            {"name": "pack_item", "inputSchema": {"type": "object", "properties": {"item_id": {"type": "string"}}}}]}"#;
        let tools = read(tools, &ReadOptions::default()).tools;
        let reads: Vec<String> = likely_reads(&tools).iter().map(ToString::to_string).collect();
        assert_eq!(reads, ["getOrder", "list_orders"]);
        let flows: Vec<String> = likely_flows(&tools).iter().map(ToString::to_string).collect();
        // An integer never fits a string argument.
        assert_eq!(flows, ["list_orders.order_id:getOrder.order_id"]);
    }
}
