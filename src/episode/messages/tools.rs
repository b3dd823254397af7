//! The tools as the agent is shown them.
use crate::task::{ShownTool, Task};
use crate::toolfile::Format;
use crate::value::{Map, Value};

/// The tools of a task in the format of its file: an OpenAI `tools` list, an MCP `tools/list` result, for an OpenAPI
/// document the operations with their arguments in one object.
pub fn tools(task: &Task) -> Value {
    let shown = task.block.iter();
    match task.format {
        Format::OpenAi => shown.map(openai).collect::<Vec<Value>>().into(),
        Format::Mcp => Map::from([("tools", shown.map(mcp).collect::<Vec<Value>>())]).into(),
        Format::OpenApi => shown.map(operation).collect::<Vec<Value>>().into(),
    }
}

fn openai(shown: &ShownTool) -> Value {
    let mut function = Map::from([("name", Value::from(&shown.name))]);
    if !shown.description.is_empty() {
        function.insert("description", &shown.description);
    }
    function.insert("parameters", shown.tool.input_schema.clone());
    Map::from([("type", Value::str("function")), ("function", function.into())]).into()
}

fn mcp(shown: &ShownTool) -> Value {
    let mut tool = Map::from([("name", Value::from(&shown.name))]);
    if !shown.description.is_empty() {
        tool.insert("description", &shown.description);
    }
    tool.insert("inputSchema", shown.tool.input_schema.clone());
    if let Some(output) = &shown.tool.output_schema {
        tool.insert("outputSchema", output.clone());
    }
    tool.into()
}

fn operation(shown: &ShownTool) -> Value {
    let mut operation = Map::from([("name", Value::from(&shown.name))]);
    if let Some(http) = &shown.tool.http {
        operation.insert("method", &http.method);
        operation.insert("path", &http.path);
    }
    if !shown.description.is_empty() {
        operation.insert("description", &shown.description);
    }
    operation.insert("arguments", shown.tool.input_schema.clone());
    operation.into()
}
